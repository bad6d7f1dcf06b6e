//! A check of every entry of a table against its successors. The code shares only the rules, the meaning of a value and
//! the threads with the solver.

use stonework_game::Game;

use crate::workers::{CHUNK, each_chunk};
use crate::{MAX_THREADS, Options, Progress, ProgressWatch, Stage, StateSpace, Table, Value};

/// The reason why a table is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// No threads, or more than [`MAX_THREADS`].
    #[error("threads must be 1 to {MAX_THREADS}, not {0}")]
    Threads(usize),
    /// The table is of another space.
    #[error("a table of {table} numbers for a space of {space}")]
    Length {
        /// The length of the table.
        table: u64,
        /// The length of the space.
        space: u64,
    },
    /// An entry differs from the value that follows from its successors or from the rules.
    #[error("number {rank} is {found:?}, by its successors {expected:?} (`None`: no state)")]
    Wrong {
        /// The number.
        rank: u64,
        /// The value in the table.
        found: Option<Value>,
        /// The value that follows from the entries of its successors.
        expected: Option<Value>,
    },
    /// A move leads to a state without a value in the table and from the space.
    #[error("number {rank}: the move {mv} leads to no value")]
    Unknown {
        /// The number.
        rank: u64,
        /// The move.
        mv: String,
    },
    /// The caller stopped the check.
    #[error("stopped")]
    Stopped,
}

/// Checks every entry of a table against the rules and the entries of its successors; the first wrong
/// one is the error. Each state's moves are generated once.
///
/// A table that passes is right, whoever made it. The distances of wins and losses fall with each ply to an end, so no
/// win or loss can rest on itself. Suppose that some draws are wrong, and take one that is nearest to its true end: a
/// successor that decides it is nearer, so the entry of the successor is right, and the draw does not follow from it.
/// Only the rules and [`outside`](StateSpace::outside) are taken on trust.
///
/// [`Options::bytes`] has no effect: the check needs no memory but the table's.
///
/// # Errors
/// See [`VerifyError`]: the error of the entry with the lowest number.
///
/// ```
/// use stonework_endgame::example::Heaps;
/// use std::ops::ControlFlow;
/// use stonework_endgame::{Options, solve, verify};
/// let (options, mut watch) = (Options::default(), |_| ControlFlow::Continue(()));
/// let table = solve(&Heaps(9), &options, &mut watch)?.table;
/// let error = verify(&Heaps(8), &table, &options, &mut watch).unwrap_err();
/// assert_eq!(error.to_string(), "a table of 10 numbers for a space of 9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify<S: StateSpace>(
    space: &S,
    table: &Table,
    options: &Options,
    watch: ProgressWatch,
) -> Result<(), VerifyError> {
    if !options.has_threads() {
        return Err(VerifyError::Threads(options.threads));
    }
    if table.len() != space.len() {
        return Err(VerifyError::Length { table: table.len(), space: space.len() });
    }
    let of = table.len();
    let mut tick = |done| watch(Progress { stage: Stage::Verify, done, of });
    let check = |_, mut range: std::ops::Range<u64>| range.try_for_each(|rank| entry(space, table, rank));
    each_chunk(options.threads, 0..of.div_ceil(CHUNK), of, check, &mut tick)?.ok_or(VerifyError::Stopped)
}

fn entry<S: StateSpace>(space: &S, table: &Table, rank: u64) -> Result<(), VerifyError> {
    let found = table.value(rank);
    let expected = match space.unrank(rank) {
        None => None,
        Some(state) => match state.outcome() {
            Some(outcome) => Some(Value::ended(outcome, state.to_move())),
            None => Some(best(space, table, rank, &state)?),
        },
    };
    if found == expected { Ok(()) } else { Err(VerifyError::Wrong { rank, found, expected }) }
}

/// The best value of a state's moves.
fn best<S: StateSpace>(space: &S, table: &Table, rank: u64, state: &S::State) -> Result<Value, VerifyError> {
    let moves = state.moves();
    let mut best: Option<Value> = None;
    for mv in moves {
        let unknown = || VerifyError::Unknown { rank, mv: format!("{mv:?}") };
        let mut next = state.clone();
        next.play_unchecked(mv);
        let value = match (next.outcome(), space.rank(&next)) {
            (Some(outcome), _) => Value::ended(outcome, next.to_move()),
            (None, Some(rank)) => table.value(rank).ok_or_else(unknown)?,
            (None, None) => space.outside(&next).ok_or_else(unknown)?,
        };
        let value = value.earlier(next.to_move() == state.to_move());
        best = best.max(Some(value));
    }
    best.ok_or_else(|| VerifyError::Unknown { rank, mv: "none".to_owned() })
}
