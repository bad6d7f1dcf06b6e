//! Directories for the tests, and a pool of leases with a term in memory.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use stonework_campaign::laws::Pool;
use stonework_campaign::{Holder, JobId, Lease, LeaseError, Leases, Taken};

/// An empty directory of its own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("stonework-campaign-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The term of a lease in ticks of the clock of the pool.
const TERM: u64 = 10;

#[derive(Debug, Default)]
struct State {
    clock: u64,
    /// For each job the number of its lease, and the end of its term.
    leases: HashMap<JobId, (u64, u64)>,
    next: u64,
}

/// A pool in memory, like that of a server, whose leases last for a term of the pool's own clock.
#[derive(Clone, Debug)]
pub(crate) struct MemoryPool {
    state: Arc<Mutex<State>>,
    /// The term that leases report.
    term: Duration,
}

impl MemoryPool {
    pub(crate) fn new() -> Self {
        Self { state: Arc::default(), term: Duration::from_secs(3600) }
    }

    /// Lets all terms pass.
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
        state.next += 1;
        let (number, end) = (state.next, state.clock + TERM);
        state.leases.insert(job.clone(), (number, end));
        Ok(Taken::Lease(Box::new(MemoryLease { pool: self.clone(), job: job.clone(), number })))
    }
}

#[derive(Debug)]
struct MemoryLease {
    pool: MemoryPool,
    job: JobId,
    number: u64,
}

impl Lease for MemoryLease {
    fn term(&self) -> Option<Duration> {
        Some(self.pool.term)
    }

    fn renew(&mut self) -> Result<bool, LeaseError> {
        let mut state = self.pool.state.lock().unwrap();
        let clock = state.clock;
        let own =
            state.leases.get_mut(&self.job).filter(|(number, end)| *number == self.number && *end > clock);
        Ok(own.map(|(_, end)| *end = clock + TERM).is_some())
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
