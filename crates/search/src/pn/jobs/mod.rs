//! [`JobTree`]: a proof-number tree whose leaves are jobs for searches elsewhere.

mod expand;
mod follow;
mod job;
mod nodes;
mod report;
mod select;
mod top;

use std::collections::{BTreeMap, HashMap};

use stonework_game::{Finite, Keyed, Outcome, Player};

pub use job::{ChildFinding, JobChild, JobFinding, JobReport, TreeJob, TreeJobId};
pub use top::{ShownLeaf, TopError, TopProof};

use self::job::Running;
use self::nodes::Nodes;
use super::Initial;
use super::leaf::LeafEvaluator;
use super::numbers::Query;
use crate::options::{OptionsError, options};
use crate::{ProofNumbers, ProofTactics};

options! {
    /// The options of a [`JobTree`].
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    JobTreeOptions;
    /// The default options: jobs of 20 000 nodes, a virtual loss of an eighth, a gibibyte.
    new;

    /// The node budget of a job. The budget of a position that earlier jobs left open is larger: twice the nodes
    /// spent on the position.
    nodes: u64 = 20_000;
    /// The growth of jobs: the budget is at least this part of all nodes so far, one in so many; 0 for no growth.
    /// With 10 000, a campaign has about 23 000 jobs for each tenfold of its nodes.
    growth: u64 = 0;
    /// The virtual loss: each running job below a position makes the position look harder by one part in so many.
    /// With 0, running jobs only lock their own positions, and workers crowd below one move.
    virtual_loss: u32 = 8;
    /// If `true`, only the more promising half of a position's open moves, and three more, are candidates, in the
    /// order of [`ProofTactics::order`]; see [`DfpnOptions::focus`](crate::DfpnOptions::focus).
    focus: bool = false;
    /// If `true`, a position whose job is running is opened by the tactics alone when no other position is free, so
    /// that many workers soon have work.
    eager: bool = true;
    /// While no other job is running, a position that a job leaves open is not opened but offered again, with twice the nodes
    /// so far, until this number of nodes was spent on it. A searcher that is alone and keeps its table needs fewer nodes so
    /// than by many small jobs. 0 opens each position at its first report. A searcher that vanishes takes the findings below
    /// an unopened position with it; reports about such a position [need no moves](TreeJob::wants_moves).
    lone: u64 = 0;
    /// If `true`, symmetric positions are one position. Turn it off for proofs by rules that are not
    /// [symmetric](stonework_proof::ImmediateRules::SYMMETRIC).
    symmetric: bool = true;
    /// The numbers of new positions.
    initial: Initial = Initial::Moves;
    /// The limit of memory in bytes, at least [`JobTree::LEAST_BYTES`]. Above the limit the tree closes the opened
    /// positions with the least work; a closed position keeps its numbers and is searched again. Running jobs,
    /// shown positions and the positions on which a decision rests are never dropped: where they alone pass the limit,
    /// no position is opened. Growing vectors may take a half more for a moment.
    bytes: usize = 1 << 30;
}

/// The counters of a [`JobTree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct JobCounts {
    /// The jobs given out by [`next`](JobTree::next).
    pub offered: u64,
    /// The jobs that are running now.
    pub running: usize,
    /// The reports that counted, of every kind.
    pub reports: u64,
    /// The reports that did not count: late, twice, or of an unknown job.
    pub ignored: u64,
    /// The reports of failure.
    pub failed: u64,
    /// The jobs that became needless while they were running.
    pub needless: u64,
    /// The nodes of all reports that counted.
    pub nodes: u64,
    /// The positions that jobs have decided.
    pub shown: u64,
    /// The positions in the tree.
    pub positions: usize,
    /// The opened positions that the limit of memory closed again.
    pub closed: u64,
    /// The bytes in use.
    pub bytes: usize,
}

