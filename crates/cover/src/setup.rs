//! [`Setup`]: any stones, which become a position if they are valid.

use stonework_board::{Cell, CellSet};
use stonework_game::{ByPlayer, Game, Player};

use crate::history::Recent;
use crate::position::initial;
use crate::rules::{colour, name};
use crate::tables::{Tables, home};
use crate::{IllegalMove, MAX_SIZE, MIN_SIZE, Move, Options, Position, Repetition};

/// Stones, side to move, rules and history, not yet checked.
///
/// Any stones that do not overlap can become a position, up to X of either side on the board of size X; a side may even have won.
/// A stone on its own homebase is refused, as no move leads there; only Cover-1 begins with such stones.
///
/// ```
/// use stonework_cover::Setup;
/// use stonework_game::{Game, Outcome, Player};
/// let position = Setup::from_board(4, "[A11]x[B10]")?.position()?;
/// assert_eq!(position.outcome(), Some(Outcome::Win(Player::Second)), "blue is shut in");
/// let error = Setup::from_board(4, "[H10]x[I10]")?.position().unwrap_err();
/// assert_eq!(error.to_string(), "stones on H10 and I10 overlap");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// The size X, 1 to 10.
    pub size: u8,
    /// The stones of each side.
    pub stones: ByPlayer<CellSet>,
    /// The side to move.
    pub to_move: Player,
    /// The rules of the game.
    pub options: Options,
    /// The last moves, the oldest first: at most as many as the rule of repetition depends on – none, three, seven, or any
    /// number – and none before the last capture, except under the rule by moves. No move of the history has a shot.
    pub history: Vec<Move>,
}

/// The reason why a [`Setup`] is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The size has no board.
    #[error("no Cover-{size}: sizes are {MIN_SIZE} to {MAX_SIZE}")]
    Size {
        /// The size.
        size: u8,
    },
    /// A stone lies outside the board.
    #[error("location {} is not on a board of size {size}", cell.index())]
    OffBoard {
        /// The location.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// Two stones share an intersection.
    #[error("stones on {} and {} overlap", name(*size, *cell), name(*size, *other))]
    Overlap {
        /// One location.
        cell: Cell,
        /// The other location.
        other: Cell,
        /// The size of the board.
        size: u8,
    },
    /// A stone lies on its own homebase.
    #[error("{} is the homebase of {}, whose stones cannot go there", name(*size, *cell), colour(*player))]
    OwnHome {
        /// The side whose homebase it is.
        player: Player,
        /// The homebase.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// A side has more stones than it begins with.
    #[error("{count} stones of {}: Cover-{size} has at most {size}", colour(*player))]
    TooMany {
        /// The side that has the stones.
        player: Player,
        /// The number of stones.
        count: usize,
        /// The size of the board.
        size: u8,
    },
    /// Neither side has a stone.
    #[error("there is no stone on the board")]
    NoStones,
    /// The history has more moves than the rule of repetition looks back.
    #[error("a history of {count} moves: with repetition `{repetition}` at most {most} count")]
    LongHistory {
        /// The number of moves.
        count: usize,
        /// The largest number of moves.
        most: usize,
        /// The rule.
        repetition: Repetition,
    },
    /// A move of the history leads to no stone of the side that has made it.
    #[error("move {number} of the history does not lead to a stone of {}", colour(*player))]
    NoTrace {
        /// The number of the move, from 1.
        number: usize,
        /// The side that made the move.
        player: Player,
    },
    /// The rule of repetition does not depend on the last two moves alone.
    #[error("repetition `{repetition}` does not depend on the last two moves alone")]
    Recent {
        /// The rule.
        repetition: Repetition,
    },
    /// `returned` is set, but one of the last two moves is missing.
    #[error("the last move took one back, but the last two moves are not both given")]
    Returned,
    /// The last move of the side to move is given without the later move of its opponent.
    #[error("the last move of the side to move is given, but not its opponent's move after it")]
    Alone,
    /// The board before the history is invalid.
    #[error("before the history: {0}")]
    Before(Box<SetupError>),
    /// The board between two moves of the history is invalid.
    #[error("before move {number} of the history: {error}")]
    Between {
        /// The number of the later move, from 1.
        number: usize,
        /// The fault of the board.
        error: Box<SetupError>,
    },
    /// A move of the history was not legal.
    #[error("move {number} of the history: {illegal}")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The rule that the move breaks.
        illegal: IllegalMove,
    },
    /// A move of the history has captured a stone, so that earlier moves do not count.
    #[error("move {number} of the history shoots {}: only moves after a capture count", name(*size, *hit))]
    Capture {
        /// The number of the move, from 1.
        number: usize,
        /// The stone that the move hits.
        hit: Cell,
        /// The size of the board.
        size: u8,
    },
}

