//! [`Store`]: proof numbers by position, shared by threads without locks.

use std::array::from_fn;
use std::io;
use std::sync::OnceLock;

use stonework_game::Player;

use crate::ProofNumbers;
use crate::slot::{BUCKET, Slot, Words, find, place};
use crate::sync::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};

/// The slots that a position may be in, with the size of one cache line. Buckets are not aligned to cache lines:
/// an alignment gained nothing measurable, and aligned blocks that are allocated and freed leave gaps.
#[derive(Debug)]
struct Bucket([Words; BUCKET]);

/// The greatest number of buckets of a segment: a quarter of a megabyte, so that making or splitting a segment
/// takes much less than a millisecond. The smallest search, too, uses one segment.
const SEGMENT: usize = 1 << 12;
/// The greatest number of segments of a table: a terabyte.
const MOST_SEGMENTS: usize = 1 << 22;
/// The bytes of the largest table: more than a `usize` of 32 bits can count.
const MOST_BYTES: u64 = MOST_SEGMENTS as u64 * SEGMENT as u64 * size_of::<Bucket>() as u64;
/// The number of displaced entries, as a part of the number of buckets of a segment, after which a segment is
/// added: one in eight.
const PRESSURE: usize = 8;
/// The number of questions after which forgetting clears the table.
const MOST_QUESTIONS: u8 = 250;

type Segment = OnceLock<Box<[Bucket]>>;

/// The stored knowledge about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub(crate) numbers: ProofNumbers,
    /// The work below the position, as [`effort`] gives it.
    pub(crate) work: u8,
    /// The [tag](crate::table::move_tag) of the move that decides the position; 0 without such a move.
    pub(crate) tag: u16,
}

/// A table of proof numbers, with a limit of bytes, that threads share.
///
/// The table begins small, so that a small search stays in the processor's caches however large the table may
/// become. The table grows a segment at a time (linear hashing: segment *n* takes half of the entries of segment
/// *n* − 2ᵏ, with 2ᵏ ≤ *n* < 2ᵏ⁺¹) as entries begin to displace each other.
///
/// An entry has 16 bytes, with its whole key. When the four slots of a position are taken, the entry with the
/// smallest tree below its position is replaced; entries of earlier searches count less. The new entry is always
/// stored, so that the position that was just searched is found at its next look-up.
#[derive(Debug)]
pub(crate) struct Store {
    /// The segments; their number is a power of two.
    segments: Box<[Segment]>,
    /// The number of buckets of a segment.
    length: usize,
    /// The number of segments in use.
    used: AtomicUsize,
    /// The number of entries that were displaced since the last segment was added.
    displaced: AtomicUsize,
    /// `true` while a thread is adding a segment.
    growing: AtomicBool,
    /// The number of questions so far, which is the age of new entries.
    age: AtomicU8,
    /// The key of the last question; 0 before the first.
    question: AtomicU64,
    /// A bit for each side about which the table may have entries.
    sides: AtomicU8,
    /// The greatest age of forgotten entries.
    forgotten: u8,
}

