//! [`TrainingFile`]: a training that survives the end of its process.

use std::io::{self, BufReader, ErrorKind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use stonework_files::{CheckpointClock, Disk, Kind, Lock, LockError, replace, with_ending};

use crate::lattice::LatticeTrainer;
use crate::moves::WeightTrainer;
use crate::run::{Learner, Moment, Run};
use crate::state::{self, Found, Marks};
use crate::train::Trainer;
use crate::{
    Fit, LatticeFit, LatticeNet, LatticeSamples, MoveSamples, MoveWeights, Options, Prediction, ValueNet,
    ValueSamples,
};

/// The time between two checkpoints unless the caller sets another time.
const INTERVAL: Duration = Duration::from_secs(30);

/// An event of a training. `T` is the quality of an epoch: [`Fit`] or [`Prediction`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum TrainingEvent<T> {
    /// The training goes on from a checkpoint.
    Resumed {
        /// The epoch in progress, from 1; one more than there are if all epochs have ended.
        epoch: u32,
        /// The positions of this epoch that are learned already.
        done: usize,
        /// The positions of an epoch.
        of: usize,
    },
    /// Some more positions are learned.
    Learned {
        /// The epoch in progress, from 1.
        epoch: u32,
        /// The positions of this epoch that are learned.
        done: usize,
        /// The positions of an epoch.
        of: usize,
    },
    /// An epoch has ended.
    Epoch {
        /// The epoch, from 1.
        epoch: u32,
        /// The quality of its result, by the positions that were held out.
        told: T,
    },
}

/// A function that sees the events of a training. [`ControlFlow::Break`] stops the training.
pub type TrainingWatch<'a, T> = &'a mut dyn FnMut(&TrainingEvent<T>) -> ControlFlow<()>;

/// The reason why a training has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// A file cannot be read, written or removed.
    #[error("{}: {error}", path.display())]
    Path {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Another process learns into the file.
    #[error("{}: {lock}", path.display())]
    Held {
        /// The file.
        path: PathBuf,
        /// The lock of the other process.
        lock: LockError,
    },
    /// The lock cannot be made.
    #[error(transparent)]
    Lock(LockError),
    /// The checkpoint is damaged or of another training. It stays as it is.
    #[error("{}: {reason}; the checkpoint is left as it is, and without it the training begins anew", path.display())]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The checkpoint is of a training that has ended, and whose result is the network that this training begins with; games and
    /// options are the same. The process ended after it had stored the result and before it had removed the checkpoint.
    /// [`TrainingFile::store`] with the bytes of that result ends the training.
    #[error(
        "{}: it is of a training that has ended with the network that this one begins with; the checkpoint is left as it is, \
         and without it the training begins anew",
        path.display()
    )]
    Ended {
        /// The checkpoint.
        path: PathBuf,
    },
    /// The watch has stopped the training. The checkpoint, if there is one, has its state.
    #[error("stopped")]
    Stopped,
}

/// A file of learned numbers in the making. A training that is broken off goes on where it was, in another process too, and gives
/// the same bytes.
///
/// Two files stand beside the file `FILE`: `FILE.lock`, which no second training can take, and `FILE.checkpoint`, the state of the
/// training. If the path is a link, both stand beside the file that the link leads to. A pipe or a device has neither. Dropping
/// this value frees the lock; storing the result removes the checkpoint.
///
/// A checkpoint is written at intervals ([`TrainingFile::every`]), at the end of each epoch and when the training is stopped. Each
/// write makes a new file beside the old one and renames it, so the file under the path is always complete. It has all numbers of
/// the training, and a digest of the samples and options. The order of the positions follows from the seed.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::path::Path;
/// use std::sync::Arc;
/// use stonework_files::{Disk, Simulated};
/// use stonework_learn::{Options, TrainingError, TrainingFile, ValueSamples, train_value};
/// let mut samples = ValueSamples::new();
/// for stones in (0..3000_u32).map(|n| n % 21) {
///     samples.push(&[stones], &[21 + stones], if stones % 3 == 0 { 0.0 } else { 1.0 });
/// }
/// let disk = Simulated::new();                                   // or `System`
/// let (options, shared): (_, Arc<dyn Disk>) = (Options::default(), Arc::new(disk.clone()));
/// let file = TrainingFile::open("nim.safetensors", &shared)?;
/// let stopped = file.train_value(42, &samples, &options, &mut |_| ControlFlow::Break(()));
/// assert!(matches!(stopped, Err(TrainingError::Stopped)));
/// assert!(disk.content(Path::new("nim.safetensors.checkpoint")).is_some());
/// drop(file);
///
/// let file = TrainingFile::open("nim.safetensors", &shared)?;
/// let net = file.train_value(42, &samples, &options, &mut |_| ControlFlow::Continue(()))?;
/// assert_eq!(net, train_value(42, &samples, &options, &mut |_, _| ()));
/// file.store(&net.to_bytes(&[]))?;
/// drop(file);
/// assert_eq!(disk.paths(), [Path::new("nim.safetensors")]);
/// # Ok::<(), TrainingError>(())
/// ```
#[derive(Debug)]
pub struct TrainingFile {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    interval: Duration,
    /// The file of the checkpoint and the lock; `None` for a pipe or a device.
    kept: Option<(PathBuf, Lock)>,
}

