//! [`Dfpn::save`] and [`Dfpn::load`]: the table of a long search as a file.

use std::io::{self, Read, Write};

use flate2::Crc;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use stonework_game::{Finite, Keyed, Player};

use super::Dfpn;
use super::numbers::{Question, scatter};
use super::store::Store;
use crate::Limits;

const MAGIC: &str = "stonework search table 1";
/// Entries of a block, at most.
const BLOCK: usize = 4096;
/// Bytes of an entry.
const ENTRY: usize = 16;
/// Bytes of a block that deflate cannot make smaller, at most.
const PAYLOAD: u32 = (BLOCK * ENTRY) as u32 + 1024;
/// Bytes of a header's line, at most.
const LINE: usize = 1 << 10;

/// What was saved or loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Positions with what is known of them.
    pub entries: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Positions that were visited to find it out.
    pub nodes: u64,
}

/// Why a table is not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeptError {
    /// The file cannot be read.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// It ends too early.
    #[error("the file is cut off at byte {0}")]
    Cut(u64),
    /// It is something else, or of a version that is not known.
    #[error("no saved search: the first line is not `{MAGIC}`")]
    Magic,
    /// A line of the header is not what it should be.
    #[error("the header lacks its line `{expected} …`")]
    Header {
        /// The word that the line should begin with.
        expected: &'static str,
    },
    /// The search of another game.
    #[error("the search of `{found}`, not of `{expected}`")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that was asked for.
        expected: String,
    },
    /// The search of another position, or of a version of the game with other keys.
    #[error(
        "the search of another position, or with other keys: their mark is {found:016x}, not {expected:016x}"
    )]
    Keys {
        /// What the file says.
        found: u64,
        /// What the position gives.
        expected: u64,
    },
    /// Header or block are not as they were written.
    #[error(
        "edited or out of place: the check of what begins at byte {byte} is {found:08x}, of what is there {computed:08x}"
    )]
    Check {
        /// Where it begins.
        byte: u64,
        /// What the file says.
        found: u32,
        /// What its bytes give.
        computed: u32,
    },
    /// A block that is larger than blocks are, or has no entries in it.
    #[error("no block of entries at byte {byte}")]
    Block {
        /// Where it begins.
        byte: u64,
    },
    /// An entry that means nothing.
    #[error("entry {index} says {data:016x}, which means nothing")]
    Entry {
        /// Its number, from 0.
        index: u64,
        /// What it says.
        data: u64,
    },
    /// The file goes on after its end, or has more or fewer entries than it says.
    #[error("{found} entries where {expected} were announced, or something behind the end")]
    Count {
        /// So many are there, at least.
        found: u64,
        /// What the header says.
        expected: u64,
    },
}

