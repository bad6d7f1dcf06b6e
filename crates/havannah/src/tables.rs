//! Constant tables of the rules, and tables of each board size.
//!
//! # Neighbour patterns
//!
//! The *pattern* of a cell has six bits, in the order of [`Direction::ALL`], which are set for own neighbours:
//!
//! ```text
//!     bit 1 NW   bit 2 NE
//!  bit 0 W    *     bit 3 E
//!     bit 5 SW   bit 4 SE
//! ```

use std::sync::OnceLock;

use stonework_board::{Board, Cell, Direction, SizeError, Symmetry};

use stonework_game::scatter;

use crate::WinKinds;

/// The number of symmetries of the board.
pub(crate) const SYMMETRIES: usize = 12;
/// The pattern with all six neighbours own.
pub(crate) const ALL_SIX: u8 = 63;

/// The pattern that has only the neighbour in this direction.
pub(crate) const fn pattern_bit(direction: usize) -> u8 {
    1 << direction
}

/// The neighbours that lie beside an own neighbour, as a pattern.
pub(crate) static BESIDE: [u8; 64] = {
    let mut all = [0; 64];
    let mut pattern: u8 = 0;
    while pattern < 64 {
        let mut d = 0;
        while d < 6 {
            if pattern & (pattern_bit((d + 1) % 6) | pattern_bit((d + 5) % 6)) != 0 {
                all[pattern as usize] |= pattern_bit(d);
            }
            d += 1;
        }
        pattern += 1;
    }
    all
};

/// The maximal cyclic runs of own neighbours in a pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    /// The number of runs, 0 to 3.
    pub(crate) count: u8,
    /// A direction in each run.
    pub(crate) first: [u8; 3],
    /// Bit d: the neighbours in directions d − 1, d and d + 1 are all own.
    pub(crate) middles: u8,
}

/// [`Runs`] of every pattern.
pub(crate) static RUNS: [Runs; 64] = runs();

const fn runs() -> [Runs; 64] {
    let mut all = [Runs { count: 0, first: [0; 3], middles: 0 }; 64];
    let mut pattern: u8 = 0;
    while pattern < 64 {
        let mut runs = Runs { count: 0, first: [0; 3], middles: 0 };
        let mut d = 0;
        while d < 6 {
            let here = pattern & pattern_bit(d) != 0;
            let before = pattern & pattern_bit((d + 5) % 6) != 0;
            let after = pattern & pattern_bit((d + 1) % 6) != 0;
            if here && !before {
                runs.first[runs.count as usize] = d as u8;
                runs.count += 1;
            }
            if here && before && after {
                runs.middles |= 1 << d;
            }
            d += 1;
        }
        if pattern == ALL_SIX {
            runs.count = 1; // a full circle has no beginning
        }
        all[pattern as usize] = runs;
        pattern += 1;
    }
    all
}

/// Bridge and fork of a chain whose corners are bits 0–5 of the mask and whose edges are bits 6–11.
#[inline]
pub(crate) const fn connection(mask: u16) -> WinKinds {
    let (corners, edges) = (mask & 0x3f, mask >> 6);
    let more_than_two = {
        let rest = edges & edges.wrapping_sub(1);
        rest & rest.wrapping_sub(1) != 0
    };
    let bridge = if corners & corners.wrapping_sub(1) != 0 { WinKinds::BRIDGE } else { WinKinds::NONE };
    bridge.with(if more_than_two { WinKinds::FORK } else { WinKinds::NONE })
}

/// 1 for patterns with several runs or a run of three: away from the rim, a stone can win only on a cell with such a pattern.
pub(crate) static NOTABLE: [u8; 64] = {
    let mut all = [0; 64];
    let mut pattern = 0;
    while pattern < 64 {
        all[pattern] = (RUNS[pattern].count > 1 || RUNS[pattern].middles != 0) as u8;
        pattern += 1;
    }
    all
};

/// `true` if a chain with this mask has a bridge or a fork.
pub(crate) static CONNECTED: [bool; 4096] = {
    let mut all = [false; 4096];
    let mut mask = 0;
    while mask < 4096 {
        all[mask as usize] = !connection(mask).is_empty();
        mask += 1;
    }
    all
};

/// The place of a cell in the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The row of the cell, counted from 1: rows 0 and last are empty sentinels.
    pub(crate) row: u8,
    /// The bit of the cell in the row's word, from 1.
    pub(crate) bit: u8,
    /// The corner bits (0–5) and edge bits (6–11) of the cell.
    pub(crate) rim: u16,
    /// The neighbour in each direction; the place after the last cell stands for a neighbour off the board.
    pub(crate) neighbours: [u16; 6],
    /// The directions with a neighbour, as a pattern.
    pub(crate) inside: u8,
    /// The directions with a neighbour on the rim, as a pattern.
    pub(crate) rim_around: u8,
}

