//! [`JobTree::report`]: the results of jobs, and their consequences.

use std::collections::VecDeque;

use stonework_game::{Finite, Keyed};

use super::JobTree;
use super::expand::{Findings, Opening, steering};
use super::job::{ChildFinding, JobChild, JobFinding, JobReport, Running, TreeJobId};
use super::nodes::{Edge, NodeId, Nodes};
use crate::{ProofNumbers, ProofTactics};

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> JobTree<G, Tactic> {
    /// Takes the report of a job, and returns the running jobs that nobody needs any more. These jobs should be
    /// cancelled; their reports would be ignored.
    ///
    /// A report of a job that is not running is ignored and counted, with one exception: an answer that is shown
    /// counts whenever the position is in the tree and open.
    pub fn report(&mut self, id: TreeJobId, report: JobReport<G::Move>) -> Vec<TreeJobId> {
        self.new_epoch();
        match self.running.remove(&id) {
            Some(running) => self.take(&running, report),
            None => match (report.finding, self.nodes.find(id.0)) {
                (JobFinding::Shown(yes), Some(at)) if self.is_open(at) => {
                    self.counts.reports += 1;
                    self.show(at, yes, id);
                }
                _ => {
                    self.counts.ignored += 1;
                    return Vec::new();
                }
            },
        }
        let needless = self.cancel_needless();
        self.trim();
        needless
    }

    fn is_open(&self, at: NodeId) -> bool {
        let node = self.nodes.get(at.index());
        node.alive && node.numbers.decided().is_none()
    }

    /// Takes the report of a running job.
    fn take(&mut self, running: &Running<G>, report: JobReport<G::Move>) {
        let (at, id) = (running.node, running.job.id);
        self.counts.reports += 1;
        self.counts.nodes = self.counts.nodes.saturating_add(report.nodes);
        for place in &running.path {
            let node = self.nodes.get_mut(place.index());
            node.work = node.work.saturating_add(report.nodes);
        }
        match report.finding {
            JobFinding::Shown(yes) => {
                self.release(running);
                self.show(at, yes, id);
            }
            JobFinding::Open { numbers, children } => {
                // The job keeps its claim until the position is open, so that the limit of memory closes nothing
                // above the position.
                let changed = self.learn(at, &running.job.position, numbers, &children, id);
                self.release(running);
                self.spread(changed);
            }
            JobFinding::Failed => {
                self.release(running);
                self.counts.failed += 1;
            }
        }
    }

    /// Opens the position of a job, unless a lone searcher is to go on with it, or, if the position is open already, gives its
    /// children their new numbers.
    /// Returns the positions whose parents' numbers may change, and the position itself.
    fn learn(
        &mut self,
        at: NodeId,
        position: &G,
        numbers: ProofNumbers,
        children: &[JobChild<G::Move>],
        by: TreeJobId,
    ) -> Vec<NodeId> {
        let node = self.nodes.get(at.index());
        if node.edges.is_empty() {
            // The job itself is no longer among the running ones.
            let stays = self.running.is_empty() && node.work < self.options.lone;
            if stays || self.open(at, position, children, Some(by)) != Opening::Done {
                self.nodes.get_mut(at.index()).numbers = steering(numbers);
                return self.nodes.parents(at).collect();
            }
            return vec![at];
        }
        let mut changed = vec![at];
        for (key, finding) in Findings::new(self, position, children).keyed() {
            let Some(child) = self.nodes.find(key).filter(|&child| self.is_open(child)) else { continue };
            let node = self.nodes.get_mut(child.index());
            match finding {
                ChildFinding::Shown(yes) => {
                    self.note_shown(key, yes, by);
                    changed.extend(self.settle(child, yes));
                }
                ChildFinding::Numbers(numbers) if node.work == 0 && node.edges.is_empty() => {
                    node.numbers = steering(numbers);
                    changed.extend(self.nodes.parents(child));
                }
                ChildFinding::Numbers(_) => {}
            }
        }
        changed
    }

    /// Notes the answer of a position, and spreads it.
    fn show(&mut self, at: NodeId, yes: bool, id: TreeJobId) {
        self.note_shown(self.nodes.get(at.index()).key, yes, id);
        let changed = self.settle(at, yes);
        self.spread(changed);
    }

    /// Decides a position whose answer is shown, drops the positions below it, and returns its parents.
    fn settle(&mut self, at: NodeId, yes: bool) -> Vec<NodeId> {
        self.nodes.get_mut(at.index()).numbers = ProofNumbers::answer(yes);
        self.drop_edges(at, |_| false);
        self.nodes.parents(at).collect()
    }

    /// Drops moves of a decided position, and notes the jobs below it.
    fn drop_edges(&mut self, at: NodeId, keep: impl Fn(&Edge<G::Move>) -> bool) {
        let mut dropped = Vec::new();
        self.nodes.prune(at, keep, &mut dropped);
        let below = self.nodes.get(at.index()).running > 0;
        self.cut |= below || !dropped.is_empty();
    }

    /// Computes the numbers of positions anew, and of all positions above them whose numbers change.
    ///
    /// A position waits at most once, and first come is first served: where lines of equal length meet again and again, each position
    /// is computed once, not once for each line.
    pub(super) fn spread(&mut self, changed: Vec<NodeId>) {
        let mut waiting = VecDeque::new();
        for at in changed {
            self.nodes.wait(at, &mut waiting);
        }
        while let Some(at) = waiting.pop_front() {
            let node = self.nodes.get_mut(at.index());
            node.waits = false;
            if !node.alive {
                continue;
            }
            if node.edges.is_empty() {
                // A position that its opening has decided, or whose opening had no room.
                if node.numbers.decided().is_some() {
                    self.nodes.parents_wait(at, &mut waiting);
                }
                continue;
            }
            if node.numbers.decided().is_some() {
                continue;
            }
            let (or_node, before) = (node.or_node, node.numbers);
            let numbers = self.tally(self.nodes.get(at.index()));
            if numbers == before {
                continue;
            }
            self.nodes.get_mut(at.index()).numbers = numbers;
            if numbers.decided().is_some() {
                self.drop_unneeded(at, or_node, numbers);
            }
            self.nodes.parents_wait(at, &mut waiting);
        }
    }

    /// Keeps only the moves on which the decision of a position rests: one move of the side that reached its goal, or
    /// all moves of the side that did not.
    fn drop_unneeded(&mut self, at: NodeId, or_node: bool, numbers: ProofNumbers) {
        if numbers.phi_delta(or_node).0 != 0 {
            return self.drop_edges(at, |_| true);
        }
        let wins = |edge: &Edge<G::Move>| {
            edge.child.is_none_or(|child| self.nodes.get(child.index()).numbers == numbers)
        };
        let chosen = self.nodes.get(at.index()).edges.iter().find(|edge| wins(edge)).map(|edge| edge.child);
        self.drop_edges(at, |edge| Some(edge.child) == chosen);
    }

    /// Ends a job's claim to its position and to the positions above it.
    fn release(&mut self, running: &Running<G>) {
        for at in &running.path {
            let node = self.nodes.get_mut(at.index());
            node.running = node.running.saturating_sub(1);
        }
        self.nodes.get_mut(running.node.index()).busy = false;
    }

    /// Ends the running jobs at positions that are decided or dropped, and gives a new line to the jobs whose line from the
    /// root has a decided or dropped position.
    fn cancel_needless(&mut self) -> Vec<TreeJobId> {
        let mut needless = Vec::new();
        if !std::mem::take(&mut self.cut) {
            return needless;
        }
        for (id, mut running) in std::mem::take(&mut self.running) {
            if !self.is_open(running.node) {
                self.release(&running);
                needless.push(id);
                self.counts.needless += 1;
                continue;
            }
            if !running.path.iter().all(|&at| self.is_open(at)) {
                self.release(&running);
                running.path = self.line_to(running.node);
                for at in &running.path {
                    self.nodes.get_mut(at.index()).running += 1;
                }
                self.nodes.get_mut(running.node.index()).busy = true;
            }
            self.running.insert(id, running);
        }
        needless
    }

    /// The nodes of one line from the root to an open position. Every parent of an open position is open.
    fn line_to(&self, at: NodeId) -> Vec<NodeId> {
        let mut line = vec![at];
        let mut below = at;
        while below.index() != Nodes::<G::Move>::ROOT {
            let Some(parent) = self.nodes.parents(below).next() else { break };
            line.push(parent);
            below = parent;
        }
        line.reverse();
        line
    }
}
