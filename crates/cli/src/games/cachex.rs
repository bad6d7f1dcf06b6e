//! Cachex, as the commands play it.

use std::collections::BTreeMap;

use stonework_board::{Cell, Notation};
use stonework_cachex::{Move, Position, colour};
use stonework_game::{Game, Outcome};
use stonework_players::cachex::diagram;
use stonework_players::cachex::roster::{self, ROSTER};
use stonework_players::roster::{Entry, RosterError, Seat};
use stonework_search::{Agent, Engine};

use super::{Picture, Played, Property};

impl Played for Position {
    const ROSTER: &'static [Entry] = ROSTER;
    const USUAL_PLAYER: &'static str = "cachex";
    const USUAL_SIZE: u8 = 8;
    const WINNER_COMMAND: &'static str = "cachex_winner";

    fn engine(name: &str, seat: &Seat) -> Result<Box<dyn Engine<Self>>, RosterError> {
        roster::engine(name, seat)
    }

    fn agent(name: &str, seat: &Seat) -> Result<Box<dyn Agent<Self>>, RosterError> {
        roster::agent(name, seat)
    }

    fn swap_move() -> Option<Move> {
        Some(Move::Steal)
    }

    fn picture(&self, moves: &[Move], _: Notation) -> Result<Picture, String> {
        Ok(Picture::Cells(diagram(self, moves)))
    }

    fn standing(&self) -> String {
        match (self.outcome(), self.ending()) {
            (Some(Outcome::Win(player)), _) => format!("{} wins", colour(player)),
            (_, Some(ending)) => format!("a draw by {}", ending.name()),
            _ => format!("not over, {} to move", colour(self.to_move())),
        }
    }

    fn target(mv: Move) -> Option<Cell> {
        match mv {
            Move::Place(cell) => Some(cell),
            Move::Steal => None,
        }
    }

    /// A stone that was stolen stands where the steal has put it; captured ones are gone.
    fn placed(&self, moves: &[Move]) -> Vec<(Cell, usize)> {
        let mut placed = BTreeMap::new();
        for (ply, &mv) in moves.iter().enumerate() {
            let cell = match (mv, moves[0]) {
                (Move::Place(cell), _) => Some(cell),
                (Move::Steal, Move::Place(stolen)) => {
                    placed.clear();
                    let (row, column) = self.coordinates(stolen);
                    self.cell(column, row)
                }
                _ => None,
            };
            placed.extend(cell.map(|cell| (cell, ply + 1)));
        }
        placed.into_iter().filter(|&(cell, _)| self.stone(cell).is_some()).collect()
    }

    fn board_size(&self) -> u8 {
        self.size()
    }

    fn record_head(&self) -> Vec<Property> {
        vec![("GM", "Cachex".to_owned()), ("CA", "UTF-8".to_owned()), ("SZ", self.size().to_string())]
    }
}
