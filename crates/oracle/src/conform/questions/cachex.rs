//! Moves that Cachex does not allow.

use rand_core::RngCore;
use stonework_board::Cell;
use stonework_cachex::{Move, Position};
use stonework_game::{Game, Textual};

use super::{Probed, placed_wrong};

impl Probed for Position {
    /// The cells around the board, and texts that are no cell.
    fn nowhere(&self, _: usize) -> Vec<String> {
        let n = i16::from(self.size());
        let around = (-1..=n).flat_map(|r| (-1..=n).map(move |q| (r, q)));
        let around = around.filter(|&(r, q)| [r, q].iter().any(|&x| x < 0 || x == n));
        let texts = ["1", "1,", ",1", "1,1,1", "a1", "1;1", "pass"].map(str::to_owned);
        around.map(|(r, q)| format!("{r},{q}")).chain(texts).collect()
    }

    fn wrong(&self, _: usize, rng: &mut impl RngCore) -> Vec<(&'static str, String)> {
        let name = |cell: Cell| self.move_text(Move::Place(cell));
        let half = self.size() / 2;
        let mut wrong =
            vec![("steal", "steal".to_owned()), ("middle of the board", format!("{half},{half}"))];
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
