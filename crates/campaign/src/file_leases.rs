//! [`FileLeases`]: leases by locks of the file system.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use stonework_files::{Disk, Lock, LockError};

use crate::job::Layout;
use crate::{Holder, JobId, Lease, LeaseError, Leases, Taken};

/// Leases by locks of the system on files beside the proof, for processes that see one directory.
///
/// The lock file of a job lies where the job's own files lie: `FILE.lock` for a campaign of one job,
/// `FILE.parts/a1.lock` for the move `a1`, `FILE.parts/all.lock` for the job that puts the proof together. A lock
/// has no term. The system frees the lock when its process ends, in whatever way, and a lock file without a
/// process has no effect. Across machines the leases work only if the network file system has locks.
///
/// ```
/// use std::sync::Arc;
/// use stonework_campaign::{FileLeases, JobId, Leases, Taken};
/// use stonework_files::System;
/// # let folder = std::env::temp_dir().join(format!("stonework-leases-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let leases = FileLeases::new(Arc::new(System), folder.join("proof"));
/// let Taken::Lease(lease) = leases.take(&JobId::whole())? else { panic!("nobody else is here") };
/// let holder = leases.holder(&JobId::whole())?.unwrap();
/// assert_eq!(holder.worker, format!("process {}", std::process::id()));
/// drop(lease);
/// assert_eq!(leases.holder(&JobId::whole())?, None);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileLeases {
    disk: Arc<dyn Disk>,
    layout: Layout,
}

impl FileLeases {
    /// Leases for the campaign whose proof is `file`.
    #[must_use]
    pub const fn new(disk: Arc<dyn Disk>, file: PathBuf) -> Self {
        Self { disk, layout: Layout::new(file) }
    }
}

impl Leases for FileLeases {
    fn take(&self, job: &JobId) -> Result<Taken, LeaseError> {
        let path = self.layout.lock(job);
        Ok(match Lock::take(&self.disk, &path) {
            Ok(lock) => Taken::Lease(Box::new(FileLease { _lock: lock })),
            Err(LockError::Held { path, by }) => {
                Taken::Held(Holder { worker: by, lease: path.display().to_string() })
            }
            Err(error) if is_missing(&error) && *job != JobId::whole() => Taken::Closed,
            Err(error) => return Err(lease_error(error, &path)),
        })
    }
}

/// `true` if the directory of the lock file does not exist. A worker that finishes a list removes the directory of
/// the list.
pub(crate) fn is_missing(error: &LockError) -> bool {
    matches!(error, LockError::Io { error, .. } if error.kind() == ErrorKind::NotFound)
}

pub(crate) fn lease_error(error: LockError, path: &Path) -> LeaseError {
    let lease = path.display().to_string();
    match error {
        LockError::Io { error, .. } => LeaseError { lease, error },
        other => LeaseError { lease, error: std::io::Error::other(other.to_string()) },
    }
}

/// A lease by a lock of the system.
#[derive(Debug)]
struct FileLease {
    _lock: Lock,
}

impl Lease for FileLease {
    fn term(&self) -> Option<Duration> {
        None
    }

    fn renew(&mut self) -> Result<bool, LeaseError> {
        Ok(true)
    }
}
