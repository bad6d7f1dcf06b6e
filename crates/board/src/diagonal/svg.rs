//! Diagonal diagrams as SVG.

use super::draw::{Side, labels};
use super::{Diagonal, DiagonalDiagram, Home, Orientation};
use crate::draw::svg::{FAINT, FONT, INK, PAPER, Point, TITLE_SIZE, escape, text};
use crate::{Cell, Stone};

/// The distance of two columns or heights; all other lengths are in the same unit.
const STEP: f64 = 22.0;
/// The margin around the board, with the coordinates.
const MARGIN: f64 = 34.0;
/// Half of a stone's width.
const THICK: f64 = 7.0;
/// The length of a stone beyond each of its intersections.
const BEYOND: f64 = 8.0;
const LABEL_SIZE: f64 = 13.0;

const UPRIGHT: &str = "#d9d5cc";
const LEVEL: &str = "#fbf9f4";
const HOME: &str = "#e9c9a4";
const LINE: &str = "#8d877b";

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

pub(super) fn draw(diagram: &DiagonalDiagram) -> String {
    let lattice = diagram.lattice;
    let side = lattice.side() as i8;
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
    let (wide, high) = (wide.ceil(), high.ceil());
    let mut out = vec![format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\">"
    )];
    out.push(format!("<rect width=\"{wide}\" height=\"{high}\" fill=\"{PAPER}\"/>"));
    out.push(format!("<g font-family=\"{FONT}\" text-anchor=\"middle\">"));
    if let Some(title) = &diagram.title {
        out.push(text(Point { x: wide / 2.0, y: TITLE_SIZE }, TITLE_SIZE, INK, &escape(title)));
    }
    fields(lattice, &page, &mut out);
    lines(lattice, &page, &mut out);
    stones(diagram, &page, &mut out);
    if diagram.coordinates {
        for label in labels(lattice, diagram.notation) {
            // Horizontal pieces of line, and stones on them, extend further out.
            let aside = STEP * if label.at.1 % 2 == 0 { 1.4 } else { 1.8 };
            let by = match label.side {
                Side::Left => Point { x: -aside, y: 0.0 },
                Side::Right => Point { x: aside, y: 0.0 },
                Side::Below => Point { x: 0.0, y: STEP },
            };
            let at = page.place(label.at).moved(by, 1.0);
            out.push(text(at, LABEL_SIZE, FAINT, &escape(&label.text)));
        }
    }
    out.push("</g>".to_owned());
    out.push("</svg>\n".to_owned());
    out.join("\n")
}

/// Draws the squares of all locations, which stand on their corners: shaded for vertical locations, tinted for the homebases.
fn fields(lattice: &Diagonal, page: &Page, out: &mut Vec<String>) {
    let square = |cell: Cell| {
        let top = page.place((lattice.column(cell), lattice.height(cell) + 1));
        format!("M{top}l{STEP} {STEP} -{STEP} {STEP} -{STEP} -{STEP}z")
    };
    let homes = [Home::Bottom, Home::Top].map(|home| lattice.homebase(home));
    let kind = |orientation| {
        lattice.cells().filter(move |c| !homes.contains(c) && lattice.orientation(*c) == orientation)
    };
    let mut paint = |fill: &str, squares: Vec<String>| {
        let squares = squares.join("\n");
        out.push(format!("<path fill=\"{fill}\" stroke=\"{PAPER}\" d=\"{squares}\"/>"));
    };
    paint(UPRIGHT, kind(Orientation::Vertical).map(square).collect());
    paint(LEVEL, kind(Orientation::Horizontal).map(square).collect());
    paint(HOME, homes.map(square).to_vec());
}

/// Draws the piece of line on every location.
fn lines(lattice: &Diagonal, page: &Page, out: &mut Vec<String>) {
    let piece = |cell| {
        let [from, to] = lattice.intersections(cell).map(|end| page.place(lattice.point(end)));
        format!("M{from}L{to}")
    };
    let pieces: Vec<_> = lattice.cells().map(piece).collect();
    out.push(format!(
        "<path fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.2\" d=\"{}\"/>",
        pieces.join("\n")
    ));
}

/// Draws the stones along their pieces of line, and the mark of the last move.
fn stones(diagram: &DiagonalDiagram, page: &Page, out: &mut Vec<String>) {
    let lattice = diagram.lattice;
    for (cell, stone) in lattice.cells().zip(&diagram.stones) {
        let Some(stone) = stone else { continue };
        let at = page.place((lattice.column(cell), lattice.height(cell)));
        let (half_x, half_y) = match lattice.orientation(cell) {
            Orientation::Vertical => (THICK, STEP + BEYOND),
            Orientation::Horizontal => (STEP + BEYOND, THICK),
        };
        let (x, y) = (at.x - half_x, at.y - half_y);
        let fill = if *stone == Stone::Dark { INK } else { PAPER };
        out.push(format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"{THICK}\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.4\"/>",
            2.0 * half_x,
            2.0 * half_y
        ));
    }
    if let Some(cell) = diagram.last {
        let at = page.place((lattice.column(cell), lattice.height(cell)));
        let dark = diagram.stones[cell.index()] == Some(Stone::Dark);
        let fill = if dark { PAPER } else { INK };
        out.push(format!("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"{fill}\"/>", at.x, at.y));
    }
}
