//! `solve --proof` by the positions after each move, as a list of jobs that outlives the process and that several processes
//! can share: all openings of the empty board, and the replies to a position whose value is asked for.

use std::cmp::Reverse;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use stonework_board::Cell;
use stonework_files::{Disk, Lock, LockError, Look, replace};
use stonework_game::{Game, Notation, Outcome};
use stonework_havannah::{Move, Position};
use stonework_oracle::outcome_name;
use stonework_players::solver::{ByRules, CertifyError};
use stonework_search::proof::{Caps, Claim, JoinError, Reader, Verified, Written, join, verify};
use stonework_search::{Ask, Engine, Limits, ProveError, Report, Stop};

use crate::failure::{Failure, say};
use crate::longrun::{Found, LongRun};
use crate::openings::{after, orbits, outcome, said};

/// What the jobs are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Plan {
    /// The value of each opening, in one file.
    Openings {
        /// Each by its replies.
        split: bool,
    },
    /// The value of the root: as many replies as that takes.
    Replies,
}

impl Plan {
    /// What the moves are called, in JSON too.
    pub(crate) const fn moves(self) -> &'static str {
        match self {
            Self::Openings { .. } => "openings",
            Self::Replies => "replies",
        }
    }
}

/// What is known of a move and those that are the same but for a symmetry.
pub(crate) struct Child {
    /// The first of them.
    pub(crate) cell: Cell,
    /// The others.
    images: Vec<Cell>,
    /// The one who wins with best play, or the draw.
    pub(crate) outcome: Outcome,
    /// What the search took; nothing of one that was done before, or by another process.
    cost: Option<Found>,
}

/// All moves, as far as they came.
pub(crate) struct Proved {
    pub(crate) children: Vec<Child>,
    /// Nodes for their order.
    looked: u64,
    /// The value of the root, when that is known and written.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) written: Option<Written>,
    /// The first that was not finished, and why.
    pub(crate) stopped: Option<(Cell, Report<Move>)>,
}

impl Proved {
    fn costs(&self) -> impl Iterator<Item = &Found> {
        self.children.iter().filter_map(|child| child.cost.as_ref())
    }

    /// Positions visited, without those of earlier runs.
    pub(crate) fn nodes(&self) -> u64 {
        self.looked
            + self.costs().map(|found| found.report.nodes).sum::<u64>()
            + self.stopped.as_ref().map_or(0, |(_, report)| report.nodes)
    }

    /// The largest table.
    pub(crate) fn bytes(&self) -> usize {
        let done = self.costs().map(|found| found.report.bytes);
        done.chain(self.stopped.iter().map(|(_, report)| report.bytes)).max().unwrap_or(0)
    }

    /// What this process has spent on those that are done.
    fn cost(&self) -> Option<Found> {
        let report = Report { nodes: self.nodes(), bytes: self.bytes(), ..Report::empty() };
        let (cpu, before) = self.costs().fold((0.0, 0), |(cpu, nodes), f| (cpu + f.cpu, nodes + f.before));
        self.costs().next().is_some().then_some(Found { report, cpu, before })
    }
}

/// Nodes of the look by which replies are ordered.
const GLANCE: u64 = 1000;
/// How often a process that waits for others looks whether there is something to do.
const LOOK: Duration = Duration::from_millis(500);

/// Proves the moves that have no proof yet, each into a file of its own in the directory `FILE.parts`, then makes one proof of
/// them. A move whose lock `FILE.parts/MOVE.lock` another process holds is left to that process. At the end this process waits
/// for the others; the lock of a process that ends without a proof is free at once. When `FILE` is there, the directory is
/// renamed to `FILE.parts.done` and removed. A directory of that name means that a process was killed in between: the next one
/// removes it, and has its answer in `FILE`.
pub(crate) fn prove(
    root: &Position,
    run: &mut LongRun<'_>,
    file: &Path,
    plan: Plan,
) -> Result<Proved, Failure> {
    let before = look(&**run.disk, file)?;
    let mut jobs = Jobs::new(run.disk, root.clone(), file.to_owned(), before, plan, String::new())?;
    if look(&**run.disk, &jobs.old_parts())?.is_some() {
        jobs.clear(&jobs.old_parts())?;
        if let Ok(proved) = jobs.all_done() {
            return Ok(proved);
        }
    }
    loop {
        match jobs.round(run, &|| false)? {
            Round::Over(proved) => return Ok(*proved),
            Round::On => {}
            Round::Others(cell) => {
                if let Some(stop) = run.stopped() {
                    let report = Report { stopped: stop, ..Report::empty() };
                    return Ok(jobs.left_at(cell, report));
                }
                thread::sleep(LOOK);
            }
        }
    }
}

