//! [`FiledGame`]: a game of any game of a registry, as a file records it.

use std::io;

use serde_json::{Value, json};
use stonework_game::text::head;
use stonework_record::Tree;
use stonework_session::{AnyMove, AnyPosition, Fault, GameType, RecordedGame, Start, State};

use super::{RecordFile, ReplayError};
use crate::{InputLine, Lines, MAX_LINE};

/// A game of any game of a registry, as a file records it. Its moves need not be legal.
///
/// A record is a tree of SGF or a JSON line. A tree has the letters of the game's sides, as
/// [`AnyPosition`](stonework_session::DynPosition::record) writes it. A JSON line is an object with `size` and `moves`
/// and perhaps `id`. [`ListedGame`](crate::ListedGame) reads more dialects, of Havannah alone.
///
/// ```
/// use stonework_oracle::RecordFile;
/// use stonework_session::Registry;
/// let registry = Registry::standard();
/// let cachex = registry.game("cachex")?;
/// let list = r#"{"id": 7, "size": 3, "moves": ["0,0", "1,1", "2,0"]}"#;
/// let file = RecordFile::Lines { label: "list".to_owned(), reader: Box::new(list.as_bytes()) };
/// for game in file.games_of(cachex, None) {
///     let game = game?;
///     assert_eq!((game.label.as_str(), game.record.moves.len()), ("list, line 1", 3));
///     assert_eq!(game.replay(cachex)?.outcome, None);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct FiledGame {
    /// The file, by its path or as `standard input`.
    pub file: String,
    /// The name of the game in a file of several: the `id` of a list, else the number of the tree.
    pub id: Option<Value>,
    /// The file and the game, for a reader.
    pub label: String,
    /// The size and the moves, and the players and the result if the record names them.
    pub record: RecordedGame,
}

impl FiledGame {
    /// The facts about the last position, at the speed of the game's own type.
    ///
    /// # Errors
    /// An error for a size that the game does not have, and for the first illegal move, with its number and the rule
    /// that it breaks.
    pub fn replay(&self, rules: &GameType) -> Result<State, ReplayError> {
        rules.replay(&self.start(), None, &self.record.moves).map_err(|fault| self.fault(&fault))
    }

    /// The last position and the moves that lead to it.
    ///
    /// # Errors
    /// As [`FiledGame::replay`].
    pub fn position(&self, rules: &GameType) -> Result<(AnyPosition, Vec<AnyMove>), ReplayError> {
        let start = rules.start(&self.start()).map_err(|fault| self.fault(&fault))?;
        self.played(start)
    }

    /// The first position, and the moves from there.
    ///
    /// # Errors
    /// As [`FiledGame::replay`].
    pub fn moves(&self, rules: &GameType) -> Result<(AnyPosition, Vec<AnyMove>), ReplayError> {
        let start = rules.start(&self.start()).map_err(|fault| self.fault(&fault))?;
        let (_, moves) = self.played(start.clone())?;
        Ok((start, moves))
    }

    /// Plays the moves.
    fn played(&self, mut position: AnyPosition) -> Result<(AnyPosition, Vec<AnyMove>), ReplayError> {
        let mut moves = Vec::with_capacity(self.record.moves.len());
        for (at, text) in self.record.moves.iter().enumerate() {
            let played = position.play_text(text, 0);
            moves.push(played.map_err(|fault| self.fault(&fault.at(at)))?.0);
        }
        Ok((position, moves))
    }

    /// `true` if the claimed result is the outcome of a state; `None` if the record has no claim or the state has no
    /// outcome.
    #[must_use]
    pub fn claim_agrees(&self, state: &State) -> Option<bool> {
        let (claimed, outcome) = (self.record.claimed.as_ref()?, state.outcome.as_ref()?);
        Some(claimed == outcome)
    }

    /// The facts about the last position as an object, with the fields `file`, `size`, `claimed` and `claim_agrees`, and
    /// `id` if the game has a name.
    #[must_use]
    pub fn object(&self, state: &State) -> Value {
        let mut object = serde_json::to_value(state).unwrap_or_default();
        object["file"] = json!(self.file);
        object["size"] = json!(self.record.size);
        object["claimed"] = json!(self.record.claimed);
        object["claim_agrees"] = json!(self.claim_agrees(state));
        if let Some(id) = &self.id {
            object["id"] = id.clone();
        }
        object
    }

