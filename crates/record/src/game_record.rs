//! [`Record`]: a game of Havannah as its tree records it, without a judgement on legality or on the winner.

use std::fmt;

use stonework_board::{Board, Cell, NotationError, SizeError};

use crate::dialect::{Dialect, Header, Reading, is_little_golem};
use crate::{EditError, NodeId, PropertyValue, Tree};

/// The colour of a stone or of a side, as the file names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// `W`, in Havannah the first to move.
    White,
    /// `B`.
    Black,
}

impl Colour {
    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The name of the property that holds this colour's moves: `W` or `B`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::White => "W",
            Self::Black => "B",
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// The value of a move property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A stone on a cell.
    Place(Cell),
    /// `swap`.
    Swap,
    /// `resign`.
    Resign,
    /// `pass`, or no value (`W[]`).
    Pass,
}

impl Action {
    /// Reads a move in a dialect: `swap`, `resign`, `pass` or an empty text, or the name of a cell;
    /// letters in either case, white space around it ignored.
    ///
    /// # Errors
    /// The error of the notation.
    pub fn parse(board: &Board, dialect: Dialect, text: &str) -> Result<Self, NotationError> {
        let text = text.trim();
        Ok(match text.to_ascii_lowercase().as_str() {
            "swap" => Self::Swap,
            "resign" => Self::Resign,
            "pass" | "" => Self::Pass,
            _ => Self::Place(dialect.notation.parse(board, text)?),
        })
    }

    /// The move as text in a dialect.
    ///
    /// # Errors
    /// [`NotationError`] if the cell is not on the board or the notation cannot name it.
    pub fn write(self, board: &Board, dialect: Dialect) -> Result<String, NotationError> {
        Ok(match self {
            Self::Place(cell) => dialect.letters.apply(dialect.notation.name_of(board, cell)?),
            Self::Swap => "swap".to_owned(),
            Self::Resign => "resign".to_owned(),
            Self::Pass => "pass".to_owned(),
        })
    }
}

/// A move of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The colour of its property.
    pub colour: Colour,
    /// The value of the property.
    pub action: Action,
    /// The node that holds it.
    pub node: NodeId,
}

/// The result that a file claims in its `RE` property. Nothing checks it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Claim {
    /// `W` or `White`, perhaps with `+` and a reason.
    White,
    /// `B` or `Black`, perhaps with `+` and a reason.
    Black,
    /// `0` or `Draw`.
    Draw,
    /// A result that is none of these, such as `?` or `Void`, as it is written.
    Other(String),
}

impl Claim {
    /// Reads the text of an `RE` property; letters in either case.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let winner = lower.split_once('+').map_or(lower.as_str(), |(winner, _)| winner);
        match (winner, lower.as_str()) {
            ("w" | "white", _) => Self::White,
            ("b" | "black", _) => Self::Black,
            (_, "0" | "draw") => Self::Draw,
            _ => Self::Other(text.to_owned()),
        }
    }

    /// The winner by the claim.
    #[must_use]
    pub const fn winner(&self) -> Option<Colour> {
        match self {
            Self::White => Some(Colour::White),
            Self::Black => Some(Colour::Black),
            Self::Draw | Self::Other(_) => None,
        }
    }
}

/// The text of the `RE` property: `W`, `B`, `Draw`, or the text of [`Claim::Other`].
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "W",
            Self::Black => "B",
            Self::Draw => "Draw",
            Self::Other(text) => text,
        })
    }
}

/// An oddity of a record, which is reported and never mended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Quirk {
    /// The size stands without brackets (`SZ9`) and was read as the length of the longest row.
    BareSize {
        /// The side by this reading.
        size: u8,
    },
    /// A record from Little Golem with a decisive result. In each of the 1916 known records that can be checked the tag
    /// names the loser by the colours of the moves. The site's own colours are the other way round; the players' names
    /// most likely follow the tag.
    InvertedResult {
        /// The winner by the tag.
        claimed: Colour,
    },
    /// Black has the first move.
    BlackFirst,
}

