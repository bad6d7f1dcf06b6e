//! [`LatticeNet`]: the value of a position and the chances of its moves from planes.
#![expect(clippy::inline_always, reason = "compiled for the vectors of the caller")]

use std::ops::Range;

use super::kernel::{CHANNELS, LANES, Lanes, Row, TILE, WEIGHTS, add_products};
use super::planes::{Lattice, PlaneMark};
use super::vectors::{PairRow, Vectorised, Vectors, vectorised};
use super::whole::{WholeLayer, whole_rows};

/// The most planes of a network.
pub const MAX_PLANES: usize = 1024;
/// The most blocks of a network.
pub const MAX_BLOCKS: usize = 64;
/// The numbers of the value's hidden layer.
pub(super) const HIDDEN: usize = 32;
/// The numbers of a pooled layer: the mean and the highest of each of its channels.
pub(super) const POOLED: usize = 2 * CHANNELS;

/// The places of a network's numbers in one list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) planes: usize,
    pub(super) first: Range<usize>,
    pub(super) first_bias: Range<usize>,
    pub(super) blocks: Vec<BlockShape>,
    /// Channels to the lanes of the chances, and these to a number for each cell.
    pub(super) chance: Range<usize>,
    pub(super) chance_bias: Range<usize>,
    pub(super) chance_out: Range<usize>,
    pub(super) chance_out_bias: Range<usize>,
    /// Channels to the lanes of the value, their pool to a hidden layer, and this to a number.
    pub(super) value: Range<usize>,
    pub(super) value_bias: Range<usize>,
    pub(super) hidden: Range<usize>,
    pub(super) hidden_bias: Range<usize>,
    pub(super) out: Range<usize>,
    pub(super) out_bias: Range<usize>,
    pub(super) count: usize,
}

/// The places of the numbers of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BlockShape {
    pub(super) first: Range<usize>,
    pub(super) first_bias: Range<usize>,
    pub(super) pool: Range<usize>,
    pub(super) pool_bias: Range<usize>,
    pub(super) second: Range<usize>,
    pub(super) second_bias: Range<usize>,
}

impl Shape {
    pub(super) fn new(planes: usize, blocks: usize) -> Self {
        let mut count = 0;
        let mut take = |more: usize| {
            count += more;
            count - more..count
        };
        let (first, first_bias) = (take(7 * planes * CHANNELS), take(CHANNELS));
        let blocks = (0..blocks).map(|_| BlockShape {
            first: take(WEIGHTS),
            first_bias: take(CHANNELS),
            pool: take(POOLED * CHANNELS),
            pool_bias: take(CHANNELS),
            second: take(WEIGHTS),
            second_bias: take(CHANNELS),
        });
        let blocks = blocks.collect();
        Self {
            planes,
            first,
            first_bias,
            blocks,
            chance: take(CHANNELS * LANES),
            chance_bias: take(LANES),
            chance_out: take(LANES),
            chance_out_bias: take(1),
            value: take(CHANNELS * LANES),
            value_bias: take(LANES),
            hidden: take(2 * LANES * HIDDEN),
            hidden_bias: take(HIDDEN),
            out: take(HIDDEN),
            out_bias: take(1),
            count,
        }
    }
}

