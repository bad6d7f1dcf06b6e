//! [`Engine`]: the players of the rosters, and their searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use stonework_roster::{Clock, Decision, PlayerConfig, PlayerSpec};
use stonework_search::Limits;
use stonework_session::{Analysis, Fault, Search, Session};

use crate::board::Board;
use crate::convert::{optional, plain, refused};
use crate::moves::Move;
use crate::work::{Inbox, interruptible, receive, start};

/// One of the best moves with the moves that follow.
///
/// Attributes:
///     moves: the moves in order.
///     value: the value for the side to move, as `Report.value`.
///     visits: the number of visits of the first move; only from a Monte-Carlo search.
#[pyclass(frozen, get_all, eq, module = "stonework")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReportLine {
    moves: Vec<String>,
    value: i32,
    visits: Option<u64>,
}

#[pymethods]
impl ReportLine {
    fn __repr__(&self) -> String {
        format!("<ReportLine {} {}>", self.value, self.moves.join(" "))
    }
}

/// The findings of a search.
///
/// Attributes:
///     best: the best move; `None` if the game is over, or if the search has found no move.
///     value: the value for the side to move, in the units of the evaluator, or in thousandths of a mean result. A proven win
///         or loss has the value ±(1 000 000 − plies).
///     outcome: the name of the side that wins with best play, or `draw`; `None` unless proven.
///     lines: the best moves with the moves that follow, the best line first.
///     nodes, simulations: the numbers of positions visited and of simulations made.
///     depth: the plies of the last finished iteration.
///     seconds: the time.
///     stopped: the limit that has ended the search; `None` while it goes on, and for a search that was finished.
#[pyclass(frozen, get_all, eq, module = "stonework")]
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Report {
    best: Option<Move>,
    value: i32,
    outcome: Option<String>,
    lines: Vec<ReportLine>,
    nodes: u64,
    simulations: u64,
    depth: u32,
    seconds: f64,
    stopped: Option<String>,
}

impl PartialEq for Move {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl From<Analysis> for Report {
    fn from(analysis: Analysis) -> Self {
        let Analysis { best, value, outcome, lines, nodes, simulations, depth, seconds, stopped } = analysis;
        let best = best.map(|text| Move { text, action: None });
        let line = |line: stonework_session::AnalysisLine| ReportLine {
            moves: line.moves,
            value: line.value,
            visits: line.visits,
        };
        let lines = lines.into_iter().map(line).collect();
        Self { best, value, outcome, lines, nodes, simulations, depth, seconds, stopped }
    }
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        let best = self.best.as_ref().map_or("none", |mv| &mv.text);
        let outcome = self.outcome.as_ref().map(|outcome| format!(", {outcome}")).unwrap_or_default();
        format!("<Report {best} {}{outcome}, {} nodes, {:.1} s>", self.value, self.nodes, self.seconds)
    }
}

/// A player of a roster, with limits for each move.
///
/// Args:
///     name: a player as `NAME` or `NAME:OPTION=VALUE,…`, such as `mcts` or `mcts:rave=500`; `players(game)` lists them. The
///         usual player of the board's game unless given.
///     seconds, nodes, simulations, depth: limits; the first that is reached ends the search. Every player keeps `seconds` and
///         `nodes`. At least one limit must end the search.
///     memory: bytes for tables and trees; 256 MiB unless given.
///     threads: 1 to 256, for players that can use several.
///     seed: the seed of all random choices.
///     lines: the number of lines of a report, for players with a parameter `lines`.
///
/// Searches run without the interpreter's lock, and Ctrl-C ends them within 50 ms. A copy by `pickle`, for another process, has the same
/// options.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct Engine {
    search: Search,
}

/// The limits of a search for a player that only plays.
fn limits(search: &Search, cancel: Arc<AtomicBool>) -> Result<Limits, Fault> {
    const DAY: f64 = 86_400.0;
    let time = match search.seconds {
        None => None,
        Some(seconds) if (0.0..=DAY).contains(&seconds) => Some(Duration::from_secs_f64(seconds)),
        Some(other) => return Err(Fault::new("search", format!("{other} seconds: 0 to {DAY}"))),
    };
    let Search { nodes, simulations, depth, .. } = *search;
    let limits = Limits::none().bytes(search.bytes.unwrap_or(256 << 20)).cancel(cancel);
    Ok(Limits { time, nodes, simulations, depth, ..limits })
}

