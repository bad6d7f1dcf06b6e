//! [`TranspositionTable`]: a transposition table that threads share without locks.

use std::hash::{Hash, Hasher};

use stonework_game::{Keyed, Sym};

use crate::slot::{self, BUCKET, Slot, Words, find, place};

/// The relation of a stored value to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Bound {
    /// The value is exact.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// The entry of a [`TranspositionTable`] about a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Entry {
    /// The value for the side to move, between −2²³ and 2²³ − 1.
    pub(crate) value: i32,
    /// The plies that were searched below the position.
    pub(crate) depth: u8,
    /// The relation of the value to the true value.
    pub(crate) bound: Bound,
    /// `true` if the bound holds at every depth: no line of its search was cut off.
    pub(crate) complete: bool,
    /// The best move's [tag](move_tag); 0 without a best move.
    pub(crate) tag: u16,
}

/// A short name of a move in a position's canonical frame, never 0.
///
/// Tables store the tag in place of the move: a search that finds an entry lists the legal moves anyway, and takes
/// the first move with the tag. A wrong match affects the order of moves, never correctness.
pub(crate) fn move_tag<G: Keyed>(game: &G, to: Sym, mv: G::Move) -> u16 {
    own_tag(&game.map_move(to, mv))
}

/// The tag of a move in a position that is its own representative.
#[inline]
pub(crate) fn own_tag(mv: &impl Hash) -> u16 {
    let mut hasher = Scatter(0);
    mv.hash(&mut hasher);
    (hasher.finish() >> 48) as u16 | 1
}

/// A small hasher that is the same in every run.
struct Scatter(u64);

impl Hasher for Scatter {
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(b.into());
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }

    fn write_u64(&mut self, n: u64) {
        let x = (self.0 ^ n).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.0 = x ^ (x >> 27);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x94d0_49bb_1331_11eb)
    }
}

/// The size in bytes from which on buckets are aligned to cache lines, at the cost of one bucket.
const ALIGNED: usize = 4096;
/// The last age before all entries are forgotten.
const OLDEST: u16 = (1 << 13) - 1;

/// A table of values by position, with a fixed size in bytes, which threads share without locks.
///
/// A position is in one of four slots. A new entry takes the slot of its own position. Otherwise the new entry
/// takes, in this order, an empty slot, the slot of the shallowest entry of an earlier search, or the slot of the
/// shallowest entry. An entry has 16 bytes, with its whole key.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    slots: Box<[Words]>,
    /// The bytes that were asked for.
    asked: usize,
    /// The slot where the first bucket begins.
    first: usize,
    buckets: usize,
    /// The age of new entries.
    age: u16,
    /// Entries of a lesser age are forgotten.
    visible: u16,
}

impl TranspositionTable {
    /// A table of at most `bytes` bytes, and of fewer if the system does not have them; a table of less than 64 bytes has no slots and
    /// stores nothing.
    pub(crate) fn new(bytes: usize) -> Self {
        let asked = bytes / 64 * 64;
        let slots = slot::empty(asked / size_of::<Words>());
        let lines = slots.len() / BUCKET;
        let (first, buckets) = match slots.as_ptr().align_offset(64) {
            _ if lines * 64 < ALIGNED => (0, lines),
            offset @ 0..BUCKET => (offset, lines - 1),
            _ => (0, lines - 1),
        };
        Self { slots, asked, first, buckets, age: 1, visible: 1 }
    }

    /// `true` if [`new`](TranspositionTable::new) with these bytes makes a table like this one.
    pub(crate) const fn made_for(&self, bytes: usize) -> bool {
        bytes / 64 * 64 == self.asked
    }

    /// The bytes of the table.
    pub(crate) const fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Words>()
    }

    /// Forgets all entries. O(1), but O(slots) once in 2¹³ times.
    pub(crate) fn clear(&mut self) {
        self.grow_older();
        self.visible = self.age;
    }

    /// Begins a new search: earlier entries are replaced first.
    pub(crate) fn grow_older(&mut self) {
        if self.age == OLDEST {
            self.slots.iter().map(Slot).for_each(Slot::clear);
            (self.age, self.visible) = (0, 1);
        }
        self.age += 1;
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Words] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.first + index * BUCKET;
        if self.buckets == 0 { &[] } else { self.slots.get(start..start + BUCKET).unwrap_or(&[]) }
    }

    /// The entry of the position with this key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        find(self.bucket(key), key, |data| age_of(data) >= self.visible).map(unpack)
    }

    /// Stores the entry of the position with this key.
    #[inline]
    pub(crate) fn put(&self, key: u64, entry: Entry) {
        let worth = |data| match age_of(data) {
            age if age < self.visible => 0,
            age if age < self.age => 1 + depth_of(data),
            _ => 1000 + depth_of(data),
        };
        if let Some((slot, _)) = place(self.bucket(key), key, worth) {
            slot.write(key, pack(entry, self.age));
        }
    }
}

/// The data of an entry: value 24 · tag 16 · depth 8 · bound 2 · complete 1 · age 13 bits. The data are never 0,
/// since the age is not 0.
fn pack(entry: Entry, age: u16) -> u64 {
    let value = entry.value.clamp(-(1 << 23), (1 << 23) - 1);
    u64::from(value as u32) << 40
        | u64::from(entry.tag) << 24
        | u64::from(entry.depth) << 16
        | (entry.bound as u64) << 14
        | u64::from(entry.complete) << 13
        | u64::from(age)
}

