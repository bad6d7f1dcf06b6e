//! [`Diagonal`]: the lattice of Cover, on whose lines oblong stones lie.

mod draw;
mod heading;
mod notation;
mod page;

use std::fmt;
use std::sync::OnceLock;

pub use draw::DiagonalDiagram;
pub use heading::{DiagonalSymmetry, Heading, Home, Motion, Orientation};
pub use notation::DiagonalNotation;

use crate::Cell;

/// The smallest size.
const LEAST: u8 = 1;
/// The largest size.
const MOST: u8 = 10;
/// The entry of a table for a location that does not exist.
const NONE: u16 = u16::MAX;

/// A point at which a horizontal and a vertical line cross, by its number, which is an index into tables.
///
/// Intersections are numbered from 0, line by line from the bottom, each line from the left. An `Intersection` does not contain
/// the size of its lattice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Intersection(u16);

impl Intersection {
    /// The number, below [`Diagonal::MAX_INTERSECTIONS`].
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The refusal of a size, a name, a notation or a symmetry of the diagonal lattice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiagonalError {
    /// The size has no lattice.
    #[error("no diagonal lattice of size {size}: sizes are {LEAST} to {MOST}")]
    Size {
        /// The refused size.
        size: u8,
    },
    /// The text is no name in its notation.
    #[error("`{name}` is no name of a location ({notation} notation): expected {expected} at byte {at}")]
    Syntax {
        /// The text (its beginning, if it is long).
        name: String,
        /// The notation of the name.
        notation: DiagonalNotation,
        /// The first byte at which the text is no name.
        at: usize,
        /// A description of a valid text at this byte.
        expected: String,
    },
    /// The name is well formed, but the lattice has no such location.
    #[error(
        "`{name}` is not on a diagonal lattice of size {size} ({notation} notation), which runs from {first} to {last}"
    )]
    OffBoard {
        /// The name.
        name: String,
        /// The notation of the name.
        notation: DiagonalNotation,
        /// The size of the lattice.
        size: u8,
        /// The name of the bottom homebase.
        first: String,
        /// The name of the top homebase.
        last: String,
    },
    /// The number is no symmetry.
    #[error("{number} is no symmetry of the diagonal lattice: it has 0 to 3")]
    Symmetry {
        /// The refused number.
        number: u8,
    },
    /// The text names no notation.
    #[error("`{name}` is no notation: diagram, original or delta")]
    Notation {
        /// The text (its beginning, if it is long).
        name: String,
    },
}

impl DiagonalError {
    /// The first byte at which the text is no name; 0 for a well-formed text.
    #[must_use]
    pub const fn at(&self) -> usize {
        if let Self::Syntax { at, .. } = self { *at } else { 0 }
    }
}

/// Immutable tables of the diagonal lattice of one size.
///
/// Each size has one lattice, which is built at its first use and shared as a `&'static Diagonal`. Every method below is a
/// look-up.
///
/// Size X has coordinates 1 to Y = 2X + 3 and Y² *locations* (a, b), written as a letter and two digits: A07 is (1, 7). The
/// square stands on its corner A01. A stone on a location covers the two *intersections* at the ends of a piece of line,
/// which is vertical or horizontal, depending on the location. Size 1:
///
/// ```text
///            +                11
///         05 | E              10
///     04 +---+---+ D           9
///     03 |   |   | C           8
/// 02 +---+---+---+---+ B       7
///  E |   |   |   |   | 05      6
///  D +---+---+---+---+ 04      5
///      C |   |   | 03          4
///      B +---+---+ 02          3
///          A | 01              2
///            +             s = 1
///    -4  -2  0   2   4 = d
/// ```
///
/// The column d = b − a grows to the right and the height s = a + b upwards: lines of text from the
/// bottom have s = 1, 2, 3, …; intersections `+` have d even and s odd, vertical locations `|` both even,
/// horizontal locations `---` both odd. Letters run up to the left, digits up to the right.
///
/// Locations are numbered as [`Cell`]s from 0 in the order of their names: Y·(a − 1) + b − 1.
///
/// ```
/// use stonework_board::{Diagonal, Heading, Home, Orientation};
/// let lattice = Diagonal::of(4)?;
/// let a07 = lattice.parse("A07")?;
/// assert_eq!((lattice.column(a07), lattice.height(a07)), (6, 8));
/// assert_eq!(lattice.orientation(a07), Orientation::Vertical);
/// assert_eq!(lattice.distance(a07, Home::Top), 10);
/// let ahead = lattice.ahead(a07, Heading::Up).iter().map(|&i| lattice.point(i));
/// assert!(ahead.eq([(6, 11), (6, 13), (6, 15), (6, 17)]));
/// # Ok::<(), stonework_board::DiagonalError>(())
/// ```
pub struct Diagonal {
    size: u8,
    locations: Box<[Location]>,
    /// The column d and the height s of each intersection.
    points: Box<[(i8, i8)]>,
    /// The locations that cover each intersection.
    covering: Box<[[Option<Cell>; 4]]>,
    /// The intersections ahead of each location, for [`Diagonal::ahead`].
    rays: Box<[Intersection]>,
}

