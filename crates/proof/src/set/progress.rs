//! [`SetProgress`]: the files of a set that an earlier check has found to hold.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::manifest::{hex, unhex};

/// The first line of a file of progress.
const TITLE: &str = "stonework set progress 1";

/// The counts of a proof file that holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FileCounts {
    pub(super) positions: u64,
    pub(super) records: u64,
    /// The plies within which the goal of each claim is reached.
    pub(super) longest: Vec<u32>,
}

/// A file with a line for each proof file that was verified, by which a check that was stopped goes on.
///
/// The file is believed: whoever can write it can make a check skip a file. A line is written after the file of the
/// line was verified; a line that was cut off is dropped. Several checks may add lines to one file at a time; each knows
/// the lines that were there at its beginning.
#[derive(Debug)]
pub struct SetProgress {
    known: HashMap<[u8; 32], FileCounts>,
    out: Mutex<File>,
}

impl SetProgress {
    /// Opens the file of progress, or makes it.
    ///
    /// # Errors
    /// The error of the file, and an error for another file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut out = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let refused = || {
            let reason = format!("{} is no file of progress", path.display());
            io::Error::new(io::ErrorKind::InvalidData, reason)
        };
        // The rest of another file is not read, whatever its length is.
        let mut head = Vec::new();
        (&mut out).take(TITLE.len() as u64 + 1).read_to_end(&mut head)?;
        if !TITLE.as_bytes().starts_with(head.trim_ascii_end()) {
            return Err(refused());
        }
        let mut text = String::from_utf8(head).map_err(io::Error::other)?;
        out.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text.get(..whole).unwrap_or_default().lines();
        match lines.next() {
            Some(TITLE) => {}
            // The title itself was cut off, or the file is new.
            None if TITLE.starts_with(text.trim_end()) => {}
            _ => return Err(refused()),
        }
        let known = lines.filter_map(entry).collect();
        if whole < text.len() {
            out.set_len(whole as u64)?;
        }
        // Each line goes to the present end of the file, behind the lines of other checks.
        let mut out = OpenOptions::new().append(true).open(path)?;
        if whole == 0 {
            writeln!(out, "{TITLE}")?;
        }
        Ok(Self { known, out: Mutex::new(out) })
    }

    /// The number of files that hold by the file of progress.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// `true` if no file is known to hold.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(super) fn find(&self, sha256: &[u8; 32]) -> Option<&FileCounts> {
        self.known.get(sha256)
    }

    /// Adds a file that holds.
    pub(super) fn add(&self, sha256: &[u8; 32], counts: &FileCounts) -> io::Result<()> {
        let FileCounts { positions, records, longest } = counts;
        let longest: Vec<String> = longest.iter().map(u32::to_string).collect();
        let line = format!("{} {positions} {records} {}\n", hex(sha256), longest.join(","));
        self.out.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
    }
}

/// The entry of a line; `None` for a line of another form.
fn entry(line: &str) -> Option<([u8; 32], FileCounts)> {
    let mut parts = line.split(' ');
    let mut next = || parts.next();
    let (hash, positions, records) = (unhex(next()?)?, next()?.parse().ok()?, next()?.parse().ok()?);
    let longest = next()?.split(',').map(|plies| plies.parse().ok()).collect::<Option<_>>()?;
    parts.next().is_none().then_some((hash, FileCounts { positions, records, longest }))
}
