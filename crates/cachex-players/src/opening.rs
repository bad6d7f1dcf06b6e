//! Known moves of the first two turns.

use stonework_board::Cell;
use stonework_cachex::{Move, Position, Setup};
use stonework_game::Player;

/// Red's first stone, by row and column, for sizes at which the player does not search for it.
///
/// On n = 3 and 4 red loses with every opening; blue must not steal the opening of the list. On n = 5 to 7 the opening is
/// the winner of most games of the player against itself, among the best openings by searches of 100 000 positions
/// (`docs/lab/cachex.md`).
const FIRST: [(u8, (u8, u8)); 5] = [(3, (0, 0)), (4, (0, 0)), (5, (1, 1)), (6, (1, 4)), (7, (0, 6))];

/// The openings on n = 3 and 4 that blue must steal. Blue wins by a steal after these openings, and by a stone after
/// all other openings. The openings are from the complete tables of these sizes.
const STEALS: [(u8, &[(u8, u8)]); 2] =
    [(3, &[(0, 1), (0, 2), (2, 0), (2, 1)]), (4, &[(0, 2), (0, 3), (1, 2), (2, 1), (3, 0), (3, 1)])];

/// The known move of a position in the opening.
pub(super) fn known(game: &Position) -> Option<Move> {
    let place = |(r, q): (u8, u8)| game.cell(r, q);
    if game.turns() == 0 {
        let &(_, cell) = FIRST.iter().find(|(size, _)| *size == game.size())?;
        return place(cell).map(Move::Place);
    }
    if !game.may_steal() {
        return None;
    }
    let (_, steals) = STEALS.iter().find(|(size, _)| *size == game.size())?;
    let stone: Cell = game.stones(Player::First).first()?;
    steals.contains(&game.coordinates(stone)).then_some(Move::Steal)
}

/// The position without the right to steal, if it is known that blue must not steal: with two turns more and the same stones.
pub(super) fn without_steal(game: &Position) -> Option<Position> {
    let is_known = game.may_steal() && STEALS.iter().any(|(size, _)| *size == game.size());
    if !is_known || known(game).is_some() {
        return None;
    }
    let setup = game.setup();
    Setup { turns: setup.turns + 2, ..setup }.position().ok()
}

#[cfg(test)]
mod tests {
    use stonework_game::{Game, Textual};

    use super::*;

    #[test]
    fn openings_are_legal_and_steals_are_symmetric() {
        for (size, _) in FIRST {
            let game = Position::new(size).unwrap();
            assert!(game.check(known(&game).unwrap()).is_ok());
        }
        assert_eq!(known(&Position::new(9).unwrap()), None);
        for (size, steals) in STEALS {
            // A half turn leaves the game as it is.
            assert!(steals.iter().all(|&(r, q)| steals.contains(&(size - 1 - r, size - 1 - q))));
            let mut game = Position::new(size).unwrap();
            game.play(game.parse_move("0,0").unwrap()).unwrap();
            assert_eq!(known(&game), None);
        }
    }
}
