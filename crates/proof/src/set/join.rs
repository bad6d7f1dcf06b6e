//! [`join_set`]: a small set as one proof file.

use std::collections::HashSet;
use std::io::Write;
use std::marker::PhantomData;

use stonework_game::{Finite, Indexed, Keyed, Textual};

use super::check::visit_set;
use super::{ProofSet, SetError, SetFiles};
use crate::threats::{Immediate, drop_answered, immediate, position_key};
use crate::{
    Goal, ImmediateRules, Proof, ProofAction, ProofFault, ProofVisitor, Strategy, VerifyLimits, Written,
};

/// Verifies a set, and writes its proof as one file, which [`verify`](crate::verify()) reads. No search takes place.
///
/// `most` is the greatest number of positions of all files together; each takes about 60 bytes of memory.
///
/// # Errors
/// The errors of [`verify_set`](super::verify_set), [`SetError::TooLarge`], and [`SetError::Output`].
pub fn join_set<G: Finite + Keyed + Textual + Indexed, R: ImmediateRules<G>>(
    game: &str,
    rules: &R,
    set: &ProofSet,
    files: &dyn SetFiles,
    most: usize,
    out: impl Write,
) -> Result<Written, SetError> {
    let mut gatherer =
        Gatherer { parts: Vec::new(), current: 0, positions: 0, most, rules: PhantomData::<fn(&R)> };
    let verified = visit_set::<G, R>(game, rules, set, files, &VerifyLimits::default(), &mut gatherer);
    if gatherer.positions > most {
        return Err(SetError::TooLarge { limit: most as u64, what: "positions in one file" });
    }
    let Some((root, _)) = verified?.claims.pop() else { return Err(SetError::Cancelled) };
    let mut strategies = Vec::new();
    for goal in set.claim.goals() {
        let fits = |(own, _): &&(Goal, Strategy<G::Move>)| own.claim().shows(goal.claim());
        let parts: Vec<&Strategy<G::Move>> =
            gatherer.parts.iter().filter(fits).map(|(_, part)| part).collect();
        strategies.push(composed(&root, rules, goal, &parts));
    }
    Proof::new(root, set.claim, strategies).write(game, rules, out).map_err(SetError::Output)
}

/// A visitor that collects the actions of all files, by goal.
struct Gatherer<M, R> {
    parts: Vec<(Goal, Strategy<M>)>,
    /// The index of the part of the current strategy.
    current: usize,
    positions: usize,
    most: usize,
    rules: PhantomData<R>,
}

impl<G: Keyed + Indexed, R: ImmediateRules<G>> ProofVisitor<G> for Gatherer<G::Move, fn(&R)> {
    fn strategy(&mut self, goal: Goal) {
        let known = self.parts.iter().position(|(own, _)| *own == goal);
        self.current = known.unwrap_or_else(|| {
            self.parts.push((goal, Strategy::new()));
            self.parts.len() - 1
        });
    }

    fn enter(&mut self, game: &G, action: ProofAction<G::Move, &[G::Move]>) -> Result<(), ProofFault> {
        self.positions += 1;
        if self.positions > self.most {
            return Err(ProofFault::TooLarge { limit: self.most as u64, what: "positions in one file" });
        }
        // In the frame of the representative, as the position may return as another image.
        let (key, sym) = position_key::<G, R>(game);
        let action = with_moves(&action, |mv| game.map_move(sym, mv));
        if let Some((_, part)) = self.parts.get_mut(self.current)
            && !part.contains(key)
        {
            part.insert(key, action);
        }
        Ok(())
    }

    fn leave(&mut self, _: &G, _: u32) {}
}

/// A position on the path of [`composed`].
struct Ply<U> {
    undo: Option<U>,
    first: usize,
}

/// The strategy from the root that the actions of several strategies make: the positions that the walk meets, with
/// their actions in the frame of the game. A position without an action is left out, and the writer refuses it.
fn composed<G: Finite + Keyed + Indexed, R: ImmediateRules<G>>(
    root: &G,
    rules: &R,
    goal: Goal,
    parts: &[&Strategy<G::Move>],
) -> Strategy<G::Move> {
    let (mut game, mut strategy, side) = (root.clone(), Strategy::new(), goal.side());
    let mut path: Vec<Ply<G::Undo>> = Vec::new();
    let (mut moves, mut room) = (Vec::new(), Vec::new());
    let mut met: HashSet<u64> = HashSet::new();
    let mut undo = None;
    loop {
        let first = moves.len();
        let forced = match game.outcome() {
            Some(_) => None,
            None => Some(immediate(rules, &game, side, &mut room)),
        };
        match forced {
            None | Some(Immediate::Won | Immediate::Lost) => {}
            Some(Immediate::Forced(mv)) => moves.push(mv),
            Some(Immediate::Open) => {
                let (key, sym) = position_key::<G, R>(&game);
                if !met.insert(key) {
                    strategy.meet_again(key);
                } else if let Some(planned) = parts.iter().find_map(|part| part.positions.get(&key)) {
                    let action = with_moves(&planned.action, |mv| game.unmap_move(sym, mv));
                    follow(rules, &mut game, side, &action, &mut moves);
                    moves.get_mut(first..).unwrap_or_default().reverse();
                    strategy.insert(key, action);
                }
            }
        }
        if moves.len() > first {
            path.push(Ply { undo: undo.take(), first });
        } else if let Some(undo) = undo.take() {
            game.undo(undo);
        }
        while let Some(ply) = path.last()
            && moves.len() <= ply.first
        {
            if let Some(undo) = path.pop().and_then(|ply| ply.undo) {
                game.undo(undo);
            }
        }
        match moves.pop() {
            Some(mv) if !path.is_empty() => undo = Some(game.play_unchecked(mv)),
            _ => return strategy,
        }
    }
}

/// Appends the moves that follow an action, in the order of the game.
fn follow<G: Keyed + Indexed, R: ImmediateRules<G>>(
    rules: &R,
    game: &mut G,
    side: stonework_game::Player,
    action: &ProofAction<G::Move>,
    moves: &mut Vec<G::Move>,
) {
    let first = moves.len();
    match action {
        ProofAction::Never => {}
        ProofAction::Move(mv) => moves.extend(game.check(*mv).is_ok().then_some(*mv)),
        ProofAction::All => game.legal_moves(moves),
        ProofAction::Line(_) if game.to_move() == side => {}
        ProofAction::Line(line) => {
            game.legal_moves(moves);
            drop_answered(rules, game, side, line, moves, first);
        }
    }
}

/// The action with `f` applied to every move.
fn with_moves<M: Copy, L: AsRef<[M]>>(action: &ProofAction<M, L>, f: impl Fn(M) -> M) -> ProofAction<M> {
    match action {
        ProofAction::All => ProofAction::All,
        ProofAction::Never => ProofAction::Never,
        ProofAction::Move(mv) => ProofAction::Move(f(*mv)),
        ProofAction::Line(line) => ProofAction::Line(line.as_ref().iter().map(|&mv| f(mv)).collect()),
    }
}
