//! [`Queue`]: the trait of the engine that carries jobs, leases, reports, blobs and decisions.

use std::fmt::Debug;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::wire::{InlineBlobs, WireError};
use crate::{Digest, FarmJob, FarmJobId, Unfit, WorkReport};

/// The carrier of one campaign between its coordinator and its workers.
///
/// The trait promises *at least once*: a job or a report may come twice, and all of the queue may be lost. The
/// [`Coordinator`](crate::Coordinator) makes *once* of it, by the names of jobs and its journal.
///
/// All methods may be called from several threads. A method waits no longer than its argument `wait`, or about ten
/// seconds without one. A [passing](QueueError::is_passing) error means: wait, then try again.
///
/// # Law
/// 1. **A job is done by one worker at a time**, as long as its lease is extended in time.
/// 2. **No job is lost** by its worker: when the lease ends, the job is free again. If the carrier itself has lost jobs,
///    [`epoch`](Queue::epoch) changes.
/// 3. **A report stays** until it is acknowledged. A report that nobody acknowledges comes again.
/// 4. **A job with a report is gone**, and so is a withdrawn job; its worker is told.
/// 5. **There is one leader.** A decision of an earlier leader is refused.
/// 6. **Decisions are in a row**, and the row does not change.
///
/// [`laws::queue`](crate::laws::queue) checks these for any implementation.
pub trait Queue: Debug + Send + Sync {
    /// The time for which a lease of a job, and the lead, last without an extension.
    fn term(&self) -> Duration;

    // For everybody.

    /// The state that the campaign shall be in.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn control(&self) -> Result<Control, QueueError>;

    /// Sets the state that the campaign shall be in.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn set_control(&self, control: Control) -> Result<(), QueueError>;

    /// The last [status](Queue::set_status) of the coordinator, at most 64 KiB; `None` if there was none.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn status(&self) -> Result<Option<Vec<u8>>, QueueError>;

    /// Puts a blob of at most [`MAX_BLOB`](crate::MAX_BLOB) bytes; once more changes nothing.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn put(&self, bytes: &[u8]) -> Result<Digest, QueueError>;

    /// A blob of at most `at_most` bytes, with its digest checked; `None` if there is none.
    ///
    /// # Errors
    /// A [`QueueError`], also for a larger blob and for one with another digest.
    fn get(&self, digest: &Digest, at_most: u64) -> Result<Option<Vec<u8>>, QueueError>;

    // For coordinators.

    /// Takes the lead of the campaign, if nobody has it. `name` is for people.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn lead(&self, name: &str) -> Result<Leading, QueueError>;

    /// Extends the lead by a term. `false` if another coordinator has it.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn keep_lead(&self, lead: &Lead) -> Result<bool, QueueError>;

    /// Gives the lead back.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn resign(&self, lead: &Lead) -> Result<(), QueueError>;

    /// Removes all jobs.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn clear(&self) -> Result<(), QueueError>;

    /// Publishes jobs. A job that is already there stays as it is.
    ///
    /// # Errors
    /// A [`QueueError`]; some of the jobs may be published.
    fn publish(&self, jobs: &[FarmJob]) -> Result<(), QueueError>;

    /// Removes jobs that are needed no more, and tells their workers.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn withdraw(&self, jobs: &[FarmJobId]) -> Result<(), QueueError>;

    /// The number of jobs.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn depth(&self) -> Result<Depth, QueueError>;

    /// The jobs among these that are neither waiting, nor leased, nor reported. A job whose report is on its way may be
    /// among them.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn missing(&self, jobs: &[FarmJobId]) -> Result<Vec<FarmJobId>, QueueError>;

    /// A number that changes whenever published jobs may be gone, such as after the end of a server. The coordinator
    /// then publishes its open jobs again.
    fn epoch(&self) -> u64;

    /// Waits for reports. A report that is not acknowledged within about a term comes again.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn reports(&self, wait: Duration, at_most: usize) -> Result<Vec<Delivery>, QueueError>;

    /// Removes reports.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError>;

    /// Appends decisions, the first with the number `at`, which must be the present length of the row. Each is at most
    /// 512 KiB.
    ///
    /// # Errors
    /// [`QueueError::Deposed`] if the lead is lost or the row has another length; another [`QueueError`].
    fn decide(&self, lead: &Lead, at: u64, decisions: &[Vec<u8>]) -> Result<(), QueueError>;

    /// The number of decisions.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn decided(&self) -> Result<u64, QueueError>;

    /// At most `at_most` decisions from a number on, in order.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn decisions(&self, from: u64, at_most: usize) -> Result<Vec<Vec<u8>>, QueueError>;

    /// Gives no more jobs to a worker.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn shut_out(&self, worker: &str) -> Result<(), QueueError>;

    /// Sets the [status](Queue::status), at most 64 KiB.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn set_status(&self, status: &[u8]) -> Result<(), QueueError>;

    // For workers.

    /// Waits for a job and takes it.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn lease(&self, worker: &str, wait: Duration) -> Result<JobOffer, QueueError>;

