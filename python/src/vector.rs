//! [`Vector`]: many boards that are stepped at once.

use numpy::ndarray::{Array1, Array2, Array4};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray4, PyReadonlyArray1, PyReadwriteArray2, PyReadwriteArray4,
};
use pyo3::prelude::*;
use rand_core::RngCore;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_board::Cell;
use stonework_game::{Outcome, Player};
use stonework_havannah::{PlayoutBoard, Position};
use stonework_session::{Described, Start};
use {stonework_cachex as cachex, stonework_cover as cover};

use crate::convert::{game, refused};
use crate::planes::{PLANES, Planar, hexagon_place};

/// One of the boards.
trait One: Send + Sync {
    fn actions(&self) -> usize;
    fn shape(&self) -> [usize; 3];
    fn restart(&mut self);
    fn is_legal(&self, action: usize) -> bool;
    fn play(&mut self, action: usize) -> Option<Outcome>;
    fn to_move(&self) -> Player;
    fn mark_legal(&self, mask: &mut [bool]);
    fn random(&self, rng: &mut Xoshiro256PlusPlus, moves: &mut Vec<u32>) -> u32;
    fn write(&self, out: &mut [f32]);
}

/// A board of any game by its rules.
struct Rules<G> {
    position: G,
    start: G,
    plies: u32,
    most: u32,
}

/// A number below `count`, each with the same chance but for one part in 2³² of it.
fn below(rng: &mut Xoshiro256PlusPlus, count: usize) -> usize {
    ((u64::from(rng.next_u32()) * count as u64) >> 32) as usize
}

impl<G: Planar> One for Rules<G> {
    fn actions(&self) -> usize {
        self.position.index_len()
    }

    fn shape(&self) -> [usize; 3] {
        self.position.shape()
    }

    fn restart(&mut self) {
        self.position = self.start.clone();
        self.plies = 0;
    }

    fn is_legal(&self, action: usize) -> bool {
        self.position.move_at(action).is_some_and(|mv| self.position.check(mv).is_ok())
    }

    fn play(&mut self, action: usize) -> Option<Outcome> {
        if let Some(mv) = self.position.move_at(action) {
            self.position.play_unchecked(mv);
        }
        self.plies += 1;
        self.position.outcome().or((self.plies >= self.most).then_some(Outcome::Draw))
    }

    fn to_move(&self) -> Player {
        self.position.to_move()
    }

    fn mark_legal(&self, mask: &mut [bool]) {
        for mv in self.position.moves() {
            mask[self.position.move_index(mv)] = true;
        }
    }

    fn random(&self, rng: &mut Xoshiro256PlusPlus, moves: &mut Vec<u32>) -> u32 {
        let legal = self.position.moves();
        moves.clear();
        moves.extend(legal.into_iter().map(|mv| self.position.move_index(mv) as u32));
        moves.get(below(rng, moves.len())).copied().unwrap_or_default()
    }

    fn write(&self, out: &mut [f32]) {
        self.position.write_planes(self.position.to_move(), out);
    }
}

/// All boards, without their type.
trait Many: Send + Sync {
    fn len(&self) -> usize;
    fn actions(&self) -> usize;
    fn shape(&self) -> [usize; 3];
    fn restart(&mut self);
    fn step(&mut self, actions: &[i64], rewards: &mut [f32], done: &mut [bool]) -> Result<(), String>;
    fn players(&self, out: &mut [i8]);
    fn masks(&self, out: &mut [bool]);
    fn planes(&self, out: &mut [f32]);
    fn random(&self, rng: &mut Xoshiro256PlusPlus, out: &mut [i64]);
}

