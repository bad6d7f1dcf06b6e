//! Havannah, as the commands play it.

use std::error::Error;

use stonework_arena::{GameLine, GtpContestant, Won};
use stonework_board::{Axial, Cell, Notation};
use stonework_havannah::{Move, Position};
use stonework_players::roster::{self, Entry, ROSTER, RosterError, Seat};
use stonework_record::{Action, Builder, Claim, Colour, Dialect};
use stonework_search::{Agent, Engine};

use super::{Picture, Places, Played, Property};
use crate::picture;
use crate::playouts::{Fast, Runner};

impl Played for Position {
    const ROSTER: &'static [Entry] = ROSTER;
    const USUAL_PLAYER: &'static str = "mcts";
    const USUAL_SOLVER: &'static str = "dfpn";
    const USUAL_SIZE: u8 = 10;
    const SWAPS: bool = true;
    const WINNER_COMMAND: &'static str = "havannah_winner";

    fn engine(name: &str, seat: &Seat) -> Result<Box<dyn Engine<Self>>, RosterError> {
        roster::engine(name, seat)
    }

    fn agent(name: &str, seat: &Seat) -> Result<Box<dyn Agent<Self>>, RosterError> {
        roster::agent(name, seat)
    }

    fn notations() -> &'static [Notation] {
        &Notation::ALL
    }

    fn fits(&self, notation: Notation) -> Result<(), String> {
        notation.fits(self.board().shape()).map_err(|error| error.to_string())
    }

    fn name_move(&self, mv: Move, notation: Notation) -> String {
        picture::move_name(self, mv, notation)
    }

    fn named_move(&self, text: &str, notation: Notation) -> Result<Move, String> {
        if text.eq_ignore_ascii_case("swap") {
            return Ok(Move::Swap);
        }
        notation.parse(self.board(), text).map(Move::Place).map_err(|error| error.to_string())
    }

    fn speaking(&self, program: GtpContestant, notation: &str) -> Result<GtpContestant, String> {
        let notation: Notation = notation.parse().map_err(|e| format!("{e}"))?;
        self.fits(notation)?;
        let board = self.board();
        let is_swap = |text: &str| text.eq_ignore_ascii_case("swap");
        Ok(program.translating(
            move |text| match board.parse(text) {
                Ok(cell) => notation.name_of(board, cell).ok(),
                Err(_) => is_swap(text).then(|| text.to_owned()),
            },
            move |text| match notation.parse(board, text) {
                Ok(cell) => Some(board.name(cell)),
                Err(_) => is_swap(text).then(|| text.to_owned()),
            },
        ))
    }

    fn swap_move() -> Option<Move> {
        Some(Move::Swap)
    }

    fn places(&self) -> Option<Places<Move>> {
        let width = 2 * i16::from(self.size()) - 1;
        let place = |row, column| {
            let cell = self.board().cell_at(Axial::new(row, column))?;
            Some((Move::Place(cell), self.stone(cell)))
        };
        Some((0..width).map(|row| (0..width).map(|column| place(row, column)).collect()).collect())
    }

    fn picture(&self, moves: &[Move], notation: Notation) -> Result<Picture, String> {
        picture::diagram(self, notation, moves).map(Picture::Cells).map_err(|failure| failure.to_string())
    }

    fn standing(&self) -> String {
        picture::standing(self)
    }

    fn target(mv: Move) -> Option<Cell> {
        match mv {
            Move::Place(cell) => Some(cell),
            Move::Swap => None,
        }
    }

    fn runner(&self) -> Box<dyn Runner> {
        Box::new(Fast::from(self))
    }

    fn board_size(&self) -> u8 {
        self.size()
    }

    fn record_head(&self) -> Vec<Property> {
        vec![("GM", "Havannah".to_owned()), ("CA", "UTF-8".to_owned()), ("SZ", self.size().to_string())]
    }

    /// In the dialect of `HavannahGui`, which knows swaps and resignations.
    fn record(&self, line: &GameLine, [white, black]: [&str; 2]) -> Result<String, Box<dyn Error>> {
        let mut record = Builder::new(self.size(), Dialect::HAVANNAH_GUI)?;
        record.set("PW", white)?.set("PB", black)?;
        record.set("AP", concat!("stonework:", env!("CARGO_PKG_VERSION")))?;
        record.set("RO", &(line.round + 1).to_string())?;
        let colours = [Colour::White, Colour::Black];
        for (ply, text) in line.moves.iter().enumerate() {
            let swap = text.eq_ignore_ascii_case("swap");
            let action = if swap { Action::Swap } else { Action::Place(self.board().parse(text)?) };
            record.play(colours[ply % 2], action)?;
        }
        if line.reason == "resigned" {
            record.play(colours[line.moves.len() % 2], Action::Resign)?;
        } else if !line.is_regular() {
            record.comment(&line.reason)?;
        }
        record.result(&match line.result {
            Won::First => Claim::White,
            Won::Second => Claim::Black,
            Won::Draw => Claim::Draw,
        })?;
        Ok(record.finish()?.to_string())
    }
}
