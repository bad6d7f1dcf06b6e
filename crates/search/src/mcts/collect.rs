//! [`Collector`]: drops parts of a tree and closes the gaps, in place and bit by bit.

use super::node::Node;
use super::tree::Arena;

/// The number of buckets of visits: four to a power of two, and one for nodes whose value is known.
const BUCKETS: usize = 128;

/// The removal of parts of a tree, in three passes over all slots in order, each of which can be interrupted:
///
/// 1. *Measure*: counts the slots of the children of nodes, by the nodes' visits.
/// 2. *Mark*: parents always lie before their children, so that one pass reaches all kept nodes. The first child
///    of each block notes its parent; the first child of a dropped block notes the length of the block.
/// 3. *Slide*: each block moves to the front. The pass updates the link of the block's parent, which has moved
///    already, and the parents that the first children of the block's nodes have noted.
///
/// The passes need a few hundred bytes of memory.
///
/// In a graph several nodes may lead to one block. The first of these nodes that is kept and lies before the block
/// keeps the block; every other node loses the block and finds it again by the position's key at its next visit.
/// So the passes work on a tree. A block that no node before the block keeps is dropped, even if a node behind the
/// block is kept.
#[derive(Debug)]
pub(super) struct Collector {
    pass: Pass,
    /// The number of slots to keep; `None`: all slots that the root leads to.
    keep: Option<usize>,
    /// The slots of nodes whose children are kept in any case, in order.
    line: Vec<u32>,
    /// The number of slots in each bucket of their parents' visits.
    slots: [usize; BUCKETS],
    /// The bucket below which the children of all nodes are dropped.
    bucket: usize,
    /// The number of slots that are dropped in the bucket `bucket`.
    quota: usize,
    /// The next slot of the pass.
    at: usize,
    /// The new levels of the chunks so far; the next block goes to the end of the last of these chunks.
    to: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pass {
    Measure,
    Mark,
    Slide,
}

impl Collector {
    /// A collector that keeps all nodes below the root.
    pub(super) fn everything() -> Self {
        Self {
            pass: Pass::Measure,
            keep: None,
            line: Vec::new(),
            slots: [0; BUCKETS],
            bucket: 0,
            quota: 0,
            at: 0,
            to: Vec::new(),
        }
    }

    /// A collector that keeps about `keep` slots, and always the children of the root and of the nodes in the slots `line`.
    pub(super) fn half(keep: usize, mut line: Vec<u32>) -> Self {
        line.sort_unstable();
        Self { keep: Some(keep), line, ..Self::everything() }
    }

    /// Works on about `slots` slots; returns the levels of the chunks at the end of the last pass.
    pub(super) fn step(&mut self, arena: &Arena, slots: usize) -> Option<Vec<u32>> {
        let levels = arena.levels();
        let mut left = slots;
        while left > 0 {
            let chunk = self.at >> arena.shift();
            let Some(&level) = levels.get(chunk) else {
                if self.pass == Pass::Slide {
                    return Some(std::mem::take(&mut self.to));
                }
                self.next_pass(arena);
                continue;
            };
            let level = (chunk << arena.shift()) + level as usize;
            if self.at >= level {
                self.at = (chunk + 1) << arena.shift();
                continue;
            }
            let until = level.min(self.at.saturating_add(left));
            left = left.saturating_sub(until - self.at);
            match self.pass {
                Pass::Measure => self.measure(arena, until),
                Pass::Mark => self.mark(arena, until),
                Pass::Slide => self.slide(arena, until),
            }
        }
        None
    }

    fn next_pass(&mut self, arena: &Arena) {
        self.at = 0;
        if self.pass == Pass::Mark {
            self.pass = Pass::Slide;
            if let Some(index) = arena.index() {
                index.forget();
            }
            // The root stays.
            self.at = 1;
            self.to = vec![1];
            return;
        }
        self.pass = Pass::Mark;
        if let Some(root) = arena.node(0) {
            root.keep(true);
        }
        let Some(keep) = self.keep else { return };
        let all: usize = self.slots.iter().sum();
        let mut drop = all.saturating_sub(keep);
        // The children of a decided node are not needed any more.
        drop = drop.max(self.slots[0]);
        while self.bucket < BUCKETS - 1 && self.slots[self.bucket] <= drop {
            drop -= self.slots[self.bucket];
            self.bucket += 1;
        }
        self.quota = drop;
    }

