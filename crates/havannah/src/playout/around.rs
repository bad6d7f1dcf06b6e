//! The stones around a cell, read from the windows.
//!
//! The word of the row above holds three rows: two above, one above, and the cell's own. The word of the row below
//! holds the cell's own row, one below and two below. Five columns of both words are all cells within two steps:
//!
//! ```text
//!                                 k = 0  1  2  3  4        0  1  2  3  4
//!       n h o            y − 2        n  h  o  .  .
//!      g b c i           y − 1        g  b  c  i  .
//!     m a * d p          y            m  a  *  d  p    (again: not used)
//!      l f e j           y + 1                             .  l  f  e  j
//!       r k q            y + 2                             .  .  r  k  q
//! ```
//!
//! So bit 3k + r of the five columns is the cell in column k of the word's row r. Tables put these bits into the order of
//! [`NEIGHBOURHOOD`].

use stonework_board::NEIGHBOURHOOD;

use super::layout::{HALF, SEAM};

/// The number of cells within two steps.
pub(super) const CELLS: usize = 18;

/// The cells of a byte, for the low and the high byte of the five columns above, then for both bytes of the columns
/// below.
static SORTED: [[u32; 256]; 4] = {
    let mut tables = [[0; 256]; 4];
    let mut i = 0;
    while i < CELLS {
        let at = NEIGHBOURHOOD[i];
        let below = at.row > 0;
        let row = if below { at.row } else { at.row + 2 };
        let bit = (3 * (at.column + 2) + row) as usize;
        let table = 2 * below as usize + bit / 8;
        let mut byte = 0;
        while byte < 256 {
            if byte >> (bit % 8) & 1 != 0 {
                tables[table][byte] |= 1 << i;
            }
            byte += 1;
        }
        i += 1;
    }
    tables
};

/// The cells of five columns of the word above and of the word below. For columns off the board, the result has the
/// bits that the words have in these columns.
#[inline]
const fn sorted(above: u64, below: u64) -> u32 {
    let [above_low, above_high, below_low, below_high] = &SORTED;
    above_low[above as u8 as usize]
        | above_high[(above >> 8) as u8 as usize]
        | below_low[below as u8 as usize]
        | below_high[(below >> 8) as u8 as usize]
}

/// The stones of each side around a cell, by the cell's [place](super::core::Layout), from the column two to the left of it.
/// Bits that the rotation moves over the end of a word are off the board.
#[inline]
pub(super) fn narrow(windows: &[u64], place: u32) -> [u32; 2] {
    let (shift, word) = (place & 63, (place >> 8 & 255) as usize);
    let rows: &[u64; 6] = windows[word..word + 6].try_into().expect("six words");
    let five = |row: u64| row.rotate_left(3).rotate_right(shift);
    [0, 1].map(|side| sorted(five(rows[side]), five(rows[4 + side])))
}

/// The stones of [`narrow`] for boards with two words to a row, which the function joins first.
pub(super) fn wide(windows: &[u64], place: u32) -> [u32; 2] {
    let (shift, word) = (place & 63, (place >> 8 & 255) as usize);
    let right = word >= 2 * HALF;
    let first = if right { word - 2 * HALF } else { word };
    let column = if right { shift + 3 * SEAM[0] as u32 } else { shift };
    let five = |at: usize| {
        let halves = [at, at + 2 * HALF].map(|at| u128::from(windows[at]));
        (halves[0] | halves[1] << (3 * SEAM[0])).rotate_left(3).rotate_right(column) as u64
    };
    [0, 1].map(|side| sorted(five(first + side), five(first + 4 + side)))
}
