//! [`Ground`]: the tables of one board, and [`View`]: a position for one side.

use stonework_board::{Board, Cell, CellSet, Direction};

/// The tables of one board. The place off the board has the number after the last cell.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    /// The neighbours of each cell, in the order of [`Direction::ALL`].
    pub(super) around: Vec<[u16; 6]>,
    /// The edges on which each cell lies, as a mask.
    pub(super) edges: Vec<u8>,
    /// The corner on which each cell lies, as a mask.
    pub(super) corners: Vec<u8>,
}

impl Ground {
    pub(super) fn new(board: &Board) -> Self {
        let off = board.len() as u16;
        let around = |at: Cell| Direction::ALL.map(|d| board.neighbour(at, d).map_or(off, u16::from));
        Self {
            around: board.cells().map(around).collect(),
            edges: board.cells().map(|at| board.edge_mask(at)).collect(),
            corners: board.cells().map(|at| board.corner_mask(at)).collect(),
        }
    }

    pub(super) const fn cells(&self) -> usize {
        self.around.len()
    }
}

/// The content of a place for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// A stone of the opponent, a cell without use, or the place off the board.
    Blocked,
    Empty,
    Own,
}

/// The contents of all places for one side; the last is off the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct View(Vec<Content>);

impl View {
    pub(super) fn new(cells: usize, own: &CellSet, other: &CellSet) -> Self {
        let content = |at: usize| match Cell::new(at) {
            Some(cell) if own.contains(cell) => Content::Own,
            Some(cell) if other.contains(cell) => Content::Blocked,
            _ => Content::Empty,
        };
        let mut contents: Vec<Content> = (0..cells).map(content).collect();
        contents.push(Content::Blocked);
        Self(contents)
    }

    #[inline]
    pub(super) fn get(&self, at: u16) -> Content {
        self.0[usize::from(at)]
    }

    #[inline]
    pub(super) fn is_able(&self, at: u16) -> bool {
        self.get(at) != Content::Blocked
    }

    pub(super) fn set(&mut self, at: u16, content: Content) {
        self.0[usize::from(at)] = content;
    }
}
