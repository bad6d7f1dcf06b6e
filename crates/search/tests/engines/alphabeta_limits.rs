//! Tests that alpha-beta keeps its limits, and that its reports are correct.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::games::{FourInARow, Liar, TicTacToe, Walk};
use stonework_game::{Game, Outcome, Player};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Bounds, Engine, Evaluator, HashUse, Limits, MoveOrder, NoisyMoves,
    OptionsError, Report, SearchContext, Stop, Value, WIN,
};

fn search<G: Game>(engine: &mut impl Engine<G>, root: &G, limits: &Limits) -> Report<G::Move> {
    engine.think(root, limits)
}

fn centre(game: &FourInARow) -> i32 {
    let moves = game.moves();
    moves.len() as i32
}

fn timeless<M>(report: Report<M>) -> Report<M> {
    Report { time: Duration::ZERO, ..report }
}

#[test]
fn nodes_are_kept_to_the_number() {
    let root = FourInARow::new(7, 6);
    for threads in [1, 2] {
        let mut engine =
            AlphaBeta::new(centre, AlphaBetaOptions::new().threads(threads).bytes(1 << 16)).unwrap();
        for nodes in 0..200 {
            let report = search(&mut engine, &root, &Limits::none().nodes(nodes));
            assert_eq!((report.nodes, report.stopped), (nodes, Some(Stop::Nodes)), "{threads} threads");
            if threads == 1 {
                assert_eq!(
                    report.best.is_some(),
                    nodes >= 2,
                    "{nodes}: the first move is searched by the second node"
                );
            }
        }
    }
}

#[test]
fn a_limit_that_is_not_reached_does_not_stop() {
    let mut engine = AlphaBeta::default();
    let all = search(&mut engine, &TicTacToe::default(), &Limits::none());
    let same = search(&mut engine, &TicTacToe::default(), &Limits::none().nodes(all.nodes));
    assert_eq!(timeless(all.clone()), timeless(same));
    let less = search(&mut engine, &TicTacToe::default(), &Limits::none().nodes(all.nodes - 1));
    assert_eq!((less.nodes, less.stopped), (all.nodes - 1, Some(Stop::Nodes)));
}

#[test]
fn equal_searches_have_equal_reports() {
    let root = FourInARow::new(7, 6);
    for nodes in [0, 10, 1000, 54_321] {
        let limits = Limits::none().nodes(nodes);
        let mut one = AlphaBeta::new(centre, AlphaBetaOptions::new().lines(2)).unwrap();
        let mut two = AlphaBeta::new(centre, AlphaBetaOptions::new().lines(2)).unwrap();
        let first = timeless(search(&mut one, &root, &limits));
        search(&mut one, &FourInARow::new(5, 4), &Limits::none().nodes(500));
        assert_eq!(timeless(search(&mut one, &root, &limits)), first, "whatever it searched before");
        assert_eq!(timeless(search(&mut two, &root, &limits)), first);
    }
}

#[test]
fn a_kept_table_saves_work() {
    let root = FourInARow::new(5, 4);
    let mut engine = AlphaBeta::new((), AlphaBetaOptions::new().keep(true)).unwrap();
    let first = search(&mut engine, &root, &Limits::none());
    let again = search(&mut engine, &root, &Limits::none());
    assert_eq!((first.proven, again.proven), (Some(Outcome::Draw), Some(Outcome::Draw)));
    assert!(again.nodes < first.nodes / 2);
    engine.clear();
    assert_eq!(search(&mut engine, &root, &Limits::none()).nodes, first.nodes);
}

#[test]
fn time_and_cancel_end_a_search_within_milliseconds() {
    let root = FourInARow::new(7, 6);
    // The evaluators are fast, and one of them takes a tenth of a millisecond.
    let slow = |game: &FourInARow| {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(100) {}
        centre(game)
    };
    let overrun = |engine: &mut dyn Engine<FourInARow>| {
        let start = Instant::now();
        let limits = Limits::none().time(Duration::from_millis(30));
        let report = engine.think(&root, &limits);
        assert_eq!(report.stopped, Some(Stop::Time));
        start.elapsed().saturating_sub(Duration::from_millis(30))
    };
    // A busy machine may interrupt some runs, but not all runs.
    let within = Duration::from_millis(5);
    let soon = |engine: &mut dyn Engine<FourInARow>| (0..50).any(|_| overrun(engine) < within);
    assert!(soon(&mut AlphaBeta::new(centre, AlphaBetaOptions::new()).unwrap()));
    assert!(soon(&mut AlphaBeta::new(slow, AlphaBetaOptions::new()).unwrap()));
    assert!(soon(&mut AlphaBeta::new(centre, AlphaBetaOptions::new().threads(2)).unwrap()));

    let mut late = (0..50).map(|_| {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().cancel(Arc::clone(&flag));
        std::thread::scope(|scope| {
            let run = scope.spawn(|| {
                (
                    search(&mut AlphaBeta::new(slow, AlphaBetaOptions::new()).unwrap(), &root, &limits),
                    Instant::now(),
                )
            });
            std::thread::sleep(Duration::from_millis(10));
            let set = Instant::now();
            flag.store(true, Ordering::Relaxed);
            let (report, ended) = run.join().expect("the search ends");
            assert_eq!(report.stopped, Some(Stop::Cancel));
            ended.saturating_duration_since(set)
        })
    });
    assert!(late.any(|late| late < within));
}

