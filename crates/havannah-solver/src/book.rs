//! [`HavannahBook`]: a file of proofs about Havannah in memory.

use std::io::Read;

use stonework_proof::{ProofBook, ProofError, VerifyLimits};

use crate::{HavannahRules, SmallPosition};

/// A verified file of proofs about boards to size 6, in which positions are looked up.
pub type HavannahBook = ProofBook<SmallPosition<u128>, HavannahRules>;

/// Reads and verifies a file of proofs about Havannah, and keeps its positions in at most `bytes` bytes: 16 for each position, and
/// two for each move of its action. See [`ProofBook::read`].
///
/// # Errors
/// An error for a file that proves nothing, is about another game or a larger board, or needs more than `bytes`.
pub fn read_book(input: impl Read, bytes: usize) -> Result<HavannahBook, ProofError> {
    ProofBook::read("havannah", HavannahRules, input, &VerifyLimits::default(), bytes)
}
