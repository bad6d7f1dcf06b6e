//! Cells of stone games on hexagonal and diagonal lattices: their geometry, names and pictures.
//!
//! **Take a board**, which is shared, immutable tables for a shape and size, and use its geometry:
//!
//! ```
//! use stonework_board::Board;
//! let board = Board::hexagon(4)?;
//! let d4 = board.parse("d4")?;
//! assert_eq!(board.len(), 37);
//! assert_eq!(board.neighbours(d4).map(|c| board.name(c)).collect::<Vec<_>>(), ["d3", "c3", "c4", "d5", "e5", "e4"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Read and write names** in the notations that records and programs use:
//!
//! ```
//! use stonework_board::{Board, Notation};
//! let board = Board::hexagon(4)?;
//! let cell = Notation::Grid.parse(board, "f3")?;
//! assert_eq!(Notation::Hgui.name_of(board, cell)?, "f5");
//! let error = board.parse("e1").unwrap_err();
//! assert_eq!(error.to_string(), "`e1` is not on a hexagon of size 4 (hgui notation): that row runs from e2 to e7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Turn it** by the symmetries of its shape:
//!
//! ```
//! use stonework_board::{Board, Symmetry};
//! let board = Board::hexagon(3)?;
//! let orbit = |name: &str| -> std::collections::BTreeSet<_> {
//!     let cell = board.parse(name).unwrap();
//!     Symmetry::of(board.shape()).iter().map(|&s| board.map(s, cell)).collect()
//! };
//! assert_eq!((orbit("a1").len(), orbit("a2").len(), orbit("c3").len()), (6, 6, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Draw it** with stones and marks, as text or as SVG for a page:
//!
//! ```
//! use stonework_board::{Board, Diagram, Stone};
//! let board = Board::hexagon(3)?;
//! let [b2, c3] = [board.parse("b2")?, board.parse("c3")?];
//! let diagram = Diagram::new(board).stone(b2, Stone::Light).stone(c3, Stone::Dark).last(c3);
//! let text = "
//!      1 2 3
//!   a . . . 4
//!  b . O . . 5
//! c . .(@). .
//!  d . . . .
//!   e . . .";
//! assert_eq!(diagram.text(), text.trim_start_matches('\n'));
//! assert!(diagram.svg().starts_with("<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What this crate does not do: it knows no players and no rules, and it keeps no position. Diagrams
//! show stones and marks that the caller places.
//!
//! The diagonal lattice of Cover is [`Diagonal`], with notations, symmetries and diagrams of its own.
//!
//! Features: `serde` – cells and sets of them, points, directions, symmetries and notations can be stored;
//! reading checks them.

mod board;
mod cell;
mod coord;
mod diagonal;
mod draw;
mod drawing;
mod neighbourhood;
mod notation;
mod rows;
mod symmetry;

pub use board::{Board, Shape, SizeError, TwoBridge};
pub use cell::{Cell, CellError, CellSet, CellSetIter, MAX_CELLS};
pub use coord::{Axial, Cube, Direction};
pub use diagonal::{
    Diagonal, DiagonalDiagram, DiagonalError, DiagonalNotation, DiagonalSymmetry, Heading, Home,
    Intersection, Motion, Orientation,
};
pub use draw::{Diagram, Glyphs, Layout, Stone};
pub use drawing::{
    CellArea, CellClass, Drawing, Figure, Overlay, PagePoint, Paint, Part, Rgb, StoneColours, StoneLook,
    Theme, ThemeError,
};
pub use neighbourhood::NEIGHBOURHOOD;
pub use notation::{Notation, NotationError};
pub use rows::RowsError;
pub use symmetry::{Symmetry, SymmetryError};
