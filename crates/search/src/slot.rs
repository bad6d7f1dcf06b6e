//! [`Slot`]: 64 bits of data under a key, which threads read and write without a lock; and buckets of slots.

use crate::sync::{AtomicU64, Ordering};

/// A place for data under a key, as two words: the data, and `mixed`, the exclusive or of key and data. A write stores one
/// word after the other. So a reader may meet the words of two different writes: their exclusive or is an arbitrary number, which
/// is the reader's key with a probability of about 2⁻⁶⁴. Apart from this chance, a reader gets data that one thread has written under the
/// reader's key, or no data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<'a>(pub(crate) &'a Words);

/// The two words of a [`Slot`]: `mixed`, and the data, which are 0 if the slot is empty.
pub(crate) type Words = [AtomicU64; 2];

/// The words of empty slots. The system gives zeroed memory: a page of it costs nothing before its first use. Fewer slots – half as many,
/// again and again – if the system has no memory for so many.
pub(crate) fn empty(count: usize) -> Box<[Words]> {
    let mut halves = std::iter::successors(Some(count), |&count| (count > 0).then_some(count / 2));
    halves.find_map(zeroed).unwrap_or_default()
}

#[cfg(not(all(test, loom)))]
fn zeroed(count: usize) -> Option<Box<[Words]>> {
    bytemuck::allocation::try_zeroed_slice_box(count).ok()
}

/// The atomic words of loom are larger than words.
#[cfg(all(test, loom))]
#[expect(clippy::unnecessary_wraps, reason = "the system may refuse the words of the standard library")]
fn zeroed(count: usize) -> Option<Box<[Words]>> {
    Some((0..count).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect())
}

impl Slot<'_> {
    /// The stored data, whatever their key; 0 if the slot is empty.
    #[inline]
    pub(crate) fn data(self) -> u64 {
        self.0[1].load(Ordering::Relaxed)
    }

    /// `true` if `data`, which the caller has just read from this slot, are stored under `key`.
    #[inline]
    pub(crate) fn holds(self, data: u64, key: u64) -> bool {
        self.key(data) == key
    }

    /// The key of `data`, which the caller has just read from this slot. If another thread has written since then, the result is an
    /// arbitrary number.
    #[inline]
    pub(crate) fn key(self, data: u64) -> u64 {
        self.0[0].load(Ordering::Relaxed) ^ data
    }

    /// Stores data under a key.
    #[inline]
    pub(crate) fn write(self, key: u64, data: u64) {
        self.0[1].store(data, Ordering::Relaxed);
        self.0[0].store(key ^ data, Ordering::Relaxed);
    }

    /// Makes the slot empty.
    pub(crate) fn clear(self) {
        self.0[1].store(0, Ordering::Relaxed);
    }
}

/// The number of slots of a bucket. The data of a key lie in any slot of the key's bucket. A bucket is as long as a cache line.
pub(crate) const BUCKET: usize = 4;

/// The data under a key in a bucket. `live` is `false` for data that count as removed, such as data of an earlier search, and for 0.
#[inline]
pub(crate) fn find(bucket: &[Words], key: u64, live: impl Fn(u64) -> bool) -> Option<u64> {
    bucket.iter().map(Slot).find_map(|slot| {
        let data = slot.data();
        (live(data) && slot.holds(data, key)).then_some(data)
    })
}

/// The slot of a bucket into which new data under a key are to be written, with the worth of the data that they displace.
///
/// If a slot holds data of the key, it is that slot, and the worth is 0, as no data of another key are displaced. Otherwise it is
/// the first slot of the least worth. `worth` is 0 for data that count as removed, and for 0. `None` if the bucket has no slots.
#[inline]
pub(crate) fn place(bucket: &[Words], key: u64, worth: impl Fn(u64) -> u32) -> Option<(Slot<'_>, u32)> {
    let mut least: Option<(Slot<'_>, u32)> = None;
    for slot in bucket.iter().map(Slot) {
        let data = slot.data();
        let worth = worth(data);
        if worth > 0 && slot.holds(data, key) {
            return Some((slot, 0));
        }
        if least.is_none_or(|(_, so_far)| worth < so_far) {
            least = Some((slot, worth));
        }
    }
    least
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// Two writers and a reader share a bucket. The model tries every order of their steps with at most three preemptions.
    #[test]
    fn loom_readers_get_only_data_stored_under_their_key() {
        const WRITTEN: [(u64, u64); 2] = [(3, 0x1000), (5, 0x2000)];
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let bucket = Arc::new(empty(2));
            let writers = WRITTEN.map(|(key, data)| {
                let bucket = Arc::clone(&bucket);
                thread::spawn(move || {
                    let (slot, _) = place(&bucket, key, |data| (data != 0).into()).expect("there are slots");
                    slot.write(key, data);
                })
            });
            for (key, data) in WRITTEN {
                let found = find(&bucket, key, |data| data != 0);
                assert!(found.is_none_or(|found| found == data), "{found:?} under {key}");
            }
            for writer in writers {
                writer.join().expect("no writer fails");
            }
        });
    }
}
