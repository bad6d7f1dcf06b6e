//! The arithmetic of a layer of whole numbers: sums are exact, so that every processor finds the same ones.
//!
//! Two products of numbers of 16 bits and their sum are one operation of a vector, which has twice as many such numbers as floats.
#![expect(clippy::inline_always, reason = "compiled for the vectors of the caller")]

use super::kernel::{CHANNELS, LANES, Lanes, Row, TILE, WEIGHTS, place};

/// The pairs of channels of a cell.
const PAIRS: usize = CHANNELS / 2;
/// The greatest number of a cell.
const MOST: f32 = 8191.0;
/// A number whose sum with a small one has no room for a fraction: the last bits of the sum are the small one, rounded.
const ROUNDING: f32 = 12_582_912.0;
/// The greatest sum of the weights of an output, without their signs: products of all of them with [`MOST`] stay below 2³¹.
const MOST_WEIGHTS: f32 = 262_000.0;

/// The numbers of a cell: in each pair a channel, and the channel 16 after it.
pub(super) type PairRow = [i32; PAIRS];
/// The weights from a pair of channels to the lanes of an output half.
type Pair = [[i16; 2]; LANES];

/// The weights of a layer as whole numbers. A weight is this number, times the unit of its output.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct WholeLayer {
    /// For each half of the outputs and each direction.
    weights: Vec<[Pair; PAIRS]>,
    units: Row,
}

impl WholeLayer {
    /// The weights of a layer.
    pub(super) fn new(weights: &[f32]) -> Self {
        assert_eq!(weights.len(), WEIGHTS);
        let of = |output: usize| {
            (0..7).flat_map(move |direction| {
                (0..CHANNELS).map(move |input| weights[place(direction, input, output)])
            })
        };
        let units: Row = std::array::from_fn(|output| {
            let sum: f32 = of(output).map(f32::abs).sum();
            let most = of(output).map(f32::abs).fold(0.0, f32::max);
            (sum / MOST_WEIGHTS).max(most / f32::from(i16::MAX))
        });
        let whole = |direction: usize, input: usize, output: usize| {
            let unit = units[output];
            // Numbers of a file may be so large that their unit is none.
            if unit > 0.0 && unit.is_finite() {
                (weights[place(direction, input, output)] / unit).round() as i16
            } else {
                0
            }
        };
        let block = |half: usize, direction: usize| {
            std::array::from_fn(|pair| {
                std::array::from_fn(|lane| {
                    std::array::from_fn(|at| whole(direction, pair + at * PAIRS, half * LANES + lane))
                })
            })
        };
        let weights =
            (0..CHANNELS / LANES).flat_map(|half| (0..7).map(move |direction| block(half, direction)));
        Self { weights: weights.collect(), units }
    }

    /// One layer, as [`layer`](super::kernel::layer): the rows of all cells from whole numbers with this unit.
    #[inline(always)]
    pub(super) fn run(
        &self,
        bias: &[f32],
        near: &[[u16; 7]],
        (rows, unit): (&[PairRow], f32),
        out: &mut [Row],
    ) {
        let last = near.len() - 1;
        let halves: [[Lanes; 2]; CHANNELS / LANES] = std::array::from_fn(|half| {
            let lane = |lane: usize| half * LANES + lane;
            [std::array::from_fn(|at| self.units[lane(at)] * unit), std::array::from_fn(|at| bias[lane(at)])]
        });
        for first in (0..near.len()).step_by(TILE) {
            let rows = |direction: usize| {
                std::array::from_fn(|at| &rows[usize::from(near[(first + at).min(last)][direction])])
            };
            for (half, (weights, [units, bias])) in self.weights.chunks_exact(7).zip(&halves).enumerate() {
                for (sums, out) in sums(weights, rows).iter().zip(&mut out[first..]) {
                    let mut row = *bias;
                    for lane in 0..LANES {
                        row[lane] += sums[lane] as f32 * units[lane];
                    }
                    out[half * LANES..][..LANES].copy_from_slice(&row);
                }
            }
        }
    }
}

/// Whole numbers for the rows of cells, and their unit.
#[inline(always)]
pub(super) fn whole_rows(rows: &[Row], out: &mut [PairRow]) -> f32 {
    let mut most = [0.0_f32; CHANNELS];
    for row in rows {
        for at in 0..CHANNELS {
            most[at] = most[at].max(row[at].abs());
        }
    }
    let most = most.into_iter().fold(0.0, f32::max);
    let scale = if most > 0.0 { MOST / most } else { 0.0 };
    for (row, out) in rows.iter().zip(out) {
        for at in 0..PAIRS {
            #[expect(
                clippy::manual_clamp,
                reason = "here a number that is none also ends between the limits"
            )]
            let whole = |number: f32| {
                let number = (number * scale).max(-MOST).min(MOST);
                (number + ROUNDING).to_bits() as i32 - ROUNDING.to_bits() as i32
            };
            out[at] = whole(row[at]) & 0xffff | whole(row[at + PAIRS]) << 16;
        }
    }
    most / MOST
}

