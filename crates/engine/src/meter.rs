//! [`Meter`]: the account of a search's cost, which stops the search at a limit.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

// The clock of the system or, on WebAssembly without one, of the browser.
use web_time::Instant;

use crate::{Limits, Stop};

/// The account of a search's nodes and simulations against [`Limits`], with looks at the clock and the cancel flag
/// that are frequent enough to stop within a few milliseconds.
///
/// The threads of a search share the meter. Each thread has an [`Allowance`] of nodes and simulations, so that the
/// thread seldom changes the shared counts; near a limit nodes are taken one by one, and the counts are exact. The
/// meter is public so that engines of other crates keep limits in the same way.
#[derive(Debug)]
pub struct Meter<'a> {
    limits: &'a Limits,
    start: Instant,
    /// The meter of the search that this search is a part of.
    whole: Option<&'a Meter<'a>>,
    /// The reason that has stopped the search: 0, or a [`Stop`] plus 1.
    stopped: AtomicU8,
    /// `true` if the engine judges when the search has had enough time.
    judged: AtomicBool,
    counts: Counts,
}

/// The counts given out to allowances, less the counts returned, on a cache line apart from the fields that every
/// thread reads often.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counts {
    nodes: AtomicU64,
    simulations: AtomicU64,
}

/// The nodes and simulations that one thread may spend without a look at the shared counts.
#[derive(Debug, Default)]
pub struct Allowance {
    left: u32,
    simulations: u32,
    /// The number of nodes until the next look at the clock.
    until_clock: u32,
    /// The number of nodes between the last two looks at the clock; `looked` is the time of the last look.
    between: u32,
    looked: Duration,
}

/// The number of nodes or simulations that are taken at once if a limit is far.
const BATCH: u64 = 256;
/// The distance from which on a limit is far, so that a thread with a full allowance seldom continues after other threads have
/// reached the limit.
const FAR: u64 = 1 << 16;
/// The greatest number of nodes between looks at the clock: at a microsecond a node, a quarter of a millisecond.
/// With slower nodes the number is smaller, so that looks are less than a millisecond apart.
const CLOCK: u32 = 256;

const REASONS: [Stop; 7] =
    [Stop::Solved, Stop::Nodes, Stop::Simulations, Stop::Depth, Stop::Time, Stop::Cancel, Stop::Memory];

