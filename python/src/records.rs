//! [`Record`]: games in SGF.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use stonework_game::{Player, Textual};
use stonework_havannah::{Position, colour};
use stonework_oracle::{ListedGame, RecordFile, RecordOptions};
use stonework_record::{Encoding, NodeId, ParseOptions, RecordLimits, Tree};
use stonework_session::{AnyMove, AnyPosition, RecordedGame, Start};

use crate::board::Board;
use crate::convert::{game, refused, registry};

/// The content of a record of either kind.
enum Content {
    Havannah(Box<ListedGame>),
    Other(RecordedGame),
}

/// A game in SGF: the tree of the file, and its main line as a game.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct Record {
    game: &'static str,
    tree: Arc<Tree>,
    content: Content,
}

/// A node of a record's tree.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct RecordNode {
    tree: Arc<Tree>,
    id: NodeId,
    /// The letters of the sides.
    letters: [String; 2],
}

/// The game that a tree names in `GM`; Havannah without a known name.
fn game_of(tree: &Tree) -> &'static str {
    let named = tree.simple_text(tree.root(), "GM").unwrap_or_default().to_lowercase();
    registry().names().into_iter().find(|name| *name == named).unwrap_or("havannah")
}

impl Record {
    fn of(tree: Tree, label: &str, name: Option<&str>) -> PyResult<Self> {
        let kind = game(name.unwrap_or_else(|| game_of(&tree)))?;
        let content = if kind.name() == "havannah" {
            let file = RecordFile::Trees { label: label.to_owned(), trees: vec![tree.clone()] };
            let listed = file.games(RecordOptions::default()).next();
            let listed = listed.ok_or_else(|| refused(format!("{label}: no game")))?.map_err(refused)?;
            Content::Havannah(Box::new(listed))
        } else {
            let recorded = kind.read_record(&tree, None);
            Content::Other(recorded.map_err(|fault| refused(format!("{label}: {fault}")))?)
        };
        Ok(Self { game: kind.name(), tree: Arc::new(tree), content })
    }

    fn node(&self, id: NodeId) -> RecordNode {
        let sides = game(self.game).map(|game| game.description().sides).unwrap_or_default();
        let letters = sides.map(|side| side.get(..1).unwrap_or_default().to_uppercase());
        RecordNode { tree: Arc::clone(&self.tree), id, letters }
    }
}

/// Parses the trees of a file.
fn parse(bytes: &[u8], label: &str) -> PyResult<Vec<Tree>> {
    let options = ParseOptions { encoding: Encoding::Detect, limits: RecordLimits::default() };
    let trees = options.parse_collection(bytes).map_err(|error| refused(format!("{label}: {error}")))?;
    Ok(trees.games)
}

#[pymethods]
impl Record {
    /// Reads a record from SGF.
    ///
    /// Args:
    ///     text: the content of a file, as a string or as bytes; the first game of several.
    ///     game: the name of the game, if the record's `GM` does not say it.
    ///
    /// Raises:
    ///     ValueError: for a text that is no record, with the place.
    #[staticmethod]
    #[pyo3(signature = (text, game=None))]
    fn parse(text: &Bound<'_, PyAny>, game: Option<&str>) -> PyResult<Self> {
        let bytes: Vec<u8> = match text.cast::<PyString>() {
            Ok(text) => text.to_str()?.as_bytes().to_vec(),
            Err(_) => text.extract()?,
        };
        let tree =
            parse(&bytes, "the text")?.into_iter().next().ok_or_else(|| refused("the text: no game"))?;
        Self::of(tree, "the text", game)
    }

    /// Reads all records of a file.
    ///
    /// Raises:
    ///     OSError: if the file cannot be opened.
    ///     ValueError: for a file that is no record, with the place; for a file above the limit of 256 MiB.
    #[staticmethod]
    #[pyo3(signature = (path, game=None))]
    fn open_all(path: PathBuf, game: Option<&str>) -> PyResult<Vec<Self>> {
        let (label, limit) = (path.display().to_string(), RecordLimits::default().bytes);
        let mut bytes = Vec::new();
        File::open(&path)?.take(limit as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > limit {
            return Err(refused(format!("{label}: more than {limit} bytes, which is the limit")));
        }
        parse(&bytes, &label)?.into_iter().map(|tree| Self::of(tree, &label, game)).collect()
    }

    /// The name of the game.
    #[getter]
    const fn game(&self) -> &'static str {
        self.game
    }

    /// The size of the board.
    #[getter]
    fn size(&self) -> u64 {
        match &self.content {
            Content::Havannah(listed) => listed.start.size().into(),
            Content::Other(recorded) => recorded.size,
        }
    }

