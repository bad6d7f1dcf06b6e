//! Tables as files: compressed blocks, each with its check.
//!
//! Numbers are little-endian; checks are CRC-32.
//!
//! ```text
//! bytes          what
//! 20             "stonework endgame 1\n"
//! 8              entries n
//! 4, 4           bytes of the game's name g, of the parameters p
//! g, p           the name and the parameters, UTF-8
//! 8 for a block  the block's length, its check; one for each 4096 entries begun
//! 4              check of all bytes so far
//! the lengths    the blocks, one after the other
//!
//! a block: raw deflate of the low bytes of its entries' codes, then their high bytes
//! a code:  0 draw; 1 + 2d win in d; 2 + 2d loss in d (d at most 32766); 65535 no state
//! ```

use std::collections::VecDeque;
use std::io::{self, Read, Seek, SeekFrom, Write};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use stonework_game::Game;

use crate::value::decode;
use crate::{StateSpace, Table, Value};

const MAGIC: &[u8; 20] = b"stonework endgame 1\n";
/// Entries in a block.
const BLOCK: u64 = 4096;
/// Bytes of a name or of parameters, at most.
const TEXT: u64 = 1 << 16;
/// Bytes of a packed block, at most.
const PACKED: u32 = 2 * BLOCK as u32 + 256;

/// Why a file is no table, or cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be read or written.
    #[error("cannot read or write: {0}")]
    Io(#[from] io::Error),
    /// It is something else, or of a version that is not known.
    #[error("not a table: it does not begin with `stonework endgame 1`")]
    Magic,
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
    /// A text of more than 65536 bytes, or what the writer returns.
    pub fn write(&self, game: &str, parameters: &str, out: &mut impl Write) -> Result<(), StoreError> {
        let mut head = MAGIC.to_vec();
        head.extend(self.len().to_le_bytes());
        for text in [game, parameters] {
            if text.len() as u64 > TEXT {
                return Err(StoreError::Text { len: text.len() as u64 });
            }
            head.extend((text.len() as u32).to_le_bytes());
        }
        head.extend([game, parameters].concat().bytes());
        let mut body = Vec::new();
        for codes in self.codes().chunks(BLOCK as usize) {
            let mut raw: Vec<u8> = codes.iter().map(|&code| code as u8).collect();
            raw.extend(codes.iter().map(|&code| (code >> 8) as u8));
            let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
            packer.write_all(&raw)?;
            let packed = packer.finish()?;
            head.extend((packed.len() as u32).to_le_bytes());
            head.extend(check(&packed).to_le_bytes());
            body.extend(packed);
        }
        let check = check(&head);
        out.write_all(&head)?;
        out.write_all(&check.to_le_bytes())?;
        out.write_all(&body)?;
        Ok(())
    }
}

fn check(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// A table in a file, read block by block as it is probed.
///
/// A few blocks are kept as they were last used; each takes 8 kB.
///
/// ```
/// # use stonework_endgame::doc::Heaps;
/// # use std::ops::ControlFlow;
/// # use stonework_endgame::{Options, Stored, Value, solve};
/// # let table = solve(&Heaps(30), &Options::default(), &mut |_| ControlFlow::Continue(()))?.table;
/// let mut file = std::io::Cursor::new(Vec::new());
/// table.write("nim", "one heap of at most 30", &mut file)?;
/// let mut stored = Stored::open(file)?;
/// stored.expect("nim", "one heap of at most 30")?;
/// assert_eq!(stored.value(29)?, Some(Value::Win(19)));
/// let error = stored.expect("nim", "one heap of at most 31").unwrap_err();
/// assert_eq!(error.to_string(), "a table of `nim one heap of at most 30`, not of `nim one heap of at most 31`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stored<R> {
    input: R,
    game: String,
    parameters: String,
    len: u64,
    /// Where each block begins, and its check; and where the last one ends.
    index: Vec<(u64, u32)>,
    /// Blocks that were used, the last one first.
    recent: VecDeque<(u64, Vec<u16>)>,
}

/// Blocks that are kept.
const RECENT: usize = 16;

