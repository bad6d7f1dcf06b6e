//! [`Dial`]: a number that an engine or agent can be tuned by, by name.

/// A numeric option of an engine or agent, as a tuner or a controller finds and turns it by name.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_search::{Agent, Flat, Limits, Minimax, Thinker};
/// let mut agent = Thinker::new(Minimax::new(Flat), Limits::none(), 1);
/// Agent::<Nim>::turn(&mut agent, "nodes", 1000.0)?;
/// let dials = Agent::<Nim>::dials(&agent);
/// assert_eq!(dials.iter().find(|dial| dial.name == "nodes").map(|dial| dial.value), Some(1000.0));
/// let error = Agent::<Nim>::turn(&mut agent, "nodes", -1.0).unwrap_err();
/// assert!(error.to_string().starts_with("nodes is -1, but has to be between 0 and "));
/// # Ok::<(), stonework_search::DialError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Dial {
    /// What it is called: lower case, words joined by `_`; unique within an agent.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Its value now.
    pub value: f64,
    /// The least value that makes sense.
    pub least: f64,
    /// The greatest.
    pub most: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
}

impl Dial {
    /// A dial for any number in a range.
    #[must_use]
    pub const fn new(name: &'static str, about: &'static str, value: f64, least: f64, most: f64) -> Self {
        Self { name, about, value, least, most, whole: false }
    }

    /// A dial for whole numbers.
    #[must_use]
    pub const fn whole(name: &'static str, about: &'static str, value: f64, least: f64, most: f64) -> Self {
        Self { name, about, value, least, most, whole: true }
    }

    /// Whether the dial can be turned to a value.
    ///
    /// # Errors
    /// Names the dial, the value and what it may be.
    pub fn check(&self, value: f64) -> Result<(), DialError> {
        let (name, least, most) = (self.name, self.least, self.most);
        if !(least..=most).contains(&value) {
            return Err(DialError::OutOfRange { name, value, least, most });
        }
        if self.whole && value.fract() != 0.0 {
            return Err(DialError::NotWhole { name, value });
        }
        Ok(())
    }

    /// The dial of a name among others, if it can be turned to a value.
    ///
    /// # Errors
    /// If there is none of that name, or as [`check`](Dial::check).
    pub fn find<'a>(dials: &'a [Self], name: &str, value: f64) -> Result<&'a Self, DialError> {
        let Some(dial) = dials.iter().find(|dial| dial.name == name) else {
            let known: Vec<&str> = dials.iter().map(|dial| dial.name).collect();
            return Err(DialError::Unknown { name: name.to_owned(), known: known.join(", ") });
        };
        dial.check(value).map(|()| dial)
    }
}

/// A dial that cannot be turned so.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DialError {
    /// There is none of that name.
    #[error("no option `{name}`; there is {}", if known.is_empty() { "none" } else { known.as_str() })]
    Unknown {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The value is out of range.
    #[error("{name} is {value}, but has to be between {least} and {most}")]
    OutOfRange {
        /// The dial.
        name: &'static str,
        /// The value.
        value: f64,
        /// The least value.
        least: f64,
        /// The greatest.
        most: f64,
    },
    /// The value is no whole number.
    #[error("{name} is {value}, but has to be a whole number")]
    NotWhole {
        /// The dial.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// The value makes no sense together with the other options.
    #[error("{name} cannot be {value}: {why}")]
    Refused {
        /// The dial.
        name: String,
        /// The value.
        value: f64,
        /// What speaks against it.
        why: String,
    },
}