/// The tables that all positions of one size share.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) board: &'static Board,
    /// The place of each cell, and one more place for all places off the board.
    pub(crate) places: Box<[Place]>,
    /// The cells of each row as bits, with the sentinel rows.
    pub(crate) full: Box<[u64]>,
    /// For each row, the number of its first cell minus the bit of that cell. The number of a cell is this entry plus
    /// its bit.
    pub(crate) origin: Box<[i16]>,
    /// The hash words of each cell and side under each symmetry: `zobrist[2·cell + side]`.
    pub(crate) zobrist: Box<[[u64; SYMMETRIES]]>,
}

/// The seed of all hash words; another seed changes every key.
const ZOBRIST_SEED: u64 = 0x5354_4f4e_4557_4f52;

/// The hash word of a size, a side to move or a right, by number.
pub(crate) const fn word(what: u64) -> u64 {
    scatter(scatter(ZOBRIST_SEED ^ what << 32))
}

impl Tables {
    /// The tables of a size, made at the first call.
    pub(crate) fn of(size: u8) -> Result<&'static Self, SizeError> {
        static ALL: [OnceLock<Tables>; 21] = [const { OnceLock::new() }; 21];
        let board = Board::hexagon(size)?;
        Ok(ALL[usize::from(size)].get_or_init(|| Self::build(board)))
    }

    fn build(board: &'static Board) -> Self {
        let place = |cell: Cell| {
            let at = board.coord(cell);
            let rim = u16::from(board.corner_mask(cell)) | u16::from(board.edge_mask(cell)) << 6;
            let off = board.len() as u16;
            let neighbours = Direction::ALL.map(|d| board.neighbour(cell, d).map_or(off, u16::from));
            let inside = (0..6).filter(|&d| neighbours[d] != off).map(pattern_bit).sum();
            let on_rim = |d: &Direction| board.neighbour(cell, *d).is_some_and(|n| board.is_rim(n));
            let rim_around =
                Direction::ALL.iter().filter(|d| on_rim(d)).map(|d| pattern_bit(d.index())).sum();
            Place { row: at.row as u8 + 1, bit: at.column as u8 + 1, rim, neighbours, inside, rim_around }
        };
        let nowhere =
            Place { row: 0, bit: 0, rim: 0, neighbours: [board.len() as u16; 6], inside: 0, rim_around: 0 };
        let places: Box<[Place]> = board.cells().map(place).chain([nowhere]).collect();
        let mut full = vec![0; board.rows() + 2];
        let mut origin = vec![0; board.rows() + 2];
        for (cell, place) in places[..board.len()].iter().enumerate() {
            full[usize::from(place.row)] |= 1 << place.bit;
            origin[usize::from(place.row)] = cell as i16 - i16::from(place.bit);
        }
        let hash = |cell: Cell, side: u64| scatter(word(1) ^ (2 * cell.index() as u64 + side));
        let images = |cell: Cell, side| Symmetry::ALL.map(|s| hash(board.map(s, cell), side));
        let zobrist = board.cells().flat_map(|c| [images(c, 0), images(c, 1)]).collect();
        Self { board, places, full: full.into(), origin: origin.into(), zobrist }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_two_corners_or_three_edges() {
        for mask in 0..4096u16 {
            let kinds = connection(mask);
            assert_eq!(kinds.contains(crate::WinKind::Bridge), (mask & 0x3f).count_ones() >= 2);
            assert_eq!(kinds.contains(crate::WinKind::Fork), (mask >> 6).count_ones() >= 3);
        }
    }

    #[test]
    fn runs_partition_the_own_neighbours() {
        for pattern in 0..64 {
            let own: Vec<bool> = (0..6).map(|d| pattern & pattern_bit(d) != 0).collect();
            let starts = (0..6).filter(|&d| own[d] && !own[(d + 5) % 6]).count();
            let runs = RUNS[usize::from(pattern)];
            assert_eq!(usize::from(runs.count), if own.iter().all(|&o| o) { 1 } else { starts });
            for d in &runs.first[..usize::from(runs.count)] {
                assert!(own[usize::from(*d)]);
            }
            for d in 0..6 {
                let middle = own[d] && own[(d + 1) % 6] && own[(d + 5) % 6];
                assert_eq!(runs.middles >> d & 1 != 0, middle);
            }
        }
    }
}
