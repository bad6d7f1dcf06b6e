//! The laws of `JobTree`: values, jobs that are offered once, replay, limits, symmetry.

use std::collections::{HashMap, HashSet};

use crate::games::{FourInARow, Literal, TicTacToe, scatter};
use proptest::prelude::*;
use stonework_game::{Finite, Game, Keyed, Outcome, Player};
use stonework_search::{
    ChildFinding, Dfpn, DfpnOptions, Engine, JobChild, JobFinding, JobReport, JobTree, JobTreeOptions,
    Limits, Minimax, OptionsError, ProofNumbers, Question, TreeJob, TreeJobId,
};

/// A source of small numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = scatter(self.0);
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Does a job honestly, with an empty table.
fn work<G: Finite + Keyed>(job: &TreeJob<G>, budget: u64) -> JobReport<G::Move> {
    let options = DfpnOptions::new().bytes(1 << 12).keep(true).question(Question::Wins(job.who));
    let mut engine = Dfpn::new(options).unwrap();
    let report = engine.think(&job.position, &Limits::none().nodes(budget));
    let children = engine.children(&job.position, job.who);
    let finding = JobFinding::of(report.proof_numbers.unwrap_or(ProofNumbers::OPEN), &children);
    JobReport { nodes: report.nodes, finding }
}

/// Changes an open report: the numbers are arbitrary, and some children are left out.
fn distort<M>(report: &mut JobReport<M>, dice: &mut Dice) {
    let mut any = || [0, 1, 7, 1 << 20, ProofNumbers::INFINITE, u32::MAX][dice.below(6)];
    if let JobFinding::Open { numbers, children } = &mut report.finding {
        *numbers = ProofNumbers { proof: any(), disproof: any() };
        for child in children.iter_mut() {
            if let ChildFinding::Numbers(_) = child.finding {
                child.finding = ChildFinding::Numbers(ProofNumbers { proof: any(), disproof: any() });
            }
        }
        children.retain(|_| any() != 7);
    }
}

/// A call of a tree, for a journal.
#[derive(Clone, Debug)]
enum Call<M> {
    Next,
    Report(TreeJobId, JobReport<M>),
}

/// The manner in which workers answer.
#[derive(Clone, Copy, Debug)]
struct Manner {
    workers: usize,
    seed: u64,
    /// One report in so many fails; 0 for none.
    failures: usize,
    distorted: bool,
}

/// Asserts that a new job is not running already, and that no position of its line is shown.
fn assert_wanted<G: Finite + Keyed>(
    tree_root: &G,
    job: &TreeJob<G>,
    running: &[TreeJob<G>],
    shown: &HashSet<u64>,
) {
    assert!(running.iter().all(|other| other.id != job.id), "offered twice at once");
    let mut game = tree_root.clone();
    for &mv in &job.line {
        assert!(!shown.contains(&game.canonical().0), "offered below a shown position");
        game.play(mv).unwrap();
    }
    assert_eq!(game, job.position);
    assert!(game.outcome().is_none());
    assert!(!shown.contains(&game.canonical().0), "a shown position is offered");
}

/// Runs a tree to its end with jobs that are answered in any order, and returns the calls.
fn finish<G: Finite + Keyed>(tree: &mut JobTree<G>, manner: Manner) -> Vec<Call<G::Move>> {
    let mut dice = Dice(manner.seed);
    let (mut running, mut calls): (Vec<TreeJob<G>>, Vec<_>) = (Vec::new(), Vec::new());
    let mut shown = HashSet::new();
    let root = tree.root().clone();
    loop {
        while running.len() < manner.workers {
            calls.push(Call::Next);
            let Some(job) = tree.next() else { break };
            assert_wanted(&root, &job, &running, &shown);
            assert_eq!(tree.job(job.id), Some(&job));
            running.push(job);
        }
        if running.is_empty() {
            break;
        }
        let job = running.swap_remove(dice.below(running.len()));
        let mut report = work(&job, job.nodes);
        if manner.failures > 0 && dice.below(manner.failures) == 0 {
            report = JobReport { nodes: 1, finding: JobFinding::Failed };
        }
        if manner.distorted {
            distort(&mut report, &mut dice);
        }
        if let JobFinding::Shown(_) = report.finding {
            shown.insert(job.position.canonical().0);
        }
        calls.push(Call::Report(job.id, report.clone()));
        let needless = tree.report(job.id, report);
        running.retain(|job| !needless.contains(&job.id));
        let listed: Vec<TreeJobId> = tree.running().collect();
        assert_eq!(listed.len(), running.len());
        assert!(running.iter().all(|job| listed.contains(&job.id)));
        // Running jobs, shown positions and the positions on which decisions rest may pass the limit.
        let counts = tree.counts();
        let kept = 256 * counts.shown as usize + 1024 * manner.workers;
        assert!(counts.bytes <= tree.options().bytes + kept, "{counts:?}");
    }
    assert!(tree.value().is_some(), "an open question without jobs: {:?}", tree.counts());
    assert_eq!((tree.counts().running, tree.counts().ignored), (0, 0));
    calls
}

