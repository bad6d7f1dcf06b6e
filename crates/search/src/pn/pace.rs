//! [`Pace`]: the nodes of one thread between looks at the clock and calls of the watcher.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Allowance, Meter};

/// The number of nodes between two looks at the clock, which are additional to the looks of the meter: some
/// positions take long.
const CLOCK: u32 = 32;
/// The number of nodes between two calls of the watcher.
const TICK: u32 = 1 << 18;

/// The count of one thread's nodes.
pub(super) struct Pace<'a> {
    meter: &'a Meter<'a>,
    allowance: Allowance,
    until_clock: u32,
    until_tick: u32,
}

impl<'a> Pace<'a> {
    pub(super) fn new(meter: &'a Meter<'a>) -> Self {
        Self { meter, allowance: Allowance::default(), until_clock: CLOCK, until_tick: TICK }
    }

    /// Counts a node; `false` if a limit forbids it, or if another thread is `done`.
    #[inline]
    pub(super) fn node(&mut self, done: Option<&AtomicBool>) -> bool {
        if self.until_clock == 0 {
            self.until_clock = CLOCK;
            self.meter.look();
            if done.is_some_and(|done| done.load(Ordering::Relaxed)) {
                return false;
            }
        }
        self.until_clock -= 1;
        self.until_tick = self.until_tick.saturating_sub(1);
        self.meter.node(&mut self.allowance)
    }

    /// `true` if a call of the watcher is due; the count of nodes then begins anew.
    pub(super) fn tick(&mut self) -> bool {
        let due = self.until_tick == 0;
        if due {
            self.until_tick = TICK;
        }
        due
    }

    /// Returns the unused nodes of the allowance to the meter.
    pub(super) fn settle(&mut self) {
        self.meter.settle(&mut self.allowance);
    }
}
