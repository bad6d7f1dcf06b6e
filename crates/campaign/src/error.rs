//! [`CampaignError`].

use std::io;
use std::path::{Path, PathBuf};

use stonework_proof::{JoinError, ProofError};
use stonework_search::{LoadError, ProverError};

use crate::{Holder, LeaseError};

/// Why a campaign cannot go on. A limit that is reached is no error: [`Results::stopped`](crate::Results::stopped) says so.
///
/// After an error the files of the campaign are as they were. A file that is named stays for its owner to look at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CampaignError {
    /// A file or a directory cannot be read, written or removed.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason of the system.
        error: io::Error,
    },
    /// The name of the proof leads to a directory, a pipe or a device.
    #[error("{}: there is something that is no file", path.display())]
    NoFile {
        /// The name.
        path: PathBuf,
    },
    /// The leases cannot be asked.
    #[error(transparent)]
    Lease(#[from] LeaseError),
    /// The campaign is one job, and another worker has it.
    #[error("{}: {} is at work on it and holds {}: wait until it ends, or stop it", path.display(), holder.worker, holder.lease)]
    Held {
        /// The proof.
        path: PathBuf,
        /// The worker that has the job.
        holder: Holder,
    },
    /// The campaign is one job, and its lease was lost during the search: the term of the lease was over, and another worker may have the job.
    #[error("{}: the lease was lost during the search; the same campaign goes on from its checkpoint", path.display())]
    LeaseLost {
        /// The proof.
        path: PathBuf,
    },
    /// The position at the root is over, so that it has no moves to make jobs of.
    #[error("the game is over: there are no moves to make jobs of")]
    NoMoves,
    /// A checkpoint is damaged or of another position.
    #[error("{}: {error}; remove it, and the search begins anew", path.display())]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// The reason.
        error: LoadError,
    },
    /// The proof of a job does not hold.
    #[error("{}: {refused}; remove it, and it will be proved again", path.display())]
    Part {
        /// The proof of the job.
        path: PathBuf,
        /// The reason.
        refused: ProofError,
    },
    /// The proof of a job is about another position or has another form.
    #[error("{}: a proof of something else; remove it, and what it should show will be proved", path.display())]
    ForeignPart {
        /// The proof of the job.
        path: PathBuf,
    },
    /// The proof that another worker has put together does not hold.
    #[error("{}: {refused}", path.display())]
    Proof {
        /// The proof.
        path: PathBuf,
        /// The reason.
        refused: ProofError,
    },
    /// The file that appeared where the proof should be is about other positions.
    #[error("{}: it was written by something else meanwhile", path.display())]
    ForeignProof {
        /// The file.
        path: PathBuf,
    },
    /// The solver has found no proof of a value that it has found, or cannot write it.
    #[error("{}: {error}", path.display())]
    Prove {
        /// The file for the proof.
        path: PathBuf,
        /// The reason.
        error: ProverError,
    },
    /// The proofs of the jobs cannot be put together.
    #[error("{}: {error}", path.display())]
    Join {
        /// The file for the proof.
        path: PathBuf,
        /// The reason.
        error: JoinError,
    },
}

/// [`CampaignError::File`] for a path.
pub(crate) fn file_error(path: &Path) -> impl Fn(io::Error) -> CampaignError + '_ {
    move |error| CampaignError::File { path: path.to_owned(), error }
}
