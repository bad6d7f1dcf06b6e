//! The symmetries of the hexagonal lattice as a group.

use crate::{Axial, Cube, Shape};

/// One of the twelve symmetries of the regular hexagon, the dihedral group D₆.
///
/// The symmetry with the number `m·6 + r` first mirrors left and right if `m` is 1, then turns by `r`·60° clockwise about
/// the board's centre. Number 0 is the identity. A hexagon has all twelve symmetries; a rhombus has four of them
/// ([`Symmetry::of`]).
///
/// ```
/// use stonework_board::{Board, Symmetry, Shape};
/// let board = Board::hexagon(4)?;
/// let turn = Symmetry::new(1).unwrap();
/// let a1 = board.parse("a1")?;
/// assert_eq!(board.parse("a4")?, board.map(turn, a1));            // the next corner, clockwise
/// assert_eq!(turn.then(turn.inverse()), Symmetry::IDENTITY);
/// assert_eq!(Symmetry::of(board.shape()).len(), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Symmetry(u8);

const ALL: [Symmetry; 12] = {
    let mut all = [Symmetry(0); 12];
    let mut i = 0;
    while i < 12 {
        all[i] = Symmetry(i as u8);
        i += 1;
    }
    all
};
/// The identity, the half turn, and the reflections in the long and the short diagonal.
const RHOMBUS: [Symmetry; 4] = [Symmetry(0), Symmetry(3), Symmetry(7), Symmetry(10)];

impl Symmetry {
    /// The symmetry that moves nothing.
    pub const IDENTITY: Self = Self(0);

    /// All twelve symmetries, the identity first.
    pub const ALL: [Self; 12] = ALL;

    /// The symmetry with this number; `None` for a number above 11.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 12 { Some(Self(number)) } else { None }
    }

    /// The number, 0 to 11.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The symmetries of a shape, the identity first: 12 of a hexagon, 4 of a rhombus.
    #[must_use]
    pub const fn of(shape: Shape) -> &'static [Self] {
        match shape {
            Shape::Hexagon(_) => &ALL,
            Shape::Rhombus(_) => &RHOMBUS,
        }
    }

    const fn turns(self) -> u8 {
        self.0 % 6
    }

    const fn mirrored(self) -> bool {
        self.0 >= 6
    }

    /// The symmetry that applies `self` first and then `next`.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        let turns = if next.mirrored() { 6 - self.turns() } else { self.turns() };
        let mirrored = self.mirrored() != next.mirrored();
        Self((turns + next.turns()) % 6 + 6 * mirrored as u8)
    }

    /// The inverse of this symmetry.
    #[must_use]
    pub const fn inverse(self) -> Self {
        if self.mirrored() { self } else { Self((6 - self.turns()) % 6) }
    }

    /// The image of a lattice point; the centre of the symmetry is the origin.
    #[must_use]
    pub const fn apply(self, point: Axial) -> Axial {
        let mut p = point.cube();
        if self.mirrored() {
            p = Cube { x: p.z, y: p.y, z: p.x };
        }
        let mut turns = self.turns();
        while turns > 0 {
            p = Cube { x: -p.z, y: -p.x, z: -p.y };
            turns -= 1;
        }
        p.axial()
    }
}

impl From<Symmetry> for u8 {
    fn from(symmetry: Symmetry) -> Self {
        symmetry.0
    }
}

impl TryFrom<u8> for Symmetry {
    type Error = SymmetryError;

    fn try_from(number: u8) -> Result<Self, SymmetryError> {
        Self::new(number).ok_or(SymmetryError { number })
    }
}

/// A number that is no symmetry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{number} is no symmetry of the hexagon: it has 0 to 11")]
#[non_exhaustive]
pub struct SymmetryError {
    /// The refused number.
    pub number: u8,
}
