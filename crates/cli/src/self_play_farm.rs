//! Games of `selfplay` by the workers of a farm.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use stonework_arena::farm::{
    SelfPlayCheck, SelfPlayIntake, SelfPlayMaker, SelfPlayPlan, SelfPlayProver, SelfPlayWork, SelfPlayed,
};
use stonework_arena::self_play::{SelfPlay, SelfPlayGame};
use stonework_farm::{CoordinatorEvent, Queue};
use stonework_roster::{PlayerConfig, Roster};
use stonework_search::Limits;
use stonework_session::{AnyPosition, Registry, Start};

use crate::arena_farm::{OpenFarm, same_version, tell};
use crate::failure::Failure;
use crate::learned::{LearnedShelf, LearnedWords};
use crate::self_play::{engines, maker};

/// The words of self-play: all that determines its games, but their numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelfPlayWords {
    /// The version of the program: another one may play other games.
    pub(crate) stonework: String,
    pub(crate) game: String,
    pub(crate) size: u64,
    pub(crate) player: String,
    pub(crate) learned: Vec<LearnedWords>,
    pub(crate) nodes: Option<u64>,
    pub(crate) simulations: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) memory: Option<usize>,
    pub(crate) threads: usize,
    pub(crate) random: u32,
    pub(crate) stray: f64,
    pub(crate) plies: Option<u32>,
    pub(crate) seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prove: Option<ProveWords>,
}

/// The words of `--prove`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProveWords {
    pub(crate) nodes: u64,
    pub(crate) from: u32,
    pub(crate) prover: String,
}

/// The memory of the engine that proves, for each of its nodes.
const BYTES_A_NODE: u64 = 1024;

impl ProveWords {
    /// The prover of the words, with the memory of the searches' limits at most.
    ///
    /// # Errors
    /// An error if the engine is unknown.
    pub(crate) fn prover(
        &self,
        roster: &Roster<AnyPosition>,
        config: &PlayerConfig,
        limits: &Limits,
    ) -> Result<SelfPlayProver<AnyPosition>, String> {
        // A table that is larger than the search needs takes time to clear.
        let bytes = self.nodes.saturating_mul(BYTES_A_NODE).try_into().unwrap_or(usize::MAX);
        let bytes = limits.bytes.unwrap_or(usize::MAX).min(bytes);
        let limits =
            Limits { simulations: None, depth: None, ..limits.clone() }.nodes(self.nodes).bytes(bytes);
        let config = PlayerConfig { limits: limits.clone(), ..config.clone() };
        Ok(SelfPlayProver { from: self.from, make: maker(&self.prover, roster.clone(), config)?, limits })
    }
}

impl SelfPlayWords {
    /// The self-play of the words, as this machine plays it.
    fn played(
        self,
        registry: &Registry,
        learned: &mut LearnedShelf,
    ) -> Result<SelfPlayed<AnyPosition>, String> {
        same_version(&self.stonework)?;
        let game = registry.game(&self.game).map_err(|fault| fault.message)?;
        let game = learned.game(game, &self.learned)?;
        let start = game.start(&Start::of_size(self.size)).map_err(|fault| fault.message)?;
        let Self { nodes, simulations, depth, memory: bytes, threads, seed, .. } = self;
        if simulations.is_none() {
            return Err("searches without a number of simulations may have no end".to_owned());
        }
        let limits = Limits { nodes, simulations, depth, bytes, ..Limits::none() };
        let config = PlayerConfig {
            limits: Limits { simulations, bytes, ..Limits::none() },
            threads: threads.max(1),
            seed,
        };
        let prover =
            self.prove.as_ref().map(|prove| prove.prover(game.roster(), &config, &limits)).transpose()?;
        let make = engines(&self.player, game.roster().clone(), config)?;
        let (opening, stray, max_plies) = (self.random, self.stray, self.plies);
        Ok(SelfPlayed { play: SelfPlay { start, opening, stray, max_plies, seed }, limits, make, prover })
    }
}

/// The work of a worker that plays any self-play whose engine this program has.
pub(crate) fn self_play_work(registry: &Registry, queue: &Arc<dyn Queue>) -> SelfPlayWork<AnyPosition> {
    let (registry, mut learned) = (registry.clone(), LearnedShelf::new(queue));
    let make: SelfPlayMaker<AnyPosition> = Box::new(move |words: &Value| {
        let words = SelfPlayWords::deserialize(words).map_err(|error| error.to_string())?;
        words.played(&registry, &mut learned)
    });
    SelfPlayWork::new(make)
}

/// The games of a command, for a farm.
pub(crate) struct FarmSelfPlay<'a> {
    pub(crate) open: &'a OpenFarm<'a>,
    pub(crate) words: &'a SelfPlayWords,
    pub(crate) check: &'a SelfPlayCheck<AnyPosition>,
    /// The games of a job.
    pub(crate) chunk: usize,
    pub(crate) stop: &'a AtomicBool,
}

impl FarmSelfPlay<'_> {
    /// Plays the games of the numbers `missing`, and passes them to `each` in the order of their numbers. Games of an
    /// earlier run of the same command come first, from the journal.
    pub(crate) fn run(
        &self,
        missing: Range<usize>,
        each: &mut dyn FnMut(SelfPlayGame) -> Result<(), String>,
    ) -> Result<(), Failure> {
        let Self { open, .. } = self;
        let begun = open.coordinator.begun(&*open.queue).map_err(Failure::input)?;
        if begun.is_none() && missing.is_empty() {
            return Ok(());
        }
        // The folder has grown since the campaign began.
        let first = begun.as_deref().and_then(SelfPlayPlan::begun).unwrap_or(missing.start);
        if first > missing.start {
            return Err(Failure::input(format!(
                "--out has {} games, and the games of the farm begin with game {first}: give it the folder of its games, or \
                 another place for the farm",
                missing.start
            )));
        }
        let words = serde_json::to_value(self.words).map_err(Failure::input)?;
        let plan = SelfPlayPlan::new(words, first..missing.end, self.chunk);
        let mut intake = SelfPlayIntake::new(missing.start, each);
        let mut failed = Ok(());
        let ended = open.run(&mut plan.map_err(Failure::input)?, self.check, &mut |event| {
            match event {
                CoordinatorEvent::Leads { .. } => {
                    let read = open.coordinator.read(&mut |_| {}, &mut |decision| {
                        if failed.is_ok() {
                            failed = intake.take(decision, &open.coordinator);
                        }
                    });
                    if failed.is_ok() {
                        failed = read.map(|_| ()).map_err(|error| error.to_string());
                    }
                }
                CoordinatorEvent::Decided(decision) if failed.is_ok() => {
                    failed = intake.take(decision, &open.coordinator);
                }
                event => tell(event),
            }
            if failed.is_err() {
                self.stop.store(true, Ordering::Relaxed);
            }
        });
        failed.map_err(Failure::input)?;
        ended
    }
}
