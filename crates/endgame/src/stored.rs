//! [`Stored`]: a table in a file, probed block by block from any number of threads.

use std::fs::File;
use std::io;
use std::sync::{PoisonError, RwLock};

use stonework_files::{BlockFault, crc32, unpack};
use stonework_game::Game;

use crate::store::{BLOCK, PACKED, TEXT, TITLE};
use crate::value::decode;
use crate::{StateSpace, StoreError, Table, Value};

/// The source of a [`Stored`] table: bytes at offsets, for any number of threads at once.
pub trait ReadAt: Send + Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// The error of the system.
    fn size(&self) -> io::Result<u64>;

    /// Fills the buffer with the bytes from `at` on.
    ///
    /// # Errors
    /// The error of the system; of the kind [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if there are fewer bytes.
    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, to, at)
    }

    #[cfg(windows)]
    fn read_at(&self, mut at: u64, mut to: &mut [u8]) -> io::Result<()> {
        while !to.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(self, to, at)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            at += read as u64;
            to = &mut to[read..];
        }
        Ok(())
    }

    /// Without positioned reads, threads take turns.
    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = self;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(to)
    }
}

/// A file in memory.
impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(at).ok().and_then(|at| self.get(at..)?.get(..to.len()));
        to.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A table in a file. Probes read the file block by block.
///
/// Files are read with positioned reads, not mapped: mapping takes `unsafe` code, and a program that shortens a mapped
/// file ends the program that reads it. The cache keeps unpacked blocks. The number of a block gives its slot in the
/// cache, and a block replaces the block that its slot held before. Threads probe at once; a thread waits only while
/// another thread reads a block into the same slot.
///
/// ```
/// use stonework_endgame::example::Heaps;
/// use std::ops::ControlFlow;
/// use stonework_endgame::{Options, Stored, Value, solve};
/// let table = solve(&Heaps(30), &Options::default(), &mut |_| ControlFlow::Continue(()))?.table;
/// let mut file = Vec::new();
/// table.write("nim", "one heap of at most 30", &mut file)?;
/// let stored = Stored::open(file)?;
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
    /// The offset and the check of each block, and the end of the last block.
    index: Vec<(u64, u32)>,
    /// The blocks of the last probes; the number of a block gives its slot.
    cache: Box<[RwLock<Option<Kept>>]>,
}

/// A block in the cache.
#[derive(Debug)]
struct Kept {
    block: u64,
    codes: Vec<u16>,
}

/// Bytes of a cache if the caller sets no others.
const CACHE: usize = 64 << 20;

