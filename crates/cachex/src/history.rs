//! [`History`]: the number of occurrences of each board of a game.

use std::collections::BTreeMap;

/// The number of buckets; a game of 343 turns has 1.3 boards in each.
const BUCKETS: usize = 256;

/// The change of the board by a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// A stone on the cell with this number, which captured the neighbours in this pattern.
    Stone { cell: u8, captured: u8 },
    /// A steal of the stone on the cell with this number.
    Steal { cell: u8 },
}

/// A board that has occurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    key: u64,
    /// One more than the index of the previous entry in the bucket; 0 for none.
    previous: u16,
    /// The number of occurrences of the board up to this one.
    count: u16,
    /// The change by the turn that led to the board.
    change: Change,
}

/// The boards of a game in order, as a stack that is also a hash table with lists.
///
/// Boards are removed in the reverse order, so the newest entry of a bucket is the head of its list, and its removal is O(1).
/// The look-up of a board is O(1) on average.
#[derive(Clone, Debug)]
pub(crate) struct History {
    heads: Box<[u16; BUCKETS]>,
    entries: Vec<Entry>,
}

const fn bucket(key: u64) -> usize {
    // The low byte; keys are random in all bits.
    key as usize % BUCKETS
}

impl History {
    /// A history with one board, which has occurred `count` times.
    pub(crate) fn new(key: u64, count: u16) -> Self {
        let mut heads = Box::new([0; BUCKETS]);
        heads[bucket(key)] = 1;
        // The first board has no turn before it; no code reads its change.
        let change = Change::Steal { cell: 0 };
        Self { heads, entries: vec![Entry { key, previous: 0, count, change }] }
    }

    /// Adds the board after a turn. Returns its number of occurrences. `same` returns `true` if an earlier board with
    /// the same key is the same board, by the changes since, the latest first.
    #[inline]
    pub(crate) fn push(
        &mut self,
        key: u64,
        change: Change,
        same: impl Fn(&mut dyn Iterator<Item = Change>) -> bool,
    ) -> u16 {
        let head = &mut self.heads[bucket(key)];
        let previous = *head;
        let mut count = 1;
        let mut next = previous;
        while next != 0 {
            let entry = &self.entries[usize::from(next) - 1];
            if entry.key == key {
                let since = self.entries[usize::from(next)..].iter().rev().map(|e| e.change);
                if same(&mut std::iter::once(change).chain(since)) {
                    count = entry.count + 1;
                    break;
                }
            }
            next = entry.previous;
        }
        *head = self.entries.len() as u16 + 1;
        self.entries.push(Entry { key, previous, count, change });
        count
    }

    /// Removes the last board, which must not be the first.
    #[inline]
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.entries.len() > 1);
        if let Some(entry) = self.entries.pop() {
            self.heads[bucket(entry.key)] = entry.previous;
        }
    }

    /// The number of occurrences of the last board.
    #[inline]
    pub(crate) fn count(&self) -> u16 {
        self.entries.last().map_or(0, |entry| entry.count)
    }

    /// The number of occurrences of each board.
    fn counts(&self) -> BTreeMap<u64, u16> {
        self.entries.iter().map(|entry| (entry.key, entry.count)).collect()
    }
}

/// Equal histories have the same boards with the same numbers of occurrences, in any order.
impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries || self.counts() == other.counts()
    }
}

impl Eq for History {}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGE: Change = Change::Stone { cell: 3, captured: 0 };

    #[test]
    fn counts_come_and_go_with_the_boards() {
        let mut history = History::new(7, 1);
        let before = history.clone();
        let yes = |_: &mut dyn Iterator<Item = Change>| true;
        // 263 shares the bucket of 7.
        let counts: Vec<u16> = [263, 7, 7, 263, 1].map(|key| history.push(key, CHANGE, yes)).into();
        assert_eq!((counts, history.count()), (vec![1, 2, 3, 2, 1], 1));
        for _ in 0..3 {
            history.pop();
        }
        assert_eq!((history.count(), history.push(263, CHANGE, yes)), (2, 2));
        for _ in 0..3 {
            history.pop();
        }
        assert_eq!((&history, &history.heads), (&before, &before.heads));
    }

    #[test]
    fn changes_distinguish_different_boards_with_equal_keys() {
        let mut history = History::new(7, 1);
        let asked = std::cell::RefCell::new(Vec::new());
        let no = |since: &mut dyn Iterator<Item = Change>| {
            asked.borrow_mut().push(since.count());
            false
        };
        assert_eq!(
            [history.push(7, CHANGE, no), history.push(8, CHANGE, no), history.push(7, CHANGE, no)],
            [1; 3]
        );
        assert_eq!(asked.into_inner(), [1, 2, 3]);
    }

    #[test]
    fn order_does_not_matter_to_equality() {
        let yes = |_: &mut dyn Iterator<Item = Change>| true;
        let of = |keys: &[u64]| {
            let mut history = History::new(0, 1);
            for &key in keys {
                history.push(key, CHANGE, yes);
            }
            history
        };
        assert_eq!(of(&[1, 2, 3]), of(&[2, 1, 3]));
        assert_ne!(of(&[1, 1, 3]), of(&[1, 3, 3]));
        assert_eq!(of(&[1, 3, 1]), of(&[3, 1, 1]));
    }
}
