//! [`Coordinator`]: the loop that turns a plan, a check and a queue into a journal.

mod intake;
mod pace;
mod resume;
mod state;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use stonework_files::{Disk, Lock, LockError};

use self::intake::Intake;
use self::pace::Pace;
use crate::backoff::Backoff;
use crate::plan::{Check, FarmPlan};
use crate::queue::{Control, Depth, Lead, Leading, Queue, QueueError, Receipt};
use crate::{FarmJob, FarmJobId, JobDecision, Journal, JournalError, Spent};

/// The number of bad answers after which a worker is shut out.
pub const MAX_BAD: u32 = 3;
/// The number of workers that fail at one job after which the coordinator gives up. Where there are fewer, it gives up after
/// four times as many failures, unless a worker that has not failed at the job has done another one within an hour.
pub const MAX_FAILURES: u32 = 8;
/// The time for which a worker that has done a job may be at the next one.
const LATELY: Duration = Duration::from_secs(3600);
/// The largest number of reports that are taken at once, and so the largest group that is synced together.
const BATCH: usize = 128;
/// The time for which one call waits for reports.
const WAIT: Duration = Duration::from_millis(50);
/// The number of jobs that wait in the queue at least, as long as the plan has jobs.
const LEAST_WAITING: usize = 2;
/// The largest number of jobs that wait in the queue.
const MOST_WAITING: usize = 10_000;
/// The time between two looks for lost jobs while reports come without a pause, as a multiple of the coordinator's patience.
const BUSY: u32 = 4;
/// The time between two statuses.
const STATUS: Duration = Duration::from_millis(500);

/// The coordinator of a campaign.
///
/// The coordinator asks a [`FarmPlan`] for jobs, publishes them, lets a [`Check`] decide on each report, and writes what was
/// decided to a journal in its directory and to the row of decisions of the queue. It can be killed at any time: the
/// same call goes on from the journal, and in another directory from the row of decisions, whose answers are checked
/// again. A second coordinator stands by until the first one ends.
#[derive(Debug)]
pub struct Coordinator {
    directory: PathBuf,
    disk: Arc<dyn Disk>,
    name: String,
    patience: Duration,
}

/// The end of a coordinator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The plan has its result.
    Over,
    /// The coordinator was told to stop. The same call goes on.
    Stopped,
    /// The campaign was cancelled. The same call goes on, once the control says so.
    Cancelled,
    /// Another coordinator took the lead, since this one was away for longer than a term.
    Deposed,
}

/// The reason why a coordinator cannot go on. What was decided is in the journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoordinateError {
    /// The error of the queue.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The lock of the directory cannot be made.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The journal, or the row of decisions of the queue, is of another campaign.
    #[error("{place} is about another campaign: {found}; this one is: {expected}")]
    Other {
        /// The journal or the queue.
        place: String,
        /// The identity there.
        found: String,
        /// The identity of the plan.
        expected: String,
    },
    /// A decision cannot be read, or does not pass its check.
    #[error("{place}: decision {number}: {why}")]
    Decision {
        /// The journal or the queue.
        place: String,
        /// The number of the decision; 0 is the identity.
        number: u64,
        /// The fault.
        why: String,
    },
    /// A job fails at every worker.
    #[error("job {job} has failed {times} times: {why}")]
    Job {
        /// The job.
        job: FarmJobId,
        /// The number of failures.
        times: u32,
        /// The last reason.
        why: String,
    },
}

