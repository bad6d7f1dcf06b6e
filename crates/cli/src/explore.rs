//! `solve --explore`: through a proof, move by move.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};
use stonework_board::{Cell, Notation};
use stonework_game::text::head;
use stonework_game::{Game, Notation as _, Outcome};
use stonework_havannah::{Move, Position, colour};
use stonework_oracle::{Lines, outcome_name};
use stonework_players::solver::{ByRules, Compact, Solver};
use stonework_players::{Certificate, certificate};
use stonework_search::proof::{Claim, Reason, Said, Walk, value_of};
use stonework_search::{Engine, Limits, Report};

use crate::failure::Failure;
use crate::openings::said as in_words;
use crate::out::Out;
use crate::picture;
use crate::verify::{claim_fields, tell_claims};

/// The game of a proof that is explored.
pub(crate) type Small = Compact<u128>;
/// Bytes of a line of commands, at most.
const MAX_LINE: usize = 1 << 16;
/// Positions that the solver looks at for a question where no limit is set.
const NODES: u64 = 1_000_000;

const COMMANDS: &str = "\
CELL …      play these moves
back [N]    take back the last move, or N of them
start       take back all
moves       each move with what follows: who wins, within how many plies, and what answers it
why         what is known of the position, and how
line        the longest game that the proof allows from here
solve       ask the solver where the proof is silent
board       draw the position again
stats       what the proof has, claim by claim
help, quit";

/// Reads a proof.
pub(crate) fn read(file: &Path, bytes: usize) -> Result<Certificate, Failure> {
    let named = |why: &dyn std::fmt::Display| Failure::input(format!("{}: {why}", file.display()));
    let input = File::open(file).map_err(|e| named(&e))?;
    certificate(BufReader::with_capacity(1 << 16, input), bytes).map_err(|e| named(&e))
}

/// What a player may know by heart.
#[derive(Args)]
pub(crate) struct CertificateArgs {
    /// A proof that `solve --proof` has written, for the player `perfect` (Havannah, to size 6)
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

/// Bytes that it may take in memory.
const CERTIFICATE: usize = 1 << 30;

impl CertificateArgs {
    /// The file.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.certificate.as_deref()
    }

    /// Reads it.
    pub(crate) fn load(&self) -> Result<Option<Arc<Certificate>>, Failure> {
        self.certificate.as_deref().map(|file| read(file, CERTIFICATE).map(Arc::new)).transpose()
    }
}

/// Where to begin: at the root of the only claim, else on the empty board.
pub(crate) fn root(book: &Certificate) -> Result<Position, Failure> {
    let claims = &book.verified().claims;
    if let [(root, _)] = &**claims {
        return root.position().map_err(Failure::input);
    }
    let size = claims.first().map_or(2, |(root, _)| root.board().size());
    Position::new(size).map_err(Failure::input)
}

/// A position without the right to swap, as the proof knows it.
pub(crate) fn small(position: &Position) -> Result<Small, Failure> {
    Small::try_from(position)
        .map_err(|e| Failure::input(format!("a proof cannot be explored from here: {e}")))
}

/// From where something is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Proof,
    Rules,
    Solver,
    Nobody,
}

impl Source {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Proof => "proof",
            Self::Rules => "rules",
            Self::Solver => "solver",
            Self::Nobody => "unknown",
        }
    }
}

/// What is known of a position.
pub(crate) struct Known {
    pub(crate) value: Option<Outcome>,
    pub(crate) plies: Option<u32>,
    /// What the side to move does about it.
    pub(crate) answer: Vec<Cell>,
    pub(crate) source: Source,
}

impl Known {
    /// From a proof.
    pub(crate) fn from_proof(said: &[Said<Cell>]) -> Option<Self> {
        let value = value_of(said)?;
        let mine = said.iter().find(|said| !moves_of(&said.reason).is_empty()).or_else(|| said.first())?;
        let source = source(mine);
        let plies = said.iter().map(|said| said.plies).max().filter(|_| value != Outcome::Draw);
        Some(Self { value: Some(value), plies, answer: moves_of(&mine.reason).to_vec(), source })
    }

    /// From the solver.
    pub(crate) fn from_report(report: &Report<Move>) -> Self {
        let answer = report.best.filter(|_| report.proof.is_some()).and_then(cell);
        let source = if report.proof.is_some() { Source::Solver } else { Source::Nobody };
        Self { value: report.proof, plies: None, answer: answer.into_iter().collect(), source }
    }
}

