//! Times of the measures, for the tables in their documentation.

use std::hint::black_box;
use std::time::Instant;

use stonework_game::{Game, Player, below, rng};
use stonework_havannah::{Position, WinKind};
use stonework_havannah_analysis::{Distances, TwoDistances};

/// The microseconds of a call: the least mean of five rounds over all positions.
fn micros(positions: &[Position], mut call: impl FnMut(&Position)) -> f64 {
    let mut round = || {
        let begin = Instant::now();
        positions.iter().for_each(&mut call);
        begin.elapsed().as_secs_f64() * 1e6 / positions.len() as f64
    };
    (0..5).map(|_| round()).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "prints times: cargo test --release -p stonework-havannah-analysis --test speed -- --ignored --nocapture (docs/lab/analysis.md)"]
fn times_of_a_call() {
    for size in [5, 8, 10, 20] {
        let (mut rng, mut positions) = (rng(1), Vec::new());
        while positions.len() < 20 {
            // Random games, with a fifth to three fifths of the board filled.
            let mut game = Position::new(size).unwrap();
            let cells = game.board().len();
            for _ in 0..cells / 5 + below(&mut rng, 2 * cells / 5) {
                let moves = game.moves();
                if !moves.is_empty() {
                    game.play_unchecked(moves[below(&mut rng, moves.len())]);
                }
            }
            if game.outcome().is_none() {
                positions.push(game);
            }
        }
        let mut measure = Distances::new(size).unwrap();
        let mut two = TwoDistances::new(size).unwrap();
        let load = micros(&positions, |position| measure.load(position, Player::First));
        let after = |mut call: Box<dyn FnMut(&mut Distances)>| {
            let mut measure = measure.clone();
            let all = micros(&positions, move |position| {
                measure.load(position, Player::First);
                call(&mut measure);
            });
            all - load
        };
        println!("size {size}: load {load:.1} µs");
        println!("  bridge {:.2}", after(Box::new(|m| _ = black_box(m.bridge()))));
        println!("  fork {:.2}", after(Box::new(|m| _ = black_box(m.fork()))));
        println!("  ring {:.1}", after(Box::new(|m| _ = black_box(m.ring()))));
        for kind in WinKind::ALL {
            println!("  map of {kind} {:.1}", after(Box::new(move |m| _ = black_box(m.map(kind).least()))));
        }
        println!("  two-distances {:.1}", micros(&positions, |position| two.load(position, Player::First)));
        println!("    potential of forks {:.2}", micros(&positions, |_| _ = black_box(two.fork())));
        let with_ring = micros(&positions, |position| {
            two.load(position, Player::First);
            black_box(two.ring());
        });
        println!("    load and potential of rings {with_ring:.1}");
        let empty = [Position::new(size).unwrap()];
        let ring = micros(&empty, |position| {
            measure.load(position, Player::First);
            black_box(measure.ring());
        });
        let map = micros(&empty, |position| {
            measure.load(position, Player::First);
            black_box(measure.map(WinKind::Ring).least());
        });
        println!("  empty board: load and ring {ring:.1}, load and map of rings {map:.1}");
    }
}
