//! The file of a proof: header and checked blocks, written and read as streams.

use std::io::{self, Read, Write};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use stonework_game::text::head;
use stonework_game::{Outcome, ParseError};

use super::{Claim, NoClaim};

const MAGIC: &str = "stonework proof 2";
/// Bytes of records in a block, at most.
const BLOCK: usize = 1 << 16;
/// Bytes of a block that deflate cannot make smaller, at most.
const PAYLOAD: u32 = BLOCK as u32 + 1024;
/// Bytes of a header's line, at most.
const LINE: usize = 1 << 16;
/// The lines of the game, the first root and the first claim, counted from 0; each claim has two lines.
pub(super) const GAME_LINE: usize = 1;
pub(super) const ROOT_LINE: usize = 3;
const CLAIM_LINE: usize = 4;
/// Claims of a file, at most.
const CLAIMS: usize = 4096;

/// Why a proof is not accepted, and where it goes wrong.
#[derive(Debug, thiserror::Error)]
#[error("{fault} (byte {byte}, record {record})")]
#[non_exhaustive]
pub struct Refused {
    /// The byte of the file where the line or block begins that is wrong.
    pub byte: u64,
    /// How many records before it are right.
    pub record: u64,
    /// What is wrong.
    #[source]
    pub fault: Fault,
}

/// What is wrong with a proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be read.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// It ends too early.
    #[error("the file is cut off")]
    Cut,
    /// It is something else, or of a version that is not known.
    #[error("not a proof: the first line is not `{MAGIC}`")]
    Magic,
    /// A line of the header is no text.
    #[error("a line that is not UTF-8")]
    Encoding,
    /// A line of the header is not what it should be.
    #[error("the header lacks its line `{expected} …`")]
    Header {
        /// The word that the line should begin with.
        expected: &'static str,
    },
    /// Header or block are not as they were written.
    #[error("edited, cut or out of place: the check is {found:08x}, of what is there {computed:08x}")]
    Check {
        /// What the file says.
        found: u32,
        /// What its bytes give.
        computed: u32,
    },
    /// The claim is none.
    #[error(transparent)]
    Claim(#[from] NoClaim),
    /// The proof is about another game.
    #[error("a proof about `{found}`, not about `{expected}`")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that was asked for.
        expected: String,
    },
    /// The root is no position of the game.
    #[error("the root is no position: {0}")]
    Root(#[source] ParseError),
    /// A block says that it is larger than blocks are.
    #[error("a block of {size} bytes: at most {PAYLOAD}")]
    BlockSize {
        /// What it says.
        size: u32,
    },
    /// A block says that it has more bytes of records than blocks have.
    #[error("a block with {size} bytes of records: at most {BLOCK}")]
    Records {
        /// What it says.
        size: u32,
    },
    /// A block does not hold as many bytes of records as it says, or a number goes on beyond its end.
    #[error("a block that cannot be unpacked")]
    Unpack,
    /// A block's payload goes on after the end of its records.
    #[error("{bytes} bytes of a block's payload come after the end of its deflate stream")]
    Unused {
        /// How many.
        bytes: u64,
    },
    /// A number is not written in as few bytes as it needs, or has more than 64 bits.
    #[error(
        "the number at byte {at} of a block's records is written as {bytes:02x?}: one of at most 64 bits, in as few bytes as it needs"
    )]
    Number {
        /// Where it begins among the unpacked bytes of the block, from 0.
        at: usize,
        /// How it is written, up to the byte that is too much.
        bytes: Vec<u8>,
    },
    /// A root is not written as the game writes it.
    #[error("the root is another spelling of a position: from byte {at} on `{found}`, not `{expected}`")]
    Spelling {
        /// The byte of the root from which on the two differ.
        at: usize,
        /// What the file says from there, at most 40 characters.
        found: String,
        /// What the game writes there, at most 40 characters.
        expected: String,
    },
    /// The file goes on after its end, or has more records than the strategy needs.
    #[error("more than the proof needs")]
    Trailing,
    /// The counts at the end are not those of the records.
    #[error("{found} records with {shared} shared ones were counted when this was written")]
    Count {
        /// Records, as the file says.
        found: u64,
        /// Shared ones, as the file says.
        shared: u64,
    },
    /// A number of claims that cannot be.
    #[error("`{0}` claims: 1 to {CLAIMS}, in digits alone and without zeros before them")]
    Claims(String),
    /// A move that does not exist.
    #[error("move number {index} of a position with {moves}")]
    Move {
        /// The number of the move, from 0.
        index: u64,
        /// How many there are.
        moves: usize,
    },
    /// A record that has no meaning where all moves are to be played.
    #[error("record {0} where all moves are to be played")]
    Record(u64),
    /// A line of moves that does not win.
    #[error("a line of {0} moves that does not win by force")]
    Line(usize),
    /// A line that is longer than a game.
    #[error("a line of {0} moves: longer than any game")]
    LongLine(u64),
    /// A side that may still win.
    #[error("it is not certain that this side never wins")]
    Never,
    /// A position that the wrong side has won at sight.
    #[error("a line that refutes the claim: the other side wins at once")]
    Lost,
    /// A shared position that was not shown before.
    #[error("shared position {index} of {shown} shown so far")]
    Unknown {
        /// Its number, from 0.
        index: u64,
        /// How many there are.
        shown: u64,
    },
    /// A shared position that is not the one on the board.
    #[error("shared position {index} is another one")]
    Other {
        /// Its number, from 0.
        index: u64,
    },
    /// A game that ends differently from what is claimed.
    #[error("a line that refutes the claim: its outcome is {0:?}")]
    Refuted(Outcome),
    /// A position that is not over and has no moves: the rules are broken.
    #[error("a position without moves that is not over")]
    Stuck,
    /// A shared position that the game cannot write as text.
    #[error("a shared position that has no text")]
    Text,
    /// One of the [`Caps`](super::Caps) is exceeded.
    #[error("more than {limit} {what}")]
    TooLarge {
        /// The limit.
        limit: u64,
        /// Of what.
        what: &'static str,
    },
}

