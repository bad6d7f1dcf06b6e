//! Cachex, as the commands play it.

use stonework_board::Notation;
use stonework_cachex::{Move, Position, colour};
use stonework_game::{Game, Outcome};
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

    fn draw(&self, _: &[Move], _: Notation) -> String {
        let stands = match (self.outcome(), self.ending()) {
            (Some(Outcome::Win(player)), _) => format!("{} wins", colour(player)),
            (_, Some(ending)) => format!("a draw by {}", ending.name()),
            _ => format!("not over, {} to move", colour(self.to_move())),
        };
        format!("{}\n{stands}", drawn(self))
    }

    fn record_head(&self) -> Vec<Property> {
        vec![("GM", "Cachex".to_owned()), ("CA", "UTF-8".to_owned()), ("SZ", self.size().to_string())]
    }
}

/// The rows from the greatest r down, as the referee draws them, each half a cell further to the left.
///
/// ```text
/// r = 2      b . .
/// r = 1    . r .
/// r = 0  . . .
///    q = 0 1 2
/// ```
fn drawn(position: &Position) -> String {
    let size = position.size();
    let row = |r: u8| {
        let letter = |q| match position.cell(r, q).and_then(|cell| position.stone(cell)) {
            Some(player) => &colour(player)[..1],
            None => ".",
        };
        let cells: Vec<&str> = (0..size).map(letter).collect();
        format!("r = {r:<2} {:2$}{}\n", "", cells.join(" "), usize::from(r))
    };
    let columns: Vec<String> = (0..size).map(|q| format!("{q:<2}")).collect();
    let rows: String = (0..size).rev().map(row).collect();
    format!("{rows}   q = {}", columns.concat().trim_end())
}

#[cfg(test)]
mod tests {
    use stonework_game::Notation as _;

    use super::*;

    #[test]
    fn the_picture_is_the_referees() {
        let position = Position::parse_position("3 r 6/343 1/7 .rb/br./b..").unwrap();
        let lines =
            ["r = 2    b . .", "r = 1   b r .", "r = 0  . r b", "   q = 0 1 2", "not over, red to move"];
        assert_eq!(position.draw(&[], Notation::Hgui), lines.join("\n"));
    }
}