    /// The end of the game in words: `red wins by connection`, `a draw`, `not over, blue to move`.
    #[must_use]
    pub fn standing(state: &State) -> String {
        let how = state.how.as_ref().filter(|how| !how.is_empty());
        let how = how.map(|how| format!(" by {}", how.join(" and "))).unwrap_or_default();
        match state.outcome.as_deref() {
            Some("draw") => format!("a draw{how}"),
            Some(winner) => format!("{winner} wins{how}"),
            None => format!("not over, {} to move", state.to_move),
        }
    }

    fn start(&self) -> Start {
        self.record.start()
    }

    /// The error of a fault, with the move that has the fault.
    fn fault(&self, fault: &Fault) -> ReplayError {
        let mv =
            fault.at.and_then(|at| Some(format!("move {}, {}: ", at + 1, head(self.record.moves.get(at)?))));
        ReplayError::new(&self.label, &format_args!("{}{fault}", mv.unwrap_or_default()))
    }
}

impl RecordFile {
    /// The games in order as games of `rules`; the reason instead of a game that cannot be read. `size` overrules the
    /// size of each record. A list is read line by line, at most [`MAX_LINE`] bytes of memory at a time; empty lines
    /// and the header of a match's log are left out.
    #[must_use]
    pub fn games_of<'a>(
        self,
        rules: &'a GameType,
        size: Option<u64>,
    ) -> Box<dyn Iterator<Item = Result<FiledGame, ReplayError>> + 'a> {
        match self {
            Self::Trees { label, trees } => {
                let several = trees.len() > 1;
                let numbered = trees.into_iter().enumerate();
                Box::new(
                    numbered.map(move |(i, tree)| {
                        from_tree(rules, &tree, size, &label, several.then_some(i + 1))
                    }),
                )
            }
            Self::Lines { label, reader } => {
                let lines = Lines::new(reader, MAX_LINE).enumerate();
                Box::new(lines.filter_map(move |(i, line)| {
                    let at = format!("{label}, line {}", i + 1);
                    from_line(line, size, &label, &at).transpose()
                }))
            }
        }
    }
}

/// The main line of a tree.
fn from_tree(
    rules: &GameType,
    tree: &Tree,
    size: Option<u64>,
    file: &str,
    number: Option<usize>,
) -> Result<FiledGame, ReplayError> {
    let label = number.map_or_else(|| file.to_owned(), |number| format!("{file}, game {number}"));
    let record = rules.read_record(tree, size).map_err(|fault| ReplayError::new(&label, &fault))?;
    Ok(FiledGame { file: file.to_owned(), id: number.map(Into::into), label, record })
}

/// The game of a line; `None` for an empty line and for the header of a match's log.
fn from_line(
    line: io::Result<InputLine>,
    size: Option<u64>,
    file: &str,
    at: &str,
) -> Result<Option<FiledGame>, ReplayError> {
    let line = line.map_err(|error| ReplayError::new(at, &error))?;
    let text = line.text(MAX_LINE).map_err(|reason| ReplayError::new(at, &reason))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let object: Value = serde_json::from_str(&text).map_err(|error| ReplayError::new(at, &error))?;
    if object.get("moves").is_none() && object.get("players").is_some() {
        return Ok(None);
    }
    let record = listed(&object, size).map_err(|reason| ReplayError::new(at, &reason))?;
    let (file, label) = (file.to_owned(), at.to_owned());
    Ok(Some(FiledGame { file, id: object.get("id").cloned(), label, record }))
}

/// The size and the moves of an object.
fn listed(object: &Value, size: Option<u64>) -> Result<RecordedGame, String> {
    if !object.is_object() {
        return Err(format!("not a game: `{}` is no object", head(&object.to_string())));
    }
    let size = match (size, &object["size"]) {
        (Some(size), _) => size,
        (None, Value::Null) => return Err("no `size`: give --size".to_owned()),
        (None, own) => {
            let wrong = || format!("`size` is {}: expected a whole number", head(&own.to_string()));
            own.as_u64().ok_or_else(wrong)?
        }
    };
    let moves = object["moves"].as_array().ok_or("no list `moves`")?;
    let moves = moves.iter().map(|mv| mv.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
    let moves = moves.ok_or("`moves` has something that is no text")?;
    Ok(RecordedGame { size, swap: false, position: None, moves, players: Default::default(), claimed: None })
}
