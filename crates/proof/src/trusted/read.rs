//! [`ProofReader`]: the header of a file of proofs, and its numbers one by one.

use std::io::Read;

use stonework_files::{BlockLayout, BlockReader, HeaderReader};
use stonework_game::text::head;

use super::fault::CLAIMS;
use super::{Claim, ProofError, ProofFault};

/// The first line of a file of proofs.
pub(crate) const TITLE: &str = "stonework proof 2";
/// The first line of a file whose strategies end at claims of other files.
pub(crate) const TOP_TITLE: &str = "stonework proof top 1";
/// The bytes of the counts at the end of a file: the number of records, and of shared positions.
const COUNTS: usize = 16;

/// A reader of a file of proofs: the header at once, the records one by one.
///
/// The header alone has the claims of a file. [`verify`](super::verify()) checks that the file proves them.
#[derive(Debug)]
pub struct ProofReader<R> {
    game: String,
    /// The byte at which the line of the game begins.
    game_at: u64,
    claims: Vec<(String, Claim)>,
    /// The bytes at which the lines of the roots begin.
    roots_at: Vec<u64>,
    blocks: BlockReader<R>,
    /// The number of bytes of the block that have been read.
    used: usize,
    /// `true` if the end of the file has been read: the content of the block is the counts.
    ended: bool,
    records: u64,
}

impl<R: Read> ProofReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// An error if the file does not begin as a file of proofs, or if the header was edited.
    pub fn new(input: R) -> Result<Self, ProofError> {
        Self::titled(input, TITLE)
    }

    /// Reads the header of a file with this first line.
    pub(crate) fn titled(input: R, title: &str) -> Result<Self, ProofError> {
        let refused = |byte, fault| ProofError { byte, record: 0, fault };
        let mut header = HeaderReader::new(input, title)?;
        let game = header.field("game")?;
        let game_at = header.line_start();
        let count = header.field("claims")?;
        let plain = |n: &usize| (1..=CLAIMS).contains(n) && n.to_string() == count;
        let Some(number) = count.parse().ok().filter(plain) else {
            return Err(refused(header.line_start(), ProofFault::Claims(head(&count).to_owned())));
        };
        let (mut texts, mut roots_at) = (Vec::new(), Vec::new());
        for _ in 0..number {
            let root = header.field("root")?;
            roots_at.push(header.line_start());
            texts.push((root, header.field("claim")?, header.line_start()));
        }
        let blocks = header.finish(BlockLayout::BYTES)?;
        let mut claims = Vec::with_capacity(number);
        for (root, text, byte) in texts {
            let claim = text.parse().map_err(|unknown| refused(byte, ProofFault::Claim(unknown)))?;
            claims.push((root, claim));
        }
        Ok(Self { game, game_at, claims, roots_at, blocks, used: 0, ended: false, records: 0 })
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The root positions as text, each with the claim about it.
    pub fn claims(&self) -> impl ExactSizeIterator<Item = (&str, Claim)> {
        self.claims.iter().map(|(root, claim)| (root.as_str(), *claim))
    }

    /// The error of a fault in the current block.
    pub(crate) const fn refuse(&self, fault: ProofFault) -> ProofError {
        ProofError { byte: self.blocks.block_start(), record: self.records, fault }
    }

    /// The error of a fault in the root of the claim with this number, from 0.
    pub(super) fn refuse_root(&self, claim: usize, fault: ProofFault) -> ProofError {
        let byte = self.roots_at.get(claim).copied().unwrap_or_default();
        ProofError { byte, ..self.refuse(fault) }
    }

    /// Refuses a file about another game.
    pub(crate) fn expect_game(&self, game: &str) -> Result<(), ProofError> {
        if self.game == game {
            return Ok(());
        }
        let fault = ProofFault::Game { found: self.game.clone(), expected: game.to_owned() };
        Err(ProofError { byte: self.game_at, ..self.refuse(fault) })
    }

    /// Counts a verified record.
    pub(super) const fn count_record(&mut self) {
        self.records += 1;
    }

    /// Reads the next block of records; `false` at the end of the records.
    fn block(&mut self) -> Result<bool, ProofFault> {
        if !self.ended {
            self.ended = !self.blocks.next(COUNTS).map_err(|error| error.fault)?;
            self.used = 0;
        }
        Ok(!self.ended)
    }

    /// The bytes of the next block of records, all of which count as read; `None` at the end.
    pub(crate) fn records(&mut self) -> Result<Option<&[u8]>, ProofFault> {
        if !self.block()? {
            return Ok(None);
        }
        self.used = self.blocks.content().len();
        Ok(Some(self.blocks.content()))
    }

    /// Reads the next number of a record.
    pub(super) fn number(&mut self) -> Result<u64, ProofFault> {
        if (self.ended || self.used == self.blocks.content().len()) && !self.block()? {
            return Err(ProofFault::Missing);
        }
        let (content, begun) = (self.blocks.content(), self.used);
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *content.get(self.used).ok_or(ProofFault::CutNumber)?;
            self.used += 1;
            let bits = u64::from(byte & 127);
            number |= bits << shift;
            let padded = byte == 0 && shift > 0;
            if padded || bits << shift >> shift != bits {
                break;
            }
            if byte < 128 {
                return Ok(number);
            }
        }
        let bytes = content.get(begun..self.used).unwrap_or_default().to_vec();
        Err(ProofFault::Number { at: begun, bytes })
    }

    /// Checks that all records have been read, that the counts agree, and that the file ends.
    pub(super) fn finish(&mut self, shared: u64) -> Result<(), ProofFault> {
        if self.used != self.blocks.content().len() || self.block()? {
            return Err(ProofFault::Trailing);
        }
        match self.counts()? {
            counts if counts == (self.records, shared) => Ok(()),
            (found, shared) => Err(ProofFault::Count { found, shared }),
        }
    }

    /// The numbers of records and of shared positions at the end of the file. No byte may follow.
    pub(crate) fn counts(&mut self) -> Result<(u64, u64), ProofFault> {
        let number = |bytes: Option<&[u8]>| bytes?.try_into().ok().map(u64::from_le_bytes);
        let content = self.blocks.content();
        let counts = (number(content.get(..8)), number(content.get(8..)));
        self.blocks.finish().map_err(|error| error.fault)?;
        match counts {
            (Some(records), Some(shared)) => Ok((records, shared)),
            _ => Err(ProofFault::Missing),
        }
    }
}
