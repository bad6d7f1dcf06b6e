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
//! let mut solver = Dfpn::with(Threats);
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
//! **Cachex** has evaluations and players of its own in [`cachex`].
//!
//! **Play** with [`Perfect`], which knows the small boards, with [`rogers`], players with a style of their own, or with anybody of the [`roster`] by name.

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
