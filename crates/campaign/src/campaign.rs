//! [`Campaign`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use stonework_files::{Disk, Kind, Lock, LockError, System, with_ending};
use stonework_game::{Finite, Game, Keyed, Textual};
use stonework_search::{Limits, Prover, Question};

use crate::error::file_error;
use crate::job::JobFiles;
use crate::openings::Openings;
use crate::results::Unfinished;
use crate::worker::{Settings, Task, Worker};
use crate::{CampaignError, CampaignEvent, Job, Plan, ProofFile, Results, earlier};

/// The time between two checkpoints unless the campaign sets another time.
const EVERY: Duration = Duration::from_secs(300);

/// The proof of a position as work that outlives a process.
///
/// A value of this type describes the work; [`run`](Campaign::run) does the work, in one process at a time. After the
/// process has ended, in whatever way, the same campaign (the same root, file and [plan](Campaign::plan)) continues in
/// another process. The first page of the [crate](crate) has examples.
#[derive(Clone, Debug)]
pub struct Campaign<G> {
    root: G,
    file: PathBuf,
    plan: Plan,
    settings: Settings,
}

impl<G> Campaign<G> {
    /// A campaign that writes the proof of `root` to `file`: one job, no limits, a checkpoint every 300 s, seed 0.
    #[must_use]
    pub fn new(root: G, file: impl Into<PathBuf>) -> Self {
        let settings = Settings { disk: Arc::new(System), limits: Limits::none(), seed: 0, every: EVERY };
        Self { root, file: file.into(), plan: Plan::OneJob, settings }
    }

    /// Sets the division of the proof into jobs.
    #[must_use]
    pub const fn plan(mut self, plan: Plan) -> Self {
        self.plan = plan;
        self
    }

    /// Sets the limits. The limit of time is for the whole campaign, the limit of nodes for each question about a
    /// job, and the limit of bytes for the table of the solver. The cancel flag ends the campaign with a
    /// checkpoint.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Sets the seed of the searches.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Sets the time between two checkpoints. Checkpoints are rarer if saving takes longer than a twentieth of
    /// this time, or if the table is full.
    #[must_use]
    pub const fn checkpoint_every(mut self, every: Duration) -> Self {
        self.settings.every = every;
        self
    }

    /// Sets the disk of the proof, of its parts and of the checkpoints.
    #[must_use]
    pub fn disk(mut self, disk: Arc<dyn Disk>) -> Self {
        self.settings.disk = disk;
        self
    }
}

impl<G: Finite + Keyed + Textual> Campaign<G> {
    /// Works at the campaign until its proof is written or a limit is reached.
    ///
    /// The system's lock on `FILE.lock` keeps every other run of a campaign for the same file out while this method
    /// runs. A new run of a stopped campaign continues from its checkpoints and from the proofs of its finished jobs. A
    /// proof that is at `file` in the beginning stays there until the new proof is complete.
    ///
    /// # Arguments
    /// `prover`: the solver. `watch`: a function that is called with each event, in this thread.
    ///
    /// # Errors
    /// An error if a file cannot be used, if a checkpoint or the proof of a job is damaged or about another position,
    /// if another process works at the same file, or if the directory of parts has parts that this campaign does not
    /// use. A reached limit is no error.
    pub fn run<P: Prover<G> + ?Sized>(
        &self,
        prover: &mut P,
        watch: &mut dyn FnMut(&CampaignEvent<'_, G::Move>),
    ) -> Result<Results<G::Move>, CampaignError> {
        let settings = &self.settings;
        let file = self.target()?;
        if self.plan == Plan::Openings && self.root.outcome().is_some() {
            return Err(CampaignError::NoMoves);
        }
        let _alone = lock(&settings.disk, &file, &with_ending(&file, ".lock"))?;
        let mut worker = Worker { prover, settings, since: Instant::now(), watch };
        match self.plan {
            Plan::OneJob => run_one_job(&self.root, file, &mut worker),
            Plan::Openings => Openings::new(settings, file, &self.root).run(&mut worker),
        }
    }

    /// The file of the proof, with symbolic links resolved: parts, checkpoints and the lock belong to this file.
    fn target(&self) -> Result<PathBuf, CampaignError> {
        let disk = &self.settings.disk;
        let file = disk.target(&self.file).map_err(file_error(&self.file))?;
        match disk.look(&file).map_err(file_error(&file))? {
            Some(there) if there.kind != Kind::File => Err(CampaignError::NoFile { path: file }),
            _ => Ok(file),
        }
    }
}

/// Takes the lock at `path` for the work at the proof `file`.
pub(crate) fn lock(disk: &Arc<dyn Disk>, file: &Path, path: &Path) -> Result<Lock, CampaignError> {
    Lock::take(disk, path).map_err(|error| match error {
        LockError::Held { path: lock, by } => CampaignError::Held { path: file.to_owned(), by, lock },
        LockError::Io { path, error } => CampaignError::File { path, error },
        other => file_error(path)(std::io::Error::other(other.to_string())),
    })
}

/// Finds the value of a position and writes its proof.
fn run_one_job<G: Game, P: Prover<G> + ?Sized>(
    root: &G,
    file: PathBuf,
    worker: &mut Worker<'_, G, P>,
) -> Result<Results<G::Move>, CampaignError> {
    earlier::refuse_parts(worker.settings, &file)?;
    let files = JobFiles::of_whole(file);
    let job = Job { mv: None, done: 0, all: 1 };
    let task = Task { job, position: root, files: &files, questions: &[Question::Value] };
    let (report, work) = worker.search(&task)?;
    let mut results =
        Results { outcome: report.proven, jobs: Vec::new(), proof: None, stopped: None, report: None, work };
    if let Some(outcome) = report.proven {
        let written = worker.prove_or_save(&task, outcome, work)?;
        results.proof = written.map(|written| ProofFile { path: files.proof.clone(), written });
    }
    if results.proof.is_none() {
        let reason = report.stopped.filter(|_| report.proven.is_none());
        let reason = reason.unwrap_or_else(|| worker.limit_reached());
        results.stopped = Some(Unfinished { mv: None, reason });
    }
    results.report = Some(report);
    Ok(results)
}
