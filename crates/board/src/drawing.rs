//! [`Drawing`]: a page of coloured figures, which every kind of picture is made of.

mod area;
mod overlay;
mod svg;
mod theme;

pub use area::CellArea;
pub use overlay::{CellClass, Overlay};
pub(crate) use overlay::{Ground, ghosts, labels, paths, tints};
pub use theme::{Rgb, StoneColours, StoneLook, Theme, ThemeError};

use std::collections::HashSet;

/// A point of a page or a vector, in hundredths of the page's unit; y grows downwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PagePoint {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

/// The form of a [`Part`]. Lengths are in hundredths of the page's unit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Figure {
    /// A closed polygon.
    Polygon(Vec<PagePoint>),
    /// A line from point to point, which is not closed.
    Line(Vec<PagePoint>),
    /// A circle.
    Circle {
        /// The centre.
        centre: PagePoint,
        /// The radius.
        radius: i32,
    },
    /// An upright rectangle with round corners.
    Bar {
        /// The top left corner.
        from: PagePoint,
        /// The bottom right corner.
        to: PagePoint,
        /// The radius of the corners.
        round: i32,
    },
    /// A line of text.
    Text {
        /// The middle of the text, at half the height of its capitals.
        centre: PagePoint,
        /// The size of the font.
        size: i32,
        /// The text, without control characters.
        content: String,
    },
}

/// The colours of a [`Part`]. A line has round ends and round corners.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Paint {
    /// The colour inside the figure, and of a text.
    pub fill: Option<Rgb>,
    /// The colour of the outline.
    pub stroke: Option<Rgb>,
    /// The width of the outline, in hundredths of the page's unit.
    pub width: i32,
    /// `true` for an outline of dashes, each three times as long as the outline is wide, with gaps of that length.
    pub dashed: bool,
}

impl Paint {
    /// A fill without an outline.
    #[must_use]
    pub const fn filled(fill: Rgb) -> Self {
        Self { fill: Some(fill), stroke: None, width: 0, dashed: false }
    }

    /// An outline without a fill.
    #[must_use]
    pub const fn line(stroke: Rgb, width: i32) -> Self {
        Self { fill: None, stroke: Some(stroke), width, dashed: false }
    }

    /// A fill with an outline.
    #[must_use]
    pub const fn both(fill: Rgb, stroke: Rgb, width: i32) -> Self {
        Self { fill: Some(fill), stroke: Some(stroke), width, dashed: false }
    }
}

/// One figure of a [`Drawing`] with its colours.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The form and the place.
    pub figure: Figure,
    /// The colours.
    pub paint: Paint,
}

impl Part {
    /// The top left and the bottom right corner of a rectangle that contains the part with its outline. The rectangle of
    /// a text is wider than its letters.
    #[must_use]
    pub fn bounds(&self) -> (PagePoint, PagePoint) {
        let (from, to) = match &self.figure {
            Figure::Polygon(points) | Figure::Line(points) => {
                let ends = |axis: fn(&PagePoint) -> i32| {
                    let least = points.iter().map(axis).min().unwrap_or(0);
                    (least, points.iter().map(axis).max().unwrap_or(0))
                };
                let ((left, right), (top, bottom)) = (ends(|p| p.x), ends(|p| p.y));
                (PagePoint { x: left, y: top }, PagePoint { x: right, y: bottom })
            }
            Figure::Circle { centre, radius } => centre.around(*radius, *radius),
            Figure::Bar { from, to, .. } => (*from, *to),
            Figure::Text { centre, size, content } => {
                let letters = i32::try_from(content.chars().count()).unwrap_or(i32::MAX);
                centre.around(size.saturating_mul(letters) / 2 + size / 2, *size)
            }
        };
        let out = if self.paint.stroke.is_some() { self.paint.width / 2 + 1 } else { 0 };
        (from.around(out, out).0, to.around(out, out).1)
    }
}

