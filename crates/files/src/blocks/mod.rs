//! Files of blocks: a header of lines, then compressed blocks and an end. Header, blocks and end each have a check, a CRC-32, which
//! covers all bytes of the file before it as well.
//!
//! ```text
//! <title>
//! <name> <value>                                                                   a line for each field
//! check <CRC-32 of the lines above with their line ends, eight hexadecimal digits>
//!
//! block   units (u32, not 0) · bytes of payload (u32) · check (u32) · payload: the content as raw deflate
//! end     0 (u32) · bytes of the trailer (u32) · check (u32) · payload: the trailer, not compressed
//! ```
//!
//! Numbers are little-endian. The check of a block or of the end is the CRC-32 of these bytes: the check before it as four bytes (for
//! the first block, the check of the header), the two numbers, and the payload. Each format has its own units of content, as its
//! [`BlockLayout`] says, and its own trailer.

mod bytes;
mod read;
mod write;

use std::io;

pub use bytes::{ByteReader, ByteWriter};
pub use read::{BlockReader, HeaderReader, unpack};
pub use write::{BlockWriter, Compression, pack};

use crate::crc32;

/// The largest number of bytes of a header line without its line end.
const MAX_LINE: usize = 1 << 16;
/// The largest number of bytes by which raw deflate may be longer than its content.
const OVERHEAD: u32 = 1024;

/// The units in which the blocks of a format count their content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockLayout {
    /// The name of the units in error messages, such as `bytes` or `entries`.
    pub units: &'static str,
    /// The number of bytes of a unit.
    pub size: u32,
    /// The largest number of units of a block.
    pub most: u32,
}

impl BlockLayout {
    /// Blocks of 1 to 65536 bytes.
    pub const BYTES: Self = Self { units: "bytes", size: 1, most: 1 << 16 };
}

/// The reason why a file of blocks is refused, with its place.
#[derive(Debug, thiserror::Error)]
#[error("{fault} (byte {byte})")]
pub struct BlockError {
    /// The first byte of the faulty line or block, from 0.
    pub byte: u64,
    /// The reason.
    #[source]
    pub fault: BlockFault,
}

/// A reason to refuse a file of blocks.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlockFault {
    /// The file cannot be read.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// The file ends too early.
    #[error("the file is cut off")]
    Cut,
    /// The file is of another format, or of another version of the format.
    #[error("the first line is not `{expected}`")]
    Title {
        /// The title of the format.
        expected: String,
    },
    /// A line of the header is not the expected line, or its value is invalid.
    #[error("the header lacks its line `{expected} …`")]
    Line {
        /// The word that begins the line.
        expected: String,
    },
    /// A line of the header is too long.
    #[error("a line of more than {limit} bytes")]
    LongLine {
        /// The largest number of bytes of a line.
        limit: usize,
    },
    /// A line of the header is not UTF-8.
    #[error("a line that is not UTF-8")]
    Encoding,
    /// The header or a block was changed after it was written, or stands in another place.
    #[error(
        "edited, cut or out of place: the file states the check {found:08x}, its bytes have {computed:08x}"
    )]
    Check {
        /// The check in the file.
        found: u32,
        /// The check of the bytes in the file.
        computed: u32,
    },
    /// A block claims more units than a block of this format may have.
    #[error("a block of {count} {units}: at most {limit}")]
    Large {
        /// The number that the block claims.
        count: u32,
        /// The name of the units.
        units: &'static str,
        /// The largest number of units of a block.
        limit: u32,
    },
    /// A block claims a payload that is longer than this format allows.
    #[error("a block with a payload of {size} bytes: at most {limit}")]
    LongPayload {
        /// The length that the block claims.
        size: u32,
        /// The largest number of bytes of a payload.
        limit: u32,
    },
    /// A payload is not deflate, or unpacks to another number of bytes than the block claims.
    #[error("a block that does not unpack to {expected} bytes")]
    Unpack {
        /// The number of bytes of content that the block claims.
        expected: usize,
    },
    /// A payload goes on after its deflate stream.
    #[error("{bytes} bytes of a block's payload come after the end of its deflate stream")]
    Unused {
        /// The number of bytes after the stream.
        bytes: usize,
    },
    /// The trailer at the end of the file has another length than the reader expects.
    #[error("a trailer of {found} bytes: it should have {expected}")]
    Trailer {
        /// The number of bytes of the trailer in the file.
        found: usize,
        /// The number of bytes that the trailer should have.
        expected: usize,
    },
    /// The blocks have less content than the reader asked for.
    #[error("the blocks have less content than they should")]
    Less,
    /// The blocks have more content than the reader asked for.
    #[error("the blocks have more content than they should")]
    More,
    /// Bytes follow the end that the format writes.
    #[error("bytes follow the end of the file")]
    Trailing,
}

impl BlockFault {
    /// The error for this fault at a byte of the file.
    #[must_use]
    pub const fn at(self, byte: u64) -> BlockError {
        BlockError { byte, fault: self }
    }
}

/// The check of a block or of the end, from the check before it, its two numbers and its payload.
fn block_check(before: u32, count: u32, payload: &[u8]) -> u32 {
    let size = payload.len() as u32;
    crc32(&[&before.to_le_bytes(), &count.to_le_bytes(), &size.to_le_bytes(), payload])
}
