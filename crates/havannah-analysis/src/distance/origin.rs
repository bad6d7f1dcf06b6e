//! [`Origin`]: the place from which a distance counts.

use stonework_board::{Board, Cell};

/// The place from which a distance counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A corner cell: 0 to 5, clockwise from the top left.
    Corner(u8),
    /// The cells of an edge, without its corners: 0 to 5, clockwise from the top.
    Edge(u8),
    /// A cell, with its whole chain if it has an own stone.
    Cell(Cell),
}

/// An origin that the board does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OriginError {
    /// The board has no such corner.
    #[error("no corner {corner}: a hexagon has corners 0 to 5")]
    Corner {
        /// The number that was given.
        corner: u8,
    },
    /// The board has no such edge.
    #[error("no edge {edge}: a hexagon has edges 0 to 5")]
    Edge {
        /// The number that was given.
        edge: u8,
    },
    /// The board has no such cell.
    #[error("cell {} is not on a board of size {size}, which has cells 0 to {}", cell.index(), 3 * u16::from(*size) * (u16::from(*size) - 1))]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
}

/// An [`Origin`] that the board has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// A corner (0–5) or an edge (6–11).
    Rim(usize),
    /// The number of a cell.
    Cell(usize),
}

impl Origin {
    pub(super) fn source(self, board: &Board) -> Result<Source, OriginError> {
        match self {
            Self::Corner(corner) if corner < 6 => Ok(Source::Rim(corner.into())),
            Self::Corner(corner) => Err(OriginError::Corner { corner }),
            Self::Edge(edge) if edge < 6 => Ok(Source::Rim(6 + usize::from(edge))),
            Self::Edge(edge) => Err(OriginError::Edge { edge }),
            Self::Cell(cell) if board.contains(cell) => Ok(Source::Cell(cell.index())),
            Self::Cell(cell) => Err(OriginError::OffBoard { cell, size: board.size() }),
        }
    }
}

/// The corner (bits 0–5) and the edge (bits 6–11) on which a cell lies.
pub(super) fn rim(board: &Board, cell: Cell) -> u16 {
    u16::from(board.corner_mask(cell)) | u16::from(board.edge_mask(cell)) << 6
}
