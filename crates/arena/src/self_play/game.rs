//! [`SelfPlay`]: games of an engine against itself.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rand_core::RngCore;
use serde::{Deserialize, Serialize};
use stonework_engine::{Engine, Limits, Report, SearchContext, Stop, Value};
use stonework_game::{Game, Outcome, Rng, Textual, below, rng};

use super::Branch;
use crate::{Won, seeds};

/// The most moves of a position whose visits are kept: those with the most visits.
pub const MOST_MOVES: usize = 40;

/// The plan of games of an engine against itself. The number of a game and the plan determine the game, if the limits of the
/// searches are counts and the engine uses one thread.
#[derive(Clone, Debug)]
pub struct SelfPlay<G: Game> {
    /// The position before the opening.
    pub start: G,
    /// The most random moves at the beginning. Each game has a random number of them, from 1 on.
    pub opening: u32,
    /// The chance, 0 to 1, of a random move in place of the engine's move after a search.
    pub stray: f64,
    /// The number of plies after which a game counts as a draw; `None` is no limit.
    pub max_plies: Option<u32>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// A game of an engine against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayGame {
    /// The number of the game, from 0.
    pub game: usize,
    /// The number of moves before the first search: random ones in games of [`SelfPlay`].
    pub opening: usize,
    /// All moves, in the game's notation.
    pub moves: Vec<String>,
    /// The result: of the last position by the rules, or as the engine has proven it.
    pub result: Won,
    /// `true` if the engine has proven the result before the end.
    pub proven: bool,
    /// The search before each move after the opening.
    pub searches: Vec<Searched>,
    /// Moves beside the line, of [`ProvenPlay`](super::ProvenPlay) alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
}

/// Makes the engine of a game.
pub(super) type MakeEngine<'a, G> = &'a (dyn Fn() -> Result<Box<dyn Engine<G>>, String> + Sync);

/// The search of a position of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    /// The mean result for the side to move, 0 for a loss to 1 for a win; `None` if the engine has no such value.
    pub value: Option<f32>,
    /// Moves with their visits, the most visited first, at most [`MOST_MOVES`].
    pub visits: Vec<(String, u64)>,
}

/// The reason why no more games are played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SelfPlayError {
    /// The caller set the flag.
    #[error("stopped")]
    Stopped,
    /// The engine could not be made, or a game could not be kept.
    #[error("{0}")]
    Failed(String),
    /// The engine found no move in a position that has one.
    #[error("game {game}: no move after {plies} plies; the limits of a search are too small")]
    NoMove {
        /// The number of the game.
        game: usize,
        /// The number of moves before.
        plies: usize,
    },
}

impl<G: Game + Textual> SelfPlay<G> {
    /// A plan with up to four random moves, a stray move in forty, and no limit of plies.
    #[must_use]
    pub const fn new(start: G, seed: u64) -> Self {
        Self { start, opening: 4, stray: 0.025, max_plies: None, seed }
    }

    /// Plays the game of a number. The engine should be new, and its option `lines` at least [`MOST_MOVES`]: else few moves
    /// have visits. A game ends when the engine has proven the result.
    ///
    /// # Errors
    /// An error if a search was cancelled or found no move.
    pub fn play(
        &self,
        number: usize,
        engine: &mut dyn Engine<G>,
        limits: &Limits,
    ) -> Result<SelfPlayGame, SelfPlayError> {
        let mut rng = rng(seeds::self_play(self.seed, number));
        let (mut game, mut moves) = (self.start.clone(), Vec::new());
        self.open(&mut game, &mut moves, &mut rng);
        let opening = moves.len();
        let (mut searches, mut proven) = (Vec::new(), None);
        while game.outcome().is_none() && !self.is_long(moves.len()) {
            let report = engine.search(&game, limits, SearchContext::seed(rng.next_u64()));
            if report.stopped == Some(Stop::Cancel) {
                return Err(SelfPlayError::Stopped);
            }
            if report.proven.is_some() {
                proven = report.proven;
                break;
            }
            let none = SelfPlayError::NoMove { game: number, plies: moves.len() };
            let best = report.best.ok_or(none)?;
            searches.push(Searched::of(&game, &report));
            let mv = if self.strays(&mut rng) { random(&game, &mut rng).unwrap_or(best) } else { best };
            moves.push(game.move_text(mv));
            game.play_unchecked(mv);
        }
        let result = game.outcome().or(proven).unwrap_or(Outcome::Draw).into();
        let proven = proven.is_some();
        Ok(SelfPlayGame { opening, result, proven, searches, ..SelfPlayGame::empty(number, moves) })
    }

    /// `true` if a game of so many plies has reached the limit.
    pub(super) fn is_long(&self, plies: usize) -> bool {
        self.max_plies.is_some_and(|most| plies >= most as usize)
    }

    /// Draws whether a random move takes the place of the engine's move.
    pub(super) fn strays(&self, rng: &mut Rng) -> bool {
        f64::from(rng.next_u32()) < self.stray * 4_294_967_296.0
    }

