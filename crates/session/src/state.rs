//! [`State`]: the facts about a position. [`Fault`]: the reason for a refused request.

use serde::{Deserialize, Serialize};

/// One value for each side of Havannah.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BySide<T> {
    /// The value of the first player.
    pub white: T,
    /// The value of the second player.
    pub black: T,
}

/// The facts about a position, in names of the game's sides, moves and cells.
///
/// Every game has `to_move` and `outcome`. The other fields are absent for a game that does not have them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The number of moves played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
    /// The name of the side to move, such as `white`; after the end, the side whose turn it would be.
    pub to_move: String,
    /// The name of the side that has won, `draw`, or null while the game goes on.
    pub outcome: Option<String>,
    /// Every kind of win that the last move has completed: in Havannah `ring`, `bridge`, `fork`; in Cachex the end of
    /// the game: `connection`, `repetition`, `turn limit`; in Cover `homebase`, `last stone`, `no move`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<Vec<String>>,
    /// For each entry of `how`, the cells of a smallest chain that shows the win; in Cover the stone on the homebase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<Vec<String>>>,
    /// The number of legal moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<u64>,
    /// The empty cells on which each side would win at once, whichever side is to move; none after the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winning_cells: Option<BySide<Vec<String>>>,
    /// For each side, `true` if the side can still win. If neither side can, the game is a certain draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_win: Option<BySide<bool>>,
    /// For each move, the cells that the move has captured, in games with captures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured: Option<Vec<Vec<String>>>,
    /// The board as text, which [`Start::position`](crate::Start::position) takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The one-line text form of the position, if `board` does not have everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The 64-bit key, 16 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// The reason for a refused start, move or request.
///
/// The text of [`Display`](std::fmt::Display) is the message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// The kind of the fault. For a start: `game`, `size`, `notation`, `position`, `to_move`, `swap`. For a move:
    /// `move` (no such cell), `occupied`, `over` (the game has ended), `swap` (or steal), `centre`, `home` (the own
    /// homebase), `repetition`, or a kind of a game's own. For a request: `json`, `line`, `search`, `record`, `undo`,
    /// `draw`, `layer`, `budget`.
    pub kind: String,
    /// The index of the offending move; null if the fault is not about a move.
    #[serde(default)]
    pub at: Option<usize>,
    /// The offending value and the broken limit, in words.
    #[serde(default)]
    pub message: String,
}

impl Fault {
    /// A fault that is not about a move of a list.
    #[must_use]
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), at: None, message: message.into() }
    }

    /// The same fault for the move with this index.
    #[must_use]
    pub fn at(self, index: usize) -> Self {
        Self { at: Some(index), ..self }
    }
}
