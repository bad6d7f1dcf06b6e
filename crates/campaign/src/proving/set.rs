//! The result of a campaign as a proof set.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use stonework_farm::{CoordinateError, Coordinator, Digest};
use stonework_files::{Disk, replace};
use stonework_game::{Finite, Indexed, Keyed, Textual};
use stonework_proof::set::{ProofSet, SetFile};
use stonework_proof::{ImmediateRules, JoinError, KnownClaims, ProofError, ProofReader, join};
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
    /// Writes the proof of the last answer as a proof set into a directory: files of the proofs of jobs that the answer
    /// needs, from the coordinator's journal, up to 128 proofs to a file; the top above them; and the list. A later call
    /// with the same answer writes the same files.
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
        let mut bundle = Bundle { disk, directory, set: &mut set, proofs: Vec::new(), bytes: 0 };
        let mut wanted: HashSet<Digest> = leaves.into_iter().flatten().collect();
        let mut written = Ok(());
        coordinator.read(&mut |_| {}, &mut |decision| {
            for (digest, content) in &decision.inline {
                if written.is_ok() && wanted.remove(digest) {
                    written = bundle.add(*digest, content.clone());
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
            bundle.add(Digest::of(&content), content)?;
        }
        bundle.write()?;
        let mut known = KnownClaims::default();
        for (root, claim) in set.files.iter().flat_map(|file| &file.claims) {
            // A text that the game cannot read stays unknown, and the top goes on below it.
            if let Ok(position) = G::parse_position(root) {
                known.add(&position, rules, *claim, 0);
            }
        }
        let mut content = Vec::new();
        let path = directory.join("top.proof");
        top.proof.write_top(&set.game, rules, &known, &mut content).map_err(|error| failed(&path, error))?;
        replace(disk, &path, |out| out.write_all(&content)).map_err(|error| failed(&path, error))?;
        let refused = |error| SetWriteError::Proof { digest: Digest::of(&content), error };
        set.files.push(SetFile::of_bytes("top.proof", &content).map_err(refused)?);
        let path = directory.join(ProofSet::NAME);
        replace(disk, &path, |out| set.write(out).map(|_| ())).map_err(|error| failed(&path, error))?;
        Ok(set)
    }
}

/// The proofs of the next file of a set. A file of its own for each proof would cost more time and room than the proofs.
struct Bundle<'a> {
    disk: &'a dyn Disk,
    directory: &'a Path,
    set: &'a mut ProofSet,
    proofs: Vec<(Digest, Vec<u8>)>,
    /// The bytes of the proofs.
    bytes: usize,
}

impl Bundle<'_> {
    /// The greatest number of proofs of a file.
    const PROOFS: usize = 128;
    /// The number of bytes from which a file gets no further proof.
    const BYTES: usize = 1 << 20;

    /// Adds a proof, and writes the file once it is full.
    fn add(&mut self, digest: Digest, content: Vec<u8>) -> Result<(), SetWriteError> {
        self.bytes += content.len();
        self.proofs.push((digest, content));
        let full = self.proofs.len() >= Self::PROOFS || self.bytes >= Self::BYTES;
        if full { self.write() } else { Ok(()) }
    }

    /// Writes the proofs that were added, if there are any, as one file.
    fn write(&mut self) -> Result<(), SetWriteError> {
        let proofs = std::mem::take(&mut self.proofs);
        self.bytes = 0;
        let mut readers = Vec::new();
        for (digest, content) in &proofs {
            let refused = |error| SetWriteError::Proof { digest: *digest, error };
            readers.push(ProofReader::new(&content[..]).map_err(refused)?);
        }
        if readers.is_empty() {
            return Ok(());
        }
        let mut content = Vec::new();
        join(readers, &mut content).map_err(|error| match error {
            JoinError::Refused { proof, refused } => SetWriteError::Proof {
                digest: proofs.get(proof).map_or_else(|| Digest::of(&[]), |(digest, _)| *digest),
                error: refused,
            },
            JoinError::Output(error) => SetWriteError::Io { path: self.directory.to_owned(), error },
            _ => SetWriteError::Io { path: self.directory.to_owned(), error: io::Error::other(error) },
        })?;
        let digest = Digest::of(&content);
        let name = format!("{digest}.proof");
        let path = self.directory.join(&name);
        let written = replace(self.disk, &path, |out| out.write_all(&content));
        written.map_err(|error| SetWriteError::Io { path, error })?;
        let refused = |error| SetWriteError::Proof { digest, error };
        self.set.files.push(SetFile::of_bytes(&name, &content).map_err(refused)?);
        Ok(())
    }
}

/// The proofs of jobs by their names in the tree, each with the key of its position.
pub(super) type ProofsOfJobs = HashMap<u64, Vec<(u64, Digest)>>;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use stonework_files::System;
    use stonework_game::Player;
    use stonework_game::example::Nim;
    use stonework_proof::{Claim, Proof, ProofAction, Strategy, VerifyLimits, verify};

    use super::*;

    /// The proof that the side to move wins with one stone.
    fn proof() -> (Digest, Vec<u8>) {
        let (root, claim, mut file) = (Nim::new(1), Claim::Wins(Player::First), Vec::new());
        let mut strategy = Strategy::new();
        strategy.insert(root.key(), ProofAction::Move(1));
        let written = Proof::new(root, claim, vec![strategy]).write("nim", &(), &mut file);
        written.map(|_| (Digest::of(&file), file)).unwrap()
    }

    #[test]
    fn a_file_has_128_proofs_or_a_mebibyte() {
        let folder = std::env::temp_dir().join(format!("stonework-bundle-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut set = ProofSet::new("nim", &Nim::new(1), Claim::Wins(Player::First));
        let mut bundle =
            Bundle { disk: &System, directory: &folder, set: &mut set, proofs: Vec::new(), bytes: 0 };
        for _ in 0..300 {
            let (digest, content) = proof();
            bundle.add(digest, content).unwrap();
        }
        bundle.write().unwrap();
        let (digest, content) = proof();
        bundle.bytes = Bundle::BYTES - content.len();
        bundle.add(digest, content).unwrap();
        bundle.write().unwrap();
        let claims: Vec<usize> = set.files.iter().map(|file| file.claims.len()).collect();
        assert_eq!(claims, [128, 128, 44, 1]);
        let mut read = BTreeMap::new();
        for file in &set.files {
            let content = std::fs::read(folder.join(&file.name)).unwrap();
            let verified = verify::<Nim, _>("nim", &(), &content[..], &VerifyLimits::default()).unwrap();
            assert_eq!(verified.claims.len(), file.claims.len());
            read.insert(file.name.clone(), content);
        }
        // The first two files have the same proofs, and so the same name.
        assert_eq!(read.len(), 3);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_damaged_proof_is_named() {
        let mut set = ProofSet::new("nim", &Nim::new(1), Claim::Wins(Player::First));
        let mut bundle =
            Bundle { disk: &System, directory: Path::new("."), set: &mut set, proofs: Vec::new(), bytes: 0 };
        let (digest, content) = proof();
        bundle.add(digest, content.clone()).unwrap();
        let cut = content.get(..content.len() - 1).unwrap().to_vec();
        let named = Digest::of(&cut);
        bundle.add(named, cut).unwrap();
        let error = bundle.write().unwrap_err();
        assert!(matches!(error, SetWriteError::Proof { digest, .. } if digest == named), "{error}");
    }
}