/// A proof-number tree over the positions of a game, whose leaves are jobs for searches in other threads, processes
/// or machines: *does `who` win at the root?*
///
/// The tree chooses each job from all earlier results. The search of a job has a budget of nodes, and reports that
/// the position is [shown](JobFinding::Shown) to be a yes or a no, or is [open](JobFinding::Open) with its numbers and
/// the numbers of its moves. The tree has df-pn's arithmetic: the least φ, the sum of δ, and the numbers of new positions from
/// [`ProofTactics`]. Symmetric and transposed positions are one node. A decided position drops all of its positions
/// except the ones on which the decision rests.
///
/// The tree has no clock, no threads, no input and no output. **The replay law:** the state depends on the calls of
/// [`next`](JobTree::next) and [`report`](JobTree::report) alone. A program that writes a line for each of these calls
/// can stop at any line, and a new tree that gets the same calls is the [same](JobTree::digest) tree.
///
/// The tree believes its reports and its tactics. A [`JobFinding::Shown`] should come only with a verified proof.
/// [`top`](JobTree::top) makes the rest of the proof: a strategy for the positions above the shown ones.
///
/// # Positions that are met again
/// The answer of a job is kept to the end, and decides its position wherever the position is met again, also after the position has left
/// the tree. An answer that the tree itself has derived, from positions below, leaves the tree together with its position: the answer
/// alone would be a gap in [`top`](JobTree::top), and the positions on which it rests would take memory for every line that was ever
/// decided. So such a position is a job again when it is met again. A searcher that keeps its table answers it soon, and the positions
/// after its moves that jobs have shown count when it is opened.
///
/// # Value of a position
/// A value takes two questions, as in [`Dfpn`](crate::Dfpn): a tree for the side to move, and after a no a second tree for its
/// opponent. After two noes the game is a draw.
///
/// # Complexity
/// [`next`](JobTree::next) takes O(depth · b) for b moves a position; [`report`](JobTree::report) takes b evaluations of the
/// tactics, and O(b) for each ancestor. Memory: about 100 bytes a position, and 25 for each shown position.
///
/// # Example
/// ```
/// use stonework_game::{Game, example::Nim};
/// use stonework_search::{
///     Dfpn, DfpnOptions, Engine, JobFinding, JobReport, JobTree, JobTreeOptions, Limits, Question,
/// };
/// let root = Nim::new(60);
/// let mut tree = JobTree::new(root, root.to_move(), (), JobTreeOptions::new().nodes(10))?;
/// let mut worker = Dfpn::new(DfpnOptions::new().keep(true))?;
/// while let Some(job) = tree.next() {
///     worker.set_question(Question::Wins(job.who));
///     let report = worker.think(&job.position, &Limits::none().nodes(job.nodes));
///     let children = worker.children(&job.position, job.who);
///     let finding = JobFinding::of(report.proof_numbers.unwrap(), &children);
///     let needless = tree.report(job.id, JobReport { nodes: report.nodes, finding });
///     assert!(needless.is_empty());      // with one worker, no other job is running
/// }
/// assert_eq!(tree.value(), Some(false)); // 60 is a multiple of three
/// # Ok::<(), stonework_search::OptionsError>(())
/// ```
///
/// # References
/// *I-C. Wu et al., Job-level proof number search, 2013; P. Čížek, M. Balko and M. Schmid, Massively parallel
/// proof-number search, 2025.*
#[derive(Debug)]
pub struct JobTree<G: Finite + Keyed, Tactic = ()> {
    root: G,
    question: Query,
    options: JobTreeOptions,
    evaluator: LeafEvaluator<G, Tactic>,
    nodes: Nodes<G::Move>,
    /// The running jobs by id.
    running: BTreeMap<TreeJobId, Running<G>>,
    /// The positions that jobs have shown, by key, with the answer and the job.
    shown: HashMap<u64, Shown>,
    /// The number of reports so far, by which positions are marked as having no free leaf.
    epoch: u32,
    counts: JobCounts,
    /// The number of positions without a key of their own.
    unkeyed: u64,
    /// `true` if a position above a running job was decided or dropped.
    cut: bool,
}

