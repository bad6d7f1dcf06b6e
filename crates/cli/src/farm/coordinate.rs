//! `farm coordinate`: the coordinator, with workers of its own.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use stonework_campaign::proving::{ProofCheck, ProofPlan, Question};
use stonework_farm::{Coordinator, CoordinatorEvent, Digest, Ended, Progress as State, Queue};
use stonework_game::{Finite, Game as _, Indexed, Keyed, Outcome, Player, Textual};
use stonework_havannah::Position;
use stonework_havannah_solver::{HavannahRules, SmallPosition, Solver, ThreatSearch};
use stonework_proof::{Claim, ImmediateRules};
use stonework_search::{JobTreeOptions, Limits, ProofTactics};

use super::carrier::CarrierArgs;
use super::work::Hands;
use crate::engines::interrupted;
use crate::failure::{Failure, say};
use crate::help;
use crate::openings::said;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::{HAVANNAH, StartArgs};

/// Coordinate a campaign: choose its jobs, verify its proofs, write its journal
#[derive(Args)]
#[command(after_long_help = help::FARM)]
pub(crate) struct Coordinate {
    #[command(flatten)]
    carrier: CarrierArgs,
    #[command(flatten)]
    start: StartArgs,
    /// The question about the position
    #[arg(long, value_enum, default_value_t = Asked::Value)]
    question: Asked,
    /// The nodes of a job
    #[arg(long, value_name = "N", default_value = "100000")]
    job_nodes: u64,
    /// Memory for the tree of jobs
    #[arg(long, value_name = "BYTES", default_value = "1GiB", value_parser = crate::engines::bytes)]
    tree_memory: usize,
    #[command(flatten)]
    hands: Hands,
    /// Write the finished proof to this file
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Asked {
    /// The value of the position
    Value,
    /// Does White win?
    White,
    /// Does Black win?
    Black,
}

/// The end of a campaign.
struct Found {
    ended: Ended,
    outcome: Option<Outcome>,
    answer: Option<(Player, bool)>,
    state: State,
    /// The digests of the proofs that the answer needs.
    leaves: Vec<Digest>,
}

impl Coordinate {
    pub(super) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let root = self.start.play()?.position;
        if root.outcome().is_some() {
            return Err(Failure::input("the game is over: there is nothing to prove"));
        }
        let found = if let Ok(small) = SmallPosition::<u64>::try_from(&root) {
            self.coordinate(small, out)?
        } else if let Ok(small) = SmallPosition::<u128>::try_from(&root) {
            self.coordinate(small, out)?
        } else {
            return Err(Failure::input("a farm proves positions to size 6, without a swap to come"));
        };
        let proof = match (&self.proof, found.ended) {
            (Some(file), Ended::Over) => Some((file, self.write_proof(&root, &found, file, out)?)),
            _ => None,
        };
        let ended = match found.ended {
            Ended::Over => "over",
            Ended::Stopped => "stopped",
            Ended::Cancelled => "cancelled",
            Ended::Deposed => "deposed",
        };
        let State { decided, nodes, .. } = found.state;
        if out.wants_json() {
            return out.object(&json!({
                "event": ended,
                "outcome": found.outcome.map_or("unknown", stonework_session::outcome_name::<Position>),
                "answer": found.answer.map(|(who, yes)| json!({"side": stonework_havannah::colour(who), "wins": yes})),
                "decided": decided,
                "nodes": nodes,
                "proof": proof.map(|(file, bytes)| json!({"file": file.display().to_string(), "bytes": bytes})),
            }));
        }
        let text = match (found.outcome, found.answer) {
            (Some(outcome), _) => said(outcome),
            (None, Some((who, yes))) => {
                format!("{} {}", stonework_havannah::colour(who), if yes { "wins" } else { "does not win" })
            }
            (None, None) => format!("unknown ({ended}); the same command goes on"),
        };
        writeln!(out, "{text}\n  {decided} jobs, {nodes} nodes")?;
        if let Some((file, bytes)) = proof {
            writeln!(out, "  proof: {bytes} bytes in {}", file.display())?;
        }
        Ok(())
    }

