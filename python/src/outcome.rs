//! [`Outcome`]: the end of a game.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The end of a game.
///
/// Attributes:
///     winner: the name of the side that has won; `None` for a draw.
///     kinds: the kinds of the end, all that the last move completed: in Havannah `ring`, `bridge`, `fork`; in Cachex
///         `connection`, `repetition` or `turn limit`; in Cover `homebase`, `last stone` or `no move`.
///     cells: for each kind the cells of a smallest chain that shows the win.
///     plies: the number of moves played.
#[pyclass(frozen, get_all, eq, hash, module = "stonework")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Outcome {
    pub(crate) winner: Option<String>,
    pub(crate) kinds: Kinds,
    pub(crate) cells: Cells,
    pub(crate) plies: usize,
}

/// Texts as a tuple.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Kinds(pub(crate) Vec<String>);

/// Lists of texts as a tuple of tuples.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cells(pub(crate) Vec<Vec<String>>);

impl<'py> IntoPyObject<'py> for Kinds {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0)
    }
}

impl<'py> IntoPyObject<'py> for Cells {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows: Vec<Bound<'_, PyTuple>> =
            self.0.into_iter().map(|row| PyTuple::new(py, row)).collect::<PyResult<_>>()?;
        PyTuple::new(py, rows)
    }
}

#[pymethods]
impl Outcome {
    fn __repr__(&self) -> String {
        let winner = self.winner.as_ref().map_or("None".to_owned(), |winner| format!("'{winner}'"));
        format!("Outcome(winner={winner}, kinds={:?}, plies={})", self.kinds.0, self.plies)
    }
}
