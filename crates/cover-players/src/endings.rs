//! [`Endings`]: a table of Cover with few stones, in which players look positions up.

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

use crate::{Space, SpaceLimits};

/// The exact values of all positions of Cover with few stones, solved in memory or stored in a file. Clones share the
/// table.
///
/// The states of a [`Space`] include all moves that the rule of four plies depends on. So a value holds for a position
/// with its history.
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
pub struct Endings(Arc<Content>);

struct Content {
    space: Space,
    values: Values,
}

enum Values {
    Memory(Table),
    File(Stored<File>),
}

/// The refusal of a file that is damaged or no table of Cover's endings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path}: {what}")]
#[non_exhaustive]
pub struct EndingsError {
    /// The path of the file.
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

    /// Solves a space; [`solve`](fn@solve) states time and memory.
    ///
    /// # Errors
    /// The errors of [`solve`](fn@solve).
    pub fn solve(space: Space, means: &Means) -> Result<Self, SolveError> {
        let table = solve(&space, means, &mut |_| ControlFlow::Continue(()))?.table;
        Ok(Self(Arc::new(Content { space, values: Values::Memory(table) })))
    }

    /// Opens a table that [`Table::write`] has stored under the name `cover` and the text of its space, as the command
    /// `table build` does. The call checks every block, which takes as long as unpacking the whole table. Later
    /// look-ups read blocks on demand, and at most 64 MiB of blocks stay in memory.
    ///
    /// # Errors
    /// An error for a file that cannot be read, is no table of Cover, or has a damaged block; it has the path and the
    /// reason.
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
        let limits = SpaceLimits { numbers: stored.len(), ..SpaceLimits::NONE };
        let space = Space::parse_within(stored.parameters(), limits).map_err(|error| failed(&error))?;
        stored.check(&space).map_err(|error| failed(&error))?;
        Ok(Self(Arc::new(Content { space, values: Values::File(stored) })))
    }

    /// The states of the table: the size, the rules, and the largest numbers of stones.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.0.space
    }

    /// The value of a position for the side to move. `None` if the position is not in the table, because it has another
    /// size, other rules or more stones. `None`, too, if the file was whole when it was opened and can no longer be read.
    ///
    /// A look-up takes about 0.3 µs; from a file, 10 µs more for a block that is not in memory.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        match &self.0.values {
            Values::Memory(table) => table.probe(&self.0.space, position),
            Values::File(stored) => stored.probe(&self.0.space, position).unwrap_or(None),
        }
    }

    /// The table of one stone against one by the rules `options`, one table for the whole program. The first call
    /// starts a thread that solves the table. The table stays in memory until the program ends.
    ///
    /// While the thread solves the table, the call asks `wait` about twenty times a second; `true` is to go on
    /// waiting. The result is `None` if `wait` returns `false`, if the size exceeds
    /// [`MAX_SHARED`](Endings::MAX_SHARED), if the rule of repetition goes back more than four plies, or if the table
    /// could not be solved.
    ///
    /// Cover-4 takes 1.6 s of processor time and 26 MB, Cover-8 17 s and 300 MB, every size at most 512 MiB. The finished
    /// table takes 2 bytes a state: 0.7 million states for Cover-4, 7.2 million for Cover-8.
    pub fn shared(size: u8, options: Options, wait: &mut dyn FnMut() -> bool) -> Option<Self> {
        let rule = match options.repetition {
            Repetition::FourPlies => 0,
            Repetition::None => 1,
            _ => return None,
        };
        let sizes = &SHARED[2 * rule + usize::from(options.voluntary_shots)];
        let slot = sizes.get(usize::from(size).checked_sub(1)?)?;
        loop {
            let mut state = slot.lock();
            match &*state {
                State::Solved(endings) => return Some(endings.clone()),
                State::Failed => return None,
                State::Solving => {}
                State::New => {
                    *state = State::Solving;
                    let make = move || {
                        let notifier = Notifier(slot);
                        let space = Space::new(size, (1, 1), options).ok();
                        let means = Means { bytes: Some(BYTES), ..Means::default() };
                        let endings = space.and_then(|space| Self::solve(space, &means).ok());
                        *notifier.0.lock() = endings.map_or(State::Failed, State::Solved);
                    };
                    if thread::Builder::new().spawn(make).is_err() {
                        *state = State::Failed;
                        return None;
                    }
                }
            }
            // Without the lock: `wait` may take long, and may ask for this table itself.
            drop(state);
            if !wait() {
                return None;
            }
            let state = slot.lock();
            if matches!(*state, State::Solving) {
                drop(slot.changed.wait_timeout(state, TICK));
            }
        }
    }
}

/// Two values are equal if they are clones of one table; two tables with equal values are not equal.
impl PartialEq for Endings {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Endings {}

/// The text names the space.
impl fmt::Debug for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endings({})", self.0.space)
    }
}

/// The largest size with a shared table.
const SIZES: usize = 8;
/// The memory limit of solving a shared table, in bytes.
const BYTES: usize = 512 << 20;
/// The interval between two calls of `wait`.
const TICK: Duration = Duration::from_millis(50);

/// The shared tables, by the rule of repetition and the rule of voluntary shots, then by size.
static SHARED: [[Slot; SIZES]; 4] = [const { [const { Slot::new() }; SIZES] }; 4];

/// The place of a shared table.
struct Slot {
    state: Mutex<State>,
    changed: Condvar,
}

enum State {
    New,
    Solving,
    Solved(Endings),
    Failed,
}

impl Slot {
    const fn new() -> Self {
        Self { state: Mutex::new(State::New), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard that wakes the waiting threads when the table is solved or has failed, even by a panic.
struct Notifier(&'static Slot);

impl Drop for Notifier {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        if matches!(*state, State::Solving) {
            *state = State::Failed;
        }
        drop(state);
        self.0.changed.notify_all();
    }
}
