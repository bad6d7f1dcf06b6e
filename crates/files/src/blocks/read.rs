//! [`HeaderReader`] and [`BlockReader`]: read a header and blocks, and refuse any other input.

use std::io::{self, Read};

use flate2::bufread::DeflateDecoder;

use super::{BlockError, BlockFault, BlockLayout, MAX_LINE, OVERHEAD, block_check};
use crate::crc32;

/// Unpacks raw deflate into `content`, in place of its old content. Takes memory for `expected` bytes with any payload.
///
/// # Errors
/// [`BlockFault::Unpack`] for a payload of more or fewer bytes than `expected`, [`BlockFault::Unused`] for a payload
/// that goes on behind its stream.
pub fn unpack(payload: &[u8], expected: usize, content: &mut Vec<u8>) -> Result<(), BlockFault> {
    content.clear();
    // One byte beyond the expected number makes the decoder read the stream to its end.
    let mut stream = DeflateDecoder::new(payload).take(expected as u64 + 1);
    if stream.read_to_end(content).ok() != Some(expected) {
        return Err(BlockFault::Unpack { expected });
    }
    match payload.len() as u64 - stream.get_ref().total_in() {
        0 => Ok(()),
        bytes => Err(BlockFault::Unused { bytes: bytes as usize }),
    }
}

/// A place in a stream of bytes.
#[derive(Debug)]
struct Input<R> {
    input: R,
    /// Bytes read.
    offset: u64,
}

