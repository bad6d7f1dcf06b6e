//! [`GameMoves`]: games that were played, as samples.

use stonework_game::{Game, Outcome, Player};

use crate::{MoveFeatures, MoveSamples, PositionFeatures, ValueSamples};

/// A game that was played.
#[derive(Clone, Debug)]
pub struct GameMoves<G: Game> {
    /// The position before the first move.
    pub start: G,
    /// The moves.
    pub moves: Vec<G::Move>,
    /// The number of moves at the beginning that nobody chose, such as random openings.
    pub opening: usize,
    /// The outcome.
    pub outcome: Outcome,
}

/// An illegal move of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {ply} is illegal: {illegal}")]
pub struct IllegalAt<E> {
    /// The number of the move, from 1.
    pub ply: usize,
    /// The reason.
    pub illegal: E,
}

impl<G: Game> GameMoves<G> {
    /// Calls `each` with every position before a move that somebody chose, and with that move.
    fn positions(&self, mut each: impl FnMut(&G, G::Move, usize)) -> Result<(), IllegalAt<G::Illegal>> {
        let mut game = self.start.clone();
        for (at, &mv) in self.moves.iter().enumerate() {
            game.check(mv).map_err(|illegal| IllegalAt { ply: at + 1, illegal })?;
            if at >= self.opening {
                each(&game, mv, at - self.opening);
            }
            game.play_unchecked(mv);
        }
        Ok(())
    }

    /// Adds every `step`-th position after the opening to the samples, with the outcome as the result. Successive positions
    /// differ little: every second or third is nearly as good as all.
    ///
    /// # Errors
    /// An error for an illegal move; the samples then have the positions before it.
    pub fn add_values(
        &self,
        features: &mut impl PositionFeatures<G>,
        step: usize,
        samples: &mut ValueSamples,
    ) -> Result<(), IllegalAt<G::Illegal>> {
        let (mut own, mut enemy) = (Vec::new(), Vec::new());
        self.positions(|game, _, at| {
            if at % step.max(1) != 0 {
                return;
            }
            let me = game.to_move();
            for (side, list) in [(me, &mut own), (me.other(), &mut enemy)] {
                list.clear();
                features.features(game, side, list);
            }
            samples.push(&own, &enemy, result(self.outcome, me));
        })
    }

    /// Adds the positions after the opening to the samples, with the move that was played, unless `forced` says that the
    /// position leaves no choice worth learning.
    ///
    /// # Errors
    /// An error for an illegal move; the samples then have the positions before it.
    pub fn add_moves(
        &self,
        features: &mut impl MoveFeatures<G>,
        forced: impl Fn(&G) -> bool,
        samples: &mut MoveSamples,
    ) -> Result<(), IllegalAt<G::Illegal>> {
        let (mut moves, mut list) = (Vec::new(), Vec::new());
        self.positions(|game, played, _| {
            if forced(game) {
                return;
            }
            moves.clear();
            game.legal_moves(&mut moves);
            let Some(at) = moves.iter().position(|&mv| mv == played) else { return };
            for &mv in &moves {
                list.clear();
                features.features(game, mv, &mut list);
                samples.push_move(&list);
            }
            samples.close(at);
        })
    }
}

/// The result of an outcome for a player: 0 for a loss, ½ for a draw, 1 for a win.
fn result(outcome: Outcome, player: Player) -> f32 {
    f32::midpoint(outcome.value_for(player) as f32, 1.0)
}
