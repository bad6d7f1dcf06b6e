//! Games by the workers of a farm: the queue of a command, and the events of `match`, `tournament` and `tune`.

use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use stonework_arena::farm::{
    EventCheck, EventMaker, EventPlan, EventWork, MAX_CHUNK, Played, RepeatCheck, SELF_PLAY, SelfPlayWork,
    begun_speed, machine_speed,
};
use stonework_arena::{Entrant, Event, GameLine, Pace, Terms};
use stonework_farm::{
    Check, Coordinator, CoordinatorEvent, Ended, FarmJob, FarmPlan, FarmWork, Queue, WorkSeat, Worked, Worker,
};
use stonework_files::Disk;
use stonework_roster::PlayerConfig;
use stonework_search::Limits;
use stonework_session::{AnyPosition, Registry, Start};

use crate::failure::{Failure, say};
use crate::farm::{BUILD, CarrierArgs, LinkArgs, PauseNews, beside_workers};
use crate::learned::{LearnedPlayer, LearnedShelf, LearnedWords, put_learned};
use crate::self_play_farm::self_play_work;

/// The farm of a command that plays games.
#[derive(Args, Clone)]
pub(crate) struct GamesFarm {
    /// Let `farm work` play, too: a directory to share, or the URL of a NATS server
    #[arg(long = "farm", value_name = "PLACE")]
    place: Option<String>,
    /// Play this share of the jobs again to find lies, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0", requires = "place", value_parser = share, hide_short_help = true)]
    recheck: f64,
    /// The directory of the journal, for a farm on a server
    #[arg(long = "farm-dir", value_name = "DIR", requires = "place", hide_short_help = true)]
    dir: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArgs,
}

/// The most plies of a game of a farm: its line is within the answer to a job. The rules end the games without a limit of plies before.
const MOST_PLIES: u32 = 4000;

/// A share, 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| format!("`{text}` is no number from 0 to 1"))
}

/// The farm of a match.
#[derive(Args, Clone)]
pub(crate) struct EventFarm {
    #[command(flatten)]
    pub(crate) farm: GamesFarm,
    /// Games of a job of the farm
    #[arg(long = "job-games", alias = "chunk", value_name = "N", default_value = "2", requires = "place", value_parser = clap::value_parser!(u16).range(1..=MAX_CHUNK as i64), hide_short_help = true)]
    chunk: u16,
}

impl GamesFarm {
    /// `true` if workers of a farm are to play.
    ///
    /// # Errors
    /// An error for an option of a farm without a farm.
    pub(crate) fn is_asked(&self) -> Result<bool, Failure> {
        if self.place.is_none() {
            self.link.check(false)?;
        }
        Ok(self.place.is_some())
    }

    /// The queue, and the directory of the journal.
    fn carrier(&self) -> Result<(CarrierArgs, PathBuf), Failure> {
        let place = self.place.as_deref().unwrap_or_default();
        let link = self.link.clone();
        if place.contains("://") {
            let dir = self.dir.clone();
            let dir = dir.ok_or_else(|| {
                Failure::input("--farm-dir is needed: the journal of the games is written there")
            })?;
            return Ok((CarrierArgs { dir: Some(dir.clone()), server: Some(place.to_owned()), link }, dir));
        }
        let dir = PathBuf::from(place);
        let journal = self.dir.clone().unwrap_or_else(|| dir.clone());
        Ok((CarrierArgs { dir: Some(dir), server: None, link }, journal))
    }

