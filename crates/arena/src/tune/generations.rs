//! [`Generations`]: a genetic algorithm on a pool of sets of parameters.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Curve, Dimension, Trial, Tuner, fit, unit};
use crate::seeds;

/// The genetic algorithm that tuned the first Cover program (A. Bos, *Cover the World in One Game*, 1995,
/// section 3.4).
///
/// A pool of sets of parameters plays a double round robin, with two points for a win and one for a draw. A roulette
/// wheel picks two sets: a number is drawn below the sum of all points, and the wheel picks the weakest set whose
/// points, together with the points of all weaker sets, exceed the number. One child gets the first, third, …
/// parameter from one parent and the others from the other parent; its sibling gets the rest. Then each parameter
/// changes by up to a tenth of its value in either direction. The algorithm ends when no parameter differs by more
/// than a tenth over the whole pool.
///
/// Choices where the description is silent: the two children replace the two weakest sets; the parents are two
/// different sets; the first pool has the starting values once, and otherwise values drawn evenly from the ranges;
/// children stay within the ranges. Whole numbers are rounded only for play, so that small numbers can change at all.
///
/// A round of 10 sets is 45 trials, 90 games. A value of 0 never changes, as in the original.
#[derive(Clone, PartialEq, Debug)]
pub struct Generations {
    space: Vec<Dimension>,
    rounds: usize,
    seed: u64,
    pool: Vec<Vec<f64>>,
    /// The best set of the last round, before its children were made.
    best: Vec<f64>,
    /// After each round: the best share of points, the greatest spread, the mean of each parameter.
    past: Vec<(f64, f64, Vec<f64>)>,
}

/// The greatest relative change of a parameter in a child, and the greatest relative difference over the final pool.
const TENTH: f64 = 0.1;

impl Generations {
    /// A pool of `size` sets, at least two, for at most `rounds` rounds.
    #[must_use]
    pub fn new(space: Vec<Dimension>, size: usize, rounds: usize, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seeds::round(seed, 0));
        let start: Vec<f64> = space.iter().map(|p| p.start.min(p.most).max(p.least)).collect();
        let mut pool = vec![start.clone()];
        for _ in 1..size.max(2) {
            pool.push(space.iter().map(|p| p.least + unit(rng.next_u64()) * (p.most - p.least)).collect());
        }
        Self { space, rounds, seed, pool, best: start, past: Vec::new() }
    }

    /// The sets of parameters as they are now.
    #[must_use]
    pub fn pool(&self) -> &[Vec<f64>] {
        &self.pool
    }

    /// The greatest difference of a parameter over the pool, as a share of its greatest value.
    fn spread(&self) -> f64 {
        let spread = |i: usize| {
            let values = || self.pool.iter().map(|set| set[i]);
            let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
            let largest = least.abs().max(most.abs());
            if largest > 0.0 { (most - least) / largest } else { 0.0 }
        };
        (0..self.space.len()).map(spread).fold(0.0, f64::max)
    }

    /// The pairings in the order of the trials.
    fn pairings(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.pool.len();
        (0..size).flat_map(move |a| (a + 1..size).map(move |b| (a, b)))
    }

    /// Picks two sets by the roulette wheel; `ranked` has all sets, the weakest first.
    fn parents(ranked: &[(f64, usize)], rng: &mut impl RngCore) -> (usize, usize) {
        let total: f64 = ranked.iter().map(|entry| entry.0).sum();
        let mut spin = || {
            let mut left = unit(rng.next_u64()) * total;
            let pick = ranked.iter().find(|entry| {
                left -= entry.0;
                left < 0.0
            });
            pick.unwrap_or(&ranked[ranked.len() - 1]).1
        };
        let first = spin();
        // A set that has all the points is its own partner.
        let second = (0..1000).map(|_| spin()).find(|&other| other != first).unwrap_or(first);
        (first, second)
    }

    /// A child: the first, third, … parameter from `odd`, the others from `even`, each with a random change.
    fn child(&self, odd: usize, even: usize, rng: &mut impl RngCore) -> Vec<f64> {
        let gene = |(i, parameter): (usize, &Dimension)| {
            let value = self.pool[if i % 2 == 0 { odd } else { even }][i];
            let change = TENTH * (2.0 * unit(rng.next_u64()) - 1.0);
            (value + value * change).min(parameter.most).max(parameter.least)
        };
        self.space.iter().enumerate().map(gene).collect()
    }
}

