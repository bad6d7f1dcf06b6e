//! The cells around a cell, in the order in which patterns name them.

use crate::{Axial, Board, Cell, Direction, Symmetry};

/// The number of cells of a neighbourhood.
const CELLS: usize = 30;

/// The thirty cells around a cell, as offsets from the cell, in rings of 6, 6, 6 and 12:
///
/// ```text
///         u v             a–f  the neighbours, clockwise from the west
///      t n h o w          g–l  the ends of two-bridges, g between a and b … l between f and a
///     s g b c i x         m–r  two steps straight on, m beyond a … r beyond f
///      m a * d p          s–z, A–D  the rest within three steps, but for the six cells three steps
///     D l f e j y               straight on: s and t beyond g, u and v beyond h … C and D beyond l
///      C r k q z
///         B A
/// ```
///
/// The first 6, 12 and 18 cells are neighbourhoods of their own: the neighbours; the neighbours and the ends of two-bridges; all
/// cells within two steps. The letters and rings are the program Lajkonik's, whose pictures are mirror images of this
/// picture.
pub const NEIGHBOURHOOD: [Axial; CELLS] = {
    let mut all = [Axial::new(0, 0); CELLS];
    let mut i = 0;
    while i < 6 {
        let (near, next) = (Direction::ALL[i], Direction::ALL[(i + 1) % 6]);
        let step = Axial::new(0, 0).step(near);
        all[i] = step;
        all[6 + i] = step.step(next);
        all[12 + i] = step.step(near);
        all[18 + 2 * i] = step.step(near).step(next);
        all[19 + 2 * i] = step.step(next).step(next);
        i += 1;
    }
    all
};

/// For each symmetry, the images of the cells of a neighbourhood.
const IMAGES: [[u8; CELLS]; 12] = {
    let mut all = [[0; CELLS]; 12];
    let mut s = 0;
    while s < 12 {
        let mut i = 0;
        while i < CELLS {
            let image = Symmetry::ALL[s].apply(NEIGHBOURHOOD[i]);
            let mut j = 0;
            while NEIGHBOURHOOD[j].row != image.row || NEIGHBOURHOOD[j].column != image.column {
                j += 1;
            }
            all[s][i] = j as u8;
            i += 1;
        }
        s += 1;
    }
    all
};

/// The neighbourhood of a cell of a board.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings {
    /// The numbers of the cells; 0 for cells off the board.
    cells: [u16; CELLS],
    /// Bit i for the i-th cell, if it is off the board.
    outside: u32,
}

impl Surroundings {
    pub(crate) fn of(board: &Board) -> Box<[Self]> {
        let around = |cell| {
            let mut here = Self { cells: [0; CELLS], outside: 0 };
            for (i, &offset) in NEIGHBOURHOOD.iter().enumerate() {
                match board.cell_at(board.coord(cell) + offset) {
                    Some(there) => here.cells[i] = there.index() as u16,
                    None => here.outside |= 1 << i,
                }
            }
            here
        };
        board.cells().map(around).collect()
    }
}

impl Board {
    /// The thirty cells around a cell in the order of [`NEIGHBOURHOOD`], with `None` for cells off the board. The first call for
    /// a board builds a table of 64 bytes a cell; later calls are a look-up.
    ///
    /// ```
    /// use stonework_board::Board;
    /// let board = Board::hexagon(4)?;
    /// let around = |name: &str, n| -> Vec<String> {
    ///     board.around(board.parse(name).unwrap()).take(n).flatten().map(|c| board.name(c)).collect()
    /// };
    /// assert_eq!(around("d4", 12).join(" "), "d3 c3 c4 d5 e5 e4 c2 b3 c5 e6 f5 e3");
    /// assert_eq!(around("a1", 30).join(" "), "a2 b2 b1 b3 c2 a3 c3 c1 b4 c4 d3 d2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[inline]
    pub fn around(&self, cell: Cell) -> impl ExactSizeIterator<Item = Option<Cell>> + '_ {
        let here = &self.surroundings()[cell.index()];
        here.cells
            .iter()
            .enumerate()
            .map(move |(i, &c)| (here.outside >> i & 1 == 0).then(|| Cell::at(usize::from(c))))
    }

    /// The cells off the board among the thirty cells around a cell: bit i for the i-th of [`NEIGHBOURHOOD`]. The cost
    /// is the cost of [`Board::around`].
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    #[inline]
    pub fn outside(&self, cell: Cell) -> u32 {
        self.surroundings()[cell.index()].outside
    }
}

impl Symmetry {
    /// The images of the cells of a neighbourhood under the symmetry: the i-th entry is the index in [`NEIGHBOURHOOD`] of the
    /// image of its i-th cell. Rings stay rings.
    ///
    /// ```
    /// use stonework_board::{NEIGHBOURHOOD, Symmetry};
    /// for symmetry in Symmetry::ALL {
    ///     for (&from, &to) in NEIGHBOURHOOD.iter().zip(symmetry.around()) {
    ///         assert_eq!(symmetry.apply(from), NEIGHBOURHOOD[usize::from(to)]);
    ///     }
    /// }
    /// ```
    #[must_use]
    pub const fn around(self) -> &'static [u8; 30] {
        &IMAGES[self.number() as usize]
    }
}
