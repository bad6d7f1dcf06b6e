//! [`Store`]: proof numbers by position, shared by threads without locks.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::numbers::Numbers;

/// Two words written without a lock. The key is stored mixed with the data, so that words of two
/// writers match no key.
#[derive(Debug, Default)]
struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

/// The slots that a position may be in: one line of the processor's cache.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// Buckets are made when they are first needed, so many at once: a short search in a large table need
/// not wait for all of it.
const SEGMENT: usize = 256;

/// After so many questions, forgetting clears the table.
const MOST_QUESTIONS: u8 = 250;

type Segment = OnceLock<Box<[Bucket]>>;

/// What is stored of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub(crate) numbers: Numbers,
    /// How much work is in it; see [`effort`].
    pub(crate) work: u8,
    /// The [tag](crate::move_tag) of the move that decides it; 0 if there is none.
    pub(crate) tag: u16,
}

/// A table of proof numbers of a fixed size in bytes.
///
/// Entries cost 16 bytes and carry their whole key. When the four slots of a position are taken, the one
/// with the smallest tree below it goes, with a handicap for what earlier searches have left. The new entry always gets in, so what was
/// just searched is there when it is needed next.
#[derive(Debug)]
pub(crate) struct Store {
    segments: Box<[Segment]>,
    buckets: usize,
    /// Counts questions.
    age: AtomicU8,
    /// Entries of this age and below are forgotten.
    forgotten: u8,
}

impl Store {
    /// A table of at most so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let whole = SEGMENT * size_of::<Bucket>() + size_of::<Segment>();
        let rest = (bytes % whole).saturating_sub(size_of::<Segment>()) / size_of::<Bucket>();
        let buckets = bytes / whole * SEGMENT + rest;
        let segments = (0..buckets.div_ceil(SEGMENT)).map(|_| OnceLock::new()).collect();
        Self { segments, buckets, age: AtomicU8::new(0), forgotten: 0 }
    }

    /// What it takes when all of it is in use.
    pub(crate) const fn bytes(&self) -> usize {
        self.buckets * size_of::<Bucket>() + self.segments.len() * size_of::<Segment>()
    }

    /// Forgets everything, in no time but for once in a few hundred questions.
    pub(crate) fn forget(&mut self) {
        let age = self.age.get_mut();
        if *age >= MOST_QUESTIONS {
            for segment in &mut self.segments {
                segment.take();
            }
            *age = 0;
        }
        self.forgotten = *age;
    }

    /// Begins a new question: what is stored so far is more likely to be replaced.
    pub(crate) fn grow_older(&self) {
        let older = |age: u8| age.checked_add(1);
        // At the end of the scale, entries stay of one age until everything is forgotten.
        let _ = self.age.fetch_update(Ordering::Relaxed, Ordering::Relaxed, older);
    }

    /// Whether a slot has something that is not forgotten.
    const fn taken(&self, data: u64) -> bool {
        data as u8 > self.forgotten
    }

    const fn place(&self, key: u64) -> (usize, usize) {
        let index = ((key as u128 * self.buckets as u128) >> 64) as usize;
        (index / SEGMENT, index % SEGMENT)
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let (segment, offset) = self.place(key);
        let bucket = self.segments.get(segment)?.get()?.get(offset)?;
        bucket.0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (self.taken(data) && slot.mixed.load(Ordering::Relaxed) ^ data == key).then(|| unpack(data))
        })
    }

    /// Stores what is known of a position.
    pub(crate) fn put(&self, key: u64, known: Known) {
        let (segment, offset) = self.place(key);
        let Some(bucket) = self.segments.get(segment).and_then(|s| self.make(s, segment).get(offset)) else {
            return;
        };
        let age = self.age.load(Ordering::Relaxed);
        let mut least: Option<(u32, &Slot)> = None;
        for slot in &bucket.0 {
            let data = slot.data.load(Ordering::Relaxed);
            let taken = self.taken(data);
            let own = taken && slot.mixed.load(Ordering::Relaxed) ^ data == key;
            let worth = if own || !taken { 0 } else { worth(data, age) };
            if own || least.is_none_or(|(other, _)| worth < other) {
                least = Some((worth, slot));
            }
            if own {
                break;
            }
        }
        if let Some((_, slot)) = least {
            let data = pack(known, age);
            slot.data.store(data, Ordering::Relaxed);
            slot.mixed.store(key ^ data, Ordering::Relaxed);
        }
    }

    fn make<'a>(&self, segment: &'a Segment, index: usize) -> &'a [Bucket] {
        segment.get_or_init(|| {
            let len = (self.buckets - index * SEGMENT).min(SEGMENT);
            (0..len).map(|_| Bucket::default()).collect()
        })
    }
}

