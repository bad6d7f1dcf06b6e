//! [`Explorer`]: a walk through a proof, with the solver for positions that the proof does not have.

use stonework_board::Cell;
use stonework_game::{Game, Outcome, Player};
use stonework_havannah::{Move, Position};
use stonework_proof::{BookEntry, value_of};
use stonework_search::{Engine, Limits, Report, SearchContext};

use crate::{HavannahBook, HavannahWalk, Solver, Unfit};

/// The solver's nodes for one position to size 4, if the caller limits neither nodes nor time: some seconds.
const NODES: u64 = 1_000_000;

/// The same on a board of any size. A node takes about the time that the square of the number of cells tells.
fn nodes_of(size: u8) -> u64 {
    let cells = |size: u8| 3 * u64::from(size) * (u64::from(size) - 1) + 1;
    let (cells, small) = (cells(size), cells(4));
    if cells <= small { NODES } else { NODES * small * small / (cells * cells) }
}

/// The source of a [`KnownValue`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueSource {
    /// A record of the proof.
    Proof,
    /// The rules: a finished game or an immediate win, which a proof does not write out.
    Rules,
    /// A search of the solver.
    Solver,
    /// No source: the value is unknown.
    Unknown,
}

impl ValueSource {
    /// The name: `proof`, `rules`, `solver` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proof => "proof",
            Self::Rules => "rules",
            Self::Solver => "solver",
            Self::Unknown => "unknown",
        }
    }
}

/// The value of a position from a proof or from the solver, if one of them has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownValue {
    /// The outcome with best play.
    pub value: Option<Outcome>,
    /// An upper bound on the plies to the end of a won game.
    pub plies: Option<u32>,
    /// The moves of the side to move that reach the value, or the moves that the proof answers.
    pub answer: Vec<Cell>,
    /// The source of the value.
    pub source: ValueSource,
}

impl KnownValue {
    /// The value by the entries of a proof; `None` if they fix no value.
    #[must_use]
    pub fn from_proof(entries: &[BookEntry<Cell>]) -> Option<Self> {
        let value = value_of(entries)?;
        let main = entries.iter().find(|entry| !entry.why.moves().is_empty()).or_else(|| entries.first())?;
        let source = if main.by_rules { ValueSource::Rules } else { ValueSource::Proof };
        let plies = entries.iter().map(|entry| entry.plies).max().filter(|_| value != Outcome::Draw);
        Some(Self { value: Some(value), plies, answer: main.why.moves().to_vec(), source })
    }

    /// The value by a report of the solver.
    #[must_use]
    pub fn from_report(report: &Report<Move>) -> Self {
        let answer = report.best.filter(|_| report.proven.is_some()).and_then(cell);
        let source = if report.proven.is_some() { ValueSource::Solver } else { ValueSource::Unknown };
        Self { value: report.proven, plies: None, answer: answer.into_iter().collect(), source }
    }
}

const fn cell(mv: Move) -> Option<Cell> {
    match mv {
        Move::Place(cell) => Some(cell),
        Move::Swap => None,
    }
}

/// A walk through a proof of Havannah, with the solver for positions that the proof does not have.
///
/// ```
/// use stonework_game::{Game, Outcome, Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_solver::{Explorer, Solver, ValueSource, read_book};
/// use stonework_proof::Claim;
/// use stonework_search::Limits;
/// let mut root = Position::new(2)?;
/// root.play(root.parse_move("a1")?)?;
/// let (mut file, win) = (Vec::new(), Outcome::Win(Player::First));
/// Solver::default().prove(&root, Claim::of(win), &Limits::none(), &mut file)?;
/// let book = read_book(&file[..], 1 << 20)?;
/// let mut explorer = Explorer::new(&book, root, Limits::none(), 0)?;
/// for (_, known) in explorer.values() {
///     assert_eq!(known.value, Some(win));
///     assert_ne!(known.source, ValueSource::Unknown);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Explorer<'a> {
    walk: HavannahWalk<'a>,
    start: Position,
    solver: Solver,
    limits: Limits,
    seed: u64,
}

impl<'a> Explorer<'a> {
    /// A walk from `start`. Each search of the solver has `limits`. If they limit neither nodes nor time, a search has 1 000 000 nodes to
    /// size 4, and fewer on larger boards, on which a node takes longer: 18 640 at size 10. `seed` is for the solver's random numbers.
    ///
    /// # Errors
    /// The errors of [`HavannahBook::walk`].
    pub fn new(book: &'a HavannahBook, start: Position, limits: Limits, seed: u64) -> Result<Self, Unfit> {
        let walk = book.walk(&start)?;
        let limited = limits.nodes.is_some() || limits.time.is_some();
        let limits = if limited { limits } else { limits.nodes(nodes_of(start.size())) };
        let solver = Solver::new(Solver::options().keep(true));
        let solver = solver.unwrap_or_else(|error| unreachable!("these options are valid: {error}"));
        Ok(Self { walk, start, solver, limits, seed })
    }

