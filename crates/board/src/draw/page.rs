//! Diagrams as drawings.

use super::frame::coordinates;
use super::{Diagram, Layout, Stone};
use crate::drawing::{self, Ground};
use crate::{
    Axial, Cell, CellArea, Direction, Drawing, Figure, PagePoint, Paint, Part, Rgb, Shape, StoneLook,
};

/// The distance of the centres of two neighbouring cells; all other lengths are in the same unit.
const STEP: f64 = 40.0;
/// The distance of two rows in steps: half of the square root of 3.
const ROW: f64 = 0.866_025_403_784_438_6;
/// The distance of a coordinate from its rim cell, in steps.
const OUTSIDE: f64 = 0.85;
/// In hundredths.
const STONE_RADIUS: i32 = 1580;
const MARGIN: f64 = 10.0;
pub(crate) const TITLE_SIZE: f64 = 18.0;

#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) fn moved(self, by: Self, times: f64) -> Self {
        Self { x: self.x + by.x * times, y: self.y + by.y * times }
    }

    /// The point in hundredths, so that it does not depend on rounding errors.
    pub(crate) fn page(self) -> PagePoint {
        PagePoint { x: (self.x * 100.0).round() as i32, y: (self.y * 100.0).round() as i32 }
    }
}

/// The map from lattice points to places on the page.
struct Plane {
    layout: Layout,
    upwards: bool,
    origin: Point,
}

impl Plane {
    fn vector(&self, row: i16, column: i16) -> Point {
        let (along, across) =
            (STEP * (f64::from(column) - f64::from(row) / 2.0), STEP * ROW * f64::from(row));
        match self.layout {
            Layout::Rows if self.upwards => Point { x: along, y: -across },
            Layout::Rows => Point { x: along, y: across },
            Layout::Columns => Point { x: across, y: -along },
        }
    }

    fn place(&self, at: Axial) -> Point {
        self.origin.moved(self.vector(at.row, at.column), 1.0)
    }

    fn step(&self, direction: Direction) -> Point {
        let (row, column) = direction.offset();
        self.vector(row, column)
    }

    /// The vector from the centre of a hexagon to its corner between a direction and the next one clockwise.
    fn corner(&self, direction: Direction) -> Point {
        let origin = Point { x: 0.0, y: 0.0 };
        origin.moved(self.step(direction), 1.0 / 3.0).moved(self.step(direction.turned(1)), 1.0 / 3.0)
    }
}

/// The cells of a diagram on its page.
struct Cells<'a> {
    diagram: &'a Diagram,
    plane: Plane,
}

impl Ground for Cells<'_> {
    fn place(&self, cell: Cell) -> Point {
        self.plane.place(self.diagram.board.coord(cell))
    }

    fn border(&self, cell: Cell) -> Vec<(Point, Option<Cell>)> {
        let at = self.place(cell);
        // From the corner before a direction to the corner after it runs the side towards the direction.
        let side = |d: Direction| {
            (at.moved(self.plane.corner(d.turned(-1)), 1.0), self.diagram.board.neighbour(cell, d))
        };
        Direction::ALL.map(side).to_vec()
    }

    fn stone(&self, cell: Cell) -> Figure {
        Figure::Circle { centre: self.place(cell).page(), radius: STONE_RADIUS }
    }

    fn label_size(&self, _: Cell, letters: usize) -> f64 {
        (42.0 / letters as f64).clamp(1.0, 15.0)
    }

    fn plated(&self) -> bool {
        false
    }
}

