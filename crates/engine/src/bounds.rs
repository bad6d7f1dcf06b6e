//! [`Bounds`]: the proven bounds on the value of a position.

use stonework_game::{Outcome, Player};

/// Proven bounds on the value of a position for one side: −1 is a loss, 0 a draw, 1 a win.
///
/// ```
/// use stonework_game::{Outcome, Player};
/// use stonework_engine::Bounds;
/// let no_loss = Bounds { least: 0, most: 1 };
/// assert_eq!((no_loss.value(), no_loss.reversed()), (None, Bounds { least: -1, most: 0 }));
/// assert_eq!(Bounds::exact(-1).outcome(Player::First), Some(Outcome::Win(Player::Second)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The lower bound: the side gets at least this value.
    pub least: i8,
    /// The upper bound: the side gets at most this value.
    pub most: i8,
}

impl Bounds {
    /// No outcome is ruled out.
    pub const UNKNOWN: Self = Self { least: -1, most: 1 };

    /// Bounds that leave one value.
    #[must_use]
    pub const fn exact(value: i8) -> Self {
        Self { least: value, most: value }
    }

    /// The exact bounds of an outcome, for `player`.
    #[must_use]
    pub const fn of(outcome: Outcome, player: Player) -> Self {
        Self::exact(outcome.value_for(player) as i8)
    }

    /// The value, if the bounds leave only one.
    #[must_use]
    pub const fn value(self) -> Option<i8> {
        if self.least == self.most { Some(self.least) } else { None }
    }

    /// The same bounds from the view of the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { least: -self.most, most: -self.least }
    }

    /// The outcome, if the bounds are exact; `player` is the side whose value they bound.
    #[must_use]
    pub const fn outcome(self, player: Player) -> Option<Outcome> {
        match self.value() {
            Some(1) => Some(Outcome::Win(player)),
            Some(-1) => Some(Outcome::Win(player.other())),
            Some(_) => Some(Outcome::Draw),
            None => None,
        }
    }

    /// These bounds for the side itself, or the [reversed](Self::reversed) bounds for the opponent.
    #[must_use]
    #[inline]
    pub const fn seen_by(self, itself: bool) -> Self {
        if itself { self } else { self.reversed() }
    }

    /// `true` if the side wins, `false` if the side cannot win, `None` if both are possible.
    #[must_use]
    pub const fn wins(self) -> Option<bool> {
        match self {
            Self { least: 1, .. } => Some(true),
            Self { most: ..=0, .. } => Some(false),
            Self { .. } => None,
        }
    }

    /// The same bounds with the answer to "does the side win?". An answer that contradicts the bounds is left out.
    #[must_use]
    pub fn with_answer(self, wins: bool) -> Self {
        match wins {
            true if self.most == 1 => Self::exact(1),
            false if self.least < 1 => Self { most: self.most.min(0), ..self },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_answers_bound_a_value() {
        let open = Bounds::UNKNOWN;
        assert_eq!((open.wins(), open.with_answer(true).wins()), (None, Some(true)));
        let neither = open.with_answer(false).reversed().with_answer(false);
        assert_eq!((neither, neither.wins()), (Bounds::exact(0), Some(false)));
        assert_eq!(open.with_answer(true).with_answer(false), Bounds::exact(1));
        assert_eq!(neither.with_answer(true), neither);
    }
}
