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
    /// The searches before the moves after the opening, in their order; empty if none are known.
    pub searches: Vec<SearchedMoves<G::Move>>,
}

/// A search of a position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedMoves<M> {
    /// The mean result for the side to move, 0 to 1.
    pub value: Option<f32>,
    /// Moves with their visits.
    pub visits: Vec<(M, u64)>,
}

/// The positions of a game that values are learned from, and their targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueTargets {
    /// Every `every`-th position after the opening; at least 1. Successive positions differ little: every second or third is
    /// nearly as good as all.
    pub every: usize,
    /// The part of the search's value in the target, 0 to 1; the rest is the result of the game. A position without a value
    /// has the result alone.
    pub search: f32,
}

impl Default for ValueTargets {
    /// Every position, and results alone.
    fn default() -> Self {
        Self { every: 1, search: 0.0 }
    }
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

/// The targets of moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveTargets {
    /// The power of visits: the target of a move is proportional to its visits to this power. A search of few simulations tries
    /// many moves; 2 says more clearly which it prefers.
    pub power: f32,
}

impl Default for MoveTargets {
    /// Shares of visits as they are.
    fn default() -> Self {
        Self { power: 1.0 }
    }
}

impl<G: Game> GameMoves<G> {
    /// Calls `each` with every position before a move that somebody chose, and with that move.
    pub(crate) fn positions(
        &self,
        mut each: impl FnMut(&G, G::Move, usize),
    ) -> Result<(), IllegalAt<G::Illegal>> {
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

    /// Adds positions after the opening to the samples, with targets as `targets` says.
    ///
    /// # Errors
    /// An error for an illegal move; the samples then have the positions before it.
    pub fn add_values(
        &self,
        features: &mut impl PositionFeatures<G>,
        targets: ValueTargets,
        samples: &mut ValueSamples,
    ) -> Result<(), IllegalAt<G::Illegal>> {
        let (mut own, mut enemy) = (Vec::new(), Vec::new());
        self.positions(|game, _, at| {
            if at % targets.every.max(1) != 0 {
                return;
            }
            let me = game.to_move();
            for (side, list) in [(me, &mut own), (me.other(), &mut enemy)] {
                list.clear();
                features.features(game, side, list);
            }
            let result = result(self.outcome, me);
            let value = self.searches.get(at).and_then(|search| search.value).unwrap_or(result);
            let part = targets.search.clamp(0.0, 1.0);
            samples.push(&own, &enemy, (1.0 - part) * result + part * value.clamp(0.0, 1.0));
        })
    }

    /// Adds the positions after the opening to the samples, unless `forced` says that the position leaves no choice worth
    /// learning. The target is the share of each move in the visits of the search, as `targets` says; without a search, the move that
    /// was played.
    /// A position whose search has visited a single move is left out.
    ///
    /// # Errors
    /// An error for an illegal move; the samples then have the positions before it.
    pub fn add_moves(
        &self,
        features: &mut impl MoveFeatures<G>,
        forced: impl Fn(&G) -> bool,
        targets: MoveTargets,
        samples: &mut MoveSamples,
    ) -> Result<(), IllegalAt<G::Illegal>> {
        let (mut moves, mut list, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        self.positions(|game, played, at| {
            let search = self.searches.get(at);
            if search.is_some_and(|search| search.visits.len() < 2) || forced(game) {
                return;
            }
            moves.clear();
            game.legal_moves(&mut moves);
            shares.clear();
            let only = [(played, 1)];
            let visits = search.map_or(&only[..], |search| &search.visits);
            let most = visits.iter().map(|(_, visits)| *visits).max().unwrap_or(0).max(1) as f32;
            for &(mv, visits) in visits {
                let place = moves.iter().position(|&legal| legal == mv);
                shares.extend(place.map(|place| (place, (visits as f32 / most).powf(targets.power))));
            }
            // Moves without visits say nothing. Of the visits, a high power may leave nothing either.
            if shares.iter().all(|&(_, share)| share <= 0.0) {
                return;
            }
            for &mv in &moves {
                list.clear();
                features.features(game, mv, &mut list);
                samples.push_move(&list);
            }
            samples.close(&shares);
        })
    }
}

/// The result of an outcome for a player: 0 for a loss, ½ for a draw, 1 for a win.
pub(crate) fn result(outcome: Outcome, player: Player) -> f32 {
    f32::midpoint(outcome.value_for(player) as f32, 1.0)
}
