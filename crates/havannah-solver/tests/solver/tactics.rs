//! Studies with the solver against the solver without limits, their cost, and the table that clones share.

use stonework_board::Notation;
use stonework_game::{Game, Outcome, Textual};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::{Solver, SolverTactics};
use stonework_search::{Effort, Engine, Limits, Tactics, Verdict};

use crate::scattered::{random, scattered};

fn value(root: &Position, solver: &mut Solver) -> Outcome {
    root.outcome().unwrap_or_else(|| solver.think(root, &Limits::none()).proven.unwrap())
}

/// Holds a verdict against the solver. Returns the numbers of decided positions and of moves that the verdict leaves out.
fn check(verdict: Verdict<Move>, only: &[Move], root: &Position, solver: &mut Solver) -> (u32, u32) {
    let me = root.to_move();
    let mut after = |mv| {
        let mut after = root.clone();
        after.play(mv).unwrap();
        value(&after, solver)
    };
    match verdict {
        Verdict::Win(mv) => assert_eq!(after(mv), Outcome::Win(me)),
        Verdict::Loss => assert_eq!(value(root, solver), Outcome::Win(me.other())),
        Verdict::Draw => assert_eq!(value(root, solver), Outcome::Draw),
        Verdict::Never(player) => assert_ne!(value(root, solver), Outcome::Win(player)),
        Verdict::Open => {}
        Verdict::Only => {
            let left_out: Vec<Move> = root.moves().into_iter().filter(|mv| !only.contains(mv)).collect();
            for &mv in &left_out {
                assert_eq!(after(mv), Outcome::Win(me.other()), "{mv:?} {root:?}");
            }
            return (0, left_out.len() as u32);
        }
    }
    (u32::from(matches!(verdict, Verdict::Win(_) | Verdict::Loss)), 0)
}

#[test]
fn verdicts_are_those_of_the_solver_without_limits() {
    let mut rng = random(5);
    let mut solver = Solver::new(Solver::options().keep(true)).unwrap();
    let (mut decided, mut left_out) = (0, 0);
    for at in 0..60_u32 {
        // Few stones leave symmetric positions; some studies have too few nodes for a decision.
        let size = 3 + (at % 2) as u8;
        let stones = if size == 3 { at as usize % 4 } else { 12 + at as usize % 6 };
        let mut root = scattered(size, stones, &mut rng);
        let before = root.clone();
        let mut tactics = SolverTactics::new().nodes(1.0).bytes(1 << 20);
        let mut only = Vec::new();
        let mut effort = Effort::visits(4096);
        effort.left.nodes = Some([20, 100, 2000][at as usize % 3]);
        let verdict = tactics.study(&mut root, &mut effort, &mut only);
        assert_eq!(root, before);
        assert!(effort.nodes <= effort.left.nodes.unwrap());
        let counts = check(verdict, &only, &before, &mut solver);
        (decided, left_out) = (decided + counts.0, left_out + counts.1);
    }
    assert!(decided > 10 && left_out > 50, "{decided} decided, {left_out} moves left out");
}

/// Two answers of no were no verdict. The position is `tie1` of Ewalds' tests.
#[test]
fn a_position_in_which_neither_side_wins_is_a_draw() {
    let mut root = Position::new(4).unwrap();
    for name in "d1 a1 g1 e2 g4 f3 a4 d7 c4 f4 f5 e5 e6 d6 c2 e1 c3".split(' ') {
        root.play(root.parse_move_in(name, Notation::Grid).unwrap()).unwrap();
    }
    let mut effort = Effort::visits(1 << 16);
    let verdict = SolverTactics::new().nodes(1.0).study(&mut root, &mut effort, &mut Vec::new());
    assert_eq!(verdict, Verdict::Draw, "{} nodes", effort.nodes);
}