fn crc(parts: &[&[u8]]) -> u32 {
    let mut crc = Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

fn block_check(before: u32, raw: u32, payload: &[u8]) -> u32 {
    let len = payload.len() as u32;
    crc(&[&before.to_le_bytes(), &raw.to_le_bytes(), &len.to_le_bytes(), payload])
}

/// Writes header and records.
#[derive(Debug)]
pub(super) struct Writer<W> {
    out: W,
    raw: Vec<u8>,
    chain: u32,
    pub(super) bytes: u64,
    pub(super) records: u64,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(mut out: W, game: &str, claims: &[(String, Claim)]) -> io::Result<Self> {
        let wrong = |what| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        let line = |text: &str| !text.contains('\n') && text.len() + 6 <= LINE;
        if !line(game) || !claims.iter().all(|(root, _)| line(root)) {
            return wrong("a game's name and a position are one line each");
        }
        if !(1..=CLAIMS).contains(&claims.len()) {
            return wrong("a file has 1 to 4096 claims");
        }
        let mut header = format!("{MAGIC}\ngame {game}\nclaims {}\n", claims.len());
        for (root, claim) in claims {
            header.extend(["root ", root, "\nclaim ", &claim.to_string(), "\n"]);
        }
        let chain = crc(&[header.as_bytes()]);
        let header = format!("{header}check {chain:08x}\n");
        out.write_all(header.as_bytes())?;
        Ok(Self { out, raw: Vec::new(), chain, bytes: header.len() as u64, records: 0 })
    }

    /// Writes one record.
    pub(super) fn record(&mut self, numbers: &[u64]) -> io::Result<()> {
        for &number in numbers {
            let mut rest = number;
            while rest >= 128 {
                self.raw.push(rest as u8 | 128);
                rest >>= 7;
            }
            self.raw.push(rest as u8);
            if self.raw.len() + 10 > BLOCK {
                self.flush()?;
            }
        }
        self.records += 1;
        Ok(())
    }

    /// Writes the numbers of whole records, a block of another proof; they are counted elsewhere.
    pub(super) fn chunk(&mut self, numbers: &[u8]) -> io::Result<()> {
        self.flush()?;
        self.raw.extend_from_slice(numbers);
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.raw.is_empty() {
            return Ok(());
        }
        let mut packer = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(&self.raw)?;
        let payload = packer.finish()?;
        self.block(self.raw.len() as u32, &payload)?;
        self.raw.clear();
        Ok(())
    }

    fn block(&mut self, raw: u32, payload: &[u8]) -> io::Result<()> {
        self.chain = block_check(self.chain, raw, payload);
        for number in [raw, payload.len() as u32, self.chain] {
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.bytes += 12 + payload.len() as u64;
        self.out.write_all(payload)
    }

    pub(super) fn finish(mut self, shared: u64) -> io::Result<u64> {
        self.flush()?;
        let counts = [self.records.to_le_bytes(), shared.to_le_bytes()].concat();
        self.block(0, &counts)?;
        self.out.flush()?;
        Ok(self.bytes)
    }
}

/// Reads a proof: the header at once, the records one by one.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    game: String,
    claims: Vec<(String, Claim)>,
    /// Where each line of the header begins.
    lines: Vec<u64>,
    chain: u32,
    raw: Vec<u8>,
    at: usize,
    /// Bytes read.
    offset: u64,
    /// Where the current line or block began.
    begin: u64,
    pub(super) records: u64,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If this is not the beginning of a proof, or was edited.
    pub fn new(input: R) -> Result<Self, Refused> {
        let mut reader = Self {
            input,
            game: String::new(),
            claims: Vec::new(),
            lines: Vec::new(),
            chain: 0,
            raw: Vec::new(),
            at: 0,
            offset: 0,
            begin: 0,
            records: 0,
        };
        match reader.header() {
            Ok(()) => Ok(reader),
            Err(fault) => Err(reader.refuse(fault)),
        }
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The root positions as text, and what the proof shows of them, if it is one.
    pub fn claims(&self) -> impl ExactSizeIterator<Item = (&str, Claim)> {
        self.claims.iter().map(|(root, claim)| (root.as_str(), *claim))
    }

    pub(super) const fn refuse(&self, fault: Fault) -> Refused {
        Refused { byte: self.begin, record: self.records, fault }
    }

    /// The same for what a line of the header says, counted from 0.
    pub(super) fn refuse_line(&self, line: usize, fault: Fault) -> Refused {
        Refused { byte: self.lines.get(line).copied().unwrap_or(self.begin), ..self.refuse(fault) }
    }

    fn header(&mut self) -> Result<(), Fault> {
        let mut text = String::new();
        if self.line(&mut text)? != MAGIC {
            return Err(Fault::Magic);
        }
        self.game = self.field("game", &mut text)?;
        let count = self.field("claims", &mut text)?;
        let plain = |n: &usize| (1..=CLAIMS).contains(n) && n.to_string() == count;
        let claims =
            count.parse().ok().filter(plain).ok_or_else(|| Fault::Claims(head(&count).to_owned()))?;
        let mut words = Vec::new();
        for _ in 0..claims {
            let root = self.field("root", &mut text)?;
            words.push((root, self.field("claim", &mut text)?));
        }
        self.chain = crc(&[text.as_bytes()]);
        let found = self.field("check", &mut String::new())?;
        let digits = found.len() == 8 && found.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let found = u32::from_str_radix(&found, 16).ok().filter(|_| digits);
        let found = found.ok_or(Fault::Header { expected: "check" })?;
        if found != self.chain {
            // Any of its lines may be the edited one.
            self.begin = 0;
            return Err(Fault::Check { found, computed: self.chain });
        }
        for (i, (root, claim)) in words.into_iter().enumerate() {
            self.begin = self.lines.get(CLAIM_LINE + 2 * i).copied().unwrap_or(self.begin);
            self.claims.push((root, claim.parse()?));
        }
        Ok(())
    }

    fn field(&mut self, expected: &'static str, text: &mut String) -> Result<String, Fault> {
        let line = self.line(text)?;
        let rest = line.strip_prefix(expected).and_then(|rest| rest.strip_prefix(' '));
        rest.map(str::to_owned).ok_or(Fault::Header { expected })
    }

    /// Reads a line and appends it to the text so far.
    fn line(&mut self, text: &mut String) -> Result<String, Fault> {
        self.begin = self.offset;
        self.lines.push(self.begin);
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            self.exactly(&mut byte)?;
            if byte[0] == b'\n' {
                break;
            }
            line.push(byte[0]);
            if line.len() > LINE {
                return Err(Fault::TooLarge { limit: LINE as u64, what: "bytes in a line" });
            }
        }
        let line = String::from_utf8(line).map_err(|_| Fault::Encoding)?;
        text.push_str(&line);
        text.push('\n');
        Ok(line)
    }

    fn exactly(&mut self, buffer: &mut [u8]) -> Result<(), Fault> {
        self.input.read_exact(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Fault::Cut,
            _ => Fault::Io(error),
        })?;
        self.offset += buffer.len() as u64;
        Ok(())
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        let mut buffer = [0; 4];
        self.exactly(&mut buffer)?;
        Ok(u32::from_le_bytes(buffer))
    }

    /// Reads a block whose check is right; tells how many bytes its records have and its payload.
    fn block(&mut self) -> Result<(u32, Vec<u8>), Fault> {
        self.begin = self.offset;
        let (raw, packed, found) = (self.u32()?, self.u32()?, self.u32()?);
        if raw > BLOCK as u32 {
            return Err(Fault::Records { size: raw });
        }
        if packed > PAYLOAD {
            return Err(Fault::BlockSize { size: packed });
        }
        let mut payload = vec![0; packed as usize];
        self.exactly(&mut payload)?;
        let computed = block_check(self.chain, raw, &payload);
        if found != computed {
            return Err(Fault::Check { found, computed });
        }
        self.chain = computed;
        Ok((raw, payload))
    }

    /// Unpacks the next block of records; the counts of the end if there is none.
    fn unpack(&mut self) -> Result<Result<(), Counts>, Fault> {
        let (len, payload) = self.block()?;
        if len == 0 {
            let number = |part: Option<&[u8]>| part?.try_into().ok().map(u64::from_le_bytes);
            return match (number(payload.get(..8)), number(payload.get(8..)), payload.len()) {
                (Some(records), Some(shared), 16) => Ok(Err((records, shared))),
                _ => Err(Fault::Unpack),
            };
        }
        self.raw.clear();
        self.at = 0;
        // One byte more is asked for, so that the stream is read to its end.
        let mut stream = DeflateDecoder::new(&*payload).take(u64::from(len) + 1);
        if stream.read_to_end(&mut self.raw).ok() != Some(len as usize) {
            return Err(Fault::Unpack);
        }
        match payload.len() as u64 - stream.get_ref().total_in() {
            0 => Ok(Ok(())),
            bytes => Err(Fault::Unused { bytes }),
        }
    }

    /// The bytes of the next block's records; the counts of the end if there is none.
    pub(super) fn chunk(&mut self) -> Result<Result<&[u8], Counts>, Fault> {
        Ok(self.unpack()?.map(|()| {
            self.at = self.raw.len();
            &*self.raw
        }))
    }

    /// The next number of a record.
    pub(super) fn number(&mut self) -> Result<u64, Fault> {
        if self.at == self.raw.len() && self.unpack()?.is_err() {
            return Err(Fault::Cut);
        }
        let begun = self.at;
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.raw.get(self.at).ok_or(Fault::Unpack)?;
            self.at += 1;
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
        let bytes = self.raw.get(begun..self.at).unwrap_or_default().to_vec();
        Err(Fault::Number { at: begun, bytes })
    }

    /// Reads the end.
    pub(super) fn finish(&mut self, shared: u64) -> Result<(), Fault> {
        if self.at != self.raw.len() {
            return Err(Fault::Trailing);
        }
        match self.unpack()? {
            Ok(()) => return Err(Fault::Trailing),
            Err((found, said)) if (found, said) != (self.records, shared) => {
                return Err(Fault::Count { found, shared: said });
            }
            Err(_) => {}
        }
        self.ended()
    }

    /// That nothing follows.
    pub(super) fn ended(&mut self) -> Result<(), Fault> {
        self.begin = self.offset;
        match self.input.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(Fault::Trailing),
        }
    }
}

/// Records, and shared ones among them.
type Counts = (u64, u64);
