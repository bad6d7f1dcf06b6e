//! [`Board`]: the cells of one shape and size, with their geometry.

use std::fmt;
use std::sync::OnceLock;

use crate::neighbourhood::Surroundings;
use crate::{Axial, Cell, CellSet, Direction, Symmetry};

/// The outline of a board and its size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// A hexagon with s cells on a side, 2 to 20: 3s² − 3s + 1 cells.
    Hexagon(u8),
    /// A rhombus with s cells on a side, 1 to 19: s² cells.
    Rhombus(u8),
}

impl Shape {
    /// The number of cells on a side.
    #[must_use]
    pub const fn size(self) -> u8 {
        match self {
            Self::Hexagon(size) | Self::Rhombus(size) => size,
        }
    }

    /// The name of the shape: `hexagon` or `rhombus`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hexagon(_) => "hexagon",
            Self::Rhombus(_) => "rhombus",
        }
    }

    /// The smallest and the largest size of this kind of shape.
    #[must_use]
    pub const fn limits(self) -> (u8, u8) {
        match self {
            Self::Hexagon(_) => (2, 20),
            Self::Rhombus(_) => (1, 19),
        }
    }

    /// The number of rows of the board.
    const fn rows(self) -> i16 {
        match self {
            Self::Hexagon(s) => 2 * s as i16 - 1,
            Self::Rhombus(s) => s as i16,
        }
    }

    /// The first column of a row, and the column after the last column.
    const fn columns(self, row: i16) -> (i16, i16) {
        match self {
            Self::Hexagon(s) => {
                let s = s as i16;
                if row < s { (0, s + row) } else { (row - s + 1, 2 * s - 1) }
            }
            Self::Rhombus(s) => (row, row + s as i16),
        }
    }
}

/// The refusal of a size that a shape does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no {} of size {}: sizes are {} to {}", shape.name(), shape.size(), shape.limits().0, shape.limits().1)]
#[non_exhaustive]
pub struct SizeError {
    /// The refused shape, with the refused size.
    pub shape: Shape,
}

/// The entry of a table for a neighbour that is not on the board.
const OFF: u16 = u16::MAX;

/// The cells of one shape and size with their geometry, without stones.
///
/// The tables are built once for each shape and size, and shared as a `&'static Board` by the whole process. Every method below
/// is a look-up unless stated otherwise. A hexagon of size 4, with cell numbers:
///
/// ```text
///   corner 0     edge 0    corner 1              rows a, b, c … from the top
///          0   1   2   3                         (see `Notation` for the names)
/// edge 5 4   5   6   7   8  edge 1
///      9  10  11  12  13  14
/// 5 15  16  17  18  19  20  21  corner 2         the six neighbours of 18: 17 11 12 19 25 24
///     22  23  24  25  26  27                     (W NW NE E SE SW)
/// edge 4 28  29  30  31  32  edge 2
///         33  34  35  36
///   corner 4     edge 3    corner 3
/// ```
///
/// A rhombus of size 3 (rows shift to the right, as in Hex):
///
/// ```text
/// corner 0   edge 0   corner 1
///          0   1   2
///   edge 3   3   4   5  edge 1
///              6   7   8
///      corner 3  edge 2  corner 2
/// ```
///
/// On a hexagon a corner cell is on *no* edge, as in Havannah; on a rhombus a corner cell is on *both* edges that meet
/// in the corner, as in Hex.
pub struct Board {
    shape: Shape,
    /// For each row, the number of its first cell, and its first column.
    rows: Box<[(u16, i16)]>,
    coords: Box<[Axial]>,
    neighbours: Box<[[u16; 6]]>,
    edges: Box<[u8]>,
    corners: Box<[u8]>,
    /// `maps[k][c]`: the image of cell c under the k-th symmetry of the shape.
    maps: Box<[Box<[Cell]>]>,
    surroundings: OnceLock<Box<[Surroundings]>>,
}

/// The text has the shape only: all else follows from the shape.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Board").field(&self.shape).finish()
    }
}

