//! Drawings as pixels.

use std::ops::Range;

use ab_glyph_rasterizer::Rasterizer;
use stonework_board::{Drawing, PagePoint, Rgb};
use zeno::{Cap, Command, Fill, Join, PathBuilder, Point, Scratch, Stroke, Style, Transform};

use crate::font::Font;
use crate::outline::{Pen, draw, units};
use crate::{MAX_SIDE, PictureError};

impl Pen for Vec<Command> {
    fn start(&mut self, x: f32, y: f32) {
        self.move_to([x, y]);
    }

    fn line(&mut self, x: f32, y: f32) {
        self.line_to([x, y]);
    }

    fn curve(&mut self, [a, b, c]: [(f32, f32); 3]) {
        self.curve_to([a.0, a.1], [b.0, b.1], [c.0, c.1]);
    }

    fn close(&mut self) {
        PathBuilder::close(self);
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Area {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Area {
    const fn right(&self) -> u32 {
        self.left + self.width
    }

    const fn bottom(&self) -> u32 {
        self.top + self.height
    }

    /// The number of pixels.
    pub(crate) fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    const fn meets(&self, other: &Self) -> bool {
        self.left < other.right()
            && other.left < self.right()
            && self.top < other.bottom()
            && other.top < self.bottom()
    }

    fn columns(&self) -> Range<i64> {
        self.left.into()..self.right().into()
    }

    fn rows(&self) -> Range<i64> {
        self.top.into()..self.bottom().into()
    }

    /// The smallest rectangle with both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        let (right, bottom) = (self.right().max(other.right()), self.bottom().max(other.bottom()));
        Self { left, top, width: right - left, height: bottom - top }
    }
}

/// The picture of a page at a size: pixels that are painted in rectangles.
pub(crate) struct Canvas {
    pub(crate) width: u32,
    pub(crate) height: u32,
    scale: f32,
    font: Font,
    /// The colour of each pixel, row by row from the top.
    pub(crate) pixels: Vec<Rgb>,
}

impl Canvas {
    /// A canvas for a page in a width of pixels; the height follows.
    pub(crate) fn new(page: &Drawing, width: u32) -> Result<Self, PictureError> {
        if !(1..=MAX_SIDE).contains(&width) {
            return Err(PictureError::Width { width });
        }
        let scale = width as f32 / page.width() as f32;
        let height = (page.height() as f32 * scale).round().max(1.0) as u32;
        if height > MAX_SIDE {
            return Err(PictureError::Height { width, height });
        }
        let pixels = vec![Rgb(0, 0, 0); width as usize * height as usize];
        Ok(Self { width, height, scale, font: Font::new(), pixels })
    }

    /// The whole picture.
    pub(crate) const fn all(&self) -> Area {
        Area { left: 0, top: 0, width: self.width, height: self.height }
    }

    /// The pixels of a rectangle of the page, with a pixel around it; `None` beyond the page.
    fn area(&self, (from, to): (PagePoint, PagePoint)) -> Option<Area> {
        let pixel =
            |at: i32, out: f32, most: u32| (units(at) * self.scale + out).clamp(0.0, most as f32) as u32;
        let (left, right) = (pixel(from.x, -1.0, self.width), pixel(to.x, 2.0, self.width));
        let (top, bottom) = (pixel(from.y, -1.0, self.height), pixel(to.y, 2.0, self.height));
        (left < right && top < bottom).then(|| Area { left, top, width: right - left, height: bottom - top })
    }

    /// The rectangles in which a drawing differs from another one of the same page. No two of them share a pixel.
    pub(crate) fn changes(&self, before: &Drawing, after: &Drawing) -> Vec<Area> {
        let mut apart: Vec<Area> = Vec::new();
        for area in after.changes(before) {
            let Some(mut area) = self.area(area) else { continue };
            while let Some(other) = apart.iter().position(|other| other.meets(&area)) {
                area = area.and(&apart.swap_remove(other));
            }
            apart.push(area);
        }
        apart
    }

    /// Paints a rectangle of a drawing.
    pub(crate) fn paint(&mut self, drawing: &Drawing, area: Area) {
        for line in self.lines(area) {
            line.fill(drawing.background());
        }
        let mut ink = Ink::new();
        for part in drawing.parts() {
            if !self.area(part.bounds()).is_some_and(|bounds| bounds.meets(&area)) {
                continue;
            }
            ink.path.clear();
            draw(&part.figure, &self.font, &mut ink.path);
            if let Some(colour) = part.paint.fill {
                self.cover(&mut ink, Fill::NonZero.into(), area, colour);
            }
            if let Some(colour) = part.paint.stroke {
                let width = units(part.paint.width);
                let dashes = [3.0 * width; 2];
                let mut line = Stroke::new(width);
                line.cap(Cap::Round).join(Join::Round);
                if part.paint.dashed {
                    line.dash(&dashes, 0.0);
                }
                self.cover(&mut ink, line.into(), area, colour);
            }
        }
    }

    /// Paints the path, filled or stroked, in a colour, as far as it lies in a rectangle.
    fn cover(&mut self, ink: &mut Ink, style: Style<'_>, area: Area, colour: Rgb) {
        let Some(shape) = ink.cover(style, self.scale) else { return };
        let lines = ink.coverage.chunks_exact(shape.width).zip(shape.top..);
        for (line, row) in lines.filter(|(_, row)| area.rows().contains(row)) {
            let start = row as usize * self.width as usize;
            for (&share, column) in line.iter().zip(shape.left..) {
                if share > 0 && area.columns().contains(&column) {
                    let Rgb(r, g, b) = &mut self.pixels[start + column as usize];
                    (*r, *g, *b) =
                        (mixed(*r, colour.0, share), mixed(*g, colour.1, share), mixed(*b, colour.2, share));
                }
            }
        }
    }

    /// The pixels of a rectangle, line by line.
    fn lines(&mut self, area: Area) -> impl Iterator<Item = &mut [Rgb]> {
        let (left, right) = (area.left as usize, area.right() as usize);
        let lines = self.pixels.chunks_exact_mut(self.width as usize);
        lines.skip(area.top as usize).take(area.height as usize).map(move |line| &mut line[left..right])
    }
}

/// The room in which one figure after another is painted.
struct Ink {
    path: Vec<Command>,
    shape: Vec<Command>,
    scratch: Scratch,
    raster: Rasterizer,
    /// The share of each pixel that the figure covers, in 255ths.
    coverage: Vec<u8>,
}

/// The rectangle of pixels that a figure needs; it may reach beyond the page.
struct Extent {
    left: i64,
    top: i64,
    width: usize,
}

impl Ink {
    fn new() -> Self {
        let raster = Rasterizer::new(0, 0);
        Self { path: Vec::new(), shape: Vec::new(), scratch: Scratch::new(), raster, coverage: Vec::new() }
    }

    /// Computes the coverage of the path, which depends on nothing but the path, the style and the scale; `None` for a path
    /// without points, or of more pixels than two pictures of the largest size have.
    fn cover(&mut self, style: Style<'_>, scale: f32) -> Option<Extent> {
        self.shape.clear();
        self.scratch.apply(&self.path, style, Some(Transform::scale(scale, scale)), &mut self.shape);
        let mut corners = None;
        for point in self.shape.iter().flat_map(points) {
            let (least, most) = corners.get_or_insert((point, point));
            *least = Point::new(least.x.min(point.x), least.y.min(point.y));
            *most = Point::new(most.x.max(point.x), most.y.max(point.y));
        }
        let (least, most) = corners?;
        let origin = least.floor();
        let size = most.ceil() - origin + Point::new(1.0, 1.0);
        let fits = size.x * size.y <= 2.0 * (MAX_SIDE * MAX_SIDE) as f32;
        if !fits {
            return None;
        }
        let (width, height) = (size.x as usize, size.y as usize);
        self.raster.reset(width, height);
        let place = |point: Point| ab_glyph_rasterizer::point(point.x - origin.x, point.y - origin.y);
        let (mut first, mut at) = (place(origin), place(origin));
        for command in &self.shape {
            match *command {
                Command::MoveTo(to) => {
                    self.raster.draw_line(at, first);
                    (first, at) = (place(to), place(to));
                }
                Command::LineTo(to) => {
                    self.raster.draw_line(at, place(to));
                    at = place(to);
                }
                Command::QuadTo(a, to) => {
                    self.raster.draw_quad(at, place(a), place(to));
                    at = place(to);
                }
                Command::CurveTo(a, b, to) => {
                    self.raster.draw_cubic(at, place(a), place(b), place(to));
                    at = place(to);
                }
                Command::Close => {
                    self.raster.draw_line(at, first);
                    at = first;
                }
            }
        }
        self.raster.draw_line(at, first);
        self.coverage.clear();
        let coverage = &mut self.coverage;
        self.raster.for_each_pixel(|_, share| coverage.push((share.min(1.0) * 255.0 + 0.5) as u8));
        Some(Extent { left: origin.x as i64, top: origin.y as i64, width })
    }
}

/// The points of a command: its ends and its control points.
fn points(command: &Command) -> impl Iterator<Item = Point> + use<> {
    let points = match *command {
        Command::MoveTo(a) | Command::LineTo(a) => [Some(a), None, None],
        Command::QuadTo(a, b) => [Some(a), Some(b), None],
        Command::CurveTo(a, b, c) => [Some(a), Some(b), Some(c)],
        Command::Close => [None; 3],
    };
    points.into_iter().flatten()
}

/// A colour's part between two others, `share` 255ths of the way from the first to the second.
fn mixed(below: u8, above: u8, share: u8) -> u8 {
    let [below, above, share] = [below, above, share].map(u32::from);
    ((below * (255 - share) + above * share + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use stonework_board::{Board, Diagram, Overlay, Stone};

    use super::{Area, Canvas};

    #[test]
    fn a_picture_is_the_same_in_one_rectangle_and_in_many() {
        let board = Board::hexagon(4).unwrap();
        let cells: Vec<_> = board.cells().collect();
        let overlay =
            Overlay::new().label(cells[3], "Łž").arrow(cells[1], cells[30]).ghost(cells[9], Stone::Dark);
        let page =
            Diagram::new(board).stone(cells[7], Stone::Light).overlay(overlay).title("a title").drawing();
        let mut whole = Canvas::new(&page, 333).unwrap();
        whole.paint(&page, whole.all());
        let mut parts = Canvas::new(&page, 333).unwrap();
        for left in (0..parts.width).step_by(50) {
            for top in (0..parts.height).step_by(70) {
                let (width, height) = ((parts.width - left).min(50), (parts.height - top).min(70));
                parts.paint(&page, Area { left, top, width, height });
            }
        }
        assert!(whole.pixels == parts.pixels);
        assert!(whole.pixels.iter().any(|&pixel| pixel != page.background()));
    }
}
