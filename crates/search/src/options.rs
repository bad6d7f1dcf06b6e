//! The common parts of the options of all engines: setters, and the error of an option out of its range.

/// The error of options that make no sense.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// A number is out of its range.
    #[error("{option} is {value}, but has to be between {least} and {most}")]
    OutOfRange {
        /// The name of the option.
        option: &'static str,
        /// The value of the option.
        value: f64,
        /// The least value that the option may have.
        least: f64,
        /// The greatest value that the option may have.
        most: f64,
    },
    /// A Monte-Carlo search with several threads on one tree, all of which would walk the same way.
    #[error("{threads} threads need a virtual_loss of at least 1, or all go the same way")]
    NoVirtualLoss {
        /// The number of threads.
        threads: usize,
    },
    /// A Monte-Carlo search in which no move but the first would ever look better.
    #[error(
        "a first_play of {first_play} never tries a move beyond the first one without exploration or RAVE"
    )]
    NeverExplores {
        /// The first-play urgency.
        first_play: f32,
    },
}

impl OptionsError {
    /// Checks that an option is in its range.
    pub(crate) fn check(option: &'static str, value: f64, least: f64, most: f64) -> Result<(), Self> {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        Err(Self::OutOfRange { option, value, least, most })
    }
}

/// A setter for each of these public fields.
macro_rules! setters {
    ($($option:ident: $type:ty;)*) => {
        $(
            #[doc = concat!("Sets [`", stringify!($option), "`](field@Self::", stringify!($option), ").")]
            #[must_use]
            pub const fn $option(mut self, $option: $type) -> Self {
                self.$option = $option;
                self
            }
        )*
    };
}

pub(crate) use setters;
