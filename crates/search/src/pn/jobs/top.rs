//! [`JobTree::top`]: the part of the proof above the positions that jobs have shown.

use std::collections::HashSet;

use stonework_game::{Finite, Indexed, Keyed};
use stonework_proof::{
    Claim, Goal, Immediate, ImmediateRules, Proof, ProofAction, Strategy, drop_answered, immediate,
    line_wins, position_key,
};

use super::JobTree;
use super::job::TreeJobId;
use super::nodes::NodeId;
use crate::ProofTactics;
use crate::pn::leaf::Evaluation;
use crate::pn::walk::MAX_PLIES;

/// A position of a [`TopProof`] that a job has shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownLeaf<G> {
    /// The position.
    pub position: G,
    /// The job whose report shows the claim of the leaves here: the job at the position itself or at the position before.
    pub job: TreeJobId,
}

/// The part of a proof above the positions that jobs have shown.
#[derive(Clone, Debug)]
pub struct TopProof<G: Finite> {
    /// The strategy from the root. It ends at the positions of `leaves` and `gaps`.
    pub proof: Proof<G>,
    /// The claim about each leaf and each gap, and about the root.
    pub claim: Claim,
    /// The positions that jobs have shown, each once.
    pub leaves: Vec<ShownLeaf<G>>,
    /// The positions that only the tactics have decided, without a line of threats. Each needs a proof of its own, which takes
    /// little search.
    pub gaps: Vec<G>,
}

/// The reason why there is no [`TopProof`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TopError {
    /// The question is open.
    #[error("the question is not answered yet")]
    Open,
    /// A line of the proof is too long.
    #[error("a line of more than {MAX_PLIES} plies")]
    Depth,
    /// The tactics, keys or outcomes of the game contradict each other or a report.
    #[error("tactics, keys or outcomes of the game contradict each other or a report")]
    Contradiction,
    /// The keys of the game leave out history that decides the game.
    #[error("the game's keys leave out history that decides the game")]
    Horizon,
    /// The tree takes symmetric positions as one, and the rules of the proof do not.
    #[error("the tree is symmetric, and the rules of the proof are not")]
    Symmetry,
}

impl<G: Finite + Keyed + Indexed, Tactic: ProofTactics<G>> JobTree<G, Tactic> {
    /// The proof of the answer, down to the positions that jobs have shown. The proofs of these positions and this
    /// strategy make a proof set.
    ///
    /// # Errors
    /// An error if the question is open, or if game, tactics and reports do not fit together.
    ///
    /// # Complexity
    /// Time O(positions · b) with one evaluation of the tactics for each position of the strategy.
    pub fn top<Rules: ImmediateRules<G>>(&mut self, rules: &Rules) -> Result<TopProof<G>, TopError> {
        let wins = self.value().ok_or(TopError::Open)?;
        let goal = Goal { player: self.question.who, wins };
        let mut collector = TopCollector {
            game: self.root.clone(),
            tree: self,
            rules,
            goal,
            strategy: Strategy::new(),
            ends: HashSet::new(),
            leaves: Vec::new(),
            gaps: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            room: Vec::new(),
        };
        collector.walk()?;
        let TopCollector { strategy, leaves, gaps, .. } = collector;
        let claim = goal.claim();
        Ok(TopProof { proof: Proof::new(self.root.clone(), claim, vec![strategy]), claim, leaves, gaps })
    }
}

/// A position on the path from the root to the present position.
struct Ply<U> {
    undo: Option<U>,
    /// The index in `moves` at which the moves of this position begin.
    first: usize,
}

/// A walk over the positions of the strategy above the shown positions.
struct TopCollector<'a, G: Finite + Keyed, Tactic, Rules> {
    game: G,
    tree: &'a mut JobTree<G, Tactic>,
    rules: &'a Rules,
    goal: Goal,
    strategy: Strategy<G::Move>,
    /// The keys of the leaves and gaps.
    ends: HashSet<u64>,
    leaves: Vec<ShownLeaf<G>>,
    gaps: Vec<G>,
    path: Vec<Ply<G::Undo>>,
    /// The moves still to be played, of all positions of the path.
    moves: Vec<G::Move>,
    room: Vec<G::Move>,
}

