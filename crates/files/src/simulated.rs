//! [`Simulated`]: a disk in memory that fails where a test demands.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::disk::{Disk, Handle, Kind, Look, parent};

/// The way in which an operation fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskFault {
    /// The operation returns an error and has no effect. Later operations succeed.
    Error,
    /// A write takes half of the bytes, or returns an error if there is only one byte. Other operations return an error.
    Short,
    /// The process is killed: a write takes half of the bytes, and no later operation has an effect.
    Kill,
}

/// The data that are left after the end of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// All written data: only the process has ended.
    Written,
    /// All names, and the synced content of each file: the power failed after the names reached the disk.
    Names,
    /// The names in synced directories, and the synced content of each file: the power failed.
    Synced,
}

/// A disk in memory, for tests of programs that write files. The disk counts operations, makes one of them fail, and
/// shows the data that a kill or a power failure leaves.
///
/// Directories and their names survive all failures; only files and their names can be lost. There are no symbolic
/// links. Clones share one disk.
#[derive(Clone, Debug, Default)]
pub struct Simulated {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// All files by number; a file without a name stays until the end.
    files: Vec<Content>,
    names: BTreeMap<PathBuf, usize>,
    synced: BTreeMap<PathBuf, usize>,
    directories: BTreeSet<PathBuf>,
    locks: BTreeSet<usize>,
    operations: usize,
    fault: Option<(usize, DiskFault)>,
    dead: bool,
}

#[derive(Clone, Debug, Default)]
struct Content {
    bytes: Vec<u8>,
    synced: Vec<u8>,
    /// The number of changes so far.
    changed: u64,
}

/// The effect of an operation.
#[derive(PartialEq, Eq)]
enum Course {
    Done,
    /// Half of a write.
    Half,
}

impl State {
    /// Counts an operation and returns its effect.
    fn begin(&mut self) -> io::Result<Course> {
        let number = self.operations;
        self.operations += 1;
        if self.dead {
            return Err(io::Error::other("the process is gone"));
        }
        let failed = || {
            Err(io::Error::new(io::ErrorKind::StorageFull, format!("operation {number} was made to fail")))
        };
        match self.fault.filter(|(at, _)| *at == number).map(|(_, fault)| fault) {
            None => Ok(Course::Done),
            Some(DiskFault::Error) => failed(),
            Some(DiskFault::Short) => Ok(Course::Half),
            Some(DiskFault::Kill) => {
                self.dead = true;
                Ok(Course::Half)
            }
        }
    }

    /// As [`begin`](State::begin), for an operation that cannot be done by half.
    fn whole(&mut self) -> io::Result<()> {
        match self.begin()? {
            Course::Done => Ok(()),
            Course::Half => Err(io::Error::other("this operation was made to fail")),
        }
    }

