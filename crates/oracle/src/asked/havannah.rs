//! Questions about Havannah.

use stonework_board::{CellSet, Notation, NotationError};
use stonework_game::{Notation as _, Player};
use stonework_havannah::{IllegalMove, MAX_SIZE, MIN_SIZE, Move, Position, Setup, colour};

use super::{Asked, same_size, side, size};
use crate::query::{BySide, Fault, Query, State};

impl Asked for Position {
    type Names = Notation;
    const NAME: &'static str = "havannah";
    const SIDES: [&'static str; 2] = [colour(Player::First), colour(Player::Second)];
    const SIZES: (u8, u8) = (MIN_SIZE, MAX_SIZE);

    fn start(query: &Query) -> Result<Self, Fault> {
        let size = size::<Self>(query)?;
        let mut setup = match (&query.position, size) {
            (None, None) => return Err(Fault::new("size", "neither size nor position is given")),
            (None, Some(size)) => Setup { swap: query.swap, ..Setup::new(size) },
            (Some(text), size) => {
                let position =
                    Self::parse_position(text).map_err(|e| Fault::new("position", e.to_string()))?;
                same_size(size, position.size())?;
                position.setup()
            }
        };
        setup.to_move = side::<Self>(query)?.unwrap_or(setup.to_move);
        setup.position().map_err(|e| Fault::new("position", e.to_string()))
    }

    fn names(&self, query: &Query) -> Result<Notation, Fault> {
        let fault = |e: NotationError| Fault::new("notation", e.to_string());
        let notation: Notation =
            query.notation.as_deref().map_or(Ok(Notation::Hgui), str::parse).map_err(fault)?;
        notation.fits(self.board().shape()).map_err(fault)?;
        Ok(notation)
    }

    fn read_move(&self, notation: Notation, text: &str) -> Result<Move, Fault> {
        self.parse_move_in(text, notation).map_err(|e| Fault::new("move", e.to_string()))
    }

    fn fault_kind(illegal: &IllegalMove) -> &'static str {
        match illegal {
            IllegalMove::Over { .. } => "over",
            IllegalMove::Swap { .. } => "swap",
            IllegalMove::Occupied { .. } => "occupied",
            _ => "move",
        }
    }

    fn describe(&self, notation: Notation, state: &mut State) {
        let names = |cells: CellSet| -> Vec<String> {
            cells.iter().map(|c| notation.name_of(self.board(), c).unwrap_or_default()).collect()
        };
        let winning = |player| names(self.winning_cells(player));
        state.how = Some(self.kinds().iter().map(|k| k.name().to_owned()).collect());
        state.cells = Some(self.kinds().iter().filter_map(|k| self.winning_chain(k).map(names)).collect());
        state.winning_cells = Some(BySide { white: winning(Player::First), black: winning(Player::Second) });
        state.can_win =
            Some(BySide { white: self.can_win(Player::First), black: self.can_win(Player::Second) });
    }
}
