//! Evaluations of Cachex, each of which can be used alone, and players that combine them.
//!
//! ```
//! use stonework_cachex::Position;
//! use stonework_game::{Game, Textual, Player};
//! use stonework_cachex_players::{Circuit, Shortest};
//! let mut game = Position::new(7)?;
//! for action in ["1,3", "3,3", "4,2"] {
//!     game.play(game.parse_move(action)?)?;
//! }
//! assert_eq!(Shortest::of(&game, Player::First).stones, Some(5));
//! let mut circuit = Circuit::new();
//! circuit.connect(&game, Player::First);
//! let ours = circuit.resistance();
//! circuit.connect(&game, Player::Second);
//! assert!(ours < circuit.resistance());               // two red stones conduct
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | evaluation | measure |
//! |---|---|
//! | [`Shortest`] | the stones that a side still needs, and the cells on all shortest paths |
//! | [`TwoDistance`] | the same if the opponent blocks the best path each time |
//! | [`Circuit`] | the electrical resistance between the two edges of a side, and the current through each cell |
//! | [`Linked`] | the stones that a side still needs if two-bridges and edge templates hold |
//! | [`StonePairs`] | the stones that can be captured |
//! | [`saw_chong`] | the weighted sum that is the evaluation of the player by Saw and Chong |
//!
//! [`Blend`] weighs these evaluations for an engine, [`Currents`] orders its moves, and [`Noisy`] lists the moves that a
//! quiescence search follows. [`Expert`] is the player that uses these three. The [`roster()`] lists all players by name, and a
//! [`RefereePlayer`] plays under the referee of the course that the game comes from. [`Space`] numbers the states of small
//! boards for end-game tables.

mod blend;
mod budget;
mod circuit;
mod distance;
mod expert;
mod frame;
mod learned;
mod opening;
mod referee;
mod roster;
pub mod saw_chong;
mod space;
mod threats;
mod two_distance;

pub use blend::{Blend, Currents, Weights};
pub use circuit::Circuit;
pub use distance::{Linked, Shortest};
pub use expert::Expert;
pub use learned::{CachexFeatures, CachexMoves, learned_entry};
pub use referee::{RefereeAnswer, RefereeOptions, RefereePlayer};
pub use roster::roster;
pub use space::{Space, SpaceError};
pub use threats::{Decisive, Noisy, StonePairs};
pub use two_distance::TwoDistance;
