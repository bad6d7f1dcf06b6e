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
//! A [`Checkpoint`](crate::Checkpoint) is a file of blocks as [`stonework_files::BlockWriter`] writes them, with this header:
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

use std::io::{self, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use crate::Table;

/// The first line of a table.
pub(crate) const MAGIC: &[u8; 20] = b"stonework endgame 2\n";
/// Entries in a block: few enough to be unpacked in some ten microseconds.
pub(crate) const BLOCK: u64 = 2048;
/// Bytes of a name or of parameters, at most.
pub(crate) const TEXT: u64 = 1 << 16;
/// Bytes of a packed block, at most.
pub(crate) const PACKED: u32 = 2 * BLOCK as u32 + 256;

/// Why a file is no table, or cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be read or written.
    #[error("cannot read or write: {0}")]
    Io(#[from] io::Error),
    /// It is something else, or of a version that is not known.
    #[error("it does not begin with `{expected}`")]
    Magic {
        /// How it should begin.
        expected: &'static str,
    },
    /// It ends within its header or its index.
    #[error("the file is cut off in its header")]
    Cut,
    /// A text is too long.
    #[error("a name or parameters of {len} bytes: at most {TEXT}")]
    Text {
        /// How long it is.
        len: u64,
    },
    /// Name and parameters are not UTF-8.
    #[error("a name or parameters that are not UTF-8")]
    Encoding,
    /// The header or the index is not as it was written.
    #[error("the header is damaged: its check is {found:08x}, of what is there {computed:08x}")]
    Header {
        /// What the file says.
        found: u32,
        /// What its bytes give.
        computed: u32,
    },
    /// The file is longer or shorter than its index says.
    #[error("the file has {found} bytes, by its index {expected}")]
    Length {
        /// How many there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// A block is not as it was written.
    #[error("block {block} (numbers from {}) is damaged", block * BLOCK)]
    Block {
        /// Which one, from 0.
        block: u64,
    },
    /// The table is about another game or other parameters.
    #[error("a table of `{found}`, not of `{expected}`")]
    Other {
        /// Name and parameters of the file.
        found: String,
        /// Those that were asked for.
        expected: String,
    },
    /// The table is of a space of another length.
    #[error("a table of {table} numbers for a space of {space}")]
    Space {
        /// The table's.
        table: u64,
        /// The space's.
        space: u64,
    },
}

impl Table {
    /// Writes the table as [the module](crate::store) describes, with the name of the game and whatever
    /// else tells its space from others. Needs memory for the packed blocks.
    ///
    /// # Errors
    /// A text of more than 65536 bytes, or the error of the writer.
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
            let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
            packer.write_all(&raw)?;
            let packed = packer.finish()?;
            index.extend((packed.len() as u32).to_le_bytes());
            index.extend(check(&packed).to_le_bytes());
            body.extend(packed);
        }
        let mut head = MAGIC.to_vec();
        head.extend(self.len().to_le_bytes());
        for text in [game, parameters] {
            head.extend((text.len() as u32).to_le_bytes());
        }
        head.extend([game.as_bytes(), parameters.as_bytes(), &index].concat());
        let check = check(&head);
        out.write_all(&head)?;
        out.write_all(&check.to_le_bytes())?;
        out.write_all(&body)?;
        out.flush()?;
        Ok(())
    }
}

pub(crate) fn check(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
