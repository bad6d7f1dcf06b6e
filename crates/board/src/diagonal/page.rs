//! Diagonal diagrams as drawings.

use super::draw::{Side, labels};
use super::{DiagonalDiagram, Heading, Home, Orientation};
use crate::draw::{Point, TITLE_SIZE, words};
use crate::drawing::{self, Ground};
use crate::{Cell, CellArea, Drawing, Figure, Paint, Part, Rgb, Stone, StoneLook};

/// The distance of two columns or heights; all other lengths are in the same unit.
const STEP: f64 = 22.0;
/// The margin around the board, with the coordinates.
const MARGIN: f64 = 34.0;
/// Half of a stone's width.
const THICK: f64 = 7.0;
/// The length of a stone beyond each of its intersections.
const BEYOND: f64 = 8.0;
const LABEL_SIZE: f64 = 13.0;

/// The map from lattice points to places on the page.
struct Page {
    side: i8,
    top: f64,
    left: f64,
}

impl Page {
    fn place(&self, (d, s): (i8, i8)) -> Point {
        let (right, down) =
            (f64::from(d) + f64::from(self.side), 2.0 * f64::from(self.side) + 2.0 - f64::from(s));
        Point { x: self.left + STEP * right, y: self.top + STEP * down }
    }
}

/// The locations of a diagram on its page.
struct Locations<'a> {
    diagram: &'a DiagonalDiagram,
    page: Page,
}

impl Locations<'_> {
    /// An upright rectangle around the middle of a location, along its piece of line.
    fn bar(&self, cell: Cell, long: f64, thick: f64) -> Figure {
        let at = self.place(cell);
        let half = match self.diagram.lattice.orientation(cell) {
            Orientation::Vertical => Point { x: thick, y: long },
            Orientation::Horizontal => Point { x: long, y: thick },
        };
        let (from, to) = (at.moved(half, -1.0).page(), at.moved(half, 1.0).page());
        Figure::Bar { from, to, round: (thick * 100.0) as i32 }
    }
}

impl Ground for Locations<'_> {
    fn place(&self, cell: Cell) -> Point {
        let lattice = self.diagram.lattice;
        self.page.place((lattice.column(cell), lattice.height(cell)))
    }

    fn border(&self, cell: Cell) -> Vec<(Point, Option<Cell>)> {
        let at = self.place(cell);
        let corners = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
        let beyond = [Heading::UpRight, Heading::DownRight, Heading::DownLeft, Heading::UpLeft];
        let side = |((x, y), heading)| {
            let beyond = self.diagram.lattice.neighbour(cell, heading);
            (at.moved(Point { x, y }, STEP), beyond)
        };
        corners.into_iter().zip(beyond).map(side).collect()
    }

    fn stone(&self, cell: Cell) -> Figure {
        self.bar(cell, STEP + BEYOND, THICK)
    }

    fn label_size(&self, cell: Cell, letters: usize) -> f64 {
        let room = match self.diagram.lattice.orientation(cell) {
            Orientation::Vertical => 20.0,
            Orientation::Horizontal => 60.0,
        };
        (room / letters as f64).clamp(1.0, 11.0)
    }

    fn plated(&self) -> bool {
        true
    }
}

