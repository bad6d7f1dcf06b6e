//! [`Lattice`]: a small board as bits.
//!
//! The cell in row *l* and column *n* (both from 0, slanted columns as in `hgui`) is bit *l* · *d* + *n*, with *d* = 2*s* − 1
//! for the largest size *s* that fits into the word. Its neighbours are ±1, ±*d* and ±(*d* + 1) away:
//!
//! ```text
//!     −(d+1)  −d
//!   −1    cell    +1
//!        +d  +(d+1)
//! ```
//!
//! No shift leads from a cell to a cell that is not its neighbour. On the largest board the last bit of a row is a cell only in
//! the lower half, and the first bit only in the upper half; smaller boards lie in a corner of the largest.

use stonework_board::{Board, Cell, Symmetry};
use stonework_game::{Player, zobrist};

use crate::word::{Word, cells};

/// The number of symmetries of the board.
pub(crate) const SYMMETRIES: usize = 12;

/// The tables of one size.
#[derive(Debug)]
pub struct Lattice<W> {
    pub(crate) board: &'static Board,
    /// All cells.
    pub(crate) all: W,
    /// The cells on the edge of the board, corners among them.
    pub(crate) rim: W,
    pub(crate) corners: [W; 6],
    pub(crate) edges: [W; 6],
    /// The cell of each bit; the first cell for bits without a cell.
    cells: Box<[Cell]>,
    /// The corners (bits 0–5) and edges (bits 6–11) that each bit's cell is on.
    touches: Box<[u16]>,
    /// The bit of each cell.
    bits: Box<[u16]>,
    /// The key that a stone adds to the sum of each symmetric image, by 2 · bit + side.
    weights: Box<[[u64; SYMMETRIES]]>,
    /// `true` if the keys are numbers to base 3, different for different positions.
    exact: bool,
}

impl<W: Word> Lattice<W> {
    /// The tables of a size that fits into the word.
    pub(super) fn new(size: u8) -> Self {
        let board = Board::hexagon(size).unwrap_or_else(|e| unreachable!("{e}"));
        let width = (W::STRIDE * W::STRIDE) as usize;
        let bit_of = |cell: Cell| {
            let row = (0..board.rows()).position(|row| board.row(row).any(|c| c == cell)).unwrap_or_default();
            let first = board.row(row).next().map_or(0, Cell::index);
            let offset = (row + 1).saturating_sub(usize::from(size));
            row as u32 * W::STRIDE + (cell.index() - first + offset) as u32
        };
        let bits: Box<[u16]> = board.cells().map(|cell| bit_of(cell) as u16).collect();
        let set = |cells: &mut dyn Iterator<Item = Cell>| {
            cells.fold(W::NONE, |set, cell| set | W::bit(u32::from(bits[cell.index()])))
        };
        let mut cells = vec![Cell::new(0).unwrap_or_else(|| unreachable!()); width];
        for cell in board.cells() {
            cells[usize::from(bits[cell.index()])] = cell;
        }
        let mut touches = vec![0; width];
        for cell in board.cells() {
            touches[usize::from(bits[cell.index()])] =
                u16::from(board.corner_mask(cell)) | u16::from(board.edge_mask(cell)) << 6;
        }
        let exact = size <= 4;
        let mut weights = vec![[0; SYMMETRIES]; 2 * width];
        for cell in board.cells() {
            for player in Player::BOTH {
                let place = 2 * usize::from(bits[cell.index()]) + player.index();
                for (weight, &symmetry) in weights[place].iter_mut().zip(&Symmetry::ALL) {
                    let image = board.map(symmetry, cell).index();
                    *weight = if exact {
                        3_u64.pow(image as u32) * (1 + player.index() as u64)
                    } else {
                        zobrist(2 * image as u64 + player.index() as u64)
                    };
                }
            }
        }
        Self {
            board,
            all: set(&mut board.cells()),
            rim: set(&mut board.cells().filter(|&c| board.is_rim(c))),
            corners: std::array::from_fn(|k| {
                set(&mut board.cells().filter(|&c| board.corner_mask(c) >> k & 1 == 1))
            }),
            edges: std::array::from_fn(|k| set(&mut board.edge_cells(k as u8))),
            cells: cells.into(),
            touches: touches.into(),
            bits: bits.clone(),
            weights: weights.into(),
            exact,
        }
    }

    /// The set of one cell; empty for a cell off the board.
    #[inline]
    pub(crate) fn set(&self, cell: Cell) -> W {
        self.bits.get(cell.index()).map_or(W::NONE, |&bit| W::bit(u32::from(bit)))
    }

