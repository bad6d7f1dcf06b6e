//! Tuning: the trait [`Tuner`], its two implementations, and [`tune`], which plays their games.

mod generations;
mod plot;
mod space;
mod spsa;

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use serde::{Deserialize, Serialize};

pub use generations::Generations;
pub use plot::plot;
pub use space::{DimensionError, DimensionFault};
pub use spsa::Spsa;

use stonework_game::{Game, Textual};

use crate::{Contestant, Event, Log, Openings, Score, Terms};

/// One dimension of the space that a tuner searches: a parameter of a player, with its range and start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dimension {
    /// The name of the parameter.
    pub name: String,
    /// The starting value.
    pub start: f64,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub most: f64,
    /// `true` if only whole numbers can be played.
    pub whole: bool,
}

impl Dimension {
    /// The nearest value that can be played.
    #[must_use]
    pub fn fit(&self, value: f64) -> f64 {
        let value = if self.whole { value.round() } else { value };
        let (least, most) =
            if self.whole { (self.least.ceil(), self.most.floor()) } else { (self.least, self.most) };
        value.min(most).max(least)
    }
}

/// The nearest values that can be played.
fn fit(space: &[Dimension], values: &[f64]) -> Vec<f64> {
    space.iter().zip(values).map(|(dimension, &value)| dimension.fit(value)).collect()
}

/// Two sets of parameters for a pair of games with colours swapped.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The values of one player, in the order of the parameters.
    pub a: Vec<f64>,
    /// The values of the other player.
    pub b: Vec<f64>,
    /// The seed of all random choices in the games.
    pub seed: u64,
}

/// A curve of [`Tuner::trace`]: its name, and a value for each round.
pub type Curve = (String, Vec<f64>);

/// A method that finds good parameters from the results of games.
///
/// A tuner works in rounds. It names the trials of a round, which may be played in any order, and learns from all
/// their scores at once. The trials depend only on the arguments of the tuner and on the scores so far. So a new
/// tuner with the same scores reaches the same state.
///
/// | method | tuner |
/// |---|---|
/// | steps along random directions, a pair of players a trial | [`Spsa`] |
/// | generations of a pool of players that play each other | [`Generations`] |
pub trait Tuner {
    /// The trials of the next round; empty after the last round.
    fn trials(&self) -> Vec<Trial>;

    /// Learns the scores of `a` in the trials of this round, each between 0 and 1, and goes on to the next round.
    ///
    /// # Panics
    /// If the number of scores is not the number of trials.
    fn learn(&mut self, scores: &[f64]);

    /// The best values so far.
    fn best(&self) -> Vec<f64>;

    /// Curves of the course of the tuning, round by round, for a [`plot`].
    fn trace(&self) -> Vec<Curve>;
}

/// A trial that was played, as a line of a log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialLine {
    /// The round, from 0.
    pub round: usize,
    /// The number of the trial in its round, from 0.
    pub trial: usize,
    /// The values of one player.
    pub a: Vec<f64>,
    /// The values of the other player.
    pub b: Vec<f64>,
    /// The seed of the games.
    pub seed: u64,
    /// The score of `a`, 0 to 1.
    pub score: f64,
}

/// The reason why tuning cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The log cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The log belongs to another tuner: a trial has other values, or a score that no pair of games has.
    #[error(
        "round {round}, trial {trial} of the log has other values than this tuner tries, or not a score from 0 to 1"
    )]
    Log {
        /// The round.
        round: usize,
        /// The trial.
        trial: usize,
    },
}

