//! The tables of a size of boards, which all its playout boards share.

use std::sync::OnceLock;

use stonework_board::{Board, Direction, SizeError};

use crate::tables::{RUNS, connection, pattern_bit};

/// The largest number of cells in padded numbers: 39 rows of 39.
pub(super) const MAX_SPOTS: usize = 2048;
/// The number of cells of the largest board.
pub(super) const MAX_CELLS: usize = 1141;
/// The number of rows between the halves of a row's windows. Above size 10 a row of windows takes two words, for
/// columns 0–20 and 19–39 (counted from 1 on the board).
pub(super) const HALF: usize = 41;
pub(super) const SEAM: [usize; 2] = [19, 20];

/// The way in which a stone with a certain window joins the chains around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Join {
    /// The step from the cell to a neighbour in the first run; 0 without an own neighbour.
    pub(super) first: i16,
    /// 1 without an own neighbour: the stone founds a chain.
    pub(super) founds: u8,
    /// `true` if the stone joins more than the first run, or may fill a hexagon.
    pub(super) more: bool,
}

/// The tables that all playout boards of one size share: all look-ups of the loop in one place, behind one pointer.
#[derive(Debug)]
pub(super) struct Layout {
    /// The lowest bit that a stone sets, by its shift. The length of the array makes a check of a byte index
    /// unnecessary.
    pub(super) bits: [u64; 256],
    pub(super) joins: [Join; 512],
    /// `true` if a chain with these corners and edges has won.
    pub(super) won: [bool; 4096],
    /// The data of each spot: the shift, the first word, the corners and edges, and the side of the seam.
    pub(super) spots: [u32; MAX_SPOTS],
    /// The steps from the cell to a neighbour in the second and third run.
    pub(super) others: [[i16; 512]; 2],
    /// The tasks of a window. Bits 0 and 1: at least two, at least three runs; bits 2–7: neighbours in the middle of
    /// three.
    pub(super) tasks: [u8; 512],
    /// The steps from a spot to its neighbours.
    pub(super) steps: [i16; 8],
    pub(super) board: &'static Board,
    /// The spot of each cell; `cell_of` has the cell of each spot.
    pub(super) spot_of: Box<[u16]>,
    /// The spots of all cells, the last cell first, and zeros up to the largest capacity.
    pub(super) backwards: Box<[u16]>,
    pub(super) cell_of: Box<[u16]>,
}

/// The bit of a neighbour in a window.
const fn window_bit(direction: Direction) -> usize {
    let (row, column) = direction.offset();
    (3 * (column + 1) + row + 1) as usize
}

/// The pattern of [`RUNS`] in a window.
fn pattern(window: usize) -> u8 {
    let own = |d: &Direction| window >> window_bit(*d) & 1 != 0;
    Direction::ALL.iter().filter(|d| own(d)).map(|d| pattern_bit(d.index())).sum()
}

impl Layout {
    /// The layout of a size, made at the first call.
    pub(super) fn of(size: u8) -> Result<&'static Self, SizeError> {
        // A layout has 19 KB, which a program need not carry for each size.
        static ALL: [OnceLock<Box<Layout>>; 21] = [const { OnceLock::new() }; 21];
        let board = Board::hexagon(size)?;
        Ok(ALL[usize::from(size)].get_or_init(|| Box::new(Self::build(board))))
    }

    fn build(board: &'static Board) -> Self {
        let pitch = board.rows() as i16;
        let mut layout = Self {
            bits: std::array::from_fn(|shift| 8u64.checked_shl(shift as u32).unwrap_or(0)),
            joins: [Join::default(); 512],
            won: std::array::from_fn(|mask| !connection(mask as u16).is_empty()),
            spots: [0; MAX_SPOTS],
            others: [[0; 512]; 2],
            tasks: [0; 512],
            steps: [0; 8],
            board,
            spot_of: Box::default(),
            backwards: Box::default(),
            cell_of: vec![0; board.rows() * board.rows()].into(),
        };
        for direction in Direction::ALL {
            let (row, column) = direction.offset();
            layout.steps[direction.index()] = row * pitch + column;
        }
        for window in 0..512 {
            let runs = RUNS[usize::from(pattern(window))];
            let step = |run: usize| layout.steps[usize::from(runs.first[run])];
            let more = runs.count > 1 || runs.middles != 0;
            let first = if runs.count > 0 { step(0) } else { 0 };
            layout.joins[window] = Join { first, founds: u8::from(runs.count == 0), more };
            layout.others[0][window] = step(1);
            layout.others[1][window] = step(2);
            layout.tasks[window] =
                u8::from(runs.count > 1) | u8::from(runs.count > 2) << 1 | runs.middles << 2;
        }
        let spot = |cell| board.coord(cell).row * pitch + board.coord(cell).column;
        layout.spot_of = board.cells().map(|cell| spot(cell) as u16).collect();
        layout.backwards =
            layout.spot_of.iter().rev().copied().chain(std::iter::repeat(0)).take(MAX_CELLS).collect();
        for cell in board.cells() {
            let (mut row, mut column) =
                (board.coord(cell).row as usize, board.coord(cell).column as usize + 1);
            let rim = u32::from(board.corner_mask(cell)) | u32::from(board.edge_mask(cell)) << 6;
            let mut seam = 0;
            if is_wide(board.size()) {
                seam = if column == SEAM[0] { 1 } else { 2 * u32::from(column == SEAM[1]) };
                if column >= SEAM[1] {
                    row += HALF;
                    column -= SEAM[0];
                }
            }
            let (shift, word) = (3 * (column as u32 - 1), 2 * row as u32);
            layout.spots[spot(cell) as usize] = shift | word << 8 | rim << 16 | seam << 28;
            layout.cell_of[spot(cell) as usize] = cell.index() as u16;
        }
        layout
    }

    /// A bound on the number of chains that a side founds in a game.
    ///
    /// No two stones that found a chain are neighbours, so each of the 6(s − 1)² unit triangles of the board has at most one such
    /// stone. An inner cell lies in 6 triangles, a cell on an edge in 3, a corner in 2. Of the 6(s − 1) cells of the rim at most
    /// every other one has such a stone. With i, e and c such stones inside, on edges and in corners,
    /// 6i + 3e + 2c ≤ 6(s − 1)² and e + c ≤ 3(s − 1), so i + e + c ≤ (s − 1)² + (e + c)/2 + c/6.
    pub(super) const fn founders(size: u8) -> usize {
        let n = size as usize - 1;
        n * n + 3 * n / 2 + 1
    }
}

pub(super) const fn is_wide(size: u8) -> bool {
    size > 10
}