impl TrainingFile {
    /// Takes the lock of a file, and makes sure that a result can replace the file. The first change of the file itself is in
    /// [`TrainingFile::store`].
    ///
    /// # Errors
    /// [`TrainingError::Held`] if another training holds the lock; [`TrainingError::Path`] for a directory and a file without
    /// write permission; [`TrainingError::Path`] and [`TrainingError::Lock`] with the error of the system.
    pub fn open(path: impl Into<PathBuf>, disk: &Arc<dyn Disk>) -> Result<Self, TrainingError> {
        let path = path.into();
        let failed = |error| TrainingError::Path { path: path.clone(), error };
        let there = disk.look(&path).map_err(failed)?.map(|entry| entry.kind);
        let kept = if there == Some(Kind::Other) {
            None
        } else {
            let target = disk.target(&path).map_err(failed)?;
            match there {
                Some(Kind::Directory) => {
                    return Err(failed(io::Error::new(ErrorKind::IsADirectory, "it is a directory")));
                }
                // A file without write permission, which `replace` refuses.
                Some(Kind::File) => drop(disk.edit(&target).map_err(failed)?),
                _ => {}
            }
            let lock = Lock::take(disk, &with_ending(&target, ".lock")).map_err(|lock| match lock {
                lock @ LockError::Held { .. } => TrainingError::Held { path: path.clone(), lock },
                lock => TrainingError::Lock(lock),
            })?;
            Some((with_ending(&target, ".checkpoint"), lock))
        };
        Ok(Self { disk: Arc::clone(disk), path, interval: INTERVAL, kept })
    }

