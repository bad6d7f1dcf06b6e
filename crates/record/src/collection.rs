//! [`Collection`]: the games of one file.

use std::{fmt, io};

use crate::{ParseError, ParseOptions, Tree};

/// The games of one file, in order, with the text before, between and after them.
///
/// Text between two games belongs to the later game, text after the last game to the last game.
///
/// ```
/// use stonework_record::Collection;
/// let bytes = b"(;GN[one]) and (;GN[two]) end";
/// let file = Collection::parse(bytes)?;
/// let names: Vec<_> = file.games.iter().filter_map(|g| g.simple_text(g.root(), "GN")).collect();
/// assert_eq!(names, ["one", "two"]);
/// assert_eq!(file.to_bytes(), bytes);
/// # Ok::<(), stonework_record::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The games. A parsed collection has at least one.
    pub games: Vec<Tree>,
}

impl Collection {
    /// Reads a file with one or more games, in UTF-8, with the default limits. O(bytes).
    ///
    /// # Errors
    /// [`ParseError`] with the place and a description of a valid text.
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        ParseOptions::default().parse_collection(bytes)
    }

    /// The file as bytes: the parsed bytes, except the text of edited games. O(bytes).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let done = self.write_to(&mut bytes);
        debug_assert!(done.is_ok(), "a vector takes everything");
        bytes
    }

    /// Writes the bytes of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// The error of the writer.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.games.iter().try_for_each(|game| game.write_to(out))
    }
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.games.iter().try_for_each(|game| fmt::Display::fmt(game, f))
    }
}

impl From<Tree> for Collection {
    fn from(game: Tree) -> Self {
        Self { games: vec![game] }
    }
}
