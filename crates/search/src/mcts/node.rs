//! [`Node`]: a move in the tree with its statistics and proven outcomes, in 32 bytes.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use stonework_game::{Outcome, Player};

use crate::outcomes::Outcomes;

/// The position of the visits in the word, above the sum of the results.
const SHIFT: u32 = 36;
/// One visit.
const VISIT: u64 = 1 << SHIFT;
/// The result of a won visit: results are sums of 256ths of a win.
const UNIT: u64 = 256;
/// The number of visits at which the visits and the sum of results are halved, long before an overflow.
const MANY: u32 = 1 << 27;
/// The number of visits of a node between two checks of its children's AMAF counters for overflow; each visit adds
/// at most [`MOST_PLAYOUTS`] playouts.
const TRIM: u32 = 1 << 20;

/// The most playouts of one simulation, so that AMAF counters cannot overflow between two checks.
pub(super) const MOST_PLAYOUTS: u32 = 64;

/// A count of visits with the sum of their results: the visits are the upper 28 bits, and the sum, 0 for a loss to
/// 256 for a win, is the lower 36 bits. One addition adds to both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally(pub(super) u64);

impl Tally {
    /// One visit with this result for the side of the tally, −1 to 1.
    #[inline]
    pub(super) fn one(result: f32) -> Self {
        // A NaN becomes 0. The conversion to `i32` is one instruction.
        let share = ((result + 1.0) * (UNIT / 2) as f32 + 0.5) as i32;
        Self(VISIT + share.clamp(0, UNIT as i32) as u64)
    }

    #[inline]
    pub(super) const fn visits(self) -> u32 {
        (self.0 >> SHIFT) as u32
    }

    /// The sum of two tallies.
    #[inline]
    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The sum of the results, each from 0 to 1.
    #[inline]
    pub(super) fn sum(self) -> f32 {
        // The conversion from `i64` is one instruction.
        (self.0 & (VISIT - 1)) as i64 as f32 * (1.0 / UNIT as f32)
    }

    /// The mean result from 0 to 1; ½ without visits.
    #[inline]
    pub(super) fn mean(self) -> f32 {
        if self.visits() == 0 { 0.5 } else { self.sum() / self.visits() as f32 }
    }

    const fn halved(self) -> Self {
        Self((self.0 >> SHIFT >> 1) << SHIFT | (self.0 & (VISIT - 1)) >> 1)
    }
}

/// The outcomes of a position that its children leave possible, if `side` chooses among them.
pub(super) fn of_kids(kids: &[Node], side: Player) -> Outcomes {
    let mut least = Outcomes::of(Outcome::Win(side.other()));
    let mut most = least;
    for kid in kids {
        let set = kid.proven();
        least = least.better_of(set.worst_for(side), side);
        most = most.better_of(set.best_for(side), side);
    }
    least.to(most)
}

/// The word of a node with its outcomes, flags, prior and number of children:
///
/// ```text
///   bits 0–2    outcomes that are not ruled out, for the first player: loss, draw, win
///        3      the side to move, once the position was probed
///        4      the position was probed
///        5      only some moves do not lose: the children are to be these
///        6      a thread is making the children
///        7      while the tree is made smaller: to be kept
///        8–15   the prior, signed, in 64ths
///        16–31  the number of children
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meta(pub(super) u32);

impl Meta {
    const SIDE: u32 = 1 << 3;
    const SEEN: u32 = 1 << 4;
    const FORCED: u32 = 1 << 5;
    const BUSY: u32 = 1 << 6;
    const KEEP: u32 = 1 << 7;
    const PRIOR: u32 = 8;
    const COUNT: u32 = 16;

    /// The outcomes that are not ruled out.
    #[inline]
    pub(super) const fn set(self) -> Outcomes {
        Outcomes::from_bits(self.0)
    }

    /// `true` if the value is known.
    #[inline]
    pub(super) const fn exact(self) -> bool {
        self.set().is_exact()
    }

    #[inline]
    pub(super) const fn side(self) -> Player {
        if self.0 & Self::SIDE == 0 { Player::First } else { Player::Second }
    }

    #[inline]
    pub(super) const fn seen(self) -> bool {
        self.0 & Self::SEEN != 0
    }

    pub(super) const fn forced(self) -> bool {
        self.0 & Self::FORCED != 0
    }

    pub(super) const fn kept(self) -> bool {
        self.0 & Self::KEEP != 0
    }

    #[inline]
    pub(super) const fn count(self) -> usize {
        (self.0 >> Self::COUNT) as usize
    }

