//! The failures of commands, with an exit code and a line on standard error for each.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;

use stonework_board::NotationError;

/// The reason why a command does not end with success.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Arguments or input that cannot be used: one line on standard error, exit code 2.
    Input(String),
    /// Unusable arguments or input, with all lines on standard error already written: exit code 2.
    Reported,
    /// The check does not hold, as the output says: exit code 1.
    Disagrees,
    /// Standard output cannot be written to. A reader that has closed standard output is no error.
    Output(io::Error),
}

impl Failure {
    /// The failure of unusable input.
    pub(crate) fn input(what: impl Display) -> Self {
        Self::Input(one_line(&what.to_string()))
    }

    /// Writes the message on standard error and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Input(what) => {
                say(format_args!("error: {what}"));
                ExitCode::from(2)
            }
            Self::Reported => ExitCode::from(2),
            Self::Disagrees => ExitCode::from(1),
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(e) => {
                say(format_args!("error: standard output cannot be written to: {e}"));
                ExitCode::from(2)
            }
        }
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Self {
        Self::input(error)
    }
}

/// The operator `?` applies to an [`io::Error`] only where a function writes to [`Out`](crate::out::Out).
impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Output(e)
    }
}

/// Writes a line on standard error.
pub(crate) fn say(line: impl Display) {
    // A failure to write to standard error has no other place for a message.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints the message of the argument parser: help in full, an error on one line.
pub(crate) fn refused(error: &clap::Error) -> ExitCode {
    let help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if help {
        // A reader that closes standard output before the end of the help is no error.
        let _ = error.print();
    } else {
        let text = error.render().to_string();
        let of_use = text.split("\n\n").filter(|p| !p.starts_with("Usage:") && !p.starts_with("For more"));
        say(one_line(&of_use.collect::<Vec<_>>().join(";")));
    }
    ExitCode::from(error.exit_code() as u8)
}

/// The text with a single space for each run of white space and of control characters, which a terminal would obey.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// The text with a space for each control character, which a terminal would obey.
pub(crate) fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}
