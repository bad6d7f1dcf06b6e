//! [`Spsa`]: simultaneous perturbation.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Curve, Dimension, Trial, Tuner, fit};
use crate::seeds;

/// Simultaneous perturbation stochastic approximation (J. Spall, *Multivariate stochastic approximation using
/// a simultaneous perturbation gradient approximation*, IEEE Transactions on Automatic Control 37, 1992).
///
/// All parameters move at once, each up or down by the toss of a coin, and play the values with the opposite moves.
/// The tuner takes a small step in the winner's direction. The gains fall as Spall advises: steps with the round to
/// the power of 0.602, perturbations with 0.101, counted after a tenth of all rounds. Both are shares of each
/// parameter's range: the first perturbation is a tenth of the range, and the first step, after a pair of two wins,
/// is a twentieth. A whole number is perturbed by at least a half, so that the two sides differ.
///
/// Memory and time for a round are O(parameters × trials). The method suits a few dozen parameters of similar
/// importance. It needs thousands of games where a step is worth a few Elo.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    space: Vec<Dimension>,
    rounds: usize,
    batch: usize,
    seed: u64,
    /// The value of each parameter, as a share of its range.
    at: Vec<f64>,
    /// The values of `at` after each round.
    past: Vec<Vec<f64>>,
}

impl Spsa {
    /// A tuner with `rounds` rounds of `batch` trials each, from the starts of the parameters.
    #[must_use]
    pub fn new(space: Vec<Dimension>, rounds: usize, batch: usize, seed: u64) -> Self {
        let share = |p: &Dimension| {
            if p.most > p.least { ((p.start - p.least) / (p.most - p.least)).clamp(0.0, 1.0) } else { 0.0 }
        };
        let at = space.iter().map(share).collect();
        Self { space, rounds, batch: batch.max(1), seed, at, past: Vec::new() }
    }

    /// The perturbation of a parameter, as a share of its range.
    fn reach(&self, parameter: &Dimension) -> f64 {
        let reach = 0.1 / (self.past.len() as f64 + 1.0).powf(0.101);
        let range = parameter.most - parameter.least;
        if parameter.whole && range > 0.0 { reach.max(0.5 / range) } else { reach }
    }

    /// The step after a pair of two wins.
    fn step(&self) -> f64 {
        let head_start = 0.1 * self.rounds as f64 + 1.0;
        0.05 * (head_start / (head_start + self.past.len() as f64)).powf(0.602)
    }

    /// The direction, up or down, of each parameter in a trial.
    fn directions(&self, trial: usize) -> Vec<f64> {
        let seed = seeds::round(self.seed, self.past.len() * self.batch + trial);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.space.iter().map(|_| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect()
    }

    /// The values at shares of the ranges.
    fn values(&self, shares: impl Iterator<Item = f64>) -> Vec<f64> {
        let value = |(p, share): (&Dimension, f64)| p.least + share * (p.most - p.least);
        let values: Vec<f64> = self.space.iter().zip(shares).map(value).collect();
        fit(&self.space, &values)
    }
}

impl Tuner for Spsa {
    fn trials(&self) -> Vec<Trial> {
        if self.past.len() >= self.rounds {
            return Vec::new();
        }
        (0..self.batch)
            .map(|trial| {
                let directions = self.directions(trial);
                let moved = |sign: f64| {
                    let parts = self.at.iter().zip(&self.space).zip(&directions);
                    self.values(parts.map(move |((at, p), way)| at + sign * way * self.reach(p)))
                };
                let seed = seeds::trial(self.seed, self.past.len() * self.batch + trial);
                Trial { a: moved(1.0), b: moved(-1.0), seed }
            })
            .collect()
    }

    fn learn(&mut self, scores: &[f64]) {
        assert_eq!(scores.len(), self.batch, "a score for each trial");
        let mut change = vec![0.0; self.at.len()];
        let step = self.step() / self.batch as f64;
        for (trial, score) in scores.iter().enumerate() {
            for (change, way) in change.iter_mut().zip(self.directions(trial)) {
                *change += step * (2.0 * score - 1.0) * way;
            }
        }
        for (at, change) in self.at.iter_mut().zip(change) {
            *at = (*at + change).clamp(0.0, 1.0);
        }
        self.past.push(self.at.clone());
    }

    /// The mean of the last quarter of the rounds, which varies less than the last round.
    fn best(&self) -> Vec<f64> {
        let tail = &self.past[self.past.len() - self.past.len().div_ceil(4)..];
        if tail.is_empty() {
            return self.values(self.at.iter().copied());
        }
        let mean = |i: usize| tail.iter().map(|at| at[i]).sum::<f64>() / tail.len() as f64;
        self.values((0..self.space.len()).map(mean))
    }

    /// The value of each parameter as a share of its range, 0 to 1.
    fn trace(&self) -> Vec<Curve> {
        let curve =
            |(i, p): (usize, &Dimension)| (p.name.clone(), self.past.iter().map(|at| at[i]).collect());
        self.space.iter().enumerate().map(curve).collect()
    }
}
