//! [`GameStatistics`]: kinds, lengths and rings of finished games.

use stonework_board::{Board, SizeError};
use stonework_game::{ByPlayer, Game, Outcome, Player};
use stonework_havannah::{Position, WinKind, WinKinds};

use super::Lengths;
use crate::distance::SmallestRing;

/// The ends of games of one board size: the winner, the kinds, the number of stones, the rings.
///
/// ```
/// use stonework_game::{Game, Player, below, rng};
/// use stonework_havannah::{Move, Position, WinKind};
/// use stonework_havannah_analysis::GameStatistics;
/// // Random games: all cells in a random order, until somebody has won.
/// let (mut statistics, mut rng) = (GameStatistics::new(5)?, rng(7));
/// for _ in 0..500 {
///     let mut game = Position::new(5)?;
///     let mut cells: Vec<_> = game.empty_cells().collect();
///     while game.outcome().is_none() {
///         game.play(Move::Place(cells.swap_remove(below(&mut rng, cells.len()))))?;
///     }
///     statistics.add(&game)?;
/// }
/// assert_eq!(statistics.games(), statistics.wins().first + statistics.wins().second + statistics.draws());
/// assert!((0.44..0.58).contains(&statistics.share(WinKind::Fork)));         // 0.513 in the long run
/// assert!((45.0..48.0).contains(&statistics.lengths().mean().unwrap()));    // 46.5
/// let rings = statistics.rings();
/// assert!(rings.six_stones() > 0 && rings.six_stones() < rings.games());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameStatistics {
    board: &'static Board,
    /// The games won by each side with exactly a set of kinds, by the kinds' bits.
    won: ByPlayer<[u64; 8]>,
    draws: u64,
    lengths: Lengths,
    rings: RingCounts,
    smallest: SmallestRing,
}

/// The reason why a game cannot be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// No side has won, and the board has empty cells.
    #[error("the game is not over: {stones} stones, {empty} empty cells, no win")]
    Running {
        /// The stones on the board.
        stones: usize,
        /// The empty cells.
        empty: usize,
    },
    /// The game has another size than the games that are counted.
    #[error("a game of size {size} among games of size {expected}")]
    Size {
        /// The size of the game.
        size: u8,
        /// The size of the games that are counted.
        expected: u8,
    },
}

/// The rings of won games: the number of stones of the smallest ring of each game and, for rings of six stones
/// (*benzene rings*), the content of the enclosed cell.
///
/// Six stones around one cell are the smallest ring, and no other ring has six stones. Lajkonik marks such rings, with and
/// without a seventh stone inside, for statistics. Of the rings of random games more than three quarters are such (89 % at size 4,
/// 77 % at size 10; about a quarter of all with a seventh stone), of the 189 rings of real games in the reference data 67 (11).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RingCounts {
    sizes: Lengths,
    empty: u64,
    own: u64,
    opponent: u64,
}

impl RingCounts {
    /// The number of games that were won with a ring, alone or with another kind.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.sizes.games()
    }

    /// The number of stones of the smallest ring of each of these games; stones inside do not count.
    #[must_use]
    pub const fn sizes(&self) -> &Lengths {
        &self.sizes
    }

    /// The number of these games with a ring of six stones. A game counts once, though one stone can close several
    /// rings.
    #[must_use]
    pub const fn six_stones(&self) -> u64 {
        self.empty + self.own + self.opponent
    }

    /// The number of games with a ring of six stones around a seventh stone of the winner.
    #[must_use]
    pub const fn with_own_inside(&self) -> u64 {
        self.own
    }

    /// The number of games with a ring of six stones around a stone of the loser, and none around a stone of the
    /// winner.
    #[must_use]
    pub const fn with_opponent_inside(&self) -> u64 {
        self.opponent
    }

    /// The number of games with rings of six stones around empty cells only.
    #[must_use]
    pub const fn with_nothing_inside(&self) -> u64 {
        self.empty
    }
}

/// The index of a set of kinds in a list of all sets.
fn number(kinds: WinKinds) -> usize {
    kinds.iter().map(|kind| 1 << kind as usize).sum()
}

