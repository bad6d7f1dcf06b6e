//! `farm coordinate`: the coordinator, with workers of its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use stonework_campaign::proving::{EachMovePlan, ProofCheck, ProofPlan, ProofQuestion};
use stonework_farm::{Coordinator, CoordinatorEvent, Ended, FarmPlan, Progress as State, Queue};
use stonework_game::{Finite, Game as _, Indexed, Keyed, Outcome, Player, Textual};
use stonework_havannah::Position;
use stonework_havannah_solver::{HavannahRules, SmallPosition, Solver, ThreatSearch, Words};
use stonework_proof::ImmediateRules;
use stonework_proof::set::{ProofSet, SetFolder, join_set};
use stonework_search::{Engine as _, JobTreeOptions, Limits, ProofNumbers, ProofTactics, Question};

use super::PauseNews;
use super::carrier::CarrierArgs;
use super::each_move::EachMove;
use super::work::{Hands, beside_workers};
use crate::engines::interrupted;
use crate::failure::{Failure, say};
use crate::help;
use crate::openings::said;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::{HAVANNAH, StartArgs};

/// The largest number of positions of the files that are joined into one file; each takes about 120 bytes meanwhile.
const MOST_POSITIONS: usize = 1 << 26;

/// Coordinate a campaign: choose its jobs, verify its proofs, write its journal
#[derive(Args)]
#[command(after_long_help = help::FARM)]
pub(crate) struct Coordinate {
    #[command(flatten)]
    carrier: CarrierArgs,
    #[command(flatten)]
    start: StartArgs,
    /// The `value` of the position, or whether `white` or `black` wins
    #[arg(long, value_enum, default_value_t = Asked::Value)]
    question: Asked,
    /// Prove the value after each move of the position, up to symmetry: all openings of an empty board
    #[arg(long, conflicts_with = "question")]
    each_move: bool,
    /// The nodes of a job
    #[arg(long, value_name = "N", default_value = "20000")]
    job_nodes: u64,
    /// A job has at least one part in N of all nodes so far; 0 for no growth
    #[arg(long, value_name = "N", default_value = "10000")]
    growth: u64,
    /// While one worker is alone, it goes on with a position up to N nodes before other positions become jobs
    #[arg(long, value_name = "N", default_value = "33554432")]
    lone: u64,
    /// The nodes of a look at each move of a position that stays open
    #[arg(long, value_name = "N", default_value = "100")]
    glance: u64,
    /// Workers tell each other positions with N nodes; 0 for none
    #[arg(long, value_name = "N", default_value = "100")]
    share: u64,
    /// Memory for the tree of jobs; with --each-move, for the tree of each move
    #[arg(long, value_name = "BYTES", default_value = "1GiB", value_parser = crate::engines::bytes)]
    tree_memory: usize,
    #[command(flatten)]
    hands: Hands,
    /// Write the finished proof to this file, too; with --each-move, the proofs of all moves
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
}

/// The question about the position.
#[derive(Clone, Copy, ValueEnum)]
enum Asked {
    Value,
    White,
    Black,
}

/// The nodes of each of the two searches by which the first question of a value is chosen.
const LOOK: u64 = 20_000;
/// The number of times by which Black's win must look easier to prove than White's for the question about Black to come first.
/// White wins all openings of size 4, of which the looks favour Black by up to five times.
const FAVOUR: u32 = 8;

/// The side whose win is the first question. The same for the same position.
fn favoured(root: &Position) -> Result<Player, Failure> {
    let proof = |who| {
        let mut solver =
            Solver::new(Solver::options().question(Question::Wins(who))).map_err(Failure::input)?;
        let report = solver.think(root, &Limits::none().nodes(LOOK).bytes(64 << 20));
        Ok::<_, Failure>(report.proof_numbers.unwrap_or(ProofNumbers::OPEN).proof)
    };
    let is_blacks = proof(Player::Second)? < proof(Player::First)? / FAVOUR;
    Ok(if is_blacks { Player::Second } else { Player::First })
}

/// The end of a campaign.
struct Found {
    ended: Ended,
    outcome: Option<Outcome>,
    answer: Option<(Player, bool)>,
    state: State,
    /// The proof of the answer.
    set: Option<ProofSet>,
}

