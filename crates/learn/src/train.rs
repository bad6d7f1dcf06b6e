//! [`train_value`]: a network from positions with results.

use std::convert::Infallible;
use std::ops::Range;

use rand_core::RngCore;

use crate::ValueSamples;
use crate::net::{HIDDEN, Head, Row, Sum, TOP, UNIT, ValueNet, WIDTH};
use crate::run::{Learner, Moment, Numbers, Run};

/// The options of a training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The number of times that every position is seen.
    pub epochs: u32,
    /// The length of a step.
    pub step: f32,
    /// The share of the positions, the last ones, that are not learned from and judge the result: 0 to 1.
    pub held_out: f64,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for Options {
    /// Four epochs, steps of 0.03, a twentieth held out, seed 1.
    fn default() -> Self {
        Self { epochs: 4, step: 0.03, held_out: 0.05, seed: 1 }
    }
}

impl Options {
    /// The number of positions that are learned from.
    pub(crate) fn learned(&self, all: usize) -> usize {
        all - ((all as f64 * self.held_out.clamp(0.0, 1.0)) as usize).min(all)
    }
}

/// The quality of values.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Fit {
    /// The number of positions.
    pub positions: usize,
    /// The mean cross entropy between result and value, in nats: ln 2 for a coin.
    pub loss: f64,
    /// The share of decided positions whose value has the sign of the result.
    pub right: f64,
}

/// A network in training.
pub(crate) struct Trainer {
    rows: Vec<[f32; WIDTH]>,
    /// For each row, the mean of the squares of its gradients so far, for the length of its steps.
    row_squares: Vec<f32>,
    bias: [f32; WIDTH],
    bias_square: f32,
    head: Head,
    head_squares: Head,
    step: f32,
}

/// The values of a network on the way to the output.
struct Forward {
    sums: [[f32; WIDTH]; 2],
    inputs: [f32; 2 * WIDTH],
    hidden: [f32; HIDDEN],
    out: f32,
}

impl Trainer {
    /// A network at the beginning of its training, with random numbers behind the sums.
    pub(crate) fn new(rows: usize, rng: &mut impl RngCore) -> Self {
        let mut uniform = |most: f32| (rng.next_u32() as f32 / u32::MAX as f32 * 2.0 - 1.0) * most;
        let mut head = Head::zero();
        head.hidden.iter_mut().flatten().for_each(|weight| *weight = uniform(0.15));
        head.out.iter_mut().for_each(|weight| *weight = uniform(0.3));
        let mut squares = Head::zero();
        squares.hidden.iter_mut().flatten().for_each(|square| *square = 1e-2);
        (squares.hidden_bias, squares.out, squares.out_bias) = ([1e-2; HIDDEN], [1e-2; HIDDEN], 1e-2);
        Self {
            rows: vec![[0.0; WIDTH]; rows],
            row_squares: vec![1e-3; rows],
            bias: [0.5; WIDTH],
            bias_square: 1e-2,
            head,
            head_squares: squares,
            step: 0.0,
        }
    }

    fn forward(&self, features: [&[u32]; 2]) -> Forward {
        let sums = features.map(|features| {
            let mut sum = self.bias;
            for &feature in features {
                for (sum, value) in sum.iter_mut().zip(&self.rows[feature as usize]) {
                    *sum += value;
                }
            }
            sum
        });
        let mut inputs = [0.0; 2 * WIDTH];
        for (input, &sum) in inputs.iter_mut().zip(sums.iter().flatten()) {
            *input = sum.clamp(0.0, TOP);
        }
        let (out, hidden) = self.head.output(&inputs);
        Forward { sums, inputs, hidden, out }
    }

    /// One step towards the result `target`, 0 to 1.
    fn step(&mut self, features: [&[u32]; 2], target: f32) {
        let step = self.step;
        let Forward { sums, inputs, hidden, out } = self.forward(features);
        let gradient = chance(out) - target;
        let mut back = [0.0; HIDDEN];
        let out = self.head.out.iter_mut().zip(&mut self.head_squares.out);
        for ((back, &hidden), (weight, square)) in back.iter_mut().zip(&hidden).zip(out) {
            if hidden > 0.0 {
                *back = gradient * *weight;
            }
            descend(weight, square, gradient * hidden, step);
        }
        descend(&mut self.head.out_bias, &mut self.head_squares.out_bias, gradient, step);
        let mut below = [0.0; 2 * WIDTH];
        let hidden = self.head.hidden.iter_mut().zip(&mut self.head_squares.hidden);
        for ((below, &input), (weights, squares)) in below.iter_mut().zip(&inputs).zip(hidden) {
            for ((weight, square), &back) in weights.iter_mut().zip(squares).zip(&back) {
                *below += back * *weight;
                descend(weight, square, back * input, step);
            }
        }
        let bias = self.head.hidden_bias.iter_mut().zip(&mut self.head_squares.hidden_bias);
        for ((weight, square), &back) in bias.zip(&back) {
            descend(weight, square, back, step);
        }
        for (side, features) in features.into_iter().enumerate() {
            let mut gradient: [f32; WIDTH] = std::array::from_fn(|at| below[side * WIDTH + at]);
            for (gradient, &sum) in gradient.iter_mut().zip(&sums[side]) {
                // A sum above the clipping does not move; a sum below it moves a little, so that no value dies.
                *gradient *= if sum >= TOP {
                    0.0
                } else if sum > 0.0 {
                    1.0
                } else {
                    0.02
                };
            }
            let square = gradient.iter().map(|gradient| gradient * gradient).sum::<f32>() / WIDTH as f32;
            if square == 0.0 {
                continue;
            }
            self.bias_square += square;
            let scale = step / self.bias_square.sqrt();
            for (bias, gradient) in self.bias.iter_mut().zip(&gradient) {
                *bias -= scale * gradient;
            }
            for &feature in features {
                let feature = feature as usize;
                self.row_squares[feature] += square;
                let scale = step / self.row_squares[feature].sqrt();
                for (value, gradient) in self.rows[feature].iter_mut().zip(&gradient) {
                    *value -= scale * gradient;
                }
            }
        }
    }

