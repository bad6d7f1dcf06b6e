//! The Rust part of `import stonework`: boards, engines, proofs and pictures as Python classes.
//!
//! The module `stonework._stonework` has everything; the Python package `stonework` names it and adds the adapters to other
//! libraries. The rules, searches and formats are those of the Rust crates: this crate converts arguments and results.
//!
//! - Errors are `ValueError` with the sentence of the library; files that cannot be opened are `OSError`.
//! - Work that takes long runs in a thread without the interpreter's lock, and ends within milliseconds of Ctrl-C.

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

use pyo3::prelude::*;

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
