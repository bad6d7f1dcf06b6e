//! [`ByRules`]: what a proof about Havannah leaves to the rules.

use stonework_board::{Board, Cell, Symmetry};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_search::proof::Sight;

use super::compact::Compact;
use super::word::Word;

/// What the rules show of a position at once: the cells on which a stone wins, and whether a side could still win with
/// all empty cells. For a [`Position`] it asks `stonework-havannah` and nothing else.
///
/// Before the right to swap is past nothing is seen: a stone may still change its colour.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByRules;

impl Sight<Position> for ByRules {
    const SYMMETRIC: bool = true;

    fn wins(&self, game: &Position, player: Player, out: &mut Vec<Move>) {
        if !game.swap_enabled() && game.winning_count(player) > 0 {
            out.extend(game.winning_cells(player).iter().map(Move::Place));
        }
    }

    fn never(&self, game: &Position, player: Player) -> bool {
        !game.swap_enabled() && !game.can_win(player)
    }

    fn number(&self, game: &Position, mv: Move) -> u64 {
        match mv {
            Move::Place(cell) => cell.index() as u64,
            Move::Swap => game.board().len() as u64,
        }
    }

    fn with_number(&self, game: &Position, number: u64) -> Option<Move> {
        cell(game.board(), number).map(Move::Place)
    }

    fn orbit(&self, game: &Position, out: &mut Vec<u8>) -> bool {
        orbit(game.board(), |cell| game.stone(cell), out);
        out.extend([game.size(), game.to_move() as u8, game.swap_enabled().into()]);
        true
    }
}

impl<W: Word> Sight<Compact<W>> for ByRules {
    const SYMMETRIC: bool = true;

    fn wins(&self, game: &Compact<W>, player: Player, out: &mut Vec<Cell>) {
        out.extend(game.winning_cells(player));
    }

    fn never(&self, game: &Compact<W>, player: Player) -> bool {
        !game.can_win(player)
    }

    fn number(&self, _: &Compact<W>, mv: Cell) -> u64 {
        mv.index() as u64
    }

    fn with_number(&self, game: &Compact<W>, number: u64) -> Option<Cell> {
        cell(game.board(), number)
    }

    fn orbit(&self, game: &Compact<W>, out: &mut Vec<u8>) -> bool {
        orbit(game.board(), |cell| game.stone(cell), out);
        out.extend([game.board().size(), game.to_move() as u8, 0]);
        true
    }
}

fn cell(board: &Board, number: u64) -> Option<Cell> {
    usize::try_from(number).ok().and_then(Cell::new).filter(|&cell| board.contains(cell))
}

/// Appends the least of the twelve images, cell by cell. O(cells).
fn orbit(board: &Board, stone: impl Fn(Cell) -> Option<Player>, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend(board.cells().map(|cell| stone(cell).map_or(0, |player| 1 + player as u8)));
    let own = out.split_off(start);
    let mut least = own.clone();
    let mut image = own.clone();
    for &symmetry in Symmetry::ALL.iter().skip(1) {
        for (cell, &stone) in board.cells().zip(&own) {
            if let Some(place) = image.get_mut(board.map(symmetry, cell).index()) {
                *place = stone;
            }
        }
        if image < least {
            least.clone_from(&image);
        }
    }
    out.append(&mut least);
}
