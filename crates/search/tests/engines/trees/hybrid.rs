//! Tests of hybrids of a tree and df-pn.

use super::common::{
    is_repeatable, limits_of_zero_give_a_report, minimax, random, search, solves, stops_in_time,
};
use crate::games::{FourInARow, Literal, TicTacToe, Walk};
use proptest::prelude::*;
use stonework_game::{Finite, Game, Indexed, Outcome, Player};
use stonework_search::{
    Bounds, Engine, Hybrid, HybridOptions, Limits, Mates, Mcts, MctsOptions, RandomPlayout, Rave, Stop,
};

impl Finite for Walk {}

fn hybrid<G: Indexed>(settings: MctsOptions, options: HybridOptions) -> Hybrid<G, RandomPlayout<G>> {
    Hybrid::new(Mcts::new(random(), settings).unwrap(), options).unwrap()
}

prop_compose! {
    fn settings()(
        rave in prop_oneof![Just(None), Just(Some(Rave::Schedule(100.0)))],
        (playouts, expand_after) in (1_u32..3, 1_u32..4),
        (lines, threads, keep) in (1_usize..3, 1_usize..3, any::<bool>()),
    ) -> MctsOptions {
        let mut settings = MctsOptions::uct()
            .playouts(playouts)
            .expand_after(expand_after)
            .lines(lines)
            .threads(threads)
            .bytes(1 << 20)
            .keep(keep);
        settings.rave = rave;
        settings
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_of_all_kinds_equal_minimax(
        settings in settings(),
        (seed, depth, width) in (any::<u64>(), 1_u8..7, 1_u8..5),
        (double, merge) in any::<(bool, bool)>(),
        (after, nodes, tactics) in (1_u32..10, prop_oneof![0_u32..3, 0_u32..100], 0..3),
    ) {
        let game = Literal::new(seed, depth, width, double, merge);
        let tree = Mcts::new(random(), settings).unwrap();
        match tactics {
            0 => solves(&mut Hybrid::new(tree, HybridOptions::new().probe_after(after).probe_nodes(nodes)).unwrap(), &game, &Limits::none(), seed),
            1 => {
                let mut engine = Hybrid::new(tree.tactics(Mates::in_one()), HybridOptions::new().probe_after(after).probe_nodes(nodes)).unwrap();
                solves(&mut engine, &game, &Limits::none(), seed);
            }
            _ => {
                let mut engine = Hybrid::new(tree.tactics(Mates::and_answers()), HybridOptions::new().probe_after(after).probe_nodes(nodes)).unwrap();
                solves(&mut engine, &game, &Limits::none(), seed);
            }
        }
    }

    #[test]
    fn games_that_repeat_equal_minimax(
        settings in settings(),
        (limit, cells, seed) in (2_u8..5, 3_u8..6, any::<u64>()),
        (after, nodes) in (1_u32..10, 1_u32..50),
    ) {
        let game = Walk::new(cells, [cells - 1, 1 + (seed % 2) as u8], limit);
        let mut engine = hybrid(settings, HybridOptions::new().probe_after(after).probe_nodes(nodes));
        solves(&mut engine, &game, &Limits::none(), seed);
    }

    #[test]
    fn a_table_and_a_tree_that_are_kept_find_the_same_values(
        (settings, seed, path) in (settings(), any::<u64>(), any::<[u8; 6]>()),
        tiny in any::<bool>(),
    ) {
        let bytes = if tiny { 4000 } else { 1 << 20 };
        let mut game = Literal::new(seed, 7, 4, seed % 2 == 0, true);
        let mut engine = hybrid(settings.keep(true).bytes(bytes), HybridOptions::new().probe_after(2));
        for &turn in &path {
            let report = search(&mut engine, &game, &Limits::none().simulations(15), seed);
            let right = minimax(&game).bounds;
            prop_assert!(report.bounds.least <= right.least && right.most <= report.bounds.most);
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[usize::from(turn) % moves.len()];
            game.play(mv).unwrap();
            if turn % 3 == 0 {
                engine.advance(mv);
            }
        }
        if !tiny {
            solves(&mut engine, &game, &Limits::none(), seed);
        }
    }

    #[test]
    fn bounds_that_are_broken_off_are_right(
        (settings, seed, double) in (settings(), any::<u64>(), any::<bool>()),
        (simulations, after, nodes) in (1_u64..60, 1_u32..4, 1_u32..40),
    ) {
        let game = Literal::new(seed, 7, 4, double, true);
        let mut engine = hybrid(settings, HybridOptions::new().probe_after(after).probe_nodes(nodes));
        let Bounds { least, most } = minimax(&game).bounds;
        let report = search(&mut engine, &game, &Limits::none().simulations(simulations), seed);
        prop_assert!(report.bounds.least <= least && most <= report.bounds.most, "{report:?}");
        let report = search(&mut engine, &game, &Limits::none().nodes(simulations * 7), seed);
        prop_assert!(report.bounds.least <= least && most <= report.bounds.most, "{report:?}");
    }
}

#[test]
fn small_games_are_solved() {
    let report = search(
        &mut hybrid(MctsOptions::with_rave(), HybridOptions::new()),
        &TicTacToe::default(),
        &Limits::none(),
        1,
    );
    assert_eq!((report.proven, report.stopped), (Some(Outcome::Draw), Some(Stop::Solved)));
    let report = search(
        &mut hybrid(MctsOptions::with_rave(), HybridOptions::new()),
        &FourInARow::new(4, 4),
        &Limits::none(),
        1,
    );
    assert_eq!((report.proven, report.stopped), (Some(Outcome::Draw), Some(Stop::Solved)));
}

#[test]
fn proofs_come_sooner_than_from_the_tree_alone() {
    let game = FourInARow::new(4, 4);
    let limits = Limits::none();
    let alone = search(&mut Mcts::new(random(), MctsOptions::uct()).unwrap(), &game, &limits, 1);
    let report = search(&mut hybrid(MctsOptions::uct(), HybridOptions::new()), &game, &limits, 1);
    assert_eq!((report.proven, alone.proven), (Some(Outcome::Draw), Some(Outcome::Draw)));
    assert!(report.simulations * 10 < alone.simulations, "{} {}", report.simulations, alone.simulations);
    assert!(report.nodes * 2 < alone.nodes, "{} {}", report.nodes, alone.nodes);
    assert!(report.hash.hits > 0 && report.hash.stores > 0);
}

#[test]
fn the_line_of_a_proof_goes_on_beyond_the_tree() {
    // The first player has two open stones in the middle row, and wins by force.
    let mut game = FourInARow::new(7, 6);
    for column in [3, 3, 2, 2] {
        game.play(column).unwrap();
    }
    let report = search(
        &mut hybrid(MctsOptions::uct(), HybridOptions::new().probe_after(1).probe_nodes(1000)),
        &game,
        &Limits::none(),
        1,
    );
    assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
    let mut end = game;
    report.line().iter().for_each(|&mv| _ = end.play(mv).expect("the line is legal"));
    assert_eq!(end.outcome(), report.proven, "{report:?}");
}

#[test]
fn limits_are_kept_to_the_number() {
    let game = FourInARow::new(7, 6);
    for threads in [1, 3] {
        let mut engine =
            hybrid(MctsOptions::with_rave().threads(threads).bytes(1 << 22), HybridOptions::new());
        for n in [1, 2, 3, 10, 63, 64, 65, 1000, 12_345, 100_001] {
            let report = search(&mut engine, &game, &Limits::none().nodes(n), 5);
            assert_eq!((report.nodes, report.stopped), (n, Some(Stop::Nodes)), "{threads}");
        }
        for n in [1, 2, 3, 64, 500] {
            let report = search(&mut engine, &game, &Limits::none().simulations(n), 5);
            assert_eq!((report.simulations, report.stopped), (n, Some(Stop::Simulations)));
        }
    }
}

#[test]
fn zero_limits_give_a_report() {
    limits_of_zero_give_a_report(|| hybrid(MctsOptions::uct(), HybridOptions::new()));
}

#[test]
fn memory_is_kept_and_the_search_goes_on() {
    let game = FourInARow::new(7, 6);
    for bytes in [20_000, 1 << 20] {
        let mut engine = hybrid(MctsOptions::with_rave(), HybridOptions::new());
        let report = search(&mut engine, &game, &Limits::none().bytes(bytes).simulations(30_000), 1);
        assert!(report.bytes <= bytes, "{} of {bytes}", report.bytes);
        assert_eq!((report.simulations, report.stopped), (30_000, Some(Stop::Simulations)));
    }
}

#[test]
fn a_long_probe_does_not_delay_the_end() {
    let mut engine =
        hybrid(MctsOptions::uct().bytes(1 << 22), HybridOptions::new().probe_after(1).probe_nodes(1 << 23));
    stops_in_time(&mut engine, &FourInARow::new(7, 6));
}

#[test]
fn the_same_seed_gives_the_same_report() {
    for settings in [MctsOptions::uct().bytes(200_000), MctsOptions::with_rave().lines(3)] {
        for keep in [false, true] {
            let make = || hybrid(settings.clone().keep(keep), HybridOptions::new());
            is_repeatable(make, &Limits::none().nodes(200_000), keep);
        }
    }
}

#[test]
fn dials_turn_tree_and_probes() {
    let mut engine = hybrid::<TicTacToe>(MctsOptions::with_rave(), HybridOptions::new());
    for (parameter, value) in [("probe_after", 3.0), ("probe_nodes", 100.0), ("rave", 50.0)] {
        engine.set_parameter(parameter, value).unwrap();
        let shown = engine.parameters().into_iter().find(|d| d.name == parameter).unwrap().value;
        assert!((shown - value).abs() < 1e-9, "{parameter}");
    }
    assert!(engine.set_parameter("probe_after", 0.0).is_err());
    assert!(engine.set_parameter("speed", 1.0).unwrap_err().to_string().contains("probe_nodes"));
}
