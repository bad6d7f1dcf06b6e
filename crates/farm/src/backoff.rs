//! [`Backoff`]: growing pauses after errors.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::Digest;

/// The first pause, and the longest one.
const PAUSE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));
/// The time between two looks at the flag that ends a pause.
const LOOK: Duration = Duration::from_millis(20);

/// Pauses that double, from 50 ms to 5 s, each shortened by up to a quarter that follows from a name: many workers that
/// lose one server do not come back at the same moment.
#[derive(Debug)]
pub(crate) struct Backoff {
    next: Duration,
    seed: u8,
}

impl Backoff {
    pub(crate) fn new(name: &str) -> Self {
        Self { next: PAUSE.0, seed: Digest::of(name.as_bytes()).bytes()[0] }
    }

    pub(crate) const fn reset(&mut self) {
        self.next = PAUSE.0;
    }

    /// Pauses, but not longer than until `stop` is set. `tell` gets the length before.
    pub(crate) fn pause(&mut self, stop: &AtomicBool, tell: impl FnOnce(Duration)) {
        let time = self.next.mul_f64(1.0 - f64::from(self.seed) / 1024.0);
        self.next = (self.next * 2).min(PAUSE.1);
        tell(time);
        let since = Instant::now();
        while since.elapsed() < time && !stop.load(Ordering::Relaxed) {
            thread::sleep(LOOK.min(time));
        }
    }
}