fn outcome<G: Game>(game: &G) -> Outcome {
    Minimax::new(()).think(game, &Limits::none()).proven.unwrap()
}

/// The outcome by two trees, the second of which follows the first.
fn by_jobs<G: Finite + Keyed>(root: &G, options: JobTreeOptions, manner: Manner) -> Option<Outcome> {
    let [mut first, mut second] =
        Player::BOTH.map(|who| JobTree::new(root.clone(), who, (), options).unwrap());
    finish(&mut first, manner);
    second.follow(&first);
    finish(&mut second, manner);
    JobTree::<G>::outcome(first.value(), second.value())
}

fn options() -> impl Strategy<Value = JobTreeOptions> {
    let (nodes, loss) = (1_u64..40, prop_oneof![Just(0_u32), Just(2), Just(8)]);
    (nodes, 0_u64..20, loss, any::<[bool; 3]>()).prop_map(|(nodes, growth, loss, [focus, eager, small])| {
        let options = JobTreeOptions::new().nodes(nodes).growth(growth).virtual_loss(loss);
        let bytes = if small { JobTree::<Literal>::LEAST_BYTES } else { 1 << 30 };
        options.focus(focus).eager(eager).bytes(bytes)
    })
}

fn manners() -> impl Strategy<Value = Manner> {
    (1_usize..9, any::<u64>(), prop_oneof![Just(0_usize), Just(3)], any::<bool>())
        .prop_map(|(workers, seed, failures, distorted)| Manner { workers, seed, failures, distorted })
}

