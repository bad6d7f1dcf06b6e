//! Moves that Havannah does not allow.

use rand_core::RngCore;
use stonework_board::{Board, Cell, Notation};
use stonework_game::{Game, Player};
use stonework_havannah::Position;

use super::{Probed, one_of};

impl Probed for Position {
    /// The cells of the square that surrounds the hexagon, and of one row and column more.
    fn nowhere(&self, notation: Notation) -> Vec<String> {
        let board = self.board();
        let (rows, columns) = parts(board, notation);
        let names = rows.iter().flat_map(|row| columns.iter().map(move |column| format!("{row}{column}")));
        let beyond = names.filter(|name| notation.parse(board, name).is_err());
        beyond.chain(["z99", "a", "7", "pass"].map(str::to_owned)).collect()
    }

    fn wrong(&self, notation: Notation, rng: &mut impl RngCore) -> Vec<(&'static str, String)> {
        let name = |cell: Cell| notation.name_of(self.board(), cell).unwrap_or_default();
        let mut wrong = vec![("swap", "swap".to_owned())];
        for player in Player::BOTH {
            let kind =
                if player == self.to_move() { "cell of an own stone" } else { "cell of the other's stone" };
            let stones: Vec<Cell> = self.stones(player).iter().collect();
            wrong.extend(one_of(&stones, rng).map(|cell| (kind, name(cell))));
        }
        if self.outcome().is_some() {
            let empty: Vec<Cell> = self.empty_cells().collect();
            wrong.extend(one_of(&empty, rng).map(|cell| ("empty cell", name(cell))));
        }
        wrong
    }

    fn is_full(&self) -> bool {
        self.empty_cells().next().is_none()
    }
}

/// How rows and columns are called, and those just beyond the first and the last.
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
