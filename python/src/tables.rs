//! [`Table`]: end-game tables of Cover and Cachex.

use std::fmt::Display;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use stonework_endgame::{AnyTable, Options, Progress, StateSpace, StoreError, Stored, replies, solve};
use stonework_game::text::head;
use stonework_game::{Indexed, Keyed};
use stonework_session::{AnyPosition, Described};
use {stonework_cachex_players as cachex, stonework_cover_players as cover};

use crate::board::Board;
use crate::convert::{number, refused};
use crate::moves::Move;
use crate::proofs::Value;
use crate::work::interruptible;

/// The names of the games in the files of tables.
const COVER: &str = cover::Space::GAME;
const CACHEX: &str = <stonework_cachex::Position as Described>::DESCRIPTION.name;

/// A table of one game.
struct Held<S> {
    space: S,
    table: AnyTable<File>,
}

/// A table without the type of its game.
trait Probe: Send + Sync {
    fn parameters(&self) -> String;
    fn len(&self) -> u64;
    fn probe(&self, position: &AnyPosition) -> Result<Option<Value>, String>;
    fn replies(&self, position: &AnyPosition) -> Result<Vec<(u32, Value)>, String>;
}

fn named<G: Described>(state: &G, value: stonework_endgame::Value) -> Value {
    let outcome = value.outcome(state.to_move());
    let plies = value.distance().map(u32::from);
    let winner = G::DESCRIPTION.outcome(outcome).to_owned();
    let reason = match plies {
        Some(plies) => format!("{winner} wins in {plies} plies with best play"),
        None => "a draw with best play".to_owned(),
    };
    Value { winner: Some(winner), plies, reason, source: "table".to_owned(), answers: Vec::new() }
}

impl<S: StateSpace<State: Described + Keyed> + Display + Send> Probe for Held<S> {
    fn parameters(&self) -> String {
        self.space.to_string()
    }

    fn len(&self) -> u64 {
        self.space.len()
    }

    fn probe(&self, position: &AnyPosition) -> Result<Option<Value>, String> {
        let state = typed::<S>(position)?;
        let value = self.table.probe(&self.space, state).map_err(|error| error.to_string())?;
        Ok(value.map(|value| named(state, value)))
    }

    fn replies(&self, position: &AnyPosition) -> Result<Vec<(u32, Value)>, String> {
        let state = typed::<S>(position)?;
        let found = replies(state, |next| self.table.probe(&self.space, next));
        let found = found.map_err(|error: StoreError| error.to_string())?;
        // A reply's value is of the side that makes the move.
        Ok(found.into_iter().map(|(mv, value)| (state.move_index(mv) as u32, named(state, value))).collect())
    }
}

fn typed<S: StateSpace<State: Described>>(position: &AnyPosition) -> Result<&S::State, String> {
    let (own, other) = (<S::State as Described>::DESCRIPTION.name, position.description().name);
    position.downcast_ref().ok_or_else(|| format!("a table of {own}, and a board of {other}"))
}

/// An end-game table of Cover or Cachex: exact values of all positions with few stones.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct Table {
    game: &'static str,
    held: Arc<dyn Probe>,
}

fn space<S: FromStr<Err: Display>>(parameters: &str) -> PyResult<S> {
    parameters.parse().map_err(refused)
}

fn stored<S>(file: Stored<File>, space: S) -> PyResult<Arc<dyn Probe>>
where
    S: StateSpace<State: Described + Keyed> + Display + Send + 'static,
{
    if file.len() != space.len() {
        return Err(refused(StoreError::Space { table: file.len(), space: space.len() }));
    }
    Ok(Arc::new(Held { space, table: AnyTable::Stored(file) }))
}

