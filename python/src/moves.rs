//! [`Move`]: a move as a small object.

use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A move: its name, and its action number where a board has made it.
///
/// A string stands for a move everywhere, and a move equals the string of its name: `Move("e5") == "e5"`, with equal hashes.
///
/// Args:
///     text: the name, in the notation of the board that it is for.
///
/// Attributes:
///     text: the name.
///     action: the action number on the board that made the move; `None` for a move made from a name.
#[pyclass(frozen, module = "stonework", from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct Move {
    #[pyo3(get)]
    pub(crate) text: String,
    #[pyo3(get)]
    pub(crate) action: Option<u32>,
}

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (text, action=None))]
    const fn new(text: String, action: Option<u32>) -> Self {
        Self { text, action }
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.text)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.text).hash()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let order = if let Ok(other) = other.cast::<Self>() {
            self.text.cmp(&other.get().text)
        } else if let Ok(text) = other.cast::<PyString>() {
            self.text.as_str().cmp(text.to_str()?)
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(op.matches(order).into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, Option<u32>)) {
        (slf.get_type().into_any(), (slf.get().text.clone(), slf.get().action))
    }
}
