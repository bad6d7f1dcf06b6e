//! The ways in which Havannah records write sizes and cells, and how to recognise them.

use stonework_board::{Board, Notation};

use crate::game_record::{Quirk, RecordError};
use crate::{NodeId, Tree};

/// The root property that names the notation if the file has no other sign of it: `NOTATION[grid]`.
pub const NOTATION_PROPERTY: &str = "NOTATION";

/// The property of a root with the text of the position before the first move, as Stonework writes it for a position that was set up. A
/// reader that does not know the property would begin with an empty board.
pub const POSITION_PROPERTY: &str = "SWP";

/// The form of a board's size in the property `SZ`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum SizeStyle {
    /// `SZ[5]`: the cells on a side. Little Golem, Castro and newer versions of `HavannahGui`.
    #[default]
    Side,
    /// `SZ[d=9]`: the cells of the longest row, twice the side less one. Older `HavannahGui`.
    Diameter,
    /// `SZ9`: the longest row again, and no brackets, which no version of SGF allows.
    Bare,
}

/// The letters of cell names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LetterCase {
    /// `a1`.
    #[default]
    Lower,
    /// `A1`.
    Upper,
}

impl LetterCase {
    pub(crate) fn apply(self, mut name: String) -> String {
        match self {
            Self::Lower => name.make_ascii_lowercase(),
            Self::Upper => name.make_ascii_uppercase(),
        }
        name
    }
}

/// The form of cells and sizes in a Havannah record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dialect {
    /// The names of cells.
    pub notation: Notation,
    /// The size.
    pub size_style: SizeStyle,
    /// Small or capital letters in the names of cells; both are read everywhere.
    pub letters: LetterCase,
}

impl Dialect {
    /// `SZ[8]`, `W[f5]` – `HavannahGui` since 2009, Castro, and the [`Default`].
    pub const HAVANNAH_GUI: Self = Self::of(Notation::Hgui, LetterCase::Lower);
    /// `SZ[d=15]`, `W[f5]` – older `HavannahGui`.
    pub const OLD_HAVANNAH_GUI: Self = Self { size_style: SizeStyle::Diameter, ..Self::HAVANNAH_GUI };
    /// `SZ[8]`, `W[F3]`, the number counted from the left end of the row – HGF files of Little Golem.
    pub const LITTLE_GOLEM: Self = Self::of(Notation::Grid, LetterCase::Upper);
    /// `SZ[8]`, `W[oo]` – the two letters of Little Golem's web interface.
    pub const LITTLE_GOLEM_WEB: Self = Self::of(Notation::Web, LetterCase::Lower);
    /// `SZ[8]`, `W[F5]` – the server in T. Rogers, *A Program to Play Havannah*, 2004.
    pub const ROGERS: Self = Self::of(Notation::Rogers, LetterCase::Upper);

    const fn of(notation: Notation, letters: LetterCase) -> Self {
        Self { notation, size_style: SizeStyle::Side, letters }
    }
}

/// Facts by which the caller overrules the file, for [`Record::read_with`](crate::Record::read_with) and
/// [`convert_with`](crate::convert_with). `Reading::default()` overrules nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Reading {
    /// The board's size, in place of `SZ`, which may then be missing or no size.
    pub size: Option<u8>,
    /// The notation, in place of the file's, which may then have a name that no notation has.
    pub notation: Option<Notation>,
}

/// Size and dialect of a tree.
pub(crate) struct Header {
    pub(crate) board: &'static Board,
    pub(crate) dialect: Dialect,
    pub(crate) quirks: Vec<Quirk>,
}

