//! [`Diagram`]: a board with stones and marks, as text and as SVG.

mod frame;
pub(crate) mod svg;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use crate::{Board, Cell, CellSet, Direction, Notation, NotationError, Shape};

/// One of the two kinds of stones that a [`Diagram`] shows; whose they are is the caller's business.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stone {
    /// White with a dark outline in SVG, by default `O` in text.
    Light,
    /// Black in SVG, by default `@` in text.
    Dark,
}

/// How the lattice lies on the page.
///
/// ```text
///   Rows                Columns (a quarter turn anticlockwise)
///                             5
///                          4     .
///        1 2 3          3     .     .
///     a . . . 4            .     .     .
///    b . . . . 5        2     .     .
///   c . . . . .            .     .     .
///    d . . . .          1     .     .
///     e . . .              .     .     .
///                             .     .
///                          a     .     e
///                             b     d
///                                c
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// Rows of cells run from left to right, the first cell is top left, hexagons stand on a point:
    /// the pictures of `HavannahGui` and of [`Board`].
    Rows,
    /// Rows of cells run upwards, the first cell is bottom left, hexagons stand on a side: the
    /// pictures of the Rogers seed.
    Columns,
}

/// The characters of a text diagram.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Glyphs {
    /// A light stone.
    pub light: char,
    /// A dark stone.
    pub dark: char,
    /// A cell without a stone.
    pub empty: char,
}

impl Glyphs {
    /// `O`, `@` and `.`: the dark stone is the one with more ink. As Castro prints them.
    pub const INK: Self = Self { light: 'O', dark: '@', empty: '.' };

    /// `X` for the light stones, `O` for the dark ones and `.`: those of the Rogers seed.
    pub const ROGERS: Self = Self { light: 'X', dark: 'O', empty: '.' };
}

impl Default for Glyphs {
    fn default() -> Self {
        Self::INK
    }
}

/// A picture of a board with stones and marks that the caller places, drawn as text
/// ([`Diagram::text`]) or SVG ([`Diagram::svg`]).
///
/// ```
/// use stonework_board::{Board, Diagram, Stone};
/// let board = Board::hexagon(3)?;
/// let diagram = Diagram::new(board)
///     .stone(board.parse("b2")?, Stone::Light)
///     .stone(board.parse("c3")?, Stone::Light)
///     .stone(board.parse("c4")?, Stone::Dark)
///     .highlight([board.parse("b2")?])
///     .last(board.parse("c3")?);
/// let expected = "
///      1 2 3
///   a . . . 4
///  b . O*. . 5
/// c . .(O)@ .
///  d . . . .
///   e . . .
/// ";
/// assert_eq!(diagram.text(), expected.trim_matches('\n'));
/// assert!(diagram.svg().starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use = "a diagram does nothing until `text` or `svg` is called"]
pub struct Diagram {
    board: &'static Board,
    notation: Notation,
    layout: Option<Layout>,
    stones: Box<[Option<Stone>]>,
    labels: BTreeMap<Cell, String>,
    highlights: CellSet,
    last: Option<Cell>,
    title: Option<String>,
    coordinates: bool,
    strokes: bool,
    counted: bool,
    glyphs: Glyphs,
}

impl Diagram {
    /// The empty board with its coordinates in the usual notation ([`Notation::of`]).
    pub fn new(board: &'static Board) -> Self {
        Self {
            board,
            notation: Notation::of(board.shape()),
            layout: None,
            stones: vec![None; board.len()].into(),
            labels: BTreeMap::new(),
            highlights: CellSet::new(),
            last: None,
            title: None,
            coordinates: true,
            strokes: false,
            counted: false,
            glyphs: Glyphs::default(),
        }
    }

    /// Names the cells in another notation.
    ///
    /// # Errors
    /// [`NotationError::Shape`] if it cannot name the cells of this board.
    pub fn notation(mut self, notation: Notation) -> Result<Self, NotationError> {
        notation.fits(self.board.shape())?;
        self.notation = notation;
        Ok(self)
    }

