//! The traits by which the engines and tools of this workspace know a two-player game.
//!
//! **Play and take back.** A position implements [`Game`]. `play` returns an undo token, and the caller keeps it for `undo`:
//!
//! ```
//! use stonework_game::example::Nim;
//! use stonework_game::{Game, Player};
//! let mut nim = Nim::new(5);                      // take one or two; the last stone wins
//! let undo = nim.play(2)?;
//! assert_eq!(nim.to_move(), Player::Second);
//! nim.undo(undo);
//! assert_eq!(nim, Nim::new(5));
//! assert_eq!(nim.play(3).unwrap_err().to_string(), "cannot take 3 of 5: one or two at a time");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Count** all games to a depth, with their winners:
//!
//! ```
//! use stonework_game::example::Nim;
//! let count = stonework_game::perft(&Nim::new(4), 3);
//! assert_eq!((count.nodes, count.wins.first, count.draws), (4, 3, 0));
//! ```
//!
//! **Check** a game of your own against the laws:
//!
//! ```
//! use stonework_game::example::Nim;
//! stonework_game::laws::game(&Nim::new(12), 7, 50)?;
//! # Ok::<(), stonework_game::laws::Broken>(())
//! ```
//!
//! | trait | adds | needed by |
//! |---|---|---|
//! | [`Game`] | moves, outcome, play and undo | everything |
//! | [`Finite`] | the promise that every game ends without repetition | proof-number search, proofs |
//! | [`Keyed`] | 64-bit keys, symmetries | transposition tables |
//! | [`Indexed`] | small numbers for moves | tables by move |
//! | [`Textual`] | text for moves and positions | command line, protocols, records |
//!
//! The types that implement the traits:
//!
//! | | `Game` | `Finite` | `Keyed` | `Indexed` | `Textual` |
//! |---|---|---|---|---|---|
//! | `stonework-havannah`'s `Position` | yes | yes | yes, 12 symmetries | yes | yes |
//! | `stonework-cachex`'s `Position` | yes | no: boards recur | yes, 4 symmetries, with a horizon | yes | yes |
//! | `stonework-cover`'s `Position` | yes | no: boards recur | yes, 4 symmetries | yes | yes |
//! | `stonework-havannah-solver`'s `SmallPosition` (small Havannah) | yes | yes | yes, 12 symmetries | yes | yes |
//! | `stonework-oracle`'s `Judge` of Havannah | yes | yes | no | no | no |
//! | `stonework-oracle`'s `CachexJudge`, `CoverJudge` | yes | no | no | no | no |
//! | [`Pie<G>`](Pie) | yes | as `G` | as `G` | as `G` | as `G` |
//!
//! [`Pie`] gives any game the pie rule; [`move_orbits`] groups the moves that are images of each other under the symmetries of
//! the position. For games of your own, [`laws`] checks the promises of the traits, [`text`] helps to read positions, [`zobrist`]
//! makes hash words for keys, and [`rng`] and [`below`] make random choices from a seed.
//!
//! What this crate does not do: it has no boards, no rules except the rules of the [`example`], and no engines.
//!
//! Features: `serde` – [`Player`], [`Outcome`], [`ByPlayer`], [`Sym`], [`Perft`] and [`Pie`] implement `Serialize` and `Deserialize`.

pub mod example;
pub mod laws;
mod orbits;
mod perft;
mod pie;
mod random;
pub mod text;
mod traits;
mod vocabulary;
mod zobrist;

pub use orbits::{MoveOrbit, move_orbits};
pub use perft::{Perft, perft, perft_with};
pub use pie::{Pie, PieIllegal, PieMove, PieUndo};
pub use random::{Rng, below, rng};
pub use traits::{Finite, Game, Indexed, Keyed, Sym, Textual};
pub use vocabulary::{ByPlayer, Outcome, ParseError, Player};
pub use zobrist::{scatter, zobrist};
