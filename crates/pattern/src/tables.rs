//! The tables into which patterns are compiled, and the look-up in them.

use crate::code::{Code, Reach};

/// The number that stands for no reply, or for no node.
pub(crate) const NONE: u32 = u32::MAX;

/// The result of the look-up of a ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RingResult {
    /// The number of the reply of the patterns that end with this ring, or [`NONE`].
    pub(crate) reply: u32,
    /// The number of the node of the longer patterns, or [`NONE`].
    pub(crate) node: u32,
}

/// A node of the tree of look-ups: it looks at the cells of one ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// The cells of the ring on which one of the remaining patterns has a condition.
    pub(crate) care: u32,
    pub(crate) ring: Reach,
}

/// The reply of a pattern in a neighbourhood.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Reply {
    /// The cells of the answer, a bit for each.
    pub(crate) answer: u32,
    pub(crate) weight: f32,
    /// The number of the pattern.
    pub(crate) pattern: u32,
    /// The probability of the answer, in eighths.
    pub(crate) chance: u8,
}

/// A slot of the hash table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot {
    /// The [key](slot_key) of a node and the cells of its ring; in [`FREE`] a number larger than all such keys.
    pub(crate) key: u64,
    pub(crate) result: RingResult,
}

impl Slot {
    pub(crate) fn is_free(&self) -> bool {
        *self == FREE
    }
}

const FREE: Slot = Slot { key: u64::MAX, result: RingResult { reply: NONE, node: NONE } };

/// The factor that spreads keys over a table: any odd number with bits at all places would do.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// All tables of a set of patterns.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tables {
    /// For each state of the inner ring, the index of its entry in `results`.
    pub(crate) first: Box<[u16; 4096]>,
    pub(crate) results: Vec<RingResult>,
    pub(crate) nodes: Vec<Node>,
    /// The hash table of the results of nodes, with open addressing. Its length is a power of two.
    pub(crate) slots: Vec<Slot>,
    pub(crate) replies: Vec<Reply>,
}

impl Default for Tables {
    fn default() -> Self {
        let (nodes, slots, replies) = (Vec::new(), Vec::new(), Vec::new());
        Self { first: Box::new([0; 4096]), results: vec![FREE.result], nodes, slots, replies }
    }
}

/// The states of the cells of a ring as a number: the mover's bits below the other side's bits.
#[inline]
pub(crate) const fn index(ring: Reach, mover: u32, other: u32) -> u32 {
    let (start, width) = (ring.ring_start(), ring.cells() - ring.ring_start());
    mover >> start | (other >> start) << width
}

impl Tables {
    /// Sets the result for the state `key` of the inner ring.
    pub(crate) fn set_first(&mut self, key: u32, result: RingResult) {
        // The index fits: one result for each of the 4096 states of the inner ring at most, besides the result of no pattern.
        self.first[key as usize & 4095] = self.results.len() as u16;
        self.results.push(result);
    }

    /// Adds the result of a node for the state `key` of its ring. Look-ups find it after [`Tables::finish`].
    pub(crate) fn add(&mut self, node: u32, key: u32, result: RingResult) {
        self.slots.push(Slot { key: slot_key(node, key), result });
    }

    /// Builds the hash table of all results, at most half full.
    pub(crate) fn finish(mut self) -> Self {
        let size = (2 * self.slots.len()).next_power_of_two();
        let entries = std::mem::replace(&mut self.slots, vec![FREE; size]);
        for entry in entries {
            let mut at = self.place(entry.key);
            while !self.slots[at].is_free() {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = entry;
        }
        self
    }

    /// The slot at which the search for a key begins.
    #[inline]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(SPREAD) >> 32) as usize & (self.slots.len() - 1)
    }

    /// The result of a node for the state `key` of its ring.
    #[inline]
    fn after(&self, node: u32, key: u32) -> Option<RingResult> {
        let key = slot_key(node, key);
        let mut at = self.place(key);
        loop {
            let slot = self.slots[at & (self.slots.len() - 1)];
            if slot.key == key {
                return Some(slot.result);
            }
            if slot.key == FREE.key {
                return None;
            }
            at += 1;
        }
    }

    /// The reply of the longest pattern that matches.
    #[inline]
    pub(crate) fn find(&self, code: Code) -> Option<&Reply> {
        let (mover, other) = (code.mover(), code.other());
        let inner = Reach::Six.mask();
        let first = self.first[index(Reach::Six, mover & inner, other & inner) as usize & 4095];
        let mut result = self.results[usize::from(first)];
        let mut reply = result.reply;
        // Each node has a longer ring than the node before, so the loop ends.
        while let Some(node) = self.nodes.get(result.node as usize) {
            if node.ring > code.reach() {
                break;
            }
            let key = index(node.ring, mover & node.care, other & node.care);
            let Some(next) = self.after(result.node, key) else { break };
            result = next;
            if result.reply != NONE {
                reply = result.reply;
            }
        }
        self.replies.get(reply as usize)
    }
}

/// The key of the slot with the result of a node for the state `key` of its ring, a number of at most 24 bits.
#[inline]
const fn slot_key(node: u32, key: u32) -> u64 {
    (node as u64) << 24 | key as u64
}