impl<R: Read> Input<R> {
    fn exactly(&mut self, to: &mut [u8]) -> Result<(), BlockFault> {
        self.input.read_exact(to).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => BlockFault::Cut,
            _ => BlockFault::Io(error),
        })?;
        self.offset += to.len() as u64;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, BlockFault> {
        let mut byte = [0];
        self.exactly(&mut byte)?;
        Ok(byte[0])
    }

    fn number(&mut self) -> Result<u32, BlockFault> {
        let mut bytes = [0; 4];
        self.exactly(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

/// A reader of the header of a file that a [`BlockWriter`](super::BlockWriter) has written, line by line.
#[derive(Debug)]
pub struct HeaderReader<R> {
    input: Input<R>,
    /// All lines so far.
    text: String,
    /// The byte at which the last line began.
    begin: u64,
}

impl<R: Read> HeaderReader<R> {
    /// Reads the title.
    ///
    /// # Errors
    /// [`BlockFault::Title`] for another first line.
    pub fn new(input: R, title: &str) -> Result<Self, BlockError> {
        let mut input = Input { input, offset: 0 };
        let text = format!("{title}\n");
        for &expected in text.as_bytes() {
            if input.byte().map_err(|fault| fault.at(0))? != expected {
                return Err(BlockFault::Title { expected: title.to_owned() }.at(0));
            }
        }
        Ok(Self { input, text, begin: 0 })
    }

    /// Reads the next line, which must begin with a name, and returns its value.
    ///
    /// # Errors
    /// [`BlockFault::Line`] for another line, [`BlockFault::LongLine`] beyond 65536 bytes, [`BlockFault::Encoding`] for
    /// a line that is not UTF-8.
    pub fn field(&mut self, name: &str) -> Result<String, BlockError> {
        let line = self.line();
        let line = line.map_err(|fault| fault.at(self.begin))?;
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value.map(str::to_owned).ok_or_else(|| self.wrong(name))
    }

    /// The byte at which the last line began.
    pub const fn line_start(&self) -> u64 {
        self.begin
    }

    /// The error that the last line does not begin with `name`, or that its value is invalid.
    fn wrong(&self, name: &str) -> BlockError {
        BlockFault::Line { expected: name.to_owned() }.at(self.begin)
    }

    /// Reads the check and compares it with the lines before. An edit of a line is an error at byte 0.
    ///
    /// # Errors
    /// [`BlockFault::Check`], and as [`HeaderReader::field`].
    pub fn finish(mut self, layout: BlockLayout) -> Result<BlockReader<R>, BlockError> {
        let computed = crc32(&[self.text.as_bytes()]);
        let digits = self.field("check")?;
        let plain = digits.len() == 8 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let found = u32::from_str_radix(&digits, 16).ok().filter(|_| plain);
        let found = found.ok_or_else(|| self.wrong("check"))?;
        if found != computed {
            return Err(BlockFault::Check { found, computed }.at(0));
        }
        let begin = self.begin;
        Ok(BlockReader { input: self.input, layout, check: computed, begin, content: Vec::new() })
    }

    fn line(&mut self) -> Result<String, BlockFault> {
        self.begin = self.input.offset;
        let mut line = Vec::new();
        loop {
            match self.input.byte()? {
                b'\n' => break,
                byte => line.push(byte),
            }
            if line.len() > MAX_LINE {
                return Err(BlockFault::LongLine { limit: MAX_LINE });
            }
        }
        let line = String::from_utf8(line).map_err(|_| BlockFault::Encoding)?;
        self.text.push_str(&line);
        self.text.push('\n');
        Ok(line)
    }
}

/// A reader of the blocks of a file. It takes the memory of two blocks, whatever the file claims.
#[derive(Debug)]
pub struct BlockReader<R> {
    input: Input<R>,
    layout: BlockLayout,
    /// The check of all bytes so far.
    check: u32,
    /// The byte at which the last line or block began.
    begin: u64,
    content: Vec<u8>,
}

impl<R: Read> BlockReader<R> {
    /// Reads the next block and returns `true`; [`content`](BlockReader::content) then returns its content. At the end
    /// it returns `false`, and the content is the trailer, which must have `trailer` bytes.
    ///
    /// # Errors
    /// Any [`BlockFault`] of blocks, with the byte at which the block begins.
    pub fn next(&mut self, trailer: usize) -> Result<bool, BlockError> {
        self.begin = self.input.offset;
        self.block(trailer).map_err(|fault| fault.at(self.begin))
    }

    fn block(&mut self, trailer: usize) -> Result<bool, BlockFault> {
        let BlockLayout { units, size, most } = self.layout;
        let [count, packed, found] = [self.input.number()?, self.input.number()?, self.input.number()?];
        if count > most {
            return Err(BlockFault::Large { count, units, limit: most });
        }
        let limit = most.saturating_mul(size).saturating_add(OVERHEAD);
        if packed > limit {
            return Err(BlockFault::LongPayload { size: packed, limit });
        }
        let mut payload = vec![0; packed as usize];
        self.input.exactly(&mut payload)?;
        let computed = block_check(self.check, count, &payload);
        if found != computed {
            return Err(BlockFault::Check { found, computed });
        }
        self.check = computed;
        if count > 0 {
            unpack(&payload, count as usize * size as usize, &mut self.content)?;
            return Ok(true);
        }
        if payload.len() != trailer {
            return Err(BlockFault::Trailer { found: payload.len(), expected: trailer });
        }
        self.content = payload;
        Ok(false)
    }

    /// The content of the last block, or the trailer.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// The byte at which the last line or block began.
    pub const fn block_start(&self) -> u64 {
        self.begin
    }

    /// The number of bytes read so far.
    pub const fn bytes(&self) -> u64 {
        self.input.offset
    }

    /// Checks that nothing follows.
    ///
    /// # Errors
    /// [`BlockFault::Trailing`] for bytes after the end, and the error of the input.
    pub fn finish(&mut self) -> Result<(), BlockError> {
        self.begin = self.input.offset;
        match self.input.byte() {
            Err(BlockFault::Cut) => Ok(()),
            Ok(_) => Err(BlockFault::Trailing.at(self.begin)),
            Err(fault) => Err(fault.at(self.begin)),
        }
    }
}
