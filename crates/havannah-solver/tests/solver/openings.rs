//! The openings of small boards: their proofs, values and orbits.

use stonework_game::{Game, Outcome, Player, Textual, move_orbits};
use stonework_havannah::{Move, Position, Setup};
use stonework_havannah_solver::{
    OpeningsError, Solver, ValueSource, opening_values, prove_openings, read_book,
};
use stonework_proof::Claim;
use stonework_search::{Engine, Limits};

#[test]
fn orbits_are_the_moves_that_symmetries_map_onto_each_other() {
    let root = Position::new(3).unwrap();
    let orbits = move_orbits(&root);
    let sizes: Vec<usize> = orbits.iter().map(|orbit| 1 + orbit.images.len()).collect();
    // Corners, edges between them, the inner ring, the centre: 19 cells.
    assert_eq!((sizes.iter().sum::<usize>(), sizes.len()), (19, 4));
    let mut legal = Vec::new();
    root.legal_moves(&mut legal);
    let mut all: Vec<Move> =
        orbits.into_iter().flat_map(|orbit| [vec![orbit.mv], orbit.images].concat()).collect();
    assert_eq!(all[0], legal[0]);
    all.sort_unstable_by_key(|mv| legal.iter().position(|other| other == mv));
    assert_eq!(all, legal);
}

#[test]
fn values_of_openings_and_replies_are_the_solvers() {
    let root = Position::new(2).unwrap();
    let book = prove_openings(2, &Limits::none(), 1 << 20).unwrap();
    let values = opening_values(&book, &root, &Limits::none(), 1).unwrap();
    let mut solver = Solver::default();
    for (cell, known) in &values.openings.values {
        let mut next = root.clone();
        next.play(Move::Place(*cell)).unwrap();
        assert_eq!(known.value, solver.think(&next, &Limits::none()).proven);
        assert_ne!(known.source, ValueSource::Unknown);
    }
    assert_eq!(values.openings.outcome(), Some(Outcome::Win(Player::First)));
    assert_eq!(values.replies.len(), move_orbits(&root).len());
    for (orbit, replies) in &values.replies {
        let opened = values.openings.values.iter().find(|(cell, _)| Move::Place(*cell) == orbit.mv).unwrap();
        // The value of an opening is that of the best reply.
        assert_eq!(replies.outcome(), opened.1.value);
        assert_eq!(replies.values.len(), 6);
        let ends = [Outcome::Win(Player::First), Outcome::Win(Player::Second), Outcome::Draw].map(Some);
        let counted: usize = ends.into_iter().chain([None]).map(|end| replies.count(end)).sum();
        assert_eq!(counted, 6);
    }
    let labels: Vec<String> = values.openings.values.iter().map(|(_, known)| known.label()).collect();
    assert!(labels.iter().any(|label| label.starts_with('w')), "{labels:?}");
}

/// A winning move settles the value whatever the others are; a loss or a draw does not.
#[test]
fn one_winning_opening_is_enough() {
    let root = Position::new(3).unwrap();
    let mut solver = Solver::default();
    for (name, value) in [("a1", Some(Outcome::Win(Player::First))), ("c3", None)] {
        let mut opened = root.clone();
        opened.play(opened.parse_move(name).unwrap()).unwrap();
        let won = solver.think(&opened, &Limits::none()).proven.unwrap();
        let mut proof = Vec::new();
        solver.prove(&opened, Claim::of(won), &Limits::none(), &mut proof).unwrap();
        let book = read_book(&proof[..], 1 << 20).unwrap();
        let values = opening_values(&book, &root, &Limits::none().nodes(1), 1).unwrap();
        assert!(values.openings.count(None) > 0 && values.openings.count(Some(won)) > 0, "{name}");
        assert_eq!(values.openings.outcome(), value, "{name}");
    }
}

#[test]
fn openings_that_cannot_be_proved_are_refused() {
    let unsolved = prove_openings(3, &Limits::none().nodes(1), 1 << 20).unwrap_err();
    assert!(matches!(unsolved, OpeningsError::Unsolved { size: 3 }), "{unsolved}");
    assert!(matches!(prove_openings(99, &Limits::none(), 1 << 20), Err(OpeningsError::Size(_))));
    assert!(matches!(prove_openings(2, &Limits::none(), 1), Err(OpeningsError::Proof(_))));
    let book = prove_openings(2, &Limits::none(), 1 << 20).unwrap();
    let swapping = Setup { swap: true, ..Setup::new(2) }.position().unwrap();
    assert!(opening_values(&book, &swapping, &Limits::none(), 1).is_err());
    // A board larger than the book's: the book has nothing about it.
    let values = opening_values(&book, &Position::new(3).unwrap(), &Limits::none().nodes(1), 1).unwrap();
    assert!(values.openings.count(None) > 0);
    assert_eq!(values.openings.outcome(), None);
}
