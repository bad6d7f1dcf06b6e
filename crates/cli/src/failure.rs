//! What can go wrong, and the exit code and the line on standard error for it.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;

use stonework_board::NotationError;

/// Why a command does not end with success.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Arguments or input that cannot be used: one line on standard error, exit code 2.
    Input(String),
    /// The same, but every line has been written already.
    Reported,
    /// What was checked does not hold, as the output says: exit code 1.
    Disagrees,
    /// Standard output cannot be written to. If nobody reads it any more, that is no error.
    Output(io::Error),
}

impl Failure {
    /// Unusable input.
    pub(crate) fn input(what: impl Display) -> Self {
        Self::Input(one_line(&what.to_string()))
    }

    /// Says it on standard error and gives the exit code.
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

/// Only writing to [`Out`](crate::out::Out) uses `?` on such an error.
impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Self {
        Self::input(error)
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Output(e)
    }
}

/// A line on standard error.
pub(crate) fn say(line: impl Display) {
    // If nobody can hear it, there is nobody to tell.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints what the argument parser has to say: help in full, an error on one line.
pub(crate) fn refused(error: &clap::Error) -> ExitCode {
    let help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if help {
        // Help that nobody reads to its end is no error.
        let _ = error.print();
    } else {
        let text = error.render().to_string();
        let of_use = text.split("\n\n").filter(|p| !p.starts_with("Usage:") && !p.starts_with("For more"));
        say(one_line(&of_use.collect::<Vec<_>>().join(";")));
    }
    ExitCode::from(error.exit_code() as u8)
}

/// White space of any kind made into single spaces.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