fn literals() -> impl Strategy<Value = Literal> {
    let sizes = (any::<u64>(), 1_u8..8, 1_u8..5, any::<bool>(), any::<bool>());
    sizes.prop_map(|(seed, depth, width, double, merge)| Literal::new(seed, depth, width, double, merge))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// Two questions a case: ten thousand trees.
    #[test]
    fn jobs_find_the_value_of_random_games(game in literals(), options in options(), manner in manners()) {
        prop_assert_eq!(by_jobs(&game, options, manner), Some(outcome(&game)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn jobs_find_the_value_of_games_with_symmetries(options in options(), manner in manners()) {
        let options = options.nodes(options.nodes.max(20));
        prop_assert_eq!(by_jobs(&TicTacToe::default(), options, manner), Some(Outcome::Draw));
    }

    #[test]
    fn the_same_calls_make_the_same_tree(game in literals(), options in options(), manner in manners()) {
        let new = || JobTree::new(game, Player::First, (), options).unwrap();
        let mut tree = new();
        let calls = finish(&mut tree, manner);
        let mut again = new();
        let digests: Vec<u64> = calls.iter().map(|call| { apply(&mut again, call); again.digest() }).collect();
        prop_assert_eq!(again.digest(), tree.digest());
        // A journal that is cut anywhere makes the tree of that moment, which goes on to the same value.
        for cut in 0..calls.len().min(40) {
            let mut cut_tree = new();
            calls.iter().take(cut + 1).for_each(|call| apply(&mut cut_tree, call));
            prop_assert_eq!(Some(&cut_tree.digest()), digests.get(cut));
            resume(&mut cut_tree, manner);
            prop_assert_eq!(cut_tree.value(), tree.value());
        }
    }
}

fn apply<G: Finite + Keyed>(tree: &mut JobTree<G>, call: &Call<G::Move>) {
    match call {
        Call::Next => drop(tree.next()),
        Call::Report(id, report) => drop(tree.report(*id, report.clone())),
    }
}

/// Goes on with a tree whose workers are lost: the running jobs are done after all, and then new ones.
fn resume<G: Finite + Keyed>(tree: &mut JobTree<G>, manner: Manner) {
    let jobs: Vec<TreeJob<G>> = tree.running().filter_map(|id| tree.job(id).cloned()).collect();
    for job in jobs {
        tree.report(job.id, JobReport { nodes: 0, finding: JobFinding::Failed });
    }
    let ignored = tree.counts().ignored;
    let mut dice = Dice(manner.seed);
    while let Some(job) = tree.next() {
        let mut report = work(&job, job.nodes);
        if manner.distorted {
            distort(&mut report, &mut dice);
        }
        tree.report(job.id, report);
    }
    assert_eq!(tree.counts().ignored, ignored);
}

#[test]
fn late_double_and_unknown_reports_are_ignored_and_counted() {
    let root = FourInARow::new(4, 4);
    let mut tree = JobTree::new(root, Player::First, (), JobTreeOptions::new().nodes(50)).unwrap();
    let job = tree.next().unwrap();
    let report = work(&job, job.nodes);
    assert!(matches!(report.finding, JobFinding::Open { .. }));
    assert!(tree.report(job.id, report.clone()).is_empty());
    let digest = tree.counts();
    for id in [job.id, TreeJobId(17)] {
        assert!(tree.report(id, report.clone()).is_empty());
    }
    let counts = tree.counts();
    assert_eq!((counts.ignored, counts.reports, counts.nodes), (2, digest.reports, digest.nodes));
    assert_eq!(counts.positions, digest.positions);
    // An answer that is shown counts even without a running job, once.
    let next = tree.next().unwrap();
    tree.report(next.id, JobReport { nodes: 5, finding: JobFinding::Failed });
    let shown = || JobReport { nodes: 5, finding: JobFinding::Shown(false) };
    tree.report(next.id, shown());
    assert_eq!(tree.counts().shown, 1);
    tree.report(next.id, shown());
    assert_eq!((tree.counts().shown, tree.counts().ignored), (1, 3));
}

#[test]
fn jobs_below_a_decided_position_are_needless() {
    let root = TicTacToe::default();
    let mut tree = JobTree::new(root, Player::First, (), JobTreeOptions::new().nodes(2)).unwrap();
    let jobs: Vec<_> = std::iter::from_fn(|| tree.next()).take(20).collect();
    assert_eq!(jobs.len(), 20);
    // The first job is the root itself, and its answer makes all others needless.
    assert!(jobs[0].line.is_empty());
    let mut needless = tree.report(jobs[0].id, JobReport { nodes: 1, finding: JobFinding::Shown(false) });
    let mut others: Vec<TreeJobId> = jobs.iter().skip(1).map(|job| job.id).collect();
    needless.sort_unstable();
    others.sort_unstable();
    assert_eq!(needless, others);
    assert_eq!((tree.value(), tree.counts().running, tree.next()), (Some(false), 0, None));
    assert_eq!(tree.counts().positions, 1);
}

#[test]
fn symmetric_positions_are_one_position() {
    let root = FourInARow::new(5, 4);
    let positions = |symmetric: bool| {
        let options = JobTreeOptions::new().nodes(1).symmetric(symmetric);
        let mut tree = JobTree::new(root, Player::First, (), options).unwrap();
        let job = tree.next().unwrap();
        tree.report(job.id, work(&job, 1));
        tree.counts().positions
    };
    // Five columns, of which two are images of two others; and the empty board.
    assert_eq!((positions(true), positions(false)), (4, 6));
}

#[test]
fn transposed_positions_are_one_position() {
    let (mut first, mut second) = (FourInARow::new(5, 4), FourInARow::new(5, 4));
    for (one, other) in [(0, 2), (1, 1), (2, 0)] {
        first.play(one).unwrap();
        second.play(other).unwrap();
    }
    assert_eq!(first.key(), second.key());
    let mut tree =
        JobTree::new(FourInARow::new(5, 4), Player::First, (), JobTreeOptions::new().nodes(1)).unwrap();
    let mut met: HashMap<u64, usize> = HashMap::new();
    let opened = |children: Vec<JobChild<u8>>| JobFinding::Open { numbers: ProofNumbers::OPEN, children };
    for _ in 0..400 {
        let job = tree.next().unwrap();
        *met.entry(job.position.canonical().0).or_default() += 1;
        tree.report(job.id, JobReport { nodes: 1, finding: opened(Vec::new()) });
    }
    assert_eq!(met.len(), 400, "a position was offered after it was opened");
    assert!(tree.line().len() > 2);
}

#[test]
fn a_small_memory_is_kept_and_leads_to_the_value() {
    let root = FourInARow::new(4, 4);
    let options = JobTreeOptions::new().nodes(4).bytes(JobTree::<FourInARow>::LEAST_BYTES);
    let mut tree = JobTree::new(root, Player::First, (), options).unwrap();
    finish(&mut tree, Manner { workers: 3, seed: 5, failures: 0, distorted: false });
    // Four in a row on 4 × 4 cells is a draw.
    assert_eq!(tree.value(), Some(false));
    assert!(tree.counts().closed > 0);
}

#[test]
fn the_virtual_loss_spreads_workers_over_moves() {
    let root = FourInARow::new(5, 4);
    let first_moves = |loss: u32| {
        let options = JobTreeOptions::new().nodes(1).virtual_loss(loss);
        let mut tree = JobTree::new(root, Player::First, (), options).unwrap();
        for _ in 0..100 {
            let job = tree.next().unwrap();
            let children = Vec::new();
            let finding = JobFinding::Open { numbers: ProofNumbers::OPEN, children };
            tree.report(job.id, JobReport { nodes: 1, finding });
        }
        let jobs: Vec<_> = std::iter::from_fn(|| tree.next()).take(8).collect();
        jobs.iter().map(|job| job.line[..2].to_vec()).collect::<HashSet<_>>().len()
    };
    assert!(first_moves(1) > first_moves(0), "{} and {}", first_moves(1), first_moves(0));
}

#[test]
fn impossible_options_are_refused() {
    let new = |options| JobTree::new(TicTacToe::default(), Player::First, (), options).err();
    let refused =
        |option| move |error| matches!(error, OptionsError::OutOfRange { option: it, .. } if it == option);
    assert!(new(JobTreeOptions::new().nodes(0)).is_some_and(refused("nodes")));
    assert!(new(JobTreeOptions::new().bytes(100)).is_some_and(refused("bytes")));
    assert!(new(JobTreeOptions::new()).is_none());
}

/// Does the jobs of a tree one after the other, with one table. Returns the answer and the nodes.
fn with_one_table<G: Finite + Keyed>(tree: &mut JobTree<G>, engine: &mut Dfpn) -> (Option<bool>, u64) {
    let mut nodes = 0;
    while let Some(job) = tree.next() {
        engine.set_question(Question::Wins(job.who));
        let report = engine.think(&job.position, &Limits::none().nodes(job.nodes));
        let children = engine.children(&job.position, job.who);
        let finding = JobFinding::of(report.proof_numbers.unwrap_or(ProofNumbers::OPEN), &children);
        nodes += report.nodes;
        let _ = tree.report(job.id, JobReport { nodes: report.nodes, finding });
    }
    (tree.value(), nodes)
}

#[test]
fn a_tree_that_follows_the_other_question_needs_fewer_nodes_and_has_the_same_answer() {
    let (mut plain, mut followed) = (0, 0);
    for seed in 0..40 {
        let root = Literal::new(seed, 8, 4, false, true);
        let engine = || Dfpn::new(DfpnOptions::new().keep(true).both_sides(true).bytes(1 << 20)).unwrap();
        let options = JobTreeOptions::new().nodes(8);
        let tree = |who: Player| JobTree::new(root, who, (), options).unwrap();
        let mover = root.to_move();
        let (mut first, mut engine) = (tree(mover), engine());
        if with_one_table(&mut first, &mut engine).0 != Some(false) {
            continue;
        }
        let mut own = tree(mover.other());
        let (answer, nodes) =
            with_one_table(&mut own, &mut Dfpn::new(DfpnOptions::new().keep(true)).unwrap());
        let mut second = tree(mover.other());
        second.follow(&first);
        let (same, fewer) = with_one_table(&mut second, &mut engine);
        assert_eq!((same, answer), (Some(outcome(&root) == Outcome::Win(mover.other())), same));
        (plain, followed) = (plain + nodes, followed + fewer);
    }
    assert!(plain > 0 && followed < plain, "{followed} and {plain}");
}

#[test]
fn a_lone_searcher_stays_at_its_position_until_the_limit_or_company() {
    let open = |nodes| {
        let numbers = ProofNumbers { proof: 3, disproof: 3 };
        JobReport { nodes, finding: JobFinding::Open { numbers, children: Vec::new() } }
    };
    let options = JobTreeOptions::new().nodes(10).lone(50);
    let mut tree = JobTree::new(TicTacToe::default(), Player::First, (), options).unwrap();
    // 10 nodes, then twice the nodes so far each time, until 50 were spent.
    for (nodes, wants_moves) in [(10, false), (20, false), (60, true)] {
        let job = tree.next().unwrap();
        assert_eq!((job.line.len(), job.nodes, job.wants_moves), (0, nodes, wants_moves));
        let _ = tree.report(job.id, open(nodes));
    }
    let below = tree.next().unwrap();
    assert_eq!((below.line.len(), below.nodes, below.wants_moves), (1, 10, false));
    // A second job is company: the position of the first report is opened.
    let beside = tree.next().unwrap();
    assert_eq!((beside.line.len(), beside.nodes, beside.wants_moves), (1, 10, true));
    let _ = tree.report(below.id, open(10));
    let _ = tree.report(beside.id, open(10));
    let lines: Vec<usize> = (0..8).filter_map(|_| tree.next()).map(|job| job.line.len()).collect();
    assert!(lines.contains(&2), "{lines:?}");
}

#[test]
fn a_tree_with_a_lone_searcher_finds_every_value() {
    for seed in 0..40 {
        let root = Literal::new(seed, 8, 4, false, true);
        let answer = |lone| {
            let options = JobTreeOptions::new().nodes(8).lone(lone);
            let mut engine = Dfpn::new(DfpnOptions::new().keep(true).bytes(1 << 20)).unwrap();
            with_one_table(&mut JobTree::new(root, root.to_move(), (), options).unwrap(), &mut engine).0
        };
        let wins = Some(outcome(&root) == Outcome::Win(root.to_move()));
        assert_eq!([0, 20, 1 << 20].map(answer), [wins; 3]);
    }
}

#[test]
fn a_tree_follows_no_tree_of_another_question() {
    let root = TicTacToe::default();
    let tree = |who| JobTree::new(root, who, (), JobTreeOptions::new()).unwrap();
    let (mut one, other) = (tree(root.to_move()), tree(root.to_move().other()));
    let before = one.digest();
    // Open, and of the same side.
    one.follow(&other);
    let same = tree(root.to_move());
    one.follow(&same);
    assert_eq!(one.digest(), before);
}

/// A game of four plies with many moves, which the second player wins in every line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wide {
    line: [u16; 4],
    ply: u8,
}

impl Wide {
    /// The number of moves at each ply.
    const MOVES: [u16; 4] = [2, 280, 600, 1];
}

impl Game for Wide {
    type Move = u16;
    type Undo = ();
    type Illegal = crate::games::Illegal;

    fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.ply % 2)]
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.ply == 4).then_some(Outcome::Win(Player::Second))
    }

    fn legal_moves(&self, out: &mut impl Extend<u16>) {
        out.extend(0..Self::MOVES.get(usize::from(self.ply)).copied().unwrap_or(0));
    }

    fn check(&self, mv: u16) -> Result<(), Self::Illegal> {
        let legal = Self::MOVES.get(usize::from(self.ply)).is_some_and(|&moves| mv < moves);
        if legal { Ok(()) } else { Err(crate::games::Illegal(mv as u8)) }
    }

    fn play_unchecked(&mut self, mv: u16) {
        self.line[usize::from(self.ply)] = mv + 1;
        self.ply += 1;
    }

    fn undo(&mut self, (): ()) {
        self.ply -= 1;
        self.line[usize::from(self.ply)] = 0;
    }
}

