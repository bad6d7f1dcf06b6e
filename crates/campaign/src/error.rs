//! [`CampaignError`].

use std::io;
use std::path::{Path, PathBuf};

use stonework_proof::{JoinError, ProofError};
use stonework_search::{LoadError, ProverError};

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
    /// Another process works at a campaign with the same proof.
    #[error("{}: {by} is at work on it and holds {}: wait until it ends, or stop it", path.display(), lock.display())]
    Held {
        /// The proof.
        path: PathBuf,
        /// The process, such as `process 17`.
        by: String,
        /// The file whose lock the process holds.
        lock: PathBuf,
    },
    /// A directory has parts that the campaign does not use: parts of a campaign by another plan, or proofs of single
    /// replies, which earlier versions made.
    #[error(
        "{}: parts of another campaign, or of `--split` in an earlier version: remove the directory, or choose another file for the proof",
        path.display()
    )]
    UnusedParts {
        /// The directory.
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