    /// The directory of the journal.
    fn dir(&self) -> Result<&PathBuf, Failure> {
        self.carrier
            .dir
            .as_ref()
            .ok_or_else(|| Failure::input("--dir is needed: the coordinator writes its journal there"))
    }

    fn coordinate<G>(&self, root: G, out: &mut Out) -> Result<Found, Failure>
    where
        G: Finite + Keyed + Indexed + Textual + Send,
        ThreatSearch: ProofTactics<G>,
        HavannahRules: ImmediateRules<G>,
    {
        let question = match self.question {
            Asked::Value => Question::Value,
            Asked::White => Question::Wins(Player::First),
            Asked::Black => Question::Wins(Player::Second),
        };
        let options = JobTreeOptions::new().nodes(self.job_nodes).focus(true).bytes(self.tree_memory);
        let mut plan =
            ProofPlan::new(HAVANNAH, root, question, ThreatSearch::new(), options).map_err(Failure::input)?;
        let check = ProofCheck::<Position, _>::new(HAVANNAH, Solver::default());
        let coordinator =
            Coordinator::new(Arc::clone(out.disk()), self.dir()?, format!("process-{}", std::process::id()));
        let (stop, over) = (interrupted(), AtomicBool::new(false));
        let queue = self.carrier.open(true)?;
        let open = || {
            if self.carrier.server.is_some() { Ok(Arc::clone(&queue)) } else { self.carrier.open(true) }
        };
        let mut news = News::new(out.wants_json());
        let ended = thread::scope(|scope| {
            let hands = self.hands.work(scope, &open, &format!("own-{}", std::process::id()), None, &over);
            let ended = coordinator
                .run(&*queue as &dyn Queue, &mut plan, &check, &stop, &mut |event| news.write(event, out));
            over.store(true, std::sync::atomic::Ordering::Relaxed);
            for hand in hands {
                // The end of a worker is no end of the campaign, which has others.
                if let Ok(Err(failure)) = hand.join() {
                    say(format_args!("a worker: {failure:?}"));
                }
            }
            ended
        });
        let ended = ended.map_err(Failure::input)?;
        let leaves = match (ended, &self.proof) {
            (Ended::Over, Some(_)) => plan.top(&HavannahRules).map_err(Failure::input)?.1.concat(),
            _ => Vec::new(),
        };
        let answer = plan.answers().last().map(|answer| (answer.who, answer.yes));
        Ok(Found { ended, outcome: plan.outcome(), answer, state: news.state, leaves })
    }

    /// Makes one proof from the proofs of the jobs. Returns its bytes.
    fn write_proof(
        &self,
        root: &Position,
        found: &Found,
        file: &std::path::Path,
        out: &Out,
    ) -> Result<u64, Failure> {
        let claim = match (found.outcome, found.answer) {
            (Some(outcome), _) => Claim::of(outcome),
            (None, Some((who, true))) => Claim::Wins(who),
            (None, Some((who, false))) => Claim::DoesNotWin(who),
            (None, None) => return Err(Failure::input("there is no answer to prove")),
        };
        let wanted: HashSet<Digest> = found.leaves.iter().copied().collect();
        let limits = Limits::none().bytes(self.tree_memory);
        let mut solver = Solver::new(Solver::options().keep(true)).map_err(Failure::input)?;
        let coordinator = Coordinator::new(Arc::clone(out.disk()), self.dir()?, "proof");
        let mut refused = None;
        coordinator
            .read(&mut |_| {}, &mut |decision| {
                for (digest, proof) in &decision.inline {
                    if wanted.contains(digest) {
                        refused = solver.learn(root, &limits, &proof[..]).err().or(refused.take());
                    }
                }
            })
            .map_err(Failure::input)?;
        if let Some(refused) = refused {
            return Err(Failure::input(refused));
        }
        let mut bytes = Vec::new();
        solver.prove(root, claim, &limits, &mut bytes).map_err(Failure::input)?;
        out.replace(&"--proof ", file, &bytes)?;
        Ok(bytes.len() as u64)
    }
}

