//! Nodes of best-first trees, in chunks from a pool of limited size.

use crate::ProofNumbers;
use std::collections::BTreeMap;

/// A node: the move that leads to it, its numbers and its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node<M> {
    pub(crate) mv: Option<M>,
    pub(crate) numbers: ProofNumbers,
    /// The index of the node's first child; in a freed run, the index of the next freed run of the same length.
    first: u32,
    /// The number of children; 0 for a leaf.
    pub(crate) count: u32,
}

impl<M> Node<M> {
    pub(crate) const fn new(mv: Option<M>, numbers: ProofNumbers) -> Self {
        Self { mv, numbers, first: 0, count: 0 }
    }

    /// The indices of the node's children.
    pub(crate) const fn children(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }
}

/// Chunks of memory for the trees of one search, with a limit of bytes for all of them.
#[derive(Debug)]
pub(crate) struct Pool<M> {
    spare: Vec<Vec<Node<M>>>,
    /// The number of nodes in a chunk, as a power of two.
    shift: u32,
    made: usize,
    most: usize,
}

impl<M> Pool<M> {
    /// A pool of at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let nodes = bytes / size_of::<Node<M>>();
        // The pool has about 64 to 128 chunks, so that the unused rest is small; a chunk has at least 16 and at
        // most 65 536 nodes.
        let shift = (nodes / 64).checked_ilog2().unwrap_or(0).clamp(4, 16);
        let chunk = (size_of::<Node<M>>() << shift) + size_of::<Vec<Node<M>>>();
        // Indices of nodes have 32 bits.
        let most = (bytes / chunk).min((u32::MAX >> shift) as usize);
        Self { spare: Vec::new(), shift, made: 0, most }
    }

    fn take(&mut self) -> Option<Vec<Node<M>>> {
        self.spare.pop().or_else(|| {
            (self.made < self.most).then(|| {
                self.made += 1;
                Vec::with_capacity(1 << self.shift)
            })
        })
    }

    /// The bytes of all chunks.
    pub(crate) const fn bytes(&self) -> usize {
        self.made * ((size_of::<Node<M>>() << self.shift) + size_of::<Vec<Node<M>>>())
    }

    /// The number of nodes that can still be made.
    pub(crate) const fn left(&self) -> u64 {
        ((self.most - self.made + self.spare.len()) as u64) << self.shift
    }
}

/// The nodes between two questions whether the search goes on: some hundred microseconds.
const STRIDE: u32 = 1 << 14;

/// The patience of a search with a walk over its tree: the walk asks now and then whether the search goes on.
pub(crate) struct Patience<'a> {
    goes_on: &'a mut dyn FnMut() -> bool,
    left: u32,
}

impl<'a> Patience<'a> {
    pub(crate) const fn new(goes_on: &'a mut dyn FnMut() -> bool) -> Self {
        Self { goes_on, left: STRIDE }
    }

    /// Counts a node; `None` if the search is to end.
    fn step(&mut self) -> Option<()> {
        if self.left == 0 {
            self.left = STRIDE;
            return (self.goes_on)().then_some(());
        }
        self.left -= 1;
        Some(())
    }
}

/// The mark of the last freed run of a length.
const END: u32 = u32::MAX;

/// A tree of nodes; number 0 is the root.
#[derive(Debug)]
pub(crate) struct Arena<M> {
    chunks: Vec<Vec<Node<M>>>,
    shift: u32,
    len: u32,
    /// The first freed run of each length; the field `first` of the run's first node is the next run.
    free: BTreeMap<u32, u32>,
    freed: u64,
}

impl<M: Copy> Arena<M> {
    pub(crate) const fn new(pool: &Pool<M>) -> Self {
        Self { chunks: Vec::new(), shift: pool.shift, len: 0, free: BTreeMap::new(), freed: 0 }
    }

    /// The number of nodes in use.
    pub(crate) fn nodes(&self) -> u64 {
        u64::from(self.len) - self.freed
    }

    /// Begins a new tree; `false` if the pool has no room for its root.
    pub(crate) fn plant(&mut self, root: Node<M>, pool: &mut Pool<M>) -> bool {
        self.clear(pool);
        self.push(root, pool)
    }

    /// Returns all memory to the pool.
    pub(crate) fn clear(&mut self, pool: &mut Pool<M>) {
        for mut chunk in self.chunks.drain(..) {
            chunk.clear();
            pool.spare.push(chunk);
        }
        (self.len, self.freed) = (0, 0);
        self.free.clear();
    }

    pub(crate) fn get(&self, index: u32) -> Option<&Node<M>> {
        let mask = (1 << self.shift) - 1;
        self.chunks.get((index >> self.shift) as usize)?.get(index as usize & mask)
    }

    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut Node<M>> {
        let mask = (1 << self.shift) - 1;
        self.chunks.get_mut((index >> self.shift) as usize)?.get_mut(index as usize & mask)
    }

