//! [`Campaign`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use stonework_files::{Disk, Kind, System};
use stonework_game::{Finite, Game, Keyed, Textual};
use stonework_search::{Limits, Prover, Question, Stop};

use crate::error::file_error;
use crate::job::Layout;
use crate::list::{Advance, JobList};
use crate::results::Unfinished;
use crate::worker::{Settings, Task, Tenure, Worker};
use crate::{
    CampaignError, CampaignEvent, FileLeases, Job, JobId, Leases, Plan, ProofFile, Results, Taken, Work,
};

/// The time between two checkpoints unless the campaign sets another time.
const EVERY: Duration = Duration::from_secs(300);
/// The time after which a waiting worker looks for a free job again.
const WAIT: Duration = Duration::from_millis(500);

/// The proof of a position as work that outlives a process and that several processes share.
///
/// A value of this type describes the work; [`run`](Campaign::run) does the work. Each process that runs the same
/// campaign (the same root, file and [plan](Campaign::plan)) is a worker of the campaign, and each worker has its
/// own solver. The first page of the [crate](crate) has examples.
#[derive(Clone, Debug)]
pub struct Campaign<G> {
    root: G,
    file: PathBuf,
    plan: Plan,
    limits: Limits,
    seed: u64,
    every: Duration,
    disk: Arc<dyn Disk>,
    leases: Option<Arc<dyn Leases>>,
}

impl<G> Campaign<G> {
    /// A campaign that writes the proof of `root` to `file`: one job, no limits, a checkpoint every 300 s, seed 0, leases by locks on files.
    #[must_use]
    pub fn new(root: G, file: impl Into<PathBuf>) -> Self {
        let (plan, limits, disk) = (Plan::OneJob, Limits::none(), Arc::new(System));
        Self { root, file: file.into(), plan, limits, seed: 0, every: EVERY, disk, leases: None }
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
        self.limits = limits;
        self
    }

    /// Sets the seed of the searches.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the time between two checkpoints. Checkpoints are rarer if saving takes longer than a twentieth of
    /// this time, or if the table is full.
    #[must_use]
    pub const fn checkpoint_every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Sets the disk of the proof, of its parts and of the checkpoints.
    #[must_use]
    pub fn disk(mut self, disk: Arc<dyn Disk>) -> Self {
        self.disk = disk;
        self
    }

    /// Sets the pool of leases. Every worker of the campaign needs the same pool.
    #[must_use]
    pub fn leases(mut self, leases: Arc<dyn Leases>) -> Self {
        self.leases = Some(leases);
        self
    }
}

impl<G: Finite + Keyed + Textual> Campaign<G> {
    /// Works at the campaign until its proof is written or a limit is reached.
    ///
    /// A worker proves one job after the other and takes over the proofs of all other workers. If other workers
    /// have all remaining jobs, the worker waits: twice a second the worker looks for a free job, until a limit is
    /// reached. A new run of a stopped campaign continues from its checkpoints and proofs. A proof that is at
    /// `file` in the beginning stays there until the new proof is complete.
    ///
    /// # Arguments
    /// `prover`: the solver of this worker. `watch`: a function that is called with each event, in this thread.
    ///
    /// # Errors
    /// An error if a file cannot be used, if a checkpoint or the proof of a job is damaged or about another
    /// position, or if another worker has the job of a campaign of one job. A reached limit is no error.
    pub fn run<P: Prover<G> + ?Sized>(
        &self,
        prover: &mut P,
        watch: &mut dyn FnMut(&CampaignEvent<'_, G::Move>),
    ) -> Result<Results<G::Move>, CampaignError> {
        let file = self.target()?;
        let leases = self
            .leases
            .clone()
            .unwrap_or_else(|| Arc::new(FileLeases::new(Arc::clone(&self.disk), file.clone())));
        let settings = Settings {
            disk: Arc::clone(&self.disk),
            leases,
            layout: Layout::new(file.clone()),
            limits: self.limits.clone(),
            seed: self.seed,
            every: self.every,
        };
        let mut worker = Worker { prover, settings: &settings, since: Instant::now(), watch };
        if self.plan == Plan::OneJob {
            return run_one_job(&self.root, &file, &mut worker);
        }
        if self.root.outcome().is_some() {
            return Err(CampaignError::NoMoves);
        }
        let mut list = JobList::new(&settings, JobId::whole(), self.root.clone(), self.plan, &[])?;
        if let Some(results) = list.finished_before(&mut worker)? {
            return Ok(results);
        }
        loop {
            match list.advance(&mut worker)? {
                Advance::Over(results) => return Ok(*results),
                Advance::Again => {}
                Advance::Waiting(waiting) => {
                    if let Some(reason) = worker.stopped() {
                        return Ok(list.stopped_at(waiting.mv, reason, Work::default()));
                    }
                    worker.report(&CampaignEvent::Waiting { holder: waiting.holder.as_ref() });
                    thread::sleep(WAIT);
                }
            }
        }
    }

    /// The file of the proof, with symbolic links resolved: parts, checkpoints and locks belong to this file.
    fn target(&self) -> Result<PathBuf, CampaignError> {
        let file = self.disk.target(&self.file).map_err(file_error(&self.file))?;
        match self.disk.look(&file).map_err(file_error(&file))? {
            Some(there) if there.kind != Kind::File => Err(CampaignError::NoFile { path: file }),
            _ => Ok(file),
        }
    }
}

/// Finds the value of a position and writes its proof.
fn run_one_job<G: Game, P: Prover<G> + ?Sized>(
    root: &G,
    file: &Path,
    worker: &mut Worker<'_, G, P>,
) -> Result<Results<G::Move>, CampaignError> {
    let id = JobId::whole();
    let mut tenure = match worker.settings.leases.take(&id)? {
        Taken::Lease(lease) => Tenure::new(lease),
        Taken::Held(holder) => return Err(CampaignError::Held { path: file.to_owned(), holder }),
        Taken::Closed => return Err(CampaignError::ForeignProof { path: file.to_owned() }),
    };
    let job = Job { id: &id, plan: Plan::OneJob, done: 0, all: 1 };
    let task = Task { job, position: root, questions: &[Question::Value], goals: &[] };
    let (report, work) = worker.search(&task, &mut tenure)?;
    let results = |outcome, proof, reason: Option<Stop>| Results {
        outcome,
        jobs: Vec::new(),
        proof,
        stopped: reason.map(|reason| Unfinished { mv: None, reason }),
        report: Some(report.clone()),
        work,
    };
    if tenure.is_lost() {
        return Err(CampaignError::LeaseLost { path: file.to_owned() });
    }
    let Some(outcome) = report.proven else {
        let reason = report.stopped.unwrap_or_else(|| worker.limit_reached());
        return Ok(results(None, None, Some(reason)));
    };
    let written = worker.prove(root, outcome, (&id, file), &tenure);
    if !matches!(written, Ok(Some(_))) {
        worker.save(root, &id, &tenure)?;
    }
    let Some(written) = written? else {
        return Ok(results(Some(outcome), None, Some(worker.limit_reached())));
    };
    worker.remove_checkpoint(&id)?;
    worker.report(&CampaignEvent::Proved { job: &id, outcome, work, written });
    Ok(results(Some(outcome), Some(ProofFile { path: file.to_owned(), written }), None))
}
