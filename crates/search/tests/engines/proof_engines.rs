//! Tests of proof-number engines against minimax, and of their limits and reports.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::games::{FourInARow, Liar, Literal, TicTacToe};
use proptest::prelude::*;
use stonework_game::{Finite, Game, Keyed, Outcome, Player};
use stonework_search::{
    Bounds, Dfpn, DfpnOptions, Engine, Initial, Limits, Minimax, Pn, PnOptions, ProofTactics, Question,
    Report, SearchContext, Stop, Tactics, Verdict, WIN,
};

/// Tactics for any game: wins in one, moves that lose at once, and sides that cannot win within three plies.
#[derive(Clone)]
struct Near;

impl<G: Game> Tactics<G> for Near {
    fn probe(&mut self, game: &mut G, only: &mut Vec<G::Move>) -> Verdict<G::Move> {
        let me = game.to_move();
        let moves = game.moves();
        for &mv in &moves {
            let undo = game.play_unchecked(mv);
            let outcome = game.outcome();
            game.undo(undo);
            match outcome {
                Some(Outcome::Win(winner)) if winner == me => return Verdict::Win(mv),
                Some(Outcome::Win(_)) => {}
                _ => only.push(mv),
            }
        }
        if only.is_empty() {
            return Verdict::Loss;
        }
        if only.len() < moves.len() {
            return Verdict::Only;
        }
        only.clear();
        let never = Player::BOTH.into_iter().find(|&p| never(game, p, 3));
        never.map_or(Verdict::Open, Verdict::Never)
    }
}

impl<G: Game> ProofTactics<G> for Near {}

/// Tactics that know the moves that lose within three plies, where the search has worked before.
#[derive(Clone)]
struct Late;

impl<G: Game> Tactics<G> for Late {
    fn probe(&mut self, _: &mut G, _: &mut Vec<G::Move>) -> Verdict<G::Move> {
        Verdict::Open
    }
}

impl<G: Game> ProofTactics<G> for Late {
    fn prune(&mut self, game: &mut G, work: u64, moves: &mut Vec<G::Move>) {
        assert!(work > 0);
        let other = game.to_move().other();
        moves.retain(|&mv| {
            let undo = game.play_unchecked(mv);
            let outcome = certain(game, 2).outcome(Player::First);
            game.undo(undo);
            outcome != Some(Outcome::Win(other))
        });
    }
}

fn never<G: Game>(game: &mut G, player: Player, plies: u32) -> bool {
    match game.outcome() {
        Some(outcome) => outcome != Outcome::Win(player),
        None if plies == 0 => false,
        None => each(game, |game| never(game, player, plies - 1)).into_iter().all(|x| x),
    }
}

fn each<G: Game, T>(game: &mut G, mut f: impl FnMut(&mut G) -> T) -> Vec<T> {
    game.moves()
        .into_iter()
        .map(|mv| {
            let undo = game.play_unchecked(mv);
            let value = f(game);
            game.undo(undo);
            value
        })
        .collect()
}

/// The bounds for the first player that are certain within `plies` plies, by recursion.
fn certain<G: Game>(game: &mut G, plies: u32) -> Bounds {
    if let Some(outcome) = game.outcome() {
        return Bounds::of(outcome, Player::First);
    }
    if plies == 0 {
        return Bounds::UNKNOWN;
    }
    let mover = game.to_move();
    let all = each(game, |game| certain(game, plies - 1));
    let (least, most) = (all.iter().map(|b| b.least), all.iter().map(|b| b.most));
    match mover {
        Player::First => Bounds { least: least.max().unwrap(), most: most.max().unwrap() },
        Player::Second => Bounds { least: least.min().unwrap(), most: most.min().unwrap() },
    }
}

fn search<G: Game>(engine: &mut dyn Engine<G>, root: &G, limits: &Limits) -> Report<G::Move> {
    engine.think(root, limits)
}

