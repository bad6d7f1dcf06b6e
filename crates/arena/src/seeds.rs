//! Seeds of the parts of an event, from the one seed of the whole.

use stonework_game::scatter;

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
