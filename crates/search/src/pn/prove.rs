//! [`Dfpn::prove`]: from a solved position to a proof.

use std::sync::atomic::Ordering;

use stonework_game::{Finite, Keyed, Outcome, Player};

use super::Dfpn;
use super::drive::Solve;
use super::judge::{Judge, Look};
use super::numbers::Question;
use super::walk::{MAX_PLIES, Shared, Walk};
use crate::proof::{Choice, Claim, Part, Proof, Seen, Sight, Step, name, seen, undisturbed, wins_by};
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
    /// here. Memory beside the table: about 50 bytes for each position of the proof.
    ///
    /// The proof must hold by the rules alone. What a [`Sight`] sees of a position is left out; certainties of [`Tactics`]
    /// become lines of threats where tactics [say which](Tactics::line), and are spelt out down to the end of the game
    /// otherwise.
    ///
    /// # Errors
    /// If the claim is wrong, or a limit is reached.
    pub fn prove<G: Finite + Keyed, S: Sight<G>>(
        &mut self,
        root: &G,
        claim: Claim,
        sight: &S,
        limits: &Limits,
    ) -> Result<Proof<G>, ProveError>
    where
        T: Tactics<G> + Clone,
    {
        let limits = Limits { depth: None, ..limits.clone() };
        let meter = Meter::new(&limits);
        self.prepare(&limits, true);
        let proof = self.prove_within(root, claim, sight, &meter);
        self.worked += meter.nodes();
        proof
    }

    fn prove_within<G: Finite + Keyed, S: Sight<G>>(
        &self,
        root: &G,
        claim: Claim,
        sight: &S,
        meter: &Meter<'_>,
    ) -> Result<Proof<G>, ProveError>
    where
        T: Tactics<G> + Clone,
    {
        let mut run = self.run(root);
        let mut parts = Vec::new();
        for (who, wins) in claim.parts() {
            let question = Question::new(who);
            let answer = match root.outcome() {
                Some(outcome) => Some(outcome == Outcome::Win(who)),
                None => run.ask(root, question, meter, &mut |_| {}).numbers.decided(),
            };
            match answer {
                Some(answer) if answer != wins => return Err(ProveError::Wrong),
                Some(_) => {}
                None => return Err(stopped(meter)),
            }
            let Some(judge) = run.judges.first_mut() else { return Err(ProveError::Contradiction) };
            let mut shared = Shared::new(run.store, meter, 1, run.epsilon);
            (shared.transfer, shared.focus) = (run.transfer, run.focus);
            let collect = Collect {
                game: root.clone(),
                sight,
                who,
                wins,
                side: if wins { who } else { who.other() },
                judge,
                shared: &shared,
                part: Part::new(),
                line: Vec::new(),
                moves: Vec::new(),
                room: Vec::new(),
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
struct Collect<'a, G: Finite + Keyed, T, S> {
    game: G,
    sight: &'a S,
    who: Player,
    wins: bool,
    /// Who the strategy is for.
    side: Player,
    judge: &'a mut Judge<G, T>,
    shared: &'a Shared<'a>,
    part: Part<G::Move>,
    line: Vec<Ply<G::Undo>>,
    moves: Vec<G::Move>,
    room: Vec<G::Move>,
    purse: Purse,
}

impl<G: Finite + Keyed, T: Tactics<G>, S: Sight<G>> Collect<'_, G, T, S> {
    fn all(mut self) -> Result<Part<G::Move>, ProveError> {
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
        let first = self.moves.len();
        let settled = match self.game.outcome() {
            Some(outcome) if (outcome == Outcome::Win(self.who)) == self.wins => true,
            Some(_) => return Err(ProveError::Contradiction),
            None => match seen(self.sight, &self.game, self.side, &mut self.room) {
                Seen::Won => true,
                Seen::Lost => return Err(ProveError::Contradiction),
                Seen::Only(mv) => {
                    self.moves.push(mv);
                    false
                }
                Seen::Open => !self.open(first)?,
            },
        };
        if settled {
            if let Some(undo) = undo {
                self.game.undo(undo);
            }
            return Ok(());
        }
        if self.line.len() >= MAX_PLIES {
            return Err(ProveError::Stopped(Stop::Depth));
        }
        self.line.push(Ply { undo, first });
        Ok(())
    }

    /// Gives a position its choice and lists the moves to follow, the first one last; `false` if there is none.
    fn open(&mut self, first: usize) -> Result<bool, ProveError> {
        let key = name::<G, S>(&self.game);
        if let Some(choice) = self.part.get_mut(&key) {
            choice.shared = true;
            return Ok(false);
        }
        if self.game.horizon() != u32::MAX {
            return Err(ProveError::Horizon);
        }
        let mine = self.game.to_move() == self.side;
        let question = Question::new(self.who);
        let look = self.judge.look(&mut self.game, &question, 0);
        if matches!(look, Look::Decided(answer, _) if answer != self.wins) {
            return Err(ProveError::Contradiction);
        }
        let step = if !self.wins && self.sight.never(&self.game, self.who) {
            Step::Never
        } else {
            let mut line = Vec::new();
            self.judge.tactics.line(&mut self.game, &mut line);
            match (mine, line.is_empty()) {
                (true, false) if wins_by(self.sight, &mut self.game, self.side, &line, &mut self.room) => {
                    Step::Line(line.into())
                }
                (true, _) => Step::Move(self.choose(look)?),
                (false, false) => Step::Line(line.into()),
                (false, true) => Step::All,
            }
        };
        match (&step, mine) {
            (Step::Never, _) | (Step::Line(_), true) => {}
            (Step::Move(mv), _) => self.moves.push(*mv),
            (Step::All, _) => self.game.legal_moves(&mut self.moves),
            (Step::Line(line), false) => {
                self.game.legal_moves(&mut self.moves);
                undisturbed(self.sight, &mut self.game, self.side, line, &mut self.moves, first);
            }
        }
        if matches!(step, Step::All) && self.moves.len() == first {
            return Err(ProveError::Contradiction);
        }
        // In the order in which they are written and read, so that the same ones are shared.
        self.moves.get_mut(first..).unwrap_or_default().reverse();
        self.part.insert(key, Choice { step, shared: false });
        Ok(self.moves.len() > first)
    }

    /// The move that keeps the claim, of the side that can.
    fn choose(&mut self, look: Look<G::Move>) -> Result<G::Move, ProveError> {
        let question = Question::new(self.who);
        let mut moves = Vec::new();
        if let Look::Decided(_, Some(mv)) = look
            && self.game.check(mv).is_ok()
        {
            return Ok(mv);
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
        if self.part.contains_key(&name::<G, S>(&self.game)) {
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
