//! `gtp`: Havannah for any controller of the Go Text Protocol.

use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use stonework_board::Notation;
use stonework_game::Notation as _;
use stonework_gtp::{Host, Named, Server};
use stonework_havannah::{Move, Position};
use stonework_oracle::Asked;
use stonework_players::roster::{self, ROSTER, Seat};
use stonework_search::{Agent, Limits, Report};

use crate::engines::Budget;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::picture;
use crate::start::{GameArgs, size};

/// A move without any limit may take so long.
const MOVE_TIME: Duration = Duration::from_secs(5);

/// A solver without a limit of time may take so long.
const SOLVE_TIME: Duration = Duration::from_secs(60);

/// Play for a controller or graphical front end (GTP version 2)
#[derive(Args)]
#[command(long_about = help::GTP_ABOUT, after_long_help = help::GTP)]
pub(crate) struct Gtp {
    #[command(flatten)]
    game: GameArgs,
    /// Cells on a side of the board, 2 to 20, until `boardsize` says otherwise
    #[arg(long, value_name = "N", value_parser = size, default_value = "10", allow_negative_numbers = true)]
    size: u8,
    /// Play with the right to swap (the default)
    #[arg(long, conflicts_with = "no_swap")]
    swap: bool,
    /// Play without the right to swap
    #[arg(long)]
    no_swap: bool,
    /// How cells are named, until a `…coords` command says otherwise: hgui, grid, rogers or web
    #[arg(long, value_name = "NOTATION", default_value = "hgui")]
    notation: Notation,
    /// The player
    #[arg(long, value_name = "NAME", default_value = "mcts")]
    engine: String,
    #[command(flatten)]
    budget: Budget,
}

impl Gtp {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        if out.wants_json() {
            return Err(Failure::input("--json: the replies of GTP have a form of their own"));
        }
        let game = &self.game.game;
        if game != Position::NAME {
            return Err(Failure::input(format!("--game {game}: this command knows only havannah")));
        }
        let host = Havannah::new(self)?;
        let mut server = Server::new(host, &self.engine, self.budget.seed).map_err(Failure::input)?;
        Ok(server.serve(BufReader::new(io::stdin()), out)?)
    }
}

/// Havannah and its players.
struct Havannah {
    size: u8,
    swap: bool,
    /// The usual one first.
    notations: Vec<Notation>,
    seat: Seat,
    limited: bool,
}

impl Havannah {
    fn new(arguments: &Gtp) -> Result<Self, Failure> {
        let Gtp { size, notation, ref budget, .. } = *arguments;
        let mut notations = Notation::ALL.to_vec();
        notations.sort_by_key(|&other| other != notation);
        let swap = arguments.swap || !arguments.no_swap;
        let seat = Seat { limits: budget.limits(), ..budget.seat() };
        let host = Self { size, swap, notations, seat, limited: budget.is_limited() };
        let start = host.start(None).map_err(Failure::input)?;
        host.fits(&start, 0).map_err(Failure::input)?;
        Ok(host)
    }
}

impl Host for Havannah {
    type Game = Position;

    fn name(&self) -> &'static str {
        "Stonework"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn start(&self, size: Option<u32>) -> Result<Position, String> {
        let start = if self.swap { Position::with_swap } else { Position::new };
        match size.map(u8::try_from) {
            Some(Err(_)) => Err("sizes are 2 to 20".to_owned()),
            Some(Ok(size)) => start(size).map_err(|error| error.to_string()),
            None => start(self.size).map_err(|error| error.to_string()),
        }
    }

    fn agents(&self) -> Vec<Named> {
        ROSTER.iter().map(|entry| (entry.name.to_owned(), entry.about.to_owned())).collect()
    }

    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<Position>>, String> {
        let seat = Seat { seed, ..self.seat.clone() };
        roster::agent(name, &seat).map_err(|error| error.to_string())
    }

    fn styles(&self) -> Vec<String> {
        self.notations.iter().map(|notation| notation.name().to_owned()).collect()
    }

    fn fits(&self, game: &Position, style: usize) -> Result<(), String> {
        self.notations[style].fits(game.board().shape()).map_err(|error| error.to_string())
    }

    fn write_move(&self, game: &Position, mv: Move, style: usize) -> String {
        picture::move_name(game, mv, self.notations[style])
    }

    fn parse_move(&self, game: &Position, text: &str, style: usize) -> Result<Move, String> {
        if text.eq_ignore_ascii_case("swap") {
            return Ok(Move::Swap);
        }
        let cell = self.notations[style].parse(game.board(), text);
        cell.map(Move::Place).map_err(|error| error.to_string())
    }

    fn draw(&self, game: &Position, moves: &[Move], style: usize) -> String {
        let diagram = picture::diagram(game, self.notations[style], moves);
        let text = diagram.map_or_else(|_| game.position_text(), |diagram| diagram.text());
        format!("{text}\n{}", picture::standing(game))
    }

    fn svg(&self, game: &Position, marks: &[(Move, String)], style: usize) -> Option<String> {
        let mut diagram = picture::diagram(game, self.notations[style], &[]).ok()?;
        for (place, (mv, text)) in marks.iter().enumerate() {
            let Move::Place(cell) = *mv else { continue };
            diagram = diagram.label(cell, text);
            if place == 0 {
                diagram = diagram.highlight([cell]);
            }
        }
        Some(diagram.svg())
    }

    fn winner_command(&self) -> &'static str {
        "havannah_winner"
    }

    fn swap(&self) -> Option<Move> {
        Some(Move::Swap)
    }

    fn record(&self, game: &Position) -> Vec<(&'static str, String)> {
        vec![("GM", "Havannah".to_owned()), ("CA", "UTF-8".to_owned()), ("SZ", game.size().to_string())]
    }

    fn solvers(&self) -> Vec<Named> {
        let engines = ROSTER.iter().filter(|entry| entry.engine);
        engines.map(|entry| (entry.name.to_owned(), entry.about.to_owned())).collect()
    }

    fn solve(&self, name: &str, game: &Position, time: Option<Duration>) -> Result<Report<Move>, String> {
        // Simulations are the player's.
        let own = Limits { simulations: None, ..self.seat.limits.clone() };
        let limits = Limits { time: time.or(own.time).or(Some(SOLVE_TIME)), ..own };
        let seat = Seat { limits: limits.clone(), ..self.seat.clone() };
        let mut engine = roster::engine(name, &seat).map_err(|error| error.to_string())?;
        Ok(engine.search(game, &limits, self.seat.seed, &mut |_| {}))
    }

    fn move_time(&self) -> Option<Duration> {
        (!self.limited).then_some(MOVE_TIME)
    }

    fn cancel(&self) -> Option<Arc<AtomicBool>> {
        self.seat.limits.cancel.clone()
    }
}