    /// Plays random moves that leave the game open.
    pub(super) fn open(&self, game: &mut G, moves: &mut Vec<String>, rng: &mut Rng) {
        if self.opening == 0 {
            return;
        }
        for _ in 0..=below(rng, self.opening as usize) {
            let Some(mv) = random(game, rng) else { return };
            let text = game.move_text(mv);
            let undo = game.play_unchecked(mv);
            if game.outcome().is_some() {
                game.undo(undo);
                return;
            }
            moves.push(text);
        }
    }

    /// Plays the games of some numbers with `threads` games at a time but at least one, each with a new engine, and passes
    /// them to `each` in the order of the numbers.
    ///
    /// # Errors
    /// An error if `stop` was set, an engine could not be made, a search found no move, or `each` failed. The games before
    /// the error were passed to `each`.
    pub fn run(
        &self,
        numbers: Range<usize>,
        make: MakeEngine<'_, G>,
        limits: &Limits,
        threads: usize,
        stop: &AtomicBool,
        each: &mut dyn FnMut(SelfPlayGame) -> Result<(), String>,
    ) -> Result<(), SelfPlayError> {
        let play = |number| self.play(number, &mut *make().map_err(SelfPlayError::Failed)?, limits);
        in_order(numbers, &play, threads, stop, each)
    }
}

/// The result of playing a game.
type Played = Result<SelfPlayGame, SelfPlayError>;

/// Plays the games of some numbers with `threads` games at a time but at least one, and passes them to `each` in the order of
/// the numbers.
///
/// # Errors
/// An error if `stop` was set, a game was not played, or `each` failed.
pub(super) fn in_order(
    numbers: Range<usize>,
    play: &(dyn Fn(usize) -> Played + Sync),
    threads: usize,
    stop: &AtomicBool,
    each: &mut dyn FnMut(SelfPlayGame) -> Result<(), String>,
) -> Result<(), SelfPlayError> {
    let next = AtomicUsize::new(numbers.start);
    let (send, games) = channel();
    let enough = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, numbers.len().max(1)) {
            let (send, next, enough) = (send.clone(), &next, &enough);
            let end = numbers.end;
            scope.spawn(move || work(play, (next, end), [stop, enough], &send));
        }
        drop(send);
        // Games that have ended before an earlier one has.
        let mut waiting = BTreeMap::new();
        let (mut due, mut failed) = (numbers.start, Ok(()));
        for (number, game) in games {
            waiting.insert(number, game);
            while failed.is_ok()
                && let Some(game) = waiting.remove(&due)
            {
                due += 1;
                failed = game.and_then(|game| each(game).map_err(SelfPlayError::Failed));
            }
            enough.store(failed.is_err(), Ordering::Relaxed);
        }
        if failed.is_ok() && due < numbers.end { Err(SelfPlayError::Stopped) } else { failed }
    })
}

fn work(
    play: &(dyn Fn(usize) -> Played + Sync),
    (next, end): (&AtomicUsize, usize),
    stops: [&AtomicBool; 2],
    send: &Sender<(usize, Played)>,
) {
    while !stops.iter().any(|stop| stop.load(Ordering::Relaxed)) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= end || send.send((number, play(number))).is_err() {
            return;
        }
    }
}

impl SelfPlayGame {
    /// A game of some moves, which so far is a draw without searches.
    pub(super) const fn empty(game: usize, moves: Vec<String>) -> Self {
        Self {
            game,
            opening: 0,
            moves,
            result: Won::Draw,
            proven: false,
            searches: Vec::new(),
            branches: Vec::new(),
        }
    }
}

/// Moves with their visits.
pub(super) type Visits<M> = Vec<(M, u64)>;

/// The moves of a report that have visits.
pub(super) fn visited<M: Copy>(report: &Report<M>) -> Visits<M> {
    let lines = report.lines.iter().filter_map(|line| Some((*line.moves.first()?, line.visits?)));
    lines.filter(|(_, visits)| *visits > 0).collect()
}

/// A random legal move; `None` without one.
pub(super) fn random<G: Game>(game: &G, rng: &mut Rng) -> Option<G::Move> {
    let moves = game.moves();
    if moves.is_empty() { None } else { moves.get(below(rng, moves.len())).copied() }
}

impl Searched {
    /// The visits and the value of a report.
    fn of<G: Game + Textual>(game: &G, report: &Report<G::Move>) -> Self {
        let value = match report.value {
            Value::Mean(mean) if mean.is_finite() => Some((mean * 1e4).round() / 1e4),
            _ => None,
        };
        Self::new(game, visited(report), value)
    }

    /// The moves with the most visits, and a value.
    pub(super) fn new<G: Game + Textual>(game: &G, mut visits: Visits<G::Move>, value: Option<f32>) -> Self {
        visits.sort_by_key(|(_, visits)| std::cmp::Reverse(*visits));
        visits.truncate(MOST_MOVES);
        let visits = visits.into_iter().map(|(mv, visits)| (game.move_text(mv), visits)).collect();
        Self { value, visits }
    }
}