impl PagePoint {
    /// The corners of a rectangle around a point.
    const fn around(self, x: i32, y: i32) -> (Self, Self) {
        let from = Self { x: self.x.saturating_sub(x), y: self.y.saturating_sub(y) };
        (from, Self { x: self.x.saturating_add(x), y: self.y.saturating_add(y) })
    }
}

/// A page of coloured figures in the order in which they are painted: a picture before a file format is chosen.
///
/// [`Diagram::drawing`](crate::Diagram::drawing) and [`DiagonalDiagram::drawing`](crate::DiagonalDiagram::drawing) make
/// drawings; [`Drawing::svg`] writes one. The crate `stonework-picture` makes pixels, PDF and LaTeX of them.
///
/// ```
/// use stonework_board::{Board, Diagram, Stone};
/// let board = Board::hexagon(3)?;
/// let drawing = Diagram::new(board).stone(board.parse("c3")?, Stone::Dark).drawing();
/// assert_eq!((drawing.width(), drawing.height()), (264, 243));
/// assert!(drawing.svg().starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    width: u32,
    height: u32,
    background: Rgb,
    title: Option<String>,
    parts: Vec<Part>,
}

impl Drawing {
    /// An empty page of a size in units.
    #[must_use]
    pub const fn new(width: u32, height: u32, background: Rgb) -> Self {
        Self { width, height, background, title: None, parts: Vec::new() }
    }

    /// Adds a figure on top of the others.
    pub fn paint(&mut self, figure: Figure, paint: Paint) {
        self.parts.push(Part { figure, paint });
    }

    /// Sets the title of the document, which is not painted.
    pub(crate) fn entitle(&mut self, title: Option<&str>) {
        self.title = title.map(str::to_owned);
    }

    /// The width of the page in units.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// The height of the page in units.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The colour of the page.
    #[must_use]
    pub const fn background(&self) -> Rgb {
        self.background
    }

    /// The title, if the diagram has one. It is a part of the drawing, too.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The figures, the lowest first.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The rectangles, by their top left and bottom right corners, outside of which this drawing equals another one of the
    /// same page: the bounds of all parts that only one of the drawings has, and of parts that the drawings paint in another order
    /// or not as often; the whole page if the backgrounds differ. O(parts).
    ///
    /// ```
    /// use stonework_board::{Board, Diagram, Stone};
    /// let board = Board::hexagon(3)?;
    /// let empty = Diagram::new(board);
    /// let one = empty.clone().stone(board.parse("c3")?, Stone::Dark).drawing();
    /// assert_eq!(one.changes(&empty.drawing()).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn changes(&self, other: &Self) -> Vec<(PagePoint, PagePoint)> {
        if self.background != other.background {
            let page =
                [self.width, self.height].map(|side| i32::try_from(side).unwrap_or(i32::MAX / 100) * 100);
            return vec![(PagePoint::default(), PagePoint { x: page[0], y: page[1] })];
        }
        let (ours, theirs): (HashSet<&Part>, HashSet<&Part>) =
            (self.parts.iter().collect(), other.parts.iter().collect());
        let (here, new): (Vec<&Part>, Vec<&Part>) = self.parts.iter().partition(|part| theirs.contains(part));
        let (there, old): (Vec<&Part>, Vec<&Part>) = other.parts.iter().partition(|part| ours.contains(part));
        // Without the parts of one drawing alone, equal parts in the same order paint the same.
        let same = here.iter().zip(&there).take_while(|(one, other)| one == other).count();
        let (here, there) = (&here[same..], &there[same..]);
        let same = here.iter().rev().zip(there.iter().rev()).take_while(|(one, other)| one == other).count();
        let moved = here[..here.len() - same].iter().chain(&there[..there.len() - same]);
        new.iter().chain(&old).chain(moved).map(|part| part.bounds()).collect()
    }

    /// The drawing as an SVG document: no script, no style sheet, no font or picture from elsewhere. The same drawing
    /// always gives the same bytes. O(parts).
    #[must_use]
    pub fn svg(&self) -> String {
        svg::write(self)
    }
}
