//! A line of a list of games as a [`ListedGame`] game.

use std::io;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use stonework_board::{Board, Notation};
use stonework_game::text::head;
use stonework_havannah::Setup;
use stonework_record::{Action, Claim, Dialect};

use super::{ListedGame, RecordOptions, ReplayError};
use crate::{InputLine, MAX_LINE};

/// The end that a list of games gives; each field is optional.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedEnd {
    /// `formation`, or the name of another way to end.
    pub end: Option<String>,
    /// The winner, `W` or `B`.
    pub winner: Option<String>,
    /// The kinds of win.
    pub kinds: Option<Vec<String>>,
    /// The index of the winning move.
    pub ply: Option<u64>,
    /// `true` if the moves in the other notation are the same.
    pub notations_agree: bool,
}

#[derive(Deserialize)]
struct Game {
    id: Option<Value>,
    size: Option<u64>,
    moves: Option<Vec<String>>,
    moves_hgui: Option<Vec<String>>,
    notation: Option<String>,
    end: Option<String>,
    win_by: Option<String>,
    win_types: Option<Vec<String>>,
    win_ply: Option<u64>,
    result: Option<String>,
    players: Option<IgnoredAny>,
}

/// The game of a line; `None` for a line of white space and for the header of a match's log.
pub(super) fn recorded(
    at: &str,
    file: &str,
    line: io::Result<InputLine>,
    how: RecordOptions,
) -> Result<Option<ListedGame>, ReplayError> {
    let line = line.map_err(|e| ReplayError::new(at, &e))?;
    let text = line.text(MAX_LINE).map_err(|e| ReplayError::new(at, &e))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let game: Game =
        serde_json::from_str(&text).map_err(|e| ReplayError::new(at, &format_args!("not a game: {e}")))?;
    if game.moves.is_none() && game.moves_hgui.is_none() && game.players.is_some() {
        return Ok(None);
    }
    let label = match &game.id {
        Some(Value::String(id)) => format!("{file}, game {}", head(id)),
        Some(id) if !id.is_null() => format!("{file}, game {}", head(&id.to_string())),
        _ => at.to_owned(),
    };
    let recorded = read(game, file, &label, how);
    recorded.map(Some).map_err(|e| ReplayError::new(&label, &e))
}

fn read(game: Game, file: &str, label: &str, how: RecordOptions) -> Result<ListedGame, String> {
    let size = how.size.map(u64::from).or(game.size).ok_or("no `size`: give --size")?;
    let small = u8::try_from(size).ok().and_then(|s| Board::hexagon(s).ok());
    let board = small.ok_or_else(|| format!("no board of size {size}: sizes are 2 to 20"))?;
    let notation = match (&game.moves, how.notation, &game.notation) {
        (None, ..) | (_, None, None) => Notation::Hgui,
        (_, Some(notation), _) => notation,
        (_, None, Some(name)) => name.parse().map_err(|e: stonework_board::NotationError| e.to_string())?,
    };
    let read = |moves: &[String], notation| -> Result<Vec<Action>, String> {
        let dialect = Dialect { notation, ..Dialect::default() };
        let action = |(i, text): (usize, &String)| {
            Action::parse(board, dialect, text).map_err(|e| format!("move {}: {e}", i + 1))
        };
        moves.iter().enumerate().map(action).collect()
    };
    let moves = game.moves.as_ref().or(game.moves_hgui.as_ref()).ok_or("no `moves`")?;
    let actions = read(moves, notation)?;
    let notations_agree = match (&game.moves, &game.moves_hgui) {
        (Some(_), Some(hgui)) => read(hgui, Notation::Hgui)? == actions,
        _ => true,
    };
    let setup = Setup { swap: how.swap, ..Setup::new(board.size()) };
    Ok(ListedGame {
        file: file.to_owned(),
        id: game.id,
        label: label.to_owned(),
        notation,
        start: setup.position().map_err(|e| e.to_string())?,
        steps: actions.into_iter().map(|action| (None, action)).collect(),
        header: Vec::new(),
        claimed: game.result.as_deref().map(Claim::parse),
        quirks: Vec::new(),
        listed: Some(ListedEnd {
            end: game.end,
            winner: game.win_by,
            kinds: game.win_types,
            ply: game.win_ply,
            notations_agree,
        }),
    })
}
