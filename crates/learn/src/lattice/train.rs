//! [`train_lattice`]: a network from games.
#![expect(clippy::inline_always, reason = "compiled for the vectors of the caller")]

use std::convert::Infallible;
use std::ops::Range;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_game::scatter;

use super::kernel::{CHANNELS, LANES, Row, layer, reversed, weight_gradients};
use super::net::{
    BlockShape, HIDDEN, LatticeJudgement, LatticeNet, LatticeScratch, POOLED, Shape, Weights, add, chance,
    dense, dot, exp, pool, rectify,
};
use super::samples::{LatticeSamples, Sample};
use super::vectors::{Vectorised, Vectors, vectorised};
use crate::run::{CHUNK, Learner, Moment, Numbers, Run};
use crate::samples::digest;
use crate::train::Options;

/// The positions of a step.
const BATCH: usize = 256;
// A checkpoint has no gradients, so it must not fall between two steps.
const _: () = assert!(CHUNK.is_multiple_of(BATCH));
/// The parts of the mean gradient, and of the mean square, that a step keeps.
const KEPT: [f32; 2] = [0.9, 0.999];
/// The part of a weight, in steps, that a step takes away.
const DECAY: f32 = 1e-3;

/// The quality of a [`LatticeNet`].
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LatticeFit {
    /// The number of positions.
    pub positions: usize,
    /// The mean cross entropy between the value to learn and the value, in nats: ln 2 for a coin.
    pub value_loss: f64,
    /// The share of positions, other than those worth ½, whose value is on the right side of ½.
    pub right: f64,
    /// The mean of how much the chances to learn differ from the chances: the Kullback-Leibler divergence, in nats.
    pub chance_loss: f64,
    /// The share of positions whose likeliest move is the first by the network.
    pub first: f64,
    /// The share of positions whose likeliest move is among the first five.
    pub five: f64,
}

/// Random numbers of a deviation.
fn draw(rng: &mut Xoshiro256PlusPlus, numbers: &mut [f32], deviation: f32) {
    for number in numbers {
        // The sum of four uniform numbers is nearly normal; its deviation is √⅓.
        let sum: f32 = (0..4).map(|_| rng.next_u32() as f32 / u32::MAX as f32 - 0.5).sum();
        *number = sum * 3.0_f32.sqrt() * deviation;
    }
}

/// The deviation of random numbers of a layer of a block.
fn inner_deviation() -> f32 {
    (2.0 / (7 * CHANNELS) as f32).sqrt()
}

impl LatticeNet {
    /// A network that has not learned, with random numbers from a seed.
    ///
    /// # Panics
    /// If there are more planes or blocks than [`MAX_PLANES`](super::MAX_PLANES) and [`MAX_BLOCKS`](super::MAX_BLOCKS).
    #[must_use]
    pub fn random(planes: usize, blocks: usize, seed: u64) -> Self {
        assert!(
            planes <= super::MAX_PLANES && blocks <= super::MAX_BLOCKS,
            "{planes} planes, {blocks} blocks"
        );
        let shape = Shape::new(planes, blocks);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut numbers = vec![0.0; shape.count];
        let mut draw =
            |places: &Range<usize>, deviation| draw(&mut rng, &mut numbers[places.clone()], deviation);
        // A cell has about ten marks around it. A block begins as a small change.
        draw(&shape.first, 0.2);
        for block in &shape.blocks {
            draw(&block.first, inner_deviation());
            draw(&block.second, 0.3 * inner_deviation());
        }
        let channels = (2.0 / CHANNELS as f32).sqrt();
        for places in [&shape.chance, &shape.value] {
            draw(places, channels);
        }
        draw(&shape.chance_out, 0.2);
        draw(&shape.hidden, channels);
        draw(&shape.out, 0.2);
        Weights { shape, numbers }.into()
    }

