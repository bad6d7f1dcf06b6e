//! [`Meter`]: counts what a search spends and says when to stop.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::{Limits, Stop};

/// Counts nodes and simulations against [`Limits`], and looks at the clock and the cancel flag often
/// enough to stop within a few milliseconds.
///
/// Shared by the threads of a search. Without a limit of nodes each thread has a [`Purse`] of nodes, so that
/// the shared count is touched once in a while; with one, nodes are taken one by one, and the count is
/// exact.
#[derive(Debug)]
pub struct Meter<'a> {
    limits: &'a Limits,
    start: Instant,
    /// Nodes given out to purses, less what they have returned.
    nodes: AtomicU64,
    simulations: AtomicU64,
    /// What has stopped the search: 0, or a [`Stop`] plus 1.
    stopped: AtomicU8,
}

/// Nodes that one thread may visit without asking.
#[derive(Debug, Default)]
pub struct Purse {
    left: u32,
    /// Nodes until the clock is looked at again.
    until_clock: u32,
    /// Nodes between the last two looks, and when the last one was.
    between: u32,
    looked: Duration,
}

/// Nodes taken from the shared count at once where nothing limits them.
const PURSE: u64 = 64;
/// Nodes between looks at the clock at the most; at a microsecond a node, a quarter of a millisecond. Fewer
/// where nodes are slower, so that looks are less than a millisecond apart.
const CLOCK: u32 = 256;

const REASONS: [Stop; 7] =
    [Stop::Solved, Stop::Nodes, Stop::Simulations, Stop::Depth, Stop::Time, Stop::Cancel, Stop::Memory];

impl<'a> Meter<'a> {
    /// Starts the clock.
    #[must_use]
    pub fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            start: Instant::now(),
            nodes: AtomicU64::new(0),
            simulations: AtomicU64::new(0),
            stopped: AtomicU8::new(0),
        }
    }

    /// The limits that are kept.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        self.limits
    }

    /// What has stopped the search, if anything has.
    #[must_use]
    #[inline]
    pub fn stopped(&self) -> Option<Stop> {
        let code = self.stopped.load(Ordering::Relaxed);
        code.checked_sub(1).and_then(|i| REASONS.get(usize::from(i))).copied()
    }

    /// Stops the search for this reason, unless it has stopped already.
    pub fn stop(&self, reason: Stop) {
        let code = REASONS.iter().position(|&r| r == reason).map_or(1, |i| i as u8 + 1);
        // The first reason stands; who comes later need not know.
        let _ = self.stopped.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Counts one node; `false` if it may not be visited any more.
    #[inline]
    pub fn node(&self, purse: &mut Purse) -> bool {
        if purse.until_clock == 0 {
            self.pause(purse);
        }
        // A node that was given out is visited, even if the limit has stopped others meanwhile: so the
        // count is exact.
        if self.stopped().is_some() || (purse.left == 0 && !self.refill(purse)) {
            return false;
        }
        purse.left -= 1;
        purse.until_clock -= 1;
        true
    }

    /// Looks at the clock, and decides how many nodes until the next look.
    #[cold]
    fn pause(&self, purse: &mut Purse) {
        self.look();
        let now = self.start.elapsed();
        purse.between = match now.saturating_sub(purse.looked).as_micros() {
            _ if purse.between == 0 => 1,
            0..200 => (purse.between * 2).min(CLOCK),
            200..500 => purse.between,
            _ => (purse.between / 2).max(1),
        };
        purse.looked = now;
        purse.until_clock = purse.between;
    }

    #[cold]
    fn refill(&self, purse: &mut Purse) -> bool {
        let Some(limit) = self.limits.nodes else {
            self.nodes.fetch_add(PURSE, Ordering::Relaxed);
            purse.left = PURSE as u32;
            return true;
        };
        // One by one, so that no thread is left with nodes when another has found none.
        let take = |spent: u64| (spent < limit).then(|| spent + 1);
        let taken = self.nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if taken.is_err() {
            self.stop(Stop::Nodes);
        }
        purse.left = u32::from(taken.is_ok());
        taken.is_ok()
    }

    /// Counts several nodes that are visited together, without a purse; `false` if not all of them may be
    /// visited, and then the count stands at the limit. A search that has stopped for another reason may
    /// finish what it has begun.
    pub fn nodes_at_once(&self, nodes: u64) -> bool {
        let Some(limit) = self.limits.nodes else {
            self.nodes.fetch_add(nodes, Ordering::Relaxed);
            return true;
        };
        let take = |spent: u64| Some(spent.saturating_add(nodes).min(limit));
        let before = self.nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        let granted = before.is_ok_and(|spent| limit.saturating_sub(spent) >= nodes);
        if !granted {
            self.stop(Stop::Nodes);
        }
        granted
    }

    /// Gives back what a thread has not used, so that the count is exact at the end.
    pub fn settle(&self, purse: &mut Purse) {
        self.nodes.fetch_sub(purse.left.into(), Ordering::Relaxed);
        purse.left = 0;
    }

    /// Counts one simulation; `false` if there may be no more.
    pub fn simulation(&self) -> bool {
        if self.stopped().is_some() {
            return false;
        }
        let limit = self.limits.simulations.unwrap_or(u64::MAX);
        let taken = self
            .simulations
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < limit).then(|| n + 1));
        if taken.is_err() {
            self.stop(Stop::Simulations);
        }
        taken.is_ok()
    }

    /// Looks at the clock and the cancel flag now.
    pub fn look(&self) {
        if self.limits.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.stop(Stop::Cancel);
        }
        if self.limits.time.is_some_and(|time| self.start.elapsed() >= time) {
            self.stop(Stop::Time);
        }
    }

    /// Nodes counted so far; exact when all purses are settled.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Simulations counted so far.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        self.simulations.load(Ordering::Relaxed)
    }

    /// Time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
