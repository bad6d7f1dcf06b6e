//! The law of [`Leases`] as a check that the tests of any implementation can run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::{JobId, Lease, LeaseError, Leases, Taken};

/// The number of workers that race for one job, and the number of times that each worker does the job.
const RACE: (usize, usize) = (4, 25);

/// A pool of leases under test.
pub trait Pool {
    /// A new worker of the campaign.
    fn worker(&self) -> Arc<dyn Leases>;

    /// Ends the holder of a lease without a return of the job: the holder's process is killed, its connection is
    /// cut, or its term passes. The job must be free when the method returns.
    fn kill(&self, lease: Box<dyn Lease>);
}

/// A law that an implementation of [`Leases`] breaks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenLease {
    /// A law that does not hold for a job.
    #[error("{law}: not so for the job `{job}`")]
    Law {
        /// The law.
        law: &'static str,
        /// The job.
        job: JobId,
    },
    /// The pool does not answer.
    #[error(transparent)]
    Lease(#[from] LeaseError),
}

/// Checks that each job has one holder at a time and that no job is lost, for the job of the whole campaign, the
/// jobs of moves, and the jobs that put proofs together.
///
/// # Arguments
/// `make`: a function that makes an empty pool, which is called several times.
///
/// # Errors
/// The error names the first law that is broken.
pub fn leases<P: Pool>(make: impl Fn() -> P) -> Result<(), BrokenLease> {
    let whole = JobId::whole();
    let jobs = [
        whole.clone(),
        whole.merge(),
        whole.child("a1"),
        whole.child("a1").child("b2"),
        whole.child("a1").merge(),
        whole.child("all"),
    ];
    for job in &jobs {
        one_holder(&make(), job, &jobs)?;
        no_job_is_lost(&make(), job)?;
        a_race_has_one_winner(&make(), job)?;
    }
    Ok(())
}

fn require(holds: bool, law: &'static str, job: &JobId) -> Result<(), BrokenLease> {
    if holds { Ok(()) } else { Err(BrokenLease::Law { law, job: job.clone() }) }
}

/// The lease of a job that must be free.
fn take(worker: &dyn Leases, job: &JobId, law: &'static str) -> Result<Box<dyn Lease>, BrokenLease> {
    match worker.take(job)? {
        Taken::Lease(lease) => Ok(lease),
        Taken::Held(_) | Taken::Closed => Err(BrokenLease::Law { law, job: job.clone() }),
    }
}

fn one_holder<P: Pool>(pool: &P, job: &JobId, jobs: &[JobId]) -> Result<(), BrokenLease> {
    let (one, other) = (pool.worker(), pool.worker());
    require(one.holder(job)?.is_none(), "a job that nobody has taken has no holder", job)?;
    let mut lease = take(&*one, job, "a job that nobody has taken is free, and looking leaves it free")?;
    for _ in 0..2 {
        for worker in [&one, &other] {
            let held = matches!(worker.take(job)?, Taken::Held(_));
            require(held, "a job with a lease is held, for its holder too", job)?;
            let named = worker.holder(job)?.is_some_and(|holder| !holder.worker.is_empty());
            require(named, "a holder has a name", job)?;
        }
        require(lease.renew()?, "a lease can be renewed in time, and holds on", job)?;
    }
    let mut others = Vec::new();
    for free in jobs.iter().filter(|other| *other != job) {
        others.push(take(&*other, free, "a lease is of one job")?);
    }
    drop(lease);
    drop(take(&*other, job, "a lease that is dropped gives its job back, and no other lease holds it")?);
    for held in jobs.iter().filter(|other| *other != job) {
        require(one.holder(held)?.is_some(), "a lease that is dropped gives back its own job only", held)?;
    }
    Ok(())
}

fn no_job_is_lost<P: Pool>(pool: &P, job: &JobId) -> Result<(), BrokenLease> {
    let (one, other) = (pool.worker(), pool.worker());
    for worker in [&one, &other, &one] {
        let lease = take(&**worker, job, "the job of a holder that has died is free")?;
        pool.kill(lease);
    }
    let lease = take(&*other, job, "the job of a holder that has died is free")?;
    require(one.holder(job)?.is_some(), "a job that is taken after a death is held", job)?;
    drop(one);
    let third = pool.worker();
    require(third.holder(job)?.is_some(), "a lease outlives the other workers", job)?;
    drop(lease);
    require(third.holder(job)?.is_none(), "a job that is given back after a death is free", job)
}

/// Checks the race: each winner counts without any other protection than the lease.
fn a_race_has_one_winner<P: Pool>(pool: &P, job: &JobId) -> Result<(), BrokenLease> {
    let (threads, turns) = RACE;
    let (count, inside) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let race = |worker: Arc<dyn Leases>| -> Result<(), BrokenLease> {
        let mut won = 0;
        while won < turns {
            let Taken::Lease(lease) = worker.take(job)? else {
                thread::yield_now();
                continue;
            };
            let alone = inside.fetch_add(1, Ordering::SeqCst) == 0;
            let before = count.load(Ordering::SeqCst);
            thread::yield_now();
            count.store(before + 1, Ordering::SeqCst);
            inside.fetch_sub(1, Ordering::SeqCst);
            drop(lease);
            require(alone, "of several workers that want a job one gets it", job)?;
            won += 1;
        }
        Ok(())
    };
    let race = &race;
    thread::scope(|scope| {
        let workers: Vec<Arc<dyn Leases>> = (0..threads).map(|_| pool.worker()).collect();
        let racing: Vec<_> = workers.into_iter().map(|worker| scope.spawn(move || race(worker))).collect();
        racing
            .into_iter()
            .try_for_each(|racer| racer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    require(count.into_inner() == threads * turns, "of several workers that want a job one gets it", job)
}
