//! Lattice coordinates and directions.

use std::ops::{Add, Sub};

/// A point of the hexagonal lattice, on a board or off it.
///
/// `row` counts downwards from the top row, `column` runs along the row; the two axes are slanted
/// so that a step straight down-left keeps the column:
///
/// ```text
///          (r-1,c-1)  (r-1,c)
///        (r,c-1)   (r,c)   (r,c+1)
///            (r+1,c)   (r+1,c+1)
/// ```
///
/// The coordinate system is Ewalds' (*Playing and Solving Havannah*, 2012), zero-based: `f5` is row 5, column 4.
///
/// Sums, differences, steps, distances and cube coordinates are computed in `i16`, and overflow as `i16` does; from coordinates
/// between −8000 and 8000, far beyond every board, none overflows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Axial {
    /// The number of rows down from the top row.
    pub row: i16,
    /// The number of columns along the slanted axis.
    pub column: i16,
}

impl Axial {
    /// The point at `row` and `column`.
    #[must_use]
    pub const fn new(row: i16, column: i16) -> Self {
        Self { row, column }
    }

    /// The same point in cube coordinates.
    #[must_use]
    pub const fn cube(self) -> Cube {
        Cube { x: self.column, y: -self.row, z: self.row - self.column }
    }

    /// The neighbouring point in a direction.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let (row, column) = direction.offset();
        Self { row: self.row + row, column: self.column + column }
    }

    /// The number of steps between two points: d = (|dx| + |dy| + |dz|) / 2 in cube coordinates.
    #[must_use]
    pub const fn distance(self, other: Self) -> u16 {
        let (a, b) = (self.cube(), other.cube());
        (a.x.abs_diff(b.x) + a.y.abs_diff(b.y) + a.z.abs_diff(b.z)) / 2
    }
}

impl Add for Axial {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { row: self.row + other.row, column: self.column + other.column }
    }
}

impl Sub for Axial {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { row: self.row - other.row, column: self.column - other.column }
    }
}

/// A lattice point in cube coordinates, with `x + y + z == 0`. Each coordinate is constant along one pair of directions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cube {
    /// The coordinate that grows to the east, and is constant along SW–NE.
    pub x: i16,
    /// The coordinate that grows upwards, and is constant along W–E.
    pub y: i16,
    /// The coordinate that grows to the south-west, and is constant along NW–SE.
    pub z: i16,
}

impl Cube {
    /// The same point in axial coordinates.
    #[must_use]
    pub const fn axial(self) -> Axial {
        Axial { row: -self.y, column: self.x }
    }
}

/// One of the six steps to a neighbour, clockwise from the west.
///
/// ```text
///      1 NW   2 NE
///    0 W    *    3 E
///      5 SW   4 SE
/// ```
///
/// The order is the order of the letters a–f in the patterns of the program Lajkonik.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Direction {
    /// Left along the row.
    W,
    /// Up and to the left.
    NW,
    /// Up and to the right.
    NE,
    /// Right along the row.
    E,
    /// Down and to the right.
    SE,
    /// Down and to the left.
    SW,
}

impl Direction {
    /// All six directions, clockwise from the west.
    pub const ALL: [Self; 6] = [Self::W, Self::NW, Self::NE, Self::E, Self::SE, Self::SW];

    /// The index in [`Direction::ALL`], 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction after `sixths` turns of 60° clockwise (anticlockwise when negative).
    #[must_use]
    pub const fn turned(self, sixths: i8) -> Self {
        Self::ALL[(self as i8 + sixths % 6).rem_euclid(6) as usize]
    }

    /// The direction back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.turned(3)
    }

    /// The change of row and column that one step makes.
    #[must_use]
    pub const fn offset(self) -> (i16, i16) {
        match self {
            Self::W => (0, -1),
            Self::NW => (-1, -1),
            Self::NE => (-1, 0),
            Self::E => (0, 1),
            Self::SE => (1, 1),
            Self::SW => (1, 0),
        }
    }

    /// The direction from a point to a neighbour; `None` if `to` is no neighbour of `from`.
    #[must_use]
    pub fn between(from: Axial, to: Axial) -> Option<Self> {
        Self::ALL.into_iter().find(|&d| from.step(d) == to)
    }
}
