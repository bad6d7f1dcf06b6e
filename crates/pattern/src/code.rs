//! [`Code`]: the neighbourhood of a cell as a number.

use std::fmt;

use stonework_board::{Board, Cell, Symmetry};

/// The size of a neighbourhood: its first one to four rings, of 6, 6, 6 and 12 cells. The picture at
/// [`NEIGHBOURHOOD`](stonework_board::NEIGHBOURHOOD) shows the rings and the order of the cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Reach {
    /// The neighbours.
    Six,
    /// The neighbours and the ends of two-bridges.
    Twelve,
    /// All cells within two steps.
    Eighteen,
    /// All cells within three steps, except the six cells three steps straight on.
    Thirty,
}

impl Reach {
    /// All reaches, from the shortest to the longest.
    pub const ALL: [Self; 4] = [Self::Six, Self::Twelve, Self::Eighteen, Self::Thirty];

    /// The number of cells.
    #[must_use]
    pub const fn cells(self) -> usize {
        [6, 12, 18, 30][self as usize]
    }

    /// A word with a bit for each cell.
    #[must_use]
    pub const fn mask(self) -> u32 {
        (1 << self.cells()) - 1
    }

    /// The index of the first cell of the outermost ring.
    pub(crate) const fn ring_start(self) -> usize {
        [0, 6, 12, 18][self as usize]
    }

    /// A word with a bit for each cell of the outermost ring.
    pub(crate) const fn ring_mask(self) -> u32 {
        self.mask() & !((1 << self.ring_start()) - 1)
    }

    /// The next longer reach.
    pub(crate) const fn longer(self) -> Option<Self> {
        match self {
            Self::Six => Some(Self::Twelve),
            Self::Twelve => Some(Self::Eighteen),
            Self::Eighteen => Some(Self::Thirty),
            Self::Thirty => None,
        }
    }
}

/// The state of a cell around the centre. The *mover* has just put a stone on the centre; the *other* side is to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum State {
    /// `.`
    Empty,
    /// `x`, a stone of the side that has just moved.
    Mover,
    /// `o`, a stone of the side to move.
    Other,
    /// `#`, off the board.
    Outside,
}

impl State {
    /// All states, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Empty, Self::Mover, Self::Other, Self::Outside];

    /// `.`, `x`, `o` or `#`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['.', 'x', 'o', '#'][self as usize]
    }

    /// The state with this letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            '.' => Some(Self::Empty),
            'x' => Some(Self::Mover),
            'o' => Some(Self::Other),
            '#' => Some(Self::Outside),
            _ => None,
        }
    }
}

/// The states of the 6, 12, 18 or 30 cells around a cell, in a word.
///
/// Cell i has two bits: bit i is set if the cell has a stone of the mover, bit 32 + i if it has a stone of the other side, and
/// both bits are set if it is off the board. Bits 30 and 31 are the number of the [`Reach`]. [`Code::trimmed`] makes a shorter
/// code out of a longer one with a mask.
///
/// ```
/// use stonework_board::Board;
/// use stonework_pattern::{Code, Reach, State};
/// let board = Board::hexagon(4)?;
/// let [a2, b2] = [board.parse("a2")?, board.parse("b2")?];
/// let code = Code::at(board, a2, Reach::Twelve, |cell| if cell == b2 { State::Other } else { State::Empty });
/// assert_eq!(code.to_string(), ".##..o/###...");
/// assert_eq!(code.trimmed(Reach::Six).to_string(), ".##..o");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(u64);

const REACH_SHIFT: u32 = 30;
const OTHER_SHIFT: u32 = 32;

impl Code {
    /// The code of three sets of cells, with bit i for the i-th cell: stones of the side that has just moved, stones of the side
    /// to move, and cells off the board. Bits beyond the reach do not matter. A cell in several sets is off the board.
    #[must_use]
    #[inline]
    pub const fn new(reach: Reach, mover: u32, other: u32, outside: u32) -> Self {
        let mask = reach.mask();
        let mover = ((mover | outside) & mask) as u64;
        let other = ((other | outside) & mask) as u64;
        Self(mover | (reach as u64) << REACH_SHIFT | other << OTHER_SHIFT)
    }

    /// The code of the cells around `centre`; `state` returns the states of cells on the board. O(cells).
    ///
    /// # Panics
    /// If the centre is not on the board.
    #[must_use]
    #[inline]
    pub fn at(board: &Board, centre: Cell, reach: Reach, mut state: impl FnMut(Cell) -> State) -> Self {
        let (mut mover, mut other) = (0, 0);
        for (i, cell) in board.around(centre).take(reach.cells()).enumerate() {
            let state = cell.map_or(0, |cell| state(cell) as u32);
            mover |= (state & 1) << i;
            other |= (state >> 1) << i;
        }
        Self::new(reach, mover, other, board.outside(centre))
    }

    /// The reach: the size of the neighbourhood.
    #[must_use]
    #[inline]
    pub const fn reach(self) -> Reach {
        Reach::ALL[(self.0 >> REACH_SHIFT & 3) as usize]
    }

    /// The cells with stones of the mover, and the cells off the board.
    #[inline]
    pub(crate) const fn mover(self) -> u32 {
        self.0 as u32 & Reach::Thirty.mask()
    }

    /// The cells with stones of the other side, and the cells off the board.
    #[inline]
    pub(crate) const fn other(self) -> u32 {
        (self.0 >> OTHER_SHIFT) as u32
    }

    /// The state of the i-th cell; `None` beyond the reach.
    #[must_use]
    pub fn state(self, i: usize) -> Option<State> {
        let state = || State::ALL[(self.mover() >> i & 1 | (self.other() >> i & 1) << 1) as usize];
        (i < self.reach().cells()).then(state)
    }

    /// The code without the cells beyond `reach`; the same code if it has no such cells.
    #[must_use]
    pub fn trimmed(self, reach: Reach) -> Self {
        Self::new(reach.min(self.reach()), self.mover(), self.other(), 0)
    }

    /// The code of the image of the neighbourhood under a symmetry.
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        Self::new(self.reach(), image(self.mover(), symmetry), image(self.other(), symmetry), 0)
    }
}

/// The letters of the states, as in the text of a pattern, with `/` between rings.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for i in 0..self.reach().cells() {
            let stroke = if matches!(i, 6 | 12 | 18) { "/" } else { "" };
            write!(f, "{stroke}{}", self.state(i).map_or(' ', State::letter))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({self})")
    }
}

/// The images of sets of cells, by the symmetry, by the fifth of the set, and by the value of the six bits of this fifth.
static FIFTHS: [[[u32; 64]; 5]; 12] = {
    let mut all = [[[0; 64]; 5]; 12];
    let mut s = 0;
    while s < 12 {
        let to = Symmetry::ALL[s].around();
        let mut i = 0;
        while i < to.len() {
            let mut bits = 0;
            while bits < 64 {
                if bits >> (i % 6) & 1 != 0 {
                    all[s][i / 6][bits] |= 1 << to[i];
                }
                bits += 1;
            }
            i += 1;
        }
        s += 1;
    }
    all
};

/// The image of a set of cells under a symmetry.
pub(crate) fn image(cells: u32, symmetry: Symmetry) -> u32 {
    let fifths = (0..30).step_by(6).zip(&FIFTHS[usize::from(symmetry.number())]);
    fifths.map(|(shift, images)| images[(cells >> shift & 63) as usize]).fold(0, |all, part| all | part)
}
