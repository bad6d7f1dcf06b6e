//! [`BlockWriter`] and [`BlockReader`]: bytes behind a header of lines, compressed and checked block by block.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::crc32;

/// Bytes of a block before it is compressed, at most.
pub const BLOCK: usize = 1 << 16;
/// Bytes of a compressed block, at most: deflate makes nothing much longer.
const PACKED: u32 = BLOCK as u32 + 1024;
/// Bytes of a line of the header with its end, at most.
const LINE: u64 = 1 << 16;

/// Writes a header of lines, then bytes in compressed blocks, each with a check of all before it.
///
/// ```text
/// <title>
/// <name> <value>                                                                   one line for each field
/// check <CRC-32 of the lines above with their line ends, eight hexadecimal digits>
///
/// block   bytes (u32, 1 to 65536) · bytes of payload (u32) · check (u32) · payload: the bytes as raw deflate
/// end     0 (u32) · 0 (u32) · check (u32)
/// ```
///
/// Numbers are little-endian. The check of a block is the CRC-32 of the check before it (the first: the header's), of the two
/// numbers and of the payload.
///
/// ```
/// use std::io::{Read, Write};
/// use stonework_files::{BlockReader, BlockWriter};
/// let mut writer = BlockWriter::new(Vec::new(), "squares 1", &[("count", "3")])?;
/// writer.write_all(&[1, 4, 9])?;
/// let file = writer.finish()?;
/// let (mut reader, values) = BlockReader::new(&file[..], "squares 1", &["count"])?;
/// assert_eq!(values, ["3"]);
/// let mut bytes = [0; 3];
/// reader.read_exact(&mut bytes)?;
/// reader.finish()?;                                       // nothing follows
/// assert_eq!(bytes, [1, 4, 9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BlockWriter<W> {
    out: W,
    check: u32,
    block: Vec<u8>,
}

impl<W: Write> BlockWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// A title, a name or a value that is no short line, and the error of the output.
    pub fn new(mut out: W, title: &str, fields: &[(&str, &str)]) -> io::Result<Self> {
        let lines = fields.iter().map(|(name, value)| format!("{name} {value}"));
        let mut header = String::new();
        for line in [title.to_owned()].into_iter().chain(lines) {
            if line.contains('\n') || line.len() as u64 >= LINE {
                let what = format!("a header with a line of {} bytes or with a line end in it", line.len());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
            }
            header.push_str(&line);
            header.push('\n');
        }
        let check = crc32(&[header.as_bytes()]);
        writeln!(out, "{header}check {check:08x}")?;
        Ok(Self { out, check, block: Vec::with_capacity(BLOCK) })
    }

    /// Writes what is left, and the end.
    ///
    /// # Errors
    /// The error of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.pack()?;
        self.put(0, &[])?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn pack(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&self.block)?;
        let payload = packer.finish()?;
        let len = self.block.len() as u32;
        self.block.clear();
        self.put(len, &payload)
    }

    fn put(&mut self, len: u32, payload: &[u8]) -> io::Result<()> {
        self.check = block_check(self.check, len, payload);
        for number in [len, payload.len() as u32, self.check] {
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.out.write_all(payload)
    }
}

/// What is written is in a block when that is full, or at [`finish`](BlockWriter::finish).
impl<W: Write> Write for BlockWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.block.len() == BLOCK {
            self.pack()?;
        }
        let count = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn block_check(before: u32, len: u32, payload: &[u8]) -> u32 {
    let packed = payload.len() as u32;
    crc32(&[&before.to_le_bytes(), &len.to_le_bytes(), &packed.to_le_bytes(), payload])
}

/// Why a file of blocks is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError {
    /// The file cannot be read.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// The file ends too early.
    #[error("the file is cut off at byte {0}")]
    Cut(u64),
    /// The file is something else, or of another version.
    #[error("it does not begin with the line `{expected}`")]
    Title {
        /// The line that it should begin with.
        expected: String,
    },
    /// A line of the header is missing.
    #[error("the header lacks its line `{expected} …`")]
    Header {
        /// The word that the line should begin with.
        expected: String,
    },
    /// The header or a block is not as it was written.
    #[error(
        "edited or out of place: the check of what begins at byte {byte} is {found}, of what is there {computed:08x}"
    )]
    Check {
        /// The place where it begins.
        byte: u64,
        /// The check in the file.
        found: String,
        /// The check of the bytes that are there.
        computed: u32,
    },
    /// A block that is no block: too long, or not compressed as it should be.
    #[error("no block of at most {BLOCK} bytes at byte {byte}")]
    Block {
        /// The place where it begins.
        byte: u64,
    },
    /// There is more, or less, than the reader has asked for.
    #[error("{0}")]
    Length(&'static str),
}

