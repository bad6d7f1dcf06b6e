//! How far Havannah of size 5 can be solved: positions by the number of their stones, each within some seconds: of the
//! processor's time with one thread, by the clock with two.
//!
//! Positions come from random play: uniformly chosen moves from the empty board on, by a generator whose seed is the number
//! of stones; games that somebody wins before there are so many stones are dropped. Each is solved anew with an empty table.
//! The mean is geometric, over all positions; those that were not solved count with the limit, so where there are any it is a bound
//! from below. The limit is looked at about once a second; what was solved after it counts as not solved.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example size_5 -- 60 100 30
//! stones  solved       white  black  draw     nodes
//!     30  100 of 100      64     36     0    0.07 M
//! ```
//!
//! Times go to standard error, with a line after each position.
//!
//! Arguments: the limit in seconds, how many positions, and numbers of stones; 1 5 30 26 without any; `twice` among
//! them for two threads. Results are in `docs/lab/solving.md`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cpu_time::ThreadTime;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_game::{Game, Outcome, Player};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::Solver;
use stonework_search::{Engine, Limits, Report, SearchContext};

/// A position of so many stones in which nobody has won.
fn position(stones: usize, rng: &mut impl RngCore) -> Position {
    loop {
        let mut position = Position::new(5).expect("there are boards of size 5");
        while position.stone_count() < stones && position.outcome().is_none() {
            let cells: Vec<_> = position.empty_cells().collect();
            let cell = cells[(rng.next_u64() % cells.len() as u64) as usize];
            position.play(Move::Place(cell)).expect("empty cells may be played");
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Outcome, seconds and nodes of one position.
fn solve(position: &Position, seconds: f64, twice: bool) -> (Option<Outcome>, f64, u64) {
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits::none().bytes(1 << 30).cancel(Arc::clone(&flag));
    let (cpu, clock) = (ThreadTime::now(), Instant::now());
    let elapsed = || if twice { clock.elapsed() } else { cpu.elapsed() }.as_secs_f64();
    let mut solver =
        Solver::new(Solver::options().threads(1 + usize::from(twice))).expect("one or two threads");
    let mut watch = |_: &Report<Move>| flag.store(elapsed() >= seconds, Ordering::Relaxed);
    let report = solver.search(position, &limits, SearchContext::default().watch(&mut watch));
    let spent = elapsed();
    (report.proven.filter(|_| spent <= seconds), spent, report.nodes)
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (seconds, count, stones) = match &numbers[..] {
        [seconds, count, stones @ ..] if !stones.is_empty() => (*seconds as f64, *count, stones.to_vec()),
        _ => (1.0, 5, vec![30, 26]),
    };
    let twice = std::env::args().any(|text| text == "twice");
    println!("stones  solved       white  black  draw     nodes");
    for stones in stones.into_iter().filter(|&stones| stones < 61) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(stones as u64);
        let (mut solved, mut outcomes, mut logarithms, mut most, mut nodes) = (0, [0; 3], 0.0, 0.0, 0);
        for i in 0..count {
            let (outcome, spent, visited) = solve(&position(stones, &mut rng), seconds, twice);
            solved += usize::from(outcome.is_some());
            match outcome {
                Some(Outcome::Win(Player::First)) => outcomes[0] += 1,
                Some(Outcome::Win(Player::Second)) => outcomes[1] += 1,
                Some(Outcome::Draw) => outcomes[2] += 1,
                None => {}
            }
            logarithms += spent.clamp(1e-5, seconds).ln();
            most = spent.max(most);
            nodes += visited;
            let [white, black, draw] = outcomes;
            let mean = (logarithms / (i + 1) as f64).exp();
            let millions = nodes as f64 / 1e6;
            let done = i + 1;
            let row = format!(
                "{stones:6}  {solved:3} of {done:<3}  {white:6} {black:6} {draw:5}  {millions:6.2} M"
            );
            // Times differ from run to run and stand apart, on the way too for those who wait.
            eprintln!("{row}, mean {mean:.4} s, most {most:.2} s");
            if done == count {
                println!("{row}");
            }
        }
    }
}