/// Lets a tuner run until it is finished or `stop` is set.
///
/// `play` plays a trial and returns the score of `a`, or `None` if it was stopped. `threads` trials, at least one,
/// are played at once. The trials of the lines `done` are not played again. Each new trial is added to the log, if
/// there is a log, and passed to `watch`.
///
/// # Errors
/// An error if the log cannot be written, or a line of `done` belongs to another tuner.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use stonework_arena::tune::{Dimension, Spsa, Tuner, score_by, tune};
/// let space = vec![Dimension { name: "x".into(), start: 0.0, least: -4.0, most: 4.0, whole: false }];
/// let mut spsa = Spsa::new(space, 200, 2, 1);
/// // Strength is highest at 2; a real caller plays games here.
/// let play = score_by(|x: &[f64]| -100.0 * (x[0] - 2.0).powi(2));
/// tune(&mut spsa, &play, None, Vec::new(), 1, &AtomicBool::new(false), &mut |_| {})?;
/// assert!((spsa.best()[0] - 2.0).abs() < 0.5);
/// # Ok::<(), stonework_arena::tune::TuneError>(())
/// ```
pub fn tune(
    tuner: &mut dyn Tuner,
    play: &(dyn Fn(&Trial) -> Option<f64> + Sync),
    mut log: Option<&mut Log>,
    done: Vec<TrialLine>,
    threads: usize,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&TrialLine),
) -> Result<(), TuneError> {
    let mut done: BTreeMap<(usize, usize), TrialLine> =
        done.into_iter().map(|line| ((line.round, line.trial), line)).collect();
    for round in 0.. {
        let trials = tuner.trials();
        if trials.is_empty() {
            break;
        }
        let mut scores = vec![None; trials.len()];
        for (trial, (score, wanted)) in scores.iter_mut().zip(&trials).enumerate() {
            let Some(line) = done.remove(&(round, trial)) else { continue };
            let same = (&line.a, &line.b, line.seed) == (&wanted.a, &wanted.b, wanted.seed);
            if !same || !(0.0..=1.0).contains(&line.score) {
                return Err(TuneError::Log { round, trial });
            }
            *score = Some(line.score);
        }
        let left: Vec<usize> = (0..trials.len()).filter(|&trial| scores[trial].is_none()).collect();
        let mut failed = Ok(());
        each(&left, threads, stop, &|&trial| play(&trials[trial]), &mut |&trial, score| {
            scores[trial] = Some(score);
            let Trial { a, b, seed } = trials[trial].clone();
            let line = TrialLine { round, trial, a, b, seed, score };
            if let Some(log) = &mut log
                && let Err(error) = log.add(&line)
            {
                stop.store(true, Ordering::Relaxed);
                failed = Err(error);
            }
            watch(&line);
        });
        failed?;
        let Some(scores) = scores.into_iter().collect::<Option<Vec<f64>>>() else { break };
        tuner.learn(&scores);
    }
    Ok(())
}

/// Runs a function on each item, on some threads, and passes the results to `take`. Items without a result are left
/// out.
fn each<T: Sync>(
    items: &[T],
    threads: usize,
    stop: &AtomicBool,
    run: &(dyn Fn(&T) -> Option<f64> + Sync),
    take: &mut dyn FnMut(&T, f64),
) {
    let next = AtomicUsize::new(0);
    let (send, results) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    if run(item).is_some_and(|score| send.send((item, score)).is_err()) {
                        return;
                    }
                }
            });
        }
        drop(send);
        for (item, score) in results {
            take(item, score);
        }
    });
}

/// A trial function for known landscapes, to test tuners and their settings without a game. The players have a
/// strength in Elo that is a function of their parameters. The result of a pair of games is drawn at random from the
/// trial's seed.
pub fn score_by(strength: impl Fn(&[f64]) -> f64 + Sync) -> impl Fn(&Trial) -> Option<f64> + Sync {
    use rand_core::{RngCore, SeedableRng};
    move |trial| {
        let expected = crate::score_of(strength(&trial.a) - strength(&trial.b));
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(trial.seed);
        let mut game = || if unit(rng.next_u64()) < expected { 0.5 } else { 0.0 };
        Some(game() + game())
    }
}

/// A trial function that plays a pair of games with colours swapped. The opening and the seeds follow from the
/// trial's seed. `make` makes a player with these values of the parameters; a side that fails loses its game. The
/// function returns `None` if `stop` is set before the end of the second game, or an opening cannot be played.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_roster::{Agent, EngineAgent};
/// use stonework_search::{Limits, Minimax};
/// use std::sync::atomic::AtomicBool;
/// use stonework_arena::tune::{Trial, score_by_games};
/// use stonework_arena::{AgentContestant, Contestant, Openings, Terms};
/// // The tuned option is the number of plies that a player looks ahead.
/// let make = |values: &[f64]| -> Box<dyn Contestant<Nim>> {
///     let limits = Limits::none().depth(values[0] as u32);
///     Box::new(AgentContestant::new(move |seed| {
///         Ok(Box::new(EngineAgent::new(Minimax::new(()), limits.clone(), seed)) as Box<dyn Agent<Nim>>)
///     }))
/// };
/// let (openings, stop) = (Openings::Random { plies: 1 }, AtomicBool::new(false));
/// let score = score_by_games(&Nim::new(9), Terms::default(), &openings, &make, &stop)(&Trial {
///     a: vec![9.0],
///     b: vec![1.0],
///     seed: 1,
/// });
/// assert!(score >= Some(0.5));
/// ```
pub fn score_by_games<G: Game + Textual>(
    start: &G,
    terms: Terms,
    openings: &Openings<G::Move>,
    make: impl Fn(&[f64]) -> Box<dyn Contestant<G>> + Sync,
    stop: &AtomicBool,
) -> impl Fn(&Trial) -> Option<f64> + Sync {
    move |trial| {
        let openings = vec![openings.one(start, trial.seed)];
        let event = Event { start: start.clone(), players: 2, terms, openings, seed: trial.seed };
        let player = |number: usize| make(if number == 0 { &trial.a } else { &trial.b });
        let mut score = Score::new(None);
        event.run(&player, &|_| false, 1, stop, &mut |line| score.add(&line)).ok()?;
        let tally = score.tally();
        (tally.games() == 2).then(|| tally.score())
    }
}

/// A number from 0 up to but not including 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}
