//! Directories for the tests, and a pool in memory whose leases have a term.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use stonework_campaign::laws::Pool;
use stonework_campaign::{Holder, JobId, Lease, LeaseError, Leases, Taken};

/// Makes an empty directory for a test; each name has its own directory.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("stonework-campaign-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The term of a lease in ticks of the pool's clock, which only [`MemoryPool::expire`] moves.
const TERM: u64 = 10;

#[derive(Debug, Default)]
struct State {
    clock: u64,
    /// The number of the last lease of each job, and the end of its term.
    leases: HashMap<JobId, (u64, u64)>,
    /// The number of the last lease of all jobs.
    last: u64,
}

/// A pool of leases in memory, as a server would have one. A lease lasts for a term by the pool's own clock.
#[derive(Clone, Debug)]
pub(crate) struct MemoryPool {
    state: Arc<Mutex<State>>,
    /// The term that [`Lease::term`] returns: an hour, so that a campaign in a test does not renew its lease while it searches.
    reported_term: Duration,
}

impl MemoryPool {
    pub(crate) fn new() -> Self {
        Self { state: Arc::default(), reported_term: Duration::from_secs(3600) }
    }

    /// Moves the clock to the end of all terms.
    pub(crate) fn expire(&self) {
        self.state.lock().unwrap().clock += TERM;
    }
}

impl Pool for MemoryPool {
    fn worker(&self) -> Arc<dyn Leases> {
        Arc::new(self.clone())
    }

    fn kill(&self, lease: Box<dyn Lease>) {
        std::mem::forget(lease);
        self.expire();
    }
}

impl Leases for MemoryPool {
    fn take(&self, job: &JobId) -> Result<Taken, LeaseError> {
        let mut state = self.state.lock().unwrap();
        if let Some((number, end)) = state.leases.get(job).filter(|(_, end)| *end > state.clock) {
            let worker = format!("the holder of lease {number}");
            return Ok(Taken::Held(Holder { worker, lease: format!("{job} until {end}") }));
        }
        state.last += 1;
        let (number, end) = (state.last, state.clock + TERM);
        state.leases.insert(job.clone(), (number, end));
        Ok(Taken::Lease(Box::new(MemoryLease { pool: self.clone(), job: job.clone(), number })))
    }
}

/// A lease of a job by its number.
#[derive(Debug)]
struct MemoryLease {
    pool: MemoryPool,
    job: JobId,
    number: u64,
}

impl Lease for MemoryLease {
    fn term(&self) -> Option<Duration> {
        Some(self.pool.reported_term)
    }

    fn renew(&mut self) -> Result<bool, LeaseError> {
        let mut state = self.pool.state.lock().unwrap();
        let clock = state.clock;
        let held =
            state.leases.get_mut(&self.job).filter(|(number, end)| *number == self.number && *end > clock);
        Ok(held.map(|(_, end)| *end = clock + TERM).is_some())
    }
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        let mut state = self.pool.state.lock().unwrap();
        if state.leases.get(&self.job).is_some_and(|(number, _)| *number == self.number) {
            state.leases.remove(&self.job);
        }
    }
}
