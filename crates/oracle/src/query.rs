//! Questions and answers as JSON lines: the language of the `oracle` command and of external programs.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use stonework_board::Notation;
use stonework_havannah::Position;
use stonework_session::{Described, Fault, Registry, Start, State, play_text};

use crate::claim::{Judgement, PositionClaim, judge};

/// One question: a position, and moves to be played on it.
///
/// As JSON, e.g. `{"id":1,"game":"havannah","size":4,"moves":["a1","b1"]}`. `notation`, `position`, `to_move`, `swap` and
/// `claim` may be left out; unknown fields are ignored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Query {
    /// Any value; the answer has the same `id`. A number beyond 64 bits comes back rounded.
    #[serde(default)]
    pub id: Value,
    /// The name of a game of [`Registry::standard`].
    pub game: String,
    /// Cells on a side; for Cover the X of Cover-X. Not needed beside a `position` that contains the size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The notation of moves and cells in the question and in the answer; `hgui` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
    /// The start, as the game's one-line text form or, for Cachex, the rows of a board, for Cover `[…]x[…]`; the
    /// initial board by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The side to move at the start, if it is not the side that the position names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<String>,
    /// `true` if the game is played with the right to swap; `false` by default.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swap: bool,
    /// The moves, in order.
    pub moves: Vec<String>,
    /// A statement about the last position, which the answer judges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<PositionClaim>,
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
            claim: None,
        }
    }

    /// The first position, without the moves.
    #[must_use]
    pub fn start(&self) -> Start {
        let (position, to_move) = (self.position.clone(), self.to_move.clone());
        Start { size: self.size, position, to_move, swap: self.swap }
    }
}

/// Plays the moves of a question by the rules of its game: the facts about the last position.
///
/// # Errors
/// The fault of the question, with the index of the move if the fault is in a move.
pub fn replay(query: &Query) -> QueryResult {
    // With its players, a registry takes longer to make than a short game to replay.
    static GAMES: LazyLock<Registry> = LazyLock::new(Registry::standard);
    GAMES.game(&query.game)?.replay(&query.start(), query.notation.as_deref(), &query.moves)
}

/// Plays the moves of a question, and judges its claim.
///
/// ```
/// use stonework_oracle::{PositionClaim, Query, judge_claim};
/// let moves = ["a2", "g7", "b4"].map(str::to_owned).to_vec();
/// let mut query = Query::new("havannah", 4, false, moves);
/// let two_bridge = r#"{"link":{"side":"white","ends":["a2","b4"],"carrier":["a3","b3"]}}"#;
/// query.claim = Some(serde_json::from_str(two_bridge)?);
/// assert_eq!(judge_claim(&query)?.holds, Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The fault of the question, of its moves, or of its claim; the fault `claim` for a question without a claim, and for a
/// game other than Havannah.
pub fn judge_claim(query: &Query) -> Result<Judgement, Fault> {
    let claim = query.claim.as_ref().ok_or_else(|| Fault::new("claim", "the question has no claim"))?;
    let name = Position::DESCRIPTION.name;
    if query.game != name {
        let text = format!("no claims about {}: {name} alone has them", query.game);
        return Err(Fault::new("claim", text));
    }
    let mut position = Position::start(&query.start())?;
    let notation = position.notation(query.notation.as_deref())?;
    for (at, text) in query.moves.iter().enumerate() {
        play_text(&mut position, notation, text).map_err(|fault| fault.at(at))?;
    }
    judge(&position, Notation::ALL.get(notation).copied().unwrap_or_default(), claim)
}

/// A [`State`] or a [`Fault`].
pub type QueryResult = Result<State, Fault>;

/// The line of an answer, without the line feed.
#[must_use]
pub fn answer_line(id: &Value, verdict: &QueryResult) -> String {
    judged_line(id, verdict, None)
}

fn judged_line(id: &Value, verdict: &QueryResult, judgement: Option<&Judgement>) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        id: &'a Value,
        ok: bool,
        #[serde(flatten)]
        state: Option<&'a State>,
        #[serde(skip_serializing_if = "Option::is_none")]
        claim: Option<&'a Judgement>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a Fault>,
    }
    let (state, error) = (verdict.as_ref().ok(), verdict.as_ref().err());
    let line = Line { id, ok: verdict.is_ok(), state, claim: judgement, error };
    serde_json::to_string(&line).unwrap_or_else(|e| unreachable!("strings and numbers only: {e}"))
}

/// Reads the line of an answer.
///
/// # Errors
/// The fault of the line.
pub fn read_answer(line: &str) -> Result<(Value, QueryResult), String> {
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

/// The error of the parser, without the middle of a long quoted text.
fn brief(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let (head, tail) = (text.char_indices().nth(80), text.char_indices().nth_back(40));
    match (head, tail) {
        (Some((head, _)), Some((tail, _))) if head < tail => format!("{}…{}", &text[..head], &text[tail..]),
        _ => text,
    }
}

/// The kind of a value, in words.
const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The answer to one line. Any line has an answer; the function never panics.
#[must_use]
pub fn answer(line: &str) -> String {
    let value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(e) => return answer_line(&Value::Null, &Err(Fault::new("json", format!("not JSON: {e}")))),
    };
    // Without this, an array would be read as the fields in their order.
    if !value.is_object() {
        let fault = Fault::new("json", format!("not a question: {}, not an object", kind(&value)));
        return answer_line(&Value::Null, &Err(fault));
    }
    let id = value.get("id").cloned().unwrap_or_default();
    let query: Result<Query, Fault> = serde_json::from_value(value)
        .map_err(|e| Fault::new("json", format!("not a question: {}", brief(&e))));
    let answered = query.and_then(|query| {
        let state = replay(&query)?;
        Ok((state, query.claim.is_some().then(|| judge_claim(&query)).transpose()?))
    });
    match answered {
        Ok((state, judgement)) => judged_line(&id, &Ok(state), judgement.as_ref()),
        Err(fault) => answer_line(&id, &Err(fault)),
    }
}
