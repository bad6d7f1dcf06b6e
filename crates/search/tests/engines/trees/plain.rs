//! Tests of Monte-Carlo trees.

use std::time::{Duration, Instant};

use super::common::{minimax, play_on, random, search, solves};
use crate::games::{FourInARow, Liar, Literal, TicTacToe, Walk, scatter};
use proptest::prelude::*;
use stonework_game::{Game, Indexed, Outcome, Player};
use stonework_search::{
    Bounds, Choice, Effort, Engine, Limits, Mates, Mcts, MctsOptions, OptionsError, Priors, Rave,
    ReplyPlayout, Report, SearchContext, Stop, Tactics, Verdict, WIN, Widening,
};

impl Indexed for Liar {
    fn index_len(&self) -> usize {
        3
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        Some(index as u8)
    }
}

/// Priors by hash: the laws must hold with arbitrary priors.
#[derive(Clone, Copy)]
struct Whims(u64);

impl<G: Indexed> Priors<G> for Whims {
    fn priors(&mut self, game: &G, moves: &[G::Move], out: &mut Vec<f32>) {
        let prior = |mv: &G::Move| (scatter(self.0 ^ game.move_index(*mv) as u64) % 100) as f32 / 100.0;
        out.extend(moves.iter().map(prior));
    }
}

/// Tactics with the side that cannot win, by minimax; in a draw, with the list of all moves.
#[derive(Clone, Copy)]
struct Never;

impl<G: Game> Tactics<G> for Never {
    fn probe(&mut self, game: &mut G, only: &mut Vec<G::Move>) -> Verdict<G::Move> {
        let side = game.to_move();
        match minimax(game).value.score().signum() {
            1 => Verdict::Never(side.other()),
            -1 => Verdict::Never(side),
            _ => {
                game.legal_moves(only);
                Verdict::Only
            }
        }
    }
}

/// Tactics that know nothing at once, and by study the moves that keep the value, by minimax.
#[derive(Clone, Copy)]
struct Studious;

impl<G: Game> Tactics<G> for Studious {
    fn probe(&mut self, _: &mut G, _: &mut Vec<G::Move>) -> Verdict<G::Move> {
        Verdict::Open
    }

    fn study(&mut self, game: &mut G, _effort: &mut Effort, only: &mut Vec<G::Move>) -> Verdict<G::Move> {
        let report = minimax(game);
        let loss = Some(Outcome::Win(game.to_move().other()));
        match report.value.score().signum() {
            1 => report.best.map_or(Verdict::Open, Verdict::Win),
            -1 => Verdict::Loss,
            _ => {
                game.legal_moves(only);
                only.retain(|&mv| {
                    let undo = game.play_unchecked(mv);
                    let value = game.outcome().or_else(|| minimax(game).proven);
                    game.undo(undo);
                    value != loss
                });
                Verdict::Only
            }
        }
    }
}

/// A report with the value of a studied root, and with a move that keeps a win or a draw.
fn keeps_the_value(game: &Literal, report: &Report<u8>) -> Result<(), TestCaseError> {
    if game.outcome().is_some() {
        return Ok(());
    }
    let value = minimax(game).value.score().signum();
    if value != 0 {
        prop_assert_eq!(report.value.score().signum(), value);
    }
    if let (0.., Some(best)) = (value, report.best) {
        let mut after = *game;
        after.play_unchecked(best);
        let won = after.outcome().or_else(|| minimax(&after).proven);
        let wanted = if value > 0 { Outcome::Win(game.to_move()) } else { Outcome::Draw };
        prop_assert_eq!(won, Some(wanted));
    }
    Ok(())
}