    /// The first position.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The walk through the proof, with the moves so far and the entries about the present position.
    #[must_use]
    pub const fn walk(&self) -> &HavannahWalk<'a> {
        &self.walk
    }

    /// The walk through the proof, for playing moves and taking them back.
    pub const fn walk_mut(&mut self) -> &mut HavannahWalk<'a> {
        &mut self.walk
    }

    /// The present position. O(moves).
    #[must_use]
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        for cell in self.walk.moves() {
            position.play_unchecked(Move::Place(cell));
        }
        position
    }

    /// A search of the solver at the present position.
    pub fn solve(&mut self) -> Report<Move> {
        self.solver.search(&self.position(), &self.limits, SearchContext::seed(self.seed))
    }

    /// All moves of the present position with their values by the proof. Values that the proof lacks come from the solver, with
    /// an equal share of the limits for each move.
    pub fn values(&mut self) -> Vec<(Cell, KnownValue)> {
        let replies = self.walk.replies();
        let count = replies.len().max(1);
        let limits = Limits {
            nodes: self.limits.nodes.map(|nodes| (nodes / count as u64).max(1)),
            time: self.limits.time.map(|time| time / count as u32),
            ..self.limits.clone()
        };
        let position = self.position();
        let mut values = Vec::with_capacity(replies.len());
        for (cell, entries) in replies {
            let known = KnownValue::from_proof(&entries).unwrap_or_else(|| {
                let mut next = position.clone();
                next.play_unchecked(Move::Place(cell));
                KnownValue::from_report(&self.solver.search(&next, &limits, SearchContext::seed(self.seed)))
            });
            values.push((cell, known));
        }
        values
    }
}

/// A position of a [`proof_tree`].
#[derive(Clone, Debug)]
pub struct ProofNode {
    /// The index of the parent in the list; `None` at the root.
    pub parent: Option<usize>,
    /// The move from the parent; `None` at the root.
    pub mv: Option<Cell>,
    /// The side to move.
    pub mover: Player,
    /// The statements of the proof about the position.
    pub entries: Vec<BookEntry<Cell>>,
    /// The outcome of a finished game.
    pub outcome: Option<Outcome>,
}

/// The reason why there is no [`proof_tree`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The root has no form in which a book has its positions.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The tree is too large.
    #[error("a tree of {plies} plies has more than {limit} positions")]
    TooLarge {
        /// Plies of the tree.
        plies: usize,
        /// The largest number of positions.
        limit: usize,
    },
}

/// The first `plies` plies of a proof as a tree of at most `limit` positions, parents before children.
///
/// If the winner is to move, the only child is by the move of the proof; at the root, each move that
/// keeps the value by the proof has a child. If the loser is to move, each move has a child.
///
/// # Errors
/// The errors of [`HavannahBook::walk`], and an error for a tree of more than `limit` positions.
pub fn proof_tree(
    book: &HavannahBook,
    root: &Position,
    plies: usize,
    limit: usize,
) -> Result<Vec<ProofNode>, ExploreError> {
    let mut walk = book.walk(root)?;
    let mut nodes: Vec<ProofNode> = Vec::new();
    // The positions that are still to be visited, the next one last: the index of the parent, the ply and the move.
    let mut open: Vec<(Option<usize>, usize, Option<Cell>)> = vec![(None, 0, None)];
    while let Some((parent, ply, mv)) = open.pop() {
        while walk.moves().len() >= ply.max(1) {
            walk.back();
        }
        if let Some(mv) = mv {
            walk.play(mv).unwrap_or_else(|error| unreachable!("a reply is legal: {error}"));
        }
        if nodes.len() == limit {
            return Err(ExploreError::TooLarge { plies, limit });
        }
        let entries = walk.entries();
        let (mover, outcome) = (walk.to_move(), walk.outcome());
        if ply < plies && !entries.is_empty() {
            let value = value_of(&entries);
            let moves: Vec<Cell> = match value {
                Some(Outcome::Win(winner)) if winner == mover && ply == 0 => {
                    let keeps = walk.replies().into_iter().filter(|(_, entries)| value_of(entries) == value);
                    keeps.map(|(mv, _)| mv).collect()
                }
                Some(Outcome::Win(winner)) if winner == mover => walk.choice().into_iter().collect(),
                _ => walk.replies().into_iter().map(|(mv, _)| mv).collect(),
            };
            open.extend(moves.into_iter().rev().map(|mv| (Some(nodes.len()), ply + 1, Some(mv))));
        }
        nodes.push(ProofNode { parent, mv, mover, entries, outcome });
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_limits_has_fewer_nodes_on_larger_boards() {
        assert_eq!([2, 4, 10].map(nodes_of), [1_000_000, 1_000_000, 18_640]);
        assert!((4..10).all(|size| nodes_of(size) > nodes_of(size + 1)));
    }
}
