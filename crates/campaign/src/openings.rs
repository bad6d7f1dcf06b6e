//! [`Openings`]: the moves of a position as jobs.

use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use stonework_files::{BlockFault, replace, unfinished};
use stonework_game::{Keyed, MoveOrbit, Outcome, Textual, move_orbits};
use stonework_proof::{JoinError, ProofError, ProofFault, ProofReader, VerifyLimits, Written, join};
use stonework_search::{Prover, Question, Stop};

use crate::earlier::{self, JOINING};
use crate::error::file_error;
use crate::job::{JobFiles, done_folder, part_name, parts_of};
use crate::moves::{after, value_of_claim};
use crate::results::Unfinished;
use crate::worker::{Settings, Task, Worker};
use crate::{CampaignError, CampaignEvent, Job, JobResult, ProofFile, Results, Work};

/// The jobs of a campaign by [`Plan::Openings`](crate::Plan::Openings).
pub(crate) struct Openings<'c, G: Keyed> {
    settings: &'c Settings,
    /// The proof of the campaign.
    file: PathBuf,
    /// The directory of the parts.
    parts: PathBuf,
    root: &'c G,
    /// The moves, in the order of the jobs, and the names of their files.
    orbits: Vec<(MoveOrbit<G::Move>, String)>,
    /// The results of the finished jobs, in the same order.
    done: Vec<JobResult<G::Move>>,
}

impl<'c, G: Keyed + Textual> Openings<'c, G> {
    pub(crate) fn new(settings: &'c Settings, file: PathBuf, root: &'c G) -> Self {
        let named = |orbit: MoveOrbit<G::Move>| {
            let name = part_name(&root.move_text(orbit.mv));
            (orbit, name)
        };
        let orbits = move_orbits(root).into_iter().map(named).collect();
        Self { settings, parts: parts_of(&file), file, root, orbits, done: Vec::new() }
    }

