//! [`Leases`] and [`Lease`]: which worker has which job.

use std::fmt::Debug;
use std::io;
use std::time::Duration;

use crate::JobId;

/// The jobs of one campaign, given to one worker each.
///
/// Every worker of a campaign, in whatever process or on whatever machine, has a value of this type that stands for the same pool of
/// jobs. [`FileLeases`](crate::FileLeases) is the implementation by locks of the file system. Another one may speak with a server.
///
/// # Law
/// 1. **A job is free or has a lease.** [`take`](Leases::take) gives a lease of a free job. As long as that lease lives, `take` answers
///    [`Taken::Held`] to every worker, and to the holder as well. Leases of different jobs have nothing to do with each other, even where
///    one is [below](JobId::child) the other.
/// 2. **No job is lost.** A lease that is dropped makes its job free. So does the death of its holder, in whatever way it dies: at once,
///    or at the end of the [term](Lease::term). Nothing has to be deleted by hand.
/// 3. **Two holders waste work, and nothing else.** Where a network is cut or a term is too short, two workers may work at one job. The law
///    asks an implementation to avoid that, and a campaign survives it: a part of a proof is verified before it is used.
///
/// [`laws::leases`](crate::laws::leases) checks 1 and 2 for any implementation.
pub trait Leases: Debug + Send + Sync {
    /// Tries to take a job. Does not wait.
    ///
    /// # Errors
    /// If it cannot be found out whether the job is free.
    fn take(&self, job: &JobId) -> Result<Taken, LeaseError>;

    /// The holder of a job; `None` for a free job.
    ///
    /// The provided method takes a free job for a moment and gives it back.
    ///
    /// # Errors
    /// As [`take`](Leases::take).
    fn holder(&self, job: &JobId) -> Result<Option<Holder>, LeaseError> {
        Ok(match self.take(job)? {
            Taken::Held(holder) => Some(holder),
            Taken::Lease(_) | Taken::Closed => None,
        })
    }
}

/// A job that belongs to a worker. Dropping the lease gives the job back.
pub trait Lease: Debug + Send {
    /// The time for which the lease lasts without being renewed; `None` for a lease that lasts until it is dropped or its holder dies.
    fn term(&self) -> Option<Duration>;

    /// Renews the lease for another [term](Lease::term). A campaign renews after each third of a term while it searches, and before it writes.
    ///
    /// # Returns
    /// `false` if the lease was lost: its term is over and another worker may have the job.
    ///
    /// # Errors
    /// If it cannot be found out whether the lease still holds. It may be tried again.
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

/// The holder of a lease, for messages to people.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Holder {
    /// The worker, such as `process 17`.
    pub worker: String,
    /// The lease, such as the name of a lock file.
    pub lease: String,
}

/// It cannot be found out whether a job is free, or whether a lease still holds.
#[derive(Debug, thiserror::Error)]
#[error("{lease}: {error}")]
pub struct LeaseError {
    /// The lease, such as the name of a lock file.
    pub lease: String,
    /// The reason.
    pub error: io::Error,
}