const fn cell(mv: Move) -> Option<Cell> {
    match mv {
        Move::Place(cell) => Some(cell),
        Move::Swap => None,
    }
}

/// The moves that are part of a reason.
fn moves_of(reason: &Reason<Cell>) -> &[Cell] {
    match reason {
        Reason::AtOnce(moves) | Reason::Defenceless(moves) | Reason::Line(moves) | Reason::Answers(moves) => {
            moves
        }
        Reason::Move(mv) | Reason::Forced(mv) => std::slice::from_ref(mv),
        _ => &[],
    }
}

/// A claim, with the names of the sides.
fn claimed(claim: Claim) -> String {
    match claim {
        Claim::Wins(side) => format!("{} wins", colour(side)),
        Claim::DoesNotWin(side) => format!("{} does not win", colour(side)),
        Claim::Draw => "a draw".to_owned(),
    }
}

/// A reason, in words.
fn because(reason: &Reason<Cell>, name: impl Fn(Cell) -> String) -> String {
    let names = || moves_of(reason).iter().map(|&cell| name(cell)).collect::<Vec<_>>().join(" ");
    match reason {
        Reason::Over => "the game is over".to_owned(),
        Reason::AtOnce(_) => format!("at once with {}", names()),
        Reason::Defenceless(_) => format!("nothing stops all of {}", names()),
        Reason::Forced(_) => format!("only {} does not lose at once", names()),
        Reason::Move(_) => format!("play {}", names()),
        Reason::Line(_) => format!("by threats, one after the other: {}", names()),
        Reason::Answers(_) => format!("no move helps; against most, these threats: {}", names()),
        Reason::Never => "there is no way to win left".to_owned(),
        _ => "no move helps".to_owned(),
    }
}

/// The reason's name in JSON.
const fn reason_name(reason: &Reason<Cell>) -> &'static str {
    match reason {
        Reason::Over => "over",
        Reason::AtOnce(_) => "at_once",
        Reason::Defenceless(_) => "defenceless",
        Reason::Forced(_) => "forced",
        Reason::Move(_) => "move",
        Reason::Line(_) => "line",
        Reason::Answers(_) => "answers",
        Reason::Never => "never",
        _ => "all",
    }
}

const fn source(said: &Said<Cell>) -> Source {
    if said.sight { Source::Rules } else { Source::Proof }
}

/// Everything said, as lines for people.
pub(crate) fn sentences(said: &[Said<Cell>], name: impl Fn(Cell) -> String) -> Vec<String> {
    let sentence = |said: &Said<Cell>| {
        let within = match (&said.reason, said.claim) {
            (Reason::Over | Reason::AtOnce(_), _) | (_, Claim::DoesNotWin(_)) => String::new(),
            _ => format!(" within {} plies", said.plies),
        };
        let why = because(&said.reason, &name);
        format!("{}{within}: {why} ({})", claimed(said.claim), source(said).name())
    };
    said.iter().map(sentence).collect()
}

/// The same for JSON.
pub(crate) fn said_fields(said: &[Said<Cell>], name: impl Fn(Cell) -> String) -> Value {
    let field = |said: &Said<Cell>| {
        json!({
            "claim": claimed(said.claim),
            "reason": reason_name(&said.reason),
            "moves": moves_of(&said.reason).iter().map(|&cell| name(cell)).collect::<Vec<_>>(),
            "plies": said.plies,
            "from": source(said).name(),
        })
    };
    said.iter().map(field).collect()
}

