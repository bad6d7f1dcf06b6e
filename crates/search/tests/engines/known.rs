//! Tests of evaluators with exact values for some positions, such as a table of endings, in alpha-beta and
//! minimax.

use crate::games::{Literal, scatter};
use proptest::prelude::*;
use stonework_game::{Game, Keyed, Outcome, Player};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Bounds, Engine, Evaluator, Limits, Minimax, Report, Stop, Value, WIN,
    WIN_BOUND,
};

/// An evaluator with the exact value of every `one_in`-th position that is not over.
#[derive(Clone, Copy, Debug)]
struct Partly {
    one_in: u64,
}

/// The outcome of a position with best play, and the plies to it, by the whole tree.
fn solved(game: &Literal) -> (Outcome, u32) {
    let value = Minimax::new(()).tree(game, &Limits::none()).value;
    match value {
        Value::Win(plies) => (Outcome::Win(game.to_move()), plies),
        Value::Loss(plies) => (Outcome::Win(game.to_move().other()), plies),
        _ => (Outcome::Draw, 0),
    }
}

impl Evaluator<Literal> for Partly {
    fn evaluate(&mut self, game: &Literal) -> i32 {
        game.eval()
    }

    fn exact(&mut self, game: &Literal) -> Option<(Outcome, u32)> {
        assert!(game.outcome().is_none(), "only positions that go on are asked about");
        scatter(game.key()).is_multiple_of(self.one_in).then(|| solved(game))
    }
}

fn search(engine: &mut impl Engine<Literal>, root: &Literal, depth: u32) -> Report<u8> {
    engine.think(root, &Limits::none().depth(depth))
}

/// A value for the side to move from an outcome and a distance.
fn value((outcome, plies): (Outcome, u32), mover: Player) -> i32 {
    outcome.value_for(mover) * (WIN - plies as i32)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Proven values are true; all other values are those of minimax with the same evaluator.
    #[test]
    fn what_is_known_is_believed_and_no_more(
        (seed, one_in, depth) in (any::<u64>(), 1..6_u64, 1..7_u32),
        (table, quiet, double, merge) in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        let root = Literal::new(seed, 7, 3, double, merge);
        let truth = solved(&root);
        let knows = Partly { one_in };
        let slow = search(&mut Minimax::new(knows), &root, depth);
        let mut options = AlphaBetaOptions::new().exact_depth(true).table_depth(1)
            .bytes(if table { 1 << 16 } else { 0 })
            .late_moves(100, 1);
        if quiet {
            options = options.aspiration(0).killers(false).history(false);
        }
        let report = search(&mut AlphaBeta::new(knows, options).unwrap(), &root, depth);
        for report in [&report, &slow] {
            if let Some(proof) = report.proven {
                prop_assert_eq!(proof, truth.0);
                // A win may be longer than the shortest win, and a loss shorter than the longest loss, but not the
                // reverse.
                prop_assert!(proof == Outcome::Draw || report.value.score() <= value(truth, root.to_move()) || report.value.score() < 0);
            }
        }
        // Iterations end with the first proof; without a proof all iterations have the value of minimax.
        if report.stopped == Some(Stop::Depth) && report.value.score().abs() < WIN_BOUND {
            prop_assert_eq!(report.value.score(), slow.value.score());
        }
    }

    /// An engine with an exact value for every position needs one ply, and reports the whole line.
    #[test]
    fn knowing_all_one_ply_solves(seed in any::<u64>(), double in any::<bool>()) {
        let root = Literal::new(seed, 6, 3, double, false);
        let mut engine = AlphaBeta::new(Partly { one_in: 1 }, AlphaBetaOptions::new()).unwrap();
        let report = search(&mut engine, &root, 1);
        let truth = solved(&root);
        prop_assert_eq!(report.proven, Some(truth.0));
        prop_assert_eq!(report.value.score(), value(truth, root.to_move()));
        if truth.0 != Outcome::Draw {
            prop_assert_eq!(report.line().len(), truth.1 as usize);
            let mut game = root;
            for &mv in report.line() {
                game.play(mv).unwrap();
            }
            prop_assert_eq!(game.outcome(), Some(truth.0));
        }
        prop_assert_eq!(report.bounds, Bounds::of(truth.0, root.to_move()));
    }

    /// A single iteration to a depth has the value of the last of several iterations.
    #[test]
    fn an_only_depth_has_the_value_of_minimax(seed in any::<u64>(), depth in 1..6_u32, limit in 1..8_u32) {
        let root = Literal::new(seed, 7, 3, false, true);
        let mut engine = AlphaBeta::new(Literal::eval, AlphaBetaOptions::new().exact_depth(true).only_depth(depth)).unwrap();
        let report = search(&mut engine, &root, limit);
        let slow = search(&mut Minimax::new(Literal::eval), &root, depth.min(limit));
        prop_assert_eq!((report.value.score(), report.depth), (slow.value.score(), depth.min(limit)));
    }
}

/// A win with more plies than a table can store is still a proven win.
#[test]
fn a_win_at_any_distance_is_a_win() {
    #[derive(Clone, Copy)]
    struct Far;
    impl Evaluator<Literal> for Far {
        fn evaluate(&mut self, _: &Literal) -> i32 {
            0
        }
        fn exact(&mut self, game: &Literal) -> Option<(Outcome, u32)> {
            Some((Outcome::Win(game.to_move().other()), u32::MAX))
        }
    }
    let root = Literal::new(1, 6, 3, false, false);
    for report in [
        search(&mut AlphaBeta::new(Far, AlphaBetaOptions::new()).unwrap(), &root, 3),
        search(&mut Minimax::new(Far), &root, 3),
    ] {
        assert!(report.value.score() >= WIN_BOUND, "{report:?}");
    }
}
