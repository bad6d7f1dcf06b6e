//! [`PositionFeatures`] and [`MoveFeatures`]: a game's features as numbers of rows.

use stonework_game::{Game, Player};

/// The features of a position, each the number of a row of a [`ValueNet`](crate::ValueNet). Each side has features of its own:
/// the position as that side sees it, with *own* and *enemy* stones, so that one network serves both sides.
pub trait PositionFeatures<G: Game>: Send {
    /// The number of rows: features are below it.
    fn rows(&self) -> usize;

    /// Appends the features of a position as `side` sees it. A feature that occurs several times counts several times. The
    /// order means nothing. Images of a position under a symmetry of the game have the same features, if the game's author
    /// wants the network to know the symmetry.
    fn features(&mut self, game: &G, side: Player, out: &mut Vec<u32>);
}

/// The features of a move, each the number of a weight of [`MoveWeights`](crate::MoveWeights).
pub trait MoveFeatures<G: Game>: Send {
    /// The number of weights: features are below it.
    fn weights(&self) -> usize;

    /// Appends the features of a legal move of the side to move.
    fn features(&mut self, game: &G, mv: G::Move, out: &mut Vec<u32>);
}
