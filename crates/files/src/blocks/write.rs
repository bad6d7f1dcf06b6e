//! [`BlockWriter`]: writes a header and blocks.

use std::io::{self, Write};

use flate2::write::DeflateEncoder;

use super::{MAX_LINE, block_check};
use crate::crc32;

/// The time spent on the compression of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// Little time.
    Fast,
    /// The usual compromise.
    Usual,
    /// Much time, the smallest result.
    Best,
}

/// Compresses bytes as raw deflate. Equal bytes give equal results. O(bytes).
///
/// # Errors
/// No known error: memory accepts every write.
pub fn pack(content: &[u8], compression: Compression) -> io::Result<Vec<u8>> {
    let level = match compression {
        Compression::Fast => flate2::Compression::fast(),
        Compression::Usual => flate2::Compression::default(),
        Compression::Best => flate2::Compression::best(),
    };
    let mut packer = DeflateEncoder::new(Vec::new(), level);
    packer.write_all(content)?;
    packer.finish()
}

/// A writer of a file of blocks: the header at once, then block by block, then the end.
///
/// ```
/// use stonework_files::{BlockWriter, Compression, HeaderReader, BlockLayout};
/// let mut writer = BlockWriter::new(Vec::new(), "squares 1", &[("count", "3")])?;
/// writer.block(3, &[1, 4, 9], Compression::Usual)?;
/// let (file, bytes) = writer.finish(b"end")?;
/// assert_eq!(file.len() as u64, bytes);
///
/// let mut header = HeaderReader::new(&file[..], "squares 1")?;
/// assert_eq!(header.field("count")?, "3");
/// let mut reader = header.finish(BlockLayout::BYTES)?;
/// assert!(reader.next(3)?);                               // a block, not the end with its three bytes
/// assert_eq!(reader.content(), [1, 4, 9]);
/// assert!(!reader.next(3)?);
/// assert_eq!(reader.content(), b"end");
/// reader.finish()?;                                       // nothing follows
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BlockWriter<W> {
    out: W,
    check: u32,
    bytes: u64,
}

impl<W: Write> BlockWriter<W> {
    /// Writes the header: a title, and lines of a name and a value.
    ///
    /// # Errors
    /// An error for a title, a name or a value that is not one line of at most 65536 bytes, and the error of the
    /// output.
    pub fn new(mut out: W, title: &str, fields: &[(&str, &str)]) -> io::Result<Self> {
        let lines = fields.iter().map(|(name, value)| format!("{name} {value}"));
        let mut header = String::new();
        for line in [title.to_owned()].into_iter().chain(lines) {
            if line.contains('\n') || line.len() > MAX_LINE {
                let what = format!("a header with a line of {} bytes or with a line end in it", line.len());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
            }
            header.push_str(&line);
            header.push('\n');
        }
        let check = crc32(&[header.as_bytes()]);
        let header = format!("{header}check {check:08x}\n");
        out.write_all(header.as_bytes())?;
        Ok(Self { out, check, bytes: header.len() as u64 })
    }

    /// Writes a block of `count` units. `count` must not be 0, which marks the end.
    ///
    /// # Errors
    /// The error of the output.
    pub fn block(&mut self, count: u32, content: &[u8], compression: Compression) -> io::Result<()> {
        let payload = pack(content, compression)?;
        self.put(count, &payload)
    }

    /// Writes the end with its trailer; returns the output and the number of bytes of the file.
    ///
    /// # Errors
    /// The error of the output.
    pub fn finish(mut self, trailer: &[u8]) -> io::Result<(W, u64)> {
        self.put(0, trailer)?;
        self.out.flush()?;
        Ok((self.out, self.bytes))
    }

    fn put(&mut self, count: u32, payload: &[u8]) -> io::Result<()> {
        self.check = block_check(self.check, count, payload);
        for number in [count, payload.len() as u32, self.check] {
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.bytes += 12 + payload.len() as u64;
        self.out.write_all(payload)
    }
}
