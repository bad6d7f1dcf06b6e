//! Random positions, and maps as lists.

use stonework_board::{Board, Cell};
use stonework_game::{Player, Rng, below};
use stonework_havannah::{Position, Setup};
use stonework_havannah_analysis::StoneMap;

/// A position with `empty` empty cells and random stones, `share` tenths of them white's; `None` if both sides would
/// have won.
pub(crate) fn scattered(size: u8, empty: usize, share: usize, rng: &mut Rng) -> Option<Position> {
    let mut setup = Setup::new(size);
    let mut cells: Vec<Cell> = Board::hexagon(size).unwrap().cells().collect();
    while cells.len() > empty {
        let cell = cells.swap_remove(below(rng, cells.len()));
        let player = if below(rng, 10) < share { Player::First } else { Player::Second };
        setup.stones[player].insert(cell);
    }
    setup.position().ok()
}

/// The numbers of a map, cell by cell.
pub(crate) fn listed(map: &StoneMap, board: &Board) -> Vec<Option<u16>> {
    board.cells().map(|cell| map.get(cell)).collect()
}
