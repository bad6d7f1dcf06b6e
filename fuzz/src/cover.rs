//! Laws about Cover.

use stonework_board::{Diagonal, DiagonalNotation};
use stonework_cover::{Position, Setup};
use stonework_game::{Game, Keyed, Textual};

/// The longest message about a text of any length.
const SHORT: usize = 400;

/// Any text is a Cover position, whose own text reads as the same position, or it is an error that is short
/// and names a byte of the text; the same for moves, boards and names of locations. Every move of a position
/// is written and read, played and taken back.
///
/// # Panics
/// If one of these is not so.
pub fn cover_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = Setup::from_board(4, &text) {
        assert!(error.to_string().len() < SHORT && error.at <= text.len(), "{error}");
    }
    let start = Position::new(4).expect("there is this size");
    match start.parse_move(&text) {
        Ok(mv) => assert!(text.to_uppercase().starts_with(&start.move_text(mv)[..7])),
        Err(error) => assert!(error.to_string().len() < SHORT && error.at <= text.len(), "{error}"),
    }
    for notation in DiagonalNotation::ALL {
        let lattice = Diagonal::of(10).expect("there is this size");
        match notation.parse(lattice, &text) {
            Ok(cell) => assert!(notation.name_of(lattice, cell).eq_ignore_ascii_case(&text)),
            Err(error) => assert!(error.to_string().len() < SHORT, "{error}"),
        }
    }
    match Position::parse_position(&text) {
        Err(error) => assert!(error.to_string().len() < SHORT && error.at <= text.len(), "{error}"),
        Ok(position) => moves(position),
    }
}

/// The laws of every position.
fn moves(mut position: Position) {
    let written = |position: &Position| {
        let text = position.position_text();
        let again = Position::parse_position(&text).expect("what is written can be read");
        assert_eq!((&again, again.key(), again.outcome()), (position, position.key(), position.outcome()));
        assert_eq!(again.position_text(), text);
    };
    written(&position);
    let before = position.setup().position().expect("a position can be set up");
    assert_eq!(before, position);
    let moves = position.moves();
    assert_eq!(moves.is_empty(), position.outcome().is_some());
    for mv in moves {
        assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
        let undo = position.play(mv).expect("it is legal");
        written(&position);
        position.undo(undo);
        assert_eq!(position, before);
    }
}
