//! The Go Text Protocol, version 2, for any two-player game: the side of the engine, and the side of the controller.
//!
//! **Serve a game of a registry.** A [`SessionHost`] has the names, the notations, the pictures and the players of
//! any game of a [`Registry`](stonework_session::Registry). The feature `players` of `stonework-session` adds the
//! players of the three games:
//!
//! ```
//! use stonework_gtp::{Server, SessionHost, SessionHostOptions};
//! use stonework_session::Registry;
//! let registry = Registry::standard();
//! let game = registry.game("havannah")?;
//! let host = SessionHost::new(game, SessionHostOptions { size: Some(4), ..SessionHostOptions::default() })?;
//! let mut server = Server::new(host, game.usual_player(), 1)?;
//! let mut output = Vec::new();                              // or standard input and output
//! server.serve(&b"play white a1\nplay black swap\nhavannah_winner\nquit\n"[..], &mut output)?;
//! assert_eq!(String::from_utf8(output)?, "=\n\n=\n\n= none\n\n=\n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Serve a game of your own.** A [`Host`] has the facts that the game's traits do not have – sizes, players, colours,
//! pictures – in a few lines; the [`Server`] has all commands:
//!
//! ```
//! use stonework_game::example::Nim;
//! use stonework_gtp::{Host, Named, Server};
//! use stonework_roster::{Agent, EngineAgent};
//! use stonework_search::{Limits, Minimax};
//! struct Heap;
//! impl Host for Heap {
//!     type Game = Nim;
//!     fn name(&self) -> &str { "Heap" }
//!     fn version(&self) -> &str { "1.0" }
//!     fn start(&self, size: Option<u32>) -> Result<Nim, String> {
//!         let left = u8::try_from(size.unwrap_or(7)).map_err(|_| "heaps are up to 255")?;
//!         Ok(Nim::new(left))
//!     }
//!     fn agents(&self) -> Vec<Named> { vec![("minimax".into(), "sees everything".into())] }
//!     fn agent(&self, _name: &str, seed: u64) -> Result<Box<dyn Agent<Nim>>, String> {
//!         Ok(Box::new(EngineAgent::new(Minimax::new(()), Limits::none(), seed)))
//!     }
//! }
//! let mut server = Server::new(Heap, "minimax", 1)?;
//! let mut say = |line: &str| server.line(line).map(|reply| reply.to_string()).unwrap_or_default();
//! assert_eq!(say("boardsize 5"), "=\n\n");
//! assert_eq!(say("17 genmove white"), "=17 2\n\n");
//! assert_eq!(say("play b 3"), "? illegal move: a move is 1 or 2 (at byte 0)\n\n");
//! assert_eq!(say("showboard # what is left"), "=\n3 second\n\n");
//! # Ok::<(), String>(())
//! ```
//!
//! **On standard input and output**, or any other pair of streams:
//!
//! ```
//! use stonework_gtp::Server;
//! use stonework_gtp::example::Heap;
//! let mut output = Vec::new();
//! Server::new(Heap, "minimax", 1)?.serve(&b"playgame\nwinner\nquit\n"[..], &mut output)?;
//! assert_eq!(String::from_utf8(output)?, "= 1 1 2 1 2\nwhite\n\n= white\n\n=\n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Drive an engine**, of this or any other project. The engine can neither block nor flood the caller:
//!
//! ```
//! use std::time::Duration;
//! use stonework_gtp::{Controller, ControllerError};
//! use stonework_gtp::{Server, example::Heap};
//! use std::io::{BufReader, pipe};
//! # let ((commands, to_engine), (replies, from_engine)) = (pipe()?, pipe()?);
//! # std::thread::spawn(|| Server::new(Heap, "minimax", 1).unwrap().serve(BufReader::new(commands), from_engine));
//! # /*
//! let mut engine = Controller::spawn("my-engine --gtp")?;
//! # */
//! # let mut engine = Controller::over(replies, to_engine)?;
//! let limit = Duration::from_secs(10);
//! assert_eq!(engine.send("genmove white", limit)?, "1");
//! let error = engine.send("undo 2", limit).unwrap_err();
//! assert_eq!(error.to_string(), "the engine refuses `undo 2`: cannot undo: 2 to take back of 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![doc = include_str!("commands.md")]
//!
//! What this crate does not do: the only games are the games of the caller's registry and the caller's own. The crate
//! reads and writes no files (there is no `loadsgf`), plays no matches, has no features, and has no players but the
//! caller's. From the protocol, the parts for Go alone are missing: handicap stones and the status of stones.

mod clock;
mod commands;
mod controller;
pub mod example;
mod gogui;
mod host;
mod lines;
mod listener;
mod played;
mod protocol;
mod replies;
mod server;
mod session_host;

pub use controller::{Controller, ControllerError, MAX_COMMAND};
pub use host::{Host, LiveEngine, MoveOf, Named, Square};
pub use protocol::{GtpReply, MAX_LINE};
pub use replies::MAX_REPLY;
pub use server::Server;
pub use session_host::{SessionHost, SessionHostOptions};
