//! Tests of graphs, in which a position that several lines lead to is one position: all laws of trees hold.

use std::time::Duration;

use super::common::{
    is_repeatable, minimax, play_on, random, search, search_cancelled_after, solves, visits,
};
use crate::games::{FourInARow, Literal, TicTacToe};
use proptest::prelude::*;
use stonework_game::{Finite, Game, Indexed, Keyed, Outcome};
use stonework_search::{
    Engine, Hybrid, HybridOptions, Limits, Mates, Mcts, MctsOptions, ParameterError, RandomPlayout, Rave,
    Stop, Widening,
};

fn graph<G: Indexed + Keyed + Finite>(settings: MctsOptions) -> Mcts<G, RandomPlayout<G>> {
    Mcts::new(random(), settings).unwrap().graph(true)
}

prop_compose! {
    fn settings()(
        (exploration, first_play) in (0.01_f32..2.0, -1.0_f32..2.0),
        rave in prop_oneof![
            Just(None),
            (0.0_f32..1000.0).prop_map(|k| Some(Rave::Schedule(k))),
            (0.0_f32..=1.0).prop_map(|b| Some(Rave::LeastError(b))),
        ],
        widening in proptest::option::of((1_u32..3, 0.0_f32..1.0, 0.0_f32..=1.0)),
        (playouts, revisit, expand_after) in (1_u32..4, prop_oneof![Just(0.0_f32), 0.0_f32..=1.0], 1_u32..6),
        (lines, threads, keep) in (1_usize..4, 1_usize..4, any::<bool>()),
    ) -> MctsOptions {
        let mut settings = MctsOptions::uct()
            .exploration(exploration)
            .first_play(first_play)
            .playouts(playouts)
            .revisit(revisit)
            .expand_after(expand_after)
            .lines(lines)
            .threads(threads)
            .bytes(1 << 20)
            .keep(keep);
        settings.rave = rave;
        settings.widening = widening.map(|(start, factor, power)| Widening { start, factor, power });
        settings
    }
}

/// Plays moves with a search before every other move, and solves the last position.
fn moves_on(settings: MctsOptions, seed: u64, path: [u8; 6], tiny: bool, on: [bool; 3]) {
    let mut game = Literal::new(seed, 7, 4, seed.is_multiple_of(2), true);
    let bytes = if tiny { 6000 } else { 1 << 20 };
    let mut engine = graph(settings.keep(true).bytes(bytes));
    for (pair, on) in path.chunks(2).zip(on) {
        // In some of the searches the engine builds a tree in place of a graph.
        engine = engine.graph(on || tiny);
        let report = search(&mut engine, &game, &Limits::none().simulations(60), seed);
        assert!(report.bytes <= bytes, "{}", report.bytes);
        let right = minimax(&game).bounds;
        assert!(report.bounds.least <= right.least && right.most <= report.bounds.most);
        play_on(&mut game, pair, |mv| _ = engine.advance(mv));
    }
    if !tiny {
        solves(&mut engine, &game, &Limits::none(), seed);
    }
}

