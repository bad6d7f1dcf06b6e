//! `patterns`: checks, explains and shows pattern files.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stonework_board::Cell;
use stonework_files::{System, read_text};
use stonework_game::text::head;
use stonework_game::{Game, Textual as _};
use stonework_havannah::Move;
use stonework_pattern::{Code, Faults, File, Pattern, Patterns, Reach, SourcePlace, State, havannah};

use crate::failure::{Failure, say};
use crate::help;
use crate::out::Out;
use crate::picture::{beside, diagram, indented};
use crate::start::{StartArgs, Started};

/// Check pattern files, show their patterns, and find the pattern that answers a move
#[derive(Args)]
#[command(long_about = help::PATTERNS_ABOUT, after_long_help = help::PATTERNS)]
pub(crate) struct PatternsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Compile pattern files and list all faults
    Check(Check),
    /// Name the pattern that answers the last move, its cells and its probability
    Explain(Explain),
    /// Draw patterns with all their images
    Show(Show),
}

#[derive(Args)]
struct Check {
    /// Pattern files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Args)]
struct Explain {
    /// A pattern file; the one that comes with the program unless given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    start: StartArgs,
    /// Draw SVG
    #[arg(long)]
    svg: bool,
}

#[derive(Args)]
struct Show {
    /// A pattern file; the one that comes with the program unless given
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only the pattern of this name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl PatternsArgs {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        match &self.what {
            What::Check(check) => check.run(out),
            What::Explain(explain) => explain.run(out),
            What::Show(show) => show.run(out),
        }
    }
}

/// The largest number of bytes of a pattern file: 64 MiB, the limit of a whole compilation.
const MAX_FILE: u64 = 64 << 20;

/// Compiles a file with the files that it includes. The path of an included file starts from the folder of the
/// including file. A file that several paths lead to has the name of the first path.
fn compile(path: &Path) -> Result<Result<Patterns, Faults>, Failure> {
    let mut names: HashMap<PathBuf, String> = HashMap::new();
    let mut read = |path: &Path| {
        let text = read_text(&System, path, MAX_FILE).map_err(|error| error.to_string())?;
        let name = path.display().to_string();
        let name = match path.canonicalize() {
            Ok(path) => names.entry(path).or_insert(name).clone(),
            Err(_) => name,
        };
        Ok(File { name, text })
    };
    let file = read(path).map_err(|error: String| Failure::input(format!("{}: {error}", path.display())))?;
    Ok(Patterns::compile_file(file, &mut |from, name| {
        read(&Path::new(from).parent().unwrap_or(Path::new("")).join(name))
    }))
}

/// Compiles a file as [`compile`], and reports its faults; without a file, the result is the shipped patterns.
fn load(path: Option<&Path>) -> Result<Patterns, Failure> {
    match path {
        None => Ok(havannah().clone()),
        Some(path) => compile(path)?.map_err(|faults| unreadable(&faults)),
    }
}

/// Writes a line on standard error for each fault.
fn unreadable(faults: &Faults) -> Failure {
    for fault in faults.list() {
        say(format_args!("error: {fault}"));
    }
    Failure::Reported
}

fn place(at: &SourcePlace) -> Value {
    json!({ "file": *at.file, "line": at.line, "column": at.column })
}

impl Check {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let mut failure = None;
        for path in &self.files {
            let file = path.display().to_string();
            let compiled = match compile(path) {
                Ok(compiled) => compiled,
                Err(unread) => {
                    out.flush()?;
                    let _ = unread.report();
                    failure = Some(Failure::Reported);
                    continue;
                }
            };
            match compiled {
                Ok(patterns) => {
                    let (count, bytes) = (patterns.list().len(), patterns.table_bytes());
                    if out.wants_json() {
                        let line =
                            json!({ "file": file, "ok": true, "patterns": count, "table_bytes": bytes });
                        out.object(&line)?;
                    } else {
                        writeln!(out, "{file}: patterns {count}, bytes of tables {bytes}")?;
                    }
                }
                Err(faults) => {
                    if out.wants_json() {
                        let fault = |fault: &stonework_pattern::Fault| json!({ "at": place(&fault.at), "message": fault.what.to_string() });
                        let all: Vec<Value> = faults.list().iter().map(fault).collect();
                        out.object(&json!({ "file": file, "ok": false, "faults": all }))?;
                    }
                    out.flush()?;
                    failure = Some(unreadable(&faults));
                }
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

impl Explain {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let patterns = load(self.file.as_deref())?;
        let Started { position, moves } = self.start.play()?.open()?;
        let Some(&Move::Place(last)) = moves.last() else {
            let what = "no last stone to answer: give --moves that end with one";
            return Err(Failure::input(what));
        };
        let (board, to_move) = (position.board(), position.to_move());
        let notation = self.start.notation().unwrap_or_default();
        let name = |cell: Cell| notation.name_of(board, cell).unwrap_or_default();
        let code = Code::at(board, last, Reach::Thirty, |cell| match position.stone(cell) {
            None => State::Empty,
            Some(player) if player == to_move => State::Other,
            Some(_) => State::Mover,
        });
        let answer = patterns.find(code);
        let pattern = answer.map(|answer| &patterns.list()[answer.pattern]);
        let cells: Vec<Cell> = answer.iter().flat_map(|answer| answer.cells_on(board, last)).collect();
        let drawn = diagram(&position, notation, &moves)?.highlight(cells.iter().copied());
        let drawn = if self.svg { drawn.svg() } else { drawn.text() };
        let names: Vec<String> = cells.into_iter().map(name).collect();
        if out.wants_json() {
            return out.object(&json!({
                "board": position.position_text(),
                "last": name(last),
                "code": code.to_string(),
                "pattern": pattern.map(described),
                "cells": names,
                "chance": answer.map(|answer| answer.chance),
                "weight": answer.map(|answer| answer.weight),
                "diagram": drawn,
            }));
        }
        writeln!(out, "{}", drawn.trim_end())?;
        if self.svg {
            return Ok(());
        }
        writeln!(out, "around {}: {code}", name(last))?;
        match (pattern, answer) {
            (Some(pattern), Some(answer)) => {
                let (title, at) = (pattern.title(), pattern.place());
                let cells = names.join(" or ");
                writeln!(out, "{title} ({at}) answers in {cells} with a chance of {}/8", answer.chance)?;
            }
            _ => writeln!(out, "no pattern matches")?,
        }
        Ok(())
    }
}

/// A pattern as JSON.
fn described(pattern: &Pattern) -> Value {
    json!({ "name": pattern.name(), "text": pattern.to_string(), "at": place(pattern.place()) })
}

impl Show {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let patterns = load(self.file.as_deref())?;
        let wanted = |pattern: &&Pattern| self.name.is_none() || self.name.as_deref() == pattern.name();
        let shown: Vec<&Pattern> = patterns.list().iter().filter(wanted).collect();
        if let (Some(name), true) = (&self.name, shown.is_empty()) {
            let count = patterns.list().len();
            return Err(Failure::input(format!("--name {}: none of {count} patterns has it", head(name))));
        }
        for pattern in shown {
            let images = pattern.images();
            if out.wants_json() {
                let image = |image: &stonework_pattern::Image| {
                    let exceptions: Vec<String> = image.exceptions.iter().map(ToString::to_string).collect();
                    let answer: Vec<u32> = (0..30).filter(|i| image.answer >> i & 1 != 0).collect();
                    json!({ "cells": image.cells.to_string(), "answer": answer, "except": exceptions })
                };
                let images: Vec<Value> = images.iter().map(image).collect();
                let (chance, weight) = (pattern.chance(), pattern.weight());
                let mut line = described(pattern);
                line["chance"] = json!(chance);
                line["weight"] = json!(weight);
                line["images"] = json!(images);
                out.object(&line)?;
                continue;
            }
            writeln!(out, "{pattern}")?;
            writeln!(out, "  at {}, {} images:\n", pattern.place(), images.len())?;
            let pictures: Vec<String> = images.iter().map(|i| i.cells.picture(i.answer)).collect();
            for row in pictures.chunks(4) {
                writeln!(out, "{}", indented(&beside(row, 4), 4))?;
            }
        }
        Ok(())
    }
}
