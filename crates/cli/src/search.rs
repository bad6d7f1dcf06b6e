//! `solve` and `search`: engines on a position.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};
use stonework_board::Notation;
use stonework_files::{Disk, Kind, Lock, LockError};
use stonework_game::{Game as _, Outcome};
use stonework_havannah::{Move, Position};
use stonework_oracle::{Asked, outcome_name};
use stonework_players::roster;
use stonework_players::solver::Solver;
use stonework_search::proof::{Claim, Written};
use stonework_search::{Ask, Census, Flat, GameTree, Limits, Minimax, Reply, Report, Stop};

use crate::engines::{Budget, run, timed};
use crate::explore::{self, Explorer};
use crate::explore_tree::{PLIES, export};
use crate::failure::Failure;
use crate::games::{Played, for_game};
use crate::help;
use crate::jobs::{self, Plan};
use crate::longrun::{Found, LongRun};
use crate::openings::{self, said};
use crate::out::Out;
use crate::solutions::{self, SOLVED};
use crate::start::{StartArgs, seconds};

/// The engine that writes proofs.
const PROVER: &str = "dfpn";

/// Find out who wins with best play
#[derive(Args)]
#[command(long_about = help::SOLVE_ABOUT, after_long_help = help::SOLVE)]
pub(crate) struct Solve {
    #[command(flatten)]
    start: StartArgs,
    /// The engine: dfpn in Havannah, alphabeta in Cachex and Cover unless given; perhaps with options,
    /// as NAME:OPTION=VALUE,…
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    #[command(flatten)]
    budget: Budget,
    /// Write a proof of the outcome to this file (dfpn); of the empty board to size 4, of all openings
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// With --proof: by the replies to the position, which several processes can share; of all openings, by the replies to each
    #[arg(long, requires = "proof")]
    split: bool,
    /// With --proof: save the search after so many seconds, and when it is stopped
    #[arg(long, value_name = "T", default_value = "300", value_parser = seconds, requires = "proof")]
    checkpoint_every: Duration,
    /// Walk through a proof that was written before: commands come from standard input, `help` lists them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proof", "engine"])]
    explore: Option<PathBuf>,
    /// Write the tree of the explored proof to a file instead: SGF if it is called *.sgf, else JSON lines
    #[arg(long, value_name = "FILE", requires = "explore")]
    export: Option<PathBuf>,
    /// Plies of that tree: 4 unless given
    #[arg(long, value_name = "N", requires = "export")]
    plies: Option<usize>,
    /// Draw who wins after each opening and each reply, from a proof or, to size 3, by solving
    #[arg(long, conflicts_with_all = ["proof", "engine", "export", "position", "moves", "swap"])]
    map: bool,
}

/// Look for a good move
#[derive(Args)]
#[command(long_about = help::SEARCH_ABOUT, after_long_help = help::SEARCH)]
pub(crate) struct Search {
    #[command(flatten)]
    start: StartArgs,
    /// The engine: mcts in Havannah, cachex, cover unless given; perhaps with options, as
    /// NAME:OPTION=VALUE,…
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    #[command(flatten)]
    budget: Budget,
}

/// Names of moves.
struct Names<'a, G> {
    root: &'a G,
    notation: Notation,
}

impl<G: Played> Names<'_, G> {
    fn of(&self, mv: G::Move) -> String {
        self.root.name_move(mv, self.notation)
    }

    fn line(&self, report: &Report<G::Move>) -> Vec<String> {
        report.line.iter().map(|&mv| self.of(mv)).collect()
    }
}

fn outcome<G: Played>(proof: Option<Outcome>) -> &'static str {
    proof.map_or("unknown", outcome_name::<G>)
}

/// What both commands say of a report.
fn fields<G: Played>(names: &Names<'_, G>, report: &Report<G::Move>, cpu: f64, engine: &str) -> Value {
    json!({
        "outcome": outcome::<G>(report.proof),
        "best": report.best.map(|mv| names.of(mv)),
        "line": names.line(report),
        "nodes": report.nodes,
        "simulations": report.simulations,
        "cpu_seconds": cpu,
        "seconds": report.time.as_secs_f64(),
        "memory_bytes": report.bytes,
        "stopped_by": report.stopped.name(),
        "engine": engine,
    })
}

