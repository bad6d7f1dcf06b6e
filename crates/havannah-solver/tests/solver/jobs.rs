//! Havannah by jobs: a tree of jobs, the set of proofs that it makes, and the check of the set by the rules.

use std::collections::BTreeMap;

use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::Position;
use stonework_havannah_solver::{
    HavannahRules, SmallPosition, Solver, ThreatSearch, read_book, read_book_set,
};
use stonework_proof::set::{ProofSet, SetCheck, SetFile, join_set, verify_set};
use stonework_proof::{Claim, KnownClaims, VerifyLimits, value_of, verify};
use stonework_search::{
    ChildFinding, Engine, JobChild, JobFinding, JobReport, JobTree, JobTreeOptions, Limits, Question,
    TreeJobId,
};

type Small = SmallPosition<u128>;
type Tree = JobTree<Small, ThreatSearch>;
type Files = BTreeMap<String, Vec<u8>>;

fn position(size: u8, moves: &str) -> Position {
    let mut position = Position::new(size).unwrap();
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    position
}

/// A worker: a solver with a table that it keeps, and the proofs that it has made, by position.
struct Worker {
    solver: Solver,
    proofs: BTreeMap<(TreeJobId, String), Vec<u8>>,
}

impl Worker {
    fn new() -> Self {
        let solver = Solver::new(Solver::options().keep(true)).unwrap();
        Self { solver, proofs: BTreeMap::new() }
    }

    fn prove(&mut self, id: TreeJobId, position: &Small, claim: Claim) {
        let root = Position::parse_position(&position.position_text()).unwrap();
        let mut file = Vec::new();
        self.solver.prove(&root, claim, &Limits::none(), &mut file).unwrap();
        self.proofs.insert((id, position.position_text()), file);
    }

    /// Does all jobs of a tree, one after the other.
    fn finish(&mut self, tree: &mut Tree) {
        let who = tree.who();
        let claim = |yes| if yes { Claim::Wins(who) } else { Claim::DoesNotWin(who) };
        self.solver.set_question(Question::Wins(who));
        while let Some(job) = tree.next() {
            let root = Position::parse_position(&job.position.position_text()).unwrap();
            let limits = Limits::none().nodes(job.nodes);
            let report = self.solver.think(&root, &limits);
            let numbers = report.proof_numbers.unwrap();
            let glance = self.solver.glance(&root, who, 10, &Limits::none());
            let nodes = report.nodes + if numbers.decided().is_none() { glance } else { 0 };
            let finding = if let Some(yes) = numbers.decided() {
                self.prove(job.id, &job.position, claim(yes));
                JobFinding::Shown(yes)
            } else {
                let children = self.solver.children(&root, who).into_iter().map(|child| {
                    let mv = job.position.parse_move(&root.move_text(child.mv)).unwrap();
                    let mut after = job.position.clone();
                    after.play(mv).unwrap();
                    let finding = match child.numbers.decided().filter(|_| after.outcome().is_none()) {
                        Some(yes) => {
                            self.prove(job.id, &after, claim(yes));
                            ChildFinding::Shown(yes)
                        }
                        None => ChildFinding::Numbers(child.numbers),
                    };
                    JobChild { mv, finding }
                });
                JobFinding::Open { numbers, children: children.collect() }
            };
            tree.report(job.id, JobReport { nodes, finding });
        }
    }

    /// The set of a tree that is finished.
    fn set(&mut self, tree: &mut Tree) -> (ProofSet, Files) {
        let top = tree.top(&HavannahRules).unwrap();
        assert!(top.gaps.is_empty(), "{} gaps", top.gaps.len());
        let (mut set, mut files) = (ProofSet::new("havannah", tree.root(), top.claim), Files::new());
        let mut known = KnownClaims::default();
        for leaf in &top.leaves {
            // The file has the position or an image of it.
            let fits = |content: &&Vec<u8>| {
                let root = SetFile::of_bytes("x", content).unwrap().claims[0].0.clone();
                let mut shown = KnownClaims::default();
                let goal = top.claim.goals().next().unwrap();
                shown.add(&Small::parse_position(&root).unwrap(), &HavannahRules, top.claim, 0);
                shown.find(&leaf.position, &HavannahRules, goal).is_some()
            };
            let mut own = self.proofs.iter().filter(|((id, _), _)| *id == leaf.job).map(|(_, file)| file);
            let content = own.find(fits).unwrap().clone();
            let name = format!("{:03}.proof", set.files.len());
            set.files.push(SetFile::of_bytes(&name, &content).unwrap());
            known.add(&leaf.position, &HavannahRules, top.claim, 0);
            files.insert(name, content);
        }
        let mut file = Vec::new();
        top.proof.write_top("havannah", &HavannahRules, &known, &mut file).unwrap();
        set.files.push(SetFile::of_bytes("top", &file).unwrap());
        files.insert("top".to_owned(), file);
        (set, files)
    }
}

