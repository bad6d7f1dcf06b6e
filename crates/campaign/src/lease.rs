//! [`Leases`] and [`Lease`]: the assignment of jobs to workers.

use std::fmt::Debug;
use std::io;
use std::time::Duration;

use crate::JobId;

/// The jobs of one campaign, given to one worker each.
///
/// Every worker of a campaign, in whatever process or on whatever machine, has a value of this type that stands
/// for the same pool of jobs. [`FileLeases`](crate::FileLeases) is the implementation by locks of the file system.
/// Another implementation may use a server.
///
/// # Law
/// 1. **A job is free or has a lease.** [`take`](Leases::take) gives a lease of a free job. As long as that lease
///    lives, `take` answers [`Taken::Held`] to every worker, and to the holder as well. Leases of different jobs
///    are independent, even if one job is [below](JobId::child) the other.
/// 2. **No job is lost.** A job becomes free when its lease is dropped. A job also becomes free after its holder
///    has ended in whatever way: at once, or at the end of the [term](Lease::term). No file has to be deleted by
///    hand.
/// 3. **Two holders only waste work.** If a network is cut or a term is too short, two workers may work at one
///    job. An implementation should avoid two holders, but a campaign stays correct: a part of a proof is verified
///    before its use.
///
/// [`laws::leases`](crate::laws::leases) checks the laws 1 and 2 for any implementation.
pub trait Leases: Debug + Send + Sync {
    /// Tries to take a job, without waiting.
    ///
    /// # Errors
    /// An error if the pool cannot find out if the job is free.
    fn take(&self, job: &JobId) -> Result<Taken, LeaseError>;

    /// The holder of a job; `None` for a free job.
    ///
    /// The provided method takes a free job for a moment and gives it back.
    ///
    /// # Errors
    /// The errors of [`take`](Leases::take).
    fn holder(&self, job: &JobId) -> Result<Option<Holder>, LeaseError> {
        Ok(match self.take(job)? {
            Taken::Held(holder) => Some(holder),
            Taken::Lease(_) | Taken::Closed => None,
        })
    }
}

/// A job that belongs to a worker. Dropping the lease gives the job back.
pub trait Lease: Debug + Send {
    /// The time for which the lease lasts without a renewal; `None` for a lease that lasts until it is dropped or
    /// its holder dies.
    fn term(&self) -> Option<Duration>;

    /// Renews the lease for another [term](Lease::term). A campaign renews the lease after each third of a term
    /// while it searches, and before it writes.
    ///
    /// # Returns
    /// `false` if the lease was lost: its term is over and another worker may have the job.
    ///
    /// # Errors
    /// An error if the pool cannot find out if the lease still holds. The caller may try again.
    fn renew(&mut self) -> Result<bool, LeaseError>;
}

/// The answer of [`Leases::take`].
#[derive(Debug)]
pub enum Taken {
    /// The job belongs to the caller.
    Lease(Box<dyn Lease>),
    /// Another worker has the job.
    Held(Holder),
    /// The list of the job is closed: another worker has finished it.
    Closed,
}

/// The holder of a lease, for messages to users.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Holder {
    /// The worker, such as `process 17`.
    pub worker: String,
    /// The lease, such as the name of a lock file.
    pub lease: String,
}

/// The failure of a pool to find out if a job is free, or if a lease still holds.
#[derive(Debug, thiserror::Error)]
#[error("{lease}: {error}")]
pub struct LeaseError {
    /// The lease, such as the name of a lock file.
    pub lease: String,
    /// The reason.
    pub error: io::Error,
}
