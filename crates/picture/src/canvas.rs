//! Drawings as pixels.

use stonework_board::{Drawing, PagePoint, Rgb};
use zeno::{Cap, Command, Fill, Join, Mask, PathBuilder, Scratch, Stroke, Style, Transform};

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

    fn meets(&self, other: &Self) -> bool {
        self.common(other).is_some()
    }

    /// The pixels of both rectangles.
    fn common(&self, other: &Self) -> Option<Self> {
        let (left, top) = (self.left.max(other.left), self.top.max(other.top));
        let (right, bottom) = (self.right().min(other.right()), self.bottom().min(other.bottom()));
        (left < right && top < bottom).then(|| Self { left, top, width: right - left, height: bottom - top })
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
        let mut ink = Ink::default();
        for part in drawing.parts() {
            let Some(bounds) = self.area(part.bounds()).filter(|bounds| bounds.meets(&area)) else {
                continue;
            };
            ink.path.clear();
            draw(&part.figure, &self.font, &mut ink.path);
            if let Some(colour) = part.paint.fill {
                self.cover(&mut ink, Fill::NonZero.into(), bounds, area, colour);
            }
            if let Some(colour) = part.paint.stroke {
                let width = units(part.paint.width);
                let dashes = [3.0 * width; 2];
                let mut line = Stroke::new(width);
                line.cap(Cap::Round).join(Join::Round);
                if part.paint.dashed {
                    line.dash(&dashes, 0.0);
                }
                self.cover(&mut ink, line.into(), bounds, area, colour);
            }
        }
    }

    /// Paints the outline, filled or stroked, in a colour where its bounds meet a rectangle. The coverage is computed for the
    /// whole bounds, so that it is the same in every rectangle.
    fn cover(&mut self, ink: &mut Ink, style: Style<'_>, bounds: Area, area: Area, colour: Rgb) {
        let (left, top) = (bounds.left as f32, bounds.top as f32);
        ink.coverage.clear();
        ink.coverage.resize(bounds.width as usize * bounds.height as usize, 0);
        Mask::with_scratch(&ink.path, &mut ink.scratch)
            .style(style)
            .transform(Some(Transform::new(self.scale, 0.0, 0.0, self.scale, -left, -top)))
            .size(bounds.width, bounds.height)
            .render_into(&mut ink.coverage, None);
        let Some(both) = bounds.common(&area) else { return };
        let (wide, skipped) = (bounds.width as usize, (both.left - bounds.left) as usize);
        let rows = ink.coverage.chunks_exact(wide).skip((both.top - bounds.top) as usize);
        for (line, row) in self.lines(both).zip(rows) {
            for (pixel, &share) in line.iter_mut().zip(&row[skipped..]).filter(|&(_, &share)| share > 0) {
                *pixel = Rgb(
                    mixed(pixel.0, colour.0, share),
                    mixed(pixel.1, colour.1, share),
                    mixed(pixel.2, colour.2, share),
                );
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
#[derive(Default)]
struct Ink {
    path: Vec<Command>,
    /// The share of each pixel that a figure covers, in 255ths.
    coverage: Vec<u8>,
    scratch: Scratch,
}

/// A colour's part between two others, `share` 255ths of the way from the first to the second.
fn mixed(below: u8, above: u8, share: u8) -> u8 {
    let [below, above, share] = [below, above, share].map(u32::from);
    ((below * (255 - share) + above * share + 127) / 255) as u8
}
