//! How much harder Havannah of size 5 becomes with each ply from the end: the lines that the engine `mcts` plays from an opening,
//! solved from their ends backwards.
//!
//! The engine chooses the moves of both sides by a fixed number of simulations. Each position of the line is solved anew with an
//! empty table, the last one first, until two in a row are not solved within the limit of nodes.
//!
//! The fit is by least squares, for each line by itself: the logarithm of the nodes against the plies left to the end of the line,
//! over its positions that took 100 nodes or more. `opening` is the number of nodes for which the fit stands at the opening. The first
//! fit is over solved positions alone; the second counts unsolved ones with the limit, which is less than they take.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example principal_lines -- 50 2000 1 c3
//! c3, seed 1, 30 plies, black wins by bridge:
//!   c3 e3 g6 e9 a2 e4 e8 e1 i7 g8 c7 g7 d4 d1 b1 d8 b3 b4 c6 g4 b5 d2 c5 f2 f3 g3 f4 i5 a1 h4
//!   nodes by plies left: 1 2 1 4 1 4 1 1 50 1 237 53 – 681 – –
//!   with the limit: × 1.48 a ply, opening 10^5.6
//! plies left  solved  nodes (geometric mean; unsolved ones with the limit)
//!          1   1 of 1   1
//!          2   1 of 1   2
//!          3   1 of 1   1
//!          4   1 of 1   4
//!          5   1 of 1   1
//!          6   1 of 1   4
//!          7   1 of 1   1
//!          8   1 of 1   1
//!          9   1 of 1   50
//!         10   1 of 1   1
//!         11   1 of 1   237
//!         12   1 of 1   53
//!         13   0 of 1   2000
//!         14   1 of 1   681
//!         15   0 of 1   2000
//!         16   0 of 1   2000
//! with the limit, lines: 1; growth a ply: × 1.48, × 1.48 to × 1.48
//!   opening: 10^5.6 nodes, 10^5.6 to 10^5.6, standard error 10^0.0
//! ```
//!
//! Arguments: simulations a move, the limit of nodes, how many lines of each opening (with the seeds 1, 2, 3 …), and the openings.
//! Results are in `docs/results/size5.md`.

use std::error::Error;

use stonework::game::{Game, Outcome, Textual};
use stonework::havannah::{Move, Position, colour};
use stonework::havannah_players::roster;
use stonework::havannah_solver::Solver;
use stonework::roster::{Clock, Decision, PlayerConfig};
use stonework::search::{Engine, Limits};

/// The least number of nodes of a position that counts for a fit.
const LEAST: u64 = 100;

/// The moves of a line from an opening to the end of the game.
fn line(opening: &str, simulations: u64, seed: u64) -> Result<Vec<Move>, Box<dyn Error>> {
    let config =
        PlayerConfig { limits: Limits::none().simulations(simulations), seed, ..PlayerConfig::default() };
    let mut player = roster(None).agent("mcts", &config)?;
    let mut game = Position::new(5)?;
    let mut line = vec![game.parse_move(opening)?];
    game.play(line[0])?;
    while let Some(Decision::Play(mv)) = player.decide(&game, &Clock::NONE) {
        game.play(mv)?;
        line.push(mv);
    }
    Ok(line)
}

/// The position after some moves.
fn after(moves: &[Move]) -> Result<Position, Box<dyn Error>> {
    let mut game = Position::new(5)?;
    for &mv in moves {
        game.play(mv)?;
    }
    Ok(game)
}

/// The slope and the value at 0 of the straight line through points by least squares.
fn fit(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean = |value: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let (xx, xy) = (mean(&|p| (p.0 - x).powi(2)), mean(&|p| (p.0 - x) * (p.1 - y)));
    (points.len() >= 3 && xx > 0.0).then(|| (xy / xx, y - x * xy / xx))
}

