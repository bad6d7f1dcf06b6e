//! [`Cells`]: the condition of a pattern on the cells around the last move.

use std::fmt;
use std::sync::LazyLock;

use stonework_board::{Board, Shape, Symmetry};

use crate::code::{Code, Reach, State, image};

/// The condition of a pattern: for each of its 6, 12, 18 or 30 cells, the [states](State) that it may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cells {
    /// For each state, the cells that may have it.
    allowed: [u32; 4],
    reach: Reach,
}

/// The refusal of a text of cells.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CellsError {
    /// A letter that is no cell.
    #[error("`{found}` is no cell: there are . x o # ? and !. !x !o !#")]
    Letter {
        /// The number of characters before the letter.
        at: usize,
        /// The letter.
        found: char,
    },
    /// A `!` that no state follows.
    #[error("`!` is followed by {}, not by . x o or #", found.map_or("the end of its ring".to_owned(), |c| format!("`{c}`")))]
    Not {
        /// The number of characters up to and with the `!`.
        at: usize,
        /// The character after the `!`; `None` at the end of a ring.
        found: Option<char>,
    },
    /// A ring with too many or too few cells.
    #[error("ring {ring} has {found} cells, not {}", if *ring == 4 { 12 } else { 6 })]
    Ring {
        /// The number of characters before the ring.
        at: usize,
        /// The number of the ring, from 1.
        ring: usize,
        /// The number of its cells.
        found: usize,
    },
    /// Too many rings.
    #[error("{found} rings: there are at most 4, of 6, 6, 6 and 12 cells")]
    Rings {
        /// The number of rings.
        found: usize,
    },
}

impl CellsError {
    /// The number of characters before the fault.
    #[must_use]
    pub const fn at(&self) -> usize {
        match self {
            Self::Letter { at, .. } | Self::Not { at, .. } | Self::Ring { at, .. } => *at,
            Self::Rings { .. } => 0,
        }
    }
}

impl Cells {
    /// The condition that every neighbourhood meets.
    pub(crate) const fn any(reach: Reach) -> Self {
        Self { allowed: [reach.mask(); 4], reach }
    }

    /// The condition that only one neighbourhood meets.
    #[must_use]
    pub fn exactly(code: Code) -> Self {
        let mut cells = Self { allowed: [0; 4], reach: code.reach() };
        for i in 0..code.reach().cells() {
            let state = code.state(i).map_or(0, |state| state as usize);
            cells.allowed[state] |= 1 << i;
        }
        cells
    }

    /// Reads cells: `.` empty, `x` the side that has just moved, `o` the side to move, `#` off the board, `?` any
    /// state; `!` before one of the first four means any other state. A `/` separates rings.
    ///
    /// # Errors
    /// An error if the text is not of this form, with the [place](CellsError::at) of the fault.
    pub fn parse(text: &str) -> Result<Self, CellsError> {
        let mut allowed = [0; 4];
        let (mut at, mut count) = (0, 0);
        let rings = text.split('/').count();
        if rings > Reach::ALL.len() {
            return Err(CellsError::Rings { found: rings });
        }
        for (ring, part) in text.split('/').enumerate() {
            let mut found = 0;
            let mut letters = part.chars().enumerate();
            while let Some((i, letter)) = letters.next() {
                let states = match letter {
                    '?' => 15,
                    '!' => match letters.next() {
                        Some((_, next)) => match State::from_letter(next) {
                            Some(state) => 15 & !(1 << state as u8),
                            None => return Err(CellsError::Not { at: at + i + 1, found: Some(next) }),
                        },
                        None => return Err(CellsError::Not { at: at + i + 1, found: None }),
                    },
                    _ => match State::from_letter(letter) {
                        Some(state) => 1 << state as u8,
                        None => return Err(CellsError::Letter { at: at + i, found: letter }),
                    },
                };
                if count < Reach::Thirty.cells() {
                    for (state, cells) in allowed.iter_mut().enumerate() {
                        *cells |= (states >> state & 1) << count;
                    }
                }
                (found, count) = (found + 1, count + 1);
            }
            let wanted = Reach::ALL[ring].cells() - Reach::ALL[ring].ring_start();
            if found != wanted {
                return Err(CellsError::Ring { at, ring: ring + 1, found });
            }
            at += part.chars().count() + 1;
        }
        Ok(Self { allowed, reach: Reach::ALL[rings - 1] })
    }

