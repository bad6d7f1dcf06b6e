//! Alpha-beta keeps to its limits, and says what it did.

mod games;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use games::{FourInARow, Liar, TicTacToe, Walk};
use stonework_game::{Game, Outcome, Player};
use stonework_search::{
    AlphaBeta, AlphaBetaError, Bounds, Engine, Evaluate, Flat, HashUse, Limits, Order, Quiet, Report, Stop,
    WIN,
};

fn search<G: Game>(engine: &mut impl Engine<G>, root: &G, limits: &Limits) -> Report<G::Move> {
    engine.search(root, limits, 1, &mut |_| {})
}

fn centre(game: &FourInARow) -> i32 {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
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
            AlphaBeta::builder(centre).threads(threads.try_into().unwrap()).bytes(1 << 16).build().unwrap();
        for nodes in 0..200 {
            let report = search(&mut engine, &root, &Limits::none().nodes(nodes));
            assert_eq!((report.nodes, report.stopped), (nodes, Stop::Nodes), "{threads} threads");
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
    let mut engine = AlphaBeta::new(Flat);
    let all = search(&mut engine, &TicTacToe::default(), &Limits::none());
    let same = search(&mut engine, &TicTacToe::default(), &Limits::none().nodes(all.nodes));
    assert_eq!(timeless(all.clone()), timeless(same));
    let less = search(&mut engine, &TicTacToe::default(), &Limits::none().nodes(all.nodes - 1));
    assert_eq!((less.nodes, less.stopped), (all.nodes - 1, Stop::Nodes));
}

#[test]
fn equal_searches_have_equal_reports() {
    let root = FourInARow::new(7, 6);
    for nodes in [0, 10, 1000, 54_321] {
        let limits = Limits::none().nodes(nodes);
        let mut one = AlphaBeta::builder(centre).lines(2).build().unwrap();
        let mut two = AlphaBeta::builder(centre).lines(2).build().unwrap();
        let first = timeless(search(&mut one, &root, &limits));
        search(&mut one, &FourInARow::new(5, 4), &Limits::none().nodes(500));
        assert_eq!(timeless(search(&mut one, &root, &limits)), first, "whatever it searched before");
        assert_eq!(timeless(search(&mut two, &root, &limits)), first);
    }
}

#[test]
fn a_kept_table_saves_work() {
    let root = FourInARow::new(5, 4);
    let mut engine = AlphaBeta::builder(Flat).keep(true).build().unwrap();
    let first = search(&mut engine, &root, &Limits::none());
    let again = search(&mut engine, &root, &Limits::none());
    assert_eq!((first.proof, again.proof), (Some(Outcome::Draw), Some(Outcome::Draw)));
    assert!(again.nodes < first.nodes / 2);
    engine.clear();
    assert_eq!(search(&mut engine, &root, &Limits::none()).nodes, first.nodes);
}

#[test]
fn time_and_cancel_end_a_search_within_milliseconds() {
    let root = FourInARow::new(7, 6);
    // Fast evaluators, and one that takes a tenth of a millisecond.
    let slow = |game: &FourInARow| {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(100) {}
        centre(game)
    };
    let overrun = |engine: &mut dyn Engine<FourInARow>| {
        let start = Instant::now();
        let limits = Limits::none().time(Duration::from_millis(30));
        let report = engine.search(&root, &limits, 0, &mut |_| {});
        assert_eq!(report.stopped, Stop::Time);
        start.elapsed().saturating_sub(Duration::from_millis(30))
    };
    // A busy machine may take the processor away, but not always.
    let within = Duration::from_millis(5);
    let soon = |engine: &mut dyn Engine<FourInARow>| (0..50).any(|_| overrun(engine) < within);
    assert!(soon(&mut AlphaBeta::new(centre)));
    assert!(soon(&mut AlphaBeta::new(slow)));
    assert!(soon(&mut AlphaBeta::builder(centre).threads(2.try_into().unwrap()).build().unwrap()));

    let mut late = (0..50).map(|_| {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().cancel(Arc::clone(&flag));
        std::thread::scope(|scope| {
            let run = scope.spawn(|| (search(&mut AlphaBeta::new(slow), &root, &limits), Instant::now()));
            std::thread::sleep(Duration::from_millis(10));
            let set = Instant::now();
            flag.store(true, Ordering::Relaxed);
            let (report, ended) = run.join().expect("the search ends");
            assert_eq!(report.stopped, Stop::Cancel);
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
        let mut engine = AlphaBeta::builder(centre).threads(threads.try_into().unwrap()).build().unwrap();
        for (limits, stopped) in &cases {
            let report = search(&mut engine, &root, limits);
            assert_eq!((report.best, report.nodes, report.stopped), (None, 0, *stopped));
            assert_eq!((report.value, report.bounds, report.depth), (0, Bounds::UNKNOWN, 0));
        }
    }
}

#[test]
fn depth_zero_is_the_evaluator() {
    let report = search(&mut AlphaBeta::new(centre), &FourInARow::new(7, 6), &Limits::none().depth(0));
    assert_eq!((report.value, report.best, report.nodes, report.stopped), (7, None, 1, Stop::Depth));
    let nothing =
        search(&mut AlphaBeta::new(centre), &FourInARow::new(7, 6), &Limits::none().depth(0).nodes(0));
    assert_eq!((nothing.value, nothing.nodes, nothing.stopped), (0, 0, Stop::Nodes));
}

#[test]
fn a_root_that_is_over_is_reported_as_it_is() {
    let mut root = TicTacToe::default();
    for mv in [0, 3, 1, 4, 2] {
        root.play(mv).unwrap();
    }
    let report = search(&mut AlphaBeta::new(Flat), &root, &Limits::none().nodes(0));
    assert_eq!((report.best, report.value, report.nodes), (None, -WIN, 0));
    assert_eq!((report.proof, report.stopped), (Some(Outcome::Win(Player::First)), Stop::Solved));
}

#[test]
fn tables_keep_to_the_bytes_of_options_and_limits() {
    let root = FourInARow::new(7, 6);
    for option in [0, 1, 64, 100, 4096, 1 << 20] {
        for limit in [0, 63, 64, 5000, 1 << 18, usize::MAX] {
            let mut engine = AlphaBeta::builder(centre).bytes(option).build().unwrap();
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
    let mut engine = AlphaBeta::builder(centre).lines(3).build().unwrap();
    let last = engine.search(&FourInARow::new(7, 6), &Limits::none().depth(7), 0, &mut watch);
    assert_eq!(seen.iter().map(|report| report.depth).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
    assert!(seen.is_sorted_by(|a, b| a.nodes < b.nodes && a.hash.probes < b.hash.probes));
    assert!(seen.iter().all(|report| report.line.len() == report.depth as usize && report.lines.len() == 3));
    let end = seen.pop().unwrap();
    assert_eq!((end.best, end.value, end.line, end.nodes), (last.best, last.value, last.line, last.nodes));
    assert_ne!(last.hash, HashUse::default());
}

#[test]
fn a_game_that_lies_about_its_end_gets_a_report() {
    for moves in 0..6 {
        for lines in [1, 3] {
            let mut engine = AlphaBeta::builder(Flat).lines(lines).build().unwrap();
            let report = search(&mut engine, &Liar { moves }, &Limits::none().depth(9));
            assert_eq!((report.value, report.proof, report.stopped), (0, None, Stop::Depth));
            assert_eq!(report.best.is_some(), moves > 0);
        }
    }
}

#[test]
fn a_game_without_end_stops_at_the_deepest_ply() {
    // Nothing decides this before a cell is visited for the 255th time, and the horizon says so.
    let root = Walk::new(3, [9, 9], 255);
    let report = search(&mut AlphaBeta::new(Flat), &root, &Limits::none().nodes(2_000_000));
    assert_eq!((report.depth, report.stopped), (240, Stop::Depth));
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let new = || AlphaBeta::builder(Flat);
    let cases = [
        (new().threads(257.try_into().unwrap()).build().err(), "threads must be 1 to 256, not 257"),
        (new().lines(0).build().err(), "lines must be at least 1, not 0"),
        (new().beam(0).build().err(), "the beam must be at least 1 move wide, not 0"),
        (new().quiet(Flat, 16).build().err(), "quiescence must be 0 to 15 plies deep, not 16"),
        (new().null_move(Flat, 0).build().err(), "a null move must reduce by 1 to 240 plies, not 0"),
        (
            new().late_moves(0, 1).build().err(),
            "late moves must be reduced by 1 to 240 plies after at least 1 full move, not by 1 after 0",
        ),
        (new().aspiration(-1).build().err(), "the aspiration window must not be negative, but is -1"),
    ];
    for (error, text) in cases {
        let error: AlphaBetaError = error.expect(text);
        assert_eq!(error.to_string(), text);
    }
}

/// Evaluators that break their promise must not break the search.
#[test]
fn absurd_opinions_do_no_harm() {
    #[derive(Clone)]
    struct Absurd;
    impl Evaluate<TicTacToe> for Absurd {
        fn eval(&mut self, game: &TicTacToe) -> i32 {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            if moves.len().is_multiple_of(2) { i32::MIN } else { i32::MAX }
        }
    }
    impl Order<TicTacToe> for Absurd {
        fn worth(&mut self, _: &TicTacToe, mv: u8) -> i32 {
            if mv.is_multiple_of(2) { i32::MIN } else { i32::MAX }
        }
    }
    impl Quiet<TicTacToe> for Absurd {
        fn noisy(&mut self, game: &TicTacToe, out: &mut Vec<u8>) {
            game.legal_moves(out);
        }
    }
    let mut engine =
        AlphaBeta::builder(Absurd).order(Absurd).quiet(Absurd, 3).aspiration(i32::MAX).build().unwrap();
    let report = search(&mut engine, &TicTacToe::default(), &Limits::none());
    assert_eq!(report.proof, Some(Outcome::Draw));
    let mut wild = AlphaBeta::builder(Absurd).beam(2).late_moves(1, 2).build().unwrap();
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
        let mut engine = AlphaBeta::builder(failing).threads(3.try_into().unwrap()).build().unwrap();
        search(&mut engine, &FourInARow::new(7, 6), &Limits::none()).nodes
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}
