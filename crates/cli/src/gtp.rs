//! `gtp`: our games and players for any controller of the Go Text Protocol.

mod places;

use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use stonework_board::Notation;
use stonework_game::{ByPlayer, Player, Textual};
use stonework_gtp::{Host, Named, Server, Square};
use stonework_search::roster::{PlayerConfig, Roster, RosterEntry};
use stonework_search::{Agent, Limits, Report, SearchContext};
use stonework_session::{AnyMove, AnyPosition, GameType, Registry, Start};

use crate::engines::{Budget, ended};
use crate::explore::CertificateArgs;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::{GameArgs, any_size, number};

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
    /// Cells on a side of the board, until a command `boardsize`: Havannah 10, Cachex 8, Cover 4 unless given
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: Option<u64>,
    /// Play with the right to swap (the default in Havannah)
    #[arg(long, conflicts_with = "no_swap")]
    swap: bool,
    /// Play without the right to swap
    #[arg(long)]
    no_swap: bool,
    /// The notation of cells, until a command such as `gridcoords`: hgui, grid, rogers or web
    #[arg(long, value_name = "NOTATION", default_value = "hgui")]
    notation: Notation,
    /// Use the conventions of `GoGui`'s tools (Havannah): black begins, a size is the number of rows, places are columns
    /// without the letter i and rows from below, and there is no swap
    #[arg(long, conflicts_with_all = ["swap", "notation"])]
    gogui: bool,
    /// The player; unless given, mcts in Havannah, cachex in Cachex, cover in Cover
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    #[command(flatten)]
    certificate: CertificateArgs,
    #[command(flatten)]
    budget: Budget,
}

impl Gtp {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        if out.wants_json() {
            return Err(Failure::input("--json: the replies of GTP have a form of their own"));
        }
        let game = self.game.of(registry)?;
        let host = Session::new(self, game)?;
        let player = self.engine.as_deref().unwrap_or(game.usual_player());
        let mut server = Server::new(host, player, self.budget.seed).map_err(Failure::input)?;
        Ok(server.serve(BufReader::new(io::stdin()), out)?)
    }
}

/// A game and its players.
struct Session {
    game: GameType,
    winner_command: String,
    size: u64,
    swap: bool,
    gogui: bool,
    /// The numbers of the notations, the usual one first; none where the game has only one.
    notations: Vec<usize>,
    roster: Roster<AnyPosition>,
    config: PlayerConfig,
    limited: bool,
}

impl Session {
    fn new(arguments: &Gtp, game: &GameType) -> Result<Self, Failure> {
        let Gtp { size, notation, gogui, ref budget, .. } = *arguments;
        let standard = game.description();
        // Places of the square are the only names then.
        let mut notations: Vec<usize> =
            if gogui { Vec::new() } else { (0..standard.notations.len()).collect() };
        notations.sort_by_key(|&other| other != number(&standard, notation));
        let swap = arguments.swap || (standard.swaps && !arguments.no_swap && !gogui);
        let roster = budget.roster(game, arguments.certificate.load()?);
        let config = PlayerConfig { limits: budget.limits(), ..budget.config() };
        let size = size.unwrap_or(standard.usual_size.into());
        let limited = budget.is_limited();
        let winner_command = format!("{}_winner", standard.name);
        let game = game.clone();
        let host = Self { game, winner_command, size, swap, gogui, notations, roster, config, limited };
        let start = host.game(size).map_err(Failure::input)?;
        host.fits(&start, 0).map_err(Failure::input)?;
        if gogui {
            places::fit(&start).map_err(|why| Failure::input(format!("--gogui: {why}")))?;
        }
        Ok(host)
    }

    /// The start of a game of a size of ours.
    fn game(&self, size: u64) -> Result<AnyPosition, String> {
        let start = Start { swap: self.swap, ..Start::of_size(size) };
        self.game.start(&start).map_err(|fault| fault.message)
    }

    fn notation(&self, style: usize) -> usize {
        self.notations.get(style).copied().unwrap_or(0)
    }
}

fn named(entry: &RosterEntry<AnyPosition>) -> Named {
    (entry.name().to_owned(), entry.about().to_owned())
}

impl Host for Session {
    type Game = AnyPosition;

