//! Questions and answers as JSON lines: the `oracle` command's language, which external programs speak
//! too.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One question: a position, and moves to be played on it.
///
/// As JSON, e.g. `{"id":1,"game":"havannah","size":4,"moves":["a1","b1"]}`. `notation`, `position`,
/// `to_move` and `swap` may be left out; fields that are not known are passed over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Query {
    /// Anything; comes back with the answer.
    #[serde(default)]
    pub id: Value,
    /// One of [`GAMES`](crate::GAMES).
    pub game: String,
    /// Cells on a side; for Cover the X of Cover-X. May be left out when `position` says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Of moves and cells, in both directions; `hgui` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// The start, as the game's one-line text form or, for Cachex, the rows of a board, for Cover
    /// `[…]x[…]`; the initial board unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Who moves first from the start, if not the one whom the position names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<String>,
    /// Whether the game is played with the right to swap; no unless given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swap: bool,
    /// The moves, in order.
    pub moves: Vec<String>,
}

impl Query {
    /// A question about a game from the empty board.
    #[must_use]
    pub fn new(game: &str, size: u8, swap: bool, moves: Vec<String>) -> Self {
        Self {
            id: Value::Null,
            game: game.to_owned(),
            size: Some(size.into()),
            notation: None,
            position: None,
            to_move: None,
            swap,
            moves,
        }
    }
}

/// One value for each side of Havannah.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BySide<T> {
    /// The first player's.
    pub white: T,
    /// The second player's.
    pub black: T,
}

/// What is true after the moves of a [`Query`].
///
/// Only `outcome` and `to_move` must be answered by an external program; the rest is compared where it
/// is given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// Moves played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
    /// The side to move as the game calls it, such as `white`; after the end, whose turn it would be.
    pub to_move: String,
    /// The side that has won, `draw`, or null while the game goes on.
    pub outcome: Option<String>,
    /// Every kind of win that the last move has completed: `ring`, `bridge`, `fork`; for Cachex how the
    /// game has ended: `connection`, `repetition`, `turn limit`; so for Cover: `homebase`, `last stone`,
    /// `no move`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<Vec<String>>,
    /// For each entry of `how` the cells of a smallest chain that shows it; for Cover the stone on the
    /// homebase, if that is how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<Vec<String>>>,
    /// How many moves are legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<u64>,
    /// The empty cells on which each side would win at once, whoever is to move; none after the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winning_cells: Option<BySide<Vec<String>>>,
    /// Whether each side can still win at all: if neither can, the game is a certain draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_win: Option<BySide<bool>>,
    /// For each move the cells that it has captured, in games that have captures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured: Option<Vec<Vec<String>>>,
    /// The board as text, which can be given back as `position`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The position's one-line text form, where `board` does not tell everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The 64-bit key, 16 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// Why a [`Query`] has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// `json`, `line`, `game`, `size`, `notation`, `position`, `to_move`, `move` (no such cell),
    /// `occupied`, `over` (the game has ended), `swap` (or steal), `centre`, `home` (the own homebase) or
    /// `repetition`.
    pub kind: String,
    /// The index of the offending move; null if it is not about a move.
    #[serde(default)]
    pub at: Option<usize>,
    /// What is wrong, with the offending value.
    #[serde(default)]
    pub message: String,
}

impl Fault {
    /// A fault that is not about a move.
    #[must_use]
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), at: None, message: message.into() }
    }
}

/// A [`State`] or a [`Fault`].
pub type Verdict = Result<State, Fault>;

/// The answer's line, without the line feed.
#[must_use]
pub fn answer_line(id: &Value, verdict: &Verdict) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        id: &'a Value,
        ok: bool,
        #[serde(flatten)]
        state: Option<&'a State>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a Fault>,
    }
    let line = Line { id, ok: verdict.is_ok(), state: verdict.as_ref().ok(), error: verdict.as_ref().err() };
    serde_json::to_string(&line).unwrap_or_else(|e| unreachable!("strings and numbers only: {e}"))
}

/// Reads an answer's line.
///
/// # Errors
/// What is wrong with the line.
pub fn read_answer(line: &str) -> Result<(Value, Verdict), String> {
    #[derive(Deserialize)]
    struct Bad {
        error: Fault,
    }
    let value: Value = serde_json::from_str(line).map_err(|e| format!("not JSON ({e})"))?;
    let id = value.get("id").cloned().unwrap_or_default();
    match value.get("ok").and_then(Value::as_bool) {
        Some(true) => {
            let state =
                serde_json::from_value(value).map_err(|e| format!("not an answer ({})", brief(&e)))?;
            Ok((id, Ok(state)))
        }
        Some(false) => {
            let bad: Bad =
                serde_json::from_value(value).map_err(|e| format!("not an error answer ({})", brief(&e)))?;
            Ok((id, Err(bad.error)))
        }
        None => Err("no `ok` that is true or false".to_owned()),
    }
}

/// What is wrong, without the middle of a long text that it quotes.
fn brief(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let (head, tail) = (text.char_indices().nth(80), text.char_indices().nth_back(40));
    match (head, tail) {
        (Some((head, _)), Some((tail, _))) if head < tail => format!("{}…{}", &text[..head], &text[tail..]),
        _ => text,
    }
}

/// Answers one line; never fails, never panics.
#[must_use]
pub fn answer(line: &str) -> String {
    let value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(e) => return answer_line(&Value::Null, &Err(Fault::new("json", format!("not JSON: {e}")))),
    };
    let id = value.get("id").cloned().unwrap_or_default();
    let query: Result<Query, Fault> = serde_json::from_value(value)
        .map_err(|e| Fault::new("json", format!("not a question: {}", brief(&e))));
    answer_line(&id, &query.and_then(|query| crate::replay(&query)))
}
