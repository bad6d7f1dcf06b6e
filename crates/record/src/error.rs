//! The errors of reading and editing a tree.

use std::fmt;

use crate::Limit;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecordPlace {
    /// The number of bytes before it.
    pub offset: usize,
    /// Line, from 1; lines end with a line feed.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {} (byte {})", self.line, self.column, self.offset)
    }
}

/// The reason why bytes are no game tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The bytes are not UTF-8, and no other encoding was asked for.
    #[error("{at}: byte {byte:#04x} is not UTF-8 (it may be ISO 8859-1: read it as Latin-1)")]
    NotUtf8 {
        /// The place of the byte.
        at: RecordPlace,
        /// The first byte that does not fit.
        byte: u8,
    },
    /// No `(` followed by `;`, with which every game begins.
    #[error("no game in {bytes} bytes: nowhere a `(` followed by `;`")]
    NoGame {
        /// The length of the input.
        bytes: usize,
    },
    /// A second game where one was asked for.
    #[error("{at}: a second game begins, one was expected")]
    SecondGame {
        /// The place where the second game begins.
        at: RecordPlace,
    },
    /// A character that cannot stand here.
    #[error("{at}: found {found:?}, expected {expected}")]
    Unexpected {
        /// The place of the character.
        at: RecordPlace,
        /// The character.
        found: char,
        /// A description of a valid text.
        expected: &'static str,
    },
    /// The input ends inside a game or a value.
    #[error("the input ends after {bytes} bytes, but the {bracket:?} at {opened} is still open")]
    Truncated {
        /// The length of the input.
        bytes: usize,
        /// The bracket that is open: `(` or `[`.
        bracket: char,
        /// The place of the innermost open bracket.
        opened: RecordPlace,
    },
    /// More than [`RecordLimits`](crate::RecordLimits) allows.
    #[error("{at}: {count} {}, the limit is {allowed}", what.name())]
    Limit {
        /// The limit that is exceeded.
        what: Limit,
        /// The number of bytes in all, or of nodes or open parentheses up to this place.
        count: usize,
        /// The limit.
        allowed: usize,
        /// The place where the count exceeds the limit.
        at: RecordPlace,
    },
}

/// The reason why the tree refuses an edit. The tree is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The name of a new property that is not made of the letters A to Z.
    #[error("{name:?} is no name for a property: capital letters A to Z alone")]
    Name {
        /// The name.
        name: String,
    },
    /// A property without any value; one empty value is written `""`.
    #[error("no value for the property {name}: one empty value is the least")]
    NoValue {
        /// The property.
        name: String,
    },
    /// A raw value that would end too early or not at all.
    #[error("byte {at} of the raw value {value:?} must be escaped with a backslash")]
    Unescaped {
        /// The value.
        value: String,
        /// The byte with the `]` or the final `\`.
        at: usize,
    },
    /// A character that the tree's encoding cannot express.
    #[error("{found:?} cannot be written in the ISO 8859-1 encoding of this file")]
    Latin1 {
        /// The character.
        found: char,
    },
    /// The root cannot be removed.
    #[error("the root of a tree cannot be removed")]
    Root,
    /// More text or nodes than 32-bit numbers can count.
    #[error("a tree cannot hold more than {} {}", u32::MAX, what.name())]
    Full {
        /// The kind of the number that is exceeded.
        what: Limit,
    },
}

/// The line and column of a byte of `text`, with `offset` as the offset.
pub(crate) fn place(text: &[u8], at: usize, offset: usize) -> RecordPlace {
    let before = &text[..at.min(text.len())];
    let (mut line, mut column) = (1, 1);
    for &b in before {
        if b == b'\n' {
            (line, column) = (line + 1, 1);
        } else if b & 0xC0 != 0x80 {
            // Bytes that continue a UTF-8 character are no columns of their own.
            column += 1;
        }
    }
    RecordPlace { offset, line, column }
}
