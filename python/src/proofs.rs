//! [`Proof`]: verified proofs of Havannah.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use stonework_board::{Cell, Notation};
use stonework_game::{ByPlayer, Outcome, Player, Textual};
use stonework_havannah::{Position, colour};
use stonework_havannah_solver::{Explorer, HavannahBook, HavannahRules, KnownValue, read_book};
use stonework_proof::{BookEntry, VerifyLimits, verify};
use stonework_search::Limits;

use crate::board::Board;
use crate::convert::{number, plain, refused};
use crate::moves::Move;
use crate::work::interruptible;

/// The exact value of a position.
///
/// Attributes:
///     winner: the name of the side that wins with best play, `draw`, or `None` if the value is unknown.
///     plies: an upper bound on the plies to the end of a won game; `None` for a draw.
///     reason: sentences that say why.
///     source: `proof`, `rules`, `solver`, `table` or `unknown`.
///     answers: the moves that reach the value.
#[pyclass(frozen, get_all, eq, module = "stonework")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) winner: Option<String>,
    pub(crate) plies: Option<u32>,
    pub(crate) reason: String,
    pub(crate) source: String,
    pub(crate) answers: Vec<String>,
}

#[pymethods]
impl Value {
    fn __repr__(&self) -> String {
        let plies = self.plies.map(|plies| format!(", {plies} plies")).unwrap_or_default();
        format!("<Value {}{plies} ({})>", self.winner.as_deref().unwrap_or("unknown"), self.source)
    }
}

/// A file that ends with an error when a flag is set.
struct Stoppable<R>(R, Arc<AtomicBool>);

impl<R: Read> Read for Stoppable<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.1.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        self.0.read(bytes)
    }
}

/// A proof of Havannah that has been read and verified.
///
/// `Proof.open(path)` reads a file that `stonework solve --proof` has written. Reading checks every record of the file; a
/// `Proof` object therefore exists for a proof that holds.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct Proof {
    path: PathBuf,
    book: Arc<HavannahBook>,
}

fn outcome_name(outcome: Outcome) -> &'static str {
    outcome.winner().map_or("draw", colour)
}

impl Proof {
    /// The explorer of a board's position.
    fn explorer(&self, board: &Board, nodes: u64) -> PyResult<(Explorer<'_>, Notation)> {
        let position = board.position();
        let game = board.game.name;
        let position = position.downcast_ref::<Position>();
        let position =
            position.ok_or_else(|| refused(format!("a proof of Havannah, and a board of {game}")))?;
        let notation = Notation::ALL.get(board.notation).copied().unwrap_or_default();
        let explorer = Explorer::new(&self.book, position.clone(), Limits::none().nodes(nodes), 1);
        Ok((
            explorer.map_err(|why| refused(format!("a proof cannot be explored from here: {why}")))?,
            notation,
        ))
    }
}

/// The sentences of the entries about a position.
fn sentences(entries: &[BookEntry<Cell>], name: &impl Fn(Cell) -> String) -> String {
    let players = ByPlayer::new(colour(Player::First), colour(Player::Second));
    let sentences = entries.iter().map(|entry| entry.named(&players, |&cell| name(cell)).to_string());
    sentences.collect::<Vec<_>>().join("; ")
}

fn value(known: &KnownValue, entries: &[BookEntry<Cell>], name: &impl Fn(Cell) -> String) -> Value {
    let reason = match (sentences(entries, name), known.value) {
        (text, _) if !text.is_empty() => text,
        (_, Some(_)) => "a search of the solver".to_owned(),
        (_, None) => "neither in the proof nor found by the solver".to_owned(),
    };
    Value {
        winner: known.value.map(|outcome| outcome_name(outcome).to_owned()),
        plies: known.plies,
        reason,
        source: known.source.name().to_owned(),
        answers: known.answer.iter().map(|&cell| name(cell)).collect(),
    }
}

#[pymethods]
impl Proof {
    /// Reads and verifies a proof.
    ///
    /// Args:
    ///     path: the file.
    ///     memory: the largest number of bytes of the proof in memory; 1 GiB unless given.
    ///
    /// Raises:
    ///     OSError: if the file cannot be opened.
    ///     ValueError: for a proof that does not hold, with the place.
    #[staticmethod]
    #[pyo3(signature = (path, memory=1 << 30))]
    fn open(py: Python<'_>, path: PathBuf, #[pyo3(from_py_with = number)] memory: usize) -> PyResult<Self> {
        let cancel = Arc::new(AtomicBool::new(false));
        let file = BufReader::new(Stoppable(File::open(&path)?, Arc::clone(&cancel)));
        let book = interruptible(py, &cancel, move || read_book(file, memory))?;
        let book = book.map_err(|error| refused(format!("{}: {error}", path.display())))?;
        Ok(Self { path, book: Arc::new(book) })
    }

