//! [`KnownProofs`]: proofs that the workers have before their first job.

use std::collections::VecDeque;
use std::fmt;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use stonework_files::Disk;
use stonework_game::{Finite, Textual};
use stonework_search::{Limits, Prover};

/// The result of reading [`KnownProofs`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Learned {
    /// The number of proofs that hold.
    pub proofs: usize,
    /// The positions of these proofs, each counted once for each proof that has it.
    pub positions: u64,
    /// The files that were left out, each with the reason.
    pub refused: Vec<(PathBuf, String)>,
}

/// Proof files from elsewhere, such as those that another campaign has decided. The first job of a worker reads them: each is
/// verified by the rules, and its positions of the size of that job enter the table. While the table has such a position, a job
/// about it takes no search, and its answer has a proof, which the coordinator verifies like any other. A file that cannot be
/// read, or that does not hold, is left out. The time is that of [`verify`](stonework_proof::verify()) for all files. A worker
/// that leaves its job meanwhile leaves the files, too, and its next job goes on with the first one that is not read to its end.
///
/// Clones share the files, which are read once: the workers of one table get clones of one value.
#[derive(Clone)]
pub struct KnownProofs {
    disk: Arc<dyn Disk>,
    files: Arc<Mutex<Files>>,
    told: Arc<dyn Fn(Learned) + Send + Sync>,
}

/// The files that are not read yet, and the result of the others.
#[derive(Debug)]
struct Files {
    left: VecDeque<PathBuf>,
    learned: Learned,
}

impl KnownProofs {
    /// Proof files, to be read in this order.
    ///
    /// # Arguments
    /// * `told` – hears the result, once, in the thread of a worker; never if there are no files.
    #[must_use]
    pub fn new(
        disk: Arc<dyn Disk>,
        files: Vec<PathBuf>,
        told: impl Fn(Learned) + Send + Sync + 'static,
    ) -> Self {
        let files = Files { left: files.into(), learned: Learned::default() };
        Self { disk, files: Arc::new(Mutex::new(files)), told: Arc::new(told) }
    }

    /// Reads the files into the table of a prover, unless a clone has done it; waits for a clone that is at it. Returns `false`
    /// if the limits have cancelled it before the end.
    pub(super) fn teach<G: Finite + Textual, P: Prover<G>>(
        &self,
        prover: &mut P,
        like: &G,
        limits: &Limits,
    ) -> bool {
        let is_cancelled = || limits.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(path) = files.left.front() {
            if is_cancelled() {
                return false;
            }
            let proof = self.disk.open(path).map_err(|error| error.to_string()).and_then(|file| {
                prover.learn(like, limits, &mut BufReader::new(file)).map_err(|refused| refused.to_string())
            });
            if proof.is_err() && is_cancelled() {
                return false;
            }
            let Some(path) = files.left.pop_front() else { break };
            match proof {
                Ok(verified) => {
                    files.learned.proofs += 1;
                    files.learned.positions += verified.positions;
                }
                Err(why) => files.learned.refused.push((path, why)),
            }
            if files.left.is_empty() {
                (self.told)(std::mem::take(&mut files.learned));
            }
        }
        true
    }
}

impl fmt::Debug for KnownProofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownProofs").field("files", &self.files).finish_non_exhaustive()
    }
}
