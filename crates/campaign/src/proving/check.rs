//! [`ProofCheck`]: answers checked by the rules.

use std::marker::PhantomData;

use stonework_farm::{Check, Digest, FarmJob};
use stonework_game::{Finite, Textual};
use stonework_proof::{Claim, VerifyLimits};
use stonework_search::Prover;

use super::body::{AnswerBody, JobBody, claim, encode};
use super::work::PROOF_NODES;

/// The largest number of positions of a proof: twice those of the largest that a worker makes. A file of the size of a blob could
/// have so many that the coordinator were away for hours.
const MOST_POSITIONS: u64 = 2 * PROOF_NODES;

/// The check of answers: each proof is verified by the rules, and its position and claim are compared. A proof of more than two
/// million positions is refused; [`ProofWork`](super::ProofWork) makes none. `G` is the game by its rules.
#[derive(Debug)]
pub struct ProofCheck<G, P> {
    game: String,
    prover: P,
    limits: VerifyLimits,
    rules: PhantomData<fn() -> G>,
}

impl<G: Finite + Textual, P: Prover<G>> ProofCheck<G, P> {
    /// A check of proofs about a game. Only [`verify`](Prover::verify) of the prover is used.
    #[must_use]
    pub fn new(game: impl Into<String>, prover: P) -> Self {
        let limits = VerifyLimits { positions: MOST_POSITIONS, ..VerifyLimits::default() };
        Self { game: game.into(), prover, limits, rules: PhantomData }
    }

    /// Verifies the proof with a digest as a proof of a claim about a position.
    fn proof(
        &self,
        digest: &Digest,
        proofs: &mut [ProofOfReport<'_, G>],
        root: &G,
        claimed: Claim,
    ) -> Result<(), String> {
        let proof = proofs.iter_mut().find(|proof| proof.digest == *digest);
        let proof = proof.ok_or_else(|| format!("the proof {digest} is no blob of the report"))?;
        let verified = proof.verified.get_or_insert_with(|| {
            let verified = self.prover.verify(&self.limits, &mut &*proof.bytes);
            verified.map(|verified| verified.claims).map_err(|refused| refused.to_string())
        });
        let shows = |(position, claim): &(G, Claim)| position == root && claim.shows(claimed);
        if verified.as_ref().map_err(Clone::clone)?.iter().any(shows) {
            return Ok(());
        }
        Err(format!("the proof {digest} does not show that {claimed} in {}", root.position_text()))
    }
}

/// A blob of a report as a proof. It is verified once, however often the answer names it.
struct ProofOfReport<'a, G> {
    digest: Digest,
    bytes: &'a [u8],
    /// The claims that hold, or the reason why the proof is refused; `None` before the answer names the proof.
    verified: Option<Result<Vec<(G, Claim)>, String>>,
}

impl<G: Finite + Textual, P: Prover<G>> Check for ProofCheck<G, P> {
    fn check(&self, job: &FarmJob, answer: &[u8], blobs: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let body: JobBody = serde_json::from_slice(job.body()).map_err(|error| error.to_string())?;
        let who = body.player().ok_or("a job without a side")?;
        if body.game != self.game {
            return Err(format!("a job about {}, not {}", body.game, self.game));
        }
        let root = G::parse_position(&body.position).map_err(|error| error.to_string())?;
        let answer: AnswerBody = serde_json::from_slice(answer).map_err(|error| error.to_string())?;
        let proof_of = |bytes| ProofOfReport { digest: Digest::of(bytes), bytes, verified: None };
        let mut proofs: Vec<_> = blobs.iter().map(|bytes| proof_of(&bytes[..])).collect();
        match &answer {
            AnswerBody::Shown { yes, proof, .. } => {
                self.proof(proof, &mut proofs, &root, claim(who, *yes))?;
            }
            AnswerBody::Open { moves, .. } => {
                for of_move in moves {
                    let Some(proof) = &of_move.proof else { continue };
                    let mv = root.parse_move(&of_move.mv).map_err(|error| error.to_string())?;
                    let mut after = root.clone();
                    after.play(mv).map_err(|error| format!("{}: {error}", of_move.mv))?;
                    let yes = match of_move.numbers {
                        (0, _) => true,
                        (_, 0) => false,
                        _ => return Err(format!("{}: a proof, and numbers that are open", of_move.mv)),
                    };
                    self.proof(proof, &mut proofs, &after, claim(who, yes))?;
                }
            }
        }
        Ok(encode(&answer))
    }
}

#[cfg(test)]
mod tests {
    use stonework_game::{Player, example::Nim};
    use stonework_proof::Verified;
    use stonework_search::{Dfpn, DfpnProver, Limits};

    use super::*;

    /// The number of positions had the limit of a whole proof, 2³⁶: a lie of one worker could take hours.
    #[test]
    fn a_proof_of_more_positions_than_a_worker_makes_is_refused() {
        let (root, claimed, mut bytes) = (Nim::new(30), Claim::Wins(Player::Second), Vec::new());
        let mut prover = DfpnProver::new("nim", (), Dfpn::default());
        prover.prove(&root, claimed, &Limits::none(), &mut bytes).expect("it is lost");
        let whole: Verified<Nim> =
            prover.verify(&VerifyLimits::default(), &mut &bytes[..]).expect("it holds");
        let most = whole.positions - 1;
        let mut check = ProofCheck::new("nim", prover);
        assert_eq!(check.limits.positions, 1 << 21);
        let digest = Digest::of(&bytes);
        let checked = |check: &ProofCheck<Nim, _>| {
            let mut proofs = [ProofOfReport { digest, bytes: &bytes, verified: None }];
            check.proof(&digest, &mut proofs, &root, claimed)
        };
        assert_eq!(checked(&check), Ok(()));
        check.limits.positions = most;
        let refused = checked(&check).expect_err("the limit is one less");
        assert!(refused.starts_with(&format!("more than {most} positions")), "{refused}");
    }
}