    /// The number of cells, as a reach.
    #[must_use]
    pub const fn reach(&self) -> Reach {
        self.reach
    }

    /// `true` if the i-th cell may have a state.
    #[must_use]
    pub const fn allows(&self, i: usize, state: State) -> bool {
        i < self.reach.cells() && self.allowed[state as usize] >> i & 1 != 0
    }

    /// `true` if a code with as many cells, or more, meets the condition.
    #[must_use]
    pub fn contain(&self, code: Code) -> bool {
        let (mover, other) = (code.mover(), code.other());
        let sets = [!mover & !other, mover & !other, !mover & other, mover & other];
        let bad = sets.into_iter().zip(self.allowed).fold(0, |bad, (set, allowed)| bad | set & !allowed);
        code.reach() >= self.reach && bad & self.reach.mask() == 0
    }

    /// The image of the condition under a symmetry.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Self {
        Self { allowed: self.allowed.map(|cells| image(cells, symmetry)), reach: self.reach }
    }

    /// The cells that must be empty.
    pub(crate) const fn empty(&self) -> u32 {
        let [empty, mover, other, outside] = self.allowed;
        empty & !(mover | other | outside)
    }

    /// The cells with a condition: all but `?`.
    pub(crate) fn cared(&self) -> u32 {
        self.reach.mask() & !self.allowed.iter().fold(!0, |all, cells| all & cells)
    }

    /// The states that the i-th cell may have, as bits.
    pub(crate) const fn states(&self, i: usize) -> u32 {
        let [empty, mover, other, outside] = self.allowed;
        empty >> i & 1 | (mover >> i & 1) << 1 | (other >> i & 1) << 2 | (outside >> i & 1) << 3
    }

    /// The cells that may have only one state.
    pub(crate) const fn single(&self) -> u32 {
        let [a, b, c, d] = self.allowed;
        let (one, two) = (a ^ b ^ c ^ d, (a & b) | (c & d) | ((a | b) & (c | d)));
        one & !two
    }

    /// The two planes of a [`Code`] with these states, for the cells of [`Cells::single`].
    pub(crate) const fn planes(&self) -> [u32; 2] {
        let [_, mover, other, outside] = self.allowed;
        [mover | outside, other | outside]
    }

    /// The condition with some cells fixed to the states of a code's planes.
    pub(crate) fn fixed(mut self, cells: u32, [mover, other]: [u32; 2]) -> Self {
        let sets = [!mover & !other, mover & !other, !mover & other, mover & other];
        for (allowed, set) in self.allowed.iter_mut().zip(sets) {
            *allowed &= !cells | set;
        }
        self
    }

    /// The condition with the cells of a longer reach; the new cells may have any state.
    pub(crate) fn extended(self, reach: Reach) -> Self {
        let free = reach.mask() & !self.reach.mask();
        Self { allowed: self.allowed.map(|cells| cells | free), reach: self.reach.max(reach) }
    }

    /// Both conditions together, with the cells of the longer one; `None` if no neighbourhood meets both.
    pub(crate) fn both(&self, other: &Self) -> Option<Self> {
        let reach = self.reach.max(other.reach);
        let (mine, theirs) = (self.extended(reach), other.extended(reach));
        let allowed: [u32; 4] = std::array::from_fn(|s| mine.allowed[s] & theirs.allowed[s]);
        let possible = allowed.iter().fold(0, |all, cells| all | cells) == reach.mask();
        possible.then_some(Self { allowed, reach })
    }

    /// `true` if every neighbourhood that meets `other` also meets this condition. `other` has at least as many cells.
    pub(crate) fn include(&self, other: &Self) -> bool {
        let mask = self.reach.mask();
        self.allowed.iter().zip(other.allowed).all(|(mine, theirs)| theirs & mask & !mine == 0)
    }

    /// A neighbourhood with few stones that meets the condition and occurs on some board; `None` if there is none. The
    /// cells off the board must be as around a cell of a [hexagon or rhombus](Shape).
    #[must_use]
    pub fn example(&self) -> Option<Code> {
        let [empty, mover, other, outside] = self.allowed;
        let on_board = empty | mover | other;
        let fits = |&&set: &&u32| set & !outside == 0 && self.reach.mask() & !set & !on_board == 0;
        let set = OUTSIDES[self.reach as usize].iter().find(fits)?;
        let (mover, other) = (mover & !empty, other & !empty & !mover);
        Some(Code::new(self.reach, mover, other, *set))
    }
}

