//! Errors, JSON and the registry, as Python has them.

use std::fmt::Display;
use std::sync::OnceLock;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use serde::Serialize;
use stonework_session::{Description, GameType, Registry};

/// A `ValueError` with the sentence of a refusal.
pub(crate) fn refused(what: impl Display) -> PyErr {
    PyValueError::new_err(what.to_string())
}

/// A value of Rust as lists, dictionaries, strings and numbers of Python.
pub(crate) fn plain<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(refused)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// The JSON text of an argument: a string as it is, another value as `json.dumps` writes it.
pub(crate) fn json_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => value.py().import("json")?.call_method1("dumps", (value,))?.extract(),
    }
}

/// The games of this process.
static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// The games with their players: the three of Stonework, unless [`set_registry`] was called before.
pub(crate) fn registry() -> &'static Registry {
    REGISTRY.get_or_init(Registry::standard)
}

/// Sets the games. `false` if they are set already.
pub(crate) fn set_registry(registry: Registry) -> bool {
    REGISTRY.set(registry).is_ok()
}

/// The game of a name.
pub(crate) fn game(name: &str) -> PyResult<&'static GameType> {
    registry().game(name).map_err(refused)
}

/// The number of the side with a name: 0 for the side that moves first.
pub(crate) fn side(game: &Description, name: &str) -> PyResult<stonework_game::Player> {
    let [first, second] = game.sides;
    let fault =
        || refused(format!("`{}` is no side: `{first}` or `{second}`", stonework_game::text::head(name)));
    game.player(name).ok_or_else(fault)
}

/// Numbers as a list of Python. Python itself makes a list of `bytes`, at half the cost of a call for each number; so the numbers before
/// the first one above 255 go that way.
pub(crate) fn list_of<'py>(py: Python<'py>, numbers: &[u32]) -> PyResult<Bound<'py, PyList>> {
    let small = numbers.iter().position(|&number| number > 255).unwrap_or(numbers.len());
    let bytes: Vec<u8> = numbers[..small].iter().map(|&number| number as u8).collect();
    let list = py.get_type::<PyList>().call1((PyBytes::new(py, &bytes),))?.cast_into::<PyList>()?;
    numbers[small..].iter().try_for_each(|number| list.append(number))?;
    Ok(list)
}

/// A whole number, from any Python object that is one.
pub(crate) fn whole(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    value.extract::<i64>().map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            refused(format!("the number {value} has more than 64 bits"))
        } else if error.is_instance_of::<PyTypeError>(value.py()) {
            let kind = value.get_type();
            PyTypeError::new_err(format!("a move is a string, a Move or an action number, not {kind}"))
        } else {
            // An exception of the object's own `__index__`.
            error
        }
    })
}

/// A type of whole numbers of arguments, with its range.
pub(crate) trait Ranged: for<'py> FromPyObjectOwned<'py, Error = PyErr> {
    const RANGE: (i128, i128);
}

macro_rules! ranged {
    ($($number:ty),*) => {
        $(impl Ranged for $number {
            const RANGE: (i128, i128) = (<$number>::MIN as i128, <$number>::MAX as i128);
        })*
    };
}

ranged!(u8, u32, u64, usize, i64);

/// A whole number of an argument. A number beyond the type is a `ValueError` with the number and the range; without this
/// function it would be an `OverflowError` with neither.
pub(crate) fn number<T: Ranged>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    value.extract::<T>().map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            let (least, most) = T::RANGE;
            refused(format!("the number {value} is not from {least} to {most}"))
        } else {
            error
        }
    })
}

/// As [`number`], or `None`.
pub(crate) fn optional<T: Ranged>(value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { number(value).map(Some) }
}

/// A list of numbers, each as [`number`], or `None`.
pub(crate) fn numbers<T: Ranged>(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<T>>> {
    if value.is_none() {
        return Ok(None);
    }
    value.try_iter()?.map(|one| number(&one?)).collect::<PyResult<_>>().map(Some)
}
