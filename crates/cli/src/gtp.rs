//! `gtp`: our games and players for any controller of the Go Text Protocol.

mod places;

use std::io::{self, BufReader};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use stonework_board::Notation;
use stonework_game::{ByPlayer, Player};
use stonework_gtp::{Host, Named, Server, Square};
use stonework_players::roster::Seat;
use stonework_search::{Agent, Limits, Report};

use crate::engines::{Budget, ended};
use crate::explore::CertificateArgs;
use crate::failure::Failure;
use crate::games::{Played, for_game};
use crate::help;
use crate::out::Out;
use crate::start::{GameArgs, any_size};

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
    /// Cells on a side of the board, until `boardsize` says otherwise: Havannah 10, Cachex 8, Cover 4
    /// unless given
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: Option<u64>,
    /// Play with the right to swap (the default in Havannah)
    #[arg(long, conflicts_with = "no_swap")]
    swap: bool,
    /// Play without the right to swap
    #[arg(long)]
    no_swap: bool,
    /// How cells are named, until a `…coords` command says otherwise: hgui, grid, rogers or web
    #[arg(long, value_name = "NOTATION", default_value = "hgui")]
    notation: Notation,
    /// Speak as `GoGui`'s tools do (Havannah): Black begins, a size is the number of rows, places are columns without the
    /// letter i and rows from below, and there is no swap
    #[arg(long, conflicts_with_all = ["swap", "notation"])]
    gogui: bool,
    /// The player: mcts in Havannah, cachex, cover unless given
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    #[command(flatten)]
    certificate: CertificateArgs,
    #[command(flatten)]
    budget: Budget,
}

impl Gtp {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        if out.wants_json() {
            return Err(Failure::input("--json: the replies of GTP have a form of their own"));
        }
        for_game!(self.game.game.as_str(), self.run_as(out))
    }

    fn run_as<G: Played>(&self, out: &mut Out) -> Result<(), Failure> {
        let host = Session::<G>::new(self)?;
        let player = self.engine.as_deref().unwrap_or(G::USUAL_PLAYER);
        let mut server = Server::new(host, player, self.budget.seed).map_err(Failure::input)?;
        Ok(server.serve(BufReader::new(io::stdin()), out)?)
    }
}

/// A game and its players.
struct Session<G> {
    size: u64,
    swap: bool,
    gogui: bool,
    /// The usual one first; none where the game has only one.
    notations: Vec<Notation>,
    /// For pictures, which have names along the edges even where moves have only one notation.
    notation: Notation,
    seat: Seat,
    limited: bool,
    of: PhantomData<fn() -> G>,
}

impl<G: Played> Session<G> {
    fn new(arguments: &Gtp) -> Result<Self, Failure> {
        let Gtp { size, notation, gogui, ref budget, .. } = *arguments;
        // Places of the square are the only names then.
        let mut notations = if gogui { Vec::new() } else { G::notations().to_vec() };
        notations.sort_by_key(|&other| other != notation);
        let swap = arguments.swap || (G::SWAPS && !arguments.no_swap && !gogui);
        let certificate = arguments.certificate.load()?;
        let seat = Seat { limits: budget.limits(), certificate, ..budget.seat() };
        let size = size.unwrap_or(G::USUAL_SIZE.into());
        let limited = budget.is_limited();
        let host = Self { size, swap, gogui, notations, notation, seat, limited, of: PhantomData };
        let start = host.game(size).map_err(Failure::input)?;
        start.fits(notation).map_err(Failure::input)?;
        if gogui {
            places::fit(&start).map_err(|why| Failure::input(format!("--gogui: {why}")))?;
        }
        Ok(host)
    }

    /// The start of a game of a size of ours.
    fn game(&self, size: u64) -> Result<G, String> {
        G::begin(size, self.swap).map_err(|fault| fault.message)
    }

    fn notation(&self, style: usize) -> Notation {
        self.notations.get(style).copied().unwrap_or(self.notation)
    }
}

