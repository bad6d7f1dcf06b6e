//! Evaluations of Cachex, each usable alone, and the players that are made of them.
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
//! assert!(ours < circuit.resistance());               // red has two stones that lead on
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | evaluation | what it measures |
//! |---|---|
//! | [`Shortest`] | stones that a side still needs, and the cells on all shortest ways |
//! | [`TwoDistance`] | the same if the enemy takes the best way each time |
//! | [`Circuit`] | electrical resistance between the sides, and where the current flows |
//! | [`Linked`] | stones needed if two-bridges and edge templates hold |
//! | [`StonePairs`] | what can be captured |
//! | [`seed`] | the sum of the Saw–Chong seed, and its player |
//!
//! [`Blend`] weighs them for an engine, [`Currents`] orders its moves, [`Noisy`] names those that it must not
//! stop at. [`Expert`] plays with all of it; the [`roster()`] has all of them by name.
//! [`Space`] numbers the states of small boards for end-game tables.

mod blend;
mod budget;
mod circuit;
mod distance;
mod expert;
mod frame;
mod opening;
mod roster;
pub mod seed;
mod space;
mod threats;
mod two_distance;

pub use blend::{Blend, Currents, Weights};
pub use circuit::Circuit;
pub use distance::{Linked, Shortest};
pub use expert::Expert;
pub use roster::roster;
pub use space::{Space, SpaceError};
pub use threats::{Decisive, Noisy, StonePairs};
pub use two_distance::TwoDistance;
