//! [`Budget`]: the processor time of a game, and its division among the moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use stonework_game::Game;
use stonework_search::Evaluator;

/// The processor time that this thread has used; `None` on systems that do not count it.
#[cfg(any(unix, windows))]
pub(super) fn used() -> Option<Duration> {
    cpu_time::ThreadTime::try_now().ok().map(|time| time.as_duration())
}

#[cfg(not(any(unix, windows)))]
pub(super) fn used() -> Option<Duration> {
    None
}

/// A limit of processor time: sets the cancel flag of a search when its thread has used the time, or when the caller sets
/// its own cancel flag. The engines' own limit of time counts elapsed time, which runs on while other programs have the
/// processor.
#[derive(Clone, Debug, Default)]
pub(super) struct Alarm {
    /// The thread's processor time at which the alarm rings, in nanoseconds; 0 for no alarm.
    at: Arc<AtomicU64>,
    flag: Arc<AtomicBool>,
    /// The cancel flag of the caller, which a search cannot have beside the flag of the alarm.
    caller: Option<Arc<AtomicBool>>,
}

impl Alarm {
    /// An alarm that is not set, and that obeys the cancel flag of the caller.
    pub(super) fn new(caller: Option<Arc<AtomicBool>>) -> Self {
        Self { caller, ..Self::default() }
    }

    /// The cancel flag.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Sets the alarm for the moment at which this thread has used `at` of processor time.
    pub(super) fn set(&self, at: Option<Duration>) {
        self.flag.store(false, Ordering::Relaxed);
        let nanos = at.map_or(0, |at| u64::try_from(at.as_nanos()).unwrap_or(u64::MAX).max(1));
        self.at.store(nanos, Ordering::Relaxed);
    }

    /// Stops the search if the time is used up or the caller has cancelled it.
    fn check(&self) {
        let at = self.at.load(Ordering::Relaxed);
        let is_late = || at > 0 && used().is_some_and(|used| used.as_nanos() >= u128::from(at));
        if self.caller.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) || is_late() {
            self.ring();
        }
    }

    /// Stops the search.
    pub(super) fn ring(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }
}

/// The number of evaluations between two checks of the alarm: about half a millisecond.
const INTERVAL: u32 = 64;

/// An evaluator that checks an alarm at intervals.
#[derive(Clone, Debug)]
pub(super) struct Watched<E> {
    evaluate: E,
    alarm: Alarm,
    until: u32,
}

impl<E> Watched<E> {
    pub(super) const fn new(evaluate: E, alarm: Alarm) -> Self {
        Self { evaluate, alarm, until: INTERVAL }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Watched<E> {
    fn evaluate(&mut self, game: &G) -> i32 {
        self.until -= 1;
        if self.until == 0 {
            self.until = INTERVAL;
            self.alarm.check();
        }
        self.evaluate.evaluate(game)
    }
}

/// The seconds of a year.
const YEAR: f64 = 31_536_000.0;

/// The time left for a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    left: Duration,
    /// The part of the whole time that is not planned: for the start of the program, and for late checks of the alarm.
    reserve: Duration,
}

impl Budget {
    /// The budget of a game: n² seconds times a factor, for a board of size n; at most a year, and nothing for a factor that is no number
    /// or below 0.
    pub(super) fn new(size: u8, factor: f64) -> Self {
        let seconds = (f64::from(size) * f64::from(size) * factor).clamp(0.0, YEAR);
        let whole = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        Self { left: whole, reserve: whole / 20 }
    }

    /// The time for a move, if this side is expected to make `left` more moves.
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