impl Store {
    /// A table of at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let bytes = usize::try_from(MOST_BYTES).map_or(bytes, |most| bytes.min(most));
        let segments = (bytes / size_of::<Bucket>()).div_ceil(SEGMENT).max(1).next_power_of_two();
        let length = (bytes / segments).saturating_sub(size_of::<Segment>()) / size_of::<Bucket>();
        Self::of(if length == 0 { 0 } else { segments }, length)
    }

    /// An empty table of the same size.
    pub(crate) fn empty_copy(&self) -> Self {
        Self::of(self.segments.len(), self.length)
    }

    fn of(segments: usize, length: usize) -> Self {
        Self {
            segments: (0..segments).map(|_| OnceLock::new()).collect(),
            length,
            used: AtomicUsize::new(1),
            displaced: AtomicUsize::new(0),
            growing: AtomicBool::new(false),
            age: AtomicU8::new(0),
            question: AtomicU64::new(0),
            sides: AtomicU8::new(0),
            forgotten: 0,
        }
    }

    /// The bytes of the table when all of its segments are in use.
    pub(crate) const fn bytes(&self) -> usize {
        self.segments.len() * (self.length * size_of::<Bucket>() + size_of::<Segment>())
    }

    /// Forgets all entries. O(1), but O(segments) once in a few hundred questions.
    pub(crate) fn forget(&mut self) {
        let mut age = self.age.load(Ordering::Relaxed);
        if age >= MOST_QUESTIONS {
            for segment in &mut self.segments {
                segment.take();
            }
            age = 0;
        }
        self.age.store(age, Ordering::Relaxed);
        self.forgotten = age;
        self.question.store(0, Ordering::Relaxed);
        self.sides.store(0, Ordering::Relaxed);
        self.used.store(1, Ordering::Relaxed);
        self.displaced.store(0, Ordering::Relaxed);
    }

    /// Notes that entries about a side come, or about both sides with `None`.
    pub(crate) fn note_side(&self, who: Option<Player>) {
        self.sides.fetch_or(who.map_or(u8::MAX, |who| 1 << who.index()), Ordering::Relaxed);
    }

    /// `true` if the table may have entries about a side.
    pub(crate) fn has_side(&self, who: Player) -> bool {
        self.sides.load(Ordering::Relaxed) & 1 << who.index() != 0
    }

    /// Begins a question with this key. If the question is not the last question again, earlier entries become
    /// more likely to be replaced.
    pub(crate) fn begin(&self, question: u64) {
        if self.question.swap(question, Ordering::Relaxed) != question || question == 0 {
            self.grow_older();
        }
    }

    /// Makes sure that some question has begun, so that the table accepts entries.
    pub(crate) fn begin_any(&self) {
        if self.age.load(Ordering::Relaxed) <= self.forgotten {
            self.grow_older();
        }
    }

    /// Begins a new question: earlier entries become more likely to be replaced.
    pub(crate) fn grow_older(&self) {
        let older = |age: u8| age.checked_add(1);
        // At the greatest age, all entries have the same age until the table is forgotten.
        let _ = self.age.fetch_update(Ordering::Relaxed, Ordering::Relaxed, older);
    }

    /// The bytes of the segments in use.
    pub(crate) fn in_use(&self) -> usize {
        self.used.load(Ordering::Relaxed) * self.length * size_of::<Bucket>()
    }

    /// Makes an empty table ready for `entries` entries.
    pub(crate) fn reserve(&self, entries: u64) {
        // The table is half full, so that few entries displace each other.
        let segments = entries / (2 * self.length as u64).max(1) + 1;
        let most = self.segments.len().max(1);
        self.used.store(usize::try_from(segments).unwrap_or(most).min(most), Ordering::Relaxed);
        self.grow_older();
    }

    /// Calls `tell` with the key and the data, as [`put_raw`](Store::put_raw) takes them, of each entry that has
    /// work. No other thread may write meanwhile.
    pub(crate) fn each(&self, tell: &mut dyn FnMut(u64, u64) -> io::Result<()>) -> io::Result<()> {
        let used = self.used.load(Ordering::Relaxed);
        let made = self.segments.iter().take(used).filter_map(OnceLock::get);
        for slot in made.flat_map(|segment| segment.iter()).flat_map(|bucket| &bucket.0).map(Slot) {
            let data = slot.data();
            if self.taken(data) && unpack(data).work > 0 {
                tell(slot.key(data), data >> 8 << 8)?;
            }
        }
        Ok(())
    }

    /// Stores data of [`each`](Store::each); `false` if the data are no valid entry.
    pub(crate) fn put_raw(&self, key: u64, data: u64) -> bool {
        let known = read(data);
        if let Some(known) = known {
            self.put(key, known);
        }
        known.is_some()
    }

    /// `true` if the data are an entry that is not forgotten.
    const fn taken(&self, data: u64) -> bool {
        data as u8 > self.forgotten
    }

    /// The segment of a key, and the bucket in it.
    #[inline]
    fn place(&self, key: u64) -> (usize, usize) {
        let used = self.used.load(Ordering::Relaxed);
        let mask = used.next_power_of_two() - 1;
        let low = key as usize & mask;
        // An entry whose segment is not in use yet is in the segment that will be split.
        let segment = if low < used { low } else { low & mask >> 1 };
        (segment, ((u128::from(key) * self.length as u128) >> 64) as usize)
    }

    /// The stored knowledge about a position.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let (segment, offset) = self.place(key);
        let bucket = self.segments.get(segment)?.get()?.get(offset)?;
        find(&bucket.0, key, |data| self.taken(data)).map(unpack)
    }

    /// Stores an entry. A decided entry stays decided.
    pub(crate) fn put(&self, key: u64, known: Known) {
        let (segment, offset) = self.place(key);
        let Some(bucket) = self.segment(segment).get(offset) else { return };
        let age = self.age.load(Ordering::Relaxed);
        let worth = |data| if self.taken(data) { worth(data, age) } else { 0 };
        let Some((slot, worth)) = place(&bucket.0, key, worth) else { return };
        let old = slot.data();
        if worth == 0
            && self.taken(old)
            && known.numbers.decided().is_none()
            && unpack(old).numbers.decided().is_some()
        {
            return;
        }
        slot.write(key, pack(known, age));
        if worth > 0 && self.used.load(Ordering::Relaxed) < self.segments.len() {
            self.press();
        }
    }

    /// The buckets of a segment, which are allocated at their first use.
    fn segment(&self, index: usize) -> &[Bucket] {
        let bucket = || Bucket(from_fn(|_| from_fn(|_| AtomicU64::new(0))));
        let make = || (0..self.length).map(|_| bucket()).collect();
        self.segments.get(index).map_or(&[], |segment| segment.get_or_init(make))
    }

    /// Counts an entry that was displaced although the table can still grow.
    #[cold]
    fn press(&self) {
        let displaced = self.displaced.fetch_add(1, Ordering::Relaxed) + 1;
        if displaced * PRESSURE >= self.length && !self.growing.swap(true, Ordering::Acquire) {
            self.split();
            self.displaced.store(0, Ordering::Relaxed);
            self.growing.store(false, Ordering::Release);
        }
    }

    /// Adds a segment, which takes its share of an older one. Other threads continue meanwhile: an entry that
    /// another thread stores at that time may be lost.
    fn split(&self) {
        let new = self.used.load(Ordering::Relaxed);
        if new >= self.segments.len() {
            return;
        }
        let bit = 1 << new.ilog2();
        let (from, to) = (self.segment(new - bit), self.segment(new));
        let pairs =
            || from.iter().zip(to).flat_map(|(from, to)| from.0.iter().map(Slot).zip(to.0.iter().map(Slot)));
        let moves = |data: u64, key: u64| self.taken(data) && key as usize & bit != 0;
        for (from, to) in pairs() {
            let data = from.data();
            match from.key(data) {
                key if moves(data, key) => to.write(key, data),
                _ => to.clear(),
            }
        }
        self.used.store(new + 1, Ordering::Relaxed);
        for (from, _) in pairs() {
            let data = from.data();
            if moves(data, from.key(data)) {
                from.clear();
            }
        }
    }
}

