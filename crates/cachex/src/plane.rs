//! [`Plane`]: a set of cells as a word for each row, and the neighbourhoods of cells in such a set.

/// The number of empty rows below the first row, and the number of empty rows above the last row.
const PAD: usize = 2;
/// The number of words of a board: the 15 rows of the largest board, and an empty row, so that the length of loops is a
/// power of 2.
const ROWS: usize = 16;

/// The row `r` and the column `q` of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct At {
    pub(crate) r: u8,
    pub(crate) q: u8,
}

impl At {
    /// The cell across the long diagonal, r and q exchanged.
    pub(crate) const fn across(self) -> Self {
        Self { r: self.q, q: self.r }
    }
}

/// The six directions, clockwise, as steps of row and column. Bit i of a *pattern* stands for direction i. In the picture
/// row numbers grow upwards:
///
/// ```text
///     bit 0   bit 1          (1,-1)  (1,0)
///  bit 5   p   bit 2     (0,-1)  p   (0,1)
///     bit 4   bit 3         (-1,0) (-1,1)
/// ```
pub(crate) const STEPS: [(i8, i8); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

/// The pattern turned clockwise by one direction: its bit i is bit i − 1 of `pattern`.
pub(crate) const fn clockwise(pattern: u8) -> u8 {
    (pattern << 1 | pattern >> 5) & 63
}

/// The pattern turned anticlockwise by one direction: its bit i is bit i + 1 of `pattern`.
pub(crate) const fn anticlockwise(pattern: u8) -> u8 {
    (pattern >> 1 | pattern << 5) & 63
}

/// A set of cells: bit q of the word of row r.
///
/// Callers put no cell outside the board into a set, so the cells at the rim need no special case: rows outside the board are
/// empty words, and shifts bring in zeros for columns outside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plane([u16; ROWS + 2 * PAD]);

impl Plane {
    pub(crate) const EMPTY: Self = Self([0; ROWS + 2 * PAD]);

    #[inline]
    pub(crate) fn one(at: At) -> Self {
        let mut plane = Self::EMPTY;
        plane.add(at);
        plane
    }

    #[inline]
    pub(crate) fn has(&self, at: At) -> bool {
        self.0[usize::from(at.r) + PAD] >> at.q & 1 != 0
    }

    /// Adds a cell, or removes it if it is in the set.
    #[inline]
    pub(crate) fn toggle(&mut self, at: At) {
        self.0[usize::from(at.r) + PAD] ^= 1 << at.q;
    }

    #[inline]
    pub(crate) fn add(&mut self, at: At) {
        self.0[usize::from(at.r) + PAD] |= 1 << at.q;
    }

    /// The pattern of the neighbours that are in the set.
    #[inline]
    pub(crate) fn around(&self, at: At) -> u8 {
        // Bit k of a window is column q − 2 + k.
        let window = |row: usize| (u32::from(self.0[usize::from(at.r) + row]) << 2) >> at.q;
        let (below, level, above) = (window(PAD - 1), window(PAD), window(PAD + 1));
        let upper = above >> 1 & 3 | level >> 1 & 4;
        let lower = below & 8 | below << 2 & 16 | level << 4 & 32;
        (upper | lower) as u8
    }

    /// The cells of the set among the six cells beyond two adjacent neighbours: bit i is for the cell that touches neighbours
    /// i − 1 and i.
    ///
    /// ```text
    ///             bit 1
    ///    bit 0   .     .   bit 2
    ///          .    p    .
    ///    bit 5   .     .   bit 3
    ///             bit 4
    /// ```
    #[inline]
    pub(crate) fn beyond(&self, at: At) -> u8 {
        let window = |row: usize| (u32::from(self.0[usize::from(at.r) + row]) << 2) >> at.q;
        let (bottom, below, above, top) = (window(0), window(1), window(PAD + 1), window(PAD + 2));
        let upper = above & 1 | top & 2 | above >> 1 & 4;
        let lower = below >> 1 & 8 | bottom << 1 & 16 | below << 4 & 32;
        (upper | lower) as u8
    }

    /// The set with all neighbours of its cells, also with neighbours outside the board.
    #[inline]
    fn grown(&self) -> Self {
        let mut grown = Self::EMPTY;
        for i in PAD..PAD + ROWS {
            let (row, below, above) = (self.0[i], self.0[i - 1], self.0[i + 1]);
            grown.0[i] = row | row << 1 | row >> 1 | below | below >> 1 | above | above << 1;
        }
        grown
    }

    /// The cells of `open` that paths within `open` connect to a cell of this set. Each pass over the rows makes the paths
    /// longer by one step.
    #[inline]
    pub(crate) fn flood(&self, open: &Self) -> Self {
        let mut reached = self.and(open);
        loop {
            let next = reached.grown().and(open);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The cells of `open` that are in this set or beside it.
    #[inline]
    pub(crate) fn beside(&self, open: &Self) -> Self {
        self.grown().and(open)
    }

    /// The set that `op` makes of the words of both sets.
    #[inline]
    fn combined(&self, other: &Self, op: impl Fn(u16, u16) -> u16) -> Self {
        let mut result = *self;
        for (a, &b) in result.0.iter_mut().zip(&other.0) {
            *a = op(*a, b);
        }
        result
    }

    #[inline]
    pub(crate) fn and(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a & b)
    }

    #[inline]
    pub(crate) fn or(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a | b)
    }

    #[inline]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a & !b)
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The cells by rows, each row by columns.
    pub(crate) fn iter(&self) -> impl Iterator<Item = At> + use<> {
        let rows = self.0;
        (0..ROWS).flat_map(move |r| {
            let mut row = rows[r + PAD];
            std::iter::from_fn(move || {
                let q = row.trailing_zeros() as u8;
                let some = row != 0;
                row &= row.wrapping_sub(1);
                some.then_some(At { r: r as u8, q })
            })
        })
    }
}

impl FromIterator<At> for Plane {
    fn from_iter<I: IntoIterator<Item = At>>(cells: I) -> Self {
        let mut plane = Self::EMPTY;
        cells.into_iter().for_each(|at| plane.add(at));
        plane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest board, with one cell in the set at a time.
    #[test]
    fn the_six_neighbours_and_the_six_cells_beyond_are_read_right() {
        let cells = || (0..15).flat_map(|r| (0..15).map(move |q| At { r, q }));
        let moved = |at: At, (dr, dq): (i8, i8)| (at.r as i8 + dr, at.q as i8 + dq);
        for one in cells() {
            let plane = Plane::one(one);
            let is_one = |place: (i8, i8)| place == (one.r as i8, one.q as i8);
            for p in cells() {
                let step = |i: usize| STEPS[i % 6];
                let two_steps = |i: usize| (step(i).0 + step(i + 5).0, step(i).1 + step(i + 5).1);
                let around = (0..6).map(|i| u8::from(is_one(moved(p, step(i)))) << i).sum();
                let beyond = (0..6).map(|i| u8::from(is_one(moved(p, two_steps(i)))) << i).sum();
                assert_eq!((plane.around(p), plane.beyond(p)), (around, beyond), "{one:?} from {p:?}");
            }
        }
    }

    fn cells() -> impl proptest::strategy::Strategy<Value = Vec<(u8, u8)>> {
        proptest::collection::vec((0u8..15, 0u8..15), 0..60)
    }

    proptest::proptest! {
        /// Sets of cells are compared with bit arrays of the `bitvec` crate, which have the rows one after the other.
        #[test]
        fn operations_are_those_of_a_bit_array(a in cells(), b in cells()) {
            type Bits = bitvec::BitArr!(for 15 * 15, in u16);
            let plane = |cells: &[(u8, u8)]| cells.iter().map(|&(r, q)| At { r, q }).collect::<Plane>();
            let bits = |cells: &[(u8, u8)]| {
                let mut bits = Bits::ZERO;
                for &(r, q) in cells { bits.set(usize::from(r) * 15 + usize::from(q), true); }
                bits
            };
            let at = |i: usize| At { r: (i / 15) as u8, q: (i % 15) as u8 };
            let listed = |bits: Bits| bits.iter_ones().map(at).collect::<Vec<_>>();
            let ((x, y), (p, q)) = ((plane(&a), plane(&b)), (bits(&a), bits(&b)));
            for (ours, theirs) in [(x.and(&y), p & q), (x.or(&y), p | q), (x.minus(&y), p & !q)] {
                proptest::prop_assert_eq!(ours.iter().collect::<Vec<_>>(), listed(theirs));
                proptest::prop_assert_eq!(ours.len(), theirs.count_ones());
                proptest::prop_assert_eq!(ours.is_empty(), theirs.not_any());
            }
        }
    }

    #[test]
    fn a_flood_reaches_the_connected_cells_only() {
        let at = |&(r, q): &(u8, u8)| At { r, q };
        let open: Plane = [(0, 0), (0, 1), (1, 1), (2, 0), (2, 2), (14, 14)].iter().map(at).collect();
        let start: Plane = [(0, 0), (5, 5)].iter().map(at).collect();
        let connected: Plane = [(0, 0), (0, 1), (1, 1), (2, 0)].iter().map(at).collect();
        assert_eq!(start.flood(&open), connected);
        assert_eq!(open.minus(&connected).iter().collect::<Vec<_>>(), [(2, 2), (14, 14)].map(|c| at(&c)));
    }
}
