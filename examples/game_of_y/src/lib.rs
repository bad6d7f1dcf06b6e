//! Y, as a game of one's own on Stonework's traits; `main.rs` uses the tools on it. A side wins with a chain that touches all
//! three sides of a triangle of cells. The triangle is the half of a rhombus with row + column < size.

use std::fmt;

use stonework::board::{Board, Cell, CellSet, SizeError};
use stonework::game::{
    ByPlayer, Finite, Game, Indexed, Keyed, Outcome, ParseError, Player, Textual, zobrist,
};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Y {
    size: u8,
    moves: Vec<Cell>,
    stones: ByPlayer<CellSet>,
    winner: Option<Player>,
    key: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("{0:?} is taken or not on the board, or the game is over")]
pub struct NotFree(pub Cell);

impl Y {
    pub fn new(size: u8) -> Result<Self, SizeError> {
        let size = Board::rhombus(size)?.size();
        Ok(Self { size, moves: Vec::new(), stones: ByPlayer::default(), winner: None, key: size.into() })
    }

    pub fn board(&self) -> &'static Board {
        Board::rhombus(self.size).expect("a size that `new` has checked")
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (board, size) = (self.board(), usize::from(self.size));
        (0..size).flat_map(move |row| board.row(row).take(size - row))
    }

    /// The sides that a cell lies on: the two edges of the rhombus that meet in its first corner, and the diagonal.
    pub fn sides(&self, cell: Cell) -> u8 {
        let size = usize::from(self.size);
        let (row, column) = (cell.index() / size, cell.index() % size);
        u8::from(row == 0) | u8::from(column == 0) << 1 | u8::from(row + column + 1 == size) << 2
    }

    /// The sides that the chain of a cell touches.
    fn joined(&self, from: Cell, own: &CellSet) -> u8 {
        let (mut visited, mut open, mut sides) = (CellSet::new(), vec![from], 0);
        while let Some(cell) = open.pop() {
            if visited.insert(cell) {
                sides |= self.sides(cell);
                open.extend(self.board().neighbours(cell).filter(|&n| own.contains(n)));
            }
        }
        sides
    }

    fn toggle(&mut self, cell: Cell) {
        let number = 2 * cell.index() as u64 + self.to_move().index() as u64 + 1;
        self.key ^= zobrist(number);
    }
}

impl Game for Y {
    type Move = Cell;
    type Undo = ();
    type Illegal = NotFree;

    fn to_move(&self) -> Player {
        if self.moves.len().is_multiple_of(2) { Player::First } else { Player::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    fn legal_moves(&self, out: &mut impl Extend<Cell>) {
        out.extend(self.cells().filter(|&cell| self.check(cell).is_ok()));
    }

    fn check(&self, cell: Cell) -> Result<(), NotFree> {
        let free = self.winner.is_none() && !self.moves.contains(&cell) && self.cells().any(|on| on == cell);
        free.then_some(()).ok_or(NotFree(cell))
    }

    fn play_unchecked(&mut self, cell: Cell) {
        let side = self.to_move();
        self.stones[side].insert(cell);
        self.toggle(cell);
        self.moves.push(cell);
        self.winner = (self.joined(cell, &self.stones[side]) == 0b111).then_some(side);
    }

    fn undo(&mut self, (): ()) {
        let cell = self.moves.pop().expect("as many moves are taken back as were played");
        let side = self.to_move();
        self.stones[side].remove(cell);
        self.toggle(cell);
        self.winner = None;
    }
}

impl Finite for Y {}

impl Keyed for Y {
    fn key(&self) -> u64 {
        self.key
    }
}

impl Indexed for Y {
    fn index_len(&self) -> usize {
        self.board().len()
    }

    fn move_index(&self, cell: Cell) -> usize {
        cell.index()
    }

    fn move_at(&self, index: usize) -> Option<Cell> {
        Cell::new(index).filter(|&cell| self.cells().any(|other| other == cell))
    }
}

impl Textual for Y {
    fn write_move(&self, cell: Cell, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{}", self.board().name(cell))
    }

    fn parse_move(&self, text: &str) -> Result<Cell, ParseError> {
        self.board().parse(text).map_err(|error| ParseError { at: 0, what: error.to_string() })
    }

    /// The size and the moves: `3 a1 b2`.
    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{}", self.size)?;
        self.moves.iter().try_for_each(|&cell| write!(w, " {}", self.move_text(cell)))
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let wrong = |what: String| ParseError { at: 0, what: format!("`{text}`: {what}") };
        let mut words = text.split(' ');
        let size = words.next().and_then(|size| size.parse().ok()).unwrap_or(0);
        let mut game = Self::new(size).map_err(|error| wrong(error.to_string()))?;
        for word in words {
            game.play(game.parse_move(word)?).map_err(|error| wrong(error.to_string()))?;
        }
        Ok(game)
    }
}
