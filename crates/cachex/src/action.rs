//! [`Move`], the reasons why a move is illegal, and the ends of a game, with their texts.

use std::fmt;

use stonework_board::Cell;
use stonework_game::{Outcome, Player};

/// A move: a stone, or the steal of the first stone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Move {
    /// A stone of the side to move on an empty cell.
    Place(Cell),
    /// Blue's first action: red's stone at (r, q) becomes a blue stone at (q, r).
    Steal,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ending {
    /// A win: this player has connected both sides.
    Connection(Player),
    /// A draw: the board has occurred [`Options::repetition`](crate::Options::repetition) times.
    Repetition,
    /// A draw: [`Options::turns`](crate::Options::turns) turns have been played.
    TurnLimit,
}

impl Ending {
    /// The outcome: a win or a draw.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Connection(player) => Outcome::Win(player),
            Self::Repetition | Self::TurnLimit => Outcome::Draw,
        }
    }

    /// The name: `connection`, `repetition` or `turn limit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connection(_) => "connection",
            Self::Repetition => "repetition",
            Self::TurnLimit => "turn limit",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(player) => write!(f, "{} has connected both sides", colour(*player)),
            Self::Repetition => f.write_str("a draw by repetition"),
            Self::TurnLimit => f.write_str("a draw by the number of turns"),
        }
    }
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The cell has a stone.
    #[error("{} already has a stone of {}", name(*size, *cell), colour(*owner))]
    Occupied {
        /// The cell.
        cell: Cell,
        /// The owner of the stone.
        owner: Player,
        /// The size of the board.
        size: u8,
    },
    /// The board has no such cell.
    #[error("cell {} is not on a board of size {size}, which has cells 0 to {}", cell.index(), u16::from(*size) * u16::from(*size) - 1)]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The first stone of a game may not go to the centre of a board of odd size.
    #[error("the first stone may not go to the centre, which is {} on a board of size {size}", name(*size, *cell))]
    Centre {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// Only blue's first action may be a steal.
    #[error("no steal after {turns} turns: it is blue's first action, after one turn, or none")]
    Steal {
        /// The number of turns played so far.
        turns: u16,
    },
    /// The game has ended.
    #[error("the game is over: {ending}")]
    Over {
        /// The end of the game.
        ending: Ending,
    },
}

/// A cell as `r,q`.
pub(crate) fn name(size: u8, cell: Cell) -> String {
    let (cell, size) = (cell.index(), usize::from(size.max(1)));
    format!("{},{}", cell / size, cell % size)
}

/// The colour of a player by the rules: `red` for the first player, `blue` for the second.
#[must_use]
pub const fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "red",
        Player::Second => "blue",
    }
}
