//! `solve` and `search`: run an engine on a position.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use stonework_board::Notation;
use stonework_game::Outcome;
use stonework_game::text::line_names;
use stonework_havannah_solver::prove_openings;
use stonework_search::{Census, GameTree, Line, Reply, Report, Stop};
use stonework_session::{Description, Registry};

use crate::engines::{Budget, run, timed};
use crate::explore::{self, Dialogue};
use crate::explore_tree::{DEFAULT_PLIES, check_target, export};
use crate::failure::{Failure, say};
use crate::help;
use crate::out::Out;
use crate::solutions::{self, SOLVED};
use crate::start::{HAVANNAH, Named, StartArgs, seconds};

mod prove;

/// The engine that writes proofs.
const PROVER: &str = "dfpn";

/// Find the outcome of a position with best play, and prove it
#[derive(Args)]
#[command(long_about = help::SOLVE_ABOUT, after_long_help = help::SOLVE)]
pub(crate) struct Solve {
    #[command(flatten)]
    start: StartArgs,
    /// The engine, NAME or NAME:OPTION=VALUE,…; unless given, dfpn or alphabeta
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    #[command(flatten)]
    budget: Budget,
    /// Write a proof of the outcome to this file (dfpn)
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// With --proof: seconds between checkpoints of the search
    #[arg(long, value_name = "T", default_value = "300", value_parser = seconds, requires = "proof")]
    checkpoint_every: Duration,
    /// Walk through a proof by commands; the command `help` lists them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proof", "engine"])]
    explore: Option<PathBuf>,
    /// With --explore: write the tree to a file, SGF (*.sgf) or JSON lines
    #[arg(long, value_name = "FILE", requires = "explore")]
    export: Option<PathBuf>,
    /// With --export: plies of the tree; 4 unless given
    #[arg(long, value_name = "N", requires = "export")]
    plies: Option<usize>,
    /// Draw the winner after each opening and each reply (size 2, 3 or a proof)
    #[arg(long, conflicts_with_all = ["proof", "engine", "export", "position", "moves", "swap"])]
    map: bool,
}

/// Search for a good move
#[derive(Args)]
#[command(long_about = help::SEARCH_ABOUT, after_long_help = help::SEARCH)]
pub(crate) struct Search {
    #[command(flatten)]
    start: StartArgs,
    /// The engine, NAME or NAME:OPTION=VALUE,…; unless given, champion, cachex, cover
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    #[command(flatten)]
    budget: Budget,
}

/// The names of moves for the output.
struct Names<'a, G> {
    root: &'a G,
    notation: Notation,
}

impl<G: Named> Names<'_, G> {
    fn of(&self, mv: G::Move) -> String {
        self.root.move_name(mv, self.notation)
    }

    /// The names of the moves of a line from the root.
    fn line(&self, line: &[G::Move]) -> Vec<String> {
        line_names(self.root, line, |game, mv| game.move_name(mv, self.notation))
    }
}

fn outcome(game: &Description, proof: Option<Outcome>) -> &'static str {
    proof.map_or("unknown", |outcome| game.outcome(outcome))
}

/// The fields of a report that both commands print.
fn fields<G: Named>(names: &Names<'_, G>, report: &Report<G::Move>, cpu: f64, engine: &str) -> Value {
    json!({
        "outcome": outcome(&names.root.game(), report.proven),
        "best": report.best.map(|mv| names.of(mv)),
        "line": names.line(report.line()),
        "nodes": report.nodes,
        "simulations": report.simulations,
        "cpu_seconds": cpu,
        "seconds": report.time.as_secs_f64(),
        "memory_bytes": report.bytes,
        "stopped_by": report.stopped.map(Stop::name),
        "engine": engine,
    })
}

/// Each move of the root, with its value and the following moves.
fn replies<G: Named>(names: &Names<'_, G>, tree: &GameTree<G::Move>) -> Value {
    let reply = |reply: &Reply<G::Move>| {
        json!({
            "move": names.of(reply.mv),
            "value": reply.bounds.value(),
            "plies": reply.line.len(),
            "line": names.line(&reply.line),
            "nodes": reply.census.nodes,
        })
    };
    tree.replies.iter().map(reply).collect()
}

fn census(game: &Description, census: &Census) -> Value {
    let [first, second] = game.sides;
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
    let ended = report.stopped.map_or("none", Stop::name);
    format!("{} nodes, {cpu:.2} s of CPU, {memory:.1} MiB, ended by: {ended}", report.nodes)
}

