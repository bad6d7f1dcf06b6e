//! [`Dimension::parse_list`]: reads the dimensions of a search from the text of a command line.

use stonework_engine::{Parameter, ParameterError};

use super::Dimension;

/// The fault of a part of a list of dimensions.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DimensionFault {
    /// The part has another form.
    #[error("NAME=LEAST..MOST")]
    Form,
    /// A bound is no number.
    #[error("`{0}` is no number")]
    Number(String),
    /// The player has no parameter of the name.
    #[error("there is no such option; there is {known}")]
    Unknown {
        /// The names of the player's parameters, separated by commas.
        known: String,
    },
    /// The parameter does not take a bound.
    #[error(transparent)]
    Value(ParameterError),
    /// The lower bound is not below the upper bound.
    #[error("{least} is not below {most}")]
    Empty {
        /// The lower bound.
        least: f64,
        /// The upper bound.
        most: f64,
    },
    /// An earlier part has the same name.
    #[error("it is there twice")]
    Twice,
}

/// The reason why a text is no list of dimensions.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DimensionError {
    /// The list is empty.
    #[error("nothing to tune")]
    Nothing,
    /// A part of the list is wrong.
    #[error("`{part}`: {fault}")]
    Part {
        /// The part.
        part: String,
        /// Its fault.
        fault: DimensionFault,
    },
}

impl Dimension {
    /// Reads dimensions `NAME=LEAST..MOST`, separated by commas, for a player with these parameters. Each dimension
    /// starts at the present value of its parameter, or at the nearest bound.
    ///
    /// # Errors
    /// [`DimensionError::Nothing`] for an empty list, or else the first part that is wrong.
    ///
    /// ```
    /// use stonework_arena::tune::Dimension;
    /// use stonework_engine::Parameter;
    /// let known = [Parameter::whole("rave", "weight of rave", 500.0, 0.0, 10_000.0)];
    /// let space = Dimension::parse_list("rave=600..5000", &known)?;
    /// assert_eq!((space[0].start, space[0].most, space[0].whole), (600.0, 5000.0, true));
    /// let refused = Dimension::parse_list("speed=0..1", &known).unwrap_err();
    /// assert_eq!(refused.to_string(), "`speed=0..1`: there is no such option; there is rave");
    /// # Ok::<(), stonework_arena::tune::DimensionError>(())
    /// ```
    pub fn parse_list(text: &str, known: &[Parameter]) -> Result<Vec<Self>, DimensionError> {
        let mut space: Vec<Self> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = |fault| DimensionError::Part { part: part.to_owned(), fault };
            let dimension = Self::parse(part, known).map_err(wrong)?;
            if space.iter().any(|other| other.name == dimension.name) {
                return Err(wrong(DimensionFault::Twice));
            }
            space.push(dimension);
        }
        if space.is_empty() { Err(DimensionError::Nothing) } else { Ok(space) }
    }

    fn parse(part: &str, known: &[Parameter]) -> Result<Self, DimensionFault> {
        let range = part.split_once('=').and_then(|(name, range)| Some((name, range.split_once("..")?)));
        let (name, (least, most)) = range.ok_or(DimensionFault::Form)?;
        let number = |text: &str| text.trim().parse().map_err(|_| DimensionFault::Number(text.to_owned()));
        let (name, least, most): (_, f64, f64) = (name.trim(), number(least)?, number(most)?);
        let parameter = known.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
            DimensionFault::Unknown { known: names.join(", ") }
        })?;
        for value in [least, most] {
            parameter.check(value).map_err(DimensionFault::Value)?;
        }
        if least >= most {
            return Err(DimensionFault::Empty { least, most });
        }
        let start = parameter.value.min(most).max(least);
        Ok(Self { name: name.to_owned(), start, least, most, whole: parameter.whole })
    }
}
