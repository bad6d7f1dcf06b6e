//! [`JobList`]: the moves of a position as jobs of several workers.

use std::cmp::Reverse;
use std::io::BufReader;
use std::path::PathBuf;

use stonework_files::replace;
use stonework_game::{Finite, Keyed, MoveOrbit, Outcome, Textual, move_orbits};
use stonework_proof::{JoinError, ProofReader, Written, join};
use stonework_search::{Prover, Question, Stop};

use crate::clear::{clear_list, done_folder};
use crate::error::file_error;
use crate::moves::{after, value_of_claim};
use crate::results::Unfinished;
use crate::worker::{Goal, Settings, Task, Tenure, Worker};
use crate::{
    CampaignError, CampaignEvent, Holder, Job, JobId, JobResult, Plan, ProofFile, Results, Taken, Work,
};

/// The jobs below a position, in the view of one worker.
pub(crate) struct JobList<'c, G: Keyed> {
    settings: &'c Settings,
    /// The job whose position the list divides.
    id: JobId,
    root: G,
    plan: Plan,
    /// The file of the list's proof, then the files of the proofs of the lists above.
    goals: Vec<Goal>,
    /// The moves, in the order of the jobs.
    orbits: Vec<MoveOrbit<G::Move>>,
    done: Vec<JobResult<G::Move>>,
    /// The number of nodes that were searched for the order of the jobs.
    order_nodes: u64,
    /// The lists of the jobs that are divided by their own moves.
    below: Vec<(G::Move, Self)>,
}

/// The result of [`JobList::advance`].
pub(crate) enum Advance<M> {
    /// The list is complete, or a limit has stopped it.
    Over(Box<Results<M>>),
    /// A job was done; the list may have more jobs.
    Again,
    /// Other workers have all remaining jobs.
    Waiting(Waiting<M>),
}

/// A job that another worker has.
pub(crate) struct Waiting<M> {
    pub(crate) mv: M,
    pub(crate) holder: Option<Holder>,
}

/// The result of [`JobList::attempt`].
enum Attempt<M> {
    Done(JobResult<M>),
    /// A job below this job is done.
    Again,
    /// Another worker has the job.
    Held(Option<Holder>),
    Stopped(Stop, Work),
    /// Another worker has finished the list.
    Obsolete,
}

impl<'c, G: Finite + Keyed + Textual> JobList<'c, G> {
    /// A list for the proof of a job; the directory of the list is made, too. `above` are the files that make this
    /// list unnecessary.
    pub(crate) fn new(
        settings: &'c Settings,
        id: JobId,
        root: G,
        plan: Plan,
        above: &[Goal],
    ) -> Result<Self, CampaignError> {
        let file = settings.layout.proof(&id);
        // The proof of a part does not exist yet: otherwise the part would be done.
        let before = if above.is_empty() { settings.look(&file)? } else { None };
        let parts = settings.layout.parts(&id);
        settings.disk.make_directory(&parts).map_err(file_error(&parts))?;
        let goals = std::iter::once(Goal { file, before, parts }).chain(above.iter().cloned()).collect();
        let orbits = move_orbits(&root);
        let (done, below) = (Vec::new(), Vec::new());
        Ok(Self { settings, id, root, plan, goals, orbits, done, order_nodes: 0, below })
    }

