//! [`Agent`]: what plays a whole game.

use std::time::Duration;

use stonework_game::Game;

use crate::{Engine, Limits, Report};

/// What a side has left to think with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left for the rest of the game, or until more is added; `None`: no clock runs.
    pub left: Option<Duration>,
    /// Added after each move.
    pub increment: Duration,
    /// Moves that `left` must last for; `None`: the rest of the game.
    pub moves: Option<u32>,
}

impl Clock {
    /// No clock.
    pub const NONE: Self = Self { left: None, increment: Duration::ZERO, moves: None };

    /// How long to think about one move of a game that may take so many more of this side's:
    /// an even share of what is left, plus most of the increment, but never more than nine tenths of what
    /// is left. `None` without a clock.
    ///
    /// ```
    /// use std::time::Duration;
    /// use stonework_search::Clock;
    /// let clock = Clock { left: Some(Duration::from_secs(100)), ..Clock::NONE };
    /// assert_eq!(clock.share(50), Some(Duration::from_secs(2)));
    /// assert_eq!(clock.share(0), Some(Duration::from_secs(90)));
    /// ```
    #[must_use]
    pub fn share(&self, moves: u32) -> Option<Duration> {
        let left = self.left?;
        let moves = self.moves.unwrap_or(moves).max(1);
        Some((left / moves + self.increment * 9 / 10).min(left * 9 / 10))
    }
}

/// What an agent does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision<M> {
    /// Plays this move. To swap is a move, where the game has it.
    Play(M),
    /// Gives up.
    Resign,
}

/// Plays whole games: keeps what it has learned between moves, and decides by the clock.
///
/// Object-safe for a fixed game.
pub trait Agent<G: Game>: Send {
    /// Forgets the last game.
    fn new_game(&mut self);

    /// Decides what to do in a position that is not over; `None` if it is.
    fn decide(&mut self, game: &G, clock: &Clock) -> Option<Decision<G::Move>>;
}

/// An engine as an agent: fixed limits or the clock, whichever ends a search first, and a threshold
/// for giving up.
///
/// ```
/// # use stonework_game::doc::Nim;
/// use stonework_search::{Agent, Clock, Decision, Flat, Limits, Minimax, Thinker};
/// let mut agent = Thinker::new(Minimax::new(Flat), Limits::none(), 1);
/// assert_eq!(agent.decide(&Nim::new(7), &Clock::NONE), Some(Decision::Play(1)));
/// let mut agent = agent.resigning(-900_000, 1);
/// assert_eq!(agent.decide(&Nim::new(6), &Clock::NONE), Some(Decision::Resign));
/// ```
#[derive(Clone, Debug)]
pub struct Thinker<E> {
    engine: E,
    limits: Limits,
    seed: u64,
    /// Moves decided in this game.
    decided: u32,
    /// Give up at this value or below, so many times in a row.
    resign: Option<(i32, u32)>,
    hopeless: u32,
    /// How many moves of this side a game is thought to take.
    length: u32,
}

impl<E> Thinker<E> {
    /// An agent that searches each move with `limits`, from this seed and the number of the move.
    #[must_use]
    pub const fn new(engine: E, limits: Limits, seed: u64) -> Self {
        Self { engine, limits, seed, decided: 0, resign: None, hopeless: 0, length: 40 }
    }

    /// Gives up when the value has been at most `value` so many times in a row.
    #[must_use]
    pub const fn resigning(mut self, value: i32, times: u32) -> Self {
        self.resign = Some((value, times));
        self
    }

    /// How many moves of its own it expects a game to take, for sharing out the clock; 40 unless told.
    #[must_use]
    pub const fn expecting(mut self, moves: u32) -> Self {
        self.length = moves;
        self
    }

    /// The engine.
    #[must_use]
    pub const fn engine(&self) -> &E {
        &self.engine
    }

    /// Searches as [`decide`](Agent::decide) does, and hands out the report.
    pub fn think<G: Game>(&mut self, game: &G, clock: &Clock) -> Report<G::Move>
    where
        E: Engine<G>,
    {
        let mut limits = self.limits.clone();
        // Towards the end of a long game there are always some moves left to come.
        let to_come = self.length.saturating_sub(self.decided).max(self.length / 4).max(1);
        limits.time = match (limits.time, clock.share(to_come)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let seed = self.seed.wrapping_add(u64::from(self.decided));
        self.decided += 1;
        self.engine.search(game, &limits, seed, &mut |_| {})
    }
}

impl<G: Game, E: Engine<G>> Agent<G> for Thinker<E> {
    fn new_game(&mut self) {
        (self.decided, self.hopeless) = (0, 0);
    }

    /// Where a search ends without a move, plays the first legal one.
    fn decide(&mut self, game: &G, clock: &Clock) -> Option<Decision<G::Move>> {
        if game.outcome().is_some() {
            return None;
        }
        let report = self.think(game, clock);
        if let Some((value, times)) = self.resign {
            self.hopeless = if report.value <= value { self.hopeless + 1 } else { 0 };
            if self.hopeless >= times {
                return Some(Decision::Resign);
            }
        }
        let first = || {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            moves.first().copied()
        };
        report.best.or_else(first).map(Decision::Play)
    }
}
