//! [`Training`]: arguments of a training, its progress and its file.

use std::io::{ErrorKind, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use stonework_files::Disk;
use stonework_learn::{Options, TrainingError, TrainingEvent, TrainingFile, TrainingWatch};

use crate::engines::interrupted;
use crate::failure::{Failure, say};
use crate::out::{Out, is_same_file};
use crate::progress::Progress;
use crate::start::{seconds, seed};

#[derive(Args)]
pub(super) struct Training {
    /// Files of games of `match --out`, `tournament --out` and `selfplay`, all of one game
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// How many times each position is learned from [default: 4; for lattice 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: Option<u32>,
    /// The length of a step [default: 0.03; for lattice 0.002]
    #[arg(long, value_name = "X")]
    step: Option<f32>,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    pub(super) seed: u64,
    /// Seconds between checkpoints in FILE.checkpoint, which is also written after each epoch and when Ctrl-C stops the training
    #[arg(long, value_name = "T", default_value = "30", value_parser = seconds)]
    checkpoint_every: Duration,
}

/// The words for the quality of an epoch, as JSON and as text.
pub(super) struct Words<T> {
    pub(super) json: fn(&T) -> Value,
    pub(super) text: fn(&T) -> String,
}

impl Training {
    /// The options of the command, `usual` where it says nothing.
    pub(super) fn options(&self, usual: Options) -> Result<Options, Failure> {
        let (epochs, step) = (self.epochs.unwrap_or(usual.epochs), self.step.unwrap_or(usual.step));
        if !(step > 0.0 && step <= 10.0) {
            return Err(Failure::input(format!("--step {step}: a step is more than 0 and at most 10")));
        }
        Ok(Options { epochs, step, seed: self.seed, ..usual })
    }

    /// The words about the training in the file, for these numbers of games and positions. Without a position nothing would be
    /// learned, and the file would be replaced by numbers at their beginning: an error.
    pub(super) fn about(
        options: &Options,
        [games, positions]: [usize; 2],
    ) -> Result<Vec<(&'static str, String)>, Failure> {
        if positions == 0 {
            return Err(Failure::input(format!(
                "no positions to learn from in {games} games: all moves are of openings, or leave no choice"
            )));
        }
        let Options { epochs, step, seed, .. } = options;
        Ok(vec![
            ("games", games.to_string()),
            ("positions", positions.to_string()),
            ("epochs, step, seed", format!("{epochs}, {step}, {seed}")),
            ("made by", format!("stonework {}", env!("CARGO_PKG_VERSION"))),
        ])
    }

    /// Learns by `learn`, with progress, and writes the bytes that it gives to the file. Returns these bytes.
    pub(super) fn run<T>(
        &self,
        (out, epochs): (&mut Out, u32),
        words: &Words<T>,
        learn: impl FnOnce(&TrainingFile, TrainingWatch<'_, T>) -> Result<Vec<u8>, TrainingError>,
    ) -> Result<Vec<u8>, Failure> {
        self.check_output(&**out.disk())?;
        let file = TrainingFile::open(&self.output, out.disk()).map_err(Failure::input)?;
        let file = file.every(self.checkpoint_every);
        let stop = interrupted();
        let (mut progress, mut told) = (None, Ok(()));
        let learned = learn(&file, &mut |event| {
            match event {
                TrainingEvent::Resumed { epoch, done, of } => {
                    self.say_resumed(&file, [epochs, *epoch], [*done, *of]);
                }
                TrainingEvent::Learned { epoch, done, of } => {
                    let positions = |epochs: u32| u64::from(epochs) * *of as u64;
                    let new = || Progress::new("positions", Some(positions(epochs)));
                    progress.get_or_insert_with(new).at(positions(epoch - 1) + *done as u64);
                }
                TrainingEvent::Epoch { epoch, told: quality } => {
                    let mut tell = || tell(out, *epoch, words, quality);
                    told = match &progress {
                        Some(bar) => bar.aside(tell),
                        None => tell(),
                    };
                }
                _ => {}
            }
            if told.is_err() || stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        drop(progress);
        told.map_err(|failure| unheard(failure, &file))?;
        let bytes = learned.map_err(|error| stopped(error, &file))?;
        file.store(&bytes).map_err(Failure::input)?;
        if !out.wants_json() {
            writeln!(out, "{}: {} bytes", self.output.display(), bytes.len())?;
            out.flush()?;
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::input(format!("stopped after {} was written", self.output.display())));
        }
        Ok(bytes)
    }

    /// Refuses an output that is one of the files of games, which would be lost.
    fn check_output(&self, disk: &dyn Disk) -> Result<(), Failure> {
        match self.files.iter().find(|file| is_same_file(disk, file, &self.output)) {
            Some(file) => {
                let (output, file) = (self.output.display(), file.display());
                Err(Failure::input(format!("--output {output}: it is the file of games {file}")))
            }
            None => Ok(()),
        }
    }

    fn say_resumed(&self, file: &TrainingFile, [epochs, epoch]: [u32; 2], [done, of]: [usize; 2]) {
        let from = file.checkpoint().map_or_else(String::new, |path| path.display().to_string());
        let place = if epoch > epochs {
            "all epochs".to_owned()
        } else {
            format!("{done} of {of} positions of epoch {epoch}")
        };
        say(format_args!("{}: goes on after {place}, as {from} has them", self.output.display()));
    }
}

/// Writes a line after an epoch.
fn tell<T>(out: &mut Out, epoch: u32, words: &Words<T>, quality: &T) -> Result<(), Failure> {
    if out.wants_json() {
        let mut line = (words.json)(quality);
        line["epoch"] = epoch.into();
        out.object(&line)?;
    } else {
        writeln!(out, "epoch {epoch}, held out {}", (words.text)(quality))?;
    }
    out.flush()
}

/// The words for a command that goes on from a checkpoint.
fn from(checkpoint: &Path) -> String {
    format!("the same command goes on from {}", checkpoint.display())
}

/// The failure of a training that was stopped or could not go on.
fn stopped(error: TrainingError, file: &TrainingFile) -> Failure {
    match (error, file.checkpoint()) {
        (TrainingError::Stopped, Some(path)) => Failure::input(format!("stopped; {}", from(path))),
        (error, _) => Failure::input(error),
    }
}

/// The failure after standard output was closed before the end of a training.
fn unheard(failure: Failure, file: &TrainingFile) -> Failure {
    match (failure, file.checkpoint()) {
        (Failure::Output(error), Some(path)) if error.kind() == ErrorKind::BrokenPipe => {
            Failure::input(format!("standard output was closed before the end; {}", from(path)))
        }
        (failure, _) => failure,
    }
}
