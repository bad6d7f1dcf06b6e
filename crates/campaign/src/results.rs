//! [`Results`]: the outcome of a campaign, as far as it came.

use std::path::PathBuf;
use std::time::Duration;

use stonework_game::Outcome;
use stonework_proof::Written;
use stonework_search::{Report, Stop};

/// The results of a campaign, as far as this worker came. `M` is a move.
#[derive(Clone, Debug)]
pub struct Results<M> {
    /// The value of the root, if it is known. For [`Plan::OneJob`](crate::Plan::OneJob) it may be known without a proof, where a limit came in between.
    pub outcome: Option<Outcome>,
    /// The jobs that are done; none for a campaign of one job, and none where another worker has proved the root by its replies.
    pub jobs: Vec<JobResult<M>>,
    /// The proof, if it is written.
    pub proof: Option<ProofFile>,
    /// The limit or the cancellation that has ended the campaign too early; `None` for a campaign that is complete.
    pub stopped: Option<Unfinished<M>>,
    /// The report of the search, for a campaign of one job.
    pub report: Option<Report<M>>,
    /// The cost for this worker. Its [`nodes_before`](Work::nodes_before) are those of the jobs in `jobs`.
    pub work: Work,
}

/// The result of a job: the value of a move.
#[derive(Clone, Debug)]
pub struct JobResult<M> {
    /// The move.
    pub mv: M,
    /// The other moves that lead to the same position, but for a symmetry.
    pub images: Vec<M>,
    /// The value of the position after the move.
    pub outcome: Outcome,
    /// The cost for this worker; `None` for a job that was done before or by another worker, and for a move that ends the game.
    pub work: Option<Work>,
}

/// The cost of a job or of a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Positions visited by this worker.
    pub nodes: u64,
    /// Positions visited before, by the workers that wrote the checkpoint.
    pub nodes_before: u64,
    /// Processor time of the search, of all threads of this process; time by the clock where the system does not count it.
    pub cpu: Duration,
    /// Bytes of the largest table.
    pub bytes: usize,
}

impl Work {
    /// The cost of this and another piece of work.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            nodes_before: self.nodes_before + other.nodes_before,
            cpu: self.cpu + other.cpu,
            bytes: self.bytes.max(other.bytes),
        }
    }
}

/// A proof that is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofFile {
    /// The file, symbolic links followed.
    pub path: PathBuf,
    /// The size of the proof.
    pub written: Written,
}

/// The job at which a campaign has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unfinished<M> {
    /// The move of the job; `None` for a campaign of one job.
    pub mv: Option<M>,
    /// The reason.
    pub reason: Stop,
}