/// The moves as jobs of several processes.
struct Jobs {
    disk: Arc<dyn Disk>,
    root: Position,
    file: PathBuf,
    /// The file as it was in the beginning.
    before: Option<Look>,
    plan: Plan,
    /// What the root is called, before the names of its moves.
    title: String,
    parts: PathBuf,
    done: Vec<Child>,
    /// All of them, in the order in which they are done.
    all: Vec<(Cell, Vec<Cell>)>,
    /// Nodes that this order has cost.
    looked: u64,
    /// Those of them that are done by their replies.
    split: Vec<(Cell, Jobs)>,
}

/// What came of the turn of one move.
enum Turn {
    Done(Child),
    /// One of its replies is done.
    On,
    /// Another process is at it.
    Others,
    Stopped(Report<Move>),
    /// Other processes have finished all.
    AllDone,
}

/// What came of a turn for each.
enum Round {
    /// There is nothing left to do.
    Over(Box<Proved>),
    /// One more is done.
    On,
    /// Other processes are at all that are left, this one among them.
    Others(Cell),
}

impl Jobs {
    fn new(
        disk: &Arc<dyn Disk>,
        root: Position,
        file: PathBuf,
        before: Option<Look>,
        plan: Plan,
        title: String,
    ) -> Result<Self, Failure> {
        let (disk, parts, all) = (Arc::clone(disk), parts_of(&file), orbits(&root));
        disk.make_directory(&parts).map_err(|e| failed(&parts, &e))?;
        let (done, split) = (Vec::new(), Vec::new());
        Ok(Self { disk, root, file, before, plan, title, parts, done, all, looked: 0, split })
    }

    fn path(&self, cell: Cell, kind: &str) -> PathBuf {
        self.parts.join(format!("{}.{kind}", self.root.board().name(cell)))
    }

    /// Whether somebody has finished all.
    fn is_written(&self) -> Result<bool, Failure> {
        Ok(look(&*self.disk, &self.file)? != self.before)
    }

    /// The lock of a job; nothing if another process holds it.
    fn lock(&self, job: &str) -> Result<Option<Lock>, Failure> {
        self.lock_in(&self.parts, job)
    }

    fn lock_in(&self, parts: &Path, job: &str) -> Result<Option<Lock>, Failure> {
        match Lock::take(&self.disk, &parts.join(format!("{job}.lock"))) {
            Ok(lock) => Ok(Some(lock)),
            Err(LockError::Held { .. }) => Ok(None),
            // The directory goes when all is done.
            Err(LockError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::input(error)),
        }
    }

    /// The best for the side to move of what is done.
    fn best(&self) -> Option<Outcome> {
        let value = |outcome: &Outcome| outcome.value_for(self.root.to_move());
        self.done.iter().map(|child| child.outcome).max_by_key(value)
    }

    fn left_at(&mut self, cell: Cell, report: Report<Move>) -> Proved {
        let children = std::mem::take(&mut self.done);
        Proved { children, looked: self.looked, outcome: None, written: None, stopped: Some((cell, report)) }
    }

    /// Puts those replies first after which the other side seems to have most trouble: where one of them wins, it is found soon,
    /// and where all must be gone through, the longest are not left for the end.
    fn order(&mut self, run: &mut LongRun<'_>) {
        run.solver.ask_next(Ask::Value);
        let root = &self.root;
        let mut looked = 0;
        self.all.sort_by_cached_key(|(cell, _)| {
            let limits = Limits { nodes: Some(GLANCE), ..run.left() };
            let report = run.solver.search(&after(root, *cell), &limits, run.seed, &mut |_| {});
            looked += report.nodes;
            let lost = report.proof == Some(Outcome::Win(root.to_move()));
            let (proof, _) = report.numbers.unwrap_or_default();
            Reverse(if lost {
                u32::MAX
            } else if report.proof.is_some() {
                0
            } else {
                proof
            })
        });
        self.looked = looked;
    }