impl GameStatistics {
    /// Statistics without games, for a size from 2 to 20.
    ///
    /// # Errors
    /// An error for any other size.
    pub fn new(size: u8) -> Result<Self, SizeError> {
        let board = Board::hexagon(size)?;
        Ok(Self {
            board,
            won: ByPlayer::default(),
            draws: 0,
            lengths: Lengths::new(),
            rings: RingCounts::default(),
            smallest: SmallestRing::new(board),
        })
    }

    /// Counts a game by its last position. O(1); O(cells² · size) for the size of a ring.
    ///
    /// A position that was [set up](stonework_havannah::Setup) counts like the end of a game. A swap is no stone.
    ///
    /// # Errors
    /// An error if the game is not over, or has another size; nothing is counted then.
    pub fn add(&mut self, end: &Position) -> Result<(), StatisticsError> {
        if end.size() != self.board.size() {
            return Err(StatisticsError::Size { size: end.size(), expected: self.board.size() });
        }
        let stones = end.stone_count();
        match end.outcome() {
            None => return Err(StatisticsError::Running { stones, empty: self.board.len() - stones }),
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Win(player)) => {
                self.won[player][number(end.kinds())] += 1;
                if end.kinds().contains(WinKind::Ring) {
                    self.add_ring(end, player);
                }
            }
        }
        self.lengths.add(stones as u16);
        Ok(())
    }

    fn add_ring(&mut self, end: &Position, player: Player) {
        let stones = end.stones(player);
        let Some(size) = self.smallest.of(&stones) else { return };
        self.rings.sizes.add(size);
        if size > 6 {
            return;
        }
        let six = |cell| self.board.neighbours(cell).filter(|&near| stones.contains(near)).count() == 6;
        let inside = || self.board.cells().filter(|&cell| six(cell)).map(|cell| end.stone(cell));
        if inside().any(|owner| owner == Some(player)) {
            self.rings.own += 1;
        } else if inside().any(|owner| owner.is_some()) {
            self.rings.opponent += 1;
        } else {
            self.rings.empty += 1;
        }
    }

    /// Counts all games of other statistics too.
    ///
    /// # Errors
    /// An error if the other statistics are of another size; nothing is counted then.
    pub fn merge(&mut self, other: &Self) -> Result<(), StatisticsError> {
        if other.size() != self.size() {
            return Err(StatisticsError::Size { size: other.size(), expected: self.size() });
        }
        for player in Player::BOTH {
            for (count, more) in self.won[player].iter_mut().zip(other.won[player]) {
                *count += more;
            }
        }
        self.draws += other.draws;
        self.lengths.merge(&other.lengths);
        self.rings.sizes.merge(&other.rings.sizes);
        self.rings.empty += other.rings.empty;
        self.rings.own += other.rings.own;
        self.rings.opponent += other.rings.opponent;
        Ok(())
    }

    /// The number of cells on a side of the board.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.board.size()
    }

    /// The number of games that have been counted.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.lengths.games()
    }

    /// The number of games that each side has won.
    #[must_use]
    pub fn wins(&self) -> ByPlayer<u64> {
        ByPlayer::new(self.won.first.iter().sum(), self.won.second.iter().sum())
    }

    /// The number of games that were drawn.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// The number of games that a side has won with this kind, alone or with others.
    #[must_use]
    pub fn won_with(&self, player: Player, kind: WinKind) -> u64 {
        let counts = self.won[player].iter().enumerate();
        counts.filter(|(kinds, _)| kinds >> kind as usize & 1 != 0).map(|(_, count)| count).sum()
    }

    /// The number of games that a side has won with exactly these kinds.
    #[must_use]
    pub fn won_with_exactly(&self, player: Player, kinds: WinKinds) -> u64 {
        self.won[player][number(kinds)]
    }

    /// The share of all games that were won with this kind, alone or with others; 0 without a game. The shares of the
    /// kinds sum to more than the share of won games if some stones complete two kinds.
    #[must_use]
    pub fn share(&self, kind: WinKind) -> f64 {
        let won: u64 = Player::BOTH.map(|player| self.won_with(player, kind)).iter().sum();
        won as f64 / self.games().max(1) as f64
    }

    /// The numbers of stones of the games.
    #[must_use]
    pub const fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// The rings.
    #[must_use]
    pub const fn rings(&self) -> &RingCounts {
        &self.rings
    }
}
