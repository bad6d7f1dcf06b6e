//! Diagrams as SVG.

use std::borrow::Cow;

use super::frame::coordinates;
use super::{Diagram, Layout, Stone};
use crate::{Axial, Direction, Shape};

/// The distance of the centres of two neighbouring cells; all other lengths are in the same unit.
const STEP: f64 = 40.0;
/// The distance of two rows in steps: half of the square root of 3.
const ROW: f64 = 0.866_025_403_784_438_6;
/// The distance of a coordinate from its rim cell, in steps.
const OUTSIDE: f64 = 0.85;
const STONE_RADIUS: f64 = 15.8;
const MARGIN: f64 = 10.0;
pub(crate) const TITLE_SIZE: f64 = 18.0;
pub(crate) const FONT: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

const BOARD: &str = "#f5ecdb";
const CORNER: &str = "#e9dabb";
const LINE: &str = "#b3a486";
const TINT: &str = "#b9d3e6";
const OUTLINE: &str = "#1c5d8c";
pub(crate) const INK: &str = "#242424";
pub(crate) const PAPER: &str = "#ffffff";
pub(crate) const FAINT: &str = "#5c5545";

#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) fn moved(self, by: Self, times: f64) -> Self {
        Self { x: self.x + by.x * times, y: self.y + by.y * times }
    }
}

/// The text is like `12.5 -3`, with at most two decimals, so that it does not depend on rounding errors.
impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", number(self.x), number(self.y))
    }
}

