//! Seeds of the parts of an event, from the one seed of the whole.

/// The output function of `SplitMix64` (G. Steele, D. Lea, C. Flood, 2014): a bijection that scatters.
const fn scatter(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The seed of a numbered part of a kind.
const fn part(seed: u64, kind: u64, number: usize) -> u64 {
    scatter(scatter(scatter(seed) ^ kind) ^ number as u64)
}

/// Of the opening of a pair.
pub(crate) const fn opening(seed: u64, pair: usize) -> u64 {
    part(seed, 1, pair)
}

/// Of a side in a game: 0 for the first, 1 for the second.
pub(crate) const fn side(seed: u64, game: usize, side: usize) -> u64 {
    part(seed, 2 + side as u64, game)
}

/// Of a round of a tuner, for its own choices.
pub(crate) const fn round(seed: u64, round: usize) -> u64 {
    part(seed, 4, round)
}

/// Of a trial of a tuner.
pub(crate) const fn trial(seed: u64, trial: usize) -> u64 {
    part(seed, 5, trial)
}
