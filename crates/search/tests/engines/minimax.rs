//! Tests of minimax against facts that are known from other sources.

use crate::games::{FourInARow, Liar, Literal, TicTacToe};
use proptest::prelude::*;
use stonework_game::{Game, Keyed, Outcome, perft};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Bounds, Census, Engine, Limits, Minimax, Report, Stop, Value, WIN,
};

fn search<G: Game>(engine: &mut impl Engine<G>, root: &G, limits: &Limits) -> Report<G::Move> {
    engine.think(root, limits)
}

#[test]
fn tic_tac_toe_has_255_168_games_and_is_a_draw() {
    let games: u64 = (5..=9)
        .map(|plies| perft(&TicTacToe::default(), plies))
        .map(|count| count.wins.first + count.wins.second + count.draws)
        .sum();
    assert_eq!(games, 255_168);
    let report = search(&mut Minimax::new(()), &TicTacToe::default(), &Limits::none());
    // The complete tree has 549 946 positions with the empty board, a well-known number.
    assert_eq!((report.nodes, report.value.score(), report.proven), (549_946, 0, Some(Outcome::Draw)));
    assert_eq!((report.stopped, report.line().len()), (Some(Stop::Solved), 9));
}

#[test]
fn the_tree_of_tic_tac_toe_has_the_counts_that_everyone_has() {
    let tree = Minimax::new(()).tree(&TicTacToe::default(), &Limits::none());
    let Census { nodes, wins, draws, cut, longest } = tree.census;
    // The first player wins 131 184 games, the second player 77 904 games, and 46 080 games are draws.
    assert_eq!((wins.first, wins.second, draws, cut), (131_184, 77_904, 46_080, 0));
    assert_eq!((nodes, tree.census.leaves(), longest), (549_946, 255_168, 9));
    // The game is a draw after every first move: all nine moves are best and worst.
    assert_eq!((tree.value.score(), tree.replies.len(), tree.stopped), (0, 9, Stop::Solved));
    assert_eq!((tree.best().count(), tree.worst().count()), (9, 9));
    // By symmetry there are three kinds of cells: corners, edges, middle.
    let sizes: Vec<u64> = tree.replies.iter().map(|reply| reply.census.nodes).collect();
    let [corner, edge, middle] = [sizes[0], sizes[1], sizes[4]];
    assert_eq!(sizes, [corner, edge, corner, edge, middle, edge, corner, edge, corner]);
    assert_eq!(4 * corner + 4 * edge + middle, 549_945);
}

#[test]
fn replies_are_won_lost_and_drawn_in_so_many_plies() {
    // X to move, O threatens the middle column: X X . / . O O / . . .
    let mut root = TicTacToe::default();
    for mv in [0, 4, 1, 5] {
        root.play(mv).unwrap();
    }
    let tree = Minimax::new(()).tree(&root, &Limits::none());
    let values: Vec<_> = tree.replies.iter().map(|reply| (reply.mv, reply.value.score())).collect();
    // Cell 2 wins at once; cell 3 stops the row and then wins on 2 or 6; all other moves lose to 3.
    assert_eq!(values, [(2, WIN - 1), (3, WIN - 3), (6, 2 - WIN), (7, 2 - WIN), (8, 2 - WIN)]);
    assert!(tree.best().map(|reply| reply.mv).eq([2]));
    assert!(
        tree.worst().map(|reply| (reply.mv, reply.line.clone())).eq([6, 7, 8].map(|mv| (mv, vec![mv, 3])))
    );
}

#[test]
fn a_tree_that_is_cut_says_where_and_why() {
    let root = FourInARow::new(7, 6);
    let tree = Minimax::new(()).tree(&root, &Limits::none().depth(4));
    assert_eq!((tree.census.cut, tree.census.longest, tree.stopped), (2401, 4, Stop::Depth));
    assert_eq!((tree.bounds, tree.replies.len()), (Bounds::UNKNOWN, 7));
    // The tree has 1 + 7 + 49 + 343 + 2401 positions; the tree of a column is a seventh of all positions but the
    // root.
    let short = Minimax::new(()).tree(&root, &Limits::none().depth(4).nodes(1 + 400 + 399));
    assert_eq!((short.stopped, short.census.nodes, short.replies.len()), (Stop::Nodes, 800, 1));
    assert_eq!((short.value.score(), short.bounds, short.replies[0].census.nodes), (0, Bounds::UNKNOWN, 400));
    let none = Minimax::new(()).tree(&root, &Limits::none().nodes(0));
    assert_eq!((none.stopped, none.census, none.best().count()), (Stop::Nodes, Census::default(), 0));
}

