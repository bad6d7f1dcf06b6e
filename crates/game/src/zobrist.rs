//! Hash words for the keys of positions.

/// The constant by which `SplitMix64` counts.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scatters the bits of a number: the output function of `SplitMix64`, a bijection. O(1).
///
/// *G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number generators, 2014.*
#[must_use]
#[inline]
pub const fn scatter(number: u64) -> u64 {
    let x = number.wrapping_add(GAMMA);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The hash word with a number, for Zobrist keys: the exclusive or of one word for each feature of a position, such as a
/// stone of a side on a cell. Words with different numbers differ. `const`, so that tables of words can be made at compile
/// time. O(1).
///
/// ```
/// use stonework_game::zobrist;
/// /// A stone of side 0 or 1 on a cell.
/// const fn stone(cell: u64, side: u64) -> u64 {
///     zobrist(2 * cell + side)
/// }
/// let key = stone(4, 0) ^ stone(7, 1);
/// assert_eq!(key ^ stone(7, 1), stone(4, 0));      // a stone is taken away as it was added
/// const TO_MOVE: u64 = zobrist(1000);
/// assert_ne!(TO_MOVE, zobrist(1001));
/// ```
///
/// *A. L. Zobrist, A new hashing method with application for game playing, 1970.* The words are the outputs of
/// `SplitMix64` from seed 0.
#[must_use]
#[inline]
pub const fn zobrist(number: u64) -> u64 {
    scatter(number.wrapping_mul(GAMMA))
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{RngCore, SeedableRng};

    use super::*;

    #[test]
    fn words_are_those_of_the_published_generator() {
        let mut generator = SplitMix64::seed_from_u64(0);
        for number in 0..1000 {
            assert_eq!(zobrist(number), generator.next_u64());
        }
    }
}
