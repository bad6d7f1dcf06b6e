//! Self-play by many machines: the plan, the check and the work of jobs that are games of an engine against itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stonework_engine::{Engine, Limits};
use stonework_farm::{
    Check, Coordinator, FarmJob, FarmJobId, FarmPlan, FarmWork, JobDecision, Unfit, WorkSeat, Worked,
    check_length,
};
use stonework_game::{Game, Textual};

use super::{MAX_WORDS, check_numbers};
use crate::self_play::{ProvenPlay, SelfPlay, SelfPlayError, SelfPlayGame, packed, unpacked};
use crate::{MAX_LINE, NotConfirmed};

/// The kind of the jobs.
pub const SELF_PLAY: &str = "self-play";
/// The version of the jobs' bodies and answers.
const VERSION: u32 = 1;
/// The largest number of games of a job.
pub const MAX_SELF_PLAY_CHUNK: usize = 256;
/// The largest number of bytes of the unpacked games of a job: 64 MiB.
pub(super) const MAX_TEXT: u64 = 64 << 20;
/// The largest number of jobs between the first one that is not decided and the last one that is given out: the games
/// between them wait in memory.
const WINDOW: usize = 1024;
/// The largest length of a game's line, with a place for the check that a log adds.
const MOST_LINE: u64 = MAX_LINE - 64;

/// The body of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SelfPlayBody {
    /// All that determines the games, but their numbers.
    words: Value,
    first: usize,
    count: usize,
}

/// The identity of a campaign.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Identity {
    kind: String,
    version: u32,
    first: usize,
    end: usize,
    chunk: usize,
    words: Value,
}

/// The plan of games of an engine against itself, in jobs of some games each. The plan counts the games; [`SelfPlayIntake`]
/// gets them from the decisions.
#[derive(Debug)]
pub struct SelfPlayPlan {
    words: Value,
    games: Range<usize>,
    chunk: usize,
    next: usize,
    /// The first game that is not decided.
    due: usize,
    /// The first games of decided jobs behind `due`.
    later: BTreeSet<usize>,
    decided: usize,
}

impl SelfPlayPlan {
    /// A plan for the games of some numbers.
    ///
    /// # Arguments
    /// * `words` – the words from which a worker makes the games, together with their numbers.
    /// * `games` – the numbers of the games. A plan that goes on from a journal needs the numbers from
    ///   [`SelfPlayPlan::begun`] on.
    /// * `chunk` – the games of a job, from 1 to [`MAX_SELF_PLAY_CHUNK`], else the nearer end.
    ///
    /// # Errors
    /// An error if the words are longer than about 31 KiB.
    pub fn new(words: Value, games: Range<usize>, chunk: usize) -> Result<Self, Unfit> {
        check_length("the words of self-play", words.to_string().len() as u64, MAX_WORDS as u64)?;
        let (chunk, first) = (chunk.clamp(1, MAX_SELF_PLAY_CHUNK), games.start);
        Ok(Self { words, games, chunk, next: first, due: first, later: BTreeSet::new(), decided: 0 })
    }

    /// The number of the first game of a campaign, by its [identity](FarmPlan::identity); `None` if the campaign is no
    /// self-play.
    #[must_use]
    pub fn begun(identity: &str) -> Option<usize> {
        let identity: Identity = serde_json::from_str(identity).ok()?;
        ((&*identity.kind, identity.version) == (SELF_PLAY, VERSION)).then_some(identity.first)
    }

    /// The number of games of the job with a first game.
    fn count(&self, first: usize) -> usize {
        self.chunk.min(self.games.end.saturating_sub(first))
    }
}

impl FarmPlan for SelfPlayPlan {
    fn identity(&self) -> String {
        let Range { start: first, end } = self.games;
        let (kind, version, chunk, words) = (SELF_PLAY.to_owned(), VERSION, self.chunk, self.words.clone());
        json!(Identity { kind, version, first, end, chunk, words }).to_string()
    }

    fn next(&mut self) -> Option<FarmJob> {
        if self.next >= self.games.end || self.next - self.due >= WINDOW * self.chunk {
            return None;
        }
        let (first, count) = (self.next, self.count(self.next));
        self.next += count;
        let body = SelfPlayBody { words: self.words.clone(), first, count };
        FarmJob::new(SELF_PLAY, VERSION, serde_json::to_vec(&body).ok()?).ok()
    }

    fn take(&mut self, job: &FarmJob, _: &[u8]) -> Vec<FarmJobId> {
        let Ok(body) = serde_json::from_slice::<SelfPlayBody>(job.body()) else { return Vec::new() };
        self.later.insert(body.first);
        self.decided += body.count;
        while self.later.remove(&self.due) {
            self.due += self.count(self.due);
        }
        Vec::new()
    }

