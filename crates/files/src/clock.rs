//! [`CheckpointClock`]: the times at which a checkpoint is written.

use std::time::Duration;

use web_time::Instant;

/// Writing takes at most one part in [`SHARE`] of the time.
const SHARE: u32 = 20;

/// The times at which long work writes its checkpoint: at intervals, and so rarely that writing takes at most a twentieth of the
/// time.
///
/// ```
/// use std::time::Duration;
/// use stonework_files::CheckpointClock;
/// let mut clock = CheckpointClock::new(Duration::from_secs(30));
/// assert!(!clock.is_due());
/// assert_eq!(clock.write(|| "written"), "written");
/// assert!(CheckpointClock::new(Duration::ZERO).is_due());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckpointClock {
    interval: Duration,
    since: Instant,
    /// The time that the last write took.
    took: Duration,
}

impl CheckpointClock {
    /// A clock that starts now. An interval of zero makes a checkpoint due at all times, however long a write takes.
    #[must_use]
    pub fn new(interval: Duration) -> Self {
        Self { interval, since: Instant::now(), took: Duration::ZERO }
    }

    /// `true` if it is time to write: the interval has passed since the start or the last write, and so have nineteen times the
    /// time of the last write.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.interval.is_zero() || self.since.elapsed() >= self.interval.max(self.took * (SHARE - 1))
    }

    /// Writes by a function, and measures its time.
    pub fn write<T>(&mut self, write: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let value = write();
        (self.took, self.since) = (began.elapsed(), Instant::now());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_write_makes_the_next_one_wait() {
        let mut clock = CheckpointClock::new(Duration::from_nanos(1));
        std::thread::sleep(Duration::from_millis(1));
        assert!(clock.is_due());
        clock.write(|| std::thread::sleep(Duration::from_millis(40)));
        // 19 times 40 ms are to pass.
        std::thread::sleep(Duration::from_millis(5));
        assert!(!clock.is_due());
    }
}
