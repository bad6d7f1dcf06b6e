//! The judge itself, held against what is known by other means.

mod games;

use games::{FourInARow, Liar, Literal, TicTacToe};
use proptest::prelude::*;
use stonework_game::{Game, Keyed, Outcome, perft};
use stonework_search::{Bounds, Engine, Flat, Limits, Minimax, Report, Stop, WIN};

fn search<G: Game>(engine: &mut impl Engine<G>, root: &G, limits: &Limits) -> Report<G::Move> {
    engine.search(root, limits, 1, &mut |_| {})
}

#[test]
fn tic_tac_toe_has_255_168_games_and_is_a_draw() {
    let games: u64 = (5..=9)
        .map(|plies| perft(&TicTacToe::default(), plies))
        .map(|count| count.wins.first + count.wins.second + count.draws)
        .sum();
    assert_eq!(games, 255_168);
    let report = search(&mut Minimax::new(Flat), &TicTacToe::default(), &Limits::none());
    // 549 946 positions with the empty board: the tree that everyone counts.
    assert_eq!((report.nodes, report.value, report.proof), (549_946, 0, Some(Outcome::Draw)));
    assert_eq!((report.stopped, report.line.len()), (Stop::Solved, 9));
}

#[test]
fn connect_four_has_as_many_games_as_others_count() {
    let counts: Vec<_> = (1..8).map(|plies| perft(&FourInARow::new(7, 6), plies).nodes).collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16_807, 117_649, 823_536]);
}

#[test]
fn nodes_are_the_size_of_the_tree_to_a_depth() {
    let root = FourInARow::new(7, 6);
    for depth in 0..7 {
        let nodes: u64 = (0..=depth).map(|plies| perft(&root, plies).nodes).sum();
        let report = search(&mut Minimax::new(Flat), &root, &Limits::none().depth(depth));
        assert_eq!((report.nodes, report.stopped), (nodes, Stop::Depth));
        let short = search(&mut Minimax::new(Flat), &root, &Limits::none().depth(depth).nodes(nodes - 1));
        assert_eq!((short.nodes, short.stopped, short.best), (nodes - 1, Stop::Nodes, None));
    }
}

#[test]
fn a_game_that_lies_about_its_end_gets_a_report() {
    for moves in 0..4 {
        let report = search(&mut Minimax::new(Flat), &Liar { moves }, &Limits::none());
        assert_eq!((report.value, report.bounds, report.proof), (0, Bounds::UNKNOWN, None));
        assert_eq!(report.best.is_some(), moves > 0);
    }
}

/// The definition, by recursion.
fn value(game: &mut Literal, depth: u32, ply: i32) -> i32 {
    if let Some(outcome) = game.outcome() {
        return outcome.value_for(game.to_move()) * (WIN - ply);
    }
    if depth == 0 {
        return game.eval();
    }
    let (mover, mut moves) = (game.to_move(), Vec::new());
    game.legal_moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let undo = game.play_unchecked(mv);
        let value = value(game, depth - 1, ply + 1);
        let value = if game.to_move() == mover { value } else { -value };
        game.undo(undo);
        value
    });
    values.max().expect("a position that is not over has moves")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn minimax_is_its_definition(seed: u64, depth in 0..7_u8, width in 1..5_u8, double: bool, merge: bool, to in 0..8_u32) {
        let root = Literal::new(seed, depth, width, double, merge);
        let report = search(&mut Minimax::new(Literal::eval), &root, &Limits::none().depth(to));
        prop_assert_eq!(report.value, value(&mut root.clone(), to, 0));
        // The line leads to what the value says.
        let mut end = root;
        for &mv in &report.line {
            end.play(mv).expect("lines are legal");
        }
        let plies = report.line.len();
        let worth = match end.outcome() {
            Some(outcome) => outcome.value_for(root.to_move()) * (WIN - plies as i32),
            None if end.to_move() == root.to_move() => end.eval(),
            None => -end.eval(),
        };
        prop_assert_eq!(worth, report.value);
        prop_assert!(end.outcome().is_some() || plies == to as usize);
        prop_assert_eq!(end.key() == root.key(), plies == 0);
    }
}
