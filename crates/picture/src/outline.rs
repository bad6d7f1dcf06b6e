//! Figures as outlines of lines and curves.

use stonework_board::{Figure, PagePoint};
use ttf_parser::OutlineBuilder;

use crate::font::Font;

/// The receiver of an outline, in units of the page.
pub(crate) trait Pen {
    /// Begins at a point.
    fn start(&mut self, x: f32, y: f32);
    /// Draws a line to a point.
    fn line(&mut self, x: f32, y: f32);
    /// Draws a cubic Bézier curve.
    fn curve(&mut self, points: [(f32, f32); 3]);
    /// Closes the outline.
    fn close(&mut self);
}

/// The distance of the control points of a quarter of a circle from its ends, for radius 1.
const QUARTER: f32 = 0.552_284_8;
/// The distance of the base line from half the height of capitals, in sizes of the font, as in SVG.
pub(crate) const BASE: f32 = 0.35;

/// A length of a page in units.
pub(crate) fn units(hundredths: i32) -> f32 {
    hundredths as f32 / 100.0
}

/// Draws a figure.
pub(crate) fn draw(figure: &Figure, font: &Font, pen: &mut impl Pen) {
    match figure {
        Figure::Polygon(points) => run(points, true, pen),
        Figure::Line(points) => run(points, false, pen),
        Figure::Circle { centre, radius } => {
            let (x, y, r) = (units(centre.x), units(centre.y), units(*radius));
            round([x - r, y - r, x + r, y + r], r, pen);
        }
        Figure::Bar { from, to, round: r } => {
            round([units(from.x), units(from.y), units(to.x), units(to.y)], units(*r), pen);
        }
        Figure::Text { centre, size, content } => {
            let (glyphs, wide) = font.line(content);
            let size = units(*size);
            let (left, base) = (units(centre.x) - wide * size / 2.0, units(centre.y) + BASE * size);
            for (glyph, at) in glyphs {
                let mut letter = Letter {
                    pen: &mut *pen,
                    x: left + at * size,
                    y: base,
                    scale: size / font.units(),
                    at: (0.0, 0.0),
                };
                font.face.outline_glyph(glyph, &mut letter);
            }
        }
    }
}

fn run(points: &[PagePoint], closed: bool, pen: &mut impl Pen) {
    let Some((first, rest)) = points.split_first() else { return };
    pen.start(units(first.x), units(first.y));
    for point in rest {
        pen.line(units(point.x), units(point.y));
    }
    if closed {
        pen.close();
    }
}

/// Draws a rectangle with corners of a radius, at most half a side.
fn round([left, top, right, bottom]: [f32; 4], radius: f32, pen: &mut impl Pen) {
    let r = radius.min((right - left) / 2.0).min((bottom - top) / 2.0).max(0.0);
    if r == 0.0 {
        pen.start(left, top);
        pen.line(right, top);
        pen.line(right, bottom);
        pen.line(left, bottom);
        return pen.close();
    }
    let k = r * (1.0 - QUARTER);
    pen.start(left + r, top);
    pen.line(right - r, top);
    pen.curve([(right - k, top), (right, top + k), (right, top + r)]);
    pen.line(right, bottom - r);
    pen.curve([(right, bottom - k), (right - k, bottom), (right - r, bottom)]);
    pen.line(left + r, bottom);
    pen.curve([(left + k, bottom), (left, bottom - k), (left, bottom - r)]);
    pen.line(left, top + r);
    pen.curve([(left, top + k), (left + k, top), (left + r, top)]);
    pen.close();
}

/// A glyph on its way from the units of the font, with y upwards, to the page.
struct Letter<'a, P> {
    pen: &'a mut P,
    x: f32,
    y: f32,
    scale: f32,
    /// The last point on the page.
    at: (f32, f32),
}

impl<P> Letter<'_, P> {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl<P: Pen> OutlineBuilder for Letter<'_, P> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = self.place(x, y);
        self.pen.start(self.at.0, self.at.1);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.at = self.place(x, y);
        self.pen.line(self.at.0, self.at.1);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (from, control, to) = (self.at, self.place(x1, y1), self.place(x, y));
        let near = |end: (f32, f32)| {
            (end.0 + (control.0 - end.0) * 2.0 / 3.0, end.1 + (control.1 - end.1) * 2.0 / 3.0)
        };
        self.pen.curve([near(from), near(to), to]);
        self.at = to;
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.at = self.place(x, y);
        self.pen.curve([self.place(x1, y1), self.place(x2, y2), self.at]);
    }

    fn close(&mut self) {
        self.pen.close();
    }
}
