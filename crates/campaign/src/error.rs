//! [`CampaignError`].

use std::io;
use std::path::{Path, PathBuf};

use stonework_proof::{JoinError, ProofError};
use stonework_search::{LoadError, ProverError};

use crate::{Holder, LeaseError};

/// The reason why a campaign cannot continue. A reached limit is no error:
/// [`Results::stopped`](crate::Results::stopped) has the limit.
///
/// An error does not change the files of the campaign. A file that the error names stays, so that its owner can
/// inspect it.
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
    /// The pool of leases does not answer.
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
    /// The game at the root is over, so that the root has no moves to make jobs of.
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
    /// The proof that another worker has made from the parts does not hold.
    #[error("{}: {refused}", path.display())]
    Proof {
        /// The proof.
        path: PathBuf,
        /// The reason.
        refused: ProofError,
    },
    /// A file at the path of the proof is about other positions.
    #[error("{}: it was written by something else meanwhile", path.display())]
    ForeignProof {
        /// The file.
        path: PathBuf,
    },
    /// The solver has found a value but no proof of this value, or cannot write the proof.
    #[error("{}: {error}", path.display())]
    Prove {
        /// The file for the proof.
        path: PathBuf,
        /// The reason.
        error: ProverError,
    },
    /// The proofs of the jobs cannot be joined.
    #[error("{}: {error}", path.display())]
    Join {
        /// The file for the proof.
        path: PathBuf,
        /// The reason.
        error: JoinError,
    },
}

/// A function that returns [`CampaignError::File`] for a path.
pub(crate) fn file_error(path: &Path) -> impl Fn(io::Error) -> CampaignError + '_ {
    move |error| CampaignError::File { path: path.to_owned(), error }
}