/// Each move of the root, with its value and what follows.
fn replies<G: Played>(names: &Names<'_, G>, tree: &GameTree<G::Move>) -> Value {
    let reply = |reply: &Reply<G::Move>| {
        json!({
            "move": names.of(reply.mv),
            "value": reply.bounds.value(),
            "plies": reply.line.len(),
            "line": reply.line.iter().map(|&mv| names.of(mv)).collect::<Vec<_>>(),
            "nodes": reply.census.nodes,
        })
    };
    tree.replies.iter().map(reply).collect()
}

fn census<G: Played>(census: &Census) -> Value {
    let [first, second] = G::SIDES;
    let Census { nodes, wins, draws, cut, longest } = census;
    json!({
        "nodes": nodes,
        "wins": { first: wins.first, second: wins.second },
        "draws": draws,
        "cut": cut,
        "longest": longest,
    })
}

fn costs<M>(report: &Report<M>, cpu: f64) -> String {
    let memory = report.bytes as f64 / f64::from(1 << 20);
    let ended = report.stopped;
    format!("{} nodes, {cpu:.2} s of CPU, {memory:.1} MiB, ended by: {ended}", report.nodes)
}

impl Solve {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        match (&self.proof, &self.explore) {
            (Some(file), _) => self.run_proof(out, file),
            (None, explore) if self.map => self.run_map(explore.as_deref(), out),
            (None, Some(file)) => self.run_explore(file, out),
            (None, None) => for_game!(self.start.game(), self.run_as(out)),
        }
    }

    /// Walks through a proof, or writes its tree.
    fn run_explore(&self, file: &Path, out: &mut Out) -> Result<(), Failure> {
        let game = self.start.game();
        if game != Position::NAME {
            return Err(Failure::input(format!("--explore: proofs are of {}, not {game}", Position::NAME)));
        }
        let limits = self.budget.limits();
        let book = explore::read(file, limits.bytes.unwrap_or(usize::MAX))?;
        let started = self.start.play_from(explore::root(&book)?)?;
        if let Some(tree) = &self.export {
            return export(&book, &started, self.plies.unwrap_or(PLIES), tree, out);
        }
        let notation = self.start.notation().unwrap_or_default();
        Explorer::new(&book, started.position, notation, limits, self.budget.seed)?.serve(out)
    }

    /// Draws the map of a size.
    fn run_map(&self, file: Option<&Path>, out: &mut Out) -> Result<(), Failure> {
        let size = self.start.play()?.position.size();
        let limits = self.budget.limits();
        let bytes = limits.bytes.unwrap_or(usize::MAX);
        let book = match file {
            Some(file) => explore::read(file, bytes)?,
            None if size <= SOLVED => solutions::proved(size, bytes)?,
            None => {
                return Err(Failure::input(format!(
                    "--map of size {size}: without a proof (--explore FILE) maps go to size {SOLVED}"
                )));
            }
        };
        solutions::page(size, &book, file, &limits, self.budget.seed, out)
    }

    fn run_as<G: Played>(&self, out: &mut Out) -> Result<(), Failure> {
        let root: G = self.start.play_as()?.position;
        let names = Names { root: &root, notation: self.start.notation().unwrap_or_default() };
        let name = self.engine.as_deref().unwrap_or(G::USUAL_SOLVER);
        let mut engine = self.budget.engine::<G>(name)?;
        let limits = self.budget.limits();
        let (report, tree, cpu) = if name == "minimax" {
            let (walked, cpu) = timed(|| Minimax::new(Flat).tree(&root, &limits));
            let report = Report { time: Duration::from_secs_f64(cpu), ..walked.report(&root) };
            (report, Some(walked), cpu)
        } else {
            let (report, cpu) = run(&mut *engine, &root, &limits, self.budget.seed);
            (report, None, cpu)
        };
        if out.wants_json() {
            let mut fields = fields(&names, &report, cpu, name);
            if let Some(tree) = &tree {
                fields["replies"] = replies(&names, tree);
                fields["tree"] = census::<G>(&tree.census);
            }
            return out.object(&fields);
        }
        tell(out, &names, &report, cpu)?;
        let Some(tree) = &tree else { return Ok(()) };
        for (what, replies) in [("best", tree.best().collect::<Vec<_>>()), ("worst", tree.worst().collect())]
        {
            let named: Vec<String> = replies.iter().map(|reply| names.of(reply.mv)).collect();
            writeln!(out, "  {what} replies: {}", named.join(" "))?;
        }
        let Census { wins, draws, longest, .. } = tree.census;
        let ([first, second], ours, theirs) = (G::SIDES, wins.first, wins.second);
        writeln!(
            out,
            "  the tree: {ours} games won by {first}, {theirs} by {second}, {draws} drawn, the longest of {longest} plies"
        )?;
        Ok(())
    }

    /// Solves, and keeps the proof.
    fn run_proof(&self, out: &mut Out, file: &Path) -> Result<(), Failure> {
        let (engine, game) = (self.engine.as_deref().unwrap_or(PROVER), self.start.game());
        if game != Position::NAME {
            return Err(Failure::input(format!(
                "--proof: proofs are written of {}, not {game}",
                Position::NAME
            )));
        }
        if engine != PROVER {
            return Err(Failure::input(format!("--proof: only {PROVER} writes proofs, not {engine}")));
        }
        // Locks, checkpoints and parts are those of the file, whatever links lead to it.
        let target = out.disk().target(file);
        let file = &target.map_err(|e| Failure::input(format!("--proof {}: {e}", file.display())))?;
        // What is complete takes the place of what was there.
        let there =
            out.disk().look(file).map_err(|e| Failure::input(format!("--proof {}: {e}", file.display())))?;
        if there.is_some_and(|there| there.kind != Kind::File) {
            return Err(Failure::input(format!(
                "--proof {}: there is something that is no file",
                file.display()
            )));
        }
        let root = self.start.play()?.position;
        let names = Names { root: &root, notation: self.start.notation().unwrap_or_default() };
        let limits = self.budget.limits();
        let openings = openings::are_asked(&root);
        if self.split && root.swap_enabled() {
            return Err(Failure::input("--split: not where a swap may come".to_owned()));
        }
        if openings || self.split && root.outcome().is_none() {
            let plan = if openings { Plan::Openings { split: self.split } } else { Plan::Replies };
            return self.by_moves(&names, &limits, file, plan, out);
        }
        let (Found { report, cpu, .. }, proof) = self.prove(&root, &limits, file, out.disk())?;
        if out.wants_json() {
            let mut fields = fields(&names, &report, cpu, engine);
            if let Some(proof) = proof {
                fields["proof"] = proof;
            }
            return out.object(&fields);
        }
        tell(out, &names, &report, cpu)?;
        if let Some(proof) = proof {
            writeln!(
                out,
                "  proof: {} bytes, {} records in {}",
                proof["bytes"],
                proof["records"],
                file.display()
            )?;
        }
        Ok(())
    }

    /// Solves and writes the proof. The search is kept in FILE.checkpoint until then.
    fn prove(
        &self,
        root: &Position,
        limits: &Limits,
        file: &Path,
        disk: &Arc<dyn Disk>,
    ) -> Result<(Found, Option<Value>), Failure> {
        let mut solver = roster::dfpn(&self.budget.seat()).keep(true);
        let mut run = self.long_run(&mut solver, limits, disk);
        let checkpoint = jobs::with_ending(file, ".checkpoint");
        let name = file.file_name().unwrap_or_default().display().to_string();
        let _lock = Lock::take(disk, &jobs::with_ending(file, ".lock")).map_err(|error| match error {
            held @ LockError::Held { .. } => {
                Failure::input(format!("{}: {held}; with --split both can be", file.display()))
            }
            error => Failure::input(error),
        })?;
        let found = run.search(root, &[Ask::Value], &checkpoint, &name, &|| false)?;
        let Some(outcome) = found.report.proof else { return Ok((found, None)) };
        let done = jobs::part_of(&mut run, root, Claim::of(outcome), file);
        if !matches!(done, Ok(Some(_))) {
            run.save(root, &checkpoint)?;
        }
        let Some(done) = done? else {
            let stopped = run.stopped().unwrap_or(Stop::Nodes);
            return Err(Failure::input(format!(
                "no proof written: not finished within the limit: {stopped}"
            )));
        };
        run.remove(&checkpoint)?;
        Ok((found, Some(proof_fields(file, done))))
    }

    fn long_run<'a>(
        &self,
        solver: &'a mut Solver,
        limits: &'a Limits,
        disk: &'a Arc<dyn Disk>,
    ) -> LongRun<'a> {
        LongRun {
            disk,
            solver,
            limits,
            seed: self.budget.seed,
            every: self.checkpoint_every,
            since: Instant::now(),
        }
    }

    /// Solves by the moves of a position and writes one proof.
    fn by_moves(
        &self,
        names: &Names<'_, Position>,
        limits: &Limits,
        file: &Path,
        plan: Plan,
        out: &mut Out,
    ) -> Result<(), Failure> {
        let mut solver = roster::dfpn(&self.budget.seat()).keep(true);
        let mut run = self.long_run(&mut solver, limits, out.disk());
        let (all, cpu) = timed(|| jobs::prove(names.root, &mut run, file, plan));
        let all = all?;
        let best = all.children.iter().find(|child| Some(child.outcome) == all.outcome);
        if out.wants_json() {
            let stopped = all.stopped.as_ref().map_or("solved", |(_, report)| report.stopped.name());
            let mut fields = json!({
                "outcome": outcome::<Position>(all.outcome),
                "best": best.map(|child| names.of(Move::Place(child.cell))),
                plan.moves(): all.children.iter().map(|child| child.fields(names.root)).collect::<Vec<_>>(),
                "nodes": all.nodes(),
                "cpu_seconds": cpu,
                "memory_bytes": all.bytes(),
                "stopped_by": stopped,
                "engine": PROVER,
            });
            if let Some(written) = all.written {
                fields["proof"] = proof_fields(file, written);
            }
            return out.object(&fields);
        }
        writeln!(out, "{}", all.outcome.map_or("unknown".to_owned(), said))?;
        for child in &all.children {
            writeln!(out, "  {}", child.text(names.root))?;
        }
        if let Some((cell, report)) = &all.stopped {
            let (name, why) = (names.of(Move::Place(*cell)), report.stopped);
            writeln!(out, "  {name}: not finished ({why}); the same command goes on with it")?;
        }
        writeln!(out, "  {} nodes, {cpu:.2} s of CPU", all.nodes())?;
        if let Some(written) = all.written {
            writeln!(
                out,
                "  proof: {} bytes, {} records in {}",
                written.bytes,
                written.records,
                file.display()
            )?;
        }
        Ok(())
    }
}

