//! Positional knowledge of Havannah: what a position says beyond its stones.
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
//! | type | measures | exact |
//! |---|---|---|
//! | [`Distances`] | stones to a bridge, a fork and a ring, with cells and maps | yes, if the opponent passes |
//! | [`TwoDistances`] | two-distance, for a bridge and a fork | no: an estimate |
//!
//! What this crate does not do: it has no rules, no search and no players. It has no features.

mod distance;

pub use distance::{Distances, Need, Origin, OriginError, Potential, StoneMap, TwoDistances};