fn solved<S>(py: Python<'_>, space: S, options: Options) -> PyResult<Arc<dyn Probe>>
where
    S: StateSpace<State: Described + Keyed> + Display + Send + 'static,
{
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    interruptible(py, &cancel, move || {
        let mut watch = |_: Progress| {
            if flag.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let table = solve(&space, &options, &mut watch).map_err(|error| error.to_string())?.table;
        Ok::<Arc<dyn Probe>, String>(Arc::new(Held { space, table: AnyTable::Memory(table) }))
    })?
    .map_err(refused)
}

#[pymethods]
impl Table {
    /// Opens a table that `stonework table build` has written. The file is read when it is probed.
    ///
    /// Raises:
    ///     OSError: if the file cannot be opened.
    ///     ValueError: for a damaged file or another game, with the reason.
    #[staticmethod]
    fn open(path: PathBuf) -> PyResult<Self> {
        let failed = |what: &dyn Display| refused(format!("{}: {what}", path.display()));
        let file = Stored::open(File::open(&path)?).map_err(|error| failed(&error))?;
        let game = file.game().to_owned();
        match &*game {
            COVER => {
                let limits = cover::SpaceLimits { numbers: file.len(), ..cover::SpaceLimits::NONE };
                let space = cover::Space::parse_within(file.parameters(), limits);
                let space = space.map_err(|error| failed(&error))?;
                Ok(Self { game: COVER, held: stored(file, space)? })
            }
            CACHEX => {
                let space: cachex::Space = space(file.parameters())?;
                Ok(Self { game: CACHEX, held: stored(file, space)? })
            }
            other => Err(failed(&format!("a table of `{}`: cover and cachex are known", head(other)))),
        }
    }

    /// Solves a table in memory.
    ///
    /// Args:
    ///     game: `cover` or `cachex`.
    ///     size: 1 to 10 for Cover, 3 or 4 for Cachex.
    ///     stones: the largest numbers of stones of the two sides of Cover.
    ///     threads: the number of threads.
    ///     memory: the largest number of bytes; 1 GiB unless given. With little memory a table takes longer.
    ///
    /// Raises:
    ///     ValueError: for a table that does not exist, and for a table that needs more memory.
    #[staticmethod]
    #[pyo3(signature = (game, size, *, stones="1v1", threads=1, memory=1 << 30))]
    fn solve(
        py: Python<'_>,
        game: &str,
        #[pyo3(from_py_with = number)] size: u8,
        stones: &str,
        #[pyo3(from_py_with = number)] threads: usize,
        #[pyo3(from_py_with = number)] memory: usize,
    ) -> PyResult<Self> {
        if !(1..=256).contains(&threads) {
            return Err(refused(format!("{threads} threads: 1 to 256")));
        }
        let options = Options { threads, bytes: Some(memory) };
        match game {
            COVER => {
                let text = format!("size {size}, {stones}, four");
                // A number takes two bytes at least, and the lists of boards come to that.
                let limits = cover::SpaceLimits { numbers: memory as u64 / 2, bytes: memory as u64 };
                let space = cover::Space::parse_within(&text, limits).map_err(|error| match error {
                    error @ cover::SpaceError::Numbers { .. } => {
                        refused(format!("{error}, two bytes each, and the limit is {memory} bytes"))
                    }
                    error => refused(error),
                })?;
                let left = memory.saturating_sub(space.bytes() as usize);
                Ok(Self { game: COVER, held: solved(py, space, Options { bytes: Some(left), ..options })? })
            }
            CACHEX => {
                let space: cachex::Space = space(&format!("size {size}"))?;
                Ok(Self { game: CACHEX, held: solved(py, space, options)? })
            }
            other => Err(refused(format!("no tables of `{}`: cover and cachex", head(other)))),
        }
    }

    /// The name of the game.
    #[getter]
    const fn game(&self) -> &'static str {
        self.game
    }

    /// The size and the rules of the table, in words.
    #[getter]
    fn parameters(&self) -> String {
        self.held.parameters()
    }

    /// The value of the board's position; `None` for a position outside the table.
    ///
    /// Raises:
    ///     ValueError: for another game, and for a damaged block of the file.
    fn probe(&self, board: &Bound<'_, Board>) -> PyResult<Option<Value>> {
        self.held.probe(&board.try_borrow()?.position()).map_err(refused)
    }

    /// The values of the moves whose positions are in the table, the best first.
    ///
    /// Returns:
    ///     a dictionary from `Move` to `Value`; a string is a key, too.
    fn replies<'py>(&self, board: &Bound<'py, Board>) -> PyResult<Bound<'py, PyDict>> {
        let (py, board) = (board.py(), board.try_borrow()?);
        let found = PyDict::new(py);
        for (number, value) in self.held.replies(&board.position()).map_err(refused)? {
            found.set_item::<Move, Value>(board.named(number), value)?;
        }
        Ok(found)
    }

    fn __len__(&self) -> usize {
        self.held.len() as usize
    }

    fn __repr__(&self) -> String {
        format!("<Table {} {}: {} numbers>", self.game, self.held.parameters(), self.held.len())
    }
}
