//! [`Report`]: what a search has found, and [`Bounds`] on exact values.

use std::time::Duration;

use stonework_game::{Outcome, Player};

use crate::Stop;

/// The value of a won position: a win in n plies is worth `WIN - n`, and evaluators stay between
/// `-WIN / 2` and `WIN / 2`.
pub const WIN: i32 = 1_000_000;

/// From this value on a position is won, by as many plies as are missing to [`WIN`].
pub const SURE: i32 = WIN - 100_000;

/// What is known of a position's exact value: at least and at most so much for one side, −1 a loss, 0
/// a draw, 1 a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The side gets at least this.
    pub least: i8,
    /// The side gets at most this.
    pub most: i8,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { least: -1, most: 1 };

    /// This value and no other.
    #[must_use]
    pub const fn exact(value: i8) -> Self {
        Self { least: value, most: value }
    }

    /// The value of an outcome for a side.
    #[must_use]
    pub const fn of(outcome: Outcome, player: Player) -> Self {
        Self::exact(outcome.value_for(player) as i8)
    }

    /// The value, if it is known.
    #[must_use]
    pub const fn value(self) -> Option<i8> {
        if self.least == self.most { Some(self.least) } else { None }
    }

    /// The same for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { least: -self.most, most: -self.least }
    }

    /// The outcome that this stands for, if it is exact, of a side's value.
    #[must_use]
    pub const fn outcome(self, player: Player) -> Option<Outcome> {
        match self.value() {
            Some(1) => Some(Outcome::Win(player)),
            Some(-1) => Some(Outcome::Win(player.other())),
            Some(_) => Some(Outcome::Draw),
            None => None,
        }
    }
}

/// One of the best moves with what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// The moves, the best one first.
    pub moves: Vec<M>,
    /// Its value for the side to move at the root, as [`Report::value`].
    pub value: i32,
}

/// How a table was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HashUse {
    /// Look-ups.
    pub probes: u64,
    /// Look-ups that found the position.
    pub hits: u64,
    /// Entries written.
    pub stores: u64,
}

impl HashUse {
    /// Of two threads, or of two searches.
    pub(crate) const fn plus(self, more: Self) -> Self {
        Self {
            probes: self.probes + more.probes,
            hits: self.hits + more.hits,
            stores: self.stores + more.stores,
        }
    }
}

/// What a search has found.
///
/// Two searches with the same root, engine, options, seed and limit of nodes, simulations or depth, on
/// one thread, have equal reports but for `time`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// The best move; `None` if the root is over, or if nothing could be searched.
    pub best: Option<M>,
    /// For the side to move at the root: in the units of the evaluator, or thousandths of a mean
    /// result for Monte-Carlo searches; `±(WIN − plies)` for a win or loss that is proven.
    pub value: i32,
    /// What is proven of the root's value for the side to move.
    pub bounds: Bounds,
    /// The exact outcome, if it is proven.
    pub proof: Option<Outcome>,
    /// From a proof-number search, the proof and the disproof number of the question that was asked last: how many open
    /// positions must at least be decided for a yes, and for a no. While the search runs, as when its line last began anew at
    /// the root. 0 is an answer; 2²⁴ − 1 stands for what cannot be, and for all that is larger.
    pub numbers: Option<(u32, u32)>,
    /// The principal variation, the best move first.
    pub line: Vec<M>,
    /// The best moves in order, if more than one was asked for.
    pub lines: Vec<Line<M>>,
    /// Visits of each of these lines' first moves, from a Monte-Carlo search.
    pub visits: Vec<u64>,
    /// Positions visited.
    pub nodes: u64,
    /// Walks from the root of a Monte-Carlo search.
    pub simulations: u64,
    /// Plies of the last finished iteration.
    pub depth: u32,
    /// How the tables were used.
    pub hash: HashUse,
    /// Bytes that tables and trees took at the most.
    pub bytes: usize,
    /// How long it took.
    pub time: Duration,
    /// What ended the search.
    pub stopped: Stop,
}

impl<M> Report<M> {
    /// A report that knows nothing yet.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            best: None,
            value: 0,
            bounds: Bounds::UNKNOWN,
            proof: None,
            numbers: None,
            line: Vec::new(),
            lines: Vec::new(),
            visits: Vec::new(),
            nodes: 0,
            simulations: 0,
            depth: 0,
            hash: HashUse { probes: 0, hits: 0, stores: 0 },
            bytes: 0,
            time: Duration::ZERO,
            stopped: Stop::Solved,
        }
    }

    /// The report about a root that is over: no move, its outcome proven.
    #[must_use]
    pub const fn over(outcome: Outcome, to_move: Player) -> Self {
        let mut report = Self::empty();
        report.bounds = Bounds::of(outcome, to_move);
        report.value = report.bounds.least as i32 * WIN;
        report.proof = Some(outcome);
        report
    }
}