prop_compose! {
    fn settings()(
        (exploration, first_play, bias) in (0.0_f32..2.0, -1.0_f32..2.0, 0.0_f32..1.0),
        rave in prop_oneof![
            Just(None),
            (0.0_f32..1000.0).prop_map(|k| Some(Rave::Schedule(k))),
            (0.0_f32..=1.0).prop_map(|b| Some(Rave::LeastError(b))),
        ],
        widening in proptest::option::of((1_u32..3, 0.0_f32..1.0, 0.0_f32..=1.0)),
        (playouts, revisit, expand_after) in (1_u32..4, prop_oneof![Just(0.0_f32), 0.0_f32..=1.0], 1_u32..6),
        choice in prop_oneof![Just(Choice::Visits), Just(Choice::Value), Just(Choice::Secure(1.0))],
        (lines, threads, own_trees, keep) in (1_usize..4, 1_usize..3, any::<bool>(), any::<bool>()),
        study_after in 0_u32..6,
        (puct, unvisited_loss) in (prop_oneof![Just(0.0_f32), 0.5_f32..2.0], -0.5_f32..0.0),
    ) -> MctsOptions {
        let mut settings = MctsOptions::uct()
            .exploration(exploration + 0.01)
            .first_play(first_play)
            .bias(bias)
            .playouts(playouts)
            .revisit(revisit)
            .expand_after(expand_after)
            .choice(choice)
            .lines(lines)
            .threads(threads)
            .own_trees(own_trees)
            .keep(keep)
            .study_after(study_after)
            .puct(puct)
            .unvisited_loss(unvisited_loss);
        settings.rave = rave;
        settings.widening = widening.map(|(start, factor, power)| Widening { start, factor, power });
        settings
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_option_equals_minimax(
        settings in settings(),
        (seed, depth, width) in (any::<u64>(), 1_u8..6, 1_u8..5),
        double in any::<bool>(),
        strategies in 0..6,
    ) {
        let game = Literal::new(seed, depth, width, double, false);
        let engine = Mcts::new(random(), settings.clone()).unwrap();
        let limits = Limits::none();
        match strategies {
            0 => solves(&mut engine.priors(Whims(seed)), &game, &limits, seed),
            1 => solves(&mut engine.tactics(Mates::in_one()), &game, &limits, seed),
            2 => solves(&mut engine.tactics(Mates::and_answers()).priors(Whims(seed)), &game, &limits, seed),
            3 => solves(&mut engine.tactics(Never), &game, &limits, seed),
            4 => solves(&mut engine.tactics(Studious), &game, &limits, seed),
            _ => solves(&mut Mcts::new(ReplyPlayout::new(9), settings).unwrap(), &game, &limits, seed),
        }
    }

    #[test]
    fn a_studied_root_has_no_losing_move(seed in any::<u64>(), depth in 2_u8..5, width in 2_u8..5, n in 1_u64..4) {
        let game = Literal::new(seed, depth, width, false, false);
        let settings = MctsOptions::uct().study_after(1);
        let report = search(&mut Mcts::new(random(), settings).unwrap().tactics(Studious), &game, &Limits::none().simulations(n), seed);
        keeps_the_value(&game, &report)?;
    }

    #[test]
    fn a_studied_root_of_a_kept_tree_has_no_losing_move(
        settings in settings(),
        (seed, after, n) in (any::<u64>(), 1_u32..6, 1_u64..200),
        path in any::<[u8; 6]>(),
    ) {
        let mut game = Literal::new(seed, 6, 4, seed % 2 == 0, false);
        let mut engine = Mcts::new(random(), settings.keep(true).study_after(after)).unwrap().tactics(Studious);
        for pair in path.chunks(2) {
            let report = search(&mut engine, &game, &Limits::none().simulations(n), seed);
            keeps_the_value(&game, &report)?;
            play_on(&mut game, pair, |mv| _ = engine.advance(mv));
        }
    }

    #[test]
    fn wide_games_equal_minimax(settings in settings(), seed in any::<u64>(), depth in 1_u8..4, priors in any::<bool>()) {
        let game = Literal::new(seed, depth, 40, seed % 2 == 0, false);
        let mut engine = Mcts::new(random(), settings).unwrap();
        if priors {
            solves(&mut engine.priors(Whims(seed)), &game, &Limits::none(), seed);
        } else {
            solves(&mut engine, &game, &Limits::none(), seed);
        }
    }

    #[test]
    fn games_that_repeat_equal_minimax(settings in settings(), limit in 2_u8..5, cells in 3_u8..6, seed in any::<u64>()) {
        let game = Walk::new(cells, [cells - 1, 1 + (seed % 2) as u8], limit);
        solves(&mut Mcts::new(random(), settings).unwrap().tactics(Mates::and_answers()), &game, &Limits::none(), seed);
    }

    #[test]
    fn a_tree_that_is_kept_finds_the_same_values(settings in settings(), seed in any::<u64>(), path in any::<[u8; 6]>()) {
        let mut game = Literal::new(seed, 6, 4, seed % 2 == 0, false);
        let mut engine = Mcts::new(random(), settings.keep(true)).unwrap();
        for pair in path.chunks(2) {
            search(&mut engine, &game, &Limits::none().simulations(20), seed);
            play_on(&mut game, pair, |mv| _ = engine.advance(mv));
        }
        solves(&mut engine, &game, &Limits::none(), seed);
    }

    #[test]
    fn a_tree_far_too_small_still_solves(
        (seed, rave) in (any::<u64>(), any::<bool>()),
        (threads, own_trees) in (1_usize..3, any::<bool>()),
    ) {
        let game = Literal::new(seed, 9, 4, false, false);
        let settings = if rave { MctsOptions::with_rave() } else { MctsOptions::uct() };
        let settings = settings.expand_after(1).threads(threads).own_trees(own_trees);
        let mut engine = Mcts::new(random(), settings).unwrap();
        let limits = Limits::none().bytes(3000);
        let report = search(&mut engine, &game, &limits.clone().simulations(20_000), seed);
        prop_assert!(report.bytes <= 3000, "{}", report.bytes);
        if report.stopped == Some(Stop::Solved) {
            prop_assert_eq!(report.proven, minimax(&game).proven);
        }
    }
}

/// Tactics that leave one move of every studied position.
#[derive(Clone, Copy)]
struct Narrow;

impl<G: Game> Tactics<G> for Narrow {
    fn probe(&mut self, _: &mut G, _: &mut Vec<G::Move>) -> Verdict<G::Move> {
        Verdict::Open
    }

    fn study(&mut self, game: &mut G, _effort: &mut Effort, only: &mut Vec<G::Move>) -> Verdict<G::Move> {
        game.legal_moves(only);
        only.truncate(1);
        Verdict::Only
    }
}

#[test]
fn a_search_ends_at_once_where_one_move_is_left() {
    let settings = MctsOptions::uct().study_after(1_000_000);
    let mut engine = Mcts::new(random(), settings).unwrap().tactics(Narrow);
    let minute = Duration::from_secs(60);
    let start = Instant::now();
    let report =
        search(&mut engine, &FourInARow::new(7, 6), &Limits::none().time(10 * minute).enough(minute), 1);
    assert!(report.best == Some(0) && report.proven.is_none() && report.stopped == Some(Stop::Time));
    assert!(start.elapsed() < minute);
}

#[test]
fn tic_tac_toe_is_drawn() {
    for settings in
        [MctsOptions::uct(), MctsOptions::with_rave(), MctsOptions::with_rave().rave(Rave::LeastError(0.1))]
    {
        let mut engine = Mcts::new(random(), settings.clone()).unwrap();
        let report = search(&mut engine, &TicTacToe::default(), &Limits::none(), 1);
        assert_eq!(
            (report.proven, report.value.score(), report.stopped),
            (Some(Outcome::Draw), 0, Some(Stop::Solved))
        );
        let mut engine = engine.tactics(Mates::and_answers());
        let quicker = search(&mut engine, &TicTacToe::default(), &Limits::none(), 1);
        assert_eq!(quicker.proven, Some(Outcome::Draw));
        assert!(quicker.simulations < report.simulations, "{} {}", quicker.simulations, report.simulations);
    }
}

#[test]
fn connect_four_on_small_boards_equals_minimax() {
    let mut engine = Mcts::new(random(), MctsOptions::with_rave()).unwrap().tactics(Mates::and_answers());
    let report = search(&mut engine, &FourInARow::new(4, 4), &Limits::none(), 1);
    assert_eq!(report.proven, Some(Outcome::Draw));
    for seed in 0..20 {
        let mut game = FourInARow::new(5, 4);
        for ply in 0..8 {
            let moves = game.moves();
            if let Some(&mv) = moves.get(scatter(seed << 8 | ply) as usize % moves.len().max(1)) {
                game.play(mv).unwrap();
            }
        }
        solves(&mut engine, &game, &Limits::none(), seed);
    }
}

#[test]
fn a_win_in_one_is_found_and_reported() {
    let mut game = FourInARow::new(7, 6);
    for column in [3, 0, 3, 0, 3, 0] {
        game.play(column).unwrap();
    }
    for report in [
        search(&mut Mcts::new(random(), MctsOptions::uct()).unwrap(), &game, &Limits::none(), 1),
        search(
            &mut Mcts::new(random(), MctsOptions::uct()).unwrap().tactics(Mates::in_one()),
            &game,
            &Limits::none(),
            1,
        ),
    ] {
        assert_eq!(
            (report.best, report.value.score(), report.stopped),
            (Some(3), WIN - 1, Some(Stop::Solved))
        );
        assert_eq!((report.line(), report.proven), (&[3][..], Some(Outcome::Win(Player::First))));
    }
}

#[test]
fn a_root_that_is_over_is_reported() {
    let mut game = FourInARow::new(7, 6);
    for column in [3, 0, 3, 0, 3, 0, 3] {
        game.play(column).unwrap();
    }
    let report = search(&mut Mcts::new(random(), MctsOptions::uct()).unwrap(), &game, &Limits::none(), 1);
    assert_eq!((report.best, report.proven), (None, Some(Outcome::Win(Player::First))));
    assert_eq!(report.bounds, Bounds::exact(-1));
}

#[test]
fn a_lost_root_has_a_move() {
    // The second player has three in a row with both ends open; the first player is to move and has no win.
    let mut game = FourInARow::new(7, 6);
    for column in [0, 2, 0, 3, 6, 4] {
        game.play(column).unwrap();
    }
    let mut engine = Mcts::new(random(), MctsOptions::uct()).unwrap().tactics(Mates::and_answers());
    let report = search(&mut engine, &game, &Limits::none(), 1);
    assert_eq!(report.proven, Some(Outcome::Win(Player::Second)));
    assert!(report.best.is_some_and(|mv| game.check(mv).is_ok()), "{report:?}");
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let game = FourInARow::new(7, 6);
    for settings in [
        MctsOptions::uct().bytes(100_000),
        MctsOptions::with_rave().lines(3),
        MctsOptions::with_rave().playouts(3),
    ] {
        let mut engine = Mcts::new(ReplyPlayout::new(50), settings.clone()).unwrap().priors(Whims(3));
        let limits = Limits::none().simulations(20_000);
        let mut reports = [7, 7, 8].map(|seed| search(&mut engine, &game, &limits, seed));
        for report in &mut reports {
            report.time = Duration::ZERO;
        }
        assert_eq!(reports[0], reports[1]);
        assert_ne!(reports[0], reports[2]);
    }
}

#[test]
fn what_is_watched_grows() {
    let game = FourInARow::new(7, 6);
    let mut engine = Mcts::new(random(), MctsOptions::uct()).unwrap();
    let mut seen = Vec::new();
    let mut watch = |report: &Report<u8>| seen.push(report.simulations);
    let limits = Limits::none().time(Duration::from_millis(1500));
    engine.search(&game, &limits, SearchContext::seed(1).watch(&mut watch));
    assert!(seen.len() >= 3 && seen.is_sorted() && seen[0] > 0, "{seen:?}");
}

#[test]
fn every_way_to_choose_finds_the_good_move() {
    let mut game = FourInARow::new(7, 6);
    for column in [3, 3, 2, 2] {
        game.play(column).unwrap();
    }
    for choice in [Choice::Visits, Choice::Value, Choice::Secure(0.5)] {
        let mut engine = Mcts::new(random(), MctsOptions::uct().choice(choice)).unwrap();
        let report = search(&mut engine, &game, &Limits::none().simulations(20_000), 1);
        // The first player makes three in a row with open ends.
        assert!(matches!(report.best, Some(1 | 4)), "{choice:?} {report:?}");
        assert!(report.value.score() > 0);
    }
}

#[test]
fn a_game_that_lies_about_its_end_gets_a_report() {
    for moves in [0, 1, 2, 9] {
        let mut engine = Mcts::new(random(), MctsOptions::with_rave()).unwrap().tactics(Mates::and_answers());
        let report = search(&mut engine, &Liar { moves }, &Limits::none().simulations(500), 1);
        assert_eq!((report.best.is_some(), report.proven), (moves > 0, None), "{report:?}");
        assert_eq!(report.stopped, if moves > 0 { Some(Stop::Simulations) } else { Some(Stop::Solved) });
    }
}

#[test]
fn a_search_cut_off_while_it_tidies_up_goes_on_later() {
    // Column 3 is the only move that does not lose at once.
    let mut game = FourInARow::new(7, 6);
    for column in [3, 0, 3, 0, 3] {
        game.play(column).unwrap();
    }
    let mut engine =
        Mcts::new(random(), MctsOptions::uct().expand_after(1).bytes(8 << 20).keep(true)).unwrap();
    let mut before = 0;
    for millis in 1..60 {
        let limits = Limits::none().time(Duration::from_millis(millis % 7));
        let report = search(&mut engine, &game, &limits, millis);
        assert!(engine.kept_visits() >= before);
        before = engine.kept_visits();
        assert!(report.line().iter().try_fold(game, |mut game, &mv| game.play(mv).map(|_| game)).is_ok());
    }
    let right = search(&mut engine, &game, &Limits::none().simulations(1000), 1);
    assert_eq!((right.simulations, right.best), (1000, Some(3)), "{right:?}");
    assert_eq!(engine.kept_visits(), before + 1000);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let refused = |settings: MctsOptions| {
        Mcts::<TicTacToe, _>::new(random::<TicTacToe>(), settings).unwrap_err().to_string()
    };
    let uct = MctsOptions::uct;
    assert_eq!(refused(uct().playouts(0)), "playouts is 0, but has to be between 1 and 64");
    assert_eq!(refused(uct().revisit(1.5)), "revisit is 1.5, but has to be between 0 and 1");
    assert!(refused(uct().exploration(f32::NAN)).starts_with("exploration is NaN"));
    assert!(
        refused(uct().threads(257.try_into().unwrap()))
            .starts_with("threads is 257, but has to be between 1 and 256")
    );
    assert!(refused(uct().lines(0)).starts_with("lines is 0"));
    assert!(refused(uct().rave(Rave::LeastError(2.0))).starts_with("rave least error is 2"));
    let none = Widening { start: 0, factor: 1.0, power: 0.5 };
    assert!(refused(uct().widening(none)).starts_with("widening start is 0"));
    let error = uct().threads(2).virtual_loss(0).check().unwrap_err();
    assert_eq!(error, OptionsError::NoVirtualLoss { threads: 2.try_into().unwrap() });
    let apart = uct().threads(2).virtual_loss(0).own_trees(true);
    assert_eq!(apart.check(), Ok(()));
    let error = uct().exploration(0.0).first_play(-1.0).check().unwrap_err();
    assert_eq!(error, OptionsError::NeverExplores { first_play: -1.0 });
}

/// A good opinion of the first column alone.
#[derive(Clone, Copy)]
struct FirstColumn;

impl Priors<FourInARow> for FirstColumn {
    fn priors(&mut self, _: &FourInARow, moves: &[u8], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|&mv| if mv == 0 { 1.0 } else { 0.0 }));
    }
}

