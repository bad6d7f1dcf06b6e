//! Positional knowledge of Havannah: distances to a win, inferior cells, and statistics of games.
//!
//! **Measure** how many stones a side still needs:
//!
//! ```
//! use stonework_game::{Player, Textual};
//! use stonework_havannah::{Position, WinKind};
//! use stonework_havannah_analysis::Distances;
//! let game = Position::parse_position("4 w - ..../...../..ww../..w..../....../...../....")?;
//! let mut white = Distances::of(&game, Player::First);
//! let ring = white.ring().expect("nothing is in the way");
//! assert_eq!((ring.kind, ring.stones), (WinKind::Ring, 3));
//! assert_eq!(white.bridge().map(|bridge| bridge.stones), Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Leave out** the cells that neither side needs:
//!
//! ```
//! use stonework_game::Textual;
//! use stonework_havannah::Position;
//! use stonework_havannah_analysis::InferiorCells;
//! let game = Position::parse_position("4 w - ..b./..wwb/bbw.../w..www./..w.bw/.bw.b/..w.")?;
//! let inferior = InferiorCells::of(&game)?;
//! assert_eq!(inferior.dead().first(), Some(game.board().parse("f6")?));
//! assert_eq!(inferior.dominated().first(), Some(game.board().parse("d3")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Count** finished games:
//!
//! ```
//! use stonework_game::{Game, below, rng};
//! use stonework_havannah::{Position, WinKind};
//! use stonework_havannah_analysis::GameStatistics;
//! let (mut statistics, mut rng) = (GameStatistics::new(4)?, rng(1));
//! for _ in 0..200 {
//!     let mut game = Position::new(4)?;
//!     while game.outcome().is_none() {
//!         let moves = game.moves();
//!         game.play(moves[below(&mut rng, moves.len())])?;
//!     }
//!     statistics.add(&game)?;
//! }
//! assert_eq!(statistics.games(), 200);
//! assert!((0.50..0.68).contains(&statistics.share(WinKind::Bridge)));      // 0.589 in the long run
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | type | measures | exact |
//! |---|---|---|
//! | [`Distances`] | stones to a bridge, a fork and a ring, with cells and maps | yes, if the opponent passes |
//! | [`TwoDistances`] | two-distance, and potentials for a bridge, a fork and a ring | no: an estimate |
//! | [`InferiorCells`] | dead, captured and dominated cells | sure, but not all of them |
//! | [`GameStatistics`] | kinds, lengths and rings of finished games | yes |
//! | [`Complexity`] | state space and game tree of a board | counts of stones, which leave out wins |
//!
//! What this crate does not do: it has no rules, no search and no players. It has no features.

mod distance;
mod inferior;
#[doc = include_str!("inferior/rules.md")]
pub mod inferior_rules {}
mod statistics;

pub use distance::{Distances, Need, Origin, OriginError, Potential, StoneMap, TwoDistances};
pub use inferior::{InferiorCells, InferiorError};
pub use statistics::{Complexity, GameStatistics, Lengths, Magnitude, RingCounts, StatisticsError};