    #[inline]
    pub(super) fn prior(self) -> f32 {
        f32::from((self.0 >> Self::PRIOR) as u8 as i8) * (1.0 / 64.0)
    }

    /// The prior as a chance, stored by [`chance`].
    #[inline]
    pub(super) fn chance(self) -> f32 {
        let root = self.prior() * (64.0 / 127.0);
        root * root
    }
}

/// The prior to store for a chance from 0 to 1: its root, as small chances differ by factors. No chance is below 1 in 16 129, so
/// that every move is tried at last. A NaN counts as this least chance.
pub(super) fn chance(chance: f32) -> f32 {
    chance.clamp(0.0, 1.0).sqrt().max(1.0 / 127.0) * (127.0 / 64.0)
}

/// A node: a position that was reached by a move, with its statistics and proven outcomes.
///
/// Results are tallied for the side that *made* the move, which is the side that chooses by them; proven outcomes
/// are kept for the first player. All words are atomic, so that threads can work on one tree; a single thread has
/// no extra cost, as it adds by a plain load and store.
///
/// Nodes are not aligned to their size. An alignment gained nothing measurable, and aligned blocks that are
/// allocated and freed leave gaps, so that the memory of a process which plays many games would grow.
#[derive(Debug, Default)]
pub(super) struct Node {
    tally: AtomicU64,
    /// The RAVE statistics of the move: the results of playouts in which the same side played the move later.
    amaf: AtomicU64,
    meta: AtomicU32,
    /// The first child's slot; 0 without children.
    link: AtomicU32,
    mv: AtomicU32,
    /// Without children: the evaluator's value, once it is known, with the bit [`VALUED`]. With children: the best
    /// child of the last full comparison, and the count of its uses left without another comparison; before the
    /// first comparison, the index at which the first untried child may be. While the tree is made smaller: in the
    /// first node of a block, the parent or the number of nodes in the block.
    favourite: AtomicU32,
}

/// The bit of the word `favourite` that marks a value. Favourites are below.
const VALUED: u32 = 1 << 31;

impl Node {
    /// Sets a slot to a fresh node.
    pub(super) fn start(&self, mv: u32, prior: f32) {
        let prior = (prior * 64.0).round().clamp(-128.0, 127.0) as i8 as u8;
        self.tally.store(0, Ordering::Relaxed);
        self.amaf.store(0, Ordering::Relaxed);
        self.meta.store(Outcomes::ANY.bits() | u32::from(prior) << Meta::PRIOR, Ordering::Relaxed);
        self.link.store(0, Ordering::Relaxed);
        self.mv.store(mv, Ordering::Relaxed);
        self.favourite.store(0, Ordering::Relaxed);
    }

    /// Sets a slot to the head of a position's children, `count` of which follow. The head tallies the position's
    /// visits by all moves to the position. Outcomes that the head rules out are ruled out of each of these moves
    /// at the next visit. Key 0 means no key.
    pub(super) fn start_head(&self, key: u64, count: usize) {
        self.start(count as u32, 0.0);
        self.amaf.store(key, Ordering::Relaxed);
    }

    /// The key of a head.
    pub(super) fn key(&self) -> u64 {
        self.amaf().0
    }

    /// Copies all words of another slot.
    pub(super) fn become_copy(&self, other: &Self) {
        self.tally.store(other.tally().0, Ordering::Relaxed);
        self.amaf.store(other.amaf().0, Ordering::Relaxed);
        self.meta.store(other.meta().0, Ordering::Relaxed);
        self.link.store(other.link(), Ordering::Relaxed);
        self.mv.store(other.mv(), Ordering::Relaxed);
        self.set_note(other.note());
    }

    /// A node like this one.
    pub(super) fn copied(&self) -> Self {
        let copy = Self::default();
        copy.become_copy(self);
        copy
    }

