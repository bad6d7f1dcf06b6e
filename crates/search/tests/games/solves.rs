//! Whether an engine solves positions as minimax does.

use stonework_game::{Game, Indexed};
use stonework_search::{Engine, Limits, Minimax, RandomPlayout, Report, SearchContext, Stop, WIN, WIN_BOUND};

use crate::games::Walk;

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