    /// The network in whole numbers.
    fn finish(&self) -> ValueNet {
        let whole = |value: &f32| (value * UNIT).round().clamp(-32_000.0, 32_000.0) as i16;
        ValueNet {
            rows: self.rows.iter().map(|row| Row(std::array::from_fn(|at| whole(&row[at])))).collect(),
            bias: Sum(std::array::from_fn(|at| whole(&self.bias[at]))),
            head: self.head.clone(),
        }
    }
}

impl Learner for Trainer {
    type Samples = ValueSamples;
    type Model = ValueNet;
    type Told = Fit;

    fn len(samples: &ValueSamples) -> usize {
        samples.len()
    }

    fn digest(samples: &ValueSamples) -> u64 {
        samples.digest()
    }

    fn learns(&self) -> String {
        format!("values {}", self.rows.len())
    }

    /// Steps grow shorter over the epochs.
    fn begin(&mut self, options: &Options, epoch: u32) {
        self.step = options.step * (1.0 - 0.9 * (epoch - 1) as f32 / options.epochs as f32);
    }

    fn learn(&mut self, samples: &ValueSamples, index: usize) {
        let (own, enemy, target) = samples.get(index);
        self.step([own, enemy], target);
    }

    fn model(&self) -> ValueNet {
        self.finish()
    }

    fn judge(net: &ValueNet, samples: &ValueSamples, held_out: Range<usize>) -> (Fit, f64) {
        let fit = net.fit(samples, held_out);
        (fit, fit.loss)
    }

    fn visit<N: Numbers>(&mut self, numbers: &mut N) -> Result<(), N::Error> {
        numbers.floats(self.rows.iter_mut().flatten())?;
        numbers.squares(&mut self.row_squares)?;
        numbers.floats(&mut self.bias)?;
        numbers.square(&mut self.bias_square)?;
        numbers.floats(self.head.numbers())?;
        numbers.squares(self.head_squares.numbers())
    }

    fn visit_model<N: Numbers>(net: &mut ValueNet, numbers: &mut N) -> Result<(), N::Error> {
        numbers.shorts(net.rows.iter_mut().flat_map(|row| &mut row.0))?;
        numbers.shorts(&mut net.bias.0)?;
        numbers.floats(net.head.numbers())
    }
}

fn descend(weight: &mut f32, square: &mut f32, gradient: f32, step: f32) {
    *square += gradient * gradient;
    *weight -= step * gradient / square.sqrt();
}

/// The chance of a win, 0 to 1, by the output of a network.
fn chance(out: f32) -> f32 {
    1.0 / (1.0 + (-out).exp())
}

impl ValueNet {
    /// The fit of the network to some positions.
    ///
    /// # Panics
    /// If the range is not one of the samples.
    #[must_use]
    pub fn fit(&self, samples: &ValueSamples, positions: std::ops::Range<usize>) -> Fit {
        let mut told = Fit { positions: positions.len(), ..Fit::default() };
        let mut decided = 0;
        for index in positions {
            let (own, enemy, target) = samples.get(index);
            let value = f64::from(self.value(&self.sum(own), &self.sum(enemy)));
            let (target, chance) = (f64::from(target), value.midpoint(1.0).clamp(1e-4, 1.0 - 1e-4));
            told.loss -= target * chance.ln() + (1.0 - target) * (1.0 - chance).ln();
            if (target - 0.5).abs() > 0.25 {
                decided += 1;
                told.right += f64::from(u8::from((value > 0.0) == (target > 0.5)));
            }
        }
        told.loss /= (told.positions as f64).max(1.0);
        told.right /= f64::from(decided).max(1.0);
        told
    }
}

/// A network for features below `rows`, learned from the first part of the samples. After each epoch `watch` gets the epoch and
/// the fit to the last part, [`Options::held_out`] of all; the network of the epoch with the least loss is returned. The result
/// follows from the samples, the options and the seed. Time: about 100 ns a feature and epoch.
///
/// Steps have a length for each row (*Duchi, Hazan and Singer, Adaptive subgradient methods, 2011*), and grow shorter over the
/// epochs.
///
/// # Panics
/// If a feature is not below `rows`.
pub fn train_value(
    rows: usize,
    samples: &ValueSamples,
    options: &Options,
    watch: &mut dyn FnMut(u32, &Fit),
) -> ValueNet {
    let run = Run::new(samples, options, |rng| Trainer::new(rows, rng));
    let Ok(net) = run.finish(samples, options, |_, moment| {
        if let Moment::Epoch(epoch, fit) = moment {
            watch(epoch, &fit);
        }
        Ok::<(), Infallible>(())
    });
    net
}
