//! [`Report`]: the result of a search, with its [`Value`], [`Line`]s, [`ProofNumbers`] and cost.

use std::fmt;
use std::time::Duration;

use stonework_game::{Outcome, Player};

use crate::bounds::Bounds;
use crate::limits::Stop;
use crate::proof_numbers::ProofNumbers;

/// The score of a position that is won at once. A win in n plies scores `WIN - n`; evaluators stay between
/// `-WIN / 2` and `WIN / 2`.
pub const WIN: i32 = 1_000_000;

/// The number of plies of a win or a loss whose length is not known: more than a known length has.
pub const UNKNOWN_PLIES: u32 = 100_000;

/// The least score of a proven win: `WIN` less the greatest number of plies of a win.
pub const WIN_BOUND: i32 = WIN - UNKNOWN_PLIES as i32;

/// The value of a position or of a move, for the side to move at the root.
///
/// ```
/// use stonework_engine::{UNKNOWN_PLIES, Value, WIN};
/// assert_eq!((Value::Win(5).score(), Value::from_score(5 - WIN)), (WIN - 5, Value::Loss(5)));
/// assert_eq!(Value::Mean(0.75).score(), 500);
/// assert_eq!((Value::Win(5).to_string(), Value::Heuristic(-12).to_string()), ("win in 5".into(), "-12".into()));
/// assert_eq!(Value::Loss(UNKNOWN_PLIES).to_string(), "loss");
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Value {
    /// No value was found.
    #[default]
    Unknown,
    /// An evaluator's value, in the evaluator's units.
    Heuristic(i32),
    /// The mean result of simulations: 0 if all are lost, 1 if all are won; a draw counts ½.
    Mean(f32),
    /// A proven draw.
    Draw,
    /// A proven win, with the plies to the end of the line that proves it; [`UNKNOWN_PLIES`] if their number is not known.
    Win(u32),
    /// A proven loss, with the plies to the end of the line that proves it; [`UNKNOWN_PLIES`] if their number is not known.
    Loss(u32),
}

impl Value {
    /// The value of a score: a win or a loss from [`WIN_BOUND`] on, otherwise a heuristic value.
    #[must_use]
    pub const fn from_score(score: i32) -> Self {
        match score {
            WIN_BOUND.. => Self::Win(WIN.saturating_sub(score).unsigned_abs()),
            _ if score <= -WIN_BOUND => Self::Loss(WIN.saturating_add(score).unsigned_abs()),
            _ => Self::Heuristic(score),
        }
    }

    /// The value of a decided position, for `player`, `plies` plies before the end of the game.
    #[must_use]
    pub const fn of(outcome: Outcome, player: Player, plies: u32) -> Self {
        match outcome.value_for(player) {
            1 => Self::Win(plies),
            -1 => Self::Loss(plies),
            _ => Self::Draw,
        }
    }

    /// The value as one number: `WIN - plies` for a win, `plies - WIN` for a loss, 0 for a draw and for
    /// [`Unknown`](Self::Unknown), thousandths from −1000 to 1000 for a mean, the evaluator's number for a heuristic value.
    #[must_use]
    pub fn score(self) -> i32 {
        match self {
            Self::Unknown | Self::Draw => 0,
            Self::Heuristic(score) => score,
            Self::Mean(mean) => (2000.0 * mean).round() as i32 - 1000,
            Self::Win(plies) => WIN.saturating_sub_unsigned(plies),
            Self::Loss(plies) => (-WIN).saturating_add_unsigned(plies),
        }
    }

    /// `true` if the value is a proven win.
    #[must_use]
    pub const fn is_win(self) -> bool {
        matches!(self, Self::Win(_))
    }

    /// `true` if the value is a proven loss.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::Loss(_))
    }

    /// `true` if the value is a proven win, loss or draw.
    #[must_use]
    pub const fn is_proven(self) -> bool {
        matches!(self, Self::Win(_) | Self::Loss(_) | Self::Draw)
    }

    /// The plies to the end of the game, for a win or a loss.
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            _ => None,
        }
    }

    /// The same value from the view of the opponent.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Unknown | Self::Draw => self,
            Self::Heuristic(score) => Self::Heuristic(score.saturating_neg()),
            Self::Mean(mean) => Self::Mean(1.0 - mean),
            Self::Win(plies) => Self::Loss(plies),
            Self::Loss(plies) => Self::Win(plies),
        }
    }
}

/// `win in 5`, `loss in 4`, `draw`, `unknown`; `win` and `loss` where the plies are not known; a heuristic value as a signed number, a mean
/// as a percentage.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("unknown"),
            Self::Heuristic(score) => write!(f, "{score:+}"),
            Self::Mean(mean) => write!(f, "{:.1} %", 100.0 * mean),
            Self::Draw => f.write_str("draw"),
            Self::Win(UNKNOWN_PLIES..) => f.write_str("win"),
            Self::Loss(UNKNOWN_PLIES..) => f.write_str("loss"),
            Self::Win(plies) => write!(f, "win in {plies}"),
            Self::Loss(plies) => write!(f, "loss in {plies}"),
        }
    }
}

