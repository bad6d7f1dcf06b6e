//! The result of a campaign as a proof set.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use stonework_farm::{CoordinateError, Coordinator, Digest};
use stonework_files::{Disk, replace};
use stonework_game::{Finite, Indexed, Keyed, Textual};
use stonework_proof::set::{ProofSet, SetFile};
use stonework_proof::{ImmediateRules, KnownClaims, ProofError};
use stonework_search::{Limits, ProofTactics, Prover, ProverError, TopError};

use super::ProofPlan;

/// The reason why the result of a campaign cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetWriteError {
    /// There is no answer yet, or the tree and its reports do not fit together.
    #[error(transparent)]
    Top(#[from] TopError),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] CoordinateError),
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the disk.
        error: io::Error,
    },
    /// A proof of the journal is damaged.
    #[error("proof {digest}: {error}")]
    Proof {
        /// The digest of the proof.
        digest: Digest,
        /// The fault.
        error: ProofError,
    },
    /// The journal lacks a proof that the answer needs.
    #[error("the journal lacks the proof {digest}, which the answer needs")]
    Missing {
        /// The digest of the proof.
        digest: Digest,
    },
    /// A position that only the tactics have decided cannot be proved.
    #[error("the position {position} cannot be proved: {error}")]
    Gap {
        /// The position as text.
        position: String,
        /// The reason.
        error: ProverError,
    },
}

impl<G: Finite + Keyed + Textual + Indexed, T: ProofTactics<G> + Clone> ProofPlan<G, T> {
    /// Writes the proof of the last answer as a proof set into a directory: the files of the jobs that the answer needs,
    /// from the coordinator's journal, the top above them, and the list.
    ///
    /// # Arguments
    /// * `prover` – proves positions that only the tactics have decided, if there are any; of the game by its rules.
    ///
    /// # Errors
    /// See [`SetWriteError`].
    pub fn write_set<R: ImmediateRules<G>, H: Finite + Textual, P: Prover<H>>(
        &mut self,
        rules: &R,
        prover: &mut P,
        coordinator: &Coordinator,
        disk: &dyn Disk,
        directory: &Path,
    ) -> Result<ProofSet, SetWriteError> {
        let (top, leaves) = self.top(rules)?;
        let failed = |path: &Path, error| SetWriteError::Io { path: path.to_owned(), error };
        disk.make_directory(directory).map_err(|error| failed(directory, error))?;
        let mut set = ProofSet::new(self.game(), self.root(), top.claim);
        let mut known = KnownClaims::default();
        let mut add = |name: &str, content: &[u8], set: &mut ProofSet| -> Result<(), SetWriteError> {
            let refused = |error| SetWriteError::Proof { digest: Digest::of(content), error };
            let file = SetFile::of_bytes(name, content).map_err(refused)?;
            for (root, claim) in &file.claims {
                // A text that the game cannot read stays unknown, and the top goes on below it.
                if let Ok(position) = G::parse_position(root) {
                    known.add(&position, rules, *claim, 0);
                }
            }
            let path = directory.join(name);
            replace(disk, &path, |out| out.write_all(content)).map_err(|error| failed(&path, error))?;
            set.files.push(file);
            Ok(())
        };
        let mut wanted: HashSet<Digest> = leaves.into_iter().flatten().collect();
        let mut written = Ok(());
        coordinator.read(&mut |_| {}, &mut |decision| {
            for (digest, content) in &decision.inline {
                if written.is_ok() && wanted.remove(digest) {
                    written = add(&format!("{digest}.proof"), content, &mut set);
                }
            }
        })?;
        written?;
        if let Some(&digest) = wanted.iter().next() {
            return Err(SetWriteError::Missing { digest });
        }
        for gap in &top.gaps {
            let (position, mut content) = (gap.position_text(), Vec::new());
            let of_rules = H::parse_position(&position).ok();
            let proved = of_rules.map(|root| prover.prove(&root, top.claim, &Limits::none(), &mut content));
            if let Some(Err(error)) = proved {
                return Err(SetWriteError::Gap { position, error });
            }
            add(&format!("{}.proof", Digest::of(&content)), &content, &mut set)?;
        }
        let mut content = Vec::new();
        let path = directory.join("top.proof");
        let game = set.game.clone();
        top.proof.write_top(&game, rules, &known, &mut content).map_err(|error| failed(&path, error))?;
        replace(disk, &path, |out| out.write_all(&content)).map_err(|error| failed(&path, error))?;
        let refused = |error| SetWriteError::Proof { digest: Digest::of(&content), error };
        set.files.push(SetFile::of_bytes("top.proof", &content).map_err(refused)?);
        let path = directory.join(ProofSet::NAME);
        replace(disk, &path, |out| set.write(out).map(|_| ())).map_err(|error| failed(&path, error))?;
        Ok(set)
    }
}

/// The proofs of jobs by their names in the tree, each with the key of its position.
pub(super) type ProofsOfJobs = HashMap<u64, Vec<(u64, Digest)>>;
