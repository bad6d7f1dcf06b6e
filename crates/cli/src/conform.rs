//! `conform`: compares the rules of another program with the rules of Stonework.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use stonework_board::Notation;
use stonework_cachex::Position as Cachex;
use stonework_cover::Position as Cover;
use stonework_game::Game;
use stonework_havannah::Position;
use stonework_oracle::{
    Conformance, Counterexample, External, GameText, Query, QueryResult, RecordOptions, Step, recorded_games,
};
use stonework_session::{Described, play_text};

use crate::engines::interrupted;
use crate::failure::{Failure, say};
use crate::help;
use crate::out::Out;
use crate::picture;
use crate::progress::Progress;
use crate::start::{GameArgs, HAVANNAH, number, seconds, seed, split};

/// The names of the other games.
const CACHEX: &str = Cachex::DESCRIPTION.name;
const COVER: &str = Cover::DESCRIPTION.name;

/// Compare the rules of another program with ours, and shrink the first disagreement
#[derive(Args)]
#[command(long_about = help::CONFORM_ABOUT, after_long_help = help::CONFORM)]
pub(crate) struct Conform {
    #[command(flatten)]
    game: GameArgs,
    /// Your program, as a command for the shell
    #[arg(long, value_name = "COMMAND")]
    cmd: String,
    /// A size of the board, or a range such as 2..10, both ends included; may be repeated. Unless given, all sizes of the
    /// game, with a twentieth of the games beyond 10 (Cachex 9, Cover 4)
    #[arg(long = "size", value_name = "N", value_parser = sizes, allow_negative_numbers = true)]
    sizes: Vec<Vec<u8>>,
    /// Random games for each size; of each constructed kind, a tenth as many
    #[arg(long, value_name = "N", default_value = "100")]
    games: u32,
    /// Seed of the random numbers; the same seed makes the same games
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Seconds for an answer
    #[arg(long, value_name = "T", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// Seconds for the search for a smaller game that shows a disagreement; Ctrl-C ends it too
    #[arg(long, value_name = "T", default_value = "60", value_parser = seconds)]
    shrink: Duration,
    /// The notation of Havannah's cells in the questions: hgui (unless given), grid, rogers or web; may be repeated, then the
    /// games take turns
    #[arg(long = "notation", value_name = "NAME")]
    notations: Vec<Notation>,
    /// Recorded games to try as well: a file, or a folder that is searched for *.sgf, *.hgf and *.jsonl
    #[arg(long, value_name = "PATH")]
    corpus: Vec<PathBuf>,
}

/// Reads a size or a range of sizes.
fn sizes(text: &str) -> Result<Vec<u8>, String> {
    let ends = text.split_once("..").or_else(|| text.split_once('-'));
    let size = |text: &str| text.parse().map_err(|_| "a size such as 4, or a range such as 2..10".to_owned());
    let (first, last): (u8, u8) = match ends {
        None => (size(text)?, size(text)?),
        Some((first, last)) => (size(first)?, size(last.trim_start_matches('='))?),
    };
    if first > last {
        return Err(format!("no sizes from {first} to {last}"));
    }
    Ok((first..=last).collect())
}

