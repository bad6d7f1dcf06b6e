//! [`Learnable`]: the games whose values and priors the command learns.

use stonework_game::{Game, Player};
use stonework_havannah_players::HavannahPlanes;
use stonework_learn::{
    GameMoves, LatticePlanes, LatticeSamples, MoveFeatures, MoveTargets, PositionFeatures, ValueTargets,
};
use stonework_session::Described;

use crate::failure::Failure;

/// A game with features.
pub(super) trait Learnable: Described {
    /// The features of positions.
    type Positions: PositionFeatures<Self> + Default;
    /// The features of moves.
    type Moves: MoveFeatures<Self> + Default;

    /// The features of moves; the wide ones, if the game has two kinds.
    fn move_features(_wide: bool) -> Self::Moves {
        Self::Moves::default()
    }

    /// The number of planes; of the wide ones, if the game has two kinds. 0 if the game has none.
    fn planes(_wide: bool) -> usize {
        0
    }

    /// Positions of the games as marks in the planes.
    fn on_lattice(
        _games: &[GameMoves<Self>],
        _wide: bool,
        _targets: (ValueTargets, MoveTargets),
    ) -> Result<LatticeSamples, Failure> {
        Ok(LatticeSamples::new())
    }

    /// `true` if the position leaves no choice worth learning, since a side can win at once.
    fn is_forced(&self) -> bool;
}

impl Learnable for stonework_havannah::Position {
    type Positions = stonework_havannah_players::HavannahFeatures;
    type Moves = stonework_havannah_players::HavannahMoves;

    fn planes(wide: bool) -> usize {
        planes(wide).planes()
    }

    fn on_lattice(
        games: &[GameMoves<Self>],
        wide: bool,
        (values, moves): (ValueTargets, MoveTargets),
    ) -> Result<LatticeSamples, Failure> {
        let (mut planes, mut samples) = (planes(wide), LatticeSamples::new());
        for game in games {
            samples.add(game, &mut planes, values, moves).map_err(Failure::input)?;
        }
        Ok(samples)
    }

    fn move_features(wide: bool) -> Self::Moves {
        if wide { Self::Moves::wide() } else { Self::Moves::new() }
    }

    fn is_forced(&self) -> bool {
        Player::BOTH.into_iter().any(|side| self.winning_count(side) > 0)
    }
}

const fn planes(wide: bool) -> HavannahPlanes {
    if wide { HavannahPlanes::wide() } else { HavannahPlanes::new() }
}

impl Learnable for stonework_cachex::Position {
    type Positions = stonework_cachex_players::CachexFeatures;
    type Moves = stonework_cachex_players::CachexMoves;

    fn is_forced(&self) -> bool {
        Player::BOTH.into_iter().any(|side| !self.winning_cells(side).is_empty())
    }
}

impl Learnable for stonework_cover::Position {
    type Positions = stonework_cover_players::CoverFeatures;
    type Moves = stonework_cover_players::CoverMoves;

    fn is_forced(&self) -> bool {
        self.moves().len() < 2
    }
}