    /// Does the jobs and joins their proofs.
    pub(crate) fn run<P: Prover<G> + ?Sized>(
        mut self,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Results<G::Move>, CampaignError> {
        let names: Vec<String> = self.orbits.iter().map(|(_, name)| name.clone()).collect();
        earlier::refuse_company(self.settings, &self.file, &names)?;
        for name in &names {
            earlier::refuse_parts(self.settings, &JobFiles::of_part(&self.parts, name).proof)?;
        }
        if let Some(results) = self.finished_before(worker)? {
            return Ok(results);
        }
        self.settings.disk.make_directory(&self.parts).map_err(file_error(&self.parts))?;
        for (orbit, name) in self.orbits.clone() {
            let mv = orbit.mv;
            if let Some((reason, work)) = self.prove(orbit, &name, worker)? {
                return Ok(self.stopped_at(mv, reason, work));
            }
        }
        worker.report(&CampaignEvent::Merging { file: &self.file });
        let written = self.join_parts(&names)?;
        let done = done_folder(&self.parts);
        // On systems that do not rename a directory with open files, the directory is cleared under its old name.
        let is_renamed = self.settings.disk.rename(&self.parts, &done).is_ok();
        self.clear(if is_renamed { &done } else { &self.parts });
        Ok(self.complete(written))
    }

    /// Takes over the proof of a move, or proves the move.
    ///
    /// Returns the limit that has stopped the search, and the cost; `None` if the job is finished.
    fn prove<P: Prover<G> + ?Sized>(
        &mut self,
        orbit: MoveOrbit<G::Move>,
        name: &str,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Option<(Stop, Work)>, CampaignError> {
        let MoveOrbit { mv, images } = orbit;
        let (position, files) = (after(self.root, mv), JobFiles::of_part(&self.parts, name));
        let job = Job { mv: Some(mv), done: self.done.len(), all: self.orbits.len() };
        if let Some(outcome) = worker.take_over(&files.proof, &position)? {
            worker.report(&CampaignEvent::Known { job, outcome, file: &files.proof });
            self.done.push(JobResult { mv, images, outcome, work: None });
            return Ok(None);
        }
        // The first question is "does the side to move at the root win?", since a win is likely.
        let questions = [Question::Wins(self.root.to_move()), Question::Value];
        let task = Task { job, position: &position, files: &files, questions: &questions };
        let (report, work) = worker.search(&task)?;
        let Some(outcome) = report.proven else {
            return Ok(Some((report.stopped.unwrap_or_else(|| worker.limit_reached()), work)));
        };
        if worker.prove_or_save(&task, outcome, work)?.is_none() {
            return Ok(Some((worker.limit_reached(), work)));
        }
        self.done.push(JobResult { mv, images, outcome, work: Some(work) });
        Ok(None)
    }

    /// Writes the proofs of all jobs into one file.
    fn join_parts(&self, names: &[String]) -> Result<Written, CampaignError> {
        let disk = &self.settings.disk;
        let parts: Vec<PathBuf> =
            names.iter().map(|name| JobFiles::of_part(&self.parts, name).proof).collect();
        let refused = |path: &PathBuf, refused| CampaignError::Part { path: path.clone(), refused };
        let mut readers = Vec::new();
        for part in &parts {
            let input = BufReader::new(disk.open(part).map_err(file_error(part))?);
            readers.push(ProofReader::new(input).map_err(|error| refused(part, error))?);
        }
        replace(&**disk, &self.file, |out| join(readers, out)).map_err(|error| match error {
            JoinError::Refused { proof, refused: why } => refused(&parts[proof], why),
            error => CampaignError::Join { path: self.file.clone(), error },
        })
    }

    /// The results of a campaign that a killed process has finished but not cleared, from its proof; `None` without such
    /// a campaign.
    fn finished_before<P: Prover<G> + ?Sized>(
        &mut self,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Option<Results<G::Move>>, CampaignError> {
        let done = done_folder(&self.parts);
        if !self.settings.has(&done)? {
            return Ok(None);
        }
        let written = self.read_proof(worker)?;
        self.clear(&done);
        Ok(written.map(|written| self.complete(written)))
    }

    /// Takes the results of all jobs from the proof of the campaign; `None` if there is no proof of these jobs.
    fn read_proof<P: Prover<G> + ?Sized>(
        &mut self,
        worker: &mut Worker<'_, G, P>,
    ) -> Result<Option<Written>, CampaignError> {
        let input = match self.settings.disk.open(&self.file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            input => input.map_err(file_error(&self.file))?,
        };
        let proof = match worker.prover.verify(&VerifyLimits::default(), &mut BufReader::new(input)) {
            // Nothing is known of a file that cannot be read: the parts stay.
            Err(ProofError { fault: ProofFault::File(BlockFault::Io(error)), .. }) => {
                return Err(file_error(&self.file)(error));
            }
            Err(_) => return Ok(None),
            Ok(proof) => proof,
        };
        let mut results = Vec::new();
        for (MoveOrbit { mv, images }, _) in &self.orbits {
            let position = after(self.root, *mv);
            let claim = proof.claims.iter().find(|(root, _)| *root == position);
            let Some(outcome) = claim.and_then(|(_, claim)| value_of_claim(*claim)) else { return Ok(None) };
            results.push(JobResult { mv: *mv, images: images.clone(), outcome, work: None });
        }
        self.done = results;
        let there = self.settings.disk.look(&self.file).map_err(file_error(&self.file))?;
        let bytes = there.map_or(0, |there| there.len);
        Ok(Some(Written { bytes, records: proof.records, shared: proof.shared }))
    }

    /// Removes a directory of parts, which the finished proof replaces. A file that cannot be removed does no harm; a
    /// directory with a file that does not belong to the campaign stays.
    fn clear(&self, folder: &Path) {
        let disk = &self.settings.disk;
        for (_, name) in &self.orbits {
            let JobFiles { proof, checkpoint } = JobFiles::of_part(folder, name);
            for path in [proof, checkpoint] {
                let _ = disk.remove(&path);
                // The file has this second name until it is completely written.
                let _ = disk.remove(&unfinished(&path));
            }
            let _ = disk.remove(&folder.join(format!("{name}.lock")));
        }
        let _ = disk.remove(&folder.join(format!("{JOINING}.lock")));
        let _ = disk.remove_directory(folder);
    }

    fn complete(&mut self, written: Written) -> Results<G::Move> {
        let value = |outcome: &Outcome| outcome.value_for(self.root.to_move());
        let outcome = self.done.iter().map(|result| result.outcome).max_by_key(value);
        let proof = Some(ProofFile { path: self.file.clone(), written });
        let work = self.work();
        Results { outcome, jobs: std::mem::take(&mut self.done), proof, stopped: None, report: None, work }
    }

    /// The results after a limit has stopped the job of a move.
    fn stopped_at(&mut self, mv: G::Move, reason: Stop, work: Work) -> Results<G::Move> {
        let stopped = Some(Unfinished { mv: Some(mv), reason });
        let work = self.work().plus(Work { nodes_before: 0, ..work });
        let jobs = std::mem::take(&mut self.done);
        Results { outcome: None, jobs, proof: None, stopped, report: None, work }
    }

    /// The cost of the finished jobs.
    fn work(&self) -> Work {
        self.done.iter().filter_map(|result| result.work).fold(Work::default(), Work::plus)
    }
}
