//! [`LegalMoves`]: the legal moves of a board.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::board::Board;
use crate::moves::Move;

/// The legal moves of a board, in a fixed order: `in`, `len`, iteration and indices.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct LegalMoves {
    pub(crate) board: Py<Board>,
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.board.try_borrow(py)?.line.legal_count())
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.board.try_borrow(py)?.line.outcome().is_none())
    }

    fn __contains__(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.board.try_borrow(r#move.py())?.is_legal(r#move)
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Move> {
        let board = self.board.try_borrow(py)?;
        let legal = board.line.legal();
        let at = if index < 0 { index + legal.len() as isize } else { index };
        let number = usize::try_from(at).ok().and_then(|at| legal.get(at));
        let number = number.ok_or_else(|| {
            PyIndexError::new_err(format!("no legal move {index}: there are {}", legal.len()))
        })?;
        Ok(board.named(*number))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let board = self.board.try_borrow(py)?;
        let moves = PyTuple::new(py, board.all_named(&board.line.legal()))?;
        Ok(moves.try_iter()?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let board = self.board.try_borrow(py)?;
        let names: Vec<String> = board.all_named(&board.line.legal()).into_iter().map(|mv| mv.text).collect();
        Ok(format!("<LegalMoves {}: {}>", names.len(), names.join(" ")))
    }
}
