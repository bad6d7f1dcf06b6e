//! The engines by name, with the limits and options that the commands share.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use stonework_cover_players::{Endings, EndingsError};
use stonework_havannah_solver::HavannahBook;
use stonework_roster::{PlayerConfig, PlayerSpec, Roster};
use stonework_search::{Engine, Limits, Report, SearchContext};
use stonework_session::{AnyMove, AnyPosition, GameType, Search, any_roster};

use crate::failure::Failure;
use crate::learned::{COVER, LearnedPlayer, learned_player, with_learned};
use crate::progress::Progress;
use crate::start::{HAVANNAH, seconds, seed, threads};

/// The limits of a search.
#[derive(Args)]
pub(crate) struct Budget {
    /// Stop after this many seconds
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Stop after this many positions
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Stop after this many simulations (champion, mcts)
    #[arg(long, value_name = "N")]
    simulations: Option<u64>,
    /// Search at most this many plies deep (engines with a fixed depth)
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Memory for tables and trees, such as 512MiB or 4GiB
    #[arg(long, value_name = "BYTES", default_value = "256MiB", value_parser = bytes)]
    memory: usize,
    /// Threads; with more than one, answers may differ from run to run
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// A table of Cover's endings by `table build`
    #[arg(long, value_name = "FILE", value_parser = endings, hide_short_help = true)]
    endings: Option<TableFile>,
    /// Add a player with files by `learn`, one of each kind at most
    #[arg(long, value_name = "NAME=FILE,…", value_parser = learned_player, hide_short_help = true)]
    learned: Vec<LearnedPlayer>,
}

impl Budget {
    /// `true` if a limit other than memory bounds the search.
    pub(crate) const fn is_limited(&self) -> bool {
        self.seconds.is_some() || self.nodes.is_some() || self.simulations.is_some() || self.depth.is_some()
    }

    /// The limits, with a flag that Ctrl-C sets.
    pub(crate) fn limits(&self) -> Limits {
        self.costs().cancel(interrupted())
    }

    /// The limits without a flag.
    fn costs(&self) -> Limits {
        let Self { seconds: time, nodes, simulations, depth, memory, .. } = *self;
        Limits { time, nodes, simulations, depth, ..Limits::none().bytes(memory) }
    }

    /// The limits, threads and seed of a search of a session.
    pub(crate) fn search(&self) -> Search {
        let Limits { time, nodes, simulations, depth, bytes, .. } = self.costs();
        let seconds = time.map(|time| time.as_secs_f64());
        let (threads, seed) = (Some(self.threads.into()), Some(self.seed));
        Search { engine: None, seconds, nodes, simulations, depth, bytes, threads, seed, lines: None }
    }

    /// The settings of the players.
    pub(crate) fn config(&self) -> PlayerConfig {
        let threads = usize::from(self.threads).max(1);
        let limits = Limits { simulations: self.simulations, ..Limits::none().bytes(self.memory) };
        PlayerConfig { limits, threads, seed: self.seed }
    }

    /// The players of a game, with the table of endings and perhaps a proof; each game uses only the data for it.
    pub(crate) fn roster(
        &self,
        game: &GameType,
        proof: Option<Arc<HavannahBook>>,
    ) -> Result<Roster<AnyPosition>, Failure> {
        let endings = self.endings.as_ref().map(|file| file.endings.clone());
        let roster = match (game.name(), endings.clone()) {
            (COVER, endings @ Some(_)) => any_roster(&stonework_cover_players::roster(endings)),
            (HAVANNAH, endings) if proof.is_some() => {
                without(any_roster(&stonework_havannah_players::roster(proof)), endings)
            }
            (_, endings) => without(game.roster().clone(), endings),
        };
        let learned = without(self.join_learned(game, Roster::new())?, endings);
        Ok(learned.entries().iter().cloned().fold(roster, Roster::with))
    }

    fn join_learned(
        &self,
        game: &GameType,
        roster: Roster<AnyPosition>,
    ) -> Result<Roster<AnyPosition>, Failure> {
        with_learned(&self.learned, game, roster).map_err(Failure::input)
    }

    /// The game with the learned players.
    pub(crate) fn with_learned(&self, game: &GameType) -> Result<GameType, Failure> {
        Ok(game.clone().players(self.join_learned(game, game.roster().clone())?))
    }

    /// The learned files of players, for the header of a log.
    pub(crate) fn learned(&self) -> Vec<&str> {
        self.learned.iter().map(|player| &*player.about).collect()
    }

    /// The players with learned files.
    pub(crate) fn learned_players(&self) -> &[LearnedPlayer] {
        &self.learned
    }

    /// Puts players with learned files in the place of those of the arguments.
    pub(crate) fn set_learned(&mut self, players: Vec<LearnedPlayer>) {
        self.learned = players;
    }

