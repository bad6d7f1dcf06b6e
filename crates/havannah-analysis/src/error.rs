//! [`AnalysisError`]: the reason why a question has no answer.

use stonework_board::Cell;
use stonework_game::{Outcome, Player};
use stonework_havannah::{Position, colour};

/// The reason why a position cannot be analysed, or why a question about it has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The game has ended.
    #[error("the game is over: {}", match .outcome { Outcome::Win(p) => format!("{} has won", colour(*p)), Outcome::Draw => "a draw".to_owned() })]
    Over {
        /// The outcome.
        outcome: Outcome,
    },
    /// A swap may still exchange the colours of the stones, so nothing is sure.
    #[error("the right to swap is still in the game, so that stones may change sides")]
    Swap,
    /// A limit of a budget is too low.
    #[error("a budget of {given} {what} is too low: the least is {least}")]
    Budget {
        /// The name and unit of the limit.
        what: &'static str,
        /// The value of the limit.
        given: u64,
        /// The least value that is allowed.
        least: u64,
    },
    /// The board has no such cell.
    #[error("cell {} is not on a board of size {size}", cell.index())]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The cell has a stone of the opponent of the links' owner.
    #[error("cell {} has a stone of {}, the opponent of the links' owner", cell.index(), colour(*stone_of))]
    Opponent {
        /// The cell.
        cell: Cell,
        /// The side that has the stone.
        stone_of: Player,
    },
    /// The caller named a chain by a cell without a stone, or an empty end by a cell with a stone.
    #[error("cell {} is {}", cell.index(), if *.empty { "empty: no chain is named after it" } else { "taken: it is no empty end" })]
    Content {
        /// The cell.
        cell: Cell,
        /// `true` if the cell is empty.
        empty: bool,
    },
    /// The number is no edge and no corner: both have the numbers 0 to 5.
    #[error("there is no {what} {number}: the numbers are 0 to 5")]
    Number {
        /// `edge` or `corner`.
        what: &'static str,
        /// The number.
        number: u8,
    },
}

/// Refuses a position in which nothing can be claimed.
pub(crate) fn in_play(position: &Position) -> Result<(), AnalysisError> {
    use stonework_game::Game;
    match position.outcome() {
        Some(outcome) => Err(AnalysisError::Over { outcome }),
        None if position.swap_enabled() => Err(AnalysisError::Swap),
        None => Ok(()),
    }
}
