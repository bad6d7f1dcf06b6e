//! [`Worker`]: the searches of one process, with checkpoints.

use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use stonework_files::{BlockFault, Disk, Lock, Look, replace};
use stonework_game::{Game, Outcome};
use stonework_proof::{Claim, Written};
use stonework_search::{
    Limits, ProveError, Prover, ProverError, Question, Report, SavedTable, SearchContext, Stop,
};

use crate::error::file_error;
use crate::file_leases::lease_error;
use crate::job::Layout;
use crate::moves::value_of_claim;
use crate::{CampaignError, CampaignEvent, Job, JobId, Lease, LeaseError, Leases, Work};

/// The time of a search is at least this many times the time of saving its table.
const SEARCH_TO_SAVE: u32 = 19;
/// The time that a search gets at least after a slice without a single node.
const LEAST_SLICE: Duration = Duration::from_millis(1);
/// The number of nodes of the search by which moves are ordered.
const ORDER_NODES: u64 = 1000;

/// The settings of a campaign that do not change while it runs.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) leases: Arc<dyn Leases>,
    pub(crate) layout: Layout,
    pub(crate) limits: Limits,
    pub(crate) seed: u64,
    /// The time between two checkpoints.
    pub(crate) every: Duration,
}

impl Settings {
    pub(crate) fn look(&self, path: &Path) -> Result<Option<Look>, CampaignError> {
        self.disk.look(path).map_err(file_error(path))
    }
}

/// A file whose appearance makes a job unnecessary.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) file: PathBuf,
    /// The file as it was in the beginning.
    pub(crate) before: Option<Look>,
    /// The directory of the list that the file ends.
    pub(crate) parts: PathBuf,
}

impl Goal {
    /// `true` if another worker has written the file. The file may have been written just before this worker began, and the
    /// directory removed just after.
    pub(crate) fn is_reached(&self, settings: &Settings) -> Result<bool, CampaignError> {
        let now = settings.look(&self.file)?;
        Ok(now != self.before || (now.is_some() && settings.look(&self.parts)?.is_none()))
    }
}

/// A search for the value of a position.
pub(crate) struct Task<'a, G> {
    pub(crate) job: Job<'a>,
    pub(crate) position: &'a G,
    /// The questions, of which the last one gives the value.
    pub(crate) questions: &'a [Question],
    pub(crate) goals: &'a [Goal],
}

impl<G> Task<'_, G> {
    /// `true` if the value is no longer needed.
    pub(crate) fn is_obsolete(&self, settings: &Settings) -> bool {
        self.goals.iter().any(|goal| goal.is_reached(settings).unwrap_or(false))
    }
}

/// A lease that is renewed in time.
pub(crate) struct Tenure {
    lease: Box<dyn Lease>,
    renewed: Instant,
    is_lost: bool,
}

impl Tenure {
    pub(crate) fn new(lease: Box<dyn Lease>) -> Self {
        Self { lease, renewed: Instant::now(), is_lost: false }
    }

    /// `true` if another worker may have the job.
    pub(crate) const fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Renews the lease after a third of its term. After an error, the next call tries again.
    fn renew_in_time(&mut self) {
        if self.lease.term().is_some_and(|term| self.renewed.elapsed() > term / 3) {
            let _ = self.renew();
        }
    }

    /// Renews the lease.
    pub(crate) fn renew(&mut self) -> Result<(), LeaseError> {
        if !self.is_lost && self.lease.term().is_some() {
            self.is_lost = !self.lease.renew()?;
            self.renewed = Instant::now();
        }
        Ok(())
    }
}

/// The solver of this process, with the settings of the campaign.
pub(crate) struct Worker<'a, G: Game, P: ?Sized> {
    pub(crate) prover: &'a mut P,
    pub(crate) settings: &'a Settings,
    /// The beginning of the campaign, from which the limit of time counts.
    pub(crate) since: Instant,
    pub(crate) watch: &'a mut dyn FnMut(&CampaignEvent<'_, G::Move>),
}

