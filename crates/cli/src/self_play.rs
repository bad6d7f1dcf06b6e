//! `selfplay`: games of an engine against itself, with its visits and values.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use stonework_arena::farm::{EngineMaker, MAX_SELF_PLAY_CHUNK, SelfPlayCheck, SelfPlayProver};
use stonework_arena::self_play::{
    MOST_MOVES, ProvenPlay, SelfPlay, SelfPlayError, SelfPlayFolder, SelfPlayGame,
};
use stonework_roster::{PlayerConfig, PlayerSpec, Roster};
use stonework_search::{Engine, Limits};
use stonework_session::{AnyPosition, Registry, Start};

use crate::arena::digest;
use crate::arena_farm::GamesFarm;
use crate::engines::Budget;
use crate::failure::Failure;
use crate::help;
use crate::learned::LearnedPlayer;
use crate::out::Out;
use crate::progress::Progress;
use crate::self_play_farm::{FarmSelfPlay, ProveWords, SelfPlayWords};
use crate::start::{GameArgs, any_size, threads};

/// Let an engine play against itself, and keep the games with all searches, to learn from
#[derive(Args)]
#[command(name = "selfplay", long_about = help::SELFPLAY_ABOUT, after_long_help = help::SELFPLAY)]
pub(crate) struct SelfPlayArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The engine: NAME or NAME:OPTION=VALUE,…; unless given, the usual one
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Size of the board: Havannah 2 to 20, Cachex 3 to 15, Cover 1 to 10
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: u64,
    /// All games of the folder together
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// The folder for the games; the command goes on after the last game there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The most random moves at the beginning
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=100))]
    random: u32,
    /// The chance of a random move in place of the engine's
    #[arg(long, value_name = "X", default_value_t = 0.025, value_parser = chance)]
    stray: f64,
    /// Plies after which a game is a draw; unless given, 1000 in Cover
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    plies: Option<u32>,
    /// Games of a file
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    chunk: u32,
    /// Games that are played at the same time
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = threads())]
    concurrency: u16,
    /// Keep positions that --prover proves with so many nodes, not games
    #[arg(long, value_name = "NODES", conflicts_with = "stray", value_parser = clap::value_parser!(u64).range(1..))]
    prove: Option<u64>,
    /// The engine that proves; unless given, that of `solve`
    #[arg(long, value_name = "NAME", requires = "prove")]
    prover: Option<String>,
    /// The number of moves after which it is asked first
    #[arg(long, value_name = "N", default_value_t = 8, requires = "prove")]
    prove_from: u32,
    #[command(flatten)]
    farm: GamesFarm,
    /// Games of a job of the farm
    #[arg(long, value_name = "N", default_value = "4", requires = "place", value_parser = clap::value_parser!(u16).range(1..=MAX_SELF_PLAY_CHUNK as i64))]
    job_games: u16,
    #[command(flatten)]
    budget: Budget,
}