    /// A turn for each move that is not done, until one is. `needless` says whether nobody needs them any more.
    fn round(&mut self, run: &mut LongRun<'_>, needless: &dyn Fn() -> bool) -> Result<Round, Failure> {
        if self.plan == Plan::Replies && self.done.is_empty() && self.looked == 0 {
            self.order(run);
        }
        let mut others = None;
        for (cell, images) in self.all.clone() {
            if self.done.iter().any(|child| child.cell == cell) {
                continue;
            }
            match self.turn(cell, images, run, needless)? {
                Turn::Done(child) => {
                    let enough =
                        self.plan == Plan::Replies && child.outcome == Outcome::Win(self.root.to_move());
                    self.done.push(child);
                    if !enough {
                        return Ok(Round::On);
                    }
                    others = None;
                    break;
                }
                Turn::On => return Ok(Round::On),
                Turn::Others => others = Some(cell),
                Turn::Stopped(report) => return Ok(Round::Over(Box::new(self.left_at(cell, report)))),
                Turn::AllDone => return self.all_done().map(|all| Round::Over(Box::new(all))),
            }
        }
        if let Some(cell) = others {
            return Ok(Round::Others(cell));
        }
        let over = match self.plan {
            Plan::Openings { .. } => self.together()?,
            Plan::Replies => self.conclude(run)?,
        };
        Ok(match (over, self.done.last()) {
            (Some(proved), _) => Round::Over(Box::new(proved)),
            // Somebody else is putting them together.
            (None, Some(child)) => Round::Others(child.cell),
            (None, None) => Round::On,
        })
    }

    /// Looks whether a move is done, and if not and if nobody else is at it, does it.
    fn turn(
        &mut self,
        cell: Cell,
        images: Vec<Cell>,
        run: &mut LongRun<'_>,
        needless: &dyn Fn() -> bool,
    ) -> Result<Turn, Failure> {
        let (part, position) = (self.path(cell, "proof"), after(&self.root, cell));
        let name = self.root.board().name(cell);
        let title = format!("{}{name}", self.title);
        if let Some(outcome) = position.outcome() {
            return Ok(Turn::Done(Child { cell, images, outcome, cost: None }));
        }
        let is_there = look(&*self.disk, &part)?.is_some();
        if self.plan == (Plan::Openings { split: true }) && !is_there {
            return self.split(cell, images, part, position, run);
        }
        let lock = if is_there { None } else { self.lock(&name)? };
        if let Some(claim) = finished(run, &part, &position)? {
            let outcome = outcome(claim);
            say(format_args!("{title}: {}, as {} shows", said(outcome), part.display()));
            return Ok(Turn::Done(Child { cell, images, outcome, cost: None }));
        }
        if self.is_written()? {
            return Ok(Turn::AllDone);
        }
        let Some(_lock) = lock else { return Ok(Turn::Others) };
        let checkpoint = self.path(cell, "checkpoint");
        // First whether the side that opens wins, or the one that did not reply: that is likely.
        let questions = [Ask::Wins(self.root.to_move()), Ask::Value];
        let questions = &questions[usize::from(self.plan == Plan::Replies)..];
        let heading = format!(
            "{}{} of {} {} proved; {name}",
            self.title,
            self.done.len(),
            self.all.len(),
            self.plan.moves()
        );
        let needless = || self.is_written().unwrap_or(false) || needless();
        let found = run.search(&position, questions, &checkpoint, &heading, &needless)?;
        if needless() {
            run.remove(&checkpoint)?;
            return Ok(if self.is_written()? { Turn::AllDone } else { Turn::Others });
        }
        let Some(proof) = found.report.proof else { return Ok(Turn::Stopped(found.report)) };
        let written = match part_of(run, &position, Claim::of(proof), &part) {
            // Processes that have finished all remove the directory.
            Err(_) if needless() => return Ok(Turn::AllDone),
            written => written?,
        };
        let Some(written) = written else {
            run.save(&position, &checkpoint)?;
            let stopped = run.stopped().unwrap_or(Stop::Nodes);
            return Ok(Turn::Stopped(Report { stopped, ..found.report }));
        };
        run.remove(&checkpoint)?;
        say(format_args!(
            "{title}: {}, {} nodes and {:.0} s of CPU, a proof of {} bytes",
            said(proof),
            found.report.nodes,
            found.cpu,
            written.bytes,
        ));
        Ok(Turn::Done(Child { cell, images, outcome: proof, cost: Some(found) }))
    }