/// A position that a job has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shown {
    yes: bool,
    job: TreeJobId,
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> JobTree<G, Tactic> {
    /// The least limit of memory that the options may set.
    pub const LEAST_BYTES: usize = 1 << 16;

    /// A tree with one position.
    ///
    /// # Arguments
    /// * `root`, `who` – the question: does `who` win at `root`?
    /// * `tactics` – must-play and first numbers; `()` for none. The tactics of the jobs' searches fit best.
    /// * `options` – sizes of jobs and of the tree.
    ///
    /// # Errors
    /// An error if an option is out of its range.
    pub fn new(root: G, who: Player, tactics: Tactic, options: JobTreeOptions) -> Result<Self, OptionsError> {
        let most = (1_u64 << 53) as f64;
        OptionsError::check(&[
            ("nodes", options.nodes as f64, 1.0, most),
            ("bytes", options.bytes as f64, Self::LEAST_BYTES as f64, most),
        ])?;
        let mut tree = Self {
            root,
            question: Query::new(who),
            options,
            evaluator: LeafEvaluator::new(tactics, options.initial),
            nodes: Nodes::new(),
            running: BTreeMap::new(),
            shown: HashMap::new(),
            epoch: 1,
            counts: JobCounts::default(),
            unkeyed: 0,
            cut: false,
        };
        let mut game = tree.root.clone();
        let numbers = tree.evaluator.evaluate(&mut game, &tree.question, 0).numbers();
        let key = tree.key_of(&game);
        let (key, keyed) = tree.named(key);
        tree.nodes.add(key, keyed, numbers, game.to_move() == who);
        Ok(tree)
    }

    /// The position of the question.
    #[must_use]
    pub const fn root(&self) -> &G {
        &self.root
    }

    /// The player of the question.
    #[must_use]
    pub const fn who(&self) -> Player {
        self.question.who
    }

    /// The options of the tree.
    #[must_use]
    pub const fn options(&self) -> &JobTreeOptions {
        &self.options
    }

    /// The answer; `None` while the question is open.
    #[must_use]
    pub fn value(&self) -> Option<bool> {
        self.numbers().decided()
    }

    /// The proof and disproof numbers of the root, without virtual losses.
    #[must_use]
    pub fn numbers(&self) -> ProofNumbers {
        self.nodes.root().numbers
    }

    /// The counters.
    #[must_use]
    pub fn counts(&self) -> JobCounts {
        let bytes = self.bytes();
        JobCounts { running: self.running.len(), positions: self.nodes.len(), bytes, ..self.counts }
    }

    /// The ids of the running jobs, in increasing order.
    pub fn running(&self) -> impl ExactSizeIterator<Item = TreeJobId> {
        self.running.keys().copied()
    }

    /// The job that runs under an id, as [`next`](JobTree::next) returned it; `None` if no such job is running.
    #[must_use]
    pub fn job(&self, id: TreeJobId) -> Option<&TreeJob<G>> {
        self.running.get(&id).map(|running| &running.job)
    }

    /// A hash of the whole state. Trees that got the same calls have equal digests. O(positions).
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = self.nodes.digest();
        let mut shown: Vec<_> = self.shown.iter().map(|(&key, shown)| (key, shown.yes, shown.job)).collect();
        shown.sort_unstable();
        let jobs = self.running.values().map(|running| (running.job.id.0, running.job.nodes));
        let words = shown.iter().flat_map(|&(key, yes, job)| [key, u64::from(yes), job.0]);
        let counts = [self.counts.offered, self.counts.reports, self.counts.ignored, self.counts.nodes];
        for word in words.chain(jobs.flat_map(|(id, nodes)| [id, nodes])).chain(counts) {
            digest = stonework_game::scatter(digest ^ word);
        }
        digest
    }

    /// The most promising moves from the root, as [`next`](JobTree::next) would follow them without virtual losses, down
    /// to a position that is not opened. At decided positions the line follows the deciding moves. For a display.
    #[must_use]
    pub fn line(&self) -> Vec<G::Move> {
        let (mut game, mut at, mut line) = (self.root.clone(), Nodes::<G::Move>::ROOT, Vec::new());
        while let Some(edge) = self.most_promising(at) {
            let Some(mv) = self.playable(&game, edge.mv) else { break };
            line.push(mv);
            game.play_unchecked(mv);
            match edge.child {
                Some(child) => at = child.index(),
                None => break,
            }
        }
        line
    }

    /// The bytes of positions, moves, jobs and shown positions.
    fn bytes(&self) -> usize {
        let shown = size_of::<(u64, Shown)>() + 1;
        self.nodes.bytes()
            + self.shown.len() * shown * 3 / 2
            + self.running.len() * (size_of::<Running<G>>() + 64)
    }

    /// The key of a position with its question, under which equal positions are one; `None` if history beyond the
    /// key decides the position.
    fn key_of(&self, game: &G) -> Option<u64> {
        let or_node = game.to_move() == self.question.who;
        let key = if self.options.symmetric { game.canonical().0 } else { game.key() };
        (game.horizon() == u32::MAX).then(|| self.question.key_of(key, or_node, 0))
    }

    /// A move of the tree, which has moves in the frame of a position's representative, as a move of the position;
    /// `None` if it is not legal there.
    fn playable(&self, game: &G, mv: G::Move) -> Option<G::Move> {
        let mv = if self.options.symmetric { game.unmap_move(game.canonical().1, mv) } else { mv };
        game.check(mv).is_ok().then_some(mv)
    }

    /// The move in the frame of the position's representative.
    fn framed(&self, game: &G, mv: G::Move) -> G::Move {
        if self.options.symmetric { game.map_move(game.canonical().1, mv) } else { mv }
    }
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> JobTree<G, Tactic> {
    /// The outcome of the root, if the answers of the tree for one side and of the tree for the other side fix it.
    #[must_use]
    pub const fn outcome(answer_of_first: Option<bool>, answer_of_second: Option<bool>) -> Option<Outcome> {
        match (answer_of_first, answer_of_second) {
            (Some(true), _) => Some(Outcome::Win(Player::First)),
            (_, Some(true)) => Some(Outcome::Win(Player::Second)),
            (Some(false), Some(false)) => Some(Outcome::Draw),
            _ => None,
        }
    }
}