    fn push(&mut self, node: Node<M>, pool: &mut Pool<M>) -> bool {
        if self.len as usize == self.chunks.len() << self.shift {
            let Some(chunk) = pool.take() else { return false };
            self.chunks.push(chunk);
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(node);
            self.len += 1;
        }
        true
    }

    /// Adds children to a node; `false` if the pool has no room for the children.
    pub(crate) fn expand(&mut self, index: u32, children: &[Node<M>], pool: &mut Pool<M>) -> bool {
        let count = children.len() as u32;
        let Some(first) = self.room(count, pool) else { return false };
        for (i, &child) in (first..).zip(children) {
            if let Some(node) = self.get_mut(i) {
                *node = child;
            } else if !self.push(child, pool) {
                return false;
            }
        }
        if let Some(node) = self.get_mut(index) {
            (node.first, node.count) = (first, count);
        }
        true
    }

    /// The place of a run of `count` nodes: a freed run, or the end.
    fn room(&mut self, count: u32, pool: &Pool<M>) -> Option<u32> {
        if let Some((&length, &start)) = self.free.range(count.max(1)..).next() {
            match self.get(start)?.first {
                END => self.free.remove(&length),
                next => self.free.insert(length, next),
            };
            self.freed -= u64::from(length);
            self.release(start + count, length - count);
            return Some(start);
        }
        let in_chunks = ((self.chunks.len() as u64) << self.shift) - u64::from(self.len);
        (u64::from(count) <= in_chunks + pool.left()).then_some(self.len)
    }

    fn release(&mut self, start: u32, length: u32) {
        if length > 0 {
            let next = self.free.insert(length, start).unwrap_or(END);
            if let Some(node) = self.get_mut(start) {
                node.first = next;
            }
            self.freed += u64::from(length);
        }
    }

