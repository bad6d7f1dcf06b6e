//! Random choices.

use rand_core::{RngCore, SeedableRng};

/// The generator of random numbers of this workspace, xoshiro256++.
///
/// *D. Blackman and S. Vigna, Scrambled linear pseudorandom number generators, 2021.*
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A generator from a seed. Equal seeds give equal numbers on every machine.
#[must_use]
pub fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// A random number below `n`, uniform up to one part in 2⁶⁴ ÷ `n`; 0 if `n` is 0. Takes one number from the generator.
///
/// ```
/// use stonework_game::{Game, below, example::Nim, rng};
/// let (mut nim, mut rng) = (Nim::new(20), rng(1));
/// while nim.outcome().is_none() {
///     let moves = nim.moves();
///     nim.play(moves[below(&mut rng, moves.len())])?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn below(rng: &mut (impl RngCore + ?Sized), n: usize) -> usize {
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}
