//! [`Dfpn::save`] and [`Dfpn::load`]: the table of a long search as a file.

use std::io::{self, Read, Write};

use stonework_files::{
    BlockError, BlockFault, BlockLayout, BlockReader, BlockWriter, Compression, HeaderReader,
};
use stonework_game::{Finite, Keyed, Player, scatter};

use super::Dfpn;
use super::numbers::Query;
use super::store::Store;
use crate::Limits;

/// The first line of a saved table.
const TITLE: &str = "stonework search table 1";
/// The bytes of an entry.
const ENTRY: usize = 16;
/// The layout of the blocks of a saved table.
const LAYOUT: BlockLayout = BlockLayout { units: "entries", size: ENTRY as u32, most: 4096 };

/// The size of a saved table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SavedTable {
    /// The number of entries: positions with their proof numbers.
    pub entries: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// The number of positions visited by the searches that filled the table.
    pub nodes: u64,
}

/// The reason why a saved table is not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file is damaged, cut off, or of another format.
    #[error(transparent)]
    File(#[from] BlockError),
    /// The file is the search of another game.
    #[error("the search of `{found}`, not of `{expected}`")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that the caller named.
        expected: String,
    },
    /// The file is the search of another position, or of a version of the game with other keys.
    #[error(
        "the search of another position, or with other keys: their mark is {found:016x}, not {expected:016x}"
    )]
    Keys {
        /// The mark in the file.
        found: u64,
        /// The mark of the position.
        expected: u64,
    },
    /// An entry whose data are no valid proof numbers.
    #[error("entry {index} says {data:016x}, which means nothing")]
    Entry {
        /// The number of the entry, from 0.
        index: u64,
        /// The data of the entry.
        data: u64,
    },
    /// The file has more or fewer entries than its header states.
    #[error("{found} entries where {expected} were announced")]
    Count {
        /// The number of entries in the file.
        found: u64,
        /// The number of entries that the header states.
        expected: u64,
    },
}

impl<Tactic> Dfpn<Tactic> {
    /// Writes the entries of the table, so that a search in another process can continue from these entries.
    /// Positions that were evaluated but not searched are left out: a search soon evaluates them again. `game` is
    /// the name of the game, in one line.
    ///
    /// The file has about 10 bytes for each position; O(table). [`Dfpn::load`] reads the file.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_search::{Dfpn, DfpnOptions, Engine, Limits};
    /// let (root, mut file) = (Nim::new(200), Vec::new());
    /// let mut engine = Dfpn::new(DfpnOptions::new().keep(true))?;
    /// engine.think(&root, &Limits::none().nodes(100));
    /// engine.save("nim", &root, &mut file)?;
    /// let mut other = Dfpn::new(DfpnOptions::new().keep(true))?;
    /// let kept = other.load("nim", &root, &Limits::none(), &file[..])?;
    /// assert_eq!(kept.nodes, 100);
    /// assert!(other.think(&root, &Limits::none()).proven.is_some());
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
    /// entries <the number of entries>
    /// check <CRC-32 of the lines above with their line ends, in eight hexadecimal digits>
    ///
    /// block   entries (u32) · bytes of payload (u32) · check (u32) · payload: entries, deflated
    /// end     0 (u32) · 0 (u32) · check (u32)
    /// ```
    ///
    /// Numbers are little-endian. The check of a block is the CRC-32 of the previous check, of the two numbers and
    /// of the payload. A block has 4096 entries at the most, as sixteen rows of bytes: the first byte of each
    /// entry, the second byte of each entry, and so on. An entry is two 64-bit numbers:
    ///
    /// ```text
    /// key     of (position, question), 64 bits
    /// data    proof number 24 · disproof number 24 · work 8 · 0 8, from the highest bit down
    /// ```
    ///
    /// In a decided entry, the number that is not 0 is the tag of the deciding move, or 2²⁴ − 1. Work is the
    /// logarithm to base 2 of the nodes, with three binary digits behind the point.
    ///
    /// # Errors
    /// The error of the output, and an error if `game` is not one line.
    pub fn save<G: Finite + Keyed>(&self, game: &str, root: &G, out: impl Write) -> io::Result<SavedTable> {
        let mut entries = 0;
        self.store.each(&mut |_, _| {
            entries += 1;
            Ok(())
        })?;
        let [keys, nodes, count] =
            [format!("{:016x}", mark(root)), self.nodes_searched.to_string(), entries.to_string()];
        let fields = [("game", game), ("keys", &keys), ("nodes", &nodes), ("entries", &count)];
        let mut writer = EntryWriter { blocks: BlockWriter::new(out, TITLE, &fields)?, entries: Vec::new() };
        self.store.each(&mut |key, data| writer.entry(key, data))?;
        writer.block()?;
        let (_, bytes) = writer.blocks.finish(&[])?;
        Ok(SavedTable { entries, bytes, nodes: self.nodes_searched })
    }

