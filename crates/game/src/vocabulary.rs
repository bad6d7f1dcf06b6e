//! The types that all games share: players, outcomes, and errors of texts.

use std::ops::{Index, IndexMut, Not};

/// A side of the game: first or second, by the order of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Player {
    /// The side that makes the first move of a game.
    First,
    /// The opponent of the first side.
    Second,
}

impl Player {
    /// Both sides, the first side first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The index of the side: 0 for the first, 1 for the second.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Player {
    type Output = Self;

    fn not(self) -> Self {
        self.other()
    }
}

/// The result of a game that is over, in absolute terms. (The values of engines are relative to the side to move.)
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// A win of this side.
    Win(Player),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The winner; `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Self::Win(player) => Some(player),
            Self::Draw => None,
        }
    }

    /// The value of the outcome: 1 for a win of `player`, −1 for a win of its opponent, 0 for a draw.
    #[must_use]
    pub const fn value_for(self, player: Player) -> i32 {
        match self {
            Self::Win(winner) if winner as u8 == player as u8 => 1,
            Self::Win(_) => -1,
            Self::Draw => 0,
        }
    }
}

/// One `T` for each side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ByPlayer<T> {
    /// The value of the first side.
    pub first: T,
    /// The value of the second side.
    pub second: T,
}

impl<T> ByPlayer<T> {
    /// The values of the two sides.
    #[must_use]
    pub const fn new(first: T, second: T) -> Self {
        Self { first, second }
    }

    /// Both values with their sides, the first side first.
    pub fn iter(&self) -> impl Iterator<Item = (Player, &T)> {
        [(Player::First, &self.first), (Player::Second, &self.second)].into_iter()
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    #[inline]
    fn index(&self, player: Player) -> &T {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::First => &mut self.first,
            Player::Second => &mut self.second,
        }
    }
}

/// The refusal of a text that is no move or no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} (at byte {at})")]
pub struct ParseError {
    /// The first byte at which the text is wrong.
    pub at: usize,
    /// The reason, with the offending value and the limit.
    pub what: String,
}

impl ParseError {
    /// The refusal of a text for a reason at a byte.
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into() }
    }
}