/// A network of the value of positions and the chances of moves on a [`Lattice`] of any number of cells.
///
/// ```text
/// planes ─ layer ─┬─ layer ─ + ─ layer ─ + ─┬─ … ─┬─ 16 channels a cell ─ a number a cell: the chances
///                 │    └ pool ┘           │  │    └─ 16 channels a cell ─ pool ─ 32 numbers ─ the value
///                 └────────── block ──────┘  └─ next block
/// ```
///
/// A layer has 32 channels a cell, from those of the cell and its six neighbours, in each direction by other weights; negative
/// numbers become 0. A pool has the mean and the highest number of each channel over the board, so that every cell knows of all
/// others. Boards of all sizes share the numbers of a network. In the layers of blocks a judgement adds whole numbers of 16 bits,
/// elsewhere floats in one order, so that all machines find the same numbers.
///
/// # Complexity
/// About 14 000 multiplications a cell and block: with three blocks and 61 cells about 21 µs on one core with vectors of 512 bits
/// (x86-64 with AVX-512 VNNI), 46 µs with 256 bits (AVX2), and 0.8 ms on other x86-64 processors (`docs/lab/network.md`).
///
/// # References
/// *Silver et al., Mastering the game of Go without human knowledge, 2017; Wu, Accelerating self-play learning in Go, 2019* (pools).
///
/// ```
/// use stonework_learn::{Lattice, LatticeNet, LatticeScratch};
/// let none = None;
/// let two = Lattice::new(&[[Some(1), none, none, none, none, none], [none, none, none, Some(0), none, none]])?;
/// let net = LatticeNet::random(3, 2, 7);
/// let judged = net.judge(&two, &[(0, 0), (1, 2)], &mut LatticeScratch::default());
/// assert!(judged.value.abs() <= 1.0 && judged.scores.len() == 2);
/// # Ok::<(), stonework_learn::NotALattice>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct LatticeNet {
    weights: Weights,
    /// The layers of the blocks, in whole numbers.
    whole: Vec<[WholeLayer; 2]>,
}

/// The numbers of a network.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weights {
    pub(super) shape: Shape,
    pub(super) numbers: Vec<f32>,
}

impl From<Weights> for LatticeNet {
    fn from(weights: Weights) -> Self {
        let layer = |places: &Range<usize>| WholeLayer::new(&weights.numbers[places.clone()]);
        let whole = weights.shape.blocks.iter().map(|block| [layer(&block.first), layer(&block.second)]);
        Self { whole: whole.collect(), weights }
    }
}

/// The opinion of a network about a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LatticeJudgement {
    /// The value for the side to move, −1 for a loss to 1 for a win.
    pub value: f32,
    /// A score for each cell: the chances of moves are proportional to exp(score) over the legal moves.
    pub scores: Vec<f32>,
}

/// The rows of the layers of one judgement, used again for the next one.
#[derive(Clone, Debug, Default)]
pub struct LatticeScratch {
    trunk: Vec<Row>,
    inner: Vec<Row>,
    /// The rows before a layer in whole numbers, with a row of zeros at the end.
    pairs: Vec<PairRow>,
    /// The lanes of the chances and of the value.
    seen: [Vec<Lanes>; 2],
}

impl LatticeNet {
    /// The number of planes.
    #[must_use]
    pub const fn planes(&self) -> usize {
        self.weights.shape.planes
    }

    /// The number of blocks.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        self.weights.shape.blocks.len()
    }

    /// The same network with more planes after its own, which count for nothing until it learns what they are worth. The same network if it
    /// has so many planes already.
    ///
    /// ```
    /// use stonework_learn::{Lattice, LatticeNet, LatticeScratch};
    /// let one = Lattice::new(&[[None; 6]])?;
    /// let net = LatticeNet::random(3, 2, 7);
    /// let (more, mut scratch) = (net.clone().widened(5), LatticeScratch::default());
    /// assert_eq!(more.planes(), 5);
    /// assert_eq!(more.judge(&one, &[(0, 1), (0, 4)], &mut scratch), net.judge(&one, &[(0, 1)], &mut scratch));
    /// # Ok::<(), stonework_learn::NotALattice>(())
    /// ```
    ///
    /// # Panics
    /// If there are more planes than [`MAX_PLANES`].
    #[must_use]
    pub fn widened(self, planes: usize) -> Self {
        assert!(planes <= MAX_PLANES, "{planes} planes are more than {MAX_PLANES}");
        let (own, weights) = (self.planes(), self.weights);
        if planes <= own {
            return weights.into();
        }
        let first = &weights.numbers[weights.shape.first.clone()];
        let none = vec![0.0; (planes - own) * CHANNELS];
        let mut numbers: Vec<f32> = if own == 0 {
            vec![0.0; 7 * planes * CHANNELS]
        } else {
            first
                .chunks(own * CHANNELS)
                .flat_map(|direction| direction.iter().chain(&none))
                .copied()
                .collect()
        };
        numbers.extend_from_slice(&weights.numbers[weights.shape.first.end..]);
        let shape = Shape::new(planes, weights.shape.blocks.len());
        Weights { shape, numbers }.into()
    }

    pub(super) const fn weights(&self) -> &Weights {
        &self.weights
    }

    pub(super) fn into_weights(self) -> Weights {
        self.weights
    }

    /// The value of a position and the scores of its cells. The marks name cells of the lattice and planes of the network.
    ///
    /// # Panics
    /// If a mark names a cell or a plane that does not exist, or the lattice is empty.
    #[must_use]
    pub fn judge(
        &self,
        lattice: &Lattice,
        marks: &[PlaneMark],
        scratch: &mut LatticeScratch,
    ) -> LatticeJudgement {
        assert!(!lattice.is_empty(), "a lattice of 0 cells");
        vectorised(Judging { net: self, lattice, marks, scratch })
    }
}

