//! [`Cell`], a place on a board, and [`CellSet`], a set of cells.

use std::fmt;

/// The most cells that any board of this crate has: a hexagon of size 20.
pub const MAX_CELLS: usize = 1141;

/// The number of words of a [`CellSet`].
const WORDS: usize = MAX_CELLS.div_ceil(64);

/// A place on a board, as a dense number, which is the index into the board's tables.
///
/// Cells are numbered from 0 row by row, from the left end of the top row, so that `0..board.len()` are exactly the cells of
/// a board; [`Board`](crate::Board) has a picture. A `Cell` does not contain its board: its number is below
/// [`MAX_CELLS`]. [`Board::contains`](crate::Board::contains) is `true` if the cell is on a given board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u16", into = "u16"))]
pub struct Cell(u16);

impl Cell {
    /// The cell with this number; `None` from [`MAX_CELLS`] upwards, as no board has such a cell.
    #[must_use]
    #[inline]
    pub const fn new(index: usize) -> Option<Self> {
        if index < MAX_CELLS { Some(Self(index as u16)) } else { None }
    }

    /// The cell of [`Cell::new`] for a number from a table of this crate.
    #[inline]
    pub(crate) const fn at(index: usize) -> Self {
        debug_assert!(index < MAX_CELLS);
        Self(index as u16)
    }

    /// The number, below [`MAX_CELLS`].
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cell({})", self.0)
    }
}

impl From<Cell> for u16 {
    fn from(cell: Cell) -> Self {
        cell.0
    }
}

impl TryFrom<u16> for Cell {
    type Error = CellError;

    fn try_from(index: u16) -> Result<Self, CellError> {
        Self::new(usize::from(index)).ok_or(CellError { index })
    }
}

/// A number that is no cell of any board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{index} is no cell: the largest board has cells 0 to {}", MAX_CELLS - 1)]
#[non_exhaustive]
pub struct CellError {
    /// The refused number.
    pub index: u16,
}

/// A set of cells: a bit per cell, no heap memory.
///
/// A set has the size of the largest board (18 words, 144 bytes), even on a smaller board. Operations on whole
/// sets take 18 words, operations on one cell O(1).
///
/// ```
/// use stonework_board::{Board, CellSet};
/// let board = Board::hexagon(4)?;
/// let corners: CellSet = board.corner_cells().collect();
/// let rim: CellSet = board.cells().filter(|&c| board.is_rim(c)).collect();
/// assert_eq!((corners.len(), rim.len()), (6, 18));
/// assert!((corners - rim).is_empty());
/// # Ok::<(), stonework_board::SizeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet([u64; WORDS]);

impl Default for CellSet {
    fn default() -> Self {
        Self::new()
    }
}

impl CellSet {
    /// The empty set.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self([0; WORDS])
    }

    /// `true` if `cell` is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// Adds `cell`. Returns `true` if the cell was not in the set.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) -> bool {
        let (word, bit) = (cell.index() / 64, 1 << (cell.index() % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Removes `cell`. Returns `true` if the cell was in the set.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) -> bool {
        let (word, bit) = (cell.index() / 64, 1 << (cell.index() % 64));
        let had = self.0[word] & bit != 0;
        self.0[word] &= !bit;
        had
    }

    /// The number of cells in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// `true` if the set has no cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// The cell with the lowest number; `None` for the empty set.
    #[must_use]
    pub fn first(&self) -> Option<Cell> {
        self.into_iter().next()
    }

    /// `true` if every cell of this set is in `other`. All 18 words are compared.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// `true` if no cell is in both sets. All 18 words are compared.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & b == 0)
    }

    /// The cells in the order of their numbers.
    #[must_use]
    pub const fn iter(&self) -> CellSetIter {
        CellSetIter { words: self.0, word: 0 }
    }
}

/// The cells of a [`CellSet`] in the order of their numbers.
#[derive(Clone, Debug)]
pub struct CellSetIter {
    words: [u64; WORDS],
    word: usize,
}

impl Iterator for CellSetIter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while let Some(bits) = self.words.get_mut(self.word) {
            if *bits == 0 {
                self.word += 1;
            } else {
                let cell = Cell::at(self.word * 64 + bits.trailing_zeros() as usize);
                *bits &= *bits - 1;
                return Some(cell);
            }
        }
        None
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = CellSetIter;

    fn into_iter(self) -> CellSetIter {
        self.iter()
    }
}

impl IntoIterator for &CellSet {
    type Item = Cell;
    type IntoIter = CellSetIter;

    fn into_iter(self) -> CellSetIter {
        self.iter()
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::new();
        set.extend(cells);
        set
    }
}

impl Extend<Cell> for CellSet {
    fn extend<I: IntoIterator<Item = Cell>>(&mut self, cells: I) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign:ident, $in_place:ident, $doc:literal, $op:expr) => {
        impl std::ops::$assign for CellSet {
            #[doc = $doc]
            #[inline]
            fn $in_place(&mut self, other: Self) {
                *self = std::ops::$trait::$method(*self, other);
            }
        }

        impl std::ops::$trait for CellSet {
            type Output = Self;

            #[doc = $doc]
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                let op: fn(u64, u64) -> u64 = $op;
                for (a, b) in self.0.iter_mut().zip(other.0) {
                    *a = op(*a, b);
                }
                self
            }
        }
    };
}
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, "The union.", |a, b| a | b);
set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, "The intersection.", |a, b| a & b);
set_operator!(
    BitXor,
    bitxor,
    BitXorAssign,
    bitxor_assign,
    "The cells of exactly one of the two sets.",
    |a, b| a ^ b
);
set_operator!(
    Sub,
    sub,
    SubAssign,
    sub_assign,
    "The cells of the first set that are not in the second.",
    |a, b| a & !b
);

/// The complement within the [`MAX_CELLS`] cells of the largest board. The complement within a smaller board is
/// `board.cells().collect::<CellSet>() - set`.
impl std::ops::Not for CellSet {
    type Output = Self;

    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self.0[WORDS - 1] &= u64::MAX >> (64 * WORDS - MAX_CELLS);
        self
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Cell::index)).finish()
    }
}

/// The serde form of a set is the list of its cells.
#[cfg(feature = "serde")]
mod serial {
    use super::{Cell, CellSet};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for CellSet {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self)
        }
    }

    impl<'de> Deserialize<'de> for CellSet {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Vec::<Cell>::deserialize(deserializer).map(|cells| cells.into_iter().collect())
        }
    }
}