    /// The same network with more blocks after its own, whose first layers have random numbers from a seed, and whose second layers change
    /// nothing until they have learned. The same network if it has so many blocks already.
    ///
    /// ```
    /// use stonework_learn::{Lattice, LatticeNet, LatticeScratch};
    /// let one = Lattice::new(&[[None; 6]])?;
    /// let net = LatticeNet::random(3, 2, 7);
    /// let (more, mut scratch) = (net.clone().deepened(4, 1), LatticeScratch::default());
    /// assert_eq!(more.blocks(), 4);
    /// assert_eq!(more.judge(&one, &[(0, 1)], &mut scratch), net.judge(&one, &[(0, 1)], &mut scratch));
    /// # Ok::<(), stonework_learn::NotALattice>(())
    /// ```
    ///
    /// # Panics
    /// If there are more blocks than [`MAX_BLOCKS`](super::MAX_BLOCKS).
    #[must_use]
    pub fn deepened(self, blocks: usize, seed: u64) -> Self {
        assert!(blocks <= super::MAX_BLOCKS, "{blocks} blocks are more than {}", super::MAX_BLOCKS);
        let (own, weights) = (self.blocks(), self.into_weights());
        if blocks <= own {
            return weights.into();
        }
        let shape = Shape::new(weights.shape.planes, blocks);
        let (before, after) = weights.numbers.split_at(weights.shape.chance.start);
        let mut numbers = before.to_vec();
        numbers.resize(shape.chance.start, 0.0);
        numbers.extend_from_slice(after);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for block in &shape.blocks[own..] {
            draw(&mut rng, &mut numbers[block.first.clone()], inner_deviation());
        }
        Weights { shape, numbers }.into()
    }

    /// The quality of the network by positions.
    ///
    /// # Panics
    /// If `positions` is out of range, or the samples have other planes.
    #[must_use]
    pub fn fit(&self, samples: &LatticeSamples, positions: Range<usize>) -> LatticeFit {
        let mut scratch = LatticeScratch::default();
        let (mut fit, mut decided) = (LatticeFit { positions: positions.len(), ..LatticeFit::default() }, 0);
        for index in positions {
            let sample = samples.get(index, 0);
            let LatticeJudgement { value, scores } = self.judge(&sample.lattice, &sample.marks, &mut scratch);
            let won = f64::midpoint(value.into(), 1.0).clamp(1e-6, 1.0 - 1e-6);
            let target = f64::from(sample.value);
            fit.value_loss -= target * won.ln() + (1.0 - target) * (1.0 - won).ln();
            decided += usize::from((target - 0.5).abs() > 1e-6);
            fit.right += f64::from(u8::from((target - 0.5) * (won - 0.5) > 0.0));
            let chances = chances(&sample.legal, &scores);
            let mut likeliest = (0, 0.0);
            // A chance of 0 adds nothing.
            for &(cell, target) in sample.chances.iter().filter(|&&(_, target)| target > 0.0) {
                let of = sample.legal.iter().zip(&chances).find(|&(&legal, _)| legal == cell);
                let found = of.map_or(0.0, |(_, &chance)| chance);
                fit.chance_loss += f64::from(target) * (f64::from(target) / f64::from(found).max(1e-12)).ln();
                if target > likeliest.1 {
                    likeliest = (cell, target);
                }
            }
            let score = |cell: u16| scores[usize::from(cell)];
            let above = sample.legal.iter().filter(|&&cell| score(cell) > score(likeliest.0)).count();
            fit.first += f64::from(u8::from(above == 0));
            fit.five += f64::from(u8::from(above < 5));
        }
        let mean = |sum: &mut f64, of: usize| *sum /= of.max(1) as f64;
        mean(&mut fit.right, decided);
        for sum in [&mut fit.value_loss, &mut fit.chance_loss, &mut fit.first, &mut fit.five] {
            mean(sum, fit.positions);
        }
        fit
    }
}

/// The chances of legal cells by their scores.
pub(super) fn chances(legal: &[u16], scores: &[f32]) -> Vec<f32> {
    let score = |&cell: &u16| scores[usize::from(cell)];
    let most = legal.iter().map(score).fold(f32::NEG_INFINITY, f32::max);
    let mut chances: Vec<f32> = legal.iter().map(|cell| exp(score(cell) - most)).collect();
    let sum: f32 = chances.iter().sum();
    for chance in &mut chances {
        *chance /= sum;
    }
    chances
}

