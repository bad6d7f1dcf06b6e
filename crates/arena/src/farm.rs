//! Games by many machines: the plan, the check and the work of a farm whose jobs are chunks of games.
//!
//! | games | plan | check | work |
//! |---|---|---|---|
//! | of an [`Event`] | [`EventPlan`] | [`EventCheck`] | [`EventWork`] |
//! | of a [`Tuner`](crate::tune::Tuner) | [`TrialPlan`] | [`TrialCheck`] | [`EventWork`] |
//! | of an engine against itself, with its searches | [`SelfPlayPlan`], [`SelfPlayIntake`] | [`SelfPlayCheck`] | [`SelfPlayWork`] |
//!
//! [`RepeatCheck`] adds to each of these checks that a sample of the jobs is played again.

mod repeat;
mod self_play;
mod trials;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stonework_farm::{
    Check, FarmJob, FarmJobId, FarmPlan, FarmWork, MAX_ANSWER, MAX_JOB, Unfit, WorkSeat, Worked, check_length,
};
use stonework_game::{Game, Textual};

pub use self::repeat::RepeatCheck;
pub use self::self_play::{
    EngineMaker, MAX_SELF_PLAY_CHUNK, SELF_PLAY, SelfPlayCheck, SelfPlayIntake, SelfPlayMaker, SelfPlayPlan,
    SelfPlayProver, SelfPlayWork, SelfPlayed,
};
pub use self::trials::{TrialCheck, TrialPlan, Tuning};
use crate::event::EventPart;
use crate::{Contestant, Event, GameLine, Games, Pace};

/// The kind of the jobs.
pub const KIND: &str = "games";
/// The version of the jobs' bodies and answers.
const VERSION: u32 = 3;
/// The largest number of games of a job. Games whose lines do not fit an answer go into another job.
pub const MAX_CHUNK: usize = 16;
/// The time for which a machine is measured.
const MEASURED: Duration = Duration::from_millis(200);
/// A machine beyond this factor of the reference gets no game with a limit of time.
const MOST_SCALE: f64 = 8.0;

/// The body of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ChunkBody {
    /// The event in words that determine its games.
    event: Value,
    first: usize,
    count: usize,
    /// The first round of the chunk, and the openings of its rounds.
    round: usize,
    openings: Vec<Vec<String>>,
    /// The speed that times are meant for, in plies of random games a second; `None` if all limits are counts.
    speed: Option<f64>,
    /// The seed of a trial of a tuner, for the check; the worker has it among the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

/// The identity of a campaign.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Identity {
    kind: String,
    version: u32,
    /// The speed that times are meant for, as in the jobs.
    speed: Option<f64>,
    /// The games in words that no other campaign has.
    of: Value,
}

impl Identity {
    fn text(of: Value, speed: Option<f64>) -> String {
        json!(Self { kind: KIND.to_owned(), version: VERSION, speed, of }).to_string()
    }
}

/// The speed that the times of a campaign are meant for, by its [identity](FarmPlan::identity); `None` if its limits are
/// counts, or if it has no games of an event or of a tuner.
///
/// A plan that goes on needs this speed: the jobs of another speed are other jobs.
#[must_use]
pub fn begun_speed(identity: &str) -> Option<f64> {
    let identity: Identity = serde_json::from_str(identity).ok()?;
    if (&*identity.kind, identity.version) == (KIND, VERSION) { identity.speed } else { None }
}

/// The body of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ChunkAnswer {
    /// The speed of the machine, in plies of random games a second; 0 if it was not measured.
    speed: f64,
    games: Vec<GameLine>,
}

/// The speed of this machine and thread: plies of random games a second, measured for a fifth of a second.
///
/// The speed steers the scale of times: a machine with half the speed gets twice the time for a move. A game that is longer than the
/// measurement is left unfinished.
pub fn machine_speed<G: Game>(start: &G) -> f64 {
    let (since, mut plies, mut seed) = (Instant::now(), 0_u64, 1_u64);
    while since.elapsed() < MEASURED {
        let mut game = start.clone();
        while game.outcome().is_none() && since.elapsed() < MEASURED {
            let moves = game.moves();
            // A multiplier of Knuth's; any spread over the moves will do.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(&mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else { break };
            if game.play(mv).is_err() {
                break;
            }
            plies += 1;
        }
        plies += 1;
    }
    plies as f64 / since.elapsed().as_secs_f64()
}

