//! Files that outlive the process that writes them.
//!
//! Stonework writes proofs, tables, checkpoints, logs of matches and pictures in processes that may be killed, on disks that may
//! be full. All these files are written by this crate.
//!
//! A file is replaced as a whole, or not at all:
//!
//! ```
//! use std::io::{self, Write};
//! use stonework_files::{System, replace};
//! # let folder = std::env::temp_dir().join(format!("stonework-files-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("table");
//! std::fs::write(&path, "the old content")?;
//! replace(&System, &path, |out| out.write_all(b"the new content"))?;
//! let full = |_: &mut dyn Write| Err::<(), _>(io::Error::other("no space left"));
//! assert!(replace(&System, &path, full).is_err());
//! assert_eq!(std::fs::read_to_string(&path)?, "the new content");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), io::Error>(())
//! ```
//!
//! Only one process works on a file, as long as that process lives:
//!
//! ```
//! use std::sync::Arc;
//! use stonework_files::{Disk, Lock, LockError, System};
//! # let folder = std::env::temp_dir().join(format!("stonework-files-lock-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("proof.lock");
//! let disk: Arc<dyn Disk> = Arc::new(System);
//! let lock = Lock::take(&disk, &path)?;
//! assert!(matches!(Lock::take(&disk, &path), Err(LockError::Held { .. })));
//! drop(lock);                                       // the end of the process does the same, however it ends
//! assert!(!path.exists());
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A disk that fails tests whether a program survives the failure:
//!
//! ```
//! use std::io::Write;
//! use std::path::Path;
//! use stonework_files::{DiskFault, Kept, Simulated, replace};
//! let path = Path::new("table");
//! for operation in 0.. {
//!     let disk = Simulated::new();
//!     replace(&disk, path, |out| out.write_all(b"old"))?;
//!     disk.fail_at(disk.operations() + operation, DiskFault::Kill);
//!     let written = replace(&disk, path, |out| out.write_all(b"new"));
//!     let after = disk.restarted(Kept::Synced);     // the power has failed, too
//!     let content = after.content(path).unwrap();
//!     assert!(content == b"old" || content == b"new");
//!     if written.is_ok() {
//!         assert_eq!(content, b"new");
//!         break;
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # What there is
//! | item | purpose |
//! |---|---|
//! | [`Disk`], [`Handle`] | the operations on files, on which the rest of this crate is built |
//! | [`System`] | the disk of the system |
//! | [`Simulated`] | a disk in memory that fails where a test demands, and loses data that was not synced |
//! | [`replace`] | writes beside, syncs the file, renames, syncs the directory |
//! | [`unfinished`] | the name of the file that `replace` writes, for those who clear up after a killed process |
//! | [`with_ending`] | the name of a file that belongs to another file |
//! | [`Lock`] | a lock of the system on a file of its own, which the system frees when its process ends |
//! | [`CheckpointClock`] | the times at which long work writes its checkpoint |
//! | [`read_text`], [`read_bytes`] | read a file up to a limit of bytes |
//! | [`BlockWriter`], [`HeaderReader`], [`BlockReader`], [`BlockError`] | a header of lines and compressed blocks, each with a check of all before it |
//! | [`ByteWriter`], [`ByteReader`] | the same for content that is one row of bytes |
//! | [`pack`], [`unpack`] | a single compressed block |
//! | [`crc32`] | the check that formats put behind their parts |
//!
//! # What this crate does not do
//! What this crate does not do: the blocks are its only format, and other crates define the bytes in them. It does not lock
//! across machines whose network file system has no locks. It has no features.

mod blocks;
mod check;
mod clock;
mod disk;
mod lock;
mod read;
mod replace;
mod simulated;
mod system;

pub use blocks::{
    BlockError, BlockFault, BlockLayout, BlockReader, BlockWriter, ByteReader, ByteWriter, Compression,
    HeaderReader, pack, unpack,
};
pub use check::crc32;
pub use clock::CheckpointClock;
pub use disk::{Disk, Handle, Kind, Look};
pub use lock::{Lock, LockError};
pub use read::{ReadError, read_bytes, read_text};
pub use replace::{replace, unfinished, with_ending};
pub use simulated::{DiskFault, Kept, Simulated};
pub use system::System;
