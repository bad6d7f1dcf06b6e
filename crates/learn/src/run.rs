//! [`Run`]: a training that can be left after any position and taken up again.

use std::ops::Range;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_game::below;

use crate::train::Options;

/// The number of positions between two looks at the clock: some milliseconds of learning, a tenth of a second with a network on the
/// lattice.
pub(crate) const CHUNK: usize = 256;

/// A visitor of the numbers of a state, which writes, reads or checks them.
pub(crate) trait Numbers {
    type Error;

    /// Visits a number that has to be finite.
    fn float(&mut self, number: &mut f32) -> Result<(), Self::Error>;

    /// Visits a sum of squares, which has to be finite and above 0.
    fn square(&mut self, number: &mut f32) -> Result<(), Self::Error>;

    /// Visits a whole number.
    fn short(&mut self, number: &mut i16) -> Result<(), Self::Error>;

    /// Visits a loss, which is not negative and may be infinite.
    fn loss(&mut self, number: &mut f64) -> Result<(), Self::Error>;

    fn floats<'a>(&mut self, numbers: impl IntoIterator<Item = &'a mut f32>) -> Result<(), Self::Error> {
        numbers.into_iter().try_for_each(|number| self.float(number))
    }

    fn squares<'a>(&mut self, numbers: impl IntoIterator<Item = &'a mut f32>) -> Result<(), Self::Error> {
        numbers.into_iter().try_for_each(|number| self.square(number))
    }

    fn shorts<'a>(&mut self, numbers: impl IntoIterator<Item = &'a mut i16>) -> Result<(), Self::Error> {
        numbers.into_iter().try_for_each(|number| self.short(number))
    }
}

/// Numbers in training, which learn from one sample after the other.
pub(crate) trait Learner {
    type Samples;
    /// The result of an epoch, such as a network.
    type Model;
    /// The quality of a result.
    type Told;

    /// The number of samples.
    fn len(samples: &Self::Samples) -> usize;

    /// A digest of the samples, which distinguishes samples of different games.
    fn digest(samples: &Self::Samples) -> u64;

    /// At the beginning, the words that tell this training from one of other numbers: their name, their count and, if they
    /// do not follow from the seed, a digest.
    fn learns(&self) -> String;

    /// `true` if a file of this result has the numbers that this training began with.
    fn began_with(&self, _result: &Self::Model) -> bool {
        false
    }

    /// Sets the length of the steps of an epoch.
    fn begin(&mut self, options: &Options, epoch: u32);

    /// Learns from a sample.
    fn learn(&mut self, samples: &Self::Samples, index: usize);

    /// Learns from the samples at the end of an epoch that have made no step yet.
    fn end(&mut self) {}

    fn model(&self) -> Self::Model;

    /// Judges a result by samples; returns the quality and the loss.
    fn judge(model: &Self::Model, samples: &Self::Samples, held_out: Range<usize>) -> (Self::Told, f64);

    /// Visits all numbers of the training, in an order that depends on nothing but their count.
    fn visit<N: Numbers>(&mut self, numbers: &mut N) -> Result<(), N::Error>;

    /// Visits all numbers of a result.
    fn visit_model<N: Numbers>(model: &mut Self::Model, numbers: &mut N) -> Result<(), N::Error>;
}

/// A moment at which a training may be kept or left.
pub(crate) enum Moment<T> {
    /// Some more positions of an epoch are learned.
    Within,
    /// An epoch has ended, with this quality.
    Epoch(u32, T),
}

/// A training and its progress.
pub(crate) struct Run<L: Learner> {
    learner: L,
    rng: Xoshiro256PlusPlus,
    order: Vec<usize>,
    /// The epoch in progress, from 1; after the last epoch, the number of epochs plus 1.
    epoch: u32,
    /// The number of positions of this epoch that are learned.
    place: usize,
    /// The number that the generator gives next at the beginning of this epoch: the order of its positions follows from it.
    mark: u64,
    /// The least loss of an epoch so far, and the result of that epoch.
    best: (f64, L::Model),
}

