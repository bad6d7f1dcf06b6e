//! Rules and search put together: what Havannah tells the engines of `stonework-search`.
//!
//! **Solve** a position with its threats:
//!
//! ```
//! use stonework_game::Outcome;
//! use stonework_game::Player::First;
//! use stonework_havannah::Position;
//! use stonework_players::Threats;
//! use stonework_search::{Dfpn, Engine, Limits};
//! let mut solver = Dfpn::new().tactics(Threats);
//! let report = solver.search(&Position::new(3)?, &Limits::none(), 0, &mut |_| {});
//! assert_eq!(report.proof, Some(Outcome::Win(First)));         // from a corner, as is known
//! # Ok::<(), stonework_board::SizeError>(())
//! ```
//!
//! | type | what it is for an engine | what it knows |
//! |---|---|---|
//! | [`RandomGames`] | [`Playout`](stonework_search::Playout) | random games on a compact board |
//! | [`Threats`] | [`Tactics`](stonework_search::Tactics) | wins in one, forced blocks, lost races, dead draws |
//! | [`Links`] | [`Evaluate`](stonework_search::Evaluate) | stones that each side still needs for a bridge or fork |
//! | [`Near`] | [`Order`](stonework_search::Order), [`Knowledge`](stonework_search::Knowledge) | cells beside stones and near the middle come first |
//!
//! **Play** with anybody of the roster by name:
//!
//! ```
//! use stonework_havannah::Position;
//! use stonework_players::roster::{self, Seat};
//! use stonework_search::{Clock, Decision, Limits};
//! let seat = Seat { limits: Limits::none().simulations(100), seed: 7, ..Seat::default() };
//! let mut player = roster::agent("rave", &seat)?;
//! assert!(matches!(player.decide(&Position::new(4)?, &Clock::NONE), Some(Decision::Play(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Look for a move in the other games**, with evaluations and players of their own:
//!
//! ```
//! use stonework_cover::Position;
//! use stonework_game::Game;
//! use stonework_players::{cover, roster::Seat};
//! use stonework_search::Limits;
//! let game = Position::new(2)?;
//! let mut engine = cover::roster::engine("bos", &Seat::default())?;
//! let report = engine.search(&game, &Limits::none().depth(2), 1, &mut |_| {});
//! assert!(game.check(report.best.unwrap()).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | [`roster`] | everybody who plays Havannah, by name; [`cachex::roster`] and [`cover::roster`] the others |
//! | [`solver`] | Havannah to size 6 on words of bits, with proofs |
//! | [`Perfect`] | who plays the small boards from a proof |
//! | [`rogers`] | the players of 2004 |
//! | [`cachex`] | distances, electrical resistance, templates, captures, and players with them |
//! | [`cover`] | the player of the thesis of 1995 and ours, tables of endings, solvers for wins |
//!
//! What this crate does not do: it has no rules and no engines of its own, and plays no matches. It has no features.

pub mod cachex;
pub mod cover;
mod links;
mod near;
mod perfect;
mod random_games;
pub mod rogers;
pub mod roster;
pub mod solver;
mod threats;

pub use links::Links;
pub use near::Near;
pub use perfect::{Certificate, Perfect, certificate};
pub use random_games::RandomGames;
pub use threats::Threats;
