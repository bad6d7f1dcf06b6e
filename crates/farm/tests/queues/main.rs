//! The queue of one machine: its laws, its journal, its messages, and coordinators that lose their place.

mod deposed;
mod embedded;
mod failures;
mod journal;
mod messages;
mod odd;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use stonework_farm::{Embedded, EmbeddedOptions};

/// An empty directory for a queue. It goes with this value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("stonework-farm-queues-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    /// The queue with the usual term.
    fn open(&self) -> Embedded {
        Embedded::open(&self.0, &EmbeddedOptions::default()).unwrap()
    }

    fn open_with(&self, term: Duration) -> Embedded {
        Embedded::open(&self.0, &EmbeddedOptions { term, ..EmbeddedOptions::default() }).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
