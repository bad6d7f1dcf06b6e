//! The captures of a stone, and [`Captures`], their list. [`capture_patterns`](crate::capture_patterns) has pictures
//! of the patterns.

use std::fmt;

use stonework_board::Cell;

use crate::plane::{At, Plane, STEPS, anticlockwise, clockwise};

/// The neighbours that a stone captures, as a pattern.
#[inline]
pub(crate) fn taken(own: &Plane, enemy: &Plane, at: At) -> u8 {
    let near = enemy.around(at);
    if near & near.wrapping_sub(1) == 0 {
        return 0;
    }
    // Bit i: neighbours i − 1 and i, and the cell beyond them.
    let lengthways = near & clockwise(near) & own.beyond(at);
    // Bit i: neighbours i − 1 and i + 1, and i between them.
    let sideways = own.around(at) & clockwise(near) & anticlockwise(near);
    lengthways | anticlockwise(lengthways) | clockwise(sideways) | anticlockwise(sideways)
}

/// The stones that one move captures: none, or two to six neighbours of the cell.
///
/// ```
/// use stonework_cachex::{Position, Setup};
/// use stonework_game::Player;
/// let position = Setup::from_rows("...../.bb../.r.../...../.....", 6)?.position()?;
/// let captures = position.captures(Player::First, position.cell(0, 2).unwrap());
/// let cells: Vec<_> = captures.iter().map(|cell| position.coordinates(cell)).collect();
/// assert_eq!(cells, [(1, 1), (1, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Captures {
    cell: Cell,
    size: u8,
    pattern: u8,
}

impl Captures {
    pub(crate) const fn new(cell: Cell, size: u8, pattern: u8) -> Self {
        Self { cell, size, pattern }
    }

    /// The number of stones: 0, or 2 to 6.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        self.pattern.count_ones() as usize
    }

    /// `true` if no stone is captured.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.pattern == 0
    }

    /// The cells of the stones, in the order of their numbers.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        // The steps by the change of number: the row below, this row, the row above.
        const ORDER: [usize; 6] = [4, 3, 5, 2, 0, 1];
        let row = isize::from(self.size);
        ORDER.into_iter().filter(move |i| self.pattern >> i & 1 != 0).filter_map(move |i| {
            let (dr, dq) = STEPS[i];
            Cell::new(self.cell.index().wrapping_add_signed(isize::from(dr) * row + isize::from(dq)))
        })
    }
}

impl fmt::Debug for Captures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Cell::index)).finish()
    }
}
