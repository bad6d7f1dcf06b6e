//! [`FarmPlan`], [`Check`], [`FarmWork`]: the parts of a campaign that know the workload.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{FarmJob, FarmJobId};

/// The jobs that are worth doing. A plan has no clock, no input and no output: the same calls in the same order lead to
/// the same state, so that a plan is made anew from the journal.
pub trait FarmPlan {
    /// The campaign in words that no other campaign has: the question, the options and the versions. A journal with
    /// other words is refused. At most 64 KiB.
    fn identity(&self) -> String;

    /// The next job; `None` if nothing is worth doing before the next answer. A plan gives a job out once, and once more
    /// only after it has found the job needless.
    fn next(&mut self) -> Option<FarmJob>;

    /// Takes an answer that was [checked](Check::check), soon before it is written to the journal. Returns the given jobs
    /// that nobody needs any more; no answer to them is taken.
    fn take(&mut self, job: &FarmJob, answer: &[u8]) -> Vec<FarmJobId>;

    /// `true` if the campaign has its result.
    fn is_over(&self) -> bool;

    /// The state for people and for `--json`; a map.
    fn progress(&self) -> serde_json::Value {
        serde_json::Value::Null
    }
}

/// The check of answers by rules that no worker can change. The answer of a worker counts after its check alone.
pub trait Check {
    /// Checks an answer.
    ///
    /// # Arguments
    /// * `job` – the job, as the plan gave it out.
    /// * `answer` – the answer of a worker that may lie.
    /// * `blobs` – its blobs, with their digests checked, in the worker's order.
    ///
    /// # Returns
    /// The answer for the plan, at most [`MAX_ANSWER`](crate::MAX_ANSWER) bytes: a fact that the blobs prove, or numbers
    /// that only steer. The check of this answer gives the same answer once more: decisions that come from a server are
    /// checked again.
    ///
    /// # Errors
    /// The fault in words.
    fn check(&self, job: &FarmJob, answer: &[u8], blobs: &[Vec<u8>]) -> Result<Vec<u8>, String>;
}

impl<C: Check + ?Sized> Check for &C {
    fn check(&self, job: &FarmJob, answer: &[u8], blobs: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        (**self).check(job, answer, blobs)
    }
}

/// The work of a worker. A value may keep what it likes from job to job, such as a table.
pub trait FarmWork {
    /// Does a job. The method should return soon after [`WorkSeat::is_over`] becomes true, with [`Worked::Left`].
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked;

    /// Takes a hint of another worker, before a job. A hint steers the work and decides nothing: its sender may lie. The
    /// method must take any bytes.
    fn hear(&mut self, _hint: &[u8]) {}

    /// A hint for the other workers after a job, at most [`MAX_HINT`](crate::MAX_HINT) bytes.
    fn hint(&mut self) -> Option<Vec<u8>> {
        None
    }
}

/// The end of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Worked {
    /// The answer.
    Done {
        /// The answer in the workload's format.
        answer: Vec<u8>,
        /// The blobs of the answer.
        blobs: Vec<Vec<u8>>,
        /// The nodes of the search.
        nodes: u64,
    },
    /// The job failed here; it may succeed elsewhere.
    Failed(String),
    /// This program does not know the kind or the version of the job.
    Unable(String),
    /// The job was left, since the [seat](WorkSeat) is over.
    Left,
}

/// The place of a worker at a job.
#[derive(Clone, Debug, Default)]
pub struct WorkSeat {
    over: Arc<AtomicBool>,
}

impl WorkSeat {
    /// `true` if nobody needs the job any more, or the worker is to end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The flag behind [`is_over`](WorkSeat::is_over), for searches that take such a flag.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.over)
    }

    /// Ends the seat.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
