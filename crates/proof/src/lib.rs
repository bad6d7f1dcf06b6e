//! Proofs of the winner of a game: written to a file, verified with the rules alone, and looked up position by position.
//!
//! A proof is a strategy. A player wins if one move wherever that player is to move, and every move wherever the
//! opponent is to move, leads to games that the player has won. A player does not win if the opponent has such a
//! strategy towards games that the player has not won. A draw is proved by two strategies: neither player wins.
//!
//! **Verify** a file. No search takes place: the verifier plays the strategies by the rules of the game.
//!
//! ```
//! use stonework_game::{Player, example::Nim};
//! use stonework_proof::{Claim, VerifyLimits, verify};
//! use stonework_search::{Dfpn, Limits};
//! let (root, claim) = (Nim::new(30), Claim::Wins(Player::Second));    // take one or two; the last one wins
//! let mut file = Vec::new();
//! Dfpn::default().prove(&root, claim, &(), &Limits::none())?.write("nim", &(), &mut file)?;
//! let verified = verify::<Nim, _>("nim", &(), &file[..], &VerifyLimits::default())?;
//! assert_eq!((verified.claims, verified.plies), (vec![(root, claim)], 20));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Look positions up** in a verified file:
//!
//! ```
//! use stonework_game::{ByPlayer, Player, example::Nim};
//! use stonework_proof::{Claim, ProofBook, VerifyLimits};
//! use stonework_search::{Dfpn, Limits};
//! # let (root, claim) = (Nim::new(31), Claim::Wins(Player::First));
//! # let mut file = Vec::new();
//! # Dfpn::default().prove(&root, claim, &(), &Limits::none())?.write("nim", &(), &mut file)?;
//! let book: ProofBook<Nim, ()> = ProofBook::read("nim", (), &file[..], &VerifyLimits::default(), 1 << 20)?;
//! let mut walk = book.walk(root);
//! let players = ByPlayer::new("white", "black");
//! let sentence = walk.entries()[0].named(&players, |take| *take).to_string();
//! assert_eq!(sentence, "white wins within 21 plies: play 1 (proof)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Write** a proof, by a search or by hand:
//!
//! ```
//! use stonework_game::{Keyed, Player, example::Nim};
//! use stonework_proof::{Claim, Proof, ProofAction, Strategy};
//! let root = Nim::new(2);
//! let mut strategy = Strategy::new();
//! strategy.insert(root.key(), ProofAction::Move(2));
//! let (claim, mut file) = (Claim::Wins(Player::First), Vec::new());
//! Proof::new(root, claim, vec![strategy]).write("nim", &(), &mut file)?;
//! assert!(file.starts_with(b"stonework proof 2\ngame nim\nclaims 1\nroot 2 first\nclaim first wins\n"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | item | use |
//! |---|---|
//! | [`Claim`], [`Goal`] | the statement of a proof, and of each of its strategies |
//! | [`verify`], [`VerifyLimits`], [`Verified`], [`ProofError`] | checks a file |
//! | [`verify_with`], [`ProofVisitor`], [`ProofAction`] | checks a file and collects its content |
//! | [`ImmediateRules`] | facts that a proof leaves to the rules of a game; `()` for none |
//! | [`ProofBook`], [`BookWalk`], [`BookEntry`], [`Why`], [`value_of`] | look positions up |
//! | [`Proof`], [`Strategy`], [`position_key`] | a proof in memory, for programs that make one: `stonework_search::Dfpn::prove` |
//! | [`immediate`], [`line_wins`], [`drop_answered`] | forced moves and lines of threats, for the same programs |
//! | [`ProofReader`], [`join`] | read the header of a file, join files |
//!
//! # Trust
//! A reader who doubts a verified claim has to read the folder `src/trusted`, which has 1538 lines with the reader
//! of blocks in `stonework-files`; the rules of the game; and the game's [`ImmediateRules`]. The other modules of
//! this crate, and every program that made the proof, may be wrong: they cannot make the verifier accept a false
//! claim. Two limits remain. Positions that a strategy meets again are compared by 128 bits of a hash with fresh
//! random keys for each strategy. The checks of blocks find accidents, not forgeries; a forged file is verified
//! like any other file.
//!
//! # What this crate does not do
//! The crate does not search: other crates make proofs. The crate has no game of its own. The crate opens no
//! files, but those of [proof sets](set): else the input and the output are streams.
//!
//! Feature `serde`: a [`NamedEntry`] is written as an object.
//!
//! # The file
//! The file has lines of text, then blocks, as [`stonework_files::BlockWriter`] writes them. Numbers in blocks are
//! little-endian. The page `docs/formats.md` of the repository describes the same for Havannah, with all facts
//! about its cells and moves that a checker needs.
//!
//! ```text
//! stonework proof 2
//! game <the name of the game>
//! claims <the number of claims, 1 to 4096, in digits without zeros before them>
//! root <a root position, exactly as the game writes it>                                       )  once for
//! claim first wins | second wins | draw | first does not win | second does not win            )  each claim
//! check <CRC-32 of the lines above with their line ends, in eight hexadecimal digits>
//!
//! block   bytes of records (u32, 1 to 65536) · bytes of payload (u32) · check (u32) · payload: records, raw deflate
//! end     0 (u32) · 16 (u32) · check (u32) · number of records (u64) · number of shared positions (u64)
//! ```
//!
//! The check of a block is the CRC-32 of the previous check (the check of the header, for the first block) as four
//! bytes, of the two lengths and of the payload. A reader finds blocks that are edited, cut, exchanged or taken
//! from another file at their places. No byte follows the stream in a payload, and no byte follows the end.
//!
//! The records describe the strategies, claim after claim in the order of the header. A draw has two strategies,
//! *first does not win* and *second does not win*, in this order. Each strategy is for one *side*: the winner, or
//! the opponent of the player who does not win. The reader walks each strategy depth first from its root. At each
//! position, the first of these cases that applies decides:
//!
//! 1. The game is over: the outcome reaches the goal, or the proof is wrong.
//! 2. The side to move has an immediate win by the [`ImmediateRules`]: the goal is reached if this side is the
//!    strategy's side; otherwise the proof is wrong.
//! 3. The side that is not to move has several immediate wins: the goal is reached if this side is the strategy's
//!    side; otherwise the proof is wrong. If this side has a single immediate win, only that move is played.
//! 4. A record, which is a row of numbers in LEB128 (seven bits a byte, the lowest first, the eighth set in all
//!    bytes but the last; at most 64 bits, in as few bytes as possible). A record may continue in the next block,
//!    but a number may not:
//!
//! ```text
//! 0, then n                      the n-th shared position of this strategy (from 0), which was verified before, or its
//!                                image under a symmetry
//! 1 + 4·i + s                    the strategy's side moves: the i-th legal move (from 0) is played
//!                                the opponent moves: all moves are played, in the game's order; i is 0
//! 3 + 4·k + s, then k numbers    k > 0, the strategy's side moves: the line of these moves must win
//!                                k > 0, the opponent moves: all moves are played, in the game's order; after a move for which
//!                                the line wins nothing more follows, otherwise the position is walked on
//!                                k = 0: the player who is not to win can no longer win, by the ImmediateRules
//! ```
//!
//! where s is 1 if the position is shared: the strategy meets it again. Shared positions are numbered in the order
//! of the beginnings of their records, anew in each strategy. A record may refer to a position once everything
//! below that position has been verified. The moves of lines have the numbers of
//! [`Indexed`](stonework_game::Indexed).
//!
//! A line is tried at a position where the strategy's side is to move and the game is not over:
//!
//! 1. If the line has no moves left, the line fails.
//! 2. If the side has an immediate win, the line wins.
//! 3. If the opponent has several immediate wins, or a single immediate win that is not the first move of the
//!    line, or if that first move is not legal, the line fails.
//! 4. The first move is played. If the side has won, the line wins. If the game is over otherwise, if the side is to move again, or if
//!    the opponent has an immediate win, the line fails.
//! 5. If the side has several immediate wins now, the line wins; if the side has none, the line fails. If the side
//!    has a single immediate win, the opponent plays that move, and the rest of the line is tried.

mod book;
mod entry;
pub mod set;
mod strategy;
mod threats;
mod trusted;
mod walk;
mod write;

pub use book::ProofBook;
pub use entry::{BookEntry, NamedEntry, Why, value_of};
pub use strategy::{Proof, Strategy};
pub use threats::{Immediate, drop_answered, immediate, line_wins, position_key};
pub use trusted::{
    Claim, ClaimCounts, Goal, ImmediateRules, KnownClaims, ProofAction, ProofError, ProofFault, ProofReader,
    ProofVisitor, RecordCounts, UnknownClaim, Verified, VerifyLimits, verify, verify_top, verify_with,
};
pub use walk::{BookReply, BookWalk};
pub use write::{JoinError, Written, join};
