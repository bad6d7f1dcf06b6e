//! [`RandomGames`]: uniformly random playouts on the compact board.

use rand_core::RngCore;
use stonework_game::Player;
use stonework_havannah::{Move, PlayoutBoard, Position};
use stonework_search::PlayoutPolicy;

/// Plays uniformly random moves on a [`PlayoutBoard`] until somebody has won or the board is full.
///
/// The right to swap is left out: a playout begins as if it were declined.
#[derive(Clone, Debug, Default)]
pub struct RandomGames {
    board: Option<PlayoutBoard>,
}

impl RandomGames {
    /// Playouts on boards of any size; the first one on a size makes the board.
    #[must_use]
    pub const fn new() -> Self {
        Self { board: None }
    }
}

/// The board with a position on it: the same board again for positions of the same size.
pub(crate) fn loaded<'a>(board: &'a mut Option<PlayoutBoard>, from: &Position) -> &'a mut PlayoutBoard {
    if board.as_ref().is_some_and(|board| board.board().size() != from.size()) {
        *board = None;
    }
    let board = board.get_or_insert_with(|| PlayoutBoard::from(from));
    board.load(from);
    board
}

/// The moves of the last playout on a board.
pub(crate) fn trace(board: Option<&PlayoutBoard>) -> impl Iterator<Item = (Player, Move)> + '_ {
    let stones = board.into_iter().flat_map(PlayoutBoard::trace);
    stones.map(|(player, cell)| (player, Move::Place(cell)))
}

impl PlayoutPolicy<Position> for RandomGames {
    fn run(&mut self, from: &Position, rng: &mut impl RngCore) -> f32 {
        match loaded(&mut self.board, from).run(rng).winner {
            Some(Player::First) => 1.0,
            Some(Player::Second) => -1.0,
            None => 0.0,
        }
    }

    fn trace(&self) -> impl Iterator<Item = (Player, Move)> + '_ {
        trace(self.board.as_ref())
    }
}
