//! Random numbers.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A random number below `n`.
pub(crate) fn below(n: usize, rng: &mut impl RngCore) -> usize {
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}