    /// Opens the farm. This process plays `threads` games at a time itself, until `stop` is set.
    pub(crate) fn open<'a>(
        &self,
        registry: &'a Registry,
        disk: &Arc<dyn Disk>,
        threads: usize,
        stop: &'a Arc<AtomicBool>,
    ) -> Result<OpenFarm<'a>, Failure> {
        let (carrier, dir) = self.carrier()?;
        let queue = carrier.open(true)?;
        let coordinator = Coordinator::new(Arc::clone(disk), dir, format!("process-{}", std::process::id()));
        let recheck = self.recheck;
        Ok(OpenFarm { carrier, queue, coordinator, registry, threads, recheck, stop })
    }

    /// Refuses games that may be too long for a farm.
    pub(crate) fn check_plies(plies: Option<u32>) -> Result<(), Failure> {
        match plies.filter(|&plies| plies > MOST_PLIES) {
            Some(plies) => Err(Failure::input(format!(
                "--plies {plies}: a game of a farm has at most {MOST_PLIES} moves, so that its line fits an answer"
            ))),
            None => Ok(()),
        }
    }

    /// Refuses `--recheck` for games that do not follow from their seeds; the arguments are those of [`unsteady`](Self::unsteady).
    pub(crate) fn check(&self, timed: bool, players: &[String], threads: usize) -> Result<(), Failure> {
        match Self::unsteady(timed, players, threads).filter(|_| self.recheck > 0.0) {
            Some(what) => Err(Failure::input(format!(
                "--recheck plays games again, and with {what} they need not be the same: give counts, such as --simulations, \
                 and one thread"
            ))),
            None => Ok(()),
        }
    }

    /// The reason in words why games do not follow from their seeds; `None` if they do.
    ///
    /// # Arguments
    /// * `timed` – `true` if the terms have times.
    /// * `players` – the players, whose own options may have times or threads, and ranges of such options.
    /// * `threads` – the threads of a player.
    pub(crate) fn unsteady(timed: bool, players: &[String], threads: usize) -> Option<String> {
        let is_timed = |player: &&String| options(player, "seconds").next().is_some();
        let is_several =
            |player: &&String| options(player, "threads").any(|threads| threads.parse() != Ok(1.0));
        let (what, player) = match (players.iter().find(is_timed), players.iter().find(is_several)) {
            (player, _) if timed || player.is_some() => ("a limit of time", player),
            (_, player) if threads > 1 || player.is_some() => ("several threads", player),
            _ => return None,
        };
        let player = player.map(|player| format!(" in `{player}`")).unwrap_or_default();
        Some(format!("{what}{player}"))
    }
}

/// The values of an option of a player, as the text of the player has them.
fn options<'a>(player: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let options = player.split([':', ',']).filter_map(|part| part.split_once('='));
    options.filter(move |(option, _)| option.trim() == name).map(|(_, value)| value.trim())
}

/// The farm of a running command.
pub(crate) struct OpenFarm<'a> {
    carrier: CarrierArgs,
    pub(crate) queue: Arc<dyn Queue>,
    pub(crate) coordinator: Coordinator,
    registry: &'a Registry,
    threads: usize,
    /// See [`GamesFarm::recheck`].
    recheck: f64,
    stop: &'a Arc<AtomicBool>,
}

impl OpenFarm<'_> {
    /// Puts the files of learned players where the workers find them.
    pub(crate) fn put(&self, players: &[LearnedPlayer]) -> Result<(), Failure> {
        put_learned(players, &*self.queue).map_err(Failure::input)
    }

    /// The speed of the machine that times are meant for, if the terms have times: the speed of the games that have begun, or
    /// else of this machine.
    pub(crate) fn speed(&self, terms: &Terms, start: &AnyPosition) -> Result<Option<f64>, Failure> {
        if terms.pace == Pace::Own {
            return Ok(None);
        }
        let begun = self.coordinator.begun(&*self.queue).map_err(Failure::input)?;
        Ok(begun.as_deref().and_then(begun_speed).or_else(|| Some(machine_speed(start))))
    }

    /// `true` if the games of the farm have begun.
    pub(crate) fn has_begun(&self) -> Result<bool, Failure> {
        Ok(self.coordinator.begun(&*self.queue).map_err(Failure::input)?.is_some())
    }

    /// Coordinates a plan to its end, with workers in threads of this process beside those of others.
    pub(crate) fn run(
        &self,
        plan: &mut dyn FarmPlan,
        check: &dyn Check,
        watch: &mut dyn FnMut(&CoordinatorEvent<'_>),
    ) -> Result<(), Failure> {
        let again = (self.recheck > 0.0).then(|| {
            let work = games_work(self.registry, &self.queue, self.stop);
            RepeatCheck::new(check, work, self.recheck, secret())
        });
        let check = again.as_ref().map_or(check, |again| again as &dyn Check);
        let (over, at_work) = (AtomicBool::new(false), AtomicUsize::new(self.threads));
        let mut pauses = PauseNews::default();
        let mut told = |event: &CoordinatorEvent<'_>| {
            pauses.of(event).into_iter().for_each(say);
            watch(event);
        };
        let ended = thread::scope(|scope| {
            for number in 1..=self.threads {
                let (over, at_work) = (&over, &at_work);
                scope.spawn(move || self.hand(number, over, at_work));
            }
            beside_workers(&over, || self.coordinator.run(&*self.queue, plan, check, self.stop, &mut told))
        });
        match ended.map_err(Failure::input)? {
            Ended::Cancelled => Err(Failure::input("the farm was cancelled; `farm resume` lets it go on")),
            Ended::Deposed => Err(Failure::input("another process leads this farm now")),
            Ended::Over | Ended::Stopped => Ok(()),
        }
    }

    /// A worker in a thread of this process. The last one that ends before the games are over says so: the command waits from then on.
    fn hand(&self, number: usize, over: &AtomicBool, at_work: &AtomicUsize) {
        let is_shared = self.carrier.server.is_some();
        let opened = if is_shared { Ok(Arc::clone(&self.queue)) } else { self.carrier.open(true) };
        let worker = Worker::new(format!("own-{}-{number}", std::process::id()), BUILD).stays();
        let ended = opened.and_then(|queue| {
            let mut work = games_work(self.registry, &queue, self.stop);
            worker.run(&*queue, &mut work, over, &mut |_| {}).map_err(Failure::input)
        });
        if let Err(Failure::Input(why)) = ended {
            say(format_args!("a worker: {why}"));
        }
        if at_work.fetch_sub(1, Ordering::Relaxed) == 1
            && !over.load(Ordering::Relaxed)
            && !self.stop.load(Ordering::Relaxed)
        {
            say(
                "no worker of this process is left: they have failed or are shut out after bad answers. The games wait for \
                 `farm work`; after Ctrl-C the same command goes on with new workers",
            );
        }
    }
}

