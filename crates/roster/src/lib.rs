//! Players of whole games, and the engines and players of one game by name.
//!
//! **Play** whole games by the clock with any search engine:
//!
//! ```
//! use stonework_game::example::Nim;
//! use stonework_roster::{Agent, Clock, Decision, EngineAgent};
//! use stonework_search::{Limits, Minimax};
//! let mut agent = EngineAgent::new(Minimax::new(()), Limits::none(), 1);
//! assert_eq!(agent.decide(&Nim::new(8), &Clock::NONE), Some(Decision::Play(2)));
//! ```
//!
//! **Name** the engines and players of a game. A command line, a GTP server and a tournament need a name for each
//! player, a line about each player, and a function that makes the player from a [`PlayerConfig`]; a [`Roster`]
//! has all three:
//!
//! ```
//! use stonework_game::example::Nim;
//! use stonework_roster::{Agent, Clock, Decision, PlayerConfig, PlayerSpec, Roster, RosterEntry};
//! use stonework_search::{Limits, Mcts, MctsOptions, Minimax, RandomPlayout};
//! let roster = Roster::<Nim>::new()
//!     .with(RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(()))))
//!     .with(
//!         RosterEntry::engine("mcts", "Monte-Carlo tree", |config| {
//!             let settings = MctsOptions::uct().threads(config.threads).bytes(config.bytes());
//!             Ok(Mcts::new(RandomPlayout::new(100), settings)?)
//!         })
//!         .threads()
//!         .simulations(),
//!     );
//! let config = PlayerConfig { limits: Limits::none().depth(20), ..PlayerConfig::default() };
//! let mut player = roster.agent("minimax", &config)?;
//! assert_eq!(player.decide(&Nim::new(7), &Clock::NONE), Some(Decision::Play(1)));
//!
//! // As on a command line: a name, and values for some of the player's parameters.
//! let spec: PlayerSpec = "mcts:simulations=200".parse()?;
//! let mut player = spec.agent(&roster, &PlayerConfig::default())?;
//! assert!(matches!(player.decide(&Nim::new(7), &Clock::NONE), Some(Decision::Play(_))));
//!
//! let error = roster.agent("nobody", &config).err().unwrap();
//! assert_eq!(error.to_string(), "no player `nobody`; there is minimax, mcts");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Data that only one game's players use, such as a table of its endings or a file of its proofs, is not part of a
//! [`PlayerConfig`]: the function that builds the game's roster takes the data and its closures capture it.
//!
//! | trait | implemented by, here and in the crates of the players |
//! |---|---|
//! | [`Agent`] | [`EngineAgent`]; `Expert`, `SawChong`, `Leipzig`, `Straight`, `FullTree` |
//!
//! The crate has no search and no game of its own, and plays no matches. The crate has no features.

mod agent;
mod levels;
mod ponderer;
mod roster;
mod spec;

pub use agent::{Agent, Clock, Decision, EngineAgent};
pub use levels::{LEVELS, Level, Leveled, Levels, TOP_LEVEL};
pub use ponderer::Ponderer;
pub use roster::{MakeError, MapAgent, MapEngine, PlayerConfig, Roster, RosterEntry, RosterError};
pub use spec::{PlayerSpec, SpecError};
