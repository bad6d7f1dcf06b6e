//! [`Builder`]: new records of Havannah.

use stonework_board::{Board, Cell, NotationError};

use crate::dialect::{Dialect, SizeStyle, mark};
use crate::game_record::{Action, Claim, Colour, RecordError};
use crate::{EditError, NodeId, Tree};

/// A new record, to which moves and variations are added one by one. Its text is FF\[4\], with a layout that stays the same.
///
/// A cursor stands on a node, at first the root. [`play`](Self::play) adds a child to this node and moves the cursor to
/// the child; [`go_to`](Self::go_to) goes back for a variation. The builder does not check that the moves are legal.
///
/// ```
/// use stonework_board::Board;
/// use stonework_record::{Action, Builder, Claim, Colour, Dialect};
/// let cell = |name| Board::hexagon(4).unwrap().parse(name).map(Action::Place);
/// let mut game = Builder::new(4, Dialect::HAVANNAH_GUI)?;
/// game.set("PW", "Ann")?.set("PB", "Bob")?;
/// let first = game.play(Colour::White, cell("d4")?)?;
/// game.play(Colour::Black, cell("a1")?)?;
/// game.play(Colour::White, Action::Resign)?;
/// game.go_to(first);
/// game.play(Colour::Black, cell("g7")?)?;
/// game.comment("better")?.result(&Claim::Black)?;
/// assert_eq!(
///     game.finish()?.to_string(),
///     "(;FF[4]GM[Havannah]CA[UTF-8]SZ[4]PW[Ann]PB[Bob]RE[B]\n;W[d4]\n(;B[a1];W[resign])\n(;B[g7]C[better])\n)\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    tree: Tree,
    board: &'static Board,
    dialect: Dialect,
    at: NodeId,
}

impl Builder {
    /// A record without moves for a board with `size` cells on a side.
    ///
    /// # Errors
    /// [`RecordError::Board`] for a size other than 2 to 20, [`RecordError::Notation`] for a notation that cannot name
    /// the cells of the board.
    pub fn new(size: u8, dialect: Dialect) -> Result<Self, RecordError> {
        let board = Board::hexagon(size)?;
        dialect.notation.fits(board.shape())?;
        let diameter = 2 * u32::from(size) - 1;
        let size = match dialect.size_style {
            SizeStyle::Side => format!("[{size}]"),
            SizeStyle::Diameter => format!("[d={diameter}]"),
            SizeStyle::Bare => diameter.to_string(),
        };
        let mut tree = Tree::new();
        let header = format!("FF[4]GM[Havannah]CA[UTF-8]SZ{size}");
        tree.splice(tree.root(), 1..1, &header)?;
        let at = tree.root();
        Ok(Self { tree, board, dialect, at })
    }

    /// The board of the record.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        self.board
    }

    /// Sets a property of the root to a text: `PW` and `PB` are the players' names; others are `EV`, `DT`, `PC`, `SO` and `AP`.
    /// The properties are written in the order in which they were first set.
    ///
    /// # Errors
    /// The errors of [`Tree::set_property`].
    pub fn set(&mut self, name: &str, text: &str) -> Result<&mut Self, EditError> {
        self.tree.set_property(self.tree.root(), name, &[text])?;
        Ok(self)
    }

    /// Sets the claimed result (`RE`).
    ///
    /// # Errors
    /// The errors of [`Tree::set_property`].
    pub fn result(&mut self, claim: &Claim) -> Result<&mut Self, EditError> {
        self.set("RE", &claim.to_string())
    }

    /// Sets up stones of a colour in the root, before the first move. They replace the earlier setup of this colour; an
    /// empty list removes it.
    ///
    /// # Errors
    /// [`RecordError::Notation`] for a cell that is not on the board.
    pub fn setup(&mut self, colour: Colour, cells: &[Cell]) -> Result<&mut Self, RecordError> {
        let name = match colour {
            Colour::White => "AW",
            Colour::Black => "AB",
        };
        let write = |&cell: &Cell| Action::Place(cell).write(self.board, self.dialect);
        let cells: Vec<String> = cells.iter().map(write).collect::<Result<_, NotationError>>()?;
        let root = self.tree.root();
        if cells.is_empty() {
            self.tree.remove_property(root, name)?;
        } else {
            self.tree.set_property(root, name, &cells)?;
        }
        Ok(self)
    }

    /// Adds a move below the cursor, and moves the cursor to the new node. If the cursor's node has moves below it already,
    /// the new move begins a variation.
    ///
    /// # Errors
    /// [`RecordError::Notation`] for a cell that is not on the board.
    pub fn play(&mut self, colour: Colour, action: Action) -> Result<NodeId, RecordError> {
        let text = action.write(self.board, self.dialect)?;
        let node = self.tree.add_child(self.at)?;
        self.tree.set_property(node, colour.letter(), &[text])?;
        self.at = node;
        Ok(node)
    }

    /// Sets the comment of the cursor's node; an empty text removes it.
    ///
    /// # Errors
    /// The errors of [`Tree::set_property`].
    pub fn comment(&mut self, text: &str) -> Result<&mut Self, EditError> {
        self.tree.set_comment(self.at, text)?;
        Ok(self)
    }

    /// The node on which the cursor stands.
    #[must_use]
    pub const fn cursor(&self) -> NodeId {
        self.at
    }

    /// Puts the cursor on another node of this record.
    ///
    /// # Panics
    /// If `node` is not a node of this record.
    pub fn go_to(&mut self, node: NodeId) -> &mut Self {
        assert!(self.tree.contains(node), "node {} is not in this record", node.index());
        self.at = node;
        self
    }

    /// The finished record, with line breaks: the root has a line of its own, a line has ten moves, each variation begins a
    /// line, and the text ends with a line break. O(bytes).
    ///
    /// # Errors
    /// [`RecordError::Edit`] for more than 4 GiB of text.
    pub fn finish(mut self) -> Result<Tree, RecordError> {
        mark(&mut self.tree, self.dialect.notation)?;
        self.tree.lay_out()?;
        self.tree.set_text_after("\n")?;
        Ok(self.tree)
    }
}
