//! Cachex, as the commands play it.

use stonework_board::Notation;
use stonework_cachex::{Move, Position, colour};
use stonework_game::{Game, Outcome};
use stonework_players::cachex::picture;
use stonework_players::cachex::roster::{self, ROSTER};
use stonework_players::roster::{Entry, RosterError, Seat};
use stonework_search::{Agent, Engine};

use super::{Played, Property};

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

    fn draw(&self, moves: &[Move], _: Notation) -> String {
        let stands = match (self.outcome(), self.ending()) {
            (Some(Outcome::Win(player)), _) => format!("{} wins", colour(player)),
            (_, Some(ending)) => format!("a draw by {}", ending.name()),
            _ => format!("not over, {} to move", colour(self.to_move())),
        };
        format!("{}{stands}", picture(self, moves))
    }

    fn record_head(&self) -> Vec<Property> {
        vec![("GM", "Cachex".to_owned()), ("CA", "UTF-8".to_owned()), ("SZ", self.size().to_string())]
    }
}