    fn number(&self, path: &Path) -> io::Result<usize> {
        self.names.get(path).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Renames a directory with all its files, synced or not: its entry is one name of the directory above.
    fn rename_directory(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let below = |name: &PathBuf| name.strip_prefix(from).ok().map(|rest| to.join(rest));
        if self.directories.contains(to) && self.names.keys().any(|name| name.starts_with(to)) {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        let moved = |name: PathBuf| below(&name).unwrap_or(name);
        self.directories = std::mem::take(&mut self.directories).into_iter().map(moved).collect();
        for names in [&mut self.names, &mut self.synced] {
            *names = std::mem::take(names).into_iter().map(|(name, file)| (moved(name), file)).collect();
        }
        Ok(())
    }

    /// The file at a path; an empty new file if there is none. An error if the directory was renamed or removed.
    fn found_or_made(&mut self, path: &Path) -> io::Result<usize> {
        let lies_in = parent(path);
        match self.names.get(path) {
            Some(&file) => Ok(file),
            None if lies_in == Path::new(".") || self.directories.contains(lies_in) => Ok(self.make(path)),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn make(&mut self, path: &Path) -> usize {
        self.files.push(Content::default());
        self.names.insert(path.to_owned(), self.files.len() - 1);
        self.files.len() - 1
    }
}

impl Simulated {
    /// An empty disk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of operations so far, with looks and reads.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.state().operations
    }

    /// Makes the operation with a number, counted from 0, fail.
    pub fn fail_at(&self, operation: usize, fault: DiskFault) {
        self.state().fault = Some((operation, fault));
    }

    /// The disk for the next process: no operation fails any more, and no lock is held.
    #[must_use]
    pub fn restarted(&self, kept: Kept) -> Self {
        let state = self.state();
        let names = if kept == Kept::Synced { &state.synced } else { &state.names }.clone();
        let mut files = state.files.clone();
        for file in &mut files {
            match kept {
                Kept::Written => file.synced.clone_from(&file.bytes),
                Kept::Names | Kept::Synced => file.bytes.clone_from(&file.synced),
            }
        }
        // A directory stays if one of its files has come back.
        let above = names.keys().flat_map(|name| name.ancestors().skip(1).map(Path::to_owned));
        let directories = state.directories.iter().cloned().chain(above).collect();
        let state = State { files, synced: names.clone(), names, directories, ..State::default() };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// The bytes of a file; `None` if there is no file. Not an operation.
    #[must_use]
    pub fn content(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.state();
        state.names.get(path).map(|&file| state.files[file].bytes.clone())
    }

    /// Puts a file at a path, synced with its name. Not an operation.
    pub fn put(&self, path: &Path, bytes: &[u8]) {
        let mut state = self.state();
        let file = state.make(path);
        state.files[file] = Content { bytes: bytes.to_owned(), synced: bytes.to_owned(), changed: 0 };
        state.synced.insert(path.to_owned(), file);
    }

    /// The paths of all files, in order. Not an operation.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        self.state().names.keys().cloned().collect()
    }

    fn handle(&self, file: usize) -> Box<dyn Handle> {
        Box::new(Open { disk: self.clone(), file, at: 0, locked: false })
    }
}

impl Disk for Simulated {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let mut state = self.state();
        state.whole()?;
        let file = state.number(path)?;
        drop(state);
        Ok(self.handle(file))
    }

    fn create(&self, path: &Path, _: Option<&Path>) -> io::Result<Box<dyn Handle>> {
        let mut state = self.state();
        state.whole()?;
        let file = state.found_or_made(path)?;
        state.files[file].bytes.clear();
        state.files[file].changed += 1;
        drop(state);
        Ok(self.handle(file))
    }

    fn edit(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let mut state = self.state();
        state.whole()?;
        let file = state.found_or_made(path)?;
        drop(state);
        Ok(self.handle(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.whole()?;
        if state.directories.contains(from) {
            return state.rename_directory(from, to);
        }
        let file = state.number(from)?;
        state.names.remove(from);
        state.names.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.whole()?;
        state.number(path)?;
        state.names.remove(path);
        Ok(())
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.whole()?;
        let all = path.ancestors().filter(|above| *above != Path::new("")).map(Path::to_owned);
        state.directories.extend(all);
        Ok(())
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.whole()?;
        if state.names.keys().any(|name| parent(name) == path) {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        if state.directories.remove(path) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.whole()?;
        let here = |name: &PathBuf| parent(name) == path;
        let there: Vec<_> =
            state.names.iter().filter(|(name, _)| here(name)).map(|(n, &f)| (n.clone(), f)).collect();
        state.synced.retain(|name, _| !here(name));
        state.synced.extend(there);
        Ok(())
    }

    fn look(&self, path: &Path) -> io::Result<Option<Look>> {
        let mut state = self.state();
        state.whole()?;
        if state.directories.contains(path) {
            return Ok(Some(Look { kind: Kind::Directory, len: 0, modified: None }));
        }
        Ok(state.number(path).ok().map(|file| {
            let content = &state.files[file];
            // Another file under the same name is a change as well.
            let time = Duration::from_secs(file as u64) + Duration::from_nanos(content.changed);
            Look {
                kind: Kind::File,
                len: content.bytes.len() as u64,
                modified: Some(SystemTime::UNIX_EPOCH + time),
            }
        }))
    }

    fn target(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }
}

/// An open file.
#[derive(Debug)]
struct Open {
    disk: Simulated,
    file: usize,
    at: usize,
    locked: bool,
}

impl Read for Open {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        state.whole()?;
        let rest = state.files[self.file].bytes.get(self.at..).unwrap_or_default();
        let count = rest.len().min(to.len());
        to[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

impl Write for Open {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        let count = match state.begin()? {
            Course::Done => bytes.len(),
            Course::Half => bytes.len() / 2,
        };
        let content = &mut state.files[self.file];
        let end = self.at + count;
        if content.bytes.len() < end {
            content.bytes.resize(end, 0);
        }
        content.bytes[self.at..end].copy_from_slice(&bytes[..count]);
        content.changed += 1;
        self.at = end;
        // A writer would try for ever after a write of 0 bytes.
        if count == 0 && !bytes.is_empty() || state.dead {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "a write was made to fail"));
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Handle for Open {
    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.disk.state();
        state.whole()?;
        let content = &mut state.files[self.file];
        content.synced.clone_from(&content.bytes);
        Ok(())
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        let mut state = self.disk.state();
        state.whole()?;
        let len = usize::try_from(len).map_err(io::Error::other)?;
        let content = &mut state.files[self.file];
        content.bytes.resize(len, 0);
        content.changed += 1;
        self.at = len;
        Ok(())
    }

    fn try_lock(&mut self) -> io::Result<bool> {
        let mut state = self.disk.state();
        state.whole()?;
        self.locked = self.locked || state.locks.insert(self.file);
        Ok(self.locked)
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let mut state = self.disk.state();
        state.whole()?;
        Ok(state.number(path).ok() == Some(self.file))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.locked {
            // A lock ends with its process, so the locks of a process that was killed are removed too.
            self.disk.state().locks.remove(&self.file);
        }
    }
}
