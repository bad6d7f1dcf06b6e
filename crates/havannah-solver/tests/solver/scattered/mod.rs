//! Random positions for the tests of the solver.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_game::Game;
use stonework_havannah::{Move, Position};

/// Random numbers from a seed.
pub(crate) fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A position with `stones` random stones in which no player has won.
pub(crate) fn scattered(size: u8, stones: usize, rng: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut position = Position::new(size).unwrap();
        while position.stone_count() < stones && position.outcome().is_none() {
            let cells: Vec<_> = position.empty_cells().collect();
            let cell = cells[rng.next_u64() as usize % cells.len()];
            position.play_unchecked(Move::Place(cell));
        }
        if position.outcome().is_none() && position.stone_count() == stones {
            return position;
        }
    }
}
