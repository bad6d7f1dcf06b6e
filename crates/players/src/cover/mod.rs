//! Players of Cover: the one of the 1995 thesis, and ours; its states by number, for end-game tables.
//!
//! **Play** with either by name:
//!
//! ```
//! use stonework_cover::Position;
//! use stonework_game::Game;
//! use stonework_players::cover::roster;
//! use stonework_players::roster::Seat;
//! use stonework_search::{Clock, Decision, Limits};
//! let seat = Seat { limits: Limits::none().nodes(1000), ..Seat::default() };
//! let mut player = roster::agent("bos", &seat)?;
//! let position = Position::new(4)?;
//! let Some(Decision::Play(mv)) = player.decide(&position, &Clock::NONE) else { panic!("a move") };
//! assert!(position.check(mv).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | type | what it is for an engine | what it knows |
//! |---|---|---|
//! | [`Bos`] | [`Evaluate`](stonework_search::Evaluate) | stones, threats, distances and breakthroughs, by figure 22 |
//! | [`Terms`] | [`Evaluate`](stonework_search::Evaluate) | the same and more, by weights of our own |
//! | [`Kinds`] | [`Order`](stonework_search::Order) | the thesis' order: by kind of step, and by last moved stone |
//! | [`Shots`] | [`Quiet`](stonework_search::Quiet) | shots, and steps onto the homebase |
//! | [`Turn`] | [`Pass`](stonework_search::Pass) | handing the turn over, for null moves |
//! | [`Weighed`] | [`Engine`](stonework_search::Engine) | alpha-beta whose weights are dials |
//! | [`Breakthroughs`] | a table | which stones keep one from its way home (§4.2) |
//! | [`Tabled`] | [`Evaluate`](stonework_search::Evaluate) | what any of these knows, and tables of endings |
//! | [`Endings`] | a table | all positions of few stones, solved |
//! | [`Bounded`] | a game that ends | a position for so many plies, and tables of endings |
//! | [`AtOnce`] | [`Tactics`](stonework_search::Tactics) for it | threats to win at once |
//! | [`Proofs`], [`Sequences`] | [`Engine`](stonework_search::Engine)s | wins by proof numbers, and by threats alone |
//! | [`Space`] | [`StateSpace`](stonework_endgame::StateSpace) | positions of few stones, with their history |

mod bos;
mod breakthrough;
mod endings;
mod moves;
mod proofs;
pub mod roster;
mod sequences;
mod space;
mod survey;
mod tabled;
mod terms;
mod weighed;

pub use bos::Bos;
pub use breakthrough::{Breakthroughs, Route, broken_through};
pub use endings::{Endings, EndingsError};
pub use moves::{Kinds, Shots, Turn};
pub use proofs::{AtOnce, Bounded, BoundedError, Proofs};
pub use sequences::Sequences;
pub use space::{Space, SpaceError, Tier};
pub use tabled::Tabled;
pub use terms::Terms;
pub use weighed::{Weigh, Weighed};
