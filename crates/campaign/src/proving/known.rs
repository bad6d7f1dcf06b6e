//! [`KnownProofs`]: proofs that the workers have before their first job.

use std::fmt;
use std::io::BufReader;
use std::path::PathBuf;
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
/// read, or that does not hold, is left out. The time is that of [`verify`](stonework_proof::verify()) for all files.
///
/// Clones share the files, which are read once: the workers of one table get clones of one value.
#[derive(Clone)]
pub struct KnownProofs {
    disk: Arc<dyn Disk>,
    files: Arc<Mutex<Vec<PathBuf>>>,
    told: Arc<dyn Fn(Learned) + Send + Sync>,
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
        Self { disk, files: Arc::new(Mutex::new(files)), told: Arc::new(told) }
    }

    /// Reads the files into the table of a prover, unless a clone has done it; waits for a clone that is at it.
    pub(super) fn teach<G: Finite + Textual, P: Prover<G>>(&self, prover: &mut P, like: &G, limits: &Limits) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if files.is_empty() {
            return;
        }
        let mut learned = Learned::default();
        for path in std::mem::take(&mut *files) {
            let proof = self.disk.open(&path).map_err(|error| error.to_string()).and_then(|file| {
                prover.learn(like, limits, &mut BufReader::new(file)).map_err(|refused| refused.to_string())
            });
            match proof {
                Ok(verified) => {
                    learned.proofs += 1;
                    learned.positions += verified.positions;
                }
                Err(why) => learned.refused.push((path, why)),
            }
        }
        (self.told)(learned);
    }
}

impl fmt::Debug for KnownProofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownProofs").field("files", &self.files).finish_non_exhaustive()
    }
}
