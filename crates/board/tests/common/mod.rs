//! What several test files need.

use stonework_board::{Board, Shape};

/// Every board there is.
pub(crate) fn all_boards() -> impl Iterator<Item = &'static Board> {
    let hexagons = (2..=20).map(Shape::Hexagon);
    let rhombi = (1..=19).map(Shape::Rhombus);
    hexagons.chain(rhombi).map(|shape| Board::of(shape).expect("a size within the limits"))
}