/// What a line asks for.
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
                let count = rest.first().map_or(Ok(1), |text| text.parse());
                let count = count.map_err(|_| format!("back `{}`: a number of moves", head(rest[0])))?;
                return if rest.len() > 1 {
                    Err("back: one number".to_owned())
                } else {
                    Ok(Self::Back(count))
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

/// A walk with somebody who asks.
pub(crate) struct Explorer<'a> {
    pub(crate) walk: Walk<'a, Small, ByRules>,
    book: &'a Certificate,
    start: Position,
    notation: Notation,
    solver: Solver,
    limits: Limits,
    seed: u64,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(
        book: &'a Certificate,
        start: Position,
        notation: Notation,
        limits: Limits,
        seed: u64,
    ) -> Result<Self, Failure> {
        notation.fits(start.board().shape()).map_err(Failure::input)?;
        let walk = book.walk(small(&start)?);
        let limited = limits.nodes.is_some() || limits.time.is_some();
        let limits = if limited { limits } else { limits.nodes(NODES) };
        Ok(Self { walk, book, start, notation, solver: Solver::new().keep(true), limits, seed })
    }

    /// Answers every line of standard input.
    pub(crate) fn serve(&mut self, out: &mut Out) -> Result<(), Failure> {
        let mut input = BufReader::new(io::stdin().lock());
        let prompt = io::stdin().is_terminal() && !out.wants_json();
        if !out.wants_json() {
            self.show(out)?;
        }
        for number in 1_u64.. {
            if prompt {
                write!(out, "> ")?;
            }
            out.flush()?;
            let line = match Lines::new(&mut input, MAX_LINE).next() {
                None => break,
                Some(Ok(line)) => line,
                Some(Err(e)) => return Err(Failure::input(format!("standard input: {e}"))),
            };
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
        }
        Ok(())
    }

    fn name(&self, cell: Cell) -> String {
        self.notation.name_of(self.start.board(), cell).unwrap_or_default()
    }

    /// A root as a position of the rules; it comes from one.
    fn of_rules(root: &Small) -> Position {
        root.position().unwrap_or_else(|e| unreachable!("{e}"))
    }

    /// The position of the rules.
    fn position(&self) -> Position {
        let mut position = self.start.clone();
        for cell in self.walk.moves() {
            position.play_unchecked(Move::Place(cell));
        }
        position
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
                let played = self.walk.moves().len();
                if *count > played {
                    return Ok(Err(format!("back {count}: {played} moves were played")));
                }
                for _ in 0..*count {
                    self.walk.back();
                }
                self.show(out)?;
            }
            Command::Start => {
                while self.walk.back().is_some() {}
                self.show(out)?;
            }
            Command::Board | Command::Why => self.show(out)?,
            Command::Moves => self.moves(out)?,
            Command::Line => self.line(out)?,
            Command::Solve => self.solve(out)?,
            Command::Stats if out.wants_json() => {
                out.object(
                    &json!({ "ok": true, "claims": claim_fields(self.book.verified(), Self::of_rules) }),
                )?;
            }
            Command::Stats => {
                let (positions, mebibytes) = (self.book.positions(), self.book.bytes() >> 20);
                writeln!(out, "{positions} different positions with a record, {mebibytes} MiB")?;
                tell_claims(self.book.verified(), Self::of_rules, out)?;
            }
            Command::Help if out.wants_json() => out.object(&json!({ "ok": true, "help": COMMANDS }))?,
            Command::Help => writeln!(out, "{COMMANDS}")?,
            Command::Quit => {}
        }
        Ok(Ok(()))
    }

    /// Plays all of these moves, or none.
    fn play(&mut self, words: &[String]) -> Result<(), String> {
        for (played, word) in words.iter().enumerate() {
            let name = head(word);
            let cell = self.notation.parse(self.start.board(), word).map_err(|_| {
                format!(
                    "`{name}` is neither a cell of size {} nor a command: `help` lists them",
                    self.start.size()
                )
            });
            let done = cell.and_then(|cell| self.walk.play(cell).map_err(|why| format!("`{name}`: {why}")));
            if let Err(why) = done {
                for _ in 0..played {
                    self.walk.back();
                }
                return Err(why);
            }
        }
        Ok(())
    }

    /// The position and what is known of it.
    fn show(&mut self, out: &mut Out) -> Result<(), Failure> {
        let said = self.walk.said();
        if out.wants_json() {
            let mut fields = self.fields(value_of(&said));
            fields["said"] = said_fields(&said, |cell| self.name(cell));
            return out.object(&fields);
        }
        let position = self.position();
        let moves: Vec<Move> = self.walk.moves().map(Move::Place).collect();
        let diagram = picture::diagram(&position, self.notation, &moves)?;
        write!(out, "{}", picture::indented(&diagram.text(), 2))?;
        writeln!(out, "{}", picture::standing(&position))?;
        for sentence in sentences(&said, |cell| self.name(cell)) {
            writeln!(out, "{sentence}")?;
        }
        if said.is_empty() {
            writeln!(out, "not in the proof: `solve` asks the solver")?;
        }
        Ok(())
    }

    /// What every answer has.
    fn fields(&self, value: Option<Outcome>) -> Value {
        let position = self.position();
        json!({
            "ok": true,
            "moves": self.walk.moves().map(|cell| self.name(cell)).collect::<Vec<_>>(),
            "to_move": position.outcome().is_none().then(|| colour(position.to_move())),
            "outcome": value.map_or("unknown", outcome_name::<Position>),
            "board": position.position_text(),
        })
    }

    /// All moves, each with what is known of it.
    fn moves(&mut self, out: &mut Out) -> Result<(), Failure> {
        let replies = self.values();
        if out.wants_json() {
            let value = value_of(&self.walk.said());
            let mut fields = self.fields(value);
            let reply = |(cell, known): &(Cell, Known)| {
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
        let position = self.position();
        let moves: Vec<Move> = self.walk.moves().map(Move::Place).collect();
        let diagram = picture::diagram(&position, self.notation, &moves)?;
        let diagram = replies.iter().fold(diagram, |d, (cell, known)| d.label(*cell, label(known)));
        write!(out, "{}", picture::indented(&diagram.text(), 2))?;
        for (cell, known) in &replies {
            let value = known.value.map_or("unknown".to_owned(), in_words);
            let within = known.plies.filter(|&plies| plies > 0);
            let within = within.map_or(String::new(), |plies| format!(" within {plies} plies"));
            let names: Vec<String> = known.answer.iter().map(|&cell| self.name(cell)).collect();
            let answer = if names.is_empty() { String::new() } else { format!(": {}", names.join(" ")) };
            writeln!(out, "{:>4}  {value}{within}{answer} ({})", self.name(*cell), known.source.name())?;
        }
        Ok(())
    }

    /// All moves, with what the proof or else the solver knows of them.
    pub(crate) fn values(&mut self) -> Vec<(Cell, Known)> {
        let replies = self.walk.replies();
        let count = replies.len().max(1);
        let limits = Limits {
            nodes: self.limits.nodes.map(|nodes| (nodes / count as u64).max(1)),
            time: self.limits.time.map(|time| time / count as u32),
            ..self.limits.clone()
        };
        let position = self.position();
        let mut values = Vec::with_capacity(replies.len());
        for (cell, said) in replies {
            let known = Known::from_proof(&said).unwrap_or_else(|| {
                let mut next = position.clone();
                next.play_unchecked(Move::Place(cell));
                Known::from_report(&self.solver.search(&next, &limits, self.seed, &mut |_| {}))
            });
            values.push((cell, known));
        }
        values
    }

    /// The longest game from here.
    fn line(&mut self, out: &mut Out) -> Result<(), Failure> {
        let names: Vec<String> = self.walk.longest().into_iter().map(|cell| self.name(cell)).collect();
        if out.wants_json() {
            let value = value_of(&self.walk.said());
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

    /// What the solver says.
    fn solve(&mut self, out: &mut Out) -> Result<(), Failure> {
        let report = self.solver.search(&self.position(), &self.limits, self.seed, &mut |_| {});
        let line: Vec<String> =
            report.line.iter().copied().filter_map(cell).map(|cell| self.name(cell)).collect();
        if out.wants_json() {
            let mut fields = self.fields(report.proof);
            fields["from"] = json!(Known::from_report(&report).source.name());
            fields["line"] = json!(line);
            fields["nodes"] = json!(report.nodes);
            fields["stopped_by"] = json!(report.stopped.name());
            return out.object(&fields);
        }
        let value = report.proof.map_or("unknown".to_owned(), in_words);
        let line = if line.is_empty() { String::new() } else { format!(": {}", line.join(" ")) };
        writeln!(out, "{value}{line} (solver, {} nodes, ended by: {})", report.nodes, report.stopped)?;
        Ok(())
    }
}

/// What stands on a cell of a map: `w`, `b` or `=`, and the plies if they are known; `?` for what is not.
pub(crate) fn label(known: &Known) -> String {
    let letter = match known.value {
        Some(Outcome::Win(player)) => &colour(player)[..1],
        Some(Outcome::Draw) => "=",
        None => "?",
    };
    known.plies.map_or_else(|| letter.to_owned(), |plies| format!("{letter}{plies}"))
}
