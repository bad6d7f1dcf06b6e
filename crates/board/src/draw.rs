//! [`Diagram`]: a board with stones and marks, as text and as SVG.

mod frame;
pub(crate) mod svg;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use crate::{Board, Cell, CellSet, Direction, Notation, NotationError, Shape};

/// One of the two kinds of stones in a [`Diagram`]. The caller chooses the kind for each side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stone {
    /// A stone that is white with a dark outline in SVG, by default `O` in text.
    Light,
    /// A stone that is black in SVG, by default `@` in text.
    Dark,
}

/// The direction of the lattice on the page.
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
    /// Rows of cells run from left to right, the first cell is top left, hexagons stand on a point, as in
    /// the pictures of `HavannahGui` and of [`Board`].
    Rows,
    /// Rows of cells run upwards, the first cell is bottom left, hexagons stand on a side, as in the
    /// pictures of Rogers (*A Program to Play Havannah*, 2004).
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
    /// `O`, `@` and `.`, as in the output of the program Castro: the dark stone has more ink.
    pub const INK: Self = Self { light: 'O', dark: '@', empty: '.' };

    /// `X` for light stones, `O` for dark stones and `.`, as in Rogers (2004).
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
    /// The empty board with its coordinates in the default notation ([`Notation::of`]).
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
    /// [`NotationError::Shape`] if the notation has no names for the cells of this board.
    pub fn notation(mut self, notation: Notation) -> Result<Self, NotationError> {
        notation.fits(self.board.shape())?;
        self.notation = notation;
        Ok(self)
    }

    /// Sets the layout. The default is `Columns` for [`Notation::Rogers`], and `Rows` for all other notations.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = Some(layout);
        self
    }

    /// Puts a stone on a cell, in place of any other stone.
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

    /// Marks cells, such as a winning chain, in addition to cells marked before: `O*` in text, tinted and outlined together
    /// in SVG.
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

    /// Writes a label on a cell, such as the number of a move: `7:O` in text, on the stone in SVG. On an empty cell the label
    /// replaces the dot. Line breaks become spaces. An empty label removes the label before.
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

    /// Sets a title above the board. Line breaks become spaces.
    pub fn title(mut self, title: impl AsRef<str>) -> Self {
        self.title = Some(one_line(title.as_ref())).filter(|t| !t.is_empty());
        self
    }

    /// Shows coordinates around the board or not; the default is `true`.
    pub fn coordinates(mut self, shown: bool) -> Self {
        self.coordinates = shown;
        self
    }

    /// Numbers the rows and columns of a rhombus from 0, with the first row at the bottom, as in the pictures of Cachex. Rows
    /// run upwards in [`Layout::Rows`] only. The call changes nothing on a hexagon.
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

    /// Shows strokes between neighbouring stones of one kind or not; the default is `false`.
    ///
    /// In text, `Rows` has `-`, `/` and `\`; `Columns` has `|`, `/`, `\` and, for `/` and `\` at once, `<`, as in
    /// Rogers (2004).
    pub fn strokes(mut self, shown: bool) -> Self {
        self.strokes = shown;
        self
    }

    /// Sets the characters for stones and empty cells in text.
    pub fn glyphs(mut self, glyphs: Glyphs) -> Self {
        self.glyphs = glyphs;
        self
    }

    /// The diagram as lines of text without trailing spaces and without a final line break.
    ///
    /// Time and space are proportional to the area of the page: O(cells), unless labels are long.
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

    /// The layout that the caller has set, or the default.
    fn chosen_layout(&self) -> Layout {
        self.layout.unwrap_or(match self.notation {
            Notation::Rogers => Layout::Columns,
            _ => Layout::Rows,
        })
    }

    /// `true` if the same kind of stone lies on a cell and on its neighbour in a direction.
    fn joined(&self, cell: Cell, direction: Direction) -> bool {
        let stone = |c: Cell| self.stones[c.index()];
        stone(cell).is_some()
            && self.board.neighbour(cell, direction).is_some_and(|n| stone(n) == stone(cell))
    }
}

/// The text of [`Diagram::text`].
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

/// The text without control characters, which would break lines and are not allowed in XML.
pub(crate) fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}
