//! [`Outcomes`]: the outcomes of a position that are still possible, as bits.

use stonework_game::{Outcome, Player};

use crate::Bounds;

/// The set of the outcomes for the first player that are not ruled out. A set with loss and win has the draw, too.
/// The type is a form of [`Bounds`] that is small enough for a node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outcomes(u32);

impl Outcomes {
    pub(crate) const LOSS: Self = Self(1);
    pub(crate) const DRAW: Self = Self(2);
    pub(crate) const WIN: Self = Self(4);
    /// All outcomes.
    pub(crate) const ANY: Self = Self(7);

    /// The set of one outcome.
    #[inline]
    pub(crate) const fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Player::First) => Self::WIN,
            Outcome::Win(Player::Second) => Self::LOSS,
            Outcome::Draw => Self::DRAW,
        }
    }

    /// The set that the lowest three bits of a word stand for.
    #[inline]
    pub(crate) const fn from_bits(word: u32) -> Self {
        Self(word & Self::ANY.0)
    }

    /// The set as the lowest three bits of a word: loss is bit 0, draw bit 1, win bit 2.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// The outcomes that the bounds for the first player leave.
    pub(crate) const fn from_bounds(bounds: Bounds) -> Self {
        Self(1 << (bounds.least + 1)).to(Self(1 << (bounds.most + 1)))
    }

    /// The bounds of the result for a player; the set must not be empty.
    pub(crate) const fn bounds(self, player: Player) -> Bounds {
        let least = self.0.trailing_zeros() as i8 - 1;
        let first = Bounds { least, most: 30 - self.0.leading_zeros() as i8 };
        first.seen_by(matches!(player, Player::First))
    }

    /// The least and the greatest result for the first player: −1 is a loss, 0 a draw, 1 a win.
    #[inline]
    pub(crate) fn range(self) -> (f32, f32) {
        (self.0.trailing_zeros() as f32 - 1.0, self.best_for(Player::First).0.trailing_zeros() as f32 - 1.0)
    }

    /// `true` if one outcome is left.
    #[inline]
    pub(crate) const fn is_exact(self) -> bool {
        self.0.is_power_of_two()
    }

    /// `true` if the sets have a common outcome.
    #[inline]
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The outcomes that both sets have; `None` if the sets have no common outcome.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        self.meets(other).then_some(Self(self.0 & other.0))
    }

    /// The best outcome for `player`.
    #[inline]
    pub(crate) const fn best_for(self, player: Player) -> Self {
        match player {
            Player::First if self.0 >= Self::WIN.0 => Self::WIN,
            Player::First if self.0 >= Self::DRAW.0 => Self::DRAW,
            Player::First => Self::LOSS,
            Player::Second => Self(self.0 & self.0.wrapping_neg()),
        }
    }

    /// The worst outcome for `player`.
    #[inline]
    pub(crate) const fn worst_for(self, player: Player) -> Self {
        self.best_for(player.other())
    }

    /// All outcomes that are better for `player` than the worst outcome of this set, in this set or not. A move
    /// that can reach none of these outcomes need not be tried. The result may be empty.
    #[inline]
    pub(crate) const fn improvements(self, player: Player) -> Self {
        let worst = self.worst_for(player).0;
        match player {
            Player::First => Self(Self::ANY.0 & !(worst | (worst - 1))),
            Player::Second => Self(worst - 1),
        }
    }

    /// The better set for a player, of two sets of one outcome each.
    #[inline]
    pub(crate) const fn better_of(self, other: Self, player: Player) -> Self {
        if (self.0 > other.0) == matches!(player, Player::First) { self } else { other }
    }

    /// All outcomes between two sets of one outcome each, both included.
    #[inline]
    pub(crate) const fn to(self, other: Self) -> Self {
        let (low, high) = if self.0 < other.0 { (self.0, other.0) } else { (other.0, self.0) };
        Self(2 * high - low)
    }

    /// All outcomes but a win of `player`.
    pub(crate) const fn without_win(player: Player) -> Self {
        Self(Self::ANY.0 & !Self::of(Outcome::Win(player)).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_outcomes_are_bounds() {
        use Player::{First, Second};
        let [no_loss, no_win] = [Second, First].map(Outcomes::without_win);
        for (set, first, second) in [(Outcomes::ANY, no_loss, no_win), (no_loss, Outcomes::WIN, no_win)] {
            assert_eq!((set.improvements(First), set.improvements(Second)), (first, second));
        }
        assert_eq!((no_win.improvements(First), no_win.improvements(Second)), (no_loss, Outcomes::LOSS));
        assert_eq!((no_win.best_for(First), no_win.best_for(Second)), (Outcomes::DRAW, Outcomes::LOSS));
        assert_eq!(no_win.bounds(Second), Bounds { least: 0, most: 1 });
        for set in [Outcomes::LOSS, Outcomes::DRAW, Outcomes::WIN, no_loss, no_win, Outcomes::ANY] {
            assert_eq!(Outcomes::from_bounds(set.bounds(First)), set);
            assert_eq!(set.bounds(Second), set.bounds(First).reversed());
        }
    }
}
