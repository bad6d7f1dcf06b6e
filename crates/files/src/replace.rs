//! [`replace`]: a file that appears under its name only when it is complete.

use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, Handle, Kind, parent};

/// Writes a file so that its name always leads to complete content: to the old content until all of the new content is on the
/// disk, then to the new content.
///
/// The content goes to the file [`unfinished`], whose name belongs to this function alone. That file is synced and renamed to
/// `PATH`, and the directory is synced. If a step up to the renaming fails, the unfinished file is removed and the old file
/// stays; an unfinished file that cannot be opened stays, too. If only the sync of the directory fails, the new file is in
/// place, and the error is returned. If the process is killed, the unfinished file may stay; the next `replace` writes over
/// it. Processes that may replace the same file at the same time need a [`Lock`](crate::Lock).
///
/// A symbolic link stays, and its target is replaced. The new file has the permissions of the old file. A pipe, a
/// terminal or a device, such as `/dev/stdout`, is written to directly; writing to a named pipe waits for a reader.
///
/// # Errors
/// The error of `write` or of the disk; an error for a directory, and for a file without write permission.
pub fn replace<T, E: From<io::Error>>(
    disk: &dyn Disk,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    // This check uses `path` and not its target: the target of a pipe's link in `/proc` is a name that leads to no file.
    if disk.look(path)?.is_some_and(|entry| entry.kind == Kind::Other) {
        let mut out = BufWriter::new(disk.create(path, None)?);
        let value = write(&mut out)?;
        out.flush()?;
        return Ok(value);
    }
    let target = disk.target(path)?;
    match disk.look(&target)?.map(|entry| entry.kind) {
        Some(Kind::Directory) => {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory").into());
        }
        // A file without write permission must not be replaced, although its directory would allow it.
        Some(Kind::File) => drop(disk.edit(&target)?),
        Some(Kind::Other) | None => {}
    }
    let beside = unfinished(&target);
    // A file that cannot be opened is another's, and stays.
    let file = disk.create(&beside, Some(&target))?;
    let written = write_beside(disk, file, &beside, &target, write);
    if written.is_err() {
        // The caller gets the error of `write_beside`; an error of the removal is ignored.
        let _ = disk.remove(&beside);
    }
    written
}

/// Writes the content to `file`, whose path is `beside`, and renames that file to `target`.
fn write_beside<T, E: From<io::Error>>(
    disk: &dyn Disk,
    file: Box<dyn Handle>,
    beside: &Path,
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let value = write(&mut out)?;
    out.into_inner().map_err(IntoInnerError::into_error)?.sync()?;
    disk.rename(beside, target)?;
    disk.sync_directory(parent(target))?;
    Ok(value)
}

/// The path to which [`replace`] writes before the file gets its own name: `PATH.stonework-new`. No file of a user has such a name by
/// chance, so that a program may remove one that a killed process has left.
///
/// ```
/// use std::path::Path;
/// assert_eq!(stonework_files::unfinished(Path::new("a/b.proof")), Path::new("a/b.proof.stonework-new"));
/// ```
#[must_use]
pub fn unfinished(path: &Path) -> PathBuf {
    with_ending(path, ".stonework-new")
}

/// A path with an ending, such as `.lock`, appended to its whole name: the path of a file that belongs to the file at `path`.
///
/// ```
/// use std::path::Path;
/// assert_eq!(stonework_files::with_ending(Path::new("a/b.proof"), ".lock"), Path::new("a/b.proof.lock"));
/// ```
#[must_use]
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
