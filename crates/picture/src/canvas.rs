//! Drawings as pixels.

use stonework_board::{Drawing, PagePoint, Part, Rgb};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use crate::font::Font;
use crate::outline::{Pen, draw, units};
use crate::{MAX_SIDE, PictureError};

impl Pen for PathBuilder {
    fn start(&mut self, x: f32, y: f32) {
        self.move_to(x, y);
    }

    fn line(&mut self, x: f32, y: f32) {
        self.line_to(x, y);
    }

    fn curve(&mut self, [a, b, c]: [(f32, f32); 3]) {
        self.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1);
    }

    fn close(&mut self) {
        self.close();
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
        let Some(mut patch) = Pixmap::new(area.width, area.height) else { return };
        let Rgb(r, g, b) = drawing.background();
        patch.fill(Color::from_rgba8(r, g, b, 255));
        let shift =
            Transform::from_row(self.scale, 0.0, 0.0, self.scale, -(area.left as f32), -(area.top as f32));
        for part in drawing.parts() {
            if self.area(part.bounds()).is_some_and(|bounds| bounds.meets(&area)) {
                self.part(part, shift, &mut patch);
            }
        }
        let (from, wide) = (patch.pixels(), area.width as usize);
        for row in 0..area.height as usize {
            let start = (area.top as usize + row) * self.width as usize + area.left as usize;
            let line = from[row * wide..(row + 1) * wide].iter();
            for (to, from) in self.pixels[start..start + wide].iter_mut().zip(line) {
                *to = Rgb(from.red(), from.green(), from.blue());
            }
        }
    }

    fn part(&self, part: &Part, shift: Transform, patch: &mut Pixmap) {
        let mut path = PathBuilder::new();
        draw(&part.figure, &self.font, &mut path);
        let Some(path) = path.finish() else { return };
        let paint = |Rgb(r, g, b): Rgb| {
            let mut paint = tiny_skia::Paint::default();
            paint.set_color_rgba8(r, g, b, 255);
            paint
        };
        if let Some(fill) = part.paint.fill {
            patch.fill_path(&path, &paint(fill), FillRule::Winding, shift, None);
        }
        if let Some(stroke) = part.paint.stroke {
            let width = units(part.paint.width);
            let dash = part.paint.dashed.then(|| StrokeDash::new(vec![3.0 * width; 2], 0.0)).flatten();
            let line = Stroke {
                width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash,
                ..Stroke::default()
            };
            patch.stroke_path(&path, &paint(stroke), &line, shift, None);
        }
    }
}
