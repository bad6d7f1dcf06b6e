//! [`Nodes`]: the positions of a [`JobTree`](super::JobTree), linked to their children and parents.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;

use stonework_game::scatter;

use crate::ProofNumbers;

/// The place of a node, plus one, so that an absent node takes no memory of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct NodeId(NonZeroU32);

impl NodeId {
    /// The place in the list.
    pub(super) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The name of a place; `None` beyond the greatest number of nodes.
    pub(super) fn at(index: usize) -> Option<Self> {
        u32::try_from(index + 1).ok().and_then(NonZeroU32::new).map(Self)
    }
}

/// A move of a node, in the frame of the representative of its orbit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<M> {
    pub(super) mv: M,
    /// The node after the move; `None` if the tactics or the rules decide the position there.
    pub(super) child: Option<NodeId>,
}

/// The parents of a node: nearly always one.
#[derive(Clone, Debug, Default)]
struct Parents {
    first: Option<NodeId>,
    /// The other parents.
    #[expect(
        clippy::box_collection,
        reason = "most nodes have no second parent, and the box saves 16 bytes in each"
    )]
    more: Option<Box<Vec<NodeId>>>,
}

impl Parents {
    fn add(&mut self, parent: NodeId) {
        if self.first.is_none() {
            self.first = Some(parent);
        } else {
            self.more.get_or_insert_default().push(parent);
        }
    }

    /// Removes one mention of a parent; `true` if no parent is left.
    fn remove(&mut self, parent: NodeId) -> bool {
        if self.first == Some(parent) {
            self.first = self.more.as_mut().and_then(|more| more.pop());
        } else if let Some(more) = &mut self.more
            && let Some(at) = more.iter().position(|&other| other == parent)
        {
            more.swap_remove(at);
        }
        if self.more.as_ref().is_some_and(|more| more.is_empty()) {
            self.more = None;
        }
        self.first.is_none()
    }

    fn iter(&self) -> impl Iterator<Item = NodeId> {
        self.first.into_iter().chain(self.more.iter().flat_map(|more| more.iter().copied()))
    }

    fn bytes(&self) -> usize {
        self.more.as_ref().map_or(0, |more| size_of::<Vec<NodeId>>() + more.capacity() * size_of::<NodeId>())
    }
}

/// A position.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches that have nothing to do with each other")]
#[expect(clippy::struct_field_names, reason = "OR node is the word of the field")]
pub(super) struct Node<M> {
    /// The key of position and question, or a number of its own for a position without a key.
    pub(super) key: u64,
    pub(super) numbers: ProofNumbers,
    /// The nodes that jobs have spent at and below the position.
    pub(super) work: u64,
    /// The running jobs whose lines from the root pass through the position.
    pub(super) running: u32,
    /// The epoch in which the position had no free leaf.
    pub(super) full: u32,
    /// The moves that are not refuted by tactics; of a decided position, the moves on which the decision rests.
    pub(super) edges: Box<[Edge<M>]>,
    parents: Parents,
    /// `true` if the side of the question is to move.
    pub(super) or_node: bool,
    /// `true` if the key is in the index.
    keyed: bool,
    /// `true` if the position is in the tree; `false` for a free place.
    pub(super) alive: bool,
    /// `true` if a job at the position itself is running.
    pub(super) busy: bool,
    /// `true` if the position waits for its numbers to be computed anew.
    pub(super) waits: bool,
}

/// All positions, by place and by key.
#[derive(Debug)]
pub(super) struct Nodes<M> {
    list: Vec<Node<M>>,
    index: HashMap<u64, NodeId>,
    free: Vec<NodeId>,
    /// The bytes of edges and parents beyond the nodes themselves.
    linked: usize,
}

impl<M: Copy> Nodes<M> {
    /// The place of the root.
    pub(super) const ROOT: usize = 0;

    pub(super) fn new() -> Self {
        Self { list: Vec::new(), index: HashMap::new(), free: Vec::new(), linked: 0 }
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.list.len() - self.free.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let indexed = (size_of::<(u64, NodeId)>() + 1) * 3 / 2;
        self.len() * size_of::<Node<M>>() + self.index.len() * indexed + self.linked
    }

    /// The bytes that a position with this number of children adds at the most.
    pub(super) const fn bytes_of(children: usize) -> usize {
        children * (size_of::<Node<M>>() + size_of::<Edge<M>>() + (size_of::<(u64, NodeId)>() + 1) * 3 / 2)
    }

    pub(super) fn root(&self) -> &Node<M> {
        self.get(Self::ROOT)
    }

    #[expect(clippy::indexing_slicing, reason = "places come from this list, which never becomes shorter")]
    pub(super) fn get(&self, at: usize) -> &Node<M> {
        &self.list[at]
    }

    #[expect(clippy::indexing_slicing, reason = "places come from this list, which never becomes shorter")]
    pub(super) fn get_mut(&mut self, at: usize) -> &mut Node<M> {
        &mut self.list[at]
    }

    /// The node of a key.
    pub(super) fn find(&self, key: u64) -> Option<NodeId> {
        self.index.get(&key).copied()
    }

    /// `true` if one more position has a place.
    pub(super) fn has_room(&self, positions: usize) -> bool {
        NodeId::at(self.list.len() + positions).is_some()
    }

