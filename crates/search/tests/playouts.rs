//! Playouts for any game: they end, their moves are traced, and a game cut short is a draw.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_game::Player;
use stonework_game::example::Nim;
use stonework_search::{PlayoutPolicy, RandomPlayout};

#[test]
fn playouts_end_and_are_traced() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut playout = RandomPlayout::new(100);
    let mut sum = 0.0;
    for _ in 0..1000 {
        let result = playout.run(&Nim::new(9), &mut rng);
        sum += result;
        assert_eq!(playout.trace().map(|(_, take)| u32::from(take)).sum::<u32>(), 9);
        let last = playout.trace().last().map(|(player, _)| player);
        assert!((result - if last == Some(Player::First) { 1.0 } else { -1.0 }).abs() < f32::EPSILON);
    }
    assert!(sum.abs() < 900.0);
}

#[test]
fn a_playout_that_does_not_end_in_time_is_a_draw() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut playout = RandomPlayout::new(3);
    assert!(playout.run(&Nim::new(9), &mut rng).abs() < f32::EPSILON);
    assert_eq!(playout.trace().count(), 3);
    assert!((RandomPlayout::new(0).run(&Nim::new(0), &mut rng) + 1.0).abs() < f32::EPSILON);
}
