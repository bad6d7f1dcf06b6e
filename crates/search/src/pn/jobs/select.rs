//! [`JobTree::next`]: the choice of the next job.

use stonework_game::{Finite, Keyed};

use super::JobTree;
use super::expand::Opening;
use super::job::{Running, TreeJob, TreeJobId};
use super::nodes::{Edge, Node, NodeId, Nodes};
use crate::pn::numbers::{INFINITE, MOST, plus};
use crate::pn::walk::MAX_PLIES;
use crate::{ProofNumbers, ProofTactics};

/// The number of candidates with [`focus`](super::JobTreeOptions::focus), beside half of the open moves.
const FOCUS: usize = 3;

/// The leaf that a walk looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// A leaf without a job.
    Free,
    /// A leaf whose job is running.
    Busy,
}

/// A leaf, with the nodes from the root to it and the moves between them, in the frames of the representatives.
struct Found<M> {
    path: Vec<NodeId>,
    moves: Vec<M>,
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> JobTree<G, Tactic> {
    /// The next job: the most promising position that has no running job. `None` if the question is answered, or if
    /// every open position has a running job.
    ///
    /// The job runs until [`report`](JobTree::report) gets its result or returns its id as needless.
    #[expect(clippy::should_implement_trait, reason = "a tree is no iterator: reports come between the jobs")]
    pub fn next(&mut self) -> Option<TreeJob<G>> {
        while self.value().is_none() {
            match self.find(Target::Free) {
                Some(found) => {
                    if let Some(job) = self.offer(found) {
                        return Some(job);
                    }
                }
                None if self.options.eager && self.open_busy() => {}
                None => return None,
            }
        }
        None
    }

    /// Makes a job of a leaf; `None` if the moves to the leaf are not legal, because two positions have the same
    /// key. No worker gets such a leaf until the next report.
    fn offer(&mut self, found: Found<G::Move>) -> Option<TreeJob<G>> {
        let node = *found.path.last()?;
        let Some((position, line)) = self.reach(&found.moves) else {
            self.nodes.get_mut(node.index()).full = self.epoch;
            return None;
        };
        for at in &found.path {
            self.nodes.get_mut(at.index()).running += 1;
        }
        let leaf = self.nodes.get_mut(node.index());
        leaf.busy = true;
        let (id, again) = (TreeJobId(leaf.key), leaf.work.saturating_mul(2));
        let grown = self.counts.nodes.checked_div(self.options.growth).unwrap_or(0);
        let nodes = self.options.nodes.max(grown).max(again);
        let stays = self.running.is_empty() && leaf.work.saturating_add(nodes) < self.options.lone;
        let job = TreeJob { id, position, line, who: self.question.who, nodes, wants_moves: !stays };
        self.running.insert(id, Running { job: job.clone(), node, path: found.path });
        self.counts.offered += 1;
        self.trim();
        Some(job)
    }

    /// The position after moves of the tree, and these moves in the frame of the game.
    fn reach(&self, moves: &[G::Move]) -> Option<(G, Vec<G::Move>)> {
        let (mut game, mut line) = (self.root.clone(), Vec::with_capacity(moves.len()));
        for &mv in moves {
            let mv = self.playable(&game, mv)?;
            game.play_unchecked(mv);
            line.push(mv);
        }
        Some((game, line))
    }

    /// Opens the most promising position whose job is running and whose moves do not decide it at once; `false` if there is none, or
    /// no room.
    fn open_busy(&mut self) -> bool {
        self.new_epoch();
        let mut opened = false;
        while let Some(Found { path, moves }) = self.find(Target::Busy) {
            let Some(&node) = path.last() else { break };
            let opening = match self.reach(&moves) {
                Some((position, _)) => self.open(node, &position, &[], None),
                None => Opening::Decides,
            };
            match opening {
                Opening::Done => {
                    self.spread(vec![node]);
                    opened = true;
                    break;
                }
                Opening::NoRoom => break,
                Opening::Decides => self.nodes.get_mut(node.index()).full = self.epoch,
            }
        }
        self.new_epoch();
        opened
    }

    /// The most promising leaf of a kind. Positions without such a leaf are marked until the next epoch.
    fn find(&mut self, target: Target) -> Option<Found<G::Move>> {
        let root = NodeId::at(Nodes::<G::Move>::ROOT)?;
        let (mut path, mut moves) = (vec![root], Vec::new());
        while let Some(&at) = path.last() {
            let node = self.nodes.get(at.index());
            let leaf = node.edges.is_empty();
            if leaf && node.full != self.epoch && node.busy == (target == Target::Busy) {
                return Some(Found { path, moves });
            }
            let step = if leaf || path.len() > MAX_PLIES { None } else { self.step(node) };
            if let Some((mv, child)) = step {
                path.push(child);
                moves.push(mv);
            } else {
                self.nodes.get_mut(at.index()).full = self.epoch;
                path.pop();
                moves.pop();
            }
        }
        None
    }

    /// The most promising move of a position that leads to a position with a leaf of the wanted kind: one of the
    /// candidates or, without a leaf below these, one of the other moves.
    fn step(&self, node: &Node<G::Move>) -> Option<(G::Move, NodeId)> {
        let window = self.window(node);
        let (mut open, mut best) = (0, None::<(u32, G::Move, NodeId)>);
        for &edge in &node.edges {
            let Some(id) = edge.child else { continue };
            let child = self.nodes.get(id.index());
            if child.numbers.decided().is_some() {
                continue;
            }
            if open >= window && best.is_some() {
                break;
            }
            open += 1;
            if child.full == self.epoch {
                continue;
            }
            let seen = self.crowded(child.numbers.phi_delta(node.or_node).0, child.running);
            if best.is_none_or(|(least, ..)| seen < least) {
                best = Some((seen, edge.mv, id));
            }
        }
        best.map(|(_, mv, id)| (mv, id))
    }

    /// A number raised by the jobs that run below the position.
    fn crowded(&self, number: u32, running: u32) -> u32 {
        if self.options.virtual_loss == 0 {
            return number;
        }
        let more = (u64::from(number) * u64::from(running)).div_ceil(u64::from(self.options.virtual_loss));
        u64::from(number).saturating_add(more).min(MOST.into()) as u32
    }

    /// The number of open moves that are candidates.
    fn window(&self, node: &Node<G::Move>) -> usize {
        if !self.options.focus {
            return usize::MAX;
        }
        FOCUS + self.open_children(node).count() / 2
    }

    /// The numbers of the open positions after the moves of a node, in their order.
    fn open_children(&self, node: &Node<G::Move>) -> impl Iterator<Item = ProofNumbers> {
        let numbers = |edge: &Edge<G::Move>| edge.child.map(|child| self.nodes.get(child.index()).numbers);
        node.edges.iter().filter_map(numbers).filter(|numbers| numbers.decided().is_none())
    }

    /// The numbers of an opened position, from the positions after its moves. A move that is no candidate yet counts
    /// as much as the mean of the candidates.
    pub(super) fn tally(&self, node: &Node<G::Move>) -> ProofNumbers {
        let (mut least, mut sum, mut seen, mut rest) = (INFINITE, 0, 0_u64, 0_u64);
        let window = self.window(node) as u64;
        for edge in &node.edges {
            // Without a node of its own, the position after the move decides its parent.
            let child = edge.child.map(|child| self.nodes.get(child.index()).numbers.phi_delta(node.or_node));
            let (phi, delta) = child.unwrap_or((0, INFINITE));
            if phi == 0 {
                return ProofNumbers::from_phi_delta((0, INFINITE), node.or_node);
            }
            if delta == 0 {
                continue;
            }
            if seen < window {
                least = least.min(phi);
                sum = plus(sum, delta);
                seen += 1;
            } else {
                rest += 1;
            }
        }
        if rest > 0 {
            sum = (u64::from(sum) * (seen + rest) / seen).min(MOST.into()) as u32;
        }
        ProofNumbers::from_phi_delta((least, sum), node.or_node)
    }

    /// The most promising move of a position, without virtual losses. At a decided position, a move on which the
    /// decision rests.
    pub(super) fn most_promising(&self, at: usize) -> Option<Edge<G::Move>> {
        let node = self.nodes.get(at);
        let phi = |edge: &Edge<G::Move>| {
            edge.child.map_or(0, |child| self.nodes.get(child.index()).numbers.phi_delta(node.or_node).0)
        };
        node.edges.iter().min_by_key(|edge| phi(edge)).copied()
    }

    /// Begins a new epoch: no position is marked as having no free leaf.
    pub(super) fn new_epoch(&mut self) {
        if self.epoch == u32::MAX {
            self.nodes.clear_full();
            self.epoch = 0;
        }
        self.epoch += 1;
    }
}