/// Every engine with every kind of option.
fn engines<G: Finite + Keyed>() -> Vec<(String, Box<dyn Engine<G>>)> {
    let mut all: Vec<(String, Box<dyn Engine<G>>)> = Vec::new();
    for bytes in [0, 200, 1 << 10, 1 << 18] {
        for (epsilon, initial) in [(0, Initial::Moves), (25, Initial::One), (400, Initial::Moves)] {
            let name = format!("df-pn {bytes} {epsilon} {initial:?}");
            for (transfer, focus) in [(false, false), (true, false), (false, true), (true, true)] {
                let name = format!("{name} transfer {transfer} focus {focus}");
                let options = DfpnOptions::new().bytes(bytes).epsilon(epsilon).initial(initial);
                let options = options.transfer(transfer).focus(focus);
                let plain = Dfpn::new(options).unwrap();
                let near = Dfpn::new(options).unwrap().tactics(Near);
                all.push((name.clone(), Box::new(plain)));
                all.push((format!("{name} tactics"), Box::new(near)));
            }
        }
        let late =
            Dfpn::new(DfpnOptions::new().bytes(bytes).transfer(true).focus(true)).unwrap().tactics(Late);
        all.push((format!("df-pn {bytes} pruning tactics"), Box::new(late)));
        let threads = Dfpn::new(DfpnOptions::new().bytes(bytes).threads(2)).unwrap();
        all.push((format!("df-pn {bytes} two threads"), Box::new(threads)));
        let options = DfpnOptions::new().bytes(bytes).threads(3).transfer(true).focus(true);
        let threads = Dfpn::new(options).unwrap().tactics(Near);
        all.push((format!("df-pn {bytes} three threads tactics"), Box::new(threads)));
    }
    all.push(("pn".into(), Box::new(Pn::default())));
    all.push(("pn one".into(), Box::new(Pn::new(PnOptions::new().initial(Initial::One)))));
    all.push(("pn tactics".into(), Box::new(Pn::default().tactics(Near))));
    all.push(("pn²".into(), Box::new(Pn::new(PnOptions::new().squared(|size| size)))));
    all.push((
        "pn² small tactics".into(),
        Box::new(Pn::new(PnOptions::new().squared(|size| 5 + size / 8)).tactics(Near)),
    ));
    all
}

