//! Counts, the slow judge and random games, each compared with known figures.

use std::time::Instant;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use serde_json::json;
use stonework_havannah::Position;
use stonework_oracle::{Generator, Kind, agrees_with_judge};
use stonework_session::AnyPosition;

use super::Tour;
use crate::failure::Failure;
use crate::perft;
use crate::playouts::{self, Until};

/// All games of up to five moves on size 3. In five moves, White can complete a bridge along a side.
pub(super) fn counts(tour: &mut Tour<'_>) -> Result<(), Failure> {
    // A bridge along one of six sides has three stones in any order; Black has two of the 16 other cells, in order.
    const BRIDGES: u64 = 6 * 6 * 16 * 15;
    tour.heading("All games of up to 5 moves on size 3, counted with their winners (perft)")?;
    let position = AnyPosition::new(Position::new(3).map_err(Failure::input)?);
    let game = position.description();
    tour.text(format!("    {}", perft::heading(&game)))?;
    for depth in 1..=5 {
        let counts = perft::count(&position, depth);
        tour.text(format!("    {}", perft::rows(&game, &counts)))?;
        let nodes: u64 = (0..u64::from(depth)).map(|ply| 19 - ply).product();
        let good = counts.nodes == nodes && counts.wins.first.total == if depth == 5 { BRIDGES } else { 0 };
        if depth == 5 || !good {
            let verdict = tour.verdict(good, "as it should be: 6 sides, 3! orders, 16 · 15 black moves");
            tour.text(format!("    {verdict}"))?;
        }
        tour.object(&json!({ "part": "perft", "size": 3, "counts": perft::object(&game, &counts), "as_expected": good }))?;
    }
    Ok(())
}

/// The fast rules on generated games, compared with a judge that floods the board after every move.
pub(super) fn judge(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.heading("The fast rules against a slow judge that only knows the definitions")?;
    let since = Instant::now();
    let (mut games, mut plies, mut differing) = (0_u32, 0, 0_u32);
    for size in 2..=10 {
        let generator = Generator::new(size).map_err(Failure::input)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(size.into());
        for kind in Kind::ALL {
            let count = if kind == Kind::Random { 60 } else { 12 };
            for game in (0..count).filter_map(|_| generator.game(kind, &mut rng)) {
                games += 1;
                plies += game.moves.len();
                differing += u32::from(!agrees_with_judge(&game));
            }
        }
    }
    let verdict = tour.verdict(differing == 0, "one and the same");
    let seconds = since.elapsed().as_secs_f64();
    tour.text(format!(
        "    {games} games on sizes 2 to 10 – random ones, draws, filled rings, strips, rings at the rim –\n    \
         {plies} positions in {seconds:.1} s: winner and kinds are {verdict}"
    ))?;
    tour.object(&json!({ "part": "judge", "games": games, "plies": plies, "as_expected": differing == 0 }))
}

/// Random games: the number to play, and the figures that other programs have measured.
struct Known {
    size: u8,
    games: u64,
    /// The number of games behind the figures of other programs.
    from: f64,
    /// The mean number of stones in a game, and its standard deviation.
    length: (f64, f64),
    /// The share of games that the first player wins.
    white: f64,
    /// The share of games that end with a fork.
    fork: f64,
}

#[rustfmt::skip]
const KNOWN: [Known; 4] = [
    Known { size: 4, games: 2_500_000, from: 5.0e6, length: (27.950, 4.69), white: 0.5531, fork: 0.4407 },
    Known { size: 5, games: 1_500_000, from: 3.0e6, length: (46.538, 6.92), white: 0.5363, fork: 0.5119 },
    Known { size: 8, games: 600_000, from: 1.0e6, length: (120.460, 19.43), white: 0.5144, fork: 0.2303 },
    Known { size: 10, games: 450_000, from: 0.6e6, length: (179.828, 31.33), white: 0.5092, fork: 0.0794 },
];

impl Known {
    /// `true` if new figures are within five standard errors of the known figures, plus the rounding of the known
    /// figures.
    fn is_met_by(&self, length: f64, white: f64, fork: f64) -> bool {
        let error = (1.0 / self.games as f64 + 1.0 / self.from).sqrt();
        let share = |new: f64, known: f64| {
            (new - known).abs() < 0.000_05 + 5.0 * error * (known * (1.0 - known)).sqrt()
        };
        let (mean, deviation) = self.length;
        (length - mean).abs() < 0.0005 + 5.0 * error * deviation
            && share(white, self.white)
            && share(fork, self.fork)
    }
}

/// Random games on one thread.
pub(super) fn random(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.heading("Random games to the end, on one thread")?;
    tour.text(
        "    size     games  stones each   games/s   ns/stone   white  black   draw    ring bridge   fork",
    )?;
    let mut good = true;
    for known in KNOWN {
        let Known { size, games, .. } = known;
        let position = AnyPosition::new(Position::new(size).map_err(Failure::input)?);
        let counts = playouts::run(&position, Until::Games(games), 1, 1);
        let (results, shares) = counts.shares();
        let length = counts.plies as f64 / games as f64;
        let same = known.is_met_by(length, results[0], shares[2]);
        good &= same;
        let percent = |shares: &[f64]| {
            shares.iter().map(|share| format!("{:5.1}%", 100.0 * share)).collect::<Vec<_>>().join(" ")
        };
        tour.text(format!(
            "    {size:>4} {games:>9} {:>12.1} {:>9.0} {:>10.1}  {}  {}",
            length,
            counts.per_second,
            counts.ns_per_ply,
            percent(&results),
            percent(&shares)
        ))?;
        tour.object(&json!({ "part": "playouts", "counts": counts, "as_expected": same }))?;
    }
    let verdict = tour.verdict(good, "as other programs have measured them");
    tour.text(format!("    length, wins and forks are {verdict}, within sampling error"))
}