/// What was written where.
fn proof_fields(file: &Path, written: Written) -> Value {
    json!({
        "file": file.display().to_string(),
        "bytes": written.bytes,
        "records": written.records,
        "shared": written.shared,
    })
}

/// What is said of a report, as text.
fn tell<G: Played>(
    out: &mut Out,
    names: &Names<'_, G>,
    report: &Report<G::Move>,
    cpu: f64,
) -> Result<(), Failure> {
    match report.proof {
        Some(Outcome::Win(player)) => writeln!(out, "{} wins", G::SIDES[player.index()])?,
        Some(Outcome::Draw) => writeln!(out, "a draw")?,
        None => writeln!(out, "unknown")?,
    }
    if !report.line.is_empty() {
        writeln!(out, "  line: {}", names.line(report).join(" "))?;
    }
    writeln!(out, "  {}", costs(report, cpu))?;
    Ok(())
}

impl Search {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        for_game!(self.start.game(), self.run_as(out))
    }

    fn run_as<G: Played>(&self, out: &mut Out) -> Result<(), Failure> {
        let root: G = self.start.play_as()?.open()?.position;
        let names = Names { root: &root, notation: self.start.notation().unwrap_or_default() };
        let mut limits = self.budget.limits();
        if !self.budget.is_limited() {
            limits.time = Some(Duration::from_secs(5));
        }
        let name = self.engine.as_deref().unwrap_or(G::USUAL_ENGINE);
        let mut engine = self.budget.engine::<G>(name)?;
        let (report, cpu) = run(&mut *engine, &root, &limits, self.budget.seed);
        if out.wants_json() {
            let mut fields = fields(&names, &report, cpu, name);
            fields["value"] = json!(report.value);
            fields["depth"] = json!(report.depth);
            fields["seed"] = json!(self.budget.seed);
            return out.object(&fields);
        }
        let best = report.best.map_or("no move".to_owned(), |mv| names.of(mv));
        writeln!(out, "{best}  value {}, outcome {}", report.value, outcome::<G>(report.proof))?;
        writeln!(out, "  line: {}", names.line(&report).join(" "))?;
        if report.simulations > 0 {
            writeln!(out, "  {} simulations", report.simulations)?;
        }
        writeln!(out, "  {}", costs(&report, cpu))?;
        Ok(())
    }
}