/// A regression test: a position was proven while its children belonged to another move to the position; as a root
/// the position had no move.
#[test]
fn a_root_that_was_proven_elsewhere_has_a_move() {
    let settings = MctsOptions::uct().exploration(0.01).first_play(0.736_087_56).playouts(2).revisit(0.0);
    let widening = Widening { start: 1, factor: 0.404_370_22, power: 0.945_458_9 };
    let settings = settings.expand_after(1).widening(widening);
    moves_on(settings, 9_831_340_431_690_650_543, [108, 13, 28, 0, 86, 52], false, [false, true, true]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_option_equals_minimax(
        settings in settings(),
        (seed, depth, width) in (any::<u64>(), 1_u8..8, 1_u8..5),
        (double, merge, tactics) in (any::<bool>(), prop::bool::weighted(0.9), 0..4),
    ) {
        let game = Literal::new(seed, depth, width, double, merge);
        let engine = graph(settings);
        let limits = Limits::none();
        match tactics {
            0 => solves(&mut engine.tactics(Mates::in_one()), &game, &limits, seed),
            1 => solves(&mut engine.tactics(Mates::and_answers()), &game, &limits, seed),
            2 => solves(&mut Hybrid::new(engine, HybridOptions::new().probe_after(2).probe_nodes(5)).unwrap(), &game, &limits, seed),
            _ => solves(&mut { engine }, &game, &limits, seed),
        }
    }

    #[test]
    fn bounds_that_are_broken_off_are_right(settings in settings(), seed in any::<u64>(), n in 1_u64..300) {
        let game = Literal::new(seed, 7, 4, seed % 2 == 0, true);
        let right = minimax(&game).bounds;
        for limits in [Limits::none().simulations(n), Limits::none().nodes(5 * n)] {
            let bounds = search(&mut graph(settings.clone()), &game, &limits, seed).bounds;
            prop_assert!(bounds.least <= right.least && right.most <= bounds.most, "{bounds:?} {right:?}");
        }
    }

    #[test]
    fn a_graph_that_is_kept_finds_the_same_values(
        (settings, seed, path) in (settings(), any::<u64>(), any::<[u8; 6]>()),
        (tiny, on) in any::<(bool, [bool; 3])>(),
    ) {
        moves_on(settings, seed, path, tiny, on);
    }

    #[test]
    fn a_graph_far_too_small_still_solves(
        (seed, rave, threads) in (any::<u64>(), any::<bool>(), 1_usize..3),
        bytes in 4000_usize..20_000,
    ) {
        let game = Literal::new(seed, 9, 4, false, true);
        let settings = if rave { MctsOptions::with_rave() } else { MctsOptions::uct() };
        let mut engine = graph(settings.expand_after(1).threads(threads));
        let limits = Limits::none().bytes(bytes);
        let report = search(&mut engine, &game, &limits.clone().simulations(2000), seed);
        prop_assert!(report.bytes <= bytes, "{}", report.bytes);
        if report.stopped == Some(Stop::Solved) {
            prop_assert_eq!(report.proven, minimax(&game).proven);
        }
    }
}

/// A regression test: when the root of a graph moves on, a node takes over what another way to its position has proven. The nodes
/// above did not learn of it, and in one search of a hundred no number of simulations could then prove the root.
#[test]
fn a_proof_that_is_taken_over_when_the_root_moves_on_reaches_the_root() {
    for seed in 0..600 {
        for (simulations, width, depth) in [(8, 2, 8), (20, 2, 10), (40, 3, 8), (80, 3, 10)] {
            let mut game = Literal::new(seed, depth, width, false, true);
            let mut engine = graph(MctsOptions::uct().expand_after(1).keep(true));
            for turn in 0..4 {
                search(&mut engine, &game, &Limits::none().simulations(simulations), seed);
                let moves = game.moves();
                let Some(&mv) = moves.get(turn % moves.len().max(1)) else { break };
                engine.advance(mv);
                game.play(mv).unwrap();
            }
            let report = search(&mut engine, &game, &Limits::none().simulations(20_000), seed);
            assert_eq!(report.stopped, Some(Stop::Solved), "{seed}: {game:?} {report:?}");
            assert_eq!(report.bounds, minimax(&game).bounds, "{seed}: {game:?}");
        }
    }
}

#[test]
fn small_games_are_solved_with_less() {
    let tree = search(&mut graph(MctsOptions::uct()).graph(false), &TicTacToe::default(), &Limits::none(), 1);
    let report = search(&mut graph(MctsOptions::uct()), &TicTacToe::default(), &Limits::none(), 1);
    assert_eq!((report.proven, tree.proven), (Some(Outcome::Draw), Some(Outcome::Draw)));
    assert!(report.hash.hits > 0 && report.hash.stores > 0 && tree.hash.probes == 0, "{report:?}");
    assert!(report.simulations * 2 < tree.simulations, "{} {}", report.simulations, tree.simulations);
    let game = FourInARow::new(4, 4);
    let tree = search(&mut graph(MctsOptions::uct()).graph(false), &game, &Limits::none(), 1);
    let report = search(&mut graph(MctsOptions::uct()), &game, &Limits::none(), 1);
    assert_eq!((report.proven, tree.proven), (Some(Outcome::Draw), Some(Outcome::Draw)));
    assert!(report.simulations * 2 < tree.simulations, "{} {}", report.simulations, tree.simulations);
}

#[test]
fn limits_are_kept_to_the_number() {
    let game = FourInARow::new(7, 6);
    for threads in [1, 3] {
        let mut engine = graph(MctsOptions::with_rave().threads(threads).bytes(1 << 22));
        for n in [1, 2, 3, 10, 63, 64, 65, 1000, 12_345, 100_003] {
            let report = search(&mut engine, &game, &Limits::none().simulations(n), 5);
            assert_eq!((report.simulations, report.stopped), (n, Some(Stop::Simulations)));
            let report = search(&mut engine, &game, &Limits::none().nodes(n), 5);
            assert_eq!((report.nodes, report.stopped), (n, Some(Stop::Nodes)), "{threads}");
        }
    }
}

#[test]
fn a_hard_memory_cap_is_held_and_the_search_goes_on() {
    let game = FourInARow::new(7, 6);
    for threads in [1, 2] {
        let mut engine = graph(MctsOptions::uct().expand_after(1).threads(threads).bytes(64 << 10));
        let report = search(&mut engine, &game, &Limits::none().simulations(200_000), 1);
        assert_eq!(report.simulations, 200_000);
        assert!(report.bytes <= 64 << 10 && report.bytes > 63 << 10, "{}", report.bytes);
        assert_eq!(report.best, Some(3), "{report:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    for settings in [MctsOptions::uct().bytes(100_000), MctsOptions::with_rave().lines(3)] {
        for keep in [false, true] {
            let limits = Limits::none().simulations(20_000);
            is_repeatable(|| graph(settings.clone().keep(keep)), &limits, keep);
        }
    }
}

#[test]
fn no_visit_is_lost_when_its_root_moves_on() {
    let mut game = FourInARow::new(7, 6);
    for threads in [1, 4] {
        let settings = MctsOptions::with_rave().threads(threads).keep(true).lines(7);
        let mut engine = graph(settings);
        let report = search(&mut engine, &game, &Limits::none().simulations(50_000), 1);
        assert_eq!(visits(&report).iter().sum::<u64>(), 50_000);
        assert_eq!(engine.kept_visits(), 50_000);
        let best = report.best.unwrap();
        assert!(engine.advance(best));
        game.play(best).unwrap();
        // The children of a position count the visits by all moves to the position.
        let kept = engine.kept_visits();
        assert!(kept + 10 > visits(&report)[0], "{kept} {:?}", visits(&report));
        let report = search(&mut engine, &game, &Limits::none().simulations(1000), 2);
        assert_eq!(visits(&report).iter().sum::<u64>(), kept + 1000);
    }
}

#[test]
fn it_ponders() {
    let game = FourInARow::new(7, 6);
    let mut engine = graph(MctsOptions::with_rave().threads(2).keep(true).lines(7).bytes(1 << 22));
    let pondered = search_cancelled_after(&mut engine, &game, Duration::from_millis(200));
    assert_eq!(pondered.stopped, Some(Stop::Cancel));
    let reply = pondered.lines.last().map(|line| line.moves[0]).unwrap();
    assert!(engine.advance(reply) && engine.kept_visits() > 0);
}

#[test]
fn the_dial_is_there_where_a_graph_may_be() {
    let mut engine = graph::<TicTacToe>(MctsOptions::uct()).graph(false);
    let shown = |engine: &Mcts<TicTacToe, _>| {
        engine
            .parameters()
            .into_iter()
            .find(|parameter| parameter.name == "graph")
            .map(|parameter| parameter.value)
    };
    assert_eq!(shown(&engine), Some(0.0));
    engine.set_parameter("graph", 1.0).unwrap();
    assert_eq!(shown(&engine), Some(1.0));
    assert!(matches!(
        engine.set_parameter("graph", 0.5),
        Err(ParameterError::NotWhole { name: "graph", .. })
    ));
    let mut engine = Mcts::<TicTacToe, _>::new(random(), MctsOptions::uct()).unwrap();
    assert!(matches!(engine.set_parameter("graph", 1.0), Err(ParameterError::Unknown { .. })));
}