#[test]
fn what_allows_nothing_reports_nothing() {
    let root = FourInARow::new(7, 6);
    let cancelled = Arc::new(AtomicBool::new(true));
    let cases = [
        (Limits::none().nodes(0), Stop::Nodes),
        (Limits::none().time(Duration::ZERO), Stop::Time),
        (Limits::none().cancel(cancelled), Stop::Cancel),
    ];
    for threads in [1, 2] {
        let mut engine = AlphaBeta::new(centre, AlphaBetaOptions::new().threads(threads)).unwrap();
        for (limits, stopped) in &cases {
            let report = search(&mut engine, &root, limits);
            assert_eq!((report.best, report.nodes, report.stopped), (None, 0, Some(*stopped)));
            assert_eq!((report.value.score(), report.bounds, report.depth), (0, Bounds::UNKNOWN, 0));
        }
    }
}

#[test]
fn depth_zero_is_the_evaluator() {
    let report = search(
        &mut AlphaBeta::new(centre, AlphaBetaOptions::new()).unwrap(),
        &FourInARow::new(7, 6),
        &Limits::none().depth(0),
    );
    assert_eq!(
        (report.value.score(), report.best, report.nodes, report.stopped),
        (7, None, 1, Some(Stop::Depth))
    );
    let nothing = search(
        &mut AlphaBeta::new(centre, AlphaBetaOptions::new()).unwrap(),
        &FourInARow::new(7, 6),
        &Limits::none().depth(0).nodes(0),
    );
    assert_eq!((nothing.value.score(), nothing.nodes, nothing.stopped), (0, 0, Some(Stop::Nodes)));
    let mut knows = AlphaBeta::new(Drawn, AlphaBetaOptions::new()).unwrap();
    let known = search(&mut knows, &FourInARow::new(7, 6), &Limits::none().depth(0));
    assert_eq!((known.value, known.proven), (Value::Draw, Some(Outcome::Draw)));
}

/// An evaluator that knows a draw everywhere.
#[derive(Clone)]
struct Drawn;

impl Evaluator<FourInARow> for Drawn {
    fn evaluate(&mut self, _: &FourInARow) -> i32 {
        0
    }

    fn exact(&mut self, _: &FourInARow) -> Option<(Outcome, u32)> {
        Some((Outcome::Draw, 0))
    }
}

#[test]
fn a_root_that_is_over_is_reported_as_it_is() {
    let mut root = TicTacToe::default();
    for mv in [0, 3, 1, 4, 2] {
        root.play(mv).unwrap();
    }
    let report = search(&mut AlphaBeta::default(), &root, &Limits::none().nodes(0));
    assert_eq!((report.best, report.value.score(), report.nodes), (None, -WIN, 0));
    assert_eq!((report.proven, report.stopped), (Some(Outcome::Win(Player::First)), Some(Stop::Solved)));
}

#[test]
fn tables_keep_to_the_bytes_of_options_and_limits() {
    let root = FourInARow::new(7, 6);
    for option in [0, 1, 64, 100, 4096, 1 << 20] {
        for limit in [0, 63, 64, 5000, 1 << 18, usize::MAX] {
            let mut engine = AlphaBeta::new(centre, AlphaBetaOptions::new().bytes(option)).unwrap();
            let report = search(&mut engine, &root, &Limits::none().bytes(limit).depth(5));
            let allowed = option.min(limit);
            assert!(report.bytes <= allowed && allowed - report.bytes < 64, "{option} {limit}");
            assert_eq!(report.hash.hits > 0, allowed >= 64);
            assert_eq!(report.depth, 5);
        }
    }
}

