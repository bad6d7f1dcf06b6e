//! The options of a Monte-Carlo tree search as parameters.

use super::options::{MctsOptions, Rave, Widening};
use crate::{MAX_THREADS, Parameter, ParameterError};

/// Above what anybody would try, and whole.
const MANY: f64 = 1e9;

/// A number with the digits that it is written with, not those that its wider form happens to have.
fn shown(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}

impl MctsOptions {
    /// The numeric options by name. `rave` is the k of [`Rave::Schedule`], 0 for none (a
    /// [`Rave::LeastError`] shows as `rave_error`); `widening` is the number of moves that are looked at
    /// from the beginning, 0 for all.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        let (schedule, error) = match self.rave {
            Some(Rave::Schedule(k)) => (k, 0.0),
            Some(Rave::LeastError(b)) => (0.0, b),
            None => (0.0, 0.0),
        };
        let Widening { start, factor, power } =
            self.widening.unwrap_or(Widening { start: 0, factor: 1.0, power: 0.5 });
        vec![
            Parameter::new("exploration", "c of the bonus c√(ln N / n)", shown(self.exploration), 0.0, 100.0),
            Parameter::new("rave", "visits at which RAVE weighs a half; 0: none", shown(schedule), 0.0, MANY),
            Parameter::new("rave_error", "bias of RAVE by the least error; 0: none", shown(error), 0.0, 1.0),
            Parameter::new("first_play", "worth of a move not tried", shown(self.first_play), -100.0, 100.0),
            Parameter::new("bias", "weight of priors", shown(self.bias), -1000.0, 1000.0),
            Parameter::whole("widening", "moves looked at first; 0: all", start.into(), 0.0, 1e6),
            Parameter::new("widening_factor", "how many more", shown(factor), 0.0, 1e6),
            Parameter::new("widening_power", "how fast", shown(power), 0.0, 1.0),
            Parameter::whole("playouts", "playouts of a simulation", self.playouts.into(), 1.0, 64.0),
            Parameter::new("revisit", "share of visits without comparing", shown(self.revisit), 0.0, 1.0),
            Parameter::whole("expand_after", "visits before children", self.expand_after.into(), 1.0, MANY),
            Parameter::whole("threads", "threads", self.threads as f64, 1.0, MAX_THREADS as f64),
            Parameter::whole("own_trees", "each thread has its own tree", self.own_trees.into(), 0.0, 1.0),
            Parameter::whole("lines", "lines of a report", self.lines as f64, 1.0, 1e6),
        ]
    }

    /// The options with one of the [parameters](MctsOptions::parameters) turned.
    ///
    /// # Errors
    /// For a parameter that there is not, a value out of its range, and one that makes no sense with the
    /// others.
    pub fn turned(&self, name: &str, value: f64) -> Result<Self, ParameterError> {
        Parameter::find(&self.parameters(), name, value)?;
        let mut new = self.clone();
        let wide = self.widening.unwrap_or(Widening { start: 0, factor: 1.0, power: 0.5 });
        let number = value as f32;
        match name {
            "exploration" => new.exploration = number,
            "rave" => new.rave = (value > 0.0).then_some(Rave::Schedule(number)),
            "rave_error" => new.rave = (value > 0.0).then_some(Rave::LeastError(number)),
            "first_play" => new.first_play = number,
            "bias" => new.bias = number,
            "widening" => new.widening = (value > 0.0).then_some(Widening { start: value as u32, ..wide }),
            "widening_factor" => new.widening = self.widening.map(|w| Widening { factor: number, ..w }),
            "widening_power" => new.widening = self.widening.map(|w| Widening { power: number, ..w }),
            "playouts" => new.playouts = value as u32,
            "revisit" => new.revisit = number,
            "expand_after" => new.expand_after = value as u32,
            "own_trees" => new.own_trees = value > 0.0,
            "threads" => new.threads = value as usize,
            _ => new.lines = value as usize,
        }
        let refused = |why: String| ParameterError::Refused { name: name.to_owned(), value, why };
        if name.starts_with("widening_") && self.widening.is_none() {
            return Err(refused("there is no widening".to_owned()));
        }
        new.check().map_err(|error| refused(error.to_string())).map(|()| new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dial_turns_to_its_own_value_and_shows_it() {
        let options = MctsOptions::with_rave().widening(Widening { start: 3, factor: 2.0, power: 0.25 });
        for parameter in options.parameters() {
            let value =
                if parameter.whole { parameter.value + 1.0 } else { f64::midpoint(parameter.value, 0.5) };
            let turned = options.turned(parameter.name, value).unwrap();
            let shown = turned.parameters().into_iter().find(|d| d.name == parameter.name).unwrap().value;
            assert!(
                (shown - value).abs() < 1e-4 * value.abs().max(1.0),
                "{}: {shown} for {value}",
                parameter.name
            );
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        let options = MctsOptions::uct();
        let message = |name, value| options.turned(name, value).unwrap_err().to_string();
        assert!(message("speed", 1.0).starts_with("no option `speed`; there is exploration, rave,"));
        assert_eq!(message("playouts", 65.0), "playouts is 65, but has to be between 1 and 64");
        assert_eq!(message("playouts", 1.5), "playouts is 1.5, but has to be a whole number");
        assert_eq!(message("exploration", f64::NAN), "exploration is NaN, but has to be between 0 and 100");
        assert_eq!(message("widening_power", 0.5), "widening_power cannot be 0.5: there is no widening");
    }
}