    fn is_over(&self) -> bool {
        self.due >= self.games.end
    }

    fn progress(&self) -> Value {
        json!({ "games": self.games.start + self.decided, "of": self.games.end })
    }
}

/// The check of jobs: each game is replayed by the rules, and its number, opening and random moves compared.
#[derive(Clone, Debug)]
pub enum SelfPlayCheck<G: Game> {
    /// [Whole games](SelfPlay::confirm).
    Games(SelfPlay<G>),
    /// [Positions near proofs](ProvenPlay::confirm).
    Proven(ProvenPlay<G>),
}

impl<G: Game + Textual> SelfPlayCheck<G> {
    fn confirm(&self, game: &SelfPlayGame) -> Result<(), NotConfirmed> {
        match self {
            Self::Games(play) => play.confirm(game),
            Self::Proven(play) => play.confirm(game),
        }
    }
}

impl<G: Game + Textual> Check for SelfPlayCheck<G> {
    fn check(&self, job: &FarmJob, _: &[u8], blobs: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let body: SelfPlayBody = serde_json::from_slice(job.body()).map_err(|error| error.to_string())?;
        let [blob] = blobs else { return Err(format!("{} blobs, not one with the games", blobs.len())) };
        let games = unpacked(blob, MAX_TEXT).map_err(|error| error.to_string())?;
        check_numbers(games.iter().map(|game| game.game), body.first, body.count)?;
        check_texts(&games)?;
        for game in &games {
            self.confirm(game).map_err(|error| error.to_string())?;
        }
        // The games are in the blob.
        Ok(Vec::new())
    }
}

/// Refuses games that no file of games holds, or that are too many for one answer.
fn check_texts(games: &[SelfPlayGame]) -> Result<(), String> {
    let mut all = 0;
    for game in games {
        let length = serde_json::to_string(game).map_err(|error| error.to_string())?.len() as u64;
        check_length("the line of a game", length, MOST_LINE)
            .map_err(|unfit| format!("game {}: {unfit}", game.game))?;
        all += length + 1;
    }
    check_length("the text of the games of a job", all, MAX_TEXT).map_err(|unfit| unfit.to_string())
}

/// The games of decided jobs, passed on in the order of their numbers, each once.
///
/// Games that have come before an earlier one wait in memory, compressed. [`SelfPlayPlan`] gives out at most 1024 jobs
/// beyond the first one that is not decided.
pub struct SelfPlayIntake<'a> {
    due: usize,
    waiting: BTreeMap<usize, Vec<u8>>,
    each: &'a mut dyn FnMut(SelfPlayGame) -> Result<(), String>,
}

impl std::fmt::Debug for SelfPlayIntake<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlayIntake")
            .field("due", &self.due)
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

impl<'a> SelfPlayIntake<'a> {
    /// An intake that passes the games from the number `due` on to `each`. Earlier games are dropped.
    #[must_use]
    pub fn new(due: usize, each: &'a mut dyn FnMut(SelfPlayGame) -> Result<(), String>) -> Self {
        Self { due, waiting: BTreeMap::new(), each }
    }

    /// Takes a decision about a job of self-play; other decisions are left out.
    ///
    /// # Errors
    /// An error if the games of the decision are neither in it nor in the coordinator's directory, or the error of `each`.
    pub fn take(&mut self, decision: &JobDecision, coordinator: &Coordinator) -> Result<(), String> {
        let Ok(body) = serde_json::from_slice::<SelfPlayBody>(decision.job.body()) else { return Ok(()) };
        if body.first.saturating_add(body.count) <= self.due {
            return Ok(());
        }
        let Some(blob) = decision.blobs.first() else {
            return Err("a decision without its games".to_owned());
        };
        let inline = decision.inline.iter().find(|(digest, _)| *digest == blob.digest);
        let bytes = match inline {
            Some((_, bytes)) => bytes.clone(),
            None => coordinator.kept(&blob.digest).ok_or_else(|| {
                format!("{}: not there, or damaged", coordinator.blob(&blob.digest).display())
            })?,
        };
        self.waiting.insert(body.first, bytes);
        while let Some(entry) = self.waiting.first_entry().filter(|entry| *entry.key() <= self.due) {
            let games = unpacked(&entry.remove(), MAX_TEXT).map_err(|error| error.to_string())?;
            let due = self.due;
            for game in games.into_iter().filter(|game| game.game >= due) {
                self.due = game.game + 1;
                (self.each)(game)?;
            }
        }
        Ok(())
    }
}