    /// Reads a table that another search of the same position has [saved](Dfpn::save). The entries replace the
    /// whole content of the table, whose size `limits` give; a smaller table keeps as many entries as fit. The
    /// method is for engines that [keep](crate::DfpnOptions::keep) their tables: other engines empty the table
    /// with the next search.
    ///
    /// The entries of a file with correct check sums are trusted, not verified. A [proof](Dfpn::prove) is verified
    /// by the rules.
    ///
    /// # Errors
    /// An error if the file is damaged, cut off, or about another position; the table is then empty.
    pub fn load<G: Finite + Keyed>(
        &mut self,
        game: &str,
        root: &G,
        limits: &Limits,
        input: impl Read,
    ) -> Result<SavedTable, LoadError> {
        self.prepare(limits, false);
        let (mut blocks, nodes, expected) = read_header(input, game, mark(root))?;
        self.store.reserve(expected);
        self.store.note_side(None);
        match read_entries(&mut blocks, expected, &self.store) {
            Ok(()) => {
                self.nodes_searched = nodes;
                Ok(SavedTable { entries: expected, bytes: blocks.bytes(), nodes })
            }
            Err(error) => {
                self.forget();
                Err(error)
            }
        }
    }

    /// The number of positions visited by the searches that filled the table, including searches before
    /// [`Dfpn::load`].
    #[must_use]
    pub const fn nodes_searched(&self) -> u64 {
        self.nodes_searched
    }

    /// The bytes of the table in use, and the bytes of the whole table.
    #[must_use]
    pub fn table_usage(&self) -> (usize, usize) {
        (self.store.in_use(), self.store.bytes())
    }
}

/// A mark of a position and of the game's keys: a hash of the keys for both questions, at the root and after each
/// move of the root.
fn mark<G: Finite + Keyed>(root: &G) -> u64 {
    let mut game = root.clone();
    let keys = |game: &G| Player::BOTH.map(|who| Query::new(who).key(game, 0));
    let mix = |mark: u64, [one, other]: [u64; 2]| scatter(scatter(mark ^ one) ^ other);
    let moves = game.moves();
    let mut found = mix(0, keys(&game));
    for mv in moves {
        let undo = game.play_unchecked(mv);
        found = mix(found, keys(&game));
        game.undo(undo);
    }
    found
}

/// A writer of entries in blocks, as sixteen rows of bytes.
struct EntryWriter<W> {
    blocks: BlockWriter<W>,
    entries: Vec<[u8; ENTRY]>,
}

impl<W: Write> EntryWriter<W> {
    fn entry(&mut self, key: u64, data: u64) -> io::Result<()> {
        self.entries.push((u128::from(data) << 64 | u128::from(key)).to_le_bytes());
        if self.entries.len() < LAYOUT.most as usize { Ok(()) } else { self.block() }
    }

    fn block(&mut self) -> io::Result<()> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let rows = (0..ENTRY).flat_map(|row| self.entries.iter().map(move |entry| entry[row]));
        let rows: Vec<u8> = rows.collect();
        self.blocks.block(self.entries.len() as u32, &rows, Compression::Fast)?;
        self.entries.clear();
        Ok(())
    }
}

/// The value of a line of the header, as text.
struct Field {
    name: &'static str,
    text: String,
    /// The byte at which the line begins.
    byte: u64,
}

impl Field {
    fn read<R: Read>(header: &mut HeaderReader<R>, name: &'static str) -> Result<Self, BlockError> {
        Ok(Self { name, text: header.field(name)?, byte: header.line_start() })
    }

    /// The number of the text. A number has one spelling, the result of `write`.
    fn number(&self, radix: u32, write: impl Fn(u64) -> String) -> Result<u64, BlockError> {
        let number = u64::from_str_radix(&self.text, radix).ok().filter(|&number| write(number) == self.text);
        number.ok_or_else(|| BlockFault::Line { expected: self.name.to_owned() }.at(self.byte))
    }
}

/// Reads the header; returns the blocks with the numbers of nodes and entries.
fn read_header<R: Read>(
    input: R,
    game: &str,
    expected: u64,
) -> Result<(BlockReader<R>, u64, u64), LoadError> {
    let mut header = HeaderReader::new(input, TITLE)?;
    let of = header.field("game")?;
    let keys = Field::read(&mut header, "keys")?;
    let nodes = Field::read(&mut header, "nodes")?;
    let entries = Field::read(&mut header, "entries")?;
    let blocks = header.finish(LAYOUT)?;
    if of != game {
        return Err(LoadError::Game { found: of, expected: game.to_owned() });
    }
    let found = keys.number(16, |mark| format!("{mark:016x}"))?;
    if found != expected {
        return Err(LoadError::Keys { found, expected });
    }
    let decimal = |number: u64| number.to_string();
    Ok((blocks, nodes.number(10, decimal)?, entries.number(10, decimal)?))
}

/// Reads all blocks into the store, and checks that the file ends after the blocks.
fn read_entries<R: Read>(blocks: &mut BlockReader<R>, expected: u64, store: &Store) -> Result<(), LoadError> {
    let mut found = 0;
    while blocks.next(0)? {
        let count = blocks.content().len() / ENTRY;
        for i in 0..count {
            let rows = blocks.content().chunks_exact(count);
            let word = rows.rev().fold(0_u128, |word, row| word << 8 | u128::from(row[i]));
            let (key, data) = (word as u64, (word >> 64) as u64);
            if !store.put_raw(key, data) {
                return Err(LoadError::Entry { index: found, data });
            }
            found += 1;
        }
    }
    if found != expected {
        return Err(LoadError::Count { found, expected });
    }
    Ok(blocks.finish()?)
}
