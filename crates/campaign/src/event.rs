//! [`CampaignEvent`]: the events of a campaign while it runs.

use std::path::Path;
use std::time::Duration;

use stonework_game::Outcome;
use stonework_proof::Written;
use stonework_search::{Report, SavedTable};

use crate::{Job, Work};

/// An event of a campaign. Events come in the order in which they happen. `M` is a move.
///
/// The watcher of [`Campaign::run`](crate::Campaign::run) gets the events in the thread that runs the campaign. A
/// campaign prints nothing itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CampaignEvent<'a, M> {
    /// A job was proved by an earlier run. The proof of the job has been verified and taken over.
    Known {
        /// The job.
        job: Job<M>,
        /// The value of the position of the job.
        outcome: Outcome,
        /// The proof.
        file: &'a Path,
    },
    /// The search of a job continues from a checkpoint.
    Resumed {
        /// The job.
        job: Job<M>,
        /// The checkpoint.
        file: &'a Path,
        /// The contents of the checkpoint.
        saved: SavedTable,
    },
    /// The search of a question begins.
    Began {
        /// The job.
        job: Job<M>,
    },
    /// The search continues; the event comes with every report of the solver.
    Searching {
        /// The job.
        job: Job<M>,
        /// The report of the search.
        report: &'a Report<M>,
        /// The number of nodes since the question began.
        nodes: u64,
        /// The time since the question began.
        elapsed: Duration,
    },
    /// A checkpoint was saved.
    Saved {
        /// The job.
        job: Job<M>,
        /// The report of the search, with the nodes of the job.
        report: &'a Report<M>,
        /// The number of nodes since the question began.
        nodes: u64,
        /// The time since the question began.
        elapsed: Duration,
        /// The bytes of the table in use, and the bytes of the whole table.
        table: (usize, usize),
        /// The contents of the checkpoint.
        saved: SavedTable,
        /// The time that saving took.
        took: Duration,
    },
    /// The search of a question has ended.
    Ended {
        /// The job.
        job: Job<M>,
    },
    /// A job is proved, and its proof is written.
    Proved {
        /// The job.
        job: Job<M>,
        /// The value of the position of the job.
        outcome: Outcome,
        /// The cost.
        work: Work,
        /// The size of the proof.
        written: Written,
    },
    /// The proofs of all jobs are joined.
    Merging {
        /// The file for the proof of the campaign.
        file: &'a Path,
    },
}
