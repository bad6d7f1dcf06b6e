//! [`SetFiles`]: the files of a set by name.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::manifest::hex;
use super::{SetError, SetFile};

/// The files of a set, for several threads.
pub trait SetFiles: Sync {
    /// Opens the file with this name, which is the name of an entry of the list.
    ///
    /// # Errors
    /// The error of the file.
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>>;
}

/// The files of a directory.
#[derive(Clone, Debug)]
pub struct SetFolder(pub PathBuf);

impl SetFiles for SetFolder {
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        File::open(self.0.join(name)).map(|file| Box::new(file) as Box<dyn Read>)
    }
}

/// Files in memory.
impl SetFiles for BTreeMap<String, Vec<u8>> {
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        self.get(name).map(|bytes| Box::new(&bytes[..]) as Box<dyn Read>).ok_or_else(missing)
    }
}

/// Reads a whole file of a set, and compares its size and its SHA-256 with the list.
pub(super) fn read_file(files: &dyn SetFiles, file: &SetFile) -> Result<Vec<u8>, SetError> {
    let name = || file.name.clone();
    let failed = |error| SetError::File { name: name(), error };
    let other = |what, found, expected| SetError::Other { name: name(), what, found, expected };
    let mut content = Vec::new();
    // One byte more than the list says shows that the file is larger.
    let mut input = files.open(&file.name).map_err(failed)?.take(file.bytes.saturating_add(1));
    input.read_to_end(&mut content).map_err(failed)?;
    if content.len() as u64 != file.bytes {
        let found =
            if content.len() as u64 > file.bytes { "larger".to_owned() } else { content.len().to_string() };
        return Err(other("size", found, file.bytes.to_string()));
    }
    let found: [u8; 32] = Sha256::digest(&content).into();
    if found != file.sha256 {
        return Err(other("SHA-256", hex(&found), hex(&file.sha256)));
    }
    Ok(content)
}
