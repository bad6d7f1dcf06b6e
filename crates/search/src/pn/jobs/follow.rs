//! [`JobTree::follow`]: a tree begins with the refutations of the tree for the other side.

use stonework_game::{Finite, Keyed};

use super::JobTree;
use super::expand::{HARD, Opening};
use super::nodes::{NodeId, Nodes};
use crate::ProofTactics;

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> JobTree<G, Tactic> {
    /// Begins with the answer of a tree for the other side: opens the positions on which its *no* rests, and prefers the
    /// moves by which its side does not win. These moves mostly win; without them the second question of a value costs as
    /// much as the first. The numbers only steer.
    ///
    /// The call does nothing unless this tree is new, and `other` is about the same position, has the other side and the answer
    /// no. It takes at most half of the tree's memory. O(positions of `other` on which its answer rests).
    pub fn follow(&mut self, other: &Self) {
        let root = Nodes::<G::Move>::ROOT;
        let is_new = self.counts == super::JobCounts::default() && self.nodes.get(root).edges.is_empty();
        let fits = other.question.who == self.question.who.other() && other.root == self.root;
        if !is_new || !fits || other.value() != Some(false) || self.value().is_some() {
            return;
        }
        let Some(root) = NodeId::at(root) else { return };
        let (mut ahead, mut opened) = (vec![(self.root.clone(), root)], Vec::new());
        while let Some((position, at)) = ahead.pop() {
            if !self.nodes.get(at.index()).edges.is_empty() || !other.rests_on(&position) {
                continue;
            }
            // Within half of the memory, no position is closed to make room for another one.
            let most = Nodes::<G::Move>::bytes_of(position.moves().len());
            if self.bytes() + most > self.options.bytes / 2 {
                break;
            }
            match self.open(at, &position, &[], None) {
                Opening::Done => opened.push(at),
                Opening::NoRoom => break,
                Opening::Decides => continue,
            }
            for edge in self.nodes.get(at.index()).edges.clone() {
                let (Some(mv), Some(child)) = (self.playable(&position, edge.mv), edge.child) else {
                    continue;
                };
                let mut after = position.clone();
                after.play_unchecked(mv);
                self.prefer(at, child, other.denies(&after));
                ahead.push((after, child));
            }
        }
        self.spread(opened);
    }

    /// Sets the first numbers of a position after a move: the proof number is the least if the other side does not win there.
    fn prefer(&mut self, above: NodeId, child: NodeId, is_denied: bool) {
        let or_node = self.nodes.get(above.index()).or_node;
        let node = self.nodes.get_mut(child.index());
        if node.numbers.decided().is_some() || !node.edges.is_empty() {
            return;
        }
        if is_denied {
            node.numbers.proof = 1;
        } else if or_node {
            node.numbers.proof = HARD;
        }
    }

    /// `true` if the answer no at a position is known.
    fn denies(&self, position: &G) -> bool {
        let Some(key) = self.key_of(position) else { return false };
        let by_job = self.shown.get(&key).map(|shown| shown.yes);
        let by_tree = || self.nodes.find(key).and_then(|at| self.nodes.get(at.index()).numbers.decided());
        by_job.or_else(by_tree) == Some(false)
    }

    /// `true` if the answer no at a position rests on positions below it.
    fn rests_on(&self, position: &G) -> bool {
        let Some(at) = self.key_of(position).and_then(|key| self.nodes.find(key)) else { return false };
        let node = self.nodes.get(at.index());
        node.numbers.decided() == Some(false) && !node.edges.is_empty()
    }
}
