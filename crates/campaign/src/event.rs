//! [`CampaignEvent`]: news of a campaign while it runs.

use std::path::Path;
use std::time::Duration;

use stonework_game::Outcome;
use stonework_proof::Written;
use stonework_search::{Report, SavedTable};

use crate::{Holder, Job, JobId, Work};

/// News of a campaign, in the order in which they happen in this worker. `M` is a move.
///
/// The watcher of [`Campaign::run`](crate::Campaign::run) gets them in the thread that runs the campaign. A campaign prints nothing itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CampaignEvent<'a, M> {
    /// A job was proved before, or by another worker. Its proof has been verified and taken over.
    Known {
        /// The job.
        job: &'a JobId,
        /// The value of its position.
        outcome: Outcome,
        /// The proof.
        file: &'a Path,
    },
    /// The search of a job goes on from a checkpoint.
    Resumed {
        /// The job.
        job: Job<'a>,
        /// The checkpoint.
        file: &'a Path,
        /// The contents of the checkpoint.
        saved: SavedTable,
    },
    /// The search of a question begins.
    Began {
        /// The job.
        job: Job<'a>,
    },
    /// The search goes on: whenever the solver reports.
    Searching {
        /// The job.
        job: Job<'a>,
        /// The report of the search.
        report: &'a Report<M>,
        /// Nodes since the question began.
        nodes: u64,
        /// Time since the question began.
        elapsed: Duration,
    },
    /// A checkpoint was saved.
    Saved {
        /// The job.
        job: Job<'a>,
        /// The report of the search; its nodes are those of the job.
        report: &'a Report<M>,
        /// Nodes since the question began.
        nodes: u64,
        /// Time since the question began.
        elapsed: Duration,
        /// Bytes of the table in use, and bytes of the whole table.
        table: (usize, usize),
        /// The contents of the checkpoint.
        saved: SavedTable,
        /// Time that saving took.
        took: Duration,
    },
    /// The search of a question has ended.
    Ended {
        /// The job.
        job: Job<'a>,
    },
    /// A job is proved, and its proof is written.
    Proved {
        /// The job.
        job: &'a JobId,
        /// The value of its position.
        outcome: Outcome,
        /// The cost.
        work: Work,
        /// The size of the proof.
        written: Written,
    },
    /// Other workers have all jobs that are left. The campaign waits for them.
    Waiting {
        /// The holder of one of these jobs, where that is known.
        holder: Option<&'a Holder>,
    },
    /// The proof of the campaign is put together from the proofs of the jobs.
    Merging {
        /// The file for the proof.
        file: &'a Path,
    },
}