/// The plan of a match or a tournament: its games in chunks, until all are played or a watcher has enough.
pub struct EventPlan<'a, G: Game> {
    words: Value,
    event: &'a Event<G>,
    chunk: usize,
    speed: Option<f64>,
    next: usize,
    /// The first game and the number of games of jobs for the games that did not fit an answer.
    rest: Vec<(usize, usize)>,
    /// The games so far.
    played: Games,
    is_enough: bool,
    watch: &'a mut dyn FnMut(&GameLine) -> bool,
}

impl<G: Game> std::fmt::Debug for EventPlan<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventPlan")
            .field("words", &self.words)
            .field("played", &self.played.len())
            .finish_non_exhaustive()
    }
}

/// The largest number of bytes of the words of an event, and of the openings of one chunk.
const MAX_WORDS: usize = MAX_JOB / 2 - 1024;

impl<'a, G: Game + Textual> EventPlan<'a, G> {
    /// A plan for all games of an event.
    ///
    /// # Arguments
    /// * `words` – the words from which a worker makes the event: game, players, terms and seed. The openings go with each
    ///   chunk.
    /// * `chunk` – the games of a job, from 1 to [`MAX_CHUNK`], else the nearer end.
    /// * `speed` – with limits of time, the [speed](machine_speed) of the machine that they are meant for; `None` if all
    ///   limits are counts, so that the games are the same on every machine. A plan that goes on from a journal needs the
    ///   speed of [`begun_speed`].
    /// * `watch` – gets each game, and returns `true` when enough games are played, as a sequential test does. The jobs do not
    ///   depend on it: another watcher goes on from the same journal.
    ///
    /// # Errors
    /// An error if the words, or the openings of a chunk, are longer than about 31 KiB.
    pub fn new(
        words: Value,
        event: &'a Event<G>,
        chunk: usize,
        speed: Option<f64>,
        watch: &'a mut dyn FnMut(&GameLine) -> bool,
    ) -> Result<Self, Unfit> {
        let chunk = chunk.clamp(1, MAX_CHUNK);
        check_length("the words of an event", words.to_string().len() as u64, MAX_WORDS as u64)?;
        let (next, rest, played, is_enough) = (0, Vec::new(), Games::default(), false);
        let plan = Self { words, event, chunk, speed, next, rest, played, is_enough, watch };
        let texts = event.openings.iter().map(|opening| json!(texts(&event.start, opening)));
        let longest = texts.map(|texts| texts.to_string().len() + 1).max().unwrap_or(0);
        check_length("the openings of a chunk", (longest * (chunk / 2 + 1)) as u64, MAX_WORDS as u64)?;
        Ok(plan)
    }

    /// The games so far.
    #[must_use]
    pub const fn games(&self) -> &Games {
        &self.played
    }
}

/// An opening as texts.
fn texts<G: Game + Textual>(start: &G, opening: &[G::Move]) -> Vec<String> {
    let mut position = start.clone();
    let text = |&mv: &G::Move| {
        let text = position.move_text(mv);
        let _ = position.play(mv);
        text
    };
    opening.iter().map(text).collect()
}

impl<G: Game + Textual> FarmPlan for EventPlan<'_, G> {
    fn identity(&self) -> String {
        let Self { words, chunk, speed, .. } = self;
        Identity::text(json!({ "games": self.event.games(), "chunk": chunk, "words": words }), *speed)
    }

    fn next(&mut self) -> Option<FarmJob> {
        // The jobs do not depend on the watcher: a journal is gone on with by another test, too.
        let (first, count) = self.rest.pop().unwrap_or_else(|| {
            let first = self.next;
            let count = self.chunk.min(self.event.games().saturating_sub(first));
            self.next += count;
            (first, count)
        });
        if count == 0 {
            return None;
        }
        let rounds = [first, first + count - 1].map(|game| self.event.fixture(game).round);
        let openings = self.event.openings.get(rounds[0]..=rounds[1]).unwrap_or_default();
        let body = ChunkBody {
            event: self.words.clone(),
            first,
            count,
            round: rounds[0],
            openings: openings.iter().map(|opening| texts(&self.event.start, opening)).collect(),
            speed: self.speed,
            seed: None,
        };
        FarmJob::new(KIND, VERSION, serde_json::to_vec(&body).ok()?).ok()
    }

    fn take(&mut self, job: &FarmJob, answer: &[u8]) -> Vec<FarmJobId> {
        let Ok(answer) = serde_json::from_slice::<ChunkAnswer>(answer) else { return Vec::new() };
        if let Ok(ChunkBody { first, count, .. }) = serde_json::from_slice(job.body())
            && (1..count).contains(&answer.games.len())
        {
            self.rest.push((first + answer.games.len(), count - answer.games.len()));
        }
        for line in answer.games {
            if !self.is_enough && !self.played.has(line.game) {
                self.is_enough = (self.watch)(&line);
                self.played.add(line);
            }
        }
        Vec::new()
    }

    fn is_over(&self) -> bool {
        self.is_enough || self.played.len() >= self.event.games()
    }

    fn progress(&self) -> Value {
        json!({ "games": self.played.len(), "of": self.event.games() })
    }
}

