//! The rules of Hex, on the geometry of `board`.

use stonework_board::{Board, Cell, CellSet};
use stonework_game::{ByPlayer, Game, Outcome, Player, zobrist};

/// The first player joins the edges 0 and 2, above and below; the second one 1 and 3.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hex {
    size: u8,
    stones: ByPlayer<CellSet>,
    to_move: Player,
    winner: Option<Player>,
    pub(crate) key: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("{0:?} is taken or not on the board, or the game is over")]
pub(crate) struct NotFree(Cell);

impl Hex {
    pub(crate) fn new(size: u8) -> Result<Self, stonework_board::SizeError> {
        let stones = ByPlayer::default();
        let size = Board::rhombus(size)?.size();
        Ok(Self { size, stones, to_move: Player::First, winner: None, key: size.into() })
    }

    pub(crate) fn board(&self) -> &'static Board {
        Board::rhombus(self.size).expect("a size that `new` has checked")
    }

    /// Puts a stone there or takes it away, in the key.
    fn toggle(&mut self, cell: Cell) {
        let number = 2 * cell.index() as u64 + self.to_move.index() as u64 + 1;
        self.key ^= zobrist(number);
    }

    /// The edges that the chain of a cell touches, a bit each.
    fn edges(&self, from: Cell) -> u8 {
        let own = &self.stones[self.to_move];
        let (mut seen, mut open, mut edges) = (CellSet::new(), vec![from], 0);
        while let Some(cell) = open.pop() {
            if seen.insert(cell) {
                edges |= self.board().edge_mask(cell);
                open.extend(self.board().neighbours(cell).filter(|&n| own.contains(n)));
            }
        }
        edges
    }
}

impl Game for Hex {
    type Move = Cell;
    type Undo = Cell;
    type Illegal = NotFree;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    fn legal_moves(&self, out: &mut impl Extend<Cell>) {
        out.extend(self.board().cells().filter(|&cell| self.check(cell).is_ok()));
    }

    fn check(&self, cell: Cell) -> Result<(), NotFree> {
        let taken = self.stones.iter().any(|(_, stones)| stones.contains(cell));
        let free = self.winner.is_none() && self.board().contains(cell) && !taken;
        free.then_some(()).ok_or(NotFree(cell))
    }

    fn play_unchecked(&mut self, cell: Cell) -> Cell {
        self.stones[self.to_move].insert(cell);
        self.toggle(cell);
        let both = if self.to_move == Player::First { 0b0101 } else { 0b1010 };
        self.winner = (self.edges(cell) & both == both).then_some(self.to_move);
        self.to_move = !self.to_move;
        cell
    }

    fn undo(&mut self, cell: Cell) {
        (self.winner, self.to_move) = (None, !self.to_move);
        self.toggle(cell);
        self.stones[self.to_move].remove(cell);
    }
}
