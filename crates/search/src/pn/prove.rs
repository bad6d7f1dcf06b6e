//! [`Dfpn::prove`]: from a solved position to a proof.

use std::sync::atomic::Ordering;

use stonework_game::{Finite, Keyed, Outcome, Player};

use super::Dfpn;
use super::drive::Solve;
use super::judge::{Judge, Look};
use super::numbers::Question;
use super::walk::{MAX_PLIES, Shared, Walk};
use crate::proof::{Choice, Claim, Part, Proof};
use crate::{Limits, Meter, Purse, Stop, Tactics};

/// Why there is no proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The claim is wrong.
    #[error("the claim is wrong")]
    Wrong,
    /// A limit was reached first.
    #[error("not finished within the limit: {0}")]
    Stopped(Stop),
    /// Keys of this game leave out what decides it ([`Keyed::horizon`]), so positions cannot be told apart.
    #[error("the game's keys leave out what decides it")]
    Horizon,
    /// Tactics, keys or outcomes contradict each other: they keep a promise badly.
    #[error("tactics, keys or outcomes of the game contradict each other")]
    Contradiction,
}

impl<T> Dfpn<T> {
    /// Finds a proof of a claim: solves the position, then collects a strategy, searching again where
    /// the table has lost something.
    ///
    /// Begins with what the last search has left in the table, if that has the same size, and always
    /// leaves its own. Nodes count for search and collection together; a limit of depth has no meaning
    /// here. Memory beside the table: about 24 bytes for each position of the proof.
    ///
    /// Certainties of [`Tactics`] are spelt out down to the end of the game, since the proof must hold by
    /// the rules alone: where a side can never win, all its ways not to.
    ///
    /// # Errors
    /// If the claim is wrong, or a limit is reached.
    pub fn prove<G: Finite + Keyed>(
        &mut self,
        root: &G,
        claim: Claim,
        limits: &Limits,
    ) -> Result<Proof<G>, ProveError>
    where
        T: Tactics<G> + Clone,
    {
        let limits = Limits { depth: None, ..limits.clone() };
        let meter = Meter::new(&limits);
        self.prepare(&limits, true);
        let mut run = self.run(root);
        let mut parts = Vec::new();
        for (who, wins) in claim.parts() {
            let question = Question::new(who);
            let answer = match root.outcome() {
                Some(outcome) => Some(outcome == Outcome::Win(who)),
                None => run.ask(root, question, &meter, &mut |_| {}).numbers.decided(),
            };
            match answer {
                Some(answer) if answer != wins => return Err(ProveError::Wrong),
                Some(_) => {}
                None => return Err(stopped(&meter)),
            }
            let Some(judge) = run.judges.first_mut() else { return Err(ProveError::Contradiction) };
            let shared = Shared::new(run.store, &meter, 1, run.epsilon);
            let collect = Collect {
                game: root.clone(),
                who,
                wins,
                judge,
                shared: &shared,
                part: Part::new(),
                line: Vec::new(),
                moves: Vec::new(),
                purse: Purse::default(),
            };
            parts.push(collect.all()?);
        }
        Ok(Proof { root: root.clone(), claim, parts })
    }
}

fn stopped(meter: &Meter<'_>) -> ProveError {
    ProveError::Stopped(meter.stopped().unwrap_or(Stop::Nodes))
}

/// A position on the way.
struct Ply<U> {
    undo: Option<U>,
    /// Where its moves begin that are still to be played; they are taken from the end.
    first: usize,
}

/// Collects one strategy.
struct Collect<'a, G: Finite + Keyed, T> {
    game: G,
    who: Player,
    wins: bool,
    judge: &'a mut Judge<G, T>,
    shared: &'a Shared<'a>,
    part: Part,
    line: Vec<Ply<G::Undo>>,
    moves: Vec<G::Move>,
    purse: Purse,
}