/// A number that no worker knows.
fn secret() -> u64 {
    RandomState::new().hash_one("the sample of the jobs that are played again")
}

/// The words of an event: all that determines its games, but the openings, which come with each chunk.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventWords {
    /// The version of the program: another one may play other games.
    pub(crate) stonework: String,
    pub(crate) game: String,
    pub(crate) size: u64,
    pub(crate) swap: bool,
    pub(crate) players: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) learned: Vec<LearnedWords>,
    pub(crate) pace: PaceWords,
    pub(crate) grace: Duration,
    pub(crate) patience: Duration,
    pub(crate) plies: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) simulations: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) memory: Option<usize>,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
    /// The openings in words, for the journal: a digest of a book, or `random:2`.
    pub(crate) openings: String,
}

/// A [`Pace`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PaceWords {
    Own,
    Move(Duration),
    Game(Duration, Duration),
}

impl From<Pace> for PaceWords {
    fn from(pace: Pace) -> Self {
        match pace {
            Pace::Own => Self::Own,
            Pace::Move(time) => Self::Move(time),
            Pace::Game { base, increment } => Self::Game(base, increment),
        }
    }
}

impl From<PaceWords> for Pace {
    fn from(pace: PaceWords) -> Self {
        match pace {
            PaceWords::Own => Self::Own,
            PaceWords::Move(time) => Self::Move(time),
            PaceWords::Game(base, increment) => Self::Game { base, increment },
        }
    }
}

/// The largest number of players of an event.
const MOST_PLAYERS: usize = 64;

impl EventWords {
    /// The event of the words, as this machine plays it.
    fn played(
        self,
        registry: &Registry,
        learned: &mut LearnedShelf,
        stop: &Arc<AtomicBool>,
    ) -> Result<Played<AnyPosition>, String> {
        same_version(&self.stonework)?;
        let game = registry.game(&self.game).map_err(|fault| fault.message)?;
        let game = &learned.game(game, &self.learned)?;
        let start = Start { swap: self.swap, ..Start::of_size(self.size) };
        let position = game.start(&start).map_err(|fault| fault.message)?;
        if !(2..=MOST_PLAYERS).contains(&self.players.len()) {
            return Err(format!("{} players, not 2 to {MOST_PLAYERS}", self.players.len()));
        }
        let Self { nodes, simulations, depth, memory, threads, seed, .. } = self;
        let limits = Limits { nodes, simulations, depth, bytes: memory, ..Limits::none() };
        let limits = limits.cancel(Arc::clone(stop));
        let terms = Terms {
            pace: self.pace.into(),
            grace: self.grace,
            patience: self.patience,
            max_plies: self.plies.or(game.description().max_plies),
        };
        let (roster, config) = (game.roster().clone(), PlayerConfig { limits, threads, seed });
        let mut entrants = Vec::new();
        for text in &self.players {
            let entrant = Entrant::parse(text, game, &start).map_err(|error| error.to_string())?;
            if entrant.is_program() {
                return Err(format!("player `{text}`: a farm starts no programs"));
            }
            entrant.probe(&roster, &config, &terms).map_err(|error| error.to_string())?;
            entrants.push(entrant);
        }
        let event = Event { start: position, players: entrants.len(), terms, openings: Vec::new(), seed };
        let make = move |player: usize| entrants[player].contestant(&roster, &config);
        Ok(Played { event, make: Box::new(make) })
    }
}