impl<T> Dfpn<T> {
    /// Writes what the table knows, so that a search in another process can go on from it. What was only looked at is left
    /// out: it is soon looked at again. `game` names the game, in one line.
    ///
    /// About 10 bytes for each position; O(table). Read it with [`Dfpn::load`].
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_search::{Dfpn, Engine, Limits};
    /// let (root, mut file) = (Nim::new(200), Vec::new());
    /// let mut engine = Dfpn::new().keep(true);
    /// engine.search(&root, &Limits::none().nodes(100), 0, &mut |_| {});
    /// engine.save("nim", &root, &mut file)?;
    /// let mut other = Dfpn::new().keep(true);
    /// let kept = other.load("nim", &root, &Limits::none(), &file[..])?;
    /// assert_eq!(kept.nodes, 100);
    /// assert!(other.search(&root, &Limits::none(), 0, &mut |_| {}).proof.is_some());
    /// assert!(other.load("nim", &Nim::new(201), &Limits::none(), &file[..]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # The file
    /// ```text
    /// stonework search table 1
    /// game <the name of the game>
    /// keys <the mark of position and keys: 16 hexadecimal digits>
    /// nodes <positions visited so far>
    /// entries <how many there are>
    /// check <CRC-32 of the lines above with their line ends, in eight hexadecimal digits>
    ///
    /// block   entries (u32) · bytes of payload (u32) · check (u32) · payload: entries, deflated
    /// end     0 (u32) · 0 (u32) · check (u32)
    /// ```
    ///
    /// Numbers are little-endian. The check of a block is the CRC-32 of the check before it, of the two numbers and the payload. A block
    /// has 4096 entries at the most, as sixteen rows of bytes: the first byte of each entry, the second of each, and so on. An
    /// entry is two 64-bit numbers:
    ///
    /// ```text
    /// key     of (position, question), 64 bits
    /// data    proof number 24 · disproof number 24 · work 8 · 0 8, from the highest bit down
    /// ```
    ///
    /// Of an entry that is decided, the number that is not 0 is the tag of the move that decides, or 2²⁴ − 1. Work is the logarithm to base 2 of
    /// the nodes, with three binary digits behind the point.
    ///
    /// # Errors
    /// What the output returns, and if `game` is no line.
    pub fn save<G: Finite + Keyed>(&self, game: &str, root: &G, out: impl Write) -> io::Result<Kept> {
        if game.contains('\n') || game.len() + 6 > LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a game's name is one short line"));
        }
        let mut entries = 0;
        self.store.each(&mut |_, _| {
            entries += 1;
            Ok(())
        })?;
        let header = format!(
            "{MAGIC}\ngame {game}\nkeys {:016x}\nnodes {}\nentries {entries}\n",
            mark(root),
            self.worked
        );
        let chain = crc(&[header.as_bytes()]);
        let header = format!("{header}check {chain:08x}\n");
        let mut writer = Writer { out, chain, bytes: header.len() as u64, block: Vec::with_capacity(BLOCK) };
        writer.out.write_all(header.as_bytes())?;
        self.store.each(&mut |key, data| writer.entry(key, data))?;
        writer.flush()?;
        writer.block(0, &[])?;
        writer.out.flush()?;
        Ok(Kept { entries, bytes: writer.bytes, nodes: self.worked })
    }

    /// Reads what another search of the same position has [saved](Dfpn::save) into the table, which `limits` size and which
    /// knows nothing else then. For engines that [keep](Dfpn::keep) their tables: others forget it with the next search.
    /// A smaller table keeps what fits.
    ///
    /// A file whose checks are right is believed: who does not trust its origin looks at the [proof](Dfpn::prove), which is
    /// checked against the rules.
    ///
    /// # Errors
    /// If it is damaged, cut off, or about something else: the table is empty then.
    pub fn load<G: Finite + Keyed>(
        &mut self,
        game: &str,
        root: &G,
        limits: &Limits,
        input: impl Read,
    ) -> Result<Kept, KeptError> {
        self.prepare(limits, false);
        let mut reader = Reader { input, chain: 0, offset: 0 };
        let (nodes, expected) = reader.header(game, mark(root))?;
        self.store.reserve(expected);
        match reader.entries(expected, &self.store) {
            Ok(()) => {
                self.worked = nodes;
                Ok(Kept { entries: expected, bytes: reader.offset, nodes })
            }
            Err(error) => {
                self.store.forget();
                Err(error)
            }
        }
    }

    /// Positions visited by the searches whose findings are in the table, those before [`Dfpn::load`] included.
    #[must_use]
    pub const fn worked(&self) -> u64 {
        self.worked
    }

    /// Bytes of the table in use, and of all that it may take.
    #[must_use]
    pub fn filled(&self) -> (usize, usize) {
        (self.store.in_use(), self.store.bytes())
    }
}

/// What tells positions and keys apart: both questions' keys of the root and of the positions after each move.
fn mark<G: Finite + Keyed>(root: &G) -> u64 {
    let mut game = root.clone();
    let keys = |game: &G| Player::BOTH.map(|who| Question::new(who).key(game, 0));
    let mix = |mark: u64, [one, other]: [u64; 2]| scatter(scatter(mark ^ one) ^ other);
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut found = mix(0, keys(&game));
    for mv in moves {
        let undo = game.play_unchecked(mv);
        found = mix(found, keys(&game));
        game.undo(undo);
    }
    found
}

