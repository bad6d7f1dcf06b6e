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
    let done = match &cli.command {
        Command::Demo(demo) => demo.run(&mut out),
        Command::Replay(replay) => replay.run(&mut out),
        Command::Draw(draw) => draw.run(&mut out),
        Command::Oracle(oracle) => oracle.run(&mut out),
        Command::Conform(conform) => conform.run(&mut out),
        Command::Perft(perft) => perft.run(&mut out),
        Command::Playouts(playouts) => playouts.run(&mut out),
        Command::Solve(solve) => solve.run(&mut out),
        Command::Search(search) => search.run(&mut out),
        Command::Verify(verify) => verify.run(&mut out),
        Command::Table(table) => table.run(&mut out),
        Command::Patterns(patterns) => patterns.run(&mut out),
        Command::Gtp(gtp) => gtp.run(&mut out),
        Command::Referee(referee) => referee.run(&mut out),
        Command::Match(games) => games.run(&mut out),
        Command::Tournament(games) => games.run(&mut out),
        Command::Tune(tune) => tune.run(&mut out),
    };
    done.and_then(|()| out.flush()).map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}