impl<G: Finite + Keyed, T: Tactics<G>> Collect<'_, G, T> {
    fn all(mut self) -> Result<Part, ProveError> {
        let done = self.walk();
        self.shared.meter.settle(&mut self.purse);
        done.map(|()| self.part)
    }

    fn walk(&mut self) -> Result<(), ProveError> {
        self.meet(None)?;
        while let Some(ply) = self.line.last() {
            if self.moves.len() > ply.first
                && let Some(mv) = self.moves.pop()
            {
                let undo = self.game.play_unchecked(mv);
                self.meet(Some(undo))?;
            } else if let Some(undo) = self.line.pop().and_then(|ply| ply.undo) {
                self.game.undo(undo);
            }
        }
        Ok(())
    }

    /// Meets a position: it is over, or known, or gets its choice.
    fn meet(&mut self, undo: Option<G::Undo>) -> Result<(), ProveError> {
        if !self.shared.meter.node(&mut self.purse) {
            return Err(stopped(self.shared.meter));
        }
        let settled = match self.game.outcome() {
            Some(outcome) if (outcome == Outcome::Win(self.who)) == self.wins => true,
            Some(_) => return Err(ProveError::Contradiction),
            None => {
                let known = self.part.get_mut(&self.game.key());
                known.map(|choice| choice.shared = true).is_some()
            }
        };
        if settled {
            if let Some(undo) = undo {
                self.game.undo(undo);
            }
            return Ok(());
        }
        if self.game.horizon() != u32::MAX {
            return Err(ProveError::Horizon);
        }
        if self.line.len() >= MAX_PLIES {
            return Err(ProveError::Stopped(Stop::Depth));
        }
        let first = self.moves.len();
        let chooses = (self.game.to_move() == self.who) == self.wins;
        let chosen = if chooses { Some(self.choose()?) } else { None };
        self.game.legal_moves(&mut self.moves);
        let listed = self.moves.get_mut(first..).unwrap_or_default();
        let index = match chosen {
            None if listed.is_empty() => return Err(ProveError::Contradiction),
            None => {
                // In the order in which they are written and read, so that the same ones are shared.
                listed.reverse();
                u32::MAX
            }
            Some(mv) => {
                let index = listed.iter().position(|&other| other == mv);
                let index = index.ok_or(ProveError::Contradiction)?;
                self.moves.truncate(first);
                self.moves.push(mv);
                index as u32
            }
        };
        self.part.insert(self.game.key(), Choice { index, shared: false });
        self.line.push(Ply { undo, first });
        Ok(())
    }

    /// The move that keeps the claim, of the side that can.
    fn choose(&mut self) -> Result<G::Move, ProveError> {
        let question = Question::new(self.who);
        let mut moves = Vec::new();
        match self.judge.look(&mut self.game, &question, 0) {
            Look::Decided(answer, _) if answer != self.wins => return Err(ProveError::Contradiction),
            Look::Decided(_, Some(mv)) => return Ok(mv),
            Look::Decided(..) | Look::Open(_) => {}
        }
        self.judge.list(&mut self.game, &mut moves);
        // The cheapest move that is known to do: one that is part of the proof already, one that is
        // decided at sight, one that took little work.
        let mut best: Option<(u16, G::Move)> = None;
        for &mv in &moves {
            let undo = self.game.play_unchecked(mv);
            let cost = self.cost(&question);
            self.game.undo(undo);
            if let Some(cost) = cost
                && best.is_none_or(|(other, _)| cost < other)
            {
                best = Some((cost, mv));
                if cost == 0 {
                    break;
                }
            }
        }
        best.map_or_else(|| self.search(question), |(_, mv)| Ok(mv))
    }

    /// What it costs to show that the claim holds at a position; nothing if it is not known to hold.
    fn cost(&mut self, question: &Question) -> Option<u16> {
        if let Some(outcome) = self.game.outcome() {
            return ((outcome == Outcome::Win(self.who)) == self.wins).then_some(0);
        }
        if self.part.contains_key(&self.game.key()) {
            return Some(0);
        }
        if let Look::Decided(answer, _) = self.judge.look(&mut self.game, question, 1) {
            return (answer == self.wins).then_some(1);
        }
        let known = self.shared.store.get(question.key(&self.game, 1))?;
        (known.numbers.decided() == Some(self.wins)).then(|| 2 + u16::from(known.work))
    }

    /// Searches a position again.
    fn search(&mut self, question: Question) -> Result<G::Move, ProveError> {
        self.shared.done.store(false, Ordering::Relaxed);
        let mut walk = Walk::new(&self.game, question, self.judge, self.shared);
        let answer = walk.run(&mut |_| {});
        match (answer.numbers.decided(), answer.best) {
            (Some(answer), Some(mv)) if answer == self.wins => Ok(mv),
            (Some(_), _) => Err(ProveError::Contradiction),
            (None, _) => Err(stopped(self.shared.meter)),
        }
    }
}
