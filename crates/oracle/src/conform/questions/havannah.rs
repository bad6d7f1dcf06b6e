//! Moves that Havannah does not allow.

use rand_core::RngCore;
use stonework_board::{Board, Cell, Notation};
use stonework_game::Game;
use stonework_havannah::Position;

use super::{Probed, placed_wrong};

impl Probed for Position {
    /// The cells of the square that surrounds the hexagon, and of one row and column more.
    fn nowhere(&self, notation: usize) -> Vec<String> {
        let notation = Notation::ALL[notation];
        let board = self.board();
        let (rows, columns) = parts(board, notation);
        let names = rows.iter().flat_map(|row| columns.iter().map(move |column| format!("{row}{column}")));
        let beyond = names.filter(|name| notation.parse(board, name).is_err());
        beyond.chain(["z99", "a", "7", "pass"].map(str::to_owned)).collect()
    }

    fn wrong(&self, notation: usize, rng: &mut impl RngCore) -> Vec<(&'static str, String)> {
        let notation = Notation::ALL[notation];
        let name = |cell: Cell| notation.name_of(self.board(), cell).unwrap_or_default();
        let mut wrong = vec![("swap", "swap".to_owned())];
        let stones = |player| self.stones(player).iter().collect();
        let (own, others) = (stones(self.to_move()), stones(self.to_move().other()));
        let empty = if self.outcome().is_some() { self.empty_cells().collect() } else { Vec::new() };
        wrong.extend(
            placed_wrong(&[own, others, empty], rng).into_iter().map(|(kind, cell)| (kind, name(cell))),
        );
        wrong
    }

    fn is_full(&self) -> bool {
        self.empty_cells().next().is_none()
    }
}

/// The names of rows and columns, and the names just beyond the first and the last.
fn parts(board: &Board, notation: Notation) -> (Vec<String>, Vec<String>) {
    let count = u8::try_from(board.rows()).unwrap_or(u8::MAX);
    if notation == Notation::Web {
        // The centre is `oo`; letters end at `z`.
        let reach = i16::from(count / 2) + 1;
        let letters = (-reach..=reach).filter_map(|offset| u8::try_from(i16::from(b'o') + offset).ok());
        let letters: Vec<String> =
            letters.filter(u8::is_ascii_lowercase).map(|letter| char::from(letter).to_string()).collect();
        return (letters.clone(), letters);
    }
    let letter = |n: u8| char::from(b'a' + n);
    let row = |n: u8| match n {
        0..26 => letter(n).to_string(),
        _ => format!("{}{}", letter(n / 26 - 1), letter(n % 26)),
    };
    let row = |n: u8| if notation == Notation::Rogers { row(n).to_uppercase() } else { row(n) };
    ((0..=count).map(row).collect(), (0..=count + 1).map(|n| n.to_string()).collect())
}