impl Coordinate {
    pub(super) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let root = self.start.play()?.position;
        if root.outcome().is_some() {
            return Err(Failure::input("the game is over: there is nothing to prove"));
        }
        if let Ok(small) = SmallPosition::<u64>::try_from(&root) {
            self.coordinate(&root, small, out)
        } else if let Ok(small) = SmallPosition::<u128>::try_from(&root) {
            self.coordinate(&root, small, out)
        } else if let Ok(small) = SmallPosition::<Words<6>>::try_from(&root) {
            self.coordinate(&root, small, out)
        } else {
            Err(Failure::input("a farm proves positions to size 10, without a swap to come"))
        }
    }

    /// The directory of the journal.
    pub(super) fn dir(&self) -> Result<&PathBuf, Failure> {
        self.carrier
            .dir
            .as_ref()
            .ok_or_else(|| Failure::input("--dir is needed: the coordinator writes its journal there"))
    }

    fn coordinate<G>(&self, root: &Position, small: G, out: &mut Out) -> Result<(), Failure>
    where
        G: Finite + Keyed + Indexed + Textual + Send,
        ThreatSearch: ProofTactics<G>,
        HavannahRules: ImmediateRules<G>,
    {
        let options = JobTreeOptions::new()
            .nodes(self.job_nodes)
            .growth(self.growth)
            .lone(self.lone)
            .bytes(self.tree_memory);
        let coordinator =
            Coordinator::new(Arc::clone(out.disk()), self.dir()?, format!("process-{}", std::process::id()));
        if self.each_move {
            // The texts of a small position are the texts of the position by the rules.
            let question = |after: &G| {
                let after = Position::parse_position(&after.position_text()).ok();
                let side = after.and_then(|after| favoured(&after).ok());
                side.map_or(ProofQuestion::Value, ProofQuestion::ValueFrom)
            };
            let plan = EachMovePlan::new(HAVANNAH, &small, question, &ThreatSearch::new(), options);
            let mut plan = plan.map_err(Failure::input)?.glance(self.glance).share(self.share);
            let (ended, state) = self.lead(&coordinator, &mut plan, out)?;
            return EachMove { args: self, coordinator: &coordinator, ended, state }.tell(&mut plan, out);
        }
        let question = match self.question {
            Asked::Value => ProofQuestion::ValueFrom(favoured(root)?),
            Asked::White => ProofQuestion::Wins(Player::First),
            Asked::Black => ProofQuestion::Wins(Player::Second),
        };
        let plan = ProofPlan::new(HAVANNAH, small, question, ThreatSearch::new(), options);
        let mut plan = plan.map_err(Failure::input)?.glance(self.glance).share(self.share);
        let (ended, state) = self.lead(&coordinator, &mut plan, out)?;
        let folder = self.dir()?.join("set");
        let set = match ended {
            Ended::Over => Some(write_set(&mut plan, &coordinator, &folder, out)?),
            _ => None,
        };
        let answer = plan.answers().last().map(|answer| (answer.who, answer.yes));
        self.tell::<G>(&Found { ended, outcome: plan.outcome(), answer, state, set }, out)
    }

    /// Coordinates until the plan is over or the command is stopped, with workers of this process.
    fn lead(
        &self,
        coordinator: &Coordinator,
        plan: &mut dyn FarmPlan,
        out: &mut Out,
    ) -> Result<(Ended, State), Failure> {
        let check = ProofCheck::<Position, _>::new(HAVANNAH, Solver::default());
        let (stop, over) = (interrupted(), AtomicBool::new(false));
        let queue = self.carrier.open(true)?;
        let open = || {
            if self.carrier.server.is_some() { Ok(Arc::clone(&queue)) } else { self.carrier.open(true) }
        };
        let mut news = News::new(out.wants_json());
        let ended = thread::scope(|scope| {
            let name = format!("own-{}", std::process::id());
            let hands = self.hands.work(scope, &open, &name, (out.disk(), None), None, (&over, None))?;
            let ended = beside_workers(&over, || {
                coordinator
                    .run(&*queue as &dyn Queue, plan, &check, &stop, &mut |event| news.write(event, out))
            });
            for hand in hands {
                // The end of a worker is no end of the campaign, which has others. It was told when it came.
                let _ = hand.join();
            }
            ended.map_err(Failure::input)
        })?;
        Ok((ended, news.state))
    }

    /// Prints the end of a campaign about one position, after the proof is in its file.
    fn tell<G>(&self, found: &Found, out: &mut Out) -> Result<(), Failure>
    where
        G: Finite + Keyed + Indexed + Textual,
        HavannahRules: ImmediateRules<G>,
    {
        let proof = match (&self.proof, &found.set) {
            (Some(file), Some(set)) => {
                let bytes = joined::<G>(set, self.dir()?.join("set"))?;
                out.replace(&"--proof ", file, &bytes)?;
                Some((file, bytes.len()))
            }
            _ => None,
        };
        let files = found.set.as_ref().map(|set| set.files.len());
        let ended = name(found.ended);
        let State { decided, nodes, .. } = found.state;
        if out.wants_json() {
            return out.object(&json!({
                "event": ended,
                "outcome": found.outcome.map_or("unknown", stonework_session::outcome_name::<Position>),
                "answer": found.answer.map(|(who, yes)| json!({"side": stonework_havannah::colour(who), "wins": yes})),
                "decided": decided,
                "nodes": nodes,
                "set": files.map(|files| json!({"files": files, "directory": self.dir().map(|dir| dir.join("set").display().to_string()).ok()})),
                "proof": proof.map(|(file, bytes)| json!({"file": file.display().to_string(), "bytes": bytes})),
            }));
        }
        let text = match (found.outcome, found.answer) {
            (Some(outcome), _) => said(outcome),
            (None, Some((who, yes))) => {
                format!("{} {}", stonework_havannah::colour(who), if yes { "wins" } else { "does not win" })
            }
            (None, None) => format!("unknown ({ended}); {}", further(found.ended)),
        };
        writeln!(out, "{text}\n  {decided} jobs, {nodes} nodes")?;
        if let Some(files) = files {
            writeln!(out, "  {files} proof files in {}", self.dir()?.join("set").display())?;
        }
        if let Some((file, bytes)) = proof {
            writeln!(out, "  proof: {bytes} bytes in {}", file.display())?;
        }
        if let (Some(Outcome::Draw), Some((who, _)), Some(_)) = (found.outcome, found.answer, files) {
            let [shown, other] = [who, who.other()].map(stonework_havannah::colour);
            writeln!(out, "  the proof shows that {shown} does not win, and not that {other} does not win")?;
        }
        Ok(())
    }
}

