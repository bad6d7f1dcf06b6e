//! [`Board`]: a game of Havannah, Cachex or Cover.

mod inside;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple};
use stonework_game::Textual;
use stonework_game::text::head;
use stonework_python_boards::{Line, PlaneSlice};
use stonework_session::{AnyMove, Description, LayerBudget, PictureOptions, Start};

use crate::convert::{list_of, number, optional, plain, refused, registry, whole};
use crate::legal::LegalMoves;
use crate::moves::Move;
use crate::numbers::Numbers;
use crate::outcome::{Cells, Kinds, Outcome};
use crate::work::interruptible;
use inside::sequences;

/// A game: the first position, the moves played, and the present position.
///
/// `Havannah(8)`, `Cachex(9)` and `Cover(4)` make boards. Moves are strings, `Move` objects or action numbers, whichever the
/// caller has. The method that refuses a move raises `ValueError` with the broken rule, and leaves the board as it was.
///
/// Two boards are equal if they belong to one game and their present positions are equal; the way to the position does not
/// count unless a rule depends on it, as repetition does. `hash` follows `==`. A board changes with `push` and `pop`, and its
/// hash with it: put `board.copy()` into a set, and leave that copy alone.
#[pyclass(module = "stonework", weakref)]
pub(crate) struct Board {
    pub(crate) line: Box<dyn Line>,
    pub(crate) game: Description,
    pub(crate) notation: usize,
    /// The position that the game starts from, as text.
    start: Start,
    numbers: Option<Arc<Numbers>>,
}

#[pymethods]
impl Board {
    /// Makes a board; `Havannah`, `Cachex`, `Cover` and `game` are shorter.
    ///
    /// Args:
    ///     game: `havannah`, `cachex` or `cover`.
    ///     size: the size of the board; not needed with a `position` that has it.
    ///     swap: Havannah's right to swap.
    ///     position: a position as text, as `board.position` has it; the initial position unless given.
    ///     to_move: the side to move, if it is not the side that the position names.
    ///     notation: the notation of moves: `hgui`, `grid`, `rogers` or `web` for Havannah.
    ///     actions: the action numbers: `stonework`, or `open_spiel` for those of OpenSpiel's Havannah.
    ///
    /// Raises:
    ///     ValueError: with the offending value and the limits.
    #[new]
    #[pyo3(signature = (game, size=None, *, swap=false, position=None, to_move=None, notation=None, actions=None))]
    fn new(
        game: &str,
        #[pyo3(from_py_with = optional)] size: Option<i64>,
        swap: bool,
        position: Option<String>,
        to_move: Option<String>,
        notation: Option<&str>,
        actions: Option<&str>,
    ) -> PyResult<Self> {
        let sizes = crate::convert::game(game)?.description().sizes;
        let size = size.map(|size| {
            u64::try_from(size).map_err(|_| {
                refused(format!("no board of size {size}: sizes are {} to {}", sizes.0, sizes.1))
            })
        });
        Self::of(Start { size: size.transpose()?, position, to_move, swap }, game, notation, actions)
    }