#[test]
fn every_iteration_is_reported() {
    let mut seen = Vec::new();
    let mut watch = |report: &Report<u8>| seen.push(report.clone());
    let mut engine = AlphaBeta::new(centre, AlphaBetaOptions::new().lines(3)).unwrap();
    let last = engine.search(
        &FourInARow::new(7, 6),
        &Limits::none().depth(7),
        SearchContext::default().watch(&mut watch),
    );
    assert_eq!(seen.iter().map(|report| report.depth).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
    assert!(seen.is_sorted_by(|a, b| a.nodes < b.nodes && a.hash.probes < b.hash.probes));
    assert!(
        seen.iter().all(|report| report.line().len() == report.depth as usize && report.lines.len() == 3)
    );
    let end = seen.pop().unwrap();
    assert_eq!(
        (end.best, end.value.score(), end.line(), end.nodes),
        (last.best, last.value.score(), last.line(), last.nodes)
    );
    assert_ne!(last.hash, HashUse::default());
}

#[test]
fn a_game_that_lies_about_its_end_gets_a_report() {
    for moves in 0..6 {
        for lines in [1, 3] {
            let mut engine = AlphaBeta::new((), AlphaBetaOptions::new().lines(lines)).unwrap();
            let report = search(&mut engine, &Liar { moves }, &Limits::none().depth(9));
            assert_eq!((report.value.score(), report.proven, report.stopped), (0, None, Some(Stop::Depth)));
            assert_eq!(report.best.is_some(), moves > 0);
        }
    }
}

#[test]
fn a_game_without_end_stops_at_the_deepest_ply() {
    // The game is open until a cell is visited for the 255th time, and the horizon has this number.
    let root = Walk::new(3, [9, 9], 255);
    let report = search(&mut AlphaBeta::default(), &root, &Limits::none().nodes(2_000_000));
    assert_eq!((report.depth, report.stopped), (240, Some(Stop::Depth)));
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let new = AlphaBetaOptions::new;
    let error = |options| AlphaBeta::new((), options).err();
    let cases = [
        (error(new().threads(0)), "threads is 0, but has to be between 1 and 256"),
        (error(new().threads(257)), "threads is 257, but has to be between 1 and 256"),
        (error(new().lines(0)), "lines is 0, but has to be between 1 and 4294967295"),
        (error(new().beam(0)), "beam is 0, but has to be between 1 and 4294967295"),
        (error(new().quiet_depth(16)), "quiet_depth is 16, but has to be between 0 and 15"),
        (error(new().null_move(0)), "null_move is 0, but has to be between 1 and 240"),
        (error(new().late_moves(0, 1)), "late_after is 0, but has to be between 1 and 4294967295"),
        (error(new().late_moves(1, 241)), "late_by is 241, but has to be between 0 and 240"),
        (error(new().only_depth(0)), "only_depth is 0, but has to be between 1 and 240"),
        (error(new().only_depth(241)), "only_depth is 241, but has to be between 1 and 240"),
        (error(new().aspiration(-1)), "aspiration is -1, but has to be between 0 and 2147483647"),
    ];
    for (error, text) in cases {
        let error: OptionsError = error.expect(text);
        assert_eq!(error.to_string(), text);
    }
}

/// Evaluators with values out of range must not break the search.
#[test]
fn absurd_opinions_do_no_harm() {
    #[derive(Clone)]
    struct Absurd;
    impl Evaluator<TicTacToe> for Absurd {
        fn evaluate(&mut self, game: &TicTacToe) -> i32 {
            let moves = game.moves();
            if moves.len().is_multiple_of(2) { i32::MIN } else { i32::MAX }
        }
    }
    impl MoveOrder<TicTacToe> for Absurd {
        fn worth(&mut self, _: &TicTacToe, mv: u8) -> i32 {
            if mv.is_multiple_of(2) { i32::MIN } else { i32::MAX }
        }
    }
    impl NoisyMoves<TicTacToe> for Absurd {
        fn noisy_moves(&mut self, game: &TicTacToe, out: &mut Vec<u8>) {
            game.legal_moves(out);
        }
    }
    let mut engine = AlphaBeta::new(Absurd, AlphaBetaOptions::new().quiet_depth(3).aspiration(i32::MAX))
        .unwrap()
        .order(Absurd)
        .noisy_moves(Absurd);
    let report = search(&mut engine, &TicTacToe::default(), &Limits::none());
    assert_eq!(report.proven, Some(Outcome::Draw));
    let mut wild = AlphaBeta::new(Absurd, AlphaBetaOptions::new().beam(2).late_moves(1, 2)).unwrap();
    for nodes in 0..300 {
        search(&mut wild, &TicTacToe::default(), &Limits::none().nodes(nodes));
    }
}

#[test]
fn an_evaluator_that_panics_does_not_leave_threads_behind() {
    let calls = std::sync::atomic::AtomicU32::new(0);
    let failing = |_: &FourInARow| {
        assert!(calls.fetch_add(1, Ordering::Relaxed) < 5000, "as the test wants it");
        0
    };
    let run = || {
        let mut engine = AlphaBeta::new(failing, AlphaBetaOptions::new().threads(3)).unwrap();
        search(&mut engine, &FourInARow::new(7, 6), &Limits::none()).nodes
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}

#[test]
fn helpers_leave_a_search_without_depth_alone() {
    let root = FourInARow::new(7, 6);
    for options in [AlphaBetaOptions::new(), AlphaBetaOptions::new().only_depth(3)] {
        let mut engine = AlphaBeta::new(centre, options.threads(4).bytes(1 << 10)).unwrap();
        for _ in 0..100 {
            let report = search(&mut engine, &root, &Limits::none().depth(0));
            assert_eq!((report.nodes, report.stopped), (1, Some(Stop::Depth)));
        }
    }
}

#[test]
fn a_report_has_the_reason_of_the_end_only_at_the_end() {
    let mut reasons = Vec::new();
    let mut watch = |report: &Report<u8>| reasons.push((report.depth, report.stopped));
    let context = SearchContext::seed(0).watch(&mut watch);
    AlphaBeta::default().search(&FourInARow::new(7, 6), &Limits::none().depth(3), context);
    assert_eq!(reasons, [(1, None), (2, None), (3, Some(Stop::Depth))]);
}