    /// The lowest cell of a set that is not empty.
    #[inline]
    pub(crate) fn cell(&self, set: W) -> Cell {
        self.cells[set.index() as usize]
    }

    /// The twelve keys that a stone on the lowest cell of a set adds.
    #[inline]
    pub(crate) fn weights(&self, set: W, player: Player) -> &[u64; SYMMETRIES] {
        &self.weights[2 * set.index() as usize + player.index()]
    }

    /// The corners (bits 0–5) and edges (bits 6–11) that the lowest cell of a set is on.
    #[inline]
    pub(crate) fn touches_of(&self, cell: W) -> u16 {
        self.touches[cell.index() as usize]
    }

    /// The corners and edges that any cell of a set is on.
    #[inline]
    pub(crate) fn touches(&self, set: W) -> u16 {
        cells(set & self.rim).fold(0, |touches, cell| touches | self.touches_of(cell))
    }

    /// A key from one of the twelve sums and the side to move.
    #[inline]
    pub(crate) fn key(&self, sum: u64, to_move: Player) -> u64 {
        let size = u64::from(self.board.size());
        if self.exact {
            // 2 · 3³⁷ is below 2⁶⁰.
            sum << 1 | to_move.index() as u64 | (size - 2) << 60
        } else {
            sum ^ zobrist(1024 + 2 * size + to_move.index() as u64)
        }
    }

    /// A set and all neighbours of its cells; bits that are no cells may be among them.
    #[inline]
    #[expect(clippy::unused_self, reason = "neighbours are a matter of the lattice")]
    pub(crate) fn spread(&self, set: W) -> W {
        let (right, left) = (set | set << 1, set | set >> 1);
        right | left | right << W::STRIDE | left >> W::STRIDE
    }

    /// For each of the six directions in a circle, the cells whose neighbour in that direction is in the set.
    #[inline]
    #[expect(clippy::unused_self, reason = "neighbours are a matter of the lattice")]
    pub(crate) fn sides(&self, set: W) -> [W; 6] {
        let d = W::STRIDE;
        [set << 1, set << (d + 1), set << d, set >> 1, set >> (d + 1), set >> d]
    }

    /// The connected parts of `open` that contain a cell of `start`, a subset of `open`.
    #[inline]
    pub(crate) fn flood(&self, start: W, open: W) -> W {
        let mut reached = start;
        loop {
            let next = self.spread(reached) & open;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The cells on which a stone closes a ring with this chain: the chain lies at two separate sides of the cell, or the cell is
    /// the last neighbour of one of the chain's stones. Cells that are not empty may be among them.
    #[inline]
    pub(crate) fn rings(&self, chain: W) -> W {
        let sides = self.sides(chain);
        let (mut runs, mut many) = (W::NONE, W::NONE);
        let (mut missing, mut open) = (W::NONE, W::NONE);
        for d in 0..6 {
            let end = sides[d] & !sides[(d + 1) % 6];
            many |= runs & end;
            runs |= end;
            open |= missing & !sides[d];
            missing |= !sides[d];
        }
        let near_full = chain & !open;
        let closed = if near_full.is_empty() { W::NONE } else { self.spread(near_full) & !chain };
        (many & !chain) | closed
    }

    /// `true` if a set has exactly two cells, which are neighbours, and `stones` are on both of their common
    /// neighbours.
    #[inline]
    pub(crate) fn is_gap(&self, set: W, stones: W) -> bool {
        let (cell, other) = (set.lowest(), set.rest());
        let (near, others) = (self.spread(cell), self.spread(other));
        !other.several() && !(near & other).is_empty() && (near & others & !set & !stones).is_empty()
    }

    /// `true` if a side with a stone on each of these cells has a bridge, fork or ring.
    pub(crate) fn has_win(&self, stones: W) -> bool {
        let mut left = stones;
        while !left.is_empty() {
            let chain = self.flood(left.lowest(), left);
            left &= !chain;
            let count = |sets: &[W; 6]| sets.iter().filter(|&&set| !(set & chain).is_empty()).count();
            if count(&self.corners) >= 2 || count(&self.edges) >= 3 {
                return true;
            }
        }
        // A ring around own stones alone encloses a stone with six own neighbours; any other ring cuts a cell off the rim.
        let full = self.sides(stones).into_iter().fold(stones, |full, side| full & side);
        let others = self.all & !stones;
        !full.is_empty() || self.flood(others & self.rim, others) != others
    }

    /// The cells of a set, lowest first.
    pub(crate) fn cells_of(&self, set: W) -> impl Iterator<Item = Cell> + '_ {
        cells(set).map(|cell| self.cell(cell))
    }
}