    /// Frees the nodes below decided nodes; returns their number. `None` if the search ends meanwhile: then the nodes stay as they
    /// are but for decided nodes, some of which have lost their children.
    pub(crate) fn collect(&mut self, patience: &mut Patience<'_>) -> Option<u64> {
        let before = self.freed;
        let mut doomed = Vec::new();
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            patience.step()?;
            let Some(node) = self.get_mut(index) else { continue };
            let children = node.children();
            if node.numbers.decided().is_none() || index == 0 {
                open.extend(children);
            } else if !children.is_empty() {
                node.count = 0;
                doomed.push(children);
            }
        }
        while let Some(run) = doomed.pop() {
            patience.step()?;
            let below = run.clone().filter_map(|i| self.get(i)).map(Node::children);
            doomed.extend(below.filter(|children| !children.is_empty()));
            self.release(run.start, run.len() as u32);
        }
        Some(self.freed - before)
    }

    /// Turns nodes that have only leaves below them into leaves with the same numbers. The least promising of
    /// these nodes are taken, at most a 32nd of the nodes in use or 64, whichever is more, but not the parent of
    /// `kept`. Returns the number of freed nodes; `None` if the search ends before a node is freed. O(tree).
    pub(crate) fn prune(&mut self, kept: u32, patience: &mut Patience<'_>) -> Option<u64> {
        let before = self.freed;
        let most = (self.nodes() as usize / 32).max(64);
        // The counts of these nodes by the logarithm of the lesser of their two numbers.
        let mut by_number = [0_usize; 33];
        self.bottom(kept, patience, &mut |_, number| by_number[number] += 1)?;
        let (mut least, mut taken) = (by_number.len(), 0);
        while least > 0 && taken < most {
            least -= 1;
            taken += by_number[least];
        }
        let mut doomed = Vec::with_capacity(most.min(taken));
        self.bottom(kept, patience, &mut |index, number| {
            if number >= least && doomed.len() < most {
                doomed.push(index);
            }
        })?;
        for index in doomed {
            let Some(node) = self.get_mut(index) else { continue };
            let children = node.children();
            node.count = 0;
            self.release(children.start, children.len() as u32);
        }
        Some(self.freed - before)
    }

    /// Calls `each` with every undecided node whose children are all leaves and do not include `kept`, and with
    /// the logarithm of the lesser of the node's two numbers.
    fn bottom(&self, kept: u32, patience: &mut Patience<'_>, each: &mut dyn FnMut(u32, usize)) -> Option<()> {
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            patience.step()?;
            let Some(node) = self.get(index) else { continue };
            let inner = |&i: &u32| self.get(i).is_some_and(|child| child.count > 0);
            let before = open.len();
            open.extend(node.children().filter(inner));
            if open.len() == before && node.count > 0 && !node.children().contains(&kept) {
                let lesser = node.numbers.proof.min(node.numbers.disproof);
                each(index, lesser.checked_ilog2().map_or(0, |log| log as usize + 1));
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(n: u32) -> Vec<Node<u8>> {
        (0..n).map(|i| Node::new(Some(i as u8), ProofNumbers { proof: 1 + i, disproof: 1 })).collect()
    }

    #[test]
    fn memory_is_limited_and_freed_runs_are_used_again() {
        let mut pool = Pool::new(1 << 16);
        let mut tree = Arena::new(&pool);
        assert!(tree.plant(Node::new(None, ProofNumbers { proof: 1, disproof: 1 }), &mut pool));
        assert!(tree.expand(0, &leaves(5), &mut pool));
        let mut last = 1;
        while tree.expand(last, &leaves(7), &mut pool) {
            last = tree.get(last).unwrap().children().start;
        }
        let (full, limit) = (tree.nodes() as usize * size_of::<Node<u8>>(), 1 << 16);
        assert!(pool.bytes() <= limit && full > limit * 95 / 100, "{full} and {}", pool.bytes());
        tree.get_mut(1).unwrap().numbers = ProofNumbers::PROVEN;
        let before = tree.nodes();
        let freed = tree.collect(&mut Patience::new(&mut || true)).unwrap();
        assert!(freed > 0 && tree.nodes() == before - freed && tree.nodes() == 6);
        assert!(tree.expand(2, &leaves(3), &mut pool));
        let children: Vec<_> = tree.get(2).unwrap().children().collect();
        assert_eq!(tree.get(children[2]).unwrap().numbers.proof, 3);
        assert_eq!(tree.get(3).unwrap().numbers.proof, 3);
        assert_eq!(tree.nodes(), 9);
    }

    #[test]
    fn pruning_spares_the_best_and_the_line_at_hand() {
        let mut pool = Pool::new(1 << 16);
        let mut tree = Arena::new(&pool);
        assert!(tree.plant(Node::new(None, ProofNumbers { proof: 1, disproof: 1 }), &mut pool));
        let promising = |n: u32| Node::new(Some(n as u8), ProofNumbers { proof: n, disproof: n });
        // 200 nodes with two leaves each; the later, the less promising.
        let nodes: Vec<_> = (1..=200).map(promising).collect();
        assert!(tree.expand(0, &nodes, &mut pool));
        for index in 1..=200 {
            assert!(tree.expand(index, &leaves(2), &mut pool));
        }
        let kept = tree.get(200).unwrap().children().start;
        let (before, freed) = (tree.nodes(), tree.prune(kept, &mut Patience::new(&mut || true)).unwrap());
        assert_eq!((freed, tree.nodes()), (2 * 64, before - 2 * 64));
        let is_leaf = |index: u32| tree.get(index).unwrap().count == 0;
        assert!((1..128).all(|index| !is_leaf(index)) && !is_leaf(200));
        assert_eq!((128..200).filter(|&index| is_leaf(index)).count(), 64);
        assert_eq!(tree.get(150).unwrap().numbers.proof, 150);
    }

    /// A large tree takes seconds to be freed, and a search keeps its limit of time within milliseconds.
    #[test]
    fn a_search_that_ends_while_its_tree_is_freed_waits_for_a_stride_alone() {
        let mut pool = Pool::new(4 << 20);
        let mut tree = Arena::new(&pool);
        assert!(tree.plant(Node::new(None, ProofNumbers { proof: 1, disproof: 1 }), &mut pool));
        let (mut leaf, mut parents) = (0, 0);
        while tree.expand(leaf, &leaves(3), &mut pool) {
            (leaf, parents) = (leaf + 1, parents + 1);
        }
        assert!(tree.nodes() > 5 * u64::from(STRIDE), "{}", tree.nodes());
        tree.get_mut(1).unwrap().numbers = ProofNumbers::PROVEN;
        let open = |tree: &Arena<u8>| (2..parents).all(|index| tree.get(index).unwrap().count == 3);
        for most in [0, 1] {
            for walk in 0..2 {
                let mut asked = 0;
                let mut goes_on = || {
                    asked += 1;
                    asked <= most
                };
                let mut patience = Patience::new(&mut goes_on);
                let freed = match walk {
                    0 => tree.prune(parents, &mut patience),
                    _ => tree.collect(&mut patience),
                };
                assert_eq!((freed, asked), (None, most + 1));
            }
        }
        assert!(open(&tree));
    }

    #[test]
    fn sizes_are_kept() {
        for bytes in [0, 100, 1000, 10_000, 1 << 20, 3 << 20] {
            let mut pool = Pool::<u32>::new(bytes);
            while pool.take().is_some() {}
            assert!(pool.bytes() <= bytes);
            assert!(bytes < 100_000 || pool.bytes() >= bytes * 98 / 100, "{} of {bytes}", pool.bytes());
        }
    }
}