    /// Lays the board this way; unless told, `Columns` for [`Notation::Rogers`] and `Rows` else.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = Some(layout);
        self
    }

    /// Puts a stone on a cell, in place of what was there.
    ///
    /// # Panics
    /// If the cell is not on the board.
    pub fn stone(mut self, cell: Cell, stone: Stone) -> Self {
        self.stones[cell.index()] = Some(stone);
        self
    }

    /// Puts the same kind of stone on several cells.
    ///
    /// # Panics
    /// If a cell is not on the board.
    pub fn stones(self, cells: impl IntoIterator<Item = Cell>, stone: Stone) -> Self {
        cells.into_iter().fold(self, |diagram, cell| diagram.stone(cell, stone))
    }

    /// Marks the last move: `(O)` in text, a dot – a ring, if the cell has a label – in SVG.
    ///
    /// # Panics
    /// If the cell is not on the board.
    pub fn last(mut self, cell: Cell) -> Self {
        self.check(cell);
        self.last = Some(cell);
        self
    }

    /// Marks cells, such as a winning chain: `O*` in text, tinted and outlined together in SVG.
    /// Adds to those marked before.
    ///
    /// # Panics
    /// If a cell is not on the board.
    pub fn highlight(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        for cell in cells {
            self.check(cell);
            self.highlights.insert(cell);
        }
        self
    }

    /// Writes something on a cell, such as the number of a move: `7:O` in text, on the stone in SVG;
    /// on an empty cell in place of the dot. Line breaks become spaces. An empty text takes it away.
    ///
    /// # Panics
    /// If the cell is not on the board.
    pub fn label(mut self, cell: Cell, label: impl AsRef<str>) -> Self {
        self.check(cell);
        match one_line(label.as_ref()) {
            label if label.is_empty() => self.labels.remove(&cell),
            label => self.labels.insert(cell, label),
        };
        self
    }

    /// A line above the board. Line breaks become spaces.
    pub fn title(mut self, title: impl AsRef<str>) -> Self {
        self.title = Some(one_line(title.as_ref())).filter(|t| !t.is_empty());
        self
    }

    /// Whether the coordinates stand around the board (they do, unless told).
    pub fn coordinates(mut self, shown: bool) -> Self {
        self.coordinates = shown;
        self
    }

    /// Has the rows and columns of a rhombus counted from 0 instead of named, the first row at the bottom as in the
    /// pictures of Cachex; a hexagon stays as it is. Only in [`Layout::Rows`] do rows run upwards.
    ///
    /// ```
    /// use stonework_board::{Board, Diagram, Stone};
    /// let board = Board::rhombus(3)?;
    /// let text = Diagram::new(board).counted().stones(board.row(0).take(2), Stone::Light).text();
    /// let lines = ["  2 . . .", " 1 . . .", "0 O O .", " 0 1 2"];
    /// assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    /// # Ok::<(), stonework_board::SizeError>(())
    /// ```
    pub fn counted(mut self) -> Self {
        self.counted = matches!(self.board.shape(), Shape::Rhombus(_));
        self
    }

    /// Whether neighbouring stones of one kind are joined by strokes (they are not, unless told).
    ///
    /// In text, `Rows` has `-`, `/` and `\`; `Columns` has `|`, `/`, `\` and, for the last two at
    /// once, `<`, as in the Rogers seed.
    pub fn strokes(mut self, shown: bool) -> Self {
        self.strokes = shown;
        self
    }

    /// The characters that stand for stones and empty cells in text.
    pub fn glyphs(mut self, glyphs: Glyphs) -> Self {
        self.glyphs = glyphs;
        self
    }

    /// The diagram as lines of text without trailing spaces and without a final line break.
    ///
    /// Takes time and space proportional to the area of the page: O(cells), if no label is long.
    #[must_use]
    pub fn text(&self) -> String {
        text::draw(self)
    }

    /// The diagram as an SVG document: no script, no style sheet, no font or picture from elsewhere.
    /// The same diagram always gives the same bytes. O(cells).
    #[must_use]
    pub fn svg(&self) -> String {
        svg::draw(self)
    }

    fn check(&self, cell: Cell) {
        assert!(self.board.contains(cell), "{cell:?} is not on the board");
    }

    fn lies(&self) -> Layout {
        self.layout.unwrap_or(match self.notation {
            Notation::Rogers => Layout::Columns,
            _ => Layout::Rows,
        })
    }

    /// Whether the same kind of stone lies on a cell and on its neighbour in a direction.
    fn joined(&self, cell: Cell, direction: Direction) -> bool {
        let stone = |c: Cell| self.stones[c.index()];
        stone(cell).is_some()
            && self.board.neighbour(cell, direction).is_some_and(|n| stone(n) == stone(cell))
    }
}

/// As [`Diagram::text`].
impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Diagram of {:?}:\n{self}", self.board.shape())
    }
}

/// Without control characters, which would break the lines of a text and are no XML.
pub(crate) fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}