    /// Verifies the file once more, by the verifier that uses nothing but the rules and the file.
    ///
    /// Returns:
    ///     a dictionary: `claims` (a list of `root` and `claim`), `positions`, `records`.
    ///
    /// Raises:
    ///     ValueError: for a proof that does not hold, with the place.
    fn verify<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let cancel = Arc::new(AtomicBool::new(false));
        let file = BufReader::new(Stoppable(File::open(&self.path)?, Arc::clone(&cancel)));
        let checked = interruptible(py, &cancel, move || {
            verify::<Position, _>("havannah", &HavannahRules, file, &VerifyLimits::default())
        })?;
        let checked = checked.map_err(|error| refused(format!("{}: {error}", self.path.display())))?;
        let claims: Vec<_> = checked
            .claims
            .iter()
            .map(|(root, claim)| json!({ "root": root.position_text(), "claim": claim.to_string() }))
            .collect();
        plain(py, &json!({ "claims": claims, "positions": checked.positions, "records": checked.records }))
    }

    /// The number of claims.
    #[getter]
    fn claims(&self) -> usize {
        self.book.verified().claims.len()
    }

    /// The value of the board's position; `None` if the proof does not have it.
    ///
    /// Raises:
    ///     ValueError: for another game, a board above size 10 (above 6 if the proof is about smaller boards), and while a swap is possible.
    fn value(&self, board: &Bound<'_, Board>) -> PyResult<Option<Value>> {
        let board = board.try_borrow()?;
        let (mut explorer, notation) = self.explorer(&board, 1)?;
        let cells = explorer.start().board();
        let name = |cell| notation.name_of(cells, cell).unwrap_or_default();
        let entries = explorer.walk_mut().entries();
        Ok(KnownValue::from_proof(&entries).map(|known| value(&known, &entries, &name)))
    }

    /// The values of all moves of the board's position, with the reason of each.
    ///
    /// Args:
    ///     nodes: the positions that the solver may visit for all values that the proof lacks together.
    ///
    /// Returns:
    ///     a dictionary from `Move` to `Value`; a string is a key, too.
    ///
    /// Raises:
    ///     ValueError: as `value`.
    #[pyo3(signature = (board, nodes=100_000))]
    fn values<'py>(
        &self,
        board: &Bound<'py, Board>,
        #[pyo3(from_py_with = number)] nodes: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = board.py();
        let board = board.try_borrow()?;
        let (explorer, notation) = self.explorer(&board, 1)?;
        let start = explorer.start().clone();
        let cells = start.board();
        let (book, position) = (Arc::clone(&self.book), start.clone());
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().nodes(nodes).cancel(Arc::clone(&cancel));
        let found = interruptible(py, &cancel, move || {
            let mut explorer = Explorer::new(&book, position, limits, 1).map_err(|why| why.to_string())?;
            Ok::<_, String>((explorer.walk_mut().replies(), explorer.values()))
        })?;
        let (replies, values) = found.map_err(refused)?;
        let name = |cell| notation.name_of(cells, cell).unwrap_or_default();
        let found = PyDict::new(py);
        for ((cell, known), (_, entries)) in values.iter().zip(&replies) {
            let mv = Move { text: name(*cell), action: Some(board.outward(cell.index() as u32)) };
            found.set_item(mv, value(known, entries, &name))?;
        }
        Ok(found)
    }

    /// The longest game that the proof allows from the board's position.
    fn line(&self, board: &Bound<'_, Board>) -> PyResult<Vec<String>> {
        let board = board.try_borrow()?;
        let (mut explorer, notation) = self.explorer(&board, 1)?;
        let cells = explorer.start().board();
        let line = explorer.walk_mut().longest();
        Ok(line.into_iter().map(|cell| notation.name_of(cells, cell).unwrap_or_default()).collect())
    }

    fn __repr__(&self) -> String {
        format!(
            "<Proof {}: {} claims, {} positions>",
            self.path.display(),
            self.claims(),
            self.book.positions()
        )
    }
}
