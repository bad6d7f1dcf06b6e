//! [`Slot`]: a key and the data under it, read and written by threads without a lock; and buckets of slots.

use crate::sync::{AtomicU64, Ordering};

/// Two words that are written one after the other: the data, and the key mixed with the data. Words of
/// two writers match no key, so a reader gets data that one thread has written under its key, or none.
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

    /// The stored data under any key; 0 if the slot is empty.
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

    /// Removes the stored data.
    pub(crate) fn clear(&self) {
        self.data.store(0, Ordering::Relaxed);
    }
}

/// Slots that a key may be in: one line of the processor's cache.
pub(crate) const BUCKET: usize = 4;

/// The data under a key in a bucket; `live` says which data were not forgotten.
#[inline]
pub(crate) fn find(bucket: &[Slot], key: u64, live: impl Fn(u64) -> bool) -> Option<u64> {
    bucket.iter().find_map(|slot| {
        let data = slot.data();
        (live(data) && slot.holds(data, key)).then_some(data)
    })
}

/// The slot of a bucket for new data under a key, with the worth of the data that they displace: the slot of the key, which
/// displaces nothing; else the first slot of the least worth. `worth` is 0 for forgotten data.
#[inline]
pub(crate) fn place(bucket: &[Slot], key: u64, worth: impl Fn(u64) -> u32) -> Option<(&Slot, u32)> {
    let mut into: Option<(&Slot, u32)> = None;
    for slot in bucket {
        let data = slot.data();
        let worth = worth(data);
        if worth > 0 && slot.holds(data, key) {
            return Some((slot, 0));
        }
        if into.is_none_or(|(_, least)| worth < least) {
            into = Some((slot, worth));
        }
    }
    into
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// In every order in which the words of two writers arrive.
    #[test]
    fn loom_readers_get_what_somebody_stored_under_the_key() {
        const WRITTEN: [(u64, u64); 2] = [(3, 0x1000), (5, 0x2000)];
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let bucket = Arc::new([Slot::of([0, 0]), Slot::of([0, 0])]);
            let writers = WRITTEN.map(|(key, data)| {
                let bucket = Arc::clone(&bucket);
                thread::spawn(move || {
                    let (slot, _) = place(&*bucket, key, |data| (data != 0).into()).expect("there are slots");
                    slot.write(key, data);
                })
            });
            for (key, data) in WRITTEN {
                let found = find(&*bucket, key, |data| data != 0);
                assert!(found.is_none_or(|found| found == data), "{found:?} under {key}");
            }
            for writer in writers {
                writer.join().expect("no writer fails");
            }
        });
    }
}
