//! `solve --proof` of an empty board: all openings, one after the other, as a list of jobs that outlives the process.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};
use stonework_board::Cell;
use stonework_game::{Game, Keyed, Notation, Outcome};
use stonework_havannah::{Move, Position, colour};
use stonework_oracle::outcome_name;
use stonework_players::solver::{ByRules, CertifyError, Solver};
use stonework_search::proof::{Caps, Claim, Reader, Verified, Written, join, verify};
use stonework_search::{Ask, Limits, ProveError, Report, Stop};

use crate::engines::run;
use crate::failure::{Failure, say};

/// The largest board whose openings are proved one by one.
pub(crate) const LARGEST: u8 = 4;

/// What is known of an opening and those that are the same but for a symmetry.
pub(crate) struct Opening {
    /// The first of them.
    pub(crate) cell: Cell,
    /// The others.
    images: Vec<Cell>,
    /// The one who wins with best play, or the draw.
    pub(crate) outcome: Outcome,
    /// What the search took; nothing of one that was done before.
    cost: Option<(Report<Move>, f64)>,
    part: PathBuf,
}

/// All openings, as far as they came.
pub(crate) struct Openings {
    pub(crate) done: Vec<Opening>,
    /// What was written, when all are done.
    pub(crate) written: Option<Written>,
    /// The first that was not finished, and why.
    pub(crate) stopped: Option<(Cell, Report<Move>)>,
}

impl Openings {
    /// Positions visited, without those of earlier runs.
    pub(crate) fn nodes(&self) -> u64 {
        let done = self.done.iter().filter_map(|opening| opening.cost.as_ref()).map(|(r, _)| r.nodes);
        done.sum::<u64>() + self.stopped.as_ref().map_or(0, |(_, report)| report.nodes)
    }

    /// The largest table.
    pub(crate) fn bytes(&self) -> usize {
        let done = self.done.iter().filter_map(|opening| opening.cost.as_ref()).map(|(r, _)| r.bytes);
        done.chain(self.stopped.iter().map(|(_, report)| report.bytes)).max().unwrap_or(0)
    }
}

/// Whether a position is what all openings come from.
pub(crate) fn are_asked(root: &Position) -> bool {
    root.stone_count() == 0 && !root.swap_enabled() && root.size() <= LARGEST
}

/// The position after an opening.
fn after(root: &Position, cell: Cell) -> Position {
    let mut position = root.clone();
    position.play_unchecked(Move::Place(cell));
    position
}

/// Proves the openings that have no proof yet, each into a file of its own in the directory `FILE.parts`, then puts them
/// together.
pub(crate) fn prove(
    root: &Position,
    solver: &mut Solver,
    limits: &Limits,
    seed: u64,
    file: &Path,
) -> Result<Openings, Failure> {
    let mut parts = file.as_os_str().to_owned();
    parts.push(".parts");
    let parts = PathBuf::from(parts);
    fs::create_dir_all(&parts).map_err(|e| failed(&parts, &e))?;
    let since = Instant::now();
    let mut all = Openings { done: Vec::new(), written: None, stopped: None };
    for (cell, images) in orbits(root) {
        let part = parts.join(format!("{}.proof", root.board().name(cell)));
        let position = after(root, cell);
        if let Some(claim) = finished(&part, &position)? {
            say(format_args!("{}: {claim}, as {} shows", root.board().name(cell), part.display()));
            all.done.push(Opening { cell, images, outcome: outcome(claim), cost: None, part });
            continue;
        }
        let (report, cpu) = search(solver, root, &position, &left(limits, since), seed);
        let Some(found) = report.proof else {
            all.stopped = Some((cell, report));
            return Ok(all);
        };
        let Some(written) = part_of(solver, &position, Claim::of(found), &left(limits, since), &part)? else {
            all.stopped = Some((cell, report));
            return Ok(all);
        };
        say(format_args!(
            "{}: {}, {} nodes and {cpu:.0} s of CPU, a proof of {} bytes",
            root.board().name(cell),
            Claim::of(found),
            report.nodes,
            written.bytes,
        ));
        all.done.push(Opening { cell, images, outcome: found, cost: Some((report, cpu)), part });
    }
    all.written = Some(together(&all.done, file)?);
    for opening in &all.done {
        fs::remove_file(&opening.part).map_err(|e| failed(&opening.part, &e))?;
    }
    // Something else in it is not ours to remove.
    let _ = fs::remove_dir(&parts);
    Ok(all)
}

/// What is left of the time.
fn left(limits: &Limits, since: Instant) -> Limits {
    Limits { time: limits.time.map(|time| time.saturating_sub(since.elapsed())), ..limits.clone() }
}

/// Asks first whether the side that opens wins: that is likely.
fn search(
    solver: &mut Solver,
    root: &Position,
    position: &Position,
    limits: &Limits,
    seed: u64,
) -> (Report<Move>, f64) {
    solver.ask_next(Ask::Wins(root.to_move()));
    let (first, cpu) = run(solver, position, limits, seed);
    if first.proof.is_some() || first.stopped != Stop::Solved {
        return (first, cpu);
    }
    solver.ask_next(Ask::Value);
    let (second, more) = run(solver, position, limits, seed);
    (Report { nodes: first.nodes + second.nodes, ..second }, cpu + more)
}

fn failed(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::input(format!("{}: {error}", file.display()))
}