impl Board {
    /// The hexagon with `size` cells on a side.
    ///
    /// # Errors
    /// An error for any size other than 2 to 20.
    pub fn hexagon(size: u8) -> Result<&'static Self, SizeError> {
        Self::of(Shape::Hexagon(size))
    }

    /// The rhombus with `size` cells on a side.
    ///
    /// # Errors
    /// An error for any size other than 1 to 19.
    pub fn rhombus(size: u8) -> Result<&'static Self, SizeError> {
        Self::of(Shape::Rhombus(size))
    }

    /// The board of a shape.
    ///
    /// The first call for a shape builds its tables in O(cells); later calls return the same tables.
    ///
    /// # Errors
    /// An error for a size outside [`Shape::limits`].
    pub fn of(shape: Shape) -> Result<&'static Self, SizeError> {
        static HEXAGONS: [OnceLock<Board>; 21] = [const { OnceLock::new() }; 21];
        static RHOMBI: [OnceLock<Board>; 20] = [const { OnceLock::new() }; 20];
        let (least, most) = shape.limits();
        let size = shape.size();
        if size < least || size > most {
            return Err(SizeError { shape });
        }
        let slot = match shape {
            Shape::Hexagon(_) => &HEXAGONS[usize::from(size)],
            Shape::Rhombus(_) => &RHOMBI[usize::from(size)],
        };
        Ok(slot.get_or_init(|| Self::build(shape)))
    }

    fn build(shape: Shape) -> Self {
        let mut rows = Vec::new();
        let mut coords = Vec::new();
        for row in 0..shape.rows() {
            let (first, end) = shape.columns(row);
            rows.push((coords.len() as u16, first));
            coords.extend((first..end).map(|column| Axial::new(row, column)));
        }
        let find = |at: Axial| Self::find(shape, &rows, at).map_or(OFF, |c| c.index() as u16);
        let neighbours: Box<[[u16; 6]]> =
            coords.iter().map(|c| Direction::ALL.map(|d| find(c.step(d)))).collect();
        let (edges, corners): (Vec<u8>, Vec<u8>) = coords.iter().map(|&c| rim_masks(shape, c)).unzip();
        // Twice the centre of the board is always a lattice point; the centre of a rhombus of even size is not.
        let twice_centre = match shape {
            Shape::Hexagon(s) => Axial::new(2 * (i16::from(s) - 1), 2 * (i16::from(s) - 1)),
            Shape::Rhombus(s) => Axial::new(i16::from(s) - 1, 2 * (i16::from(s) - 1)),
        };
        let map = |s: &Symmetry| -> Box<[Cell]> {
            let image = |c: &Axial| {
                let twice_image = s.apply(*c + *c - twice_centre) + twice_centre;
                Cell::at(usize::from(find(Axial::new(twice_image.row / 2, twice_image.column / 2))))
            };
            coords.iter().map(image).collect()
        };
        let maps = Symmetry::of(shape).iter().map(map).collect();
        Self {
            shape,
            neighbours,
            edges: edges.into(),
            corners: corners.into(),
            maps,
            rows: rows.into(),
            coords: coords.into(),
            surroundings: OnceLock::new(),
        }
    }

    /// The neighbourhoods of all cells. The first call computes them.
    #[inline]
    pub(crate) fn surroundings(&self) -> &[Surroundings] {
        self.surroundings.get_or_init(|| Surroundings::of(self))
    }

    /// The cell at a lattice point; `None` off the board.
    fn find(shape: Shape, rows: &[(u16, i16)], at: Axial) -> Option<Cell> {
        let &(first_cell, first) = rows.get(usize::try_from(at.row).ok()?)?;
        let (_, end) = shape.columns(at.row);
        (first..end)
            .contains(&at.column)
            .then(|| Cell::at(usize::from(first_cell) + (at.column - first) as usize))
    }

    /// The shape, with its size.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of cells on a side.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.shape.size()
    }

    /// The number of cells, at most [`MAX_CELLS`](crate::MAX_CELLS).
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no board is empty")]
    pub const fn len(&self) -> usize {
        self.coords.len()
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The cells of a row from left to right; none for a row that does not exist. Row 0 is at the top.
    #[must_use]
    pub fn row(&self, row: usize) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + use<> {
        let first = |row: Option<usize>| {
            row.and_then(|r| self.rows.get(r)).map_or(self.len() as u16, |&(first, _)| first)
        };
        let (start, end) = (first(Some(row)), first(row.checked_add(1)));
        (start..end).map(|i| Cell::at(usize::from(i)))
    }

    /// All cells in the order of their numbers.
    #[must_use]
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + use<> {
        (0..self.len() as u16).map(|i| Cell::at(usize::from(i)))
    }

    /// `true` if the cell is on this board.
    #[must_use]
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.index() < self.len()
    }

    /// The lattice point of a cell.
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    #[inline]
    pub fn coord(&self, cell: Cell) -> Axial {
        self.coords[cell.index()]
    }

    /// The cell at a lattice point; `None` off the board. O(1).
    #[must_use]
    pub fn cell_at(&self, at: Axial) -> Option<Cell> {
        Self::find(self.shape, &self.rows, at)
    }

    /// The neighbour in a direction; `None` beyond the rim.
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    #[inline]
    pub fn neighbour(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let n = self.neighbours[cell.index()][direction.index()];
        (n != OFF).then(|| Cell::at(usize::from(n)))
    }

    /// The neighbours on the board, clockwise from the west: 2 to 6 cells (none on a rhombus of size 1).
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[inline]
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let all = self.neighbours[cell.index()];
        all.into_iter().filter(|&n| n != OFF).map(|n| Cell::at(usize::from(n)))
    }

    /// `true` if the cell is on the rim of the board.
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    pub fn is_rim(&self, cell: Cell) -> bool {
        self.neighbours[cell.index()].contains(&OFF)
    }

    /// The edges that a cell is on: bit i for edge i, clockwise from the top, as in the picture of [`Board`].
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    #[inline]
    pub fn edge_mask(&self, cell: Cell) -> u8 {
        self.edges[cell.index()]
    }

    /// The corner at which a cell is: bit i for corner i, clockwise from the top left, as in the picture of [`Board`]; 0 for a
    /// cell at no corner. Only the single cell of a rhombus of size 1 has more than one bit.
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    #[inline]
    pub fn corner_mask(&self, cell: Cell) -> u8 {
        self.corners[cell.index()]
    }

    /// The corner cells, clockwise from the top left: 6 of a hexagon, 4 of a rhombus (1 at size 1).
    pub fn corner_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let corner = |i: u32| self.cells().find(|&c| self.corner_mask(c).trailing_zeros() == i);
        (0..6).filter_map(corner)
    }

    /// The cells of edge `edge`, in the order of their numbers; none for an edge that does not exist.
    pub fn edge_cells(&self, edge: u8) -> impl Iterator<Item = Cell> + '_ {
        self.cells()
            .filter(move |&c| u32::from(self.edge_mask(c)).checked_shr(edge.into()).unwrap_or(0) & 1 != 0)
    }

    /// The number of steps from one cell to another on the empty board.
    ///
    /// # Panics
    /// If a cell is not on this board.
    #[must_use]
    pub fn distance(&self, a: Cell, b: Cell) -> u16 {
        self.coord(a).distance(self.coord(b))
    }

    /// The cells beyond `cell` in one direction, nearest first, up to the rim.
    ///
    /// # Panics
    /// If the cell is not on this board.
    pub fn ray(&self, cell: Cell, direction: Direction) -> impl Iterator<Item = Cell> + '_ {
        std::iter::successors(self.neighbour(cell, direction), move |&c| self.neighbour(c, direction))
    }

    /// The cells from `from` to `to`, both included, if they are on one lattice line. The line from a cell to itself is this cell.
    ///
    /// # Panics
    /// If a cell is not on this board.
    #[must_use]
    pub fn line(&self, from: Cell, to: Cell) -> Option<Vec<Cell>> {
        let (start, end, steps) = (self.coord(from), self.coord(to), self.distance(from, to));
        let steps = steps as i16;
        let along = |d: &Direction| {
            let (row, column) = d.offset();
            start + Axial::new(row * steps, column * steps) == end
        };
        let direction = Direction::ALL.into_iter().find(along)?;
        let cells = std::iter::successors(Some(from), |&c| self.neighbour(c, direction));
        Some(cells.take(steps as usize + 1).collect())
    }

    /// The cells at exactly `radius` steps from `centre` that are on the board, clockwise from the
    /// west; the centre itself at radius 0.
    ///
    /// # Panics
    /// If the cell is not on this board.
    pub fn ring(&self, centre: Cell, radius: u16) -> impl Iterator<Item = Cell> + '_ {
        // A ring with a radius beyond the width of the board has no cells.
        let radius = if usize::from(radius) > 2 * self.rows() { None } else { Some(radius as i16) };
        let start = self.coord(centre);
        let point = move |k: i16, r: i16| {
            if r == 0 {
                return start;
            }
            // Point k is k % r steps along the side of the ring that begins at the corner in direction k / r.
            let corner = Direction::ALL[(k / r) as usize];
            let ((row, column), (along_row, along_column)) = (corner.offset(), corner.turned(2).offset());
            let along = k % r;
            start + Axial::new(row * r + along_row * along, column * r + along_column * along)
        };
        radius
            .into_iter()
            .flat_map(move |r| (0..(6 * r).max(1)).map(move |k| point(k, r)))
            .filter_map(|at| self.cell_at(at))
    }

    /// The two-bridges from a cell, at most six, clockwise from the two-bridge between W and NW. The far end of each is two
    /// steps away, and has two common neighbours with the cell. All four cells are on the board.
    ///
    /// # Panics
    /// If the cell is not on this board.
    pub fn two_bridges(&self, cell: Cell) -> impl Iterator<Item = TwoBridge> + '_ {
        Direction::ALL.into_iter().filter_map(move |d| {
            let carrier = [self.neighbour(cell, d)?, self.neighbour(cell, d.turned(1))?];
            let end = self.neighbour(carrier[0], d.turned(1))?;
            Some(TwoBridge { end, carrier })
        })
    }

    /// The carrier of the two-bridge with the ends `a` and `b`; `None` if the board has no such two-bridge.
    ///
    /// # Panics
    /// If `a` is not on this board.
    #[must_use]
    pub fn carrier(&self, a: Cell, b: Cell) -> Option<[Cell; 2]> {
        self.two_bridges(a).find(|t| t.end == b).map(|t| t.carrier)
    }

    /// The image of a cell under a symmetry. O(1).
    ///
    /// # Panics
    /// If the cell is not on this board, or the shape does not have the symmetry
    /// ([`Symmetry::of`]).
    #[must_use]
    #[inline]
    pub fn map(&self, symmetry: Symmetry, cell: Cell) -> Cell {
        self.maps[self.slot(symmetry)][cell.index()]
    }

    /// The image of a set of cells under a symmetry.
    ///
    /// # Panics
    /// See [`Board::map`].
    #[must_use]
    pub fn map_set(&self, symmetry: Symmetry, set: &CellSet) -> CellSet {
        let map = &self.maps[self.slot(symmetry)];
        set.iter().map(|c| map[c.index()]).collect()
    }

    /// The index of a symmetry in `maps`.
    fn slot(&self, symmetry: Symmetry) -> usize {
        match self.shape {
            Shape::Hexagon(_) => usize::from(symmetry.number()),
            Shape::Rhombus(_) => Symmetry::of(self.shape)
                .iter()
                .position(|&s| s == symmetry)
                .unwrap_or_else(|| panic!("a rhombus has no symmetry {}", symmetry.number())),
        }
    }
}

