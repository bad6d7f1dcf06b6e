//! Positions of Havannah with a right to swap, for the checker of proofs. Their slow rules use the formations of the
//! judge.

use stonework_board::{Board, Cell, CellSet, Symmetry};
use stonework_oracle::formations;

pub(crate) const WHITE: usize = 0;
pub(crate) const BLACK: usize = 1;

/// A position: the stones of White and Black, the side to move, and `true` for a game with the right to swap.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) board: &'static Board,
    pub(crate) stones: [CellSet; 2],
    pub(crate) mover: usize,
    pub(crate) swap: bool,
    pub(crate) winner: Option<usize>,
}

/// A move of either side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Move {
    Stone(Cell),
    Swap,
}

impl Place {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [size, side, swap, rows] = *fields else { return Err(format!("root `{text}`")) };
        let board = Board::hexagon(crate::proof_checker::number(size)?).map_err(|e| e.to_string())?;
        let stones = board.read_rows(rows, ['w', 'b']).map_err(|e| e.to_string())?;
        let mover = ["w", "b"].iter().position(|letter| *letter == side).ok_or("side")?;
        let swap = ["-", "s"].iter().position(|letter| *letter == swap).ok_or("swap")? == 1;
        let won: Vec<usize> = [WHITE, BLACK].into_iter().filter(|&i| has_won(board, &stones[i])).collect();
        if won.len() > 1 {
            return Err(format!("root `{text}`"));
        }
        Ok(Self { board, stones, mover, swap, winner: won.first().copied() })
    }

    /// The cell of the opening; `None` unless the only stone is White's, Black is to move, and there is no right to
    /// swap.
    pub(crate) fn opening(&self) -> Option<String> {
        let one = self.stones[WHITE].len() == 1 && self.stones[BLACK].is_empty();
        let cell = self.stones[WHITE].first().filter(|_| one && self.mover == BLACK && !self.swap)?;
        Some(self.board.name(cell))
    }

    pub(crate) fn size(&self) -> u8 {
        self.board.size()
    }

    pub(crate) fn text(&self) -> String {
        let of = |cell| (0..2).find(|&side: &usize| self.stones[side].contains(cell));
        let (mover, swap) = (["w", "b"][self.mover], if self.swap { "s" } else { "-" });
        let mut text = format!("{} {mover} {swap} ", self.size());
        self.board.write_rows(&mut text, |cell| of(cell).map_or('.', |side| ['w', 'b'][side])).unwrap();
        text
    }

    /// Every empty cell in the order of its number, then the swap.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let free = |c: &Cell| !self.stones.iter().any(|s| s.contains(*c));
        let mut moves: Vec<Move> = self.board.cells().filter(free).map(Move::Stone).collect();
        if self.swap && self.stones[WHITE].len() == 1 {
            moves.push(Move::Swap);
        }
        moves
    }

    pub(crate) fn over(&self) -> bool {
        self.winner.is_some() || self.stones[WHITE].len() + self.stones[BLACK].len() == self.board.len()
    }

    pub(crate) fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.mover = 1 - self.mover;
        match mv {
            Move::Swap => next.stones = [self.stones[BLACK], self.stones[WHITE]],
            Move::Stone(cell) => {
                next.stones[self.mover].insert(cell);
                next.winner = has_won(self.board, &next.stones[self.mover]).then_some(self.mover);
            }
        }
        next.swap = self.swap && self.stones.iter().all(CellSet::is_empty);
        next
    }

    /// The empty cells on which a stone of this side completes a formation.
    pub(crate) fn winning(&self, side: usize) -> Vec<Cell> {
        let wins = |mv: Move| match mv {
            Move::Stone(cell) => {
                let mut stones = self.stones[side];
                stones.insert(cell);
                has_won(self.board, &stones).then_some(cell)
            }
            Move::Swap => None,
        };
        if self.swap { Vec::new() } else { self.moves().into_iter().filter_map(wins).collect() }
    }

    pub(crate) fn never(&self, side: usize) -> bool {
        let open = self.board.cells().filter(|&cell| !self.stones[1 - side].contains(cell));
        !self.swap && !has_won(self.board, &open.collect())
    }

    pub(crate) fn is_image_of(&self, other: &Self) -> bool {
        let maps = |s: &Symmetry| {
            [WHITE, BLACK].iter().all(|&i| self.board.map_set(*s, &self.stones[i]) == other.stones[i])
        };
        let same = (self.size(), self.mover, self.swap) == (other.size(), other.mover, other.swap);
        same && Symmetry::ALL.iter().any(maps)
    }
}

fn has_won(board: &Board, stones: &CellSet) -> bool {
    !formations(board, stones).is_empty()
}
