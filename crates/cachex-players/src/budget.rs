//! [`Budget`]: the processor's time that a game may cost, and how it is shared out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use stonework_game::Game;
use stonework_search::Evaluator;

/// The processor's time that this thread has used, or none where it cannot be had.
#[cfg(any(unix, windows))]
pub(super) fn used() -> Option<Duration> {
    cpu_time::ThreadTime::try_now().ok().map(|time| time.as_duration())
}

#[cfg(not(any(unix, windows)))]
pub(super) fn used() -> Option<Duration> {
    None
}

/// An alarm that evaluations look at: it raises the flag that stops a search when its thread has used as
/// much of the processor as it may. Limits of engines count time by the clock on the wall, which runs on
/// while others have the processor.
#[derive(Clone, Debug, Default)]
pub(super) struct Alarm {
    /// Nanoseconds of the thread's time; 0: never.
    at: Arc<AtomicU64>,
    flag: Arc<AtomicBool>,
}

impl Alarm {
    /// The flag that it raises.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Rings when this thread has used so much.
    pub(super) fn set(&self, at: Option<Duration>) {
        self.flag.store(false, Ordering::Relaxed);
        let nanos = at.map_or(0, |at| u64::try_from(at.as_nanos()).unwrap_or(u64::MAX).max(1));
        self.at.store(nanos, Ordering::Relaxed);
    }

    fn look(&self) {
        let at = self.at.load(Ordering::Relaxed);
        if at > 0 && used().is_some_and(|used| used.as_nanos() >= u128::from(at)) {
            self.ring();
        }
    }

    /// Stops the search.
    pub(super) fn ring(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }
}

/// Evaluations between two looks: about half a millisecond.
const LOOKS: u32 = 64;

/// An evaluator that looks at an alarm now and then.
#[derive(Clone, Debug)]
pub(super) struct Watched<E> {
    evaluate: E,
    alarm: Alarm,
    until: u32,
}

impl<E> Watched<E> {
    pub(super) const fn new(evaluate: E, alarm: Alarm) -> Self {
        Self { evaluate, alarm, until: LOOKS }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Watched<E> {
    fn evaluate(&mut self, game: &G) -> i32 {
        self.until -= 1;
        if self.until == 0 {
            self.until = LOOKS;
            self.alarm.look();
        }
        self.evaluate.evaluate(game)
    }
}

/// The time left for a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    left: Duration,
    /// Of the whole, what is never planned for: starting, and what a look comes too late by.
    reserve: Duration,
}

impl Budget {
    /// n² seconds times a factor, for a board of size n.
    pub(super) fn new(size: u8, factor: f64) -> Self {
        let whole = Duration::from_secs(u64::from(size) * u64::from(size)).mul_f64(factor);
        Self { left: whole, reserve: whole / 20 }
    }

    /// How long to think about a move, if `left` moves of this side's are thought to come.
    pub(super) fn share(&self, left: u32) -> Duration {
        self.left.saturating_sub(self.reserve) / left.max(1)
    }

    pub(super) const fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }

    pub(super) const fn left(&self) -> Duration {
        self.left
    }
}
