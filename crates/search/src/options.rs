//! The common parts of the options of all engines: their declaration, and the error of an option out of its range.

/// The refusal of options that an engine cannot work with.
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
    /// A Monte-Carlo search with several threads on one tree, all of which would walk the same path.
    #[error("{threads} threads need a virtual_loss of at least 1, or all go the same way")]
    NoVirtualLoss {
        /// The number of threads.
        threads: usize,
    },
    /// A Monte-Carlo search in which no move but the first one would ever have the best score.
    #[error(
        "a first_play of {first_play} never tries a move beyond the first one without exploration or RAVE"
    )]
    NeverExplores {
        /// The first-play urgency.
        first_play: f32,
    },
}

impl OptionsError {
    /// Checks that options are in their ranges. Each entry has the name, the value, and the least and the greatest
    /// value of an option.
    pub(crate) fn check(ranges: &[(&'static str, f64, f64, f64)]) -> Result<(), Self> {
        match ranges.iter().find(|(_, value, least, most)| !(least..=most).contains(&value)) {
            Some(&(option, value, least, most)) => Err(Self::OutOfRange { option, value, least, most }),
            None => Ok(()),
        }
    }
}

/// Declares the options of an engine in one table: a structure with public fields, a constructor with the value of
/// each field, `Default`, and a [setter](setters) for each field. After the value of an optional field, `some
/// TYPE` is the type that its setter takes.
macro_rules! options {
    (
        $(#[$about:meta])*
        $name:ident;
        $(#[$begin:meta])*
        $new:ident;
        $( $(#[$doc:meta])* $option:ident: $type:ty = $value:expr $(, some $some:ty)?; )*
    ) => {
        $(#[$about])*
        #[non_exhaustive]
        pub struct $name {
            $( $(#[$doc])* pub $option: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$new()
            }
        }

        impl $name {
            $(#[$begin])*
            #[must_use]
            pub const fn $new() -> Self {
                Self { $( $option: $value, )* }
            }

            $( crate::options::setters! { $option: $type $(, some $some)?; } )*
        }
    };
}

/// A setter for a public field. After the type of an optional field, `some TYPE` is the type that its setter
/// takes.
macro_rules! setters {
    ($option:ident: $type:ty, some $some:ty;) => {
        #[doc = concat!("Sets [`", stringify!($option), "`](field@Self::", stringify!($option), ").")]
        #[must_use]
        pub const fn $option(mut self, $option: $some) -> Self {
            self.$option = Some($option);
            self
        }
    };
    ($option:ident: $type:ty;) => {
        #[doc = concat!("Sets [`", stringify!($option), "`](field@Self::", stringify!($option), ").")]
        #[must_use]
        pub const fn $option(mut self, $option: $type) -> Self {
            self.$option = $option;
            self
        }
    };
}

pub(crate) use {options, setters};
