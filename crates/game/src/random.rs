//! Random choices.

use rand_core::RngCore;

/// A number below `n`, each as likely as the others but for one part in 2⁶⁴ ÷ `n`; 0 if `n` is 0. Takes one
/// number from the generator, so that a caller's seed says what is chosen.
///
/// ```
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
/// use stonework_game::{Game, below, example::Nim};
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// let (mut nim, mut moves) = (Nim::new(20), Vec::new());
/// while nim.outcome().is_none() {
///     moves.clear();
///     nim.legal_moves(&mut moves);
///     nim.play(moves[below(&mut rng, moves.len())])?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn below(rng: &mut (impl RngCore + ?Sized), n: usize) -> usize {
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}
