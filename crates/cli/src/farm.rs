//! `farm`: a coordinator and workers that prove a position, on one machine or many.

mod carrier;
mod coordinate;
mod each_move;
mod work;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stonework_campaign::proving::KIND as PROOFS;
use stonework_farm::{Control, Coordinator, CoordinatorEvent, FarmJob, QueueError};
use stonework_session::Registry;

pub(crate) use self::carrier::{CarrierArgs, LinkArgs};
pub(crate) use self::work::{BUILD, beside_workers};
use crate::failure::{Failure, say};
use crate::help;
use crate::out::Out;
use crate::progress::Progress;

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
    Status(Status),
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
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        match &self.what {
            What::Coordinate(coordinate) => coordinate.run(out),
            What::Work(work) => work.run(registry, out),
            What::Status(status) => status.run(out),
            What::Pause(carrier) => control(carrier, Control::Paused, out),
            What::Resume(carrier) => control(carrier, Control::Running, out),
            What::Cancel(carrier) => control(carrier, Control::Cancelled, out),
            What::Export(export) => export.run(out),
        }
    }
}

/// Print the state of a campaign
#[derive(Args)]
#[command(after_long_help = help::FARM)]
struct Status {
    #[command(flatten)]
    carrier: CarrierArgs,
    /// Go on until the campaign is over: a bar on a terminal, with --json a line of JSON each second
    #[arg(long)]
    follow: bool,
}

/// The time between two states.
const SECOND: Duration = Duration::from_secs(1);

impl Status {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let queue = self.carrier.open(false)?;
        let mut bar = Progress::new("jobs", None);
        loop {
            let tell = |error: &QueueError| bar.aside(|| say(error));
            let status = asked(self.follow, tell, || queue.status())?;
            let control = asked(self.follow, tell, || queue.control())?;
            let state = state(status, control)?;
            let over = matches!(state["control"].as_str(), Some("over" | "cancelled"));
            if !self.follow || over {
                drop(bar);
                return if out.wants_json() { out.object(&state) } else { print(&state, out) };
            }
            if out.wants_json() {
                out.object(&state)?;
                out.flush()?;
            }
            bar.show(line(&state));
            bar.at(state["decided"].as_u64().unwrap_or(0));
            thread::sleep(SECOND);
        }
    }
}

/// The answer of a queue. A command that follows a campaign asks again each second while the queue is away: the campaign goes on
/// then, too.
fn asked<T>(
    follows: bool,
    tell: impl Fn(&QueueError),
    mut ask: impl FnMut() -> Result<T, QueueError>,
) -> Result<T, Failure> {
    loop {
        match ask() {
            Err(error) if follows && error.is_passing() => {
                tell(&error);
                thread::sleep(SECOND);
            }
            answer => return answer.map_err(Failure::input),
        }
    }
}

/// The state as the coordinator has told it, with the present control.
fn state(status: Option<Vec<u8>>, control: Control) -> Result<Value, Failure> {
    let status = status.ok_or_else(|| Failure::input("no coordinator has begun this campaign"))?;
    let state: Result<Value, _> = serde_json::from_slice(&status);
    let mut state = state.map_err(|error| Failure::input(format!("the status: {error}")))?;
    if !state.is_object() {
        return Err(Failure::input("the status is no object"));
    }
    state["control"] = json!(control);
    Ok(state)
}

/// The word about a campaign that is paused, once for each pause: its coordinator waits without any other.
#[derive(Default)]
pub(crate) struct PauseNews {
    is_paused: bool,
}

