//! The command line of Stonework as a library: the program `stonework` with games of your own.
//!
//! The program itself is [`run`] with [`Registry::standard`]. If a program adds a game to the registry, the commands
//! that play, draw, count and search accept the game, too:
//!
//! ```no_run
//! use stonework_game::example::Nim;
//! use stonework_search::Minimax;
//! use stonework_roster::{Roster, RosterEntry};
//! use stonework_session::{GameType, Registry};
//!
//! fn main() -> std::process::ExitCode {
//!     let minimax = RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(())));
//!     let nim = GameType::with_players(&Roster::<Nim>::new().with(minimax));
//!     // mynim gtp --game nim, mynim match minimax minimax --game nim --size 7, …
//!     stonework_cli::run(&Registry::standard().with(nim), std::env::args_os())
//! }
//! ```
//!
//! | command | games |
//! |---|---|
//! | `gtp`, `tui`, `dial`, `match`, `tournament`, `tune`, `selfplay`, `search`, `solve`, `perft`, `playouts`, `draw`, `kit`, `analyse`, `review`, `replay` | every game of the registry |
//! | `oracle`, `conform` | the three games of Stonework |
//! | `demo`, `verify`, `patterns`, `referee`, `table`, `farm`, `learn`, `solve --proof` and its kin | the games that their help names |
//!
//! Each command is a module. The module turns the arguments into calls of the library crates, and turns the results
//! into text, or with `--json` into one JSON object per line. `stonework help COMMAND` explains each command.
//!
//! What this crate does not do: it has no function that another program could call, but the functions that run a
//! command line. The functions for programs are in `stonework-session` and the other libraries.
//!
//! Feature `nats`: `farm --server URL`, and `--farm URL` of the commands that play games, by a NATS server.

mod analyse;
mod arena;
mod arena_farm;
mod arena_match;
mod arena_tournament;
mod arena_tune;
mod conform;
mod demo;
mod dial;
mod draw;
mod engines;
mod explore;
mod explore_tree;
mod failure;
mod farm;
mod gtp;
mod help;
mod kit;
mod learn;
mod learned;
mod news;
mod openings;
mod oracle;
mod out;
mod patterns;
mod perft;
mod picture;
mod playouts;
mod progress;
mod referee;
mod replay;
mod review;
mod search;
mod self_play;
mod self_play_farm;
mod solutions;
mod start;
mod table;
mod table_stats;
mod tui;
mod verify;
mod verify_set;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use stonework_files::{Disk, System};
use stonework_session::Registry;

use crate::failure::{Failure, refused};
use crate::out::Out;
use crate::start::REGISTERED;

/// Rules, solvers, players, records and diagrams of Havannah, Cachex and Cover, and the means to test rules of your own
#[derive(Parser)]
#[command(name = "stonework", version, long_about = help::ABOUT, after_long_help = help::EXAMPLES)]
#[command(arg_required_else_help = true, subcommand_required = true)]
struct Cli {
    /// Print one JSON object per line on standard output and nothing else
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Demo),
    Replay(replay::Replay),
    Draw(draw::Draw),
    Kit(kit::Kit),
    Analyse(analyse::Analyse),
    Review(review::Review),
    Oracle(oracle::Oracle),
    Conform(conform::Conform),
    Perft(perft::Perft),
    Playouts(playouts::Playouts),
    Solve(search::Solve),
    Search(search::Search),
    Verify(verify::Verify),
    Farm(farm::FarmArgs),
    Table(table::TableArgs),
    Patterns(patterns::PatternsArgs),
    Gtp(gtp::Gtp),
    Tui(Box<tui::Tui>),
    Dial(dial::Dial),
    Referee(referee::Referee),
    Match(arena_match::Match),
    Tournament(arena_tournament::Tournament),
    Tune(arena_tune::Tune),
    #[command(name = "selfplay")]
    SelfPlay(self_play::SelfPlayArgs),
    Learn(learn::Learn),
}

/// The commands without JSON, each with the reason. Their help does not have the option.
const WITHOUT_JSON: [(&str, &str); 4] = [
    ("gtp", "the replies of GTP have a form of their own"),
    ("tui", "a terminal shows no JSON"),
    ("dial", "the lines of a port have a form of their own"),
    ("referee", "the lines of this protocol have a form of their own"),
];

/// Runs a command line, whose first word is the name of the program, and returns the exit code: 0 for success, 1 if a
/// check does not hold, 2 for unusable arguments or input.
///
/// Results go to standard output. An error is one line on standard error.
///
/// ```
/// use stonework_session::Registry;
/// let code = stonework_cli::run(&Registry::standard(), ["stonework", "perft", "--size", "2", "--depth", "1"]);
/// assert_eq!(code, std::process::ExitCode::SUCCESS);
/// ```
pub fn run(registry: &Registry, words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    run_on(registry, words, Box::new(io::stdout().lock()), Arc::new(System))
}

