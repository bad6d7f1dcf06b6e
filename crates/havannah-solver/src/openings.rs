//! The openings of a small board: proofs of all of them in one book, and the values of openings and replies.

use stonework_board::{Cell, SizeError};
use stonework_game::{Game, MoveOrbit, Outcome, Player, move_orbits};
use stonework_havannah::{Move, Position};
use stonework_proof::{Claim, JoinError, ProofError, ProofReader, join};
use stonework_search::{Engine, Limits, ProverError};

use crate::{Explorer, HavannahBook, KnownValue, Solver, Unfit, read_book};

/// The reason why the openings of a board have no [`HavannahBook`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// The size has no board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The limits ended the search of an opening.
    #[error("size {size} is not solved within the limits of a search")]
    Unsolved {
        /// The size of the board.
        size: u8,
    },
    /// A proof cannot be written.
    #[error(transparent)]
    Prover(#[from] ProverError),
    /// The proofs cannot be joined.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The joined proof does not hold, or does not fit into the memory.
    #[error(transparent)]
    Proof(#[from] ProofError),
}

/// Solves each opening of the empty board of a size, one of each orbit under the symmetries, and proves it; the verified
/// proofs together take at most `bytes`. `limits` hold for each opening.
///
/// Sizes 2 and 3 take seconds. Size 4 takes hours: a `Campaign` of `stonework-campaign` keeps such work in files.
///
/// # Errors
/// An error for a size without a board, for an opening that the limits leave unsolved, and for a book larger than
/// `bytes`.
///
/// ```
/// use stonework_game::{Outcome, Player};
/// use stonework_havannah::Position;
/// use stonework_havannah_solver::{opening_values, prove_openings};
/// use stonework_search::Limits;
/// let book = prove_openings(2, &Limits::none(), 1 << 20)?;
/// let values = opening_values(&book, &Position::new(2)?, &Limits::none(), 1)?;
/// assert_eq!(values.openings.outcome(), Some(Outcome::Win(Player::First)));
/// assert_eq!(values.openings.count(Some(Outcome::Win(Player::First))), 6);
/// assert_eq!(values.replies.len(), 2);            // a corner and the centre
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prove_openings(size: u8, limits: &Limits, bytes: usize) -> Result<HavannahBook, OpeningsError> {
    let root = Position::new(size)?;
    let mut solver = Solver::default();
    let mut files: Vec<Vec<u8>> = Vec::new();
    for MoveOrbit { mv, .. } in move_orbits(&root) {
        let position = after(&root, mv);
        let value = solver.think(&position, limits).proven.ok_or(OpeningsError::Unsolved { size })?;
        let mut file = Vec::new();
        solver.prove(&position, Claim::of(value), limits, &mut file)?;
        files.push(file);
    }
    let readers = files.iter().map(|file| ProofReader::new(&file[..])).collect::<Result<_, _>>()?;
    let mut all = Vec::new();
    join(readers, &mut all)?;
    Ok(read_book(&all[..], bytes)?)
}

/// The moves of a position, each with the value of the position after it.
#[derive(Clone, Debug)]
pub struct MoveValues {
    /// The position.
    pub position: Position,
    /// The cells of its moves with their values, in the order of [`Explorer::values`].
    pub values: Vec<(Cell, KnownValue)>,
}

impl MoveValues {
    /// The number of moves after which the outcome is `value`; with `None`, the moves of unknown value.
    #[must_use]
    pub fn count(&self, value: Option<Outcome>) -> usize {
        self.values.iter().filter(|(_, known)| known.value == value).count()
    }

    /// The value of the position: the best of its moves for the side to move. `None` if the value of a move is unknown and no move is
    /// known to win, and for a position without moves.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let mover = self.position.to_move();
        let known = self.values.iter().map(|(_, known)| known.value);
        if known.clone().any(|value| value == Some(Outcome::Win(mover))) {
            return Some(Outcome::Win(mover));
        }
        let all = known.collect::<Option<Vec<_>>>()?;
        all.into_iter().max_by_key(|outcome| outcome.value_for(mover))
    }
}

/// The moves of a position and the replies to each of them, with their values.
#[derive(Clone, Debug)]
pub struct OpeningValues {
    /// The moves of the position.
    pub openings: MoveValues,
    /// For each orbit of moves the moves after its first move.
    pub replies: Vec<(MoveOrbit<Move>, MoveValues)>,
}

/// The values of the moves of `root`, and for the first move of each orbit the values of the moves after it. For a
/// position without a value in the book, the solver searches within `limits`, see [`Explorer::new`]. `seed` is for the
/// solver's random numbers.
///
/// # Errors
/// The errors of [`HavannahBook::walk`].
pub fn opening_values(
    book: &HavannahBook,
    root: &Position,
    limits: &Limits,
    seed: u64,
) -> Result<OpeningValues, Unfit> {
    let mut explorer = Explorer::new(book, root.clone(), limits.clone(), seed)?;
    let openings = MoveValues { position: root.clone(), values: explorer.values() };
    let mut replies = Vec::new();
    for orbit in move_orbits(root) {
        let Move::Place(cell) = orbit.mv else { continue };
        let walk = explorer.walk_mut();
        walk.play(cell).unwrap_or_else(|error| unreachable!("the move is legal: {error}"));
        let position = after(root, orbit.mv);
        replies.push((orbit, MoveValues { position, values: explorer.values() }));
        explorer.walk_mut().back();
    }
    Ok(OpeningValues { openings, replies })
}

impl KnownValue {
    /// The value in a letter, for a cell of a diagram: `w` for a win of White, `b` for a win of Black, `=` for a draw,
    /// followed by the bound on the plies; `?` for an unknown value.
    #[must_use]
    pub fn label(&self) -> String {
        let letter = match self.value {
            Some(Outcome::Win(Player::First)) => "w",
            Some(Outcome::Win(Player::Second)) => "b",
            Some(Outcome::Draw) => "=",
            None => "?",
        };
        self.plies.map_or_else(|| letter.to_owned(), |plies| format!("{letter}{plies}"))
    }
}

/// The position after a legal move.
fn after(root: &Position, mv: Move) -> Position {
    let mut position = root.clone();
    position.play_unchecked(mv);
    position
}