#[test]
fn a_tree_of_a_game_that_is_over_is_one_leaf() {
    let mut root = TicTacToe::default();
    for mv in [0, 3, 1, 4, 2] {
        root.play(mv).unwrap();
    }
    let tree = Minimax::new(()).tree(&root, &Limits::none());
    assert_eq!((tree.value.score(), tree.bounds, tree.replies.len()), (-WIN, Bounds::exact(-1), 0));
    assert_eq!((tree.census.nodes, tree.census.wins.first, tree.census.leaves()), (1, 1, 1));
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
        let report = search(&mut Minimax::new(()), &root, &Limits::none().depth(depth));
        assert_eq!((report.nodes, report.stopped), (nodes, Some(Stop::Depth)));
        let short = search(&mut Minimax::new(()), &root, &Limits::none().depth(depth).nodes(nodes - 1));
        assert_eq!((short.nodes, short.stopped, short.best), (nodes - 1, Some(Stop::Nodes), None));
    }
}

#[test]
fn a_game_that_lies_about_its_end_gets_a_report() {
    for moves in 0..4 {
        let report = search(&mut Minimax::new(()), &Liar { moves }, &Limits::none());
        assert_eq!((report.value.score(), report.bounds, report.proven), (0, Bounds::UNKNOWN, None));
        assert_eq!(report.best.is_some(), moves > 0);
    }
}

/// The value by the definition of minimax, by recursion.
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
        prop_assert_eq!(report.value.score(), value(&mut root.clone(), to, 0));
        // The line leads to a position with the value.
        let mut end = root;
        for &mv in report.line() {
            end.play(mv).expect("lines are legal");
        }
        let plies = report.line().len();
        let worth = match end.outcome() {
            Some(outcome) => outcome.value_for(root.to_move()) * (WIN - plies as i32),
            None if end.to_move() == root.to_move() => end.eval(),
            None => -end.eval(),
        };
        prop_assert_eq!(worth, report.value.score());
        prop_assert!(end.outcome().is_some() || plies == to as usize);
        prop_assert_eq!(end.key() == root.key(), plies == 0);
    }

    #[test]
    fn replies_are_the_values_of_the_positions_after_them(seed: u64, depth in 0..7_u8, width in 1..5_u8, double: bool, to in 1..8_u32) {
        let root = Literal::new(seed, depth, width, double, false);
        let tree = Minimax::new(Literal::eval).tree(&root, &Limits::none().depth(to));
        let (mut moves, mut nodes) = (Vec::new(), 1);
        root.legal_moves(&mut moves);
        prop_assert!(tree.replies.iter().map(|reply| reply.mv).eq(moves));
        for reply in &tree.replies {
            let mut after = root;
            after.play(reply.mv).expect("moves of the root are legal");
            let value = value(&mut after, to - 1, 1);
            prop_assert_eq!(reply.value.score(), if after.to_move() == root.to_move() { value } else { -value });
            let below = Minimax::new(Literal::eval).tree(&after, &Limits::none().depth(to - 1));
            prop_assert_eq!(reply.census.nodes, below.census.nodes);
            prop_assert_eq!(reply.census.leaves(), below.census.leaves());
            prop_assert_eq!(reply.census.wins, below.census.wins);
            nodes += reply.census.nodes;
        }
        prop_assert_eq!(tree.census.nodes, nodes);
        let best = tree.best().next().map(|reply| reply.value.score());
        prop_assert!(tree.replies.is_empty() || best == Some(tree.value.score()));
    }
}

#[test]
fn values_beyond_the_evaluators_range_count_as_its_ends() {
    for (number, end) in [(i32::MIN, -WIN / 2), (i32::MAX, WIN / 2), (WIN, WIN / 2), (-WIN, -WIN / 2)] {
        for depth in 0..3 {
            let limits = Limits::none().depth(depth);
            let evaluate = move |_: &FourInARow| number;
            let report = search(&mut Minimax::new(evaluate), &FourInARow::new(4, 4), &limits);
            let value = Value::Heuristic(if depth == 1 { -end } else { end });
            assert_eq!((report.value, report.bounds), (value, Bounds::UNKNOWN), "{number} at depth {depth}");
            let options = AlphaBetaOptions::new().exact_depth(true);
            let fast =
                search(&mut AlphaBeta::new(evaluate, options).unwrap(), &FourInARow::new(4, 4), &limits);
            assert_eq!(fast.value, value, "{number} at depth {depth}");
        }
    }
}
