//! Must-play by frames in the solver: the same values and proofs as without, and its worth.

use std::time::Duration;

use cpu_time::ThreadTime;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_game::{Game, Player, Textual};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::{HavannahRules, Solver, ThreatSearch};
use stonework_proof::{Claim, VerifyLimits, verify};
use stonework_search::{Engine, Limits, Question, Stop};

fn after(moves: &str) -> Position {
    let mut position = Position::new(4).unwrap();
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    position
}

/// Random positions before a win, by a generator whose seed is the number of stones, as the example `size_5` makes them.
fn scattered(size: u8, stones: usize, count: usize) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(stones as u64);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::new(size).unwrap();
        while position.stone_count() < stones && position.outcome().is_none() {
            let cells: Vec<_> = position.empty_cells().collect();
            position.play(Move::Place(cells[rng.next_u64() as usize % cells.len()])).unwrap();
        }
        if position.outcome().is_none() {
            found.push(position);
        }
    }
    found
}

fn solver(frames: Option<u64>) -> Solver {
    Solver::default().threat_search(ThreatSearch::new().frames(frames))
}

#[test]
fn frames_change_no_value_and_no_proof_needs_them() {
    let (mut changed, mut outcomes) = (0, std::collections::BTreeSet::new());
    let positions = [(3, 5, 20), (4, 13, 10), (4, 15, 12), (4, 17, 20), (5, 30, 10)];
    for position in positions.into_iter().flat_map(|(size, stones, count)| scattered(size, stones, count)) {
        let plain = solver(None).think(&position, &Limits::none());
        let mut solver = solver(Some(1));
        let report = solver.think(&position, &Limits::none());
        assert_eq!(report.proven, plain.proven, "{}", position.position_text());
        changed += u32::from(report.nodes != plain.nodes);
        let (claim, mut file) = (Claim::of(report.proven.unwrap()), Vec::new());
        outcomes.insert(claim.to_string());
        solver.prove(&position, claim, &Limits::none(), &mut file).unwrap();
        let verified = verify("havannah", &HavannahRules, &file[..], &VerifyLimits::default()).unwrap();
        assert_eq!(verified.claims, [(position, claim)]);
    }
    assert!(changed >= 10 && outcomes.len() >= 2, "{changed} searches differ, {outcomes:?}");
}

#[test]
fn the_parameter_frames_is_the_option() {
    let position = after("g5 d1 g4 g7 e3 c2 a1 a4 f5 f3 d7 d6 c3");
    let nodes = |solver: &mut Solver| solver.think(&position, &Limits::none()).nodes;
    let mut named = Solver::default();
    Engine::<Position>::set_parameter(&mut named, "frames", 1.0).unwrap();
    let with = nodes(&mut named);
    assert_eq!(with, nodes(&mut solver(Some(1))));
    Engine::<Position>::set_parameter(&mut named, "frames", 0.0).unwrap();
    let without = nodes(&mut named);
    assert_eq!(without, nodes(&mut solver(None)));
    assert_ne!(with, without);
    let error = Engine::<Position>::set_parameter(&mut named, "frames", 0.5).unwrap_err();
    assert_eq!(error.to_string(), "frames is 0.5, but has to be a whole number");
}

/// The positions of one row of the table, with the question and the limit of nodes.
struct Row(&'static str, Vec<Position>, Question, u64);

fn rows_of_size_4() -> Vec<Row> {
    let text = stonework_reference_data::text("havannah/size4-leaves-1M.jsonl");
    let moves = |line: &str| {
        let list = line.split("\"moves\":").nth(1).unwrap();
        list.trim_start_matches('[').split(']').next().unwrap().replace(['"', ','], " ")
    };
    let leaves = text.lines().step_by(50).map(|line| after(&moves(line))).collect();
    let known = [
        "a4 g4 a1 b3 g7 d1 d7 f3 e2 d2",
        "g4 a4 g7 f5 a1 d2 c3 d7 b5 c4 b4 b3",
        "g4 a4 g7 f5 a1 d2 c3 d7 b5 c4 b4 b3 g6",
        "g5 d1 g4 g7 e3 c2 a1 a4 f5 f3 d7 d6 c3",
        "b1 d2 a2 e4",
        "d4 c3 e4 f5 c5",
        "a2 d2 g4 b5 c3 a4 d6",
    ];
    let (white, value) = (Question::Wins(Player::First), Question::Value);
    vec![
        Row("7 known", known.map(after).into(), value, 2_000_000),
        Row("20 leaves", leaves, white, 2_000_000),
        Row("c3 d4 e5 b2 e3", vec![after("c3 d4 e5 b2 e3")], white, 20_000_000),
        Row("b2", vec![after("b2")], white, 30_000_000),
    ]
}

/// Random positions of size 5, which the example `size_5` makes, too.
fn rows_of_size_5() -> Vec<Row> {
    let row = |(name, stones)| Row(name, scattered(5, stones, 20), Question::Value, 100_000);
    [("18 stones", 18), ("14 stones", 14), ("10 stones", 10)].map(row).into()
}

/// Solves the positions of each row without frames, and with frames from different work on.
fn compare(rows: Vec<Row>) {
    println!("positions, after, solved, nodes, geometric mean, CPU seconds");
    for Row(name, positions, question, limit) in rows {
        for frames in [None, Some(100), Some(300), Some(1000), Some(3000)] {
            let (mut solved, mut nodes, mut logarithms, mut cpu) = (0, 0, 0.0, Duration::ZERO);
            for position in &positions {
                let options = Solver::options().question(question);
                let threat_search = ThreatSearch::new().frames(frames);
                let mut solver = Solver::new(options).unwrap().threat_search(threat_search);
                let since = ThreadTime::now();
                let report = solver.think(position, &Limits::none().nodes(limit).bytes(2 << 30));
                cpu += since.elapsed();
                solved += usize::from(report.stopped == Some(Stop::Solved));
                nodes += report.nodes;
                logarithms += (report.nodes as f64).ln();
            }
            let mean = (logarithms / positions.len() as f64).exp();
            let of = positions.len();
            println!("{name}, {frames:?}, {solved} of {of}, {nodes}, {mean:.0}, {:.2}", cpu.as_secs_f64());
        }
    }
}

#[test]
#[ignore = "ten minutes: cargo test --release -p stonework-havannah-solver --test solver -- --ignored worth_on_size_4 --nocapture (docs/lab/solving.md)"]
fn what_frames_are_worth_on_size_4() {
    compare(rows_of_size_4());
}

#[test]
#[ignore = "two minutes: cargo test --release -p stonework-havannah-solver --test solver -- --ignored worth_on_size_5 --nocapture (docs/lab/solving.md)"]
fn what_frames_are_worth_on_size_5() {
    compare(rows_of_size_5());
}
