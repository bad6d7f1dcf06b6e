//! [`DiagonalDiagram`]: a diagonal lattice with stones, as text and as a drawing.

use std::fmt;

use super::{Diagonal, DiagonalNotation, Intersection, Orientation, page};
use crate::draw::one_line;
use crate::{Cell, CellArea, Drawing, Overlay, Part, Stone, StoneColours, Theme};

/// A picture of a [`Diagonal`] with stones and marks that the caller places, drawn as text
/// ([`DiagonalDiagram::text`]), as SVG ([`DiagonalDiagram::svg`]), or as figures on a page
/// ([`DiagonalDiagram::drawing`]).
///
/// ```
/// use stonework_board::{Diagonal, DiagonalDiagram, Stone};
/// let lattice = Diagonal::of(1)?;
/// let diagram = DiagonalDiagram::new(lattice)
///     .stone(lattice.parse("C02")?, Stone::Light)
///     .stone(lattice.parse("B04")?, Stone::Dark)
///     .last(lattice.parse("B04")?);
/// let expected = "
///            +
///         05 | E
///     04 +---+---+ D
///     03 |   |   | C
/// 02 +---+---+---@---+ B
///  E |   |   |   *   | 05
///  D +---OOOOO---@---+ 04
///      C |   |   | 03
///      B +---+---+ 02
///          A | 01
///            +
/// ";
/// assert_eq!(diagram.text(), expected.trim_matches('\n'));
/// assert!(diagram.svg().starts_with("<svg "));
/// # Ok::<(), stonework_board::DiagonalError>(())
/// ```
#[derive(Clone)]
#[must_use = "a diagram does nothing until `text` or `svg` is called"]
pub struct DiagonalDiagram {
    pub(super) lattice: &'static Diagonal,
    pub(super) notation: DiagonalNotation,
    pub(super) stones: Box<[Option<Stone>]>,
    pub(super) last: Option<Cell>,
    pub(super) title: Option<String>,
    pub(super) coordinates: bool,
    pub(super) overlay: Overlay,
    pub(super) theme: Theme,
    pub(super) colours: StoneColours,
}

impl DiagonalDiagram {
    /// The empty lattice with the coordinates of the diagram notation.
    pub fn new(lattice: &'static Diagonal) -> Self {
        Self {
            lattice,
            notation: DiagonalNotation::Diagram,
            stones: vec![None; lattice.len()].into(),
            last: None,
            title: None,
            coordinates: true,
            overlay: Overlay::new(),
            theme: Theme::PAPER,
            colours: StoneColours::BlueRed,
        }
    }

    /// Sets the notation of the coordinates. For `Diagram` they are letters and digits at the ends of the diagonals, for other
    /// notations the names of the lines, to the left and below.
    pub fn notation(mut self, notation: DiagonalNotation) -> Self {
        self.notation = notation;
        self
    }

    /// Puts a stone on a location, in place of any other stone.
    ///
    /// # Panics
    /// If the cell is not on the lattice.
    pub fn stone(mut self, cell: Cell, stone: Stone) -> Self {
        self.stones[cell.index()] = Some(stone);
        self
    }

    /// Puts the same kind of stone on several locations.
    ///
    /// # Panics
    /// If a cell is not on the lattice.
    pub fn stones(self, cells: impl IntoIterator<Item = Cell>, stone: Stone) -> Self {
        cells.into_iter().fold(self, |diagram, cell| diagram.stone(cell, stone))
    }

    /// Marks the stone that has moved last: `O*O` in text, a dot – or a line within its rim, if it has a label – in a drawing.
    ///
    /// # Panics
    /// If the cell is not on the lattice.
    pub fn last(mut self, cell: Cell) -> Self {
        assert!(self.lattice.contains(cell), "{cell:?} is not on the lattice");
        self.last = Some(cell);
        self
    }

    /// Sets a title above the board. Line breaks become spaces.
    pub fn title(mut self, title: impl AsRef<str>) -> Self {
        self.title = Some(one_line(title.as_ref())).filter(|title| !title.is_empty());
        self
    }

    /// Shows coordinates around the board or not; the default is `true`.
    pub fn coordinates(mut self, shown: bool) -> Self {
        self.coordinates = shown;
        self
    }

    /// Adds marks to the marks before, as [`Overlay::and`].
    ///
    /// # Panics
    /// If a cell of the overlay is not on the lattice.
    pub fn overlay(mut self, overlay: Overlay) -> Self {
        for cell in overlay.cells() {
            assert!(self.lattice.contains(cell), "{cell:?} is not on the lattice");
        }
        self.overlay = self.overlay.and(overlay);
        self
    }