/// The check of chunks: each game is [replayed by the rules](Event::confirm), and its number, seeds and opening compared. An
/// answer may have the first games of its job alone.
#[derive(Clone, Debug)]
pub struct EventCheck<G: Game>(pub Event<G>);

impl<G: Game + Textual> Check for EventCheck<G> {
    fn check(&self, job: &FarmJob, answer: &[u8], _: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let body: ChunkBody = serde_json::from_slice(job.body()).map_err(|error| error.to_string())?;
        confirmed(&self.0, &body, answer, 1)
    }
}

/// Refuses games whose numbers are not those of a job, in order.
fn check_numbers(numbers: impl Iterator<Item = usize>, first: usize, count: usize) -> Result<(), String> {
    let numbers: Vec<usize> = numbers.collect();
    if numbers.iter().copied().eq(first..first.saturating_add(count)) {
        return Ok(());
    }
    Err(format!("the games {numbers:?}, not {count} from {first}"))
}

/// An answer whose games are those of a job, in order: the first `least` ones or more.
fn confirmed<G: Game + Textual>(
    event: &Event<G>,
    body: &ChunkBody,
    answer: &[u8],
    least: usize,
) -> Result<Vec<u8>, String> {
    let mut answer: ChunkAnswer = serde_json::from_slice(answer).map_err(|error| error.to_string())?;
    answer.games.sort_by_key(|line| line.game);
    let count = answer.games.len().clamp(least.min(body.count), body.count);
    check_numbers(answer.games.iter().map(|line| line.game), body.first, count)?;
    answer.games.iter().try_for_each(|line| event.confirm(line)).map_err(|error| error.to_string())?;
    serde_json::to_vec(&answer).map_err(|error| error.to_string())
}

/// The answer with the games of a job, or the first of them, as many as fit a report. A trial needs all its games.
fn answered(body: &ChunkBody, speed: f64, mut games: Vec<GameLine>) -> Result<Vec<u8>, String> {
    games.sort_by_key(|line| line.game);
    let mut answer = ChunkAnswer { speed, games };
    loop {
        let bytes = serde_json::to_vec(&answer).map_err(|error| error.to_string())?;
        let games = answer.games.len();
        let fits = check_length("the text of the games of an answer", bytes.len() as u64, MAX_ANSWER as u64);
        match fits {
            Ok(()) => return Ok(bytes),
            Err(unfit) if games == 1 || body.seed.is_some() => {
                return Err(format!(
                    "{games} games from {}: {unfit}; let games have fewer plies",
                    body.first
                ));
            }
            Err(_) => drop(answer.games.pop()),
        }
    }
}

/// An event as a worker plays it: the event, and a maker of its players by number.
pub struct Played<G: Game> {
    /// The event, without its openings: they come with each chunk.
    pub event: Event<G>,
    /// Makes a player.
    pub make: Box<dyn Fn(usize) -> Box<dyn Contestant<G>> + Send + Sync>,
}

impl<G: Game> std::fmt::Debug for Played<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Played").field("games", &self.event.players).finish_non_exhaustive()
    }
}

/// The maker of events from the words of jobs. It refuses what this machine cannot play, such as programs.
pub type EventMaker<G> = Box<dyn FnMut(&Value) -> Result<Played<G>, String> + Send>;

/// The work of a worker that plays games, one at a time.
pub struct EventWork<G: Game> {
    make: EventMaker<G>,
    present: Option<(Value, Played<G>)>,
    cancel: Arc<AtomicBool>,
}

impl<G: Game> std::fmt::Debug for EventWork<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventWork").field("present", &self.present).finish_non_exhaustive()
    }
}

