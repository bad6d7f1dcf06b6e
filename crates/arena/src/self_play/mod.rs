//! Games of an engine against itself, to learn from: the visits of the root's moves and its value, ply by ply.
//!
//! [`SelfPlay`] plays, and [`ProvenPlay`] keeps positions that another engine proves; [`SelfPlayFolder`] keeps games as compressed lines of JSON, survives a kill and goes on;
//! [`packed`] and [`unpacked`] are the same lines as bytes, for a queue or a store of blobs; [`SelfPlay::confirm`] and
//! [`ProvenPlay::confirm`] check a game of another machine by the rules.
//!
//! ```
//! use std::path::Path;
//! use std::sync::atomic::AtomicBool;
//! use stonework_arena::self_play::{SelfPlay, SelfPlayFolder};
//! use stonework_engine::{Engine, Limits};
//! use stonework_files::Simulated;
//! use stonework_game::example::Nim;
//! use stonework_search::{Mcts, MctsOptions, RandomPlayout};
//!
//! let play = SelfPlay { opening: 2, stray: 0.1, ..SelfPlay::new(Nim::new(20), 7) };
//! let make = || -> Result<Box<dyn Engine<Nim>>, String> {
//!     let options = MctsOptions::uct().lines(9);                     // a line for each move of the root
//!     Ok(Box::new(Mcts::new(RandomPlayout::new(100), options).map_err(|error| error.to_string())?))
//! };
//! let disk = Simulated::new();
//! let mut folder = SelfPlayFolder::open(&disk, Path::new("games"), &serde_json::json!({"game": "nim"}), 10)?;
//! let limits = Limits::none().simulations(50);
//! play.run(folder.missing(30), &make, &limits, 1, &AtomicBool::new(false), &mut |game| {
//!     folder.add(&game).map_err(|error| error.to_string())
//! })?;
//! assert_eq!(folder.games(), 30);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod confirm;
mod folder;
mod game;
mod pack;
mod proven;

pub use folder::{SelfPlayFolder, SelfPlayFolderError};
pub use game::{MOST_MOVES, Searched, SelfPlay, SelfPlayError, SelfPlayGame};
pub use pack::{MAX_UNPACKED, PackError, packed, unpacked, unpacked_text};
pub use proven::{Branch, ProvenPlay};