    /// Sets the colours of a drawing; the default is [`Theme::PAPER`].
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets the colours of the stones in a drawing; the default is blue and red.
    pub fn colours(mut self, colours: StoneColours) -> Self {
        self.colours = colours;
        self
    }

    /// The diagram as lines of text without trailing spaces and without a final line break. Light stones are of `O`, dark
    /// stones of `@`. A ghost has a question mark in its middle, a highlighted location a star, and heat is a digit. Labels have
    /// no place in the text. O(locations).
    #[must_use]
    pub fn text(&self) -> String {
        let title = self.title.iter().cloned();
        title.chain(self.page().lines()).collect::<Vec<_>>().join("\n")
    }

    /// The text as a page, without the title.
    fn page(&self) -> Page {
        let mut page = Page::new(self.lattice);
        for cell in self.lattice.cells() {
            page.piece(cell, None);
        }
        for index in 0..self.lattice.intersection_count() {
            page.point(Intersection(index as u16), '+');
        }
        for (cell, stone) in self.lattice.cells().zip(&self.stones) {
            let glyph = match stone {
                None => continue,
                Some(Stone::Light) => 'O',
                Some(Stone::Dark) => '@',
            };
            page.piece(cell, Some(glyph));
            for end in self.lattice.intersections(cell) {
                page.point(end, glyph);
            }
        }
        let mut middle = |cell: Cell, glyph: char| {
            page.put(self.lattice.column(cell), self.lattice.height(cell), 0, glyph.encode_utf8(&mut [0; 4]));
        };
        for cell in self.lattice.cells().filter(|cell| self.stones[cell.index()].is_none()) {
            let ghost = self.overlay.ghosts.contains_key(&cell).then_some('?');
            if let Some(glyph) = ghost.or_else(|| self.overlay.digit(cell)) {
                middle(cell, glyph);
            }
        }
        for cell in self.last.into_iter().chain(&self.overlay.highlights) {
            middle(cell, '*');
        }
        if self.coordinates {
            for label in labels(self.lattice, self.notation) {
                page.label(&label);
            }
        }
        page
    }

    /// Each location with the line and the column of its middle in [`text`](Self::text), both from 0. O(locations).
    ///
    /// ```
    /// use stonework_board::{Diagonal, DiagonalDiagram, Stone};
    /// let lattice = Diagonal::of(1)?;
    /// let diagram = DiagonalDiagram::new(lattice).last(lattice.parse("C02")?);
    /// let (_, line, column) = diagram.places().find(|place| lattice.name(place.0) == "C02").unwrap();
    /// assert_eq!(diagram.text().lines().nth(line).unwrap().as_bytes()[column], b'*');
    /// # Ok::<(), stonework_board::DiagonalError>(())
    /// ```
    #[must_use]
    pub fn places(&self) -> impl ExactSizeIterator<Item = (Cell, usize, usize)> + use<> {
        let page = self.page();
        let (lines, margin) = (page.lines.len(), page.margin());
        let above = usize::from(self.title.is_some());
        let lattice = self.lattice;
        lattice.cells().map(move |cell| {
            let line = lines - 1 - lattice.height(cell) as usize + above;
            let x = MARGIN + 2 * (i32::from(lattice.column(cell)) + i32::from(lattice.side()) - 1);
            (cell, line, x as usize - margin)
        })
    }

    /// The stone on a location; `None` for a location without a stone.
    ///
    /// # Panics
    /// If the cell is not on the lattice.
    #[must_use]
    pub fn stone_on(&self, cell: Cell) -> Option<Stone> {
        assert!(self.lattice.contains(cell), "{cell:?} is not on the lattice");
        self.stones[cell.index()]
    }

    /// The lattice.
    #[must_use]
    pub const fn lattice(&self) -> &'static Diagonal {
        self.lattice
    }

    /// The diagram as figures on a page. The distance of two columns is 22 units. The fields of vertical locations are
    /// shaded. O(locations).
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        page::draw(self)
    }

    /// The place of each location in the [`drawing`](Self::drawing): the square around its middle. O(locations).
    #[must_use]
    pub fn areas(&self) -> Vec<CellArea> {
        page::areas(self)
    }

    /// A stone as [`DiagonalDiagram::drawing`] paints it, on the first location.
    #[must_use]
    pub fn piece(&self, stone: Stone) -> Part {
        page::piece(self, stone)
    }

    /// The diagram as an SVG document: no script, no style sheet, no font or picture from elsewhere.
    /// The same diagram always gives the same bytes. O(locations).
    #[must_use]
    pub fn svg(&self) -> String {
        self.drawing().svg()
    }
}

