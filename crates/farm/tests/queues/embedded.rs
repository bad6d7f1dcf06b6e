//! The laws on the queue in a file.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use stonework_farm::laws::{self, Carrier};
use stonework_farm::{Embedded, EmbeddedOptions, Queue};

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("stonework-farm-laws-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Carrier for Folder {
    fn connect(&self) -> Arc<dyn Queue> {
        let options = EmbeddedOptions { term: Duration::from_millis(400), ..EmbeddedOptions::default() };
        Arc::new(Embedded::open(&self.0, &options).unwrap())
    }

    fn interrupt(&self) {}
}

#[test]
fn the_file_keeps_the_laws_of_queues() {
    laws::queue(Folder::new).unwrap();
}

#[test]
fn a_farm_on_a_file_keeps_its_laws() {
    laws::farm(Folder::new).unwrap();
}