#[test]
fn a_negative_bias_tries_the_move_with_the_highest_prior_last() {
    let visits_of_first_column = |bias: f32| {
        let options = MctsOptions::uct().bias(bias).lines(7);
        let mut engine = Mcts::new(random(), options).unwrap().priors(FirstColumn);
        let report = search(&mut engine, &FourInARow::new(7, 6), &Limits::none().simulations(6), 1);
        report.lines.iter().find(|line| line.moves[0] == 0).and_then(|line| line.visits).unwrap_or(0)
    };
    assert_eq!((visits_of_first_column(1.0), visits_of_first_column(-1.0)), (1, 0));
}

#[test]
fn scores_beyond_all_numbers_do_not_hold_a_search_at_a_decided_move() {
    let wide = (0..1000).map(|seed| Literal::new(seed, 2, 40, false, false));
    let huge = |options: MctsOptions| [options.clone().exploration(f32::MAX), options.bias(-f32::MAX)];
    for game in wide.filter(|game| game.moves().len() > 16).take(20) {
        for options in [MctsOptions::uct(), MctsOptions::with_rave()].into_iter().flat_map(huge) {
            let mut engine = Mcts::new(random(), options).unwrap().priors(Whims(1));
            solves(&mut engine, &game, &Limits::none().simulations(100_000), 1);
        }
    }
}
