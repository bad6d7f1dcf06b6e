//! [`State`]: the facts about a position, and [`Fault`]: the reason why a request is refused.

use serde::{Deserialize, Serialize};

/// One value for each side of Havannah.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BySide<T> {
    /// The first player's.
    pub white: T,
    /// The second player's.
    pub black: T,
}

/// The facts about a position, in names of the game's sides, moves and cells.
///
/// Every game has `to_move` and `outcome`. The other fields are absent where a game does not have them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The number of moves played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
    /// The side to move as the game calls it, such as `white`; after the end, the side whose turn it would be.
    pub to_move: String,
    /// The side that has won, `draw`, or null while the game goes on.
    pub outcome: Option<String>,
    /// Every kind of win that the last move has completed: `ring`, `bridge`, `fork`; for Cachex the end of the game:
    /// `connection`, `repetition`, `turn limit`; for Cover: `homebase`, `last stone`, `no move`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<Vec<String>>,
    /// For each entry of `how` the cells of a smallest chain that shows it; for Cover the stone on the homebase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<Vec<String>>>,
    /// The number of legal moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<u64>,
    /// The empty cells on which each side would win at once, whichever side is to move; none after the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winning_cells: Option<BySide<Vec<String>>>,
    /// Whether each side can still win at all: if neither can, the game is a certain draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_win: Option<BySide<bool>>,
    /// For each move the cells that it has captured, in games that have captures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured: Option<Vec<Vec<String>>>,
    /// The board as text, which [`Start::position`](crate::Start::position) takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The position's one-line text form, where `board` leaves something out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The 64-bit key, 16 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// The reason why a start, a move or a request is refused.
///
/// Displayed as its message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The sort of the fault. Of a start: `game`, `size`, `notation`, `position`, `to_move`, `swap`. Of a move: `move`
    /// (no such cell), `occupied`, `over` (the game has ended), `swap` (or steal), `centre`, `home` (the own homebase),
    /// `repetition`, or a word of a game's own. Of a request: `json`, `line`, `search`, `record`, `undo`, `draw`, `layer`,
    /// `budget`.
    pub kind: String,
    /// The index of the offending move; null if the fault is not about a move.
    #[serde(default)]
    pub at: Option<usize>,
    /// The offending value and the limit that it breaks, in words.
    #[serde(default)]
    pub message: String,
}

impl Fault {
    /// A fault that is not about a move of a list.
    #[must_use]
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), at: None, message: message.into() }
    }

    /// The same fault, about the move of this index.
    #[must_use]
    pub fn at(self, index: usize) -> Self {
        Self { at: Some(index), ..self }
    }
}
