//! [`Setup`]: any stones, which become a position if they are valid.

use stonework_board::{Board, Cell, CellSet, SizeError};
use stonework_game::{ByPlayer, Player};

use crate::chains::Chains;
use crate::position::{Right, Won};
use crate::tables::Tables;
use crate::{Position, WinKinds, colour};

/// Stones, side to move and the right to swap, not yet checked.
///
/// Any number of stones of either side and any side to move can become a position, so that studies and puzzles can be set up.
/// One side may even have won.
///
/// ```
/// use stonework_game::{Game, Player};
/// use stonework_havannah::{Position, Setup};
/// let mut setup = Setup::new(4);
/// let board = Position::new(4)?.board();
/// setup.stones.first.extend([board.parse("a1")?, board.parse("a2")?, board.parse("a3")?]);
/// setup.to_move = Player::Second;
/// let position = setup.position()?;
/// assert_eq!(position.winning_count(Player::First), 1);
/// assert_eq!(position.setup(), setup);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// The number of cells on a side, 2 to 20.
    pub size: u8,
    /// The stones of each side.
    pub stones: ByPlayer<CellSet>,
    /// The side to move.
    pub to_move: Player,
    /// `true` if a swap is possible in this game: on the empty board, or for the side to move after the first stone.
    pub swap: bool,
}

/// The reason why a [`Setup`] is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The size has no board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A stone lies outside the board.
    #[error("cell {} is not on a board of size {size}", cell.index())]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// Both sides have a stone on one cell.
    #[error("{} has a stone of both sides", Board::hexagon(*size).map_or_else(|e| e.to_string(), |b| b.name(*cell)))]
    Both {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// Both sides have won, which no game reaches.
    #[error("both sides have won: white has {first}, black has {second}")]
    BothWon {
        /// The first player's kinds of win.
        first: WinKinds,
        /// The second player's kinds of win.
        second: WinKinds,
    },
    /// The right to swap needs the empty board with the first player to move, or one stone of the first player with the second
    /// player to move.
    #[error("no right to swap with {first} stones of white, {second} of black and {} to move", colour(*to_move))]
    Swap {
        /// The first player's stones.
        first: usize,
        /// The second player's stones.
        second: usize,
        /// The side to move.
        to_move: Player,
    },
}

impl Setup {
    /// The empty board, the first player to move, no swap. [`position`](Setup::position) checks the size.
    #[must_use]
    pub const fn new(size: u8) -> Self {
        let stones = ByPlayer::new(CellSet::new(), CellSet::new());
        Self { size, stones, to_move: Player::First, swap: false }
    }

    /// The position with these stones. O(stones).
    ///
    /// # Errors
    /// An error for a setup that is no position: see [`SetupError`].
    pub fn position(&self) -> Result<Position, SetupError> {
        let board = Board::hexagon(self.size)?;
        let right = self.right()?;
        let mut position = Position::start(self.size, right)?;
        let mut won = ByPlayer::new(WinKinds::NONE, WinKinds::NONE);
        for (player, stones) in self.stones.iter() {
            for cell in stones {
                if !board.contains(cell) {
                    return Err(SetupError::OffBoard { cell, size: self.size });
                }
                if position.stone(cell).is_some() {
                    return Err(SetupError::Both { cell, size: self.size });
                }
                // The ring rule finds a side's first ring, and one ring is enough.
                let kinds = position.add_stone(player, cell);
                won[player] = won[player].with(kinds);
            }
        }
        let won = match (won.first, won.second) {
            (WinKinds::NONE, WinKinds::NONE) => None,
            (kinds, WinKinds::NONE) => Some(Won { player: Player::First, kinds, closing: None }),
            (WinKinds::NONE, kinds) => Some(Won { player: Player::Second, kinds, closing: None }),
            (first, second) => return Err(SetupError::BothWon { first, second }),
        };
        position.conclude(self.to_move, right, won);
        Ok(position)
    }

    fn right(&self) -> Result<Right, SetupError> {
        let (first, second) = (self.stones.first.len(), self.stones.second.len());
        match (self.swap, first, second, self.to_move) {
            (false, ..) => Ok(Right::None),
            (true, 0, 0, Player::First) => Ok(Right::Ahead),
            (true, 1, 0, Player::Second) => Ok(Right::Now),
            _ => Err(SetupError::Swap { first, second, to_move: self.to_move }),
        }
    }
}

impl Position {
    /// The setup of this position.
    #[must_use]
    pub fn setup(&self) -> Setup {
        use stonework_game::Game;
        let stones = ByPlayer::new(self.stones(Player::First), self.stones(Player::Second));
        Setup { size: self.size(), stones, to_move: self.to_move(), swap: self.swap_enabled() }
    }
}

/// For each cell outside a set of stones of one colour, the kinds of win that one more stone on the cell completes, by
/// the O(1) rule. The function serves to check the rule on sets that no game reaches.
///
/// The set must have no ring, which is the condition of the [`ring_rule`](crate::ring_rule). A bridge or fork that the set has
/// already is in the kinds of every stone that joins it. O(stones), and O(1) for each cell.
///
/// # Errors
/// An error for any size other than 2 to 20, or for a stone off the board.
///
/// ```
/// use stonework_board::{Board, CellSet};
/// use stonework_havannah::{WinKinds, completions};
/// let board = Board::hexagon(3)?;
/// let five: CellSet = board.ring(board.parse("c3")?, 1).take(5).collect();
/// let rings: Vec<_> = completions(3, &five)?.into_iter().filter(|(_, kinds)| *kinds == WinKinds::RING).collect();
/// assert_eq!(rings, [(board.parse("d3")?, WinKinds::RING)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn completions(size: u8, stones: &CellSet) -> Result<Vec<(Cell, WinKinds)>, SetupError> {
    let mut chains = Chains::new(Tables::of(size)?);
    let board = chains.tables.board;
    for cell in stones {
        if !board.contains(cell) {
            return Err(SetupError::OffBoard { cell, size });
        }
        let joint = chains.joint(Player::First, cell.index());
        chains.place(Player::First, cell.index(), &joint);
    }
    let empty = board.cells().filter(|&c| !stones.contains(c));
    Ok(empty.map(|c| (c, chains.joint(Player::First, c.index()).kinds)).collect())
}
