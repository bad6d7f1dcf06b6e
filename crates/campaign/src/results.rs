//! [`Results`]: the outcome of a campaign, complete or stopped.

use std::path::PathBuf;
use std::time::Duration;

use stonework_game::Outcome;
use stonework_proof::Written;
use stonework_search::{Report, Stop};

/// The results of a campaign, complete or up to the point at which a limit stopped it. `M` is a move.
#[derive(Clone, Debug)]
pub struct Results<M> {
    /// The value of the root; `None` if it is not known. A campaign by [`Plan::OneJob`](crate::Plan::OneJob) may
    /// know the value without a proof: a limit may end the campaign after the search and before the proof is
    /// written.
    pub outcome: Option<Outcome>,
    /// The finished jobs; an empty list for a campaign of one job.
    pub jobs: Vec<JobResult<M>>,
    /// The proof; `None` if it is not written.
    pub proof: Option<ProofFile>,
    /// The limit or the cancellation that has ended the campaign too early; `None` for a campaign that is complete.
    pub stopped: Option<Unfinished<M>>,
    /// The report of the search, for a campaign of one job.
    pub report: Option<Report<M>>,
    /// The cost of this run. Its [`nodes_before`](Work::nodes_before) is the sum over the jobs in `jobs`.
    pub work: Work,
}

/// The result of a job: the value of a move.
#[derive(Clone, Debug)]
pub struct JobResult<M> {
    /// The move.
    pub mv: M,
    /// The other moves that lead to the same position, up to a symmetry.
    pub images: Vec<M>,
    /// The value of the position after the move.
    pub outcome: Outcome,
    /// The cost of this run; `None` for a job that an earlier run has finished.
    pub work: Option<Work>,
}

/// The cost of a job or of a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// The number of positions that this run visited.
    pub nodes: u64,
    /// The number of positions that earlier runs visited before they wrote the checkpoint.
    pub nodes_before: u64,
    /// The processor time of the search, summed over all threads of this process. On systems that do not count
    /// processor time, the elapsed time.
    pub cpu: Duration,
    /// The size of the largest table in bytes.
    pub bytes: usize,
}

impl Work {
    /// The sum of two costs; for `bytes`, the greater.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            nodes_before: self.nodes_before + other.nodes_before,
            cpu: self.cpu + other.cpu,
            bytes: self.bytes.max(other.bytes),
        }
    }
}

/// A written proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofFile {
    /// The path of the file, with symbolic links resolved.
    pub path: PathBuf,
    /// The size of the proof.
    pub written: Written,
}

/// The job at which a campaign has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unfinished<M> {
    /// The move of the job; `None` for a campaign of one job.
    pub mv: Option<M>,
    /// The limit that was reached, or the cancellation.
    pub reason: Stop,
}
