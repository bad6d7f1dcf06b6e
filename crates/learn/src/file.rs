//! Networks and weights as files of the format `safetensors`.

use std::borrow::Cow;
use std::collections::HashMap;

use half::f16;
use safetensors::tensor::{Dtype, TensorView};
use safetensors::{SafeTensorError, SafeTensors, View};

use crate::MoveWeights;
use crate::net::{HIDDEN, Head, Row, Sum, ValueNet, WIDTH};

/// The most rows or weights that a file may have.
pub const MAX_ROWS: usize = 1 << 24;

/// A file that is not a network or not weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The bytes are not in the format.
    #[error("not a file of tensors: {0}")]
    Format(#[from] SafeTensorError),
    /// A tensor has another type or shape than it should.
    #[error("the tensor `{name}` has the type {found:?} and the shape {shape:?}, not {needed}")]
    Shape {
        /// The name of the tensor.
        name: &'static str,
        /// Its type in the file.
        found: Dtype,
        /// Its shape in the file.
        shape: Vec<usize>,
        /// The type and the shape that it should have.
        needed: String,
    },
    /// A number is not finite.
    #[error("the tensor `{name}` has the number {value} at place {at}")]
    NotFinite {
        /// The name of the tensor.
        name: &'static str,
        /// The place of the number.
        at: usize,
        /// The number.
        value: f32,
    },
}

/// A tensor to write.
pub(crate) struct Tensor {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl View for Tensor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }

    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

pub(crate) fn floats(shape: &[usize], values: impl IntoIterator<Item = f32>) -> Tensor {
    let bytes = values.into_iter().flat_map(f32::to_le_bytes).collect();
    Tensor { dtype: Dtype::F32, shape: shape.to_vec(), bytes }
}

/// Numbers as floats of 16 bits, which have eleven significant bits. A finite number beyond ±65504 becomes the nearest one that there is.
pub(crate) fn halves(shape: &[usize], values: impl IntoIterator<Item = f32>) -> Tensor {
    let half = |value: f32| {
        let most = f32::from(f16::MAX);
        f16::from_f32(if value.is_finite() { value.clamp(-most, most) } else { value })
    };
    let bytes = values.into_iter().flat_map(|value| half(value).to_le_bytes()).collect();
    Tensor { dtype: Dtype::F16, shape: shape.to_vec(), bytes }
}

fn shorts(shape: &[usize], values: impl IntoIterator<Item = i16>) -> Tensor {
    let bytes = values.into_iter().flat_map(i16::to_le_bytes).collect();
    Tensor { dtype: Dtype::I16, shape: shape.to_vec(), bytes }
}

/// The bytes of a file with these tensors and words about them.
pub(crate) fn written(about: &[(&str, &str)], tensors: Vec<(&'static str, Tensor)>) -> Vec<u8> {
    let about: HashMap<String, String> = about.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    // The words of a file are written in no fixed order where there are several: one string keeps the bytes the same.
    let mut words: Vec<_> = about.iter().map(|(k, v)| format!("{k}: {v}")).collect();
    words.sort_unstable();
    let about = (!words.is_empty()).then(|| HashMap::from([("about".to_owned(), words.join("; "))]));
    safetensors::serialize(tensors, about).expect("tensors whose bytes fit their shapes")
}

/// A tensor of a file, if it has this type and shape; `None` in a shape stands for any length up to [`MAX_ROWS`].
pub(crate) fn tensor<'a>(
    file: &SafeTensors<'a>,
    name: &'static str,
    dtype: Dtype,
    shape: &[Option<usize>],
) -> Result<TensorView<'a>, FileError> {
    let found = file.tensor(name)?;
    let fits = found.dtype() == dtype
        && found.shape().len() == shape.len()
        && found.shape().iter().zip(shape).all(|(&length, needed)| match needed {
            Some(needed) => length == *needed,
            None => length <= MAX_ROWS,
        });
    if fits {
        return Ok(found);
    }
    let needed = shape.iter().map(|n| n.map_or(format!("at most {MAX_ROWS}"), |n| n.to_string()));
    let needed = format!("{dtype:?} and [{}]", needed.collect::<Vec<_>>().join(", "));
    Err(FileError::Shape { name, found: found.dtype(), shape: found.shape().to_vec(), needed })
}