impl Header {
    pub(crate) fn read(tree: &Tree, reading: Reading) -> Result<Self, RecordError> {
        let mut quirks = Vec::new();
        // A size that the caller overrules may be wrong; the style of one that can be read is kept.
        let written =
            if reading.size.is_some() { written_size(tree).ok().flatten() } else { written_size(tree)? };
        let size = reading.size.or(written.map(|w| w.0)).ok_or(RecordError::NoSize)?;
        let board = Board::hexagon(size)?;
        if reading.size.is_none() && matches!(written, Some((_, SizeStyle::Bare))) {
            quirks.push(Quirk::BareSize { size });
        }
        let notation = match reading.notation {
            Some(notation) => notation,
            None => named(tree)?.unwrap_or_else(|| guess(tree)),
        };
        let upper = match first_name(tree) {
            Some(name) => name.starts_with(|c: char| c.is_ascii_uppercase()),
            None => notation == Notation::Rogers || (notation == Notation::Grid && is_little_golem(tree)),
        };
        let letters = if upper { LetterCase::Upper } else { LetterCase::Lower };
        let size_style = written.map_or(SizeStyle::Side, |w| w.1);
        Ok(Self { board, dialect: Dialect { notation, size_style, letters }, quirks })
    }
}

/// `true` if the `SO` property names Little Golem.
pub(crate) fn is_little_golem(tree: &Tree) -> bool {
    tree.simple_text(tree.root(), "SO").is_some_and(|so| so.to_ascii_lowercase().contains("littlegolem"))
}

/// The size in `SZ`, and its form.
pub(crate) fn written_size(tree: &Tree) -> Result<Option<(u8, SizeStyle)>, RecordError> {
    let Some(property) = tree.property(tree.root(), "SZ") else { return Ok(None) };
    let raw = property.value().raw();
    let (digits, style) = match raw.trim().strip_prefix("d=") {
        _ if property.is_bare() => (raw, SizeStyle::Bare),
        Some(rest) => (rest, SizeStyle::Diameter),
        None => (raw.trim(), SizeStyle::Side),
    };
    let bad = |expected| RecordError::Size { raw: raw.chars().take(40).collect(), expected };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(bad("a number, or `d=` and a number"));
    }
    let number: u32 = digits.parse().map_err(|_| bad("a side of 2 to 20"))?;
    let side = match style {
        SizeStyle::Side => number,
        _ if number % 2 == 1 => number.div_ceil(2),
        _ => return Err(bad("an odd number: it is the length of the longest row")),
    };
    match u8::try_from(side) {
        Ok(side) => Ok(Some((side, style))),
        Err(_) => Err(bad("a side of 2 to 20")),
    }
}

/// The notation that the file names.
fn named(tree: &Tree) -> Result<Option<Notation>, RecordError> {
    match tree.simple_text(tree.root(), NOTATION_PROPERTY) {
        Some(name) => Ok(Some(name.trim().parse()?)),
        None => Ok(None),
    }
}

/// The notation of a file that names none: `Web` for names of two letters, `Grid` for records of Little Golem, and `Hgui` for all
/// others.
fn guess(tree: &Tree) -> Notation {
    match first_name(tree) {
        Some(name) if name.len() == 2 && name.bytes().all(|b| b.is_ascii_alphabetic()) => Notation::Web,
        _ if is_little_golem(tree) => Notation::Grid,
        _ => Notation::Hgui,
    }
}

/// The first cell name in the tree: of a setup stone or of a move that places a stone. O(nodes) at worst, a few nodes
/// as a rule.
fn first_name(tree: &Tree) -> Option<String> {
    tree.descendants(tree.root()).find_map(|node| first_name_in(tree, node))
}

fn first_name_in(tree: &Tree, node: NodeId) -> Option<String> {
    tree.properties(node)
        .filter(|p| ["W", "B", "AW", "AB"].iter().any(|n| p.is(n)))
        .flat_map(|p| p.values())
        .map(|v| v.raw().trim())
        .find(|raw| raw.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_word(raw))
        .map(str::to_owned)
}

/// `true` if a move is one of the words that place no stone.
fn is_word(raw: &str) -> bool {
    ["swap", "resign", "pass"].iter().any(|w| raw.eq_ignore_ascii_case(w))
}

/// Adds the notation of the tree to its root as a property, unless the file has another sign of it.
pub(crate) fn mark(tree: &mut Tree, notation: Notation) -> Result<(), RecordError> {
    let root = tree.root();
    if named(tree).is_ok_and(|n| n == Some(notation)) {
        return Ok(());
    }
    if guess(tree) == notation {
        tree.remove_property(root, NOTATION_PROPERTY)?;
    } else {
        tree.set_property(root, NOTATION_PROPERTY, &[notation.name()])?;
    }
    Ok(())
}
