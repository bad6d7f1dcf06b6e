//! [`TableBuild`]: the build of a table into a file, in one run or several.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use stonework_files::{Disk, Kind, Lock, LockError, replace, with_ending};

use crate::{Checkpoint, Options, ProgressWatch, SolveError, Solved, StateSpace, StoreError, Table, resume};

/// Seconds between checkpoints unless the caller sets others.
const INTERVAL: Duration = Duration::from_secs(60);

/// The reason why a table cannot be built into a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The path leads nowhere, to a directory or to a file without write permission, or the system gives no length of the
    /// written file.
    #[error("{}: {error}", path.display())]
    Path {
        /// The path of the table.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Another process builds the same file.
    #[error("{}: {lock}", path.display())]
    Held {
        /// The path of the table.
        path: PathBuf,
        /// The lock, with the process that holds it.
        lock: LockError,
    },
    /// The lock cannot be taken.
    #[error(transparent)]
    Lock(LockError),
    /// The table cannot be written.
    #[error("{}: {error}", path.display())]
    Store {
        /// The path of the table.
        path: PathBuf,
        /// The reason.
        error: StoreError,
    },
    /// The checkpoint cannot be removed.
    #[error(transparent)]
    Checkpoint(SolveError),
}

/// A table that is solved into a file. A build that is broken off goes on where it was, in another process too.
///
/// Two files stand beside the file `FILE`: `FILE.lock`, which no second build can take, and `FILE.part`, the
/// [`Checkpoint`]. If the path is a link, both stand beside the file that the link leads to. Dropping this value frees
/// the lock; storing the table removes the checkpoint.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::path::Path;
/// use std::sync::Arc;
/// use stonework_endgame::example::Heaps;
/// use stonework_endgame::{Options, SolveError, Stored, TableBuild};
/// use stonework_files::{Disk, Simulated};
/// let disk = Simulated::new();                                   // or `System`
/// let (heaps, shared): (_, Arc<dyn Disk>) = (Heaps(30), Arc::new(disk.clone()));
/// let build = TableBuild::open("nim.table", Arc::clone(&shared))?;
/// let stopped = build.solve(&heaps, "nim", &"heap 30", &Options::default(), &mut |_| ControlFlow::Break(()));
/// assert_eq!(stopped.unwrap_err(), SolveError::Stopped);
/// assert!(disk.content(build.checkpoint()).is_some());
/// drop(build);
///
/// let build = TableBuild::open("nim.table", shared)?;
/// let solved = build.solve(&heaps, "nim", &"heap 30", &Options::default(), &mut |_| ControlFlow::Continue(()))?;
/// let bytes = build.store("nim", &"heap 30", &solved.table)?;
/// let file = disk.content(Path::new("nim.table")).unwrap();
/// assert_eq!(file.len() as u64, bytes);
/// assert_eq!(Stored::open(file)?.table()?, solved.table);
/// assert_eq!(disk.content(build.checkpoint()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableBuild {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    part: PathBuf,
    interval: Duration,
    _lock: Lock,
}

impl TableBuild {
    /// Takes the lock of a file, and makes sure that a table can replace the file. The first change of the file itself is in
    /// [`TableBuild::store`].
    ///
    /// # Errors
    /// [`BuildError::Held`] if another build holds the lock; [`BuildError::Path`] and [`BuildError::Lock`] with the
    /// error of the system.
    pub fn open(path: impl Into<PathBuf>, disk: Arc<dyn Disk>) -> Result<Self, BuildError> {
        let path = path.into();
        let refused = |error| BuildError::Path { path: path.clone(), error };
        let target = disk.target(&path).map_err(refused)?;
        check_writable(&*disk, &target).map_err(refused)?;
        let lock = Lock::take(&disk, &with_ending(&target, ".lock")).map_err(|lock| match lock {
            lock @ LockError::Held { .. } => BuildError::Held { path: path.clone(), lock },
            lock => BuildError::Lock(lock),
        })?;
        Ok(Self { disk, path, part: with_ending(&target, ".part"), interval: INTERVAL, _lock: lock })
    }

    /// The same build with another time between checkpoints than one minute, as in [`Checkpoint::every`].
    #[must_use]
    pub fn every(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// The file of the checkpoint.
    #[must_use]
    pub fn checkpoint(&self) -> &Path {
        &self.part
    }

    /// Solves a space; if there is a checkpoint, the build goes on from it. [`TableBuild::store`] takes the same game
    /// and parameters.
    ///
    /// # Errors
    /// As [`resume`]. After [`SolveError::Stopped`] the checkpoint is written, and the same call goes on from it.
    pub fn solve<S: StateSpace>(
        &self,
        space: &S,
        game: &str,
        parameters: &dyn Display,
        options: &Options,
        watch: ProgressWatch,
    ) -> Result<Solved, SolveError> {
        resume(space, options, &self.kept(game, parameters), watch)
    }

    /// Writes the table and removes the checkpoint. The new file replaces the old one when the new one is complete.
    /// Returns the number of bytes of the file.
    ///
    /// # Errors
    /// [`BuildError::Store`], [`BuildError::Path`] and [`BuildError::Checkpoint`] with the error of the system.
    pub fn store(&self, game: &str, parameters: &dyn Display, table: &Table) -> Result<u64, BuildError> {
        let path = || self.path.clone();
        let text = parameters.to_string();
        replace(&*self.disk, &self.path, |mut file| table.write(game, &text, &mut file))
            .map_err(|error: StoreError| BuildError::Store { path: path(), error })?;
        let there = self.disk.look(&self.path).map_err(|error| BuildError::Path { path: path(), error })?;
        self.kept(game, parameters).remove().map_err(BuildError::Checkpoint)?;
        Ok(there.map_or(0, |there| there.len))
    }

    fn kept(&self, game: &str, parameters: &dyn Display) -> Checkpoint {
        Checkpoint::new(&self.part, game, &parameters.to_string())
            .every(self.interval)
            .on(Arc::clone(&self.disk))
    }
}

/// Refuses a directory, and a file without write permission, before the work for it.
fn check_writable(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    match disk.look(path)?.map(|there| there.kind) {
        Some(Kind::Directory) => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")),
        Some(Kind::File) => disk.edit(path).map(drop),
        _ => Ok(()),
    }
}
