//! The trusted part: the code that a sceptic has to read to believe a verified claim.
//!
//! | file | content |
//! |---|---|
//! | `claim.rs` | [`Claim`] and [`Goal`]: the meaning of a claim |
//! | `rules.rs` | [`ImmediateRules`]: facts that the verifier takes from the game |
//! | `strategy.rs` | the proof: one strategy is played against all answers of the opponent |
//! | `verify.rs` | [`verify()`]: the strategies of all claims; a claim is returned if all of its strategies hold |
//! | `known.rs` | [`KnownClaims`]: positions at which the strategies of a [`verify_top`] end |
//! | `read.rs` | [`ProofReader`]: the header of a file, and its records number by number |
//! | `fault.rs`, `visitor.rs` | the reasons to refuse a file; an interface for onlookers |
//!
//! These files use no other code of this crate, and of other crates only [`stonework_game`] and the reader of blocks in
//! [`stonework_files`]. A test checks these facts, and counts the lines.
//!
//! # The argument
//! The records of a file only choose between the moves of the strategy's side. For any numbers of the reader, each of
//! these facts holds after each record:
//!
//! * At a position of the strategy's side, one legal move is played, or an immediate win or a line of threats decides.
//! * At a position of the opponent, every legal move is played, but for moves after which an immediate win or a line of
//!   threats decides.
//! * A position is left after all of its moves have been played. Every game ends ([`Finite`](stonework_game::Finite)),
//!   so an induction over the positions that were left shows that the goal is reached from each of them. A reference
//!   leads to a position that was left.
//!
//! So a mistake in the reading of blocks, in the program that made the proof, or in the file itself can lead to a
//! refusal, but not to a false claim. [`verify()`] returns the proven claims, with their roots.

mod claim;
mod fault;
mod known;
mod read;
mod rules;
mod strategy;
mod verify;
mod visitor;

pub use claim::{Claim, Goal, UnknownClaim};
pub(crate) use fault::CLAIMS;
pub use fault::{ProofError, ProofFault};
pub use known::KnownClaims;
pub use read::ProofReader;
pub(crate) use read::{TITLE, TOP_TITLE};
pub use rules::ImmediateRules;
pub use verify::{ClaimCounts, RecordCounts, Verified, VerifyLimits, verify, verify_top, verify_with};
pub use visitor::{ProofAction, ProofVisitor};