/// The decision of a player: the name of a move, or `None` for a resignation.
fn decide(session: &Session, search: &Search) -> Result<Option<String>, Fault> {
    let refuse = |what: &dyn ToString| Fault::new("search", what.to_string());
    let (game, limits) = (session.game(), limits(search, session.canceller())?);
    let text = search.engine.as_deref().unwrap_or(game.usual_player());
    let spec: PlayerSpec = text.parse().map_err(|error| refuse(&error))?;
    let (spec, limits) = spec.limited(&limits).map_err(|error| refuse(&error))?;
    let threads = search.threads.unwrap_or(1);
    if !(1..=256).contains(&threads) {
        return Err(refuse(&format!("{threads} threads: 1 to 256")));
    }
    let config = PlayerConfig { limits, threads, seed: search.seed.unwrap_or(1) };
    let mut agent = spec.agent(game.roster(), &config).map_err(|error| refuse(&error))?;
    // A fixed depth is among the options of an engine.
    if !spec.is_limited() && !game.roster().entry(&spec.name).is_some_and(|entry| entry.ends(&config.limits))
    {
        let what = format!("{} would never end: no limit that it keeps, such as seconds or nodes", spec.name);
        return Err(refuse(&what));
    }
    match agent.decide(session.position(), &Clock::NONE) {
        Some(Decision::Play(mv)) => Ok(Some(session.text_of(mv))),
        Some(Decision::Resign) => Ok(None),
        None => Err(Fault::new("over", format!("the game is over: {}", session.position().standing()))),
    }
}

impl Engine {
    fn search(&self, lines: Option<u32>) -> Search {
        Search { lines: lines.or(self.search.lines), ..self.search.clone() }
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (name=None, *, seconds=None, nodes=None, simulations=None, depth=None, memory=None, threads=None, seed=None, lines=None))]
    #[expect(clippy::too_many_arguments, reason = "Python's keywords")]
    fn new(
        name: Option<String>,
        seconds: Option<f64>,
        #[pyo3(from_py_with = optional)] nodes: Option<u64>,
        #[pyo3(from_py_with = optional)] simulations: Option<u64>,
        #[pyo3(from_py_with = optional)] depth: Option<u32>,
        #[pyo3(from_py_with = optional)] memory: Option<usize>,
        #[pyo3(from_py_with = optional)] threads: Option<usize>,
        #[pyo3(from_py_with = optional)] seed: Option<u64>,
        #[pyo3(from_py_with = optional)] lines: Option<u32>,
    ) -> PyResult<Self> {
        if let Some(text) = &name {
            text.parse::<PlayerSpec>().map_err(refused)?;
        }
        let search =
            Search { engine: name, seconds, nodes, simulations, depth, bytes: memory, threads, seed, lines };
        Ok(Self { search })
    }

    /// The player's move in the board's position. The board does not change.
    ///
    /// Returns:
    ///     the move; `None` if the player resigns.
    ///
    /// Raises:
    ///     ValueError: for an unknown player or option, for limits that would never end the search, and after the end of the game.
    fn play(&self, py: Python<'_>, board: &Bound<'_, Board>) -> PyResult<Option<Move>> {
        let session = board.try_borrow()?.session()?;
        let (search, cancel) = (self.search.clone(), session.canceller());
        let decided = interruptible(py, &cancel, move || decide(&session, &search))?.map_err(refused)?;
        let board = board.try_borrow()?;
        decided
            .map(|text| board.line.read(&text, board.notation).map(|n| board.named(n)).map_err(refused))
            .transpose()
    }

    /// Searches the board's position.
    ///
    /// Args:
    ///     lines: the number of lines of the report.
    ///
    /// Raises:
    ///     ValueError: as `play`, and for a player that is no engine.
    #[pyo3(signature = (board, lines=None))]
    fn analyse(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        #[pyo3(from_py_with = optional)] lines: Option<u32>,
    ) -> PyResult<Report> {
        let session = board.try_borrow()?.session()?;
        let (search, cancel) = (self.search(lines), session.canceller());
        let found = interruptible(py, &cancel, move || session.search(&search, &mut |_| {}))?;
        found.map(Report::from).map_err(refused)
    }

    /// Searches the board's position, and iterates over the findings so far; the last report is the final one.
    ///
    /// The search runs while the iterator lives; `close()`, the end of a `with` block or the end of the iterator's life stop it.
    ///
    /// Raises:
    ///     ValueError: as `analyse`, at the first step.
    #[pyo3(signature = (board, lines=None))]
    fn watch(
        &self,
        board: &Bound<'_, Board>,
        #[pyo3(from_py_with = optional)] lines: Option<u32>,
    ) -> PyResult<Watch> {
        let session = board.try_borrow()?.session()?;
        let (search, cancel) = (self.search(lines), session.canceller());
        let (outbox, inbox) = Inbox::new();
        start(Box::new(move || {
            // A reader that is slow misses findings and never the last ones.
            let found = session.search(&search, &mut |found| outbox.send(Ok(found.clone()), WAITING));
            outbox.send(found, usize::MAX);
        }))?;
        Ok(Watch { inbox: Mutex::new(Some(inbox)), cancel })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((Option<String>,), Bound<'py, PyDict>)> {
        let Search { engine, seconds, nodes, simulations, depth, bytes, threads, seed, lines } = &self.search;
        let options = PyDict::new(py);
        options.set_item("seconds", seconds)?;
        options.set_item("nodes", nodes)?;
        options.set_item("simulations", simulations)?;
        options.set_item("depth", depth)?;
        options.set_item("memory", bytes)?;
        options.set_item("threads", threads)?;
        options.set_item("seed", seed)?;
        options.set_item("lines", lines)?;
        Ok(((engine.clone(),), options))
    }

    fn __repr__(&self) -> String {
        let Search { engine, seconds, nodes, simulations, depth, .. } = &self.search;
        let limit = |name: &str, value: Option<String>| {
            value.map(|value| format!(", {name}={value}")).unwrap_or_default()
        };
        format!(
            "<Engine {}{}{}{}{}>",
            engine.as_deref().unwrap_or("usual player"),
            limit("seconds", seconds.map(|value| value.to_string())),
            limit("nodes", nodes.map(|value| value.to_string())),
            limit("simulations", simulations.map(|value| value.to_string())),
            limit("depth", depth.map(|value| value.to_string())),
        )
    }
}