/// A maker of engines for self-play, one for each game.
pub type EngineMaker<G> = Box<dyn Fn() -> Result<Box<dyn Engine<G>>, String> + Send + Sync>;

/// Self-play as a worker does it.
pub struct SelfPlayed<G: Game> {
    /// The plan of the games.
    pub play: SelfPlay<G>,
    /// The limits of each search: counts, and perhaps memory.
    pub limits: Limits,
    /// Makes an engine for a game.
    pub make: EngineMaker<G>,
    /// The prover, if the records are [positions near proofs](ProvenPlay), not whole games.
    pub prover: Option<SelfPlayProver<G>>,
}

/// The prover of a [`ProvenPlay`] as a worker does it.
pub struct SelfPlayProver<G: Game> {
    /// The number of moves after which the prover is asked first.
    pub from: u32,
    /// The limits of each question: counts, and perhaps memory.
    pub limits: Limits,
    /// Makes a prover for a game.
    pub make: EngineMaker<G>,
}

impl<G: Game> std::fmt::Debug for SelfPlayProver<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlayProver")
            .field("from", &self.from)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl<G: Game + Textual> SelfPlayed<G> {
    /// Plays the game of a number, until the flag is set.
    fn play(&self, number: usize, flag: &Arc<AtomicBool>) -> Result<SelfPlayGame, SelfPlayError> {
        let Self { play, limits, make, prover } = self;
        let limits = limits.clone().cancel(Arc::clone(flag));
        let mut engine = make().map_err(SelfPlayError::Failed)?;
        let Some(SelfPlayProver { from, limits: few, make }) = prover else {
            return play.play(number, &mut *engine, &limits);
        };
        let few = few.clone().cancel(Arc::clone(flag));
        let mut prover = make().map_err(SelfPlayError::Failed)?;
        let play = ProvenPlay { play: play.clone(), from: *from };
        play.play(number, &mut *engine, &mut *prover, [&limits, &few])
    }
}

impl<G: Game> std::fmt::Debug for SelfPlayed<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlayed")
            .field("play", &self.play)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The maker of self-play from the words of jobs. It refuses what this machine cannot play.
pub type SelfPlayMaker<G> = Box<dyn FnMut(&Value) -> Result<SelfPlayed<G>, String> + Send>;

/// The work of a worker that lets engines play against themselves, one game at a time.
pub struct SelfPlayWork<G: Game> {
    make: SelfPlayMaker<G>,
    present: Option<(Value, SelfPlayed<G>)>,
}

impl<G: Game> std::fmt::Debug for SelfPlayWork<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlayWork").field("present", &self.present).finish_non_exhaustive()
    }
}

impl<G: Game + Textual> SelfPlayWork<G> {
    /// A worker that makes the plan and the engines from the words of its jobs.
    #[must_use]
    pub fn new(make: SelfPlayMaker<G>) -> Self {
        Self { make, present: None }
    }

    /// The plan and the engines of some words.
    fn played(&mut self, words: &Value) -> Result<&SelfPlayed<G>, String> {
        let present = match self.present.take().filter(|(known, _)| known == words) {
            Some(present) => present,
            None => (words.clone(), (self.make)(words)?),
        };
        Ok(&self.present.insert(present).1)
    }
}

impl<G: Game + Textual> FarmWork for SelfPlayWork<G> {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        let body: SelfPlayBody = match job.read(SELF_PLAY, VERSION) {
            Ok(body) => body,
            Err(why) => return Worked::Unable(why),
        };
        let SelfPlayBody { words, first, count } = body;
        if count > MAX_SELF_PLAY_CHUNK || first.checked_add(count).is_none() {
            return Worked::Unable(format!(
                "{count} games from {first}: a job has at most {MAX_SELF_PLAY_CHUNK}"
            ));
        }
        let played = match self.played(&words) {
            Ok(played) => played,
            Err(why) => return Worked::Unable(why),
        };
        let flag = seat.flag();
        let mut games = Vec::with_capacity(count);
        for number in first..first + count {
            if seat.is_over() {
                return Worked::Left;
            }
            match played.play(number, &flag) {
                Ok(game) => games.push(game),
                Err(SelfPlayError::Stopped) => return Worked::Left,
                Err(error) => return Worked::Failed(error.to_string()),
            }
        }
        let nodes = games.iter().map(|game| game.moves.len() as u64).sum();
        // The check would refuse such games, and count them against the worker.
        match check_texts(&games).and_then(|()| packed(&games).map_err(|error| error.to_string())) {
            Ok(blob) => Worked::Done { answer: Vec::new(), blobs: vec![blob], nodes },
            Err(why) => Worked::Failed(why),
        }
    }
}
