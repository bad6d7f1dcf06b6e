//! The order in which moves are tried, and the cut-offs so far, on which the order depends.

use stonework_game::{Game, Player};

use super::options::AlphaBetaOptions;
use crate::table::own_tag;

/// The length of each list of a [`Memory`]. Two moves share a place of a list with a probability of 1 / `SLOTS`.
const SLOTS: usize = 4096;
/// The bound of history scores, which lie between −`HISTORY` and `HISTORY`.
const HISTORY: i32 = 4096;

/// A move of a position, with its rank in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<M> {
    pub(super) mv: M,
    /// The rank: the move with the highest key is tried first. No two moves of a list have the same key.
    pub(super) key: i64,
    /// The [tag](own_tag) of the move in the frame of the position itself.
    pub(super) tag: u16,
    pub(super) noisy: bool,
    /// `true` if a beam never drops the move.
    pub(super) kept: bool,
}

impl<M> Choice<M> {
    /// Sets the key. Of moves with equal worth, the move with the lowest `index` in the game's own order comes first.
    pub(super) fn rank(&mut self, worth: i32, index: usize) {
        self.key = i64::from(worth) << 32 | i64::from(u32::MAX - index as u32);
    }
}

/// The worth of the table's move, which is tried first.
pub(super) const FROM_TABLE: i32 = i32::MAX;
// The worth of noisy moves, killer moves and counter-moves. All other moves come after them.
pub(super) const NOISY: i32 = 1 << 29;
pub(super) const KILLER: i32 = 1 << 27;
pub(super) const COUNTER: i32 = 1 << 26;
/// The bound of the worth of other moves: the worth by the [`MoveOrder`](crate::MoveOrder), clamped to half of this
/// bound, plus the history score.
pub(super) const QUIET: i32 = 1 << 25;

/// Collects moves as choices.
pub(super) struct Choices<'a, M>(pub(super) &'a mut Vec<Choice<M>>);

impl<M: std::hash::Hash> Extend<M> for Choices<'_, M> {
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        self.0.extend(moves.into_iter().map(|mv| {
            let tag = own_tag(&mv);
            Choice { mv, key: 0, tag, noisy: false, kept: false }
        }));
    }
}

/// The number of moves that are picked one by one. Most positions need no more moves; for the others, the rest is sorted.
const PICKED: usize = 4;

/// Puts the best of the choices from `at` on at the index `at`. To be called with `at` = 0, 1, 2 and so on, in this order.
#[inline]
pub(super) fn pick<M>(choices: &mut [Choice<M>], at: usize) {
    if at < PICKED {
        let best = (at..choices.len()).max_by_key(|&i| choices[i].key);
        choices.swap(at, best.unwrap_or(at));
    } else if at == PICKED {
        best_first(&mut choices[at..]);
    }
}

/// Sorts choices, the largest key first.
pub(super) fn best_first<M>(choices: &mut [Choice<M>]) {
    choices.sort_unstable_by_key(|choice| std::cmp::Reverse(choice.key));
}

/// The history scores and the counter-moves of both sides. The killer moves are in each [`Level`].
#[derive(Debug)]
pub(super) struct Memory<M> {
    use_killers: bool,
    use_history: bool,
    use_counters: bool,
    history: [Box<[i32]>; 2],
    counters: [Box<[Option<M>]>; 2],
}

/// The place of the moves with a tag in a list of a [`Memory`].
const fn slot(tag: u16) -> usize {
    tag as usize >> 4 & (SLOTS - 1)
}

impl<M: Copy + Eq> Memory<M> {
    pub(super) fn new(options: &AlphaBetaOptions) -> Self {
        Self {
            use_killers: options.killers,
            use_history: options.history,
            use_counters: options.counter_moves,
            history: [(); 2].map(|()| vec![0; SLOTS].into()),
            counters: [(); 2].map(|()| vec![None; SLOTS].into()),
        }
    }

    /// The history score of the moves with this tag.
    pub(super) fn history(&self, side: Player, tag: u16) -> i32 {
        self.history[side.index()][slot(tag)]
    }

    /// The last move that caused a cut-off after a move with this tag.
    pub(super) fn counter(&self, side: Player, before: u16) -> Option<M> {
        self.counters[side.index()][slot(before)]
    }

    /// Records the cut-off by a quiet move, which is the last of the choices `tried`. `before` is the tag of the move before it.
    pub(super) fn reward(
        &mut self,
        side: Player,
        tried: &[Choice<M>],
        depth: u32,
        before: u16,
        killers: &mut [Option<M>; 2],
    ) {
        let Some((best, rest)) = tried.split_last() else { return };
        if self.use_killers && killers[0] != Some(best.mv) {
            killers[1] = killers[0];
            killers[0] = Some(best.mv);
        }
        if self.use_counters {
            self.counters[side.index()][slot(before)] = Some(best.mv);
        }
        if self.use_history {
            let bonus = (depth * depth).min(HISTORY as u32 / 4) as i32;
            self.adjust(side, best.tag, bonus);
            for choice in rest.iter().filter(|choice| !choice.noisy) {
                self.adjust(side, choice.tag, -bonus);
            }
        }
    }

    /// Adds a bonus to the history score of a move, scaled so that the score stays within [`HISTORY`].
    fn adjust(&mut self, side: Player, tag: u16, bonus: i32) {
        let entry = &mut self.history[side.index()][slot(tag)];
        *entry += bonus - *entry * bonus.abs() / HISTORY;
    }
}

/// The lists of one ply, which stay allocated for the whole search.
#[derive(Debug)]
pub(super) struct Level<G: Game> {
    pub(super) choices: Vec<Choice<G::Move>>,
    pub(super) noisy: Vec<G::Move>,
    /// The best line from the position on, if the position is on the principal variation.
    pub(super) line: Vec<G::Move>,
    pub(super) killers: [Option<G::Move>; 2],
    /// The tag of the move before the position; [`PASSED`] after a null move.
    pub(super) before: u16,
}

/// The tag of a null move; no move has it.
pub(super) const PASSED: u16 = 0;

impl<G: Game> Default for Level<G> {
    fn default() -> Self {
        Self { choices: Vec::new(), noisy: Vec::new(), line: Vec::new(), killers: [None; 2], before: 1 }
    }
}
