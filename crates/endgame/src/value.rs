//! [`Value`] and the two bytes of a value in a table.

use std::cmp::Ordering;
use std::fmt;

use stonework_game::{Outcome, Player};

/// The greatest distance that a table holds.
pub const MAX_DISTANCE: u16 = 32_766;

/// The value of a state for the side to move with best play, and the number of plies to the end of a decided game: the
/// winner hurries, the loser delays.
///
/// The greater the better: quick losses, slow losses, the draw, slow wins, quick wins.
///
/// ```
/// use stonework_endgame::Value::{Draw, Loss, Win};
/// assert!(Loss(2) < Loss(4) && Loss(4) < Draw && Draw < Win(5) && Win(5) < Win(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// The side to move wins in this number of plies.
    Win(u16),
    /// The side to move loses in this number of plies.
    Loss(u16),
    /// Neither side can force a win: the game ends in a draw or never.
    Draw,
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |value: &Self| match *value {
            Self::Win(plies) => i32::from(u16::MAX) + 1 - i32::from(plies),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(plies) - i32::from(u16::MAX) - 1,
        };
        rank(self).cmp(&rank(other))
    }
}

/// `win in 7`, `loss in 4` or `draw`.
///
/// ```
/// use stonework_endgame::Value;
/// assert_eq!([Value::Win(7), Value::Draw].map(|value| value.to_string()), ["win in 7", "draw"]);
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance() {
            Some(plies) => write!(f, "{} in {plies}", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Value {
    /// The value of a game that is over.
    ///
    /// ```
    /// use stonework_endgame::Value;
    /// use stonework_game::{Outcome, Player};
    /// let value = Value::ended(Outcome::Win(Player::First), Player::Second);
    /// assert_eq!(value, Value::Loss(0));
    /// assert_eq!(value.outcome(Player::Second), Outcome::Win(Player::First));
    /// ```
    #[must_use]
    pub fn ended(outcome: Outcome, to_move: Player) -> Self {
        match outcome {
            Outcome::Win(winner) if winner == to_move => Self::Win(0),
            Outcome::Win(_) => Self::Loss(0),
            Outcome::Draw => Self::Draw,
        }
    }

    /// The outcome of the game with best play.
    #[must_use]
    pub const fn outcome(self, to_move: Player) -> Outcome {
        match self {
            Self::Win(_) => Outcome::Win(to_move),
            Self::Loss(_) => Outcome::Win(to_move.other()),
            Self::Draw => Outcome::Draw,
        }
    }

    /// The name of the value without its distance: `win`, `loss` or `draw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win(_) => "win",
            Self::Loss(_) => "loss",
            Self::Draw => "draw",
        }
    }

    /// Plies to the end; `None` for a draw.
    #[must_use]
    pub const fn distance(self) -> Option<u16> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// The value of a move that leads to a state of this value, for the side that makes the move. `same`: this side is
    /// also to move afterwards. `None` beyond [`MAX_DISTANCE`].
    ///
    /// ```
    /// use stonework_endgame::Value;
    /// assert_eq!(Value::Loss(4).before(false), Some(Value::Win(5)));
    /// assert_eq!(Value::Loss(4).before(true), Some(Value::Loss(5)));
    /// ```
    #[must_use]
    pub fn before(self, same: bool) -> Option<Self> {
        let before = self.earlier(same);
        before.distance().is_none_or(|plies| plies <= MAX_DISTANCE).then_some(before)
    }

    /// As [`before`](Value::before), also for a distance that no table can hold.
    pub(crate) fn earlier(self, same: bool) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win(plies) if same => Self::Win(plies.saturating_add(1)),
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
            Self::Loss(plies) if same => Self::Loss(plies.saturating_add(1)),
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
        }
    }
}

/// The code of a draw, and of an undecided state.
pub(crate) const DRAW: u16 = 0;
/// The code of a number that no state has.
pub(crate) const HOLE: u16 = u16::MAX;

/// The code of a value: 1 + 2d for a win in d, 2 + 2d for a loss in d. `None` beyond [`MAX_DISTANCE`].
pub(crate) fn encode(value: Value) -> Option<u16> {
    match value {
        Value::Draw => Some(DRAW),
        Value::Win(plies) if plies <= MAX_DISTANCE => Some(1 + 2 * plies),
        Value::Loss(plies) if plies <= MAX_DISTANCE => Some(2 + 2 * plies),
        Value::Win(_) | Value::Loss(_) => None,
    }
}

/// The value of a code; `None` for a hole. Every code has one meaning.
pub(crate) const fn decode(code: u16) -> Option<Value> {
    match code {
        DRAW => Some(Value::Draw),
        HOLE => None,
        _ if code % 2 == 1 => Some(Value::Win(code / 2)),
        _ => Some(Value::Loss(code / 2 - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_values_correspond() {
        assert_eq!(decode(HOLE), None);
        for code in 0..HOLE {
            assert_eq!(encode(decode(code).unwrap()), Some(code));
        }
        assert_eq!(decode(HOLE - 1), Some(Value::Loss(MAX_DISTANCE)));
        assert_eq!(encode(Value::Win(MAX_DISTANCE + 1)), None);
        assert_eq!(Value::Loss(MAX_DISTANCE).before(false), None);
    }
}
