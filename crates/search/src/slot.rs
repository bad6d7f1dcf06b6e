//! [`Slot`]: a key and what is stored under it, read and written by threads without a lock.

use crate::sync::{AtomicU64, Ordering};

/// Two words that are written one after the other: the data, and the key mixed with the data. Words of
/// two writers match no key, so a reader gets what somebody has written under its key, or nothing.
#[derive(Debug)]
pub(crate) struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// From its two words; zeros are a slot with nothing in it.
    pub(crate) fn of([mixed, data]: [u64; 2]) -> Self {
        Self { mixed: AtomicU64::new(mixed), data: AtomicU64::new(data) }
    }

    /// The stored data, whatever the key; 0 if the slot is empty.
    #[inline]
    pub(crate) fn data(&self) -> u64 {
        self.data.load(Ordering::Relaxed)
    }

    /// Whether this data, which was just read, belongs to a key.
    #[inline]
    pub(crate) fn holds(&self, data: u64, key: u64) -> bool {
        self.key(data) == key
    }

    /// The key of this data, which was just read. If another thread writes meanwhile, some number.
    #[inline]
    pub(crate) fn key(&self, data: u64) -> u64 {
        self.mixed.load(Ordering::Relaxed) ^ data
    }

    /// Stores data under a key.
    #[inline]
    pub(crate) fn write(&self, key: u64, data: u64) {
        self.data.store(data, Ordering::Relaxed);
        self.mixed.store(key ^ data, Ordering::Relaxed);
    }

    /// Removes what is stored.
    pub(crate) fn clear(&self) {
        self.data.store(0, Ordering::Relaxed);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// In whatever order the words of two writers arrive.
    #[test]
    fn loom_words_of_two_writers_match_no_key() {
        const WRITTEN: [(u64, u64); 2] = [(3, 0x1000), (5, 0x2000)];
        loom::model(|| {
            let slot = Arc::new(Slot::of([0, 0]));
            let writers = WRITTEN.map(|(key, data)| {
                let slot = Arc::clone(&slot);
                thread::spawn(move || slot.write(key, data))
            });
            let data = slot.data();
            let found = (slot.key(data), data);
            assert!(data == 0 || WRITTEN.contains(&found) || ![3, 5].contains(&found.0), "{found:?}");
            for writer in writers {
                writer.join().expect("no writer fails");
            }
        });
    }
}
