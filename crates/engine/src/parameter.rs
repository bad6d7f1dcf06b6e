//! [`Parameter`]: a named number by which an engine or agent can be tuned.

/// A numeric option of an engine or agent, which a tuner or a controller reads and sets by name.
///
/// ```
/// use stonework_engine::Parameter;
/// let parameters = [Parameter::new("exploration", "weight of seldom visited moves", 0.5, 0.0, 10.0)];
/// assert_eq!(Parameter::find(&parameters, "exploration", 2.0)?.value, 0.5);
/// let error = Parameter::find(&parameters, "exploration", -1.0).unwrap_err();
/// assert_eq!(error.to_string(), "exploration is -1, but has to be between 0 and 10");
/// # Ok::<(), stonework_engine::ParameterError>(())
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
