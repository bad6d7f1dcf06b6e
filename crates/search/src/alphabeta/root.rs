//! The search at the root: iterative deepening, windows, several lines.

use std::cmp::Reverse;
use std::collections::HashSet;

use stonework_game::{Game, Keyed, Outcome};

use super::node::{Depth, Found, INFINITE, Kind, Worker};
use super::options::MAX_DEPTH;
use super::order::{self, Choice};
use super::parts::AlphaBetaParts;
use crate::table::{Bound, move_tag};
use crate::{Bounds, Evaluator, Line, Report, Stop, Value, WIN, WIN_BOUND};

/// A root move whose value is exact for the depth that was searched.
#[derive(Clone, Debug)]
struct Ranked<M> {
    line: Vec<M>,
    found: Found,
}

/// A root move, with its nodes in the last iteration.
struct Root<M> {
    choice: Choice<M>,
    nodes: u64,
}

/// Sorts moves, the move whose refutation took the most nodes first. Equals keep their order.
fn hardest_first<M>(roots: &mut [Root<M>]) {
    roots.sort_by_key(|root| Reverse(root.nodes));
}

/// The findings of the iterations so far.
pub(super) struct Findings<M> {
    /// The best lines in order.
    lines: Vec<Ranked<M>>,
    /// The value of the best move outside the lines before the last one.
    rest: Found,
    /// The bounds of the root, for the side to move.
    bounds: Bounds,
    /// The depth of the last finished iteration.
    pub(super) depth: u32,
}

impl<M: Copy + Eq> Findings<M> {
    pub(super) const fn new() -> Self {
        Self { lines: Vec::new(), rest: Found::nothing(), bounds: Bounds::UNKNOWN, depth: 0 }
    }

    /// Puts a line of the current iteration in its place, and removes the earlier line with the same first move.
    fn place(&mut self, index: usize, line: Ranked<M>) {
        let same = |other: &Ranked<M>| other.line.first() == line.line.first();
        if let Some(before) = self.lines.iter().position(same) {
            self.lines.remove(before);
        }
        self.lines.insert(index.min(self.lines.len()), line);
    }

    /// Adds the value of the best move from `index` on, with its proven bounds.
    fn learn(&mut self, found: Found, index: usize) {
        self.rest = found;
        let sign = found.value.signum() as i8;
        if found.least {
            self.bounds.least = self.bounds.least.max(sign);
        }
        let before = self.lines.iter().take(index);
        if found.most && before.clone().all(|line| line.found.most) {
            let most = before.map(|line| line.found.value.signum() as i8).fold(sign, i8::max);
            self.bounds.most = self.bounds.most.min(most);
        }
    }

    /// `true` if greater depth can change nothing.
    fn solved(&self, lines: usize) -> bool {
        let sure =
            |line: &Ranked<M>| line.found.least && line.found.most || line.found.value.abs() >= WIN_BOUND;
        match self.lines.first() {
            Some(best) if lines == 1 => {
                let sign = best.found.value.signum() as i8;
                best.found.value.abs() >= WIN_BOUND || best.found.least && self.bounds == Bounds::exact(sign)
            }
            // A move without a line may still win, but no sooner than the moves with lines.
            Some(_) => {
                self.lines.iter().take(lines).all(sure) && (self.rest.most || self.rest.value >= WIN_BOUND)
            }
            None => false,
        }
    }
}

