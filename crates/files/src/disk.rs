//! [`Disk`] and [`Handle`]: the operations on files.

use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The kind of a directory entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Another kind: a pipe, a terminal, a device.
    Other,
}

/// The present state of a directory entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Its kind.
    pub kind: Kind,
    /// The number of its bytes.
    pub len: u64,
    /// The time of its last change; `None` if the system has no such time.
    pub modified: Option<SystemTime>,
}

/// The operations on files that the commands are built on. There are two implementations: [`System`](crate::System),
/// and [`Simulated`](crate::Simulated), on which each operation can be made to fail.
pub trait Disk: Debug + Send + Sync {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// The error of the system; [`NotFound`](io::ErrorKind::NotFound) if there is no file.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// Makes an empty file for writing; an existing file is emptied. The new file has the permissions of `like`, if that file
    /// exists.
    ///
    /// # Errors
    /// The error of the system.
    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn Handle>>;

    /// Opens a file for reading and writing, at its beginning; makes an empty file if there is none.
    ///
    /// # Errors
    /// The error of the system.
    fn edit(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// Renames a file. An existing file with the new name is replaced.
    ///
    /// # Errors
    /// The error of the system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// The error of the system; [`NotFound`](io::ErrorKind::NotFound) if there is no file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes a directory and all its parents; an existing directory stays as it is.
    ///
    /// # Errors
    /// The error of the system.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty directory.
    ///
    /// # Errors
    /// The error of the system; a directory that is not empty stays.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a directory survive a power failure. Without effect on a system without this operation.
    ///
    /// # Errors
    /// The error of the system.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;

    /// The entry at a path, with links followed; `None` if there is none.
    ///
    /// # Errors
    /// The error of the system.
    fn look(&self, path: &Path) -> io::Result<Option<Look>>;

    /// The file that a path stands for: the path itself, unless it is a symbolic link.
    ///
    /// # Errors
    /// The error of the system, also for links that lead in a circle.
    fn target(&self, path: &Path) -> io::Result<PathBuf>;
}

/// An open file.
pub trait Handle: Read + Write + Send + Debug {
    /// Makes the content survive a power failure.
    ///
    /// # Errors
    /// The error of the system.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file to a length; the next write continues at the new end.
    ///
    /// # Errors
    /// The error of the system.
    fn cut(&mut self, len: u64) -> io::Result<()>;

    /// Locks the file until this handle is dropped or its process ends. Returns `false` if another handle holds the
    /// lock.
    ///
    /// # Errors
    /// The error of the system, also for a file system without locks.
    fn try_lock(&mut self) -> io::Result<bool>;

    /// `true` if a path still leads to this file, and not to another file or to none.
    ///
    /// # Errors
    /// The error of the system.
    fn is_at(&self, path: &Path) -> io::Result<bool>;
}

/// The directory in which a path lies.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// `None` in place of the error for a file that does not exist.
pub(crate) fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
