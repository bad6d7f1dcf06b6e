//! `solve --explore`: a dialogue about the moves of a proof.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use stonework_board::{Cell, Notation};
use stonework_game::text::head;
use stonework_game::{ByPlayer, Game, Outcome, Player, Textual as _};
use stonework_havannah::{Move, Position, colour};
use stonework_havannah_solver::{
    BookError, Explorer, HavannahBook, KnownValue, Unfit, read_book, read_book_set,
};
use stonework_oracle::{InputLine, Lines};
use stonework_proof::set::ProofSet;
use stonework_proof::{BookEntry, NamedEntry, value_of};
use stonework_search::{Limits, Stop};
use stonework_session::{Described, outcome_name};

use crate::failure::Failure;
use crate::openings::said as in_words;
use crate::out::Out;
use crate::picture;
use crate::progress::{ReadProgress, WatchedFolder};
use crate::verify::{claim_fields, tell_claims};

/// The largest number of bytes of a line of commands.
const MAX_LINE: usize = 1 << 16;

/// The time between two looks at the flag of a signal, while no line comes.
const TICK: Duration = Duration::from_millis(50);

const COMMANDS: &str = "\
CELL …      play on these cells, one after the other
back [N]    take back the last move, or the last N moves
start       take back all moves
moves       list all moves, each with its outcome, the most plies to the end, and the best answers
why, board  draw the position, and list the claims of the proof about it with their reasons
line        show the longest game that the proof allows from this position
solve       ask the solver for the outcome, also where the proof has none
stats       show the size of the proof, claim by claim
help        list these commands
quit        end";

/// Reads a proof, a file or the directory of a set, with a progress bar.
pub(crate) fn read(file: &Path, bytes: usize) -> Result<HavannahBook, Failure> {
    read_watched(file, bytes).map_err(|why| Failure::input(format!("{}: {why}", file.display())))
}

fn read_watched(path: &Path, bytes: usize) -> Result<HavannahBook, BookError> {
    if path.is_dir() {
        let set = ProofSet::read(File::open(path.join(ProofSet::NAME))?)?;
        let files = WatchedFolder::new(path, &set);
        return Ok(read_book_set(&set, &files, bytes)?);
    }
    let (progress, file) = ReadProgress::open(path)?;
    Ok(read_book(BufReader::with_capacity(1 << 16, progress.watch(file)), bytes)?)
}

/// The proof of a player.
#[derive(Args)]
pub(crate) struct ProofArgs {
    /// A proof by `solve --proof`, for the player `perfect`
    #[arg(long = "certificate", value_name = "FILE", hide_short_help = true)]
    proof: Option<PathBuf>,
}

/// The largest number of bytes of a proof in memory.
const PROOF: usize = 1 << 30;

impl ProofArgs {
    /// The file of the proof.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.proof.as_deref()
    }

    /// Reads the proof.
    pub(crate) fn load(&self) -> Result<Option<Arc<HavannahBook>>, Failure> {
        self.proof.as_deref().map(|file| read(file, PROOF).map(Arc::new)).transpose()
    }
}

/// The first position of a dialogue: the root of the only claim, or else the empty board.
pub(crate) fn root(book: &HavannahBook) -> Result<Position, Failure> {
    let claims = &book.verified().claims;
    if let [(root, _)] = &**claims {
        return Ok(root.clone());
    }
    let size = claims.first().map_or(2, |(root, _)| root.board().size());
    Position::new(size).map_err(Failure::input)
}

/// The failure for a position that the proof does not cover.
pub(crate) fn not_explored(why: &Unfit) -> Failure {
    Failure::input(format!("a proof cannot be explored from here: {why}"))
}

const fn placed(mv: Move) -> Option<Cell> {
    if let Move::Place(cell) = mv { Some(cell) } else { None }
}

