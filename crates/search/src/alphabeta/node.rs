//! The search below the root.

use stonework_game::{Keyed, Outcome, Player, Sym};

use super::options::{AlphaBetaOptions, MAX_DEPTH, MAX_QUIET};
use super::order::{COUNTER, Choice, Choices, FROM_TABLE, KILLER, Level, Memory, NOISY, PASSED, QUIET, pick};
use super::parts::AlphaBetaParts;
use crate::minimax::known_value;
use crate::table::{Bound, Entry, TranspositionTable, move_tag};
use crate::{Allowance, Evaluator, HashUse, Meter, MoveOrder, NoisyMoves, NullMove, Value, WIN, WIN_BOUND};

/// A bound above every value.
pub(super) const INFINITE: i32 = WIN + 1;

/// A value with two flags: one for a proven lower bound and one for a proven upper bound, by lines to the end of
/// the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) value: i32,
    /// The true value is proven to be at least this.
    pub(super) least: bool,
    /// The true value is proven to be at most this.
    pub(super) most: bool,
}

impl Found {
    const fn guess(value: i32) -> Self {
        Self { value, least: false, most: false }
    }

    /// The value before the first move: every move is better.
    pub(super) const fn nothing() -> Self {
        Self { value: -INFINITE, least: false, most: true }
    }

    /// The value of a position `ply` plies after the root that ends with this outcome in `more` plies.
    fn known((outcome, more): (Outcome, u32), mover: Player, ply: u32) -> Self {
        Self { value: known_value(outcome, mover, ply, more), least: true, most: true }
    }

    /// The value with its kind; 0 is a draw if it is proven from both sides.
    pub(super) const fn value(self) -> Value {
        match self {
            Self { value: 0, least: true, most: true } => Value::Draw,
            Self { value, .. } => Value::from_score(value),
        }
    }

    /// The same value from the view of the other side.
    const fn reversed(self) -> Self {
        Self { value: -self.value, least: self.most, most: self.least }
    }

    /// Adds the value of a further move. Returns `true` if the value is the best so far.
    pub(super) const fn add(&mut self, child: Self) -> bool {
        self.most &= child.most;
        let better = child.value > self.value;
        if better {
            self.value = child.value;
            self.least = child.least;
        } else if child.value == self.value {
            self.least |= child.least;
        }
        better
    }
}

/// The plies below a position that are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Depth {
    /// All moves for this number of plies, then quiescence.
    Full(u32),
    /// Quiescence for this number of plies.
    Quiet(u32),
}

/// The purpose of the search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The principal variation: an exact value and a line.
    Principal,
    /// A scout: the search only decides if the value is above a bound.
    Scout,
    /// A scout that verifies the result of a null move, without a null move of its own.
    Verify,
}

/// The answer of the table about a position.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// `true` if the table is read and written at this depth.
    stored: bool,
    key: u64,
    to: Sym,
    horizon: u32,
    entry: Option<Entry>,
}

/// One thread of a search.
pub(super) struct Worker<'a, G: Keyed, S> {
    pub(super) game: G,
    pub(super) strategies: &'a mut S,
    pub(super) options: &'a AlphaBetaOptions,
    pub(super) table: &'a TranspositionTable,
    pub(super) meter: &'a Meter<'a>,
    pub(super) allowance: Allowance,
    pub(super) hash: HashUse,
    /// `true` once a limit is reached: values then have no meaning, and the search returns to the root.
    pub(super) halted: bool,
    pub(super) levels: Vec<Level<G>>,
    pub(super) memory: Memory<G::Move>,
}

/// The number of levels: one for each ply of depth and quiescence, and one for the ply after.
pub(super) const LEVELS: u32 = MAX_DEPTH + MAX_QUIET + 2;

/// The plies to the end of the game of a proven win or loss.
const fn distance(value: i32) -> Option<u32> {
    if value.abs() >= WIN_BOUND { Some(WIN.abs_diff(value.abs())) } else { None }
}

/// The same value with the plies to the end counted from `ply`, for a value that counts them from the root.
const fn from_root(value: i32, ply: u32) -> i32 {
    match value {
        WIN_BOUND.. => value + ply as i32,
        _ if value <= -WIN_BOUND => value - ply as i32,
        _ => value,
    }
}

/// The inverse of [`from_root`].
const fn to_root(value: i32, ply: u32) -> i32 {
    match value {
        WIN_BOUND.. => value - ply as i32,
        _ if value <= -WIN_BOUND => value + ply as i32,
        _ => value,
    }
}