impl Solve {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        self.check_budget(registry)?;
        match (&self.proof, &self.explore) {
            (Some(file), _) => self.run_proof(out, file),
            (None, explore) if self.map => self.run_map(explore.as_deref(), out),
            (None, Some(file)) => self.run_explore(file, out),
            (None, None) => self.solve(registry, out),
        }
    }

    /// Refuses options without effect: with --proof, --explore and --map the prover alone searches, and with the last two on one thread.
    fn check_budget(&self, registry: &Registry) -> Result<(), Failure> {
        let mode = match (&self.proof, &self.explore) {
            (Some(_), _) => "--proof",
            (None, Some(_)) => "--explore",
            (None, None) if self.map => "--map",
            (None, None) => return Ok(()),
        };
        if self.start.game() != HAVANNAH {
            return Ok(());
        }
        let game = registry.game(HAVANNAH).map_err(Failure::input)?;
        // A signal ends the program while a proof is read.
        self.budget.engine_without_flag(game, PROVER, None)?;
        if self.export.is_some() && self.budget.is_limited() {
            return Err(Failure::input("--export: the tree comes from the proof; only --memory limits it"));
        }
        match self.budget.config().threads {
            threads if threads > 1 && self.proof.is_none() => {
                Err(Failure::input(format!("--threads {threads}: the searches of {mode} have one thread")))
            }
            _ => Ok(()),
        }
    }

    /// Explores a proof, or writes its tree.
    fn run_explore(&self, file: &Path, out: &mut Out) -> Result<(), Failure> {
        let game = self.start.game();
        if game != HAVANNAH {
            return Err(Failure::input(format!("--explore: proofs are of {HAVANNAH}, not {game}")));
        }
        self.export.as_deref().map_or(Ok(()), |tree| check_target(file, tree))?;
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            say(format_args!("reading and verifying {} …; then `help` lists the commands", file.display()));
        }
        let book = explore::read(file, self.bytes())?;
        let started = self.start.play_from(explore::root(&book)?)?;
        let notation = self.start.notation().unwrap_or_default();
        if let Some(tree) = &self.export {
            let plies = self.plies.unwrap_or(DEFAULT_PLIES);
            return export(&book, &started, plies, tree, notation, out);
        }
        let limits = self.budget.limits();
        Dialogue::new(&book, started.position, notation, limits, self.budget.seed)?.serve(out)
    }

    /// The most bytes of a proof in memory. While it is read, a signal ends the program, as [`Budget::limits`] has not been asked for.
    fn bytes(&self) -> usize {
        self.budget.config().limits.bytes.unwrap_or(usize::MAX)
    }

    /// Draws the map of a size.
    fn run_map(&self, file: Option<&Path>, out: &mut Out) -> Result<(), Failure> {
        let size = self.start.play()?.position.size();
        let book = match file {
            Some(file) => explore::read(file, self.bytes())?,
            None if size <= SOLVED => {
                prove_openings(size, &self.budget.limits(), self.bytes()).map_err(Failure::input)?
            }
            None => {
                return Err(Failure::input(format!(
                    "--map of size {size}: without a proof (--explore FILE) maps go to size {SOLVED}"
                )));
            }
        };
        let (notation, limits) = (self.start.notation().unwrap_or_default(), self.budget.limits());
        solutions::page(size, &book, file, notation, &limits, self.budget.seed, out)
    }

    fn solve(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let root = self.start.play_any(registry)?.position;
        let game = registry.game(root.description().name).map_err(Failure::input)?;
        let names = Names { root: &root, notation: self.start.notation().unwrap_or_default() };
        let name = self.engine.as_deref().unwrap_or(game.usual_solver());
        let (mut engine, limits) = self.budget.engine(game, name, None)?;
        let (report, tree, cpu) = if name == "minimax" {
            let (walked, cpu) = timed(|| root.game_tree(&limits));
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
                fields["tree"] = census(&game.description(), &tree.census);
            }
            return out.object(&fields);
        }
        write_result(out, &names, &report, cpu)?;
        let Some(tree) = &tree else { return Ok(()) };
        for (what, replies) in [("best", tree.best().collect::<Vec<_>>()), ("worst", tree.worst().collect())]
        {
            let named: Vec<String> = replies.iter().map(|reply| names.of(reply.mv)).collect();
            writeln!(out, "  {what} replies: {}", named.join(" "))?;
        }
        let Census { wins, draws, longest, .. } = tree.census;
        let ([first, second], ours, theirs) = (game.description().sides, wins.first, wins.second);
        writeln!(
            out,
            "  the tree: {ours} games won by {first}, {theirs} by {second}, {draws} drawn, the longest of {longest} plies"
        )?;
        Ok(())
    }
}

/// Prints a report as text.
fn write_result<G: Named>(
    out: &mut Out,
    names: &Names<'_, G>,
    report: &Report<G::Move>,
    cpu: f64,
) -> Result<(), Failure> {
    match report.proven {
        Some(Outcome::Win(player)) => writeln!(out, "{} wins", names.root.game().side(player))?,
        Some(Outcome::Draw) => writeln!(out, "a draw")?,
        None => writeln!(out, "unknown")?,
    }
    if !report.line().is_empty() {
        writeln!(out, "  line: {}", names.line(report.line()).join(" "))?;
    }
    writeln!(out, "  {}", costs(report, cpu))?;
    Ok(())
}

impl Search {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let root = self.start.play_any(registry)?.open()?.position;
        let game = registry.game(root.description().name).map_err(Failure::input)?;
        let names = Names { root: &root, notation: self.start.notation().unwrap_or_default() };
        let name = self.engine.as_deref().unwrap_or(game.usual_player());
        let (mut engine, limits) = self.budget.engine(game, name, Some(Duration::from_secs(5)))?;
        let (report, cpu) = run(&mut *engine, &root, &limits, self.budget.seed);
        if out.wants_json() {
            let mut fields = fields(&names, &report, cpu, name);
            let line = |line: &Line<_>| json!({ "move": line.moves.first().map(|&mv| names.of(mv)), "visits": line.visits, "value": line.value.score() });
            fields["moves"] = report.lines.iter().map(line).collect();
            fields["value"] = json!(report.value.score());
            fields["depth"] = json!(report.depth);
            fields["seed"] = json!(self.budget.seed);
            return out.object(&fields);
        }
        let best = report.best.map_or("no move".to_owned(), |mv| names.of(mv));
        let (value, outcome) = (report.value.score(), outcome(&names.root.game(), report.proven));
        writeln!(out, "{best}  value {value}, outcome {outcome}")?;
        writeln!(out, "  line: {}", names.line(report.line()).join(" "))?;
        if report.simulations > 0 {
            writeln!(out, "  {} simulations", report.simulations)?;
        }
        writeln!(out, "  {}", costs(&report, cpu))?;
        Ok(())
    }
}
