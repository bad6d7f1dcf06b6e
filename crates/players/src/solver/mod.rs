//! Solving Havannah: who wins with best play, with a proof that anybody can check.
//!
//! ```
//! use stonework_game::{Game, Notation, Outcome, Player};
//! use stonework_havannah::Position;
//! use stonework_players::solver::Solver;
//! use stonework_search::{Engine, Limits};
//! let mut root = Position::new(4)?;
//! for name in ["b1", "d2", "a2", "e4"] {
//!     root.play(root.parse_move(name)?)?;
//! }
//! let report = Solver::new().search(&root, &Limits::none(), 0, &mut |_| {});
//! assert_eq!(report.proof, Some(Outcome::Win(Player::First)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Solver`] | an engine that solves positions of any size and writes proofs |
//! | [`Compact`] | the game on boards to size 6, sets of cells being single numbers |
//! | [`Foresight`] | [`Tactics`](stonework_search::Tactics): threats, threat sequences, must-play, draws |
//! | [`ByRules`] | [`Sight`](stonework_search::proof::Sight): what a proof leaves to the rules |
//!
//! A threat is a stone after which the next one would win. Against one, the other side must take the winning cell; against two
//! there is no defence. A *sequence* is a row of threats that ends with two at once. If the side that is **not** to move has one,
//! the side to move *must play* so that it no longer works.

mod chains;
mod compact;
mod estimate;
mod foresight;
mod lattice;
mod sequence;
mod side;
mod sight;
mod solve;
mod word;

pub use compact::{Compact, Undo, Unfit};
pub use foresight::Foresight;
pub use sight::ByRules;
pub use solve::{CertifyError, Solver};
pub use word::Word;
