//! Players of Cover: the one of the 1995 thesis, and ours; its states by number, for end-game tables.
//!
//! **Play** with a player of the [`roster()`] by name:
//!
//! ```
//! use stonework_cover::Position;
//! use stonework_game::Game;
//! use stonework_cover_players::roster;
//! use stonework_search::roster::PlayerConfig;
//! use stonework_search::{Clock, Decision, Limits};
//! let config = PlayerConfig { limits: Limits::none().nodes(1000), ..PlayerConfig::default() };
//! let mut player = roster(None).agent("bos", &config)?;
//! let position = Position::new(4)?;
//! let Some(Decision::Play(mv)) = player.decide(&position, &Clock::NONE) else { panic!("a move") };
//! assert!(position.check(mv).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | type | what it is for an engine | what it knows |
//! |---|---|---|
//! | [`Bos`] | [`Evaluator`](stonework_search::Evaluator) | stones, threats, distances and breakthroughs, by figure 22 |
//! | [`WeightedTerms`] | [`Evaluator`](stonework_search::Evaluator) | the same and more, by weights of our own |
//! | [`Kinds`] | [`MoveOrder`](stonework_search::MoveOrder) | the thesis' order: by kind of step, and by last moved stone |
//! | [`Shots`] | [`NoisyMoves`](stonework_search::NoisyMoves) | shots, and steps onto the homebase |
//! | [`Turn`] | [`NullMove`](stonework_search::NullMove) | handing the turn over, for null moves |
//! | [`Weighed`] | [`Engine`](stonework_search::Engine) | alpha-beta whose weights are parameters |
//! | [`Breakthroughs`] | a table | which stones keep one from its way home (§4.2) |
//! | [`Tabled`] | [`Evaluator`](stonework_search::Evaluator) | what any of these knows, and tables of endings |
//! | [`Endings`] | a table | all positions of few stones, solved |
//! | [`Bounded`] | a game that ends | a position for so many plies, and tables of endings |
//! | [`AtOnce`] | [`Tactics`](stonework_search::Tactics) for it | threats to win at once |
//! | [`Proofs`], [`Sequences`] | [`Engine`](stonework_search::Engine)s | wins by proof numbers, and by threats alone |
//! | [`Space`] | [`StateSpace`](stonework_endgame::StateSpace) | positions of few stones, with their history |
//! | [`PositionCensus`] | counts of a table | the ends of all positions with given numbers of stones |

mod bos;
mod breakthrough;
mod census;
mod endings;
mod moves;
mod proofs;
mod roster;
mod sequences;
mod space;
mod survey;
mod tabled;
mod terms;
mod weighed;

pub use bos::Bos;
pub use breakthrough::{Breakthroughs, Route, broken_through};
pub use census::PositionCensus;
pub use endings::{Endings, EndingsError};
pub use moves::{Kinds, Shots, Turn};
pub use proofs::{AtOnce, Bounded, BoundedError, Proofs};
pub use roster::roster;
pub use sequences::Sequences;
pub use space::{Space, SpaceError, Tier};
pub use tabled::Tabled;
pub use terms::WeightedTerms;
pub use weighed::{Weigh, Weighed};