impl<B: One> Many for Vec<B> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn actions(&self) -> usize {
        self[0].actions()
    }

    fn shape(&self) -> [usize; 3] {
        self[0].shape()
    }

    fn restart(&mut self) {
        self.iter_mut().for_each(B::restart);
    }

    fn step(&mut self, actions: &[i64], rewards: &mut [f32], done: &mut [bool]) -> Result<(), String> {
        for (at, (board, &action)) in self.iter().zip(actions).enumerate() {
            if !usize::try_from(action).is_ok_and(|action| board.is_legal(action)) {
                return Err(not_legal(at, action));
            }
        }
        for (at, (board, &action)) in self.iter_mut().zip(actions).enumerate() {
            let mover = board.to_move();
            let outcome = board.play(action as usize);
            rewards[at] = outcome.map_or(0.0, |outcome| outcome.value_for(mover) as f32);
            done[at] = outcome.is_some();
            if outcome.is_some() {
                board.restart();
            }
        }
        Ok(())
    }

    fn players(&self, out: &mut [i8]) {
        for (board, out) in self.iter().zip(out) {
            *out = board.to_move().index() as i8;
        }
    }

    fn masks(&self, out: &mut [bool]) {
        out.fill(false);
        for (board, mask) in self.iter().zip(out.chunks_exact_mut(self.actions())) {
            board.mark_legal(mask);
        }
    }

    fn planes(&self, out: &mut [f32]) {
        for (board, planes) in self.iter().zip(out.chunks_exact_mut(self.shape().iter().product())) {
            board.write(planes);
        }
    }

    fn random(&self, rng: &mut Xoshiro256PlusPlus, out: &mut [i64]) {
        let mut moves = Vec::new();
        for (board, out) in self.iter().zip(out) {
            *out = board.random(rng, &mut moves).into();
        }
    }
}

/// Boards of Havannah without swap, on the board of playouts, which is the fastest. Legality and random choices read the
/// bits of the empty cells, which stay in the processor's cache.
struct Hexagons {
    boards: Vec<PlayoutBoard>,
    /// The bits of the empty cells: `words` words for each board.
    empty: Vec<u64>,
    /// The bits of one board before the first move.
    fresh: Vec<u64>,
    /// The place of each cell in a plane.
    places: Vec<usize>,
    width: usize,
}

impl Hexagons {
    fn new(start: &Position, count: usize) -> Self {
        let cells = start.board();
        let mut fresh = vec![0_u64; cells.len().div_ceil(64)];
        for cell in cells.cells() {
            fresh[cell.index() / 64] |= 1 << (cell.index() % 64);
        }
        Self {
            boards: vec![PlayoutBoard::from(start); count],
            empty: fresh.repeat(count),
            places: cells.cells().map(|cell| hexagon_place(cells, cell)).collect(),
            width: 2 * usize::from(cells.size()) - 1,
            fresh,
        }
    }

    fn is_empty(&self, board: usize, cell: usize) -> bool {
        cell < self.places.len() && self.empty[board * self.fresh.len() + cell / 64] >> (cell % 64) & 1 != 0
    }
}

impl Many for Hexagons {
    fn len(&self) -> usize {
        self.boards.len()
    }

    fn actions(&self) -> usize {
        self.places.len() + 1
    }

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.width, self.width]
    }

    fn restart(&mut self) {
        self.boards.iter_mut().for_each(PlayoutBoard::reset);
        self.empty = self.fresh.repeat(self.boards.len());
    }

    fn step(&mut self, actions: &[i64], rewards: &mut [f32], done: &mut [bool]) -> Result<(), String> {
        for (at, &action) in actions.iter().enumerate() {
            if !usize::try_from(action).is_ok_and(|action| self.is_empty(at, action)) {
                return Err(not_legal(at, action));
            }
        }
        let words = self.fresh.len();
        for (at, (board, &action)) in self.boards.iter_mut().zip(actions).enumerate() {
            let (action, empty) = (action as usize, &mut self.empty[at * words..][..words]);
            empty[action / 64] &= !(1 << (action % 64));
            if let Some(cell) = Cell::new(action) {
                board.place(cell);
            }
            let outcome = board.outcome();
            // The side that moves never loses by its own stone.
            rewards[at] = if matches!(outcome, Some(Outcome::Win(_))) { 1.0 } else { 0.0 };
            done[at] = outcome.is_some();
            if outcome.is_some() {
                board.reset();
                empty.copy_from_slice(&self.fresh);
            }
        }
        Ok(())
    }

    fn players(&self, out: &mut [i8]) {
        for (board, out) in self.boards.iter().zip(out) {
            *out = board.to_move().index() as i8;
        }
    }

    fn masks(&self, out: &mut [bool]) {
        for (at, mask) in out.chunks_exact_mut(self.actions()).enumerate() {
            for (cell, legal) in mask.iter_mut().enumerate() {
                *legal = self.is_empty(at, cell);
            }
        }
    }

    fn planes(&self, out: &mut [f32]) {
        let area = self.width * self.width;
        for (board, out) in self.boards.iter().zip(out.chunks_exact_mut(PLANES * area)) {
            out.fill(0.0);
            let mover = board.to_move();
            for (cell, &place) in board.board().cells().zip(&self.places) {
                let plane = board.stone(cell).map_or(2, |side| usize::from(side != mover));
                out[plane * area + place] = 1.0;
            }
            out[3 * area..4 * area].fill(1.0);
        }
    }

    fn random(&self, rng: &mut Xoshiro256PlusPlus, out: &mut [i64]) {
        for (at, out) in out.iter_mut().enumerate() {
            // The next draw after a cell with a stone: few are needed, as random games leave a third of the cells empty.
            let mut drawn = below(rng, self.places.len());
            while !self.is_empty(at, drawn) {
                drawn = below(rng, self.places.len());
            }
            *out = drawn as i64;
        }
    }
}