/// The stored form of work: eight steps for each doubling.
#[inline]
pub(crate) fn effort(nodes: u64) -> u8 {
    let nodes = nodes.max(1);
    let log = nodes.ilog2();
    let fraction = if log >= 3 { nodes >> (log - 3) } else { nodes << (3 - log) };
    (log * 8 + (fraction as u32 & 7)).min(255) as u8
}

/// The work in nodes of a result of [`effort`], rounded down.
#[inline]
pub(crate) const fn nodes_of(effort: u8) -> u64 {
    let (log, fraction) = (effort as u32 / 8, (effort as u64 & 7) | 8);
    if log >= 3 { fraction << (log - 3) } else { fraction >> (3 - log) }
}

/// The worth of an entry when an entry must be replaced. An entry of an earlier search counts an eighth of its
/// work.
fn worth(data: u64, age: u8) -> u32 {
    let work = u32::from((data >> 8) as u8);
    1 + if data as u8 == age { work + 24 } else { work }
}

/// The data of an entry: proof 24 · disproof 24 · work 8 · age 8 bits. In a decided entry the tag takes the place
/// of the infinite number. The age 0 means an empty slot.
pub(crate) fn pack(known: Known, age: u8) -> u64 {
    let ProofNumbers { proof, disproof } = known.numbers;
    let tag = u32::from(known.tag);
    let tag = if tag == 0 { super::numbers::INFINITE } else { tag };
    let (high, low) = match known.numbers.decided() {
        Some(true) => (0, tag),
        Some(false) => (tag, 0),
        None => (proof, disproof),
    };
    u64::from(high) << 40 | u64::from(low) << 16 | u64::from(known.work) << 8 | u64::from(age)
}

pub(crate) fn unpack(data: u64) -> Known {
    let (high, low) = ((data >> 40) as u32, (data >> 16) as u32 & super::numbers::INFINITE);
    let work = (data >> 8) as u8;
    let tag = |word: u32| u16::try_from(word).unwrap_or(0);
    match (high, low) {
        (0, word) => Known { numbers: ProofNumbers::PROVEN, work, tag: tag(word) },
        (word, 0) => Known { numbers: ProofNumbers::DISPROVEN, work, tag: tag(word) },
        (proof, disproof) => Known { numbers: ProofNumbers { proof, disproof }, work, tag: 0 },
    }
}

