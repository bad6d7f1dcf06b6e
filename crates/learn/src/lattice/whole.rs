//! A layer of whole numbers. A vector has twice as many numbers of 16 bits as floats, and [`Vectors::sums`] adds their products exactly.
#![expect(clippy::inline_always, reason = "compiled for the vectors of the caller")]

use super::kernel::{CHANNELS, LANES, Row, WEIGHTS, place};
use super::vectors::{CELLS, PAIRS, PairRow, PairWeights, Scale, Vectors};

/// The greatest number of a cell.
const MOST: f32 = 8191.0;
/// A number whose sum with a small one has no room for a fraction: the last bits of the sum are the small one, rounded.
const ROUNDING: f32 = 12_582_912.0;
/// The greatest sum of the weights of an output, without their signs: products of all of them with [`MOST`] stay below 2³¹.
const MOST_WEIGHTS: f32 = 262_000.0;

/// The weights of a layer as whole numbers. A weight is this number, times the unit of its output.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct WholeLayer {
    weights: Box<PairWeights>,
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
        let pair = |half: usize, direction: usize, pair: usize| {
            let of = |lane: usize, at: usize| whole(direction, pair + at * PAIRS, half * LANES + lane);
            std::array::from_fn(|lane| std::array::from_fn(|at| of(lane, at)))
        };
        let block = |half, direction| std::array::from_fn(|at| pair(half, direction, at));
        let weights = std::array::from_fn(|half| std::array::from_fn(|direction| block(half, direction)));
        Self { weights: Box::new(PairWeights(weights)), units }
    }

    /// One layer, as [`layer`](super::kernel::layer), from whole numbers with this unit. `finish` makes each number of `out` from the
    /// one before and the sum.
    #[inline(always)]
    pub(super) fn run(
        &self,
        vectors: impl Vectors,
        bias: &[f32],
        near: &[[u16; 7]],
        (rows, unit): (&[PairRow], f32),
        out: &mut [Row],
        finish: impl Fn(f32, f32) -> f32,
    ) {
        let last = near.len() - 1;
        let scale: Scale = std::array::from_fn(|half| {
            let lane = |lane: usize| half * LANES + lane;
            [std::array::from_fn(|at| self.units[lane(at)] * unit), std::array::from_fn(|at| bias[lane(at)])]
        });
        for first in (0..near.len()).step_by(CELLS) {
            let mut around = [[&rows[0]; CELLS]; 7];
            for at in 0..CELLS {
                for (around, &cell) in around.iter_mut().zip(&near[(first + at).min(last)]) {
                    around[at] = &rows[usize::from(cell)];
                }
            }
            let sums = vectors.sums(&self.weights, &around, &scale);
            for (out, sum) in out[first..].as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
                *out = finish(*out, *sum);
            }
        }
    }
}

/// Whole numbers for the rows of cells with `more` added to each, and their unit.
#[inline(always)]
pub(super) fn whole_rows(rows: &[Row], more: &Row, out: &mut [PairRow]) -> f32 {
    let mut most = [0.0_f32; CHANNELS];
    for row in rows {
        for at in 0..CHANNELS {
            most[at] = most[at].max((row[at] + more[at]).abs());
        }
    }
    let most = most.into_iter().fold(0.0, f32::max);
    let scale = if most > 0.0 { MOST / most } else { 0.0 };
    for (row, out) in rows.iter().zip(out) {
        for (at, both) in out.iter_mut().enumerate() {
            #[expect(
                clippy::manual_clamp,
                reason = "here a number that is none also ends between the limits"
            )]
            let whole = |at: usize| {
                let number = ((row[at] + more[at]) * scale).max(-MOST).min(MOST);
                (number + ROUNDING).to_bits() as i32 - ROUNDING.to_bits() as i32
            };
            *both = whole(at) & 0xffff | whole(at + PAIRS) << 16;
        }
    }
    most / MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products with [`MOST`] and their sums stay below 2³¹, as the sums of weights are limited.
    #[test]
    fn weights_leave_room_for_their_sums() {
        for one in [1.0_f32, -3e-5, 7e9] {
            let layer = WholeLayer::new(&vec![one; WEIGHTS]);
            for half in &layer.weights.0 {
                for lane in 0..LANES {
                    let weights = half.as_flattened().iter().flat_map(|pair| pair[lane]);
                    let sum: u32 = weights.map(|weight| u32::from(weight.unsigned_abs())).sum();
                    assert!(sum > 260_000 && sum <= i32::MAX as u32 / MOST as u32, "{sum}");
                }
            }
        }
    }

    #[test]
    fn rows_are_whole_numbers_of_their_unit() {
        let rows = [std::array::from_fn(|at| at as f32 - 10.0), [0.0; CHANNELS]];
        let more: Row = std::array::from_fn(|at| 3.0 - at as f32 / 2.0);
        let mut out = [PairRow::default(); 2];
        let unit = whole_rows(&rows, &more, &mut out);
        for (row, out) in rows.iter().zip(&out) {
            for (at, &both) in out.iter().enumerate() {
                for (at, whole) in [(at, both as i16), (at + PAIRS, (both >> 16) as i16)] {
                    let number = row[at] + more[at];
                    assert!((f32::from(whole) * unit - number).abs() <= 0.5001 * unit, "{number} {whole}");
                }
            }
        }
        assert!(
            whole_rows(&[[0.0; CHANNELS]], &[0.0; CHANNELS], &mut out) == 0.0 && out[0] == PairRow::default()
        );
        // Numbers that are none, or endless, are something within the limits.
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            whole_rows(&[[wrong; CHANNELS], rows[0]], &more, &mut out);
            let halves = out.iter().flatten().flat_map(|&both| [both as i16, (both >> 16) as i16]);
            assert!(halves.into_iter().all(|half| half.unsigned_abs() <= MOST as u16), "{wrong}: {out:?}");
        }
    }
}
