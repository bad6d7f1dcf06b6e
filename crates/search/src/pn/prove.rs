//! [`Dfpn::prove`]: solves a position and collects the proof of a claim.

use std::sync::atomic::Ordering;

use stonework_game::{Finite, Indexed, Keyed};
use stonework_proof::{
    Claim, Goal, Immediate, ImmediateRules, Proof, ProofAction, Strategy, drop_answered, immediate,
    line_wins, position_key,
};

use super::Dfpn;
use super::drive::{Solve, Task};
use super::leaf::LeafEvaluator;
use super::numbers::Query;
use super::store::Known;
use super::walk::{MAX_PLIES, Shared, Walk};
use crate::{Allowance, Limits, Meter, ProofTactics, Stop};

/// The reason why there is no proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The claim is wrong.
    #[error("the claim is wrong")]
    Wrong,
    /// A limit was reached before the proof was complete.
    #[error("not finished within the limit: {0}")]
    Stopped(Stop),
    /// The keys of the game leave out history that decides the game ([`Keyed::horizon`]), so equal keys do not
    /// mean equal positions.
    #[error("the game's keys leave out history that decides the game")]
    Horizon,
    /// Tactics, keys or outcomes contradict each other: the implementation of one of these breaks its contract.
    #[error("tactics, keys or outcomes of the game contradict each other")]
    Contradiction,
}

impl<Tactic> Dfpn<Tactic> {
    /// Finds a proof of a claim: solves the position, then collects a strategy, with a new search for each
    /// position that the table has lost.
    ///
    /// The search begins with the table of the last search if that table has the same size. The new entries stay in
    /// the table, also after an error. The limit of nodes covers search and collection together; a limit of depth has
    /// no effect. Memory beside the table: about 50 bytes for each position of the proof.
    ///
    /// The proof must hold by the rules alone. The proof leaves out the facts that [`ImmediateRules`] states. Decisions of
    /// [`Tactics`](crate::Tactics) become lines of threats if the tactics return [such a
    /// line](ProofTactics::threat_line); otherwise the proof has all moves down to the end of the game.
    ///
    /// # Errors
    /// An error if the claim is wrong, if a limit is reached, or if the game's keys or tactics make a proof
    /// impossible.
    pub fn prove<G: Finite + Keyed + Indexed, Rules: ImmediateRules<G>>(
        &mut self,
        root: &G,
        claim: Claim,
        rules: &Rules,
        limits: &Limits,
    ) -> Result<Proof<G>, ProveError>
    where
        Tactic: ProofTactics<G> + Clone,
    {
        let limits = Limits { depth: None, ..limits.clone() };
        let meter = Meter::new(&limits);
        self.prepare(&limits, true);
        let proof = self.prove_within(root, claim, rules, &meter);
        self.nodes_searched += meter.nodes();
        proof
    }

    fn prove_within<G: Finite + Keyed + Indexed, Rules: ImmediateRules<G>>(
        &self,
        root: &G,
        claim: Claim,
        rules: &Rules,
        meter: &Meter<'_>,
    ) -> Result<Proof<G>, ProveError>
    where
        Tactic: ProofTactics<G> + Clone,
    {
        let mut run = self.run(root);
        let mut strategies = Vec::new();
        for goal in claim.goals() {
            let question = Query::new(goal.player);
            let answer = match root.outcome() {
                Some(outcome) => Some(outcome.winner() == Some(goal.player)),
                None => run.ask(&Task { root, question, meter }, &mut |_| {}).numbers.decided(),
            };
            match answer {
                Some(answer) if answer != goal.wins => return Err(ProveError::Wrong),
                Some(_) => {}
                None => return Err(stopped(meter)),
            }
            let Some(evaluator) = run.evaluators.first_mut() else { return Err(ProveError::Contradiction) };
            let mut shared = Shared::new(run.store, meter, 1, run.epsilon);
            (shared.transfer, shared.focus) = (run.transfer, run.focus);
            let collector = Collector {
                game: root.clone(),
                rules,
                goal,
                evaluator,
                shared: &shared,
                strategy: Strategy::new(),
                path: Vec::new(),
                moves: Vec::new(),
                scratch: Vec::new(),
                allowance: Allowance::default(),
            };
            strategies.push(collector.strategy()?);
        }
        Ok(Proof::new(root.clone(), claim, strategies))
    }
}

