//! Cells, coordinates, geometry and drawings of boards.

mod cells;
mod common;
mod diagonal;
mod drawing;
mod geometry;
mod notation;
mod overlay;
mod rogers;
mod symmetry;
