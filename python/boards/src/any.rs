//! [`AnyLine`]: a game of a registry that this crate does not know.

use std::any::Any;

use stonework_game::{Game as _, Indexed as _, Keyed as _, Outcome, Player};
use stonework_session::{AnyMove, AnyPosition, Fault};

use crate::legal::legal;
use crate::line::{Line, only_moves};
use crate::planes::PlaneSlice;

/// A game of one's own, by the registry. It has no planes. Taking a move back replays the game: O(moves played).
pub(crate) struct AnyLine {
    start: AnyPosition,
    position: AnyPosition,
    moves: Vec<AnyMove>,
}

impl AnyLine {
    pub(crate) fn new(start: AnyPosition) -> Self {
        Self { position: start.clone(), start, moves: Vec::new() }
    }

    fn typed(&self, number: u32) -> Result<AnyMove, Fault> {
        let len = self.position.index_len();
        self.position.move_at(number as usize).ok_or_else(|| {
            Fault::new("move", format!("no move has the number {number}: numbers are below {len}"))
        })
    }

    fn after(&self, plies: usize) -> Self {
        let mut line = Self::new(self.start.clone());
        for &mv in self.moves.iter().take(plies) {
            line.position.play_unchecked(mv);
            line.moves.push(mv);
        }
        line
    }
}

impl Line for AnyLine {
    fn position(&self) -> AnyPosition {
        self.position.clone()
    }

    fn start(&self) -> AnyPosition {
        self.start.clone()
    }

    fn fork(&self) -> Box<dyn Line> {
        self.cut(self.moves.len())
    }

    fn cut(&self, plies: usize) -> Box<dyn Line> {
        Box::new(self.after(plies))
    }

    fn as_any(&self) -> &dyn Any {
        &self.position
    }

    fn equals(&self, other: &dyn Line) -> bool {
        other.as_any().downcast_ref::<AnyPosition>() == Some(&self.position)
    }

    fn len(&self) -> usize {
        self.moves.len()
    }

    fn moves(&self) -> Vec<u32> {
        self.moves.iter().map(|mv| mv.0).collect()
    }

    fn moves_last(&self) -> Option<u32> {
        self.moves.last().map(|mv| mv.0)
    }

    fn names(&self, notation: usize) -> Vec<String> {
        let mut position = self.start.clone();
        let name = |&mv: &AnyMove| {
            let name = position.move_text_in(mv, notation);
            position.play_unchecked(mv);
            name
        };
        self.moves.iter().map(name).collect()
    }

    fn push(&mut self, number: u32) -> Result<(), Fault> {
        let mv = self.typed(number)?;
        self.position.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    fn push_text(&mut self, text: &str, notation: usize) -> Result<(), Fault> {
        let (mv, _) = self.position.play_text(text, notation)?;
        self.moves.push(mv);
        Ok(())
    }

    fn pop(&mut self) -> Option<u32> {
        let mv = *self.moves.last()?;
        *self = self.after(self.moves.len() - 1);
        Some(mv.0)
    }

    fn read(&self, text: &str, notation: usize) -> Result<u32, Fault> {
        self.position.read_move(text, notation).map(|mv| mv.0)
    }

    fn is_legal(&self, number: u32) -> bool {
        self.typed(number).is_ok_and(|mv| self.position.check(mv).is_ok())
    }

    fn legal(&self) -> Vec<u32> {
        legal(&self.position)
    }

    fn legal_count(&self) -> usize {
        self.position.moves().len()
    }

    fn only_moves(&self) -> Vec<u32> {
        let cannot_win =
            |game: &AnyPosition, side| game.winning_moves(side).is_none_or(|wins| wins.is_empty());
        only_moves(&self.position, cannot_win).into_iter().map(|mv| mv.0).collect()
    }

    fn to_move(&self) -> Player {
        self.position.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn canonical(&self) -> u64 {
        self.position.canonical().0
    }

    fn index_len(&self) -> usize {
        self.position.index_len()
    }

    fn shape(&self) -> Option<[usize; 3]> {
        None
    }

    fn planes(&self, _: Player, _: PlaneSlice<'_>) {}

    fn stones(&self, _: Player, _: usize) -> Option<Vec<String>> {
        None
    }
}