    #[inline]
    pub(super) fn tally(&self) -> Tally {
        Tally(self.tally.load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn amaf(&self) -> Tally {
        Tally(self.amaf.load(Ordering::Relaxed))
    }

    /// The word. If the word counts children, these children are complete.
    #[inline]
    pub(super) fn meta(&self) -> Meta {
        Meta(self.meta.load(Ordering::Acquire))
    }

    /// The outcomes, read in one order for all threads: if two threads have just proven outcomes of siblings, at
    /// least one of the threads reads both.
    #[inline]
    pub(super) fn proven(&self) -> Outcomes {
        Meta(self.meta.load(Ordering::SeqCst)).set()
    }

    #[inline]
    pub(super) fn link(&self) -> u32 {
        self.link.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn mv(&self) -> u32 {
        self.mv.load(Ordering::Relaxed)
    }

    /// The favourite. A thread may have stored a value in the moment in which another thread made the children:
    /// there is no favourite then.
    #[inline]
    pub(super) fn favourite(&self) -> u32 {
        let word = self.note();
        if word & VALUED == 0 { word } else { 0 }
    }

    /// Stores a favourite, below 2³¹.
    #[inline]
    pub(super) fn set_favourite(&self, to: u32) {
        debug_assert!(to & VALUED == 0, "{to} is no favourite");
        self.set_note(to);
    }

    /// The evaluator's value of the position, −1 to 1, if it was [stored](Self::set_value) and the node has got no
    /// children since.
    #[inline]
    pub(super) fn value(&self) -> Option<f32> {
        let word = self.note();
        // The numbers from 1 to 3 have no sign bit, which marks a value.
        (word & VALUED != 0).then(|| f32::from_bits(word & !VALUED) - 2.0)
    }

    /// Stores the evaluator's value, −1 to 1, of a position without children.
    #[inline]
    pub(super) fn set_value(&self, value: f32) {
        self.set_note((value.clamp(-1.0, 1.0) + 2.0).to_bits() | VALUED);
    }

    /// The word that holds a value or a favourite, and a note while the tree is made smaller.
    #[inline]
    pub(super) fn note(&self) -> u32 {
        self.favourite.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn set_note(&self, to: u32) {
        self.favourite.store(to, Ordering::Relaxed);
    }

    pub(super) fn set_link(&self, to: u32) {
        self.link.store(to, Ordering::Relaxed);
    }

    /// Adds lost visits of a thread that goes through the node.
    #[inline]
    pub(super) fn enter(&self, visits: u32) {
        if visits > 0 {
            self.tally.fetch_add(u64::from(visits) << SHIFT, Ordering::Relaxed);
        }
    }

    /// Takes back an [`enter`](Node::enter).
    pub(super) fn leave(&self, visits: u32) {
        self.tally.fetch_sub(u64::from(visits) << SHIFT, Ordering::Relaxed);
    }

    /// Counts a visit; `entered` visits were counted before. Returns `true` if the children's AMAF counters are
    /// due for [`trim`](Node::trim).
    #[inline]
    pub(super) fn add(&self, one: Tally, entered: u32, shared: bool) -> bool {
        let more = one.0.wrapping_sub(u64::from(entered) << SHIFT);
        let after = if shared {
            self.tally.fetch_add(more, Ordering::Relaxed).wrapping_add(more)
        } else {
            let after = self.tally().0.wrapping_add(more);
            self.tally.store(after, Ordering::Relaxed);
            after
        };
        let visits = Tally(after).visits();
        if visits >= MANY {
            halve(&self.tally);
        }
        visits.is_multiple_of(TRIM)
    }

    /// Counts many visits at once. Returns the same as [`add`](Node::add).
    pub(super) fn add_all(&self, all: Tally) -> bool {
        let before = self.tally.fetch_add(all.0, Ordering::Relaxed);
        let (before, after) = (Tally(before).visits(), Tally(before.wrapping_add(all.0)).visits());
        if after >= MANY {
            halve(&self.tally);
        }
        before / TRIM != after / TRIM
    }

    /// Counts playouts in which the move was played later. If two threads count at the same moment, one of the
    /// counts may be lost; the loss costs less than threads that wait for each other.
    #[inline]
    pub(super) fn add_amaf(&self, ones: u64) {
        self.amaf.store(self.amaf().0.wrapping_add(ones), Ordering::Relaxed);
    }

    /// Keeps the AMAF counter from overflowing.
    pub(super) fn trim(&self) {
        if self.amaf().visits() >= MANY / 2 {
            halve(&self.amaf);
        }
    }

    /// Rules out all outcomes that are not in the set. Returns `true` if the node has changed. A set that would
    /// leave no outcome is ignored: the game has contradicted itself.
    pub(super) fn restrict(&self, set: Outcomes) -> bool {
        const ANY: u32 = Outcomes::ANY.bits();
        let change = |meta: u32| {
            let left = meta & set.bits();
            (left != 0 && left != meta & ANY).then_some(meta & !ANY | left)
        };
        self.meta.fetch_update(Ordering::SeqCst, Ordering::SeqCst, change).is_ok()
    }

    /// Makes all outcomes possible again.
    pub(super) fn widen(&self) {
        self.meta.fetch_or(Outcomes::ANY.bits(), Ordering::Relaxed);
    }

    /// Stores the side to move, and in `forced` that only some moves do not lose.
    pub(super) fn look(&self, side: Player, forced: bool) {
        let side = if side == Player::Second { Meta::SIDE } else { 0 };
        let forced = if forced { Meta::FORCED } else { 0 };
        self.meta.fetch_or(side | forced | Meta::SEEN, Ordering::Relaxed);
    }

    /// Takes the right to make the children; `false` if another thread has it.
    pub(super) fn claim(&self) -> bool {
        self.meta.fetch_or(Meta::BUSY, Ordering::Relaxed) & Meta::BUSY == 0
    }

    /// Returns the right to make the children.
    pub(super) fn unclaim(&self) {
        self.meta.fetch_and(!Meta::BUSY, Ordering::Relaxed);
    }

    /// Links the complete children.
    pub(super) fn adopt(&self, first: u32, count: usize) {
        self.link.store(first, Ordering::Relaxed);
        self.favourite.store(0, Ordering::Relaxed);
        self.meta.fetch_or((count as u32) << Meta::COUNT, Ordering::Release);
        self.unclaim();
    }

    /// Unlinks the children.
    pub(super) fn disown(&self) {
        self.link.store(0, Ordering::Relaxed);
        self.meta.fetch_and((1 << Meta::COUNT) - 1, Ordering::Relaxed);
    }

    /// Marks or unmarks for keeping.
    pub(super) fn keep(&self, keep: bool) {
        let meta = self.meta.load(Ordering::Relaxed);
        let meta = if keep { meta | Meta::KEEP } else { meta & !Meta::KEEP };
        self.meta.store(meta, Ordering::Relaxed);
    }
}

/// Halves a tally. If another thread has just changed the tally, leaves the work to the next visit.
#[cold]
fn halve(word: &AtomicU64) {
    let now = word.load(Ordering::Relaxed);
    let _ = word.compare_exchange(now, Tally(now).halved().0, Ordering::Relaxed, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_32_bytes() {
        assert_eq!(size_of::<Node>(), 32);
    }

    #[test]
    fn tallies_add_up_and_are_halved_in_time() {
        let node = Node::default();
        node.start(7, 0.5);
        for result in [1.0, -1.0, 0.0, 0.5] {
            node.add(Tally::one(result), 0, false);
        }
        assert_eq!(node.tally().visits(), 4);
        assert!((node.tally().mean() - 0.5625).abs() < 1e-6);
        assert!((node.meta().prior() - 0.5).abs() < 1e-6);
        node.tally.store((u64::from(MANY) << SHIFT) | (u64::from(MANY) * UNIT), Ordering::Relaxed);
        node.add(Tally::one(1.0), 0, true);
        assert_eq!(node.tally().visits(), MANY / 2);
        assert!((node.tally().mean() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn chances_are_stored_by_their_roots_and_are_never_zero() {
        let stored = |number: f32| {
            let node = Node::default();
            node.start(0, chance(number));
            node.meta().chance()
        };
        for number in [0.001_f32, 0.02, 0.3, 0.7, 1.0] {
            assert!(
                (stored(number).sqrt() - number.sqrt()).abs() < 0.5 / 126.0,
                "{number}: {}",
                stored(number)
            );
        }
        for number in [0.0, -1.0, 1e-9, f32::NAN] {
            assert!((stored(number) * 16_129.0 - 1.0).abs() < 1e-3, "{number}: {}", stored(number));
        }
        assert!((stored(7.0) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_value_stays_until_there_are_children_and_is_no_favourite() {
        let node = Node::default();
        node.start(0, 0.0);
        assert_eq!(node.value(), None);
        for value in [-1.0, -0.25, 0.0, 0.75, 1.0] {
            node.set_value(value);
            assert_eq!((node.value(), node.favourite()), (Some(value), 0));
        }
        node.adopt(1, 2);
        assert_eq!(node.value(), None);
        node.set_favourite(u32::MAX >> 1);
        assert_eq!((node.value(), node.favourite()), (None, u32::MAX >> 1));
    }

    #[test]
    fn results_that_are_no_numbers_count_as_losses() {
        assert!((Tally::one(f32::NAN).sum() - 0.0).abs() < 1e-9);
        assert!((Tally::one(f32::INFINITY).sum() - 1.0).abs() < 1e-9);
        assert!((Tally::one(-7.0).sum() - 0.0).abs() < 1e-9);
    }

    #[test]
    fn outcomes_are_ruled_out_until_one_is_left() {
        let node = Node::default();
        node.start(0, 0.0);
        let no_loss = Outcomes::DRAW.to(Outcomes::WIN);
        assert!(node.restrict(no_loss) && !node.restrict(no_loss));
        assert!(node.restrict(Outcomes::DRAW) && !node.restrict(Outcomes::LOSS));
        assert!(node.meta().set().is_exact());
    }
}