    /// The names of the players, the first player's first; empty for a player without a name.
    #[getter]
    fn players(&self) -> (String, String) {
        match &self.content {
            Content::Havannah(_) => {
                let name = |property| {
                    self.tree.simple_text(self.tree.root(), property).unwrap_or_default().into_owned()
                };
                (name("PW"), name("PB"))
            }
            Content::Other(recorded) => (recorded.players[0].clone(), recorded.players[1].clone()),
        }
    }

    /// The result that the record claims: the name of a side, `draw`, or the record's own text. Nothing has checked it.
    #[getter]
    fn result(&self) -> Option<String> {
        match &self.content {
            Content::Havannah(listed) => listed.claimed.as_ref().map(|claim| match claim.winner() {
                Some(stonework_record::Colour::White) => colour(Player::First).to_owned(),
                Some(stonework_record::Colour::Black) => colour(Player::Second).to_owned(),
                None if *claim == stonework_record::Claim::Draw => "draw".to_owned(),
                None => claim.to_string(),
            }),
            Content::Other(recorded) => recorded.claimed.clone(),
        }
    }

    /// Remarks on irregular parts of the record.
    #[getter]
    fn quirks(&self) -> Vec<String> {
        match &self.content {
            Content::Havannah(listed) => listed.quirks.clone(),
            Content::Other(_) => Vec::new(),
        }
    }

    /// The root of the tree.
    #[getter]
    fn root(&self) -> RecordNode {
        self.node(self.tree.root())
    }

    /// The nodes of the main line, the root first.
    #[getter]
    fn main_line(&self) -> Vec<RecordNode> {
        self.tree.main_line().map(|id| self.node(id)).collect()
    }

    /// The board after the moves of the main line, up to a resignation.
    ///
    /// Raises:
    ///     ValueError: for the first illegal move, with its number and the broken rule.
    fn replay(&self) -> PyResult<Board> {
        let (start, moves): (AnyPosition, Vec<AnyMove>) = match &self.content {
            Content::Havannah(listed) => {
                let replayed = listed.replay(None).map_err(refused)?;
                let number = |mv| AnyMove(stonework_game::Indexed::move_index(&listed.start, mv) as u32);
                let moves = replayed.moves.into_iter().map(number).collect();
                (AnyPosition::new::<Position>(listed.start.clone()), moves)
            }
            Content::Other(recorded) => {
                let mut board = Board::of(recorded.start(), self.game, None, None)?;
                for (at, text) in recorded.moves.iter().enumerate() {
                    let played = board.line.push_text(text, 0);
                    played.map_err(|fault| refused(format!("move {}, {text}: {fault}", at + 1)))?;
                }
                return Ok(board);
            }
        };
        let start = Start { position: Some(start.position_text()), ..Start::of_size(start.size().into()) };
        let mut board = Board::of(start, self.game, None, None)?;
        moves.into_iter().try_for_each(|mv| board.line.push(mv.0)).map_err(refused)?;
        Ok(board)
    }

    /// The record as SGF; an untouched part is as it was read, byte for byte.
    fn sgf(&self) -> String {
        self.tree.to_string()
    }

    fn __len__(&self) -> usize {
        self.tree.len()
    }

    fn __repr__(&self) -> String {
        let (first, second) = self.players();
        format!("<Record {} {}: {first} - {second}, {} nodes>", self.game, self.size(), self.tree.len())
    }
}

#[pymethods]
impl RecordNode {
    /// The move of the node as the record writes it; `None` for a node without a move.
    #[getter]
    fn r#move(&self) -> Option<String> {
        let found = self.letters.iter().find_map(|letter| self.tree.property(self.id, letter));
        Some(found?.value().simple_text().into_owned())
    }

    /// The comment of the node; `None` without a comment.
    #[getter]
    fn comment(&self) -> Option<String> {
        self.tree.comment(self.id).map(std::borrow::Cow::into_owned)
    }

    /// The properties of the node: for each name the list of its values.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for property in self.tree.properties(self.id) {
            let values: Vec<String> = property.values().map(|value| value.text().into_owned()).collect();
            found.set_item(property.name().as_ref(), values)?;
        }
        Ok(found)
    }

    /// The nodes that follow: the main line first, then the variations.
    #[getter]
    fn children(&self) -> Vec<Self> {
        let node = |id| Self { tree: Arc::clone(&self.tree), id, letters: self.letters.clone() };
        self.tree.children(self.id).map(node).collect()
    }

    fn __repr__(&self) -> String {
        format!("<RecordNode {}>", self.r#move().unwrap_or_else(|| "without a move".to_owned()))
    }
}
