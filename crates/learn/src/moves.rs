//! [`MoveWeights`] and their training: the chance of a move by its features.

use std::convert::Infallible;
use std::ops::Range;

use crate::MoveSamples;
use crate::run::{Learner, Moment, Numbers, Run};
use crate::train::Options;

/// A weight for each feature of moves. The score of a move is the sum of its weights, and the chance of a move is
/// exp(score) / Σ exp(scores) over the legal moves (softmax regression, also known as the conditional logit of Luce and
/// `McFadden`; for moves: *Stern, Herbrich and Graepel 2006; Coulom 2007*).
#[derive(Clone, PartialEq, Debug)]
pub struct MoveWeights(pub(crate) Vec<f32>);

/// The prediction of moves by weights.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Prediction {
    /// The number of positions.
    pub positions: usize,
    /// The share of positions in which the played move, or else the most visited one, has the highest score.
    pub first: f64,
    /// The share of positions in which that move is among the five moves with the highest scores.
    pub five: f64,
    /// The mean of −ln(chance of the move), weighted by the shares that were to be learned.
    pub loss: f64,
}

impl MoveWeights {
    /// Weights of 0.
    #[must_use]
    pub fn zero(count: usize) -> Self {
        Self(vec![0.0; count])
    }

    /// The number of weights.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// `true` without weights.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The weight of a feature; 0 for a feature without a weight.
    #[must_use]
    #[inline]
    pub fn weight(&self, feature: u32) -> f32 {
        self.0.get(feature as usize).copied().unwrap_or(0.0)
    }

    /// The score of a move by its features.
    #[must_use]
    pub fn score(&self, features: &[u32]) -> f32 {
        features.iter().map(|&feature| self.weight(feature)).sum()
    }

    /// The quality of the weights as a prediction of the moves of some positions. Moves with equal scores share their places: half of the equal
    /// moves count as better than the played one.
    #[must_use]
    pub fn prediction(&self, samples: &MoveSamples, positions: std::ops::Range<usize>) -> Prediction {
        let mut told = Prediction { positions: positions.len(), ..Prediction::default() };
        let mut scores = Vec::new();
        for index in positions {
            let (moves, targets) = samples.get(index);
            scores.clear();
            scores.extend(moves.map(|features| self.score(features)));
            let Some(&(played, _)) = targets.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
            let own = scores[played as usize];
            let better = scores.iter().filter(|&&score| score > own).count();
            let equal = scores.iter().filter(|&&score| score >= own).count() - better - 1;
            let place = better + equal / 2;
            told.first += f64::from(u8::from(place < 1));
            told.five += f64::from(u8::from(place < 5));
            let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = scores.iter().map(|score| (score - highest).exp()).sum();
            let log = |&(place, share): &(u32, f32)| share * (sum.ln() + highest - scores[place as usize]);
            told.loss += f64::from(targets.iter().map(log).sum::<f32>());
        }
        let count = (told.positions as f64).max(1.0);
        Prediction { first: told.first / count, five: told.five / count, loss: told.loss / count, ..told }
    }
}

/// Weights in training.
pub(crate) struct WeightTrainer {
    weights: MoveWeights,
    /// For each weight, the sum of the squares of its gradients so far, for the length of its steps.
    squares: Vec<f32>,
    step: f32,
    /// Memory for the scores of the moves of a position.
    scores: Vec<f32>,
}

impl WeightTrainer {
    /// Weights of 0.
    pub(crate) fn new(count: usize) -> Self {
        Self { weights: MoveWeights::zero(count), squares: vec![1e-3; count], step: 0.0, scores: Vec::new() }
    }
}

impl Learner for WeightTrainer {
    type Samples = MoveSamples;
    type Model = MoveWeights;
    type Told = Prediction;

    fn len(samples: &MoveSamples) -> usize {
        samples.len()
    }

    fn digest(samples: &MoveSamples) -> u64 {
        samples.digest()
    }

    fn learns(&self) -> String {
        format!("priors {}", self.weights.len())
    }

    fn begin(&mut self, options: &Options, _: u32) {
        self.step = options.step;
    }

    fn learn(&mut self, samples: &MoveSamples, index: usize) {
        let Self { weights, squares, step, scores } = self;
        let (moves, targets) = samples.get(index);
        scores.clear();
        scores.extend(moves.map(|features| weights.score(features)));
        let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for score in &mut *scores {
            *score = (*score - highest).exp();
            sum += *score;
        }
        for score in &mut *scores {
            *score /= sum;
        }
        for &(place, share) in targets {
            scores[place as usize] -= share;
        }
        let (moves, _) = samples.get(index);
        for (&gradient, features) in scores.iter().zip(moves) {
            if gradient.abs() < 1e-4 {
                continue;
            }
            for &feature in features {
                let at = feature as usize;
                squares[at] += gradient * gradient;
                weights.0[at] -= *step * gradient / squares[at].sqrt();
            }
        }
    }

    fn model(&self) -> MoveWeights {
        self.weights.clone()
    }

    fn judge(weights: &MoveWeights, samples: &MoveSamples, held_out: Range<usize>) -> (Prediction, f64) {
        let told = weights.prediction(samples, held_out);
        (told, told.loss)
    }

    fn visit<N: Numbers>(&mut self, numbers: &mut N) -> Result<(), N::Error> {
        numbers.floats(&mut self.weights.0)?;
        numbers.squares(&mut self.squares)
    }

    fn visit_model<N: Numbers>(weights: &mut MoveWeights, numbers: &mut N) -> Result<(), N::Error> {
        numbers.floats(&mut weights.0)
    }
}

/// Weights learned from the first part of the samples; after each epoch `watch` gets the epoch and the prediction of the
/// last part, [`Options::held_out`] of all. The weights of the epoch with the least loss are returned. The result
/// follows from the samples, the options and the seed. Time: O(epochs · features of all moves).
///
/// Gradient steps with a length for each weight (*Duchi, Hazan and Singer 2011*).
pub fn train_moves(
    count: usize,
    samples: &MoveSamples,
    options: &Options,
    watch: &mut dyn FnMut(u32, &Prediction),
) -> MoveWeights {
    let run = Run::new(samples, options, |_| WeightTrainer::new(count));
    let Ok(weights) = run.finish(samples, options, |_, moment| {
        if let Moment::Epoch(epoch, told) = moment {
            watch(epoch, &told);
        }
        Ok::<(), Infallible>(())
    });
    weights
}
