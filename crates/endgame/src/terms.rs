//! The options, the progress and the errors of solving and verifying.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread;

use crate::value::MAX_DISTANCE;

/// The most [`Options::threads`].
pub const MAX_THREADS: usize = 256;

/// The threads and the memory of [`solve`](crate::solve()) and [`verify`](crate::verify).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that work on the states, 1 to [`MAX_THREADS`]. Another number is an error of [`solve`](crate::solve())
    /// and [`verify`](crate::verify).
    pub threads: usize,
    /// Bytes that the tables may take; `None` for no limit. [`solve`](crate::solve()) takes 2 bytes for each number of
    /// the space. If the limit allows, it takes another 6 for each number and 4 for each move, and is much faster.
    pub bytes: Option<usize>,
}

impl Default for Options {
    /// As many threads as the machine has, but at most [`MAX_THREADS`], and no limit of bytes.
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self { threads: threads.min(MAX_THREADS), bytes: None }
    }
}

impl Options {
    /// `true` if the number of threads is allowed.
    pub(crate) fn has_threads(&self) -> bool {
        (1..=MAX_THREADS).contains(&self.threads)
    }
}

/// A stage of a build or of a check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The moves of each state are generated: the states that are over, and the moves that lead outside.
    Survey,
    /// Each state is linked with the states that lead to it.
    Link,
    /// The states of this distance decide others.
    Level(u16),
    /// Each entry of a finished table is checked.
    Verify,
}

/// The progress of a build or of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The present stage.
    pub stage: Stage,
    /// Numbers of the space that are done in this stage.
    pub done: u64,
    /// Numbers of the space.
    pub of: u64,
}

/// A function that receives the [`Progress`] about ten times a second and at the end of each stage. Its result says
/// whether to go on.
pub type ProgressWatch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// The reason why a space cannot be solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// No threads, or more than [`MAX_THREADS`].
    #[error("threads must be 1 to {MAX_THREADS}, not {0}")]
    Threads(usize),
    /// More memory than the caller allows.
    #[error("the table needs {need} bytes, the limit is {limit}")]
    Memory {
        /// Bytes that are needed at the least.
        need: u64,
        /// Bytes that are allowed.
        limit: usize,
    },
    /// The machine does not give the memory.
    #[error("no memory for {bytes} bytes")]
    Allocation {
        /// Bytes that were asked for.
        bytes: u64,
    },
    /// A move leads out of the space, to a state without a known value.
    #[error("state {rank}: the move {mv} leaves the space and is not decided")]
    Undecided {
        /// The number of the state.
        rank: u64,
        /// The move.
        mv: String,
    },
    /// A move leads to a number that no state has.
    #[error("state {rank}: a move leads to the number {to}, which has no state (of {len} numbers)")]
    NoState {
        /// The number of the state.
        rank: u64,
        /// The number that the move leads to.
        to: u64,
        /// The length of the space.
        len: u64,
    },
    /// A state is not over and has no moves: the game breaks its laws.
    #[error("state {rank} is not over and has no moves")]
    Stuck {
        /// The number of the state.
        rank: u64,
    },
    /// A state has too many moves.
    #[error("state {rank} has {moves} moves: at most {}", u16::MAX)]
    Moves {
        /// The number of the state.
        rank: u64,
        /// The number of its moves.
        moves: usize,
    },
    /// A decided state is further from the end than a table can hold.
    #[error("state {rank} is more than {MAX_DISTANCE} plies from the end")]
    TooFar {
        /// The number of the state.
        rank: u64,
    },
    /// A checkpoint cannot be read, written or used.
    #[error("checkpoint {path}: {what}")]
    Checkpoint {
        /// The path of the file.
        path: String,
        /// The fault.
        what: String,
    },
    /// The caller stopped the work.
    #[error("stopped")]
    Stopped,
}