pub(super) fn draw(diagram: &Diagram) -> Drawing {
    let (plane, width, height) = page(diagram);
    let (theme, board) = (&diagram.theme, diagram.board);
    let mut out = Drawing::new(width as u32, height as u32, theme.background);
    out.entitle(diagram.title.as_deref());
    if let Some(title) = &diagram.title {
        let middle = Point { x: width / 2.0, y: MARGIN + 0.65 * TITLE_SIZE };
        out.paint(words(middle, TITLE_SIZE, title), Paint::filled(theme.ink));
    }
    let cells = Cells { diagram, plane };
    let mut empty = |at: Cell, fill: Rgb| {
        let corners = cells.border(at).iter().map(|(corner, _)| corner.page()).collect();
        out.paint(Figure::Polygon(corners), Paint::both(fill, theme.line, 100));
    };
    board.cells().for_each(|at| empty(at, theme.board));
    if matches!(board.shape(), Shape::Hexagon(_)) {
        board.corner_cells().for_each(|at| empty(at, theme.corner));
    }
    let look = |stone| theme.stone(diagram.colours, stone);
    let on = |cell: Cell| diagram.stones[cell.index()].map(look);
    drawing::tints(&cells, &diagram.overlay, theme, &mut out);
    if diagram.strokes {
        bars(&cells, &mut out);
    }
    drawing::ghosts(&cells, &diagram.overlay, theme, look, |cell| on(cell).is_some(), &mut out);
    for cell in board.cells() {
        if let Some(StoneLook { fill, rim, .. }) = on(cell) {
            out.paint(cells.stone(cell), Paint::both(fill, rim, 140));
        }
        if diagram.last == Some(cell) {
            let ink = on(cell).map_or(theme.ink, |look| look.label);
            let (radius, paint) = match diagram.overlay.labels.get(&cell) {
                None => (500, Paint::filled(ink)),
                Some(_) => (1300, Paint::line(ink, 160)),
            };
            out.paint(Figure::Circle { centre: cells.place(cell).page(), radius }, paint);
        }
    }
    drawing::labels(&cells, &diagram.overlay, theme, |cell| on(cell).map(|look| look.label), &mut out);
    drawing::paths(&cells, &diagram.overlay, theme, &mut out);
    if diagram.coordinates {
        // Readers shrink the picture of a large board, so its letters are larger.
        let size = f64::from(13 + board.size() / 5);
        for coordinate in coordinates(diagram) {
            let at = cells.place(coordinate.cell).moved(cells.plane.step(coordinate.side), OUTSIDE);
            out.paint(words(at, size, &coordinate.text), Paint::filled(theme.faint));
        }
    }
    out
}

/// The places of all cells on the page of [`draw`].
pub(super) fn areas(diagram: &Diagram) -> Vec<CellArea> {
    let cells = Cells { diagram, plane: page(diagram).0 };
    diagram.board.cells().map(|cell| CellArea::new(&cells, cell, diagram.stones[cell.index()])).collect()
}

/// The map to a page with all places positive, and the width and height of the page.
fn page(diagram: &Diagram) -> (Plane, f64, f64) {
    let board = diagram.board;
    let mut plane =
        Plane { layout: diagram.chosen_layout(), upwards: diagram.counted, origin: Point { x: 0.0, y: 0.0 } };
    let (mut least, mut most) = (plane.origin, plane.origin);
    let reach = if diagram.coordinates { STEP * OUTSIDE + 8.0 } else { STEP / ROW / 2.0 };
    for cell in board.corner_cells() {
        let at = plane.place(board.coord(cell));
        least = Point { x: least.x.min(at.x), y: least.y.min(at.y) };
        most = Point { x: most.x.max(at.x), y: most.y.max(at.y) };
    }
    let (mut wide, mut high) = (most.x - least.x + 2.0 * reach, most.y - least.y + 2.0 * reach);
    let mut left = (MARGIN, MARGIN);
    if let Some(title) = &diagram.title {
        // The average letter is narrower than six tenths of its height.
        let needed = 0.6 * TITLE_SIZE * title.chars().count() as f64;
        left.0 += ((needed - wide) / 2.0).max(0.0);
        wide = wide.max(needed);
        left.1 += 1.5 * TITLE_SIZE;
        high += 1.5 * TITLE_SIZE;
    }
    plane.origin = Point { x: left.0 + reach - least.x, y: left.1 + reach - least.y };
    (plane, (wide + 2.0 * MARGIN).ceil(), (high + 2.0 * MARGIN).ceil())
}

/// A stone on the first cell.
pub(super) fn piece(diagram: &Diagram, stone: Stone) -> Part {
    let StoneLook { fill, rim, .. } = diagram.theme.stone(diagram.colours, stone);
    let cells = Cells { diagram, plane: page(diagram).0 };
    Part { figure: cells.stone(Cell::at(0)), paint: Paint::both(fill, rim, 140) }
}

/// Draws bars between neighbouring stones of one kind: dark, and within them in the colour of the stones.
fn bars(cells: &Cells<'_>, out: &mut Drawing) {
    let (diagram, board) = (cells.diagram, cells.diagram.board);
    for kind in [Stone::Light, Stone::Dark] {
        let StoneLook { fill, rim, .. } = diagram.theme.stone(diagram.colours, kind);
        for (width, ink) in [(900, rim), (620, fill)] {
            for cell in board.cells().filter(|c| diagram.stones[c.index()] == Some(kind)) {
                let at = cells.place(cell);
                for side in [Direction::E, Direction::SE, Direction::SW] {
                    if diagram.joined(cell, side) {
                        let to = at.moved(cells.plane.step(side), 1.0);
                        out.paint(Figure::Line(vec![at.page(), to.page()]), Paint::line(ink, width));
                    }
                }
            }
        }
    }
}

/// A text with its middle at a point.
pub(crate) fn words(at: Point, size: f64, content: &str) -> Figure {
    Figure::Text { centre: at.page(), size: (size * 100.0) as i32, content: content.to_owned() }
}
