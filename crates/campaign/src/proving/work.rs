//! [`ProofWork`]: the work of a worker.

use std::marker::PhantomData;

use stonework_farm::{Digest, FarmJob, FarmWork, MAX_BLOBS, WorkSeat, Worked};
use stonework_game::{Finite, Player, Textual};
use stonework_search::{
    Limits, ProofNumbers, ProveError, Prover, ProverError, Question, SearchContext, TableEntry,
};

use super::body::{AnswerBody, JobBody, MoveBody, claim, encode, pair};
use super::{KIND, KnownProofs, VERSION, entries};

/// The nodes for a proof of a decided position: the table has most of it.
pub(super) const PROOF_NODES: u64 = 1 << 20;
/// The number of entries for which a hint is worth its message.
const LEAST_TOLD: usize = 256;
/// The largest number of entries of other workers that wait for the next job: 16 MiB.
const MOST_HEARD: usize = 1 << 20;

/// The work of a worker: bounded searches, with one table from job to job. `G` is the game by its rules.
///
/// The work tells the other workers the entries of its table with the most nodes, and takes theirs. Such an entry steers a
/// search, or ends it; only a proof counts. If no proof follows from a decided entry, an entry is a lie: the work
/// empties its table, searches the job again, and hears no entries any more.
#[derive(Debug)]
pub struct ProofWork<G, P> {
    game: String,
    prover: P,
    limits: Limits,
    /// Proofs for the table, until they are read.
    known: Option<KnownProofs>,
    /// Entries of other workers for the next job.
    heard: Vec<TableEntry>,
    /// Entries for the other workers.
    told: Vec<TableEntry>,
    /// `true` after an entry has turned out to be a lie.
    is_deaf: bool,
    rules: PhantomData<fn() -> G>,
}

/// The reason why there is no proof of an answer.
enum NoProof {
    /// The limit was reached.
    Late,
    /// The answer is wrong, or the table contradicts the rules.
    Lie,
}

impl<G: Finite + Textual, P: Prover<G>> ProofWork<G, P> {
    /// Work on a game. The prover keeps its table; of the limits, the bytes count.
    #[must_use]
    pub fn new(game: impl Into<String>, prover: P, limits: &Limits) -> Self {
        let limits = Limits { bytes: limits.bytes, ..Limits::none() };
        let (heard, told, is_deaf) = (Vec::new(), Vec::new(), false);
        let (game, known) = (game.into(), None);
        Self { game, prover, limits, known, heard, told, is_deaf, rules: PhantomData }
    }

    /// Gives the work proofs, which the first job puts into the table. The prover must keep its table.
    #[must_use]
    pub fn known(self, known: KnownProofs) -> Self {
        Self { known: Some(known), ..self }
    }

    /// The proof of an answer.
    fn proof(&mut self, root: &G, who: Player, yes: bool, limits: &Limits) -> Result<Vec<u8>, NoProof> {
        let mut file = Vec::new();
        match self.prover.prove(root, claim(who, yes), limits, &mut file) {
            Ok(_) => Ok(file),
            Err(ProverError::Prove(ProveError::Wrong | ProveError::Contradiction)) => Err(NoProof::Lie),
            Err(_) => Err(NoProof::Late),
        }
    }

    /// The moves of an open position, with proofs of those that are decided.
    fn moves(
        &mut self,
        root: &G,
        who: Player,
        limits: &Limits,
    ) -> Result<(Vec<MoveBody>, Vec<Vec<u8>>), NoProof> {
        let (mut moves, mut blobs) = (Vec::new(), Vec::new());
        for child in self.prover.children(root, who) {
            let mut body =
                MoveBody { mv: root.move_text(child.mv), numbers: pair(child.numbers), proof: None };
            let mut after = root.clone();
            let is_over = after.play(child.mv).is_err() || after.outcome().is_some();
            // The tree evaluates a position itself; what the search has decided it believes by a proof alone.
            let decided = child.numbers.decided().filter(|_| !is_over && child.nodes > 0);
            if let Some(yes) = decided.filter(|_| blobs.len() < MAX_BLOBS) {
                match self.proof(&after, who, yes, limits) {
                    Ok(proof) => {
                        body.proof = Some(Digest::of(&proof));
                        blobs.push(proof);
                    }
                    Err(NoProof::Late) => {}
                    Err(NoProof::Lie) => return Err(NoProof::Lie),
                }
            }
            moves.push(body);
        }
        Ok((moves, blobs))
    }

