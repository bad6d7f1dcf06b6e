//! [`System`]: the disk of the system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, Handle, Kind, Look, found, parent};

/// The largest number of links that are followed.
const MOST_LINKS: usize = 40;

/// The disk of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct System;

impl Disk for System {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        Ok(Box::new(Open(File::open(path)?)))
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn Handle>> {
        let there = like.map(fs::metadata).map(found).transpose()?.flatten();
        let file = File::create(path)?;
        if let Some(there) = there
            && let Err(error) = file.set_permissions(there.permissions())
        {
            let _ = fs::remove_file(path);
            return Err(error);
        }
        Ok(Box::new(Open(file)))
    }

    fn edit(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(Box::new(Open(file)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    #[cfg(unix)]
    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        match File::open(path)?.sync_all() {
            // Some file systems cannot sync a directory, and have no other operation for it.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
            {
                Ok(())
            }
            synced => synced,
        }
    }

    #[cfg(not(unix))]
    fn sync_directory(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn look(&self, path: &Path) -> io::Result<Option<Look>> {
        let Some(data) = found(fs::metadata(path))? else { return Ok(None) };
        let kind = match data.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Directory,
            _ => Kind::Other,
        };
        Ok(Some(Look { kind, len: data.len(), modified: data.modified().ok() }))
    }

    fn target(&self, path: &Path) -> io::Result<PathBuf> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            match found(fs::symlink_metadata(&path))? {
                Some(data) if data.file_type().is_symlink() => {
                    let next = fs::read_link(&path)?;
                    path = parent(&path).join(next);
                }
                _ => return Ok(path),
            }
        }
        Err(io::Error::other(format!("more than {MOST_LINKS} symbolic links, one to another")))
    }
}

/// An open file of the system.
#[derive(Debug)]
struct Open(File);

impl Read for Open {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.read(to)
    }
}

impl Write for Open {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Handle for Open {
    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.0.set_len(len)?;
        self.0.seek(SeekFrom::Start(len)).map(drop)
    }

    fn try_lock(&mut self) -> io::Result<bool> {
        try_lock(&self.0)
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        is_at(&self.0, path)
    }
}

#[cfg(any(unix, windows))]
fn try_lock(file: &File) -> io::Result<bool> {
    match fs4::FileExt::try_lock(file) {
        Ok(()) => Ok(true),
        Err(fs4::TryLockError::WouldBlock) => Ok(false),
        Err(fs4::TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(not(any(unix, windows)))]
fn try_lock(_: &File) -> io::Result<bool> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no locks on files"))
}

#[cfg(any(unix, windows))]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let Some(there) = found(same_file::Handle::from_path(path))? else { return Ok(false) };
    Ok(same_file::Handle::from_file(file.try_clone()?)? == there)
}

#[cfg(not(any(unix, windows)))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}
