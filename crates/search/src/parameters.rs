//! [`Parameter`]: a named number by which an engine or agent can be tuned.

use crate::OptionsError;

/// A numeric option of an engine or agent, which a tuner or a controller reads and sets by name.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_search::{Engine, Mcts, MctsOptions, RandomPlayout};
/// let mut engine = Mcts::new(RandomPlayout::new(100), MctsOptions::uct())?;
/// Engine::<Nim>::set_parameter(&mut engine, "exploration", 0.5)?;
/// let parameters = Engine::<Nim>::parameters(&engine);
/// let exploration = parameters.iter().find(|parameter| parameter.name == "exploration");
/// assert_eq!(exploration.map(|parameter| parameter.value), Some(0.5));
/// let error = Engine::<Nim>::set_parameter(&mut engine, "exploration", -1.0).unwrap_err();
/// assert!(error.to_string().starts_with("exploration is -1, but has to be between 0 and "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The name: lower case, words joined by `_`; unique within an agent.
    pub name: &'static str,
    /// The purpose, in a few words.
    pub about: &'static str,
    /// The current value.
    pub value: f64,
    /// The least value that makes sense.
    pub least: f64,
    /// The greatest value.
    pub most: f64,
    /// `true` if only whole numbers make sense.
    pub whole: bool,
}

impl Parameter {
    /// A parameter for any number in a range.
    #[must_use]
    pub const fn new(name: &'static str, about: &'static str, value: f64, least: f64, most: f64) -> Self {
        Self { name, about, value, least, most, whole: false }
    }

    /// A parameter for whole numbers.
    #[must_use]
    pub const fn whole(name: &'static str, about: &'static str, value: f64, least: f64, most: f64) -> Self {
        Self { name, about, value, least, most, whole: true }
    }

    /// Checks that the parameter can be set to a value.
    ///
    /// # Errors
    /// The error names the parameter, the value and the allowed values.
    pub fn check(&self, value: f64) -> Result<(), ParameterError> {
        let (name, least, most) = (self.name, self.least, self.most);
        if !(least..=most).contains(&value) {
            return Err(ParameterError::OutOfRange { name, value, least, most });
        }
        if self.whole && value.fract() != 0.0 {
            return Err(ParameterError::NotWhole { name, value });
        }
        Ok(())
    }

    /// The result of setting a parameter of an engine or agent that only shows its parameters: the name and the
    /// value are checked, and a valid value is refused.
    ///
    /// # Errors
    /// Always an error: an error of [`find`](Self::find), or [`ParameterError::Refused`].
    pub fn read_only(all: &[Self], name: &str, value: f64) -> Result<(), ParameterError> {
        Self::find(all, name, value)?;
        Err(ParameterError::Refused { name: name.to_owned(), value, why: "it is only shown".to_owned() })
    }

    /// The parameter of this name, if it can be set to `value`.
    ///
    /// # Errors
    /// An error if no parameter has that name, and the errors of [`check`](Parameter::check).
    pub fn find<'a>(parameters: &'a [Self], name: &str, value: f64) -> Result<&'a Self, ParameterError> {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
            let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
            return Err(ParameterError::Unknown { name: name.to_owned(), known: known.join(", ") });
        };
        parameter.check(value).map(|()| parameter)
    }
}

/// A numeric option of `O` as a [`Parameter`]: the name, purpose and range, and the functions that read and set
/// the option. An option without a value is not shown; a setter refuses a value with the reason.
pub(crate) struct Dial<O> {
    pub(crate) parameter: Parameter,
    pub(crate) get: fn(&O) -> Option<f64>,
    pub(crate) set: fn(&mut O, f64) -> Result<(), &'static str>,
}

impl<O: Clone> Dial<O> {
    /// The parameters of a table of dials, with the values of these options.
    pub(crate) fn parameters(dials: &[Self], options: &O) -> Vec<Parameter> {
        let shown = |dial: &Self| Some(Parameter { value: (dial.get)(options)?, ..dial.parameter.clone() });
        dials.iter().filter_map(shown).collect()
    }

    /// The options with the parameter of this name set, unless `check` refuses the new options.
    pub(crate) fn turned(
        dials: &[Self],
        options: &O,
        name: &str,
        value: f64,
        check: impl FnOnce(&O) -> Result<(), OptionsError>,
    ) -> Result<O, ParameterError> {
        Parameter::find(&Self::parameters(dials, options), name, value)?;
        let refused = |why: String| ParameterError::Refused { name: name.to_owned(), value, why };
        let mut new = options.clone();
        if let Some(dial) = dials.iter().find(|dial| dial.parameter.name == name) {
            (dial.set)(&mut new, value).map_err(|why| refused(why.to_owned()))?;
        }
        check(&new).map_err(|error| refused(error.to_string())).map(|()| new)
    }
}

/// A table of [`Dial`]s. Each line has the kind of number, the name, the purpose and the range; then the value of
/// `$options`, and the assignment that sets it to `$value`.
macro_rules! dials {
    (
        $table:ident: $type:ty, |$options:ident, $value:ident|
        $($kind:ident $name:literal $about:literal $least:expr, $most:expr; $get:expr; $set:expr;)*
    ) => {
        const $table: &[crate::parameters::Dial<$type>] = &[$(
            crate::parameters::Dial {
                parameter: crate::Parameter::$kind($name, $about, 0.0, $least, $most),
                get: |$options| Some($get),
                set: |$options, $value| {
                    $set;
                    Ok(())
                },
            },
        )*];
    };
}

pub(crate) use dials;

/// The refusal of a parameter's value.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// No parameter has that name.
    #[error("no option `{name}`; there is {}", if known.is_empty() { "none" } else { known.as_str() })]
    Unknown {
        /// The name.
        name: String,
        /// The known names.
        known: String,
    },
    /// The value is out of range.
    #[error("{name} is {value}, but has to be between {least} and {most}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The value.
        value: f64,
        /// The least value.
        least: f64,
        /// The greatest value.
        most: f64,
    },
    /// The value is no whole number.
    #[error("{name} is {value}, but has to be a whole number")]
    NotWhole {
        /// The parameter.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// The value is invalid in combination with the values of other options.
    #[error("{name} cannot be {value}: {why}")]
    Refused {
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// The reason.
        why: String,
    },
}