/// Reads what a [`BlockWriter`] has written. Takes the memory of a block, whatever the file says.
#[derive(Debug)]
pub struct BlockReader<R> {
    input: R,
    check: u32,
    /// Bytes read.
    offset: u64,
    block: Vec<u8>,
    /// Bytes of the block that are handed out.
    used: usize,
    ended: bool,
    /// Why reading has failed.
    fault: Option<BlockError>,
}

impl<R: Read> BlockReader<R> {
    /// Reads the header; gives the values of the fields, which must be these in this order.
    ///
    /// # Errors
    /// See [`BlockError`].
    pub fn new(input: R, title: &str, names: &[&str]) -> Result<(Self, Vec<String>), BlockError> {
        let (check, block) = (0, Vec::new());
        let mut reader = Self { input, check, offset: 0, block, used: 0, ended: false, fault: None };
        let mut header = String::new();
        if reader.line(title.len() as u64, &mut header)? != title {
            return Err(BlockError::Title { expected: title.to_owned() });
        }
        let mut values = Vec::new();
        for &name in names {
            values.push(reader.field(name, &mut header)?);
        }
        let computed = crc32(&[header.as_bytes()]);
        let found = reader.field("check", &mut String::new())?;
        if found != format!("{computed:08x}") {
            return Err(BlockError::Check { byte: 0, found, computed });
        }
        reader.check = computed;
        Ok((reader, values))
    }

    /// That everything has been read, and nothing follows.
    ///
    /// # Errors
    /// See [`BlockError`].
    pub fn finish(mut self) -> Result<(), BlockError> {
        if self.used < self.block.len() || self.next()? {
            return Err(BlockError::Length("there is more in it than there should be"));
        }
        match self.input.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(BlockError::Length("something follows its end")),
        }
    }

    /// The reason for the error that [`read`](Read::read) has returned.
    pub fn fault(&mut self, error: io::Error) -> BlockError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof if self.fault.is_none() => {
                BlockError::Length("there is less in it than there should be")
            }
            _ => self.fault.take().unwrap_or(BlockError::Io(error)),
        }
    }

    fn field(&mut self, name: &str, header: &mut String) -> Result<String, BlockError> {
        let line = self.line(LINE, header)?;
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value.map(str::to_owned).ok_or_else(|| BlockError::Header { expected: name.to_owned() })
    }

    /// Reads a line and appends it to the header; of one that is longer, its beginning.
    fn line(&mut self, most: u64, header: &mut String) -> Result<String, BlockError> {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            self.exactly(&mut byte)?;
            if byte[0] == b'\n' {
                break;
            }
            line.push(byte[0]);
            if line.len() as u64 > most {
                break;
            }
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        header.push_str(&line);
        header.push('\n');
        Ok(line)
    }

    fn exactly(&mut self, to: &mut [u8]) -> Result<(), BlockError> {
        self.input.read_exact(to).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => BlockError::Cut(self.offset),
            _ => BlockError::Io(error),
        })?;
        self.offset += to.len() as u64;
        Ok(())
    }

    /// Reads the next block; false at the end.
    fn next(&mut self) -> Result<bool, BlockError> {
        if self.ended {
            return Ok(false);
        }
        let byte = self.offset;
        let mut numbers = [[0; 4]; 3];
        for number in &mut numbers {
            self.exactly(number)?;
        }
        let [len, packed, found] = numbers.map(u32::from_le_bytes);
        if len as usize > BLOCK || packed > PACKED {
            return Err(BlockError::Block { byte });
        }
        let mut payload = vec![0; packed as usize];
        self.exactly(&mut payload)?;
        let computed = block_check(self.check, len, &payload);
        if found != computed {
            return Err(BlockError::Check { byte, found: format!("{found:08x}"), computed });
        }
        self.check = computed;
        (self.used, self.ended) = (0, len == 0);
        self.block.clear();
        let mut packed = &payload[..];
        if !self.ended {
            let mut unpacker = DeflateDecoder::new(&mut packed);
            let read = (&mut unpacker).take(u64::from(len) + 1).read_to_end(&mut self.block);
            let whole = read.is_ok() && unpacker.total_in() == payload.len() as u64;
            if !whole || self.block.len() != len as usize {
                return Err(BlockError::Block { byte });
            }
        } else if !payload.is_empty() {
            return Err(BlockError::Block { byte });
        }
        Ok(!self.ended)
    }
}

