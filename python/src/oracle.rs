//! The oracle in the process, and the test of rules that are written in Python.

use std::ops::ControlFlow;
use std::time::Duration;

use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use stonework_game::text::head;
use stonework_oracle::{Conformance, Query, QueryResult, answer, read_answer};

use crate::convert::{game, json_text, number, numbers, plain, refused};

/// The answer to one question as a line of JSON. `oracle` of the package takes and gives dictionaries.
///
/// Any text has an answer.
#[pyfunction]
pub(crate) fn ask(py: Python<'_>, line: &str) -> String {
    py.detach(|| answer(line))
}

/// The answer of a callable as the oracle's type. A dictionary without `ok` is an answer, unless it has an `error`.
fn read(answer: &Bound<'_, PyAny>) -> Result<QueryResult, String> {
    let text = json_text(answer).map_err(|error| format!("no JSON: {error}"))?;
    let mut object: Json = serde_json::from_str(&text).map_err(|error| format!("no JSON: {error}"))?;
    if let Some(fields) = object.as_object_mut() {
        let fine = !fields.contains_key("error");
        fields.entry("ok").or_insert(json!(fine));
    }
    read_answer(&object.to_string()).map(|(_, result)| result)
}

/// Compares rules in Python with Stonework's, move by move, and shrinks the first disagreement.
///
/// Args:
///     rules: a callable that takes a question and returns an answer, both dictionaries. A question has `game`, `size`,
///         `swap`, `moves`, and perhaps `position` and `to_move`. An answer has `to_move`, `outcome` (a side, `draw` or
///         `None`) and any other fields of the oracle; only the fields that are there are compared. For an illegal move the
///         answer is `{"error": {"kind": …, "at": INDEX}}`. `docs/oracle.md` has all fields.
///     game: the name of the game.
///     sizes: the sizes of boards; many unless given.
///     games: the number of random games for each size.
///     seed: the seed of the random games.
///     seconds: the longest time of shrinking.
///
/// Returns:
///     a dictionary: `ok`, `games`, `questions`, and `counterexample` (`None`, or `moves`, `size`, `what`, `expected`, `got`).
///
/// Raises:
///     ValueError: if no game has the name, for a size without a board, and if there is no game to compare. An exception of the callable is a disagreement; `KeyboardInterrupt` and
///     `SystemExit` end the comparison and are raised.
#[pyfunction]
#[pyo3(signature = (rules, game="havannah", *, sizes=None, games=100, seed=1, seconds=60.0))]
pub(crate) fn conform<'py>(
    rules: &Bound<'py, PyAny>,
    game: &str,
    #[pyo3(from_py_with = numbers)] sizes: Option<Vec<u8>>,
    #[pyo3(from_py_with = number)] games: u32,
    #[pyo3(from_py_with = number)] seed: u64,
    seconds: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let py = rules.py();
    let conformance = match game {
        "havannah" => Conformance::havannah(seed),
        "cachex" => Conformance::cachex(seed),
        "cover" => Conformance::cover(seed),
        other => return Err(refused(format!("no game `{}`: there is havannah, cachex, cover", head(other)))),
    };
    if !rules.is_callable() {
        return Err(PyTypeError::new_err(format!("the rules are a callable, not {}", rules.get_type())));
    }
    let conformance = match sizes {
        Some(sizes) => {
            let (least, most) = self::game(game)?.description().sizes;
            if let Some(size) = sizes.iter().find(|size| !(least..=most).contains(*size)) {
                return Err(refused(format!("no board of size {size}: sizes are {least} to {most}")));
            }
            conformance.sizes(sizes)
        }
        None => conformance,
    };
    let shrinking = Duration::try_from_secs_f64(seconds);
    let shrinking = shrinking.map_err(|_| refused(format!("{seconds} seconds of shrinking: 0 or more")))?;
    let raised = std::cell::RefCell::new(None);
    let mut subject = |query: &Query| -> Result<QueryResult, String> {
        if raised.borrow().is_some() {
            return Err("stopped".to_owned());
        }
        // A callable that is not written in Python does not look at signals itself.
        let asked = py.check_signals().and_then(|()| plain(py, query));
        match asked.and_then(|question| rules.call1((question,))) {
            Ok(answer) => read(&answer),
            Err(error) if error.is_instance_of::<PyException>(py) => {
                Err(format!("the callable raised {error}"))
            }
            Err(error) => {
                *raised.borrow_mut() = Some(error);
                Err("stopped".to_owned())
            }
        }
    };
    let report = conformance.random_games(games).shrink_for(shrinking).run_watched(&mut subject, |_| {
        if raised.borrow().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(error) = raised.into_inner() {
        return Err(error);
    }
    if report.games == 0 && report.counterexample.is_none() {
        return Err(refused("no games to compare: give more `games`, or sizes with printed games"));
    }
    let counterexample = report.counterexample.as_ref().map(|found| {
        let got = match &found.got {
            Ok(Ok(state)) => json!(state),
            Ok(Err(fault)) => json!({ "error": fault }),
            Err(failure) => json!({ "failure": failure }),
        };
        let expected = match &found.expected {
            Ok(state) => json!(state),
            Err(fault) => json!({ "error": fault }),
        };
        json!({
            "moves": found.game.moves,
            "size": found.game.size,
            "swap": found.game.swap,
            "what": found.what,
            "expected": expected,
            "got": got,
            "found_with": found.found_with,
        })
    });
    plain(
        py,
        &json!({
            "ok": counterexample.is_none(),
            "games": report.games,
            "questions": report.plies,
            "counterexample": counterexample,
        }),
    )
}
