//! [`ByteWriter`] and [`ByteReader`]: a file of blocks as a stream of bytes.

use std::io::{self, Read, Write};

use super::{BlockError, BlockFault, BlockLayout, BlockReader, BlockWriter, Compression, HeaderReader};

/// The largest number of bytes of a block before compression.
const BLOCK: usize = BlockLayout::BYTES.most as usize;

/// A writer of bytes into blocks: a [`BlockWriter`] for formats whose content is one row of bytes. The compression is
/// fast.
///
/// ```
/// use std::io::{Read, Write};
/// use stonework_files::{ByteReader, ByteWriter};
/// let mut writer = ByteWriter::new(Vec::new(), "squares 1", &[("count", "3")])?;
/// writer.write_all(&[1, 4, 9])?;
/// let file = writer.finish()?;
/// let (mut reader, values) = ByteReader::new(&file[..], "squares 1", &["count"])?;
/// assert_eq!(values, ["3"]);
/// let mut bytes = [0; 3];
/// reader.read_exact(&mut bytes)?;
/// reader.finish()?;                                       // nothing follows
/// assert_eq!(bytes, [1, 4, 9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ByteWriter<W> {
    blocks: BlockWriter<W>,
    content: Vec<u8>,
}

impl<W: Write> ByteWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// As [`BlockWriter::new`].
    pub fn new(out: W, title: &str, fields: &[(&str, &str)]) -> io::Result<Self> {
        Ok(Self { blocks: BlockWriter::new(out, title, fields)?, content: Vec::with_capacity(BLOCK) })
    }

    /// Writes the last block, and the end.
    ///
    /// # Errors
    /// The error of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.block()?;
        self.blocks.finish(&[]).map(|(out, _)| out)
    }

    fn block(&mut self) -> io::Result<()> {
        if !self.content.is_empty() {
            self.blocks.block(self.content.len() as u32, &self.content, Compression::Fast)?;
            self.content.clear();
        }
        Ok(())
    }
}

/// Bytes are written when a block is full, or at [`finish`](ByteWriter::finish).
impl<W: Write> Write for ByteWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.content.len() == BLOCK {
            self.block()?;
        }
        let count = bytes.len().min(BLOCK - self.content.len());
        self.content.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader of a file that a [`ByteWriter`] has written. It takes the memory of two blocks, whatever the file claims.
#[derive(Debug)]
pub struct ByteReader<R> {
    blocks: BlockReader<R>,
    /// Bytes of the block that have been read.
    used: usize,
    ended: bool,
    /// The reason why reading has failed.
    error: Option<BlockError>,
}

impl<R: Read> ByteReader<R> {
    /// Reads the header, which must have fields of these names in this order. Returns the values of the fields.
    ///
    /// # Errors
    /// See [`BlockFault`].
    pub fn new(input: R, title: &str, names: &[&str]) -> Result<(Self, Vec<String>), BlockError> {
        let mut header = HeaderReader::new(input, title)?;
        let values = names.iter().map(|name| header.field(name)).collect::<Result<_, _>>()?;
        let blocks = header.finish(BlockLayout::BYTES)?;
        Ok((Self { blocks, used: 0, ended: false, error: None }, values))
    }

    /// Checks that all content has been read, and that nothing follows.
    ///
    /// # Errors
    /// [`BlockFault::More`] for content that was not read, [`BlockFault::Trailing`] for bytes after the end, and the
    /// faults of the next block.
    pub fn finish(mut self) -> Result<(), BlockError> {
        if self.used < self.rest() || self.next()? {
            return Err(BlockFault::More.at(self.blocks.block_start()));
        }
        self.blocks.finish()
    }

    /// The reason for an error that [`read`](Read::read) has returned.
    pub fn reason(&mut self, error: io::Error) -> BlockError {
        let byte = self.blocks.block_start();
        match (self.error.take(), error.kind()) {
            (Some(reason), _) => reason,
            (None, io::ErrorKind::UnexpectedEof) => BlockFault::Less.at(byte),
            (None, _) => BlockFault::Io(error).at(byte),
        }
    }

    /// The number of bytes in the current block.
    fn rest(&self) -> usize {
        if self.ended { 0 } else { self.blocks.content().len() }
    }

    /// Reads the next block; `false` at the end.
    fn next(&mut self) -> Result<bool, BlockError> {
        if self.ended {
            return Ok(false);
        }
        // After an error no byte is returned.
        (self.used, self.ended) = (0, true);
        self.ended = !self.blocks.next(0)?;
        Ok(!self.ended)
    }
}

