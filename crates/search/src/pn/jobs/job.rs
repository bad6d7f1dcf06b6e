//! [`TreeJob`] and [`JobReport`]: the job of a [`JobTree`](super::JobTree), and its result.

use std::fmt;

use stonework_game::{Finite, Keyed, Player};

use super::nodes::NodeId;
use crate::{ChildNumbers, ProofNumbers};

/// The name of a job: a hash of its position (up to symmetry) and its question. A position that is searched again has the
/// same name again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TreeJobId(pub u64);

/// Sixteen hexadecimal digits.
impl fmt::Display for TreeJobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A job: a bounded search for the answer to "does `who` win at `position`?"
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeJob<G: Finite + Keyed> {
    /// The name.
    pub id: TreeJobId,
    /// The position.
    pub position: G,
    /// The moves from the root of the tree to the position.
    pub line: Vec<G::Move>,
    /// The player of the question.
    pub who: Player,
    /// The greatest number of nodes of the search.
    pub nodes: u64,
    /// `false` if a [lone](super::JobTreeOptions::lone) searcher would go on with the position after an open report: then
    /// the tree leaves the moves in the report unused, unless another job begins in the meantime, and a report without
    /// moves saves their proofs.
    pub wants_moves: bool,
}

/// The result of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobReport<M> {
    /// The nodes spent.
    pub nodes: u64,
    /// The finding.
    pub finding: JobFinding<M>,
}

/// The finding of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobFinding<M> {
    /// The answer is shown: yes or no. The caller has a verified proof of the answer.
    Shown(bool),
    /// The question is open within the budget.
    Open {
        /// The numbers of the position. They count only if the position cannot be opened.
        numbers: ProofNumbers,
        /// The moves of the job's position with their findings, in any order. Moves may be missing.
        children: Vec<JobChild<M>>,
    },
    /// The job has no result. Its position is offered again.
    Failed,
}

/// A move of a job's position, with the finding about the position after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JobChild<M> {
    /// The move, in the frame of the job's position.
    pub mv: M,
    /// The finding.
    pub finding: ChildFinding,
}

/// The finding of a job about the position after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChildFinding {
    /// The answer is shown, and the caller has a verified proof of it.
    Shown(bool),
    /// Numbers without a proof. They only steer: a position that these numbers decide is still searched.
    Numbers(ProofNumbers),
}

impl<M: Copy> JobFinding<M> {
    /// The finding of a search with these numbers and [children](crate::Dfpn::children), for a caller that believes the
    /// search: a decided position is shown, and a decided child is shown.
    #[must_use]
    pub fn of(numbers: ProofNumbers, children: &[ChildNumbers<M>]) -> Self {
        let finding = |child: &ChildNumbers<M>| match child.numbers.decided() {
            Some(yes) => ChildFinding::Shown(yes),
            None => ChildFinding::Numbers(child.numbers),
        };
        let children = || children.iter().map(|child| JobChild { mv: child.mv, finding: finding(child) });
        match numbers.decided() {
            Some(yes) => Self::Shown(yes),
            None => Self::Open { numbers, children: children().collect() },
        }
    }
}

/// A running job.
#[derive(Debug)]
pub(super) struct Running<G: Finite + Keyed> {
    pub(super) job: TreeJob<G>,
    pub(super) node: NodeId,
    /// The nodes from the root to the job's node, with both.
    pub(super) path: Vec<NodeId>,
}
