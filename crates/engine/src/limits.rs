//! [`Limits`]: the cost that a search may have, and [`Stop`]: the limit that ended it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The most threads of one search.
pub const MAX_THREADS: usize = 256;

/// The cost that a search may have. A limit that is not set does not limit.
///
/// The limits of nodes and simulations are exact. A search keeps the limit of time and the cancel flag within a
/// few milliseconds, and the limit of memory within 2 %. Zero is a limit, too: the search then visits nothing and
/// reports its knowledge. The first limit that is reached ends the search ([`Stop`]).
///
/// ```
/// use std::time::Duration;
/// use stonework_engine::Limits;
/// let limits = Limits::none().nodes(100_000).time(Duration::from_secs(5)).bytes(64 << 20);
/// assert_eq!(limits.depth, None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The greatest number of positions that the search visits.
    pub nodes: Option<u64>,
    /// The greatest number of simulations (walks from the root) of a Monte-Carlo search.
    pub simulations: Option<u64>,
    /// The depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// The wall-clock time from the call.
    pub time: Option<Duration>,
    /// The time that a move is worth. A search ends then, unless the engine judges for itself whether its best move is
    /// settled ([`Meter::judge`](crate::Meter::judge)): it may end before if no other move can become the best one until
    /// then, and go on until [`time`](field@Self::time) if the best move is in doubt.
    pub enough: Option<Duration>,
    /// The memory of tables and trees, in bytes.
    pub bytes: Option<usize>,
    /// A flag that ends the search when it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// No limit: the search ends when it is finished.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Sets [`nodes`](field@Self::nodes).
    #[must_use]
    pub const fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Sets [`simulations`](field@Self::simulations).
    #[must_use]
    pub const fn simulations(mut self, simulations: u64) -> Self {
        self.simulations = Some(simulations);
        self
    }

    /// Sets [`depth`](field@Self::depth).
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Sets [`time`](field@Self::time).
    #[must_use]
    pub const fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Sets [`enough`](field@Self::enough).
    #[must_use]
    pub const fn enough(mut self, time: Duration) -> Self {
        self.enough = Some(time);
        self
    }

    /// Sets [`bytes`](field@Self::bytes).
    #[must_use]
    pub const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Sets [`cancel`](field@Self::cancel).
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
    /// A finished search: the value is exact.
    Solved,
    /// The node limit.
    Nodes,
    /// The limit of simulations.
    Simulations,
    /// The depth limit.
    Depth,
    /// The time limit.
    Time,
    /// The cancel flag.
    Cancel,
    /// The memory limit, if the search could not continue within the limit.
    Memory,
}

impl Stop {
    /// The reason in one word, as in reports: `solved`, `nodes`, `simulations`, `depth`, `time`, `cancel`,
    /// `memory`.
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
