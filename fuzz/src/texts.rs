//! Laws about texts and files.

use std::io::BufReader;

use serde_json::Value;
use stonework_board::{Board, Notation};
use stonework_game::{Game, Keyed, Textual as _};
use stonework_havannah::Position;
use stonework_oracle::{InputLine, Lines, Query, answer, judged, read_answer};
use stonework_session::outcome_name;

/// The longest message about a text of any length.
const SHORT: usize = 400;

/// Any text is a position, which is written as that very text and makes the same moves when it is read
/// again, or it is an error that is short and names a byte of the text.
///
/// # Panics
/// If it is neither.
pub fn position_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Position::parse_position(&text) {
        Err(error) => {
            assert!(error.to_string().len() < SHORT, "{error}");
            assert!(error.at <= text.len(), "byte {} of {}", error.at, text.len());
        }
        Ok(position) => {
            assert_eq!(position.position_text(), text);
            let again = position.setup().position().expect("a position can be set up");
            assert_eq!((again.key(), again.kinds()), (position.key(), position.kinds()));
            let moves = position.moves();
            assert_eq!(moves.is_empty(), position.outcome().is_some());
            for mv in moves {
                assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
            }
        }
    }
}

/// The first two bytes name a board and a notation; the rest is a text. It is a cell whose name is that
/// text but for the case of its letters, or an error that is short.
///
/// # Panics
/// If it is neither.
pub fn cell_notation(data: &[u8]) {
    let [shape, notation, text @ ..] = data else { return };
    let board = if shape & 32 == 0 { Board::hexagon(shape & 31) } else { Board::rhombus(shape & 31) };
    let text = String::from_utf8_lossy(text);
    if let Err(error) = text.parse::<Notation>() {
        assert!(error.to_string().len() < SHORT, "{error}");
    }
    let Ok(board) = board else { return };
    let notation = Notation::ALL[usize::from(notation % 4)];
    match notation.parse(board, &text) {
        Err(error) => assert!(error.to_string().len() < SHORT, "{error}"),
        Ok(cell) => {
            assert!(board.contains(cell) && notation.fits(board.shape()).is_ok());
            let name = notation.name_of(board, cell).expect("it has been read in this notation");
            assert!(name.eq_ignore_ascii_case(&text), "`{text}` is {name}");
            assert_eq!(notation.parse(board, &name), Ok(cell));
        }
    }
}

/// As [`stonework_record::laws::reading_and_writing_are_inverse`].
///
/// # Panics
/// If a law is broken.
pub fn records(data: &[u8]) {
    let _ = stonework_record::laws::reading_and_writing_are_inverse(data);
}

/// Any line has an answer of one line, which is JSON, has the question's `id`, says whether it is
/// `ok`, and is the same when it is asked again. What is told of a game agrees with the slow judge; the
/// position that is told can be asked about.
///
/// # Panics
/// If one of these is not so.
pub fn oracle_lines(data: &[u8]) {
    let line = String::from_utf8_lossy(data);
    let said = answer(&line);
    assert!(!said.contains(['\n', '\r']), "{said}");
    assert_eq!(said, answer(&line));
    let value: Value = serde_json::from_str(&said).expect("an answer is JSON");
    let ok = value.get("ok").and_then(Value::as_bool).expect("an answer says whether it is ok");
    let asked = serde_json::from_str::<Value>(&line).ok();
    let id = asked.as_ref().and_then(|v| v.get("id")).cloned().unwrap_or_default();
    assert!(!exact(&id) || value.get("id") == Some(&id), "{id} came back as {value}");
    let (_, verdict) = read_answer(&said).expect("an answer can be read");
    assert_eq!(verdict.is_ok(), ok);
    let query = asked.and_then(|v| serde_json::from_value::<Query>(v).ok());
    let state = match (verdict, query) {
        (Err(fault), query) => {
            assert!(!fault.message.is_empty() && fault.message.len() < SHORT, "{}", fault.message);
            let moves = query.map_or(0, |q| q.moves.len());
            assert!(fault.at.is_none_or(|at| at < moves), "{fault:?}");
            return;
        }
        (Ok(state), Some(query)) => {
            judge(&query, state.outcome.as_deref());
            state
        }
        (Ok(_), None) => panic!("an answer to what is no question: {line}"),
    };
    let board = state.board.clone().expect("the position is told");
    let more = Query { position: Some(board), ..Query::new("havannah", 2, false, Vec::new()) };
    let again = stonework_oracle::replay(&Query { size: None, ..more }).expect("a position that was told");
    let told = (&state.to_move, &state.outcome, &state.legal, &state.board, &state.key);
    assert_eq!(told, (&again.to_move, &again.outcome, &again.legal, &again.board, &again.key));
}

/// Whether a value has no number with a point or beyond 64 bits: of those, the last digit may change
/// when they are read.
fn exact(value: &Value) -> bool {
    match value {
        Value::Number(number) => !number.is_f64(),
        Value::Array(values) => values.iter().all(exact),
        Value::Object(fields) => fields.values().all(exact),
        _ => true,
    }
}

/// Plays the game again on the slow judge, if it starts from the empty board in its usual notation.
fn judge(query: &Query, outcome: Option<&str>) {
    let size = query.size.and_then(|s| u8::try_from(s).ok()).filter(|&s| s <= 6);
    let plain = query.position.is_none() && query.to_move.is_none() && query.notation.is_none();
    let (true, Some(size)) = (plain, size) else { return };
    let moves = query.moves.clone();
    let (name, swap) = (String::new(), query.swap);
    let game =
        stonework_oracle::GameText { name, game: "havannah", size, start: None, swap, notation: None, moves };
    let positions = judged(&game).expect("the fast rules allow it");
    let end = positions.last().and_then(Game::outcome).map(outcome_name::<Position>);
    assert_eq!(end, outcome);
}

/// The first two bytes are a limit and the size of the chunks in which the rest arrives. Its lines are
/// the pieces between line feeds, whatever the chunks: those over the limit by their length, the others
/// without a carriage return at the end.
///
/// # Panics
/// If they are not.
pub fn bounded_lines(data: &[u8]) {
    let [limit, chunk, text @ ..] = data else { return };
    let limit = usize::from(limit % 40);
    let reader = BufReader::with_capacity(usize::from(chunk % 50) + 1, text);
    let read: Vec<InputLine> = Lines::new(reader, limit).map(|l| l.expect("bytes are read")).collect();
    let mut pieces: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
    // A line feed ends a line; it does not start another.
    if pieces.last().is_some_and(|last| last.is_empty()) {
        pieces.pop();
    }
    let expected = pieces.into_iter().map(|piece| {
        if piece.len() > limit {
            return InputLine::TooLong(piece.len() as u64);
        }
        let piece = piece.strip_suffix(b"\r").unwrap_or(piece);
        match std::str::from_utf8(piece) {
            Ok(text) => InputLine::Text(text.to_owned()),
            Err(error) => InputLine::NotUtf8(error.valid_up_to()),
        }
    });
    assert_eq!(read, expected.collect::<Vec<_>>());
}