pub(super) fn draw(diagram: &DiagonalDiagram) -> Drawing {
    let (lattice, theme) = (diagram.lattice, &diagram.theme);
    let (page, wide, high) = page(diagram);
    let mut out = Drawing::new(wide as u32, high as u32, theme.background);
    out.entitle(diagram.title.as_deref());
    if let Some(title) = &diagram.title {
        let middle = Point { x: wide / 2.0, y: 1.35 * TITLE_SIZE };
        out.paint(words(middle, TITLE_SIZE, title), Paint::filled(theme.ink));
    }
    let locations = Locations { diagram, page };
    squares(&locations, &mut out);
    drawing::tints(&locations, &diagram.overlay, theme, &mut out);
    for cell in lattice.cells() {
        let piece = lattice.intersections(cell).map(|end| locations.page.place(lattice.point(end)).page());
        out.paint(Figure::Line(piece.to_vec()), Paint::line(theme.line, 120));
    }
    let look = |stone| theme.stone(diagram.colours, stone);
    let on = |cell: Cell| diagram.stones[cell.index()].map(look);
    drawing::ghosts(&locations, &diagram.overlay, theme, look, |cell| on(cell).is_some(), &mut out);
    for cell in lattice.cells() {
        if let Some(StoneLook { fill, rim, .. }) = on(cell) {
            out.paint(locations.stone(cell), Paint::both(fill, rim, 140));
        }
    }
    if let Some(cell) = diagram.last {
        let ink = on(cell).map_or(theme.ink, |look| look.label);
        if diagram.overlay.labels.contains_key(&cell) {
            out.paint(locations.bar(cell, STEP + BEYOND - 2.0, THICK - 2.0), Paint::line(ink, 110));
        } else {
            let centre = locations.place(cell).page();
            out.paint(Figure::Circle { centre, radius: 350 }, Paint::filled(ink));
        }
    }
    drawing::labels(&locations, &diagram.overlay, theme, |cell| on(cell).map(|look| look.label), &mut out);
    drawing::paths(&locations, &diagram.overlay, theme, &mut out);
    if diagram.coordinates {
        for label in labels(lattice, diagram.notation) {
            // Horizontal pieces of line, and stones on them, extend further out.
            let aside = STEP * if label.at.1 % 2 == 0 { 1.4 } else { 1.8 };
            let by = match label.side {
                Side::Left => Point { x: -aside, y: 0.0 },
                Side::Right => Point { x: aside, y: 0.0 },
                Side::Below => Point { x: 0.0, y: STEP },
            };
            let at = locations.page.place(label.at).moved(by, 1.0);
            out.paint(words(at, LABEL_SIZE, &label.text), Paint::filled(theme.faint));
        }
    }
    out
}

/// The map to a page with all places positive, and the width and height of the page.
fn page(diagram: &DiagonalDiagram) -> (Page, f64, f64) {
    let side = diagram.lattice.side() as i8;
    let mut page = Page { side, top: MARGIN - STEP, left: MARGIN };
    let mut wide = 2.0 * STEP * f64::from(side) + 2.0 * MARGIN;
    let mut high = 2.0 * STEP * f64::from(side) + 2.0 * MARGIN;
    if let Some(title) = &diagram.title {
        // The average letter is narrower than six tenths of its height.
        let needed = 0.6 * TITLE_SIZE * title.chars().count() as f64 + 20.0;
        page.left += ((needed - wide) / 2.0).max(0.0);
        wide = wide.max(needed);
        page.top += 1.5 * TITLE_SIZE;
        high += 1.5 * TITLE_SIZE;
    }
    (page, wide.ceil(), high.ceil())
}

/// The places of all locations on the page of [`draw`].
pub(super) fn areas(diagram: &DiagonalDiagram) -> Vec<CellArea> {
    let locations = Locations { diagram, page: page(diagram).0 };
    let area = |cell: Cell| CellArea::new(&locations, cell, diagram.stones[cell.index()]);
    diagram.lattice.cells().map(area).collect()
}

/// A stone on the first location.
pub(super) fn piece(diagram: &DiagonalDiagram, stone: Stone) -> Part {
    let StoneLook { fill, rim, .. } = diagram.theme.stone(diagram.colours, stone);
    let page = Page { side: diagram.lattice.side() as i8, top: MARGIN, left: MARGIN };
    let figure = Locations { diagram, page }.stone(Cell::at(0));
    Part { figure, paint: Paint::both(fill, rim, 140) }
}

/// Draws the squares of all locations, which stand on their corners: shaded for vertical locations, and the homebases in the
/// colour of corners.
fn squares(locations: &Locations<'_>, out: &mut Drawing) {
    let (lattice, theme) = (locations.diagram.lattice, &locations.diagram.theme);
    let homes = [Home::Bottom, Home::Top].map(|home| lattice.homebase(home));
    let mut paint = |fill: Rgb, wanted: &dyn Fn(Cell) -> bool| {
        for cell in lattice.cells().filter(|&cell| wanted(cell)) {
            let corners = locations.border(cell).iter().map(|(corner, _)| corner.page()).collect();
            out.paint(Figure::Polygon(corners), Paint::both(fill, theme.background, 100));
        }
    };
    let kind = |cell, orientation| !homes.contains(&cell) && lattice.orientation(cell) == orientation;
    paint(theme.upright, &|cell| kind(cell, Orientation::Vertical));
    paint(theme.board, &|cell| kind(cell, Orientation::Horizontal));
    paint(theme.corner, &|cell| homes.contains(&cell));
}
