//! [`ratings`]: one number for each player, from the results of all pairings.

use crate::stats::Z95;

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The Elo rating; the mean over all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Ratings from `points[a][b]`, the points that player a got against player b.
///
/// In the Bradley–Terry model, a gets γa/(γa + γb) of the points against b. The γ under which the results are
/// likeliest are found by minorisation-maximisation (D. Hunter, *MM algorithms for generalized Bradley–Terry models*,
/// Annals of Statistics 32, 2004), and an Elo rating is 400 log₁₀ γ. Half a game, shared evenly, is added to each
/// pairing that was played, so that a player who has won or lost everything has a rating. A player without games is
/// at 0.
///
/// Errors are from the curvature of the likelihood at its maximum. A draw counts as half a win and half a loss in the
/// curvature, which makes the errors a little too wide where draws are frequent. While there are groups of players
/// that have not met, all errors are infinite.
///
/// O(iterations × players²), and players³ once.
///
/// # Panics
/// If the table is not square.
///
/// ```
/// let [a, b] = stonework_arena::ratings(&[vec![0.0, 75.0], vec![25.0, 0.0]])[..] else { panic!() };
/// assert!((a.elo - b.elo - 190.2).abs() < 1.0);     // 400 log₁₀ 3 = 190.8, less the half game
/// ```
#[must_use]
pub fn ratings(points: &[Vec<f64>]) -> Vec<Rating> {
    let n = points.len();
    assert!(points.iter().all(|row| row.len() == n), "a table of points has to be square");
    let prior = |a: usize, b: usize| {
        if a != b && points[a][b] + points[b][a] > 0.0 { 0.25 } else { 0.0 }
    };
    let got = |a: usize, b: usize| points[a][b] + prior(a, b);
    let played = |a: usize, b: usize| got(a, b) + got(b, a);
    let mut gamma = vec![1.0_f64; n];
    for _ in 0..10_000 {
        let mut next: Vec<f64> = (0..n)
            .map(|a| {
                let others = || (0..n).filter(|&b| b != a);
                let weight: f64 = others().map(|b| played(a, b) / (gamma[a] + gamma[b])).sum();
                if weight > 0.0 { others().map(|b| got(a, b)).sum::<f64>() / weight } else { gamma[a] }
            })
            .collect();
        let mean = next.iter().map(|g| g.ln()).sum::<f64>() / n.max(1) as f64;
        for g in &mut next {
            *g /= mean.exp();
        }
        let change = gamma.iter().zip(&next).map(|(a, b)| (a.ln() - b.ln()).abs()).fold(0.0, f64::max);
        gamma = next;
        if change < 1e-12 {
            break;
        }
    }
    let scale = 400.0 / std::f64::consts::LN_10;
    let variances = variances(n, |a, b| {
        let share = gamma[a] / (gamma[a] + gamma[b]);
        played(a, b) * share * (1.0 - share)
    });
    let rating = |(g, variance): (&f64, f64)| Rating {
        elo: scale * g.ln(),
        error: Z95 * scale * variance.max(0.0).sqrt(),
    };
    gamma.iter().zip(variances).map(rating).collect()
}

/// The variances of log γ where the mean is held at 0: the diagonal of the inverse of the information
/// matrix, to which a constant is added (it acts on the direction in which the likelihood is flat) and
/// taken off afterwards.
fn variances(n: usize, information: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    if !is_connected(n, |a, b| information(a, b) > 0.0) {
        // Groups of players that have never met: nothing is known of their distance. Rounding would hide this in the matrix.
        return vec![f64::INFINITY; n];
    }
    let mut matrix: Vec<Vec<f64>> = (0..n)
        .map(|a| {
            let row = |b: usize| {
                if a == b {
                    (0..n).filter(|&c| c != a).map(|c| information(a, c)).sum::<f64>()
                } else {
                    -information(a, b)
                }
            };
            let mut row: Vec<f64> = (0..n).map(|b| row(b) + 1.0).collect();
            row.extend((0..n).map(|b| f64::from(u8::from(a == b))));
            row
        })
        .collect();
    for column in 0..n {
        let largest = |&a: &usize, &b: &usize| matrix[a][column].abs().total_cmp(&matrix[b][column].abs());
        let pivot = (column..n).max_by(largest).unwrap_or(column);
        matrix.swap(column, pivot);
        let by = matrix[column][column];
        for entry in &mut matrix[column] {
            *entry /= by;
        }
        let pivot_row = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != column) {
            let by = row[column];
            for (entry, pivot) in row.iter_mut().zip(&pivot_row) {
                *entry -= by * pivot;
            }
        }
    }
    // On the flat direction, the constant 1 has the eigenvalue n; the inverse has 1/n² in each entry.
    let flat = 1.0 / (n as f64 * n as f64);
    (0..n).map(|a| matrix[a][n + a] - flat).collect()
}

