//! Runs a workload so many times and says how many plies that were: for counting instructions, which
//! stay the same whatever else the machine does.
//!
//! ```text
//! cargo build --release -p stonework-benches
//! for games in 1000 2000; do
//!   valgrind --tool=callgrind --callgrind-out-file=/dev/null \
//!     target/release/instructions playout 10 $games
//! done
//! ```
//!
//! Instructions per ply are the difference of what `callgrind` reports ("Collected") by the difference of
//! the plies: what it takes to start has gone from both. Workloads:
//!
//! - `playout`: random games on a [`PlayoutBoard`], with reset and random numbers;
//! - `position`: 32 given games on a [`Position`](stonework_havannah::Position), in turn, there and back: a
//!   ply is a move made and taken back, with keys and winning cells.

use std::process::ExitCode;

use stonework_benches::{Games, rng};
use stonework_havannah::PlayoutBoard;

/// The number of games that are given; `GAMES` is rounded up to a multiple of it.
const GIVEN: u64 = 32;

fn playout(size: u8, games: u64) -> Option<u64> {
    let mut board = PlayoutBoard::new(size).ok()?;
    let mut rng = rng(1);
    let mut plies = 0;
    for _ in 0..games {
        board.reset();
        plies += u64::from(board.run(&mut rng).plies);
    }
    Some(plies)
}

fn position(size: u8, games: u64) -> Option<u64> {
    stonework_board::Board::hexagon(size).ok()?;
    let given = Games::random(size, GIVEN as usize);
    let (mut position, mut undos) = (given.start.clone(), Vec::new());
    let rounds = games.div_ceil(GIVEN);
    for _ in 0..rounds {
        assert_eq!(given.there_and_back(&mut position, &mut undos), given.keys);
    }
    Some(given.plies * rounds)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let plies = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [workload, size, games] => match (workload, size.parse(), games.parse()) {
            ("playout", Ok(size), Ok(games)) => playout(size, games),
            ("position", Ok(size), Ok(games)) => position(size, games),
            _ => None,
        },
        _ => None,
    };
    let Some(plies) = plies else {
        eprintln!("usage: instructions playout|position SIZE GAMES, with sizes from 2 to 20");
        return ExitCode::from(2);
    };
    println!("{plies} plies");
    ExitCode::SUCCESS
}
