//! [`Learnable`]: the games whose values and priors the command learns.

use stonework_game::{Game, Player, Textual};
use stonework_learn::{MoveFeatures, PositionFeatures};
use stonework_session::Described;

/// A game with features.
pub(super) trait Learnable: Game + Textual {
    /// The features of positions.
    type Positions: PositionFeatures<Self> + Default;
    /// The features of moves.
    type Moves: MoveFeatures<Self> + Default;
    /// The name of the game in files of games.
    const NAME: &'static str;

    /// The first position of a game of a size, with or without the right to swap.
    fn start(size: u8, swap: bool) -> Result<Self, String>;

    /// The size of the board.
    fn board_size(&self) -> u8;

    /// The features of moves; the wide ones, if the game has two kinds.
    fn move_features(_wide: bool) -> Self::Moves {
        Self::Moves::default()
    }

    /// `true` if the position leaves no choice worth learning, since a side can win at once.
    fn is_forced(&self) -> bool;
}

impl Learnable for stonework_havannah::Position {
    type Positions = stonework_havannah_players::HavannahFeatures;
    type Moves = stonework_havannah_players::HavannahMoves;
    const NAME: &'static str = Self::DESCRIPTION.name;

    fn start(size: u8, swap: bool) -> Result<Self, String> {
        let start = if swap { Self::with_swap(size) } else { Self::new(size) };
        start.map_err(|error| error.to_string())
    }

    fn board_size(&self) -> u8 {
        self.size()
    }

    fn move_features(wide: bool) -> Self::Moves {
        if wide { Self::Moves::wide() } else { Self::Moves::new() }
    }

    fn is_forced(&self) -> bool {
        Player::BOTH.into_iter().any(|side| self.winning_count(side) > 0)
    }
}

impl Learnable for stonework_cachex::Position {
    type Positions = stonework_cachex_players::CachexFeatures;
    type Moves = stonework_cachex_players::CachexMoves;
    const NAME: &'static str = Self::DESCRIPTION.name;

    fn start(size: u8, _: bool) -> Result<Self, String> {
        Self::new(size).map_err(|error| error.to_string())
    }

    fn board_size(&self) -> u8 {
        self.size()
    }

    fn is_forced(&self) -> bool {
        Player::BOTH.into_iter().any(|side| !self.winning_cells(side).is_empty())
    }
}

impl Learnable for stonework_cover::Position {
    type Positions = stonework_cover_players::CoverFeatures;
    type Moves = stonework_cover_players::CoverMoves;
    const NAME: &'static str = Self::DESCRIPTION.name;

    fn start(size: u8, _: bool) -> Result<Self, String> {
        Self::new(size).map_err(|error| error.to_string())
    }

    fn board_size(&self) -> u8 {
        self.size()
    }

    fn is_forced(&self) -> bool {
        self.moves().len() < 2
    }
}
