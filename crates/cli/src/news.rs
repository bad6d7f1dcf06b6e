//! The news of a campaign on standard error: a progress bar, and a line for each checkpoint and each finished job.

use std::path::Path;
use std::time::Duration;

use stonework_campaign::{CampaignEvent, Job};
use stonework_game::Textual as _;
use stonework_havannah::{Move, Position};
use stonework_search::{ProofNumbers, Report};

use crate::failure::say;
use crate::openings::said;
use crate::progress::Progress;

/// Writes the news of a campaign.
pub(crate) struct News {
    /// The name of the proof.
    file: String,
    /// The position of the campaign.
    root: Position,
    /// The progress bar of the current search.
    progress: Option<Progress>,
}

impl News {
    pub(crate) fn new(file: &Path, root: &Position) -> Self {
        let file = file.file_name().unwrap_or_default().display().to_string();
        Self { file, root: root.clone(), progress: None }
    }

    pub(crate) fn write(&mut self, event: &CampaignEvent<'_, Move>) {
        match event {
            CampaignEvent::Known { job, outcome, file } => {
                say(format_args!("{}: {}, as {} shows", self.name(job), said(*outcome), file.display()));
            }
            CampaignEvent::Resumed { job, file, saved } => {
                let (name, file) = (self.heading(job), file.display());
                say(format_args!("{name}: goes on after {} nodes, as {file} has them", saved.nodes));
            }
            CampaignEvent::Began { .. } => self.progress = Some(Progress::new("nodes", None)),
            CampaignEvent::Searching { job, report, nodes, elapsed } => {
                let text = format!("nodes, {}: {}", self.heading(job), state(report, *nodes, *elapsed));
                if let Some(progress) = &mut self.progress {
                    progress.show(text);
                    progress.at(*nodes);
                }
            }
            CampaignEvent::Saved { job, report, nodes, elapsed, table, saved, took } => {
                let full = 100.0 * table.0 as f64 / table.1.max(1) as f64;
                let line = format!(
                    "{}: {}, {full:.0} % of the table in use; checkpoint: {} positions, {} bytes, {:.1} s",
                    self.heading(job),
                    state(report, *nodes, *elapsed),
                    saved.entries,
                    saved.bytes,
                    took.as_secs_f64(),
                );
                match &self.progress {
                    Some(progress) => progress.aside(|| say(line)),
                    None => say(line),
                }
            }
            CampaignEvent::Ended { .. } => self.progress = None,
            CampaignEvent::Proved { job, outcome, work, written } if job.mv.is_some() => {
                say(format_args!(
                    "{}: {}, {} nodes and {:.0} s of CPU, a proof of {} bytes",
                    self.name(job),
                    said(*outcome),
                    work.nodes,
                    work.cpu.as_secs_f64(),
                    written.bytes,
                ));
            }
            _ => {}
        }
    }

    /// The heading of a search: the name of the proof for a single job, or else the number of proved openings, and the
    /// opening.
    fn heading(&self, job: &Job<Move>) -> String {
        match job.mv {
            None => self.name(job),
            Some(_) => format!("{} of {} openings proved; {}", job.done, job.all, self.name(job)),
        }
    }

    /// The opening that a job proves, or else the name of the proof.
    fn name(&self, job: &Job<Move>) -> String {
        job.mv.map_or_else(|| self.file.clone(), |mv| self.root.move_text(mv))
    }
}

/// The state of a search: the numbers of its root, and its speed.
fn state(report: &Report<Move>, nodes: u64, elapsed: Duration) -> String {
    let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-3) / 1000.0;
    let number =
        |number: u32| if number == ProofNumbers::INFINITE { "-".to_owned() } else { number.to_string() };
    let (proof, disproof) = report.proof_numbers.map_or((1, 1), |numbers| (numbers.proof, numbers.disproof));
    format!("proof {}, disproof {}, {nodes} nodes, {speed:.0} k/s", number(proof), number(disproof))
}
