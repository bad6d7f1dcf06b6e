//! Tests of playouts for any game: a playout ends, the trace has the moves of the playout, and a game that is not
//! played to its end is a draw.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_game::Player;
use stonework_game::example::Nim;
use stonework_search::{PlayoutPolicy, RandomPlayout};

#[test]
fn playouts_end_and_have_a_trace() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut playout = RandomPlayout::new(100);
    let mut sum = 0.0;
    for _ in 0..1000 {
        let result = playout.run(&Nim::new(9), &mut rng);
        sum += result;
        assert_eq!(playout.trace().map(|(_, take)| u32::from(take)).sum::<u32>(), 9);
        // The side that takes the last stone wins.
        let last = playout.trace().last().map(|(player, _)| player);
        assert!((result - if last == Some(Player::First) { 1.0 } else { -1.0 }).abs() < f32::EPSILON);
    }
    // Each side wins some playouts.
    assert!(sum.abs() < 900.0);
}

#[test]
fn a_playout_that_does_not_end_within_its_plies_is_a_draw() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut playout = RandomPlayout::new(3);
    assert!(playout.run(&Nim::new(9), &mut rng).abs() < f32::EPSILON);
    assert_eq!(playout.trace().count(), 3);
    // A game that is over has its result without a move: the second player has taken the last stone.
    assert!((RandomPlayout::new(0).run(&Nim::new(0), &mut rng) + 1.0).abs() < f32::EPSILON);
}
