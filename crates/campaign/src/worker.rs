//! [`Worker`]: searches with checkpoints.

use std::io::{self, BufReader, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use stonework_files::{BlockFault, Disk, replace, unfinished};
use stonework_game::{Game, Outcome};
use stonework_proof::{Claim, Written};
use stonework_search::{
    Limits, ProveError, Prover, ProverError, Question, Report, SavedTable, SearchContext, Stop,
};

use crate::error::file_error;
use crate::job::JobFiles;
use crate::moves::value_of_claim;
use crate::{CampaignError, CampaignEvent, Job, Work};

/// The time of a search is at least this many times the time of saving its table.
const SEARCH_TO_SAVE: u32 = 19;
/// The time that a search gets at least after a slice without a single node.
const LEAST_SLICE: Duration = Duration::from_millis(1);

/// The settings of a campaign, apart from its root, file and plan.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) limits: Limits,
    pub(crate) seed: u64,
    /// The time between two checkpoints.
    pub(crate) every: Duration,
}

impl Settings {
    /// `true` if there is a file or a directory at a path.
    pub(crate) fn has(&self, path: &Path) -> Result<bool, CampaignError> {
        Ok(self.disk.look(path).map_err(file_error(path))?.is_some())
    }
}

/// A search for the value of a position.
pub(crate) struct Task<'a, G: Game> {
    pub(crate) job: Job<G::Move>,
    pub(crate) position: &'a G,
    pub(crate) files: &'a JobFiles,
    /// The questions, of which the last one gives the value.
    pub(crate) questions: &'a [Question],
}

/// The solver, with the settings of the campaign.
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
    fn stopped(&self) -> Option<Stop> {
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

    /// Finds the value of a position: continues from the checkpoint if it exists, and writes a checkpoint if a
    /// limit stops the search.
    pub(crate) fn search(&mut self, task: &Task<'_, G>) -> Result<(Report<G::Move>, Work), CampaignError> {
        let mut report = Report::empty();
        let mut work = Work { nodes_before: self.resume(task)?, ..Work::default() };
        for &question in task.questions {
            self.prover.set_question(question);
            self.report(&CampaignEvent::Began { job: task.job });
            let clock = CpuClock::start();
            let answered = self.answer(task, report.nodes);
            self.report(&CampaignEvent::Ended { job: task.job });
            report = answered?;
            work.cpu += clock.elapsed();
            if report.proven.is_some() || report.stopped != Some(Stop::Solved) {
                break;
            }
        }
        let work = Work { nodes: report.nodes, bytes: report.bytes, ..work };
        Ok((report, work))
    }

    /// Answers one question, with checkpoints. `before` is the number of nodes of the earlier questions.
    fn answer(&mut self, task: &Task<'_, G>, before: u64) -> Result<Report<G::Move>, CampaignError> {
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
                let (nodes, elapsed) = (nodes + report.nodes, began.elapsed());
                tell(&CampaignEvent::Searching { job, report, nodes, elapsed });
            };
            let context = SearchContext::seed(settings.seed).watch(&mut watch);
            let mut report = self.prover.search(task.position, &limits, context);
            nodes += report.nodes;
            report.nodes = nodes + before;
            report.time = began.elapsed();
            if report.stopped == Some(Stop::Solved) {
                return Ok(report);
            }
            if nodes == 0 {
                // On a busy machine a short slice may end before its first node. Nothing is there to be saved.
                if report.stopped != Some(Stop::Time) || self.stopped().is_some() {
                    return Ok(report);
                }
                slice = 2 * slice.max(LEAST_SLICE);
                continue;
            }
            let since = Instant::now();
            let saved = self.save(task)?;
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
            if report.stopped != Some(Stop::Time) {
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
        let path = &task.files.checkpoint;
        let failed = |error| CampaignError::Checkpoint { path: path.clone(), error };
        let file = match self.settings.disk.open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            file => file.map_err(|error| failed(BlockFault::Io(error).at(0).into()))?,
        };
        let mut input = BufReader::with_capacity(1 << 16, file);
        let saved = self.prover.load(task.position, &self.settings.limits, &mut input).map_err(failed)?;
        self.report(&CampaignEvent::Resumed { job: task.job, file: path, saved });
        Ok(saved.nodes)
    }

    /// Writes the checkpoint of a job.
    fn save(&self, task: &Task<'_, G>) -> Result<SavedTable, CampaignError> {
        let path = &task.files.checkpoint;
        replace(&*self.settings.disk, path, |out| self.prover.save(task.position, out))
            .map_err(|error: io::Error| file_error(path)(error))
    }

    /// Writes the proof of an outcome and removes the checkpoint. If the proof cannot be written, writes a checkpoint.
    ///
    /// Returns `None` if a limit was reached.
    pub(crate) fn prove_or_save(
        &mut self,
        task: &Task<'_, G>,
        outcome: Outcome,
        work: Work,
    ) -> Result<Option<Written>, CampaignError> {
        let JobFiles { proof, checkpoint } = task.files;
        let (limits, disk) = (self.left(), &*self.settings.disk);
        let prove =
            |out: &mut dyn io::Write| self.prover.prove(task.position, Claim::of(outcome), &limits, out);
        let written = match replace(disk, proof, prove) {
            Ok(written) => written,
            Err(ProverError::Prove(ProveError::Stopped(_))) => return self.save(task).map(|_| None),
            Err(error) => {
                // The error of the proof says more than an error of the checkpoint.
                let _ = self.save(task);
                return Err(CampaignError::Prove { path: proof.clone(), error });
            }
        };
        // A process that was killed while it wrote a checkpoint has left it under its second name.
        let _ = disk.remove(&unfinished(checkpoint));
        match disk.remove(checkpoint) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(file_error(checkpoint)(error)),
            _ => {}
        }
        self.report(&CampaignEvent::Proved { job: task.job, outcome, work, written });
        Ok(Some(written))
    }

    /// The value that the proof of a job shows; the solver takes the proof over. `None` without a proof.
    pub(crate) fn take_over(&mut self, file: &Path, position: &G) -> Result<Option<Outcome>, CampaignError> {
        let input = match self.settings.disk.open(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            input => input.map_err(file_error(file))?,
        };
        // A verification that has begun goes on: a limit that is reached is no fault of the proof.
        let limits = Limits { cancel: None, ..self.settings.limits.clone() };
        let proof = self
            .prover
            .learn(position, &limits, &mut BufReader::new(input))
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
