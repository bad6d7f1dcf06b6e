//! A simulation of many workers that prove one position by the jobs of a [`JobTree`].
//!
//! The searches are real. The clock counts nodes: a job takes the nodes of its search and a fixed charge for everything else.
//! A worker that has finished gets the next job at once, and a needless job ends at once. Nothing else is simulated: no
//! network, no faults, no machines of different speed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use stonework_game::{Game, Player};
use stonework_havannah_solver::{SmallPosition, Solver, ThreatSearch};
use stonework_search::{
    Dfpn, Engine, JobCounts, JobFinding, JobReport, JobTree, JobTreeOptions, Limits, ProofNumbers, Question,
    SearchContext, TableEntry, TreeJobId,
};

/// The position of a simulation.
pub type Root = SmallPosition<u64>;

/// The knowledge that workers share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// Each worker has a table of its own.
    Own,
    /// Each job begins with an empty table.
    Emptied,
    /// Each worker has a table of its own, and gets the entries with at least so many nodes of all finished jobs
    /// when it begins a job.
    Entries(u64),
    /// All workers search with one table. A job finds even the entries of jobs that have begun and not ended, so that the figure
    /// is a bound from above.
    OneTable,
}

impl fmt::Display for Sharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("own"),
            Self::Emptied => f.write_str("emptied"),
            Self::Entries(nodes) => write!(f, "{nodes}"),
            Self::OneTable => f.write_str("one"),
        }
    }
}

impl FromStr for Sharing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "own" => Ok(Self::Own),
            "emptied" => Ok(Self::Emptied),
            "one" => Ok(Self::OneTable),
            _ => match text.parse() {
                Ok(nodes) if nodes > 0 => Ok(Self::Entries(nodes)),
                _ => Err(format!("`{text}` is not own, emptied, one or a number of nodes")),
            },
        }
    }
}

/// The farm of a simulation.
#[derive(Clone, Copy, Debug)]
pub struct Farm {
    /// The number of workers, each with one thread.
    pub workers: usize,
    /// The knowledge that the workers share.
    pub sharing: Sharing,
    /// The options of the tree.
    pub tree: JobTreeOptions,
    /// The nodes that a job costs beside its search.
    pub charge: u64,
    /// The nodes of a look at each move that a job leaves without a search; 0 for none.
    pub glance: u64,
    /// The bytes of a worker's table.
    pub table: usize,
    /// The greatest number of nodes of all workers, after which the simulation ends without an answer.
    pub most_nodes: u64,
}

/// The result of a simulation.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The answer; `None` if the limit of nodes was reached.
    pub answer: Option<bool>,
    /// The time until the answer, in nodes of one worker.
    pub time: u64,
    /// The nodes of all searches.
    pub nodes: u64,
    /// The time that all workers together had no job, in nodes.
    pub idle: u64,
    /// The jobs that ended because they became needless.
    pub cancelled: u64,
    /// The entries that workers have shared.
    pub shared: usize,
    /// The counts of the tree.
    pub counts: JobCounts,
    /// The greatest number of positions in the tree, and its greatest number of bytes.
    pub most: (usize, usize),
    /// The time of the machine that the tree has taken.
    pub tree_time: Duration,
}

/// A worker, or the table of all workers.
struct Searcher {
    engine: Dfpn<ThreatSearch>,
    /// The number of shared entries that the worker has.
    taken: usize,
}

/// A running job.
struct Running {
    worker: usize,
    begun: u64,
    ends: u64,
    report: JobReport<<Root as Game>::Move>,
    entries: Vec<TableEntry>,
}

/// The nodes of one search alone, with a table of so many bytes, and its answer.
#[must_use]
pub fn alone(root: &Root, who: Player, table: usize) -> (u64, Option<bool>) {
    let mut engine = engine(who, false, 0);
    let report = engine.search(root, &Limits::none().bytes(table), SearchContext::seed(0));
    (report.nodes, report.proof_numbers.and_then(ProofNumbers::decided))
}

fn engine(who: Player, keep: bool, harvest: u64) -> Dfpn<ThreatSearch> {
    let options = Solver::options().keep(keep).harvest(harvest).question(Question::Wins(who));
    let engine = Dfpn::new(options).unwrap_or_else(|error| unreachable!("one thread: {error}"));
    engine.tactics(ThreatSearch::new())
}

/// Simulates a farm that answers "does `who` win at `root`?".
///
/// # Panics
/// If the options of the tree are out of their ranges.
#[must_use]
pub fn simulate(root: &Root, who: Player, farm: &Farm) -> Outcome {
    let tree = JobTree::new(root.clone(), who, ThreatSearch::new(), farm.tree);
    let tree = tree.unwrap_or_else(|error| panic!("{error}"));
    let (keep, harvest) = match farm.sharing {
        Sharing::Own | Sharing::OneTable => (true, 0),
        Sharing::Emptied => (false, 0),
        Sharing::Entries(nodes) => (true, nodes),
    };
    let tables = if farm.sharing == Sharing::OneTable { 1 } else { farm.workers };
    let searcher = || Searcher { engine: engine(who, keep, harvest), taken: 0 };
    let mut simulation = Simulation {
        farm,
        tree,
        searchers: (0..tables).map(|_| searcher()).collect(),
        idle: (0..farm.workers).rev().collect(),
        running: BTreeMap::new(),
        ends: BinaryHeap::new(),
        shared: Vec::new(),
        outcome: Outcome {
            answer: None,
            time: 0,
            nodes: 0,
            idle: 0,
            cancelled: 0,
            shared: 0,
            counts: JobCounts::default(),
            most: (0, 0),
            tree_time: Duration::ZERO,
        },
    };
    simulation.run();
    simulation.outcome
}