/// For each reach, the sets of cells that are off the board around any cell of any board, by number of cells. Boards with
/// eight cells on a side are enough: on larger boards a neighbourhood never contains more than one corner.
static OUTSIDES: LazyLock<[Box<[u32]>; 4]> = LazyLock::new(|| {
    let shapes = (1..=8).flat_map(|size| [Shape::Hexagon(size), Shape::Rhombus(size)]);
    let boards = shapes.filter_map(|shape| Board::of(shape).ok());
    let mut all: Vec<u32> = boards.flat_map(|board| board.cells().map(|c| board.outside(c))).collect();
    all.sort_unstable();
    all.dedup();
    let images = |&set: &u32| Symmetry::ALL.map(|symmetry| image(set, symmetry));
    let all: Vec<u32> = all.iter().flat_map(images).collect();
    Reach::ALL.map(|reach| {
        let mut sets: Vec<u32> = all.iter().map(|set| set & reach.mask()).collect();
        sets.sort_unstable_by_key(|&set| (set.count_ones(), set));
        sets.dedup();
        sets.into()
    })
});

/// The text that [`Cells::parse`] reads.
impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for i in 0..self.reach.cells() {
            if matches!(i, 6 | 12 | 18) {
                f.write_str("/")?;
            }
            f.write_str(&self.word(i))?;
        }
        Ok(())
    }
}

impl Cells {
    /// The text of the i-th cell.
    pub(crate) fn word(&self, i: usize) -> String {
        let letters = |states: u32| {
            let of = move |s: &State| states >> *s as u32 & 1 != 0;
            State::ALL.into_iter().filter(of).map(State::letter).collect::<String>()
        };
        match self.states(i) {
            15 => "?".to_owned(),
            states if states.count_ones() == 3 => format!("!{}", letters(!states & 15)),
            states => letters(states),
        }
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cells({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_board_has_surroundings_that_smaller_boards_do_not_have() {
        let sizes = (1..=20).flat_map(|size| [Shape::Hexagon(size), Shape::Rhombus(size)]);
        for board in sizes.filter_map(|shape| Board::of(shape).ok()) {
            for cell in board.cells() {
                for reach in Reach::ALL {
                    let set = board.outside(cell) & reach.mask();
                    assert!(OUTSIDES[reach as usize].contains(&set), "{board:?} {cell:?}");
                }
            }
        }
    }

    #[test]
    fn an_example_is_as_asked_for_and_there_is_none_only_if_no_board_has_it() {
        for text in ["##..xo", "?####?", "#?????", "!.!x#!o!#?", "......", "!#!#!#!#!#!#"] {
            let cells = Cells::parse(text).unwrap();
            assert!(cells.contain(cells.example().unwrap()), "{text}");
            assert_eq!(cells.to_string(), text);
        }
        for text in ["#.#...", "#..o..", "#.##.#", "######/......"] {
            assert_eq!(Cells::parse(text).unwrap().example(), None, "{text}");
        }
    }
}
