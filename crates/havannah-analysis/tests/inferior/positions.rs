//! Random positions.

use stonework_board::{Board, Cell};
use stonework_game::{Game, Player, Rng, below};
use stonework_havannah::{Position, Setup};

/// The position of a random game with `empty` empty cells; `None` if the game ends before.
pub(crate) fn played(size: u8, empty: usize, rng: &mut Rng) -> Option<Position> {
    let mut game = Position::new(size).unwrap();
    while game.empty_cells().count() > empty {
        let moves = game.moves();
        game.play(moves[below(rng, moves.len())]).unwrap();
        if game.outcome().is_some() {
            return None;
        }
    }
    Some(game)
}

/// A position with random stones, three to seven tenths of them white's; `None` if a side has won.
pub(crate) fn scattered(size: u8, empty: usize, rng: &mut Rng) -> Option<Position> {
    let mut setup = Setup::new(size);
    let share = 3 + below(rng, 5);
    let mut cells: Vec<Cell> = Board::hexagon(size).unwrap().cells().collect();
    while cells.len() > empty {
        let cell = cells.swap_remove(below(rng, cells.len()));
        let player = if below(rng, 10) < share { Player::First } else { Player::Second };
        setup.stones[player].insert(cell);
    }
    setup.to_move = if below(rng, 2) == 0 { Player::First } else { Player::Second };
    setup.position().ok().filter(|position| position.outcome().is_none())
}
