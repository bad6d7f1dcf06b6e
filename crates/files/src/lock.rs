//! [`Lock`]: the right of one process to work on a file.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::{Disk, Handle, Kind};

/// The largest number of bytes that are read of the name of a lock's holder.
const LINE: u64 = 100;
/// The words before the number of a lock's holder.
const PROCESS: &str = "process ";
/// The number of times that a lock file may vanish between its opening and its lock.
const TRIES: usize = 100;

/// A lock on a file of its own. The system frees the lock when the process ends, in whatever way. Dropping this value
/// frees the lock and removes the file. A lock file without a process is free: no user need delete it. A file with other
/// content than the name of a process is no lock file, and stays as it is.
///
/// The lock is the system's (`flock` on Unix, `LockFileEx` on Windows). Across machines the lock holds only if the
/// network file system has locks.
#[derive(Debug)]
pub struct Lock {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    /// The open lock file, which is closed after the file is removed, never before.
    held: Box<dyn Handle>,
}

/// The reason why there is no lock.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// The lock file cannot be made or locked.
    #[error("{}: {error}", path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Another process holds the lock.
    #[error("{by} is at work on it and holds {}: wait until it ends, or stop it", path.display())]
    Held {
        /// The lock file.
        path: PathBuf,
        /// The process that holds the lock, in words.
        by: String,
    },
}

impl Lock {
    /// Makes a lock file if there is none, and takes its lock.
    ///
    /// # Errors
    /// [`LockError::Held`] if another process, or another `Lock` of this process, holds the lock; [`LockError::Io`]
    /// with the error of the system, and for a file that is no lock file.
    pub fn take(disk: &Arc<dyn Disk>, path: &Path) -> Result<Self, LockError> {
        let failed = |error| LockError::Io { path: path.to_owned(), error };
        for _ in 0..TRIES {
            let mut file = disk.edit(path).map_err(failed)?;
            if !file.try_lock().map_err(failed)? {
                return Err(LockError::Held { path: path.to_owned(), by: holder(&mut *file) });
            }
            // The last holder may have removed the file after this process opened it.
            if !file.is_at(path).map_err(failed)? {
                continue;
            }
            // A pipe is not read: a read would wait for a writer.
            let is_file = disk.look(path).map_err(failed)?.is_some_and(|entry| entry.kind == Kind::File);
            if !(is_file && is_lock_file(&mut *file).map_err(failed)?) {
                let why = "it is no lock file: it says something else than `process N`; move it, or take another name";
                return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, why)));
            }
            // On a full disk the lock holds too, without a name in its file.
            let name = format!("{PROCESS}{}\n", std::process::id());
            let _ = file.cut(0).and_then(|()| file.write_all(name.as_bytes()));
            return Ok(Self { disk: Arc::clone(disk), path: path.to_owned(), held: file });
        }
        Err(failed(io::Error::other(format!("the file vanished {TRIES} times while it was being locked"))))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file may have been deleted, and its name may lead to the lock file of another process now.
        if self.held.is_at(&self.path).unwrap_or(true) {
            // A lock file that cannot be removed is free too.
            let _ = self.disk.remove(&self.path);
        }
    }
}

/// `true` for a file that is empty or begins with the name of a process, which may be cut off; in earlier versions more words
/// followed. A power failure may leave zeros.
fn is_lock_file(file: &mut dyn Handle) -> io::Result<bool> {
    let mut bytes = Vec::new();
    file.take(LINE).read_to_end(&mut bytes)?;
    let is_name = match bytes.strip_prefix(PROCESS.as_bytes()) {
        Some(id) => id.first().is_none_or(u8::is_ascii_digit),
        None => PROCESS.as_bytes().starts_with(&bytes),
    };
    Ok(is_name || bytes.iter().all(|&byte| byte == 0))
}

/// The process whose name is in a lock file.
fn holder(file: &mut dyn Handle) -> String {
    let mut text = String::new();
    let read = file.take(LINE).read_to_string(&mut text);
    match text.trim() {
        name if read.is_ok() && name.strip_prefix(PROCESS).is_some_and(|id| id.parse::<u32>().is_ok()) => {
            name.to_owned()
        }
        _ => "another process".to_owned(),
    }
}
