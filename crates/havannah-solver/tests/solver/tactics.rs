//! Studies with the solver against the solver without limits, their cost, and the table that clones share.

use stonework_game::{Game, Outcome, Textual};
use stonework_havannah::Position;
use stonework_havannah_solver::{Solver, SolverTactics};
use stonework_search::{Effort, Engine, Limits, Tactics, Verdict};

use crate::scattered::{random, scattered};

fn value(root: &Position, solver: &mut Solver) -> Outcome {
    root.outcome().unwrap_or_else(|| solver.think(root, &Limits::none()).proven.unwrap())
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
        let (before, me) = (root.clone(), root.to_move());
        let mut tactics = SolverTactics::new().nodes(1.0).bytes(1 << 20);
        let mut only = Vec::new();
        let mut effort = Effort::visits(4096);
        effort.left.nodes = Some([20, 100, 2000][at as usize % 3]);
        let verdict = tactics.study(&mut root, &mut effort, &mut only);
        assert_eq!(root, before);
        assert!(effort.nodes <= effort.left.nodes.unwrap());
        let truth = value(&root, &mut solver);
        match verdict {
            Verdict::Win(mv) => {
                root.play(mv).unwrap();
                assert_eq!(value(&root, &mut solver), Outcome::Win(me));
                decided += 1;
            }
            Verdict::Loss => {
                assert_eq!(truth, Outcome::Win(me.other()));
                decided += 1;
            }
            Verdict::Draw => assert_eq!(truth, Outcome::Draw),
            Verdict::Never(player) => assert_ne!(truth, Outcome::Win(player)),
            Verdict::Only | Verdict::Open => {
                for mv in before.moves() {
                    if verdict == Verdict::Only && !only.contains(&mv) {
                        let mut after = before.clone();
                        after.play(mv).unwrap();
                        assert_eq!(value(&after, &mut solver), Outcome::Win(me.other()), "{mv:?} {before:?}");
                        left_out += 1;
                    }
                }
            }
        }
    }
    assert!(decided > 10 && left_out > 50, "{decided} decided, {left_out} moves left out");
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
