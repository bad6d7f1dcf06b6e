//! Laws of an evaluator in a Monte-Carlo tree: the share of its value in the results of simulations.

use rand_core::RngCore;
use stonework_game::{Outcome, Player, example::Nim};
use stonework_search::{
    Engine, Limits, Mcts, MctsOptions, PlayoutPolicy, RandomPlayout, SearchContext, Value, WIN,
};

/// The value of Nim with one or two stones a turn: a multiple of three is lost.
fn judge() -> impl FnMut(&Nim) -> i32 + Clone + Send {
    |nim| if nim.left().is_multiple_of(3) { -WIN / 2 } else { WIN / 2 }
}

/// Playouts that may not be run.
#[derive(Clone)]
struct Forbidden;

impl PlayoutPolicy<Nim> for Forbidden {
    fn run(&mut self, _: &Nim, _: &mut impl RngCore) -> f32 {
        panic!("a playout")
    }

    fn trace(&self) -> impl Iterator<Item = (Player, u8)> + '_ {
        std::iter::empty()
    }
}

#[test]
fn without_a_share_the_evaluator_is_not_asked() {
    let never = |_: &Nim| -> i32 { panic!("asked") };
    let plain = || Mcts::new(RandomPlayout::new(50), MctsOptions::with_rave()).unwrap();
    let limits = Limits::none().simulations(500);
    let mut report = plain().evaluator(never).think(&Nim::new(40), &limits);
    let expected = plain().think(&Nim::new(40), &limits);
    report.time = expected.time;
    assert_eq!(report, expected);
}

#[test]
fn with_the_whole_share_no_playout_is_run_and_the_game_is_solved() {
    for options in [MctsOptions::uct(), MctsOptions::with_rave()] {
        let mut engine = Mcts::new(Forbidden, options.share(1.0)).unwrap().evaluator(judge());
        let report = engine.think(&Nim::new(10), &Limits::none());
        assert_eq!((report.best, report.proven), (Some(1), Some(Outcome::Win(Player::First))));
    }
}

#[test]
fn a_share_moves_the_mean_by_its_part_of_the_value() {
    // One visit of a root of which nothing is proven: the mean is that of one simulation.
    let mean = |share: f32, value: i32| {
        let options = MctsOptions::uct().share(share).playouts(64).expand_after(1000);
        let mut engine = Mcts::new(RandomPlayout::new(50), options).unwrap().evaluator(move |_: &Nim| value);
        let report = engine.search(&Nim::new(40), &Limits::none().simulations(200), SearchContext::seed(5));
        let Value::Mean(mean) = report.value else { panic!("{:?}", report.value) };
        f64::from(mean)
    };
    // The value is that of the leaf's side to move: after one move, the opponent's.
    let (low, middle, high) = (mean(0.5, WIN / 2), mean(0.5, 0), mean(0.5, -WIN / 2));
    assert!(
        (high - middle - 0.25).abs() < 0.03 && (middle - low - 0.25).abs() < 0.03,
        "{low} {middle} {high}"
    );
    let plain = mean(0.0, WIN / 2);
    assert!((middle - plain.midpoint(0.5)).abs() < 0.03, "{plain} {middle}");
}

#[test]
fn equal_seeds_give_equal_reports_and_values_lead_to_the_best_move() {
    let search = |seed| {
        let options = MctsOptions::with_rave().share(0.5);
        let mut engine = Mcts::new(RandomPlayout::new(50), options).unwrap().evaluator(judge());
        let mut report =
            engine.search(&Nim::new(100), &Limits::none().simulations(300), SearchContext::seed(seed));
        report.time = std::time::Duration::ZERO;
        report
    };
    assert_eq!(search(3), search(3));
    assert_eq!(search(3).best, Some(1));
}

#[test]
fn a_share_out_of_its_range_is_refused_with_the_range() {
    let error = MctsOptions::uct().share(1.5).check().unwrap_err();
    assert_eq!(error.to_string(), "share is 1.5, but has to be between 0 and 1");
    let mut engine = Mcts::new(RandomPlayout::<Nim>::new(50), MctsOptions::uct()).unwrap();
    assert!(Engine::<Nim>::set_parameter(&mut engine, "share", -0.5).is_err());
    Engine::<Nim>::set_parameter(&mut engine, "share", 0.25).unwrap();
    assert!((engine.options().share - 0.25).abs() < 1e-6);
}
