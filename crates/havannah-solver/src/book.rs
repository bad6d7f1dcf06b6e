//! [`HavannahBook`]: proofs about Havannah in memory, from one file or from a set of files.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use stonework_proof::set::{ProofSet, SetError, SetFolder};
use stonework_proof::{ProofBook, ProofError, VerifyLimits};

use crate::solve::GAME;
use crate::{HavannahRules, SmallPosition};

/// Verified proofs about boards to size 6, in which positions are looked up.
pub type HavannahBook = ProofBook<SmallPosition<u128>, HavannahRules>;

/// Reads and verifies a file of proofs about Havannah, and keeps its positions in at most `bytes` bytes: 16 for each position, and
/// two for each move of its action. See [`ProofBook::read`].
///
/// # Errors
/// An error for a file that proves nothing, is about another game or a larger board, or needs more than `bytes`.
pub fn read_book(input: impl Read, bytes: usize) -> Result<HavannahBook, ProofError> {
    ProofBook::read(GAME, HavannahRules, input, &VerifyLimits::default(), bytes)
}

/// The reason why there is no book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file or the list of the set cannot be opened.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file of proofs is refused.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The set of proofs is refused.
    #[error(transparent)]
    Set(#[from] SetError),
}

/// Reads and verifies the proofs at a path as [`read_book`] does: a file of proofs, or the directory of a
/// [proof set](stonework_proof::set).
///
/// # Errors
/// The errors of [`read_book`] and [`ProofBook::read_set`], and the error of the file system.
pub fn open_book(path: &Path, bytes: usize) -> Result<HavannahBook, BookError> {
    if path.is_dir() {
        let set = ProofSet::read(File::open(path.join(ProofSet::NAME))?)?;
        let folder = SetFolder(path.to_owned());
        return Ok(ProofBook::read_set(GAME, HavannahRules, &set, &folder, &VerifyLimits::default(), bytes)?);
    }
    Ok(read_book(BufReader::with_capacity(1 << 16, File::open(path)?), bytes)?)
}
