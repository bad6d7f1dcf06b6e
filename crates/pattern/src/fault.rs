//! What can be wrong with a pattern file, and where.

use std::fmt;
use std::sync::Arc;

use crate::cells::CellsError;
use crate::code::Code;

/// A place in a pattern file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourcePlace {
    /// The name of the file; empty for a text without a name.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
}

/// `file:line:column`, or `line:column` if the file has no name.
impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.file.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{}:{}", self.file, self.line, self.column)
    }
}

/// A fault in a pattern file, with its place.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{at}: {what}")]
#[non_exhaustive]
pub struct Fault {
    /// Where.
    pub at: SourcePlace,
    /// What.
    pub what: FaultKind,
}

/// What can be wrong. Patterns are named as `name` or, without one, by their cells.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// Something else was expected.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What stands there.
        found: String,
        /// What could have stood there.
        expected: &'static str,
    },
    /// A text in quotes without its second quote.
    #[error("the quote is not closed on its line")]
    Unclosed,
    /// Cells that are none.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// A letter of an answer that is neither.
    #[error("`{found}` is no part of an answer: there are `.` and `o`, a cell to answer in")]
    Answer {
        /// The letter.
        found: char,
    },
    /// A chance that is none.
    #[error("chance {found}: it is a whole number of eighths, 0 to 8")]
    Chance {
        /// What stands there.
        found: String,
    },
    /// A weight that is none.
    #[error("weight {found}: it is a number from 0 to {most}")]
    Weight {
        /// What stands there.
        found: String,
        /// The largest.
        most: f32,
    },
    /// A second weight.
    #[error("a second weight for one pattern")]
    Weights,
    /// A name that another pattern has.
    #[error("the name `{name}` is taken by the pattern at {other}")]
    Name {
        /// The name.
        name: String,
        /// Where it was given first.
        other: SourcePlace,
    },
    /// An included file that cannot be had.
    #[error("`{path}` cannot be included: {reason}")]
    Include {
        /// As it was written.
        path: String,
        /// Why.
        reason: String,
    },
    /// A file that includes itself.
    #[error("`{path}` includes itself, by way of the line at {other}")]
    Circle {
        /// As it was written.
        path: String,
        /// Where the file that is read was included first.
        other: SourcePlace,
    },
    /// More than there may be.
    #[error("{what}: {count}, the limit is {limit}")]
    Limit {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// No cell to answer in.
    #[error("the answer has no cell")]
    NoAnswer,
    /// An answer on a cell that need not be empty.
    #[error(
        "answers in cell {cell}, which is `{state}`: only a cell that must be empty (`.`) can be answered in"
    )]
    Taken {
        /// Its letter.
        cell: char,
        /// What the pattern asks of it.
        state: String,
    },
    /// An answer on a cell that the pattern does not have.
    #[error("answers in cell {cell}, but the pattern has {cells} cells, a to {last}")]
    Beyond {
        /// Its letter.
        cell: char,
        /// How many cells the pattern has.
        cells: usize,
        /// The letter of the last.
        last: char,
    },
    /// An exception with more or fewer cells than its pattern.
    #[error("an exception with {found} cells to a pattern with {cells}")]
    ExceptionReach {
        /// Cells of the exception.
        found: usize,
        /// Cells of the pattern.
        cells: usize,
    },
    /// An exception that excludes nothing.
    #[error("this exception excludes nothing that `{pattern}` matches on any board")]
    ExceptsNothing {
        /// The pattern.
        pattern: String,
    },
    /// Nothing is left of the pattern.
    #[error("the exceptions leave nothing of `{pattern}`")]
    ExceptsAll {
        /// The pattern.
        pattern: String,
    },
    /// No board has such surroundings.
    #[error("`{pattern}` is unreachable: no cell of any board has these cells off the board")]
    Unreachable {
        /// The pattern.
        pattern: String,
    },
    /// Two patterns of the same length match the same.
    #[error("`{pattern}` and the pattern at {other} both match {common}")]
    Conflict {
        /// The later pattern.
        pattern: String,
        /// The place of the earlier.
        other: SourcePlace,
        /// What both match.
        common: Code,
    },
    /// Longer patterns match all that the pattern matches.
    #[error(
        "`{pattern}` is shadowed: longer patterns answer first wherever it matches, such as the one at {other}"
    )]
    Shadowed {
        /// The pattern.
        pattern: String,
        /// The place of one of the longer patterns.
        other: SourcePlace,
    },
    /// A pattern that matches too many surroundings.
    #[error(
        "`{pattern}` and those of the same beginning take {count} entries or more, the limit is {limit}: fewer `?` and `!`"
    )]
    Entries {
        /// The pattern.
        pattern: String,
        /// How many.
        count: usize,
        /// The limit.
        limit: usize,
    },
}

/// All that is wrong with a pattern file and those it includes, by file, line and column; at least one
/// fault.
#[derive(Clone, PartialEq, Debug)]
pub struct Faults(pub(crate) Vec<Fault>);

impl Faults {
    /// The faults.
    #[must_use]
    pub fn list(&self) -> &[Fault] {
        &self.0
    }
}

/// A line for each fault.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
