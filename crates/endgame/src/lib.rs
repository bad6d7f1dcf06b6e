//! Small games solved backwards from their ends: tables of the exact value of every state and of its distance to the end.
//! The tables can be checked, and stored in compressed files.
//!
//! **Solve** a [`StateSpace`], the states of a game by number, and check every entry:
//!
//! ```
//! use stonework_endgame::example::Heaps;
//! use std::ops::ControlFlow;
//! use stonework_endgame::{Options, Value, solve, verify};
//! let space = Heaps(100);                  // Nim with heaps of 1 to 100, by their size
//! let mut watch = |_progress| ControlFlow::Continue(());
//! let table = solve(&space, &Options::default(), &mut watch)?.table;
//! verify(&space, &table, &Options::default(), &mut watch)?;
//! assert_eq!(table.value(99), Some(Value::Loss(66)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Probe** the table for positions, and read its statistics:
//!
//! ```
//! use stonework_endgame::example::Heaps;
//! use std::ops::ControlFlow;
//! use stonework_endgame::{Options, Value, solve};
//! use stonework_game::{Game, example::Nim};
//! let space = Heaps(100);
//! let table = solve(&space, &Options::default(), &mut |_| ControlFlow::Continue(()))?.table;
//! let mut nim = Nim::new(100);
//! assert_eq!(table.probe(&space, &nim), Some(Value::Win(67)));
//! nim.play(1)?;
//! assert_eq!(table.probe(&space, &nim), Some(Value::Loss(66)));
//! assert_eq!(table.statistics().longest_win, Some((67, 100)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Store** the table in a file, and probe the file block by block, from any number of threads:
//!
//! ```
//! use stonework_endgame::example::Heaps;
//! use std::ops::ControlFlow;
//! use stonework_endgame::{Options, solve};
//! use stonework_endgame::{Stored, Value};
//! use stonework_game::example::Nim;
//! let space = Heaps(100);
//! let table = solve(&space, &Options::default(), &mut |_| ControlFlow::Continue(()))?.table;
//! let mut file = Vec::new();                               // or a std::fs::File
//! table.write("nim", "heap 100", &mut file)?;
//! let stored = Stored::open(file)?;
//! stored.expect("nim", "heap 100")?;
//! assert_eq!(stored.probe(&space, &Nim::new(99))?, Some(Value::Loss(66)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! States may repeat in a game: a win must be forced, and endless play is a draw. A space usually leaves out limits on
//! repetition and on the number of turns. Its table then leaves them out, too: under such a limit, a won state can be a draw.
//!
//! **Stop** a build and go on later: [`resume`] writes a [`Checkpoint`], and goes on from it. A [`TableBuild`] adds the table's
//! file, and a lock by which only one process at a time builds it.
//!
//! What this crate does not do: it contains no [`StateSpace`] but examples, and it does not play or search. It does not
//! map files into memory: a map takes `unsafe` code, and a program that shortens a mapped file ends this process. A
//! probe reads the block that it needs, and a cache of bounded size keeps the blocks.

mod build;
mod checkpoint;
pub mod example;
mod links;
mod solve;
mod space;
pub mod store;
mod stored;
mod table;
mod terms;
mod value;
mod verify;
mod workers;

pub use build::{BuildError, TableBuild};
pub use checkpoint::Checkpoint;
pub use solve::{Solved, resume, solve};
pub use space::{BrokenSpace, StateSpace, laws};
pub use store::StoreError;
pub use stored::{AnyTable, ReadAt, Stored};
pub use table::{Statistics, Table, best_line, replies};
pub use terms::{MAX_THREADS, Options, Progress, ProgressWatch, SolveError, Stage};
pub use value::{MAX_DISTANCE, Value};
pub use verify::{VerifyError, verify};