fn number(value: f64) -> f64 {
    // Adding zero turns −0 into 0.
    (value * 100.0).round() / 100.0 + 0.0
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

pub(super) fn draw(diagram: &Diagram) -> String {
    let (plane, width, height) = page(diagram);
    let mut out = vec![format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"{FONT}\" text-anchor=\"middle\">"
    )];
    if let Some(title) = diagram.title.as_deref().map(escape) {
        out.push(format!("<title>{title}</title>"));
        let middle = Point { x: width / 2.0, y: MARGIN + 0.65 * TITLE_SIZE };
        out.push(text(middle, TITLE_SIZE, INK, &title));
    }
    cells(diagram, &plane, &mut out);
    highlights(diagram, &plane, &mut out);
    if diagram.strokes {
        bars(diagram, &plane, &mut out);
    }
    stones(diagram, &plane, &mut out);
    if diagram.coordinates {
        // Readers shrink the picture of a large board, so its letters are larger.
        let size = f64::from(13 + diagram.board.size() / 5);
        out.push("<g>".to_owned());
        for coordinate in coordinates(diagram) {
            let at = plane.place(diagram.board.coord(coordinate.cell));
            let at = at.moved(plane.step(coordinate.side), OUTSIDE);
            out.push(text(at, size, FAINT, &coordinate.text));
        }
        out.push("</g>".to_owned());
    }
    out.push("</svg>\n".to_owned());
    out.join("\n")
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

/// Draws the empty cells, the corners of a hexagon a shade darker.
fn cells(diagram: &Diagram, plane: &Plane, out: &mut Vec<String>) {
    let board = diagram.board;
    let hexagonal = matches!(board.shape(), Shape::Hexagon(_));
    let all: Vec<_> = board.cells().map(|c| hexagon(plane, board.coord(c))).collect();
    let line = format!("stroke=\"{LINE}\" stroke-width=\"1\" stroke-linejoin=\"round\"");
    out.push(format!("<path fill=\"{BOARD}\" {line} d=\"{}\"/>", all.join("\n")));
    if hexagonal {
        let corners: Vec<_> = board.corner_cells().map(|c| all[c.index()].as_str()).collect();
        out.push(format!("<path fill=\"{CORNER}\" {line} d=\"{}\"/>", corners.join("\n")));
    }
}

/// The outline of a cell, as a path of a start and five steps.
fn hexagon(plane: &Plane, at: Axial) -> String {
    let corners = Direction::ALL.map(|d| plane.corner(d));
    let steps: Vec<_> = corners.windows(2).map(|c| c[1].moved(c[0], -1.0).to_string()).collect();
    format!("M{}l{}z", plane.place(at).moved(corners[0], 1.0), steps.join(" "))
}

/// Draws the marked cells: tinted, with a thick line around each group.
fn highlights(diagram: &Diagram, plane: &Plane, out: &mut Vec<String>) {
    let (board, marked) = (diagram.board, &diagram.highlights);
    if marked.is_empty() {
        return;
    }
    let tinted: Vec<_> = marked.iter().map(|c| hexagon(plane, board.coord(c))).collect();
    out.push(format!("<path fill=\"{TINT}\" stroke=\"{LINE}\" d=\"{}\"/>", tinted.join("\n")));
    let mut sides = Vec::new();
    for cell in marked {
        let at = plane.place(board.coord(cell));
        for side in Direction::ALL {
            if board.neighbour(cell, side).is_none_or(|n| !marked.contains(n)) {
                let (from, to) = (plane.corner(side.turned(-1)), plane.corner(side));
                sides.push(format!("M{}L{}", at.moved(from, 1.0), at.moved(to, 1.0)));
            }
        }
    }
    let line = format!("fill=\"none\" stroke=\"{OUTLINE}\" stroke-width=\"3\" stroke-linecap=\"round\"");
    out.push(format!("<path {line} d=\"{}\"/>", sides.join("\n")));
}

/// Draws bars between neighbouring stones of one kind.
fn bars(diagram: &Diagram, plane: &Plane, out: &mut Vec<String>) {
    let board = diagram.board;
    for (kind, widths) in [(Stone::Light, &[(9.0, INK), (6.2, PAPER)][..]), (Stone::Dark, &[(9.0, INK)])] {
        let mut path = Vec::new();
        for cell in board.cells().filter(|c| diagram.stones[c.index()] == Some(kind)) {
            let at = plane.place(board.coord(cell));
            for side in [Direction::E, Direction::SE, Direction::SW] {
                if diagram.joined(cell, side) {
                    path.push(format!("M{at}L{}", at.moved(plane.step(side), 1.0)));
                }
            }
        }
        if !path.is_empty() {
            let path = path.join("\n");
            let bar =
                |(width, ink)| format!("<path stroke=\"{ink}\" stroke-width=\"{width}\" d=\"{path}\"/>");
            out.extend(widths.iter().copied().map(bar));
        }
    }
}

/// Draws stones, labels and the mark of the last move.
fn stones(diagram: &Diagram, plane: &Plane, out: &mut Vec<String>) {
    let board = diagram.board;
    for cell in board.cells() {
        let at = plane.place(board.coord(cell));
        let (x, y) = (number(at.x), number(at.y));
        let circle =
            |radius: f64, look: &str| format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>");
        let (stone, label) = (diagram.stones[cell.index()], diagram.labels.get(&cell));
        let contrast = if stone == Some(Stone::Dark) { PAPER } else { INK };
        if let Some(stone) = stone {
            let fill = if stone == Stone::Dark { INK } else { PAPER };
            out.push(circle(STONE_RADIUS, &format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.4\"")));
        }
        if diagram.last == Some(cell) {
            out.push(if label.is_none() {
                circle(5.0, &format!("fill=\"{contrast}\""))
            } else {
                circle(13.0, &format!("fill=\"none\" stroke=\"{contrast}\" stroke-width=\"1.6\""))
            });
        }
        if let Some(label) = label {
            let size = (42.0 / label.chars().count() as f64).clamp(1.0, 15.0);
            out.push(text(at, number(size), contrast, &escape(label)));
        }
    }
}

/// A text, already escaped, centred on a point. The middle of capitals and digits is about a third of the font size above
/// the base line.
pub(crate) fn text(at: Point, size: f64, colour: &str, content: &str) -> String {
    let (x, y) = (number(at.x), number(at.y + 0.35 * size));
    format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\">{content}</text>")
}

/// Escapes the text of an element, which has no control characters.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '&' | '<' | '>' | '\u{fffe}' | '\u{ffff}');
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}