/// Refuses the games of another version of the program.
pub(crate) fn same_version(asked: &str) -> Result<(), String> {
    let version = env!("CARGO_PKG_VERSION");
    if asked == version {
        return Ok(());
    }
    Err(format!("this is stonework {version}, not {asked}: games may differ"))
}

/// The work of a worker that plays the games of any event, and any self-play, whose players this program has.
pub(crate) struct GamesWork {
    events: EventWork<AnyPosition>,
    self_play: SelfPlayWork<AnyPosition>,
}

impl FarmWork for GamesWork {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        if job.kind() == SELF_PLAY { self.self_play.work(job, seat) } else { self.events.work(job, seat) }
    }
}

/// The work of a worker, which finds learned files in the queue.
pub(crate) fn games_work(registry: &Registry, queue: &Arc<dyn Queue>, stop: &Arc<AtomicBool>) -> GamesWork {
    let (known, flag) = (registry.clone(), Arc::clone(stop));
    let mut learned = LearnedShelf::new(queue);
    let make: EventMaker<AnyPosition> = Box::new(move |words: &Value| {
        let words = EventWords::deserialize(words).map_err(|error| error.to_string())?;
        words.played(&known, &mut learned, &flag)
    });
    GamesWork {
        events: EventWork::new(make).cancel(Arc::clone(stop)),
        self_play: self_play_work(registry, queue),
    }
}

/// The games of an event, for a farm.
pub(crate) struct FarmGames<'a> {
    pub(crate) farm: &'a EventFarm,
    pub(crate) words: &'a EventWords,
    pub(crate) learned: &'a [LearnedPlayer],
    pub(crate) event: &'a Event<AnyPosition>,
    pub(crate) registry: &'a Registry,
    pub(crate) disk: &'a Arc<dyn Disk>,
    /// The number of games that this process plays at a time.
    pub(crate) threads: usize,
    pub(crate) stop: &'a Arc<AtomicBool>,
}

impl FarmGames<'_> {
    /// Plays the games, and passes each to `watch`, which returns `true` when enough are played. Games of an earlier run of
    /// the same command come first, from the journal.
    pub(crate) fn run(&self, watch: &mut dyn FnMut(&GameLine) -> bool) -> Result<(), Failure> {
        GamesFarm::check_plies(self.words.plies)?;
        let timed = self.event.terms.pace != Pace::Own;
        self.farm.farm.check(timed, &self.words.players, self.words.threads)?;
        let open = self.farm.farm.open(self.registry, self.disk, self.threads, self.stop)?;
        open.put(self.learned)?;
        let speed = open.speed(&self.event.terms, &self.event.start)?;
        let words = serde_json::to_value(self.words).map_err(Failure::input)?;
        let plan = EventPlan::new(words, self.event, self.farm.chunk.into(), speed, watch);
        open.run(&mut plan.map_err(Failure::input)?, &EventCheck(self.event.clone()), &mut tell)
    }
}

/// Tells a person what is out of the ordinary.
pub(crate) fn tell(event: &CoordinatorEvent<'_>) {
    match event {
        CoordinatorEvent::StandsBy { leader } => say(format_args!("{leader} leads; standing by")),
        CoordinatorEvent::Refused { worker, why, bad } => {
            say(format_args!("{worker}: refused ({bad}): {why}"));
        }
        CoordinatorEvent::ShutOut { worker } => say(format_args!("{worker}: shut out")),
        CoordinatorEvent::Failed { worker, why } => say(format_args!("{worker}: failed: {why}")),
        CoordinatorEvent::Unable { worker, why } => say(format_args!("{worker}: {why}")),
        CoordinatorEvent::Trouble(why, _) => say(why),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use stonework_farm::MAX_ANSWER;
    use stonework_session::Session;

    use super::*;

    /// The moves of the longest game fit an answer, in every game on its largest board.
    #[test]
    fn the_line_of_the_longest_game_fits_an_answer() {
        let registry = Registry::standard();
        for game in registry.games() {
            let start = Start::of_size(game.description().sizes.1.into());
            let moves = Session::new(registry.clone(), game.name(), &start, None).unwrap().legal();
            let longest = moves.iter().map(String::len).max().unwrap();
            // Quotes and a comma stand around a move, and 2 KiB are for the rest of the answer.
            let line = (longest + 3) * MOST_PLIES as usize + 2048;
            assert!(line <= MAX_ANSWER, "{}: {line}", game.name());
        }
    }
}
