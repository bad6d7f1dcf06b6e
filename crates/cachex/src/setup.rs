//! [`Setup`]: any stones, which become a position if they are valid; [`Options`], the limits.

use stonework_board::{Cell, CellSet};
use stonework_game::{ByPlayer, Player};

use crate::action::name;
use crate::plane::Plane;
use crate::tables::Tables;
use crate::{MAX_LIMIT, MAX_SIZE, MIN_SIZE, Position};

/// The limits beyond which a game is a draw. The defaults are the limits of the rules: 7 and 343.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// The number of occurrences of a board that makes a draw, 2 to [`MAX_LIMIT`].
    pub repetition: u16,
    /// The number of turns that makes a draw, 1 to [`MAX_LIMIT`].
    pub turns: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self { repetition: 7, turns: 343 }
    }
}

/// Stones, turns and limits, not yet checked.
///
/// After two turns any stones of either side can become a position, so that studies can be set up; a side may even have won. A
/// setup has no earlier boards: in its position, only the present board counts as having occurred.
///
/// ```
/// use stonework_cachex::Setup;
/// use stonework_game::{Game, Player};
/// let setup = Setup::from_rows(".r./.b./...", 3)?;
/// let position = setup.position()?;
/// assert_eq!((position.to_move(), position.stone_count()), (Player::Second, 2));
/// assert_eq!((position.rows(), position.setup()), (".r./.b./...".to_owned(), setup));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// The number of cells on a side, 3 to 15.
    pub size: u8,
    /// The stones of each side.
    pub stones: ByPlayer<CellSet>,
    /// The number of turns played so far; after an even number red moves. After 0 turns the board is empty; after 1
    /// turn it has one red stone, which blue may steal.
    pub turns: u16,
    /// The number of occurrences of the board, the present occurrence included.
    pub occurrences: u16,
    /// The limits of the game.
    pub options: Options,
}

/// The reason why a [`Setup`] is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The size has no board.
    #[error("no Cachex board of size {size}: sizes are {MIN_SIZE} to {MAX_SIZE}")]
    Size {
        /// The size.
        size: u8,
    },
    /// A limit is out of its range.
    #[error("no draw at repetition {} or after {} turns: repetition is 2 to {MAX_LIMIT}, turns 1 to {MAX_LIMIT}", options.repetition, options.turns)]
    Options {
        /// The limits.
        options: Options,
    },
    /// A stone lies outside the board.
    #[error("cell {} is not on a board of size {size}", cell.index())]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// Both sides have a stone on one cell.
    #[error("{} has a stone of both sides", name(*size, *cell))]
    Both {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The setup has more turns than the game.
    #[error("{turns} turns of at most {limit}")]
    Turns {
        /// The number of turns played so far.
        turns: u16,
        /// The limit of turns.
        limit: u16,
    },
    /// The number of occurrences of the board is 0, or more than the limit or the turns allow.
    #[error("{occurrences} occurrences of the board: 1 to {most}")]
    Occurrences {
        /// The number of occurrences in the setup.
        occurrences: u16,
        /// The largest possible number.
        most: u16,
    },
    /// The board has stones before the first turn; or after one turn it has other stones than one red stone off the
    /// centre.
    #[error(
        "after {turns} turns there cannot be {red} red stones and {blue} blue ones, or one in the centre"
    )]
    Opening {
        /// The number of turns played so far, 0 or 1.
        turns: u16,
        /// The number of red stones.
        red: usize,
        /// The number of blue stones.
        blue: usize,
    },
}

impl Setup {
    /// The empty board before the first turn, with the limits of the rules. [`position`](Setup::position) checks the
    /// size.
    #[must_use]
    pub fn new(size: u8) -> Self {
        let stones = ByPlayer::new(CellSet::new(), CellSet::new());
        Self { size, stones, turns: 0, occurrences: 1, options: Options::default() }
    }

    /// The position with these stones. O(cells).
    ///
    /// # Errors
    /// An error for a setup that is no position: see [`SetupError`].
    pub fn position(&self) -> Result<Position, SetupError> {
        let Self { size, turns, occurrences, options, .. } = *self;
        let tables = Tables::of(size)?;
        if options.repetition < 2 || options.repetition.max(options.turns) > MAX_LIMIT || options.turns == 0 {
            return Err(SetupError::Options { options });
        }
        if turns > options.turns {
            return Err(SetupError::Turns { turns, limit: options.turns });
        }
        // Two occurrences of a board are at least two turns apart.
        let most = options.repetition.min(1 + turns / 2);
        if !(1..=most).contains(&occurrences) {
            return Err(SetupError::Occurrences { occurrences, most });
        }
        let mut planes = [Plane::EMPTY; 2];
        for (player, stones) in self.stones.iter() {
            for cell in stones {
                if !tables.board.contains(cell) {
                    return Err(SetupError::OffBoard { cell, size });
                }
                let at = tables.at[cell.index()];
                if planes[player.other().index()].has(at) {
                    return Err(SetupError::Both { cell, size });
                }
                planes[player.index()].add(at);
            }
        }
        let (red, blue) = (planes[0].len(), planes[1].len());
        let centre = tables.centre.is_some_and(|cell| self.stones.first.contains(cell));
        match (turns, red, blue, centre) {
            (0, 0, 0, _) | (1, 1, 0, false) | (2.., ..) => {
                Ok(Position::set_up(tables, options, planes, turns, occurrences))
            }
            _ => Err(SetupError::Opening { turns, red, blue }),
        }
    }
}

impl Position {
    /// The setup of this position, which lacks only the counts of earlier boards.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            size: self.size(),
            stones: ByPlayer::new(self.stones(Player::First), self.stones(Player::Second)),
            turns: self.turns(),
            occurrences: self.occurrences(),
            options: self.options(),
        }
    }
}
