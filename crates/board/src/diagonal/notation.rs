//! Names of locations in the three notations of the thesis, written and read.

use std::fmt;
use std::str::FromStr;

use super::{Diagonal, DiagonalError, Orientation};
use crate::Cell;
use crate::notation::shorten;

/// A way to name the locations of a [`Diagonal`].
///
/// | | G07 | C05 | I02 |
/// |---|---|---|---|
/// | diagram | G07 | C05 | I02 |
/// | original | BD.0 | CE.1 | A.68 |
/// | delta | 0/2 | 2/-4 | -7/-1 |
///
/// The examples are for size 4. Capital and small letters are read alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DiagonalNotation {
    /// The notation of the thesis: a letter for a, two digits for b.
    #[default]
    Diagram,
    /// The notation of the inventor, by lines. Horizontal lines have letters: A C E … below the middle, B D F … above it.
    /// Vertical lines have numbers: 0 in the middle, 1 3 5 … to the right, 2 4 6 … to the left. A vertical stone lies on a
    /// number between two letters, a horizontal stone on a letter between two numbers.
    Original,
    /// The column and the height, counted from the centre of the board.
    Delta,
}

/// The letter of a horizontal line at an odd height above the middle.
fn line_letter(y: i8) -> char {
    let index = if y > 0 { y } else { -y - 1 };
    char::from(b'A' + index as u8)
}

/// The height above the middle of the line with a letter.
fn line_height(letter: u8) -> i8 {
    let index = (letter.to_ascii_uppercase() - b'A') as i8;
    if index % 2 == 0 { -1 - index } else { index }
}

/// The number of the vertical line in an even column.
const fn line_number(d: i8) -> i8 {
    if d > 0 { d - 1 } else { -d }
}

/// The column of the vertical line with a number.
const fn line_column(number: i8) -> i8 {
    if number % 2 == 0 { -number } else { number + 1 }
}

impl DiagonalNotation {
    /// All notations.
    pub const ALL: [Self; 3] = [Self::Diagram, Self::Original, Self::Delta];