/// Work as it is stored: eight steps for each doubling.
#[inline]
pub(crate) fn effort(nodes: u64) -> u8 {
    let nodes = nodes.max(1);
    let log = nodes.ilog2();
    let fraction = if log >= 3 { nodes >> (log - 3) } else { nodes << (3 - log) };
    (log * 8 + (fraction as u32 & 7)).min(255) as u8
}

/// The work that [`effort`] stands for, rounded down.
#[inline]
pub(crate) const fn nodes_of(effort: u8) -> u64 {
    let (log, fraction) = (effort as u32 / 8, (effort as u64 & 7) | 8);
    if log >= 3 { fraction << (log - 3) } else { fraction >> (3 - log) }
}

/// What an entry is worth when one must go: an earlier search's as if it had an eighth of its work.
fn worth(data: u64, age: u8) -> u32 {
    let work = u32::from((data >> 8) as u8);
    1 + if data as u8 == age { work + 24 } else { work }
}

/// proof 24 · disproof 24 · work 8 · age 8. Of decided entries the number that is infinite gives its place
/// to the tag. An age of 0 is an empty slot.
fn pack(known: Known, age: u8) -> u64 {
    let Numbers { proof, disproof } = known.numbers;
    let tag = u32::from(known.tag);
    let tag = if tag == 0 { super::numbers::INF } else { tag };
    let (high, low) = match known.numbers.decided() {
        Some(true) => (0, tag),
        Some(false) => (tag, 0),
        None => (proof, disproof),
    };
    u64::from(high) << 40 | u64::from(low) << 16 | u64::from(known.work) << 8 | u64::from(age)
}

fn unpack(data: u64) -> Known {
    let (high, low) = ((data >> 40) as u32, (data >> 16) as u32 & super::numbers::INF);
    let work = (data >> 8) as u8;
    let tag = |word: u32| u16::try_from(word).unwrap_or(0);
    match (high, low) {
        (0, word) => Known { numbers: Numbers::PROVEN, work, tag: tag(word) },
        (word, 0) => Known { numbers: Numbers::DISPROVEN, work, tag: tag(word) },
        (proof, disproof) => Known { numbers: Numbers { proof, disproof }, work, tag: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(proof: u32, disproof: u32) -> Known {
        Known { numbers: Numbers { proof, disproof }, work: effort(100), tag: 0 }
    }

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let store = Store::new(1 << 12);
        store.grow_older();
        let solved = Known { numbers: Numbers::DISPROVEN, work: 9, tag: 0xfffe };
        for (key, entry) in [(1 << 60, known(3, 16_000_000)), (1 << 61, solved), (1 << 62, known(1, 1))] {
            store.put(key, entry);
            assert_eq!(store.get(key), Some(entry));
            assert_eq!(store.get(key + 1), None);
        }
    }

    #[test]
    fn the_smallest_tree_goes_first_and_new_entries_get_in() {
        let store = Store::new(100);
        store.grow_older();
        assert_eq!(store.buckets, 1);
        for key in 1..=4 {
            store.put(key, Known { work: effort(1000 * key), ..known(key as u32, 9) });
        }
        store.put(5, Known { work: 0, ..known(5, 9) });
        store.put(6, Known { work: 0, ..known(6, 9) });
        let there: Vec<_> = (1..=6).filter(|&key| store.get(key).is_some()).collect();
        assert_eq!(there, [2, 3, 4, 6]);
    }

    #[test]
    fn what_is_forgotten_does_not_come_back() {
        let mut store = Store::new(1 << 10);
        for search in 1..1000 {
            store.forget();
            store.grow_older();
            assert_eq!(store.get(7), None);
            store.put(7, known(search, 1));
            assert_eq!(store.get(7), Some(known(search, 1)));
            store.grow_older();
            assert_eq!(store.get(7), Some(known(search, 1)));
        }
        for _ in 0..1000 {
            store.grow_older();
        }
        store.put(8, known(1, 1));
        assert!(store.get(7).is_some() && store.get(8).is_some());
    }

    #[test]
    fn sizes_are_kept() {
        for bytes in [0, 63, 1000, 65_536, 65_600, 1 << 20, (1 << 20) + 4321] {
            let store = Store::new(bytes);
            store.grow_older();
            assert!(store.bytes() <= bytes, "{} of {bytes}", store.bytes());
            assert!(store.bytes() + 100 >= bytes * 98 / 100, "{} of {bytes}", store.bytes());
            store.put(u64::MAX, known(1, 1));
            assert_eq!(store.get(u64::MAX).is_some(), bytes >= 100, "{bytes}");
        }
    }

    #[test]
    fn effort_is_monotonous_and_close() {
        let mut last = 0;
        for nodes in (0..64).chain((6..31).map(|b| (1 << b) + 17)) {
            let code = effort(nodes);
            assert!(code >= last);
            last = code;
            let back = nodes_of(code);
            assert!(back <= nodes.max(1) && back * 9 / 8 + 1 >= nodes, "{nodes} became {back}");
        }
    }
}
