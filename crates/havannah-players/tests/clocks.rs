//! The share of a clock that a player uses in whole games.

use std::time::Duration;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, EngineAgent};
use stonework_search::{Engine, Limits, Report, SearchContext};

/// The time of each side at the beginning.
const ALL: Duration = Duration::from_secs(100);

/// An engine that searches no longer than is enough, or as long as it may, and notes the time of its last search.
struct Spending {
    hesitant: bool,
    last: Duration,
}

impl Engine<Position> for Spending {
    fn search(&mut self, root: &Position, limits: &Limits, _: SearchContext<'_, Move>) -> Report<Move> {
        let time = if self.hesitant { limits.time } else { limits.enough };
        self.last = time.expect("a clock runs");
        Report { best: root.moves().first().copied(), ..Report::empty() }
    }
}

/// The share of its clock that the first side has used after each ply of a random game, and the game's number of plies.
fn used(size: u8, seed: u64, hesitant: bool, plies: usize) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Position::new(size).unwrap();
    let mut agent = EngineAgent::new(Spending { hesitant, last: Duration::ZERO }, Limits::none(), 1);
    let mut left = ALL;
    let mut used = Vec::new();
    while game.outcome().is_none() && used.len() < plies {
        if game.to_move() == Player::First {
            agent.decide(&game, &Clock { left: Some(left), ..Clock::NONE });
            let last = agent.engine().last;
            assert!(last < left && !last.is_zero(), "{last:?} of {left:?} on {game:?}");
            left -= last;
        }
        used.push(1.0 - left.as_secs_f64() / ALL.as_secs_f64());
        let moves = game.moves();
        game.play(moves[rng.next_u64() as usize % moves.len()]).unwrap();
    }
    used
}

#[test]
fn a_clock_is_never_used_up_in_games_of_any_length() {
    for size in [2, 3, 4, 5, 6, 8, 10] {
        for seed in 0..20 {
            for hesitant in [false, true] {
                assert!(*used(size, seed, hesitant, usize::MAX).last().unwrap() < 1.0);
            }
        }
    }
}

#[test]
fn most_of_a_clock_is_used_in_a_game_of_usual_length() {
    // The usual lengths, with the share that the agent would use if it expected 40 moves of its own.
    for (size, plies, before) in [(4, 17, 0.25), (5, 24, 0.32), (6, 36, 0.47), (8, 60, 0.8), (10, 72, 0.95)] {
        for seed in 0..10 {
            let used = used(size, seed, false, plies);
            // A few random games end before.
            if used.len() < plies {
                continue;
            }
            let used = used[plies - 1];
            assert!((0.6..0.97).contains(&used), "size {size}: {used}");
            assert!(size > 6 || used > 1.5 * before, "size {size}: {used}, before {before}");
        }
    }
}