impl<G: Finite + Keyed + Indexed, Tactic: ProofTactics<G>, Rules: ImmediateRules<G>>
    TopCollector<'_, G, Tactic, Rules>
{
    fn walk(&mut self) -> Result<(), TopError> {
        self.enter(None)?;
        while let Some(ply) = self.path.last() {
            if self.moves.len() > ply.first
                && let Some(mv) = self.moves.pop()
            {
                let undo = self.game.play_unchecked(mv);
                self.enter(Some(undo))?;
            } else if let Some(undo) = self.path.pop().and_then(|ply| ply.undo) {
                self.game.undo(undo);
            }
        }
        Ok(())
    }

    /// Enters the game's position, and leaves it at once if no move from it is to follow.
    fn enter(&mut self, undo: Option<G::Undo>) -> Result<(), TopError> {
        let first = self.moves.len();
        if self.follows(first)? {
            if self.path.len() >= MAX_PLIES {
                return Err(TopError::Depth);
            }
            self.path.push(Ply { undo, first });
        } else if let Some(undo) = undo {
            self.game.undo(undo);
        }
        Ok(())
    }

    /// Lists the moves that follow in the game's position; `false` if no move follows.
    fn follows(&mut self, first: usize) -> Result<bool, TopError> {
        if let Some(outcome) = self.game.outcome() {
            return if self.goal.is_reached(outcome) { Ok(false) } else { Err(TopError::Contradiction) };
        }
        let key = self.tree.key_of(&self.game).ok_or(TopError::Horizon)?;
        if self.tree.options.symmetric && !Rules::SYMMETRIC && self.game.canonical().0 != self.game.key() {
            return Err(TopError::Symmetry);
        }
        if self.ends.contains(&key) {
            return Ok(false);
        }
        if let Some(shown) = self.tree.shown.get(&key) {
            if shown.yes != self.goal.wins {
                return Err(TopError::Contradiction);
            }
            self.leaves.push(ShownLeaf { position: self.game.clone(), job: shown.job });
            self.ends.insert(key);
            return Ok(false);
        }
        match immediate(self.rules, &self.game, self.goal.side(), &mut self.room) {
            Immediate::Won => Ok(false),
            Immediate::Lost => Err(TopError::Contradiction),
            Immediate::Forced(mv) if self.game.check(mv).is_ok() => {
                self.moves.push(mv);
                Ok(true)
            }
            Immediate::Forced(_) | Immediate::Open => Ok(self.act(key, first)),
        }
    }

    /// Adds the action of the game's position, which has no immediate wins, and lists the moves that follow.
    fn act(&mut self, key: u64, first: usize) -> bool {
        let (name, _) = position_key::<G, Rules>(&self.game);
        if self.strategy.meet_again(name) {
            return false;
        }
        let Some(action) = self.action(key) else {
            self.gaps.push(self.game.clone());
            self.ends.insert(key);
            return false;
        };
        let side = self.goal.side();
        match &action {
            ProofAction::Move(mv) => self.moves.push(*mv),
            ProofAction::All => self.game.legal_moves(&mut self.moves),
            ProofAction::Line(line) if self.game.to_move() != side => {
                self.game.legal_moves(&mut self.moves);
                drop_answered(self.rules, &mut self.game, side, line, &mut self.moves, first);
            }
            ProofAction::Never | ProofAction::Line(_) => {}
        }
        self.moves.get_mut(first..).unwrap_or_default().reverse();
        self.strategy.insert(name, action);
        self.moves.len() > first
    }

    /// The action of the game's position; `None` if tree, rules and tactics have none.
    fn action(&mut self, key: u64) -> Option<ProofAction<G::Move>> {
        let (side, mine) = (self.goal.side(), self.game.to_move() == self.goal.side());
        if !self.goal.wins && self.rules.cannot_win(&self.game, self.goal.player) {
            return Some(ProofAction::Never);
        }
        let mut line = Vec::new();
        self.tree.evaluator.tactics.threat_line(&mut self.game, &mut line);
        if mine && !line.is_empty() && self.wins(&line) {
            return Some(ProofAction::Line(line.into()));
        }
        let node = self.tree.nodes.find(key).filter(|&at| self.is_decided(at));
        if mine {
            let edge = node.and_then(|at| self.tree.nodes.get(at.index()).edges.first().copied());
            let mv = match edge {
                Some(edge) => self.tree.playable(&self.game, edge.mv),
                None => self.known_win(),
            };
            return mv.map(ProofAction::Move);
        }
        if !line.is_empty() {
            // Without a node, the line has to answer every move.
            let mut answers_all = || {
                let mut moves = self.game.moves();
                drop_answered(self.rules, &mut self.game, side, &line, &mut moves, 0);
                moves.is_empty()
            };
            return (node.is_some() || answers_all()).then(|| ProofAction::Line(line.into()));
        }
        node.map(|_| ProofAction::All)
    }

    /// The move with which the tactics decide the game's position.
    fn known_win(&mut self) -> Option<G::Move> {
        match self.tree.evaluator.evaluate(&mut self.game, &self.tree.question, 0) {
            Evaluation::Decided(answer, mv) if answer == self.goal.wins => {
                mv.filter(|&mv| self.game.check(mv).is_ok())
            }
            _ => None,
        }
    }

    fn wins(&mut self, line: &[G::Move]) -> bool {
        line_wins(self.rules, &mut self.game, self.goal.side(), line, &mut self.room).is_some()
    }

    fn is_decided(&self, at: NodeId) -> bool {
        self.tree.nodes.get(at.index()).numbers.decided() == Some(self.goal.wins)
    }
}