/// A number from 0 to 1.
fn chance(text: &str) -> Result<f64, String> {
    let chance: f64 = text.parse().map_err(|_| "a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&chance) { Ok(chance) } else { Err(format!("{chance} is not from 0 to 1")) }
}

/// The numbers of the new games.
#[derive(Default)]
struct Counts {
    plies: usize,
    draws: usize,
    proven: usize,
}

impl Counts {
    fn add(&mut self, game: &SelfPlayGame) {
        self.plies += game.moves.len();
        self.draws += usize::from(game.result == stonework_arena::Won::Draw);
        self.proven += usize::from(game.proven);
    }
}

/// The maker of an engine.
///
/// # Errors
/// An error if the engine is unknown.
pub(crate) fn maker(
    player: &str,
    roster: Roster<AnyPosition>,
    config: PlayerConfig,
) -> Result<EngineMaker<AnyPosition>, String> {
    let spec: PlayerSpec = player.parse().map_err(|error| format!("player {error}"))?;
    let make = move || spec.engine(&roster, &config).map_err(|error| error.to_string());
    make()?;
    Ok(Box::new(make))
}

/// A player without the limits among its options, and these limits beside others.
fn limited(player: &str, limits: &Limits) -> Result<(PlayerSpec, Limits), String> {
    let spec: PlayerSpec = player.parse().map_err(|error| format!("player {error}"))?;
    spec.limited(limits).map_err(|error| format!("player `{player}`: {error}"))
}

/// The maker of the engines of self-play, which report the visits of all moves that are kept. The limits among the options of the
/// player are those of its searches.
///
/// # Errors
/// An error if the player is unknown, or reports no visits.
pub(crate) fn engines(
    player: &str,
    roster: Roster<AnyPosition>,
    config: PlayerConfig,
) -> Result<EngineMaker<AnyPosition>, String> {
    let (engine, _) = limited(player, &Limits::none())?;
    let (make, player) = (maker(&engine.to_string(), roster, config)?, player.to_owned());
    let make = move || -> Result<Box<dyn Engine<AnyPosition>>, String> {
        let mut engine = make()?;
        let lines = engine.set_parameter("lines", MOST_MOVES as f64);
        lines.map_err(|error| format!("player `{player}` reports no visits: {error}"))?;
        Ok(engine)
    };
    make()?;
    Ok(Box::new(make))
}

impl SelfPlayArgs {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let game = self.game.of(registry)?;
        let start = game.start(&Start::of_size(self.size)).map_err(Failure::input)?;
        let player = self.player.as_deref().unwrap_or_else(|| game.usual_player());
        let limits = self.limits(player)?;
        // The engines that count visits use no table of endings; the engine of --prove may.
        let own = self.budget.with_learned(game)?.roster().clone();
        let (roster, config) = (self.budget.roster(game, None)?, self.budget.config());
        let prover = self.prover.as_deref().unwrap_or_else(|| game.usual_solver());
        let prove =
            self.prove.map(|nodes| ProveWords { nodes, from: self.prove_from, prover: prover.to_owned() });
        let players = [player, prover].map(str::to_owned);
        let prover = prove.as_ref().map(|prove| prove.prover(&roster, &config, &limits));
        let prover = prover.transpose().map_err(|error| Failure::input(format!("--prover: {error}")))?;
        let make = engines(player, own, config).map_err(Failure::input)?;
        let play = SelfPlay {
            opening: self.random,
            stray: self.stray,
            max_plies: self.plies.or(game.description().max_plies),
            ..SelfPlay::new(start, self.budget.seed)
        };
        let mut settings = self.settings(player, &limits, play.max_plies);
        if let Some(prove) = &prove {
            settings["stray"] = json!(0.0);
            settings["prove"] = json!(prove);
        }
        let disk = std::sync::Arc::clone(out.disk());
        if let Some(digest) = digest(&*disk, self.budget.endings_file())? {
            settings["endings"] = json!(digest);
        }
        let mut folder = SelfPlayFolder::open(&*disk, &self.out, &settings, self.chunk as usize)
            .map_err(|error| Failure::input(format!("--out {error}")))?;
        let (before, threads) = (folder.games(), usize::from(self.concurrency));
        let mut progress = Progress::new("games", Some(self.games.into()));
        let stop = limits.cancel.clone().unwrap_or_default();
        let mut counts = Counts::default();
        let games = self.games as usize;
        let missing = folder.missing(games);
        let mut each = |game: SelfPlayGame| {
            folder.add(&game).map_err(|error| error.to_string())?;
            counts.add(&game);
            progress.at(folder.games() as u64);
            Ok(())
        };
        if self.farm.is_asked()? {
            let words = self.words(game.name(), (player, prove), &limits, play.max_plies)?;
            self.farm.check(false, &players, words.threads)?;
            let open = self.farm.open(registry, &disk, threads, &stop)?;
            open.put(self.budget.learned_players())?;
            let chunk = self.job_games.into();
            let check = match prover {
                Some(SelfPlayProver { from, .. }) => SelfPlayCheck::Proven(ProvenPlay { play, from }),
                None => SelfPlayCheck::Games(play),
            };
            FarmSelfPlay { open: &open, words: &words, check: &check, chunk, stop: &stop }
                .run(missing, &mut each)?;
        } else {
            let played = match &prover {
                Some(SelfPlayProver { from, limits: few, make: prover }) => ProvenPlay { play, from: *from }
                    .run(missing, [&make, prover], [&limits, few], threads, &stop, &mut each),
                None => play.run(missing, &make, &limits, threads, &stop, &mut each),
            };
            match played {
                Ok(()) | Err(SelfPlayError::Stopped) => {}
                Err(error) => return Err(Failure::input(error)),
            }
        }
        drop(progress);
        let complete = folder.games() >= games;
        Self::tell(out, [folder.games(), before], &counts, complete)
    }

    /// The words of the games for the workers of a farm.
    ///
    /// # Errors
    /// An error if the games need a file of this machine that no worker has.
    fn words(
        &self,
        game: &str,
        (player, prove): (&str, Option<ProveWords>),
        limits: &Limits,
        plies: Option<u32>,
    ) -> Result<SelfPlayWords, Failure> {
        if self.budget.endings_file().is_some() {
            return Err(Failure::input("--farm: workers do not have the file of --endings"));
        }
        Ok(SelfPlayWords {
            stonework: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.to_owned(),
            size: self.size,
            player: player.to_owned(),
            learned: self.budget.learned_players().iter().map(LearnedPlayer::words).collect(),
            nodes: limits.nodes,
            simulations: limits.simulations,
            depth: limits.depth,
            memory: limits.bytes,
            threads: self.budget.config().threads,
            random: self.random,
            stray: if prove.is_some() { 0.0 } else { self.stray },
            plies,
            seed: self.budget.seed,
            prove,
        })
    }

    /// The limits of a search: simulations, and perhaps nodes.
    fn limits(&self, player: &str) -> Result<Limits, Failure> {
        let (_, limits) = limited(player, &self.budget.limits()).map_err(Failure::input)?;
        if limits.time.is_some() || limits.simulations.is_none() {
            return Err(Failure::input(
                "give the searches --simulations, since visits are kept, and no --seconds: the same games have to follow \
                 from the same seed",
            ));
        }
        if let Some(file) = self.budget.endings_file().filter(|_| self.prove.is_none()) {
            let file = file.display();
            return Err(Failure::input(format!(
                "--endings {file}: only the engine of --prove can use a table of endings"
            )));
        }
        Ok(limits)
    }

    /// The settings that determine the games, for the headers of files.
    fn settings(&self, player: &str, limits: &Limits, plies: Option<u32>) -> Value {
        let mut settings = json!({
            "log": 2,
            "stonework": env!("CARGO_PKG_VERSION"),
            "game": self.game.game,
            "size": self.size,
            "swap": false,
            "player": player,
            "simulations": limits.simulations,
            "nodes": limits.nodes,
            "memory": limits.bytes,
            "random": self.random,
            "stray": self.stray,
            "plies": plies,
            "seed": self.budget.seed,
        });
        if let Some(depth) = limits.depth {
            settings["depth"] = json!(depth);
        }
        // One thread is the default, of which older files say nothing.
        let threads = self.budget.config().threads;
        if threads > 1 {
            settings["threads"] = json!(threads);
        }
        if !self.budget.learned().is_empty() {
            settings["learned"] = json!(self.budget.learned());
        }
        settings
    }

    fn tell(
        out: &mut Out,
        [games, before]: [usize; 2],
        counts: &Counts,
        complete: bool,
    ) -> Result<(), Failure> {
        let (new, &Counts { plies, draws, proven }) = (games - before, counts);
        if out.wants_json() {
            return out.object(&json!({
                "games": games,
                "new": new,
                "plies": plies,
                "draws": draws,
                "proven": proven,
                "complete": complete,
            }));
        }
        write!(out, "{games} games, {new} of them new")?;
        if new > 0 {
            let mean = plies as f64 / new as f64;
            write!(out, ": {mean:.1} plies each, {draws} draws, {proven} proven before the end")?;
        }
        writeln!(out)?;
        if !complete {
            writeln!(out, "stopped before the end; the same command goes on")?;
        }
        Ok(())
    }
}
