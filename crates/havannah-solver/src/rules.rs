//! [`HavannahRules`]: the immediate wins of Havannah, which proofs leave out.

use stonework_board::{Board, Cell, Symmetry};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_proof::ImmediateRules;

use crate::small_position::SmallPosition;
use crate::word::Word;

/// The facts that proofs about Havannah leave out: the cells on which a stone wins at once, and the players that could
/// not win even with stones on all empty cells. For a [`Position`] the facts come from `stonework-havannah` alone, so
/// that a verified claim rests on the rules.
///
/// A position with the right to swap has no such facts, as a stone may still change its colour.
#[derive(Clone, Copy, Debug, Default)]
pub struct HavannahRules;

impl ImmediateRules<Position> for HavannahRules {
    const SYMMETRIC: bool = true;

    fn winning_moves(&self, game: &Position, player: Player, out: &mut Vec<Move>) {
        if !game.swap_enabled() && game.winning_count(player) > 0 {
            out.extend(game.winning_cells(player).iter().map(Move::Place));
        }
    }

    fn cannot_win(&self, game: &Position, player: Player) -> bool {
        !game.swap_enabled() && !game.can_win(player)
    }

    fn canonical_bytes(&self, game: &Position, out: &mut Vec<u8>) -> bool {
        least_image(game.board(), |cell| game.stone(cell), out);
        out.extend([game.size(), game.to_move() as u8, game.swap_enabled().into()]);
        true
    }
}

impl<W: Word> ImmediateRules<SmallPosition<W>> for HavannahRules {
    const SYMMETRIC: bool = true;

    fn winning_moves(&self, game: &SmallPosition<W>, player: Player, out: &mut Vec<Cell>) {
        out.extend(game.winning_cells(player));
    }

    fn cannot_win(&self, game: &SmallPosition<W>, player: Player) -> bool {
        !game.can_win(player)
    }

    fn canonical_bytes(&self, game: &SmallPosition<W>, out: &mut Vec<u8>) -> bool {
        least_image(game.board(), |cell| game.stone(cell), out);
        out.extend([game.board().size(), game.to_move() as u8, 0]);
        true
    }
}

/// Appends the least of the twelve images of the board, cell by cell. O(cells).
fn least_image(board: &Board, stone: impl Fn(Cell) -> Option<Player>, out: &mut Vec<u8>) {
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