/// Errors are told in full by [`fault`](BlockReader::fault).
impl<R: Read> Read for BlockReader<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.used == self.block.len() {
            match self.next() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(fault) => {
                    let told = io::Error::new(io::ErrorKind::InvalidData, fault.to_string());
                    self.fault = Some(fault);
                    return Err(told);
                }
            }
        }
        let count = to.len().min(self.block.len() - self.used);
        to[..count].copy_from_slice(&self.block[self.used..self.used + count]);
        self.used += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLE: &str = "numbers 1";

    fn numbers(count: u32) -> Vec<u8> {
        (0..count).flat_map(|i| i.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect()
    }

    fn written(bytes: &[u8]) -> Vec<u8> {
        let mut writer = BlockWriter::new(Vec::new(), TITLE, &[("game", "nim"), ("count", "7")]).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    fn read(file: &[u8], len: usize) -> Result<Vec<u8>, BlockError> {
        let (mut reader, values) = BlockReader::new(file, TITLE, &["game", "count"])?;
        assert_eq!(values, ["nim", "7"]);
        let mut bytes = vec![0; len];
        reader.read_exact(&mut bytes).map_err(|error| reader.fault(error))?;
        reader.finish()?;
        Ok(bytes)
    }

    #[test]
    fn bytes_come_back_whatever_their_number() {
        for count in [0, 1, 16_383, 16_384, 16_385, 40_000] {
            let bytes = numbers(count);
            assert_eq!(read(&written(&bytes), bytes.len()).unwrap(), bytes, "{count}");
        }
    }

    #[test]
    fn every_bit_counts_and_every_cut_is_seen() {
        let bytes = numbers(20_000);
        let file = written(&bytes);
        for bit in (0..8 * file.len()).step_by(if file.len() > 4096 { 97 } else { 1 }).chain(0..2048) {
            let mut edited = file.clone();
            edited[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&edited, bytes.len()).is_err(), "bit {bit}");
        }
        for len in (0..file.len()).step_by(41) {
            assert!(read(&file[..len], bytes.len()).is_err(), "cut at {len}");
        }
        let longer = [&file[..], b"x"].concat();
        assert_eq!(read(&longer, bytes.len()).unwrap_err().to_string(), "something follows its end");
        let error = read(&file, bytes.len() + 1).unwrap_err().to_string();
        assert_eq!(error, "there is less in it than there should be");
        let error = read(&file, bytes.len() - 1).unwrap_err().to_string();
        assert_eq!(error, "there is more in it than there should be");
    }

    #[test]
    fn bytes_behind_the_stream_of_a_block_are_refused() {
        // A block with a right check, and a byte behind its deflate stream.
        let header = "numbers 1\ngame nim\ncount 7\n";
        let check = crc32(&[header.as_bytes()]);
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(b"abc").unwrap();
        let mut payload = packer.finish().unwrap();
        for more in [false, true] {
            if more {
                payload.push(0);
            }
            let first = block_check(check, 3, &payload);
            let last = block_check(first, 0, &[]);
            let mut file = format!("{header}check {check:08x}\n").into_bytes();
            for number in [3, payload.len() as u32, first] {
                file.extend(number.to_le_bytes());
            }
            file.extend(&payload);
            for number in [0, 0, last] {
                file.extend(u32::to_le_bytes(number));
            }
            assert_eq!(matches!(read(&file, 3), Err(BlockError::Block { .. })), more);
        }
    }
}