impl fmt::Display for Quirk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BareSize { size } => {
                let longest = (2 * u32::from(*size)).saturating_sub(1);
                write!(f, "SZ{longest} has no brackets: read as the longest row of a board of size {size}")
            }
            Self::InvertedResult { claimed } => write!(
                f,
                "RE says {}, but Little Golem's records name the loser there: who won must come from the moves",
                claimed.letter()
            ),
            Self::BlackFirst => f.write_str("black has the first move"),
        }
    }
}

/// The reason why a tree could not be read, converted or built as a record of Havannah.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The root has no `SZ`.
    #[error("the size is missing: no SZ in the first node")]
    NoSize,
    /// An `SZ` that is no size.
    #[error("SZ[{raw}] is no size: expected {expected}")]
    Size {
        /// The value (its beginning, if it is long).
        raw: String,
        /// A description of a valid size.
        expected: &'static str,
    },
    /// A size that no board has.
    #[error(transparent)]
    Board(#[from] SizeError),
    /// A notation that does not exist, or that cannot name a cell of this board.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A cell that cannot be read or written.
    #[error("node {}, {property}: {source}", node.index())]
    Cell {
        /// The node; the root is node 0, in a game without variations move *n* is in node *n*.
        node: NodeId,
        /// The property.
        property: String,
        /// The fault of the value.
        source: NotationError,
    },
    /// More than one value in a `W` or `B` property.
    #[error("node {}: {} values in one {} property, a move has one", node.index(), values, colour.letter())]
    ManyMoves {
        /// The node.
        node: NodeId,
        /// The colour of the property.
        colour: Colour,
        /// The number of its values.
        values: usize,
    },
    /// Stones set up or removed after the first move, which no list of moves can express.
    #[error("node {}: {property} changes the position after {moves} moves", node.index())]
    LateSetup {
        /// The node.
        node: NodeId,
        /// `AW`, `AB` or `AE`.
        property: &'static str,
        /// The moves before it.
        moves: usize,
    },
    /// The tree did not take an edit.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// A game of Havannah as it is recorded: one line of play, and the properties of the root. A text of the first position
/// ([`POSITION_PROPERTY`](crate::POSITION_PROPERTY)) is not read: a caller that knows such records has to look for it.
///
/// ```
/// use stonework_record::{Action, Quirk, Record, Tree};
/// let tree = Tree::parse(b"(;FF[4]SZ[4]RE[B]SO[http://www.littlegolem.com];W[F3];B[swap];W[A1];B[resign])")?;
/// let record = Record::read(&tree)?;
/// let names = |m: &stonework_record::Move| m.action.write(record.board(), Default::default());
/// let moves: Result<Vec<_>, _> = record.moves.iter().map(names).collect();
/// assert_eq!(moves?, ["f5", "swap", "a1", "resign"]);
/// assert!(matches!(record.quirks[..], [Quirk::InvertedResult { .. }]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Record {
    /// Cells on a side of the board, 2 to 20.
    pub size: u8,
    /// The form of cells and size in the file.
    pub dialect: Dialect,
    /// Stones set up before the first move, in order; `None` empties the cell.
    pub setup: Vec<(Option<Colour>, Cell)>,
    /// The side to move after the setup, if the file has it (`PL`).
    pub to_move: Option<Colour>,
    /// The moves with their colours, in the order of the file.
    pub moves: Vec<Move>,
    /// The result that the file claims (`RE`); see [`Quirk::InvertedResult`].
    pub result: Option<Claim>,
    /// The name of the player of the white stones (`PW`).
    pub white: Option<String>,
    /// The name of the player of the black stones (`PB`).
    pub black: Option<String>,
    /// The tournament (`EV`).
    pub event: Option<String>,
    /// The date (`DT`).
    pub date: Option<String>,
    /// The source of the record (`SO`).
    pub source: Option<String>,
    /// `true` if the source is Little Golem.
    pub little_golem: bool,
    /// The oddities of the record.
    pub quirks: Vec<Quirk>,
}

impl Record {
    /// Reads the main line. O(its text).
    ///
    /// # Errors
    /// [`RecordError`] with the node and the invalid value.
    pub fn read(tree: &Tree) -> Result<Self, RecordError> {
        Self::read_with(tree, Reading::default())
    }

