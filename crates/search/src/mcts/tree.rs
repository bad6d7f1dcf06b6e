//! [`Arena`]: the memory of nodes, and [`Tree`]: the nodes of one root.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use stonework_game::Indexed;

use super::collect::Collector;
use super::graph::Index;
use super::node::{Meta, Node};
use super::rank;

/// Nodes in chunks that never move and are allocated when they are needed. The children of a node lie side by
/// side in one chunk; slot 0 is the root.
///
/// In a graph a [head](Node::start_head) lies before the children and stands for their parent position: nodes that
/// are moves to the same position have the same children.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Vec<OnceLock<Box<[Node]>>>,
    /// The number of slots of a chunk, as a power of two.
    shift: u32,
    /// The greatest number of slots.
    limit: usize,
    made_for: Plan,
    /// The index by which a graph finds positions again; `None` in a tree.
    index: Option<Index>,
    full: AtomicBool,
    filled: Filled,
}

/// The purpose of an arena: the limit of bytes, the greatest number of children of a node, and `true` for a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    pub(super) bytes: usize,
    pub(super) widest: usize,
    pub(super) graph: bool,
}

/// The levels of the chunks; only the level of the last chunk changes. The levels have a cache line of their own,
/// since they are written often.
#[derive(Debug)]
#[repr(align(128))]
struct Filled(Mutex<Vec<u32>>);

impl Filled {
    fn lock(&self) -> MutexGuard<'_, Vec<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of the lists of chunks for one chunk.
const ENTRY: usize = size_of::<OnceLock<Box<[Node]>>>() + size_of::<u32>();

impl Arena {
    /// An arena with room for nodes, and in a graph for their index, which takes a 32nd of the bytes.
    pub(super) fn new(made_for: Plan) -> Self {
        let index = made_for.graph.then(|| Index::new(made_for.bytes / 32));
        let bytes = made_for.bytes - index.as_ref().map_or(0, Index::bytes);
        // A node cannot have more children.
        let widest = made_for.widest.min(0xffff);
        // Little is lost at the end of a chunk, and the first chunk is not large for a small game.
        let slots = (64 * (widest + 1)).clamp(1 << 12, 1 << 16).max(widest + 1).next_power_of_two();
        let shift = slots.trailing_zeros().min(31);
        // The lists of chunks are paid from the same allowance.
        let entries = bytes / (size_of::<Node>() << shift) + 1;
        let limit = (bytes.saturating_sub(entries * ENTRY) / size_of::<Node>()).min(u32::MAX as usize);
        let chunks = (0..limit.div_ceil(1 << shift)).map(|_| OnceLock::new()).collect();
        let filled = Filled(Mutex::new(Vec::new()));
        Self { chunks, shift, limit, made_for, index, filled, full: AtomicBool::new(false) }
    }

    /// The greatest number of slots.
    pub(super) const fn limit(&self) -> usize {
        self.limit
    }

    pub(super) const fn made_for(&self) -> Plan {
        self.made_for
    }

    pub(super) const fn index(&self) -> Option<&Index> {
        self.index.as_ref()
    }

    /// The number of slots before the children of a node.
    #[inline]
    pub(super) const fn heads(&self) -> usize {
        self.index.is_some() as usize
    }

    pub(super) const fn shift(&self) -> u32 {
        self.shift
    }

    /// The bytes of all chunks that are allocated, of the lists of chunks and of the index.
    pub(super) fn bytes(&self) -> usize {
        let nodes: usize = self.chunks.iter().filter_map(OnceLock::get).map(|chunk| chunk.len()).sum();
        let index = self.index.as_ref().map_or(0, Index::bytes);
        nodes * size_of::<Node>() + self.chunks.len() * ENTRY + index
    }

    /// The node in a slot; `None` if the slot's chunk does not exist.
    #[inline]
    pub(super) fn node(&self, slot: u32) -> Option<&Node> {
        self.block(slot, 1).first()
    }