impl Setup {
    /// The empty board of a size with blue to move and the default rules. [`position`](Setup::position) checks the size.
    #[must_use]
    pub fn new(size: u8) -> Self {
        let stones = ByPlayer::new(CellSet::new(), CellSet::new());
        Self { size, stones, to_move: Player::First, options: Options::default(), history: Vec::new() }
    }

    /// The position with these stones. O(stones), and O(1) for each move of the history (O(moves) under the rule `Any`).
    ///
    /// # Errors
    /// An error for a setup that is no position: see [`SetupError`].
    pub fn position(&self) -> Result<Position, SetupError> {
        if self.history.is_empty() {
            return self.without_history(&self.stones, self.to_move, Recent::default());
        }
        let tables = Tables::of(self.size)?;
        let (repetition, count) = (self.options.repetition, self.history.len());
        let most = match repetition {
            Repetition::None => 0,
            Repetition::FourPlies | Repetition::FourPliesByMoves => 3,
            Repetition::EightPlies => 7,
            Repetition::Any => usize::MAX,
        };
        if count > most {
            return Err(SetupError::LongHistory { count, most, repetition });
        }
        let (mut stones, mut player) = (self.stones, self.to_move);
        for (i, mv) in self.history.iter().enumerate().rev() {
            player = player.other();
            let on = tables.lattice.contains(mv.from);
            let to = if on { tables.target(*mv) } else { None };
            if !to.is_some_and(|to| stones[player].remove(to)) {
                return Err(SetupError::NoTrace { number: i + 1, player });
            }
            stones[player].insert(mv.from);
            if repetition == Repetition::FourPliesByMoves && i > 0 {
                // Later positions have only the last moves: the remaining stones must be a valid board between the
                // moves.
                let between = self.without_history(&stones, player, Recent::default());
                between.map_err(|error| SetupError::Between { number: i + 1, error: Box::new(error) })?;
            }
        }
        let before = self.without_history(&stones, player, Recent::default());
        let before = before.map_err(|error| SetupError::Before(Box::new(error)))?;
        if repetition != Repetition::FourPliesByMoves {
            return self.replay(before);
        }
        // The stones that were shot on the way are unknown, so the moves cannot be replayed.
        let past = |back: usize| count.checked_sub(back).map(|i| self.history[i]);
        let (mine, theirs) = (past(2), past(1));
        let returned = past(3).zip(theirs).is_some_and(|(first, second)| tables.returns(first, second));
        self.without_history(&self.stones, self.to_move, Recent { mine, theirs, returned })
    }

    /// Plays the history again from the board before it.
    fn replay(&self, mut position: Position) -> Result<Position, SetupError> {
        for (i, &mv) in self.history.iter().enumerate() {
            let number = i + 1;
            // A stone that the move would hit is still on the board, so the move has held its fire.
            let may_hold = self.options.voluntary_shots && position.hit(mv.firing()).is_some();
            let mv = if may_hold { mv.holding() } else { mv.firing() };
            let undo = position.play(mv).map_err(|illegal| SetupError::Illegal { number, illegal })?;
            if let Some(hit) = undo.hit() {
                return Err(SetupError::Capture { number, hit, size: self.size });
            }
        }
        Ok(position)
    }

    fn without_history(
        &self,
        stones: &ByPlayer<CellSet>,
        to_move: Player,
        recent: Recent,
    ) -> Result<Position, SetupError> {
        let stones = ByPlayer::new(stones.first.iter(), stones.second.iter());
        assemble(self.size, self.options, &stones, to_move, recent)
    }
}