    /// The turn of a move that is done by its replies.
    fn split(
        &mut self,
        cell: Cell,
        images: Vec<Cell>,
        part: PathBuf,
        position: Position,
        run: &mut LongRun<'_>,
    ) -> Result<Turn, Failure> {
        if self.is_written()? {
            return Ok(Turn::AllDone);
        }
        let at = self.split.iter().position(|(other, _)| *other == cell);
        let mut jobs = if let Some(at) = at {
            self.split.swap_remove(at).1
        } else {
            let title = format!("{} ", self.root.board().name(cell));
            Self::new(&self.disk, position, part, None, Plan::Replies, title)?
        };
        let round = jobs.round(run, &|| self.is_written().unwrap_or(false))?;
        let turn = match round {
            Round::On => Turn::On,
            Round::Others(_) => Turn::Others,
            Round::Over(proved) => {
                let (outcome, cost, nodes) = (proved.outcome, proved.cost(), proved.nodes());
                return Ok(match (outcome, proved.stopped) {
                    (Some(outcome), _) => Turn::Done(Child { cell, images, outcome, cost }),
                    (None, Some((_, report))) => Turn::Stopped(Report { nodes, ..report }),
                    (None, None) => Turn::Others,
                });
            }
        };
        self.split.push((cell, jobs));
        Ok(turn)
    }

    /// Puts the parts together, if nobody else does; nothing if somebody does.
    fn together(&mut self) -> Result<Option<Proved>, Failure> {
        let lock = self.lock("all")?;
        if self.is_written()? {
            // It lies in the directory that goes.
            drop(lock);
            return self.all_done().map(Some);
        }
        let Some(lock) = lock else { return Ok(None) };
        self.done.sort_by_key(|child| child.cell);
        let parts: Vec<_> = self.done.iter().map(|child| self.path(child.cell, "proof")).collect();
        let written = together(&*self.disk, &parts, &self.file)?;
        Ok(Some(self.finish(written, lock)?))
    }

    /// Proves the root by what is proved of its replies, if nobody else does; nothing if somebody does.
    fn conclude(&mut self, run: &mut LongRun<'_>) -> Result<Option<Proved>, Failure> {
        let lock = self.lock("all")?;
        if self.is_written()? {
            drop(lock);
            return self.all_done().map(Some);
        }
        let last = self.done.last().map(|child| child.cell);
        let (Some(lock), Some(outcome), Some(last)) = (lock, self.best(), last) else { return Ok(None) };
        // The table may have lost some of it.
        for child in &self.done {
            finished(run, &self.path(child.cell, "proof"), &after(&self.root, child.cell))?;
        }
        let written = part_of(run, &self.root, Claim::of(outcome), &self.file)?;
        let stopped = run.stopped().unwrap_or(Stop::Nodes);
        let Some(written) = written else {
            return Ok(Some(self.left_at(last, Report { stopped, ..Report::empty() })));
        };
        Ok(Some(self.finish(written, lock)?))
    }

    /// Removes the parts, which the finished file makes needless.
    fn finish(&mut self, written: Written, lock: Lock) -> Result<Proved, Failure> {
        let old = self.old_parts();
        // Where a directory with open files has to keep its name, it is cleared under that.
        let renamed = self.disk.rename(&self.parts, &old).is_ok();
        drop(lock);
        self.clear(if renamed { &old } else { &self.parts })?;
        Ok(self.proved(written, self.best()))
    }

    /// The name of the directory of parts when they are needed no more.
    fn old_parts(&self) -> PathBuf {
        with_ending(&self.parts, ".done")
    }

    /// Removes a directory of parts and those of their replies, but for the files of a process that is still at one of them.
    fn clear(&self, parts: &Path) -> Result<(), Failure> {
        if self.plan == (Plan::Openings { split: true }) {
            for (cell, _) in &self.all {
                let part = parts.join(format!("{}.proof", self.root.board().name(*cell)));
                let below = parts_of(&part);
                for below in [with_ending(&below, ".done"), below] {
                    if look(&*self.disk, &below)?.is_some() {
                        self.clear_one(&below, &orbits(&after(&self.root, *cell)))?;
                    }
                }
            }
        }
        self.clear_one(parts, &self.all)
    }

    fn clear_one(&self, parts: &Path, all: &[(Cell, Vec<Cell>)]) -> Result<(), Failure> {
        for (cell, _) in all {
            let name = self.root.board().name(*cell);
            let Some(_lock) = self.lock_in(parts, &name)? else { continue };
            for path in [parts.join(format!("{name}.proof")), parts.join(format!("{name}.checkpoint"))] {
                // A file that cannot be removed does no harm.
                let _ = self.disk.remove(&path);
                let _ = self.disk.remove(&unfinished(&path));
            }
        }
        let _ = self.disk.remove(&parts.join("all.lock"));
        let _ = self.disk.remove_directory(parts);
        Ok(())
    }