/// A network that goes on from another one, such as a [random](LatticeNet::random) one, and learns from positions by steps of Adam:
/// the network of the epoch with the least loss on the positions held out. A step takes 256 positions; the rest at the end of an
/// epoch makes one more, whose gradients count as if the missing positions had none. The positions of an epoch appear under symmetries of
/// their boards, which follow from their numbers and the epoch. The steps become shorter from epoch to epoch, along half a wave of the cosine. `watch` is called after each
/// epoch, with its number from 1 and the quality. Equal networks, samples and options give equal networks.
///
/// # Complexity
/// About a quarter of a millisecond a position and epoch, for three blocks and 61 cells (`docs/lab/network.md`).
///
/// # References
/// *Kingma and Ba, Adam: a method for stochastic optimization, 2015; Loshchilov and Hutter, Decoupled weight decay regularization,
/// 2019.*
///
/// # Panics
/// If the samples have a plane that the network has not.
#[must_use]
pub fn train_lattice(
    start: LatticeNet,
    samples: &LatticeSamples,
    options: &Options,
    watch: &mut dyn FnMut(u32, LatticeFit),
) -> LatticeNet {
    let run = Run::new(samples, options, |_| LatticeTrainer::new(start));
    let each = |_: &mut Run<LatticeTrainer>, moment| {
        if let Moment::Epoch(epoch, told) = moment {
            watch(epoch, told);
        }
        Ok::<(), Infallible>(())
    };
    run.finish(samples, options, each).unwrap_or_else(|never| match never {})
}

/// A network in training.
pub(crate) struct LatticeTrainer {
    net: Weights,
    /// A digest of the network at the beginning.
    start: u64,
    /// The weights of each block that lead gradients back.
    back: Vec<[Vec<f32>; 2]>,
    gradients: Vec<f32>,
    /// The positions in the gradients.
    pending: usize,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The steps so far.
    steps: f32,
    step: f32,
    epoch: u32,
    rows: Rows,
}

/// The rows of a forward pass, with a row of zeros at the end of each, and rows for gradients.
#[derive(Default)]
struct Rows {
    /// The rows before each block and after the last one.
    trunk: Vec<Vec<Row>>,
    /// For each block, the rows after its first layer, without and with the pool.
    inner: Vec<[Vec<Row>; 2]>,
    pools: Vec<[f32; POOLED]>,
    sums: Vec<Row>,
    back: Vec<Row>,
    more: Vec<Row>,
}

impl Rows {
    fn fit(&mut self, blocks: usize, cells: usize) {
        self.trunk.resize_with(blocks + 1, Vec::new);
        self.inner.resize_with(blocks, Default::default);
        self.pools.resize(blocks, [0.0; POOLED]);
        let Self { trunk, inner, sums, back, more, .. } = self;
        for rows in trunk.iter_mut().chain(inner.iter_mut().flatten()).chain([sums, back, more]) {
            rows.resize(cells + 1, [0.0; CHANNELS]);
            rows[cells] = [0.0; CHANNELS];
        }
    }
}

/// A digest of all numbers.
fn digest_of(net: &Weights) -> u64 {
    digest(net.numbers.iter().map(|number| number.to_bits().into()))
}

impl LatticeTrainer {
    /// A network at the beginning of its training.
    pub(crate) fn new(net: LatticeNet) -> Self {
        let net = net.into_weights();
        let count = net.numbers.len();
        let mut made = Self {
            start: digest_of(&net),
            net,
            back: Vec::new(),
            gradients: vec![0.0; count],
            pending: 0,
            means: vec![0.0; count],
            squares: vec![1e-8; count],
            steps: 0.0,
            step: 0.0,
            epoch: 0,
            rows: Rows::default(),
        };
        made.turn();
        made
    }

    /// Makes the weights that lead gradients back.
    fn turn(&mut self) {
        let numbers = &self.net.numbers;
        let of = |block: &BlockShape| {
            [&block.first, &block.second].map(|places| reversed(&numbers[places.clone()]))
        };
        self.back = self.net.shape.blocks.iter().map(of).collect();
    }

    /// The losses of a position. Adds its gradients.
    pub(super) fn add_gradients(&mut self, sample: &Sample) -> [f32; 2] {
        vectorised(Gradients { trainer: self, sample })
    }

