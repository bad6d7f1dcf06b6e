//! The options of a Monte-Carlo tree search as parameters.

use super::options::{MctsOptions, Rave, Widening};
use crate::parameters::{NumericOption, numeric_options};
use crate::{MAX_THREADS, Parameter, ParameterError};

/// The upper limit of parameters for which no smaller limit is needed.
const HIGH_LIMIT: f64 = 1e9;

/// The widening that the parameters show for options without widening, and that the parameter `widening` begins with.
const DEFAULT_WIDENING: Widening = Widening { start: 0, factor: 1.0, power: 0.5 };

/// The `f64` with the same shortest decimal form as an `f32`: 0.1 for 0.1, while a cast gives 0.10000000149.
fn shortest_f64(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}

/// The widening of the options; for options without widening, the reason of the refusal.
fn widening(options: &mut MctsOptions) -> Result<&mut Widening, &'static str> {
    options.widening.as_mut().ok_or("there is no widening")
}

/// Sets RAVE of a kind; 0 takes away RAVE of this kind (`own`), and leaves RAVE of the other kind.
fn set_rave(options: &mut MctsOptions, value: f64, own: bool, kind: fn(f32) -> Rave) {
    if value > 0.0 {
        options.rave = Some(kind(value as f32));
    } else if own {
        options.rave = None;
    }
}

impl MctsOptions {
    /// The numeric options by name. `rave` is the k of [`Rave::Schedule`], 0 for none; `rave_error` is the b of
    /// [`Rave::LeastError`], 0 for none; `widening` is [`Widening::start`], 0 for no widening.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        NumericOption::parameters(NUMERIC_OPTIONS, self)
    }

    /// The options with one of the [parameters](Self::parameters) set.
    pub(super) fn with_value(&self, name: &str, value: f64) -> Result<Self, ParameterError> {
        NumericOption::with_value(NUMERIC_OPTIONS, self, name, value, Self::check)
    }
}

numeric_options! { NUMERIC_OPTIONS: MctsOptions, |options, value|
    new "exploration" "c of the bonus c√(ln N / n)" 0.0, 100.0;
        shortest_f64(options.exploration); options.exploration = value as f32;
    new "rave" "visits at which RAVE weighs a half; 0: none" 0.0, HIGH_LIMIT;
        if let Some(Rave::Schedule(k)) = options.rave { shortest_f64(k) } else { 0.0 };
        set_rave(options, value, matches!(options.rave, Some(Rave::Schedule(_))), Rave::Schedule);
    new "rave_error" "bias of RAVE by the least error; 0: none" 0.0, 1.0;
        if let Some(Rave::LeastError(b)) = options.rave { shortest_f64(b) } else { 0.0 };
        set_rave(options, value, matches!(options.rave, Some(Rave::LeastError(_))), Rave::LeastError);
    new "first_play" "worth of a move not tried" -100.0, 100.0;
        shortest_f64(options.first_play); options.first_play = value as f32;
    new "bias" "weight of priors" -1000.0, 1000.0;
        shortest_f64(options.bias); options.bias = value as f32;
    new "puct" "weight of priors as chances, by PUCT; 0: none" 0.0, 1000.0;
        shortest_f64(options.puct); options.puct = value as f32;
    new "unvisited_loss" "with PUCT: loss of a move not tried" -1.0, 1.0;
        shortest_f64(options.unvisited_loss); options.unvisited_loss = value as f32;
    whole "widening" "moves looked at first; 0: all" 0.0, 1e6;
        options.widening.unwrap_or(DEFAULT_WIDENING).start.into();
        options.widening = (value > 0.0)
            .then(|| Widening { start: value as u32, ..options.widening.unwrap_or(DEFAULT_WIDENING) });
    new "widening_factor" "how many more" 0.0, 1e6;
        shortest_f64(options.widening.unwrap_or(DEFAULT_WIDENING).factor); widening(options)?.factor = value as f32;
    new "widening_power" "how fast" 0.0, 1.0;
        shortest_f64(options.widening.unwrap_or(DEFAULT_WIDENING).power); widening(options)?.power = value as f32;
    whole "playouts" "playouts of a simulation" 1.0, 64.0;
        options.playouts.into(); options.playouts = value as u32;
    new "share" "share of the evaluator in results" 0.0, 1.0;
        shortest_f64(options.share); options.share = value as f32;
    new "revisit" "share of visits without comparing" 0.0, 1.0;
        shortest_f64(options.revisit); options.revisit = value as f32;
    whole "expand_after" "visits before children" 1.0, HIGH_LIMIT;
        options.expand_after.into(); options.expand_after = value as u32;
    whole "study_after" "visits before tactics study a node; 0: never" 0.0, HIGH_LIMIT;
        options.study_after.into(); options.study_after = value as u32;
    whole "threads" "threads" 1.0, MAX_THREADS as f64;
        options.threads as f64; options.threads = value as usize;
    whole "own_trees" "each thread has its own tree" 0.0, 1.0;
        options.own_trees.into(); options.own_trees = value > 0.0;
    whole "lines" "lines of a report" 1.0, 1e6;
        options.lines as f64; options.lines = value as usize;
}
