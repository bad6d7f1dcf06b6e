//! Networks as files of the format `safetensors`.

use std::ops::Range;

use safetensors::SafeTensors;
use safetensors::tensor::Dtype;

use super::kernel::{CHANNELS, LANES, WEIGHTS, place};
use super::net::{BlockShape, HIDDEN, LatticeNet, MAX_BLOCKS, MAX_PLANES, POOLED, Shape, Weights};
use crate::FileError;
use crate::file::{halves, read_floats, tensor, written};

/// The natural order of the weights of a layer: direction, input, output.
fn natural() -> impl Iterator<Item = usize> {
    let outputs = |direction, input| (0..CHANNELS).map(move |output| place(direction, input, output));
    (0..7).flat_map(move |direction| (0..CHANNELS).flat_map(move |input| outputs(direction, input)))
}

impl LatticeNet {
    /// The network as the bytes of a file, with words about it, such as the command that made it. Equal networks and words give
    /// equal bytes. The numbers are rounded to floats of 16 bits, and finite numbers beyond ±65 504 to these two; a network that was read from a
    /// file of 16 bits is written as it was.
    ///
    /// | tensor, all `F16` | shape |
    /// |---|---|
    /// | `planes`, `planes_bias` | 7 directions × planes × 32, and 32 |
    /// | `first`, `first_bias`, `second`, `second_bias` | blocks × 7 directions × 32 × 32, and blocks × 32 |
    /// | `pool`, `pool_bias` | blocks × 64 × 32, and blocks × 32 |
    /// | `chance`, `chance_bias`, `chance_out`, `chance_out_bias` | 32 × 16, 16, 16, 1 |
    /// | `value`, `value_bias`, `hidden`, `hidden_bias`, `out`, `out_bias` | 32 × 16, 16, 32 × 32, 32, 32, 1 |
    ///
    /// Direction 0 is the cell itself, and direction d + 1 its neighbour in direction d of the [`Lattice`](crate::Lattice).
    #[must_use]
    pub fn to_bytes(&self, about: &[(&str, &str)]) -> Vec<u8> {
        let Weights { shape, numbers } = self.weights();
        let plain =
            |shape: &[usize], places: &Range<usize>| halves(shape, numbers[places.clone()].iter().copied());
        let count = shape.blocks.len();
        let layers = |of: fn(&BlockShape) -> &Range<usize>| {
            let all = shape.blocks.iter().map(of);
            halves(
                &[count, 7, CHANNELS, CHANNELS],
                all.flat_map(|places| natural().map(|at| numbers[places.start + at])),
            )
        };
        let many = |rest: &[usize], of: fn(&BlockShape) -> &Range<usize>| {
            let all = shape.blocks.iter().flat_map(|block| numbers[of(block).clone()].iter().copied());
            halves(&[&[count], rest].concat(), all)
        };
        let tensors = vec![
            ("planes", plain(&[7, shape.planes, CHANNELS], &shape.first)),
            ("planes_bias", plain(&[CHANNELS], &shape.first_bias)),
            ("first", layers(|block| &block.first)),
            ("first_bias", many(&[CHANNELS], |block| &block.first_bias)),
            ("pool", many(&[POOLED, CHANNELS], |block| &block.pool)),
            ("pool_bias", many(&[CHANNELS], |block| &block.pool_bias)),
            ("second", layers(|block| &block.second)),
            ("second_bias", many(&[CHANNELS], |block| &block.second_bias)),
            ("chance", plain(&[CHANNELS, LANES], &shape.chance)),
            ("chance_bias", plain(&[LANES], &shape.chance_bias)),
            ("chance_out", plain(&[LANES], &shape.chance_out)),
            ("chance_out_bias", plain(&[1], &shape.chance_out_bias)),
            ("value", plain(&[CHANNELS, LANES], &shape.value)),
            ("value_bias", plain(&[LANES], &shape.value_bias)),
            ("hidden", plain(&[2 * LANES, HIDDEN], &shape.hidden)),
            ("hidden_bias", plain(&[HIDDEN], &shape.hidden_bias)),
            ("out", plain(&[HIDDEN], &shape.out)),
            ("out_bias", plain(&[1], &shape.out_bias)),
        ];
        written(about, tensors)
    }

    /// Reads the bytes of a file, in which all numbers are floats of 16 bits or all of 32. O(bytes).
    ///
    /// # Errors
    /// An error that names the tensor that is missing, has another type or shape, or has a number that is not finite.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let file = SafeTensors::deserialize(bytes)?;
        let dtype = if file.tensor("planes")?.dtype() == Dtype::F32 { Dtype::F32 } else { Dtype::F16 };
        let seven = [Some(7), None, Some(CHANNELS)];
        let planes = tensor(&file, "planes", dtype, &seven)?.shape()[1];
        let blocks = tensor(&file, "first_bias", dtype, &[None, Some(CHANNELS)])?.shape()[0];
        for (name, found, most) in [("planes", planes, MAX_PLANES), ("first_bias", blocks, MAX_BLOCKS)] {
            if found > most {
                let needed = format!("at most {most} {}", if name == "planes" { name } else { "blocks" });
                let of = file.tensor(name)?;
                return Err(FileError::Shape { name, found: of.dtype(), shape: of.shape().to_vec(), needed });
            }
        }
        let shape = Shape::new(planes, blocks);
        let mut numbers = vec![0.0; shape.count];
        let read = |name, shape: &[usize]| {
            let shape: Vec<Option<usize>> = shape.iter().copied().map(Some).collect();
            read_floats(&tensor(&file, name, dtype, &shape)?, name)
        };
        for (name, of, places) in [
            ("planes", &[7, planes, CHANNELS][..], &shape.first),
            ("planes_bias", &[CHANNELS], &shape.first_bias),
            ("chance", &[CHANNELS, LANES], &shape.chance),
            ("chance_bias", &[LANES], &shape.chance_bias),
            ("chance_out", &[LANES], &shape.chance_out),
            ("chance_out_bias", &[1], &shape.chance_out_bias),
            ("value", &[CHANNELS, LANES], &shape.value),
            ("value_bias", &[LANES], &shape.value_bias),
            ("hidden", &[2 * LANES, HIDDEN], &shape.hidden),
            ("hidden_bias", &[HIDDEN], &shape.hidden_bias),
            ("out", &[HIDDEN], &shape.out),
            ("out_bias", &[1], &shape.out_bias),
        ] {
            numbers[places.clone()].copy_from_slice(&read(name, of)?);
        }
        let layer = [blocks, 7, CHANNELS, CHANNELS];
        let (first, second) = (read("first", &layer)?, read("second", &layer)?);
        let pool = read("pool", &[blocks, POOLED, CHANNELS])?;
        let [first_bias, pool_bias, second_bias] =
            ["first_bias", "pool_bias", "second_bias"].map(|name| read(name, &[blocks, CHANNELS]));
        let (first_bias, pool_bias, second_bias) = (first_bias?, pool_bias?, second_bias?);
        for (at, block) in shape.blocks.iter().enumerate() {
            for (from, to) in [(&first, &block.first), (&second, &block.second)] {
                for (number, place) in from[at * WEIGHTS..].iter().zip(natural()) {
                    numbers[to.start + place] = *number;
                }
            }
            for (from, to) in [
                (&pool, &block.pool),
                (&first_bias, &block.first_bias),
                (&pool_bias, &block.pool_bias),
                (&second_bias, &block.second_bias),
            ] {
                numbers[to.clone()].copy_from_slice(&from[at * to.len()..][..to.len()]);
            }
        }
        Ok(Weights { shape, numbers }.into())
    }
}
