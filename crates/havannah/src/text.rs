//! Text forms of moves and positions.
//!
//! A position is one line of four fields: `SIZE SIDE SWAP ROWS` – the size; `w` or `b` to move; `s` if the
//! right to swap is in the game, else `-`; the rows from the top, `.` `w` `b`, joined by `/`:
//!
//! ```text
//! 4 b - ..../...../..w.../......./....../...../....
//! ```

use std::fmt;

use stonework_board::Board;
use stonework_game::{Game, Notation, ParseError, Player};

use crate::{Move, Position, Setup};

/// The letter of a side.
const fn letter(player: Player) -> char {
    match player {
        Player::First => 'w',
        Player::Second => 'b',
    }
}

/// Moves in `hgui` notation (`f5`) and `swap`, in either case; positions as `SIZE SIDE SWAP ROWS`.
impl Notation for Position {
    fn write_move(&self, mv: Move, w: &mut dyn fmt::Write) -> fmt::Result {
        match mv {
            Move::Place(cell) => w.write_str(&self.board().name(cell)),
            Move::Swap => w.write_str("swap"),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        if text.eq_ignore_ascii_case("swap") {
            return Ok(Move::Swap);
        }
        self.board().parse(text).map(Move::Place).map_err(|e| ParseError { at: 0, what: e.to_string() })
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        let swap = if self.swap_enabled() { 's' } else { '-' };
        write!(w, "{} {} {swap} ", self.size(), letter(self.to_move()))?;
        for row in 0..self.board().rows() {
            if row > 0 {
                w.write_char('/')?;
            }
            for cell in self.board().row(row) {
                w.write_char(self.stone(cell).map_or('.', letter))?;
            }
        }
        Ok(())
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let fail = |at: usize, what: String| Err(ParseError { at, what });
        let mut fields = [("", 0); 4];
        let mut at = 0;
        for (i, field) in fields.iter_mut().enumerate() {
            let rest = text.get(at..).unwrap_or("");
            let end = if i == 3 { rest.len() } else { rest.find(' ').unwrap_or(rest.len()) };
            *field = (&rest[..end], at);
            at = (at + end + 1).min(text.len());
        }
        let [size, side, swap, rows] = fields;
        // A number is written one way: not `04`, not `+4`.
        let number = size.0.parse().ok().filter(|s: &u8| s.to_string() == size.0);
        let Some(board) = number.and_then(|s| Board::hexagon(s).ok()) else {
            return fail(size.1, format!("`{}` is no size: 2 to 20", head(size.0)));
        };
        let mut setup = Setup::new(board.size());
        setup.to_move = match side.0 {
            "w" => Player::First,
            "b" => Player::Second,
            other => return fail(side.1, format!("`{}` is no side to move: `w` or `b`", head(other))),
        };
        setup.swap = match swap.0 {
            "-" => false,
            "s" => true,
            other => return fail(swap.1, format!("`{}` is no right to swap: `s` or `-`", head(other))),
        };
        let mut cells = rows.0.char_indices();
        for row in 0..board.rows() {
            let slash = (row > 0).then_some(None);
            for cell in slash.into_iter().chain(board.row(row).map(Some)) {
                let next = cells.next();
                let at = rows.1 + next.map_or(rows.0.len(), |(at, _)| at);
                match (cell, next.map(|(_, c)| c)) {
                    (None, Some('/')) | (Some(_), Some('.')) => {}
                    (Some(cell), Some('w')) => _ = setup.stones.first.insert(cell),
                    (Some(cell), Some('b')) => _ = setup.stones.second.insert(cell),
                    (cell, found) => {
                        let expected = if cell.is_some() { "`.`, `w` or `b`" } else { "`/`" };
                        let found = found.map_or("the end".to_owned(), |c| format!("`{c}`"));
                        return fail(at, format!("expected {expected} in row {}, found {found}", row + 1));
                    }
                }
            }
        }
        if let Some((at, c)) = cells.next() {
            return fail(rows.1 + at, format!("expected the end after {} rows, found `{c}`", board.rows()));
        }
        setup.position().or_else(|e| fail(rows.1, e.to_string()))
    }
}

/// At most 40 characters of a user's text.
fn head(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(end, _)| &text[..end])
}

/// Stored as the one-line text form; reading checks it like [`Notation::parse_position`].
#[cfg(feature = "serde")]
mod serial {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use stonework_game::Notation;

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
