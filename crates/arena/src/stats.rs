//! Scores, pairs of games, Elo differences and their errors.

use serde::{Deserialize, Serialize};

/// Wins, draws and losses of one side of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts one game by its points: 0, ½ or 1.
    pub fn add(&mut self, points: f64) {
        if points > 0.75 {
            self.wins += 1;
        } else if points < 0.25 {
            self.losses += 1;
        } else {
            self.draws += 1;
        }
    }

    /// All games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, ½ for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The points for each game; ½ before the first game.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }
}

/// Pairs of games with the same opening and colours swapped, counted by the points of one player in the two games: 0,
/// ½, 1, 1½ and 2.
///
/// The two games of a pair are not independent: an opening that favours one side gives each player one point.
/// Counting pairs removes this effect from the error (M. Van den Bergh, *Comments on normalized Elo*, 2020; the
/// "pentanomial" statistics of Stockfish's Fishtest).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts one pair, by the points of its two games.
    pub fn add(&mut self, first: f64, second: f64) {
        let index = ((first + second) * 2.0).round().clamp(0.0, 4.0) as usize;
        self.0[index] += 1;
    }

    /// All pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean and the variance of a pair's points, as a share of 2. ½ and 0 before the first pair.
    #[must_use]
    pub fn moments(&self) -> (f64, f64) {
        let n = self.count();
        if n == 0 {
            return (0.5, 0.0);
        }
        let share = |count: u64| count as f64 / n as f64;
        let parts = || self.0.iter().zip(PAIR_SCORES);
        let mean: f64 = parts().map(|(&count, score)| share(count) * score).sum();
        let variance = parts().map(|(&count, score)| share(count) * (score - mean).powi(2)).sum();
        (mean, variance)
    }

    /// The estimate of the Elo difference from the pairs. `None` before the first pair.
    ///
    /// ```
    /// use stonework_arena::Pairs;
    /// let elo = Pairs([34, 54, 63, 64, 75]).elo().unwrap();
    /// assert_eq!(format!("{elo}"), "+55.6 ± 27.7");
    /// ```
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        let n = self.count();
        if n == 0 {
            return None;
        }
        let (mean, variance) = self.moments();
        let deviation = (variance / n as f64).sqrt();
        let bound = |z: f64| elo_of(mean + z * deviation);
        let los = if deviation > 0.0 { normal((mean - 0.5) / deviation) } else { sure(mean) };
        Some(Elo { difference: elo_of(mean), least: bound(-Z95), most: bound(Z95), los })
    }
}

/// The points of a pair, as a share of 2.
pub(crate) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Half the width of a 95 % interval, in standard deviations.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// An Elo difference with its 95 % interval.
///
/// The score of n pairs has the standard error σ/√n. The ends of the interval are the Elo differences of the score
/// plus and minus 1.96 standard errors. Equal results have no variance: the interval is a point then, without a
/// meaning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The difference; infinite if one player won every game.
    pub difference: f64,
    /// The lower end of the interval.
    pub least: f64,
    /// The upper end of the interval.
    pub most: f64,
    /// Likelihood of superiority: the probability, in the normal approximation, that the true difference
    /// is above 0.
    pub los: f64,
}

impl Elo {
    /// Half the width of the interval; `None` if an end of the interval is infinite, or the results have no variance.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        let error = (self.most - self.least) / 2.0;
        (error.is_finite() && error > 0.0).then_some(error)
    }
}

impl std::fmt::Display for Elo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.error() {
            Some(error) => write!(f, "{:+.1} ± {error:.1}", self.difference),
            None => write!(f, "{:+.1} ± ?", self.difference),
        }
    }
}

/// The Elo difference at which a score is expected: 400 log₁₀(s/(1 − s)). Infinite for scores up to 0 and from 1.
#[must_use]
pub fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The expected score at an Elo difference.
///
/// ```
/// use stonework_arena::{elo_of, score_of};
/// assert_eq!(score_of(0.0), 0.5);
/// assert!((score_of(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// assert!((elo_of(score_of(-123.0)) + 123.0).abs() < 1e-9);
/// ```
#[must_use]
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The likelihood of superiority for results without variance: 1, 0 or ½ for a mean above, below or at ½.
fn sure(mean: f64) -> f64 {
    if mean > 0.5 {
        1.0
    } else if mean < 0.5 {
        0.0
    } else {
        0.5
    }
}

/// The normal distribution function.
pub(crate) fn normal(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Elo difference and its error, as the match programs fastchess and cutechess print them.
    #[test]
    fn elo_of_pairs_agrees_with_a_published_figure() {
        let elo = Pairs([34, 54, 31 + 32, 64, 75]).elo().unwrap();
        assert!((elo.difference - 55.58).abs() < 0.005, "{elo:?}");
        assert!((elo.error().unwrap() - 27.65).abs() < 0.005, "{elo:?}");
        assert!(elo.los > 0.9999);
    }

    #[test]
    fn one_sided_and_equal_results_have_no_error_to_show() {
        let won = Pairs([0, 0, 0, 0, 9]).elo().unwrap();
        assert_eq!((won.difference, won.error(), won.los), (f64::INFINITY, None, 1.0));
        let split = Pairs([0, 0, 9, 0, 0]).elo().unwrap();
        assert_eq!((split.difference, split.error(), split.los), (0.0, None, 0.5));
        assert_eq!((Pairs::default().elo(), won.to_string().as_str()), (None, "+inf ± ?"));
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.959_963_985, 0.025), (3.0, 0.998_650_102)] {
            assert!((normal(x) - p).abs() < 1e-9, "{x}: {}", normal(x));
        }
    }

    #[test]
    fn the_interval_holds_the_truth_nineteen_times_in_twenty() {
        use rand_core::{RngCore, SeedableRng};
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
        // The points of a pair, with probabilities 1:3:8:5:3 out of twenty; the mean is 46/80.
        let truth = elo_of(46.0 / 80.0);
        let trials = 4000;
        let held = (0..trials)
            .filter(|_| {
                let mut pairs = Pairs::default();
                for _ in 0..200 {
                    let at = rng.next_u64() % 20;
                    pairs.0[[1, 4, 12, 17].iter().filter(|&&end| at >= end).count()] += 1;
                }
                let elo = pairs.elo().unwrap();
                elo.least <= truth && truth <= elo.most
            })
            .count();
        let share = held as f64 / f64::from(trials);
        assert!((0.94..0.96).contains(&share), "{share}");
    }
}