impl PauseNews {
    /// The word, if an event is the first one of a pause.
    pub(crate) fn of(&mut self, event: &CoordinatorEvent<'_>) -> Option<&'static str> {
        let CoordinatorEvent::Progress(state) = event else { return None };
        let was_paused = std::mem::replace(&mut self.is_paused, state.control == Control::Paused);
        (self.is_paused && !was_paused).then_some("the campaign is paused: `farm resume` lets it go on")
    }
}

/// The state of a campaign as a text of one line: workers, speed, numbers, best line; for games, their number.
pub(crate) fn line(state: &Value) -> String {
    let plan = &state["plan"];
    let workers = state["leased"].as_u64().unwrap_or(0);
    if let Some(games) = plan["games"].as_u64() {
        return format!("jobs, {workers} with workers, {games} of {} games", plan["of"]);
    }
    let moves: Vec<&str> =
        plan["line"].as_array().into_iter().flatten().filter_map(Value::as_str).take(6).collect();
    let place = match (plan["move"].as_str(), plan["moves"].as_u64()) {
        (Some(mv), Some(moves)) => format!("{mv} of {moves} moves, "),
        _ => String::new(),
    };
    format!(
        "jobs, {workers} with workers, {:.0} k/s, {place}{}? proof {}, disproof {}, {}",
        state["speed"].as_f64().unwrap_or(0.0) / 1000.0,
        plan["question"].as_str().unwrap_or("-"),
        plan["proof"],
        plan["disproof"],
        moves.join(" ")
    )
}

/// Prints a state for a person.
fn print(state: &Value, out: &mut Out) -> Result<(), Failure> {
    let of = |name: &str| state[name].to_string().replace('"', "");
    writeln!(out, "{}: {} jobs decided, {} nodes", of("control"), of("decided"), of("nodes"))?;
    writeln!(out, "  {} jobs with workers, {} waiting, {} open", of("leased"), of("waiting"), of("open"))?;
    writeln!(out, "  {:.0} nodes a second", state["speed"].as_f64().unwrap_or(0.0))?;
    for (worker, speed) in state["workers"].as_object().into_iter().flatten() {
        writeln!(out, "  {worker}: {:.0} nodes a second", speed.as_f64().unwrap_or(0.0))?;
    }
    let plan = &state["plan"];
    if let Some(games) = plan["games"].as_u64() {
        writeln!(out, "  {games} of {} games", plan["of"])?;
    }
    if let (Some(moves), Some(over)) = (plan["moves"].as_u64(), plan["over"].as_array()) {
        let over: Vec<&str> = over.iter().filter_map(Value::as_str).collect();
        writeln!(out, "  {} of {moves} moves proved: {}", over.len(), over.join(" "))?;
    }
    if let Some(question) = plan["question"].as_str() {
        let place = plan["move"].as_str().map_or_else(String::new, |mv| format!("{mv}: "));
        writeln!(out, "  {place}{question}? proof {}, disproof {}", plan["proof"], plan["disproof"])?;
    }
    let (refused, needless, failed) = (of("refused"), of("needless"), of("failed"));
    writeln!(out, "  {refused} reports refused, {needless} needless, {failed} failures")?;
    Ok(())
}

/// Sets the control of a campaign that is not over. One that is over has no coordinator which would take another control: its workers would
/// wait for ever.
fn control(carrier: &CarrierArgs, control: Control, out: &mut Out) -> Result<(), Failure> {
    let queue = carrier.open(false)?;
    if queue.control().map_err(Failure::input)? == Control::Over {
        return Err(Failure::input(
            "the campaign is over and has its result: there is nothing to pause, to resume or to cancel",
        ));
    }
    queue.set_control(control).map_err(Failure::input)?;
    if out.wants_json() {
        return out.object(&json!({ "control": control }));
    }
    writeln!(out, "{}", json!(control).as_str().unwrap_or_default())?;
    Ok(())
}

impl Export {
    fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let disk = Arc::clone(out.disk());
        let failed = |error| Failure::input(format!("{}: {error}", self.output.display()));
        let coordinator = Coordinator::new(Arc::clone(&disk), &self.dir, "export");
        let (mut campaign, mut proofs, mut bytes, mut written) = (String::new(), Vec::new(), 0, Ok(()));
        coordinator
            .read(&mut |identity| identity.clone_into(&mut campaign), &mut |decision| {
                let answer: Value = serde_json::from_slice(&decision.answer).unwrap_or_default();
                let job: Value = serde_json::from_slice(decision.job.body()).unwrap_or_default();
                if written.is_ok() && proofs.is_empty() {
                    let checked = self.check_kind(&decision.job);
                    written = checked.and_then(|()| disk.make_directory(&self.output).map_err(failed));
                }
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
        disk.make_directory(&self.output).map_err(failed)?;
        let manifest = json!({"campaign": campaign, "proofs": proofs});
        out.replace(&"", &self.output.join("manifest.json"), manifest.to_string().as_bytes())?;
        let (count, place) = (proofs.len(), self.output.display().to_string());
        if out.wants_json() {
            return out.object(&json!({ "directory": place, "proofs": count, "bytes": bytes }));
        }
        writeln!(out, "{count} proofs, {bytes} bytes in {place}")?;
        Ok(())
    }

    /// Refuses a campaign whose jobs are no proofs.
    fn check_kind(&self, job: &FarmJob) -> Result<(), Failure> {
        if job.kind() == PROOFS {
            return Ok(());
        }
        Err(Failure::input(format!(
            "--dir {}: jobs of the kind `{}`, and only those of the kind `{PROOFS}` have proofs: games are in the --out of the command \
             that coordinates them, which takes them from this directory again",
            self.dir.display(),
            job.kind()
        )))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A server that ends and comes back ends no command that follows a campaign.
    #[test]
    fn a_command_that_follows_waits_for_a_queue_that_is_away() {
        let answers = |follows, errors: &mut dyn Iterator<Item = QueueError>| {
            let told = Cell::new(0);
            let answer =
                asked(follows, |_| told.set(told.get() + 1), || errors.next().map_or(Ok(7), Err)).ok();
            (answer, told.get())
        };
        let away = || QueueError::Away("no connection".to_owned());
        assert_eq!(answers(true, &mut std::iter::repeat_with(away).take(2)), (Some(7), 2));
        assert_eq!(answers(false, &mut std::iter::once(away())), (None, 0));
        let refused = QueueError::Forbidden("authorization violation".to_owned());
        assert_eq!(answers(true, &mut std::iter::once(refused)), (None, 0));
    }
}
