//! [`Worker`]: the loop of a worker.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use stonework_files::{Disk, read_bytes, replace};

use crate::backoff::Backoff;
use crate::job::reason;
use crate::plan::{FarmWork, WorkSeat, Worked};
use crate::queue::{JobLease, JobOffer, Queue, QueueError};
use crate::wire::{WireError, decode_report, encode_report};
use crate::{Blob, FarmJob, JobOutcome, MAX_INLINE, Spent, WorkReport};

/// The time for which one call waits for a job.
const WAIT: Duration = Duration::from_secs(2);
/// The time between two looks for a withdrawal or the end of the worker.
const LOOK: Duration = Duration::from_millis(25);
/// The time between two looks of a worker that stays in a campaign that is over.
const STAY: Duration = Duration::from_millis(50);

/// A worker: takes jobs, does them, reports. It needs nothing but its queue, keeps nothing that counts, and can be
/// killed at any time.
#[derive(Clone, Debug)]
pub struct Worker {
    key: String,
    build: String,
    spool: Option<(Arc<dyn Disk>, PathBuf)>,
    hints: HintGroup,
    stays: bool,
    waits: Duration,
}

/// Workers that share what they know, such as threads with one table: a hint of one of them is no news for the others, and
/// each hint from outside is heard by one of them.
#[derive(Clone, Debug)]
pub struct HintGroup {
    name: String,
    /// The place of the last hint that was heard.
    heard: Arc<AtomicU64>,
}

impl HintGroup {
    /// A group with a name under which its hints are sent, as [`check_name`](crate::check_name) has it. Clones are the same
    /// group.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), heard: Arc::default() }
    }
}