fn stopped(meter: &Meter<'_>) -> ProveError {
    ProveError::Stopped(meter.stopped().unwrap_or(Stop::Nodes))
}

/// A position on the path from the root to the present position.
struct Ply<U> {
    undo: Option<U>,
    /// The index in `moves` at which the moves of this position begin. The walk takes moves from the end.
    first: usize,
}

/// The collector of one strategy: a walk over the positions that the strategy may meet.
struct Collector<'a, G: Finite + Keyed, Tactic, Rules> {
    game: G,
    rules: &'a Rules,
    goal: Goal,
    evaluator: &'a mut LeafEvaluator<G, Tactic>,
    shared: &'a Shared<'a>,
    strategy: Strategy<G::Move>,
    path: Vec<Ply<G::Undo>>,
    /// The moves still to be played, of all positions of the path.
    moves: Vec<G::Move>,
    scratch: Vec<G::Move>,
    allowance: Allowance,
}

impl<G: Finite + Keyed + Indexed, Tactic: ProofTactics<G>, Rules: ImmediateRules<G>>
    Collector<'_, G, Tactic, Rules>
{
    /// Walks, and returns the complete strategy.
    fn strategy(mut self) -> Result<Strategy<G::Move>, ProveError> {
        let done = self.walk();
        self.shared.meter.settle(&mut self.allowance);
        done.map(|()| self.strategy)
    }

    fn walk(&mut self) -> Result<(), ProveError> {
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

    /// Enters the game's position. The function leaves the position at once if no move from it is to follow; otherwise
    /// the position joins the path.
    fn enter(&mut self, undo: Option<G::Undo>) -> Result<(), ProveError> {
        if !self.shared.meter.node(&mut self.allowance) {
            return Err(stopped(self.shared.meter));
        }
        let first = self.moves.len();
        let settled = match self.game.outcome() {
            Some(outcome) if self.goal.is_reached(outcome) => true,
            Some(_) => return Err(ProveError::Contradiction),
            None => match immediate(self.rules, &self.game, self.goal.side(), &mut self.scratch) {
                Immediate::Won => true,
                Immediate::Lost => return Err(ProveError::Contradiction),
                Immediate::Forced(mv) => {
                    self.moves.push(mv);
                    false
                }
                Immediate::Open => !self.add_action(first)?,
            },
        };
        if settled {
            if let Some(undo) = undo {
                self.game.undo(undo);
            }
            return Ok(());
        }
        if self.path.len() >= MAX_PLIES {
            return Err(ProveError::Stopped(Stop::Depth));
        }
        self.path.push(Ply { undo, first });
        Ok(())
    }

    /// Adds the action of the game's position to the strategy, unless the strategy has it already. The moves that
    /// follow are appended to `moves`, the first move last; `false` if no move follows.
    fn add_action(&mut self, first: usize) -> Result<bool, ProveError> {
        let (key, _) = position_key::<G, Rules>(&self.game);
        if self.strategy.meet_again(key) {
            return Ok(false);
        }
        if self.game.horizon() != u32::MAX {
            return Err(ProveError::Horizon);
        }
        let mine = self.game.to_move() == self.goal.side();
        let question = Query::new(self.goal.player);
        // Where a search has shown the goal, tactics do not decide the position.
        let searched = self
            .known(&question)
            .is_some_and(|known| known.work > 0 && known.numbers.decided() == Some(self.goal.wins));
        let action: ProofAction<G::Move> =
            if !self.goal.wins && self.rules.cannot_win(&self.game, self.goal.player) {
                ProofAction::Never
            } else {
                // A line that wins by the rules shows the goal; the tactics need not decide the position, too.
                match self.winning_line(mine && !searched) {
                    Some(line) => ProofAction::Line(line.into()),
                    None => self.decided_action(question, mine, searched)?,
                }
            };
        match (&action, mine) {
            (ProofAction::Never, _) | (ProofAction::Line(_), true) => {}
            (ProofAction::Move(mv), _) => self.moves.push(*mv),
            (ProofAction::All, _) => self.game.legal_moves(&mut self.moves),
            (ProofAction::Line(line), false) => {
                self.game.legal_moves(&mut self.moves);
                let side = self.goal.side();
                drop_answered(self.rules, &mut self.game, side, line, &mut self.moves, first);
            }
        }
        if matches!(action, ProofAction::All) && self.moves.len() == first {
            return Err(ProveError::Contradiction);
        }
        // The walk plays the moves in the order of the file, so that writer and reader agree on the shared positions.
        self.moves.get_mut(first..).unwrap_or_default().reverse();
        self.strategy.insert(key, action);
        Ok(self.moves.len() > first)
    }

    /// A line of threats of the strategy's side, which has the turn, if there is one and it wins by the rules; `None` if
    /// `asked` is `false`.
    fn winning_line(&mut self, asked: bool) -> Option<Vec<G::Move>> {
        let mut line = Vec::new();
        if asked {
            self.evaluator.tactics.threat_line(&mut self.game, &mut line);
        }
        let side = self.goal.side();
        let wins = !line.is_empty()
            && line_wins(self.rules, &mut self.game, side, &line, &mut self.scratch).is_some();
        wins.then_some(line)
    }

    /// The action of a position without a [winning line](Collector::winning_line): a move of the strategy's side, a line that
    /// threatens to win, or all moves. The tactics decide the position, unless a search has.
    fn decided_action(
        &mut self,
        question: Query,
        mine: bool,
        searched: bool,
    ) -> Result<ProofAction<G::Move>, ProveError> {
        let decided = if searched { None } else { self.evaluator.decide(&mut self.game, &question, 0) };
        if decided.is_some_and(|(answer, _)| answer != self.goal.wins) {
            return Err(ProveError::Contradiction);
        }
        if mine {
            return Ok(ProofAction::Move(self.choose(question, decided.and_then(|(_, mv)| mv))?));
        }
        let mut line = Vec::new();
        self.evaluator.tactics.threat_line(&mut self.game, &mut line);
        Ok(if line.is_empty() { ProofAction::All } else { ProofAction::Line(line.into()) })
    }

    /// The table's knowledge about the game's position.
    fn known(&self, question: &Query) -> Option<Known> {
        self.shared.store.get(question.key(&self.game, 0))
    }

    /// Chooses a move of the strategy's side after which the goal can still be proven. `decider` is the move that
    /// decides the position by the tactics, if they do and there is such a move.
    fn choose(&mut self, question: Query, decider: Option<G::Move>) -> Result<G::Move, ProveError> {
        let mut moves = Vec::new();
        if let Some(mv) = decider.filter(|&mv| self.game.check(mv).is_ok()) {
            return Ok(mv);
        }
        self.evaluator.expand(&mut self.game, &mut moves);
        // The move whose goal costs least to prove is best: first a move whose position is already in the strategy,
        // then a move that is decided without a search, then a move with little work.
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

    /// The cost of proving the goal in the game's position, as a number to compare; `None` if the goal is not known to
    /// be provable there.
    fn cost(&mut self, question: &Query) -> Option<u16> {
        if let Some(outcome) = self.game.outcome() {
            return self.goal.is_reached(outcome).then_some(0);
        }
        if self.strategy.contains(position_key::<G, Rules>(&self.game).0) {
            return Some(0);
        }
        // A search asks the tactics about a position before it stores the position, so a stored position is not asked
        // about again; one without work below it was decided by the tactics.
        if let Some(known) = self.known(question) {
            let cost = if known.work == 0 { 1 } else { 2 + u16::from(known.work) };
            return (known.numbers.decided() == Some(self.goal.wins)).then_some(cost);
        }
        let decided = self.evaluator.decide(&mut self.game, question, 1);
        decided.is_some_and(|(answer, _)| answer == self.goal.wins).then_some(1)
    }

    /// Searches the game's position again, and returns a move that proves the goal.
    fn search(&mut self, question: Query) -> Result<G::Move, ProveError> {
        self.shared.done.store(false, Ordering::Relaxed);
        let mut walk = Walk::new(&self.game, question, self.evaluator, self.shared);
        let answer = walk.run(&mut |_| {});
        match (answer.numbers.decided(), answer.best) {
            (Some(answer), Some(mv)) if answer == self.goal.wins => Ok(mv),
            (Some(_), _) => Err(ProveError::Contradiction),
            (None, _) => Err(stopped(self.shared.meter)),
        }
    }
}
