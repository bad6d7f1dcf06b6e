//! The methods of [`Board`] for this crate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyString;
use stonework_game::text::head;
use stonework_game::{Game, Player, Textual};
use stonework_havannah as havannah;
use stonework_python_boards::{Line, line};
use stonework_session::{AnyMove, AnyPosition, Session, Start};

use super::Board;
use crate::convert::{game, refused, registry, side, whole};
use crate::moves::Move;
use crate::numbers::Numbers;

impl Board {
    pub(crate) fn of(
        start: Start,
        game_name: &str,
        notation: Option<&str>,
        numbers: Option<&str>,
    ) -> PyResult<Self> {
        let game = game(game_name)?;
        let line = line(game, &start).map_err(refused)?;
        let game = game.description();
        let position = line.start();
        let notation = position.notation(notation).map_err(refused)?;
        let numbers = match numbers {
            None | Some("stonework") => None,
            Some("open_spiel") => Some(Arc::new(Numbers::open_spiel(&position)?)),
            Some(other) => {
                return Err(refused(format!("no action numbers `{}`: stonework or open_spiel", head(other))));
            }
        };
        // The text has everything that later moves depend on, but not the history of Cachex before it: that is in the moves.
        let start =
            Start { position: Some(position.position_text()), ..Start::of_size(position.size().into()) };
        Ok(Self { line, game, notation, start, numbers })
    }

    /// A board of the same game after other moves, in the same notation.
    pub(crate) fn like(&self, line: Box<dyn Line>) -> Self {
        let (start, numbers) = (self.start.clone(), self.numbers.clone());
        Self { line, game: self.game, notation: self.notation, start, numbers }
    }

    /// The planes, rows and columns.
    pub(crate) fn shape(&self) -> PyResult<[usize; 3]> {
        let none = || refused(format!("the game {} has no planes", self.game.name));
        self.line.shape().ok_or_else(none)
    }

    /// The present position.
    pub(crate) fn position(&self) -> AnyPosition {
        self.line.position()
    }

    /// The moves played.
    pub(crate) fn moves(&self) -> Vec<AnyMove> {
        self.line.moves().into_iter().map(AnyMove).collect()
    }

    /// The game as a session, with a canceller of its own.
    pub(crate) fn session(&self) -> PyResult<Session> {
        let notation = self.game.notations.get(self.notation).copied();
        let session = Session::new(registry().clone(), self.game.name, &self.start, notation);
        let mut session = session.map_err(refused)?;
        session.play_all(&self.line.names(self.notation)).map_err(refused)?;
        Ok(session)
    }

    /// The number of a move by `Indexed`, from a string, a `Move` or an action number.
    pub(crate) fn number(&self, mv: &Bound<'_, PyAny>) -> PyResult<u32> {
        if let Ok(text) = mv.cast::<PyString>() {
            return self.line.read(text.to_str()?, self.notation).map_err(refused);
        }
        if let Ok(mv) = mv.cast::<Move>() {
            return self.line.read(&mv.get().text, self.notation).map_err(refused);
        }
        self.inward(whole(mv)?)
    }

    /// A move of the present position as an object.
    pub(crate) fn named(&self, number: u32) -> Move {
        let position = self.position();
        self.named_in(&position, number)
    }

    pub(super) fn named_in(&self, position: &AnyPosition, number: u32) -> Move {
        let text = position.move_text_in(AnyMove(number), self.notation);
        Move { text, action: Some(self.outward(number)) }
    }

    pub(crate) fn all_named(&self, numbers: &[u32]) -> Vec<Move> {
        let position = self.position();
        numbers.iter().map(|&number| self.named_in(&position, number)).collect()
    }

    /// The action number of a move in the caller's numbering.
    pub(crate) fn outward(&self, number: u32) -> u32 {
        let Some(numbers) = &self.numbers else { return number };
        match numbers.other.get(number as usize) {
            Some(&other) => other,
            // A swap: the number of the only stone, which does not change its cell.
            None => self.only_stone().map_or(number, |cell| numbers.other[cell]),
        }
    }

    pub(super) fn only_stone(&self) -> Option<usize> {
        let position = self.line.start();
        let first = self.line.moves().first().map(|&mv| mv as usize);
        let position = position.downcast_ref::<havannah::Position>()?;
        let stone = position.stones(Player::First).first().or(position.stones(Player::Second).first());
        stone.map(stonework_board::Cell::index).or(first)
    }

    /// The number by `Indexed` of an action number in the caller's numbering.
    pub(super) fn inward(&self, action: i64) -> PyResult<u32> {
        let len = self.actions();
        let fault = || refused(format!("no move has the number {action}: numbers are from 0 to {}", len - 1));
        let action =
            u32::try_from(action).ok().filter(|&action| (action as usize) < len).ok_or_else(fault)?;
        let Some(numbers) = &self.numbers else { return Ok(action) };
        let cell = numbers.own[action as usize].ok_or_else(fault)?;
        let swap = numbers.other.len() as u32;
        // A swap is the first or the second move after the start.
        let is_swap = self.line.len() < 2 && !self.line.is_legal(cell) && self.line.is_legal(swap);
        Ok(if is_swap { swap } else { cell })
    }

    /// The number of action numbers.
    pub(crate) fn actions(&self) -> usize {
        self.numbers.as_ref().map_or_else(|| self.line.index_len(), |numbers| numbers.own.len())
    }

    pub(crate) fn name_of(&self, player: Player) -> &'static str {
        self.game.side(player)
    }
}

impl Board {
    pub(crate) fn perspective(&self, name: &str) -> PyResult<Player> {
        if name == "mover" { Ok(self.line.to_move()) } else { side(&self.game, name) }
    }
}

/// The number of sequences of `depth` moves; a part of it once the flag is set. Looks at the flag before the last two moves of a
/// sequence. The recursion is as deep as `depth`.
pub(super) fn sequences(position: &AnyPosition, depth: u32, flag: &AtomicBool) -> u64 {
    if flag.load(Ordering::Relaxed) {
        return 0;
    }
    if depth <= 2 {
        let mut count = 0;
        position.perft(depth, &mut |_, _| count += 1);
        return count;
    }
    let after = |mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        sequences(&after, depth - 1, flag)
    };
    position.moves().into_iter().map(after).sum()
}
