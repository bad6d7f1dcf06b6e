//! `solve --proof`: arguments and output of a campaign.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use stonework_campaign::{Campaign, CampaignError, JobResult, Plan, ProofFile, Results, Work};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::Solver;
use stonework_search::Report;
use stonework_session::outcome_name;

use super::{Names, PROVER, Solve, fields, outcome, write_result};
use crate::engines::timed;
use crate::failure::Failure;
use crate::news::News;
use crate::openings::{self, and_images, said};
use crate::out::Out;
use crate::start::{HAVANNAH, Named as _};

impl Solve {
    /// Solves the position, and writes the proof.
    pub(super) fn run_proof(&self, out: &mut Out, file: &Path) -> Result<(), Failure> {
        let (engine, game) = (self.engine.as_deref().unwrap_or(PROVER), self.start.game());
        if game != HAVANNAH {
            return Err(Failure::input(format!("--proof: proofs are written of {HAVANNAH}, not {game}")));
        }
        if engine != PROVER {
            return Err(Failure::input(format!("--proof: only {PROVER} writes proofs, not {engine}")));
        }
        let root = self.start.play()?.position;
        let names = Names { root: &root, notation: self.start.notation().unwrap_or_default() };
        let plan = if openings::are_asked(&root) { Plan::Openings } else { Plan::OneJob };
        let campaign = Campaign::new(root.clone(), file)
            .plan(plan)
            .limits(self.budget.limits())
            .seed(self.budget.seed)
            .checkpoint_every(self.checkpoint_every)
            .disk(Arc::clone(out.disk()));
        let options = Solver::options().threads(self.budget.config().threads).keep(true);
        let mut solver = Solver::new(options).map_err(Failure::input)?;
        let mut news = News::new(file, &root);
        let since = Instant::now();
        let (results, cpu) = timed(|| campaign.run(&mut solver, &mut |event| news.write(event)));
        let seconds = since.elapsed().as_secs_f64();
        drop(news);
        let results = results.map_err(refused)?;
        match (plan, &results.report) {
            (Plan::OneJob, Some(report)) => one_job(&names, &results, report, out),
            _ => by_moves(&names, &results, [seconds, cpu], out),
        }
    }
}

/// The commands for several processes.
const SHARING: &str =
    "several processes share a proof with `stonework farm coordinate` and `stonework farm work`";

/// The failure of a campaign, with the options that help.
fn refused(error: CampaignError) -> Failure {
    match error {
        CampaignError::NoFile { .. } => Failure::input(format!("--proof {error}")),
        CampaignError::Held { .. } => Failure::input(format!("{error}; {SHARING}")),
        error => Failure::input(error),
    }
}

/// Prints the value of a position with its proof.
fn one_job(
    names: &Names<'_, Position>,
    results: &Results<Move>,
    report: &Report<Move>,
    out: &mut Out,
) -> Result<(), Failure> {
    if let (Some(_), None, Some(stopped)) = (results.outcome, &results.proof, results.stopped) {
        return Err(Failure::input(format!(
            "no proof written: not finished within the limit: {}",
            stopped.reason
        )));
    }
    let cpu = results.work.cpu.as_secs_f64();
    if out.wants_json() {
        let mut fields = fields(names, report, cpu, PROVER);
        if let Some(proof) = &results.proof {
            fields["proof"] = proof_fields(proof);
        }
        return out.object(&fields);
    }
    write_result(out, names, report, cpu)?;
    tell_proof(results, out)
}

/// Prints the values of all openings with their proof.
fn by_moves(
    names: &Names<'_, Position>,
    results: &Results<Move>,
    [seconds, cpu]: [f64; 2],
    out: &mut Out,
) -> Result<(), Failure> {
    let work = &results.work;
    if out.wants_json() {
        let best = results.jobs.iter().find(|job| Some(job.outcome) == results.outcome);
        let best = best.map(|job| names.of(job.mv));
        let jobs: Vec<Value> = results.jobs.iter().map(|job| job_fields(job, names)).collect();
        let mut fields = json!({
            "outcome": outcome(&names.root.game(), results.outcome),
            "line": Vec::from_iter(&best),
            "best": best,
            "openings": jobs,
            "nodes": work.nodes,
            "simulations": 0,
            "cpu_seconds": cpu,
            "seconds": seconds,
            "memory_bytes": work.bytes,
            "stopped_by": results.stopped.map_or("solved", |stopped| stopped.reason.name()),
            "engine": PROVER,
        });
        if let Some(proof) = &results.proof {
            fields["proof"] = proof_fields(proof);
        }
        return out.object(&fields);
    }
    writeln!(out, "{}", results.outcome.map_or("unknown".to_owned(), said))?;
    for job in &results.jobs {
        writeln!(out, "  {}", job_text(job, names))?;
    }
    if let Some(stopped) = results.stopped {
        let (name, why) = (stopped.mv.map_or_else(String::new, |mv| names.of(mv)), stopped.reason);
        writeln!(out, "  {name}: not finished ({why}); the same command goes on with it")?;
    }
    writeln!(out, "  {} nodes, {cpu:.2} s of CPU", work.nodes)?;
    tell_proof(results, out)
}

fn tell_proof(results: &Results<Move>, out: &mut Out) -> Result<(), Failure> {
    if let Some(ProofFile { path, written }) = &results.proof {
        let (bytes, records) = (written.bytes, written.records);
        writeln!(out, "  proof: {bytes} bytes, {records} records in {}", path.display())?;
    }
    Ok(())
}

fn proof_fields(proof: &ProofFile) -> Value {
    json!({
        "file": proof.path.display().to_string(),
        "bytes": proof.written.bytes,
        "records": proof.written.records,
        "shared": proof.written.shared,
    })
}

/// The fields of a move for JSON.
fn job_fields(job: &JobResult<Move>, names: &Names<'_, Position>) -> Value {
    json!({
        "move": names.of(job.mv),
        "images": job.images.iter().map(|&mv| names.of(mv)).collect::<Vec<_>>(),
        "outcome": outcome_name::<Position>(job.outcome),
        "nodes": job.work.map(|work| work.nodes),
        "nodes_before": job.work.map(|work| work.nodes_before),
        "cpu_seconds": job.work.map(|work| work.cpu.as_secs_f64()),
    })
}

/// A line about a move.
fn job_text(job: &JobResult<Move>, names: &Names<'_, Position>) -> String {
    let images: Vec<String> = job.images.iter().map(|&mv| names.of(mv)).collect();
    let others = and_images(&images);
    let cost = job.work.map_or("proved before".to_owned(), |Work { nodes, cpu, .. }| {
        format!("{nodes} nodes, {:.2} s of CPU", cpu.as_secs_f64())
    });
    format!("{}: {}, {cost}{others}", names.of(job.mv), said(job.outcome))
}