/// Runs a command line as [`run`], but writes the results to `output`, and uses the files on `disk`.
///
/// `--help` and error lines still go to the standard streams. The commands that read records, proofs or tables still
/// read them from the disk of the system.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use stonework_files::Simulated;
/// use stonework_session::Registry;
///
/// let disk = Simulated::new();
/// let words = ["stonework", "draw", "--size", "3", "-o", "board.svg"];
/// let output = Box::new(std::io::sink());
/// let code = stonework_cli::run_on(&Registry::standard(), words, output, Arc::new(disk.clone()));
/// assert_eq!(code, std::process::ExitCode::SUCCESS);
/// assert!(disk.content(Path::new("board.svg")).unwrap().starts_with(b"<svg"));
/// ```
pub fn run_on(
    registry: &Registry,
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    output: Box<dyn Write>,
    disk: Arc<dyn Disk>,
) -> ExitCode {
    let cli = match Cli::read(registry, words) {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    let mut out = Out::new(output, cli.json, disk);
    let done = cli.command.run(registry, &mut out);
    done.and_then(|()| out.flush()).map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

impl Cli {
    /// Reads a command line; the name of a game must be a name in the registry.
    fn read(
        registry: &Registry,
        words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let names = registry.names();
        let game = move |name: &str| {
            let known = names.contains(&name);
            if known { Ok(name.to_owned()) } else { Err(format!("there is {}", names.join(", "))) }
        };
        let program = || {
            Self::command().mut_subcommands(|command| {
                let command = without_json(command);
                if command.get_arguments().any(|argument| argument.get_id() == REGISTERED) {
                    command.mut_arg(REGISTERED, |argument| argument.value_parser(game.clone()))
                } else {
                    command
                }
            })
        };
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        // The pages of help are put together only for a user who asks for one.
        let matches = match program().try_get_matches_from(&words) {
            Err(error) if help::is_page(&error) => {
                let told = help::with_examples(program());
                match told.clone().try_get_matches_from(&words) {
                    Err(error) if help::is_long(&error) => help::in_lists(told).try_get_matches_from(words),
                    page => page,
                }
            }
            matches => matches,
        }?;
        let cli = Self::from_arg_matches(&matches)?;
        match WITHOUT_JSON.iter().find(|(name, _)| cli.json && matches.subcommand_name() == Some(name)) {
            Some((_, why)) => Err(clap::Error::raw(ErrorKind::ArgumentConflict, format!("--json: {why}"))),
            None => Ok(cli),
        }
    }
}

/// Leaves `--json` out of the help of a command that does not have it. The command still knows the option, and
/// [`Cli::read`] refuses it with the reason.
fn without_json(command: clap::Command) -> clap::Command {
    if WITHOUT_JSON.iter().all(|(name, _)| *name != command.get_name()) {
        return command;
    }
    // An argument of a command stands in place of the argument of all commands.
    command.arg(Arg::new("json").long("json").action(ArgAction::SetTrue).hide(true))
}

impl Command {
    fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        match self {
            Command::Demo(demo) => demo.run(out),
            Command::Replay(replay) => replay.run(registry, out),
            Command::Draw(draw) => draw.run(registry, out),
            Command::Kit(kit) => kit.run(registry, out),
            Command::Analyse(analyse) => analyse.run(registry, out),
            Command::Review(review) => review.run(registry, out),
            Command::Oracle(oracle) => oracle.run(out),
            Command::Conform(conform) => conform.run(out),
            Command::Perft(perft) => perft.run(registry, out),
            Command::Playouts(playouts) => playouts.run(registry, out),
            Command::Solve(solve) => solve.run(registry, out),
            Command::Search(search) => search.run(registry, out),
            Command::Verify(verify) => verify.run(out),
            Command::Farm(farm) => farm.run(registry, out),
            Command::Table(table) => table.run(out),
            Command::Patterns(patterns) => patterns.run(out),
            Command::SelfPlay(games) => games.run(registry, out),
            Command::Learn(learn) => learn.run(registry, out),
            Command::Gtp(gtp) => gtp.run(registry, out),
            Command::Tui(tui) => tui.run(registry, out),
            Command::Dial(dial) => dial.run(registry, out),
            Command::Referee(referee) => referee.run(out),
            Command::Match(games) => games.run(registry, out),
            Command::Tournament(games) => games.run(registry, out),
            Command::Tune(tune) => tune.run(registry, out),
        }
    }
}
