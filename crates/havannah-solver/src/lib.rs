//! A solver for Havannah: the outcome with best play, with a proof that anybody can check.
//!
//! ```
//! use stonework_game::{Game, Textual, Outcome, Player};
//! use stonework_havannah::Position;
//! use stonework_havannah_solver::Solver;
//! use stonework_search::{Engine, Limits};
//! let mut root = Position::new(4)?;
//! for name in ["b1", "d2", "a2", "e4"] {
//!     root.play(root.parse_move(name)?)?;
//! }
//! let report = Solver::default().think(&root, &Limits::none());
//! assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Solver`] | an engine that solves positions of any size and writes proofs: a [`Prover`](stonework_search::Prover) |
//! | [`SmallPosition`] | the game on boards to size 10, with a single number for a set of cells |
//! | [`ThreatSearch`] | [`Tactics`](stonework_search::Tactics): threats, threat sequences, must-play, draws |
//! | [`Threats`] | [`Tactics`](stonework_search::Tactics) for [`Position`](stonework_havannah::Position)s of any size: wins in one, forced blocks, lost races, dead draws |
//! | [`Sequences`] | the same, with threat sequences and must-play in positions that a Monte-Carlo tree has visited often |
//! | [`SolverTactics`] | the same, with searches of the [`Solver`] in such positions |
//! | [`needs`] | the fewest stones that each side needs for a bridge or a fork through a cell |
//! | [`HavannahBook`], [`HavannahWalk`] | a proof file about boards to size 10 in memory, in which positions can be looked up; a game beside it |
//! | [`Explorer`], [`proof_tree`] | a walk through a proof with the solver beside it, and the first plies of a proof as a tree |
//! | [`prove_openings`], [`opening_values`] | proofs of all openings of a small board; the values of its openings and of the replies |
//! | [`HavannahRules`] | [`ImmediateRules`](stonework_proof::ImmediateRules): facts that a proof leaves to the rules |
//!
//! A *threat* is a stone after which the same side's next stone would win. The opponent must take the winning cell; against two
//! winning cells there is no defence. A *threat sequence* is a row of threats that ends with two winning cells at once. If the
//! side that is **not** to move has a threat sequence, the side to move *must play* a move that breaks it.
//!
//! What this crate does not do: it has no playouts, no players and no rules of its own, and comes with no proof files. It has no
//! features.

mod book;
mod chains;
mod estimate;
mod explorer;
mod frame_must_play;
mod lattice;
mod needs;
mod openings;
mod prover;
mod rules;
mod sequence;
mod sequences;
mod side;
mod small_position;
mod solve;
mod solver_tactics;
mod threat_search;
mod threats;
mod word;

pub use book::{BookError, HavannahBook, HavannahWalk, open_book, read_book, read_book_set};
pub use explorer::{ExploreError, Explorer, KnownValue, ProofNode, ValueSource, proof_tree};
pub use needs::{Needs, needs};
pub use openings::{MoveValues, OpeningValues, OpeningsError, opening_values, prove_openings};
pub use rules::HavannahRules;
pub use sequences::Sequences;
pub use small_position::{SmallPosition, Undo, Unfit};
pub use solve::Solver;
pub use solver_tactics::SolverTactics;
pub use threat_search::ThreatSearch;
pub use threats::Threats;
pub use word::{Word, Words};