    /// The name of the game: `havannah`, `cachex` or `cover`.
    #[getter]
    const fn game(&self) -> &'static str {
        self.game.name
    }

    /// The size of the board.
    #[getter]
    fn size(&self) -> u8 {
        self.start.size.unwrap_or_default() as u8
    }

    /// The names of the sides, the first player's first.
    #[getter]
    const fn sides(&self) -> (&'static str, &'static str) {
        (self.game.sides[0], self.game.sides[1])
    }

    /// The name of the side to move; after the end, the side whose turn it would be.
    #[getter]
    fn turn(&self) -> &'static str {
        self.name_of(self.line.to_move())
    }

    /// The number of the side to move: 0 for the side of the first move of a game, 1 for the other.
    #[getter]
    fn player(&self) -> usize {
        self.line.to_move().index()
    }

    /// The number of moves played on this board.
    #[getter]
    fn ply(&self) -> usize {
        self.line.len()
    }

    /// The name of the notation of moves; empty for a game with one notation.
    #[getter]
    fn notation(&self) -> &'static str {
        self.game.notations.get(self.notation).copied().unwrap_or_default()
    }

    /// The moves played, in order.
    #[getter(moves)]
    fn moves_played(&self) -> Vec<Move> {
        let names = self.line.names(self.notation).into_iter();
        names
            .zip(self.line.moves())
            .map(|(text, number)| Move { text, action: Some(self.outward(number)) })
            .collect()
    }

    /// The position as one line of text, which `position=` takes. In Cachex the text does not have the earlier boards, with which
    /// repetitions are counted; a pickle has.
    #[getter(position)]
    fn position_line(&self) -> String {
        self.position().position_text()
    }

    /// `True` after the end of the game.
    #[getter]
    fn is_over(&self) -> bool {
        self.line.outcome().is_some()
    }

    /// The number of action numbers: action numbers are from 0 to `action_count - 1`.
    ///
    /// Havannah and Cachex: the number of a cell, row by row, and at the end the swap or steal. Cover: 8 times the location
    /// plus the heading. With OpenSpiel's numbers: column + row × (2 size − 1), and a swap is the number of the first stone.
    #[getter]
    fn action_count(&self) -> usize {
        self.actions()
    }

    /// The names of the kinds of win that the game has.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.kinds)
    }

    /// Plays a move.
    ///
    /// Args:
    ///     move: a name, a `Move`, or an action number.
    ///
    /// Raises:
    ///     ValueError: for an illegal move; the board stays as it was.
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        if r#move.is_exact_instance_of::<PyInt>() {
            let number = self.inward(whole(r#move)?)?;
            return self.line.push(number).map_err(refused);
        }
        if let Ok(text) = r#move.cast::<PyString>() {
            return self.line.push_text(text.to_str()?, self.notation).map_err(refused);
        }
        if let Ok(mv) = r#move.cast::<Move>() {
            return self.line.push_text(&mv.get().text, self.notation).map_err(refused);
        }
        let number = self.inward(whole(r#move)?)?;
        self.line.push(number).map_err(refused)
    }

    /// Takes the last move back.
    ///
    /// Raises:
    ///     IndexError: if no move was played.
    fn pop(&mut self) -> PyResult<Move> {
        let number = self
            .line
            .moves_last()
            .ok_or_else(|| PyIndexError::new_err("no move to take back: 0 were played"))?;
        let action = self.outward(number);
        self.line.pop();
        let text = self.position().move_text_in(AnyMove(number), self.notation);
        Ok(Move { text, action: Some(action) })
    }

    /// Takes the last move back like `pop`, and returns nothing: the fast way back.
    ///
    /// Raises:
    ///     IndexError: if no move was played.
    fn undo(&mut self) -> PyResult<()> {
        self.line.pop().map(drop).ok_or_else(|| PyIndexError::new_err("no move to take back: 0 were played"))
    }

    /// Plays the moves of a list or of a text with spaces, all of them or none.
    ///
    /// Raises:
    ///     ValueError: for the first illegal move, with its number.
    fn push_all(slf: &Bound<'_, Self>, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        // The list is made before the board is taken: it may come from the board itself.
        let all: Vec<Bound<'_, PyAny>> = match moves.cast::<PyString>() {
            Ok(text) => {
                let game = slf.try_borrow()?.game;
                let words: Vec<&str> = game.words(text.to_str()?).collect();
                words.into_iter().map(|word| PyString::new(moves.py(), word).into_any()).collect()
            }
            Err(_) => moves.try_iter()?.collect::<PyResult<_>>()?,
        };
        let mut board = slf.try_borrow_mut()?;
        let played =
            all.iter().enumerate().try_for_each(|(at, mv)| board.push(mv).map_err(|error| (at, error)));
        let Err((at, error)) = played else { return Ok(()) };
        for _ in 0..at {
            board.line.pop();
        }
        drop(board);
        let py = moves.py();
        let type_is_wrong = error.is_instance_of::<PyTypeError>(py);
        if !(type_is_wrong || error.is_instance_of::<PyValueError>(py)) {
            return Err(error);
        }
        let (text, reason) = (all[at].str()?, error.value(py));
        let what = format!("move {} ({}): {reason}", at + 1, head(text.to_str()?));
        Err(if type_is_wrong { PyTypeError::new_err(what) } else { refused(what) })
    }

    /// The move of a name, a `Move` or an action number, legal or not.
    ///
    /// Raises:
    ///     ValueError: if there is no such move.
    fn parse(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Move> {
        let number = self.number(r#move)?;
        Ok(self.named(number))
    }

    /// `True` if a move is legal. A name or number without a move is not legal.
    pub(crate) fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.number(r#move) {
            Ok(number) => Ok(self.line.is_legal(number)),
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyValueError>(r#move.py()) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The legal moves: an object with `in`, `len` and iteration, which makes names only when it is asked for them.
    ///
    /// The object shows the board's present position, also after later moves.
    #[getter]
    fn legal_moves(slf: Bound<'_, Self>) -> LegalMoves {
        LegalMoves { board: slf.unbind() }
    }

    /// The action numbers of the legal moves, in the order of `legal_moves`.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut legal = self.line.legal();
        if self.numbers.is_some() {
            for number in &mut legal {
                *number = self.outward(*number);
            }
        }
        list_of(py, &legal)
    }

    /// The legal moves as a mask.
    ///
    /// Returns:
    ///     numpy bool, shape `(action_count,)`: `True` for legal moves. The memory is numpy's own; nothing is copied.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.actions()];
        for number in self.line.legal() {
            mask[self.outward(number) as usize] = true;
        }
        mask.into_pyarray(py)
    }

    /// The end of the game, with the kinds and the cells of the win; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.line.outcome()?;
        let state = self.position().state(self.notation, self.line.len());
        let winner = outcome.winner().map(|player| self.name_of(player).to_owned());
        let (kinds, cells) = (Kinds(state.how.unwrap_or_default()), Cells(state.cells.unwrap_or_default()));
        Some(Outcome { winner, kinds, cells, plies: self.line.len() })
    }

    /// The state in words: `white wins by ring`, `not over, black to move`.
    #[getter]
    fn standing(&self) -> String {
        self.position().standing()
    }

    /// The facts about the position as the JSON oracle tells them: `to_move`, `outcome`, `how`, `cells`, `winning_cells`,
    /// `can_win`, `board`, `key` and others.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.session()?.state())
    }

    /// The moves with which a side would win at once if it were to move.
    ///
    /// Args:
    ///     side: the name of a side; the side to move unless given.
    ///
    /// Raises:
    ///     ValueError: for another name, and in Cachex and Cover for the side that is not to move, if the rules cannot list its moves.
    #[pyo3(signature = (side=None))]
    fn threats(&self, side: Option<&str>) -> PyResult<Vec<Move>> {
        let player = side.map_or(Ok(self.line.to_move()), |name| crate::convert::side(&self.game, name))?;
        let moves = self.position().winning_moves(player).ok_or_else(|| {
            refused(format!(
                "{} is not to move: the rules of {} do not list its threats",
                self.name_of(player),
                self.game.name
            ))
        })?;
        Ok(self.all_named(&moves.into_iter().map(|mv| mv.0).collect::<Vec<_>>()))
    }

    /// The legal moves after which the opponent cannot win at once. Empty if every move loses at once; all legal moves if
    /// there is no threat. O(moves × cost of the threats).
    fn only_moves(&self) -> Vec<Move> {
        self.all_named(&self.line.only_moves())
    }

    /// The findings of layers about the position: sentences and marked cells.
    ///
    /// Args:
    ///     names: the names of layers, such as `threats`, `links`, `frames`; all layers of the game unless given.
    ///
    /// Raises:
    ///     ValueError: after the end of the game, and for another name.
    #[pyo3(signature = (*names))]
    fn layers<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let (position, notation) = (self.position(), self.notation);
        let found = py.detach(|| position.find_layers(&names, notation, &LayerBudget::default()));
        plain(py, &found.map_err(refused)?)
    }

    /// The names of the cells with a stone of a side.
    ///
    /// Raises:
    ///     ValueError: for another name, and for a game of one's own, which does not tell its stones.
    fn stones(&self, side: &str) -> PyResult<Vec<String>> {
        let stones = self.line.stones(crate::convert::side(&self.game, side)?, self.notation);
        stones.ok_or_else(|| refused(format!("the game {} does not tell its stones", self.game.name)))
    }

    /// The 64-bit key of the position. Equal positions have equal keys, in every version of a major release.
    fn key(&self) -> u64 {
        self.line.key()
    }

    /// The 64-bit key of the position and of all its images under the symmetries of the game.
    fn canonical(&self) -> u64 {
        self.line.canonical()
    }

    /// A board with the same game, which later moves on either board do not touch.
    fn copy(&self) -> Self {
        self.like(self.line.fork())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    /// The same game after its first moves.
    ///
    /// Args:
    ///     plies: a number from 0 to `board.ply`.
    ///
    /// Raises:
    ///     ValueError: for another number.
    fn at(&self, #[pyo3(from_py_with = number)] plies: i64) -> PyResult<Self> {
        let played = self.line.len();
        let plies = usize::try_from(plies).ok().filter(|&plies| plies <= played);
        let plies =
            plies.ok_or_else(|| refused(format!("no position after that many plies: 0 to {played}")))?;
        Ok(self.like(self.line.cut(plies)))
    }

    /// The same game with moves in another notation.
    ///
    /// Raises:
    ///     ValueError: if no notation of the game has the name, or if the notation does not fit the board.
    fn in_notation(&self, name: &str) -> PyResult<Self> {
        let notation = self.line.start().notation(Some(name)).map_err(refused)?;
        Ok(Self { notation, ..self.copy() })
    }

    /// The number of sequences of `depth` moves from here; a sequence that ends the game earlier does not count.
    ///
    /// Raises:
    ///     ValueError: for a depth above 64. Ctrl-C ends the count.
    #[pyo3(signature = (depth))]
    fn perft(&self, py: Python<'_>, #[pyo3(from_py_with = number)] depth: u32) -> PyResult<u64> {
        if depth > 64 {
            return Err(refused(format!("a depth of {depth}: at most 64")));
        }
        let (position, cancel) = (self.position(), Arc::<AtomicBool>::default());
        let flag = Arc::clone(&cancel);
        interruptible(py, &cancel, move || sequences(&position, depth, &flag))
    }

    /// The shape of `planes`: planes, rows, columns.
    ///
    /// Raises:
    ///     ValueError: for a game of one's own, which has no planes.
    #[getter]
    fn planes_shape(&self) -> PyResult<(usize, usize, usize)> {
        let [planes, rows, columns] = self.shape()?;
        Ok((planes, rows, columns))
    }

    /// The position as planes of 0 and 1.
    ///
    /// Args:
    ///     perspective: `mover`, or the name of a side.
    ///     dtype: `float32` or `uint8`.
    ///
    /// Returns:
    ///     numpy, shape `planes_shape`, which is `(5, rows, columns)`:
    ///     0 the stones of the perspective's side, 1 the stones of the other side, 2 the empty cells (in Cover: the locations that
    ///     touch no stone), 3 ones if the perspective's side is to move, 4 ones if a swap or steal is legal (in Cover: the
    ///     homebase that the side has to reach).
    ///     Havannah has (2 size − 1) × (2 size − 1) cells, row = number of the name, column = letter; the first three planes
    ///     from the first side are OpenSpiel's observation. Cachex has size × size, row r and column q. Cover has a row for
    ///     each letter and a column for each number.
    ///
    /// Raises:
    ///     ValueError: for another perspective or dtype, and for a game of one's own, which has no planes.
    #[pyo3(signature = (perspective="mover", dtype="float32"))]
    fn planes<'py>(&self, py: Python<'py>, perspective: &str, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.shape()?;
        let of = self.perspective(perspective)?;
        let (length, [planes, rows, columns]) = (shape.iter().product(), shape);
        let shaped = |error| refused(format!("planes: {error}"));
        match dtype {
            "float32" => {
                let mut out = vec![0.0_f32; length];
                self.line.planes(of, PlaneSlice::Float(&mut out));
                let array = Array3::from_shape_vec((planes, rows, columns), out).map_err(shaped)?;
                Ok(array.into_pyarray(py).into_any())
            }
            "uint8" => {
                let mut out = vec![0_u8; length];
                self.line.planes(of, PlaneSlice::Byte(&mut out));
                let array = Array3::from_shape_vec((planes, rows, columns), out).map_err(shaped)?;
                Ok(array.into_pyarray(py).into_any())
            }
            other => Err(refused(format!("no planes of `{}`: float32 or uint8", head(other)))),
        }
    }

    /// The game as SGF. A first position that was set up stands in the property `SWP`, which `Record` reads.
    ///
    /// Args:
    ///     players: the names of the players, the first player's first; an empty name is left out.
    ///
    /// Raises:
    ///     ValueError: if the game begins with a position with a history, such as earlier boards of Cachex, which no record has.
    #[pyo3(signature = (players=None))]
    fn record(&self, players: Option<(String, String)>) -> PyResult<String> {
        let (first, second) = players.unwrap_or_default();
        self.session()?.record([&first, &second]).map_err(refused)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        let options = PictureOptions { notation: self.notation, ..PictureOptions::default() };
        let picture = options.picture(&self.position(), &self.moves()).map_err(refused)?;
        Ok(picture.svg().unwrap_or_default())
    }

    fn __str__(&self) -> PyResult<String> {
        Ok(self.position().picture(&self.moves(), self.notation).map_err(refused)?.text())
    }

    fn __repr__(&self) -> String {
        let (game, size, ply) = (self.game.name, self.size(), self.line.len());
        format!("<Board {game} {size}, {ply} moves, {}>", self.standing())
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(self.line.equals(&*other.try_borrow()?.line))
    }

    fn __hash__(&self) -> u64 {
        self.line.key()
    }

    #[expect(clippy::type_complexity, reason = "the arguments of a call")]
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((&'static str, Option<u64>), Bound<'py, PyDict>)> {
        let fields = PyDict::new(py);
        fields.set_item("position", &self.start.position)?;
        fields.set_item("notation", self.game.notations.get(self.notation))?;
        fields.set_item("actions", self.numbers.as_ref().map(|_| "open_spiel"))?;
        Ok(((self.game.name, self.start.size), fields))
    }

    fn __getstate__(&self) -> Vec<u32> {
        self.line.moves()
    }

    fn __setstate__(&mut self, moves: Vec<u32>) -> PyResult<()> {
        let mut line = self.line.cut(0);
        moves.into_iter().try_for_each(|number| line.push(number)).map_err(refused)?;
        self.line = line;
        Ok(())
    }
}

/// The games: for each its name, sides, sizes, usual size, notations and kinds of win.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    plain(py, &registry().games().iter().map(stonework_session::GameType::description).collect::<Vec<_>>())
}
