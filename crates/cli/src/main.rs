//! `stonework`: ask, check, count, solve, replay and draw games of Havannah from the command line.
//!
//! Each command is a module that turns its arguments into calls of the library crates and their results
//! into text, or with `--json` into one JSON object per line. `stonework help COMMAND` explains each.

mod arena;
mod arena_match;
mod arena_player;
mod arena_tournament;
mod arena_tune;
mod conform;
mod demo;
mod draw;
mod engines;
mod explore;
mod explore_tree;
mod failure;
#[cfg(test)]
mod faults;
mod games;
mod gtp;
mod help;
mod jobs;
mod longrun;
mod openings;
mod oracle;
mod out;
mod patterns;
mod perft;
mod picture;
mod playouts;
mod progress;
mod records;
mod referee;
mod replay;
mod search;
mod solutions;
mod start;
mod table;
mod table_stats;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::{Failure, refused};
use crate::out::Out;

/// Rules, records and diagrams of Havannah, and the means to test rules of your own
#[derive(Parser)]
#[command(name = "stonework", version, long_about = help::ABOUT, after_long_help = help::EXAMPLES)]
#[command(arg_required_else_help = true, subcommand_required = true)]
struct Cli {
    /// Print one JSON object per line on standard output, and nothing else there
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
    Oracle(oracle::Oracle),
    Conform(conform::Conform),
    Perft(perft::Perft),
    Playouts(playouts::Playouts),
    Solve(search::Solve),
    Search(search::Search),
    Verify(verify::Verify),
    Table(table::TableArgs),
    Patterns(patterns::PatternsArgs),
    Gtp(gtp::Gtp),
    Referee(referee::Referee),
    Match(arena_match::Match),
    Tournament(arena_tournament::Tournament),
    Tune(arena_tune::Tune),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    let mut out = Out::new(cli.json);
    let done = cli.command.run(&mut out);
    done.and_then(|()| out.flush()).map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

impl Command {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        match self {
            Command::Demo(demo) => demo.run(out),
            Command::Replay(replay) => replay.run(out),
            Command::Draw(draw) => draw.run(out),
            Command::Oracle(oracle) => oracle.run(out),
            Command::Conform(conform) => conform.run(out),
            Command::Perft(perft) => perft.run(out),
            Command::Playouts(playouts) => playouts.run(out),
            Command::Solve(solve) => solve.run(out),
            Command::Search(search) => search.run(out),
            Command::Verify(verify) => verify.run(out),
            Command::Table(table) => table.run(out),
            Command::Patterns(patterns) => patterns.run(out),
            Command::Gtp(gtp) => gtp.run(out),
            Command::Referee(referee) => referee.run(out),
            Command::Match(games) => games.run(out),
            Command::Tournament(games) => games.run(out),
            Command::Tune(tune) => tune.run(out),
        }
    }
}
