//! Players of Cover: the player of the 1995 thesis, and players of our own; the states of Cover by number, for end-game tables.
//!
//! **Play** with a player of the [`roster()`] by name:
//!
//! ```
//! use stonework_cover::Position;
//! use stonework_game::Game;
//! use stonework_cover_players::roster;
//! use stonework_roster::{Clock, Decision, PlayerConfig};
//! use stonework_search::Limits;
//! let config = PlayerConfig { limits: Limits::none().nodes(1000), ..PlayerConfig::default() };
//! let mut player = roster(None).agent("bos", &config)?;
//! let position = Position::new(4)?;
//! let Some(Decision::Play(mv)) = player.decide(&position, &Clock::NONE) else { panic!("a move") };
//! assert!(position.check(mv).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | type | role | knowledge |
//! |---|---|---|
//! | [`Bos`] | [`Evaluator`](stonework_search::Evaluator) | stones, threats, distances and breakthroughs, by the thesis' figure 22 |
//! | [`WeightedTerms`] | [`Evaluator`](stonework_search::Evaluator) | the terms of `Bos` and more, by weights of our own |
//! | [`StepOrder`] | [`MoveOrder`](stonework_search::MoveOrder) | the thesis' order: by kind of step, and by last moved stone |
//! | [`Shots`] | [`NoisyMoves`](stonework_search::NoisyMoves) | shots, and steps onto the homebase |
//! | [`Turn`] | [`NullMove`](stonework_search::NullMove) | passes, for null moves |
//! | [`WeightedSearch`] | [`Engine`](stonework_search::Engine) | alpha-beta whose weights are parameters |
//! | [`Breakthroughs`] | a table | stones that one enemy cannot keep from the homebase (§4.2) |
//! | [`Tabled`] | [`Evaluator`](stonework_search::Evaluator) | any evaluator, with tables of endings beside it |
//! | [`Endings`] | a table | the values of all positions of few stones |
//! | [`Bounded`] | a [`Finite`](stonework_game::Finite) game | a position, played for a limited number of plies |
//! | [`ImmediateThreats`] | [`Tactics`](stonework_search::Tactics) for `Bounded` | threats to win at once |
//! | [`DeepeningSolver`], [`ThreatSequences`] | [`Engine`](stonework_search::Engine)s | wins by proof numbers, and by threats alone |
//! | [`Space`] | [`StateSpace`](stonework_endgame::StateSpace) | positions of few stones with their history, by number |
//! | [`PositionCensus`] | counts of a table | the number of positions of some stones by value |

mod bos;
mod breakthrough;
mod census;
mod endings;
mod learned;
mod moves;
mod proofs;
mod roster;
mod sequences;
mod space;
mod survey;
mod tabled;
mod terms;
mod weighted;

pub use bos::Bos;
pub use breakthrough::{Breakthroughs, Route, broken_through};
pub use census::PositionCensus;
pub use endings::{Endings, EndingsError};
pub use learned::{CoverFeatures, CoverMoves, learned_entry};
pub use moves::{Shots, StepOrder, Turn};
pub use proofs::{Bounded, BoundedError, DeepeningSolver, ImmediateThreats};
pub use roster::roster;
pub use sequences::ThreatSequences;
pub use space::{Space, SpaceError, SpaceLimits, Tier};
pub use tabled::Tabled;
pub use terms::WeightedTerms;
pub use weighted::{Weighted, WeightedSearch};
