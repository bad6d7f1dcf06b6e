//! Directions of stones and of their moves, and the symmetries of the lattice.

use super::DiagonalError;

/// The orientation of a stone, which depends on its location alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Orientation {
    /// The stone lies along a vertical line: a + b is even.
    Vertical,
    /// The stone lies along a horizontal line: a + b is odd.
    Horizontal,
}

/// One of the two ends of the board, with a homebase each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Home {
    /// The end with the homebase A01, (1, 1).
    Bottom,
    /// The end with the homebase (Y, Y); K11 on the board of size 4.
    Top,
}

/// A step from a location to one of its eight neighbours.
///
/// ```text
///        (1,1)
///          Up
///  (1,0) UpLeft    UpRight (0,1)         what is added to (a, b)
///
///  (1,-1) Left   *   Right (-1,1)
///
///  (0,-1) DownLeft  DownRight (-1,0)
///         Down
///        (-1,-1)
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(missing_docs, reason = "the picture says what they are")]
#[repr(u8)]
pub enum Heading {
    Up,
    Down,
    Left,
    Right,
    UpLeft,
    UpRight,
    DownLeft,
    DownRight,
}

/// The kind of a step, relative to the stone that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Motion {
    /// A step along the stone's own line: up or down for a vertical stone, left or right for a horizontal stone.
    Lengthwise,
    /// A step to the next line beside the stone, in the same orientation.
    Sideways,
    /// A quarter turn about one of the stone's two intersections.
    Rotation,
}

impl Heading {
    /// All eight headings, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Up,
        Self::Down,
        Self::Left,
        Self::Right,
        Self::UpLeft,
        Self::UpRight,
        Self::DownLeft,
        Self::DownRight,
    ];

    /// The number, 0 to 7.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The change of (a, b) by the step.
    #[must_use]
    #[inline]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::Up => (1, 1),
            Self::Down => (-1, -1),
            Self::Left => (1, -1),
            Self::Right => (-1, 1),
            Self::UpLeft => (1, 0),
            Self::UpRight => (0, 1),
            Self::DownLeft => (0, -1),
            Self::DownRight => (-1, 0),
        }
    }

    /// The step with this change of (a, b); `None` if no step has it.
    #[must_use]
    pub fn with_delta(delta: (i8, i8)) -> Option<Self> {
        Self::ALL.into_iter().find(|heading| heading.delta() == delta)
    }

    /// The opposite step.
    #[must_use]
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::UpLeft => Self::DownRight,
            Self::UpRight => Self::DownLeft,
            Self::DownLeft => Self::UpRight,
            Self::DownRight => Self::UpLeft,
        }
    }

    /// The kind of this step for a stone of an orientation.
    #[must_use]
    pub const fn motion(self, orientation: Orientation) -> Motion {
        match (self, orientation) {
            (Self::Up | Self::Down, Orientation::Vertical)
            | (Self::Left | Self::Right, Orientation::Horizontal) => Motion::Lengthwise,
            (Self::Up | Self::Down, Orientation::Horizontal)
            | (Self::Left | Self::Right, Orientation::Vertical) => Motion::Sideways,
            _ => Motion::Rotation,
        }
    }
}

/// One of the four symmetries of the diagonal lattice.
///
/// The first bit of the number mirrors left and right, (a, b) → (b, a). Its second bit mirrors top and bottom,
/// (a, b) → (Y + 1 − b, Y + 1 − a), which exchanges the homebases. Each symmetry is its own inverse, and all of them
/// commute.
///
/// ```
/// use stonework_board::{Diagonal, DiagonalSymmetry};
/// let lattice = Diagonal::of(4)?;
/// let orbit = |name| DiagonalSymmetry::ALL.map(|s| lattice.name(lattice.map(s, lattice.parse(name).unwrap())));
/// assert_eq!(orbit("C02"), ["C02", "B03", "J09", "I10"]);
/// # Ok::<(), stonework_board::DiagonalError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct DiagonalSymmetry(u8);

impl DiagonalSymmetry {
    /// The element that moves nothing.
    pub const IDENTITY: Self = Self(0);
    /// The symmetry that exchanges left and right.
    pub const MIRROR: Self = Self(1);
    /// The symmetry that exchanges top and bottom.
    pub const FLIP: Self = Self(2);

    /// All four symmetries, in the order of their numbers: identity, mirror, flip, both (a half turn).
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The element with this number, `None` from 4 upwards.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 4 { Some(Self(number)) } else { None }
    }

    /// The number, 0 to 3.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The symmetry that applies `self` first and then `next`.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        Self(self.0 ^ next.0)
    }

    /// `true` if the symmetry exchanges the homebases.
    #[must_use]
    pub const fn swaps_homes(self) -> bool {
        self.0 & Self::FLIP.0 != 0
    }

    /// The image of (a, b) on a board with coordinates 1 to `side`.
    pub(super) const fn apply(self, (mut a, mut b): (u8, u8), side: u8) -> (u8, u8) {
        if self.0 & Self::MIRROR.0 != 0 {
            (a, b) = (b, a);
        }
        if self.swaps_homes() {
            (a, b) = (side + 1 - b, side + 1 - a);
        }
        (a, b)
    }

    /// The image of a step.
    #[must_use]
    pub const fn heading(self, heading: Heading) -> Heading {
        let mirrored = match heading {
            _ if self.0 & Self::MIRROR.0 == 0 => heading,
            Heading::Left => Heading::Right,
            Heading::Right => Heading::Left,
            Heading::UpLeft => Heading::UpRight,
            Heading::UpRight => Heading::UpLeft,
            Heading::DownLeft => Heading::DownRight,
            Heading::DownRight => Heading::DownLeft,
            Heading::Up | Heading::Down => heading,
        };
        match mirrored {
            _ if !self.swaps_homes() => mirrored,
            Heading::Up => Heading::Down,
            Heading::Down => Heading::Up,
            Heading::UpLeft => Heading::DownLeft,
            Heading::DownLeft => Heading::UpLeft,
            Heading::UpRight => Heading::DownRight,
            Heading::DownRight => Heading::UpRight,
            Heading::Left | Heading::Right => mirrored,
        }
    }
}

impl From<DiagonalSymmetry> for u8 {
    fn from(symmetry: DiagonalSymmetry) -> Self {
        symmetry.0
    }
}

impl TryFrom<u8> for DiagonalSymmetry {
    type Error = DiagonalError;

    fn try_from(number: u8) -> Result<Self, DiagonalError> {
        Self::new(number).ok_or(DiagonalError::Symmetry { number })
    }
}
