//! [`Mask`], a set of cells of one board in as few words as the board needs.

use stonework_board::{Cell, CellSet};

/// A set of cells: `W` words of 64 bits, bit i for cell i.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mask<const W: usize>([u64; W]);

impl<const W: usize> Mask<W> {
    pub(crate) const EMPTY: Self = Self([0; W]);
    pub(crate) const ALL: Self = Self([u64::MAX; W]);

    #[inline]
    pub(crate) const fn insert(&mut self, cell: u16) {
        self.0[cell as usize / 64] |= 1 << (cell % 64);
    }

    /// `true` if the set has the cell; `false` for a number beyond the words.
    #[inline]
    pub(crate) const fn contains(&self, cell: u16) -> bool {
        let word = cell as usize / 64;
        word < W && self.0[word] >> (cell % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    #[inline]
    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    #[inline]
    pub(crate) fn is_disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & b == 0)
    }

    #[inline]
    fn zip(mut self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Self {
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            *a = op(*a, b);
        }
        self
    }

    /// The cells of either set.
    #[inline]
    pub(crate) fn or(self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// The cells of both sets.
    #[inline]
    pub(crate) fn and(self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// The cells of exactly one of the sets.
    #[inline]
    pub(crate) fn xor(self, other: &Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    /// The cells of this set that are not in the other set.
    #[inline]
    pub(crate) fn less(self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// The cells in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some((64 * word) as u16 + bit as u16)
            })
        })
    }

    pub(crate) fn cells(&self) -> CellSet {
        self.iter().filter_map(|c| Cell::new(c.into())).collect()
    }
}
