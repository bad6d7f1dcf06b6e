//! `farm`: a coordinator and workers that prove a position, on one machine or many.

mod carrier;
mod coordinate;
mod work;

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stonework_farm::{Control, Coordinator};

use self::carrier::CarrierArgs;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;

/// Prove a position by many workers, on one machine or many
#[derive(Args)]
#[command(long_about = help::FARM_ABOUT, after_long_help = help::FARM)]
pub(crate) struct FarmArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Coordinate(coordinate::Coordinate),
    Work(work::WorkArgs),
    /// Print the state of a campaign
    #[command(after_long_help = help::FARM)]
    Status(CarrierArgs),
    /// Give no more jobs out; jobs that workers have go on
    #[command(after_long_help = help::FARM)]
    Pause(CarrierArgs),
    /// Give jobs out again
    #[command(after_long_help = help::FARM)]
    Resume(CarrierArgs),
    /// End the coordinator and the workers; what was decided stays
    #[command(after_long_help = help::FARM)]
    Cancel(CarrierArgs),
    Export(Export),
}

/// Write the proofs of all decided positions to files of a directory
#[derive(Args)]
#[command(after_long_help = help::FARM)]
struct Export {
    /// The directory of the coordinator
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// The directory to write: a file for each proof, named by its SHA-256, and `manifest.json`
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl FarmArgs {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        match &self.what {
            What::Coordinate(coordinate) => coordinate.run(out),
            What::Work(work) => work.run(out),
            What::Status(carrier) => status(carrier, out),
            What::Pause(carrier) => control(carrier, Control::Paused, out),
            What::Resume(carrier) => control(carrier, Control::Running, out),
            What::Cancel(carrier) => control(carrier, Control::Cancelled, out),
            What::Export(export) => export.run(out),
        }
    }
}

fn status(carrier: &CarrierArgs, out: &mut Out) -> Result<(), Failure> {
    let queue = carrier.open(false)?;
    let status = queue.status().map_err(Failure::input)?;
    let status = status.ok_or_else(|| Failure::input("no coordinator has begun this campaign"))?;
    let mut fields: Value =
        serde_json::from_slice(&status).map_err(|error| Failure::input(format!("the status: {error}")))?;
    fields["control"] = json!(queue.control().map_err(Failure::input)?);
    if out.wants_json() {
        return out.object(&fields);
    }
    let of = |name: &str| fields[name].to_string().replace('"', "");
    writeln!(out, "{}: {} jobs decided, {} nodes", of("control"), of("decided"), of("nodes"))?;
    writeln!(out, "  {} jobs with workers, {} waiting, {} open", of("leased"), of("waiting"), of("open"))?;
    writeln!(out, "  {:.0} nodes a second", fields["speed"].as_f64().unwrap_or(0.0))?;
    for (worker, speed) in fields["workers"].as_object().into_iter().flatten() {
        writeln!(out, "  {worker}: {:.0} nodes a second", speed.as_f64().unwrap_or(0.0))?;
    }
    let plan = &fields["plan"];
    writeln!(
        out,
        "  {}? proof {}, disproof {}",
        plan["question"].as_str().unwrap_or("-"),
        plan["proof"],
        plan["disproof"]
    )?;
    let (refused, needless, failed) = (of("refused"), of("needless"), of("failed"));
    writeln!(out, "  {refused} reports refused, {needless} needless, {failed} failures")?;
    Ok(())
}

fn control(carrier: &CarrierArgs, control: Control, out: &mut Out) -> Result<(), Failure> {
    let queue = carrier.open(false)?;
    queue.set_control(control).map_err(Failure::input)?;
    if out.wants_json() {
        return out.object(&json!({ "control": control }));
    }
    writeln!(out, "{}", json!(control).as_str().unwrap_or_default())?;
    Ok(())
}

impl Export {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let disk = std::sync::Arc::clone(out.disk());
        let failed = |error| Failure::input(format!("{}: {error}", self.output.display()));
        disk.make_directory(&self.output).map_err(failed)?;
        let coordinator = Coordinator::new(disk, &self.dir, "export");
        let (mut campaign, mut proofs, mut bytes, mut written) = (String::new(), Vec::new(), 0, Ok(()));
        coordinator
            .read(&mut |identity| identity.clone_into(&mut campaign), &mut |decision| {
                let answer: Value = serde_json::from_slice(&decision.answer).unwrap_or_default();
                let job: Value = serde_json::from_slice(decision.job.body()).unwrap_or_default();
                for (digest, proof) in &decision.inline {
                    let path = self.output.join(format!("{digest}.proof"));
                    if written.is_ok() {
                        written = out.replace(&"", &path, proof);
                    }
                    bytes += proof.len();
                    proofs.push(json!({"sha256": digest, "bytes": proof.len(), "job": job, "answer": answer.get("shown")}));
                }
            })
            .map_err(Failure::input)?;
        written?;
        let manifest = json!({"campaign": campaign, "proofs": proofs});
        out.replace(&"", &self.output.join("manifest.json"), manifest.to_string().as_bytes())?;
        let (count, place) = (proofs.len(), self.output.display().to_string());
        if out.wants_json() {
            return out.object(&json!({ "directory": place, "proofs": count, "bytes": bytes }));
        }
        writeln!(out, "{count} proofs, {bytes} bytes in {place}")?;
        Ok(())
    }
}