    /// The same file with another time between checkpoints than half a minute. A write comes at most some hundred positions later
    /// than that time. If writes would take more than a twentieth of the time of the training, they come less often, unless the
    /// interval is zero.
    #[must_use]
    pub fn every(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// The file of the checkpoint; `None` for a pipe or a device.
    #[must_use]
    pub fn checkpoint(&self) -> Option<&Path> {
        self.kept.as_ref().map(|(path, _)| path.as_path())
    }

    /// The network of [`train_value`](crate::train_value); if there is a checkpoint, the training goes on from it.
    ///
    /// # Errors
    /// [`TrainingError::Checkpoint`] for a checkpoint that is damaged, or of other samples, options, rows or another version;
    /// [`TrainingError::Path`] with the error of the system; [`TrainingError::Stopped`] after the watch has stopped the training.
    ///
    /// # Panics
    /// If a feature is not below `rows`.
    pub fn train_value(
        &self,
        rows: usize,
        samples: &ValueSamples,
        options: &Options,
        watch: TrainingWatch<'_, Fit>,
    ) -> Result<ValueNet, TrainingError> {
        self.train(Run::new(samples, options, |rng| Trainer::new(rows, rng)), samples, options, watch)
    }

    /// The weights of [`train_moves`](crate::train_moves); if there is a checkpoint, the training goes on from it.
    ///
    /// # Errors
    /// As [`TrainingFile::train_value`].
    ///
    /// # Panics
    /// If a feature is not below `count`.
    pub fn train_moves(
        &self,
        count: usize,
        samples: &MoveSamples,
        options: &Options,
        watch: TrainingWatch<'_, Prediction>,
    ) -> Result<MoveWeights, TrainingError> {
        self.train(Run::new(samples, options, |_| WeightTrainer::new(count)), samples, options, watch)
    }

    /// The network of [`train_lattice`](crate::train_lattice); if there is a checkpoint, the training goes on from it.
    ///
    /// # Errors
    /// As [`TrainingFile::train_value`]; [`TrainingError::Ended`] for a checkpoint of a training whose result `start` is.
    ///
    /// # Panics
    /// If the samples have a plane that the network has not.
    pub fn train_lattice(
        &self,
        start: LatticeNet,
        samples: &LatticeSamples,
        options: &Options,
        watch: TrainingWatch<'_, LatticeFit>,
    ) -> Result<LatticeNet, TrainingError> {
        let run = Run::new(samples, options, |_| LatticeTrainer::new(start));
        self.train(run, samples, options, watch)
    }

    fn train<L: Learner>(
        &self,
        mut run: Run<L>,
        samples: &L::Samples,
        options: &Options,
        watch: TrainingWatch<'_, L::Told>,
    ) -> Result<L::Model, TrainingError> {
        let marks = Marks::new(&run, samples, options);
        if self.resume(&mut run, &marks, options)? {
            let (epoch, done, of) = (run.epoch(), run.place(), run.positions());
            if watch(&TrainingEvent::Resumed { epoch, done, of }).is_break() {
                return Err(TrainingError::Stopped);
            }
        }
        let mut clock = CheckpointClock::new(self.interval);
        run.finish(samples, options, |run, moment| {
            let (event, ends) = match moment {
                Moment::Within => {
                    let (epoch, done, of) = (run.epoch(), run.place(), run.positions());
                    (TrainingEvent::Learned { epoch, done, of }, false)
                }
                Moment::Epoch(epoch, told) => (TrainingEvent::Epoch { epoch, told }, true),
            };
            let stops = watch(&event).is_break();
            if stops || ends || clock.is_due() {
                clock.write(|| self.keep(run, &marks))?;
            }
            if stops { Err(TrainingError::Stopped) } else { Ok(()) }
        })
    }

    /// Reads the checkpoint into a training at its beginning; `false` without one.
    fn resume<L: Learner>(
        &self,
        run: &mut Run<L>,
        marks: &Marks,
        options: &Options,
    ) -> Result<bool, TrainingError> {
        let Some(path) = self.checkpoint() else { return Ok(false) };
        let file = match self.disk.open(path) {
            Ok(file) => BufReader::with_capacity(1 << 16, file),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(TrainingError::Path { path: path.to_owned(), error }),
        };
        match state::read(run, marks, options, file) {
            Ok(Found::Same) => Ok(true),
            Ok(Found::Before) => Err(TrainingError::Ended { path: path.to_owned() }),
            Err(reason) => Err(TrainingError::Checkpoint { path: path.to_owned(), reason }),
        }
    }

    /// Writes the checkpoint. A training with numbers that are not finite keeps its last one, since no checkpoint with such
    /// numbers would be read.
    fn keep<L: Learner>(&self, run: &mut Run<L>, marks: &Marks) -> Result<(), TrainingError> {
        let Some(path) = self.checkpoint() else { return Ok(()) };
        if !state::is_sound(run) {
            return Ok(());
        }
        replace(&*self.disk, path, |out| state::write(run, marks, out))
            .map_err(|error| TrainingError::Path { path: path.to_owned(), error })
    }

    /// Writes the result and removes the checkpoint. The new file replaces an old one when the new one is complete. If the process
    /// ends between the two, the same training goes on from the checkpoint, at its end, and stores the same result. A training that
    /// begins with the network of the file itself is told of it by [`TrainingError::Ended`].
    ///
    /// # Errors
    /// [`TrainingError::Path`] with the error of the system.
    pub fn store(&self, bytes: &[u8]) -> Result<(), TrainingError> {
        replace(&*self.disk, &self.path, |out| out.write_all(bytes))
            .map_err(|error: io::Error| TrainingError::Path { path: self.path.clone(), error })?;
        let Some(path) = self.checkpoint() else { return Ok(()) };
        match self.disk.remove(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(TrainingError::Path { path: path.to_owned(), error })
            }
            _ => Ok(()),
        }
    }
}
