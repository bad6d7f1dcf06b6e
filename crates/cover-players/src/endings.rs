//! [`Endings`]: a table of Cover with few stones, for players to ask.

use std::fmt;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use stonework_cover::{Options, Position, Repetition};
use stonework_endgame::{Options as Means, SolveError, Stored, Table, Value, solve};
use stonework_game::text::head;

use crate::Space;

/// The exact values of all positions of Cover with few stones, solved in memory or stored in a file; copies
/// share it.
///
/// The states of a [`Space`] have in them all of the past that a rule of four plies depends on, so a value
/// holds for the position with its history, however it came about.
///
/// ```
/// use stonework_cover::Setup;
/// use stonework_endgame::{Options as Means, Value};
/// use stonework_cover_players::{Endings, Space};
/// let space = Space::new(1, (1, 1), stonework_cover::Options::default())?;
/// let endings = Endings::solve(space, &Means::default())?;
/// let position = Setup::from_board(1, "[A03]x[E05]")?.position()?;
/// assert_eq!(endings.value(&position), Some(Value::Loss(18)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Endings(Arc<Known>);

struct Known {
    space: Space,
    held: Held,
}

enum Held {
    Memory(Table),
    File(Stored<File>),
}

/// A file that is no table of Cover's endings, or is damaged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path}: {what}")]
#[non_exhaustive]
pub struct EndingsError {
    /// Where it is.
    pub path: String,
    /// The reason.
    pub what: String,
}

/// `a table of Cover's endings (…)`, with its space.
impl fmt::Display for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a table of Cover's endings ({})", self.space())
    }
}

impl Endings {
    /// The largest size whose endings are [shared](Endings::shared).
    pub const MAX_SHARED: u8 = SIZES as u8;

    /// Solves a space: for what that takes see [`solve`](fn@solve).
    ///
    /// # Errors
    /// As [`solve`](fn@solve).
    pub fn solve(space: Space, means: &Means) -> Result<Self, SolveError> {
        let table = solve(&space, means, &mut |_| ControlFlow::Continue(()))?.table;
        Ok(Self(Arc::new(Known { space, held: Held::Memory(table) })))
    }

    /// Opens a table that [`Table::write`] has stored under the name `cover` and the text of its space, as the
    /// command `table build` does. Every block is checked at once, which takes as long as it takes to unpack the
    /// whole; later they are read as they are needed, of which 64 MiB are kept.
    ///
    /// # Errors
    /// Names the file, and says why it cannot be read, what else it is, or which block is damaged.
    pub fn open(path: &Path) -> Result<Self, EndingsError> {
        let failed = |what: &dyn fmt::Display| EndingsError {
            path: path.display().to_string(),
            what: what.to_string(),
        };
        let file = File::open(path).map_err(|error| failed(&error))?;
        let stored = Stored::open(file).map_err(|error| failed(&error))?;
        if stored.game() != Space::GAME {
            let game = head(stored.game()).to_owned();
            return Err(failed(&format!("a table of `{game}`, not of `{}`", Space::GAME)));
        }
        let space: Space = stored.parameters().parse().map_err(|error| failed(&error))?;
        stored.check(&space).map_err(|error| failed(&error))?;
        Ok(Self(Arc::new(Known { space, held: Held::File(stored) })))
    }

    /// The content: the size, the rules, the most stones.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.0.space
    }

    /// The value of a position for the side to move; `None` if it is not in the table: of another size, with other rules, or
    /// with more stones. `None`, too, if a file that was whole when it was opened cannot be read any more.
    ///
    /// Some 0.3 µs; from a file 10 µs more for a block that is not kept.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        match &self.0.held {
            Held::Memory(table) => table.probe(&self.0.space, position),
            Held::File(stored) => stored.probe(&self.0.space, position).unwrap_or(None),
        }
    }

    /// The table of one stone against one by these rules, the same for all who ask: made when it is first
    /// asked for, by a thread of its own, and kept until the program ends.
    ///
    /// While it is being made, `wait` is asked some twenty times a second whether to wait for it. `None` if not,
    /// if the size is more than [`MAX_SHARED`](Endings::MAX_SHARED), if the rule of repetition looks further back than
    /// four plies, and if it could not be made.
    ///
    /// Made in 1.6 s of CPU and 26 MB for Cover-4, 17 s and 300 MB for Cover-8, never more than 512 MiB; then it
    /// takes 2 bytes for each of 0.7 million states, or 7.2 million.
    pub fn shared(size: u8, options: Options, wait: &mut dyn FnMut() -> bool) -> Option<Self> {
        let rule = match options.repetition {
            Repetition::FourPlies => 0,
            Repetition::None => 1,
            _ => return None,
        };
        let sizes = &SHARED[2 * rule + usize::from(options.voluntary_shots)];
        let place = sizes.get(usize::from(size).checked_sub(1)?)?;
        let mut state = place.lock();
        loop {
            match &*state {
                State::Made(endings) => return Some(endings.clone()),
                State::Failed => return None,
                State::Making => {}
                State::New => {
                    *state = State::Making;
                    let make = move || {
                        let made = Made(place);
                        let space = Space::new(size, (1, 1), options).ok();
                        let means = Means { bytes: Some(BYTES), ..Means::default() };
                        let endings = space.and_then(|space| Self::solve(space, &means).ok());
                        *made.0.lock() = endings.map_or(State::Failed, State::Made);
                    };
                    if thread::Builder::new().spawn(make).is_err() {
                        *state = State::Failed;
                        return None;
                    }
                }
            }
            if !wait() {
                return None;
            }
            state = place.told.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// The same table, not only an equal one.
impl PartialEq for Endings {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Endings {}

/// Which table it is.
impl fmt::Debug for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endings({})", self.0.space)
    }
}

/// Sizes whose endings are shared.
const SIZES: usize = 8;
/// Bytes that making one of them may take.
const BYTES: usize = 512 << 20;
/// Between two questions whether to wait on.
const TICK: Duration = Duration::from_millis(50);

/// By the rule of repetition and whether shots are voluntary, then by size.
static SHARED: [[Place; SIZES]; 4] = [const { [const { Place::new() }; SIZES] }; 4];

/// A table that is shared.
struct Place {
    state: Mutex<State>,
    told: Condvar,
}

enum State {
    New,
    Making,
    Made(Endings),
    Failed,
}

impl Place {
    const fn new() -> Self {
        Self { state: Mutex::new(State::New), told: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells who waits that a table has been made, or will not be.
struct Made(&'static Place);

impl Drop for Made {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        if matches!(*state, State::Making) {
            *state = State::Failed;
        }
        drop(state);
        self.0.told.notify_all();
    }
}
