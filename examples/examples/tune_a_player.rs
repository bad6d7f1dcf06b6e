//! Tunes two weights of a Cover player by games against itself: what a stone is worth, and a location under attack.
//!
//! ```text
//! after 10 pairs of games: stone 250, threat 0
//! ```

use std::sync::atomic::AtomicBool;

use stonework::arena::tune::{Dimension, Spsa, Trial, Tuner, tune};
use stonework::cover::Position;
use stonework::cover_players::roster;
use stonework::game::{Game, Outcome, Player};
use stonework::roster::PlayerConfig;
use stonework::search::{Engine, Limits, SearchContext};

const WEIGHTS: [&str; 2] = ["stone", "threat"];

/// One game; the points of the side that begins.
fn game(weights: [&[f64]; 2], seed: u64) -> Result<f64, Box<dyn std::error::Error>> {
    let limits = Limits::none().nodes(60);
    let mut engines = Vec::new();
    for values in weights {
        let mut engine = roster(None).engine("bos", &PlayerConfig { seed, ..PlayerConfig::default() })?;
        for (name, value) in WEIGHTS.iter().zip(values) {
            engine.set_parameter(name, *value)?;
        }
        engines.push(engine);
    }
    let mut game = Position::new(2)?;
    for _ in 0..60 {
        if let Some(outcome) = game.outcome() {
            return Ok(f64::from(u8::from(outcome == Outcome::Win(Player::First))));
        }
        let engine = &mut engines[game.to_move().index()];
        let best = engine.search(&game, &limits, SearchContext::seed(seed)).best;
        game.play(best.ok_or("a game that goes on has a move")?)?;
    }
    Ok(0.5)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let weight =
        |name: &str, start: f64| Dimension { name: name.into(), start, least: 0.0, most: 500.0, whole: true };
    let mut spsa = Spsa::new(vec![weight("stone", 250.0), weight("threat", 18.0)], 5, 2, 1);
    // A pair with colours swapped; what cannot be played counts as a draw.
    let play = |trial: &Trial| {
        let [first, second] = [[&trial.a[..], &trial.b], [&trial.b, &trial.a]].map(|w| game(w, trial.seed));
        Some((first.unwrap_or(0.5) + 1.0 - second.unwrap_or(0.5)) / 2.0)
    };
    let mut trials = 0;
    tune(&mut spsa, &play, None, Vec::new(), 2, &AtomicBool::new(false), &mut |_| trials += 1)?;
    let best = spsa.best();
    println!("after {trials} pairs of games: {} {:.0}, {} {:.0}", WEIGHTS[0], best[0], WEIGHTS[1], best[1]);
    Ok(())
}