impl<G: Keyed, S: AlphaBetaParts<G>> Worker<'_, G, S> {
    /// Searches a root that is not over, deeper and deeper from `start` plies on. `each` gets the findings after
    /// every finished iteration. Returns the last findings; a thread that `leads` then stops all other threads
    /// through the meter.
    pub(super) fn deepen(
        &mut self,
        start: u32,
        leads: bool,
        each: &mut dyn FnMut(&mut Self, &Findings<G::Move>),
    ) -> Findings<G::Move> {
        let mut findings = Findings::new();
        let last = self.meter.limits().depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let (start, last) = match self.options.only_depth {
            Some(only) => (only.min(last), only.min(last)),
            None => (start, last),
        };
        let mut choices = Vec::new();
        let known = self.look_up(MAX_DEPTH);
        self.list(&mut choices, &known, 0);
        order::best_first(&mut choices);
        let mut roots: Vec<_> = choices.into_iter().map(|choice| Root { choice, nodes: 0 }).collect();
        let lines = self.options.lines.min(roots.len());
        if roots.is_empty() {
            // A game that is not over and has no moves.
            return self.finish(leads, Stop::Depth, findings);
        }
        for depth in start..=last {
            for index in 0..lines {
                self.one_line(&mut roots, index, depth, &mut findings);
                if self.halted {
                    return findings;
                }
            }
            findings.depth = depth;
            let solved = findings.solved(lines);
            if solved || depth == last {
                // The stop comes first, so that the report of this iteration has its reason.
                let why = if solved { Stop::Solved } else { Stop::Depth };
                let findings = self.finish(leads, why, findings);
                each(self, &findings);
                return findings;
            }
            each(self, &findings);
            // Moves whose refutation took many nodes come first.
            hardest_first(&mut roots[lines..]);
        }
        self.finish(leads, Stop::Depth, findings)
    }

    fn finish(&self, leads: bool, why: Stop, findings: Findings<G::Move>) -> Findings<G::Move> {
        if leads {
            self.meter.stop(why);
        }
        findings
    }

    /// Finds the best move from `index` on, and moves it to `index`.
    fn one_line(
        &mut self,
        roots: &mut [Root<G::Move>],
        index: usize,
        depth: u32,
        findings: &mut Findings<G::Move>,
    ) {
        let known = findings.lines.get(index).map(|line| line.found.value);
        let mut half = self.options.aspiration;
        let (mut alpha, mut beta) = match known.filter(|value| half > 0 && value.abs() < WIN_BOUND) {
            Some(value) => {
                (value.saturating_sub(half).max(-INFINITE), value.saturating_add(half).min(INFINITE))
            }
            None => (-INFINITE, INFINITE),
        };
        loop {
            let found = self.root_moves(roots, index, depth, (alpha, beta), findings);
            if self.halted {
                return;
            }
            findings.learn(found, index);
            half = half.saturating_mul(4).min(INFINITE);
            let wide = half > WIN / 4 || found.value.abs() >= WIN_BOUND;
            if found.value <= alpha {
                alpha = if wide { -INFINITE } else { found.value.saturating_sub(half).max(-INFINITE) };
            } else if found.value >= beta {
                beta = if wide { INFINITE } else { found.value.saturating_add(half).min(INFINITE) };
            } else {
                return;
            }
        }
    }

    /// One pass over the root's moves from `index` on.
    fn root_moves(
        &mut self,
        roots: &mut [Root<G::Move>],
        index: usize,
        depth: u32,
        (start, beta): (i32, i32),
        findings: &mut Findings<G::Move>,
    ) -> Found {
        if !self.meter.node(&mut self.allowance) {
            self.halted = true;
            return Found::nothing();
        }
        let known = self.look_up(depth);
        let mover = self.game.to_move();
        let (mut best, mut alpha, mut tag) = (Found::nothing(), start, 0);
        for at in index..roots.len() {
            let choice = roots[at].choice;
            let before = self.hash.probes;
            self.levels[1].before = choice.tag;
            let undo = self.game.play_unchecked(choice.mv);
            let same = self.game.to_move() == mover;
            let (child, principal) = if at == index {
                (self.child(same, Depth::Full(depth - 1), (alpha, beta), 1, Kind::Principal), true)
            } else {
                self.scout(same, depth - 1, 0, (alpha, beta), 1, Kind::Principal)
            };
            self.game.undo(undo);
            if self.halted {
                return best;
            }
            roots[at].nodes = self.hash.probes - before;
            if best.add(child) && best.value > alpha {
                alpha = best.value;
                tag = choice.tag;
                self.raise_line(0, choice.mv, principal);
                if alpha < beta {
                    // A move that was searched to the end counts even if the iteration is not finished.
                    let line = Ranked { line: self.levels[0].line.clone(), found: child };
                    findings.place(index, line);
                }
                roots[index..=at].rotate_right(1);
            }
            if best.value >= beta {
                best.most = false;
                break;
            }
            let before = findings.depth + 1 == depth;
            if before && self.options.lines == 1 && best.value >= WIN - depth as i32 {
                // No win is quicker: the iteration before would have found a quicker win.
                break;
            }
        }
        if index == 0 {
            let bound = match best.value {
                value if value >= beta => Bound::Lower,
                value if value <= start => Bound::Upper,
                _ => Bound::Exact,
            };
            let all: Vec<_> = roots.iter().map(|root| root.choice).collect();
            let tag = self.canonical_tag(&known, &all, tag);
            self.store(&known, depth, best, bound, tag, 0);
        }
        best
    }

    /// The report on the findings, without the counts of the meter.
    pub(super) fn report(&mut self, root: &G, findings: &Findings<G::Move>) -> Report<G::Move> {
        let mut report = Report::empty();
        let best = findings.lines.first().map(|best| best.found);
        let score = best.map_or(0, |best| best.value);
        let mut bounds = findings.bounds;
        if score.abs() >= WIN_BOUND {
            bounds = Bounds::exact(score.signum() as i8);
        } else if best.is_some_and(|best| best.least) {
            bounds.least = bounds.least.max(score.signum() as i8);
        }
        report.bounds = bounds;
        report.proven = bounds.outcome(root.to_move());
        let wanted = self.options.lines;
        let line = |ranked: &Ranked<G::Move>| {
            let value = ranked.found.value();
            let plies = value.plies().unwrap_or(findings.depth);
            Line::new(self.extended(root, &ranked.line, plies), value)
        };
        report.lines = findings.lines.iter().take(wanted).map(line).collect();
        report.best = report.line().first().copied();
        if best.is_some() {
            report.value =
                if score == 0 && bounds.value() == Some(0) { Value::Draw } else { Value::from_score(score) };
        }
        report.depth = findings.depth;
        report
    }

    /// A line, extended to at most `plies` plies by moves of the table and by exact evaluations. All moves are legal, and the line
    /// ends where a position recurs.
    fn extended(&mut self, root: &G, line: &[G::Move], plies: u32) -> Vec<G::Move> {
        let mut game = root.clone();
        let mut moves = Vec::with_capacity(line.len());
        let mut seen = HashSet::from([game.key()]);
        let mut follow = line.iter().copied();
        let plies = line.len().max(plies as usize);
        while moves.len() < plies && game.outcome().is_none() {
            let next = follow.next().or_else(|| self.known_move(&game)).or_else(|| self.table_move(&game));
            let Some(mv) = next else { break };
            if game.play(mv).is_err() {
                break;
            }
            moves.push(mv);
            if !seen.insert(game.key()) && moves.len() >= line.len() {
                break;
            }
        }
        moves
    }

    /// The move after which the evaluator knows a decided game to end a ply sooner.
    fn known_move(&mut self, game: &G) -> Option<G::Move> {
        let (outcome, plies) =
            self.strategies.eval().exact(game).filter(|&(outcome, _)| outcome != Outcome::Draw)?;
        let (mut next, mut moves) = (game.clone(), Vec::new());
        Game::legal_moves(game, &mut moves);
        moves.into_iter().find(|&mv| {
            let undo = next.play_unchecked(mv);
            let over = next.outcome().map(|outcome| (outcome, 0));
            let known = over.or_else(|| self.strategies.eval().exact(&next));
            next.undo(undo);
            known == Some((outcome, plies.saturating_sub(1)))
        })
    }

    fn table_move(&self, game: &G) -> Option<G::Move> {
        let (key, to) = game.canonical();
        let entry = self.table.get(key).filter(|entry| entry.tag != 0 && entry.bound != Bound::Upper)?;
        let mut moves = Vec::new();
        Game::legal_moves(game, &mut moves);
        moves.into_iter().find(|&mv| move_tag(game, to, mv) == entry.tag)
    }
}
