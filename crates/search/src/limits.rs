//! [`Limits`]: how much a search may cost, and [`Stop`]: what ended it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The most threads that a search takes.
pub const MAX_THREADS: usize = 256;

/// How much a search may cost. What is not set does not limit.
///
/// Nodes and simulations are kept to the number; time and the cancel flag within a few milliseconds;
/// memory within 2 %. A limit of zero is a limit: the search does nothing beyond it and reports what it
/// knows. With several limits the first that is reached ends the search ([`Stop`]).
///
/// ```
/// use std::time::Duration;
/// use stonework_search::Limits;
/// let limits = Limits::none().nodes(100_000).time(Duration::from_secs(5)).bytes(64 << 20);
/// assert_eq!(limits.depth, None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Walks of a Monte-Carlo search from the root.
    pub simulations: Option<u64>,
    /// Plies of the deepest iteration.
    pub depth: Option<u32>,
    /// Wall-clock time from the call.
    pub time: Option<Duration>,
    /// Memory of tables and trees.
    pub bytes: Option<usize>,
    /// Ends the search when it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// No limit at all: only a finished search ends.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// At most so many nodes.
    #[must_use]
    pub const fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// At most so many simulations.
    #[must_use]
    pub const fn simulations(mut self, simulations: u64) -> Self {
        self.simulations = Some(simulations);
        self
    }

    /// At most so many plies.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// At most so long.
    #[must_use]
    pub const fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// At most so many bytes.
    #[must_use]
    pub const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Until this flag is set.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stop {
    /// Nothing was left to do: the value is exact.
    Solved,
    /// The node limit.
    Nodes,
    /// The limit of simulations.
    Simulations,
    /// The depth limit.
    Depth,
    /// The clock.
    Time,
    /// The cancel flag.
    Cancel,
    /// The memory limit, where nothing more could be done within it.
    Memory,
}

impl Stop {
    /// One word, as in reports: `solved`, `nodes`, `simulations`, `depth`, `time`, `cancel`, `memory`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Nodes => "nodes",
            Self::Simulations => "simulations",
            Self::Depth => "depth",
            Self::Time => "time",
            Self::Cancel => "cancel",
            Self::Memory => "memory",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
