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
    /// Anything else: a pipe, a terminal, a device.
    Other,
}

/// A directory entry as it is now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Its kind.
    pub kind: Kind,
    /// The bytes in it.
    pub len: u64,
    /// The time of its last change, where the system tells it.
    pub modified: Option<SystemTime>,
}

/// The operations on files that the commands are built on. Two implementations: [`System`](crate::System) and
/// [`Simulated`](crate::Simulated), on which every operation can be made to fail.
pub trait Disk: Debug + Send + Sync {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// The system's; [`NotFound`](io::ErrorKind::NotFound) if there is none.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// Makes an empty file for writing; an existing file is emptied. The new file has the permissions of `like`, if that file
    /// exists.
    ///
    /// # Errors
    /// The system's.
    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn Handle>>;

    /// Opens a file for reading and writing, at its beginning; makes an empty one if there is none.
    ///
    /// # Errors
    /// The system's.
    fn edit(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// Gives a file another name. A file that has this name already is replaced.
    ///
    /// # Errors
    /// The system's.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// The system's; [`NotFound`](io::ErrorKind::NotFound) if there is none.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes a directory and all its parents; an existing directory stays as it is.
    ///
    /// # Errors
    /// The system's.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty directory.
    ///
    /// # Errors
    /// The system's; a directory that is not empty stays.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a directory survive a failure of power. Without effect where the system has no such operation.
    ///
    /// # Errors
    /// The system's.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;

    /// The entry at a path, with links followed; `None` if there is none.
    ///
    /// # Errors
    /// The system's.
    fn look(&self, path: &Path) -> io::Result<Option<Look>>;

    /// The file that a path stands for: the path itself, unless it is a symbolic link.
    ///
    /// # Errors
    /// The system's, and links that lead in a circle.
    fn target(&self, path: &Path) -> io::Result<PathBuf>;
}

/// An open file.
pub trait Handle: Read + Write + Send + Debug {
    /// Makes the content survive a failure of power.
    ///
    /// # Errors
    /// The system's.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file to a length, and goes on writing there.
    ///
    /// # Errors
    /// The system's.
    fn cut(&mut self, len: u64) -> io::Result<()>;

    /// Locks the file until this handle is dropped or its process ends; false if another handle holds the lock.
    ///
    /// # Errors
    /// The system's, and that the file system has no locks.
    fn try_lock(&mut self) -> io::Result<bool>;

    /// Whether a path still leads to this file, and not to another one or to none.
    ///
    /// # Errors
    /// The system's.
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