fn solved(root: &Position, who: Player, nodes: u64) -> (Tree, Worker) {
    let small = Small::try_from(root).unwrap();
    let options = JobTreeOptions::new().nodes(nodes);
    let mut tree = JobTree::new(small, who, ThreatSearch::new(), options).unwrap();
    let mut worker = Worker::new();
    worker.finish(&mut tree);
    (tree, worker)
}

#[test]
fn a_tree_of_jobs_makes_a_set_that_the_rules_verify() {
    for (size, moves, nodes) in [
        (3, "c3", 10),
        (4, "g5 d1 g4 g7 e3 c2 a1 a4 f5 f3 d7 d6 c3", 100),
        (4, "g7 a1 f5 g4 e3 d2 e2 d1 c2 d3 c3 f7 d6 b4 a4 b5 a3 e5 c4 b3", 20),
    ] {
        let root = position(size, moves);
        let outcome = Solver::default().think(&root, &Limits::none()).proven.unwrap();
        for who in Player::BOTH {
            let (mut tree, mut worker) = solved(&root, who, nodes);
            let yes = outcome.winner() == Some(who);
            assert_eq!(tree.value(), Some(yes), "{moves}");
            let (set, files) = worker.set(&mut tree);
            let check = SetCheck { threads: 2, ..SetCheck::default() };
            let verified =
                verify_set::<Position, _>("havannah", &HavannahRules, &set, &files, &check).unwrap();
            assert_eq!(verified.root, root);
            let claim = if yes { Claim::Wins(who) } else { Claim::DoesNotWin(who) };
            assert_eq!(verified.claim, claim);
            // Joined into one file, the set is an ordinary proof of the same claim.
            let mut joined = Vec::new();
            let most = 1 << 20;
            join_set::<Position, _>("havannah", &HavannahRules, &set, &files, 2, most, &mut joined).unwrap();
            let limits = VerifyLimits::default();
            let one = verify::<Position, _>("havannah", &HavannahRules, &joined[..], &limits).unwrap();
            assert_eq!(one.claims, [(root.clone(), claim)]);
        }
    }
}

#[test]
fn a_book_of_a_set_knows_a_game_of_havannah_to_its_end() {
    let root = position(4, "g5 d1 g4 g7 e3 c2 a1 a4 f5 f3 d7 d6 c3");
    let outcome = Solver::default().think(&root, &Limits::none()).proven.unwrap();
    let (mut tree, mut worker) = solved(&root, outcome.winner().unwrap(), 100);
    let (set, files) = worker.set(&mut tree);
    assert!(set.files.len() > 2);
    let book = read_book_set(&set, &files, 1 << 24).unwrap();
    let mut walk = book.walk(&root).unwrap();
    while walk.outcome().is_none() {
        assert_eq!(value_of(&walk.entries()), Some(outcome));
        let mv = walk.choice().unwrap();
        walk.play(mv).unwrap();
    }
    assert_eq!(walk.outcome(), Some(outcome));
}

/// A late position of size 8 and one of size 10, with the winner.
const LARGE: [(u8, &str, Player); 2] = [
    (
        8,
        "j7 l12 f12 k13 h13 m14 g14 n13 h14 n14 i15 k12 l14 f13 j14 l13 m12 n12 g13 l11 m11 n11 e11 j15 i14 h15 d10 a8 b8 c9 b9 c10 d9 \
         c8 f10 e9 d8 j11 c7 m10 l10 k10 j10 k11 j12 a6 b7 a7 c6 l9 k9 b5 c5 b4",
        Player::First,
    ),
    (
        10,
        "g7 c10 h9 b11 i8 b8 g8 d12 h6 a9 f8 b10 e6 i9 h8 f7 f5 f6 g6 i7 i10 e7 g10 d9 a8 c7 j9 j10 i6 e8 f9 h10 g4 b9 d8",
        Player::Second,
    ),
];

#[test]
fn a_book_of_a_large_board_knows_a_game_to_its_end() {
    for (size, moves, winner) in LARGE {
        let root = position(size, moves);
        let mut file = Vec::new();
        Solver::default().prove(&root, Claim::Wins(winner), &Limits::none(), &mut file).unwrap();
        let book = read_book(&file[..], 1 << 24).unwrap();
        assert_eq!(book.verified().claims, [(root.clone(), Claim::Wins(winner))]);
        let mut walk = book.walk(&root).unwrap();
        assert_eq!(walk.board().size(), size);
        while walk.outcome().is_none() {
            assert_eq!(value_of(&walk.entries()), Some(Outcome::Win(winner)));
            let mv = walk.choice().unwrap();
            walk.play(mv).unwrap();
        }
        assert_eq!(walk.outcome(), Some(Outcome::Win(winner)));
        // A position of a small board fits, and is not in the book; one of size 11 does not fit.
        assert!(book.walk(&Position::new(4).unwrap()).unwrap().entries().is_empty());
        let why = book.walk(&Position::new(11).unwrap()).unwrap_err().to_string();
        assert!(why.contains("size 11") && why.contains("to size 10"), "{why}");
    }
}
