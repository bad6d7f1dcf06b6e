//! A progress bar on standard error for work that takes longer than a second.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
