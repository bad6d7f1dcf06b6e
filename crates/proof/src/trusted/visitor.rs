//! [`ProofAction`] and [`ProofVisitor`]: the content of a proof, for programs that collect it while it is verified.

use stonework_game::Game;

use super::{Goal, ProofFault};

/// The part of a strategy that belongs to one position. In this documentation the *side* is the side that follows the
/// strategy: see [`Goal::side`].
///
/// `L` is the type of the moves of a line: a box in memory, a slice while a proof is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofAction<M, L = Box<[M]>> {
    /// The opponent is to move, and the strategy continues after every move.
    All,
    /// The side is to move, and plays this move.
    Move(M),
    /// A line of threats: the side makes these moves, and each answer of the opponent is forced. If the side is to
    /// move, the line wins. If the opponent is to move, the line wins after some moves, and the strategy continues
    /// after all other moves.
    Line(L),
    /// The goal is that a player does not win, and that player can no longer win.
    Never,
}

impl<M, L: AsRef<[M]>> ProofAction<M, L> {
    /// The move, or the moves of the line; empty for an action without moves.
    pub fn moves(&self) -> &[M] {
        match self {
            Self::All | Self::Never => &[],
            Self::Move(mv) => std::slice::from_ref(mv),
            Self::Line(line) => line.as_ref(),
        }
    }
}

/// A receiver of the content of a proof while the proof is verified: strategy after strategy, and in each strategy the
/// positions with a record of their own, depth first. Each position is entered and later left, with all positions below
/// it in between.
///
/// The claims are proven only at the end of the verification. The goal is proven earlier for each position that was
/// left, even if a later part of the file is refused. [`verify_with`](super::verify_with) calls the visitor. `()` ignores all calls.
pub trait ProofVisitor<G: Game> {
    /// Receives the beginning of a strategy.
    fn strategy(&mut self, goal: Goal);

    /// Receives a position that is entered, with the action of the strategy.
    ///
    /// # Errors
    /// A fault that ends the verification, such as [`ProofFault::TooLarge`].
    fn enter(&mut self, game: &G, action: ProofAction<G::Move, &[G::Move]>) -> Result<(), ProofFault>;

    /// Receives the end of the position that was entered last and is not left yet: the position has been verified. The
    /// goal is reached within `plies` plies.
    fn leave(&mut self, game: &G, plies: u32);
}

impl<G: Game> ProofVisitor<G> for () {
    fn strategy(&mut self, _: Goal) {}

    fn enter(&mut self, _: &G, _: ProofAction<G::Move, &[G::Move]>) -> Result<(), ProofFault> {
        Ok(())
    }

    fn leave(&mut self, _: &G, _: u32) {}
}
