//! The arithmetic of a layer: loops over channels that [`vectorised`](super::vectors::vectorised) compiles for the vectors of the processor.
//!
//! Products are added by fused operations, in one order, so that all machines find the same numbers. A processor without fused
//! operations works them out in software, slowly.
#![expect(clippy::inline_always, reason = "compiled for the vectors of the caller")]

/// The channels of a layer: the numbers that a cell has.
pub const CHANNELS: usize = 32;
/// The channels that are computed together.
pub(super) const LANES: usize = 16;
/// The numbers of the lanes of a cell.
pub(super) type Lanes = [f32; LANES];
/// The numbers of a cell.
pub(super) type Row = [f32; CHANNELS];
/// The numbers of weights of a layer from channels to channels: for each half of its outputs, the cell and its neighbours in six
/// directions, all inputs.
pub(super) const WEIGHTS: usize = CHANNELS * INPUTS;
/// The inputs of a cell of a layer.
const INPUTS: usize = 7 * CHANNELS;
/// The cells that are computed together: with vectors of 256 bits their sums stay in registers.
pub(super) const TILE: usize = 4;

/// The place of a weight in a layer: its direction (0 is the cell itself), input and output.
pub(super) const fn place(direction: usize, input: usize, output: usize) -> usize {
    ((output / LANES * 7 + direction) * CHANNELS + input) * LANES + output % LANES
}

/// The weights of the layer that leads gradients back.
pub(super) fn reversed(weights: &[f32]) -> Vec<f32> {
    let mut back = vec![0.0; WEIGHTS];
    for direction in 0..7 {
        let opposite = if direction == 0 { 0 } else { (direction + 2) % 6 + 1 };
        for input in 0..CHANNELS {
            for output in 0..CHANNELS {
                back[place(opposite, output, input)] = weights[place(direction, input, output)];
            }
        }
    }
    back
}

/// Adds the products of the numbers of a tile of rows with their weights.
#[inline(always)]
pub(super) fn add_products(weights: &[f32], rows: [&Row; TILE], sums: &mut [Lanes; TILE]) {
    let (weights, _) = weights[..CHANNELS * LANES].as_chunks::<LANES>();
    for (input, weights) in weights.iter().enumerate() {
        // Loops over numbers: with iterators the sums would not stay in registers.
        for at in 0..TILE {
            let number = rows[at][input];
            for lane in 0..LANES {
                sums[at][lane] = number.mul_add(weights[lane], sums[at][lane]);
            }
        }
    }
}

/// One layer: the rows of all cells from the rows of the cells around. `rows` has one row of zeros more than there are cells, for
/// the cells outside; such a row of `out` stays as it is.
#[inline(always)]
pub(super) fn layer(weights: &[f32], bias: &[f32], near: &[[u16; 7]], rows: &[Row], out: &mut [Row]) {
    let last = near.len() - 1;
    for first in (0..near.len()).step_by(TILE) {
        for (half, weights) in weights.chunks_exact(LANES * INPUTS).enumerate() {
            let mut sums = [[0.0; LANES]; TILE];
            for sums in &mut sums {
                sums.copy_from_slice(&bias[half * LANES..][..LANES]);
            }
            for (direction, weights) in weights.chunks_exact(LANES * CHANNELS).enumerate() {
                let rows =
                    std::array::from_fn(|at| &rows[usize::from(near[(first + at).min(last)][direction])]);
                add_products(weights, rows, &mut sums);
            }
            for at in 0..TILE {
                if first + at <= last {
                    out[first + at][half * LANES..][..LANES].copy_from_slice(&sums[at]);
                }
            }
        }
    }
}

/// Adds the gradients of a layer's weights: `rows` as in [`layer`], and the gradients of the layer's outputs.
#[inline(always)]
pub(super) fn weight_gradients(near: &[[u16; 7]], rows: &[Row], back: &[Row], out: &mut [f32]) {
    let (out, _) = out[..WEIGHTS].as_chunks_mut::<LANES>();
    for (half, out) in out.chunks_exact_mut(INPUTS).enumerate() {
        for direction in 0..7 {
            let out = &mut out[direction * CHANNELS..][..CHANNELS];
            for (tile, out) in out.chunks_exact_mut(TILE).enumerate() {
                let mut sums: [Lanes; TILE] = std::array::from_fn(|at| out[at]);
                for (near, back) in near.iter().zip(back) {
                    let row = &rows[usize::from(near[direction])][tile * TILE..][..TILE];
                    let back: &[f32] = &back[half * LANES..][..LANES];
                    for (sums, &number) in sums.iter_mut().zip(row) {
                        for lane in 0..LANES {
                            sums[lane] = number.mul_add(back[lane], sums[lane]);
                        }
                    }
                }
                out.copy_from_slice(&sums);
            }
        }
    }
}