/// `true` if each of `n` players has met each other one, perhaps by way of others. O(n²).
fn is_connected(n: usize, have_met: impl Fn(usize, usize) -> bool) -> bool {
    let mut far: Vec<usize> = (1..n).collect();
    let mut reached = vec![0];
    while let Some(player) = reached.pop() {
        let (near, rest) = far.into_iter().partition(|&other| have_met(player, other));
        far = rest;
        reached.extend::<Vec<usize>>(near);
    }
    far.is_empty()
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    /// Two players: the closed form, 400 log₁₀ of the ratio of points, and the binomial error.
    #[test]
    fn two_players_have_the_closed_form() {
        let rated = ratings(&[vec![0.0, 60.0], vec![20.0, 0.0]]);
        let expected = 400.0 * (60.25_f64 / 20.25).log10();
        assert!((rated[0].elo - rated[1].elo - expected).abs() < 1e-6);
        assert!((rated[0].elo + rated[1].elo).abs() < 1e-9);
        // The variance of the difference is 1/(n p q). Each of the two players has half of its deviation.
        let (n, p) = (80.5_f64, 60.25 / 80.5);
        let deviation = 400.0 / std::f64::consts::LN_10 / (n * p * (1.0 - p)).sqrt() / 2.0;
        assert!((rated[0].error - 1.959_964 * deviation).abs() < 1e-3, "{rated:?}");
    }

    /// Points that follow the model exactly give the model's ratings.
    #[test]
    fn expected_points_give_back_the_ratings() {
        let truth = [120.0, 30.0, -20.0, -130.0];
        let points: Vec<Vec<f64>> = (0..4)
            .map(|a: usize| {
                let share = |b: usize| crate::score_of(truth[a] - truth[b]);
                (0..4).map(|b| if a == b { 0.0 } else { 1e5 * share(b) }).collect()
            })
            .collect();
        for (rated, truth) in ratings(&points).iter().zip(truth) {
            assert!((rated.elo - truth).abs() < 0.01 && rated.error < 2.0, "{rated:?} {truth}");
        }
    }

    #[test]
    fn one_sided_and_missing_results_have_finite_ratings() {
        let rated = ratings(&[vec![0.0, 10.0, 0.0], vec![0.0, 0.0, 10.0], vec![10.0, 0.0, 0.0]]);
        assert!(rated.iter().all(|r| r.elo.abs() < 1e-6 && r.error.is_finite()), "{rated:?}");
        let swept = ratings(&[vec![0.0, 10.0], vec![0.0, 0.0]]);
        assert!(swept[0].elo > 100.0 && swept[0].elo < 1000.0, "{swept:?}");
        let strangers = ratings(&[vec![0.0, 5.0, 0.0], vec![5.0, 0.0, 0.0], vec![0.0; 3]]);
        assert!(strangers[2].error.is_infinite() && strangers[2].elo.abs() < 1e-9);
        assert!(ratings(&[]).is_empty());
    }

    /// However many games the players of a group have played with each other: with many, rounding is larger than a pivot.
    #[test]
    fn groups_that_have_not_met_have_infinite_errors_after_any_number_of_games() {
        for (games, share) in (1..200).map(|i| (37.0 * f64::from(i * i), 0.2 + 0.003 * f64::from(i))) {
            let got = |a: usize, b: usize| match (a / 3 == b / 3, a.cmp(&b)) {
                (false, _) | (_, Ordering::Equal) => 0.0,
                (_, Ordering::Less) => games * share,
                (_, Ordering::Greater) => games * (1.0 - share),
            };
            let points: Vec<Vec<f64>> = (0..6).map(|a| (0..6).map(|b| got(a, b)).collect()).collect();
            assert!(ratings(&points).iter().all(|rated| rated.error.is_infinite()), "{games} games, {share}");
        }
    }
}
