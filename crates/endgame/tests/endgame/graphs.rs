//! Games with cycles, with two moves of a side in a row and with values from outside, compared with a naive judge.

use std::ops::ControlFlow;

use crate::graph::{self, Nodes, end, go_on, judge, node, random_graph, solve_all_ways};
use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_endgame::{Options, SolveError, Stage, StateSpace, Value, VerifyError, laws, solve, verify};
use stonework_game::Outcome;
use stonework_game::Player::{First, Second};

/// ```text
/// 0 first ⇄ 1 second → 2 first has won ← 3 first ← 4 second
///           1 ← 3           ↑ 6 first ← 5 first
/// 7 second → 4, 0           8 second → 4
/// ```
#[test]
fn a_small_circle_is_a_draw() {
    let graph = vec![
        node(First, &[1]),
        node(Second, &[0, 2]),
        end(Second, Outcome::Win(First)),
        node(First, &[1, 2]),
        node(Second, &[3]),
        node(First, &[6]),
        node(First, &[2]),
        node(Second, &[4, 0]),
        node(Second, &[4]),
    ];
    let by_hand = [
        Value::Draw,
        Value::Draw,
        Value::Loss(0),
        Value::Win(1),
        Value::Loss(2),
        Value::Win(2),
        Value::Win(1),
        Value::Draw,
        Value::Loss(3),
    ];
    assert_eq!(judge(&graph), by_hand);
    let space = Nodes::new(graph);
    let table = solve_all_ways(&space).unwrap().table;
    let found: Vec<_> = (0..9).map(|rank| table.value(rank).unwrap()).collect();
    assert_eq!(found, by_hand);
    assert_eq!(table.value(9), None);
    verify(&space, &table, &Options::default(), &mut go_on).unwrap();
}

/// Solves a graph with some nodes outside the space, which have the judge's values.
fn check_against_judge(graph: Vec<graph::Node>, outside: u32, rng: &mut impl RngCore) {
    let judged = judge(&graph);
    let mut space = Nodes::new(graph);
    for (known, &value) in space.known.iter_mut().zip(&judged) {
        *known = (rng.next_u32() % 100 < outside).then_some(value);
    }
    laws(&space, rng, 500).unwrap();
    let solved = solve_all_ways(&space).unwrap();
    for (rank, &value) in (0..).zip(&judged) {
        let expected = space.known[rank as usize].is_none().then_some(value);
        assert_eq!(solved.table.value(rank), expected, "{rank}");
    }
    verify(&space, &solved.table, &Options::default(), &mut go_on).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_graphs_have_the_judges_values(
        seed: u64, nodes in 1u32..60, ends in 0u32..50, outside in prop::sample::select(vec![0u32, 10, 60]),
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let graph = random_graph(nodes, ends, &mut rng);
        check_against_judge(graph, outside, &mut rng);
    }

    /// A table passes for a graph if and only if it is the table of this graph.
    #[test]
    fn verification_accepts_the_right_table_only(seed: u64, nodes in 1u32..30, changed: u32) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let graph = random_graph(nodes, 25, &mut rng);
        let mut other = graph.clone();
        other[(changed % nodes) as usize] = random_graph(nodes, 25, &mut rng).remove(0);
        let (space, other) = (Nodes::new(graph), Nodes::new(other));
        let table = solve_all_ways(&space).unwrap().table;
        let right = solve_all_ways(&other).unwrap().table == table;
        let verdict = verify(&other, &table, &Options::default(), &mut go_on);
        prop_assert_eq!(verdict.is_ok(), right);
        if let Err(VerifyError::Wrong { rank, found, expected }) = verdict {
            prop_assert_eq!(found, table.value(rank));
            prop_assert_ne!(found, expected);
        }
    }
}

#[test]
fn graphs_of_many_chunks_have_the_judges_values() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for outside in [0, 20] {
        let graph = random_graph(30_000, 12, &mut rng);
        check_against_judge(graph, outside, &mut rng);
    }
}

/// One forced line through all chunks, to and fro, with as many levels as states.
#[test]
fn a_long_line_has_its_distances() {
    let len = 5_001_u32;
    // A permutation that soon separates neighbours into different chunks; 0 stays in its place.
    let place = |i: u32| (u64::from(i) * 2_503 % u64::from(len)) as u32;
    let mut graph = vec![end(First, Outcome::Win(Second)); len as usize];
    for i in 1..len {
        let mover = if i % 2 == 0 { First } else { Second };
        graph[place(i) as usize] = node(mover, &[place(i - 1)]);
    }
    let solved = solve_all_ways(&Nodes::new(graph)).unwrap();
    for i in 0..len {
        let value = if i % 2 == 0 { Value::Loss(i as u16) } else { Value::Win(i as u16) };
        assert_eq!(solved.table.value(place(i).into()), Some(value));
    }
}

