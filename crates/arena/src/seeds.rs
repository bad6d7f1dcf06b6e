//! The seeds of the parts of an event, derived from the seed of the event.

use stonework_game::scatter;

/// The seed of part `number` of a kind.
const fn part(seed: u64, kind: u64, number: usize) -> u64 {
    scatter(scatter(scatter(seed) ^ kind) ^ number as u64)
}

/// The seed of the opening of a pair.
pub(crate) const fn opening(seed: u64, pair: usize) -> u64 {
    part(seed, 1, pair)
}

/// The seed of a side in a game: side 0 is the first, side 1 the second.
pub(crate) const fn side(seed: u64, game: usize, side: usize) -> u64 {
    part(seed, 2 + side as u64, game)
}

/// The seed of a tuner's own choices in a round.
pub(crate) const fn round(seed: u64, round: usize) -> u64 {
    part(seed, 4, round)
}

/// The seed of a trial of a tuner.
pub(crate) const fn trial(seed: u64, trial: usize) -> u64 {
    part(seed, 5, trial)
}

/// The seed of a game of an engine against itself.
pub(crate) const fn self_play(seed: u64, game: usize) -> u64 {
    part(seed, 6, game)
}