/// A line of play from the root: one of the root's moves with the best play after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<M> {
    /// The moves in the order of play, beginning with the root's move.
    pub moves: Vec<M>,
    /// The value of the first move, for the side to move at the root.
    pub value: Value,
    /// The visits of the first move, from a Monte-Carlo search.
    pub visits: Option<u64>,
}

impl<M> Line<M> {
    /// A line without visits.
    #[must_use]
    pub const fn new(moves: Vec<M>, value: Value) -> Self {
        Self { moves, value, visits: None }
    }
}

/// The use of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HashUse {
    /// The number of look-ups.
    pub probes: u64,
    /// The number of look-ups that found the position.
    pub hits: u64,
    /// The number of entries written.
    pub stores: u64,
}

impl HashUse {
    /// The sum of two uses, such as of two threads or two searches.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            probes: self.probes + other.probes,
            hits: self.hits + other.hits,
            stores: self.stores + other.stores,
        }
    }
}

/// The result of a search: the best move, its value and line, proven bounds, and the cost.
///
/// Two searches with the same root, engine, options, seed and limit of nodes, simulations or depth, on one thread,
/// have reports that differ at most in `time`.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// The best move; `None` if the root is over, or if the limits allowed no search.
    pub best: Option<M>,
    /// The value of the root, for the side to move.
    pub value: Value,
    /// The proven bounds on the root's value, for the side to move.
    pub bounds: Bounds,
    /// The outcome with best play, if it is proven.
    pub proven: Option<Outcome>,
    /// The proof numbers of the root, from a proof-number search, for the question that was searched last. While
    /// the search runs, the numbers are those of the last return to the root.
    pub proof_numbers: Option<ProofNumbers>,
    /// The best lines in order, the principal variation first. The engine's option `lines` is the greatest number
    /// of lines; engines without the option report one line. Empty if no line is known.
    pub lines: Vec<Line<M>>,
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of simulations (walks from the root) of a Monte-Carlo search.
    pub simulations: u64,
    /// The plies of the last finished iteration.
    pub depth: u32,
    /// The use of the tables.
    pub hash: HashUse,
    /// The bytes of tables and trees at their largest.
    pub bytes: usize,
    /// The duration of the search.
    pub time: Duration,
    /// The reason for which the search ended; `None` while the search runs, and without a search.
    pub stopped: Option<Stop>,
}

impl<M> Report<M> {
    /// A report without any finding or cost.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            best: None,
            value: Value::Unknown,
            bounds: Bounds::UNKNOWN,
            proven: None,
            proof_numbers: None,
            lines: Vec::new(),
            nodes: 0,
            simulations: 0,
            depth: 0,
            hash: HashUse { probes: 0, hits: 0, stores: 0 },
            bytes: 0,
            time: Duration::ZERO,
            stopped: None,
        }
    }

    /// The report on a root that is over: no move, and a proven outcome.
    #[must_use]
    pub const fn over(outcome: Outcome, to_move: Player) -> Self {
        let mut report = Self::empty();
        report.bounds = Bounds::of(outcome, to_move);
        report.value = Value::of(outcome, to_move, 0);
        report.proven = Some(outcome);
        report.stopped = Some(Stop::Solved);
        report
    }

    /// The principal variation: the moves of the first line; empty without a line.
    #[must_use]
    pub fn line(&self) -> &[M] {
        self.lines.first().map_or(&[], |line| &line.moves)
    }
}

impl<M: Copy> Report<M> {
    /// Names a move of unknown value as the best one, in the report of a search that has found none: every side that is to move
    /// has a move. Without a move, or in a report with a best move, nothing changes.
    pub fn choose(&mut self, mv: Option<M>) {
        if let (None, Some(mv)) = (self.best, mv) {
            self.best = Some(mv);
            self.lines = vec![Line::new(vec![mv], Value::Unknown)];
        }
    }

    /// The same report with `f` applied to every move, for an engine that searches another representation of the
    /// game.
    #[must_use]
    pub fn map<N>(&self, mut f: impl FnMut(M) -> N) -> Report<N> {
        Report {
            best: self.best.map(&mut f),
            value: self.value,
            bounds: self.bounds,
            proven: self.proven,
            proof_numbers: self.proof_numbers,
            lines: self
                .lines
                .iter()
                .map(|line| Line {
                    moves: line.moves.iter().map(|&mv| f(mv)).collect(),
                    value: line.value,
                    visits: line.visits,
                })
                .collect(),
            nodes: self.nodes,
            simulations: self.simulations,
            depth: self.depth,
            hash: self.hash,
            bytes: self.bytes,
            time: self.time,
            stopped: self.stopped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_reverse() {
        for score in [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX] {
            let Value::Heuristic(reversed) = Value::Heuristic(score).reversed() else { panic!("{score}") };
            assert_eq!(i64::from(reversed), (-i64::from(score)).min(i32::MAX.into()));
        }
    }
}