#[test]
fn what_breaks_the_laws_is_an_error() {
    // 0 → 1 → 2, an end; each case has another fault.
    let line = || Nodes::new(vec![node(First, &[1]), node(Second, &[2]), end(First, Outcome::Draw)]);
    assert!(solve_all_ways(&line()).is_ok());
    let mut short = line();
    short.len = 1;
    assert_eq!(solve_all_ways(&short), Err(SolveError::NoState { rank: 0, to: 1, len: 1 }));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let broken = laws(&short, &mut rng, 10).unwrap_err();
    assert_eq!((broken.rank, broken.found, broken.len), (1, Some(1), 1));
    let stuck = Nodes::new(vec![node(First, &[1]), node(Second, &[])]);
    assert_eq!(solve_all_ways(&stuck), Err(SolveError::Stuck { rank: 1 }));
    let many = Nodes::new(vec![node(First, &[0; 65_536])]);
    assert_eq!(solve_all_ways(&many), Err(SolveError::Moves { rank: 0, moves: 65_536 }));
    let mut far = line();
    far.known[1] = Some(Value::Win(32_766));
    assert_eq!(solve_all_ways(&far), Err(SolveError::TooFar { rank: 0 }));
    // The end is far from 1, and nearer from 0.
    let mut near = Nodes::new(vec![
        node(First, &[1, 3]),
        node(First, &[2]),
        node(Second, &[1]),
        end(Second, Outcome::Win(First)),
    ]);
    near.known[2] = Some(Value::Loss(32_765));
    let table = solve_all_ways(&near).unwrap().table;
    assert_eq!((table.value(0), table.value(1)), (Some(Value::Win(1)), Some(Value::Win(32_766))));
    verify(&near, &table, &Options::default(), &mut go_on).unwrap();
    let mut late = Nodes::new(vec![node(Second, &[1]), node(First, &[2]), node(Second, &[1])]);
    late.known[2] = Some(Value::Loss(32_765));
    assert_eq!(solve_all_ways(&late), Err(SolveError::TooFar { rank: 0 }));
    let mut endless = line();
    endless.len = u64::MAX;
    let error = solve(&endless, &Options::default(), &mut go_on).unwrap_err();
    assert_eq!(error, SolveError::Allocation { bytes: u64::MAX });
    let empty = Nodes::new(Vec::new());
    let solved = solve_all_ways(&empty).unwrap();
    assert!(solved.table.is_empty() && empty.is_empty());
}

/// A space without one node of the graph and without its value.
struct Without(Nodes, u32);

impl StateSpace for Without {
    type State = graph::Walk;

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn rank(&self, walk: &graph::Walk) -> Option<u64> {
        (walk.at != self.1).then(|| u64::from(walk.at))
    }

    fn unrank(&self, rank: u64) -> Option<graph::Walk> {
        self.0.unrank(rank)
    }
}

#[test]
fn a_move_to_nowhere_is_named() {
    let graph = vec![node(First, &[2, 1]), node(Second, &[0]), end(First, Outcome::Draw)];
    let space = Without(Nodes::new(graph), 1);
    let error = solve_all_ways(&space).unwrap_err();
    assert_eq!(error, SolveError::Undecided { rank: 0, mv: "1".to_owned() });
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    assert_eq!(laws(&space, &mut rng, 10).unwrap_err().found, None);
}

#[test]
fn memory_is_limited_and_the_caller_can_stop() {
    let space = Nodes::new(random_graph(10_000, 10, &mut Xoshiro256PlusPlus::seed_from_u64(5)));
    // Two bytes for each number, and a word for each of the three chunks.
    let bytes = Some(20_005);
    let error = solve(&space, &Options { bytes, ..Options::default() }, &mut go_on).unwrap_err();
    assert_eq!(error, SolveError::Memory { need: 20_006, limit: 20_005 });
    let full = solve(&space, &Options::default(), &mut go_on).unwrap();
    // Memory for the counts, and one byte too few for the links.
    let bytes = Some(full.bytes - 1);
    let tight = solve(&space, &Options { bytes, ..Options::default() }, &mut go_on).unwrap();
    assert!(full.linked && !tight.linked && tight.table == full.table && tight.bytes < full.bytes);
    let exact =
        solve(&space, &Options { bytes: Some(full.bytes), ..Options::default() }, &mut go_on).unwrap();
    assert_eq!(exact, full);

    let mut stages = Vec::new();
    solve(&space, &Options::default(), &mut |progress| {
        assert!(progress.done <= progress.of && progress.of == 10_000);
        stages.push(progress.stage);
        ControlFlow::Continue(())
    })
    .unwrap();
    stages.dedup();
    assert_eq!(stages[..4], [Stage::Survey, Stage::Link, Stage::Level(0), Stage::Level(1)]);
    let stop = |at: Stage| {
        move |progress: stonework_endgame::Progress| {
            if progress.stage == at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    };
    for stage in [Stage::Survey, Stage::Link, Stage::Level(1)] {
        let error = solve(&space, &Options::default(), &mut stop(stage)).unwrap_err();
        assert_eq!(error, SolveError::Stopped);
    }
    let error = verify(&space, &full.table, &Options::default(), &mut stop(Stage::Verify)).unwrap_err();
    assert_eq!(error, VerifyError::Stopped);
}
