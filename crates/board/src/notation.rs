//! Names of cells in four notations, written and read.

use std::fmt;

use crate::{Axial, Board, Cell, Shape};

/// A notation for names of cells.
///
/// `Hgui`, `Grid` and `Rogers` name a cell by a row and a number, `Web` by two letters. For a hexagon of size 4:
///
/// ```text
///   Hgui                                    Grid
///         a1 a2 a3 a4                             a1 a2 a3 a4
///       b1 b2 b3 b4 b5                          b1 b2 b3 b4 b5
///     c1 c2 c3 c4 c5 c6                       c1 c2 c3 c4 c5 c6
///   d1 d2 d3 d4 d5 d6 d7                    d1 d2 d3 d4 d5 d6 d7
///     e2 e3 e4 e5 e6 e7                       e1 e2 e3 e4 e5 e6
///       f3 f4 f5 f6 f7                          f1 f2 f3 f4 f5
///         g4 g5 g6 g7                             g1 g2 g3 g4
///
///   Web                                     Rogers (a quarter turn: A1 is bottom left)
///         lr lq lp lo                                 D7
///       mr mq mp mo mn                             C6    E7
///     nr nq np no nn nm                         B5    D6    F7
///   or oq op oo on om ol                     A4    C5    E6    G7
///     pq pp po pn pm pl                         B4    D5    F6
///       qp qo qn qm ql                       A3    C4    E5    G6
///         ro rn rm rl                             …
/// ```
///
/// Rows beyond the 26th are `aa`, `ab`, … Capital and small letters are read alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Notation {
    /// The notation of `HavannahGui`, Castro and Ewalds (2012): a letter for the row, a number for the slanted column.
    #[default]
    Hgui,
    /// The notation of Little Golem's record files: a letter for the row, a number from the left end of the row.
    Grid,
    /// The notation of the server in Rogers (2004): a capital letter and a number. The server's pictures have upright
    /// columns and A1 bottom left; turned by 90° they are the pictures of `Hgui`, so the names are the same.
    Rogers,
    /// The notation of Little Golem's web interface: two letters, with `oo` for the centre of every board. The
    /// letters are enough for boards up to size 12.
    Web,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 4] = [Self::Hgui, Self::Grid, Self::Rogers, Self::Web];

    /// The name, which [`str::parse`] reads: `hgui`, `grid`, `rogers` or `web`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hgui => "hgui",
            Self::Grid => "grid",
            Self::Rogers => "rogers",
            Self::Web => "web",
        }
    }

    /// The default notation of a shape: `Hgui` for a hexagon, `Grid` for a rhombus.
    #[must_use]
    pub const fn of(shape: Shape) -> Self {
        match shape {
            Shape::Hexagon(_) => Self::Hgui,
            Shape::Rhombus(_) => Self::Grid,
        }
    }

    /// Checks that this notation can name the cells of a shape: `Grid` fits any shape, `Hgui` and `Rogers` fit every
    /// hexagon, `Web` fits hexagons up to size 12.
    ///
    /// # Errors
    /// [`NotationError::Shape`] for any other shape.
    pub const fn fits(self, shape: Shape) -> Result<(), NotationError> {
        match (self, shape) {
            (Self::Grid, _) | (Self::Hgui | Self::Rogers, Shape::Hexagon(_)) => Ok(()),
            (Self::Web, Shape::Hexagon(size)) if size <= 12 => Ok(()),
            _ => Err(NotationError::Shape { notation: self, shape }),
        }
    }

    /// The name of a cell.
    ///
    /// # Errors
    /// [`NotationError::Shape`] if the notation cannot name this board's cells,
    /// [`NotationError::Cell`] if the cell is not on the board.
    pub fn name_of(self, board: &Board, cell: Cell) -> Result<String, NotationError> {
        self.fits(board.shape())?;
        if !board.contains(cell) {
            return Err(NotationError::Cell { index: cell.index(), shape: board.shape() });
        }
        Ok(self.spell(board, cell))
    }

    /// The name of a cell of this board, which the notation fits.
    fn spell(self, board: &Board, cell: Cell) -> String {
        let (row, column) = self.parts(board, cell);
        row + &column
    }

    /// The two parts of the name of a cell: the row part and the column part.
    pub(crate) fn parts(self, board: &Board, cell: Cell) -> (String, String) {
        let at = board.coord(cell);
        match self {
            Self::Hgui => (row_name(at.row), (at.column + 1).to_string()),
            Self::Rogers => (row_name(at.row).to_uppercase(), (at.column + 1).to_string()),
            Self::Grid => (row_name(at.row), (at.column - first_column(board, at.row) + 1).to_string()),
            Self::Web => {
                let middle = i16::from(board.size()) - 1;
                let letter = |offset: i16| char::from((i16::from(b'o') + offset) as u8).to_string();
                (letter(at.row - middle), letter(middle - at.column))
            }
        }
    }

    /// The cell with a name.
    ///
    /// # Errors
    /// [`NotationError::Shape`] if the notation does not fit the board, [`NotationError::Syntax`] with the first byte at
    /// which the text is no name, or [`NotationError::OffBoard`] for a well-formed name without a cell.
    pub fn parse(self, board: &Board, name: &str) -> Result<Cell, NotationError> {
        self.fits(board.shape())?;
        let (row, column) = if self == Self::Web {
            let letters = name.as_bytes();
            let offset = |i: usize| match letters.get(i).map(u8::to_ascii_lowercase) {
                Some(b @ b'a'..=b'z') => Ok(i16::from(b) - i16::from(b'o')),
                _ => Err(self.syntax(name, i, "a letter")),
            };
            let (row, back) = (offset(0)?, offset(1)?);
            if letters.len() > 2 {
                return Err(self.syntax(name, 2, "nothing after two letters"));
            }
            let middle = i16::from(board.size()) - 1;
            (middle + row, middle - back)
        } else {
            let (row, number) = self.split(name)?;
            let first = if self == Self::Grid { first_column(board, row) } else { 0 };
            (row, first + number - 1)
        };
        board.cell_at(Axial::new(row, column)).ok_or_else(|| self.off_board(board, name, row))
    }

    /// Splits `letters digits` into a row from 0 and a number from 1.
    fn split(self, name: &str) -> Result<(i16, i16), NotationError> {
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let row = match name.as_bytes()[..letters] {
            [a] => i16::from(a.to_ascii_lowercase() - b'a'),
            [a, b] => {
                let (a, b) = (a.to_ascii_lowercase() - b'a', b.to_ascii_lowercase() - b'a');
                26 * (i16::from(a) + 1) + i16::from(b)
            }
            [] => return Err(self.syntax(name, 0, "a letter")),
            _ => return Err(self.syntax(name, 2, "a digit")),
        };
        let digits = &name.as_bytes()[letters..];
        let good = digits.iter().take_while(|b| b.is_ascii_digit()).count();
        match digits.first() {
            None => Err(self.syntax(name, letters, "a digit")),
            Some(b'0') => Err(self.syntax(name, letters, "a digit from 1 to 9")),
            _ if good == 0 => Err(self.syntax(name, letters, "a digit")),
            _ if good > 3 => Err(self.syntax(name, letters + 3, "at most three digits")),
            _ if good < digits.len() => Err(self.syntax(name, letters + good, "nothing after the number")),
            _ => Ok((row, digits.iter().fold(0, |n, b| 10 * n + i16::from(b - b'0')))),
        }
    }

    fn syntax(self, name: &str, at: usize, expected: &'static str) -> NotationError {
        NotationError::Syntax { name: shorten(name), notation: self, at, expected }
    }

    fn off_board(self, board: &Board, name: &str, row: i16) -> NotationError {
        let mut ends = usize::try_from(row).map(|r| board.row(r)).into_iter().flatten();
        let first = ends.next();
        let ends = first.map(|f| (self.spell(board, f), self.spell(board, ends.last().unwrap_or(f))));
        NotationError::OffBoard { name: shorten(name), notation: self, shape: board.shape(), row: ends }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Notation {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self, NotationError> {
        let found = Self::ALL.into_iter().find(|n| n.name() == name);
        found.ok_or_else(|| NotationError::Unknown { name: shorten(name) })
    }
}

impl Board {
    /// The name of a cell in the shape's default notation ([`Notation::of`]).
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        Notation::of(self.shape()).spell(self, cell)
    }

    /// The cell with a name in the shape's default notation ([`Notation::of`]).
    ///
    /// # Errors
    /// The errors of [`Notation::parse`].
    pub fn parse(&self, name: &str) -> Result<Cell, NotationError> {
        Notation::of(self.shape()).parse(self, name)
    }
}

