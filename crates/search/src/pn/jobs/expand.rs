//! The opening of positions: their moves, with first numbers.

use stonework_game::{Finite, Keyed};

use super::job::{ChildFinding, JobChild, TreeJobId};
use super::nodes::{Edge, NodeId, Nodes};
use super::{JobTree, Shown};
use crate::pn::leaf::Expansion;
use crate::pn::numbers::MOST;
use crate::{ProofNumbers, ProofTactics};

/// The number that stands for "hard" where numbers without a proof decide a position.
pub(super) const HARD: u32 = 1 << 20;

/// A position after a move, before it has a node.
struct Sprout<M> {
    mv: M,
    /// The node that the position has already.
    node: Option<NodeId>,
    key: Option<u64>,
    numbers: ProofNumbers,
    or_node: bool,
}

/// The result of opening a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opening {
    /// The position has its moves.
    Done,
    /// The memory has no room. The tree is unchanged, but that other positions may be closed.
    NoRoom,
    /// The moves would decide the position, and no job has reported about it. The tree is unchanged in the same way.
    Decides,
}

/// Numbers from outside as numbers of an open position: they are in their range, and decide nothing.
pub(super) fn steering(numbers: ProofNumbers) -> ProofNumbers {
    match numbers.decided() {
        Some(true) => ProofNumbers { proof: 1, disproof: HARD },
        Some(false) => ProofNumbers { proof: HARD, disproof: 1 },
        None => {
            ProofNumbers { proof: numbers.proof.clamp(1, MOST), disproof: numbers.disproof.clamp(1, MOST) }
        }
    }
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> JobTree<G, Tactic> {
    /// Opens a position that has no moves yet: adds the positions after its moves.
    ///
    /// `by` is the job that has reported about the position. Without such a job, the opening decides nothing: the
    /// caller of the tree would not hear that running jobs become needless.
    pub(super) fn open(
        &mut self,
        at: NodeId,
        position: &G,
        found: &[JobChild<G::Move>],
        by: Option<TreeJobId>,
    ) -> Opening {
        let mut game = position.clone();
        let mut moves = Vec::new();
        let expansion = self.evaluator.expand(&mut game, &mut moves);
        let or_node = self.nodes.get(at.index()).or_node;
        if moves.is_empty() {
            if by.is_none() {
                return Opening::Decides;
            }
            // A side without a move has lost; a game without moves that is not over breaks its contract, and no
            // side has won it.
            let lost = ProofNumbers::answer(expansion != Expansion::NoMoves && !or_node);
            self.nodes.get_mut(at.index()).numbers = lost;
            return Opening::Done;
        }
        if !self.make_room(moves.len()) {
            return Opening::NoRoom;
        }
        if self.options.focus {
            self.evaluator.tactics.order(&game, &mut moves);
        }
        let mut found = Findings::new(self, &game, found);
        let mut sprouts: Vec<Sprout<G::Move>> = Vec::with_capacity(moves.len());
        for mv in moves {
            let framed = self.framed(&game, mv);
            let undo = game.play_unchecked(mv);
            let sprout = self.sprout(&mut game, mv, &mut found, by);
            game.undo(undo);
            let twin = |other: &Sprout<G::Move>| sprout.key.is_some() && other.key == sprout.key;
            if sprouts.iter().any(twin) {
                continue;
            }
            let (phi, delta) = sprout.numbers.phi_delta(or_node);
            let sprout = Sprout { mv: framed, ..sprout };
            if phi == 0 {
                sprouts = vec![sprout];
                break;
            }
            if delta != 0 || sprout.node.is_some() {
                sprouts.push(sprout);
            }
        }
        let open = |sprout: &Sprout<G::Move>| sprout.numbers.decided().is_none();
        let decides = sprouts.iter().any(|sprout| sprout.numbers.phi_delta(or_node).0 == 0)
            || !sprouts.iter().any(open);
        if decides && by.is_none() {
            return Opening::Decides;
        }
        if sprouts.is_empty() {
            self.nodes.get_mut(at.index()).numbers = ProofNumbers::answer(!or_node);
        }
        self.grow(at, sprouts);
        Opening::Done
    }

    /// The position after a move.
    fn sprout(
        &mut self,
        game: &mut G,
        mv: G::Move,
        found: &mut Findings<G::Move>,
        by: Option<TreeJobId>,
    ) -> Sprout<G::Move> {
        let or_node = game.to_move() == self.question.who;
        if let Some(outcome) = game.outcome() {
            let numbers = ProofNumbers::answer(outcome.winner() == Some(self.question.who));
            return Sprout { mv, node: None, key: None, numbers, or_node };
        }
        let key = self.key_of(game);
        let node = key.and_then(|key| self.nodes.find(key));
        let shown = key.and_then(|key| self.shown.get(&key)).map(|shown| shown.yes);
        let finding = found.take(mv, key);
        let numbers = match (node, shown, finding) {
            (Some(node), _, _) => self.nodes.get(node.index()).numbers,
            (None, Some(yes), _) => ProofNumbers::answer(yes),
            (None, None, Some(ChildFinding::Shown(yes))) => {
                if let (Some(key), Some(by)) = (key, by) {
                    self.note_shown(key, yes, by);
                }
                ProofNumbers::answer(yes)
            }
            (None, None, finding) => {
                let own = self.evaluator.evaluate(game, &self.question, 0).numbers();
                match finding {
                    Some(ChildFinding::Numbers(numbers)) if own.decided().is_none() => steering(numbers),
                    _ => own,
                }
            }
        };
        Sprout { mv, node, key, numbers, or_node }
    }

    /// Makes nodes of positions and links them to their parent. A position that decides its parent needs no node.
    fn grow(&mut self, at: NodeId, sprouts: Vec<Sprout<G::Move>>) {
        let mut edges = Vec::with_capacity(sprouts.len());
        for sprout in sprouts {
            let new = sprout.numbers.decided().is_none();
            let child = sprout.node.or_else(|| {
                new.then(|| {
                    let (key, keyed) = self.named(sprout.key);
                    self.nodes.add(key, keyed, sprout.numbers, sprout.or_node)
                })
            });
            edges.push(Edge { mv: sprout.mv, child });
        }
        self.nodes.link(at, edges);
    }

    /// The key of a node, and `true` if other lines may lead to the same node.
    pub(super) fn named(&mut self, key: Option<u64>) -> (u64, bool) {
        if let Some(key) = key {
            return (key, true);
        }
        self.unkeyed += 1;
        (stonework_game::scatter(self.unkeyed), false)
    }

    /// Notes that a job has shown a position.
    pub(super) fn note_shown(&mut self, key: u64, yes: bool, job: TreeJobId) {
        if self.shown.insert(key, Shown { yes, job }).is_none() {
            self.counts.shown += 1;
        }
    }

    /// Closes opened positions with little work while the tree takes more memory than its limit.
    pub(super) fn trim(&mut self) {
        // Without anything to close, running jobs and shown positions take the memory, and stay.
        let _ = self.make_room(0);
    }

    /// Makes room for a number of positions, by closing opened positions with little work; `false` if there is not
    /// enough room.
    fn make_room(&mut self, positions: usize) -> bool {
        if !self.nodes.has_room(positions) {
            return false;
        }
        let need = Nodes::<G::Move>::bytes_of(positions);
        if self.bytes() + need <= self.options.bytes {
            return true;
        }
        let wanted = self.options.bytes - self.options.bytes / 8;
        let mut dropped = Vec::new();
        while self.bytes() + need > wanted {
            let mut closable = self.nodes.lowest_opened();
            if closable.is_empty() {
                break;
            }
            closable.sort_unstable_by_key(|&at| (self.nodes.get(at.index()).work, at));
            for at in closable {
                self.nodes.prune(at, |_| false, &mut dropped);
                self.counts.closed += 1;
                if self.bytes() + need <= wanted {
                    break;
                }
            }
        }
        debug_assert!(dropped.is_empty(), "no job runs below a closed position");
        self.bytes() + need <= self.options.bytes
    }
}

/// The findings of a job about the positions after its moves.
pub(super) struct Findings<M> {
    list: Vec<(M, Option<u64>, ChildFinding)>,
}

impl<M: Copy + Eq> Findings<M> {
    /// The findings about legal moves of a position.
    pub(super) fn new<G: Finite + Keyed<Move = M>, Tactic: ProofTactics<G>>(
        tree: &JobTree<G, Tactic>,
        position: &G,
        children: &[JobChild<M>],
    ) -> Self {
        let mut game = position.clone();
        let mut list = Vec::with_capacity(children.len());
        for child in children {
            if game.check(child.mv).is_ok() {
                let undo = game.play_unchecked(child.mv);
                let key = tree.key_of(&game).filter(|_| game.outcome().is_none());
                game.undo(undo);
                list.push((child.mv, key, child.finding));
            }
        }
        Self { list }
    }

    /// The finding about the position with this key or, without a key, after this move.
    fn take(&mut self, mv: M, key: Option<u64>) -> Option<ChildFinding> {
        let fits =
            |(other, its, _): &(M, Option<u64>, _)| if key.is_some() { *its == key } else { *other == mv };
        let at = self.list.iter().position(fits)?;
        Some(self.list.swap_remove(at).2)
    }

    /// The findings about positions with keys.
    pub(super) fn keyed(self) -> impl Iterator<Item = (u64, ChildFinding)> {
        self.list.into_iter().filter_map(|(_, key, finding)| Some((key?, finding)))
    }
}