/// [`reason`](ByteReader::reason) has the full reason for an error.
impl<R: Read> Read for ByteReader<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.used == self.rest() {
            match self.next() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(reason) => {
                    let error = io::Error::new(io::ErrorKind::InvalidData, reason.to_string());
                    self.error = Some(reason);
                    return Err(error);
                }
            }
        }
        let left = &self.blocks.content()[self.used..];
        let count = to.len().min(left.len());
        to[..count].copy_from_slice(&left[..count]);
        self.used += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pack;
    use super::*;
    use crate::crc32;

    const TITLE: &str = "numbers 1";

    fn numbers(count: u32) -> Vec<u8> {
        (0..count).flat_map(|i| i.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect()
    }

    fn written(bytes: &[u8]) -> Vec<u8> {
        let mut writer = ByteWriter::new(Vec::new(), TITLE, &[("game", "nim"), ("count", "7")]).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    fn read(file: &[u8], len: usize) -> Result<Vec<u8>, BlockError> {
        let (mut reader, values) = ByteReader::new(file, TITLE, &["game", "count"])?;
        assert_eq!(values, ["nim", "7"]);
        let mut bytes = vec![0; len];
        reader.read_exact(&mut bytes).map_err(|error| reader.reason(error))?;
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
        assert_eq!(
            read(&longer, bytes.len()).unwrap_err().fault.to_string(),
            "bytes follow the end of the file"
        );
        let error = read(&file, bytes.len() + 1).unwrap_err().fault.to_string();
        assert_eq!(error, "the blocks have less content than they should");
        let error = read(&file, bytes.len() - 1).unwrap_err().fault.to_string();
        assert_eq!(error, "the blocks have more content than they should");
    }

    /// A header and blocks, each with a count and a payload, and right checks.
    fn checked(blocks: &[(u32, Vec<u8>)]) -> Vec<u8> {
        let lines = "numbers 1\ngame nim\ncount 7\n";
        let mut check = crc32(&[lines.as_bytes()]);
        let mut file = format!("{lines}check {check:08x}\n").into_bytes();
        for (count, payload) in blocks {
            let sizes = [count.to_le_bytes(), (payload.len() as u32).to_le_bytes()].concat();
            check = crc32(&[&check.to_le_bytes(), &sizes, payload]);
            file.extend([&sizes[..], &check.to_le_bytes(), payload].concat());
        }
        file
    }

    #[test]
    fn right_checks_do_not_make_a_block() {
        let packed = pack(b"abc", Compression::Fast).unwrap();
        let good = checked(&[(3, packed.clone()), (0, Vec::new())]);
        assert_eq!(read(&good, 3).unwrap(), b"abc");
        let begin = 42;
        for (blocks, message) in [
            (vec![(3, [&packed[..], &[0]].concat())], "1 bytes of a block's payload come after the end"),
            (vec![(2, packed.clone())], "a block that does not unpack to 2 bytes"),
            (vec![(4, packed.clone())], "a block that does not unpack to 4 bytes"),
            (vec![(3, vec![255; 9])], "a block that does not unpack to 3 bytes"),
            (vec![(65_537, packed.clone())], "a block of 65537 bytes: at most 65536"),
            (vec![(3, vec![0; 66_561])], "a block with a payload of 66561 bytes: at most 66560"),
            (vec![(0, vec![1])], "a trailer of 1 bytes: it should have 0"),
            (Vec::new(), "the file is cut off"),
        ] {
            let error = read(&checked(&blocks), 3).unwrap_err();
            assert!(error.fault.to_string().starts_with(message), "{error} for {message}");
            assert_eq!(error.byte, begin, "{error}");
        }
    }

    #[test]
    fn a_layout_of_any_size_has_no_overflow() {
        let layout = BlockLayout { units: "sheets", size: 1 << 16, most: 1 << 16 };
        let mut writer = BlockWriter::new(Vec::new(), TITLE, &[]).unwrap();
        writer.block(1, &vec![7; 1 << 16], Compression::Fast).unwrap();
        let (file, _) = writer.finish(b"end").unwrap();
        let mut reader = HeaderReader::new(&file[..], TITLE).unwrap().finish(layout).unwrap();
        assert!(reader.next(3).unwrap() && reader.content() == vec![7; 1 << 16]);
        assert!(!reader.next(3).unwrap() && reader.content() == b"end");
    }

    #[test]
    fn a_header_has_its_lines_and_no_others() {
        let file = written(b"abc");
        let (lines, rest) = (&file[..19], &file[27..]);
        for (lines, message) in [
            ("numbers 2\ngame nim\ncount 7\n", "the first line is not `numbers 1` (byte 0)"),
            ("numbers 1 \ngame nim\ncount 7\n", "the first line is not `numbers 1` (byte 0)"),
            ("numbers 1\nname nim\ncount 7\n", "the header lacks its line `game …` (byte 10)"),
            ("numbers 1\ngame nim\ncheck 7\n", "the header lacks its line `count …` (byte 19)"),
            ("numbers 1\ngame nim\ncount 7\nmore 1\n", "the header lacks its line `check …` (byte 27)"),
        ] {
            let error = read(&[lines.as_bytes(), rest].concat(), 3).unwrap_err().to_string();
            assert_eq!(error, message);
        }
        let error = read(&[lines, b"\xff\n"].concat(), 3).unwrap_err().to_string();
        assert_eq!(error, "a line that is not UTF-8 (byte 19)");
        let long = [lines, &vec![b'7'; 65_537][..]].concat();
        assert_eq!(read(&long, 3).unwrap_err().to_string(), "a line of more than 65536 bytes (byte 19)");
        for text in ["two\nlines", &"x".repeat(65_537)] {
            assert!(ByteWriter::new(Vec::new(), TITLE, &[("game", text)]).is_err());
        }
    }

    /// An input whose every other read is interrupted by a signal.
    struct Interrupted<'a>(&'a [u8], bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(io::ErrorKind::Interrupted.into()) } else { self.0.read(to) }
        }
    }

    /// The last read, which looks for bytes behind the end, failed by a signal.
    #[test]
    fn a_signal_while_a_file_is_read_is_no_fault() {
        let bytes = numbers(20_000);
        let file = written(&bytes);
        let (mut reader, _) = ByteReader::new(Interrupted(&file, false), TITLE, &["game", "count"]).unwrap();
        let mut again = vec![0; bytes.len()];
        reader.read_exact(&mut again).unwrap();
        reader.finish().unwrap();
        assert_eq!(again, bytes);
    }
}