fn unpack(data: u64) -> Entry {
    Entry {
        value: (data as i64 >> 40) as i32,
        tag: (data >> 24) as u16,
        depth: depth_of(data) as u8,
        bound: match data >> 14 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        complete: data >> 13 & 1 != 0,
    }
}

/// The age of an entry; 0 for an empty slot.
const fn age_of(data: u64) -> u16 {
    data as u16 & OLDEST
}

const fn depth_of(data: u64) -> u32 {
    (data >> 16) as u32 & 255
}

#[cfg(all(test, not(loom)))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry() -> impl Strategy<Value = Entry> {
        let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
        (-(1_i32 << 23)..1 << 23, any::<u8>(), bound, any::<bool>(), any::<u16>())
            .prop_map(|(value, depth, bound, complete, tag)| Entry { value, depth, bound, complete, tag })
    }

    fn deep(depth: u8) -> Entry {
        Entry { value: 5, depth, bound: Bound::Exact, complete: false, tag: 3 }
    }

    proptest! {
        #[test]
        fn entries_unpack_as_they_were_packed(e in entry(), age in 1..=OLDEST) {
            let data = pack(e, age);
            prop_assert_eq!((unpack(data), age_of(data)), (e, age));
        }

        #[test]
        fn what_was_put_last_is_got(puts in prop::collection::vec((any::<u64>(), entry()), 1..50)) {
            let table = TranspositionTable::new(1 << 14);
            for (key, e) in puts {
                table.put(key, e);
                prop_assert_eq!(table.get(key), Some(e));
            }
        }
    }

    #[test]
    fn tables_keep_to_their_bytes() {
        for bytes in [0, 1, 63, 64, 127, 4095, 4096, 5000, 1 << 16, 1 << 20] {
            let table = TranspositionTable::new(bytes);
            assert!(table.bytes() <= bytes && bytes - table.bytes() < 64, "{bytes}");
            table.put(1, deep(1));
            assert_eq!(table.get(1).is_some(), bytes >= 64, "{bytes}");
        }
    }

    /// The memory of this process that is in use, in kilobytes.
    #[cfg(target_os = "linux")]
    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// A new table was written from its first to its last byte, which took longer than a short search.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_new_table_uses_memory_only_where_entries_are_put() {
        let before = resident();
        let table = TranspositionTable::new(1 << 30);
        table.put(1, deep(1));
        assert!(table.get(1).is_some() && table.bytes() == 1 << 30);
        let used = resident().saturating_sub(before);
        assert!(used < 1 << 19, "{used} kB of a table of a gigabyte");
    }

    #[test]
    fn a_table_that_the_system_has_no_memory_for_is_smaller() {
        let table = TranspositionTable::new(isize::MAX as usize);
        assert!(table.bytes() < isize::MAX as usize / 2 && table.made_for(isize::MAX as usize));
        table.put(1, deep(1));
        assert_eq!(table.get(1), (table.bytes() > 0).then(|| deep(1)));
    }

    #[test]
    fn the_shallowest_of_a_full_bucket_goes_first() {
        let table = TranspositionTable::new(64);
        (0..4).for_each(|key| table.put(key, deep(10 + key as u8)));
        table.put(9, deep(1));
        let known: Vec<_> = (0..10).filter(|&key| table.get(key).is_some()).collect();
        assert_eq!(known, [1, 2, 3, 9]);
    }

    #[test]
    fn entries_of_earlier_searches_go_first() {
        let mut table = TranspositionTable::new(64);
        table.put(0, deep(200));
        table.grow_older();
        (1..4).for_each(|key| table.put(key, deep(key as u8)));
        assert!(table.get(0).is_some(), "old entries are still read");
        table.put(9, deep(0));
        let known: Vec<_> = (0..10).filter(|&key| table.get(key).is_some()).collect();
        assert_eq!(known, [1, 2, 3, 9]);
    }

    #[test]
    fn a_cleared_table_knows_nothing_however_often() {
        let mut table = TranspositionTable::new(4096);
        for key in 0..20_000 {
            table.put(key, deep(7));
            assert!(table.get(key).is_some());
            table.clear();
            assert_eq!(table.get(key), None);
            assert_eq!(table.get(key / 2), None);
        }
    }

    #[test]
    fn two_threads_never_read_what_nobody_stored() {
        // Six keys share one bucket. The value of an entry gives its key and round, from which the rest of the
        // entry follows.
        let table = TranspositionTable::new(64);
        let made = |key: u64, round: u64| {
            let x = (key ^ round << 3).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let bound = [Bound::Exact, Bound::Lower, Bound::Upper][(x >> 20) as usize % 3];
            let value = (round << 3 | key) as i32;
            Entry { value, depth: (x >> 56) as u8, bound, complete: x >> 30 & 1 == 0, tag: (x >> 40) as u16 }
        };
        let hammer = |writer: u64| {
            let mut found = 0;
            for round in 0..200_000 {
                let key = (round * 7 + writer) % 6;
                table.put(key, made(key, round));
                let other = (key + 1) % 6;
                if let Some(e) = table.get(other) {
                    found += 1;
                    assert_eq!(e, made(other, e.value as u64 >> 3));
                }
            }
            found
        };
        std::thread::scope(|scope| {
            let threads = [0, 1].map(|writer| scope.spawn(move || hammer(writer)));
            for thread in threads {
                assert!(thread.join().expect("no writer fails") > 0);
            }
        });
    }
}