/// A two-bridge: two cells with two common neighbours, its carrier. A side with stones on both cells can connect them within the
/// carrier, even if its opponent moves first.
///
/// ```text
///   carrier[0]   end          `cell` and `end` have two common neighbours;
///        cell   carrier[1]    either of them connects the two cells.
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TwoBridge {
    /// The far end.
    pub end: Cell,
    /// The two common neighbours, in clockwise order around the near end.
    pub carrier: [Cell; 2],
}

/// The edge bits and the corner bits of a lattice point of a shape, both clockwise from the top.
fn rim_masks(shape: Shape, at: Axial) -> (u8, u8) {
    match shape {
        Shape::Hexagon(s) => {
            let last = i16::from(s) - 1;
            let (row, column, slant) = (at.row, at.column, at.row - at.column);
            let on =
                [row == 0, slant == -last, column == 2 * last, row == 2 * last, slant == last, column == 0];
            let edge = |i: usize| u8::from(on[i]) << i;
            // Corner i is on the lines of the edges i − 1 and i.
            let corners = (0..6).map(|i| u8::from(on[i] && on[(i + 5) % 6]) << i).sum();
            (if corners == 0 { (0..6).map(edge).sum() } else { 0 }, corners)
        }
        Shape::Rhombus(s) => {
            let last = i16::from(s) - 1;
            let across = at.column - at.row;
            let on = [at.row == 0, across == last, at.row == last, across == 0];
            let edges = (0..4).map(|i| u8::from(on[i]) << i).sum();
            (edges, (0..4).map(|i| u8::from(on[i] && on[(i + 3) % 4]) << i).sum())
        }
    }
}
