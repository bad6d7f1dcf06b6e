//! Helpers of several test files.

use stonework_board::{Board, Shape};

/// All boards of all shapes and sizes.
pub(crate) fn all_boards() -> impl Iterator<Item = &'static Board> {
    let hexagons = (2..=20).map(Shape::Hexagon);
    let rhombi = (1..=19).map(Shape::Rhombus);
    hexagons.chain(rhombi).map(|shape| Board::of(shape).expect("a size within the limits"))
}
