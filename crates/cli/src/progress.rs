//! A progress bar on standard error for work that takes longer than a second.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use stonework_proof::set::{ProofSet, SetFiles, SetFolder};

/// A progress bar, if standard error is a terminal. The drop removes the bar.
pub(crate) struct Progress {
    bar: ProgressBar,
    since: Instant,
    shown: bool,
}

impl Progress {
    /// A bar that counts `things`, up to `total` if the total is known.
    pub(crate) fn new(things: &'static str, total: Option<u64>) -> Self {
        let style = match total {
            Some(_) => {
                ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} {msg}, {eta} left")
            }
            None => ProgressStyle::with_template("{spinner} {human_pos} {msg} in {elapsed}"),
        };
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_message(things);
        Self { bar, since: Instant::now(), shown: false }
    }

    /// Sets the present count.
    pub(crate) fn at(&mut self, position: u64) {
        if !self.shown && self.since.elapsed() > Duration::from_secs(1) {
            self.shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(position);
    }

    /// Sets the text after the count.
    pub(crate) fn show(&self, things: String) {
        self.bar.set_message(things);
    }

    /// Hides the bar while a function writes.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar that counts the bytes of the files that are read.
pub(crate) struct ReadProgress(Mutex<(Progress, u64)>);

impl ReadProgress {
    fn new(bytes: Option<u64>) -> Self {
        Self(Mutex::new((Progress::new("bytes", bytes), 0)))
    }

    /// Opens a file, and counts up to its length.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, File)> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        Ok((Self::new(about.is_file().then_some(about.len())), file))
    }

    /// The reader of a file, which counts.
    pub(crate) fn watch<R: Read>(&self, input: R) -> WatchedInput<'_, R> {
        WatchedInput { input, progress: self }
    }
}

/// A file whose bytes count.
pub(crate) struct WatchedInput<'a, R> {
    input: R,
    progress: &'a ReadProgress,
}

impl<R: Read> Read for WatchedInput<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(bytes)?;
        let (bar, read) = &mut *self.progress.0.lock().unwrap_or_else(PoisonError::into_inner);
        *read += count as u64;
        bar.at(*read);
        Ok(count)
    }
}

/// The files of a proof set, whose bytes count up to those of the whole set.
pub(crate) struct WatchedFolder {
    folder: SetFolder,
    progress: ReadProgress,
}

impl WatchedFolder {
    pub(crate) fn new(folder: &Path, set: &ProofSet) -> Self {
        let bytes = set.files.iter().map(|file| file.bytes).fold(0, u64::saturating_add);
        Self { folder: SetFolder(folder.to_owned()), progress: ReadProgress::new(Some(bytes)) }
    }
}

impl SetFiles for WatchedFolder {
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(self.progress.watch(self.folder.open(name)?)))
    }
}
