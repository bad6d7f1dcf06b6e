//! [`Slot`]: a key with its data, which threads read and write without a lock; and buckets of slots.

use crate::sync::{AtomicU64, Ordering};

/// Two words that are written one after the other: the data, and the key mixed with the data. Words of two
/// different writes match no key, so a reader gets data that one thread has written under the reader's key, or no
/// data.
#[derive(Debug)]
pub(crate) struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// A slot from its two words; two zeros are an empty slot.
    pub(crate) fn of([mixed, data]: [u64; 2]) -> Self {
        Self { mixed: AtomicU64::new(mixed), data: AtomicU64::new(data) }
    }

    /// The stored data under any key; 0 if the slot is empty.
    #[inline]
    pub(crate) fn data(&self) -> u64 {
        self.data.load(Ordering::Relaxed)
    }

    /// `true` if `data`, which was just read, belongs to `key`.
    #[inline]
    pub(crate) fn holds(&self, data: u64, key: u64) -> bool {
        self.key(data) == key
    }

    /// The key of `data`, which was just read. If another thread writes meanwhile, the result is an arbitrary
    /// number.
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

/// The number of slots that a key may be in: one cache line.
pub(crate) const BUCKET: usize = 4;

/// The data under a key in a bucket; `live` is `true` for data that are not forgotten.
#[inline]
pub(crate) fn find(bucket: &[Slot], key: u64, live: impl Fn(u64) -> bool) -> Option<u64> {
    bucket.iter().find_map(|slot| {
        let data = slot.data();
        (live(data) && slot.holds(data, key)).then_some(data)
    })
}

/// The slot of a bucket for new data under a key, with the worth of the displaced data. The slot is that of the
/// key, which displaces no other data, or otherwise the first slot of the least worth. `worth` is 0 for forgotten
/// data.
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

    /// The law holds for every order in which the words of two writers arrive.
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