    /// The results of a list that a killed process has finished but not cleared; `None` without such a list.
    pub(crate) fn finished_before<P: Prover<G> + ?Sized>(
        &mut self,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Option<Results<G::Move>>, CampaignError> {
        let old = done_folder(&self.settings.layout.parts(&self.id));
        if self.settings.look(&old)?.is_none() {
            return Ok(None);
        }
        clear_list(self.settings, &old, &self.root, self.plan, &self.orbits)?;
        Ok(self.read_results(worker).ok())
    }

    fn child(&self, mv: G::Move) -> JobId {
        self.id.child(&self.root.move_text(mv))
    }

    fn proof_of(&self, mv: G::Move) -> PathBuf {
        self.settings.layout.proof(&self.child(mv))
    }

    fn file(&self) -> PathBuf {
        self.settings.layout.proof(&self.id)
    }

    /// `true` if another worker has finished the list.
    fn is_written(&self) -> Result<bool, CampaignError> {
        self.goals.first().map_or(Ok(false), |goal| goal.is_reached(self.settings))
    }

    /// The best value for the side to move among the finished jobs.
    fn best(&self) -> Option<Outcome> {
        let value = |outcome: &Outcome| outcome.value_for(self.root.to_move());
        self.done.iter().map(|result| result.outcome).max_by_key(value)
    }

    /// The cost of the finished jobs, and of their order.
    fn work(&self) -> Work {
        let order = Work { nodes: self.order_nodes, ..Work::default() };
        self.done.iter().filter_map(|result| result.work).fold(order, Work::plus)
    }

    /// The results after a limit has stopped the job of a move.
    pub(crate) fn stopped_at(&mut self, mv: G::Move, reason: Stop, work: Work) -> Results<G::Move> {
        let stopped = Some(Unfinished { mv: Some(mv), reason });
        let work = self.work().plus(Work { nodes_before: 0, cpu: std::time::Duration::ZERO, ..work });
        let jobs = std::mem::take(&mut self.done);
        Results { outcome: None, jobs, proof: None, stopped, report: None, work }
    }

    /// Sorts the moves by the opponent's prospects after them, the worst for the opponent first. A move that wins
    /// is then found early, and if all moves are needed, the longest jobs do not come last.
    fn order<P: Prover<G> + ?Sized>(&mut self, worker: &mut Worker<'_, G, P>) {
        let root = &self.root;
        let mut nodes = 0;
        self.orbits.sort_by_cached_key(|orbit| {
            let report = worker.glance(&after(root, orbit.mv));
            nodes += report.nodes;
            Reverse(match report.proven {
                Some(outcome) if outcome == Outcome::Win(root.to_move()) => u32::MAX,
                Some(_) => 0,
                None => report.proof_numbers.map_or(0, |numbers| numbers.proof),
            })
        });
        self.order_nodes = nodes;
    }

    /// Tries the unfinished jobs, until one job is done.
    pub(crate) fn advance<P: Prover<G> + ?Sized>(
        &mut self,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Advance<G::Move>, CampaignError> {
        if self.plan == Plan::Replies && self.done.is_empty() && self.order_nodes == 0 {
            self.order(worker);
        }
        let mut held = None;
        for orbit in self.orbits.clone() {
            let mv = orbit.mv;
            if self.done.iter().any(|result| result.mv == mv) {
                continue;
            }
            match self.attempt(orbit, worker)? {
                Attempt::Done(result) => {
                    let is_win = result.outcome == Outcome::Win(self.root.to_move());
                    self.done.push(result);
                    if !(is_win && self.plan == Plan::Replies) {
                        return Ok(Advance::Again);
                    }
                    held = None;
                    break;
                }
                Attempt::Again => return Ok(Advance::Again),
                Attempt::Held(holder) => held = Some(Waiting { mv, holder }),
                Attempt::Stopped(reason, work) => {
                    return Ok(Advance::Over(Box::new(self.stopped_at(mv, reason, work))));
                }
                Attempt::Obsolete => {
                    return self.read_results(worker).map(|all| Advance::Over(Box::new(all)));
                }
            }
        }
        if let Some(waiting) = held {
            return Ok(Advance::Waiting(waiting));
        }
        let Some(last) = self.done.last().map(|result| result.mv) else { return Err(CampaignError::NoMoves) };
        self.merge(last, worker)
    }

    /// Takes over the proof of a move. Without such a proof, proves the move unless another worker has the job.
    fn attempt<P: Prover<G> + ?Sized>(
        &mut self,
        orbit: MoveOrbit<G::Move>,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Attempt<G::Move>, CampaignError> {
        let MoveOrbit { mv, images } = orbit;
        let (id, position, file) = (self.child(mv), after(&self.root, mv), self.proof_of(mv));
        let result = |outcome, work| Attempt::Done(JobResult { mv, images: images.clone(), outcome, work });
        if let (Plan::Replies, Some(outcome)) = (self.plan, position.outcome()) {
            return Ok(result(outcome, None));
        }
        let is_there = self.settings.look(&file)?.is_some();
        let is_split = self.plan == Plan::Openings { split: true } && position.outcome().is_none();
        if is_split && !is_there {
            return self.attempt_below(MoveOrbit { mv, images }, position, worker);
        }
        let taken = if is_there { Taken::Closed } else { self.settings.leases.take(&id)? };
        if let Some(outcome) = worker.take_over(&file, &position)? {
            worker.report(&CampaignEvent::Known { job: &id, outcome, file: &file });
            return Ok(result(outcome, None));
        }
        if self.is_written()? {
            return Ok(Attempt::Obsolete);
        }
        let mut tenure = match taken {
            Taken::Lease(lease) => Tenure::new(lease),
            Taken::Held(holder) => return Ok(Attempt::Held(Some(holder))),
            Taken::Closed => return Ok(Attempt::Held(None)),
        };
        // The first question is "does the side to move at the root win?", since a win is likely.
        let questions = [Question::Wins(self.root.to_move()), Question::Value];
        let task = Task {
            job: Job { id: &id, plan: self.plan, done: self.done.len(), all: self.orbits.len() },
            position: &position,
            questions: &questions[usize::from(self.plan == Plan::Replies)..],
            goals: &self.goals,
        };
        let (report, work) = worker.search(&task, &mut tenure)?;
        if tenure.is_lost() {
            return Ok(Attempt::Held(None));
        }
        if task.is_obsolete(self.settings) {
            worker.remove_checkpoint(&id)?;
            return Ok(if self.is_written()? { Attempt::Obsolete } else { Attempt::Held(None) });
        }
        let Some(outcome) = report.proven else {
            return Ok(Attempt::Stopped(report.stopped.unwrap_or_else(|| worker.limit_reached()), work));
        };
        let written = match worker.prove(&position, outcome, (&id, &file), &tenure) {
            // Workers that have finished the list remove its directory.
            Err(_) if task.is_obsolete(self.settings) => return Ok(Attempt::Obsolete),
            written => written?,
        };
        let Some(written) = written else {
            worker.save(&position, &id, &tenure)?;
            return Ok(Attempt::Stopped(worker.limit_reached(), work));
        };
        worker.remove_checkpoint(&id)?;
        worker.report(&CampaignEvent::Proved { job: &id, outcome, work, written });
        Ok(result(outcome, Some(work)))
    }

    /// Advances the list of a move that is divided by its own moves.
    fn attempt_below<P: Prover<G> + ?Sized>(
        &mut self,
        orbit: MoveOrbit<G::Move>,
        position: G,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Attempt<G::Move>, CampaignError> {
        if self.is_written()? {
            return Ok(Attempt::Obsolete);
        }
        let MoveOrbit { mv, images } = orbit;
        let mut list = match self.below.iter().position(|(other, _)| *other == mv) {
            Some(at) => self.below.swap_remove(at).1,
            None => Self::new(self.settings, self.child(mv), position, Plan::Replies, &self.goals)?,
        };
        let attempt = match list.advance(worker)? {
            Advance::Again => Attempt::Again,
            Advance::Waiting(waiting) => Attempt::Held(waiting.holder),
            Advance::Over(results) => {
                let work = results.work;
                return Ok(match (results.outcome, results.stopped) {
                    (Some(outcome), _) => {
                        let own = results.jobs.iter().any(|result| result.work.is_some());
                        Attempt::Done(JobResult { mv, images, outcome, work: own.then_some(work) })
                    }
                    (None, Some(stopped)) => Attempt::Stopped(stopped.reason, work),
                    (None, None) => Attempt::Held(None),
                });
            }
        };
        self.below.push((mv, list));
        Ok(attempt)
    }

    /// Makes one proof from the proofs of all jobs, unless another worker does so.
    fn merge<P: Prover<G> + ?Sized>(
        &mut self,
        last: G::Move,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Advance<G::Move>, CampaignError> {
        let id = self.id.merge();
        let taken = self.settings.leases.take(&id)?;
        if self.is_written()? {
            // The lock of the lease lies in the directory that is removed.
            drop(taken);
            return self.read_results(worker).map(|all| Advance::Over(Box::new(all)));
        }
        let mut tenure = match taken {
            Taken::Lease(lease) => Tenure::new(lease),
            Taken::Held(holder) => {
                return Ok(Advance::Waiting(Waiting { mv: last, holder: Some(holder) }));
            }
            Taken::Closed => return Ok(Advance::Waiting(Waiting { mv: last, holder: None })),
        };
        let file = self.file();
        worker.report(&CampaignEvent::Merging { file: &file });
        let written = match (self.plan, self.best()) {
            (Plan::Replies, Some(outcome)) => {
                // The table may have lost some of the proofs.
                for result in &self.done {
                    worker.take_over(&self.proof_of(result.mv), &after(&self.root, result.mv))?;
                    tenure.renew()?;
                }
                let Some(written) = worker.prove(&self.root, outcome, (&id, &file), &tenure)? else {
                    let reason = worker.limit_reached();
                    let results = self.stopped_at(last, reason, Work::default());
                    return Ok(Advance::Over(Box::new(results)));
                };
                written
            }
            _ => self.join_parts(&file)?,
        };
        self.finish(written, tenure).map(|results| Advance::Over(Box::new(results)))
    }

    /// Writes the proofs of all jobs into one file.
    fn join_parts(&mut self, file: &std::path::Path) -> Result<Written, CampaignError> {
        self.sort_done();
        let parts: Vec<PathBuf> = self.done.iter().map(|result| self.proof_of(result.mv)).collect();
        let refused = |path: &PathBuf, refused| CampaignError::Proof { path: path.clone(), refused };
        let mut readers = Vec::new();
        for part in &parts {
            let input = BufReader::new(self.settings.disk.open(part).map_err(file_error(part))?);
            readers.push(ProofReader::new(input).map_err(|error| refused(part, error))?);
        }
        replace(&*self.settings.disk, file, |out| join(readers, out)).map_err(|error| match error {
            JoinError::Refused { proof, refused: why } => refused(&parts[proof], why),
            error => CampaignError::Join { path: file.to_owned(), error },
        })
    }

    /// Sorts the results in the order of the moves.
    fn sort_done(&mut self) {
        let orbits = &self.orbits;
        self.done.sort_by_key(|result| orbits.iter().position(|orbit| orbit.mv == result.mv));
    }

    /// Removes the parts, which the finished file replaces.
    fn finish(&mut self, written: Written, tenure: Tenure) -> Result<Results<G::Move>, CampaignError> {
        let parts = self.settings.layout.parts(&self.id);
        let old = done_folder(&parts);
        // On systems that do not rename a directory with open files, the directory is cleared under its old name.
        let is_renamed = self.settings.disk.rename(&parts, &old).is_ok();
        drop(tenure);
        let folder = if is_renamed { &old } else { &parts };
        clear_list(self.settings, folder, &self.root, self.plan, &self.orbits)?;
        Ok(self.complete(written, self.best()))
    }

    /// The results from the proof that another worker has written.
    fn read_results<P: Prover<G> + ?Sized>(
        &mut self,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Results<G::Move>, CampaignError> {
        let path = self.file();
        let input = self.settings.disk.open(&path).map_err(file_error(&path))?;
        let proof = worker
            .prover
            .verify(&mut BufReader::new(input))
            .map_err(|refused| CampaignError::Proof { path: path.clone(), refused })?;
        let value = |position: &G| {
            let claim = proof.claims.iter().find(|(root, _)| root == position);
            claim.and_then(|(_, claim)| value_of_claim(*claim))
        };
        let foreign = || CampaignError::ForeignProof { path: path.clone() };
        let outcome = if self.plan == Plan::Replies {
            Some(value(&self.root).ok_or_else(foreign)?)
        } else {
            for MoveOrbit { mv, images } in self.orbits.clone() {
                let outcome = value(&after(&self.root, mv)).ok_or_else(foreign)?;
                if !self.done.iter().any(|result| result.mv == mv) {
                    self.done.push(JobResult { mv, images, outcome, work: None });
                }
            }
            self.sort_done();
            self.best()
        };
        let bytes = self.settings.look(&path)?.map_or(0, |there| there.len);
        // The directory has the files that this worker held while the other worker cleared. If some of the files
        // stay, the next campaign removes them.
        let old = done_folder(&self.settings.layout.parts(&self.id));
        if self.settings.look(&old)?.is_some() {
            let _ = clear_list(self.settings, &old, &self.root, self.plan, &self.orbits);
        }
        Ok(self.complete(Written { bytes, records: proof.records, shared: proof.shared }, outcome))
    }

    fn complete(&mut self, written: Written, outcome: Option<Outcome>) -> Results<G::Move> {
        // A directory with a file that does not belong to the campaign stays.
        for (mv, _) in &self.below {
            let _ = self.settings.disk.remove_directory(&self.settings.layout.parts(&self.child(*mv)));
        }
        let _ = self.settings.disk.remove_directory(&self.settings.layout.parts(&self.id));
        let work = self.work();
        let jobs = std::mem::take(&mut self.done);
        let proof = Some(ProofFile { path: self.file(), written });
        Results { outcome, jobs, proof, stopped: None, report: None, work }
    }
}

#[cfg(test)]
mod tests;