impl Tuner for Generations {
    fn trials(&self) -> Vec<Trial> {
        let round = self.past.len();
        if round >= self.rounds || self.spread() <= TENTH {
            return Vec::new();
        }
        let each = self.pool.len() * (self.pool.len() - 1) / 2;
        let played: Vec<Vec<f64>> = self.pool.iter().map(|set| fit(&self.space, set)).collect();
        let trial = |(index, (a, b)): (usize, (usize, usize))| Trial {
            a: played[a].clone(),
            b: played[b].clone(),
            seed: seeds::trial(self.seed, round * each + index),
        };
        self.pairings().enumerate().map(trial).collect()
    }

    fn learn(&mut self, scores: &[f64]) {
        let size = self.pool.len();
        assert_eq!(scores.len(), size * (size - 1) / 2, "a score for each pairing");
        let mut points = vec![0.0; size];
        for ((a, b), score) in self.pairings().zip(scores) {
            points[a] += 4.0 * score;
            points[b] += 4.0 * (1.0 - score);
        }
        let mut ranked: Vec<(f64, usize)> = points.into_iter().zip(0..).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (most, strongest) = ranked[size - 1];
        self.best = self.pool[strongest].clone();
        let mean = |i: usize| self.pool.iter().map(|set| set[i]).sum::<f64>() / size as f64;
        let means = (0..self.space.len()).map(mean).collect();
        self.past.push((most / (4 * (size - 1)) as f64, self.spread(), means));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seeds::round(self.seed, self.past.len()));
        let (one, other) = Self::parents(&ranked, &mut rng);
        let children = [self.child(one, other, &mut rng), self.child(other, one, &mut rng)];
        for (child, &(_, weak)) in children.into_iter().zip(&ranked) {
            self.pool[weak] = child;
        }
    }

    /// The set with the most points in the last round.
    fn best(&self) -> Vec<f64> {
        fit(&self.space, &self.best)
    }

    /// The share of points of the fittest set, the greatest spread over the pool, and where the mean of each
    /// parameter is in its range.
    fn trace(&self) -> Vec<Curve> {
        let mut curves = vec![
            ("fitness of the best".to_owned(), self.past.iter().map(|round| round.0).collect()),
            ("spread".to_owned(), self.past.iter().map(|round| round.1).collect()),
        ];
        for (i, p) in self.space.iter().enumerate() {
            let range = if p.most > p.least { p.most - p.least } else { 1.0 };
            curves.push((p.name.clone(), self.past.iter().map(|r| (r.2[i] - p.least) / range).collect()));
        }
        curves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of figure 20: points 3, 4, 5, 14, 16, 20, 22, 30, 30, 36; the number 94 picks the eighth set, 152
    /// the tenth.
    #[test]
    fn the_wheel_picks_as_in_the_printed_example() {
        struct Numbers(Vec<f64>);
        impl RngCore for Numbers {
            fn next_u32(&mut self) -> u32 {
                self.next_u64() as u32
            }
            fn next_u64(&mut self) -> u64 {
                // Half a unit is added, so that rounding has no effect.
                ((self.0.remove(0) + 0.5) / 180.0 * 2f64.powi(64)) as u64
            }
            fn fill_bytes(&mut self, _: &mut [u8]) {
                unreachable!("the wheel draws numbers")
            }
        }
        let points = [3.0, 4.0, 5.0, 14.0, 16.0, 20.0, 22.0, 30.0, 30.0, 36.0];
        let ranked: Vec<(f64, usize)> = points.into_iter().zip(1..).collect();
        assert_eq!(Generations::parents(&ranked, &mut Numbers(vec![94.0, 152.0])), (8, 10));
        assert_eq!(Generations::parents(&ranked, &mut Numbers(vec![0.0, 1.0, 3.0])), (1, 2));
    }

    /// The example of figure 21: the parent of each parameter of a child, up to the change of a tenth.
    #[test]
    fn children_take_turns_with_their_parents() {
        let parameter =
            |i| Dimension { name: format!("p{i}"), start: 1.0, least: 0.0, most: 1e4, whole: true };
        let mut pool = Generations::new((1..=5).map(parameter).collect(), 2, 10, 1);
        pool.pool = vec![vec![10.0, 16.0, 50.0, 40.0, 9000.0], vec![21.0, 3.0, 55.0, 123.0, 2000.0]];
        pool.learn(&[0.5]);
        let expected = [[10.0, 3.0, 50.0, 123.0, 9000.0], [21.0, 16.0, 55.0, 40.0, 2000.0]];
        let near = |child: &[f64], wanted: &[f64]| {
            child.iter().zip(wanted).all(|(a, b): (&f64, &f64)| (1e-9..=0.1 * b).contains(&(a - b).abs()))
        };
        let [one, other] = &pool.pool[..] else { panic!("two sets") };
        assert!(
            (near(one, &expected[0]) && near(other, &expected[1]))
                || (near(one, &expected[1]) && near(other, &expected[0])),
            "{:?}",
            pool.pool
        );
    }
}
