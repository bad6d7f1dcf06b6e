//! [`Out`]: the output of a command: standard output, as text or as lines of JSON, and the disk for files.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use stonework_files::{Disk, Kind, replace, unfinished};

use crate::failure::Failure;

/// The output of a command: standard output, and the disk for files. An error of standard output is returned, so that a closed pipe
/// ends the program without a panic.
pub(crate) struct Out {
    writer: BufWriter<Box<dyn Write>>,
    json: bool,
    disk: Arc<dyn Disk>,
}

impl Out {
    /// An output to `writer`, which is standard output except in tests, and to `disk`. `json` is `true` if the user asked for JSON.
    pub(crate) fn new(writer: Box<dyn Write>, json: bool, disk: Arc<dyn Disk>) -> Self {
        Self { writer: BufWriter::new(writer), json, disk }
    }

    /// `true` if the user asked for JSON.
    pub(crate) const fn wants_json(&self) -> bool {
        self.json
    }

    /// `true` if standard output is a terminal.
    pub(crate) fn is_terminal() -> bool {
        io::stdout().is_terminal()
    }

    /// The disk for the files of the command.
    pub(crate) const fn disk(&self) -> &Arc<dyn Disk> {
        &self.disk
    }

    /// Replaces the content of a file. `prefix` begins the message of a failure: the option that names the file and a space,
    /// or nothing.
    pub(crate) fn replace(
        &self,
        prefix: &dyn fmt::Display,
        path: &Path,
        content: &[u8],
    ) -> Result<(), Failure> {
        replace(&*self.disk, path, |out| out.write_all(content))
            .map_err(|error: io::Error| Failure::input(format!("{prefix}{}: {error}", path.display())))
    }

    /// Writes an object as JSON on a line of its own.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.writer, object).map_err(io::Error::from)?;
        self.writer.write_all(b"\n")?;
        Ok(())
    }

    /// Writes the buffered output.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.writer.flush()?)
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Refuses a file that [`Out::replace`] could not write, before the work for it. `prefix` is that of [`Out::replace`].
pub(crate) fn check_writable(disk: &dyn Disk, prefix: &dyn fmt::Display, path: &Path) -> Result<(), Failure> {
    let check = || {
        let target = match disk.look(path)?.map(|entry| entry.kind) {
            Some(Kind::Other) => return Ok(()),
            Some(Kind::Directory) => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
            }
            Some(Kind::File) => {
                drop(disk.edit(path)?);
                disk.target(path)?
            }
            None => disk.target(path)?,
        };
        let beside = unfinished(&target);
        // An unfinished file may belong to another process that writes the same file.
        if disk.look(&beside)?.is_none() {
            drop(disk.create(&beside, None)?);
            disk.remove(&beside)?;
        }
        Ok(())
    };
    check().map_err(|error| Failure::input(format!("{prefix}{}: {error}", path.display())))
}

/// `true` if two paths lead to the same file, or to the place of the same file that does not exist yet. A link leads to its
/// target; the folders of a path may be named in several ways.
pub(crate) fn is_same_file(disk: &dyn Disk, first: &Path, second: &Path) -> bool {
    let place = |path: &Path| {
        let path = disk.target(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let named = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
        path.canonicalize().ok().or_else(named).unwrap_or(path)
    };
    place(first) == place(second)
}