/// The entries with the names of players and cells.
pub(crate) fn named(
    entries: &[BookEntry<Cell>],
    name: impl Fn(Cell) -> String,
) -> impl Iterator<Item = NamedEntry<String>> {
    let players = ByPlayer::new(colour(Player::First), colour(Player::Second));
    entries.iter().map(move |entry| entry.named(&players, |&cell| name(cell)))
}

/// A command of the user.
enum Command {
    Play(Vec<String>),
    Back(usize),
    Start,
    Moves,
    Why,
    Line,
    Solve,
    Board,
    Stats,
    Help,
    Quit,
}

impl Command {
    fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let first = words.next().ok_or("an empty line: `help` lists the commands")?;
        let rest: Vec<&str> = words.collect();
        let command = match first {
            "back" => {
                let wrong = |text| format!("back `{}`: a number of moves", head(text));
                return match rest[..] {
                    [] => Ok(Self::Back(1)),
                    [text] => text.parse().map(Self::Back).map_err(|_| wrong(text)),
                    _ => Err("back: one number".to_owned()),
                };
            }
            "start" => Self::Start,
            "moves" => Self::Moves,
            "why" => Self::Why,
            "line" => Self::Line,
            "solve" => Self::Solve,
            "board" => Self::Board,
            "stats" => Self::Stats,
            "help" => Self::Help,
            "quit" | "exit" => Self::Quit,
            _ => return Ok(Self::Play(line.split_whitespace().map(str::to_owned).collect())),
        };
        match rest.first() {
            None => Ok(command),
            Some(more) => Err(format!("{first}: takes nothing, not `{}`", head(more))),
        }
    }
}

/// The lines of standard input, from a thread that waits for them; closed at the end of the input.
fn lines_of_input() -> io::Result<Receiver<io::Result<InputLine>>> {
    let (send, lines) = sync_channel(0);
    let mut input = BufReader::new(io::stdin());
    let read = move || Lines::new(&mut input, MAX_LINE).try_for_each(|line| send.send(line).map_err(drop));
    thread::Builder::new().spawn(read)?;
    Ok(lines)
}

/// The answers to the commands of a user.
pub(crate) struct Dialogue<'a> {
    explorer: Explorer<'a>,
    book: &'a HavannahBook,
    notation: Notation,
    /// The flag of a signal, which ends a search.
    stop: Arc<AtomicBool>,
}

impl<'a> Dialogue<'a> {
    pub(crate) fn new(
        book: &'a HavannahBook,
        start: Position,
        notation: Notation,
        limits: Limits,
        seed: u64,
    ) -> Result<Self, Failure> {
        notation.fits(start.board().shape()).map_err(Failure::input)?;
        let stop = limits.cancel.clone().unwrap_or_default();
        let explorer = Explorer::new(book, start, limits, seed).map_err(|why| not_explored(&why))?;
        Ok(Self { explorer, book, notation, stop })
    }