impl<G: Game, P: Prover<G> + ?Sized> Worker<'_, G, P> {
    pub(crate) fn report(&mut self, event: &CampaignEvent<'_, G::Move>) {
        (self.watch)(event);
    }

    /// The limits with the time that is left.
    fn left(&self) -> Limits {
        let limits = &self.settings.limits;
        let time = limits.time.map(|time| time.saturating_sub(self.since.elapsed()));
        Limits { time, ..limits.clone() }
    }

    /// The reason to stop, if the limit of time is reached or the campaign is cancelled.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        let limits = self.left();
        if limits.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Cancel);
        }
        limits.time.is_some_and(|time| time.is_zero()).then_some(Stop::Time)
    }

    /// The reason why a proof was not finished, after an unknown limit was reached.
    pub(crate) fn limit_reached(&self) -> Stop {
        self.stopped().unwrap_or(Stop::Nodes)
    }

    /// A short search, by which moves are ordered.
    pub(crate) fn glance(&mut self, position: &G) -> Report<G::Move> {
        let limits = Limits { nodes: Some(ORDER_NODES), ..self.left() };
        self.prover.set_question(Question::Value);
        self.prover.search(position, &limits, SearchContext::seed(self.settings.seed))
    }

    /// Finds the value of a position: continues from the checkpoint if it exists, and writes a checkpoint if a
    /// limit stops the search. The search ends after a checkpoint if the value is then no longer needed, or if the
    /// lease is lost.
    pub(crate) fn search(
        &mut self,
        task: &Task<'_, G>,
        tenure: &mut Tenure,
    ) -> Result<(Report<G::Move>, Work), CampaignError> {
        let mut report = Report::empty();
        let mut work = Work { nodes_before: self.resume(task)?, ..Work::default() };
        for &question in task.questions {
            self.prover.set_question(question);
            self.report(&CampaignEvent::Began { job: task.job });
            let clock = CpuClock::start();
            let answered = self.answer(task, report.nodes, tenure);
            self.report(&CampaignEvent::Ended { job: task.job });
            report = answered?;
            work.cpu += clock.elapsed();
            if report.proven.is_some() || report.stopped != Some(Stop::Solved) || tenure.is_lost() {
                break;
            }
        }
        Ok((report.clone(), Work { nodes: report.nodes, bytes: report.bytes, ..work }))
    }

    /// Answers one question, with checkpoints. `before` is the number of nodes of the earlier questions.
    fn answer(
        &mut self,
        task: &Task<'_, G>,
        before: u64,
        tenure: &mut Tenure,
    ) -> Result<Report<G::Move>, CampaignError> {
        let settings = self.settings;
        let (job, began) = (task.job, Instant::now());
        let (mut nodes, mut slice) = (0, settings.every);
        loop {
            let left = self.left();
            let time = left.time.map_or(slice, |time| time.min(slice));
            let rest = left.nodes.map(|limit: u64| limit.saturating_sub(nodes));
            let limits = Limits { time: Some(time), nodes: rest, ..left };
            let tell = &mut *self.watch;
            let mut watch = |report: &Report<G::Move>| {
                tenure.renew_in_time();
                let (nodes, elapsed) = (nodes + report.nodes, began.elapsed());
                tell(&CampaignEvent::Searching { job, report, nodes, elapsed });
            };
            let context = SearchContext::seed(settings.seed).watch(&mut watch);
            let mut report = self.prover.search(task.position, &limits, context);
            nodes += report.nodes;
            report.nodes = nodes + before;
            report.time = began.elapsed();
            tenure.renew()?;
            if report.stopped == Some(Stop::Solved) || tenure.is_lost() {
                return Ok(report);
            }
            if nodes == 0 {
                // On a busy machine a short slice may end before its first node. Nothing is there to be saved.
                if report.stopped != Some(Stop::Time)
                    || self.stopped().is_some()
                    || task.is_obsolete(settings)
                {
                    return Ok(report);
                }
                slice = 2 * slice.max(LEAST_SLICE);
                continue;
            }
            let since = Instant::now();
            let saved = match self.save(task.position, job.id, tenure) {
                // Workers that have finished the list remove its directory.
                Err(_) if task.is_obsolete(settings) => return Ok(report),
                saved => saved?,
            };
            let took = since.elapsed();
            slice = settings.every.max(took * SEARCH_TO_SAVE);
            let table = self.prover.table_usage();
            if table.0 >= table.1 {
                // A slice begins with the entries that the table has kept. If the table is full, slices grow, so
                // that the search comes to an end.
                slice = slice.max(began.elapsed() / 8);
            }
            let elapsed = began.elapsed();
            self.report(&CampaignEvent::Saved { job, report: &report, nodes, elapsed, table, saved, took });
            if report.stopped != Some(Stop::Time) || task.is_obsolete(settings) {
                return Ok(report);
            }
            if let Some(stop) = self.stopped() {
                return Ok(Report { stopped: Some(stop), ..report });
            }
        }
    }

    /// Reads the checkpoint, if it exists.
    ///
    /// Returns the nodes of the checkpoint; 0 without a checkpoint.
    fn resume(&mut self, task: &Task<'_, G>) -> Result<u64, CampaignError> {
        let path = self.settings.layout.checkpoint(task.job.id);
        let failed = |error| CampaignError::Checkpoint { path: path.clone(), error };
        let file = match self.settings.disk.open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            file => file.map_err(|error| failed(BlockFault::Io(error).at(0).into()))?,
        };
        let mut input = BufReader::with_capacity(1 << 16, file);
        let saved = self.prover.load(task.position, &self.settings.limits, &mut input).map_err(failed)?;
        self.report(&CampaignEvent::Resumed { job: task.job, file: &path, saved });
        Ok(saved.nodes)
    }

    /// Writes the checkpoint of a job.
    pub(crate) fn save(
        &self,
        position: &G,
        job: &JobId,
        tenure: &Tenure,
    ) -> Result<SavedTable, CampaignError> {
        let _alone = self.write_alone(job, tenure)?;
        let path = self.settings.layout.checkpoint(job);
        replace(&*self.settings.disk, &path, |out| self.prover.save(position, out))
            .map_err(|error: io::Error| file_error(&path)(error))
    }

    /// Removes the checkpoint of a job.
    pub(crate) fn remove_checkpoint(&self, job: &JobId) -> Result<(), CampaignError> {
        let path = self.settings.layout.checkpoint(job);
        match self.settings.disk.remove(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(file_error(&path)(error)),
            _ => Ok(()),
        }
    }

    /// Writes the proof of an outcome; `None` if a limit was reached.
    pub(crate) fn prove(
        &mut self,
        position: &G,
        outcome: Outcome,
        (job, file): (&JobId, &Path),
        tenure: &Tenure,
    ) -> Result<Option<Written>, CampaignError> {
        let (limits, claim) = (self.left(), Claim::of(outcome));
        let _alone = self.write_alone(job, tenure)?;
        let written =
            replace(&*self.settings.disk, file, |out| self.prover.prove(position, claim, &limits, out));
        match written {
            Ok(written) => Ok(Some(written)),
            Err(ProverError::Prove(ProveError::Stopped(_))) => Ok(None),
            Err(error) => Err(CampaignError::Prove { path: file.to_owned(), error }),
        }
    }

    /// A lock for writing the files of a job; `None` if the lease has no term. A lease with a term may be lost
    /// since its last renewal, and two writers at a time would damage a file.
    fn write_alone(&self, job: &JobId, tenure: &Tenure) -> Result<Option<Lock>, CampaignError> {
        if tenure.lease.term().is_none() {
            return Ok(None);
        }
        let path = self.settings.layout.lock(job);
        match Lock::take(&self.settings.disk, &path) {
            Ok(lock) => Ok(Some(lock)),
            Err(error) => Err(lease_error(error, &path).into()),
        }
    }

    /// The value that the proof of a job shows; the solver takes the proof over. `None` without a proof.
    pub(crate) fn take_over(&mut self, file: &Path, position: &G) -> Result<Option<Outcome>, CampaignError> {
        let input = match self.settings.disk.open(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            input => input.map_err(file_error(file))?,
        };
        let proof = self
            .prover
            .learn(position, &self.settings.limits, &mut BufReader::new(input))
            .map_err(|refused| CampaignError::Part { path: file.to_owned(), refused })?;
        let value = match &*proof.claims {
            [(root, claim)] if root == position => value_of_claim(*claim),
            _ => None,
        };
        value.map(Some).ok_or_else(|| CampaignError::ForeignPart { path: file.to_owned() })
    }
}

/// The processor time of this process, or the elapsed time on systems that do not count processor time.
struct CpuClock {
    cpu: io::Result<ProcessTime>,
    since: Instant,
}

impl CpuClock {
    fn start() -> Self {
        Self { cpu: ProcessTime::try_now(), since: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        let cpu = self.cpu.as_ref().ok().and_then(|cpu| cpu.try_elapsed().ok());
        cpu.unwrap_or_else(|| self.since.elapsed())
    }
}