/// The text has the size only: all else follows from the size.
impl fmt::Debug for Diagonal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Diagonal").field(&self.size).finish()
    }
}

/// The geometry of a location.
#[derive(Clone, Copy, Debug)]
struct Location {
    a: u8,
    b: u8,
    /// The intersections that a stone covers.
    ends: [Intersection; 2],
    /// The neighbour in each [`Heading`], by its number, or [`NONE`].
    beside: [u16; 8],
    /// The intersections ahead as two parts of `rays`, each by its first index and its length: up or right, and down or
    /// left.
    ahead: [(u16, u16); 2],
}

impl Diagonal {
    /// The smallest size.
    pub const MIN_SIZE: u8 = LEAST;
    /// The largest size.
    pub const MAX_SIZE: u8 = MOST;
    /// The number of intersections of the largest lattice.
    pub const MAX_INTERSECTIONS: usize = 288;

    /// The lattice of a size from 1 to 10.
    ///
    /// The first call for a size builds its tables in O(Y³); later calls return the same tables.
    ///
    /// # Errors
    /// [`DiagonalError::Size`] for any other size.
    pub fn of(size: u8) -> Result<&'static Self, DiagonalError> {
        static ALL: [OnceLock<Diagonal>; MOST as usize + 1] = [const { OnceLock::new() }; MOST as usize + 1];
        if !(LEAST..=MOST).contains(&size) {
            return Err(DiagonalError::Size { size });
        }
        Ok(ALL[usize::from(size)].get_or_init(|| Self::build(size)))
    }

    fn build(size: u8) -> Self {
        let side = 2 * size as i8 + 3;
        let points = points(side);
        let find = |d: i8, s: i8| {
            let at = points.iter().position(|&point| point == (d, s));
            at.map(|index| Intersection(index as u16))
        };
        let number = |a: i8, b: i8| {
            let on_lattice = (1..=side).contains(&a) && (1..=side).contains(&b);
            if on_lattice { (i16::from(a - 1) * i16::from(side) + i16::from(b - 1)) as u16 } else { NONE }
        };
        let (mut locations, mut rays) = (Vec::new(), Vec::new());
        for (a, b) in (1..=side).flat_map(|a| (1..=side).map(move |b| (a, b))) {
            let (d, s) = (b - a, a + b);
            let (dx, dy) = if s % 2 == 0 { (0, 1) } else { (1, 0) };
            let ends = [find(d - dx, s - dy), find(d + dx, s + dy)]
                .map(|end| end.unwrap_or_else(|| unreachable!("both ends of ({a}, {b}) are intersections")));
            let mut ray = |sign: i8| {
                let first = rays.len() as u16;
                let steps = (3..).step_by(2).map(|k| find(d + sign * k * dx, s + sign * k * dy));
                rays.extend(steps.map_while(|point| point));
                (first, rays.len() as u16 - first)
            };
            let ahead = [ray(1), ray(-1)];
            let beside = Heading::ALL.map(|heading| {
                let (da, db) = heading.delta();
                number(a + da, b + db)
            });
            locations.push(Location { a: a as u8, b: b as u8, ends, beside, ahead });
        }
        // The locations below, above, to the left and to the right of each intersection.
        let covering = points.iter().map(|&(d, s)| {
            [(d, s - 1), (d, s + 1), (d - 1, s), (d + 1, s)].map(|(d, s)| {
                let number = number((s - d) / 2, i8::midpoint(s, d));
                (number != NONE).then(|| Cell::at(usize::from(number)))
            })
        });
        let covering = covering.collect();
        Self { size, locations: locations.into(), covering, points: points.into(), rays: rays.into() }
    }

    /// The size X, 1 to 10.
    #[must_use]
    #[inline]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// The largest coordinate, Y = 2X + 3.
    #[must_use]
    #[inline]
    pub const fn side(&self) -> u8 {
        2 * self.size + 3
    }

    /// The number of locations, Y².
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.locations.len()
    }

    /// Always `false`: every lattice has locations.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// The locations, in the order of their numbers.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + use<> {
        (0..self.len()).map(Cell::at)
    }

    /// `true` if a cell is a location of this lattice.
    #[must_use]
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.index() < self.len()
    }

    /// The location (a, b); `None` unless both coordinates are 1 to Y.
    #[must_use]
    pub fn cell(&self, a: u8, b: u8) -> Option<Cell> {
        let side = self.side();
        let on_lattice = (1..=side).contains(&a) && (1..=side).contains(&b);
        on_lattice.then(|| Cell::at(usize::from(a - 1) * usize::from(side) + usize::from(b - 1)))
    }

    /// The location in a column and at a height; `None` if the lattice has no such location.
    #[must_use]
    pub fn cell_at(&self, column: i8, height: i8) -> Option<Cell> {
        let (d, s) = (i16::from(column), i16::from(height));
        if (d + s) % 2 != 0 {
            return None;
        }
        self.cell(u8::try_from((s - d) / 2).ok()?, u8::try_from(i16::midpoint(s, d)).ok()?)
    }

    #[inline]
    fn location(&self, cell: Cell) -> &Location {
        &self.locations[cell.index()]
    }

    /// The two coordinates (a, b) of a location, 1 to Y each.
    ///
    /// # Panics
    /// If the cell is not on the lattice; this holds for all methods below that take a cell.
    #[must_use]
    #[inline]
    pub fn coordinates(&self, cell: Cell) -> (u8, u8) {
        let location = self.location(cell);
        (location.a, location.b)
    }

    /// The column d = b − a, from −(Y − 1) at the left to Y − 1.
    #[must_use]
    pub fn column(&self, cell: Cell) -> i8 {
        let (a, b) = self.coordinates(cell);
        b as i8 - a as i8
    }

    /// The height s = a + b, from 2 at the bottom to 2Y.
    #[must_use]
    pub fn height(&self, cell: Cell) -> i8 {
        let (a, b) = self.coordinates(cell);
        (a + b) as i8
    }

    /// The vertical line through the middle of a location, counted from the middle of the board: |d|. Odd lines, through horizontal
    /// locations, are not in the picture.
    #[must_use]
    pub fn vertical_line(&self, cell: Cell) -> u8 {
        self.column(cell).unsigned_abs()
    }

    /// The horizontal line through the middle of a location, counted from the bottom: s. Even lines, through vertical locations, are
    /// not in the picture.
    #[must_use]
    pub fn horizontal_line(&self, cell: Cell) -> u8 {
        self.height(cell).unsigned_abs()
    }

    /// The two lines on which the targets of a stone on this location are, if the stone moves along its own line: for a vertical stone the
    /// columns d − 1 and d + 1, for a horizontal stone the heights s − 1 and s + 1. One of the columns may be beyond the edge.
    #[must_use]
    pub fn shooting_lines(&self, cell: Cell) -> [i8; 2] {
        let line = match self.orientation(cell) {
            Orientation::Vertical => self.column(cell),
            Orientation::Horizontal => self.height(cell),
        };
        [line - 1, line + 1]
    }

    /// The orientation of a stone on a location.
    #[must_use]
    #[inline]
    pub fn orientation(&self, cell: Cell) -> Orientation {
        let (a, b) = self.coordinates(cell);
        if (a + b) % 2 == 0 { Orientation::Vertical } else { Orientation::Horizontal }
    }

    /// The homebase at one end of the board, which is a corner.
    #[must_use]
    pub const fn homebase(&self, home: Home) -> Cell {
        match home {
            Home::Bottom => Cell::at(0),
            Home::Top => Cell::at(self.len() - 1),
        }
    }

    /// The least number of steps that a stone needs from a location to a homebase.
    #[must_use]
    pub fn distance(&self, cell: Cell, home: Home) -> u8 {
        let (a, b) = self.coordinates(cell);
        match home {
            Home::Bottom => a.max(b) - 1,
            Home::Top => self.side() - a.min(b),
        }
    }

    /// The location one step away in a heading; `None` beyond the edge.
    #[must_use]
    #[inline]
    pub fn neighbour(&self, cell: Cell, heading: Heading) -> Option<Cell> {
        let number = self.location(cell).beside[heading.index()];
        (number != NONE).then(|| Cell::at(usize::from(number)))
    }

    /// The heading of the step from one location to another; `None` if the locations are equal or more than one step apart.
    #[must_use]
    pub fn heading(&self, from: Cell, to: Cell) -> Option<Heading> {
        Heading::ALL.into_iter().find(|&heading| self.neighbour(from, heading) == Some(to))
    }

    /// The number of intersections, (Y + 1)² / 2.
    #[must_use]
    pub const fn intersection_count(&self) -> usize {
        self.points.len()
    }

    /// The intersections that a stone on this location covers: the lower or left intersection first.
    #[must_use]
    #[inline]
    pub fn intersections(&self, cell: Cell) -> [Intersection; 2] {
        self.location(cell).ends
    }

    /// The intersection in a column and at a height; `None` if the lattice has no such intersection.
    #[must_use]
    pub fn intersection_at(&self, column: i8, height: i8) -> Option<Intersection> {
        let at = self.points.binary_search_by_key(&(height, column), |&(d, s)| (s, d));
        at.ok().map(|index| Intersection(index as u16))
    }

    /// The column d and the height s of an intersection: d is even, s is odd.
    ///
    /// # Panics
    /// If the intersection is not on the lattice.
    #[must_use]
    pub fn point(&self, intersection: Intersection) -> (i8, i8) {
        self.points[intersection.index()]
    }

    /// The locations whose stones cover an intersection: the vertical locations below and above it, then the horizontal
    /// locations to the left and to the right. An intersection has four such locations inside the board, fewer at its
    /// edge.
    ///
    /// # Panics
    /// If the intersection is not on the lattice.
    #[must_use]
    #[inline]
    pub fn covering(&self, intersection: Intersection) -> [Option<Cell>; 4] {
        self.covering[intersection.index()]
    }

    /// `true` if stones on two locations would share an intersection. Every location overlaps itself.
    #[must_use]
    pub fn overlap(&self, cell: Cell, other: Cell) -> bool {
        let theirs = self.intersections(other);
        self.intersections(cell).iter().any(|end| theirs.contains(end))
    }

    /// The other locations that overlap this one: at most six, all neighbours except the two at its sides.
    pub fn overlaps(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let beside = Heading::ALL.into_iter().filter_map(move |heading| self.neighbour(cell, heading));
        beside.filter(move |&other| self.overlap(cell, other))
    }

    /// The intersections that a shot in this direction passes: all intersections on the stone's own line from its end to the
    /// edge, nearest first. After its step the stone itself covers the first intersection. Empty if the step is not
    /// [lengthwise](Motion::Lengthwise).
    #[must_use]
    #[inline]
    pub fn ahead(&self, cell: Cell, heading: Heading) -> &[Intersection] {
        if heading.motion(self.orientation(cell)) != Motion::Lengthwise {
            return &[];
        }
        let forward = matches!(heading, Heading::Up | Heading::Right);
        let (first, count) = self.location(cell).ahead[usize::from(!forward)];
        &self.rays[usize::from(first)..usize::from(first + count)]
    }

    /// The image of a location under a symmetry.
    #[must_use]
    pub fn map(&self, symmetry: DiagonalSymmetry, cell: Cell) -> Cell {
        let (a, b) = symmetry.apply(self.coordinates(cell), self.side());
        Cell::at(usize::from(a - 1) * usize::from(self.side()) + usize::from(b - 1))
    }

    /// The location's name in the [diagram notation](DiagonalNotation::Diagram): `A07`.
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        DiagonalNotation::Diagram.name_of(self, cell)
    }

    /// The location with a name in the [diagram notation](DiagonalNotation::Diagram).
    ///
    /// # Errors
    /// The errors of [`DiagonalNotation::parse`].
    pub fn parse(&self, name: &str) -> Result<Cell, DiagonalError> {
        DiagonalNotation::Diagram.parse(self, name)
    }

    /// A square of characters, one for each location, in the order of the thesis' end-game tables: rows from b = Y down to 1,
    /// columns from a = Y down to 1.
    ///
    /// ```
    /// use stonework_board::Diagonal;
    /// let lattice = Diagonal::of(1)?;
    /// let b03 = lattice.parse("B03")?;
    /// let table = lattice.table(|cell| if cell == b03 { 'X' } else if lattice.overlap(cell, b03) { '#' } else { '.' });
    /// assert_eq!(table, ".....\n...##\n..#X#\n..##.\n.....");
    /// # Ok::<(), stonework_board::DiagonalError>(())
    /// ```
    #[must_use]
    pub fn table(&self, mut mark: impl FnMut(Cell) -> char) -> String {
        let side = usize::from(self.side());
        let mut row = |b: usize| (0..side).rev().map(|a| mark(Cell::at(a * side + b))).collect::<String>();
        (0..side).rev().map(&mut row).collect::<Vec<_>>().join("\n")
    }
}

/// The column and the height of all intersections of a lattice whose largest coordinate is `side`, line by line from the bottom.
fn points(side: i8) -> Vec<(i8, i8)> {
    let line = |s: i8| (1 - side..side).step_by(2).map(move |d| (d, s));
    let all = (1..=2 * side + 1).step_by(2).flat_map(line);
    all.filter(|&(d, s)| d.abs() + (s - side - 1).abs() <= side).collect()
}