/// On boards of every width, and on a larger one, where the threat search has no say.
#[test]
fn the_threat_search_judges_every_position() {
    let mut rng = random(6);
    let mut solver = Solver::new(Solver::options().keep(true)).unwrap();
    for (size, stones) in [(4, 17), (5, 36), (6, 60), (8, 120), (10, 180), (11, 220)] {
        let mut tactics = SolverTactics::new().threat_search();
        let (mut decided, mut left_out, mut without) = (0, 0, 0);
        for at in 0..40 {
            let mut root = scattered(size, stones + at % 4, &mut rng);
            let before = root.clone();
            let (mut only, mut few) = (Vec::new(), Vec::new());
            let plain = SolverTactics::new().probe(&mut root, &mut few);
            let verdict = tactics.probe(&mut root, &mut only);
            assert_eq!((&root, verdict != Verdict::Only), (&before, only.is_empty()));
            without += u32::from(matches!(plain, Verdict::Win(_) | Verdict::Loss));
            let counts = check(verdict, &only, &root, &mut solver);
            (decided, left_out) = (decided + counts.0, left_out + counts.1);
            let mut effort = Effort::visits(64);
            let mut again = Vec::new();
            let studied = tactics.clone().nodes(0.0).study(&mut root, &mut effort, &mut again);
            if verdict == Verdict::Loss || matches!(verdict, Verdict::Win(_)) {
                assert_eq!(verdict, studied, "a larger budget keeps a verdict");
            }
            check(studied, &again, &root, &mut solver);
        }
        assert!(
            if size > 10 { decided == without } else { decided > without },
            "size {size}: {decided} {without}"
        );
        assert!(left_out > 0 || size > 10, "size {size}");
    }
}

#[test]
fn clones_share_a_table_until_it_is_forgotten() {
    let mut root = Position::new(5).unwrap();
    for name in ["c5", "d6", "c6", "d7", "a5", "e6", "b6", "f7", "c4"] {
        root.play(root.parse_move(name).unwrap()).unwrap();
    }
    let cost = |tactics: &mut SolverTactics, root: &mut Position| {
        let mut effort = Effort::visits(1 << 16);
        tactics.study(root, &mut effort, &mut Vec::new());
        effort.nodes
    };
    let mut tactics = SolverTactics::new().nodes(1.0);
    assert_eq!(tactics.table_bytes(), 0);
    let first = cost(&mut tactics.clone(), &mut root);
    assert!(first > 100, "{first} nodes");
    assert!((1..=64 << 20).contains(&tactics.table_bytes()));
    assert!(cost(&mut tactics.clone(), &mut root) < first);
    tactics.forget();
    assert_eq!(cost(&mut tactics.clone(), &mut root), first);
    assert_eq!(cost(&mut tactics.clone().nodes(0.0), &mut root), 0);
}

/// A study whose search has used up its limit leaves out no move but those that lose. (The threat search found a win that the
/// study had not found, and the moves beside the winning move counted as losing.)
#[test]
fn a_study_without_nodes_leaves_out_losing_moves_alone() {
    let mut rng = random(7);
    let mut solver = Solver::new(Solver::options().keep(true)).unwrap();
    let (mut won, mut left_out) = (0, 0);
    for at in 0..600 {
        let mut root = scattered(4, 8 + at % 8, &mut rng);
        let before = root.clone();
        let mut effort = Effort { left: Limits::none().nodes(0), ..Effort::visits(1) };
        let mut only = Vec::new();
        let verdict = SolverTactics::new().after(1).study(&mut root, &mut effort, &mut only);
        assert_eq!(effort.nodes, 0);
        let counts = check(verdict, &only, &before, &mut solver);
        (won, left_out) = (won + counts.0, left_out + counts.1);
    }
    assert!(won > 10 && left_out > 50, "{won} won, {left_out} moves left out");
}

#[test]
fn no_study_without_visits_or_limits() {
    let root = scattered(5, 14, &mut random(1));
    let nodes = |effort: Effort| {
        let mut effort = effort;
        SolverTactics::new().study(&mut root.clone(), &mut effort, &mut Vec::new());
        effort.nodes
    };
    assert_eq!(nodes(Effort::visits(4095)), 0);
    let left = Limits::none().nodes(100);
    assert!((1..=100).contains(&nodes(Effort { left, ..Effort::visits(u32::MAX) })));
    let left = Limits::none().time(std::time::Duration::ZERO);
    assert_eq!(nodes(Effort { left, ..Effort::visits(u32::MAX) }), 0);
}
