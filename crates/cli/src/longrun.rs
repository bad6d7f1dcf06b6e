//! Searches that outlive the process: their table is saved now and then, and the next process goes on from it.

use std::io::{self, BufReader, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use stonework_files::{Disk, replace};
use stonework_havannah::{Move, Position};
use stonework_players::solver::Solver;
use stonework_search::{Ask, Engine, Kept, Limits, Report, Stop};

use crate::engines::timed;
use crate::failure::{Failure, say};
use crate::progress::Progress;

/// Saving takes at most one part in so many of the time: after one that took longer, the next is later.
const SHARE: u32 = 20;

/// A search that is kept in a file.
pub(crate) struct LongRun<'a> {
    /// The disk that checkpoints and proofs are on.
    pub(crate) disk: &'a Arc<dyn Disk>,
    pub(crate) solver: &'a mut Solver,
    pub(crate) limits: &'a Limits,
    pub(crate) seed: u64,
    /// Time between two checkpoints.
    pub(crate) every: Duration,
    /// When the whole run began: its limit of time counts from there.
    pub(crate) since: Instant,
}

/// What a search has found.
pub(crate) struct Found {
    /// Of this process: its nodes and its time.
    pub(crate) report: Report<Move>,
    pub(crate) cpu: f64,
    /// Nodes of the processes before.
    pub(crate) before: u64,
}

impl LongRun<'_> {
    /// What is left of the time.
    pub(crate) fn left(&self) -> Limits {
        let time = self.limits.time.map(|time| time.saturating_sub(self.since.elapsed()));
        Limits { time, ..self.limits.clone() }
    }

    /// Whether the limit of time has come, or the order to stop.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        let cancelled =
            |flag: &std::sync::atomic::AtomicBool| flag.load(std::sync::atomic::Ordering::Relaxed);
        if self.limits.cancel.as_deref().is_some_and(cancelled) {
            return Some(Stop::Cancel);
        }
        self.left().time.is_some_and(|time| time.is_zero()).then_some(Stop::Time)
    }

    /// Finds out a position's value, asking these questions until it is known; goes on from the checkpoint if there is one, and
    /// leaves one where a limit or Ctrl-C has stopped it. `name` is what the search is called on standard error, with what
    /// else is to be said there. Ends after a checkpoint if it is `needless` by then.
    pub(crate) fn search(
        &mut self,
        position: &Position,
        questions: &[Ask],
        checkpoint: &Path,
        name: &str,
        needless: &dyn Fn() -> bool,
    ) -> Result<Found, Failure> {
        let before = self.resume(position, checkpoint, name)?;
        let mut found = Found { report: Report::empty(), cpu: 0.0, before };
        for &ask in questions {
            self.solver.ask_next(ask);
            let (done, cpu) = timed(|| self.ask(position, checkpoint, name, found.report.nodes, needless));
            let report = done?;
            found.cpu += cpu;
            found.report = report;
            if found.report.proof.is_some() || found.report.stopped != Stop::Solved {
                break;
            }
        }
        Ok(found)
    }

    /// Answers one question, in as many turns as there are checkpoints. `spent` are the nodes of those before.
    fn ask(
        &mut self,
        position: &Position,
        checkpoint: &Path,
        name: &str,
        spent: u64,
        needless: &dyn Fn() -> bool,
    ) -> Result<Report<Move>, Failure> {
        let mut progress = Progress::new("nodes", None);
        let (began, mut nodes, mut turn) = (Instant::now(), 0, self.every);
        loop {
            let left = self.left();
            let time = left.time.map_or(turn, |time| time.min(turn));
            let rest = left.nodes.map(|limit: u64| limit.saturating_sub(nodes));
            let limits = Limits { time: Some(time), nodes: rest, ..left };
            let mut report = self.solver.search(position, &limits, self.seed, &mut |report| {
                let all = nodes + report.nodes;
                progress.tell(format!("nodes, {name}: {}", state(report, all, began)));
                progress.at(all);
            });
            nodes += report.nodes;
            report.nodes = nodes + spent;
            report.time = began.elapsed();
            if report.stopped == Stop::Solved || nodes == 0 {
                return Ok(report);
            }
            let since = Instant::now();
            let kept = match self.save(position, checkpoint) {
                // Processes that have finished all remove the directory.
                Err(_) if needless() => return Ok(report),
                kept => kept?,
            };
            let took = since.elapsed();
            turn = self.every.max(took * (SHARE - 1));
            let (used, all) = self.solver.filled();
            if used >= all {
                // A turn begins with what the table has kept: where that is not all, turns grow, so that they come to an end.
                turn = turn.max(began.elapsed() / 8);
            }
            let full = 100.0 * used as f64 / all.max(1) as f64;
            progress.aside(|| {
                say(format_args!(
                    "{name}: {}, {full:.0} % of the table in use; checkpoint: {} positions, {} bytes, {:.1} s",
                    state(&report, nodes, began),
                    kept.entries,
                    kept.bytes,
                    took.as_secs_f64(),
                ));
            });
            if report.stopped != Stop::Time || needless() {
                return Ok(report);
            }
            if let Some(stop) = self.stopped() {
                return Ok(Report { stopped: stop, ..report });
            }
        }
    }

    /// Reads the checkpoint, if there is one; tells how many nodes are in it.
    fn resume(&mut self, position: &Position, checkpoint: &Path, name: &str) -> Result<u64, Failure> {
        let failed = |what: &dyn std::fmt::Display| {
            let path = checkpoint.display();
            Failure::input(format!("{path}: {what}; remove it, and the search begins anew"))
        };
        let file = match self.disk.open(checkpoint) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(failed(&error)),
        };
        let loaded = self.solver.load(position, self.limits, BufReader::with_capacity(1 << 16, file));
        let kept = loaded.map_err(|error| failed(&error))?;
        let path = checkpoint.display();
        say(format_args!("{name}: goes on after {} nodes, as {path} has them", kept.nodes));
        Ok(kept.nodes)
    }

    /// Writes a checkpoint, which is there when it is complete.
    pub(crate) fn save(&self, position: &Position, checkpoint: &Path) -> Result<Kept, Failure> {
        replace(&**self.disk, checkpoint, |out| self.solver.save(position, out))
            .map_err(|error: io::Error| Failure::input(format!("{}: {error}", checkpoint.display())))
    }

    /// Removes a checkpoint.
    pub(crate) fn remove(&self, checkpoint: &Path) -> Result<(), Failure> {
        match self.disk.remove(checkpoint) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Failure::input(format!("{}: {error}", checkpoint.display())))
            }
            _ => Ok(()),
        }
    }
}

/// Where a search stands: the numbers of its root, and how quickly it goes.
fn state(report: &Report<Move>, nodes: u64, began: Instant) -> String {
    let speed = nodes as f64 / began.elapsed().as_secs_f64().max(1e-3) / 1000.0;
    let number = |number: u32| if number == (1 << 24) - 1 { "-".to_owned() } else { number.to_string() };
    let (proof, disproof) = report.numbers.unwrap_or((1, 1));
    format!("proof {}, disproof {}, {nodes} nodes, {speed:.0} k/s", number(proof), number(disproof))
}