    /// Extends a lease by a term. `false` if the lease has ended; the worker may go on, and its report may be the
    /// second one.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn extend(&self, lease: &JobLease) -> Result<bool, QueueError>;

    /// `true` if the job is needed no more, as far as this process knows. Cheap enough for 20 calls a second.
    fn is_withdrawn(&self, lease: &JobLease) -> bool;

    /// Gives a job back undone.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn release(&self, lease: &JobLease) -> Result<(), QueueError>;

    /// Puts the blobs of a report, then the report, then removes the job from the queue; a job that the worker is
    /// [unable](crate::JobOutcome::Unable) to do is released instead. May be called again after an error, also by another
    /// process without the lease.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn report(
        &self,
        lease: Option<&JobLease>,
        report: &WorkReport,
        blobs: &[Vec<u8>],
    ) -> Result<(), QueueError>;

    /// Sends a [hint](crate::FarmWork::hint) of at most [`MAX_HINT`](crate::MAX_HINT) bytes to the other workers. A hint may
    /// get lost.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn hint(&self, from: &str, bytes: &[u8]) -> Result<(), QueueError>;

    /// The hints with a place after `after`, in order; from 0 on for all that the queue still has. A queue keeps the last
    /// [`KEPT_HINTS`](crate::KEPT_HINTS) or more. One call returns at most so many.
    ///
    /// # Errors
    /// A [`QueueError`].
    fn hints(&self, after: u64) -> Result<Vec<Hint>, QueueError>;
}

/// A hint of a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The place of the hint, from 1; it grows from hint to hint.
    pub place: u64,
    /// The name under which the worker sends hints.
    pub from: String,
    /// The hint in the workload's format.
    pub bytes: Vec<u8>,
}

/// The state that a campaign shall be in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// Jobs are given out.
    #[default]
    Running,
    /// No new jobs are given out.
    Paused,
    /// The coordinator ends, and workers go. What was decided stays.
    Cancelled,
    /// The campaign has its result, and workers go.
    Over,
}

/// The number of jobs in a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Depth {
    /// Jobs that wait for a worker.
    pub waiting: usize,
    /// Jobs that workers have.
    pub leased: usize,
    /// Workers that wait for a job, as far as the queue knows.
    pub idle: usize,
}

/// The answer of [`Queue::lead`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leading {
    /// The caller has the lead.
    Taken(Lead),
    /// Another coordinator has the lead.
    Held {
        /// Its name.
        by: String,
    },
}

/// The lead of a campaign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lead {
    /// The name of the coordinator.
    pub name: String,
    /// A number that grows with each new leader, or with each extension; the backend's own.
    pub(crate) key: String,
}

/// The answer of [`Queue::lease`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobOffer {
    /// A job, with its lease.
    Job(JobLease),
    /// No job within the time.
    Nothing,
    /// The worker is shut out, after bad answers.
    ShutOut,
    /// The campaign is over or cancelled.
    Over,
}

/// A job that belongs to a worker for a [term](Queue::term).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobLease {
    /// The job.
    pub job: FarmJob,
    /// The backend's own name of the lease.
    pub(crate) token: String,
}

/// The backend's own name of a delivered report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt(pub(crate) String);

/// A report that has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// The key of the worker, from the carrier and not from the message where the carrier knows it.
    pub worker: String,
    /// The report with the blobs within it, or the reason why the message is none.
    pub report: Result<(WorkReport, InlineBlobs), WireError>,
    /// For [`Queue::acknowledge`].
    pub receipt: Receipt,
}

/// The reason why a queue did not do as it was told.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The carrier does not answer.
    #[error("{0}")]
    Away(String),
    /// The carrier has no more space.
    #[error("no space left: {0}")]
    Full(String),
    /// The carrier does not allow it.
    #[error("not allowed: {0}")]
    Forbidden(String),
    /// Another coordinator leads.
    #[error("another coordinator leads the campaign")]
    Deposed,
    /// A value beyond a limit.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The carrier holds something that is no part of a farm, or of another version.
    #[error("{0}")]
    Foreign(String),
}

/// The shortest term: extensions of leases and of the lead come in time within it.
const LEAST_TERM: Duration = Duration::from_millis(100);
/// The longest term: a year.
const MOST_TERM: Duration = Duration::from_secs(31_557_600);

/// Checks the term of a queue.
///
/// # Errors
/// [`QueueError::Forbidden`] with the term and its limits.
pub(crate) fn check_term(term: Duration) -> Result<(), QueueError> {
    if (LEAST_TERM..=MOST_TERM).contains(&term) {
        return Ok(());
    }
    let [term, least, most] = [term, LEAST_TERM, MOST_TERM].map(|time| time.as_secs_f64());
    Err(QueueError::Forbidden(format!("a term of {term} s; {least} to {most} s are possible")))
}

impl QueueError {
    /// `true` if the same call may succeed later.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Away(_) | Self::Full(_))
    }
}
