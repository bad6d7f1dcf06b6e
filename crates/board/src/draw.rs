//! [`Diagram`]: a board with stones and marks, as text and as a drawing.

mod frame;
mod page;
mod text;

use std::fmt;

pub(crate) use page::{Point, TITLE_SIZE, words};

use crate::{
    Board, Cell, CellArea, Direction, Drawing, Notation, NotationError, Overlay, Part, Shape, StoneColours,
    Theme,
};

/// One of the two kinds of stones in a [`Diagram`]. The caller chooses the kind for each side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stone {
    /// A stone that is white in a drawing, by default `O` in text.
    Light,
    /// A stone that is black in a drawing, by default `@` in text.
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
/// ([`Diagram::text`]), as SVG ([`Diagram::svg`]), or as figures on a page ([`Diagram::drawing`]).
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
    overlay: Overlay,
    last: Option<Cell>,
    title: Option<String>,
    coordinates: bool,
    strokes: bool,
    counted: bool,
    glyphs: Glyphs,
    theme: Theme,
    colours: StoneColours,
}

impl Diagram {
    /// The empty board with its coordinates in the default notation ([`Notation::of`]).
    pub fn new(board: &'static Board) -> Self {
        Self {
            board,
            notation: Notation::of(board.shape()),
            layout: None,
            stones: vec![None; board.len()].into(),
            overlay: Overlay::new(),
            last: None,
            title: None,
            coordinates: true,
            strokes: false,
            counted: false,
            glyphs: Glyphs::default(),
            theme: Theme::PAPER,
            colours: StoneColours::WhiteBlack,
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

    /// Marks cells as [`Overlay::highlight`].
    ///
    /// # Panics
    /// If a cell is not on the board.
    pub fn highlight(self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.overlay(Overlay::new().highlight(cells))
    }

    /// `true` for a cell that [`highlight`](Self::highlight) has marked.
    #[must_use]
    pub const fn is_highlighted(&self, cell: Cell) -> bool {
        self.overlay.highlights.contains(cell)
    }

    /// Writes a label on a cell as [`Overlay::label`].
    ///
    /// # Panics
    /// If the cell is not on the board.
    pub fn label(mut self, cell: Cell, label: impl AsRef<str>) -> Self {
        self.check(cell);
        self.overlay = self.overlay.label(cell, label);
        self
    }

    /// Adds marks to the marks before, as [`Overlay::and`].
    ///
    /// # Panics
    /// If a cell of the overlay is not on the board.
    pub fn overlay(mut self, overlay: Overlay) -> Self {
        overlay.cells().for_each(|cell| self.check(cell));
        self.overlay = self.overlay.and(overlay);
        self
    }

    /// Sets the colours of a drawing; the default is [`Theme::PAPER`].
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets the colours of the stones in a drawing; the default is white and black.
    pub fn colours(mut self, colours: StoneColours) -> Self {
        self.colours = colours;
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

    /// The characters of light and dark stones in text.
    #[must_use]
    pub const fn stone_glyphs(&self) -> [char; 2] {
        [self.glyphs.light, self.glyphs.dark]
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

    /// Each cell with the line and the column of its character in [`text`](Self::text), both from 0. O(cells).
    ///
    /// ```
    /// use stonework_board::{Board, Diagram};
    /// let board = Board::hexagon(3)?;
    /// let diagram = Diagram::new(board).label(board.parse("b2")?, "7");
    /// let (cell, line, column) = diagram.places().nth(4).unwrap();
    /// assert_eq!(board.name(cell), "b2");
    /// assert_eq!(diagram.text().lines().nth(line).unwrap().as_bytes()[column], b'7');
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn places(&self) -> impl ExactSizeIterator<Item = (Cell, usize, usize)> + use<> {
        let places = text::places(self).into_iter();
        self.board.cells().zip(places).map(|(cell, (line, column))| (cell, line, column))
    }

    /// The diagram as figures on a page. The distance of two neighbouring cells is 40 units. O(cells).
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        page::draw(self)
    }

    /// The place of each cell in the [`drawing`](Self::drawing), in the order of the cells. O(cells).
    #[must_use]
    pub fn areas(&self) -> Vec<CellArea> {
        page::areas(self)
    }

    /// The diagram as an SVG document: no script, no style sheet, no font or picture from elsewhere.
    /// The same diagram always gives the same bytes. O(cells).
    #[must_use]
    pub fn svg(&self) -> String {
        self.drawing().svg()
    }

    /// A stone as [`Diagram::drawing`] paints it, on the first cell.
    #[must_use]
    pub fn piece(&self, stone: Stone) -> Part {
        page::piece(self, stone)
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        self.board
    }

    /// The stone on a cell.
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    pub fn stone_on(&self, cell: Cell) -> Option<Stone> {
        self.stones[cell.index()]
    }

    /// The label on a cell.
    #[must_use]
    pub fn label_on(&self, cell: Cell) -> Option<&str> {
        self.overlay.labels.get(&cell).map(String::as_str)
    }

    /// The highlighted cells.
    pub fn highlighted(&self) -> impl Iterator<Item = Cell> + use<> {
        self.overlay.highlights.iter()
    }

    /// `true` if coordinates are shown around the board.
    #[must_use]
    pub const fn has_coordinates(&self) -> bool {
        self.coordinates
    }

    /// `true` if the diagram has stones, labels on stones, highlights and the last move alone, in the default look: no title, no
    /// strokes, no other marks, [`Theme::PAPER`], [`Layout::Rows`], and the default notation of the shape. The format of a
    /// package with words for stones can show such a diagram. O(marks).
    ///
    /// ```
    /// use stonework_board::{Board, Diagram, Stone};
    /// let board = Board::hexagon(3)?;
    /// let (a1, c3) = (board.parse("a1")?, board.parse("c3")?);
    /// let diagram = Diagram::new(board).stone(c3, Stone::Dark).label(c3, "1").highlight([a1]);
    /// assert!(diagram.is_plain() && !diagram.clone().label(a1, "x").is_plain() && !diagram.title("Draw").is_plain());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let has_usual_look = self.title.is_none()
            && !self.strokes
            && self.theme == Theme::PAPER
            && self.colours == StoneColours::WhiteBlack
            && self.notation == Notation::of(self.board.shape())
            && self.chosen_layout() == Layout::Rows;
        has_usual_look && self.overlay.is_plain(|cell| self.stones[cell.index()].is_some())
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