    /// As [`read`](Self::read), with facts that overrule the file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with(tree: &Tree, reading: Reading) -> Result<Self, RecordError> {
        Self::read_nodes(tree, tree.main_line(), reading)
    }

    /// Reads the line that ends with `node`, which may lie in a variation.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    ///
    /// # Panics
    /// If `node` is not a node of the tree.
    pub fn read_line(tree: &Tree, node: NodeId, reading: Reading) -> Result<Self, RecordError> {
        Self::read_nodes(tree, tree.line_to(node).into_iter(), reading)
    }

    /// The colour that moves first: the one that the file names ([`to_move`](Self::to_move)), or else the colour of the first move.
    /// White in a record without either.
    ///
    /// ```
    /// use stonework_record::{Colour, Record, Tree};
    /// let first = |text: &str| Tree::parse_str(text).map(|tree| Record::read(&tree).map(|record| record.first_colour()));
    /// assert_eq!(first("(;SZ[4];B[a1];W[b1])")?, Ok(Colour::Black));
    /// assert_eq!(first("(;SZ[4]PL[W];B[a1])")?, Ok(Colour::White));
    /// # Ok::<(), stonework_record::ParseError>(())
    /// ```
    #[must_use]
    pub fn first_colour(&self) -> Colour {
        let moved = self.moves.first().map(|mv| mv.colour);
        self.to_move.or(moved).unwrap_or(Colour::White)
    }

    /// The board of the record's size.
    ///
    /// # Panics
    /// If [`size`](Self::size) is not the size of a board.
    #[must_use]
    pub fn board(&self) -> &'static Board {
        Board::hexagon(self.size).expect("a record that was read has a size of 2 to 20")
    }

    fn read_nodes(
        tree: &Tree,
        nodes: impl Iterator<Item = NodeId>,
        reading: Reading,
    ) -> Result<Self, RecordError> {
        let Header { board, dialect, quirks } = Header::read(tree, reading)?;
        let root = |name| Some(tree.simple_text(tree.root(), name)?.into_owned());
        let mut record = Self {
            size: board.size(),
            dialect,
            setup: Vec::new(),
            to_move: None,
            moves: Vec::new(),
            result: root("RE").map(|re| Claim::parse(&re)),
            white: root("PW"),
            black: root("PB"),
            event: root("EV"),
            date: root("DT"),
            source: root("SO"),
            little_golem: is_little_golem(tree),
            quirks,
        };
        for node in nodes {
            record.read_node(tree, node, board)?;
        }
        if let (true, Some(claimed)) = (record.little_golem, record.result.as_ref().and_then(Claim::winner)) {
            record.quirks.push(Quirk::InvertedResult { claimed });
        }
        if record.moves.first().is_some_and(|m| m.colour == Colour::Black) && record.setup.is_empty() {
            record.quirks.push(Quirk::BlackFirst);
        }
        Ok(record)
    }

    fn read_node(&mut self, tree: &Tree, node: NodeId, board: &Board) -> Result<(), RecordError> {
        for property in tree.properties(node) {
            let bad = |source| RecordError::Cell { node, property: property.name().into_owned(), source };
            for colour in [Colour::White, Colour::Black] {
                if property.is(colour.letter()) {
                    let values = property.values().count();
                    if values != 1 {
                        return Err(RecordError::ManyMoves { node, colour, values });
                    }
                    let action = Action::parse(board, self.dialect, property.value().raw()).map_err(bad)?;
                    self.moves.push(Move { colour, action, node });
                }
            }
            for (name, colour) in [("AW", Some(Colour::White)), ("AB", Some(Colour::Black)), ("AE", None)] {
                if property.is(name) {
                    if !self.moves.is_empty() {
                        return Err(RecordError::LateSetup { node, property: name, moves: self.moves.len() });
                    }
                    for cell in property.values().map(|v: PropertyValue<'_>| v.raw().trim()) {
                        let cell = self.dialect.notation.parse(board, cell).map_err(bad)?;
                        self.setup.push((colour, cell));
                    }
                }
            }
            if property.is("PL") && self.moves.is_empty() {
                self.to_move = Claim::parse(property.value().raw()).winner();
            }
        }
        Ok(())
    }
}