/// The name of an end of a coordinator.
pub(super) const fn name(ended: Ended) -> &'static str {
    match ended {
        Ended::Over => "over",
        Ended::Stopped => "stopped",
        Ended::Cancelled => "cancelled",
        Ended::Deposed => "deposed",
    }
}

/// The way on after an end without a result, in words.
pub(super) const fn further(ended: Ended) -> &'static str {
    match ended {
        Ended::Over | Ended::Stopped => "the same command goes on",
        Ended::Cancelled => "`farm resume` lets the same command go on",
        Ended::Deposed => "another coordinator leads; the same command stands by until that one ends",
    }
}

/// Writes the proof of a plan's answer as a set into a directory.
pub(super) fn write_set<G>(
    plan: &mut ProofPlan<G, ThreatSearch>,
    coordinator: &Coordinator,
    folder: &Path,
    out: &Out,
) -> Result<ProofSet, Failure>
where
    G: Finite + Keyed + Indexed + Textual,
    ThreatSearch: ProofTactics<G>,
    HavannahRules: ImmediateRules<G>,
{
    let disk = Arc::clone(out.disk());
    let mut solver = Solver::new(Solver::options().keep(true)).map_err(Failure::input)?;
    let set = plan.write_set::<_, Position, _>(&HavannahRules, &mut solver, coordinator, &*disk, folder);
    set.map_err(Failure::input)
}

/// The proof set of a directory as one file. `G` is the kind of position in which the files are read.
pub(super) fn joined<G>(set: &ProofSet, folder: PathBuf) -> Result<Vec<u8>, Failure>
where
    G: Finite + Keyed + Indexed + Textual,
    HavannahRules: ImmediateRules<G>,
{
    let mut bytes = Vec::new();
    let files = SetFolder(folder);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    join_set::<G, _>(HAVANNAH, &HavannahRules, set, &files, threads, MOST_POSITIONS, &mut bytes)
        .map_err(Failure::input)?;
    Ok(bytes)
}

/// The news of a campaign: a bar on a terminal, lines on standard error, and lines of JSON.
struct News {
    json: bool,
    bar: Progress,
    state: State,
    pauses: PauseNews,
    told: std::time::Instant,
}

impl News {
    fn new(json: bool) -> Self {
        Self {
            json,
            bar: Progress::new("jobs", None),
            state: State::default(),
            pauses: PauseNews::default(),
            told: std::time::Instant::now(),
        }
    }

    fn write(&mut self, event: &CoordinatorEvent<'_>, out: &mut Out) {
        if let Some(text) = self.pauses.of(event).filter(|_| !self.json) {
            self.bar.aside(|| say(text));
        }
        if let CoordinatorEvent::Progress(state) = event {
            self.state = (*state).clone();
            self.bar.show(super::line(&json!(state)));
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