/// The refusal of a name, of a cell, or of a notation for a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The text is not formed like a name.
    #[error("`{name}` is no {notation} cell: expected {expected} at byte {at}")]
    Syntax {
        /// The text (its beginning, if it is long).
        name: String,
        /// The notation of the name.
        notation: Notation,
        /// The first byte at which the text is no name.
        at: usize,
        /// A description of a valid text at this byte.
        expected: &'static str,
    },
    /// The name is well formed, but the board has no such cell.
    #[error("`{name}` is not on a {} of size {} ({notation} notation){}", shape.name(), shape.size(), in_row(row.as_ref()))]
    OffBoard {
        /// The name.
        name: String,
        /// The notation of the name.
        notation: Notation,
        /// The board's shape and size.
        shape: Shape,
        /// The first and the last cell of the row, if the row exists.
        row: Option<(String, String)>,
    },
    /// The notation cannot name the cells of this shape.
    #[error("{notation} notation does not name the cells of a {} of size {}", shape.name(), shape.size())]
    Shape {
        /// The notation.
        notation: Notation,
        /// The board's shape and size.
        shape: Shape,
    },
    /// The cell is not on the board.
    #[error("cell {index} is not on a {} of size {}", shape.name(), shape.size())]
    Cell {
        /// The cell's number.
        index: usize,
        /// The board's shape and size.
        shape: Shape,
    },
    /// No notation has this name.
    #[error("no notation `{name}`: there are hgui, grid, rogers and web")]
    Unknown {
        /// The text (its beginning, if it is long).
        name: String,
    },
}

impl NotationError {
    /// The first byte at which the text is no name; 0 for a well-formed text.
    #[must_use]
    pub const fn at(&self) -> usize {
        if let Self::Syntax { at, .. } = self { *at } else { 0 }
    }
}

fn in_row(row: Option<&(String, String)>) -> String {
    row.map_or(String::new(), |(first, last)| format!(": that row runs from {first} to {last}"))
}

/// At most 40 characters of a user's text, so that an error about a long line stays short.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn first_column(board: &Board, row: i16) -> i16 {
    let first = usize::try_from(row).ok().and_then(|r| board.row(r).next());
    first.map_or(0, |c| board.coord(c).column)
}

fn row_name(row: i16) -> String {
    let letter = |n: i16| char::from(b'a' + n as u8);
    if row < 26 { letter(row).to_string() } else { format!("{}{}", letter(row / 26 - 1), letter(row % 26)) }
}