    fn name(&self) -> &'static str {
        "Stonework"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn start(&self, size: Option<u32>) -> Result<AnyPosition, String> {
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
        self.roster.entries().iter().map(named).collect()
    }

    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<AnyPosition>>, String> {
        let config = PlayerConfig { seed, ..self.config.clone() };
        ended(&self.roster, name, &config.limits)?;
        self.roster.agent(name, &config).map_err(|error| error.to_string())
    }

    fn colours(&self) -> ByPlayer<&str> {
        let [first, second] = if self.gogui { ["black", "white"] } else { self.game.description().sides };
        ByPlayer { first, second }
    }

    fn styles(&self) -> Vec<String> {
        let names = self.game.description().notations;
        self.notations.iter().map(|&notation| names[notation].to_owned()).collect()
    }

    fn fits(&self, game: &AnyPosition, style: usize) -> Result<(), String> {
        let name = game.description().notations.get(self.notation(style)).copied();
        game.notation(name).map(|_| ()).map_err(|fault| fault.message)
    }

    fn write_move(&self, game: &AnyPosition, mv: AnyMove, style: usize) -> String {
        if self.gogui { places::name(game, mv) } else { game.move_text_in(mv, self.notation(style)) }
    }

    fn parse_move(&self, game: &AnyPosition, text: &str, style: usize) -> Result<AnyMove, String> {
        if self.gogui {
            return places::named(game, text);
        }
        game.read_move(text, self.notation(style)).map_err(|fault| fault.message)
    }

    fn draw(&self, game: &AnyPosition, moves: &[AnyMove], style: usize) -> String {
        if self.gogui {
            return places::draw(game);
        }
        let picture = game.picture(moves, self.notation(style));
        let text = picture.map_or_else(|_| game.position_text(), |picture| picture.text());
        format!("{text}\n{}", game.standing())
    }

    fn svg(&self, game: &AnyPosition, marks: &[(AnyMove, String)], style: usize) -> Option<String> {
        let mut picture = game.picture(&[], self.notation(style)).ok()?;
        for (place, (mv, text)) in marks.iter().enumerate() {
            let Some(cell) = game.target_cell(*mv) else { continue };
            picture = picture.on_cells(|diagram| {
                let diagram = diagram.label(cell, text);
                if place == 0 { diagram.highlight([cell]) } else { diagram }
            });
        }
        picture.svg()
    }

    fn square(&self, game: &AnyPosition) -> Option<Square> {
        let places = game.places().filter(|_| self.gogui)?;
        let stone = |place: Option<(AnyMove, Option<Player>)>| place.and_then(|(_, stone)| stone);
        let rows = places.into_iter().map(|row| row.into_iter().map(stone).collect()).collect();
        Some(Square { game: self.game.name().to_owned(), rows })
    }

    fn winner_command(&self) -> &str {
        &self.winner_command
    }

    fn swap(&self) -> Option<AnyMove> {
        let start = self.game(self.size).ok()?;
        start.swap_move().filter(|_| !self.gogui)
    }

    fn record(&self, game: &AnyPosition) -> Vec<(&'static str, String)> {
        game.record_head()
    }

    fn solvers(&self) -> Vec<Named> {
        self.roster.entries().iter().filter(|entry| entry.is_engine()).map(named).collect()
    }

    fn solve(
        &self,
        name: &str,
        game: &AnyPosition,
        time: Option<Duration>,
    ) -> Result<Report<AnyMove>, String> {
        // Simulations are the player's.
        let own = Limits { simulations: None, ..self.config.limits.clone() };
        let limits = Limits { time: time.or(own.time).or(Some(SOLVE_TIME)), ..own };
        let config = PlayerConfig { limits: limits.clone(), ..self.config.clone() };
        let mut engine = self.roster.engine(name, &config).map_err(|error| error.to_string())?;
        Ok(engine.search(game, &limits, SearchContext::seed(self.config.seed)))
    }

    fn move_time(&self) -> Option<Duration> {
        (!self.limited).then_some(MOVE_TIME)
    }

    fn cancel(&self) -> Option<Arc<AtomicBool>> {
        self.config.limits.cancel.clone()
    }
}