    /// Adds a position without parents. `keyed` is `false` for a position that is never the same as another.
    pub(super) fn add(&mut self, key: u64, keyed: bool, numbers: ProofNumbers, or_node: bool) -> NodeId {
        let node = Node {
            key,
            numbers,
            work: 0,
            running: 0,
            full: 0,
            edges: Box::default(),
            parents: Parents::default(),
            or_node,
            keyed,
            alive: true,
            busy: false,
            waits: false,
        };
        let id = if let Some(id) = self.free.pop() {
            *self.get_mut(id.index()) = node;
            id
        } else {
            let id =
                NodeId::at(self.list.len()).unwrap_or_else(|| unreachable!("`has_room` was asked before"));
            if self.list.len() == self.list.capacity() {
                self.list.reserve_exact(self.list.len() / 4 + 16);
            }
            self.list.push(node);
            id
        };
        if keyed {
            self.index.insert(key, id);
        }
        id
    }

    /// Sets the moves of a node that has none.
    pub(super) fn link(&mut self, parent: NodeId, edges: Vec<Edge<M>>) {
        for child in edges.iter().filter_map(|edge| edge.child) {
            let parents = &mut self.get_mut(child.index()).parents;
            let before = parents.bytes();
            parents.add(parent);
            let after = parents.bytes();
            self.linked = self.linked + after - before;
        }
        self.linked += edges.len() * size_of::<Edge<M>>();
        self.get_mut(parent.index()).edges = edges.into();
    }

    /// Keeps only the moves that `keep` accepts, and drops every position that only the other moves lead to.
    /// `dropped` gets the places of dropped positions below which jobs are running.
    pub(super) fn prune(&mut self, at: NodeId, keep: impl Fn(&Edge<M>) -> bool, dropped: &mut Vec<NodeId>) {
        let edges = std::mem::take(&mut self.get_mut(at.index()).edges);
        let (kept, cut): (Vec<_>, Vec<_>) = edges.iter().copied().partition(keep);
        self.linked -= cut.len() * size_of::<Edge<M>>();
        self.get_mut(at.index()).edges = kept.into();
        let mut open: Vec<(NodeId, NodeId)> =
            cut.iter().filter_map(|edge| edge.child).map(|child| (at, child)).collect();
        while let Some((parent, child)) = open.pop() {
            let node = self.get_mut(child.index());
            let before = node.parents.bytes();
            let orphan = node.parents.remove(parent);
            let after = node.parents.bytes();
            if orphan {
                node.alive = false;
                let edges = std::mem::take(&mut node.edges);
                let (key, keyed, running) = (node.key, node.keyed, node.running);
                if running > 0 {
                    dropped.push(child);
                }
                if keyed {
                    self.index.remove(&key);
                }
                self.linked -= edges.len() * size_of::<Edge<M>>();
                open.extend(edges.iter().filter_map(|edge| edge.child).map(|below| (child, below)));
                self.free.push(child);
            }
            self.linked = self.linked + after - before;
        }
    }

    /// The parents of a node.
    pub(super) fn parents(&self, at: NodeId) -> impl Iterator<Item = NodeId> {
        self.get(at.index()).parents.iter()
    }

    /// Puts a position into a queue, unless it waits there.
    pub(super) fn wait(&mut self, at: NodeId, queue: &mut VecDeque<NodeId>) {
        if !std::mem::replace(&mut self.get_mut(at.index()).waits, true) {
            queue.push_back(at);
        }
    }

    /// Puts the parents of a position into a queue.
    pub(super) fn parents_wait(&mut self, at: NodeId, queue: &mut VecDeque<NodeId>) {
        let parents = std::mem::take(&mut self.get_mut(at.index()).parents);
        for parent in parents.iter() {
            self.wait(parent, queue);
        }
        self.get_mut(at.index()).parents = parents;
    }

    /// The opened positions whose positions after all moves are not opened, and below which no job is running.
    pub(super) fn lowest_opened(&self) -> Vec<NodeId> {
        let closable = |node: &Node<M>| {
            let leaf = |edge: &Edge<M>| {
                edge.child.is_none_or(|child| {
                    let child = self.get(child.index());
                    child.edges.is_empty() && child.numbers.decided().is_none()
                })
            };
            let open = node.alive && node.numbers.decided().is_none();
            open && node.running == 0 && !node.edges.is_empty() && node.edges.iter().all(leaf)
        };
        let places = self.list.iter().enumerate().skip(1);
        places.filter(|(_, node)| closable(node)).filter_map(|(at, _)| NodeId::at(at)).collect()
    }

    /// Removes the mark of positions without a free leaf.
    pub(super) fn clear_full(&mut self) {
        for node in &mut self.list {
            node.full = 0;
        }
    }

    /// A hash of all positions and links.
    pub(super) fn digest(&self) -> u64 {
        let mut digest = self.free.len() as u64;
        for node in &self.list {
            let numbers = u64::from(node.numbers.proof) << 32 | u64::from(node.numbers.disproof);
            let state = u64::from(node.running) << 8 | u64::from(node.alive) << 1 | u64::from(node.busy);
            let links = node.edges.iter().map(|edge| edge.child.map_or(0, |child| child.index() as u64 + 1));
            for word in [node.key, numbers, node.work, state].into_iter().chain(links) {
                digest = scatter(digest ^ word);
            }
        }
        digest
    }
}
