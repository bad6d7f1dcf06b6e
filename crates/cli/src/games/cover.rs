//! Cover, as the commands play it.

use stonework_board::Notation;
use stonework_cover::{Move, Position, colour};
use stonework_game::{Game, Outcome};
use stonework_players::cover::roster::{self, ROSTER};
use stonework_players::roster::{Entry, RosterError, Seat};
use stonework_search::{Agent, Engine};

use super::{Picture, Played, Property};

impl Played for Position {
    const ROSTER: &'static [Entry] = ROSTER;
    const USUAL_PLAYER: &'static str = "cover";
    const USUAL_SIZE: u8 = 4;
    const MAX_PLIES: Option<u32> = Some(1000);
    const WINNER_COMMAND: &'static str = "cover_winner";

    fn engine(name: &str, seat: &Seat) -> Result<Box<dyn Engine<Self>>, RosterError> {
        roster::engine(name, seat)
    }

    fn agent(name: &str, seat: &Seat) -> Result<Box<dyn Agent<Self>>, RosterError> {
        roster::agent(name, seat)
    }

    fn picture(&self, moves: &[Move], _: Notation) -> Result<Picture, String> {
        let last = moves.last().and_then(|&mv| self.target(mv)).filter(|&cell| self.stone(cell).is_some());
        let diagram = self.diagram();
        Ok(Picture::Locations(match last {
            Some(cell) => diagram.last(cell),
            None => diagram,
        }))
    }

    fn standing(&self) -> String {
        match self.outcome() {
            Some(Outcome::Win(player)) => format!("{} wins", colour(player)),
            Some(Outcome::Draw) => "a draw".to_owned(),
            None => format!("not over, {} to move", colour(self.to_move())),
        }
    }

    fn board_size(&self) -> u8 {
        self.size()
    }

    fn record_head(&self) -> Vec<Property> {
        vec![("GM", "Cover".to_owned()), ("CA", "UTF-8".to_owned()), ("SZ", self.size().to_string())]
    }
}
