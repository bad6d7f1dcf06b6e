//! The faults of a pattern file, with their places.

use std::cmp::Ordering;
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

/// A fault in a pattern file, with its place. Its message has control characters, which a terminal would obey, as escapes.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{}", without_control(&format!("{at}: {what}")))]
#[non_exhaustive]
pub struct Fault {
    /// The place.
    pub at: SourcePlace,
    /// The fault.
    pub what: FaultKind,
}

/// The text with an escape, such as `\u{1b}`, for each control character.
fn without_control(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

/// The most characters of a path in a message.
const MOST_SHOWN: usize = 120;

/// A path for a message: a long one is cut after [`MOST_SHOWN`] characters, and ends with `…`.
fn shown(path: &str) -> String {
    match path.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}

/// The kinds of faults. A pattern without a name is named by its cells. A message has the first 120 characters of a longer path, and the
/// fault itself has all of it.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A text that cannot stand here.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// The text.
        found: String,
        /// A description of a valid text.
        expected: &'static str,
    },
    /// A text in quotes without its second quote.
    #[error("the quote is not closed on its line")]
    Unclosed,
    /// A text of cells with an error.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// A letter of an answer other than `.` and `o`.
    #[error("`{found}` is no part of an answer: there are `.` and `o`, a cell to answer in")]
    Answer {
        /// The letter.
        found: char,
    },
    /// A chance that is no number of eighths.
    #[error("chance {found}: it is a whole number of eighths, 0 to 8")]
    Chance {
        /// The text, its first 40 characters.
        found: String,
    },
    /// A weight that is no number in its range.
    #[error("weight {found}: it is a number from 0 to {most}")]
    Weight {
        /// The text, its first 40 characters.
        found: String,
        /// The largest weight.
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
        /// The place of that pattern.
        other: SourcePlace,
    },
    /// An included file that cannot be read.
    #[error("`{}` cannot be included: {reason}", shown(path))]
    Include {
        /// The path as it was written.
        path: String,
        /// The reason.
        reason: String,
    },
    /// A file that includes itself.
    #[error("`{}` includes itself, by way of the line at {other}", shown(path))]
    Circle {
        /// The path as it was written.
        path: String,
        /// The place that first included the file that is being read.
        other: SourcePlace,
    },
    /// A number above its limit.
    #[error("{what}: {count}, the limit is {limit}")]
    Limit {
        /// The noun of the counted things.
        what: &'static str,
        /// The number.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// An answer without a cell.
    #[error("the answer has no cell")]
    NoAnswer,
    /// An answer on a cell that need not be empty.
    #[error(
        "answers in cell {cell}, which is `{state}`: only a cell that must be empty (`.`) can be answered in"
    )]
    Taken {
        /// The letter of the cell.
        cell: char,
        /// The condition of the pattern on the cell.
        state: String,
    },
    /// An answer on a cell that the pattern does not have.
    #[error("answers in cell {cell}, but the pattern has {cells} cells, a to {last}")]
    Beyond {
        /// The letter of the cell.
        cell: char,
        /// The number of cells of the pattern.
        cells: usize,
        /// The letter of the last cell.
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
    /// The exceptions leave no neighbourhood that the pattern matches.
    #[error("the exceptions leave nothing of `{pattern}`")]
    ExceptsAll {
        /// The pattern.
        pattern: String,
    },
    /// No board has a neighbourhood that the pattern matches.
    #[error("`{pattern}` is unreachable: no cell of any board has these cells off the board")]
    Unreachable {
        /// The pattern.
        pattern: String,
    },
    /// Two patterns of the same length match the same neighbourhood.
    #[error("`{pattern}` and the pattern at {other} both match {common}")]
    Conflict {
        /// The later pattern.
        pattern: String,
        /// The place of the earlier.
        other: SourcePlace,
        /// A neighbourhood that both match.
        common: Code,
    },
    /// Longer patterns match every neighbourhood that the pattern matches.
    #[error(
        "`{pattern}` is shadowed: longer patterns answer first wherever it matches, such as the one at {other}"
    )]
    Shadowed {
        /// The pattern.
        pattern: String,
        /// The place of one of the longer patterns.
        other: SourcePlace,
    },
    /// A pattern that matches too many neighbourhoods.
    #[error(
        "`{pattern}` and those of the same beginning take {count} entries or more, the limit is {limit}: fewer `?` and `!`"
    )]
    Entries {
        /// The pattern.
        pattern: String,
        /// The number of entries.
        count: usize,
        /// The limit.
        limit: usize,
    },
}

/// The most faults of a compilation.
const MAX_FAULTS: usize = 10_000;

/// The faults of a compilation in the order in which they are found. In the place of the first fault beyond [`MAX_FAULTS`] there
/// is the limit, and no fault follows.
#[derive(Debug, Default)]
pub(crate) struct FoundFaults(Vec<Fault>);

impl FoundFaults {
    pub(crate) fn push(&mut self, fault: Fault) {
        match self.0.len().cmp(&MAX_FAULTS) {
            Ordering::Less => self.0.push(fault),
            Ordering::Equal => {
                let (count, limit) = (MAX_FAULTS + 1, MAX_FAULTS);
                self.0.push(Fault {
                    what: FaultKind::Limit { what: "faults of pattern files", count, limit },
                    ..fault
                });
            }
            Ordering::Greater => {}
        }
    }

    /// `true` if no further fault counts.
    pub(crate) const fn is_full(&self) -> bool {
        self.0.len() > MAX_FAULTS
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The faults by file, line and column.
    pub(crate) fn sorted(mut self) -> Faults {
        self.0.sort_by(|a, b| a.at.cmp(&b.at));
        Faults(self.0)
    }
}

/// The faults of a pattern file and of the files that it includes, by file, line and column; at least one, and at most 10 000
/// beside the one that names this limit.
#[derive(Clone, PartialEq, Debug)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// The faults.
    #[must_use]
    pub fn list(&self) -> &[Fault] {
        &self.0
    }
}

/// One line for each fault.
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