    /// One step along the gradients of at most [`BATCH`] positions.
    fn descend(&mut self) {
        let scale = 1.0 / BATCH as f32;
        self.pending = 0;
        self.steps += 1.0;
        let [mean_bias, square_bias] = KEPT.map(|kept| 1.0 / (1.0 - kept.powf(self.steps)));
        let learned = self.net.numbers.iter_mut().zip(&mut self.gradients);
        for ((number, gradient), (mean, square)) in learned.zip(self.means.iter_mut().zip(&mut self.squares))
        {
            let now = *gradient * scale;
            *gradient = 0.0;
            *mean += (1.0 - KEPT[0]) * (now - *mean);
            *square += (1.0 - KEPT[1]) * (now * now - *square);
            *square = square.max(1e-20);
            let change = *mean * mean_bias / ((*square * square_bias).sqrt() + 1e-8);
            *number -= self.step * (change + DECAY * *number);
        }
        self.turn();
    }

    #[cfg(test)]
    pub(super) const fn parts(&mut self) -> (&mut Weights, &mut Vec<f32>) {
        (&mut self.net, &mut self.gradients)
    }

    #[cfg(test)]
    pub(super) fn changed(&mut self) {
        self.turn();
    }
}

impl Learner for LatticeTrainer {
    type Samples = LatticeSamples;
    type Model = LatticeNet;
    type Told = LatticeFit;

    fn len(samples: &LatticeSamples) -> usize {
        samples.len()
    }

    fn digest(samples: &LatticeSamples) -> u64 {
        samples.digest()
    }

    fn learns(&self) -> String {
        format!("lattice {} from {:016x}", self.net.numbers.len(), self.start)
    }

    fn began_with(&self, result: &LatticeNet) -> bool {
        let read = LatticeNet::from_bytes(&result.to_bytes(&[]));
        read.is_ok_and(|net| digest_of(&net.into_weights()) == self.start)
    }

    fn begin(&mut self, options: &Options, epoch: u32) {
        let past = (epoch - 1) as f32 / options.epochs.max(1) as f32;
        self.step = options.step * 0.5 * (1.0 + (std::f32::consts::PI * past).cos());
        self.epoch = epoch;
        self.turn();
    }

    fn learn(&mut self, samples: &LatticeSamples, index: usize) {
        let symmetry = scatter((index as u64) << 32 | u64::from(self.epoch));
        self.add_gradients(&samples.get(index, symmetry));
        self.pending += 1;
        if self.pending == BATCH {
            self.descend();
        }
    }

    fn end(&mut self) {
        if self.pending > 0 {
            self.descend();
        }
    }

    fn model(&self) -> LatticeNet {
        self.net.clone().into()
    }

    fn judge(net: &LatticeNet, samples: &LatticeSamples, held_out: Range<usize>) -> (LatticeFit, f64) {
        let fit = net.fit(samples, held_out);
        (fit, fit.value_loss + fit.chance_loss)
    }

    fn visit<N: Numbers>(&mut self, numbers: &mut N) -> Result<(), N::Error> {
        numbers.floats(&mut self.net.numbers)?;
        numbers.floats(&mut self.means)?;
        numbers.squares(&mut self.squares)?;
        numbers.float(&mut self.steps)
    }

    fn visit_model<N: Numbers>(net: &mut LatticeNet, numbers: &mut N) -> Result<(), N::Error> {
        let mut weights = net.weights().clone();
        numbers.floats(&mut weights.numbers)?;
        *net = weights.into();
        Ok(())
    }
}

/// The gradients of a position.
pub(super) struct Gradients<'a> {
    pub(super) trainer: &'a mut LatticeTrainer,
    pub(super) sample: &'a Sample,
}

