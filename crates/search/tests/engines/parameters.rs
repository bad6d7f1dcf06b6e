//! Tests that every parameter of every engine can be set, shows its value, and refuses invalid values.

use stonework_game::example::Nim;
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Engine, Hybrid, HybridOptions, Mcts, MctsOptions, RandomPlayout, Rave,
    Widening,
};

fn mcts(options: MctsOptions) -> Mcts<Nim, RandomPlayout<Nim>> {
    Mcts::new(RandomPlayout::new(100), options).unwrap()
}

/// The error of setting a parameter.
fn refused(engine: &mut dyn Engine<Nim>, name: &str, value: f64) -> String {
    engine.set_parameter(name, value).unwrap_err().to_string()
}

#[test]
fn every_parameter_takes_a_value_and_shows_it() {
    let widened = || MctsOptions::with_rave().widening(Widening { start: 3, factor: 2.0, power: 0.25 });
    let pruning = AlphaBetaOptions::new().null_move(2).late_moves(3, 1);
    let make: [&dyn Fn() -> Box<dyn Engine<Nim>>; 3] = [
        &|| Box::new(mcts(widened()).graph(true)),
        &|| Box::new(Hybrid::new(mcts(widened()), HybridOptions::new()).unwrap()),
        &|| Box::new(AlphaBeta::new((), pruning.clone()).unwrap()),
    ];
    for make in make {
        for parameter in make().parameters() {
            let mut engine = make();
            let (name, before) = (parameter.name, parameter.value);
            let value = match (parameter.whole, before < parameter.most) {
                (true, true) => before + 1.0,
                (true, false) => before - 1.0,
                (false, _) => f64::midpoint(before, 0.5),
            };
            engine.set_parameter(name, value).unwrap();
            let shown = engine.parameters().into_iter().find(|other| other.name == name).unwrap().value;
            assert!((shown - value).abs() < 1e-4 * value.abs().max(1.0), "{name}: {shown} for {value}");
        }
    }
}

/// A program that sets all parameters to the values that it was shown gets the same engine. (`rave_error=0` took away the RAVE
/// that `rave` shows.)
#[test]
fn a_parameter_that_is_set_to_its_own_value_changes_nothing() {
    let widened = |options: MctsOptions| options.widening(Widening { start: 3, factor: 2.0, power: 0.25 });
    for options in
        [MctsOptions::uct(), MctsOptions::with_rave(), MctsOptions::uct().rave(Rave::LeastError(0.25))]
    {
        let (mut engine, before) = (mcts(widened(options.clone())), widened(options));
        for parameter in Engine::<Nim>::parameters(&engine) {
            engine.set_parameter(parameter.name, parameter.value).unwrap();
            assert_eq!(engine.options(), &before, "{}", parameter.name);
        }
    }
    let mut engine = mcts(MctsOptions::with_rave());
    engine.set_parameter("rave", 0.0).unwrap();
    assert_eq!(engine.options().rave, None);
}

#[test]
fn a_parameter_that_makes_no_sense_is_refused_by_name() {
    let mut tree = mcts(MctsOptions::uct());
    let engine: &mut dyn Engine<Nim> = &mut tree;
    assert!(refused(engine, "speed", 1.0).starts_with("no option `speed`; there is exploration, rave,"));
    assert_eq!(refused(engine, "playouts", 65.0), "playouts is 65, but has to be between 1 and 64");
    assert_eq!(refused(engine, "playouts", 1.5), "playouts is 1.5, but has to be a whole number");
    assert_eq!(
        refused(engine, "exploration", f64::NAN),
        "exploration is NaN, but has to be between 0 and 100"
    );
    assert_eq!(refused(engine, "widening_power", 0.5), "widening_power cannot be 0.5: there is no widening");
    let mut plain = AlphaBeta::new((), AlphaBetaOptions::new()).unwrap();
    assert!(refused(&mut plain, "null_move", 2.0).starts_with("no option `null_move`"), "there is no pass");
    let late = "late_after cannot be 9: late_by is 0: no move is reduced";
    assert_eq!(refused(&mut plain, "late_after", 9.0), late);
}