/// The text of [`DiagonalDiagram::text`].
impl fmt::Display for DiagonalDiagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for DiagonalDiagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DiagonalDiagram of size {}:\n{self}", self.lattice.size())
    }
}

/// The side of a point on which a coordinate stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Below,
}

/// A coordinate beside a point (d, s) of the lattice.
pub(super) struct Label {
    pub(super) at: (i8, i8),
    pub(super) side: Side,
    pub(super) text: String,
}

/// All coordinates of a lattice in a notation.
pub(super) fn labels(lattice: &Diagonal, notation: DiagonalNotation) -> Vec<Label> {
    let side = lattice.side() as i8;
    let mut all = Vec::new();
    for s in 2..=2 * side {
        // The ends of the row of locations at this height.
        let reach = (s - 2).min(2 * side - s);
        let (left, right) = (lattice.cell_at(-reach, s), lattice.cell_at(reach, s));
        let (Some(left), Some(right)) = (left, right) else { continue };
        if notation == DiagonalNotation::Diagram {
            // Up to the middle, letters are at the left and digits at the right; above the middle, digits at the left.
            let part = |cell, letter| {
                let name = lattice.name(cell);
                if letter { name[..1].to_owned() } else { name[1..].to_owned() }
            };
            let low = s <= side + 1;
            all.push(Label { at: (-reach, s), side: Side::Left, text: part(left, low) });
            all.push(Label { at: (reach, s), side: Side::Right, text: part(right, !low) });
        } else if lattice.orientation(left) == Orientation::Horizontal {
            let text = notation.line_name((Orientation::Horizontal, s - side - 1));
            all.push(Label { at: (-reach, s), side: Side::Left, text });
        }
    }
    if notation != DiagonalNotation::Diagram {
        for d in (1 - side..side).step_by(2) {
            let text = notation.line_name((Orientation::Vertical, d));
            all.push(Label { at: (d, 1), side: Side::Below, text });
        }
    }
    all
}

/// A page of characters by height and column, two characters for each column.
struct Page {
    side: i8,
    lattice: &'static Diagonal,
    lines: Vec<Vec<char>>,
}

/// The number of columns of text left of the board.
const MARGIN: i32 = 4;

impl Page {
    fn new(lattice: &'static Diagonal) -> Self {
        Self {
            side: lattice.side() as i8,
            lattice,
            lines: vec![Vec::new(); 2 * usize::from(lattice.side()) + 2],
        }
    }

    /// Writes a text `right` characters to the right of a point.
    fn put(&mut self, d: i8, s: i8, right: i32, text: &str) {
        let x = MARGIN + 2 * i32::from(d + self.side - 1) + right;
        let (start, end) = (x as usize, x as usize + text.len());
        let line = &mut self.lines[s as usize];
        line.resize(line.len().max(end), ' ');
        for (place, c) in line[start..end].iter_mut().zip(text.chars()) {
            *place = c;
        }
    }

    /// Writes the middle part of a location: a piece of its line, or of a stone.
    fn piece(&mut self, cell: Cell, glyph: Option<char>) {
        let (d, s) = (self.lattice.column(cell), self.lattice.height(cell));
        match self.lattice.orientation(cell) {
            Orientation::Vertical => self.put(d, s, 0, &glyph.unwrap_or('|').to_string()),
            Orientation::Horizontal => self.put(d, s, -1, &glyph.unwrap_or('-').to_string().repeat(3)),
        }
    }

    fn point(&mut self, point: Intersection, glyph: char) {
        let (d, s) = self.lattice.point(point);
        self.put(d, s, 0, &glyph.to_string());
    }

    fn label(&mut self, label: &Label) {
        let (d, s) = label.at;
        let length = label.text.len() as i32;
        // A horizontal piece reaches two characters to each side of its middle.
        let reach = if s % 2 == 0 { 0 } else { 2 };
        match label.side {
            Side::Left => self.put(d, s, -reach - 1 - length, &label.text),
            Side::Right => self.put(d, s, reach + 2, &label.text),
            Side::Below => self.put(d, 0, -(length / 2), &label.text),
        }
    }

    /// The number of columns before the leftmost character.
    fn margin(&self) -> usize {
        let indent = |line: &Vec<char>| line.iter().position(|&c| c != ' ');
        self.lines.iter().filter_map(indent).min().unwrap_or(0)
    }

    /// The lines from the top, without margin and trailing spaces.
    fn lines(self) -> Vec<String> {
        let margin = self.margin();
        let lines = self.lines.iter().rev().map(|line| line.iter().collect::<String>());
        let mut lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
        if lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines.into_iter().map(|line| line[margin..].to_owned()).collect()
    }
}