impl Vectorised for Gradients<'_> {
    type Output = [f32; 2];

    #[inline(always)]
    fn run(self, _: impl Vectors) -> [f32; 2] {
        let Self { trainer, sample } = self;
        let LatticeTrainer { net, back, gradients, rows, .. } = trainer;
        let Weights { shape, numbers } = &*net;
        let (near, cells) = (sample.lattice.near(), sample.lattice.len());
        rows.fit(shape.blocks.len(), cells);
        net.enter(near, &sample.marks, &mut rows.trunk[0][..cells]);
        for (at, block) in shape.blocks.iter().enumerate() {
            let (before, after) = rows.trunk.split_at_mut(at + 1);
            let ([plain, pooled], before) = (&mut rows.inner[at], &before[at]);
            layer(&numbers[block.first.clone()], &numbers[block.first_bias.clone()], near, before, plain);
            rectify(plain[..cells].as_flattened_mut());
            rows.pools[at] = pool(&plain[..cells]);
            let more =
                dense(&numbers[block.pool.clone()], &numbers[block.pool_bias.clone()], &rows.pools[at]);
            for (pooled, plain) in pooled.iter_mut().zip(&plain[..cells]) {
                *pooled = *plain;
                add(pooled, &more);
            }
            layer(
                &numbers[block.second.clone()],
                &numbers[block.second_bias.clone()],
                near,
                pooled,
                &mut rows.sums,
            );
            for ((after, before), sum) in after[0].iter_mut().zip(&before[..cells]).zip(&rows.sums) {
                *after = *before;
                add(after, sum);
                rectify(after);
            }
        }
        let blocks = shape.blocks.len();
        let losses = heads(net, sample, &rows.trunk[blocks][..cells], &mut rows.back[..cells], gradients);
        for (at, block) in shape.blocks.iter().enumerate().rev() {
            let Rows { trunk, inner, pools, back: down, more, .. } = rows;
            let ([plain, pooled], pools) = (&inner[at], &pools[at]);
            mask(&mut down[..cells], &trunk[at + 1]);
            weight_gradients(near, pooled, &down[..cells], &mut gradients[block.second.clone()]);
            bias_gradients(&down[..cells], &mut gradients[block.second_bias.clone()]);
            layer(&back[at][1], &[0.0; CHANNELS], near, down, more);
            more[cells] = [0.0; CHANNELS];
            let mut all = [0.0; CHANNELS];
            more[..cells].iter().for_each(|row| add(&mut all, row));
            bias_gradients(&[all], &mut gradients[block.pool_bias.clone()]);
            let below: [f32; POOLED] =
                dense_back(&numbers[block.pool.clone()], pools, &all, &mut gradients[block.pool.clone()]);
            pool_back(&plain[..cells], pools, &below, &mut more[..cells]);
            mask(&mut more[..cells], plain);
            weight_gradients(near, &trunk[at], &more[..cells], &mut gradients[block.first.clone()]);
            bias_gradients(&more[..cells], &mut gradients[block.first_bias.clone()]);
            layer(&back[at][0], &[0.0; CHANNELS], near, more, &mut rows.sums);
            down[..cells].iter_mut().zip(&rows.sums).for_each(|(row, more)| add(row, more));
        }
        mask(&mut rows.back[..cells], &rows.trunk[0]);
        bias_gradients(&rows.back[..cells], &mut gradients[shape.first_bias.clone()]);
        let (first, _) = gradients[shape.first.clone()].as_chunks_mut();
        for &(cell, plane) in &sample.marks {
            for (direction, &to) in near[usize::from(cell)].iter().enumerate() {
                if usize::from(to) < cells {
                    add(
                        &mut first[direction * shape.planes + usize::from(plane)],
                        &rows.back[usize::from(to)],
                    );
                }
            }
        }
        losses
    }
}