impl Weights {
    /// The rows after the first layer.
    #[inline(always)]
    pub(super) fn enter(&self, near: &[[u16; 7]], marks: &[PlaneMark], out: &mut [Row]) {
        let Self { shape, numbers } = self;
        let bias: Row = std::array::from_fn(|at| numbers[shape.first_bias.start + at]);
        out.fill(bias);
        let (weights, _) = numbers[shape.first.clone()].as_chunks();
        for &(cell, plane) in marks {
            assert!(usize::from(plane) < shape.planes, "plane {plane} of {}", shape.planes);
            for (direction, &to) in near[usize::from(cell)].iter().enumerate() {
                if let Some(row) = out.get_mut(usize::from(to)) {
                    add(row, &weights[direction * shape.planes + usize::from(plane)]);
                }
            }
        }
        rectify(out.as_flattened_mut());
    }

    /// The lanes of the chances and of the value of each cell; negative numbers are 0.
    #[inline(always)]
    pub(super) fn heads(&self, rows: &[Row], seen: &mut [Vec<Lanes>; 2]) {
        let Self { shape, numbers } = self;
        let heads = [(&shape.chance, &shape.chance_bias), (&shape.value, &shape.value_bias)];
        for ((weights, bias), seen) in heads.into_iter().zip(seen) {
            seen.clear();
            let bias = std::array::from_fn(|lane| numbers[bias.start + lane]);
            for first in (0..rows.len()).step_by(TILE) {
                let tile = std::array::from_fn(|at| &rows[(first + at).min(rows.len() - 1)]);
                let mut sums = [bias; TILE];
                add_products(&numbers[weights.clone()], tile, &mut sums);
                rectify(sums.as_flattened_mut());
                seen.extend_from_slice(&sums[..TILE.min(rows.len() - first)]);
            }
        }
    }

    /// The value's hidden layer from the pool of its lanes.
    #[inline(always)]
    pub(super) fn hidden(&self, pooled: &[f32; 2 * LANES]) -> [f32; HIDDEN] {
        let Self { shape, numbers } = self;
        let mut hidden = dense(&numbers[shape.hidden.clone()], &numbers[shape.hidden_bias.clone()], pooled);
        rectify(&mut hidden);
        hidden
    }
}

/// One judgement.
pub(super) struct Judging<'a> {
    pub(super) net: &'a LatticeNet,
    pub(super) lattice: &'a Lattice,
    pub(super) marks: &'a [PlaneMark],
    pub(super) scratch: &'a mut LatticeScratch,
}