/// An event of a coordinator.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CoordinatorEvent<'a> {
    /// Another coordinator leads; this one stands by.
    StandsBy {
        /// The name of the leader, or of the process that has the directory.
        leader: &'a str,
    },
    /// The coordinator leads, with the decisions that it has resumed from.
    Leads {
        /// The number of these decisions.
        decided: u64,
        /// The number of decisions that came from the queue, as the journal did not have them.
        fetched: u64,
    },
    /// A report counts now: it is checked, and on the disk.
    Decided(&'a JobDecision),
    /// A report was refused; its job is offered again.
    Refused {
        /// The key of the worker.
        worker: &'a str,
        /// The fault, at most [`MAX_REASON`](crate::MAX_REASON) bytes.
        why: &'a str,
        /// The number of bad answers of the worker so far.
        bad: u32,
    },
    /// A worker is shut out.
    ShutOut {
        /// The key of the worker.
        worker: &'a str,
    },
    /// A worker has failed at a job, which is offered again.
    Failed {
        /// The key of the worker.
        worker: &'a str,
        /// The reason.
        why: &'a str,
    },
    /// A worker has left a job that it does not know.
    Unable {
        /// The key of the worker.
        worker: &'a str,
        /// The reason.
        why: &'a str,
    },
    /// A report about a job that is decided or withdrawn was dropped.
    Needless {
        /// The key of the worker.
        worker: &'a str,
    },
    /// Jobs were published again: the queue had lost them.
    Republished(usize),
    /// The state, about twice a second.
    Progress(&'a Progress),
    /// The queue or the disk does not answer; the coordinator tries again after a pause.
    Trouble(&'a str, Duration),
}

/// The state of a campaign, as `farm status` shows it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// The name of the coordinator.
    pub coordinator: String,
    /// The state that the campaign shall be in.
    pub control: Control,
    /// Jobs that are decided.
    pub decided: u64,
    /// Jobs that are given out and not decided.
    pub open: usize,
    /// The jobs in the queue.
    #[serde(flatten)]
    pub depth: Depth,
    /// The nodes of all decided jobs.
    pub nodes: u64,
    /// The milliseconds of all decided jobs.
    pub millis: u64,
    /// The nodes a second of all workers, over the last minute or less.
    pub speed: f64,
    /// The workers that have reported within the last minute, with their nodes a second.
    pub workers: BTreeMap<String, f64>,
    /// Reports that were refused.
    pub refused: u64,
    /// Reports about jobs that were decided or withdrawn.
    pub needless: u64,
    /// Failures of jobs.
    pub failed: u64,
    /// Workers that are shut out. A stored state of more than 64 KiB has the first 500 of them, no `workers` and no `plan`.
    pub shut_out: Vec<String>,
    /// The size of the journal in bytes.
    pub journal_bytes: u64,
    /// The state of the plan.
    pub plan: serde_json::Value,
}

impl Progress {
    /// Adds the cost of a decided job.
    const fn add(&mut self, spent: Spent) {
        let Spent { nodes, millis } = Spent { nodes: self.nodes, millis: self.millis }.plus(spent);
        (self.nodes, self.millis) = (nodes, millis);
    }
}

/// A job that is given out and not decided.
#[derive(Debug)]
struct Open {
    job: FarmJob,
    since: Instant,
    failures: u32,
    /// The workers that have failed.
    failed_by: BTreeSet<String>,
    /// `true` if it was published more than once, so that two workers may have it.
    is_again: bool,
}

impl Open {
    fn new(job: FarmJob) -> Self {
        Self { job, since: Instant::now(), failures: 0, failed_by: BTreeSet::new(), is_again: false }
    }
}

/// The state of a running coordinator.
struct Run<'a, 'b> {
    queue: &'a dyn Queue,
    check: &'a dyn Check,
    plan: &'a mut dyn FarmPlan,
    stop: &'a AtomicBool,
    watch: &'a mut dyn FnMut(&CoordinatorEvent<'_>),
    settings: &'b Coordinator,
    journal: Journal,
    lead: Lead,
    open: HashMap<FarmJobId, Open>,
    /// Jobs that are to be published.
    unpublished: Vec<FarmJob>,
    /// The times that the plan was asked for a job since the last decision: [`JobDecision::offers`].
    offers: u32,
    /// `true` if the plan has had no job since the last decision.
    is_dry: bool,
    /// The receipts of reports that are judged and may not be acknowledged.
    receipts: Vec<Receipt>,
    /// Jobs that are to be published once more.
    again: BTreeSet<FarmJobId>,
    /// Workers that the queue is to shut out.
    to_shut_out: Vec<String>,
    bad: HashMap<String, u32>,
    /// The last time at which each worker has done a job.
    able: HashMap<String, Instant>,
    progress: Progress,
    pace: Pace,
    epoch: u64,
    backoff: Backoff,
    /// The number of decisions that came from the queue.
    fetched: u64,
}

impl Coordinator {
    /// A coordinator with its journal in `directory`, which is made if there is none. `name` is for people, and is a
    /// [name](crate::check_name).
    #[must_use]
    pub fn new(disk: Arc<dyn Disk>, directory: impl Into<PathBuf>, name: impl Into<String>) -> Self {
        Self { directory: directory.into(), disk, name: name.into(), patience: Duration::from_secs(60) }
    }

