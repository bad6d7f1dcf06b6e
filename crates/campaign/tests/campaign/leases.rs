//! Tests of the law of leases, for leases by locks on files, for leases with a term, and for leases that break the
//! law.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use stonework_campaign::laws::{self, BrokenLease, Pool};
use stonework_campaign::{FileLeases, Holder, JobId, Lease, LeaseError, Leases, Taken};
use stonework_files::System;

use crate::common::{MemoryPool, folder};

/// Leases by locks on files in a directory of their own.
struct FilePool {
    folder: PathBuf,
}

impl FilePool {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let folder = folder(&format!("leases-{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir_all(folder.join("p.parts/a1.proof.parts")).unwrap();
        Self { folder }
    }

    /// The existing lock files, with their contents.
    fn locks(&self) -> HashMap<PathBuf, Vec<u8>> {
        let mut found = HashMap::new();
        for part in ["", "p.parts", "p.parts/a1.proof.parts"] {
            for entry in fs::read_dir(self.folder.join(part)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|ending| ending == "lock") {
                    found.insert(path.clone(), fs::read(&path).unwrap());
                }
            }
        }
        found
    }
}

impl Pool for FilePool {
    fn worker(&self) -> Arc<dyn Leases> {
        Arc::new(FileLeases::new(Arc::new(System), self.folder.join("p")))
    }

    /// Drops the lease and restores its lock file: the system frees the lock of a killed process, and the lock
    /// file stays.
    fn kill(&self, lease: Box<dyn Lease>) {
        let before = self.locks();
        drop(lease);
        for (path, content) in before {
            fs::write(path, content).unwrap();
        }
    }
}

impl Drop for FilePool {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).unwrap();
    }
}

#[test]
fn leases_by_locks_on_files_keep_the_law() {
    laws::leases(FilePool::new).unwrap();
}

#[test]
fn leases_with_a_term_keep_the_law() {
    laws::leases(MemoryPool::new).unwrap();
}

#[test]
fn a_list_without_its_directory_is_closed_and_a_campaign_without_its_directory_is_an_error() {
    let folder = folder("closed");
    let leases = FileLeases::new(Arc::new(System), folder.join("p"));
    assert!(matches!(leases.take(&JobId::whole().child("a1")).unwrap(), Taken::Closed));
    let nowhere = FileLeases::new(Arc::new(System), folder.join("missing").join("p"));
    let error = nowhere.take(&JobId::whole()).unwrap_err();
    assert!(error.to_string().contains("p.lock: "), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_holder_of_a_file_is_named_with_the_file() {
    let folder = folder("named");
    let leases = FileLeases::new(Arc::new(System), folder.join("p"));
    let Taken::Lease(_lease) = leases.take(&JobId::whole()).unwrap() else { panic!("not free") };
    let holder = leases.holder(&JobId::whole()).unwrap().unwrap();
    let lease = folder.join("p.lock").display().to_string();
    assert_eq!(holder, Holder { worker: format!("process {}", std::process::id()), lease });
    assert!(Path::new(&holder.lease).exists());
    fs::remove_dir_all(&folder).unwrap();
}

/// A way to break the law.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    /// Every job is always free.
    Free,
    /// A job that is given back is never free again.
    Kept,
    /// A job that was taken holds all jobs.
    OneForAll,
    /// Looking for the holder of a free job takes the job.
    Look,
    /// Holders have no names.
    Nameless,
    /// The first renewal loses the lease.
    Renewal,
    /// The job of a dead holder is lost.
    Lost,
}

#[derive(Debug)]
struct Broken {
    fault: Fault,
    inner: Arc<dyn Leases>,
}

#[derive(Debug)]
struct BrokenOne {
    fault: Fault,
    inner: Option<Box<dyn Lease>>,
}

impl Leases for Broken {
    fn take(&self, job: &JobId) -> Result<Taken, LeaseError> {
        let nobody = Holder { worker: String::new(), lease: String::new() };
        let job = if self.fault == Fault::OneForAll { &JobId::whole() } else { job };
        Ok(match (self.inner.take(job)?, self.fault) {
            (Taken::Lease(lease), fault) => Taken::Lease(Box::new(BrokenOne { fault, inner: Some(lease) })),
            (Taken::Held(_), Fault::Free) => {
                Taken::Lease(Box::new(BrokenOne { fault: Fault::Free, inner: None }))
            }
            (Taken::Held(_), Fault::Nameless) => Taken::Held(nobody),
            (other, _) => other,
        })
    }

    fn holder(&self, job: &JobId) -> Result<Option<Holder>, LeaseError> {
        Ok(match self.take(job)? {
            Taken::Held(holder) => Some(holder),
            Taken::Lease(lease) => {
                if self.fault == Fault::Look {
                    std::mem::forget(lease);
                }
                None
            }
            Taken::Closed => None,
        })
    }
}

impl Lease for BrokenOne {
    fn term(&self) -> Option<Duration> {
        None
    }

    fn renew(&mut self) -> Result<bool, LeaseError> {
        if self.fault == Fault::Renewal {
            self.inner = None;
        }
        Ok(self.fault != Fault::Renewal)
    }
}

impl Drop for BrokenOne {
    fn drop(&mut self) {
        if self.fault == Fault::Kept {
            std::mem::forget(self.inner.take());
        }
    }
}

struct BrokenPool(Fault, MemoryPool);

impl Pool for BrokenPool {
    fn worker(&self) -> Arc<dyn Leases> {
        Arc::new(Broken { fault: self.0, inner: self.1.worker() })
    }

    fn kill(&self, lease: Box<dyn Lease>) {
        if self.0 == Fault::Lost {
            std::mem::forget(lease);
        } else {
            self.1.kill(lease);
        }
    }
}

#[test]
fn each_way_to_break_the_law_is_found() {
    use Fault::{Free, Kept, Look, Lost, Nameless, OneForAll, Renewal};
    for fault in [Free, Kept, OneForAll, Look, Nameless, Renewal, Lost] {
        let found = laws::leases(|| BrokenPool(fault, MemoryPool::new()));
        assert!(matches!(found, Err(BrokenLease::Law { .. })), "{fault:?}: {found:?}");
    }
}