impl<G: Played> Host for Session<G> {
    type Game = G;

    fn name(&self) -> &'static str {
        "Stonework"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn start(&self, size: Option<u32>) -> Result<G, String> {
        match size {
            Some(rows) if self.gogui => {
                let start = self.game(u64::from(rows).div_ceil(2))?;
                places::fit(&start)?;
                let fits = start.places().is_some_and(|places| places.len() == rows as usize);
                if fits { Ok(start) } else { Err(format!("no board has {rows} rows: odd numbers only")) }
            }
            size => self.game(size.map_or(self.size, u64::from)),
        }
    }

    fn agents(&self) -> Vec<Named> {
        G::ROSTER.iter().map(|entry| (entry.name.to_owned(), entry.about.to_owned())).collect()
    }

    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<G>>, String> {
        let seat = Seat { seed, ..self.seat.clone() };
        ended::<G>(name, &seat.limits)?;
        G::agent(name, &seat).map_err(|error| error.to_string())
    }

    fn colours(&self) -> ByPlayer<&str> {
        let [first, second] = if self.gogui { ["black", "white"] } else { G::SIDES };
        ByPlayer { first, second }
    }

    fn styles(&self) -> Vec<String> {
        self.notations.iter().map(|notation| notation.name().to_owned()).collect()
    }

    fn fits(&self, game: &G, style: usize) -> Result<(), String> {
        game.fits(self.notation(style))
    }

    fn write_move(&self, game: &G, mv: G::Move, style: usize) -> String {
        if self.gogui { places::name(game, mv) } else { game.name_move(mv, self.notation(style)) }
    }

    fn parse_move(&self, game: &G, text: &str, style: usize) -> Result<G::Move, String> {
        if self.gogui { places::named(game, text) } else { game.named_move(text, self.notation(style)) }
    }

    fn draw(&self, game: &G, moves: &[G::Move], style: usize) -> String {
        if self.gogui {
            return places::draw(game);
        }
        game.draw(moves, self.notation(style))
    }

    fn svg(&self, game: &G, marks: &[(G::Move, String)], style: usize) -> Option<String> {
        game.svg(marks, self.notation(style))
    }

    fn square(&self, game: &G) -> Option<Square> {
        let places = game.places().filter(|_| self.gogui)?;
        let stone = |place: Option<(G::Move, Option<Player>)>| place.and_then(|(_, stone)| stone);
        let rows = places.into_iter().map(|row| row.into_iter().map(stone).collect()).collect();
        Some(Square { game: G::NAME.to_owned(), rows })
    }

    fn winner_command(&self) -> &'static str {
        G::WINNER_COMMAND
    }

    fn swap(&self) -> Option<G::Move> {
        G::swap_move().filter(|_| !self.gogui)
    }

    fn record(&self, game: &G) -> Vec<(&'static str, String)> {
        game.record_head()
    }

    fn solvers(&self) -> Vec<Named> {
        let engines = G::ROSTER.iter().filter(|entry| entry.engine);
        engines.map(|entry| (entry.name.to_owned(), entry.about.to_owned())).collect()
    }

    fn solve(&self, name: &str, game: &G, time: Option<Duration>) -> Result<Report<G::Move>, String> {
        // Simulations are the player's.
        let own = Limits { simulations: None, ..self.seat.limits.clone() };
        let limits = Limits { time: time.or(own.time).or(Some(SOLVE_TIME)), ..own };
        let seat = Seat { limits: limits.clone(), ..self.seat.clone() };
        let mut engine = G::engine(name, &seat).map_err(|error| error.to_string())?;
        Ok(engine.search(game, &limits, self.seat.seed, &mut |_| {}))
    }

    fn move_time(&self) -> Option<Duration> {
        (!self.limited).then_some(MOVE_TIME)
    }

    fn cancel(&self) -> Option<Arc<AtomicBool>> {
        self.seat.limits.cancel.clone()
    }
}