impl<R: Read + Seek> Stored<R> {
    /// Reads the header and the index, and checks both, and the length of the file. Blocks are checked
    /// when they are read.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn open(mut input: R) -> Result<Self, StoreError> {
        let size = input.seek(SeekFrom::End(0))?;
        input.rewind()?;
        let mut head = Vec::new();
        let fixed = MAGIC.len() as u64 + 16;
        append(&mut input, fixed, &mut head)?;
        if !head.starts_with(MAGIC) {
            return Err(StoreError::Magic);
        }
        let word =
            |head: &[u8], at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let len = u64::from(word(&head, 20)) | u64::from(word(&head, 24)) << 32;
        let texts = [28, 32].map(|at| u64::from(word(&head, at)));
        if let Some(&len) = texts.iter().find(|&&len| len > TEXT) {
            return Err(StoreError::Text { len });
        }
        let blocks = len.div_ceil(BLOCK);
        let rest = texts[0] + texts[1] + blocks * 8 + 4;
        if rest > size.saturating_sub(fixed) {
            return Err(StoreError::Cut);
        }
        append(&mut input, rest, &mut head)?;
        let end = head.len() - 4;
        let (found, computed) = (word(&head, end), check(&head[..end]));
        if found != computed {
            return Err(StoreError::Header { found, computed });
        }
        let (mut at, mut begin) = (end - 8 * blocks as usize, head.len() as u64);
        let text = str::from_utf8(&head[fixed as usize..at]).map_err(|_| StoreError::Encoding)?;
        let (game, parameters) = text.split_at_checked(texts[0] as usize).ok_or(StoreError::Encoding)?;
        let (game, parameters) = (game.to_owned(), parameters.to_owned());
        let mut index = Vec::with_capacity(blocks as usize + 1);
        for block in 0..blocks {
            index.push((begin, word(&head, at + 4)));
            let packed = word(&head, at);
            if packed > PACKED {
                return Err(StoreError::Block { block });
            }
            begin += u64::from(packed);
            at += 8;
        }
        index.push((begin, 0));
        if begin != size {
            return Err(StoreError::Length { found: size, expected: begin });
        }
        Ok(Self { input, game, parameters, len, index, recent: VecDeque::new() })
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// What else tells the space from others.
    #[must_use]
    pub fn parameters(&self) -> &str {
        &self.parameters
    }

    /// Numbers in the space.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether it has no numbers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Refuses a table of another game or of other parameters.
    ///
    /// # Errors
    /// [`StoreError::Other`].
    pub fn expect(&self, game: &str, parameters: &str) -> Result<(), StoreError> {
        if (self.game(), self.parameters()) == (game, parameters) {
            return Ok(());
        }
        let found = format!("{} {}", self.game, self.parameters);
        Err(StoreError::Other { found, expected: format!("{game} {parameters}") })
    }

    /// The value at a number; `None` for a hole and beyond the end. Reads and unpacks a block unless it is
    /// one of those last used.
    ///
    /// # Errors
    /// A block that cannot be read or is damaged.
    pub fn value(&mut self, rank: u64) -> Result<Option<Value>, StoreError> {
        if rank >= self.len {
            return Ok(None);
        }
        let (block, at) = (rank / BLOCK, (rank % BLOCK) as usize);
        let place = self.recent.iter().position(|&(kept, _)| kept == block);
        let kept = place.and_then(|place| self.recent.remove(place));
        let (_, codes) = if let Some(kept) = kept { kept } else { (block, self.read(block)?) };
        let value = decode(codes[at]);
        self.recent.truncate(RECENT - 1);
        self.recent.push_front((block, codes));
        Ok(value)
    }

    /// The value of a state, as [`Table::probe`].
    ///
    /// # Errors
    /// A space of another length, or as [`value`](Stored::value).
    pub fn probe<S: StateSpace>(&mut self, space: &S, state: &S::State) -> Result<Option<Value>, StoreError> {
        if space.len() != self.len {
            return Err(StoreError::Space { table: self.len, space: space.len() });
        }
        if let Some(outcome) = state.outcome() {
            return Ok(Some(Value::ended(outcome, state.to_move())));
        }
        match space.rank(state) {
            Some(rank) => self.value(rank),
            None => Ok(space.outside(state)),
        }
    }

    /// The whole table; every block is checked.
    ///
    /// # Errors
    /// The first block that cannot be read or is damaged.
    pub fn table(&mut self) -> Result<Table, StoreError> {
        let mut codes = Vec::new();
        for block in 0..self.len.div_ceil(BLOCK) {
            codes.extend(self.read(block)?);
        }
        Ok(Table::new(codes))
    }

    /// A block that is as it was written, or an error.
    fn read(&mut self, block: u64) -> Result<Vec<u16>, StoreError> {
        let damaged = || StoreError::Block { block };
        let ((begin, sum), (end, _)) = (self.index[block as usize], self.index[block as usize + 1]);
        self.input.seek(SeekFrom::Start(begin))?;
        let mut packed = Vec::new();
        append(&mut self.input, end - begin, &mut packed).map_err(|error| match error {
            StoreError::Cut => damaged(),
            error => error,
        })?;
        if check(&packed) != sum {
            return Err(damaged());
        }
        let entries = (self.len - block * BLOCK).min(BLOCK) as usize;
        let mut raw = Vec::with_capacity(2 * entries + 1);
        let unpacked = DeflateDecoder::new(&*packed).take(2 * entries as u64 + 1).read_to_end(&mut raw);
        if unpacked.ok() != Some(2 * entries) {
            return Err(damaged());
        }
        let (low, high) = raw.split_at(entries);
        Ok(low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high])).collect())
    }
}

/// Appends so many bytes of the input.
fn append(input: &mut impl Read, bytes: u64, to: &mut Vec<u8>) -> Result<(), StoreError> {
    if input.by_ref().take(bytes).read_to_end(to)? as u64 == bytes { Ok(()) } else { Err(StoreError::Cut) }
}
