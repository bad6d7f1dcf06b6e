//! [`ProofError`] and [`ProofFault`]: the reasons to refuse a file of proofs.

use stonework_files::{BlockError, BlockFault};
use stonework_game::{Outcome, ParseError, text::head};

use super::UnknownClaim;

/// The greatest number of claims of a file.
pub(crate) const CLAIMS: usize = 4096;

/// The reason why a file of proofs is refused, and the place.
#[derive(Debug, thiserror::Error)]
#[error("{fault} (byte {byte}, record {record})")]
#[non_exhaustive]
pub struct ProofError {
    /// The byte of the file, from 0, at which the faulty line or block begins.
    pub byte: u64,
    /// The number of records before the fault, all of which are right.
    pub record: u64,
    /// The reason.
    #[source]
    pub fault: ProofFault,
}

/// An error before the first record.
impl From<BlockError> for ProofError {
    fn from(error: BlockError) -> Self {
        Self { byte: error.byte, record: 0, fault: error.fault.into() }
    }
}

/// A reason to refuse a file of proofs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofFault {
    /// The file is damaged, or not a file of blocks.
    #[error(transparent)]
    File(#[from] BlockFault),
    /// The file has an impossible number of claims.
    #[error("`{0}` claims: 1 to {CLAIMS}, in digits alone and without zeros before them")]
    Claims(String),
    /// The text of a claim is not a valid claim.
    #[error(transparent)]
    Claim(#[from] UnknownClaim),
    /// The file is about another game.
    #[error("a proof about `{}`, not about `{}`", head(found), head(expected))]
    Game {
        /// The game of the file.
        found: String,
        /// The game that the caller named.
        expected: String,
    },
    /// A root is not a position of the game.
    #[error("the root is no position: {0}")]
    Root(#[source] ParseError),
    /// A root is not written as the game writes it.
    #[error("the root is another spelling of a position: from byte {at} on `{found}`, not `{expected}`")]
    Spelling {
        /// The first byte of the root that differs.
        at: usize,
        /// The text of the file from that byte on, at most 40 characters.
        found: String,
        /// The text of the game from that byte on, at most 40 characters.
        expected: String,
    },
    /// A number continues behind the end of its block.
    #[error("a number that goes on behind the end of its block")]
    CutNumber,
    /// A number is not written in as few bytes as possible, or has more than 64 bits.
    #[error(
        "the number at byte {at} of a block's records is written as {bytes:02x?}: one of at most 64 bits, in as few bytes as it needs"
    )]
    Number {
        /// The first byte of the number among the unpacked bytes of the block, from 0.
        at: usize,
        /// The bytes of the number, up to the faulty byte.
        bytes: Vec<u8>,
    },
    /// The records end before the strategies are complete.
    #[error("the records are cut off: the strategies need more")]
    Missing,
    /// The file has more records than the strategies need.
    #[error("more than the proof needs")]
    Trailing,
    /// The counts at the end of the file differ from the counts of the records.
    #[error("{found} records with {shared} shared ones were counted when this was written")]
    Count {
        /// The number of records, from the end of the file.
        found: u64,
        /// The number of shared positions, from the end of the file.
        shared: u64,
    },
    /// A record names a move that does not exist.
    #[error("move number {index} of a position with {moves}")]
    Move {
        /// The number of the move, from 0.
        index: u64,
        /// The number of moves.
        moves: usize,
    },
    /// A record chooses a move at a position at which all moves are to be played.
    #[error("record {0} where all moves are to be played")]
    Record(u64),
    /// A line of moves does not win by force.
    #[error("a line of {0} moves that does not win by force")]
    Line(usize),
    /// A line has more moves than any game.
    #[error("a line of {0} moves: longer than any game")]
    LongLine(u64),
    /// A record states that a player can no longer win, and the rules do not show this fact.
    #[error("it is not certain that this side never wins")]
    Never,
    /// The opponent of the strategy's side wins at once.
    #[error("a line that refutes the claim: the other side wins at once")]
    Lost,
    /// A game ends with an outcome that contradicts the claim.
    #[error("a line that refutes the claim: its outcome is {0:?}")]
    Refuted(Outcome),
    /// A record refers to a shared position that was not verified before.
    #[error("shared position {index} of {shown} shown so far")]
    Unknown {
        /// The number of the position, from 0.
        index: u64,
        /// The number of shared positions so far.
        shown: u64,
    },
    /// A record refers to a shared position that is not the current position.
    #[error("shared position {index} is another one")]
    Other {
        /// The number of the position, from 0.
        index: u64,
    },
    /// A position is not over and has no moves: the rules of the game contradict themselves.
    #[error("a position without moves that is not over")]
    Stuck,
    /// A shared position has no canonical bytes.
    #[error("a shared position that has no text")]
    Text,
    /// The proof is larger than one of the [`VerifyLimits`](super::VerifyLimits), or than a visitor allows.
    #[error("more than {limit} {what}")]
    TooLarge {
        /// The limit.
        limit: u64,
        /// The noun of the limit, such as positions.
        what: &'static str,
    },
}