impl<G: Keyed, S: AlphaBetaParts<G>> Worker<'_, G, S> {
    /// The value of the position and its window, from the view of the side that made the last move: `same` if that
    /// side is to move again.
    #[inline]
    pub(super) fn child(
        &mut self,
        same: bool,
        depth: Depth,
        (alpha, beta): (i32, i32),
        ply: u32,
        kind: Kind,
    ) -> Found {
        if same {
            self.visit(depth, (alpha, beta), ply, kind)
        } else {
            self.visit(depth, (-beta, -alpha), ply, kind).reversed()
        }
    }

    /// The value of the position, as exact as the window asks for. The position counts as a node.
    pub(super) fn visit(&mut self, depth: Depth, window: (i32, i32), ply: u32, kind: Kind) -> Found {
        if !self.meter.node(&mut self.allowance) {
            self.halted = true;
            return Found::guess(0);
        }
        if kind == Kind::Principal {
            self.levels[ply as usize].line.clear();
        }
        if let Some(found) = self.ended(ply) {
            return found;
        }
        match depth {
            Depth::Full(0) => self.settle(self.options.quiet_depth, window, ply, kind),
            Depth::Full(depth) => self.expand(depth, window, ply, kind),
            Depth::Quiet(left) => self.settle(left, window, ply, kind),
        }
    }

    /// The value at the depth limit: the evaluator's, or a better one by noisy moves, `left` plies deep.
    fn settle(&mut self, left: u32, (mut alpha, beta): (i32, i32), ply: u32, kind: Kind) -> Found {
        let value = self.strategies.eval().evaluate(&self.game);
        let mut best = Found::guess(value.clamp(-WIN / 2, WIN / 2));
        if left == 0 || best.value >= beta {
            return best;
        }
        let mut noisy = std::mem::take(&mut self.levels[ply as usize].noisy);
        noisy.clear();
        self.strategies.noisy().noisy_moves(&self.game, &mut noisy);
        let mover = self.game.to_move();
        for &mv in &noisy {
            alpha = alpha.max(best.value);
            let undo = self.game.play_unchecked(mv);
            let same = self.game.to_move() == mover;
            let child = self.child(same, Depth::Quiet(left - 1), (alpha, beta), ply + 1, kind);
            self.game.undo(undo);
            if self.halted {
                break;
            }
            // The evaluator's value stands for the quiet moves: nothing is proven from above.
            if best.add(child) && best.value > alpha && kind == Kind::Principal {
                self.raise_line(ply, mv, true);
            }
            best.most = false;
            if best.value >= beta {
                break;
            }
        }
        self.levels[ply as usize].noisy = noisy;
        best
    }

    /// The value of a position whose game is over, or whose exact value the evaluator knows.
    fn ended(&mut self, ply: u32) -> Option<Found> {
        let over = self.game.outcome().map(|outcome| (outcome, 0));
        let known = over.or_else(|| self.strategies.eval().exact(&self.game))?;
        Some(Found::known(known, self.game.to_move(), ply))
    }

    /// The value of a position that is not over, by its moves.
    fn expand(&mut self, depth: u32, (alpha, beta): (i32, i32), ply: u32, kind: Kind) -> Found {
        let known = self.look_up(depth);
        if kind != Kind::Principal
            && let Some(found) = self.cut_off(&known, depth, alpha, beta, ply)
        {
            return found;
        }
        if kind == Kind::Scout
            && let Some(found) = self.pass_holds(depth, beta, ply)
        {
            if !self.halted {
                self.store(&known, depth, found, Bound::Lower, 0, ply);
            }
            return found;
        }
        let mut choices = std::mem::take(&mut self.levels[ply as usize].choices);
        self.list(&mut choices, &known, ply);
        let (found, tag) = self.try_all(&mut choices, depth, (alpha, beta), ply, kind);
        if !self.halted && !choices.is_empty() {
            let bound = match found.value {
                value if value >= beta => Bound::Lower,
                value if value <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let tag = self.canonical_tag(&known, &choices, tag);
            self.store(&known, depth, found, bound, tag, ply);
        }
        self.levels[ply as usize].choices = choices;
        found
    }

    /// Tries the moves; the value and the tag of the best one, 0 if all failed low.
    fn try_all(
        &mut self,
        choices: &mut [Choice<G::Move>],
        depth: u32,
        (mut alpha, beta): (i32, i32),
        ply: u32,
        kind: Kind,
    ) -> (Found, u16) {
        let (mut best, mut tag) = (Found::nothing(), 0);
        if choices.is_empty() {
            // A game that is not over and has no moves: no side has won.
            return (Found::guess(0), 0);
        }
        let mover = self.game.to_move();
        for at in 0..choices.len() {
            pick(choices, at);
            let choice = choices[at];
            if self.options.beam.is_some_and(|width| at >= width) && !choice.kept && best.value > -WIN_BOUND {
                best.most = false;
                break;
            }
            self.levels[ply as usize + 1].before = choice.tag;
            let undo = self.game.play_unchecked(choice.mv);
            let same = self.game.to_move() == mover;
            let first = if kind == Kind::Principal { Kind::Principal } else { Kind::Scout };
            let (child, principal) = if at == 0 {
                (
                    self.child(same, Depth::Full(depth - 1), (alpha, beta), ply + 1, first),
                    kind == Kind::Principal,
                )
            } else {
                let less = self.reduction(depth, at, &choice);
                self.scout(same, depth - 1, less, (alpha, beta), ply + 1, kind)
            };
            self.game.undo(undo);
            if self.halted {
                break;
            }
            if best.add(child) && best.value > alpha {
                tag = choice.tag;
                alpha = best.value;
                if kind == Kind::Principal {
                    self.raise_line(ply, choice.mv, principal);
                }
            }
            if best.value >= beta {
                best.most = false;
                if !choice.noisy {
                    let level = &mut self.levels[ply as usize];
                    self.memory.reward(mover, &choices[..=at], depth, level.before, &mut level.killers);
                }
                break;
            }
        }
        (best, tag)
    }

    /// Searches a later move with a null window, and with the full window if it is better than the best move so
    /// far. The second result is `true` if the line of the next ply is valid.
    pub(super) fn scout(
        &mut self,
        same: bool,
        depth: u32,
        less: u32,
        (alpha, beta): (i32, i32),
        ply: u32,
        kind: Kind,
    ) -> (Found, bool) {
        let null = (alpha, alpha + 1);
        let mut child = self.child(same, Depth::Full(depth - less), null, ply, Kind::Scout);
        if less > 0 && child.value > alpha && !self.halted {
            child = self.child(same, Depth::Full(depth), null, ply, Kind::Scout);
        }
        let principal = kind == Kind::Principal && child.value > alpha && child.value < beta && !self.halted;
        if principal {
            child = self.child(same, Depth::Full(depth), (alpha, beta), ply, Kind::Principal);
        }
        (child, principal)
    }

    /// The plies by which the first search of a late move is reduced.
    fn reduction(&self, depth: u32, at: usize, choice: &Choice<G::Move>) -> u32 {
        let (after, by) = (self.options.late_after, self.options.late_by);
        if at >= after && depth >= by + 2 && !choice.noisy && !choice.kept { by } else { 0 }
    }

    /// Sets the line of this ply to the move and, with `follow`, the line of the next ply.
    pub(super) fn raise_line(&mut self, ply: u32, mv: G::Move, follow: bool) {
        let (above, below) = self.levels.split_at_mut(ply as usize + 1);
        if let (Some(here), Some(next)) = (above.last_mut(), below.first()) {
            here.line.clear();
            here.line.push(mv);
            if follow {
                here.line.extend_from_slice(&next.line);
            }
        }
    }

    /// Null-move pruning by figure 18 of the Bos thesis: if the value is at least `beta` even after a null move, and in a search
    /// of the position itself to the same lesser depth, the value of that search stands.
    fn pass_holds(&mut self, depth: u32, beta: i32, ply: u32) -> Option<Found> {
        let by = self.options.null_move.filter(|&by| depth > by)?;
        if beta.abs() >= WIN_BOUND || self.levels[ply as usize].before == PASSED {
            return None;
        }
        let mover = self.game.to_move();
        let undo = self.strategies.null().play_null(&mut self.game)?;
        self.levels[ply as usize + 1].before = PASSED;
        let same = self.game.to_move() == mover;
        let (less, null) = (Depth::Full(depth - by - 1), (beta - 1, beta));
        let passed = self.child(same, less, null, ply + 1, Kind::Scout);
        self.strategies.null().undo_null(&mut self.game, undo);
        if self.halted {
            return Some(passed);
        }
        if passed.value < beta {
            return None;
        }
        let verified = self.visit(less, null, ply, Kind::Verify);
        (self.halted || verified.value >= beta).then_some(verified)
    }

    /// Lists the moves with the order in which they will be tried.
    pub(super) fn list(&mut self, choices: &mut Vec<Choice<G::Move>>, known: &Known, ply: u32) {
        choices.clear();
        self.game.legal_moves(&mut Choices(choices));
        let level = &mut self.levels[ply as usize];
        let mut noisy = std::mem::take(&mut level.noisy);
        noisy.clear();
        self.strategies.noisy().noisy_moves(&self.game, &mut noisy);
        let side = self.game.to_move();
        let counter = self.memory.counter(side, level.before);
        for (index, choice) in choices.iter_mut().enumerate() {
            let worth_by_order =
                self.strategies.order().worth(&self.game, choice.mv).clamp(-QUIET / 2, QUIET / 2);
            choice.noisy = noisy.contains(&choice.mv);
            choice.kept = choice.noisy;
            let worth = match Some(choice.mv) {
                _ if choice.noisy => NOISY + worth_by_order,
                mv if mv == level.killers[0] => KILLER + 1,
                mv if mv == level.killers[1] => KILLER,
                mv if mv == counter => COUNTER,
                _ => worth_by_order + self.memory.history(side, choice.tag),
            };
            choice.rank(worth, index);
        }
        level.noisy = noisy;
        let tag = known.entry.map_or(0, |entry| entry.tag);
        if tag != 0 {
            let found = choices.iter().position(|choice| match known.to {
                Sym(0) => choice.tag == tag,
                to => move_tag(&self.game, to, choice.mv) == tag,
            });
            if let Some(index) = found {
                choices[index].rank(FROM_TABLE, index);
                choices[index].kept = true;
            }
        }
    }

    /// The tag, in the canonical frame, of the choice that has `tag` in the position's own frame.
    pub(super) fn canonical_tag(&self, known: &Known, choices: &[Choice<G::Move>], tag: u16) -> u16 {
        if known.to == Sym(0) || tag == 0 {
            return tag;
        }
        let best = choices.iter().find(|choice| choice.tag == tag);
        best.map_or(0, |choice| move_tag(&self.game, known.to, choice.mv))
    }

    /// Looks up a position that is to be searched to this depth.
    pub(super) fn look_up(&mut self, depth: u32) -> Known {
        if depth < self.options.table_depth {
            return Known { stored: false, key: 0, to: Sym(0), horizon: 0, entry: None };
        }
        let (key, to) = self.game.canonical();
        let entry = self.table.get(key);
        self.hash.probes += 1;
        self.hash.hits += u64::from(entry.is_some());
        Known { stored: true, key, to, horizon: self.game.horizon(), entry }
    }

    /// The value that the table decides without a search.
    fn cut_off(&self, known: &Known, depth: u32, alpha: i32, beta: i32, ply: u32) -> Option<Found> {
        let entry = known.entry.filter(|entry| self.usable(entry, depth, known.horizon))?;
        let value = to_root(entry.value, ply);
        let complete = entry.complete;
        match entry.bound {
            Bound::Exact => Some(Found { value, least: complete, most: complete }),
            Bound::Lower if value >= beta => Some(Found { value, least: complete, most: false }),
            Bound::Upper if value <= alpha => Some(Found { value, least: false, most: complete }),
            _ => None,
        }
    }

    /// `true` if an entry may stand for a search to this depth: the entry's lines end within the horizon, and its
    /// search was deep enough.
    fn usable(&self, entry: &Entry, depth: u32, horizon: u32) -> bool {
        let searched = u32::from(entry.depth);
        match distance(entry.value) {
            Some(plies) => plies <= horizon && (plies <= depth || !self.options.exact_depth),
            None if searched + self.options.quiet_depth > horizon => false,
            None if self.options.exact_depth => searched == depth || entry.complete && searched < depth,
            None => searched >= depth || entry.complete,
        }
    }

    /// Stores a value. If history beyond the key may have decided the value, stores only the move.
    pub(super) fn store(
        &mut self,
        known: &Known,
        depth: u32,
        found: Found,
        bound: Bound,
        tag: u16,
        ply: u32,
    ) {
        if !known.stored {
            return;
        }
        let value = from_root(found.value, ply);
        let old = known.entry;
        // A node that failed low has no best move; the old entry may have one.
        let tag = if tag == 0 { old.map_or(0, |entry| entry.tag) } else { tag };
        let (seen, bound) = match distance(value) {
            // A win or loss by noisy moves beyond the depth, or by an exact evaluation: a quicker win may have been
            // overlooked.
            Some(plies) if plies > depth => match (bound, value > 0) {
                (Bound::Exact | Bound::Lower, true) => (Some(plies), Bound::Lower),
                (Bound::Exact | Bound::Upper, false) => (Some(plies), Bound::Upper),
                _ => (None, bound),
            },
            Some(plies) => (Some(plies), bound),
            None => (Some(depth + self.options.quiet_depth), bound),
        };
        let complete = match bound {
            Bound::Exact => found.least && found.most,
            Bound::Lower => found.least,
            Bound::Upper => found.most,
        };
        let sure = value.abs() >= WIN_BOUND;
        let entry = if seen.is_some_and(|seen| seen <= known.horizon) {
            Entry { value, depth: depth as u8, bound, complete: complete || sure, tag }
        } else if tag == 0 {
            return;
        } else {
            // An entry that holds for every position: no value is less than an immediate loss.
            let least = Entry { value: -WIN, depth: 0, bound: Bound::Lower, complete: true, tag };
            old.map_or(least, |entry| Entry { tag, ..entry })
        };
        self.hash.stores += 1;
        self.table.put(known.key, entry);
    }
}
