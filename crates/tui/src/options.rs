//! [`TuiOptions`], [`Input`] and [`Effect`]: what an [`App`](crate::App) is made from, and what goes in and out.

use std::path::PathBuf;

use ratatui::crossterm::event::Event;
use stonework_session::{Registry, Search, Start};

use crate::clocks::TimeControl;
use crate::task::{ExactValues, Task, TaskNews};

/// The options of an [`App`](crate::App).
#[derive(Clone)]
pub struct TuiOptions {
    /// The games.
    pub registry: Registry,
    /// The name of the game.
    pub game: String,
    /// The first position; without a size and a position, the board has the usual size.
    pub start: Start,
    /// The notation of moves and cells; the usual notation unless given.
    pub notation: Option<String>,
    /// The moves that are played first.
    pub moves: Vec<String>,
    /// The bytes of an SGF record, which replaces the game, the start and the moves, with the path of its file.
    pub record: Option<(PathBuf, Vec<u8>)>,
    /// The players, the first player's first, in the form of [`PlayerSpec`](stonework_roster::PlayerSpec); `None` is a person.
    pub players: [Option<String>; 2],
    /// The clock of both sides; none unless given.
    pub clock: Option<TimeControl>,
    /// The engine and the limits of a search for the user, and the limits of the players. Without a limit and without a clock,
    /// a player takes 5 seconds for a move.
    pub search: Search,
    /// `true` if a player that keeps its findings also thinks while the other side does.
    pub ponders: bool,
    /// The exact values of moves.
    pub values: Option<ExactValues>,
    /// `true` for a screen without colours.
    pub plain: bool,
}

impl TuiOptions {
    /// A game of the usual size between two people, without a clock.
    #[must_use]
    pub fn new(registry: Registry, game: &str) -> Self {
        Self {
            registry,
            game: game.to_owned(),
            start: Start::default(),
            notation: None,
            moves: Vec::new(),
            record: None,
            players: [None, None],
            clock: None,
            search: Search::default(),
            ponders: false,
            values: None,
            plain: false,
        }
    }
}

impl std::fmt::Debug for TuiOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TuiOptions")
            .field("game", &self.game)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

/// An input of an [`App`](crate::App).
#[derive(Debug)]
pub enum Input {
    /// A key, a movement of the mouse, a paste, or a new size of the terminal.
    Terminal(Event),
    /// News of the task of this number.
    News(u64, TaskNews),
    /// The bytes of a file that [`Effect::Read`] has asked for, or a message.
    File(PathBuf, Result<Vec<u8>, String>),
    /// The end of [`Effect::Write`]: `Ok(false)` if a file of the name is there and may not be replaced.
    Saved(PathBuf, Result<bool, String>),
    /// Nothing has happened but that time has passed.
    Tick,
}

/// A request of an [`App`](crate::App) to its caller.
#[derive(Debug)]
pub enum Effect {
    /// Run the task in a thread.
    Start(Box<Task>),
    /// Read the file.
    Read(PathBuf),
    /// Write the text to the file.
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The content.
        text: String,
        /// `true` if the file may replace another one.
        replace: bool,
    },
    /// Give the terminal back and stop the process until it is continued.
    Suspend,
    /// End the program.
    Quit,
}
