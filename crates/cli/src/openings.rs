//! `solve --proof` of an empty board: all openings, one after the other, as a list of jobs that outlives the process and that
//! several processes can share.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use stonework_board::Cell;
use stonework_game::{Game, Keyed, Notation, Outcome};
use stonework_havannah::{Move, Position, colour};
use stonework_oracle::outcome_name;
use stonework_players::solver::{ByRules, CertifyError};
use stonework_search::proof::{Caps, Claim, JoinError, Reader, Verified, Written, join, verify};
use stonework_search::{Ask, ProveError, Report, Stop};

use crate::claim::{Claims, Held};
use crate::failure::{Failure, say};
use crate::longrun::{self, Found, LongRun};

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
    /// What the search took; nothing of one that was done before, or by another process.
    cost: Option<Found>,
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
        let done =
            self.done.iter().filter_map(|opening| opening.cost.as_ref()).map(|found| found.report.nodes);
        done.sum::<u64>() + self.stopped.as_ref().map_or(0, |(_, report)| report.nodes)
    }

    /// The largest table.
    pub(crate) fn bytes(&self) -> usize {
        let done =
            self.done.iter().filter_map(|opening| opening.cost.as_ref()).map(|found| found.report.bytes);
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

/// How often a process that waits for others looks whether there is something to do.
const LOOK: Duration = Duration::from_millis(500);

/// Proves the openings that have no proof yet, each into a file of its own in the directory `FILE.parts`, then puts them
/// together. Openings that another process is at are left to it; at the end this one waits for it, and takes over
/// what it does not finish.
pub(crate) fn prove(root: &Position, run: &mut LongRun<'_>, file: &Path) -> Result<Openings, Failure> {
    let mut parts = file.as_os_str().to_owned();
    parts.push(".parts");
    let parts = PathBuf::from(parts);
    fs::create_dir_all(&parts).map_err(|e| failed(&parts, &e))?;
    let mut jobs = Jobs {
        root,
        file,
        before: state_of(file),
        claims: Claims::new(&parts),
        parts,
        done: Vec::new(),
        of: orbits(root).len(),
    };
    loop {
        let (mut others, done) = (None, jobs.done.len());
        for (cell, images) in orbits(root) {
            if jobs.done.iter().any(|opening| opening.cell == cell) {
                continue;
            }
            match jobs.turn(cell, &images, run)? {
                Turn::Done(opening) => jobs.done.push(opening),
                Turn::Others => others = Some(cell),
                Turn::Stopped(report) => {
                    return Ok(Openings { done: jobs.done, written: None, stopped: Some((cell, report)) });
                }
                Turn::AllDone => return jobs.all_done(),
            }
        }
        if others.is_none()
            && let Some(openings) = jobs.together()?
        {
            return Ok(openings);
        }
        if jobs.done.len() == done {
            if let Some(stop) = run.stopped() {
                // If nothing but putting them together is left, the last one.
                let Some(cell) = others.or_else(|| jobs.done.last().map(|opening| opening.cell)) else {
                    return jobs.all_done();
                };
                let report = Report { stopped: stop, ..Report::empty() };
                return Ok(Openings { done: jobs.done, written: None, stopped: Some((cell, report)) });
            }
            thread::sleep(LOOK);
        }
    }
}

/// What tells that a file was written anew; nothing if it is not there.
fn state_of(file: &Path) -> Option<(SystemTime, u64)> {
    let data = fs::metadata(file).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// The openings as jobs of several processes.
struct Jobs<'a> {
    root: &'a Position,
    file: &'a Path,
    /// The file as it was in the beginning.
    before: Option<(SystemTime, u64)>,
    parts: PathBuf,
    claims: Claims,
    done: Vec<Opening>,
    /// How many there are.
    of: usize,
}

/// What came of the turn of one opening.
enum Turn {
    Done(Opening),
    /// Another process is at it.
    Others,
    Stopped(Report<Move>),
    /// Other processes have finished all.
    AllDone,
}

impl Jobs<'_> {
    fn path(&self, cell: Cell, kind: &str) -> PathBuf {
        self.parts.join(format!("{}.{kind}", self.root.board().name(cell)))
    }

    fn claim(&mut self, job: &str) -> Result<Option<Held>, Failure> {
        match self.claims.take(job) {
            // The directory goes when all is done.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            taken => taken.map_err(|e| failed(&self.parts, &e)),
        }
    }

    /// Looks whether an opening is done, and if not and if nobody else is at it, does it.
    fn turn(&mut self, cell: Cell, images: &[Cell], run: &mut LongRun<'_>) -> Result<Turn, Failure> {
        let (part, position) = (self.path(cell, "proof"), after(self.root, cell));
        let name = self.root.board().name(cell);
        let opening =
            |outcome, cost| Opening { cell, images: images.to_vec(), outcome, cost, part: part.clone() };
        let claim = if part.exists() { None } else { self.claim(&name)? };
        if let Some(claim) = finished(&part, &position)? {
            say(format_args!("{name}: {claim}, as {} shows", part.display()));
            return Ok(Turn::Done(opening(outcome(claim), None)));
        }
        if state_of(self.file) != self.before {
            return Ok(Turn::AllDone);
        }
        let Some(claim) = claim else { return Ok(Turn::Others) };
        let checkpoint = self.path(cell, "checkpoint");
        // First whether the side that opens wins: that is likely.
        let questions = [Ask::Wins(self.root.to_move()), Ask::Value];
        let title = format!("{} of {} openings proved; {name}", self.done.len(), self.of);
        let found = run.search(&position, &questions, &checkpoint, &title)?;
        let Some(proof) = found.report.proof else { return Ok(Turn::Stopped(found.report)) };
        let Some(written) = part_of(run, &position, Claim::of(proof), &part, &claim)? else {
            run.save(&position, &checkpoint)?;
            let stopped = run.stopped().unwrap_or(Stop::Nodes);
            return Ok(Turn::Stopped(Report { stopped, ..found.report }));
        };
        if !claim.is_ours() {
            return Ok(Turn::Others);
        }
        longrun::remove(&checkpoint)?;
        say(format_args!(
            "{name}: {}, {} nodes and {:.0} s of CPU, a proof of {} bytes",
            Claim::of(proof),
            found.report.nodes,
            found.cpu,
            written.bytes,
        ));
        Ok(Turn::Done(opening(proof, Some(found))))
    }

    /// Puts the parts together, if nobody else does; nothing if somebody does.
    fn together(&mut self) -> Result<Option<Openings>, Failure> {
        let claim = self.claim("all")?;
        if state_of(self.file) != self.before {
            // It lies in the directory that goes.
            drop(claim);
            return self.all_done().map(Some);
        }
        let Some(claim) = claim else { return Ok(None) };
        self.done.sort_by_key(|opening| opening.cell);
        let written = together(&self.done, self.file)?;
        for opening in &self.done {
            fs::remove_file(&opening.part).map_err(|e| failed(&opening.part, &e))?;
        }
        drop(claim);
        // Something else in it is not ours to remove.
        let _ = fs::remove_dir(&self.parts);
        let done = std::mem::take(&mut self.done);
        Ok(Some(Openings { done, written: Some(written), stopped: None }))
    }

    /// What others have put together.
    fn all_done(&mut self) -> Result<Openings, Failure> {
        let input = File::open(self.file).map_err(|e| failed(self.file, &e))?;
        let proof: Verified<Position> = verify("havannah", &ByRules, BufReader::new(input), &Caps::default())
            .map_err(|refused| failed(self.file, &refused))?;
        let mut done = std::mem::take(&mut self.done);
        for (cell, images) in orbits(self.root) {
            let position = after(self.root, cell);
            let Some((_, claim)) = proof.claims.iter().find(|(root, _)| *root == position) else {
                return Err(failed(self.file, &"it was written by something else meanwhile"));
            };
            if !done.iter().any(|opening| opening.cell == cell) {
                let part = self.path(cell, "proof");
                done.push(Opening { cell, images, outcome: outcome(*claim), cost: None, part });
            }
        }
        done.sort_by_key(|opening| opening.cell);
        let bytes = state_of(self.file).map_or(0, |(_, len)| len);
        let written = Written { bytes, records: proof.records, shared: proof.shared };
        let _ = fs::remove_dir(&self.parts);
        Ok(Openings { done, written: Some(written), stopped: None })
    }
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
    run: &mut LongRun<'_>,
    position: &Position,
    claim: Claim,
    part: &Path,
    held: &Held,
) -> Result<Option<Written>, Failure> {
    let unfinished = part.with_extension("unfinished");
    let output = File::create(&unfinished).map_err(|e| failed(&unfinished, &e))?;
    let mut output = BufWriter::new(output);
    let limits = run.left();
    let written = match run.solver.prove(position, claim, &limits, &mut output) {
        Ok(written) => written,
        Err(CertifyError::Prove(ProveError::Stopped(_))) => return Ok(None),
        Err(error) => return Err(failed(part, &error)),
    };
    let file = output.into_inner().map_err(|e| failed(&unfinished, &e))?;
    file.sync_all().map_err(|e| failed(&unfinished, &e))?;
    // Who was suspended for long, and taken over, leaves it to the other, who writes to the same file.
    if held.is_ours() {
        fs::rename(&unfinished, part).map_err(|e| failed(part, &e))?;
    }
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
    let written = join(readers, &mut output).map_err(|error| match error {
        JoinError::Refused { proof, refused } => failed(&openings[proof].part, &refused),
        error => failed(&unfinished, &error),
    })?;
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
            "nodes": self.cost.as_ref().map(|found| found.report.nodes),
            "nodes_before": self.cost.as_ref().map(|found| found.before),
            "cpu_seconds": self.cost.as_ref().map(|found| found.cpu),
        })
    }

    /// A line for people.
    pub(crate) fn text(&self, root: &Position) -> String {
        let name = |cell: &Cell| root.move_text(Move::Place(*cell));
        let images: Vec<String> = self.images.iter().map(name).collect();
        let others =
            if images.is_empty() { String::new() } else { format!(" (and so {})", images.join(" ")) };
        let cost = self.cost.as_ref().map_or("proved before or elsewhere".to_owned(), |found| {
            format!("{} nodes, {:.2} s of CPU", found.report.nodes, found.cpu)
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use stonework_players::solver::Solver;
    use stonework_search::Limits;

    use super::*;

    /// Of two that have seen all parts, the one that comes late has all openings, too.
    #[test]
    fn who_finds_all_put_together_has_all_openings() {
        let folder = std::env::temp_dir().join(format!("stonework-openings-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let (file, root, limits) =
            (folder.join("size2.proof"), Position::new(2).unwrap(), Limits::none().bytes(1 << 20));
        let mut solver = Solver::new().keep(true);
        let every = Duration::from_secs(60);
        let mut run = LongRun { solver: &mut solver, limits: &limits, seed: 0, every, since: Instant::now() };
        let first = prove(&root, &mut run, &file).unwrap();
        let parts = folder.join("size2.proof.parts");
        fs::create_dir_all(&parts).unwrap();
        let (claims, of) = (Claims::new(&parts), orbits(&root).len());
        let mut late = Jobs {
            root: &root,
            file: &file,
            before: None,
            parts: parts.clone(),
            claims,
            done: Vec::new(),
            of,
        };
        let second = late.together().unwrap().unwrap();
        let said = |openings: &Openings| {
            openings.done.iter().map(|opening| (opening.cell, opening.outcome)).collect::<Vec<_>>()
        };
        assert_eq!((said(&second), second.done.len()), (said(&first), of));
        assert_eq!(second.written.unwrap().bytes, first.written.unwrap().bytes);
        assert!(!parts.exists());
        fs::remove_dir_all(&folder).unwrap();
    }
}
