//! [`Index`]: the positions of a search graph by key.

use stonework_game::Keyed;

use crate::slot::{self, BUCKET, Slot, Words, find, place};
use crate::sync::{AtomicU64, Ordering, fence};

/// The key under which a position may be shared; `None` if history that the key leaves out can decide.
pub(super) fn shared_key<G: Keyed>(game: &G) -> Option<u64> {
    // 0 stands for no key.
    (game.horizon() == u32::MAX).then(|| game.key()).filter(|&key| key != 0)
}

/// Blocks of children by the key of the position that they follow, shared by threads without locks.
///
/// A block that another block has replaced in the index costs only a second block for the same position.
#[derive(Debug)]
pub(super) struct Index {
    slots: Box<[Words]>,
    /// The age of the valid entries. The blocks of entries of another age have moved.
    age: AtomicU64,
}

impl Index {
    /// An index of at most `bytes` bytes; an index of less than 64 bytes has no slots and stores nothing.
    pub(super) fn new(bytes: usize) -> Self {
        let slots = slot::empty(bytes / size_of::<Words>() / BUCKET * BUCKET);
        Self { slots, age: AtomicU64::new(1) }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    fn bucket(&self, key: u64) -> &[Words] {
        let buckets = (self.slots.len() / BUCKET) as u128;
        let at = ((u128::from(key) * buckets) >> 64) as usize * BUCKET;
        self.slots.get(at..at + BUCKET).unwrap_or(&[])
    }

    /// `true` if the data were written since the index was last emptied.
    fn fresh(&self, data: u64) -> bool {
        data >> 32 == self.age.load(Ordering::Relaxed)
    }

    /// The block of a position. All writes to the block before its [`put`](Index::put) are visible to the caller.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        let block = find(self.bucket(key), key, |data| self.fresh(data))? as u32;
        fence(Ordering::Acquire);
        Some(block)
    }

    /// Stores the block of a position.
    pub(super) fn put(&self, key: u64, block: u32) {
        let bucket = self.bucket(key);
        // All entries are of equal worth: a full bucket loses any entry.
        let slot = match place(bucket, key, |data| self.fresh(data).into()) {
            Some((slot, 0)) => slot,
            Some(_) => Slot(&bucket[key as usize % BUCKET]),
            None => return,
        };
        fence(Ordering::Release);
        slot.write(key, self.age.load(Ordering::Relaxed) << 32 | u64::from(block));
    }

    /// Empties the index. O(1), but O(slots) once in 2³² times.
    pub(super) fn forget(&self) {
        let next = (self.age.load(Ordering::Relaxed) + 1) & u64::from(u32::MAX);
        if next == 0 {
            self.slots.iter().map(Slot).for_each(Slot::clear);
        }
        self.age.store(next.max(1), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(loom, ignore = "outside a model")]
    #[test]
    fn what_was_put_is_found_until_it_is_forgotten() {
        let index = Index::new(1 << 10);
        assert_eq!(index.bytes(), 1 << 10);
        for key in 1..9_u64 {
            index.put(key << 59, key as u32);
        }
        let found = (1..9_u64).filter_map(|key| Some((key, index.find(key << 59)?)));
        assert!(found.clone().all(|(key, block)| key as u32 == block));
        assert_eq!(found.count(), 8);
        index.put(1 << 59, 77);
        assert_eq!((index.find(1 << 59), index.find(3)), (Some(77), None));
        index.forget();
        assert_eq!(index.find(1 << 59), None);
        let none = Index::new(63);
        none.put(5, 5);
        assert_eq!((none.find(5), none.bytes()), (None, 0));
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// A thread that finds a block finds the complete content of the block.
    #[test]
    fn loom_a_block_that_is_found_is_complete() {
        loom::model(|| {
            let shared = Arc::new((Index::new(64), AtomicU64::new(0)));
            let writer = {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    shared.1.store(42, Ordering::Relaxed);
                    shared.0.put(9, 3);
                })
            };
            if let Some(block) = shared.0.find(9) {
                assert_eq!((block, shared.1.load(Ordering::Relaxed)), (3, 42));
            }
            writer.join().expect("no writer fails");
        });
    }
}