    /// The `count` nodes from the slot `first` on; an empty slice if one of these slots does not exist.
    #[inline]
    pub(super) fn block(&self, first: u32, count: usize) -> &[Node] {
        let chunk = self.chunks.get((first >> self.shift) as usize).and_then(OnceLock::get);
        let at = first as usize & ((1 << self.shift) - 1);
        chunk.and_then(|nodes| nodes.get(at..at + count)).unwrap_or(&[])
    }

    /// The children of a node, by its word.
    #[inline]
    pub(super) fn kids(&self, node: &Node, meta: Meta) -> &[Node] {
        if meta.count() == 0 { &[] } else { self.block(node.link(), meta.count()) }
    }

    /// The first slot of the block of a node's children; `None` without children.
    #[inline]
    pub(super) fn start(&self, node: &Node, meta: Meta) -> Option<&Node> {
        if meta.count() == 0 { None } else { self.node(node.link() - self.heads() as u32) }
    }

    /// The head of a node's children; `None` in a tree.
    #[inline]
    pub(super) fn head(&self, node: &Node, meta: Meta) -> Option<&Node> {
        self.index.as_ref().and_then(|_| self.start(node, meta))
    }

    /// Links a node, whose children this thread may make, to the children of another move to the same position.
    pub(super) fn share(&self, node: &Node, key: u64) -> Option<&[Node]> {
        let start = self.index.as_ref()?.find(key)?;
        let head = self.node(start).filter(|head| head.key() == key)?;
        let count = head.mv() as usize;
        let kids = self.block(start + 1, count);
        if kids.is_empty() {
            return None;
        }
        node.adopt(start + 1, count);
        Some(kids)
    }

    /// Allocates `count` slots side by side and returns the first slot; `None` if the arena is full.
    pub(super) fn allocate(&self, count: usize) -> Option<u32> {
        let mut filled = self.filled.lock();
        loop {
            let last = filled.len().wrapping_sub(1);
            if let Some(nodes) = self.chunks.get(last).and_then(OnceLock::get) {
                let at = filled[last];
                if at as usize + count <= nodes.len() {
                    filled[last] += count as u32;
                    return Some((last as u32) << self.shift | at);
                }
            }
            let next = filled.len();
            let room = self.limit.saturating_sub(next << self.shift).min(1 << self.shift);
            let Some(chunk) = self.chunks.get(next).filter(|_| room >= count) else {
                self.full.store(true, Ordering::Relaxed);
                return None;
            };
            chunk.get_or_init(|| (0..room).map(|_| Node::default()).collect());
            filled.push(0);
        }
    }

    /// `true` once an allocation has failed.
    #[inline]
    pub(super) fn full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// The number of slots in use, lost slots at the ends of chunks included.
    pub(super) fn used(&self) -> usize {
        let filled = self.filled.lock();
        filled.last().map_or(0, |&last| ((filled.len() - 1) << self.shift) + last as usize)
    }

    /// The level of each chunk: its slots in use.
    pub(super) fn levels(&self) -> Vec<u32> {
        self.filled.lock().clone()
    }

    /// Sets the levels after the nodes have moved.
    pub(super) fn set_levels(&mut self, levels: Vec<u32>) {
        *self.filled.0.get_mut().unwrap_or_else(PoisonError::into_inner) = levels;
        *self.full.get_mut() = false;
    }
}

/// The tree below a position.
#[derive(Debug)]
pub(super) struct Tree<G> {
    pub(super) arena: Arena,
    pub(super) root: G,
    /// Interrupted work on the tree, which must end before the tree is used again.
    pub(super) pending: Option<Collector>,
}

impl<G: Indexed> Tree<G> {
    /// A tree of the root alone. A tree without room for the root stays empty.
    pub(super) fn new(root: &G, plan: Plan) -> Self {
        let arena = Arena::new(plan);
        let mut tree = Self { arena, root: root.clone(), pending: None };
        tree.restart(root);
        tree
    }

    /// Empties the tree and keeps its memory.
    pub(super) fn restart(&mut self, root: &G) {
        self.arena.set_levels(Vec::new());
        if let Some(index) = self.arena.index() {
            index.forget();
        }
        self.pending = None;
        self.root.clone_from(root);
        if let Some(node) = self.arena.allocate(1).and_then(|slot| self.arena.node(slot)) {
            node.start(0, 0.0);
        }
    }