impl<G: Game + Textual> EventWork<G> {
    /// A worker that makes each event from the words of its jobs.
    #[must_use]
    pub fn new(make: EventMaker<G>) -> Self {
        Self { make, present: None, cancel: Arc::default() }
    }

    /// Sets the flag that cuts the players' searches short: once it is set, games do not count.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = flag;
        self
    }

    /// The event of some words, with its times for this machine; the speed of the machine.
    fn event(&mut self, body: &ChunkBody) -> Result<f64, String> {
        if self.present.as_ref().is_none_or(|(words, _)| *words != body.event) {
            self.present = Some((body.event.clone(), (self.make)(&body.event)?));
        }
        let Some((_, played)) = &mut self.present else { return Err("no event".to_owned()) };
        open(&mut played.event, body)?;
        let Some(reference) = body.speed else {
            return match played.event.terms.pace {
                Pace::Own => Ok(0.0),
                _ => Err("times without the speed of the machine that they are meant for".to_owned()),
            };
        };
        let start = &played.event.start;
        // A machine may get slower while it works, for another program has begun.
        let speed = machine_speed(start);
        let scale = reference / speed.max(f64::MIN_POSITIVE);
        if !(1.0 / MOST_SCALE..=MOST_SCALE).contains(&scale) {
            return Err(format!(
                "this machine plays {speed:.0} plies a second, and times are meant for {reference:.0}"
            ));
        }
        let fresh = (self.make)(&body.event)?;
        played.event.terms.pace = scaled(fresh.event.terms.pace, scale);
        Ok(speed)
    }
}

/// Gives an event the openings of a chunk alone: the first one is of the chunk's first round.
fn open<G: Game + Textual>(event: &mut Event<G>, body: &ChunkBody) -> Result<(), String> {
    event.openings.clear();
    for texts in &body.openings {
        let (mut position, mut opening) = (event.start.clone(), Vec::new());
        for text in texts {
            let mv = position.parse_move(text).map_err(|error| error.to_string())?;
            position.play(mv).map_err(|error| format!("opening move {text}: {error}"))?;
            opening.push(mv);
        }
        event.openings.push(opening);
    }
    Ok(())
}

/// Times multiplied by a scale, or the longest time where that is longer.
fn scaled(pace: Pace, scale: f64) -> Pace {
    let times =
        |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() * scale).unwrap_or(Duration::MAX);
    match pace {
        Pace::Own => Pace::Own,
        Pace::Move(time) => Pace::Move(times(time)),
        Pace::Game { base, increment } => Pace::Game { base: times(base), increment: times(increment) },
    }
}

impl<G: Game + Textual + Send + Sync> FarmWork for EventWork<G>
where
    G::Move: Send + Sync,
{
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        let body: ChunkBody = match job.read(KIND, VERSION) {
            Ok(body) => body,
            Err(why) => return Worked::Unable(why),
        };
        let &ChunkBody { first, count, .. } = &body;
        let Some(end) = first.checked_add(count).filter(|_| count <= MAX_CHUNK) else {
            return Worked::Unable(format!("{count} games from {first}: a job has at most {MAX_CHUNK}"));
        };
        let speed = match self.event(&body) {
            Ok(speed) => speed,
            Err(why) => return Worked::Unable(why),
        };
        let Some((_, played)) = &self.present else { return Worked::Unable("no event".to_owned()) };
        let numbers: Vec<usize> = (first..end).collect();
        let is_open = |&game: &usize| {
            let place = played.event.fixture(game).round.checked_sub(body.round);
            place.is_some_and(|place| place < body.openings.len())
        };
        if let Some(game) = numbers.iter().find(|game| !is_open(game)) {
            return Worked::Unable(format!("a job without the opening of its game {game}"));
        }
        let part = EventPart { event: &played.event, games: &numbers, before: body.round };
        let games = Mutex::new(Vec::new());
        let run = part.run(&*played.make, 1, &seat.flag(), &mut |line| {
            games.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(line);
        });
        let games = games.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let is_cut = self.cancel.load(Ordering::Relaxed);
        if is_cut || seat.is_over() && games.len() < count {
            return Worked::Left;
        }
        if let Err(error) = run {
            return Worked::Failed(error.to_string());
        }
        let plies = games.iter().map(|line| line.moves.len() as u64).sum();
        match answered(&body, speed, games) {
            Ok(answer) => Worked::Done { answer, blobs: Vec::new(), nodes: plies },
            Err(why) => Worked::Failed(why),
        }
    }
}