impl Vectorised for Judging<'_> {
    type Output = LatticeJudgement;

    #[inline(always)]
    fn run(self, vectors: impl Vectors) -> LatticeJudgement {
        let Self { net, lattice, marks, scratch } = self;
        let LatticeNet { weights, whole } = net;
        let Weights { shape, numbers } = weights;
        let (near, cells) = (lattice.near(), lattice.len());
        let LatticeScratch { trunk, inner, pairs, seen } = scratch;
        for rows in [&mut *trunk, &mut *inner] {
            rows.resize(cells, [0.0; CHANNELS]);
        }
        pairs.resize(cells + 1, Default::default());
        pairs[cells] = Default::default();
        weights.enter(near, marks, trunk);
        for (block, [first, second]) in shape.blocks.iter().zip(whole) {
            let unit = whole_rows(trunk, &[0.0; CHANNELS], pairs);
            let bias = &numbers[block.first_bias.clone()];
            first.run(vectors, bias, near, (pairs, unit), inner, |_, sum| sum.max(0.0));
            let pooled: [f32; POOLED] = pool(inner);
            let more = dense(&numbers[block.pool.clone()], &numbers[block.pool_bias.clone()], &pooled);
            let unit = whole_rows(inner, &more, pairs);
            let bias = &numbers[block.second_bias.clone()];
            second.run(vectors, bias, near, (pairs, unit), trunk, |before, sum| (before + sum).max(0.0));
        }
        weights.heads(trunk, seen);
        let out = &numbers[shape.chance_out.clone()];
        let scores = seen[0].iter().map(|lanes| dot(lanes, out) + numbers[shape.chance_out_bias.start]);
        let scores = scores.collect();
        let hidden = weights.hidden(&pool(&seen[1]));
        let out = dot(&hidden, &numbers[shape.out.clone()]) + numbers[shape.out_bias.start];
        // Numbers of a file may be so large that sums of them are none.
        let value = 2.0 * chance(if out.is_nan() { 0.0 } else { out }) - 1.0;
        LatticeJudgement { value, scores }
    }
}

#[inline(always)]
pub(super) fn add<const N: usize>(to: &mut [f32; N], more: &[f32; N]) {
    // Written as a whole, so that no number has to be read after another one is written.
    let mut sum = *more;
    for at in 0..N {
        sum[at] += to[at];
    }
    *to = sum;
}

#[inline(always)]
pub(super) fn rectify(numbers: &mut [f32]) {
    for number in numbers {
        *number = number.max(0.0);
    }
}

/// The sum of products.
#[inline(always)]
pub(super) fn dot<const N: usize>(numbers: &[f32; N], weights: &[f32]) -> f32 {
    numbers.iter().zip(weights).map(|(number, weight)| number * weight).sum()
}

/// The bias and the weighted sum of the inputs, whose weights follow each other.
#[inline(always)]
pub(super) fn dense<const N: usize>(weights: &[f32], bias: &[f32], inputs: &[f32]) -> [f32; N] {
    let mut out: [f32; N] = std::array::from_fn(|at| bias[at]);
    let (weights, _) = weights.as_chunks::<N>();
    for (weights, &input) in weights.iter().zip(inputs) {
        for (out, weight) in out.iter_mut().zip(weights) {
            *out = input.mul_add(*weight, *out);
        }
    }
    out
}

/// The mean and then the highest number of each channel; the numbers are not negative.
#[inline(always)]
pub(super) fn pool<const N: usize, const M: usize>(rows: &[[f32; N]]) -> [f32; M] {
    let (mut sums, mut most) = ([0.0; N], [0.0_f32; N]);
    for row in rows {
        for at in 0..N {
            sums[at] += row[at];
            most[at] = most[at].max(row[at]);
        }
    }
    let scale = 1.0 / rows.len() as f32;
    std::array::from_fn(|at| if at < N { sums[at] * scale } else { most[at - N] })
}

/// 1 / (1 + exp(−x)).
pub(super) fn chance(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The exponential function, within a hundred-thousandth; the same on all machines, since it is made of additions and multiplications.
/// Arguments below −80 and above 80 count as −80 and 80.
#[expect(clippy::excessive_precision, reason = "ln 2 in two parts")]
pub(super) fn exp(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0);
    let whole = (x * std::f32::consts::LOG2_E).round();
    let rest = x - whole * 0.693_359_375 + whole * 2.121_944_4e-4;
    let series = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
    let sum = series.into_iter().fold(0.0, |sum, factor| (sum + factor) * rest);
    (1.0 + sum) * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}
