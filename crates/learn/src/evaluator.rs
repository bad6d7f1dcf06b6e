//! [`NetEvaluator`] and [`LearnedPriors`]: learned values and priors as strategies of engines, for any game with features.

use std::sync::Arc;

use stonework_game::Game;
use stonework_search::{Evaluator, Priors, WIN};

use crate::{MoveFeatures, MoveWeights, PositionFeatures, ValueNet};

/// An [`Evaluator`] that sums the rows of all features of a position at each call. A game's own evaluator that keeps the sums
/// from move to move is faster, and has to give the same values.
#[derive(Clone, Debug)]
pub struct NetEvaluator<F> {
    features: F,
    net: Arc<ValueNet>,
    list: Vec<u32>,
}

impl<F> NetEvaluator<F> {
    /// An evaluator by a network.
    ///
    /// # Errors
    /// If the network has another number of rows than the features.
    pub fn new<G: Game>(features: F, net: Arc<ValueNet>) -> Result<Self, WrongCount>
    where
        F: PositionFeatures<G>,
    {
        WrongCount::check(net.rows(), features.rows())?;
        Ok(Self { features, net, list: Vec::new() })
    }
}

/// Learned numbers that do not belong to the features.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{found} learned rows or weights for {needed} features")]
pub struct WrongCount {
    /// The number of rows or weights.
    pub found: usize,
    /// The number of features.
    pub needed: usize,
}

impl WrongCount {
    /// Refuses numbers that differ.
    ///
    /// # Errors
    /// If `found` is not `needed`.
    pub const fn check(found: usize, needed: usize) -> Result<(), Self> {
        if found == needed { Ok(()) } else { Err(Self { found, needed }) }
    }
}

/// The value of a network, −1 to 1, in the units of an [`Evaluator`]: ±`WIN` / 2 at most.
#[must_use]
pub fn evaluator_value(value: f32) -> i32 {
    (value * (WIN / 2) as f32) as i32
}

impl<G: Game, F: PositionFeatures<G>> Evaluator<G> for NetEvaluator<F> {
    fn evaluate(&mut self, game: &G) -> i32 {
        let me = game.to_move();
        let sums = [me, me.other()].map(|side| {
            self.list.clear();
            self.features.features(game, side, &mut self.list);
            self.net.sum(&self.list)
        });
        evaluator_value(self.net.value(&sums[0], &sums[1]))
    }
}

/// [`Priors`] from learned weights of moves: the chance that a strong player plays the move, in the scale of
/// [`prior_of_chance`].
#[derive(Clone, Debug)]
pub struct LearnedPriors<F> {
    features: F,
    weights: Arc<MoveWeights>,
    list: Vec<u32>,
}

impl<F> LearnedPriors<F> {
    /// Priors by weights.
    ///
    /// # Errors
    /// If the number of weights is not that of the features.
    pub fn new<G: Game>(features: F, weights: Arc<MoveWeights>) -> Result<Self, WrongCount>
    where
        F: MoveFeatures<G>,
    {
        WrongCount::check(weights.len(), features.weights())?;
        Ok(Self { features, weights, list: Vec::new() })
    }
}

impl<G: Game, F: MoveFeatures<G>> Priors<G> for LearnedPriors<F> {
    fn priors(&mut self, game: &G, moves: &[G::Move], out: &mut Vec<f32>) {
        let start = out.len();
        for &mv in moves {
            self.list.clear();
            self.features.features(game, mv, &mut self.list);
            out.push(self.weights.score(&self.list));
        }
        priors_of_scores(&mut out[start..]);
    }
}

/// Turns scores into priors, in place: each score s into the chance exp(s) / Σ exp(s) of its move, and the chance into a prior
/// by [`prior_of_chance`].
pub fn priors_of_scores(scores: &mut [f32]) {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - highest).exp();
        sum += *score;
    }
    let scale = if sum > 0.0 { 1.0 / sum } else { 0.0 };
    for score in scores {
        *score = prior_of_chance(*score * scale);
    }
}

/// The prior of a move that is played with this chance: the square root, so that a move with a chance of 4 % still gets a fifth
/// of a sure move's prior.
#[must_use]
pub fn prior_of_chance(chance: f32) -> f32 {
    chance.max(0.0).sqrt()
}
