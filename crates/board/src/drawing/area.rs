//! [`CellArea`]: the place of a cell in a drawing, for a program in which a person points at cells.

use super::{Ground, PagePoint};
use crate::{Cell, Stone};

/// The place of a cell in the drawing of a diagram: a page in a browser puts a transparent polygon there, with a name for
/// screen readers.
///
/// ```
/// use stonework_board::{Board, Diagram};
/// let diagram = Diagram::new(Board::hexagon(3)?);
/// let areas = diagram.areas();
/// assert_eq!((areas.len(), areas[0].corners.len()), (19, 6));
/// // The three cells of the first row are beside each other.
/// assert!(areas[..3].iter().all(|area| area.centre().y == areas[0].centre().y));
/// # Ok::<(), stonework_board::SizeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellArea {
    /// The cell.
    pub cell: Cell,
    /// The stone on the cell.
    pub stone: Option<Stone>,
    /// The corners of the cell, clockwise.
    pub corners: Vec<PagePoint>,
}

impl CellArea {
    pub(crate) fn new(ground: &impl Ground, cell: Cell, stone: Option<Stone>) -> Self {
        let corners = ground.border(cell).iter().map(|(corner, _)| corner.page()).collect();
        Self { cell, stone, corners }
    }

    /// The middle of the corners.
    #[must_use]
    pub fn centre(&self) -> PagePoint {
        let count = i32::try_from(self.corners.len()).unwrap_or(i32::MAX).max(1);
        let mean = |axis: fn(&PagePoint) -> i32| {
            let sum: i32 = self.corners.iter().map(axis).sum();
            (sum + sum.signum() * count / 2) / count
        };
        PagePoint { x: mean(|point| point.x), y: mean(|point| point.y) }
    }

    /// The corners as the value of `points` of a polygon in SVG.
    #[must_use]
    pub fn points(&self) -> String {
        let points: Vec<String> = self.corners.iter().map(PagePoint::to_string).collect();
        points.join(" ")
    }
}
