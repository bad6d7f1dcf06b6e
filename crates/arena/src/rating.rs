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
/// likeliest are found by Newton's method on their logarithms, whose likelihood is concave, and an Elo rating is
/// 400 log₁₀ γ. Half a game, shared evenly, is added to each pairing that was played, so that a player who has won or lost
/// everything has a rating. A player without games is at 0.
///
/// Errors are from the curvature of the likelihood at its maximum. A draw counts as half a win and half a loss in the
/// curvature, which makes the errors a little too wide where draws are frequent. While there are groups of players
/// that have not met, all errors are infinite, and the mean of each group is 0.
///
/// O(steps × players³), with some dozen steps.
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
    let got = |a: usize, b: usize| if a == b { 0.0 } else { points[a][b] + prior(a, b) };
    let played = |a: usize, b: usize| got(a, b) + got(b, a);
    let groups = groups(n, |a, b| played(a, b) > 0.0);
    let likelihood = |at: &[f64]| -> f64 {
        let of = |a: usize, b: usize| got(a, b) * log_share(at[a] - at[b]);
        (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).map(|(a, b)| of(a, b)).sum()
    };
    let inverse_at = |at: &[f64]| {
        let curvature = |a: usize, b: usize| {
            let share = log_share(at[a] - at[b]).exp();
            played(a, b) * share * (1.0 - share)
        };
        inverse(n, &groups, curvature)
    };
    // The logarithms of γ.
    let mut at = vec![0.0_f64; n];
    for _ in 0..STEPS {
        let slope = |a: usize| -> f64 {
            (0..n).map(|b| got(a, b) - played(a, b) * log_share(at[a] - at[b]).exp()).sum()
        };
        let slopes: Vec<f64> = (0..n).map(slope).collect();
        let inverse = inverse_at(&at);
        let step: Vec<f64> = inverse
            .iter()
            .map(|row| row.iter().zip(&slopes).map(|(entry, slope)| entry * slope).sum())
            .collect();
        let before = likelihood(&at);
        let moved =
            |part: f64| -> Vec<f64> { at.iter().zip(&step).map(|(at, step)| at + part * step).collect() };
        // A step that is too long is halved; rounding must not halve the last ones.
        let least = before - 1e-12 * before.abs();
        let halves = std::iter::successors(Some(1.0), |part| Some(part / 2.0)).take(STEPS);
        let Some(next) = halves.map(moved).find(|next| likelihood(next) >= least) else { break };
        let change = at.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        at = next;
        if change < 1e-9 {
            break;
        }
    }
    let scale = 400.0 / std::f64::consts::LN_10;
    let is_one = groups.iter().all(|&group| group == 0);
    let inverse = inverse_at(&at);
    // On the flat direction, the constant 1 has the eigenvalue n; the inverse has 1/n² in each entry.
    let flat = 1.0 / (n as f64 * n as f64);
    let rating = |(a, at): (usize, &f64)| {
        // Groups of players that have never met: nothing is known of their distance.
        let variance = if is_one { inverse[a][a] - flat } else { f64::INFINITY };
        Rating { elo: scale * at, error: Z95 * scale * variance.max(0.0).sqrt() }
    };
    at.iter().enumerate().map(rating).collect()
}

/// The most steps of Newton's method, and the most halvings of a step.
const STEPS: usize = 100;

/// The logarithm of the share of points at a difference of the logarithms of γ.
fn log_share(difference: f64) -> f64 {
    if difference > 0.0 { -(-difference).exp().ln_1p() } else { difference - difference.exp().ln_1p() }
}

/// The inverse of the information matrix. A constant is added between players of one group: it acts on the direction in which the
/// likelihood is flat, that all players of the group are better.
fn inverse(n: usize, groups: &[usize], information: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let entry = |a: usize, b: usize| {
        let plain = if a == b {
            (0..n).filter(|&c| c != a).map(|c| information(a, c)).sum::<f64>()
        } else {
            -information(a, b)
        };
        plain + f64::from(u8::from(groups[a] == groups[b]))
    };
    let mut matrix: Vec<Vec<f64>> = (0..n)
        .map(|a| {
            let identity = (0..n).map(|b| f64::from(u8::from(a == b)));
            (0..n).map(|b| entry(a, b)).chain(identity).collect()
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
    matrix.into_iter().map(|row| row[n..].to_vec()).collect()
}

/// The number of the group of each of `n` players, in which each has met each other one, perhaps by way of others. O(n²).
fn groups(n: usize, have_met: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let (mut groups, mut far, mut group) = (vec![0; n], (0..n).collect::<Vec<_>>(), 0);
    while let Some(first) = far.pop() {
        let mut reached = vec![first];
        while let Some(player) = reached.pop() {
            groups[player] = group;
            let (near, rest) = far.into_iter().partition(|&other| have_met(player, other));
            far = rest;
            reached.extend::<Vec<usize>>(near);
        }
        group += 1;
    }
    groups
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

    /// Steps that go on from one estimate to the next were far from the maximum after ten thousand of them.
    #[test]
    fn players_who_win_every_game_of_thousands_have_the_closed_form() {
        for games in [100.0, 10_000.0, 1e6] {
            // Each player has met the next one alone, and won: each distance is that of two players.
            let got = |a: usize, b: usize| if b == a + 1 { games } else { 0.0 };
            let points: Vec<Vec<f64>> = (0..8).map(|a| (0..8).map(|b| got(a, b)).collect()).collect();
            let expected = 400.0 * ((games + 0.25) / 0.25_f64).log10();
            for pair in ratings(&points).windows(2) {
                assert!((pair[0].elo - pair[1].elo - expected).abs() < 1e-3, "{games}: {pair:?} {expected}");
                assert!(pair[0].error.is_finite() && pair[0].error > 100.0, "{games}: {pair:?}");
            }
            // Each has met each, and the order is clear: the ratings lie evenly about 0.
            let got = |a: usize, b: usize| if a < b { games } else { 0.0 };
            let points: Vec<Vec<f64>> = (0..5).map(|a| (0..5).map(|b| got(a, b)).collect()).collect();
            let rated = ratings(&points);
            for (a, b) in rated.iter().zip(rated.iter().rev()) {
                assert!((a.elo + b.elo).abs() < 1e-3, "{games}: {rated:?}");
            }
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