/// Puts stones on an empty board and checks them, but not the last moves.
fn assemble(
    size: u8,
    options: Options,
    stones: &ByPlayer<impl Iterator<Item = Cell> + Clone>,
    to_move: Player,
    recent: Recent,
) -> Result<Position, SetupError> {
    let mut position = Position::empty(size, options)?;
    let lattice = position.lattice();
    for (player, cells) in stones.iter() {
        if let Some(cell) = cells.clone().find(|&cell| !lattice.contains(cell)) {
            return Err(SetupError::OffBoard { cell, size });
        }
        let count = cells.clone().count();
        if count > usize::from(size) {
            return Err(SetupError::TooMany { player, count, size });
        }
        for cell in cells.clone() {
            let own = cell == lattice.homebase(home(player));
            if own && !initial(lattice, player).any(|first| first == cell) {
                return Err(SetupError::OwnHome { player, cell, size });
            }
            let ends = lattice.intersections(cell);
            if let Some((other, _)) = ends.into_iter().find_map(|end| position.covering(end)) {
                return Err(SetupError::Overlap { cell: other, other: cell, size });
            }
            position.put(player, cell);
        }
    }
    if Player::BOTH.iter().all(|&player| position.stone_count(player) == 0) {
        return Err(SetupError::NoStones);
    }
    position.conclude(to_move, recent);
    Ok(position)
}

impl Position {
    /// The position with these stones and last moves, without replaying the moves as a [`Setup`] does: the quick way for tables of
    /// positions. O(stones).
    ///
    /// The moves of `recent` must lead to stones on the board. Their legality is not checked, so the position may be a
    /// position that no game reaches.
    ///
    /// # Errors
    /// The errors of [`SetupError`].
    ///
    /// ```
    /// use stonework_board::{Diagonal, Heading};
    /// use stonework_cover::{Move, Options, Position, Recent};
    /// use stonework_game::{ByPlayer, Game, Textual, Player};
    /// let lattice = Diagonal::of(4)?;
    /// let cell = |name| lattice.parse(name).unwrap();
    /// let (blue, red) = ([cell("C02")], [cell("A04")]);
    /// let stones = ByPlayer::new(&blue[..], &red[..]);
    /// let recent = |from| Recent {
    ///     mine: Some(Move::new(cell(from), Heading::Down)),
    ///     theirs: Some(Move::new(cell("D03"), Heading::Down)),
    ///     returned: true,
    /// };
    /// let made = |from| Position::with_recent(4, Options::default(), stones, Player::Second, recent(from));
    /// assert_eq!(made("B05")?.position_text(), "4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02");
    /// let error = made("B06").unwrap_err();
    /// assert_eq!(error.to_string(), "move 1 of the history does not lead to a stone of red");
    /// let alone = Recent { theirs: None, returned: false, ..recent("B05") };
    /// let error = Position::with_recent(4, Options::default(), stones, Player::Second, alone).unwrap_err();
    /// assert_eq!(error.to_string(), "the last move of the side to move is given, but not its opponent's move after it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_recent(
        size: u8,
        options: Options,
        stones: ByPlayer<&[Cell]>,
        to_move: Player,
        recent: Recent,
    ) -> Result<Self, SetupError> {
        let repetition = options.repetition;
        let counts = matches!(repetition, Repetition::FourPlies | Repetition::FourPliesByMoves);
        if !counts && recent != Recent::default() {
            return Err(SetupError::Recent { repetition });
        }
        if recent.returned && (recent.mine.is_none() || recent.theirs.is_none()) {
            return Err(SetupError::Returned);
        }
        if recent.mine.is_some() && recent.theirs.is_none() {
            return Err(SetupError::Alone);
        }
        let stones = ByPlayer::new(stones.first.iter().copied(), stones.second.iter().copied());
        let position = assemble(size, options, &stones, to_move, recent)?;
        for (number, player, mv) in [(1, to_move, recent.mine), (2, to_move.other(), recent.theirs)] {
            let Some(mv) = mv else { continue };
            let to = position.target(mv);
            if to.is_none_or(|to| position.stone(to) != Some(player)) {
                return Err(SetupError::NoTrace { number, player });
            }
        }
        Ok(position)
    }

    /// The setup of this position.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            size: self.size(),
            stones: ByPlayer::new(self.cells(Player::First), self.cells(Player::Second)),
            to_move: self.to_move(),
            options: self.options(),
            history: self.history(),
        }
    }
}
