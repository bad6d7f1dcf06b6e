//! Cells that no side needs to play on: dead, captured and dominated cells.

mod cells;
mod ground;
mod no_use;

pub use cells::InferiorCells;