impl Finite for Wide {}

impl Keyed for Wide {
    fn key(&self) -> u64 {
        self.line.iter().fold(1, |key, &mv| scatter(key ^ u64::from(mv)))
    }
}

/// A position that was opened for the answer of the other tree was closed again by the next one, which lay below it.
#[test]
fn a_tree_that_follows_another_one_stays_within_half_of_its_memory() {
    let root = Wide { line: [0; 4], ply: 0 };
    let mut first = JobTree::new(root, Player::First, (), JobTreeOptions::new()).unwrap();
    while let Some(job) = first.next() {
        // The answer rests on one position after a move, one after the next, and on all after the third.
        let is_open = job.line.len() < 3 && job.line.first() != Some(&0);
        let finding = if is_open {
            JobFinding::Open { numbers: ProofNumbers::OPEN, children: Vec::new() }
        } else {
            JobFinding::Shown(false)
        };
        let _ = first.report(job.id, JobReport { nodes: 1, finding });
    }
    assert_eq!(first.value(), Some(false));
    for bytes in [1 << 16, 1 << 17, 1 << 20] {
        let options = JobTreeOptions::new().nodes(1000).bytes(bytes);
        let mut second = JobTree::new(root, Player::Second, (), options).unwrap();
        second.follow(&first);
        let counts = second.counts();
        assert!(counts.positions > 1 && counts.bytes <= bytes / 2 && counts.closed == 0, "{counts:?}");
        finish(&mut second, Manner { workers: 2, seed: 1, failures: 0, distorted: false });
        assert_eq!(second.value(), Some(true));
    }
}