/// The openings that differ, each with its images, in the order of the cells.
pub(crate) fn orbits(root: &Position) -> Vec<(Cell, Vec<Cell>)> {
    let mut orbits: Vec<(u64, Cell, Vec<Cell>)> = Vec::new();
    for cell in root.empty_cells() {
        let key = after(root, cell).canonical().0;
        match orbits.iter_mut().find(|(known, ..)| *known == key) {
            Some((_, _, images)) => images.push(cell),
            None => orbits.push((key, cell, Vec::new())),
        }
    }
    orbits.into_iter().map(|(_, cell, images)| (cell, images)).collect()
}

/// What a part shows that was finished before; nothing if there is none. One that does not hold is an error.
fn finished(part: &Path, position: &Position) -> Result<Option<Claim>, Failure> {
    let Ok(file) = File::open(part) else { return Ok(None) };
    let proof: Verified<Position> = verify("havannah", &ByRules, BufReader::new(file), &Caps::default())
        .map_err(|refused| {
            failed(part, &format!("{refused}; remove it, and the opening will be proved again"))
        })?;
    match &*proof.claims {
        [(root, claim @ (Claim::Wins(_) | Claim::Draw))] if root == position => Ok(Some(*claim)),
        _ => Err(failed(part, &"a proof of something else; remove it, and the opening will be proved")),
    }
}

const fn outcome(claim: Claim) -> Outcome {
    match claim {
        Claim::Wins(player) => Outcome::Win(player),
        Claim::DoesNotWin(_) | Claim::Draw => Outcome::Draw,
    }
}

/// Proves one opening into a file that is there when it is complete; nothing if a limit was reached.
fn part_of(
    solver: &mut Solver,
    position: &Position,
    claim: Claim,
    limits: &Limits,
    part: &Path,
) -> Result<Option<Written>, Failure> {
    let unfinished = part.with_extension("unfinished");
    let output = File::create(&unfinished).map_err(|e| failed(&unfinished, &e))?;
    let mut output = BufWriter::new(output);
    let written = match solver.prove(position, claim, limits, &mut output) {
        Ok(written) => written,
        Err(CertifyError::Prove(ProveError::Stopped(_))) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(part, &error)),
    };
    let file = output.into_inner().map_err(|e| failed(&unfinished, &e))?;
    file.sync_all().map_err(|e| failed(&unfinished, &e))?;
    fs::rename(&unfinished, part).map_err(|e| failed(part, &e))?;
    Ok(Some(written))
}

/// Writes all parts into one file, which is there when it is complete.
fn together(openings: &[Opening], file: &Path) -> Result<Written, Failure> {
    let mut readers = Vec::new();
    for Opening { part, .. } in openings {
        let input = BufReader::new(File::open(part).map_err(|e| failed(part, &e))?);
        readers.push(Reader::new(input).map_err(|e| failed(part, &e))?);
    }
    let mut unfinished = file.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let mut output = BufWriter::new(File::create(&unfinished).map_err(|e| failed(&unfinished, &e))?);
    let written = join(readers, &mut output)
        .map_err(|(i, refused)| failed(openings.get(i).map_or(file, |opening| &opening.part), &refused))?;
    output.flush().map_err(|e| failed(&unfinished, &e))?;
    fs::rename(&unfinished, file).map_err(|e| failed(file, &e))?;
    Ok(written)
}

impl Opening {
    /// Its fields for JSON.
    pub(crate) fn fields(&self, root: &Position) -> Value {
        let name = |cell: &Cell| root.move_text(Move::Place(*cell));
        json!({
            "move": name(&self.cell),
            "images": self.images.iter().map(name).collect::<Vec<_>>(),
            "outcome": outcome_name::<Position>(self.outcome),
            "nodes": self.cost.as_ref().map(|(report, _)| report.nodes),
            "cpu_seconds": self.cost.as_ref().map(|(_, cpu)| cpu),
        })
    }

    /// A line for people.
    pub(crate) fn text(&self, root: &Position) -> String {
        let name = |cell: &Cell| root.move_text(Move::Place(*cell));
        let images: Vec<String> = self.images.iter().map(name).collect();
        let others =
            if images.is_empty() { String::new() } else { format!(" (and so {})", images.join(" ")) };
        let cost = self.cost.as_ref().map_or("proved before".to_owned(), |(report, cpu)| {
            format!("{} nodes, {cpu:.2} s of CPU", report.nodes)
        });
        format!("{}: {}, {cost}{others}", name(&self.cell), said(self.outcome))
    }
}

/// An outcome in words.
pub(crate) fn said(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => format!("{} wins", colour(player)),
        Outcome::Draw => "a draw".to_owned(),
    }
}

/// What claims about the positions after each opening come to: the value of the empty board, if none is missing and each is
/// exact.
pub(crate) fn conclusion(claims: &[(Position, Claim)]) -> Option<Outcome> {
    let root = Position::new(claims.first()?.0.size()).ok()?;
    let mut best: Option<Outcome> = None;
    for (cell, _) in orbits(&root) {
        let wanted = after(&root, cell).canonical().0;
        let exact = |claim: Claim| matches!(claim, Claim::Wins(_) | Claim::Draw);
        let found = claims.iter().find(|(p, claim)| {
            exact(*claim) && p.stone_count() == 1 && p.size() == root.size() && p.canonical().0 == wanted
        });
        let value = outcome(found?.1);
        let rank = |outcome: Outcome| outcome.value_for(root.to_move());
        if best.is_none_or(|other| rank(value) > rank(other)) {
            best = Some(value);
        }
    }
    best
}
