//! The compiled tables.

use crate::code::{Code, Reach};

/// No answer, no node.
pub(crate) const NONE: u32 = u32::MAX;

/// The result of the look-up of a ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Head {
    /// The answer of patterns that end with this ring, or [`NONE`].
    pub(crate) answer: u32,
    /// The node of the longer patterns, or [`NONE`].
    pub(crate) node: u32,
}

/// A node: the look-up of one ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// The cells with a condition of some pattern.
    pub(crate) care: u32,
    pub(crate) ring: Reach,
}

/// The reply of a pattern in a neighbourhood.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Reply {
    pub(crate) answer: u32,
    pub(crate) weight: f32,
    pub(crate) pattern: u32,
    pub(crate) chance: u8,
}

/// A slot of the hash table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot {
    /// Node and cells; in [`FREE`] a number larger than that of any node.
    pub(crate) key: u64,
    pub(crate) head: Head,
}

impl Slot {
    pub(crate) fn is_free(&self) -> bool {
        *self == FREE
    }
}

const FREE: Slot = Slot { key: u64::MAX, head: Head { answer: NONE, node: NONE } };

/// The factor that spreads keys over a table: any odd number with bits at all places would do.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// All tables of a set of patterns.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tables {
    /// For each state of the inner ring, the index of its entry in `heads`.
    pub(crate) first: Box<[u16; 4096]>,
    pub(crate) heads: Vec<Head>,
    pub(crate) nodes: Vec<Node>,
    /// The hash table, with open addressing; its length is a power of two.
    pub(crate) slots: Vec<Slot>,
    pub(crate) replies: Vec<Reply>,
}

impl Default for Tables {
    fn default() -> Self {
        let (nodes, slots, replies) = (Vec::new(), Vec::new(), Vec::new());
        Self { first: Box::new([0; 4096]), heads: vec![FREE.head], nodes, slots, replies }
    }
}

/// The cells of a ring as a number: the mover's bits, then the other side's.
#[inline]
pub(crate) const fn index(ring: Reach, mover: u32, other: u32) -> u32 {
    let (start, width) = (ring.ring_start(), ring.cells() - ring.ring_start());
    mover >> start | (other >> start) << width
}

impl Tables {
    /// Sets the result of the inner ring.
    pub(crate) fn set_first(&mut self, key: u32, head: Head) {
        // At most one entry for each of the 4096 inner rings, and the first one.
        self.first[key as usize & 4095] = self.heads.len() as u16;
        self.heads.push(head);
    }

    /// Adds the result for the cells of a node. Look-ups find it after [`Tables::finish`].
    pub(crate) fn add(&mut self, node: u32, key: u32, head: Head) {
        self.slots.push(Slot { key: slot_key(node, key), head });
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

    #[inline]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(SPREAD) >> 32) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn after(&self, node: u32, key: u32) -> Option<Head> {
        let key = slot_key(node, key);
        let mut at = self.place(key);
        loop {
            let slot = self.slots[at & (self.slots.len() - 1)];
            if slot.key == key {
                return Some(slot.head);
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
        let mut head = self.heads[usize::from(first)];
        let mut answer = head.answer;
        // Each node has a longer ring than the node before, so the loop ends.
        while let Some(node) = self.nodes.get(head.node as usize) {
            if node.ring > code.reach() {
                break;
            }
            let key = index(node.ring, mover & node.care, other & node.care);
            let Some(next) = self.after(head.node, key) else { break };
            head = next;
            if head.answer != NONE {
                answer = head.answer;
            }
        }
        self.replies.get(answer as usize)
    }
}

#[inline]
const fn slot_key(node: u32, key: u32) -> u64 {
    (node as u64) << 24 | key as u64
}
