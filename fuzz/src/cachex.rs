//! Laws about Cachex.

use stonework_cachex::{Position, Setup};
use stonework_game::{Game, Keyed, Textual};

/// The longest message about a text of any length.
const SHORT: usize = 400;

/// Any text is a Cachex position, which is written as that very text and can be set up again, or it is an
/// error that is short and names a byte of the text. Every move of a position is written and read, played
/// and taken back.
///
/// # Panics
/// If one of these is not so.
pub fn cachex_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = Setup::from_rows(&text, 2) {
        assert!(error.to_string().len() < SHORT, "{error}");
        assert!(error.at <= text.len(), "byte {} of {}", error.at, text.len());
    }
    match Position::parse_position(&text) {
        Err(error) => {
            assert!(error.to_string().len() < SHORT, "{error}");
            assert!(error.at <= text.len(), "byte {} of {}", error.at, text.len());
        }
        Ok(mut position) => {
            assert_eq!(position.position_text(), text);
            let before = position.setup().position().expect("a position can be set up");
            assert_eq!((before.key(), &before), (position.key(), &position));
            let rows = Setup::from_rows(&position.rows(), position.turns()).expect("rows can be read");
            assert_eq!(rows.stones, position.setup().stones);
            let moves = position.moves();
            assert_eq!(moves.is_empty(), position.outcome().is_some());
            for mv in moves {
                assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
                let undo = position.play(mv).expect("it is legal");
                let read = Position::parse_position(&position.position_text());
                assert_eq!(read.expect("what is written can be read").outcome(), position.outcome());
                position.undo(undo);
                assert_eq!(position, before);
            }
        }
    }
}
