//! Questions about Cachex.

use stonework_cachex::{IllegalMove, MAX_SIZE, MIN_SIZE, Move, Position, Setup, Undo, colour};
use stonework_game::{Game, Notation, Player};

use super::{Asked, no_notation_but, same_size, side, size};
use crate::query::{Fault, Query, State};

/// Cells and moves have one way to be named: `r,q` and `steal`.
impl Asked for Position {
    type Names = ();
    const NAME: &'static str = "cachex";
    const SIDES: [&'static str; 2] = [colour(Player::First), colour(Player::Second)];
    const SIZES: (u8, u8) = (MIN_SIZE, MAX_SIZE);
    const COMMAS: bool = false;

    /// `position` is a one-line text form, or the rows of a board alone; then the turns are as few as can
    /// be: none for an empty board, one for a single red stone with blue to move, two or three otherwise,
    /// so that nobody may steal.
    fn start(query: &Query) -> Result<Self, Fault> {
        if query.swap {
            return Err(Fault::new("swap", "no swap in Cachex: blue's first action may be `steal`"));
        }
        let size = size::<Self>(query)?;
        let bad = |e: &dyn ToString| Fault::new("position", e.to_string());
        let mover = side::<Self>(query)?;
        let position = match (query.position.as_deref(), size) {
            (None, None) => return Err(Fault::new("size", "neither size nor position is given")),
            (None, Some(size)) => Self::new(size).map_err(|e| bad(&e))?,
            (Some(text), _) if text.contains(' ') => Self::parse_position(text).map_err(|e| bad(&e))?,
            (Some(rows), _) => {
                let mut setup = Setup::from_rows(rows, 0).map_err(|e| bad(&e))?;
                let (red, blue) = (setup.stones.first.len(), setup.stones.second.len());
                setup.turns = match (mover.unwrap_or(Player::First), red, blue) {
                    (Player::First, 0, 0) => 0,
                    (Player::Second, 1, 0) => 1,
                    (Player::First, ..) => 2,
                    (Player::Second, ..) => 3,
                };
                setup.position().map_err(|e| bad(&e))?
            }
        };
        same_size(size, position.size())?;
        match mover {
            Some(mover) if mover != position.to_move() => {
                let [first, second] = Self::SIDES;
                let other = if mover == Player::First { second } else { first };
                Err(Fault::new("to_move", format!("the number of turns says that {other} moves")))
            }
            _ => Ok(position),
        }
    }

    fn names(&self, query: &Query) -> Result<(), Fault> {
        no_notation_but(None, "cells of Cachex are `r,q`", query)
    }

    fn fault_kind(illegal: &IllegalMove) -> &'static str {
        match illegal {
            IllegalMove::Over { .. } => "over",
            IllegalMove::Occupied { .. } => "occupied",
            IllegalMove::Steal { .. } => "swap",
            IllegalMove::Centre { .. } => "centre",
            _ => "move",
        }
    }

    fn captured(&self, last: &Undo) -> Vec<String> {
        last.captured().iter().map(|cell| self.move_text(Move::Place(cell))).collect()
    }

    fn describe(&self, (): (), state: &mut State) {
        let names = |cells: stonework_board::CellSet| -> Vec<String> {
            cells.iter().map(|cell| self.move_text(Move::Place(cell))).collect()
        };
        state.how = Some(self.ending().iter().map(|ending| ending.name().to_owned()).collect());
        state.cells = Some(self.winning_chain().map(names).into_iter().collect());
        state.board = Some(self.rows());
        state.position = Some(self.position_text());
        state.captured = Some(Vec::new());
    }
}