fn not_legal(board: usize, action: i64) -> String {
    format!("board {board}: action {action} is not legal, and no board was stepped")
}

/// The most numbers of all planes together: 2³¹.
const MAX_NUMBERS: usize = 1 << 31;

fn rules<G: Planar>(start: &Start, count: usize) -> PyResult<Box<dyn Many>> {
    let position = G::start(start).map_err(refused)?;
    let most = G::DESCRIPTION.max_plies.unwrap_or(u32::MAX);
    fits(position.shape(), position.index_len(), count)?;
    let board = |_| Rules { position: position.clone(), start: position.clone(), plies: 0, most };
    Ok(Box::new((0..count).map(board).collect::<Vec<_>>()))
}

fn fits(shape: [usize; 3], actions: usize, count: usize) -> PyResult<()> {
    let numbers = shape.iter().product::<usize>().max(actions);
    if count == 0 || count > MAX_NUMBERS / numbers {
        return Err(refused(format!("{count} boards: 1 to {}", MAX_NUMBERS / numbers)));
    }
    Ok(())
}

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
    fn new(game: &str, size: Option<u64>, count: usize, swap: bool, seed: u64) -> PyResult<Self> {
        let description = self::game(game)?.description();
        let size = size.unwrap_or(description.usual_size.into());
        let start = Start { swap, ..Start::of_size(size) };
        let boards: Box<dyn Many> = match description.name {
            "havannah" if !swap => {
                let position = Position::start(&start).map_err(refused)?;
                let cells = position.board();
                fits(position.shape(), cells.len() + 1, count)?;
                Box::new(Hexagons::new(&position, count))
            }
            "havannah" => rules::<Position>(&start, count)?,
            "cachex" => rules::<cachex::Position>(&start, count)?,
            _ => rules::<cover::Position>(&start, count)?,
        };
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
            let fits = array.as_array().shape() == shape;
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
            let fits = array.as_array().shape() == shape;
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
    let [planes, rows, columns] = first.try_borrow()?.line.shape();
    let length = planes * rows * columns;
    let mut numbers = vec![0.0; boards.len() * length];
    for (at, (board, out)) in boards.iter().zip(numbers.chunks_exact_mut(length)).enumerate() {
        let board = board.try_borrow()?;
        if board.line.shape() != [planes, rows, columns] {
            let (other, first) = (board.line.shape(), [planes, rows, columns]);
            return Err(refused(format!("board {at} has planes of {other:?}, and board 0 of {first:?}")));
        }
        let of = board.perspective(perspective)?;
        board.line.planes(of, crate::planes::PlaneSlice::Float(out));
    }
    let shape = (boards.len(), planes, rows, columns);
    Ok(Array4::from_shape_vec(shape, numbers).map_err(refused)?.into_pyarray(py))
}