fn read_shorts(tensor: &TensorView<'_>) -> Vec<i16> {
    tensor.data().chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect()
}

/// The numbers of a tensor of floats of 16 or 32 bits.
pub(crate) fn read_floats(tensor: &TensorView<'_>, name: &'static str) -> Result<Vec<f32>, FileError> {
    let data = tensor.data();
    let values: Vec<f32> = if tensor.dtype() == Dtype::F16 {
        data.chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32()).collect()
    } else {
        data.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    };
    match values.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(FileError::NotFinite { name, at, value: values[at] }),
        None => Ok(values),
    }
}

/// The first values as an array; the length was checked.
fn array<T: Copy + Default, const N: usize>(values: &[T]) -> [T; N] {
    std::array::from_fn(|at| values.get(at).copied().unwrap_or_default())
}

impl ValueNet {
    /// The network as the bytes of a file, with words about it, such as the command that made it. Equal networks and words give
    /// equal bytes.
    ///
    /// | tensor | type and shape |
    /// |---|---|
    /// | `rows` | `I16`, rows × 32, in 128ths |
    /// | `bias` | `I16`, 32, in 128ths |
    /// | `hidden`, `hidden_bias` | `F32`, 64 × 16 and 16 |
    /// | `out`, `out_bias` | `F32`, 16 and 1 |
    #[must_use]
    pub fn to_bytes(&self, about: &[(&str, &str)]) -> Vec<u8> {
        let Self { rows, bias, head } = self;
        written(
            about,
            vec![
                ("rows", shorts(&[rows.len(), WIDTH], rows.iter().flat_map(|row| row.0))),
                ("bias", shorts(&[WIDTH], bias.0)),
                ("hidden", floats(&[2 * WIDTH, HIDDEN], head.hidden.iter().flatten().copied())),
                ("hidden_bias", floats(&[HIDDEN], head.hidden_bias)),
                ("out", floats(&[HIDDEN], head.out)),
                ("out_bias", floats(&[1], [head.out_bias])),
            ],
        )
    }

    /// Reads the bytes of a file. O(bytes).
    ///
    /// # Errors
    /// An error that names the tensor that is missing, has another type or shape, or has a number that is not finite.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let file = SafeTensors::deserialize(bytes)?;
        let rows = tensor(&file, "rows", Dtype::I16, &[None, Some(WIDTH)])?;
        let bias = tensor(&file, "bias", Dtype::I16, &[Some(WIDTH)])?;
        let float =
            |name, shape: &[Option<usize>]| read_floats(&tensor(&file, name, Dtype::F32, shape)?, name);
        let hidden = float("hidden", &[Some(2 * WIDTH), Some(HIDDEN)])?;
        Ok(Self {
            rows: read_shorts(&rows).chunks_exact(WIDTH).map(|row| Row(array(row))).collect(),
            bias: Sum(array(&read_shorts(&bias))),
            head: Head {
                hidden: hidden.chunks_exact(HIDDEN).map(array).collect(),
                hidden_bias: array(&float("hidden_bias", &[Some(HIDDEN)])?),
                out: array(&float("out", &[Some(HIDDEN)])?),
                out_bias: float("out_bias", &[Some(1)])?[0],
            },
        })
    }
}

/// The unit of weights in a file: a weight of 1 is this number.
const WEIGHT_UNIT: f32 = 256.0;

impl MoveWeights {
    /// The weights as the bytes of a file, rounded to 256ths, with words about them: one tensor `weights` of the type `I16`. A weight
    /// beyond ±128 becomes the nearest number of the type.
    #[must_use]
    pub fn to_bytes(&self, about: &[(&str, &str)]) -> Vec<u8> {
        let whole = |weight: &f32| (weight * WEIGHT_UNIT).round() as i16;
        written(about, vec![("weights", shorts(&[self.0.len()], self.0.iter().map(whole)))])
    }

    /// Reads the bytes of a file. O(bytes).
    ///
    /// # Errors
    /// An error that names the tensor that is missing or has another type or shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let file = SafeTensors::deserialize(bytes)?;
        let weights = tensor(&file, "weights", Dtype::I16, &[None])?;
        Ok(Self(read_shorts(&weights).iter().map(|&weight| f32::from(weight) / WEIGHT_UNIT).collect()))
    }
}
