//! Whether an engine solves positions as minimax does.

use stonework_game::{Game, Indexed};
use stonework_search::{Engine, Flat, Limits, Minimax, RandomPlayout, Report, SURE, Stop, WIN};

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
    Minimax::new(Flat).search(game, &Limits::none(), 0, &mut |_| {})
}

pub(crate) fn search<G: Indexed>(
    engine: &mut dyn Engine<G>,
    game: &G,
    limits: &Limits,
    seed: u64,
) -> Report<G::Move> {
    engine.search(game, limits, seed, &mut |_| {})
}

pub(crate) fn random<G: Game>() -> RandomPlayout<G> {
    RandomPlayout::new(200)
}

/// Searches until the value is known, and compares it with minimax; the best move must keep the value.
pub(crate) fn solves<G: Indexed>(engine: &mut dyn Engine<G>, game: &G, limits: &Limits, seed: u64) {
    let right = minimax(game);
    let report = search(engine, game, limits, seed);
    assert_eq!(report.stopped, Stop::Solved, "{game:?} {report:?}");
    assert_eq!(report.bounds, right.bounds, "{game:?} {report:?}");
    assert_eq!(report.value.signum(), right.value.signum());
    assert_eq!(report.proof, right.proof);
    if game.outcome().is_some() {
        return;
    }
    let best = report.best.expect("a solved position has a best move");
    let mut next = game.clone();
    next.play(best).expect("the best move is legal");
    let value = minimax(&next).value.signum();
    let value = if next.to_move() == game.to_move() { value } else { -value };
    assert_eq!(value, right.value.signum(), "{game:?} {report:?}");
    let mut line = game.clone();
    for &mv in &report.line {
        line.play(mv).expect("the line is legal");
    }
    if report.value.abs() >= SURE {
        assert_eq!(report.value.abs(), WIN - report.line.len() as i32);
    }
}
