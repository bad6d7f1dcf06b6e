//! [`ProofWork`]: the work of a worker.

use std::marker::PhantomData;

use stonework_farm::{Digest, FarmJob, FarmWork, MAX_BLOBS, WorkSeat, Worked};
use stonework_game::{Finite, Player, Textual};
use stonework_search::{Limits, Prover, Question, SearchContext};

use super::body::{AnswerBody, JobBody, MoveBody, claim, encode, pair};
use super::{KIND, VERSION};

/// The nodes for a proof of a decided position: the table has most of it.
const PROOF_NODES: u64 = 1 << 20;

/// The work of a worker: bounded searches, with one table from job to job. `G` is the game by its rules.
#[derive(Debug)]
pub struct ProofWork<G, P> {
    game: String,
    prover: P,
    limits: Limits,
    rules: PhantomData<fn() -> G>,
}

impl<G: Finite + Textual, P: Prover<G>> ProofWork<G, P> {
    /// Work on a game. The prover keeps its table; of the limits, the bytes count.
    #[must_use]
    pub fn new(game: impl Into<String>, prover: P, limits: &Limits) -> Self {
        let limits = Limits { bytes: limits.bytes, ..Limits::none() };
        Self { game: game.into(), prover, limits, rules: PhantomData }
    }

    /// The proof of an answer; `None` if it takes too long.
    fn proof(&mut self, root: &G, who: Player, yes: bool, limits: &Limits) -> Option<Vec<u8>> {
        let mut file = Vec::new();
        self.prover.prove(root, claim(who, yes), limits, &mut file).ok().map(|_| file)
    }

    /// The moves of an open position, with proofs of those that are decided.
    fn moves(&mut self, root: &G, who: Player, limits: &Limits) -> (Vec<MoveBody>, Vec<Vec<u8>>) {
        let (mut moves, mut blobs) = (Vec::new(), Vec::new());
        for child in self.prover.children(root, who) {
            let mut body =
                MoveBody { mv: root.move_text(child.mv), numbers: pair(child.numbers), proof: None };
            let mut after = root.clone();
            let is_over = after.play(child.mv).is_err() || after.outcome().is_some();
            // The tree evaluates a position itself; what the search has decided it believes by a proof alone.
            let decided = child.numbers.decided().filter(|_| !is_over && child.nodes > 0);
            let decided = decided.filter(|_| blobs.len() < MAX_BLOBS);
            if let Some(proof) = decided.and_then(|yes| self.proof(&after, who, yes, limits)) {
                body.proof = Some(Digest::of(&proof));
                blobs.push(proof);
            }
            moves.push(body);
        }
        (moves, blobs)
    }
}

impl<G: Finite + Textual, P: Prover<G>> FarmWork for ProofWork<G, P> {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        if (job.kind(), job.version()) != (KIND, VERSION) {
            let (kind, version) = (job.kind(), job.version());
            return Worked::Unable(format!("this program knows {KIND} {VERSION}, not {kind} {version}"));
        }
        let body: JobBody = match serde_json::from_slice(job.body()) {
            Ok(body) => body,
            Err(error) => return Worked::Unable(error.to_string()),
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
        let report =
            self.prover.search(&root, &limits.clone().nodes(body.nodes), SearchContext::seed(body.tree));
        if seat.is_over() {
            return Worked::Left;
        }
        let Some(numbers) = report.proof_numbers else {
            return Worked::Failed("a search without numbers".to_owned());
        };
        let limits = limits.nodes(PROOF_NODES);
        let shown = numbers.decided().and_then(|yes| Some((yes, self.proof(&root, who, yes, &limits)?)));
        let (answer, blobs) = if let Some((yes, proof)) = shown {
            (AnswerBody::Shown { yes, proof: Digest::of(&proof) }, vec![proof])
        } else {
            let (moves, blobs) = self.moves(&root, who, &limits);
            (AnswerBody::Open { numbers: pair(numbers), moves }, blobs)
        };
        if seat.is_over() {
            return Worked::Left;
        }
        Worked::Done { answer: encode(&answer), blobs, nodes: report.nodes }
    }
}
