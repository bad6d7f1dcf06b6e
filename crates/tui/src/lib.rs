//! Boards, players, analysis and records of the games of a [`Registry`](stonework_session::Registry) in a terminal.
//!
//! **Play in the terminal.** [`run`] takes the terminal, and gives it back as it was:
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use stonework_files::System;
//! use stonework_session::Registry;
//! use stonework_tui::{App, TuiOptions, run};
//! let mut options = TuiOptions::new(Registry::standard(), "havannah");
//! options.players[1] = Some("mcts".to_owned());
//! run(&mut App::new(options)?, &System, &AtomicBool::new(false))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Drive the front end without a terminal.** An [`App`] takes inputs, and draws itself on any backend of `ratatui`:
//!
//! ```
//! use std::time::Duration;
//! use ratatui::crossterm::event::{Event, KeyCode};
//! use ratatui::{Terminal, backend::TestBackend};
//! use stonework_session::Registry;
//! use stonework_tui::{App, Input, TuiOptions};
//! let mut app = App::new(TuiOptions::new(Registry::standard(), "cachex"))?;
//! for key in [KeyCode::Char(':'), KeyCode::Char('0'), KeyCode::Char(','), KeyCode::Char('0'), KeyCode::Enter] {
//!     app.handle(Duration::ZERO, Input::Terminal(Event::Key(key.into())));
//! }
//! assert_eq!(app.game().moves(), ["0,0"]);
//! let mut terminal = Terminal::new(TestBackend::new(80, 24))?;
//! terminal.draw(|frame| app.draw(frame))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Run the tasks of an [`App`] where you like.** The players, engines and layers work in [`Task`]s:
//!
//! ```
//! use std::time::Duration;
//! use stonework_session::{Registry, Search, Start};
//! use stonework_tui::{App, Effect, Input, TuiOptions};
//! let mut options = TuiOptions::new(Registry::standard(), "havannah");
//! options.start = Start::of_size(3);
//! options.players[0] = Some("mcts:simulations=100".to_owned());
//! let mut app = App::new(options)?;
//! for effect in app.handle(Duration::ZERO, Input::Tick) {
//!     let Effect::Start(task) = effect else { continue };
//!     let (id, mut all) = (task.id(), Vec::new());
//!     task.run(&mut |news| all.push(news));
//!     for news in all {
//!         app.handle(Duration::ZERO, Input::News(id, news));
//!     }
//! }
//! assert_eq!(app.game().moves().len(), 1);
//! # Ok::<(), stonework_session::Fault>(())
//! ```
//!
//! # Design
//!
//! [`App`] is a state machine: an [`Input`] with its time goes in, [`Effect`]s come out, [`App::draw`] shows the state. [`run`] is the
//! thin rest: the terminal, the threads of the tasks, and the files. A picture of the game as text
//! ([`Picture`](stonework_session::Picture)) is the board; the screen adds the cursor, colours and marks. So a game of your own in the registry
//! is shown, too: without places of cells, its moves are typed.
//!
//! What this crate does not do: it knows no rules, no player and no proof by itself; [`TuiOptions`] brings them. The
//! crate reads no arguments and no environment.

mod app;
mod board;
mod clocks;
mod driver;
mod keys;
mod line;
mod moves;
mod options;
mod page;
mod record;
mod style;
mod task;
mod terminal;
mod thoughts;
mod view;

pub use app::App;
pub use clocks::{TimeControl, TimeControlError};
pub use driver::{MAX_RECORD, read_record_file, run};
pub use options::{Effect, Input, TuiOptions};
pub use task::{ExactValues, MoveValue, Task, TaskNews};
pub use terminal::{Screenful, with_terminal};