struct Simulation<'a> {
    farm: &'a Farm,
    tree: JobTree<Root, ThreatSearch>,
    searchers: Vec<Searcher>,
    /// The workers without a job.
    idle: Vec<usize>,
    running: BTreeMap<TreeJobId, Running>,
    /// The ends of jobs, some of which are no longer running.
    ends: BinaryHeap<Reverse<(u64, TreeJobId)>>,
    /// The entries that workers have shared, in their order.
    shared: Vec<TableEntry>,
    outcome: Outcome,
}

impl Simulation<'_> {
    fn run(&mut self) {
        loop {
            self.begin_jobs();
            let Some(Reverse((now, id))) = self.ends.pop() else { break };
            let Some(job) = self.running.remove(&id) else { continue };
            if job.ends != now {
                // The end of an earlier job at the same position.
                self.running.insert(id, job);
                continue;
            }
            self.outcome.idle += (now - self.outcome.time) * self.idle.len() as u64;
            self.outcome.time = now;
            self.end(id, job);
            if self.tree.value().is_some() || self.outcome.nodes > self.farm.most_nodes {
                break;
            }
        }
        self.outcome.answer = self.tree.value();
        self.outcome.counts = self.tree.counts();
        self.outcome.shared = self.shared.len();
    }

    fn begin_jobs(&mut self) {
        while !self.idle.is_empty() {
            let begun = Instant::now();
            let job = self.tree.next();
            self.outcome.tree_time += begun.elapsed();
            let Some(job) = job else { break };
            let Some(worker) = self.idle.pop() else { break };
            let place = worker.min(self.searchers.len() - 1);
            let Some(searcher) = self.searchers.get_mut(place) else { break };
            let limits = Limits::none().bytes(self.farm.table).nodes(job.nodes);
            let news = self.shared.get(searcher.taken..).unwrap_or_default();
            if !news.is_empty() {
                searcher.engine.plant(news, &limits);
                searcher.taken = self.shared.len();
            }
            let found = searcher.engine.search(&job.position, &limits, SearchContext::seed(0));
            let numbers = found.proof_numbers.unwrap_or(ProofNumbers::OPEN);
            let glance = if numbers.decided().is_none() { self.farm.glance } else { 0 };
            let spent = found.nodes + searcher.engine.glance(&job.position, job.who, glance, &limits);
            let children = searcher.engine.children(&job.position, job.who);
            let finding = JobFinding::of(numbers, &children);
            let entries = searcher.engine.harvest();
            let (begun, report) = (self.outcome.time, JobReport { nodes: spent, finding });
            let ends = begun + spent + self.farm.charge;
            self.ends.push(Reverse((ends, job.id)));
            self.running.insert(job.id, Running { worker, begun, ends, report, entries });
        }
    }

    fn end(&mut self, id: TreeJobId, job: Running) {
        self.outcome.nodes += job.report.nodes;
        self.shared.extend(job.entries);
        self.idle.push(job.worker);
        let begun = Instant::now();
        let needless = self.tree.report(id, job.report);
        self.outcome.tree_time += begun.elapsed();
        for id in needless {
            let Some(job) = self.running.remove(&id) else { continue };
            self.outcome.nodes += (self.outcome.time - job.begun).min(job.report.nodes);
            self.outcome.cancelled += 1;
            self.idle.push(job.worker);
        }
        if self.outcome.counts.reports == 0 || self.tree.counts().reports.is_multiple_of(16) {
            let counts = self.tree.counts();
            self.outcome.counts.reports = counts.reports;
            let most = &mut self.outcome.most;
            *most = (most.0.max(counts.positions), most.1.max(counts.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonework_game::Textual;
    use stonework_havannah::Position;

    #[test]
    fn a_small_farm_finds_the_answer_and_is_faster_than_one_worker() {
        let mut root = Position::new(3).unwrap();
        root.play(root.parse_move("c3").unwrap()).unwrap();
        let root = Root::try_from(&root).unwrap();
        let (nodes, answer) = alone(&root, Player::Second, 1 << 20);
        for sharing in [Sharing::Own, Sharing::Emptied, Sharing::Entries(4), Sharing::OneTable] {
            let farm = |workers| Farm {
                workers,
                sharing,
                tree: JobTreeOptions::new().nodes(10).focus(true),
                charge: 1,
                glance: 0,
                table: 1 << 20,
                most_nodes: 1000 * nodes,
            };
            let one = simulate(&root, Player::Second, &farm(1));
            let four = simulate(&root, Player::Second, &farm(4));
            assert_eq!((one.answer, four.answer), (answer, answer));
            assert_eq!(one.cancelled, 0);
            assert!(four.time <= one.time, "{} and {}", four.time, one.time);
        }
    }

    #[test]
    fn the_same_simulation_has_the_same_outcome() {
        let root = Root::try_from(&Position::new(3).unwrap()).unwrap();
        let tree = JobTreeOptions::new().nodes(20).focus(true);
        let sharing = Sharing::Entries(5);
        let farm =
            Farm { workers: 5, sharing, tree, charge: 2, glance: 4, table: 1 << 20, most_nodes: 1_000_000 };
        let run = || simulate(&root, Player::First, &farm);
        let (one, other) = (run(), run());
        assert_eq!(one.answer, Some(true));
        assert_eq!((one.time, one.nodes, one.counts), (other.time, other.nodes, other.counts));
    }
}
