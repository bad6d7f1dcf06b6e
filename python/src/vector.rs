//! [`Vector`]: many boards that are stepped at once.

use numpy::ndarray::{Array1, Array2, Array4};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray4, PyReadonlyArray1, PyReadwriteArray2, PyReadwriteArray4,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_python_boards::{Many, PlaneSlice, many};
use stonework_session::Start;

use crate::convert::{game, number, optional, refused};

/// Many boards of one game that are stepped at once, in one thread and without the interpreter's lock.
///
/// A board whose game has ended begins a new game in the same step. Action numbers are those of `Board`.
///
/// Args:
///     game, size, swap: the game; the usual size unless given.
///     count: the number of boards.
///     seed: the seed of `random_actions`.
///
/// Raises:
///     ValueError: for a game, size or number of boards that does not exist.
#[pyclass(module = "stonework")]
pub(crate) struct Vector {
    boards: Box<dyn Many>,
    rng: Xoshiro256PlusPlus,
    game: &'static str,
    size: u64,
}

/// A row-major slice of an array of the right shape.
fn fault(what: &str, shape: &[usize]) -> PyErr {
    refused(format!("{what}: an array of shape {shape:?}, contiguous in C order"))
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(signature = (game="havannah", size=None, count=1024, *, swap=false, seed=1))]
    fn new(
        game: &str,
        #[pyo3(from_py_with = optional)] size: Option<u64>,
        #[pyo3(from_py_with = number)] count: usize,
        swap: bool,
        #[pyo3(from_py_with = number)] seed: u64,
    ) -> PyResult<Self> {
        let description = self::game(game)?.description();
        let size = size.unwrap_or(description.usual_size.into());
        let start = Start { swap, ..Start::of_size(size) };
        let boards = many(description.name, &start, count).map_err(refused)?;
        Ok(Self { boards, rng: Xoshiro256PlusPlus::seed_from_u64(seed), game: description.name, size })
    }

    /// The name of the game.
    #[getter]
    const fn game(&self) -> &'static str {
        self.game
    }

    /// The size of the boards.
    #[getter]
    const fn size(&self) -> u64 {
        self.size
    }

    /// The number of action numbers.
    #[getter]
    fn action_count(&self) -> usize {
        self.boards.actions()
    }

    /// The shape of the planes of one board.
    #[getter]
    fn planes_shape(&self) -> (usize, usize, usize) {
        let [planes, rows, columns] = self.boards.shape();
        (planes, rows, columns)
    }

    /// Begins a new game on every board.
    fn reset(&mut self) {
        self.boards.restart();
    }

    /// Plays one move on every board.
    ///
    /// Args:
    ///     actions: int64, shape `(count,)`.
    ///
    /// Returns:
    ///     `rewards`, float32 `(count,)`: 1 where the move has won, −1 where it has lost, else 0; `done`, bool `(count,)`: where
    ///     the game has ended. A game of Cover ends as a draw after 1000 moves.
    ///
    /// Raises:
    ///     ValueError: for an action that is not legal, with the board; no board is stepped then.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>)> {
        let count = self.boards.len();
        let given = actions.as_slice().ok().filter(|given| given.len() == count);
        let given = given.ok_or_else(|| fault("actions", &[count]))?;
        let (mut rewards, mut done) = (Array1::zeros(count), Array1::from_elem(count, false));
        let (Some(to), Some(ends)) = (rewards.as_slice_mut(), done.as_slice_mut()) else {
            return Err(fault("actions", &[count]));
        };
        let boards = &mut self.boards;
        py.detach(|| boards.step(given, to, ends)).map_err(refused)?;
        Ok((rewards.into_pyarray(py), done.into_pyarray(py)))
    }

    /// The side to move of every board: int8, shape `(count,)`, 0 for the side of the first move.
    fn players<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut players = vec![0; self.boards.len()];
        self.boards.players(&mut players);
        players.into_pyarray(py)
    }

    /// The masks of legal actions: bool, shape `(count, action_count)`.
    ///
    /// Args:
    ///     out: an array of this shape to write to; a new one unless given.
    #[pyo3(signature = (out=None))]
    fn masks<'py>(
        &self,
        py: Python<'py>,
        out: Option<PyReadwriteArray2<'py, bool>>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let shape = [self.boards.len(), self.boards.actions()];
        let boards = &self.boards;
        if let Some(mut array) = out {
            // A slice is also given for Fortran order, in which the numbers would lie elsewhere.
            let fits = array.as_array().shape() == shape && array.is_c_contiguous();
            let to = array.as_slice_mut().ok().filter(|_| fits).ok_or_else(|| fault("out", &shape))?;
            py.detach(|| boards.masks(to));
            return Ok((**array).clone());
        }
        let mut masks = vec![false; shape[0] * shape[1]];
        py.detach(|| boards.masks(&mut masks));
        Ok(Array2::from_shape_vec(shape, masks).map_err(refused)?.into_pyarray(py))
    }

    /// The positions as planes, each from the side to move: float32, shape `(count, 5, rows, columns)`. `Board.planes` has the
    /// layout.
    ///
    /// Args:
    ///     out: an array of this shape to write to; a new one unless given.
    #[pyo3(signature = (out=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        out: Option<PyReadwriteArray4<'py, f32>>,
    ) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let [planes, rows, columns] = self.boards.shape();
        let shape = [self.boards.len(), planes, rows, columns];
        let boards = &self.boards;
        if let Some(mut array) = out {
            // A slice is also given for Fortran order, in which the numbers would lie elsewhere.
            let fits = array.as_array().shape() == shape && array.is_c_contiguous();
            let to = array.as_slice_mut().ok().filter(|_| fits).ok_or_else(|| fault("out", &shape))?;
            py.detach(|| boards.planes(to));
            return Ok((**array).clone());
        }
        let mut numbers = vec![0.0; shape.iter().product()];
        py.detach(|| boards.planes(&mut numbers));
        Ok(Array4::from_shape_vec(shape, numbers).map_err(refused)?.into_pyarray(py))
    }

    /// A random legal action for every board, each legal action with the same chance: int64, shape `(count,)`.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut actions = vec![0; self.boards.len()];
        let (boards, rng) = (&self.boards, &mut self.rng);
        py.detach(|| boards.random(rng, &mut actions));
        actions.into_pyarray(py)
    }

    fn __len__(&self) -> usize {
        self.boards.len()
    }

    fn __repr__(&self) -> String {
        format!("<Vector {} {}: {} boards>", self.game, self.size, self.boards.len())
    }
}

/// The planes of several boards of one game and size in one array. `batch` of the package is shorter.
#[pyfunction]
#[pyo3(signature = (boards, perspective="mover"))]
pub(crate) fn batch<'py>(
    py: Python<'py>,
    boards: Vec<Bound<'py, crate::board::Board>>,
    perspective: &str,
) -> PyResult<Bound<'py, PyArray4<f32>>> {
    let first = boards.first().ok_or_else(|| refused("no boards: a batch has at least one"))?;
    let [planes, rows, columns] = first.try_borrow()?.shape()?;
    let length = planes * rows * columns;
    let mut numbers = vec![0.0; boards.len() * length];
    for (at, (board, out)) in boards.iter().zip(numbers.chunks_exact_mut(length)).enumerate() {
        let board = board.try_borrow()?;
        let (other, first) = (board.shape()?, [planes, rows, columns]);
        if other != first {
            return Err(refused(format!("board {at} has planes of {other:?}, and board 0 of {first:?}")));
        }
        let of = board.perspective(perspective)?;
        board.line.planes(of, PlaneSlice::Float(out));
    }
    let shape = (boards.len(), planes, rows, columns);
    Ok(Array4::from_shape_vec(shape, numbers).map_err(refused)?.into_pyarray(py))
}
