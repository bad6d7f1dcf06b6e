//! [`join_set`]: a small set as one proof file.

use std::collections::HashSet;
use std::io::Write;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

use stonework_game::{Finite, Indexed, Keyed, Textual};

use super::check::{each_proof, root_of, verify_in_set};
use super::{ProofSet, SetError, SetFile, SetFileKind, SetFiles};
use crate::threats::{Immediate, drop_answered, immediate, position_key};
use crate::{
    Goal, ImmediateRules, KnownClaims, Proof, ProofAction, ProofFault, ProofVisitor, Strategy, VerifyLimits,
    Written,
};

/// Verifies a set, and writes its proof as one file, which [`verify`](crate::verify()) reads. No search takes place.
///
/// # Arguments
/// * `threads` – the number of threads that verify proof files; 0 counts as 1. The output does not depend on it.
/// * `most` – the greatest number of positions of all files together; each takes about 120 bytes of memory.
///
/// # Errors
/// The errors of [`verify_set`](super::verify_set), [`SetError::TooLarge`], and [`SetError::Output`].
pub fn join_set<G: Finite + Keyed + Textual + Indexed, R: ImmediateRules<G> + Sync>(
    game: &str,
    rules: &R,
    set: &ProofSet,
    files: &dyn SetFiles,
    threads: usize,
    most: usize,
    out: impl Write,
) -> Result<Written, SetError> {
    let root = root_of::<G>(game, set)?;
    let positions = AtomicUsize::new(0);
    let gathered = |file: &SetFile, known: &KnownClaims| {
        let mut gatherer =
            Gatherer::<G::Move, R> { parts: Vec::new(), positions: &positions, most, rules: PhantomData };
        let within = (&VerifyLimits::default(), known);
        let verified = verify_in_set::<G, R>(game, rules, (file, files), within, &mut gatherer);
        if positions.load(Ordering::Relaxed) > most {
            return Err(SetError::TooLarge { limit: most as u64, what: "positions in one file" });
        }
        let claims = verified?.claims;
        Ok((claims, gatherer.parts))
    };
    let mut proofs =
        each_proof(set, threads, None, &|file| gathered(file, &KnownClaims::default()))?.into_iter();
    let (mut known, mut shown) = (KnownClaims::default(), false);
    let mut strategies: Vec<(Goal, Strategy<G::Move>)> = Vec::new();
    for file in &set.files {
        let found = match file.kind {
            SetFileKind::Proof => proofs.next().ok_or(SetError::Cancelled)?,
            SetFileKind::Top => gathered(file, &known)?,
        };
        let (claims, parts) = found;
        for (position, claim) in &claims {
            known.add(position, rules, *claim, 0);
            shown |= *position == root && claim.shows(set.claim);
        }
        for (goal, part) in parts {
            add(&mut strategies, goal, part);
        }
    }
    if !shown {
        return Err(SetError::Unshown { root: set.root.clone(), claim: set.claim });
    }
    let of_goal = |goal: Goal| {
        let fits = |(own, _): &&(Goal, Strategy<G::Move>)| own.claim().shows(goal.claim());
        let parts: Vec<&Strategy<G::Move>> =
            strategies.iter().filter(fits).map(|(_, strategy)| strategy).collect();
        composed(&root, rules, goal, &parts)
    };
    let of_goals = set.claim.goals().map(of_goal).collect();
    Proof::new(root, set.claim, of_goals).write(game, rules, out).map_err(SetError::Output)
}

/// The actions of a file for one goal, by the keys of the positions.
type Part<M> = Vec<(u64, ProofAction<M>)>;

/// Adds the actions of a file to those of the files before it, by goal. The first action of a position stays.
fn add<M>(strategies: &mut Vec<(Goal, Strategy<M>)>, goal: Goal, part: Part<M>) {
    let known = strategies.iter().position(|(own, _)| *own == goal).unwrap_or_else(|| {
        strategies.push((goal, Strategy::new()));
        strategies.len() - 1
    });
    let Some((_, strategy)) = strategies.get_mut(known) else { return };
    for (key, action) in part {
        if !strategy.contains(key) {
            strategy.insert(key, action);
        }
    }
}

/// A visitor that collects the actions of a file, by goal.
struct Gatherer<'a, M, R> {
    parts: Vec<(Goal, Part<M>)>,
    /// The number of positions of all files.
    positions: &'a AtomicUsize,
    most: usize,
    rules: PhantomData<fn(&R)>,
}

impl<G: Keyed + Indexed, R: ImmediateRules<G>> ProofVisitor<G> for Gatherer<'_, G::Move, R> {
    fn strategy(&mut self, goal: Goal) {
        self.parts.push((goal, Vec::new()));
    }

    fn enter(&mut self, game: &G, action: ProofAction<G::Move, &[G::Move]>) -> Result<(), ProofFault> {
        if self.positions.fetch_add(1, Ordering::Relaxed) >= self.most {
            return Err(ProofFault::TooLarge { limit: self.most as u64, what: "positions in one file" });
        }
        // In the frame of the representative, as the position may return as another image.
        let (key, sym) = position_key::<G, R>(game);
        let action = with_moves(&action, |mv| game.map_move(sym, mv));
        if let Some((_, part)) = self.parts.last_mut() {
            part.push((key, action));
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
