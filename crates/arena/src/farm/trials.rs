//! Tuning by many machines: the trials of a [`Tuner`] as jobs, each a pair of games.

use std::collections::HashMap;

use serde_json::{Value, json};
use stonework_farm::{Check, FarmJob, FarmJobId, FarmPlan, Unfit, check_length};
use stonework_game::{Game, Textual};

use super::{ChunkAnswer, ChunkBody, Identity, KIND, MAX_WORDS, VERSION, confirmed, open, texts};
use crate::tune::{Trial, TrialLine, Tuner};
use crate::{Event, Openings, Score, Terms};

/// The games of a trial.
const PAIR: usize = 2;

/// The event of a trial, but the times of its players.
fn pair<G: Game>(start: &G, terms: Terms, seed: u64) -> Event<G> {
    Event { start: start.clone(), players: 2, terms, openings: Vec::new(), seed }
}

/// A tuning, as its coordinator sees it.
pub struct Tuning<'a, G: Game> {
    /// The tuning in words that no other tuning has: the player, the tuner and its arguments, and the terms.
    pub name: Value,
    /// The words from which a worker makes the [event](super::EventMaker) of a trial: the players with their values, the
    /// terms and the seed of the trial.
    pub words: &'a dyn Fn(&Trial) -> Value,
    /// The position before the opening.
    pub start: &'a G,
    /// The openings.
    pub openings: &'a Openings<G::Move>,
    /// With limits of time, the [speed](super::machine_speed) of the machine that they are meant for; `None` if all limits are
    /// counts. A plan that goes on from a journal needs the speed of [`begun_speed`](super::begun_speed).
    pub speed: Option<f64>,
    /// The largest number of trials of all rounds, for [`FarmPlan::progress`].
    pub trials: usize,
}

impl<G: Game> std::fmt::Debug for Tuning<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tuning").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The plan of a tuning: the trials of a round as jobs, which an [`EventWork`](super::EventWork) plays; then the next round.
/// The opening and the seeds of a trial are those of [`score_by_games`](crate::tune::score_by_games).
pub struct TrialPlan<'a, G: Game> {
    tuning: Tuning<'a, G>,
    tuner: &'a mut dyn Tuner,
    round: usize,
    trials: Vec<Trial>,
    /// The number of the first trial of the round that is not given out.
    next: usize,
    given: HashMap<FarmJobId, usize>,
    scores: Vec<Option<f64>>,
    played: usize,
    watch: &'a mut dyn FnMut(&TrialLine),
}

impl<G: Game> std::fmt::Debug for TrialPlan<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrialPlan")
            .field("tuning", &self.tuning)
            .field("round", &self.round)
            .field("played", &self.played)
            .finish_non_exhaustive()
    }
}

impl<'a, G: Game + Textual> TrialPlan<'a, G> {
    /// A plan for all rounds of a tuner in its first state. `watch` gets each trial, in the order in which the trials were
    /// decided.
    ///
    /// # Errors
    /// An error if the name, or the body of the first job, is longer than about 31 KiB.
    pub fn new(
        tuning: Tuning<'a, G>,
        tuner: &'a mut dyn Tuner,
        watch: &'a mut dyn FnMut(&TrialLine),
    ) -> Result<Self, Unfit> {
        check_length("the words of a tuning", tuning.name.to_string().len() as u64, MAX_WORDS as u64)?;
        let trials = tuner.trials();
        let (scores, given) = (vec![None; trials.len()], HashMap::new());
        let (round, next, played) = (0, 0, 0);
        let plan = Self { tuning, tuner, round, trials, next, given, scores, played, watch };
        let first = plan.trials.first().and_then(|trial| plan.body(trial)).unwrap_or_default();
        check_length("the body of a trial", first.len() as u64, MAX_WORDS as u64)?;
        Ok(plan)
    }

    /// The body of the job of a trial.
    fn body(&self, trial: &Trial) -> Option<Vec<u8>> {
        let Tuning { words, start, openings, speed, .. } = self.tuning;
        let body = ChunkBody {
            event: words(trial),
            first: 0,
            count: PAIR,
            round: 0,
            openings: vec![texts(start, &openings.one(start, trial.seed))],
            speed,
            seed: Some(trial.seed),
        };
        serde_json::to_vec(&body).ok()
    }

    /// Lets the tuner learn from a full round, and goes on to the next one.
    fn learn(&mut self) {
        let Some(scores) = self.scores.iter().copied().collect::<Option<Vec<f64>>>() else { return };
        self.tuner.learn(&scores);
        self.trials = self.tuner.trials();
        self.scores = vec![None; self.trials.len()];
        self.given.clear();
        (self.round, self.next) = (self.round + 1, 0);
    }
}

impl<G: Game + Textual> FarmPlan for TrialPlan<'_, G> {
    fn identity(&self) -> String {
        Identity::text(json!({ "trials": self.tuning.name }), self.tuning.speed)
    }

    fn next(&mut self) -> Option<FarmJob> {
        let body = self.body(self.trials.get(self.next)?)?;
        let job = FarmJob::new(KIND, VERSION, body).ok()?;
        self.given.insert(job.id(), self.next);
        self.next += 1;
        Some(job)
    }

    fn take(&mut self, job: &FarmJob, answer: &[u8]) -> Vec<FarmJobId> {
        let Ok(answer) = serde_json::from_slice::<ChunkAnswer>(answer) else { return Vec::new() };
        let Some(trial) = self.given.remove(&job.id()) else { return Vec::new() };
        let mut score = Score::new(None);
        answer.games.iter().for_each(|line| score.add(line));
        let score = score.tally().score();
        let Trial { a, b, seed } = self.trials[trial].clone();
        self.scores[trial] = Some(score);
        self.played += 1;
        (self.watch)(&TrialLine { round: self.round, trial, a, b, seed, score });
        self.learn();
        Vec::new()
    }

    fn is_over(&self) -> bool {
        self.trials.is_empty()
    }

    fn progress(&self) -> Value {
        json!({ "games": PAIR * self.played, "of": PAIR * self.tuning.trials })
    }
}

/// The check of trials: both games are [replayed by the rules](Event::confirm), and their seeds and opening compared.
#[derive(Clone, Debug)]
pub struct TrialCheck<G: Game> {
    /// The position before the opening.
    pub start: G,
    /// The terms of every game.
    pub terms: Terms,
}

impl<G: Game + Textual> Check for TrialCheck<G> {
    fn check(&self, job: &FarmJob, answer: &[u8], _: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let body: ChunkBody = serde_json::from_slice(job.body()).map_err(|error| error.to_string())?;
        let Some(seed) = body.seed else { return Err("a job without the seed of its trial".to_owned()) };
        let mut event = pair(&self.start, self.terms, seed);
        open(&mut event, &body)?;
        confirmed(&event, &body, answer, PAIR)
    }
}