/// The most findings that wait for a slow reader.
const WAITING: usize = 64;

/// The reports of a search, or the refusal.
type Reports = Inbox<Result<Analysis, Fault>>;

/// The findings of a running search, one report after another.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct Watch {
    inbox: Mutex<Option<Arc<Reports>>>,
    cancel: Arc<AtomicBool>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

#[pymethods]
impl Watch {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        let inbox = self.inbox.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(inbox) = inbox else { return Ok(None) };
        receive(py, &inbox, &self.cancel)?.map(|found| found.map(Report::from).map_err(refused)).transpose()
    }

    /// Stops the search and ends the iteration.
    fn close(&self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        self.close();
    }
}

/// The players and engines of a game.
///
/// Returns:
///     a dictionary for each: `name`, `about`, `engine` (`True` if `analyse` takes it), and `options`, each with
///     `name`, `about`, `value`, `least`, `most` and `whole`.
///
/// Raises:
///     ValueError: if no game has the name.
#[pyfunction]
#[pyo3(signature = (game="havannah"))]
pub(crate) fn players<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyAny>> {
    let roster = crate::convert::game(game)?.roster();
    let option = |option: stonework_search::Parameter| {
        json!({
            "name": option.name,
            "about": option.about,
            "value": option.value,
            "least": option.least,
            "most": option.most,
            "whole": option.whole,
        })
    };
    let player = |entry: &stonework_roster::RosterEntry<_>| {
        let agent = roster.agent(entry.name(), &PlayerConfig::default());
        let options = agent.map(|agent| agent.parameters()).unwrap_or_default();
        json!({
            "name": entry.name(),
            "about": entry.about(),
            "engine": entry.is_engine(),
            "options": options.into_iter().map(option).collect::<Vec<_>>(),
        })
    };
    plain(py, &roster.entries().iter().map(player).collect::<Vec<_>>())
}