    /// Sets the time after which the coordinator looks whether an open job is still in the queue. The default is a
    /// minute. While reports come without a pause it looks after four times as long.
    #[must_use]
    pub const fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The file of the journal.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.directory.join("journal")
    }

    /// The file of a blob that is too large for the journal.
    #[must_use]
    pub fn blob(&self, digest: &crate::Digest) -> PathBuf {
        self.directory.join("blobs").join(digest.to_string())
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Coordinates until the plan has its result, or `stop` is set, or the campaign is cancelled.
    ///
    /// # Arguments
    /// * `plan` – the plan in its first state; the journal brings it to the present one.
    /// * `watch` – a function that is called with each event, in this thread.
    ///
    /// # Errors
    /// See [`CoordinateError`]. A queue that is away and a full disk are no errors: the coordinator waits. In the end it waits until the
    /// queue has told the workers; `stop` ends this wait, and [`Ended::Over`] it is nevertheless. The same call tells them then.
    pub fn run(
        &self,
        queue: &dyn Queue,
        plan: &mut dyn FarmPlan,
        check: &dyn Check,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&CoordinatorEvent<'_>),
    ) -> Result<Ended, CoordinateError> {
        let failed = |error| JournalError::Io { path: self.directory.clone(), error };
        self.disk.make_directory(&self.directory.join("blobs")).map_err(failed)?;
        let Some((lead, lock)) = self.stand_by(queue, stop, watch)? else { return Ok(Ended::Stopped) };
        let (ended, lead) = match self.resume(queue, plan, check, stop, watch, lead.clone()) {
            Ok(mut run) => (run.begin().and_then(|()| run.main()), run.lead),
            Err(error) => (Err(error), lead),
        };
        drop(lock);
        // A lead that is not given back ends after a term.
        let _ = queue.resign(&lead);
        match ended {
            Err(CoordinateError::Queue(QueueError::Deposed)) => Ok(Ended::Deposed),
            Err(error) if is_passing(&error) && stop.load(Ordering::Relaxed) => Ok(Ended::Stopped),
            ended => ended,
        }
    }

    /// Waits for the directory and for the lead. `None` if `stop` was set before.
    ///
    /// The directory comes first: a leader that is suspended, or busy for longer than a term, has lost the lead and still has its
    /// directory.
    fn stand_by(
        &self,
        queue: &dyn Queue,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&CoordinatorEvent<'_>),
    ) -> Result<Option<(Lead, Lock)>, CoordinateError> {
        let mut backoff = Backoff::new(&self.name);
        let wait = |watch: &mut dyn FnMut(&CoordinatorEvent<'_>), leader: &str| {
            watch(&CoordinatorEvent::StandsBy { leader });
            thread::sleep((queue.term() / 4).min(Duration::from_secs(1)));
        };
        while !stop.load(Ordering::Relaxed) {
            let lock = match Lock::take(&self.disk, &self.directory.join("journal.lock")) {
                Ok(lock) => lock,
                Err(LockError::Held { by, .. }) => {
                    wait(watch, &by);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            match queue.lead(&self.name) {
                Ok(Leading::Taken(lead)) => return Ok(Some((lead, lock))),
                Ok(Leading::Held { by }) => {
                    drop(lock);
                    wait(watch, &by);
                }
                Err(error) if error.is_passing() => {
                    backoff.pause(stop, |time| watch(&CoordinatorEvent::Trouble(&error.to_string(), time)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }
}

impl Run<'_, '_> {
    fn main(&mut self) -> Result<Ended, CoordinateError> {
        let since = Instant::now();
        let (mut kept, mut told, mut looked) = (Instant::now(), None::<Instant>, Instant::now());
        loop {
            if self.plan.is_over() {
                return Ok(self.finish(since));
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Ended::Stopped);
            }
            let turn = self.turn(&mut kept, &mut told, &mut looked, since);
            match turn {
                Ok(None) => self.backoff.reset(),
                Ok(Some(ended)) => return Ok(ended),
                Err(error) if is_passing(&error) => self.trouble(&error.to_string()),
                Err(error) => return Err(error),
            }
        }
    }

    /// One turn of the loop.
    fn turn(
        &mut self,
        kept: &mut Instant,
        told: &mut Option<Instant>,
        looked: &mut Instant,
        since: Instant,
    ) -> Result<Option<Ended>, CoordinateError> {
        if kept.elapsed() > self.queue.term() / 3 {
            if !self.queue.keep_lead(&self.lead)? {
                return self.lost_lead();
            }
            *kept = Instant::now();
        }
        let is_time = told.is_none_or(|told| told.elapsed() > STATUS);
        if is_time {
            self.progress.control = self.queue.control()?;
        }
        match self.progress.control {
            Control::Cancelled => {
                self.tell(since)?;
                return Ok(Some(Ended::Cancelled));
            }
            // A campaign that was over, with another plan or a cut journal.
            Control::Over => {
                self.queue.set_control(Control::Running)?;
                self.progress.control = Control::Running;
            }
            Control::Running | Control::Paused => {}
        }
        // A queue without space takes no status and no job. Its reports still count, and their end makes room.
        let mut full = None;
        if is_time {
            later(self.tell(since), &mut full)?;
            *told = Some(Instant::now());
            self.shut_out()?;
        }
        if self.epoch != self.queue.epoch() {
            self.epoch = self.queue.epoch();
            self.again.extend(self.open.keys());
        }
        later(self.settle(), &mut full)?;
        if self.progress.control == Control::Running {
            later(self.fill(), &mut full)?;
        }
        let intake = self.intake(WAIT, BATCH)?;
        match full {
            _ if intake == Intake::Stopped => return Ok(Some(Ended::Stopped)),
            Some(error) if intake == Intake::Idle => return Err(error),
            Some(error) => (self.watch)(&CoordinatorEvent::Trouble(&error.to_string(), Duration::ZERO)),
            None => {}
        }
        // A report that waits may be about a job that seems to be lost. A farm in which one always waits is looked at more rarely.
        let patience = self.settings.patience;
        let due = if intake == Intake::Idle { patience / 2 } else { patience.saturating_mul(BUSY) };
        if looked.elapsed() > due {
            *looked = Instant::now();
            self.look_for_lost()?;
        }
        Ok(None)
    }

    /// The lead has ended, as this process was away for longer than a term. It is taken again if it is free.
    fn lost_lead(&mut self) -> Result<Option<Ended>, CoordinateError> {
        if !self.regain()? {
            return Ok(Some(Ended::Deposed));
        }
        // If another coordinator led meanwhile, its decisions are there.
        if self.queue.decided()? > self.journal.records() { Ok(Some(Ended::Deposed)) } else { Ok(None) }
    }

    /// Extends the lead, or takes it again if nobody has it: it may have been in the memory of a server. `false` if another
    /// coordinator leads.
    fn regain(&mut self) -> Result<bool, QueueError> {
        if self.queue.keep_lead(&self.lead)? {
            return Ok(true);
        }
        let Leading::Taken(lead) = self.queue.lead(&self.settings.name)? else { return Ok(false) };
        self.lead = lead;
        Ok(true)
    }

    /// Publishes jobs, so many that workers find some, and so few that each is a fresh choice.
    fn fill(&mut self) -> Result<(), CoordinateError> {
        let depth = self.queue.depth()?;
        self.progress.depth = depth;
        // A lone worker gets one job at a time, so that each is chosen with all that the worker has found.
        let target = match depth.leased + depth.idle {
            0 | 1 => usize::from(self.open.is_empty()),
            _ => depth.idle.max(depth.leased / 2).clamp(LEAST_WAITING, MOST_WAITING),
        };
        while depth.waiting + self.unpublished.len() < target {
            if self.is_dry {
                break;
            }
            self.offers += 1;
            let Some(job) = self.plan.next() else {
                self.is_dry = true;
                break;
            };
            self.open.insert(job.id(), Open::new(job.clone()));
            self.unpublished.push(job);
        }
        if !self.unpublished.is_empty() {
            self.queue.publish(&self.unpublished)?;
            self.unpublished.clear();
        }
        Ok(())
    }

    /// Publishes open jobs once more.
    fn republish(&mut self, ids: &[FarmJobId]) -> Result<(), CoordinateError> {
        let mut jobs = Vec::new();
        for id in ids {
            if let Some(open) = self.open.get_mut(id) {
                (open.since, open.is_again) = (Instant::now(), true);
                jobs.push(open.job.clone());
            }
        }
        if !jobs.is_empty() {
            self.queue.publish(&jobs)?;
            (self.watch)(&CoordinatorEvent::Republished(jobs.len()));
        }
        Ok(())
    }

    /// Publishes open jobs again that the queue has lost.
    fn look_for_lost(&mut self) -> Result<(), CoordinateError> {
        let old = |open: &&Open| open.since.elapsed() > self.settings.patience;
        let ids: Vec<FarmJobId> = self.open.values().filter(old).map(|open| open.job.id()).collect();
        let missing = if ids.is_empty() { ids } else { self.queue.missing(&ids)? };
        self.republish(&missing)
    }

    fn trouble(&mut self, error: &str) {
        let watch = &mut *self.watch;
        self.backoff.pause(self.stop, |time| watch(&CoordinatorEvent::Trouble(error, time)));
    }
}

/// Keeps the error of a queue that has no space for later.
fn later(
    done: Result<(), CoordinateError>,
    full: &mut Option<CoordinateError>,
) -> Result<(), CoordinateError> {
    match done {
        Err(error @ CoordinateError::Queue(QueueError::Full(_))) => *full = Some(error),
        done => done?,
    }
    Ok(())
}

/// `true` if the same may succeed later: a queue that is away, a disk that is full.
fn is_passing(error: &CoordinateError) -> bool {
    match error {
        CoordinateError::Queue(error) => error.is_passing(),
        CoordinateError::Journal(JournalError::Io { error, .. }) => {
            error.kind() != std::io::ErrorKind::InvalidInput
        }
        _ => false,
    }
}
