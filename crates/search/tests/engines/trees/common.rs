//! Laws that hold for all kinds of trees.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use stonework_game::{Game, Indexed};
use stonework_search::{Engine, Limits, Minimax, RandomPlayout, Report, SearchContext, Stop, WIN, WIN_BOUND};

use crate::games::{FourInARow, Walk};

impl Indexed for Walk {
    fn index_len(&self) -> usize {
        3
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        matches!(index, 1 | 2).then_some(index as u8)
    }
}

pub(crate) fn minimax<G: Game>(game: &G) -> Report<G::Move> {
    Minimax::new(()).think(game, &Limits::none())
}

pub(crate) fn search<G: Indexed>(
    engine: &mut dyn Engine<G>,
    game: &G,
    limits: &Limits,
    seed: u64,
) -> Report<G::Move> {
    engine.search(game, limits, SearchContext::seed(seed))
}

pub(crate) fn random<G: Game>() -> RandomPlayout<G> {
    RandomPlayout::new(200)
}

/// Searches until another thread sets the cancel flag after this time.
pub(crate) fn search_cancelled_after<G: Indexed>(
    engine: &mut dyn Engine<G>,
    game: &G,
    time: Duration,
) -> Report<G::Move> {
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits::none().cancel(flag.clone());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(time);
            flag.store(true, Ordering::Relaxed);
        });
        search(engine, game, &limits, 1)
    })
}

/// Checks that the engine reports nothing but the reason if a limit allows nothing, and a legal move if the memory is less than
/// one node takes.
pub(crate) fn limits_of_zero_give_a_report<E: Engine<FourInARow>>(make: impl Fn() -> E) {
    let zero = Limits::none;
    for (limits, stop) in [
        (zero().simulations(0), Stop::Simulations),
        (zero().nodes(0), Stop::Nodes),
        (zero().depth(0), Stop::Depth),
        (zero().time(Duration::ZERO), Stop::Time),
        (zero().bytes(0), Stop::Memory),
        (zero().bytes(31), Stop::Memory),
        (zero().bytes(100), Stop::Memory),
        (zero().cancel(Arc::new(AtomicBool::new(true))), Stop::Cancel),
    ] {
        let report = search(&mut make(), &FourInARow::new(7, 6), &limits, 5);
        assert_eq!((report.stopped, report.simulations), (Some(stop), 0), "{limits:?}");
        assert_eq!(report.best.is_some(), stop == Stop::Memory, "{limits:?}");
        assert!(report.best.is_none_or(|mv| FourInARow::new(7, 6).check(mv).is_ok()));
        assert!(report.bytes <= limits.bytes.unwrap_or(usize::MAX));
    }
}

/// Searches until the value is known, and compares it with minimax; the best move must keep the value.
pub(crate) fn solves<G: Indexed>(engine: &mut dyn Engine<G>, game: &G, limits: &Limits, seed: u64) {
    let right = minimax(game);
    let report = search(engine, game, limits, seed);
    assert_eq!(report.stopped, Some(Stop::Solved), "{game:?} {report:?}");
    assert_eq!(report.bounds, right.bounds, "{game:?} {report:?}");
    assert_eq!(report.value.score().signum(), right.value.score().signum());
    assert_eq!(report.proven, right.proven);
    if game.outcome().is_some() {
        return;
    }
    let best = report.best.expect("a solved position has a best move");
    let mut next = game.clone();
    next.play(best).expect("the best move is legal");
    let value = minimax(&next).value.score().signum();
    let value = if next.to_move() == game.to_move() { value } else { -value };
    assert_eq!(value, right.value.score().signum(), "{game:?} {report:?}");
    let mut line = game.clone();
    for &mv in report.line() {
        line.play(mv).expect("the line is legal");
    }
    if report.value.score().abs() >= WIN_BOUND {
        assert_eq!(report.value.score().abs(), WIN - report.line().len() as i32);
    }
}

/// The visits of a report's lines.
pub(crate) fn visits<M>(report: &Report<M>) -> Vec<u64> {
    report.lines.iter().filter_map(|line| line.visits).collect()
}

/// Plays a move for each number, until the game has no moves. If the first number is a multiple of three, `told`
/// gets the first move; otherwise an engine has to look for the position.
pub(crate) fn play_on<G: Game>(game: &mut G, numbers: &[u8], mut told: impl FnMut(G::Move)) {
    for (ply, &number) in numbers.iter().enumerate() {
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(number) % moves.len()];
        game.play(mv).unwrap();
        if number % 3 == 0 && ply == 0 {
            told(mv);
        }
    }
}

/// Checks that a search ends within milliseconds after its time, and after its cancel flag is set.
pub(crate) fn stops_in_time<G: Indexed + Sync>(engine: &mut dyn Engine<G>, game: &G) {
    const WAIT: Duration = Duration::from_millis(30);
    // A busy machine may interrupt some runs, but not all runs.
    let soon = |run: &mut dyn FnMut() -> Duration| (0..50).any(|_| run() < Duration::from_millis(5));
    assert!(soon(&mut || {
        let start = Instant::now();
        let report = search(engine, game, &Limits::none().time(WAIT), 1);
        assert_eq!(report.stopped, Some(Stop::Time));
        start.elapsed().saturating_sub(WAIT)
    }));
    assert!(soon(&mut || {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().cancel(flag.clone());
        std::thread::scope(|scope| {
            let set = scope.spawn(move || {
                std::thread::sleep(WAIT);
                flag.store(true, Ordering::Relaxed);
                Instant::now()
            });
            let report = search(engine, game, &limits, 1);
            assert_eq!(report.stopped, Some(Stop::Cancel));
            set.join().unwrap().elapsed()
        })
    }));
}

/// Checks that equal seeds give equal reports, in two successive searches of one engine. The second search repeats
/// the first search unless the engine keeps its tree.
pub(crate) fn is_repeatable<E: Engine<FourInARow>>(make: impl Fn() -> E, limits: &Limits, keep: bool) {
    let reports = |seed| {
        let mut engine = make();
        [0, 1].map(|_| {
            let mut report = search(&mut engine, &FourInARow::new(7, 6), limits, seed);
            report.time = Duration::ZERO;
            report
        })
    };
    let (once, again, other) = (reports(7), reports(7), reports(8));
    assert_eq!(once, again);
    assert_ne!(once[0], other[0]);
    assert_eq!(once[0] == once[1], !keep);
}
