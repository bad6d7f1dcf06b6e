//! Text forms of moves and positions.
//!
//! A position is one line of four fields, `SIZE SIDE SWAP ROWS`: the size; the side to move, `w` or `b`; `s` if a swap is still
//! possible, else `-`; the rows from the top, of `.`, `w` and `b`, joined by `/`:
//!
//! ```text
//! 4 b - ..../...../..w.../......./....../...../....
//! ```

use std::fmt;

use stonework_board::{Board, Notation, NotationError};
use stonework_game::text::{fields, head, number};
use stonework_game::{ByPlayer, Game, ParseError, Player, Textual};

use crate::{MAX_SIZE, MIN_SIZE, Move, Position, Setup};

/// The letter of a side in a position's text.
const fn letter(player: Player) -> char {
    match player {
        Player::First => 'w',
        Player::Second => 'b',
    }
}

/// The refusal of a text at byte `at`.
fn fail<T>(at: usize, message: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError::new(at, message))
}

/// Moves are cells in `hgui` notation (`f5`) and `swap`, in capital or small letters; positions are `SIZE SIDE SWAP ROWS`.
impl Textual for Position {
    fn write_move(&self, mv: Move, w: &mut dyn fmt::Write) -> fmt::Result {
        match mv {
            Move::Place(cell) => w.write_str(&self.board().name(cell)),
            Move::Swap => w.write_str("swap"),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        self.parse_move_in(text, Notation::Hgui).map_err(|e| ParseError::new(e.at(), e.to_string()))
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        let swap = if self.swap_enabled() { 's' } else { '-' };
        write!(w, "{} {} {swap} ", self.size(), letter(self.to_move()))?;
        self.board().write_rows(w, |cell| self.stone(cell).map_or('.', letter))
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        // Each field is a text and the index of its first byte.
        let [size, side, swap, rows] = fields(text);
        let Some(board) = number(size.0).and_then(|size| Board::hexagon(size).ok()) else {
            return fail(size.1, format!("`{}` is no size: {MIN_SIZE} to {MAX_SIZE}", head(size.0)));
        };
        let to_move = match side.0 {
            "w" => Player::First,
            "b" => Player::Second,
            other => return fail(side.1, format!("`{}` is no side to move: `w` or `b`", head(other))),
        };
        let swap = match swap.0 {
            "-" => false,
            "s" => true,
            other => return fail(swap.1, format!("`{}` is no right to swap: `s` or `-`", head(other))),
        };
        let [white, black] = board
            .read_rows(rows.0, Player::BOTH.map(letter))
            .or_else(|e| fail(rows.1 + e.at, e.to_string()))?;
        let setup = Setup { size: board.size(), stones: ByPlayer::new(white, black), to_move, swap };
        setup.position().or_else(|e| fail(rows.1, e.to_string()))
    }
}

impl Position {
    /// A move as text, in the form that [`parse_move_in`](Position::parse_move_in) reads.
    ///
    /// # Errors
    /// An error for a notation that does not fit the board, or for a cell that is not on the board.
    pub fn move_text_in(&self, mv: Move, notation: Notation) -> Result<String, NotationError> {
        match mv {
            Move::Place(cell) => notation.name_of(self.board(), cell),
            Move::Swap => Ok("swap".to_owned()),
        }
    }

    /// Reads a move, legal or not: a cell in any notation, or `swap` in capital or small letters.
    ///
    /// # Errors
    /// The errors of [`stonework_board::Notation::parse`].
    ///
    /// ```
    /// use stonework_board::Notation;
    /// use stonework_havannah::Position;
    /// let position = Position::new(4)?;
    /// let mv = position.parse_move_in("f3", Notation::Grid)?;
    /// assert_eq!(position.move_text_in(mv, Notation::Hgui)?, "f5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_move_in(&self, text: &str, notation: Notation) -> Result<Move, NotationError> {
        if text.eq_ignore_ascii_case("swap") {
            return Ok(Move::Swap);
        }
        notation.parse(self.board(), text).map(Move::Place)
    }
}

/// The serde form of a position is its one-line text. Deserialising checks the text by [`Textual::parse_position`].
#[cfg(feature = "serde")]
mod serial {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use stonework_game::Textual;

    use crate::Position;

    impl Serialize for Position {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&self.position_text())
        }
    }

    impl<'de> Deserialize<'de> for Position {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            Self::parse_position(&text).map_err(D::Error::custom)
        }
    }
}