    /// The file of the table of endings.
    pub(crate) fn endings_file(&self) -> Option<&Path> {
        self.endings.as_ref().map(|file| &*file.path)
    }

    /// An engine by name, perhaps with options, and the limits of its search with those among the options; `usual` is the time without
    /// any limit.
    pub(crate) fn engine(
        &self,
        game: &GameType,
        text: &str,
        usual: Option<Duration>,
    ) -> Result<(Box<dyn Engine<AnyPosition>>, Limits), Failure> {
        let (engine, limits) = self.engine_without_flag(game, text, usual)?;
        Ok((engine, limits.cancel(interrupted())))
    }

    /// The engine and the limits of [`engine`](Self::engine), without a flag: a signal ends the program.
    pub(crate) fn engine_without_flag(
        &self,
        game: &GameType,
        text: &str,
        usual: Option<Duration>,
    ) -> Result<(Box<dyn Engine<AnyPosition>>, Limits), Failure> {
        let spec: PlayerSpec = text.parse().map_err(|error| Failure::input(format!("engine {error}")))?;
        let time = usual.filter(|_| !self.is_limited() && !spec.is_limited());
        let own = self.costs();
        let (spec, limits) =
            spec.limited(&Limits { time: own.time.or(time), ..own }).map_err(Failure::input)?;
        let roster = self.roster(game, None)?;
        let mut config = self.config();
        config.limits.simulations = limits.simulations;
        let engine = spec.engine(&roster, &config).map_err(Failure::input)?;
        refuse_endless(&roster, &spec.name, &limits).map_err(Failure::input)?;
        Ok((engine, limits))
    }
}

/// A roster without a table of endings. A given table is an error at the creation of a player.
fn without(roster: Roster<AnyPosition>, endings: Option<Endings>) -> Roster<AnyPosition> {
    match endings {
        Some(endings) => roster.without(&endings.to_string()),
        None => roster,
    }
}

/// Refuses a depth as the only limit of a player whose search has no depth.
pub(crate) fn refuse_endless(
    roster: &Roster<AnyPosition>,
    name: &str,
    limits: &Limits,
) -> Result<(), String> {
    // A player that does not exist is refused by its name.
    let ends = roster.entry(name).is_none_or(|entry| entry.ends(limits));
    match limits.depth {
        Some(depth) if !ends => Err(endless(depth, name)),
        _ => Ok(()),
    }
}

/// The message about a depth that ends no search.
pub(crate) fn endless(depth: u32, name: &str) -> String {
    format!(
        "--depth {depth}: {name} looks to no fixed depth and would never end; give it --seconds, --nodes or --simulations"
    )
}

/// A flag that Ctrl-C, SIGTERM and SIGHUP set. Of several flags of a process, a signal sets the last one.
pub(crate) fn interrupted() -> Arc<AtomicBool> {
    static LAST: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);
    let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let flag = Arc::new(AtomicBool::new(false));
    *last() = Some(Arc::clone(&flag));
    // If no handler can be set, Ctrl-C ends the program as usual. A second handler is refused: the first one does its work.
    let _ = ctrlc::set_handler(move || {
        if let Some(flag) = &*last() {
            flag.store(true, Ordering::Relaxed);
        }
    });
    flag
}

/// Runs a search. Returns the report and the processor time of the search.
pub(crate) fn run(
    engine: &mut dyn Engine<AnyPosition>,
    root: &AnyPosition,
    limits: &Limits,
    seed: u64,
) -> (Report<AnyMove>, f64) {
    let mut progress = Progress::new("nodes", limits.nodes);
    timed(|| {
        engine.search(root, limits, SearchContext::seed(seed).watch(&mut |report| progress.at(report.nodes)))
    })
}

/// The result of a function, and the processor time of the call in seconds.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (cpu, since) = (cpu_time::ProcessTime::try_now(), Instant::now());
    let result = work();
    // Without a processor time, the wall clock gives the time.
    let spent = cpu.and_then(|cpu| cpu.try_elapsed()).unwrap_or_else(|_| since.elapsed());
    (result, spent.as_secs_f64())
}

/// A table of endings with the path of its file.
#[derive(Clone)]
struct TableFile {
    path: PathBuf,
    endings: Endings,
}

fn endings(file: &str) -> Result<TableFile, EndingsError> {
    let path = PathBuf::from(file);
    Ok(TableFile { endings: Endings::open(&path)?, path })
}

/// Reads a number of bytes: digits, perhaps followed by KiB, MiB or GiB.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: usize = match &text[digits.len()..] {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        other => return Err(format!("no unit `{other}`: KiB, MiB or GiB")),
    };
    let number: usize = digits.parse().map_err(|_| "a number of bytes, such as 512MiB".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "more bytes than there can be".to_owned())
}
