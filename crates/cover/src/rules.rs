//! [`Options`]: the rules that the thesis leaves open; [`IllegalMove`]: the rule that a move breaks.

use std::fmt;
use std::str::FromStr;

use stonework_board::{Cell, Diagonal, Heading};
use stonework_game::{Player, text::head};

/// The boards that must not be reached again.
///
/// A *board* is the placement of all stones, with either side to move. After a capture no earlier board can come back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Repetition {
    /// No rule: games need not end.
    None,
    /// The board of four plies ago must not come again: the thesis' variant b, and the default.
    #[default]
    FourPlies,
    /// Like `FourPlies`, but by moves: a side must not return its last move if the opponent has just returned its own, even
    /// if a stone has been shot meanwhile, so that the boards differ. The thesis argues by this rule once (§5.1,
    /// position 2).
    FourPliesByMoves,
    /// The last eight boards must not come again: variant c, the inventor's.
    EightPlies,
    /// No earlier board of the game may come again: variant a.
    Any,
}

impl Repetition {
    /// All variants.
    pub const ALL: [Self; 5] =
        [Self::None, Self::FourPlies, Self::FourPliesByMoves, Self::EightPlies, Self::Any];

    /// The name in texts of positions, which [`str::parse`] reads: `none`, `four`, `four-moves`, `eight` or `any`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::FourPlies => "four",
            Self::FourPliesByMoves => "four-moves",
            Self::EightPlies => "eight",
            Self::Any => "any",
        }
    }
}

impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Repetition {
    type Err = RepetitionError;

    fn from_str(name: &str) -> Result<Self, RepetitionError> {
        let found = Self::ALL.into_iter().find(|variant| variant.name() == name);
        found.ok_or_else(|| RepetitionError { name: head(name).to_owned() })
    }
}

/// The refusal of a name that is no [`Repetition`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{name}` is no rule of repetition: none, four, four-moves, eight or any")]
#[non_exhaustive]
pub struct RepetitionError {
    /// The start of the name.
    pub name: String,
}

/// The rules that can be chosen. The default reproduces the published figures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// The boards that must not be reached again.
    pub repetition: Repetition,
    /// `true` if a stone may move lengthwise without shooting the stone that it would hit. By default the stone must
    /// shoot: then "shooting is voluntary" in the thesis means only that no side has to choose such a move.
    pub voluntary_shots: bool,
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The board has no such location.
    #[error("location {} is not on a board of size {size}, which has 0 to {}", cell.index(), last(*size))]
    OffBoard {
        /// The location.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The location has no stone of the side to move.
    #[error("{} has {}, and {} is to move", name(*size, *cell), match owner { Some(p) => format!("a stone of {}", colour(*p)), None => "no stone".to_owned() }, colour(*to_move))]
    NotYours {
        /// The location.
        cell: Cell,
        /// The owner of the stone on the location, if it has a stone.
        owner: Option<Player>,
        /// The side to move.
        to_move: Player,
        /// The size of the board.
        size: u8,
    },
    /// The step leads off the board.
    #[error("{heading:?} from {} is off the board of size {size}", name(*size, *from))]
    Edge {
        /// The location of the stone.
        from: Cell,
        /// The step.
        heading: Heading,
        /// The size of the board.
        size: u8,
    },
    /// The step leads onto the mover's own homebase.
    #[error("{} is the mover's own homebase", name(*size, *to))]
    OwnHome {
        /// The homebase.
        to: Cell,
        /// The size of the board.
        size: u8,
    },
    /// A stone that the move does not shoot covers an intersection of the destination.
    #[error("{} is blocked by the stone on {}", name(*size, *to), name(*size, *by))]
    Blocked {
        /// The destination.
        to: Cell,
        /// The stone.
        by: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The move leads to a board that must not be reached again.
    #[error("{}-{} would repeat a board ({})", name(*size, *from), name(*size, *to), match repetition { Repetition::Any => "any earlier one", Repetition::EightPlies => "the last eight plies", _ => "four plies" })]
    Repetition {
        /// The location of the stone.
        from: Cell,
        /// The destination.
        to: Cell,
        /// The rule in force.
        repetition: Repetition,
        /// The size of the board.
        size: u8,
    },
    /// A stone that moves lengthwise must shoot; see [`Options::voluntary_shots`].
    #[error("the stone on {} cannot hold its fire: shots are not voluntary in this game", name(*size, *from))]
    MustShoot {
        /// The location of the stone.
        from: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The move has no shot that could be left out.
    #[error("{}-{} hits nothing, so there is no shot to hold", name(*size, *from), name(*size, *to))]
    NoShot {
        /// The location of the stone.
        from: Cell,
        /// The destination.
        to: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The game has ended.
    #[error("the game is over: {} has won", colour(*winner))]
    Over {
        /// The winner.
        winner: Player,
    },
}

fn last(size: u8) -> usize {
    Diagonal::of(size).map_or(0, |lattice| lattice.len() - 1)
}

/// A location as `A07`; as its number if no board of the size has it.
pub(crate) fn name(size: u8, cell: Cell) -> String {
    match Diagonal::of(size) {
        Ok(lattice) if lattice.contains(cell) => lattice.name(cell),
        _ => cell.index().to_string(),
    }
}

/// The colour of a player by the rules: `blue` for the first player, `red` for the second.
#[must_use]
pub const fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "blue",
        Player::Second => "red",
    }
}