/// The losses of value and chances by the rows of the last block, the gradients of the heads, and those of the rows in `back`.
#[inline(always)]
fn heads(net: &Weights, sample: &Sample, rows: &[Row], back: &mut [Row], gradients: &mut [f32]) -> [f32; 2] {
    let Weights { shape, numbers } = net;
    let mut seen = [Vec::new(), Vec::new()];
    net.heads(rows, &mut seen);
    let [seen, values] = seen;
    let weights = &numbers[shape.chance_out.clone()];
    let scores: Vec<f32> = seen.iter().map(|lanes| dot(lanes, weights)).collect();
    let mut errors = vec![0.0; rows.len()];
    let mut loss = [0.0; 2];
    for (&cell, chance) in sample.legal.iter().zip(chances(&sample.legal, &scores)) {
        errors[usize::from(cell)] = chance;
    }
    for &(cell, target) in &sample.chances {
        loss[1] -= target * errors[usize::from(cell)].max(1e-12).ln();
    }
    for &(cell, target) in &sample.chances {
        errors[usize::from(cell)] -= target;
    }
    let pooled: [f32; 2 * LANES] = pool(&values);
    let hidden = net.hidden(&pooled);
    let out = dot(&hidden, &numbers[shape.out.clone()]);
    let won = chance(out + numbers[shape.out_bias.start]);
    let target = sample.value;
    loss[0] = -(target * won.max(1e-12).ln() + (1.0 - target) * (1.0 - won).max(1e-12).ln());
    let error = won - target;
    gradients[shape.out_bias.start] += error;
    let mut below = [0.0; HIDDEN];
    for (at, &number) in hidden.iter().enumerate() {
        gradients[shape.out.start + at] += error * number;
        below[at] = if number > 0.0 { error * numbers[shape.out.start + at] } else { 0.0 };
    }
    bias_gradients(&[below], &mut gradients[shape.hidden_bias.clone()]);
    let below: [f32; 2 * LANES] =
        dense_back(&numbers[shape.hidden.clone()], &pooled, &below, &mut gradients[shape.hidden.clone()]);
    let mut lanes_back = vec![[0.0; LANES]; rows.len()];
    pool_back(&values, &pooled, &below, &mut lanes_back);
    mask(&mut lanes_back, &values);
    for (at, (row, back)) in rows.iter().zip(back).enumerate() {
        let chance = &seen[at];
        let error = errors[at];
        gradients[shape.chance_out_bias.start] += error;
        let mut below = [0.0; LANES];
        for lane in 0..LANES {
            gradients[shape.chance_out.start + lane] += error * chance[lane];
            below[lane] = if chance[lane] > 0.0 { error * weights[lane] } else { 0.0 };
        }
        bias_gradients(&[below], &mut gradients[shape.chance_bias.clone()]);
        *back = dense_back(&numbers[shape.chance.clone()], row, &below, &mut gradients[shape.chance.clone()]);
        bias_gradients(&[lanes_back[at]], &mut gradients[shape.value_bias.clone()]);
        let more = dense_back(
            &numbers[shape.value.clone()],
            row,
            &lanes_back[at],
            &mut gradients[shape.value.clone()],
        );
        add(back, &more);
    }
    loss
}

/// The gradients of the inputs of [`dense`]; adds those of its weights.
#[inline(always)]
fn dense_back<const N: usize, const M: usize>(
    weights: &[f32],
    inputs: &[f32; M],
    back: &[f32; N],
    gradients: &mut [f32],
) -> [f32; M] {
    let ((weights, _), (gradients, _)) = (weights.as_chunks::<N>(), gradients.as_chunks_mut::<N>());
    let mut below = [0.0; M];
    for ((below, &input), (weights, gradients)) in
        below.iter_mut().zip(inputs).zip(weights.iter().zip(gradients))
    {
        for at in 0..N {
            *below = weights[at].mul_add(back[at], *below);
            gradients[at] = input.mul_add(back[at], gradients[at]);
        }
    }
    below
}

/// Adds the gradients of the rows of a pool. The highest number is that of the first cell that has it.
#[inline(always)]
fn pool_back<const N: usize, const M: usize>(
    rows: &[[f32; N]],
    pooled: &[f32; M],
    back: &[f32; M],
    out: &mut [[f32; N]],
) {
    let scale = 1.0 / rows.len() as f32;
    for channel in 0..N {
        for row in &mut *out {
            row[channel] += back[channel] * scale;
        }
        let highest = rows.iter().position(|row| row[channel] >= pooled[N + channel]);
        if let Some(cell) = highest {
            out[cell][channel] += back[N + channel];
        }
    }
}

#[inline(always)]
fn bias_gradients<const N: usize>(back: &[[f32; N]], gradients: &mut [f32]) {
    for row in back {
        gradients.iter_mut().zip(row).for_each(|(gradient, number)| *gradient += number);
    }
}

/// Clears the gradients of numbers that are 0.
#[inline(always)]
fn mask<const N: usize>(back: &mut [[f32; N]], rows: &[[f32; N]]) {
    for (back, row) in back.iter_mut().zip(rows) {
        for (back, number) in back.iter_mut().zip(row) {
            if *number <= 0.0 {
                *back = 0.0;
            }
        }
    }
}