impl Conform {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        if split(&self.cmd).next().is_none() {
            return Err(Failure::input("--cmd is empty: give the command that starts the program"));
        }
        let mut recorded = Vec::new();
        for path in &self.corpus {
            let games = recorded_games(path, RecordOptions { swap: true, ..RecordOptions::default() });
            for game in games.map_err(|error| Failure::input(format!("--corpus {error}")))? {
                match game {
                    Ok(game) => recorded.push(game),
                    Err(error) => say(format_args!("left out: {error}")),
                }
            }
        }
        let mut progress = Progress::new("games compared", None);
        let stop = interrupted();
        let mut subject = External::new(self.cmd.clone(), self.timeout).cancel(Arc::clone(&stop));
        let conformance =
            self.conformance()?.random_games(self.games).games(recorded).shrink_for(self.shrink);
        let mut has_found = false;
        let report = conformance.run_watched(&mut subject, |step| {
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            match step {
                Step::Compared(games) => progress.at(games),
                // A program without any answer has no game to shrink.
                Step::Found(found) if found.got.is_err() && found.game.moves.is_empty() => {
                    has_found = true;
                    return ControlFlow::Break(());
                }
                Step::Found(found) => {
                    has_found = true;
                    progress.aside(|| self.say_found(found));
                }
                Step::Shrinking { asked, moves } => {
                    progress.show(format!("questions asked, smallest game {moves} moves"));
                    progress.at(asked);
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        drop(progress);
        // After an interrupt, the missing answer is no disagreement.
        if stop.load(Ordering::Relaxed) && !has_found {
            let (games, plies) = (report.games, report.plies);
            return Err(Failure::input(format!("stopped after {games} games and {plies} questions")));
        }
        // The sizes may have no printed games, and the files of the corpus no readable ones.
        if report.counterexample.is_none() && report.games == 0 {
            let why = format!("--games {}, and no printed or recorded game is of these sizes", self.games);
            return Err(Failure::input(format!("no games to compare: {why}")));
        }
        let Some(found) = report.counterexample else {
            if out.wants_json() {
                let (games, plies, tried) = (report.games, report.plies, report.tried);
                out.object(&json!({ "ok": true, "games": games, "plies": plies, "tried": tried }))?;
            } else {
                writeln!(out, "{} games, {} questions: no disagreement", report.games, report.plies)?;
                write!(out, "\nwhat was tried\n{}", picture::indented(&report.tried.to_string(), 2))?;
            }
            return Ok(());
        };
        // A program without any answer is an unusable argument.
        if let (1, Err(failure)) = (report.plies, &found.got) {
            return Err(Failure::input(format!("--cmd {}: {failure}", self.cmd)));
        }
        if out.wants_json() {
            let example = object(&found);
            let (games, plies) = (report.games, report.plies);
            let tried = &report.tried;
            let answer = json!({ "ok": false, "games": games, "plies": plies, "tried": tried, "counterexample": example });
            out.object(&answer)?;
        } else {
            writeln!(
                out,
                "disagreement after {} games and {} questions that agree\n",
                report.games,
                report.plies - 1
            )?;
            self.show(out, &found)?;
        }
        out.flush()?;
        Err(Failure::Disagrees)
    }

    /// The arguments of the comparison: the game and the sizes.
    fn conformance(&self) -> Result<Conformance, Failure> {
        let ((least, most), all) = match self.game.game.as_str() {
            HAVANNAH => (Position::DESCRIPTION.sizes, Conformance::havannah(self.seed)),
            CACHEX => (Cachex::DESCRIPTION.sizes, Conformance::cachex(self.seed)),
            COVER => (Cover::DESCRIPTION.sizes, Conformance::cover(self.seed)),
            other => {
                let known = format!("{HAVANNAH}, {CACHEX} and {COVER}");
                return Err(Failure::input(format!("--game {other}: conform compares rules of {known}")));
            }
        };
        if self.game.game != HAVANNAH && !self.corpus.is_empty() {
            return Err(Failure::input("--corpus: only games of Havannah are read"));
        }
        if let Some(size) = self.sizes.iter().flatten().find(|size| !(least..=most).contains(*size)) {
            return Err(Failure::input(format!("--size {size}: sizes are {least} to {most}")));
        }
        if self.game.game != HAVANNAH && !self.notations.is_empty() {
            return Err(Failure::input("--notation: only cells of Havannah have several names"));
        }
        let all = if self.notations.is_empty() { all } else { all.notations(self.notations.iter().copied()) };
        let given = !self.sizes.is_empty();
        Ok(if given { all.sizes(self.sizes.iter().flatten().copied()) } else { all })
    }

    /// Reports the disagreement before the search for a smaller game, which may take long.
    fn say_found(&self, found: &Counterexample) {
        let GameText { name, size, moves, .. } = &found.game;
        let line = serde_json::to_string(&found.game.query(moves.clone())).unwrap_or_default();
        say(format_args!("found: {} (size {size}, {} moves, {name})\n{line}", found.what, moves.len()));
        let time = self.shrink;
        say(format_args!("making it smaller for at most {time:?}; ctrl-C reports what there is by then"));
    }

    /// Prints the counterexample for people: the boards before and after its last move, and both answers.
    fn show(&self, out: &mut Out, found: &Counterexample) -> Result<(), Failure> {
        let game = &found.game;
        let from = game.start.as_ref().map(|(board, to_move)| format!(" from {board}, {to_move} to move"));
        let from = from.unwrap_or_else(|| if game.swap { ", with swap" } else { "" }.to_owned());
        let (moves, size, found_with, name) = (game.moves.len(), game.size, found.found_with, &game.name);
        writeln!(out, "{}\n", found.what)?;
        writeln!(
            out,
            "a game of {moves} moves on size {size}{from} shows it (found with {found_with}, {name});"
        )?;
        writeln!(
            out,
            "{}:",
            if found.least {
                "no move can be left out of it, nor one of each side"
            } else {
                "time was over before all moves had been tried to be left out"
            }
        )?;
        write!(out, "{}", picture::wrapped(&game.moves.join(" "), 90, 2))?;
        writeln!(out, "\n{}", boards(found)?)?;
        writeln!(out, "we say:\n{}", picture::wrapped(&verdict(&found.expected).to_string(), 4000, 2))?;
        writeln!(out, "it says:\n{}", picture::wrapped(&answer(&found.got).to_string(), 4000, 2))?;
        let query = Query { id: 1.into(), ..game.query(game.moves.clone()) };
        let line = serde_json::to_string(&query).unwrap_or_default();
        writeln!(out, "to see it again:\n  echo '{line}' | {}", self.cmd)?;
        Ok(())
    }
}

fn verdict(verdict: &QueryResult) -> Value {
    match verdict {
        Ok(state) => json!(state),
        Err(fault) => json!({ "error": fault }),
    }
}

fn answer(got: &Result<QueryResult, String>) -> Value {
    match got {
        Ok(answer) => verdict(answer),
        Err(failure) => json!({ "failure": failure }),
    }
}

fn object(found: &Counterexample) -> Value {
    json!({
        "size": found.game.size,
        "swap": found.game.swap,
        "start": found.game.start,
        "moves": found.game.moves,
        "expected": verdict(&found.expected),
        "got": answer(&found.got),
        "what": found.what,
        "name": found.game.name,
        "found_with": found.found_with,
        "least": found.least,
        "notation": found.game.notation.map(Notation::name),
    })
}

/// The board before the last move, and the board after the move if the move is legal.
fn boards(found: &Counterexample) -> Result<String, Failure> {
    let game = &found.game;
    match game.game {
        // No board is needed: both answers have the rows.
        CACHEX => return Ok(String::new()),
        COVER => return cover_boards(game),
        _ => {}
    }
    let start = if game.swap { Position::with_swap(game.size) } else { Position::new(game.size) };
    let mut position = start.map_err(Failure::input)?;
    let notation = game.notation.unwrap_or_default();
    let number = number(&Position::DESCRIPTION, notation);
    let mut blocks = Vec::new();
    let mut moves = Vec::new();
    let draw = |position: &Position, moves: &[_], title: String| -> Result<String, Failure> {
        Ok(format!("{title}\n{}", picture::diagram(position, notation, moves)?.text()))
    };
    for (i, text) in game.moves.iter().enumerate() {
        let last = i + 1 == game.moves.len();
        if last {
            let mover = stonework_havannah::colour(position.to_move());
            blocks.push(draw(&position, &moves, format!("before {mover}'s {text}:"))?);
        }
        if play_text(&mut position, number, text).is_ok() {
            if let Ok(cell) = notation.parse(position.board(), text) {
                moves.push(stonework_havannah::Move::Place(cell));
            }
            if last {
                blocks.push(draw(&position, &moves, "after it:".to_owned())?);
            }
        }
    }
    if blocks.is_empty() {
        blocks.push(draw(&position, &moves, "the empty board:".to_owned())?);
    }
    Ok(picture::indented(&picture::beside(&blocks, 6), 2))
}

/// The boards of a counterexample in Cover.
fn cover_boards(game: &GameText) -> Result<String, Failure> {
    let mut position = Cover::start(&game.query(Vec::new()).start()).map_err(Failure::input)?;
    let mut blocks = Vec::new();
    for (i, text) in game.moves.iter().enumerate() {
        let last = i + 1 == game.moves.len();
        if last {
            let mover = stonework_cover::colour(position.to_move());
            blocks.push(position.diagram().title(format!("before {mover}'s {text}:")).text());
        }
        if let Ok((mv, _)) = play_text(&mut position, 0, text)
            && last
        {
            let to = position.target(mv).unwrap_or(mv.from);
            blocks.push(position.diagram().last(to).title("after it:").text());
        }
    }
    if blocks.is_empty() {
        blocks.push(position.diagram().title("the board:").text());
    }
    Ok(picture::indented(&picture::beside(&blocks, 6), 2))
}