/// An event of a worker.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum WorkerEvent<'a> {
    /// A job was taken.
    Began(&'a FarmJob),
    /// A job was reported.
    Reported(&'a WorkReport),
    /// A job was given up: withdrawn, or the worker is to end.
    Left(&'a FarmJob),
    /// The lease of a job has ended before its report. The report may be the second one.
    Late(&'a FarmJob),
    /// The queue does not answer; the worker tries again after a pause.
    Away(&'a QueueError, Duration),
    /// A report of an earlier process was found and sent.
    Resent(&'a WorkReport),
}

/// The reason why a worker has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkerEnd {
    /// It was told to stop.
    Stopped,
    /// The campaign is over or cancelled, and the worker does not [stay](Worker::stays) or [wait](Worker::waits).
    Over,
    /// The worker is shut out after bad answers.
    ShutOut,
}

impl Worker {
    /// A worker with a key, which names it in reports, and the name and version of its program.
    #[must_use]
    pub fn new(key: impl Into<String>, build: impl Into<String>) -> Self {
        let key = key.into();
        let hints = HintGroup::new(key.clone());
        Self { key, build: build.into(), spool: None, hints, stays: false, waits: Duration::ZERO }
    }

    /// Makes the worker stay in a campaign that is over or cancelled until `stop` is set, for a worker beside a coordinator:
    /// the coordinator sets a campaign running that was over before, perhaps after the worker's first look.
    #[must_use]
    pub const fn stays(mut self) -> Self {
        self.stays = true;
        self
    }

    /// Makes a worker that finds the campaign over or cancelled at its first look wait so long for a coordinator that goes on with it.
    /// Once the worker has seen the campaign going on, its end is the end of the worker. A worker does not wait unless it is told.
    #[must_use]
    pub const fn waits(mut self, time: Duration) -> Self {
        self.waits = time;
        self
    }

    /// Makes the worker one of a group that shares what it knows. A worker is alone unless it is told.
    #[must_use]
    pub fn hints(mut self, group: HintGroup) -> Self {
        self.hints = group;
        self
    }

    /// Keeps a report that cannot be sent in a file, which the next worker with the same file sends. A report whose blobs
    /// are larger than [`MAX_INLINE`] is kept in memory alone. A file with a report of another version of the messages is refused, and
    /// stays.
    #[must_use]
    pub fn spool(mut self, disk: Arc<dyn Disk>, file: impl Into<PathBuf>) -> Self {
        self.spool = Some((disk, file.into()));
        self
    }

    /// Works until `stop` is set or the campaign is over; see [`stays`](Worker::stays) and [`waits`](Worker::waits).
    ///
    /// # Errors
    /// An error of the queue that does not pass by waiting, and a file of a report of another version.
    pub fn run(
        &self,
        queue: &dyn Queue,
        work: &mut dyn FarmWork,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&WorkerEvent<'_>),
    ) -> Result<WorkerEnd, QueueError> {
        let mut backoff = Backoff::new(&self.key);
        self.resend(queue, stop, watch, &mut backoff)?;
        let (began, mut is_seen) = (Instant::now(), false);
        while !stop.load(Ordering::Relaxed) {
            let offer = queue.lease(&self.key, WAIT);
            is_seen |= matches!(offer, Ok(JobOffer::Job(_) | JobOffer::Nothing));
            match offer {
                Ok(JobOffer::Job(lease)) => {
                    if self.one(queue, work, &lease, stop, watch)? {
                        backoff.reset();
                    } else {
                        backoff.pause(stop, |_| {});
                    }
                }
                Ok(JobOffer::Nothing) => backoff.reset(),
                Ok(JobOffer::Over) if self.stays || !is_seen && began.elapsed() < self.waits => {
                    thread::sleep(STAY);
                }
                Ok(JobOffer::Over) => return Ok(WorkerEnd::Over),
                Ok(JobOffer::ShutOut) => return Ok(WorkerEnd::ShutOut),
                Err(error) if error.is_passing() => {
                    backoff.pause(stop, |time| watch(&WorkerEvent::Away(&error, time)));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(WorkerEnd::Stopped)
    }

    /// Takes the hints of other workers. A hint that does not come is no trouble.
    fn hear(&self, queue: &dyn Queue, work: &mut dyn FarmWork) {
        let HintGroup { name, heard } = &self.hints;
        let Ok(hints) = queue.hints(heard.load(Ordering::Relaxed)) else { return };
        let Some(last) = hints.last() else { return };
        heard.fetch_max(last.place, Ordering::Relaxed);
        for hint in hints.iter().filter(|hint| hint.from != *name) {
            work.hear(&hint.bytes);
        }
    }

    /// Tells the other workers what the work wants them to know.
    fn tell(&self, queue: &dyn Queue, work: &mut dyn FarmWork) {
        if let Some(hint) = work.hint() {
            let _ = queue.hint(&self.hints.name, &hint);
        }
    }

    /// Does one job and reports it. Returns `false` after a failure or a job of another version: others shall take the
    /// job then.
    fn one(
        &self,
        queue: &dyn Queue,
        work: &mut dyn FarmWork,
        lease: &JobLease,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&WorkerEvent<'_>),
    ) -> Result<bool, QueueError> {
        watch(&WorkerEvent::Began(&lease.job));
        let (seat, is_late) = (WorkSeat::default(), AtomicBool::new(false));
        thread::scope(|scope| {
            // The thread ends with this end of the channel. Until then the job is the worker's: hints are heard first, and a
            // report may have blobs that take longer to send than a term.
            let (_ended, end) = channel::<()>();
            let keeper = Keeper { queue, lease, seat: &seat, stop, is_late: &is_late };
            scope.spawn(move || keeper.keep(&end));
            self.hear(queue, work);
            let since = Instant::now();
            let worked = work.work(&lease.job, &seat);
            if is_late.load(Ordering::Relaxed) {
                watch(&WorkerEvent::Late(&lease.job));
            }
            let Some((report, blobs)) = self.report(&lease.job, worked, since) else {
                watch(&WorkerEvent::Left(&lease.job));
                // A job that is not given back is free at the end of its lease.
                let _ = queue.release(lease);
                return Ok(true);
            };
            self.send(queue, Some(lease), &report, &blobs, stop, watch)?;
            self.tell(queue, work);
            Ok(matches!(report.outcome, JobOutcome::Done { .. }))
        })
    }

    /// The report about a job, with its blobs; `None` for a job that was left. An answer beyond a limit is a failure, and has no
    /// blobs.
    fn report(&self, job: &FarmJob, worked: Worked, since: Instant) -> Option<(WorkReport, Vec<Vec<u8>>)> {
        let (outcome, mut blobs, nodes) = match worked {
            Worked::Done { answer, blobs, nodes } => {
                let names = blobs.iter().map(|bytes| Blob::of(bytes)).collect();
                (JobOutcome::Done { body: answer, blobs: names }, blobs, nodes)
            }
            Worked::Failed(why) => (JobOutcome::Failed { why: reason(&why) }, Vec::new(), 0),
            Worked::Unable(why) => (JobOutcome::Unable { why: reason(&why) }, Vec::new(), 0),
            Worked::Left => return None,
        };
        let spent = Spent { nodes, millis: since.elapsed().as_millis() as u64 };
        let (worker, build) = (self.key.clone(), self.build.clone());
        let mut report = WorkReport { job: job.id(), worker, build, spent, outcome };
        if let Err(unfit) = report.check() {
            report.outcome = JobOutcome::Failed { why: reason(&unfit.to_string()) };
            blobs.clear();
        }
        Some((report, blobs))
    }

    /// Sends a report, however long that takes; keeps it in the file meanwhile.
    fn send(
        &self,
        queue: &dyn Queue,
        lease: Option<&JobLease>,
        report: &WorkReport,
        blobs: &[Vec<u8>],
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&WorkerEvent<'_>),
    ) -> Result<(), QueueError> {
        let mut backoff = Backoff::new(&self.key);
        let mut is_kept = false;
        loop {
            match queue.report(lease, report, blobs) {
                Ok(()) => break,
                Err(error) if error.is_passing() => {
                    is_kept = is_kept || self.keep(report, blobs);
                    if stop.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    backoff.pause(stop, |time| watch(&WorkerEvent::Away(&error, time)));
                }
                Err(error) => return Err(error),
            }
        }
        watch(&WorkerEvent::Reported(report));
        if let Some((disk, file)) = self.spool.as_ref().filter(|_| is_kept) {
            // A report that stays is sent again by the next worker, and is then a duplicate.
            let _ = disk.remove(file);
        }
        Ok(())
    }

    /// Keeps a report in the file. Without a file, or on a full disk, the report is in memory alone.
    fn keep(&self, report: &WorkReport, blobs: &[Vec<u8>]) -> bool {
        let Some((disk, file)) = &self.spool else { return false };
        let inline: Vec<&[u8]> = blobs.iter().map(|bytes| &bytes[..]).collect();
        let Ok(message) = encode_report(report, &inline) else { return false };
        replace(&**disk, file, |out| out.write_all(&message)).is_ok()
    }

    /// Sends the report that an earlier process has kept.
    fn resend(
        &self,
        queue: &dyn Queue,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&WorkerEvent<'_>),
        backoff: &mut Backoff,
    ) -> Result<(), QueueError> {
        let Some((disk, file)) = &self.spool else { return Ok(()) };
        let Some(message) = kept(&**disk, file) else { return Ok(()) };
        let read = decode_report(&message);
        if let Err(error @ WireError::Version { .. }) = &read {
            return Err(QueueError::Foreign(format!(
                "{}: {error}; a worker of that version sends the report, or the file is removed by hand",
                file.display()
            )));
        }
        if let Ok((mut report, inline)) = read {
            report.worker.clone_from(&self.key);
            let blobs: Vec<Vec<u8>> = inline.into_iter().map(|(_, bytes)| bytes).collect();
            loop {
                match queue.report(None, &report, &blobs) {
                    Ok(()) => break watch(&WorkerEvent::Resent(&report)),
                    Err(error) if error.is_passing() && !stop.load(Ordering::Relaxed) => {
                        backoff.pause(stop, |time| watch(&WorkerEvent::Away(&error, time)));
                    }
                    Err(error) if error.is_passing() => return Ok(()),
                    Err(error) => return Err(error),
                }
            }
        }
        // A damaged file is of no use to anybody.
        let _ = disk.remove(file);
        Ok(())
    }
}

/// The content of a file of the size of a report; `None` if there is none.
fn kept(disk: &dyn Disk, file: &Path) -> Option<Vec<u8>> {
    read_bytes(disk, file, (MAX_INLINE * 2) as u64).ok()
}

/// The thread beside a job: extends its lease, and ends its seat.
struct Keeper<'a> {
    queue: &'a dyn Queue,
    lease: &'a JobLease,
    seat: &'a WorkSeat,
    stop: &'a AtomicBool,
    is_late: &'a AtomicBool,
}

impl Keeper<'_> {
    fn keep(&self, end: &Receiver<()>) {
        let mut extended = Instant::now();
        while matches!(end.recv_timeout(LOOK), Err(RecvTimeoutError::Timeout)) {
            if self.stop.load(Ordering::Relaxed) || self.queue.is_withdrawn(self.lease) {
                self.seat.end();
            }
            if extended.elapsed() > self.queue.term() / 3 {
                extended = Instant::now();
                if let Ok(false) = self.queue.extend(self.lease) {
                    self.is_late.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}