/// The sums of the products of a tile of cells with the weights of an output half, `rows` by direction.
#[inline(always)]
fn sums<'a>(weights: &[[Pair; PAIRS]], rows: impl Fn(usize) -> [&'a PairRow; TILE]) -> [[i32; LANES]; TILE] {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return sums_by_vectors(simd, weights, rows);
    }
    sums_one_by_one(weights, rows)
}

/// [`sums`] without an operation for pairs.
#[inline(always)]
fn sums_one_by_one<'a>(
    weights: &[[Pair; PAIRS]],
    rows: impl Fn(usize) -> [&'a PairRow; TILE],
) -> [[i32; LANES]; TILE] {
    let mut sums = [[0; LANES]; TILE];
    for (direction, weights) in weights.iter().enumerate() {
        let rows = rows(direction);
        for (pair, weights) in weights.iter().enumerate() {
            for at in 0..TILE {
                let both = rows[at][pair];
                for lane in 0..LANES {
                    let [low, high] = weights[lane].map(i32::from);
                    sums[at][lane] += i32::from(both as i16) * low + (both >> 16) * high;
                }
            }
        }
    }
    sums
}

/// [`sums`] by vectors of 256 bits.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn sums_by_vectors<'a>(
    simd: pulp::x86::V3,
    weights: &[[Pair; PAIRS]],
    rows: impl Fn(usize) -> [&'a PairRow; TILE],
) -> [[i32; LANES]; TILE] {
    let mut sums = [[simd.avx._mm256_setzero_si256(); 2]; TILE];
    for (direction, weights) in weights.iter().enumerate() {
        let rows = rows(direction);
        for (pair, &weights) in weights.iter().enumerate() {
            let weights: [_; 2] = pulp::cast(weights);
            for at in 0..TILE {
                let both = simd.avx._mm256_set1_epi32(rows[at][pair]);
                for half in 0..2 {
                    let products = simd.avx2._mm256_madd_epi16(both, weights[half]);
                    sums[at][half] = simd.avx2._mm256_add_epi32(sums[at][half], products);
                }
            }
        }
    }
    sums.map(pulp::cast)
}

#[cfg(test)]
mod tests {
    use rand_core::{RngCore, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Random numbers from −1 to 1.
    fn noise(rng: &mut impl RngCore) -> f32 {
        rng.next_u32() as f32 / u32::MAX as f32 * 2.0 - 1.0
    }

    #[test]
    fn sums_are_exact_and_the_same_with_and_without_vectors() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for round in 0..20 {
            // The last layers have one sign and their greatest numbers, where sums are as large as they can be.
            let weights: Vec<f32> =
                (0..WEIGHTS).map(|_| if round < 18 { noise(&mut rng) } else { 1.0 }).collect();
            let layer = WholeLayer::new(&weights);
            let row = |_| -> Row { std::array::from_fn(|_| if round < 18 { noise(&mut rng) } else { 3.0 }) };
            let floats: [Row; TILE] = std::array::from_fn(row);
            let mut rows = [PairRow::default(); TILE];
            whole_rows(&floats, &mut rows);
            let tile = |_: usize| rows.each_ref();
            let halves = layer.weights.chunks_exact(7);
            for weights in halves {
                let slow = sums_one_by_one(weights, tile);
                assert_eq!(slow, sums(weights, tile));
                for (at, row) in rows.iter().enumerate() {
                    for lane in 0..LANES {
                        let pairs = weights.iter().flat_map(|direction| direction.iter().zip(row));
                        let sum: i64 = pairs
                            .map(|(weights, &both)| {
                                let [low, high] = weights[lane].map(i64::from);
                                i64::from(both as i16) * low + i64::from(both >> 16) * high
                            })
                            .sum();
                        assert_eq!(sum, i64::from(slow[at][lane]));
                    }
                }
            }
        }
    }

    #[test]
    fn rows_are_whole_numbers_of_their_unit() {
        let rows = [std::array::from_fn(|at| at as f32 - 10.0), [0.0; CHANNELS]];
        let mut out = [PairRow::default(); 2];
        let unit = whole_rows(&rows, &mut out);
        for (row, out) in rows.iter().zip(&out) {
            for (at, &both) in out.iter().enumerate() {
                for (number, whole) in [(row[at], both as i16), (row[at + PAIRS], (both >> 16) as i16)] {
                    assert!((f32::from(whole) * unit - number).abs() <= 0.5001 * unit, "{number} {whole}");
                }
            }
        }
        assert!(whole_rows(&[[0.0; CHANNELS]], &mut out) == 0.0 && out[0] == PairRow::default());
        // Numbers that are none, or endless, are something within the limits.
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            whole_rows(&[[wrong; CHANNELS], rows[0]], &mut out);
            let halves = out.iter().flatten().flat_map(|&both| [both as i16, (both >> 16) as i16]);
            assert!(halves.into_iter().all(|half| half.unsigned_abs() <= MOST as u16), "{wrong}: {out:?}");
        }
    }
}
