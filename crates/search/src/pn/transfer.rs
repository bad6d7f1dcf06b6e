//! Proofs of siblings: the refutation of one move often refutes the next.

use stonework_game::{Finite, Game, Keyed};

use super::store::effort;
use super::walk::Walk;
use crate::ProofNumbers;
use crate::ProofTactics;
use crate::table::move_tag;

/// The greatest number of positions that are evaluated for one move, which also bounds the depth of the recursion.
const EVALUATIONS: u32 = 100;
/// The [effort] below which a refutation is not worth following: sixteen nodes.
const LEAST: u8 = 32;

/// A refutation that is followed with another move in place of the refuted move.
struct Replay<G: Game> {
    /// The position after the refuted move and the moves that follow it; the walk's own game has the position
    /// after the other move.
    model: G,
    /// The answer to the question after the refuted move.
    answer: bool,
    refuted: G::Move,
    other: G::Move,
    evaluations: u32,
    moves: Vec<G::Move>,
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> Walk<'_, G, Tactic> {
    /// Tries the refutation of the move that was searched last against all other open moves of the current
    /// position. A refutation counts only if its replay is verified, so that no number can become wrong.
    pub(super) fn spread(&mut self) {
        if !self.shared.transfer || self.game.horizon() != u32::MAX {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let (first, current, or_node) = (frame.first, frame.current, frame.or_node);
        let Some(refuted) = self.children.get(first + current) else { return };
        if refuted.numbers.phi_delta(or_node).1 != 0 || refuted.work < LEAST {
            return;
        }
        let (refuted, answer) = (refuted.mv, !or_node);
        let mut model = self.game.clone();
        model.play_unchecked(refuted);
        let mut replay = Replay { model, answer, refuted, other: refuted, evaluations: 0, moves: Vec::new() };
        let mut spent = 0;
        for i in first.. {
            // The refutation is also tried against moves that take the place of refuted moves.
            if i == self.children.len() && !self.widen() {
                break;
            }
            let Some(child) = self.children.get(i) else { break };
            if child.numbers.decided().is_some() {
                continue;
            }
            (replay.other, replay.evaluations) = (child.mv, EVALUATIONS);
            let undo = self.game.play_unchecked(child.mv);
            let refuted = self.replay(&mut replay, self.frames.len() as u32);
            self.game.undo(undo);
            let evaluations = u64::from(EVALUATIONS - replay.evaluations);
            spent += evaluations;
            if let Some(child) = self.children.get_mut(i).filter(|_| refuted) {
                child.numbers = ProofNumbers::answer(answer);
                child.work = child.work.max(effort(evaluations));
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.work += spent;
        }
    }

    /// `true` if the replay proves that the refutation works in the current position.
    fn replay(&mut self, replay: &mut Replay<G>, ply: u32) -> bool {
        if let Some(outcome) = self.game.outcome() {
            return (outcome.winner() == Some(self.question.who)) == replay.answer;
        }
        let key = self.question.key(&self.game, ply);
        if let Some(answer) = self.find(key).and_then(|known| known.numbers.decided()) {
            return answer == replay.answer;
        }
        if replay.model.outcome().is_some() || replay.evaluations == 0 || !self.spend() {
            return false;
        }
        let before = replay.evaluations;
        replay.evaluations -= 1;
        if let Some((answer, _)) = self.evaluator.decide(&mut self.game, &self.question, ply) {
            self.keep(key, ProofNumbers::answer(answer), 0, None);
            return answer == replay.answer;
        }
        let model_key = self.question.key(&replay.model, ply);
        // A model that was decided without a search has no refutation to follow.
        let Some(known) = self.find(model_key).filter(|known| known.work > 0) else { return false };
        if known.numbers.decided() != Some(replay.answer) {
            return false;
        }
        let first = replay.moves.len();
        let mut decider = None;
        let done = if (self.game.to_move() == self.question.who) == replay.answer {
            replay.model.legal_moves(&mut replay.moves);
            let to = replay.model.canonical().1;
            let moves = replay.moves.get(first..).unwrap_or_default();
            let found = moves.iter().copied().find(|&mv| move_tag(&replay.model, to, mv) == known.tag);
            found.is_some_and(|mv| {
                let own = if self.game.check(mv).is_ok() { mv } else { replay.refuted };
                decider = Some(own);
                self.step(replay, own, mv, ply)
            })
        } else {
            self.evaluator.candidates(&self.game, &mut replay.moves);
            let last = replay.moves.len();
            first < last
                && (first..last).all(|i| {
                    let Some(&mv) = replay.moves.get(i) else { return false };
                    let modelled = if replay.model.check(mv).is_ok() { mv } else { replay.other };
                    self.step(replay, mv, modelled, ply)
                })
        };
        replay.moves.truncate(first);
        if done {
            let evaluations = u64::from(before - replay.evaluations);
            self.keep(key, ProofNumbers::answer(replay.answer), effort(evaluations), decider);
        }
        done
    }

    /// Follows the refutation after the move `mv` of the game, and after the move `modelled` of the model.
    fn step(&mut self, replay: &mut Replay<G>, mv: G::Move, modelled: G::Move, ply: u32) -> bool {
        if self.game.check(mv).is_err() || replay.model.check(modelled).is_err() {
            return false;
        }
        let undo = self.game.play_unchecked(mv);
        let modelled = replay.model.play_unchecked(modelled);
        let done = self.replay(replay, ply + 1);
        replay.model.undo(modelled);
        self.game.undo(undo);
        done
    }
}
