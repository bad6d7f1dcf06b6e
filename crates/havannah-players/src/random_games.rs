//! [`RandomGames`]: uniformly random playouts on the compact board.

use rand_core::RngCore;
use stonework_game::Player;
use stonework_havannah::{Move, PlayoutBoard, Position};
use stonework_search::PlayoutPolicy;

/// Plays uniformly random moves on a [`PlayoutBoard`] until a side has won or the board is full.
///
/// A playout begins as if the right to swap were declined.
#[derive(Clone, Debug, Default)]
pub struct RandomGames {
    board: Option<PlayoutBoard>,
}

impl RandomGames {
    /// Playouts on boards of any size. The first playout on a size makes the board.
    #[must_use]
    pub const fn new() -> Self {
        Self { board: None }
    }
}

/// The board with the position `from` on it; positions of the same size reuse the board.
pub(crate) fn loaded<'a>(board: &'a mut Option<PlayoutBoard>, from: &Position) -> &'a mut PlayoutBoard {
    if board.as_ref().is_some_and(|board| board.board().size() != from.size()) {
        *board = None;
    }
    let board = board.get_or_insert_with(|| PlayoutBoard::from(from));
    board.load(from);
    board
}

/// Plays uniformly random moves to the end. Returns the result for the first player, −1 to 1.
pub(crate) fn random_result(board: &mut PlayoutBoard, rng: &mut impl RngCore) -> f32 {
    match board.run(rng).winner {
        Some(Player::First) => 1.0,
        Some(Player::Second) => -1.0,
        None => 0.0,
    }
}

/// The moves of the last playout on a board.
pub(crate) fn trace(board: Option<&PlayoutBoard>) -> impl Iterator<Item = (Player, Move)> + '_ {
    let stones = board.into_iter().flat_map(PlayoutBoard::trace);
    stones.map(|(player, cell)| (player, Move::Place(cell)))
}

impl PlayoutPolicy<Position> for RandomGames {
    fn run(&mut self, from: &Position, rng: &mut impl RngCore) -> f32 {
        random_result(loaded(&mut self.board, from), rng)
    }

    fn trace(&self) -> impl Iterator<Item = (Player, Move)> + '_ {
        trace(self.board.as_ref())
    }
}