    fn measure(&mut self, arena: &Arena, until: usize) {
        for node in (self.at..until).filter_map(|slot| arena.node(slot as u32)) {
            node.keep(false);
            let (meta, mut slots) = (node.meta(), 0);
            if let Some(head) = arena.head(node, meta) {
                node.restrict(head.meta().set());
                // The children count once, for all nodes that lead to the head.
                if head.note() == 0 {
                    head.set_note(1);
                    slots = meta.count() + 1;
                }
            } else {
                slots = meta.count();
            }
            self.slots[bucket(node)] += slots;
        }
        self.at = until;
    }

    fn mark(&mut self, arena: &Arena, until: usize) {
        for slot in self.at..until {
            let Some(node) = arena.node(slot as u32) else { continue };
            let meta = node.meta();
            let Some(first) = arena.start(node, meta) else { continue };
            let heads = arena.heads();
            if heads > 0 && (first.meta().kept() || node.link() as usize <= slot) {
                node.disown();
                continue;
            }
            let count = meta.count() + heads;
            let wanted = slot == 0 || self.line.binary_search(&(slot as u32)).is_ok();
            if meta.kept() && (wanted || !self.drops(node, count)) {
                for kid in arena.block(node.link() - heads as u32, count) {
                    kid.keep(true);
                }
                first.set_note(slot as u32);
            } else {
                first.set_note(count as u32);
                if meta.kept() {
                    node.disown();
                }
            }
        }
        self.at = until;
    }

    fn drops(&mut self, node: &Node, kids: usize) -> bool {
        if self.keep.is_none() {
            return false;
        }
        let bucket = bucket(node);
        if bucket == self.bucket && self.quota > 0 {
            self.quota = self.quota.saturating_sub(kids);
            return true;
        }
        bucket < self.bucket
    }

    fn slide(&mut self, arena: &Arena, until: usize) {
        while self.at < until {
            let Some(first) = arena.node(self.at as u32) else { return };
            let noted = first.note();
            if !first.meta().kept() {
                self.at += noted.max(1) as usize;
                continue;
            }
            // The parent's new place.
            let Some(parent) = arena.node(noted) else { return };
            let heads = arena.heads();
            let block = arena.block(self.at as u32, parent.meta().count() + heads);
            let (new, room) = self.place(arena, block.len());
            for (slot, (old, new)) in (new..).zip(block.iter().zip(room)) {
                if !std::ptr::eq(old, new) {
                    new.become_copy(old);
                }
                if let Some(first) = arena.start(new, new.meta()) {
                    first.set_note(slot);
                }
            }
            if let Some(first) = room.first() {
                first.set_note(0);
                if let Some(index) = arena.index()
                    && first.key() != 0
                {
                    index.put(first.key(), new);
                }
            }
            parent.set_link(new + heads as u32);
            self.at += block.len().max(1);
        }
    }

    /// Room for the next block, never behind the block's present place.
    fn place<'a>(&mut self, arena: &'a Arena, count: usize) -> (u32, &'a [Node]) {
        loop {
            let chunk = self.to.len() - 1;
            let slot = (chunk << arena.shift()) as u32 + self.to[chunk];
            let room = arena.block(slot, count);
            let fits = self.to[chunk] as usize + count <= 1 << arena.shift();
            if fits && room.len() == count {
                self.to[chunk] += count as u32;
                return (slot, room);
            }
            if chunk << arena.shift() > self.at {
                // Unreachable: the block itself lies before this chunk.
                return (self.at as u32, arena.block(self.at as u32, count));
            }
            self.to.push(0);
        }
    }
}

/// The bucket of a node: 0 for a decided node, otherwise by the node's visits.
fn bucket(node: &Node) -> usize {
    if node.meta().exact() {
        return 0;
    }
    let visits = node.tally().visits().max(1);
    let power = visits.ilog2();
    let quarter = if power < 2 { 0 } else { visits >> (power - 2) & 3 };
    (1 + 4 * power + quarter) as usize
}