impl<'a> Meter<'a> {
    /// A meter whose clock starts now.
    #[must_use]
    pub fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            start: Instant::now(),
            whole: None,
            stopped: AtomicU8::new(0),
            judged: AtomicBool::new(false),
            counts: Counts::default(),
        }
    }

    /// A meter of a part of this search, with limits and counts of its own and the same clock. The part also
    /// stops, with its next look, when this search has stopped.
    #[must_use]
    pub fn within<'b>(&'b self, limits: &'b Limits) -> Meter<'b> {
        Meter { start: self.start, whole: Some(self), ..Meter::new(limits) }
    }

    /// The limits of the search.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        self.limits
    }

    /// The reason that has stopped the search, if it has stopped.
    #[must_use]
    #[inline]
    pub fn stopped(&self) -> Option<Stop> {
        let code = self.stopped.load(Ordering::Relaxed);
        code.checked_sub(1).and_then(|i| REASONS.get(usize::from(i))).copied()
    }

    /// Stops the search for this reason, unless it has stopped already.
    pub fn stop(&self, reason: Stop) {
        let code = REASONS.iter().position(|&r| r == reason).map_or(1, |i| i as u8 + 1);
        // The first reason stands; later ones are dropped.
        let _ = self.stopped.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Counts one node; `false` if the search may not visit the node any more.
    #[inline]
    pub fn node(&self, allowance: &mut Allowance) -> bool {
        if allowance.until_clock == 0 {
            self.pause(allowance);
        }
        // A node of an allowance is visited even if the limit has stopped other threads meanwhile, so that the
        // count is exact.
        if self.stopped().is_some() || (allowance.left == 0 && !self.refill(allowance)) {
            return false;
        }
        allowance.left -= 1;
        allowance.until_clock -= 1;
        true
    }

    /// Looks at the clock, and sets the number of nodes until the next look.
    #[cold]
    fn pause(&self, allowance: &mut Allowance) {
        self.look();
        let now = self.start.elapsed();
        allowance.between = match now.saturating_sub(allowance.looked).as_micros() {
            _ if allowance.between == 0 => 1,
            0..200 => (allowance.between * 2).min(CLOCK),
            200..500 => allowance.between,
            _ => (allowance.between / 2).max(1),
        };
        allowance.looked = now;
        allowance.until_clock = allowance.between;
    }

    #[cold]
    fn refill(&self, allowance: &mut Allowance) -> bool {
        let Some(limit) = self.limits.nodes else {
            self.counts.nodes.fetch_add(BATCH, Ordering::Relaxed);
            allowance.left = BATCH as u32;
            return true;
        };
        // Nodes are taken one by one, so that no thread has nodes left when another thread finds none.
        let take = |spent: u64| (spent < limit).then(|| spent + 1);
        let taken = self.counts.nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if taken.is_err() {
            self.stop(Stop::Nodes);
        }
        allowance.left = u32::from(taken.is_ok());
        taken.is_ok()
    }

    /// Counts several nodes that are visited together; `false` if not all of these nodes may be visited; the count
    /// is then at the limit. A search that has stopped for another reason may finish its current step.
    #[inline]
    pub fn nodes_at_once(&self, allowance: &mut Allowance, nodes: u64) -> bool {
        if let Some(left) = u64::from(allowance.left).checked_sub(nodes) {
            allowance.left = left as u32;
            return true;
        }
        self.more_nodes(allowance, nodes)
    }

    #[cold]
    fn more_nodes(&self, allowance: &mut Allowance, nodes: u64) -> bool {
        let missing = nodes - u64::from(std::mem::take(&mut allowance.left));
        let limit = self.limits.nodes.unwrap_or(u64::MAX);
        let spare = spare(limit - self.nodes().min(limit), missing);
        let take = |spent: u64| Some(spent.saturating_add(missing + spare).min(limit));
        let before = self.counts.nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        let taken = before.map_or(0, |spent| (limit - spent.min(limit)).min(missing + spare));
        allowance.left = taken.saturating_sub(missing) as u32;
        if taken < missing {
            self.stop(Stop::Nodes);
        }
        taken >= missing
    }

    /// The number of nodes that a thread with this allowance may still visit.
    #[must_use]
    pub fn nodes_left(&self, allowance: &Allowance) -> u64 {
        let left = |limit: u64| limit.saturating_sub(self.nodes()).saturating_add(allowance.left.into());
        self.limits.nodes.map_or(u64::MAX, left)
    }

    /// The limits that are left to a thread with this allowance, for a search within this search: nodes, time and the cancel
    /// flag.
    ///
    /// ```
    /// use stonework_engine::{Allowance, Limits, Meter};
    /// let limits = Limits::none().nodes(1000);
    /// let (meter, mut allowance) = (Meter::new(&limits), Allowance::default());
    /// assert!(meter.nodes_at_once(&mut allowance, 300));
    /// assert_eq!(meter.rest(&allowance).nodes, Some(700));
    /// ```
    #[must_use]
    pub fn rest(&self, allowance: &Allowance) -> Limits {
        let Limits { nodes, cancel, .. } = self.limits;
        Limits {
            nodes: nodes.map(|_| self.nodes_left(allowance)),
            time: self.time().map(|time| time.saturating_sub(self.elapsed())),
            cancel: cancel.clone(),
            ..Limits::none()
        }
    }

    /// Returns nodes to an allowance that were [counted at once](Meter::nodes_at_once) and not visited.
    pub fn unspent(&self, allowance: &mut Allowance, nodes: u32) {
        allowance.left += nodes;
    }

    /// Takes an unused allowance back from a thread, so that the counts are exact at the end.
    pub fn settle(&self, allowance: &mut Allowance) {
        self.counts.nodes.fetch_sub(allowance.left.into(), Ordering::Relaxed);
        self.counts.simulations.fetch_sub(allowance.simulations.into(), Ordering::Relaxed);
        (allowance.left, allowance.simulations) = (0, 0);
    }

    /// Counts one simulation; `false` if no further simulation is allowed.
    #[inline]
    pub fn simulation(&self, allowance: &mut Allowance) -> bool {
        // An allowance is spent even if the limit has stopped other threads meanwhile, so that the count is
        // exact.
        match self.stopped() {
            None => {}
            Some(Stop::Simulations) if allowance.simulations > 0 => {}
            Some(Stop::Nodes) if allowance.left > 0 => {}
            Some(_) => return false,
        }
        if allowance.simulations == 0 && !self.more_simulations(allowance) {
            return false;
        }
        allowance.simulations -= 1;
        true
    }

    #[cold]
    fn more_simulations(&self, allowance: &mut Allowance) -> bool {
        let limit = self.limits.simulations.unwrap_or(u64::MAX);
        let want = 1 + spare(limit - self.simulations().min(limit), 1);
        let take = |spent: u64| (spent < limit).then(|| spent + want.min(limit - spent));
        let before = self.counts.simulations.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        let Ok(before) = before else {
            self.stop(Stop::Simulations);
            return false;
        };
        allowance.simulations = want.min(limit - before) as u32;
        true
    }

    /// `true` if the search has stopped at a limit of which the allowance has a rest.
    #[must_use]
    pub fn owes(&self, allowance: &Allowance) -> bool {
        match self.stopped() {
            Some(Stop::Simulations) => allowance.simulations > 0,
            Some(Stop::Nodes) => allowance.left > 0,
            _ => false,
        }
    }

    /// Tells that the engine judges whether the search has had [`enough`](field@Limits::enough) time: the meter stops the
    /// search at the limit of [`time`](field@Limits::time) only, if there is one.
    pub fn judge(&self) {
        self.judged.store(true, Ordering::Relaxed);
    }

    /// The time from the start after which the search stops.
    fn time(&self) -> Option<Duration> {
        let Limits { time, enough, .. } = self.limits;
        let enough = enough.filter(|_| time.is_none() || !self.judged.load(Ordering::Relaxed));
        [*time, enough].into_iter().flatten().min()
    }

    /// Looks at the clock and the cancel flag now.
    pub fn look(&self) {
        if self.limits.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.stop(Stop::Cancel);
        }
        if self.time().is_some_and(|time| self.start.elapsed() >= time) {
            self.stop(Stop::Time);
        }
        if let Some(whole) = self.whole {
            whole.look();
            if let Some(reason) = whole.stopped() {
                self.stop(reason);
            }
        }
    }

    /// The number of nodes counted so far; exact when all allowances are settled.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.counts.nodes.load(Ordering::Relaxed)
    }

    /// The number of simulations counted so far.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        self.counts.simulations.load(Ordering::Relaxed)
    }

    /// The nodes and simulations counted so far, less the rest of an allowance.
    #[must_use]
    pub fn spent(&self, allowance: &Allowance) -> (u64, u64) {
        (self.nodes() - u64::from(allowance.left), self.simulations() - u64::from(allowance.simulations))
    }

    /// The time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// The amount to take beyond the need if the limit is `left` away.
fn spare(left: u64, needed: u64) -> u64 {
    if left.saturating_sub(needed) > FAR { BATCH } else { 0 }
}