impl<R: ReadAt> Stored<R> {
    /// Reads the header and the index, and checks both and the length of the file. Each block is checked when it is
    /// read; the cache keeps at most 64 MiB of blocks. Takes 16 bytes for each 2048 numbers.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn open(input: R) -> Result<Self, StoreError> {
        Self::with_cache(input, CACHE)
    }

    /// As [`open`](Stored::open), with a cache of `bytes` bytes, 4 kB for each block; the cache keeps at least one
    /// block.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn with_cache(input: R, bytes: usize) -> Result<Self, StoreError> {
        let unread = |error| BlockFault::Io(error).at(0);
        let size = input.size().map_err(unread)?;
        let fixed = TITLE.len() as u64 + 17;
        let mut head = vec![0; fixed.min(size) as usize];
        input.read_at(0, &mut head).map_err(unread)?;
        if !head.starts_with(format!("{TITLE}\n").as_bytes()) {
            return Err(BlockFault::Title { expected: TITLE.to_owned() }.at(0).into());
        }
        if size < fixed {
            return Err(BlockFault::Cut.at(size).into());
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
        if rest > size - fixed {
            return Err(BlockFault::Cut.at(size).into());
        }
        head.resize((fixed + rest) as usize, 0);
        input.read_at(fixed, &mut head[fixed as usize..]).map_err(unread)?;
        let end = head.len() - 4;
        let (found, computed) = (word(&head, end), crc32(&[&head[..end]]));
        if found != computed {
            return Err(BlockFault::Check { found, computed }.at(0).into());
        }
        let (mut at, mut begin) = (end - 8 * blocks as usize, head.len() as u64);
        let encoding = || BlockFault::Encoding.at(fixed);
        let text = str::from_utf8(&head[fixed as usize..at]).map_err(|_| encoding())?;
        let (game, parameters) = text.split_at_checked(texts[0] as usize).ok_or_else(encoding)?;
        let (game, parameters) = (game.to_owned(), parameters.to_owned());
        let mut index = Vec::with_capacity(blocks as usize + 1);
        for block in 0..blocks {
            index.push((begin, word(&head, at + 4)));
            let packed = word(&head, at);
            if packed > PACKED {
                let fault = BlockFault::LongPayload { size: packed, limit: PACKED };
                return Err(StoreError::Block { block, fault });
            }
            begin += u64::from(packed);
            at += 8;
        }
        index.push((begin, 0));
        if begin != size {
            return Err(StoreError::Length { found: size, expected: begin });
        }
        let places = (bytes as u64 / (2 * BLOCK)).min(blocks).max(1);
        let cache = (0..places).map(|_| RwLock::new(None)).collect();
        Ok(Self { input, game, parameters, len, index, cache })
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The parameters of the space, besides the game.
    #[must_use]
    pub fn parameters(&self) -> &str {
        &self.parameters
    }

    /// Numbers in the space.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// `true` if the space has no numbers.
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

    /// The value at a number; `None` for a hole and beyond the end. Reads and unpacks a block that is not in the cache.
    ///
    /// # Errors
    /// An error if a block cannot be read or is damaged.
    pub fn value(&self, rank: u64) -> Result<Option<Value>, StoreError> {
        if rank >= self.len {
            return Ok(None);
        }
        let (block, at) = (rank / BLOCK, (rank % BLOCK) as usize);
        let place = &self.cache[(block % self.cache.len() as u64) as usize];
        let kept = |kept: &Option<Kept>| {
            let kept = kept.as_ref().filter(|kept| kept.block == block)?;
            Some(decode(kept.codes[at]))
        };
        if let Some(value) = kept(&place.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(value);
        }
        let mut place = place.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have read the block in the meantime.
        if let Some(value) = kept(&place) {
            return Ok(value);
        }
        let codes = self.read(block)?;
        let value = decode(codes[at]);
        *place = Some(Kept { block, codes });
        Ok(value)
    }

    /// The value of a state, as [`Table::probe`].
    ///
    /// # Errors
    /// [`StoreError::Space`] for a space of another length; otherwise as [`value`](Stored::value).
    pub fn probe<S: StateSpace>(&self, space: &S, state: &S::State) -> Result<Option<Value>, StoreError> {
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

    /// Checks the length against a space, and every block. The cache stays unchanged.
    ///
    /// # Errors
    /// [`StoreError::Space`], or the first block that cannot be read or is damaged.
    pub fn check<S: StateSpace>(&self, space: &S) -> Result<(), StoreError> {
        if space.len() != self.len {
            return Err(StoreError::Space { table: self.len, space: space.len() });
        }
        self.each_block(|_| {})
    }

    /// The whole table; every block is checked.
    ///
    /// # Errors
    /// The error of the first block that cannot be read or is damaged.
    pub fn table(&self) -> Result<Table, StoreError> {
        let mut codes = Vec::new();
        // If there is not enough memory, the loop finds block by block whether the file has as many numbers.
        let _ = codes.try_reserve_exact(usize::try_from(self.len).unwrap_or(usize::MAX));
        self.each_block(|block| codes.extend_from_slice(block))?;
        Ok(Table::new(codes))
    }

    /// Passes the codes of all numbers to `take`, part by part.
    fn each_block(&self, mut take: impl FnMut(&[u16])) -> Result<(), StoreError> {
        (0..self.len.div_ceil(BLOCK)).try_for_each(|block| {
            take(&self.read(block)?);
            Ok(())
        })
    }

    /// The codes of a block; an error if the block differs from what was written.
    fn read(&self, block: u64) -> Result<Vec<u16>, StoreError> {
        let damaged = |fault| StoreError::Block { block, fault };
        let ((begin, found), (end, _)) = (self.index[block as usize], self.index[block as usize + 1]);
        let mut packed = vec![0; (end - begin) as usize];
        self.input.read_at(begin, &mut packed).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged(BlockFault::Cut),
            _ => StoreError::File(BlockFault::Io(error).at(begin)),
        })?;
        let computed = crc32(&[&packed]);
        if computed != found {
            return Err(damaged(BlockFault::Check { found, computed }));
        }
        let entries = (self.len - block * BLOCK).min(BLOCK) as usize;
        let mut raw = Vec::with_capacity(2 * entries + 1);
        unpack(&packed, 2 * entries, &mut raw).map_err(damaged)?;
        let (low, high) = raw.split_at(entries);
        Ok(low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high])).collect())
    }
}

/// A table in a file, or one in memory.
#[derive(Debug)]
pub enum AnyTable<R> {
    /// A table in a file, probed block by block.
    Stored(Stored<R>),
    /// A table in memory.
    Memory(Table),
}

impl<R: ReadAt> AnyTable<R> {
    /// The value of a state, as [`Table::probe`].
    ///
    /// # Errors
    /// As [`Stored::probe`]; none for a table in memory.
    pub fn probe<S: StateSpace>(&self, space: &S, state: &S::State) -> Result<Option<Value>, StoreError> {
        match self {
            Self::Stored(stored) => stored.probe(space, state),
            Self::Memory(table) => Ok(table.probe(space, state)),
        }
    }

    /// The whole table in memory.
    ///
    /// # Errors
    /// As [`Stored::table`]; none for a table in memory.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use stonework_endgame::example::Heaps;
    /// use stonework_endgame::{AnyTable, Options, Stored, solve};
    /// let table = solve(&Heaps(9), &Options::default(), &mut |_| ControlFlow::Continue(()))?.table;
    /// let mut file = Vec::new();
    /// table.write("nim", "heap 9", &mut file)?;
    /// for any in [AnyTable::Stored(Stored::open(file)?), AnyTable::Memory(table.clone())] {
    ///     assert_eq!(any.into_table()?, table);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_table(self) -> Result<Table, StoreError> {
        match self {
            Self::Stored(stored) => stored.table(),
            Self::Memory(table) => Ok(table),
        }
    }
}