impl<L: Learner> Run<L> {
    /// A training at its beginning. `make` makes the numbers, perhaps with random ones.
    pub(crate) fn new(
        samples: &L::Samples,
        options: &Options,
        make: impl FnOnce(&mut Xoshiro256PlusPlus) -> L,
    ) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let learner = make(&mut rng);
        let best = (f64::INFINITY, learner.model());
        let order = (0..options.learned(L::len(samples))).collect();
        let mark = rng.clone().next_u64();
        Self { learner, rng, order, epoch: 1, place: 0, mark, best }
    }

    /// The epoch in progress, from 1; after the last epoch, the number of epochs plus 1.
    pub(crate) const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The number of positions of this epoch that are learned.
    pub(crate) const fn place(&self) -> usize {
        self.place
    }

    /// The number of positions of an epoch.
    pub(crate) const fn positions(&self) -> usize {
        self.order.len()
    }

    /// At the beginning, the words that tell this training from one of other numbers.
    pub(crate) fn learns(&self) -> String {
        self.learner.learns()
    }

    /// The number that the generator gives next at the beginning of this epoch.
    pub(crate) const fn mark(&self) -> u64 {
        self.mark
    }

    /// Goes from the beginning to a place of an epoch without learning: the orders of the epochs before are made again. The
    /// numbers then have to be those of that place. O(epochs · positions), some nanoseconds each.
    pub(crate) fn skip_to(&mut self, epoch: u32, place: usize) {
        while self.epoch < epoch {
            self.shuffle();
            self.end_epoch();
        }
        self.place = place;
    }

    fn end_epoch(&mut self) {
        (self.epoch, self.place) = (self.epoch + 1, 0);
        self.mark = self.rng.clone().next_u64();
    }

    fn shuffle(&mut self) {
        for at in (1..self.order.len()).rev() {
            self.order.swap(at, below(&mut self.rng, at + 1));
        }
    }

    /// `true` if all epochs have ended, and a file of the best result has the numbers that this training began with.
    pub(crate) fn has_ended_where_it_began(&self, options: &Options) -> bool {
        self.epoch > options.epochs && self.learner.began_with(&self.best.1)
    }

    /// Visits all numbers of the training and of its best result so far.
    pub(crate) fn visit<N: Numbers>(&mut self, numbers: &mut N) -> Result<(), N::Error> {
        self.learner.visit(numbers)?;
        numbers.loss(&mut self.best.0)?;
        L::visit_model(&mut self.best.1, numbers)
    }

    /// Learns to the end; returns the result of the epoch with the least loss. `each` is called at each moment at which the
    /// training may be kept, and ends the training by an error.
    pub(crate) fn finish<E>(
        mut self,
        samples: &L::Samples,
        options: &Options,
        mut each: impl FnMut(&mut Self, Moment<L::Told>) -> Result<(), E>,
    ) -> Result<L::Model, E> {
        while self.epoch <= options.epochs {
            let epoch = self.epoch;
            self.shuffle();
            self.learner.begin(options, epoch);
            while self.place < self.order.len() {
                let end = self.order.len().min(self.place + CHUNK);
                for &index in &self.order[self.place..end] {
                    self.learner.learn(samples, index);
                }
                self.place = end;
                if end == self.order.len() {
                    self.learner.end();
                }
                each(&mut self, Moment::Within)?;
            }
            let model = self.learner.model();
            let held_out = self.order.len()..L::len(samples);
            let none = held_out.is_empty();
            let (told, loss) = L::judge(&model, samples, held_out);
            if loss < self.best.0 || none {
                self.best = (loss, model);
            }
            self.end_epoch();
            each(&mut self, Moment::Epoch(epoch, told))?;
        }
        Ok(self.best.1)
    }
}
