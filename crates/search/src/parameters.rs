//! [`NumericOption`]: a numeric option of an engine with the functions that read and set it.

use crate::{OptionsError, Parameter, ParameterError};

/// A numeric option of `O` as a [`Parameter`]: the name, purpose and range, and the functions that read and set
/// the option. An option without a value is not shown; a setter refuses a value with the reason.
pub(crate) struct NumericOption<O> {
    pub(crate) parameter: Parameter,
    pub(crate) get: fn(&O) -> Option<f64>,
    pub(crate) set: fn(&mut O, f64) -> Result<(), &'static str>,
}

impl<O: Clone> NumericOption<O> {
    /// The parameters of a table of numeric options, with the values of these options.
    pub(crate) fn parameters(table: &[Self], options: &O) -> Vec<Parameter> {
        let shown =
            |option: &Self| Some(Parameter { value: (option.get)(options)?, ..option.parameter.clone() });
        table.iter().filter_map(shown).collect()
    }

    /// The options with the parameter of this name set, unless `check` refuses the new options.
    pub(crate) fn with_value(
        table: &[Self],
        options: &O,
        name: &str,
        value: f64,
        check: impl FnOnce(&O) -> Result<(), OptionsError>,
    ) -> Result<O, ParameterError> {
        Parameter::find(&Self::parameters(table, options), name, value)?;
        let refused = |why: String| ParameterError::Refused { name: name.to_owned(), value, why };
        let mut new = options.clone();
        if let Some(option) = table.iter().find(|option| option.parameter.name == name) {
            (option.set)(&mut new, value).map_err(|why| refused(why.to_owned()))?;
        }
        check(&new).map_err(|error| refused(error.to_string())).map(|()| new)
    }
}

/// A table of [`NumericOption`]s. Each line has the kind of number, the name, the purpose and the range; then the value of
/// `$options`, and the assignment that sets it to `$value`.
macro_rules! numeric_options {
    (
        $table:ident: $type:ty, |$options:ident, $value:ident|
        $($kind:ident $name:literal $about:literal $least:expr, $most:expr; $get:expr; $set:expr;)*
    ) => {
        const $table: &[crate::parameters::NumericOption<$type>] = &[$(
            crate::parameters::NumericOption {
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

pub(crate) use numeric_options;
