//! [`RandomGames`]: uniformly random playouts on the compact board.

use rand_core::RngCore;
use stonework_game::Player;
use stonework_havannah::{Move, PlayoutBoard, Position};
use stonework_search::Playout;

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

impl Playout<Position> for RandomGames {
    fn run(&mut self, from: &Position, rng: &mut impl RngCore) -> f32 {
        let board = match &mut self.board {
            Some(board) if board.board().size() == from.size() => board,
            other => other.insert(PlayoutBoard::from(from)),
        };
        board.load(from);
        match board.run(rng).winner {
            Some(Player::First) => 1.0,
            Some(Player::Second) => -1.0,
            None => 0.0,
        }
    }

    fn trace(&self) -> impl Iterator<Item = (Player, Move)> + '_ {
        self.board.iter().flat_map(PlayoutBoard::trace).map(|(player, cell)| (player, Move::Place(cell)))
    }
}
