//! Players of Havannah by name, and the playouts, the evaluation and the move order that they are made of.
//!
//! **Play** with a player of the [`roster()`] by name:
//!
//! ```
//! use stonework_havannah::Position;
//! use stonework_havannah_players::roster;
//! use stonework_roster::{Clock, Decision, PlayerConfig};
//! use stonework_search::Limits;
//! let config = PlayerConfig { limits: Limits::none().simulations(100), seed: 7, ..PlayerConfig::default() };
//! let mut player = roster(None).agent("rave", &config)?;
//! assert!(matches!(player.decide(&Position::new(4)?, &Clock::NONE), Some(Decision::Play(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Put an engine together** from the parts:
//!
//! ```
//! use stonework_havannah::Position;
//! use stonework_havannah_players::{Links, Near};
//! use stonework_search::{AlphaBeta, AlphaBetaOptions, Engine, Limits};
//! let mut engine = AlphaBeta::new(Links::new(), AlphaBetaOptions::new())?.order(Near);
//! let report = engine.think(&Position::new(4)?, &Limits::none().depth(2));
//! assert_eq!(report.depth, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | type | strategy of an engine | knowledge |
//! |---|---|---|
//! | [`RandomGames`] | [`PlayoutPolicy`](stonework_search::PlayoutPolicy) | random games on a compact board |
//! | [`PatternGames`] | [`PlayoutPolicy`](stonework_search::PlayoutPolicy) | random games in which the patterns of `stonework-pattern` answer the last move |
//! | [`Links`] | [`Evaluator`](stonework_search::Evaluator) | stones that each side still needs for a bridge or fork |
//! | [`Near`] | [`MoveOrder`](stonework_search::MoveOrder), [`Priors`](stonework_search::Priors) | cells beside stones and near the middle come first |
//!
//! | player | strategy |
//! |---|---|
//! | [`Perfect`] | perfect play on small boards, from a proof file and by solving |
//! | [`rogers`] | the players of the report by T. Rogers, 2004 |
//!
//! Threats, solving and proof files are in `stonework-havannah-solver`.
//!
//! What this crate does not do: it has no rules and no engines of its own, and plays no matches. It has no features.

mod champion;
mod first_moves;
mod learned;
mod links;
mod near;
mod pattern_games;
mod perfect;
mod random_games;
pub mod rogers;
mod roster;

pub use learned::{
    HavannahFeatures, HavannahMoves, HavannahNet, HavannahPlanes, HavannahPriors, learned_entry,
    shipped_lattice, shipped_net, shipped_weights,
};
pub use links::Links;
pub use near::Near;
pub use pattern_games::PatternGames;
pub use perfect::Perfect;
pub use random_games::RandomGames;
pub use roster::{mcts_patterns, roster};