    /// What others have made of all.
    fn all_done(&mut self) -> Result<Proved, Failure> {
        let input = self.disk.open(&self.file).map_err(|e| failed(&self.file, &e))?;
        let proof: Verified<Position> = verify("havannah", &ByRules, BufReader::new(input), &Caps::default())
            .map_err(|refused| failed(&self.file, &refused))?;
        let claim_of = |position: &Position| proof.claims.iter().find(|(root, _)| root == position);
        let other = || failed(&self.file, &"it was written by something else meanwhile");
        let value = if self.plan == Plan::Replies {
            Some(outcome(claim_of(&self.root).ok_or_else(other)?.1))
        } else {
            for (cell, images) in self.all.clone() {
                let (_, claim) = claim_of(&after(&self.root, cell)).ok_or_else(other)?;
                if !self.done.iter().any(|child| child.cell == cell) {
                    self.done.push(Child { cell, images, outcome: outcome(*claim), cost: None });
                }
            }
            self.done.sort_by_key(|child| child.cell);
            self.best()
        };
        let bytes = look(&*self.disk, &self.file)?.map_or(0, |there| there.len);
        Ok(self.proved(Written { bytes, records: proof.records, shared: proof.shared }, value))
    }

    fn proved(&mut self, written: Written, outcome: Option<Outcome>) -> Proved {
        // Something else in them is not ours to remove.
        for (_, jobs) in &self.split {
            let _ = self.disk.remove_directory(&jobs.parts);
        }
        let _ = self.disk.remove_directory(&self.parts);
        let children = std::mem::take(&mut self.done);
        Proved { children, looked: self.looked, outcome, written: Some(written), stopped: None }
    }
}

fn failed(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::input(format!("{}: {error}", file.display()))
}

/// What a part shows that was finished before, which the solver learns; nothing if there is none. One that does not hold is an
/// error.
fn finished(run: &mut LongRun<'_>, part: &Path, position: &Position) -> Result<Option<Claim>, Failure> {
    let file = match run.disk.open(part) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|e| failed(part, &e))?,
    };
    let proof = run
        .solver
        .learn(position, run.limits, BufReader::new(file))
        .map_err(|refused| failed(part, &format!("{refused}; remove it, and it will be proved again")))?;
    match &*proof.claims {
        [(root, claim @ (Claim::Wins(_) | Claim::Draw))] if root == position => Ok(Some(*claim)),
        _ => {
            Err(failed(part, &"a proof of something else; remove it, and what it should show will be proved"))
        }
    }
}

/// Proves a claim into a file that is there when it is complete; nothing if a limit was reached.
pub(crate) fn part_of(
    run: &mut LongRun<'_>,
    position: &Position,
    claim: Claim,
    part: &Path,
) -> Result<Option<Written>, Failure> {
    let limits = run.left();
    let written = replace(&**run.disk, part, |out| run.solver.prove(position, claim, &limits, out));
    match written {
        Ok(written) => Ok(Some(written)),
        Err(CertifyError::Prove(ProveError::Stopped(_))) => Ok(None),
        Err(error) => Err(failed(part, &error)),
    }
}

/// Where [`replace`] writes a file until it is complete.
fn unfinished(file: &Path) -> PathBuf {
    with_ending(file, ".new")
}

/// The directory in which the parts of a proof are.
fn parts_of(file: &Path) -> PathBuf {
    with_ending(file, ".parts")
}

/// A path with something behind its name.
pub(crate) fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn look(disk: &dyn Disk, path: &Path) -> Result<Option<Look>, Failure> {
    disk.look(path).map_err(|e| failed(path, &e))
}

/// Writes all parts into one file, which is there when it is complete.
fn together(disk: &dyn Disk, parts: &[PathBuf], file: &Path) -> Result<Written, Failure> {
    let mut readers = Vec::new();
    for part in parts {
        let input = BufReader::new(disk.open(part).map_err(|e| failed(part, &e))?);
        readers.push(Reader::new(input).map_err(|e| failed(part, &e))?);
    }
    replace(disk, file, |out| join(readers, out)).map_err(|error| match error {
        JoinError::Refused { proof, refused } => failed(&parts[proof], &refused),
        error => failed(file, &error),
    })
}

impl Child {
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

#[cfg(test)]
mod tests;