    /// Answers every line of standard input. A signal ends a search, and the dialogue; but on a terminal the dialogue goes on
    /// after a search that a signal has ended.
    pub(crate) fn serve(&mut self, out: &mut Out) -> Result<(), Failure> {
        let failed = |e: io::Error| Failure::input(format!("standard input: {e}"));
        let lines = lines_of_input().map_err(failed)?;
        let by_hand = io::stdin().is_terminal();
        let prompt = by_hand && !out.wants_json();
        if !out.wants_json() {
            self.show(out)?;
        }
        for number in 1_u64.. {
            if prompt {
                write!(out, "> ")?;
            }
            out.flush()?;
            let Some(line) = self.next(&lines) else {
                if prompt {
                    writeln!(out)?;
                }
                break;
            };
            let line = line.map_err(failed)?;
            let command = line.text(MAX_LINE).and_then(|text| Command::parse(&text));
            let done = match command {
                Ok(Command::Quit) => break,
                Ok(command) => self.obey(&command, out)?,
                Err(why) => Err(why),
            };
            match done {
                Ok(()) => {}
                Err(why) if out.wants_json() => {
                    out.object(&json!({ "ok": false, "error": { "line": number, "message": why } }))?;
                }
                Err(why) => writeln!(out, "error: line {number}: {why}")?,
            }
            if by_hand {
                self.stop.store(false, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// The next line; `None` at the end of the input and after a signal.
    fn next(&self, lines: &Receiver<io::Result<InputLine>>) -> Option<io::Result<InputLine>> {
        while !self.stop.load(Ordering::Relaxed) {
            match lines.recv_timeout(TICK) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        None
    }

    fn name(&self, cell: Cell) -> String {
        self.notation.name_of(self.explorer.start().board(), cell).unwrap_or_default()
    }

    fn obey(&mut self, command: &Command, out: &mut Out) -> Result<Result<(), String>, Failure> {
        match command {
            Command::Play(words) => {
                if let Err(why) = self.play(words) {
                    return Ok(Err(why));
                }
                self.show(out)?;
            }
            Command::Back(count) => {
                let played = self.explorer.walk().moves().len();
                if *count > played {
                    return Ok(Err(format!("back {count}: {played} moves were played")));
                }
                for _ in 0..*count {
                    self.explorer.walk_mut().back();
                }
                self.show(out)?;
            }
            Command::Start => {
                while self.explorer.walk_mut().back().is_some() {}
                self.show(out)?;
            }
            Command::Board | Command::Why => self.show(out)?,
            Command::Moves => self.moves(out)?,
            Command::Line => self.line(out)?,
            Command::Solve => self.solve(out)?,
            Command::Stats if out.wants_json() => {
                out.object(&json!({ "ok": true, "claims": claim_fields(self.book.verified()) }))?;
            }
            Command::Stats => {
                let (positions, mebibytes) = (self.book.positions(), self.book.bytes() >> 20);
                writeln!(out, "{positions} different positions with a record, {mebibytes} MiB")?;
                tell_claims(self.book.verified(), out)?;
            }
            Command::Help if out.wants_json() => out.object(&json!({ "ok": true, "help": COMMANDS }))?,
            Command::Help => writeln!(out, "{COMMANDS}")?,
            Command::Quit => {}
        }
        Ok(Ok(()))
    }

    /// Plays all of these moves, or none of them.
    fn play(&mut self, words: &[String]) -> Result<(), String> {
        for (played, word) in words.iter().enumerate() {
            let name = head(word);
            let cell = self.notation.parse(self.explorer.start().board(), word).map_err(|_| {
                format!(
                    "`{name}` is neither a cell of size {} nor a command: `help` lists them",
                    self.explorer.start().size()
                )
            });
            let done = cell.and_then(|cell| {
                self.explorer.walk_mut().play(cell).map_err(|why| format!("`{name}`: {why}"))
            });
            if let Err(why) = done {
                for _ in 0..played {
                    self.explorer.walk_mut().back();
                }
                return Err(why);
            }
        }
        Ok(())
    }

    /// Prints the position and the entries of the proof about it.
    fn show(&mut self, out: &mut Out) -> Result<(), Failure> {
        let entries = self.explorer.walk_mut().entries();
        let mut named = named(&entries, |cell| self.name(cell));
        if out.wants_json() {
            let mut fields = self.fields(value_of(&entries));
            fields["said"] = json!(named.collect::<Vec<_>>());
            return out.object(&fields);
        }
        let position = self.explorer.position();
        let moves: Vec<Move> = self.explorer.walk().moves().into_iter().map(Move::Place).collect();
        let diagram = picture::diagram(&position, self.notation, &moves)?;
        write!(out, "{}", picture::indented(&diagram.text(), 2))?;
        writeln!(out, "{}", position.standing())?;
        named.try_for_each(|entry| writeln!(out, "{entry}"))?;
        if entries.is_empty() {
            writeln!(out, "not in the proof: `solve` asks the solver")?;
        }
        Ok(())
    }

    /// The fields of every answer.
    fn fields(&self, value: Option<Outcome>) -> Value {
        let position = self.explorer.position();
        json!({
            "ok": true,
            "moves": self.explorer.walk().moves().into_iter().map(|cell| self.name(cell)).collect::<Vec<_>>(),
            "to_move": position.outcome().is_none().then(|| colour(position.to_move())),
            "outcome": value.map_or("unknown", outcome_name::<Position>),
            "board": position.position_text(),
        })
    }

    /// Prints all moves, each with its value.
    fn moves(&mut self, out: &mut Out) -> Result<(), Failure> {
        let replies = self.explorer.values();
        if out.wants_json() {
            let value = value_of(&self.explorer.walk_mut().entries());
            let mut fields = self.fields(value);
            let reply = |(cell, known): &(Cell, KnownValue)| {
                json!({
                    "move": self.name(*cell),
                    "outcome": known.value.map_or("unknown", outcome_name::<Position>),
                    "plies": known.plies,
                    "answer": known.answer.iter().map(|&cell| self.name(cell)).collect::<Vec<_>>(),
                    "from": known.source.name(),
                })
            };
            fields["replies"] = replies.iter().map(reply).collect();
            return out.object(&fields);
        }
        let position = self.explorer.position();
        let moves: Vec<Move> = self.explorer.walk().moves().into_iter().map(Move::Place).collect();
        let diagram = picture::diagram(&position, self.notation, &moves)?;
        let diagram = replies.iter().fold(diagram, |d, (cell, known)| d.label(*cell, known.label()));
        write!(out, "{}", picture::indented(&diagram.text(), 2))?;
        for (cell, known) in &replies {
            let Some(value) = known.value.map(in_words) else {
                writeln!(out, "{:>4}  unknown", self.name(*cell))?;
                continue;
            };
            let within = known.plies.filter(|&plies| plies > 0);
            let within = within.map_or(String::new(), |plies| format!(" within {plies} plies"));
            let names: Vec<String> = known.answer.iter().map(|&cell| self.name(cell)).collect();
            let answer = if names.is_empty() { String::new() } else { format!(": {}", names.join(" ")) };
            writeln!(out, "{:>4}  {value}{within}{answer} ({})", self.name(*cell), known.source.name())?;
        }
        Ok(())
    }

    /// Prints the longest game from the present position.
    fn line(&mut self, out: &mut Out) -> Result<(), Failure> {
        let names: Vec<String> =
            self.explorer.walk_mut().longest().into_iter().map(|cell| self.name(cell)).collect();
        if out.wants_json() {
            let value = value_of(&self.explorer.walk_mut().entries());
            let mut fields = self.fields(value);
            fields["line"] = json!(names);
            return out.object(&fields);
        }
        match names.len() {
            0 => writeln!(out, "no moves: the game is over, or not in the proof")?,
            plies => writeln!(out, "{} ({plies} plies)", names.join(" "))?,
        }
        Ok(())
    }

    /// Prints the answer of the solver.
    fn solve(&mut self, out: &mut Out) -> Result<(), Failure> {
        let report = self.explorer.solve();
        let line: Vec<String> =
            report.line().iter().copied().filter_map(placed).map(|cell| self.name(cell)).collect();
        if out.wants_json() {
            let mut fields = self.fields(report.proven);
            fields["from"] = json!(KnownValue::from_report(&report).source.name());
            fields["line"] = json!(line);
            fields["nodes"] = json!(report.nodes);
            fields["stopped_by"] = json!(report.stopped.map(Stop::name));
            return out.object(&fields);
        }
        let value = report.proven.map_or("unknown".to_owned(), in_words);
        let line = if line.is_empty() { String::new() } else { format!(": {}", line.join(" ")) };
        let (nodes, stop) = (report.nodes, report.stopped.map_or("none", Stop::name));
        writeln!(out, "{value}{line} (solver, {nodes} nodes, ended by: {stop})")?;
        Ok(())
    }
}
