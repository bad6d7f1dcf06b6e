//! The Rust part of `import stonework`: boards, engines, proofs and pictures as Python classes.
//!
//! The module `stonework._stonework` has everything; the Python package `stonework` names it and adds the adapters to other
//! libraries. The rules, searches and formats are those of the Rust crates: this crate converts arguments and results.
//!
//! - Errors are `ValueError` with the sentence of the library; files that cannot be opened are `OSError`.
//! - Work that takes long runs in a thread without the interpreter's lock, and ends within milliseconds of Ctrl-C.
//!
//! A game of one's own gets the same classes by [`join`]; `own_game` beside this crate is an example.

mod board;
mod convert;
mod engine;
mod gtp;
mod legal;
mod matches;
mod moves;
mod numbers;
mod oracle;
mod outcome;
mod patterns;
mod pictures;
mod proofs;
mod records;
mod tables;
mod vector;
mod work;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use stonework_session::Registry;

/// Gives a Python module the classes and functions of `stonework._stonework`, for the games of a registry.
///
/// ```ignore
/// #[pymodule]
/// fn my_games(module: &Bound<'_, PyModule>) -> PyResult<()> {
///     stonework_python::join(module, my_registry())
/// }
/// ```
///
/// # Errors
/// `ImportError` if the module was joined before in this process.
pub fn join(module: &Bound<'_, PyModule>, registry: Registry) -> PyResult<()> {
    if !convert::set_registry(registry) {
        return Err(PyImportError::new_err("the games of this module are set already"));
    }
    let all = pyo3::wrap_pymodule!(_stonework)(module.py());
    for (name, value) in all.bind(module.py()).cast::<PyModule>()?.dict() {
        let name: String = name.extract()?;
        if !name.starts_with("__") {
            module.add(name, value)?;
        }
    }
    Ok(())
}

/// Boards, engines, proofs and pictures in Rust. The package `stonework` has the same names.
#[pymodule(gil_used = false)]
mod _stonework {
    #[pymodule_export]
    use super::board::{Board, games};
    #[pymodule_export]
    use super::engine::{Engine, Report, ReportLine, Watch, players};
    #[pymodule_export]
    use super::gtp::Gtp;
    #[pymodule_export]
    use super::legal::LegalMoves;
    #[pymodule_export]
    use super::matches::{MatchResult, play_match};
    #[pymodule_export]
    use super::moves::Move;
    #[pymodule_export]
    use super::oracle::{ask, conform};
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::patterns::Patterns;
    #[pymodule_export]
    use super::pictures::{draw, film};
    #[pymodule_export]
    use super::proofs::{Proof, Value};
    #[pymodule_export]
    use super::records::{Record, RecordNode};
    #[pymodule_export]
    use super::tables::Table;
    #[pymodule_export]
    use super::vector::{Vector, batch};
}