    /// Searches a position, and makes the answer with its proofs.
    fn answer(
        &mut self,
        root: &G,
        who: Player,
        body: &JobBody,
        limits: &Limits,
    ) -> Result<(AnswerBody, Vec<Vec<u8>>), NoProof> {
        let within = limits.clone().nodes(body.nodes);
        let report = self.prover.search(root, &within, SearchContext::seed(body.tree));
        let (numbers, mut spent) = (report.proof_numbers.unwrap_or(ProofNumbers::OPEN), report.nodes);
        let limits = limits.clone().nodes(PROOF_NODES);
        if let Some(yes) = numbers.decided() {
            match self.proof(root, who, yes, &limits) {
                Ok(proof) => {
                    return Ok((AnswerBody::Shown { yes, proof: Digest::of(&proof), spent }, vec![proof]));
                }
                Err(NoProof::Late) => {}
                Err(NoProof::Lie) => return Err(NoProof::Lie),
            }
        }
        let (mut moves, mut blobs) = (Vec::new(), Vec::new());
        if body.moves {
            if body.glance > 0 && numbers.decided().is_none() {
                spent += self.prover.glance(root, who, body.glance, &limits);
            }
            (moves, blobs) = self.moves(root, who, &limits)?;
        }
        Ok((AnswerBody::Open { numbers: pair(numbers), moves, spent }, blobs))
    }
}

impl<G: Finite + Textual, P: Prover<G>> FarmWork for ProofWork<G, P> {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        let body: JobBody = match job.read(KIND, VERSION) {
            Ok(body) => body,
            Err(why) => return Worked::Unable(why),
        };
        if body.game != self.game {
            return Worked::Unable(format!("this worker plays {}, not {}", self.game, body.game));
        }
        let Some(who) = body.player() else { return Worked::Unable("a job without a side".to_owned()) };
        let root = match G::parse_position(&body.position) {
            Ok(root) => root,
            Err(error) => return Worked::Unable(error.to_string()),
        };
        let limits = self.limits.clone().cancel(seat.flag());
        self.prover.set_question(Question::Wins(who));
        self.prover.set_harvest(body.share);
        if let Some(known) = &self.known {
            if !known.teach(&mut self.prover, &root, &limits) {
                return Worked::Left;
            }
            self.known = None;
        }
        let heard = std::mem::take(&mut self.heard);
        if !heard.is_empty() {
            self.prover.plant(&root, &heard, &limits);
        }
        let mut answer = self.answer(&root, who, &body, &limits);
        if answer.is_err() && !seat.is_over() {
            self.prover.forget();
            self.is_deaf = true;
            answer = self.answer(&root, who, &body, &limits);
        }
        if seat.is_over() {
            return Worked::Left;
        }
        let Ok((answer, blobs)) = answer else {
            return Worked::Failed("no proof follows from the search of this position".to_owned());
        };
        if body.share > 0 && !self.is_deaf {
            self.told.extend(self.prover.harvest());
        }
        let (AnswerBody::Shown { spent: nodes, .. } | AnswerBody::Open { spent: nodes, .. }) = answer;
        Worked::Done { answer: encode(&answer), blobs, nodes }
    }

    fn hear(&mut self, hint: &[u8]) {
        if !self.is_deaf && self.heard.len() < MOST_HEARD {
            self.heard.extend(entries::decode(&self.game, hint));
        }
    }

    fn hint(&mut self) -> Option<Vec<u8>> {
        let is_worth_it = self.told.len() >= LEAST_TOLD;
        is_worth_it.then(|| entries::encode(&self.game, std::mem::take(&mut self.told)))
    }
}