/// The news of a campaign: a bar on a terminal, lines on standard error, and lines of JSON.
struct News {
    json: bool,
    bar: Progress,
    state: State,
    told: std::time::Instant,
}

impl News {
    fn new(json: bool) -> Self {
        Self {
            json,
            bar: Progress::new("jobs", None),
            state: State::default(),
            told: std::time::Instant::now(),
        }
    }

    fn write(&mut self, event: &CoordinatorEvent<'_>, out: &mut Out) {
        if let CoordinatorEvent::Progress(state) = event {
            self.state = (*state).clone();
            self.bar.show(bar_text(state));
            self.bar.at(state.decided);
            if self.told.elapsed().as_secs() < 5 {
                return;
            }
            self.told = std::time::Instant::now();
        }
        let Some((name, fields, text)) = described(event) else { return };
        if self.json {
            let mut line = json!({ "event": name });
            if let (Some(line), Some(fields)) = (line.as_object_mut(), fields.as_object()) {
                line.extend(fields.clone());
            }
            // A closed standard output ends the command at its end.
            let _ = out.object(&line).and_then(|()| out.flush());
        } else if let Some(text) = text {
            self.bar.aside(|| say(text));
        }
    }
}

/// The text of the bar: workers, speed, numbers, best line.
fn bar_text(state: &State) -> String {
    let plan = &state.plan;
    let line: Vec<&str> =
        plan["line"].as_array().into_iter().flatten().filter_map(Value::as_str).take(6).collect();
    format!(
        "jobs, {} workers, {:.0} k/s, {}? proof {}, disproof {}, {}",
        state.depth.leased,
        state.speed / 1000.0,
        plan["question"].as_str().unwrap_or("-"),
        plan["proof"],
        plan["disproof"],
        line.join(" ")
    )
}

/// An event by name, with its fields and, if a person should hear of it, in words.
fn described(event: &CoordinatorEvent<'_>) -> Option<(&'static str, Value, Option<String>)> {
    Some(match event {
        CoordinatorEvent::StandsBy { leader } => {
            ("stands_by", json!({ "leader": leader }), Some(format!("{leader} leads; standing by")))
        }
        CoordinatorEvent::Leads { decided, fetched } => {
            let text = (*decided > 0).then(|| format!("goes on after {decided} decided jobs"));
            ("leads", json!({ "decided": decided, "fetched": fetched }), text)
        }
        CoordinatorEvent::Refused { worker, why, bad } => {
            let text = format!("{worker}: refused ({bad}): {why}");
            ("refused", json!({ "worker": worker, "why": why, "bad": bad }), Some(text))
        }
        CoordinatorEvent::ShutOut { worker } => {
            ("shut_out", json!({ "worker": worker }), Some(format!("{worker}: shut out")))
        }
        CoordinatorEvent::Failed { worker, why } => {
            ("failed", json!({ "worker": worker, "why": why }), Some(format!("{worker}: failed: {why}")))
        }
        CoordinatorEvent::Unable { worker, why } => {
            ("unable", json!({ "worker": worker, "why": why }), Some(format!("{worker}: {why}")))
        }
        CoordinatorEvent::Republished(count) => ("republished", json!({ "jobs": count }), None),
        CoordinatorEvent::Trouble(why, time) => {
            ("trouble", json!({ "why": why, "seconds": time.as_secs_f64() }), Some((*why).to_owned()))
        }
        CoordinatorEvent::Progress(state) => ("progress", json!(state), None),
        _ => return None,
    })
}
