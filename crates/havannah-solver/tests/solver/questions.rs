//! The solver's use of earlier results: the table after another question, and learned proofs.

use stonework_game::{Game, Outcome};
use stonework_havannah::Move;
use stonework_havannah_solver::Solver;
use stonework_proof::Claim;
use stonework_search::{Engine, Limits, Question};

use crate::scattered::{random, scattered};

/// If the side to move loses, both questions together cost little more than the first alone, though each question alone
/// costs as much as the other. A question's value after the other question is the value that it has alone.
#[test]
fn the_second_question_follows_the_first() {
    let mut rng = random(7);
    let (mut both, mut first, mut second, mut lost) = (0, 0, 0, 0);
    for _ in 0..60 {
        let root = scattered(4, 13, &mut rng);
        let asked = |ask| {
            let report = Solver::new(Solver::options().question(ask)).unwrap().think(&root, &Limits::none());
            (report.nodes, report.proven, report.bounds)
        };
        let (mover, other) = (root.to_move(), root.to_move().other());
        let (all, value, _) = asked(Question::Value);
        let alone = [asked(Question::Wins(mover)), asked(Question::Wins(other))];
        let yes = alone.map(|(_, _, bounds)| bounds.value().is_some_and(|value| value != 0));
        let expected = match yes {
            [true, _] => Outcome::Win(mover),
            [_, true] => Outcome::Win(other),
            _ => Outcome::Draw,
        };
        assert_eq!(value, Some(expected), "{root:?}");
        if value == Some(Outcome::Win(other)) {
            lost += 1;
            both += all;
            first += alone[0].0;
            second += alone[1].0;
        }
    }
    println!("{lost} lost: {both} nodes, {first} and {second} alone");
    assert!(lost > 10 && both < first + second / 2, "{lost} lost: {both} nodes, {first} and {second} alone");
}

/// On boards of 64, 128, 256 and 384 bits and beyond: once the table has the proofs of all positions after a position's
/// moves, a search of the position takes no more nodes than it has moves, for each question.
#[test]
fn what_proofs_show_is_not_searched_again() {
    let mut rng = random(11);
    let limits = Limits::none().bytes(1 << 22);
    for (size, stones) in [(4, 22), (5, 38), (7, 102), (10, 180), (11, 220)] {
        let root = scattered(size, stones, &mut rng);
        let value = Solver::default().think(&root, &limits).proven.unwrap();
        let mut learner = Solver::new(Solver::options().keep(true)).unwrap();
        for cell in root.empty_cells() {
            let mut below = root.clone();
            below.play_unchecked(Move::Place(cell));
            let (mut own, mut file) = (Solver::default(), Vec::new());
            let claim = Claim::of(own.think(&below, &limits).proven.unwrap());
            own.prove(&below, claim, &limits, &mut file).unwrap();
            assert_eq!(learner.learn(&root, &limits, &file[..]).unwrap().claims, [(below, claim)]);
        }
        let report = learner.think(&root, &limits);
        assert_eq!(report.proven, Some(value), "size {size}");
        let moves = root.empty_cells().count() as u64;
        assert!(report.nodes <= 2 * (moves + 1), "size {size}: {} nodes, {moves} moves", report.nodes);
    }
}