/// The entry of data from outside; `None` if no search makes such an entry. An open position has two finite numbers: with an
/// infinite one it would count as neither open nor decided, and the search would end without an answer.
pub(crate) fn read(data: u64) -> Option<Known> {
    let known = unpack(data);
    let ProofNumbers { proof, disproof } = known.numbers;
    let possible = known.numbers.decided().is_some() || proof.max(disproof) < super::numbers::INFINITE;
    (possible && pack(known, 0) == data).then_some(known)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn known(proof: u32, disproof: u32) -> Known {
        Known { numbers: ProofNumbers { proof, disproof }, work: effort(100), tag: 0 }
    }

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let store = Store::new(1 << 12);
        store.grow_older();
        let solved = Known { numbers: ProofNumbers::DISPROVEN, work: 9, tag: 0xfffe };
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
        assert_eq!(store.length, 1);
        for key in 1..=4 {
            store.put(key, Known { work: effort(1000 * key), ..known(key as u32, 9) });
        }
        store.put(5, Known { work: 0, ..known(5, 9) });
        store.put(6, Known { work: 0, ..known(6, 9) });
        let there: Vec<_> = (1..=6).filter(|&key| store.get(key).is_some()).collect();
        assert_eq!(there, [2, 3, 4, 6]);
    }

    #[test]
    fn what_is_decided_stays_so() {
        let store = Store::new(100);
        store.grow_older();
        let solved = Known { numbers: ProofNumbers::PROVEN, work: 9, tag: 3 };
        store.put(1, solved);
        store.put(1, known(7, 7));
        assert_eq!(store.get(1), Some(solved));
    }

    #[test]
    fn a_table_that_fills_grows_and_keeps_what_it_has() {
        let mut store = Store::new(8 << 20);
        store.grow_older();
        let key = |i: u64| stonework_game::scatter(i);
        let count = 200_000;
        for i in 0..count {
            store.put(key(i), known(i as u32 + 1, 1));
            assert_eq!(store.get(key(i)), Some(known(i as u32 + 1, 1)), "{i}");
        }
        let used = store.used.load(Ordering::Relaxed);
        assert!((4..=store.segments.len()).contains(&used), "{used} of {}", store.segments.len());
        let there: Vec<_> = (0..count).filter_map(|i| Some((i, store.get(key(i))?))).collect();
        assert!(there.iter().all(|&(i, found)| found == known(i as u32 + 1, 1)));
        assert!(there.len() as u64 > count * 9 / 10, "{} of {count}", there.len());
        // After `forget`, the table is small again and has no entries.
        store.forget();
        store.grow_older();
        assert_eq!(store.used.load(Ordering::Relaxed), 1);
        for i in 0..count {
            assert_eq!(store.get(key(i)), None);
            store.put(key(i), known(1, 2));
        }
        assert!((0..count).filter_map(|i| store.get(key(i))).all(|found| found == known(1, 2)));
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
    fn the_largest_table_is_counted_in_more_bits_than_a_small_targets_addresses_have() {
        let of_32_bits = u32::try_from(size_of::<Bucket>())
            .ok()
            .and_then(|bucket| bucket.checked_mul(SEGMENT as u32)?.checked_mul(MOST_SEGMENTS as u32));
        assert_eq!((of_32_bits, MOST_BYTES), (None, 1 << 40));
        // The greatest size of a table on a target of 32 bits, in bytes.
        let bytes = u32::MAX as usize;
        assert!(Store::new(bytes).segments.len() <= MOST_SEGMENTS);
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

#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    fn known(n: u32) -> Known {
        Known { numbers: ProofNumbers { proof: n, disproof: n << 8 }, work: n as u8, tag: 0 }
    }

    /// A store of two segments of one bucket each, so that the keys share slots.
    fn small() -> Store {
        let mut store = Store::new(100);
        store.segments = (0..2).map(|_| OnceLock::new()).collect();
        store.grow_older();
        store.segment(0);
        store.segment(1);
        store
    }

    #[test]
    fn loom_readers_get_what_somebody_stored_under_the_key() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let store = Arc::new(small());
            let other = {
                let store = Arc::clone(&store);
                thread::spawn(move || store.put(3, known(3)))
            };
            store.put(5, known(5));
            for key in [3, 5] {
                let found = store.get(key);
                assert!(found.is_none_or(|found| found == known(key as u32)), "{found:?} under {key}");
            }
            other.join().expect("storing does not fail");
        });
    }

    #[test]
    fn loom_splitting_mixes_nothing_up() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let store = Arc::new(small());
            store.put(3, known(3));
            store.put(4, known(4));
            let splitter = {
                let store = Arc::clone(&store);
                thread::spawn(move || store.split())
            };
            store.put(5, known(5));
            for key in [3, 4, 5] {
                let found = store.get(key);
                assert!(found.is_none_or(|found| found == known(key as u32)), "{found:?} under {key}");
            }
            splitter.join().expect("splitting does not fail");
            assert_eq!([3, 4].map(|key| store.get(key)), [Some(known(3)), Some(known(4))]);
        });
    }
}
