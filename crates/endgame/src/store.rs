//! Tables as files: compressed blocks, each with its check.
//!
//! Numbers are little-endian; checks are CRC-32.
//!
//! ```text
//! bytes          what
//! 20             "stonework endgame 2\n"
//! 8              entries n
//! 4, 4           bytes of the game's name g, of the parameters p
//! g, p           the name and the parameters, UTF-8
//! 8 for a block  the block's length, its check; one for each 2048 entries begun
//! 4              check of all bytes so far
//! the lengths    the blocks, one after the other
//!
//! a block: raw deflate of the low bytes of its entries' codes, then their high bytes
//! a code:  0 draw; 1 + 2d win in d; 2 + 2d loss in d (d at most 32766); 65535 no state
//! ```
//!
//! # Checkpoints
//! A [`Checkpoint`](crate::Checkpoint) is a file of blocks as [`stonework_files::ByteWriter`] writes them, with this header:
//!
//! ```text
//! stonework partial 3
//! game <name>
//! space <parameters>
//! numbers <n>
//! stage <survey | link | level d>
//! chunk <the first 4096 numbers that are not done in this stage, counted from 0>
//! late <yes | no: whether a move out of the space loses later than at once>
//! links <how many there is room for | none>
//! check <CRC-32>
//! ```
//!
//! The bytes in the blocks are arrays, one after the other: the codes of all numbers (u16); with links, for each number the
//! moves that do not lose yet (u16) and where its links begin in its chunk (u32, a count during the survey), where the links
//! of each chunk begin and the last one ends (u64), and the links (u32, twice the state and 1 if its mover moves again).

use std::io::{self, Read, Write};

use stonework_files::{BlockError, BlockFault, Compression, crc32, pack};

use crate::Table;

/// The first line of a table.
pub(crate) const TITLE: &str = "stonework endgame 2";
/// The beginning of the first line of a table, in any version of the format.
const NAME: &str = "stonework endgame ";
/// Entries in a block: few enough to be unpacked in some ten microseconds.
pub(crate) const BLOCK: u64 = 2048;
/// Bytes of a name or of parameters, at most.
pub(crate) const TEXT: u64 = 1 << 16;
/// Bytes of a packed block, at most.
pub(crate) const PACKED: u32 = 2 * BLOCK as u32 + 256;

/// The reason why a file is no table, or cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The header or the index is damaged, cut off, or of another format; or the file cannot be read.
    #[error(transparent)]
    File(#[from] BlockError),
    /// The file cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// A name or the parameters are too long.
    #[error("a name or parameters of {len} bytes: at most {TEXT}")]
    Text {
        /// The bytes of the text.
        len: u64,
    },
    /// The file is longer or shorter than its index says.
    #[error("the file has {found} bytes, by its index {expected}")]
    Length {
        /// The bytes of the file.
        found: u64,
        /// The bytes by the index.
        expected: u64,
    },
    /// A block differs from what was written.
    #[error("block {block} (numbers from {}) is damaged: {fault}", block * BLOCK)]
    Block {
        /// The number of the block, from 0.
        block: u64,
        /// The reason.
        #[source]
        fault: BlockFault,
    },
    /// The table is about another game or other parameters.
    #[error("a table of `{found}`, not of `{expected}`")]
    Other {
        /// Name and parameters of the file.
        found: String,
        /// Name and parameters that the caller named.
        expected: String,
    },
    /// The table is of a space of another length.
    #[error("a table of {table} numbers for a space of {space}")]
    Space {
        /// The numbers of the table.
        table: u64,
        /// The numbers of the space.
        space: u64,
    },
}

impl StoreError {
    /// `true` if the file cannot be read at all, so that its content is unknown.
    #[must_use]
    pub const fn is_unreadable(&self) -> bool {
        matches!(self, Self::File(BlockError { fault: BlockFault::Io(_), .. }))
    }
}

/// `true` if a file begins as a table does; `false` for an input that cannot be read.
///
/// ```
/// use stonework_endgame::store::is_table;
/// assert!(is_table(&b"stonework endgame 1\n"[..]) && !is_table(&b"stonework proof"[..]));
/// ```
pub fn is_table(mut input: impl Read) -> bool {
    let mut start = [0; NAME.len()];
    input.read_exact(&mut start).is_ok() && start == NAME.as_bytes()
}

impl Table {
    /// Writes the table as [the module](crate::store) describes, with the name of the game and the other parameters of
    /// its space. Takes memory for the packed blocks.
    ///
    /// # Errors
    /// An error for a text of more than 65536 bytes, and the error of the writer.
    pub fn write(&self, game: &str, parameters: &str, out: &mut impl Write) -> Result<(), StoreError> {
        for text in [game, parameters] {
            if text.len() as u64 > TEXT {
                return Err(StoreError::Text { len: text.len() as u64 });
            }
        }
        let (mut index, mut body) = (Vec::new(), Vec::new());
        for block in self.codes().chunks(BLOCK as usize) {
            let mut raw: Vec<u8> = block.iter().map(|&code| code as u8).collect();
            raw.extend(block.iter().map(|&code| (code >> 8) as u8));
            let packed = pack(&raw, Compression::Best)?;
            index.extend((packed.len() as u32).to_le_bytes());
            index.extend(crc32(&[&packed]).to_le_bytes());
            body.extend(packed);
        }
        let mut head = format!("{TITLE}\n").into_bytes();
        head.extend(self.len().to_le_bytes());
        for text in [game, parameters] {
            head.extend((text.len() as u32).to_le_bytes());
        }
        head.extend([game.as_bytes(), parameters.as_bytes(), &index].concat());
        let check = crc32(&[&head]);
        out.write_all(&head)?;
        out.write_all(&check.to_le_bytes())?;
        out.write_all(&body)?;
        out.flush()?;
        Ok(())
    }
}
