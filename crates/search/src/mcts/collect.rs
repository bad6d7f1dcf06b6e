//! [`Collector`]: drops parts of a tree and closes the gaps, in place and bit by bit.

use super::node::Node;
use super::tree::Arena;

/// Buckets of visits: four to a power of two, and one for nodes whose value is known.
const BUCKETS: usize = 128;

/// Three passes over all slots in order, each of which can be interrupted:
///
/// 1. *Measure*: counts the slots of the children of nodes, by the nodes' visits.
/// 2. *Mark*: parents always lie before their children, so that one pass reaches all kept nodes. The
///    first child of each block notes its parent, or the length of the block if it is dropped.
/// 3. *Slide*: each block moves to the front; its parent, which has moved already, is told, and so are
///    the first children of its nodes.
///
/// No memory is needed but a few hundred bytes.
///
/// In a graph the first node that is kept and lies before a block has it; all others that led to it lose it, and
/// find it again by the position's key when they are next visited. So the passes see a tree. A block that no node
/// before it keeps is dropped, even if one behind it is kept.
#[derive(Debug)]
pub(super) struct Collector {
    pass: Pass,
    /// Slots to keep; `None`: all that can be reached from the root.
    keep: Option<usize>,
    /// Slots by the visits of their parents.
    slots: [usize; BUCKETS],
    /// Children of nodes in buckets below this one are dropped...
    bucket: usize,
    /// ... and this number of slots in it.
    quota: usize,
    /// The slot that the pass has come to.
    at: usize,
    /// Where the next block goes: chunks that are filled, the last one being filled.
    to: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pass {
    Measure,
    Mark,
    Slide,
}

impl Collector {
    /// Keeps all that is below the root.
    pub(super) fn everything() -> Self {
        Self {
            pass: Pass::Measure,
            keep: None,
            slots: [0; BUCKETS],
            bucket: 0,
            quota: 0,
            at: 0,
            to: Vec::new(),
        }
    }

    /// Keeps at most `keep` slots, and always the root's children.
    pub(super) fn half(keep: usize) -> Self {
        Self { keep: Some(keep), ..Self::everything() }
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
                // Once for all nodes that lead to it.
                if head.favourite() == 0 {
                    head.set_favourite(1);
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
            if meta.kept() && (slot == 0 || !self.drops(node, count)) {
                for kid in arena.block(node.link() - heads as u32, count) {
                    kid.keep(true);
                }
                first.set_favourite(slot as u32);
            } else {
                first.set_favourite(count as u32);
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
            let noted = first.favourite();
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
                    first.set_favourite(slot);
                }
            }
            if let Some(first) = room.first() {
                first.set_favourite(0);
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

    /// Room for the next block: never behind where it lies now.
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
                // Cannot be: the block itself lies before this.
                return (self.at as u32, arena.block(self.at as u32, count));
            }
            self.to.push(0);
        }
    }
}

/// 0 for a decided node, else by its visits.
fn bucket(node: &Node) -> usize {
    if node.meta().exact() {
        return 0;
    }
    let visits = node.tally().visits().max(1);
    let power = visits.ilog2();
    let quarter = if power < 2 { 0 } else { visits >> (power - 2) & 3 };
    (1 + 4 * power + quarter) as usize
}
