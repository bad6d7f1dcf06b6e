//! [`Space`]: the states of Cachex on the smallest boards, by number.

use std::fmt;
use std::str::FromStr;

use stonework_board::Cell;
use stonework_cachex::{Position, Setup};
use stonework_endgame::StateSpace;
use stonework_game::Game;
use stonework_game::text::head;

/// The states of Cachex on a small board by number: every placing of stones with either side to move, and the opening.
///
/// Repetitions are not counted and turns are not limited: endless play is a draw. Positions that no game reaches have
/// numbers, too.
///
/// ```text
/// 0                      the empty board
/// 1 + c                  after the first stone, which is on cell c
/// 1 + n² + 2 b + t       after two turns or more: b has the cells as ternary digits, t is 1 if blue moves
/// ```
///
/// ```
/// use std::ops::ControlFlow;
/// use stonework_cachex::Position;
/// use stonework_endgame::{Options, Value, solve};
/// use stonework_cachex_players::Space;
/// let space = Space::new(3)?;
/// let table = solve(&space, &Options::default(), &mut |_| ControlFlow::Continue(()))?.table;
/// assert_eq!(table.probe(&space, &Position::new(3)?), Some(Value::Loss(8)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Space {
    size: u8,
    cells: Vec<Cell>,
}

impl Space {
    /// The largest size: size 4 has 86 million numbers; size 5 would have 1.7 million million.
    pub const MAX_SIZE: u8 = 4;

    /// The states of a size.
    ///
    /// # Errors
    /// An error for a size other than 3 and 4.
    pub fn new(size: u8) -> Result<Self, SpaceError> {
        let empty = Position::new(size).ok().filter(|_| size <= Self::MAX_SIZE);
        let empty = empty.ok_or(SpaceError::Size { size })?;
        Ok(Self { size, cells: empty.empty_cells().collect() })
    }

    /// The number of cells on a side of the board.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// The number of states of the opening, which is the first number of a board after two turns or more.
    #[must_use]
    pub fn opening(&self) -> u64 {
        1 + self.cells.len() as u64
    }
}

/// The reason why a [`Space`] does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// The size has no board, or the board has too many states.
    #[error(
        "no table of Cachex of size {size}: sizes are {} and {}",
        stonework_cachex::MIN_SIZE,
        Space::MAX_SIZE
    )]
    Size {
        /// The size.
        size: u8,
    },
    /// A text that names no space.
    #[error("`{text}` names no space: `size 3` is one")]
    Text {
        /// The start of the text.
        text: String,
    },
}

impl StateSpace for Space {
    type State = Position;

    fn len(&self) -> u64 {
        self.opening() + 2 * 3u64.pow(self.cells.len() as u32)
    }

    fn rank(&self, position: &Position) -> Option<u64> {
        if position.outcome().is_some() || position.size() != self.size {
            return None;
        }
        let digit = |&cell: &Cell| match position.stone(cell) {
            None => 0,
            Some(player) => 1 + player.index() as u64,
        };
        let first = |cell: &Cell| position.stone(*cell).is_some();
        match position.turns() {
            0 => Some(0),
            1 => self.cells.iter().position(first).map(|cell| 1 + cell as u64),
            turns => {
                let board = self.cells.iter().rev().fold(0, |board, cell| 3 * board + digit(cell));
                Some(self.opening() + 2 * board + u64::from(turns % 2))
            }
        }
    }

    fn unrank(&self, rank: u64) -> Option<Position> {
        let mut setup = Setup::new(self.size);
        if rank >= self.len() {
            return None;
        } else if let Some(code) = rank.checked_sub(self.opening()) {
            setup.turns = 2 + (code % 2) as u16;
            let mut board = code / 2;
            for &cell in &self.cells {
                match board % 3 {
                    0 => {}
                    1 => _ = setup.stones.first.insert(cell),
                    _ => _ = setup.stones.second.insert(cell),
                }
                board /= 3;
            }
        } else if let Some(cell) = rank.checked_sub(1) {
            setup.turns = 1;
            setup.stones.first.insert(self.cells[cell as usize]);
        }
        // A first stone in the centre is illegal, and a won board is no state.
        setup.position().ok().filter(|position| position.outcome().is_none())
    }
}

/// The name of a space in tables: `size 3`.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "size {}", self.size)
    }
}

/// Reads the text of [`Display`](fmt::Display).
impl FromStr for Space {
    type Err = SpaceError;

    fn from_str(text: &str) -> Result<Self, SpaceError> {
        let size = text.strip_prefix("size ").and_then(|size| size.parse().ok());
        Self::new(size.ok_or_else(|| SpaceError::Text { text: head(text).to_owned() })?)
    }
}