/// Checks that a solved report has the value of minimax, a move that keeps the value, and a legal line.
fn agrees<G: Finite + Keyed>(name: &str, root: &G, report: &Report<G::Move>) {
    let judge = |game: &G| search(&mut Minimax::new(()), game, &Limits::none()).proven;
    let truth = judge(root);
    assert_eq!(report.proven, truth, "{name}: {root:?} {report:?}");
    assert_eq!(report.stopped, Some(Stop::Solved), "{name}");
    let mover = root.to_move();
    assert_eq!(report.bounds, Bounds::of(truth.unwrap(), mover), "{name}");
    let plies = report.line().len() as i32;
    let value = truth.unwrap().value_for(mover) * (WIN - plies);
    assert_eq!(report.value.score(), value, "{name}");
    let best = report.best.unwrap_or_else(|| panic!("{name}: no move for {root:?}"));
    let mut game = root.clone();
    game.play(best).unwrap();
    assert_eq!(judge(&game), truth, "{name}: {best:?} throws it away: {root:?}");
    let mut game = root.clone();
    assert_eq!(report.line().first(), Some(&best));
    for &mv in report.line() {
        game.play(mv).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_engine_equals_minimax(
        seed: u64, depth in 1u8..7, width in 1u8..5, double: bool, merge: bool,
    ) {
        let root = Literal::new(seed, depth, width, double, merge);
        for (name, mut engine) in engines() {
            let report = search(&mut *engine, &root, &Limits::none());
            if root.outcome().is_none() {
                agrees(&name, &root, &report);
            }
        }
    }

    #[test]
    fn one_sided_questions_have_one_sided_answers(seed: u64, double: bool) {
        let root = Literal::new(seed, 5, 4, double, true);
        let truth = search(&mut Minimax::new(()), &root, &Limits::none()).proven.unwrap();
        for who in Player::BOTH {
            let engines: [Box<dyn Engine<Literal>>; 3] = [
                Box::new(Dfpn::new(DfpnOptions::new().question(Question::Wins(who))).unwrap()),
                Box::new(Dfpn::new(DfpnOptions::new().question(Question::Wins(who)).bytes(500)).unwrap().tactics(Near)),
                Box::new(Pn::new(PnOptions::new().question(Question::Wins(who)))),
            ];
            for mut engine in engines {
                let report = search(&mut *engine, &root, &Limits::none());
                let bounds = if who == root.to_move() { report.bounds } else { report.bounds.reversed() };
                let wins = truth == Outcome::Win(who);
                prop_assert_eq!(bounds, if wins { Bounds::exact(1) } else { Bounds { least: -1, most: 0 } });
                prop_assert_eq!(report.stopped, Some(Stop::Solved));
            }
        }
    }

    #[test]
    fn a_depth_limit_leaves_what_is_certain(seed: u64, depth in 0u32..6, double: bool, merge: bool) {
        let root = Literal::new(seed, 6, 4, double, merge);
        let bounds = certain(&mut root.clone(), depth);
        let bounds = if root.to_move() == Player::First { bounds } else { bounds.reversed() };
        let engines: [Box<dyn Engine<Literal>>; 4] = [
            Box::new(Dfpn::default()),
            Box::new(Dfpn::new(DfpnOptions::new().bytes(500).threads(2)).unwrap()),
            Box::new(Pn::default()),
            Box::new(Pn::new(PnOptions::new().squared(|size| size))),
        ];
        for mut engine in engines {
            let report = search(&mut *engine, &root, &Limits::none().depth(depth));
            prop_assert_eq!(report.bounds, bounds);
            let stop = if bounds.value().is_some() { Stop::Solved } else { Stop::Depth };
            prop_assert_eq!(report.stopped, Some(stop));
        }
    }

    #[test]
    fn node_limits_are_exact_and_reports_repeat(seed: u64, nodes in 0u64..400) {
        let root = Literal::new(seed, 12, 5, true, true);
        for (name, make) in repeatable() {
            let report = search(&mut *make(), &root, &Limits::none().nodes(nodes));
            let mut again = search(&mut *make(), &root, &Limits::none().nodes(nodes));
            again.time = report.time;
            prop_assert_eq!(&report, &again, "{}", name);
            prop_assert!(report.nodes == nodes || report.stopped == Some(Stop::Solved) && report.nodes < nodes);
            // With at most one node, a forced move can still be known.
            prop_assert!(report.best.is_some() || (nodes <= 1 && report.proven.is_none()), "{}", name);
            // A value that is proven within the limit is the value without the limit.
            if let Some(proof) = report.proven {
                let full = search(&mut Dfpn::default(), &root, &Limits::none());
                prop_assert_eq!(full.proven, Some(proof));
            }
        }
    }

    /// With focus, half of many moves wait until other moves are refuted. A search that a limit stops proves
    /// nothing false about the waiting moves, and the continued search finds the true value.
    #[test]
    fn focus_claims_nothing_of_moves_that_wait(seed: u64, double: bool, merge: bool) {
        let root = Literal::new(seed, 3, 11, double, merge);
        let truth = search(&mut Minimax::new(()), &root, &Limits::none()).proven;
        let Bounds { least, most } = Bounds::of(truth.unwrap(), root.to_move());
        for transfer in [false, true] {
            let options = DfpnOptions::new().bytes(1 << 12).focus(true).transfer(transfer);
            for nodes in 1.. {
                let mut engine = Dfpn::new(options.keep(true)).unwrap();
                let report = search(&mut engine, &root, &Limits::none().nodes(nodes));
                prop_assert!(report.bounds.least <= least && most <= report.bounds.most, "{report:?}");
                let on = search(&mut engine, &root, &Limits::none());
                prop_assert_eq!(on.proven, truth);
                if report.stopped == Some(Stop::Solved) {
                    break;
                }
            }
        }
    }
}

type Make = fn() -> Box<dyn Engine<Literal>>;

fn repeatable() -> [(&'static str, Make); 4] {
    [
        ("df-pn", || Box::new(Dfpn::new(DfpnOptions::new().bytes(4096)).unwrap())),
        ("df-pn tactics", || Box::new(Dfpn::default().tactics(Near))),
        ("pn", || Box::new(Pn::default())),
        ("pn²", || Box::new(Pn::new(PnOptions::new().squared(|size| size)).tactics(Near))),
    ]
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for (name, mut engine) in engines() {
        if !name.starts_with("df-pn 0") {
            agrees(
                &name,
                &TicTacToe::default(),
                &search(&mut *engine, &TicTacToe::default(), &Limits::none()),
            );
        }
    }
}

#[test]
fn connect_four_on_four_by_four_is_a_draw_and_symmetry_saves_work() {
    let root = FourInARow::new(4, 4);
    let engines: [Box<dyn Engine<FourInARow>>; 3] = [
        Box::new(Dfpn::default().tactics(Near)),
        Box::new(Dfpn::new(DfpnOptions::new().bytes(1 << 14)).unwrap()),
        Box::new(Dfpn::new(DfpnOptions::new().threads(2)).unwrap()),
    ];
    for mut engine in engines {
        let report = search(&mut *engine, &root, &Limits::none());
        assert_eq!(report.proven, Some(Outcome::Draw));
        assert_eq!(report.bounds, Bounds::exact(0));
    }
}

#[test]
fn roots_that_are_over_and_wins_in_one_are_reported() {
    let mut game = TicTacToe::default();
    for mv in [0, 3, 1, 4] {
        game.play(mv).unwrap();
    }
    for (name, mut engine) in engines() {
        let report = search(&mut *engine, &game, &Limits::none());
        assert_eq!((report.best, report.proven), (Some(2), Some(Outcome::Win(Player::First))), "{name}");
        assert_eq!(report.value.score(), WIN - 1, "{name}");
    }
    game.play(2).unwrap();
    for (name, mut engine) in engines() {
        let mut seen = 0;
        let report = engine.search(&game, &Limits::none(), SearchContext::seed(0).watch(&mut |_| seen += 1));
        assert_eq!((report.best, report.proven), (None, Some(Outcome::Win(Player::First))), "{name}");
        assert_eq!((report.value.score(), report.nodes, seen), (-WIN, 0, 1), "{name}");
    }
}

#[test]
fn limits_of_zero_allow_nothing() {
    let root = FourInARow::new(7, 6);
    let cancelled = Arc::new(AtomicBool::new(true));
    let limits = [
        (Limits::none().nodes(0), Stop::Nodes),
        (Limits::none().time(Duration::ZERO), Stop::Time),
        (Limits::none().cancel(cancelled), Stop::Cancel),
        (Limits::none().depth(0), Stop::Depth),
    ];
    for (limits, stop) in limits {
        for (name, mut engine) in engines() {
            let report = search(&mut *engine, &root, &limits);
            assert_eq!((report.bounds, report.proven), (Bounds::UNKNOWN, None), "{name}");
            assert!(report.nodes <= 12, "{name}: {}", report.nodes);
            assert_eq!(report.stopped, Some(stop), "{name}");
        }
    }
}

#[test]
fn time_and_memory_are_kept() {
    let root = FourInARow::new(7, 6);
    let time = Duration::from_millis(120);
    for bytes in [1 << 20, 1 << 22] {
        let limits = Limits::none().time(time).bytes(bytes);
        let engines: [(&str, Box<dyn Engine<FourInARow>>); 4] = [
            ("df-pn", Box::new(Dfpn::default())),
            ("df-pn two threads", Box::new(Dfpn::new(DfpnOptions::new().threads(2)).unwrap())),
            ("pn", Box::new(Pn::default())),
            ("pn²", Box::new(Pn::new(PnOptions::new().squared(|size| size)))),
        ];
        for (name, mut engine) in engines {
            let mut in_time = || {
                let start = Instant::now();
                let report = search(&mut *engine, &root, &limits);
                let taken = start.elapsed();
                assert!(report.bytes <= bytes, "{name}: {}", report.bytes);
                assert!(
                    matches!(report.stopped, Some(Stop::Time | Stop::Memory)),
                    "{name}: {:?}",
                    report.stopped
                );
                assert!(report.best.is_some() && report.nodes > 100, "{name}");
                taken < time + Duration::from_millis(5)
            };
            // A busy machine may interrupt some runs, but not all runs.
            assert!((0..20).any(|_| in_time()), "{name}");
        }
    }
}

#[test]
fn best_first_search_ends_where_there_is_no_room_for_a_line() {
    let root = FourInARow::new(6, 5);
    for bytes in [0, 100, 400] {
        for mut engine in [Pn::default(), Pn::new(PnOptions::new().squared(|size| size))] {
            let report = search(&mut engine, &root, &Limits::none().bytes(bytes));
            assert_eq!((report.stopped, report.proven), (Some(Stop::Memory), None), "{bytes}");
            assert!(report.bytes <= bytes);
        }
    }
}

#[test]
fn best_first_search_goes_on_when_its_tree_is_pruned() {
    let root = FourInARow::new(6, 5);
    let bytes = 20_000;
    for (name, mut engine) in [("pn", Pn::default()), ("pn²", Pn::new(PnOptions::new().squared(|size| size)))]
    {
        let report = search(&mut engine, &root, &Limits::none().bytes(bytes).nodes(300_000));
        assert_eq!((report.stopped, report.nodes), (Some(Stop::Nodes), 300_000), "{name}");
        assert!(report.bytes <= bytes, "{name}: {}", report.bytes);
    }
    // A search whose tree needs twice the memory still finds the value.
    let small = FourInARow::new(4, 4);
    let all = search(&mut Pn::default(), &small, &Limits::none());
    let half = Limits::none().bytes(all.bytes / 2).nodes(20 * all.nodes);
    let limited = search(&mut Pn::default(), &small, &half);
    assert_eq!((limited.proven, limited.stopped), (all.proven, Some(Stop::Solved)));
}

#[test]
fn a_kept_table_is_used_again() {
    let root = FourInARow::new(4, 4);
    let mut engine = Dfpn::new(DfpnOptions::new().keep(true)).unwrap();
    let first = search(&mut engine, &root, &Limits::none());
    let again = search(&mut engine, &root, &Limits::none());
    assert_eq!(first.proven, again.proven);
    assert!(again.nodes < 10 && first.nodes > 1000, "{} then {}", first.nodes, again.nodes);
    let fresh = search(&mut Dfpn::default(), &root, &Limits::none());
    assert_eq!(fresh.nodes, first.nodes);
}

#[test]
fn the_observer_sees_bounds_grow() {
    let mut bounds = Vec::new();
    Dfpn::default().search(
        &TicTacToe::default(),
        &Limits::none(),
        SearchContext::default().watch(&mut |report| bounds.push(report.bounds)),
    );
    assert_eq!(bounds, [Bounds { least: -1, most: 0 }, Bounds::exact(0)]);
}

impl Finite for Liar {}

/// No side wins a game that stops without an outcome; debug builds report the fault of the game.
#[test]
fn a_game_that_lies_about_its_end_is_nobodys_win() {
    for (name, mut engine) in engines::<Liar>() {
        if name.contains("threads") || name.contains("pruning") {
            continue;
        }
        let lie = || search(&mut *engine, &Liar { moves: 5 }, &Limits::none());
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(lie)) {
            Ok(report) => assert!(name.contains("tactics") || report.proven == Some(Outcome::Draw), "{name}"),
            Err(panic) => {
                let message = panic.downcast_ref::<String>().map_or("", String::as_str);
                assert!(cfg!(debug_assertions) && message.contains("no outcome and no moves"), "{message}");
            }
        }
    }
}

/// Tactics that rule out every win of the first player.
#[derive(Clone)]
struct NeverFirst;

impl<G: Game> Tactics<G> for NeverFirst {
    fn probe(&mut self, _: &mut G, _: &mut Vec<G::Move>) -> Verdict<G::Move> {
        Verdict::Never(Player::First)
    }
}

impl<G: Game> ProofTactics<G> for NeverFirst {}

fn best_begins_the_first_line(mut engine: impl Engine<FourInARow>) {
    let check = |report: &Report<u8>| assert_eq!(report.line().first().copied(), report.best, "{report:?}");
    // The watcher gets a report every 2¹⁸ nodes.
    let limits = Limits::none().nodes(700_000);
    let mut reports = 0;
    let mut watch = |report: &Report<u8>| {
        reports += 1;
        check(report);
    };
    let context = SearchContext::seed(0).watch(&mut watch);
    let report = engine.search(&FourInARow::new(7, 6), &limits, context);
    assert_eq!(report.stopped, Some(Stop::Nodes));
    check(&report);
    assert!(reports > 2, "{reports} reports");
}

#[test]
fn the_best_move_begins_the_first_line_in_every_report() {
    best_begins_the_first_line(Dfpn::default());
    best_begins_the_first_line(Dfpn::default().tactics(NeverFirst));
    best_begins_the_first_line(Pn::default());
    best_begins_the_first_line(Pn::default().tactics(NeverFirst));
}

/// Tactics whose clones, which helpers have, panic.
struct Fragile(bool);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        Self(true)
    }
}

impl<G: Game> Tactics<G> for Fragile {
    fn probe(&mut self, _: &mut G, _: &mut Vec<G::Move>) -> Verdict<G::Move> {
        assert!(!self.0, "the tactics of a helper");
        Verdict::Open
    }
}

impl<G: Game> ProofTactics<G> for Fragile {}

/// A panic of a helper was passed over: the search went on with fewer threads, and nobody was told.
#[test]
#[should_panic(expected = "the tactics of a helper")]
fn a_panic_of_a_helper_is_passed_on() {
    let mut engine = Dfpn::new(DfpnOptions::new().threads(2)).unwrap().tactics(Fragile(false));
    let _ = engine.think(&FourInARow::new(7, 6), &Limits::none().nodes(100_000));
}