    /// Looks for a position at and below the root, at most two plies deep, and makes that position the root; all
    /// other nodes remain until the tree is [tidied](Tree::tidy). Returns `true` if the position was found.
    pub(super) fn move_to(&mut self, target: &G) -> bool {
        if self.pending.is_some() || self.root == *target {
            return self.root == *target;
        }
        let Some(slot) = self.find(target) else { return false };
        self.reroot(slot);
        self.root.clone_from(target);
        true
    }

    /// Plays a move on the root and keeps the subtree below the move. Returns `true` if the tree has that subtree.
    pub(super) fn advance(&mut self, mv: G::Move) -> bool {
        self.finish();
        let Some(root) = self.arena.node(0) else { return false };
        let index = self.root.move_index(mv) as u32;
        let kids = self.arena.kids(root, root.meta());
        let Some(at) = kids.iter().position(|kid| kid.mv() == index) else { return false };
        let slot = root.link() + at as u32;
        if self.root.play(mv).is_err() {
            return false;
        }
        self.reroot(slot);
        self.finish();
        true
    }

    /// The slot of a position one or two plies below the root. The most visited moves are followed first, and the
    /// look-up ends after `TRIES` moves, the cost of a few hundred simulations.
    fn find(&self, target: &G) -> Option<u32> {
        const TRIES: usize = 10_000;
        let root = self.arena.node(0)?;
        let mut game = self.root.clone();
        let mut tries = 0;
        let mut scan = |game: &mut G, node: &Node| {
            let kids = self.arena.kids(node, node.meta());
            for (slot, kid) in (node.link()..).zip(kids) {
                let Some(mv) = game.move_at(kid.mv() as usize) else { continue };
                tries += 1;
                let undo = game.play_unchecked(mv);
                let found = game == target;
                game.undo(undo);
                if found || tries > TRIES {
                    return Some(found.then_some(slot));
                }
            }
            None
        };
        if let Some(found) = scan(&mut game, root) {
            return found;
        }
        for kid in rank::most_visited_first(self.arena.kids(root, root.meta())) {
            let Some(mv) = game.move_at(kid.mv() as usize) else { continue };
            let undo = game.play_unchecked(mv);
            let found = scan(&mut game, kid);
            game.undo(undo);
            if let Some(found) = found {
                return found;
            }
        }
        None
    }

    /// Makes the node in a slot the root; the nodes that are not below it remain to be dropped.
    fn reroot(&mut self, slot: u32) {
        if let (Some(root), Some(node)) = (self.arena.node(0), self.arena.node(slot)) {
            let old = self.arena.start(root, root.meta());
            let count = root.meta().count() + self.arena.heads();
            root.become_copy(node);
            node.disown();
            // The old children of the root have no parent: the collector needs only their number, to step over
            // them.
            if let Some(first) = old {
                first.set_note(count as u32);
            }
        }
        self.pending = Some(Collector::everything());
    }

    /// Finishes interrupted work.
    pub(super) fn finish(&mut self) {
        while self.pending.is_some() {
            self.tidy(usize::MAX);
        }
    }

    /// Works on about `slots` slots; returns `true` if the work is finished.
    pub(super) fn tidy(&mut self, slots: usize) -> bool {
        let Some(collector) = self.pending.as_mut() else { return true };
        if let Some(levels) = collector.step(&self.arena, slots) {
            self.arena.set_levels(levels);
            self.pending = None;
        }
        self.pending.is_none()
    }

    /// Starts to drop the least visited subtrees, so that about half of the slots become free. The main line stays, as far as it
    /// fits into a quarter of the slots.
    pub(super) fn prune(&mut self) {
        let keep = self.arena.limit() / 2;
        self.pending = Some(Collector::half(keep, rank::main_line(&self.arena, keep / 2)));
    }

    /// `true` if the root's value is known.
    pub(super) fn solved(&self) -> bool {
        self.arena.node(0).is_some_and(|root| root.meta().exact())
    }
}
