//! [`read_bytes`] and [`read_text`]: files up to a limit of bytes.

use std::io::{self, Read};
use std::path::Path;

use crate::disk::Disk;

/// The reason why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is longer than the limit.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// The largest number of bytes that is read.
        limit: u64,
    },
    /// The file is not UTF-8.
    #[error("not UTF-8 at byte {at}")]
    Encoding {
        /// The index of the first byte that is not UTF-8.
        at: usize,
    },
}

/// Reads a whole file of at most `limit` bytes of UTF-8. The memory is about twice the limit at most.
///
/// # Errors
/// See [`ReadError`].
pub fn read_text(disk: &dyn Disk, path: &Path, limit: u64) -> Result<String, ReadError> {
    let bytes = read_bytes(disk, path, limit)?;
    String::from_utf8(bytes).map_err(|error| ReadError::Encoding { at: error.utf8_error().valid_up_to() })
}

/// Reads a whole file of at most `limit` bytes. The memory is about twice the limit at most.
///
/// # Errors
/// [`ReadError::Io`] and [`ReadError::TooLong`].
pub fn read_bytes(disk: &dyn Disk, path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    disk.open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLong { limit });
    }
    Ok(bytes)
}
