//! Cover, as the commands play it.

use stonework_board::Notation;
use stonework_cover::{Move, Position, colour};
use stonework_game::{Game, Outcome};
use stonework_players::cover::roster::{self, ROSTER};
use stonework_players::roster::{Entry, RosterError, Seat};
use stonework_search::{Agent, Engine};

use super::{Played, Property};

impl Played for Position {
    const ROSTER: &'static [Entry] = ROSTER;
    const USUAL_PLAYER: &'static str = "cover";
    const USUAL_SIZE: u8 = 4;
    const WINNER_COMMAND: &'static str = "cover_winner";

    fn engine(name: &str, seat: &Seat) -> Result<Box<dyn Engine<Self>>, RosterError> {
        roster::engine(name, seat)
    }

    fn agent(name: &str, seat: &Seat) -> Result<Box<dyn Agent<Self>>, RosterError> {
        roster::agent(name, seat)
    }

    fn draw(&self, _: &[Move], _: Notation) -> String {
        let stands = match self.outcome() {
            Some(Outcome::Win(player)) => format!("{} wins", colour(player)),
            Some(Outcome::Draw) => "a draw".to_owned(),
            None => format!("not over, {} to move", colour(self.to_move())),
        };
        format!("{}\n{stands}", self.diagram().text())
    }

    fn svg(&self, _: &[(Move, String)], _: Notation) -> Option<String> {
        Some(self.diagram().svg())
    }

    fn record_head(&self) -> Vec<Property> {
        vec![("GM", "Cover".to_owned()), ("CA", "UTF-8".to_owned()), ("SZ", self.size().to_string())]
    }
}
