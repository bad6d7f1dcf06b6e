//! [`Patterns`]: patterns of Havannah.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use serde_json::json;
use stonework_board::{Cell, Notation};
use stonework_files::{System, read_text};
use stonework_game::Game;
use stonework_havannah::{Move, Position};
use stonework_pattern as pattern;
use stonework_pattern::{Code, Reach, State};

use crate::board::Board;
use crate::convert::{plain, refused};

/// The largest number of bytes of a pattern file: 64 MiB.
const MAX_FILE: u64 = 64 << 20;

/// Compiled patterns of Havannah: answers to the last move.
///
/// Args:
///     text: patterns in the language of `docs/patterns.md`; the patterns that come with Stonework unless given.
///
/// Raises:
///     ValueError: with all faults of the text, each with its line and column.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct Patterns {
    patterns: pattern::Patterns,
}

#[pymethods]
impl Patterns {
    #[new]
    #[pyo3(signature = (text=None))]
    fn new(text: Option<&str>) -> PyResult<Self> {
        let patterns = match text {
            None => pattern::havannah().clone(),
            Some(text) => pattern::Patterns::compile(text).map_err(refused)?,
        };
        Ok(Self { patterns })
    }

    /// Compiles a file with the files that it includes.
    ///
    /// Raises:
    ///     ValueError: for a file that cannot be read, and with all faults of the patterns.
    #[staticmethod]
    fn open(path: PathBuf) -> PyResult<Self> {
        let read = |path: &Path| match read_text(&System, path, MAX_FILE) {
            Ok(text) => Ok(pattern::File { name: path.display().to_string(), text }),
            Err(error) => Err(error.to_string()),
        };
        let file = read(&path).map_err(|error| refused(format!("{}: {error}", path.display())))?;
        let patterns = pattern::Patterns::compile_file(file, &mut |from, name| {
            read(&Path::new(from).parent().unwrap_or(Path::new("")).join(name))
        });
        Ok(Self { patterns: patterns.map_err(refused)? })
    }

    /// The patterns: for each its `name` (`None` without one) and its `text`.
    #[getter]
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let described =
            |pattern: &pattern::Pattern| json!({ "name": pattern.name(), "text": pattern.to_string() });
        plain(py, &self.patterns.list().iter().map(described).collect::<Vec<_>>())
    }

    /// The pattern that answers the last move of a board of Havannah.
    ///
    /// Returns:
    ///     a dictionary: `name`, `text`, `cells` (the answers), `chance` (of 8), `weight`; `None` if no pattern matches.
    ///
    /// Raises:
    ///     ValueError: for another game, and without a last stone.
    fn find<'py>(&self, board: &Bound<'py, Board>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, board) = (board.py(), board.try_borrow()?);
        let position = board.position();
        let game = board.game.name;
        let Some(position) = position.downcast_ref::<Position>() else {
            return Err(refused(format!("patterns of Havannah, and a board of {game}")));
        };
        let last = board.line.moves_last().and_then(|number| {
            match stonework_game::Indexed::move_at(position, number as usize) {
                Some(Move::Place(cell)) => Some(cell),
                _ => None,
            }
        });
        let last = last.ok_or_else(|| refused("no last stone to answer: play a move first"))?;
        let (cells, to_move) = (position.board(), position.to_move());
        let code = Code::at(cells, last, Reach::Thirty, |cell| match position.stone(cell) {
            None => State::Empty,
            Some(player) if player == to_move => State::Other,
            Some(_) => State::Mover,
        });
        let Some(answer) = self.patterns.find(code) else { return Ok(None) };
        let found = &self.patterns.list()[answer.pattern];
        let notation = Notation::ALL.get(board.notation).copied().unwrap_or_default();
        let name = |cell: Cell| notation.name_of(cells, cell).unwrap_or_default();
        let names: Vec<String> = answer.cells_on(cells, last).map(name).collect();
        let object = json!({
            "name": found.name(),
            "text": found.to_string(),
            "cells": names,
            "chance": answer.chance,
            "weight": answer.weight,
        });
        plain(py, &object).map(Some)
    }

    fn __len__(&self) -> usize {
        self.patterns.list().len()
    }

    fn __repr__(&self) -> String {
        format!("<Patterns: {}>", self.patterns.list().len())
    }
}