/// The mean, the least and the greatest of some numbers, and the standard error of the mean.
fn spread(numbers: &[f64]) -> (f64, f64, f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let square = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let bound = |pick: fn(f64, f64) -> f64| numbers.iter().copied().reduce(pick).unwrap_or(mean);
    (mean, bound(f64::min), bound(f64::max), (square / n).sqrt())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [simulations, nodes, seeds, openings @ ..] = &arguments[..] else {
        return Err("give simulations, nodes, lines of an opening, and openings".into());
    };
    let (simulations, nodes, seeds): (u64, u64, u64) = (simulations.parse()?, nodes.parse()?, seeds.parse()?);
    let limits = Limits::none().nodes(nodes).bytes(1 << 30);
    let mut by_left = Vec::<Vec<Option<u64>>>::new();
    let mut fits = ["solved", "with the limit"].map(|name| (name, Vec::new(), Vec::new()));
    for (opening, seed) in openings.iter().flat_map(|opening| (1..=seeds).map(move |seed| (opening, seed))) {
        let moves = line(opening, simulations, seed)?;
        let end = after(&moves)?;
        let winner = end.outcome().and_then(Outcome::winner);
        let won =
            winner.map_or("a draw".to_owned(), |side| format!("{} wins by {}", colour(side), end.kinds()));
        println!("{opening}, seed {seed}, {} plies, {won}:", moves.len());
        let start = Position::new(5)?;
        println!("  {}", moves.iter().map(|&mv| start.move_text(mv)).collect::<Vec<_>>().join(" "));
        let (mut points, mut row, mut missed) = ([Vec::new(), Vec::new()], Vec::new(), 0);
        for left in 1..moves.len() {
            let report = Solver::default().think(&after(&moves[..moves.len() - left])?, &limits);
            let solved = report.proven.map(|_| report.nodes);
            eprintln!("{opening} {seed}: {left} plies left, {solved:?}");
            by_left.resize_with(by_left.len().max(left), Vec::new);
            by_left[left - 1].push(solved);
            row.push(solved.map_or("–".to_owned(), |nodes| nodes.to_string()));
            let point = |n: u64| (n >= LEAST).then(|| (left as f64, (n as f64).log10()));
            points[0].extend(solved.and_then(point));
            points[1].extend(point(solved.unwrap_or(nodes)));
            missed = if solved.is_some() { 0 } else { missed + 1 };
            if missed == 2 {
                break;
            }
        }
        println!("  nodes by plies left: {}", row.join(" "));
        for (fits, points) in fits.iter_mut().zip(&points) {
            if let Some((slope, base)) = fit(points) {
                let opening = base + slope * (moves.len() - 1) as f64;
                println!("  {}: × {:.2} a ply, opening 10^{opening:.1}", fits.0, 10_f64.powf(slope));
                fits.1.push(slope);
                fits.2.push(opening);
            }
        }
    }
    println!("plies left  solved  nodes (geometric mean; unsolved ones with the limit)");
    for (i, row) in by_left.iter().enumerate() {
        let solved = row.iter().flatten().count();
        let log =
            row.iter().map(|n| n.unwrap_or(nodes) as f64).map(f64::log10).sum::<f64>() / row.len() as f64;
        println!("{:10}  {solved:2} of {:<2}  {:.0}", i + 1, row.len(), 10_f64.powf(log));
    }
    for (name, growths, openings) in fits.iter().filter(|fits| !fits.1.is_empty()) {
        let lines = growths.len();
        let (growth, opening) = (spread(growths), spread(openings));
        let [mean, least, most] = [growth.0, growth.1, growth.2].map(|x| 10_f64.powf(x));
        println!("{name}, lines: {lines}; growth a ply: × {mean:.2}, × {least:.2} to × {most:.2}");
        let (mean, least, most, error) = opening;
        println!(
            "  opening: 10^{mean:.1} nodes, 10^{least:.1} to 10^{most:.1}, standard error 10^{error:.1}"
        );
    }
    Ok(())
}
