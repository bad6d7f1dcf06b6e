//! The options of reading: character encoding and limits.

/// The limits of a reader, beyond which it refuses a file.
///
/// Neither reading nor writing nor dropping a tree uses the call stack in proportion to its depth,
/// so the limits only bound memory: about 32 bytes for a node plus the text itself.
///
/// ```
/// use stonework_record::{RecordLimits, ParseOptions};
/// let options = ParseOptions { limits: RecordLimits { nodes: 2, ..RecordLimits::default() }, ..ParseOptions::default() };
/// let error = options.parse(b"(;;W[a1];B[a2])").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 9 (byte 8): 3 nodes, the limit is 2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecordLimits {
    /// Bytes of input. 256 MiB by default; a larger value than `u32::MAX` counts as `u32::MAX`.
    pub bytes: usize,
    /// Nodes of all games together. 32 Mi by default.
    pub nodes: usize,
    /// Parentheses open at the same time. 1 Mi by default.
    pub nesting: usize,
}

impl RecordLimits {
    /// No limit but that of the node and text numbers, which have 32 bits.
    pub const MAX: Self =
        Self { bytes: u32::MAX as usize, nodes: u32::MAX as usize - 1, nesting: u32::MAX as usize };
}

impl Default for RecordLimits {
    fn default() -> Self {
        Self { bytes: 256 << 20, nodes: 32 << 20, nesting: 1 << 20 }
    }
}

/// A limit of [`RecordLimits`] that was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// [`RecordLimits::bytes`].
    Bytes,
    /// [`RecordLimits::nodes`].
    Nodes,
    /// [`RecordLimits::nesting`].
    Nesting,
}

impl Limit {
    /// The name of the counted things.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Nodes => "nodes",
            Self::Nesting => "open parentheses",
        }
    }
}

/// A character encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8; other bytes are refused with their offset.
    #[default]
    Utf8,
    /// ISO 8859-1, a byte per character: the encoding of SGF files that name none, such as older files of Little Golem.
    /// Every byte string is valid.
    Latin1,
    /// UTF-8 if the whole file is valid UTF-8, else ISO 8859-1.
    Detect,
}

/// Encoding and limits of a reader; `ParseOptions::default()` is UTF-8 with the default limits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ParseOptions {
    /// The encoding of the bytes.
    pub encoding: Encoding,
    /// The limits.
    pub limits: RecordLimits,
}

impl ParseOptions {
    /// The default limits with another encoding.
    #[must_use]
    pub fn with_encoding(encoding: Encoding) -> Self {
        Self { encoding, ..Self::default() }
    }
}
