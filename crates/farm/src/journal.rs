//! [`Journal`]: the decisions of a campaign in a file, each of them there whole or not at all.

use std::fmt::Debug;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stonework_files::{Disk, Handle};

use crate::embedded::MAX_DECISION;

/// The bytes before a record: its length, the check of the length, the check of the record, each little-endian.
const HEAD: usize = 12;

/// The reason why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the disk.
        error: io::Error,
    },
    /// A record before the last one is damaged. An unfinished record at the end is no damage.
    #[error("{}: record {record} at byte {at} is damaged, and more records follow: put a copy of the file in its place", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the record, from 0.
        record: u64,
        /// The byte at which the record begins.
        at: u64,
    },
}

/// A file of records that only grows. The file begins with the first record. A record is its length, the CRC-32 of the
/// length, the CRC-32 of its bytes, each in four bytes, and its bytes.
///
/// A process that is killed, or a disk that is full, leaves at most one unfinished record at the end, which the next
/// [`open`](Journal::open) removes. [`append`](Journal::append) returns after the records are on the disk.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
/// use stonework_farm::Journal;
/// use stonework_files::{Disk, Simulated};
/// let disk: Arc<dyn Disk> = Arc::new(Simulated::new());
/// let mut journal = Journal::open(Arc::clone(&disk), Path::new("journal"), &mut |_| {})?;
/// journal.append(&[b"one".to_vec(), b"two".to_vec()])?;
/// drop(journal);
/// let mut records = Vec::new();
/// let journal = Journal::open(disk, Path::new("journal"), &mut |record| records.push(record.to_vec()))?;
/// assert_eq!((journal.records(), records), (2, vec![b"one".to_vec(), b"two".to_vec()]));
/// # Ok::<(), stonework_farm::JournalError>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    file: Box<dyn Handle>,
    records: u64,
    bytes: u64,
    /// `true` if the file may have bytes after the last whole record.
    is_torn: bool,
}

impl Journal {
    /// Opens a journal and passes each record to `each`, in order; makes an empty journal if there is none. The caller
    /// holds a lock: one process at a time appends.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(disk: Arc<dyn Disk>, path: &Path, each: &mut dyn FnMut(&[u8])) -> Result<Self, JournalError> {
        let failed = |error| JournalError::Io { path: path.to_owned(), error };
        let mut file = disk.edit(path).map_err(failed)?;
        let (records, bytes) = read(&mut *file, path, each)?;
        file.cut(bytes).map_err(failed)?;
        let parent = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        disk.sync_directory(parent).map_err(failed)?;
        Ok(Self { disk, path: path.to_owned(), file, records, bytes, is_torn: false })
    }

    /// Passes each whole record of a journal to `each`, in order, and changes nothing.
    ///
    /// # Errors
    /// See [`JournalError`]; also if there is no file.
    pub fn read(disk: &dyn Disk, path: &Path, each: &mut dyn FnMut(&[u8])) -> Result<u64, JournalError> {
        let mut file = disk.open(path).map_err(|error| JournalError::Io { path: path.to_owned(), error })?;
        read(&mut *file, path, each).map(|(records, _)| records)
    }

    /// The number of records.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// The size of the file in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The disk of the file.
    #[must_use]
    pub fn disk(&self) -> &Arc<dyn Disk> {
        &self.disk
    }

    /// Appends records, and returns when all of them are on the disk: one write and one sync for all.
    ///
    /// # Errors
    /// An error if a record is longer than 512 KiB, or from the disk. Then none of the records counts, and the same
    /// call may be made again.
    pub fn append(&mut self, records: &[Vec<u8>]) -> Result<(), JournalError> {
        let mut all = Vec::new();
        for record in records {
            if record.len() as u64 > MAX_DECISION {
                let why =
                    format!("a record of {} bytes, and at most {MAX_DECISION} are allowed", record.len());
                return Err(self.failed(io::Error::new(ErrorKind::InvalidInput, why)));
            }
            let length = (record.len() as u32).to_le_bytes();
            all.extend_from_slice(&length);
            all.extend_from_slice(&crc32fast::hash(&length).to_le_bytes());
            all.extend_from_slice(&crc32fast::hash(record).to_le_bytes());
            all.extend_from_slice(record);
        }
        if self.is_torn {
            self.file.cut(self.bytes).map_err(|error| self.failed(error))?;
        }
        self.is_torn = true;
        let written = self.file.write_all(&all).and_then(|()| self.file.sync());
        written.map_err(|error| self.failed(error))?;
        (self.is_torn, self.bytes, self.records) =
            (false, self.bytes + all.len() as u64, self.records + records.len() as u64);
        Ok(())
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }
}

/// Reads whole records to the end, or to an unfinished one. Returns their number and their bytes.
fn read(file: &mut dyn Handle, path: &Path, each: &mut dyn FnMut(&[u8])) -> Result<(u64, u64), JournalError> {
    let failed = |error| JournalError::Io { path: path.to_owned(), error };
    let mut file = BufReader::with_capacity(1 << 16, file);
    let (mut records, mut at) = (0, 0_u64);
    loop {
        let mut head = Vec::new();
        (&mut file).take(HEAD as u64).read_to_end(&mut head).map_err(failed)?;
        if head.len() < HEAD {
            return Ok((records, at));
        }
        let word = |i: usize| u32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]);
        let (length, is_length) = (u64::from(word(0)), word(4) == crc32fast::hash(&head[..4]));
        let damaged = || JournalError::Damaged { path: path.to_owned(), record: records, at };
        if !is_length || length > MAX_DECISION {
            // After a power failure the last block may be there in its length, filled with zeros. It may begin within the head:
            // then one of the first eight bytes, the length and its check, is blank, and so are all after it. A record that was
            // written whole has other bytes there.
            let is_torn = !is_length && head[7..].iter().all(|&byte| byte == 0);
            let is_blank = is_torn && rest_is_blank(&mut file).map_err(failed)?;
            return if is_blank { Ok((records, at)) } else { Err(damaged()) };
        }
        let mut record = Vec::new();
        (&mut file).take(length).read_to_end(&mut record).map_err(failed)?;
        let is_whole = record.len() as u64 == length;
        if !is_whole || crc32fast::hash(&record) != word(8) {
            return if !is_whole || rest_is_blank(&mut file).map_err(failed)? {
                Ok((records, at))
            } else {
                Err(damaged())
            };
        }
        each(&record);
        (records, at) = (records + 1, at + HEAD as u64 + length);
    }
}

/// `true` if nothing but zeros follows, or nothing.
fn rest_is_blank(file: &mut impl Read) -> io::Result<bool> {
    let mut block = [0; 4096];
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(true),
            Ok(count) if block[..count].iter().all(|&byte| byte == 0) => {}
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