    /// The name, which [`str::parse`] reads: `diagram`, `original` or `delta`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Diagram => "diagram",
            Self::Original => "original",
            Self::Delta => "delta",
        }
    }

    /// The name of a location.
    ///
    /// # Panics
    /// If the cell is not on the lattice.
    #[must_use]
    pub fn name_of(self, lattice: &Diagonal, cell: Cell) -> String {
        let (a, b) = lattice.coordinates(cell);
        let (x, y) = (lattice.column(cell), lattice.height(cell) - lattice.side() as i8 - 1);
        match (self, lattice.orientation(cell)) {
            (Self::Diagram, _) => format!("{}{b:02}", char::from(b'A' + a - 1)),
            (Self::Delta, _) => format!("{x}/{y}"),
            (Self::Original, Orientation::Vertical) => {
                let (low, high) = (line_letter(y - 1), line_letter(y + 1));
                format!("{}{}.{}", low.min(high), low.max(high), line_number(x))
            }
            (Self::Original, Orientation::Horizontal) => {
                let (left, right) = (line_number(x - 1), line_number(x + 1));
                format!("{}.{}{}", line_letter(y), left.min(right), left.max(right))
            }
        }
    }

    /// The name of a drawn line: the vertical line in an even column, or the horizontal line at an odd height above the middle.
    pub(super) fn line_name(self, line: (Orientation, i8)) -> String {
        match (self, line) {
            (Self::Original, (Orientation::Vertical, d)) => line_number(d).to_string(),
            (Self::Original, (Orientation::Horizontal, y)) => line_letter(y).to_string(),
            (_, (_, number)) => number.to_string(),
        }
    }

    /// The location with a name.
    ///
    /// # Errors
    /// [`DiagonalError::Syntax`] with the first byte at which the text is no name, or [`DiagonalError::OffBoard`] for a
    /// well-formed name without a location.
    pub fn parse(self, lattice: &Diagonal, name: &str) -> Result<Cell, DiagonalError> {
        let found = match self {
            Self::Diagram => self.diagram(lattice, name)?,
            Self::Original => self.original(lattice, name)?,
            Self::Delta => self.delta(lattice, name)?,
        };
        let Some(cell) = found else {
            let home = |home| self.name_of(lattice, lattice.homebase(home));
            return Err(DiagonalError::OffBoard {
                name: shorten(name),
                notation: self,
                size: lattice.size(),
                first: home(super::Home::Bottom),
                last: home(super::Home::Top),
            });
        };
        // A location has one name: `+4/0` and `DB.0` are refused.
        let written = self.name_of(lattice, cell);
        if written.eq_ignore_ascii_case(name) {
            Ok(cell)
        } else {
            self.wrong(name, 0, &format!("`{written}`"))
        }
    }

    fn wrong<T>(self, name: &str, at: usize, expected: &str) -> Result<T, DiagonalError> {
        Err(DiagonalError::Syntax { name: shorten(name), notation: self, at, expected: expected.to_owned() })
    }

    fn diagram(self, lattice: &Diagonal, name: &str) -> Result<Option<Cell>, DiagonalError> {
        let bytes = name.as_bytes();
        let digit = |at: usize| match bytes.get(at) {
            Some(byte @ b'0'..=b'9') => Ok(byte - b'0'),
            _ => self.wrong(name, at, "a digit"),
        };
        let Some(letter) = bytes.first().filter(|byte| byte.is_ascii_alphabetic()) else {
            return self.wrong(name, 0, "a letter");
        };
        let b = 10 * digit(1)? + digit(2)?;
        if bytes.len() > 3 {
            return self.wrong(name, 3, "nothing after a letter and two digits");
        }
        Ok(lattice.cell(letter.to_ascii_uppercase() - b'A' + 1, b))
    }

    fn delta(self, lattice: &Diagonal, name: &str) -> Result<Option<Cell>, DiagonalError> {
        let Some((x, y)) = name.split_once('/') else {
            return self.wrong(name, 0, "two numbers and a `/` between them");
        };
        // Any number of the lattice has at most two digits and a sign.
        let number = |text: &str, at| match text.parse::<i8>() {
            Ok(number) if (-99..=99).contains(&number) => Ok(number),
            _ => self.wrong(name, at, "a number from -99 to 99"),
        };
        let (x, y) = (number(x, 0)?, number(y, x.len() + 1)?);
        Ok(lattice.cell_at(x, y + lattice.side() as i8 + 1))
    }

    fn original(self, lattice: &Diagonal, name: &str) -> Result<Option<Cell>, DiagonalError> {
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (bytes, digits) = (name.as_bytes(), name.get(letters + 1..).unwrap_or(""));
        if !(1..=2).contains(&letters) {
            return self.wrong(name, letters.min(2), if letters == 0 { "a letter" } else { "a `.`" });
        }
        if bytes.get(letters) != Some(&b'.') {
            return self.wrong(name, letters, "a `.`");
        }
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 || count > 4 || count < digits.len() {
            return self.wrong(name, letters + 1 + count.min(4), "one to four digits and the end");
        }
        let middle = lattice.side() as i8 + 1;
        // Lines have numbers of one or two digits.
        let number =
            |text: &str| text.parse().ok().filter(|number| (0..100).contains(number)).map(line_column);
        let beside = |p: i8, q: i8| p.abs_diff(q) == 2;
        let rows = [bytes[0], bytes[letters - 1]].map(line_height);
        let cell = if letters == 2 {
            match number(digits) {
                Some(column) if count <= 2 && beside(rows[0], rows[1]) => {
                    lattice.cell_at(column, middle + i8::midpoint(rows[0], rows[1]))
                }
                _ => None,
            }
        } else {
            // Of the numbers of two neighbouring lines the second is at least as long as the first.
            let (left, right) = digits.split_at(count / 2);
            match (number(left), number(right)) {
                (Some(left), Some(right)) if beside(left, right) => {
                    lattice.cell_at(i8::midpoint(left, right), middle + rows[0])
                }
                _ => None,
            }
        };
        Ok(cell)
    }
}

impl FromStr for DiagonalNotation {
    type Err = DiagonalError;

    fn from_str(name: &str) -> Result<Self, DiagonalError> {
        let found = Self::ALL.into_iter().find(|notation| notation.name() == name);
        found.ok_or_else(|| DiagonalError::Notation { name: shorten(name) })
    }
}

impl fmt::Display for DiagonalNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