fn crc(parts: &[&[u8]]) -> u32 {
    let mut crc = Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

fn block_check(before: u32, entries: u32, payload: &[u8]) -> u32 {
    let len = payload.len() as u32;
    crc(&[&before.to_le_bytes(), &entries.to_le_bytes(), &len.to_le_bytes(), payload])
}

struct Writer<W> {
    out: W,
    chain: u32,
    bytes: u64,
    block: Vec<[u8; ENTRY]>,
}

impl<W: Write> Writer<W> {
    fn entry(&mut self, key: u64, data: u64) -> io::Result<()> {
        self.block.push((u128::from(data) << 64 | u128::from(key)).to_le_bytes());
        if self.block.len() < BLOCK { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let mut packer = DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        for row in 0..ENTRY {
            let bytes: Vec<u8> = self.block.iter().map(|entry| entry[row]).collect();
            packer.write_all(&bytes)?;
        }
        let payload = packer.finish()?;
        self.block(self.block.len() as u32, &payload)?;
        self.block.clear();
        Ok(())
    }

    fn block(&mut self, entries: u32, payload: &[u8]) -> io::Result<()> {
        self.chain = block_check(self.chain, entries, payload);
        for number in [entries, payload.len() as u32, self.chain] {
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.bytes += 12 + payload.len() as u64;
        self.out.write_all(payload)
    }
}

struct Reader<R> {
    input: R,
    chain: u32,
    /// Bytes read.
    offset: u64,
}

impl<R: Read> Reader<R> {
    /// The numbers of nodes and entries.
    fn header(&mut self, game: &str, keys: u64) -> Result<(u64, u64), KeptError> {
        let mut text = String::new();
        if self.line(&mut text)? != MAGIC {
            return Err(KeptError::Magic);
        }
        let mut words = Vec::new();
        for expected in ["game", "keys", "nodes", "entries"] {
            words.push(self.field(expected, &mut text)?);
        }
        let computed = crc(&[text.as_bytes()]);
        let found = self.field("check", &mut String::new())?;
        let header = |expected| KeptError::Header { expected };
        if found != format!("{computed:08x}") {
            let found = u32::from_str_radix(&found, 16).map_err(|_| header("check"))?;
            return Err(KeptError::Check { byte: 0, found, computed });
        }
        self.chain = computed;
        let [of, mark, nodes, entries] = &words[..] else { return Err(header("game")) };
        if of != game {
            return Err(KeptError::Game { found: of.clone(), expected: game.to_owned() });
        }
        let found = u64::from_str_radix(mark, 16).ok().filter(|found| format!("{found:016x}") == *mark);
        let found = found.ok_or(header("keys"))?;
        if found != keys {
            return Err(KeptError::Keys { found, expected: keys });
        }
        // A number has one spelling: no sign, no zeros before it.
        let number = |text: &String| text.parse().ok().filter(|number: &u64| number.to_string() == *text);
        Ok((number(nodes).ok_or(header("nodes"))?, number(entries).ok_or(header("entries"))?))
    }

    fn field(&mut self, expected: &'static str, text: &mut String) -> Result<String, KeptError> {
        let line = self.line(text)?;
        let rest = line.strip_prefix(expected).and_then(|rest| rest.strip_prefix(' '));
        rest.map(str::to_owned).ok_or(KeptError::Header { expected })
    }

    /// Reads a line and appends it to the text so far. One that is no text or too long is not the one that is looked for.
    fn line(&mut self, text: &mut String) -> Result<String, KeptError> {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            self.exactly(&mut byte)?;
            if byte[0] == b'\n' || line.len() > LINE {
                break;
            }
            line.push(byte[0]);
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        text.push_str(&line);
        text.push('\n');
        Ok(line)
    }

    fn exactly(&mut self, buffer: &mut [u8]) -> Result<(), KeptError> {
        self.input.read_exact(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => KeptError::Cut(self.offset),
            _ => KeptError::Io(error),
        })?;
        self.offset += buffer.len() as u64;
        Ok(())
    }

    fn u32(&mut self) -> Result<u32, KeptError> {
        let mut buffer = [0; 4];
        self.exactly(&mut buffer)?;
        Ok(u32::from_le_bytes(buffer))
    }

    /// Reads all blocks, and that nothing follows.
    fn entries(&mut self, expected: u64, store: &Store) -> Result<(), KeptError> {
        let mut done = 0;
        let mut raw = Vec::new();
        loop {
            let byte = self.offset;
            let (entries, packed, found) = (self.u32()?, self.u32()?, self.u32()?);
            if packed > PAYLOAD || entries as usize > BLOCK {
                return Err(KeptError::Block { byte });
            }
            let mut payload = vec![0; packed as usize];
            self.exactly(&mut payload)?;
            let computed = block_check(self.chain, entries, &payload);
            if found != computed {
                return Err(KeptError::Check { byte, found, computed });
            }
            self.chain = computed;
            if entries == 0 {
                break;
            }
            raw.clear();
            let size = entries as usize * ENTRY;
            let unpacked = DeflateDecoder::new(&*payload).take(size as u64 + 1).read_to_end(&mut raw);
            if unpacked.ok() != Some(size) {
                return Err(KeptError::Block { byte });
            }
            for i in 0..entries as usize {
                let rows = raw.chunks_exact(entries as usize);
                let word = rows.rev().fold(0_u128, |word, row| word << 8 | u128::from(row[i]));
                let (key, data) = (word as u64, (word >> 64) as u64);
                if !store.put_raw(key, data) {
                    return Err(KeptError::Entry { index: done + i as u64, data });
                }
            }
            done += u64::from(entries);
        }
        let rest = self.input.read(&mut [0])?;
        if done != expected || rest > 0 {
            return Err(KeptError::Count { found: done, expected });
        }
        Ok(())
    }
}
