//! Text forms of moves and positions.
//!
//! A position is one line of five fields, `SIZE SIDE TURNS/LIMIT OCCURRENCES/LIMIT ROWS`: the size; the side to move, `r` or `b`;
//! the number of turns and its limit; the number of occurrences of the board and its limit; the rows from r = 0, each from q = 0,
//! of `.`, `r` and `b`, joined by `/`:
//!
//! ```text
//! 4 r 2/343 1/7 ..../b.../..../....
//! ```

use std::fmt;

use stonework_board::CellSet;
use stonework_game::text::{fields, head, number};
use stonework_game::{ByPlayer, Game, ParseError, Player, Textual};

use crate::tables::Tables;
use crate::{MAX_SIZE, MIN_SIZE, Move, Options, Position, Setup};

/// The letter of a side.
const fn letter(player: Player) -> char {
    match player {
        Player::First => 'r',
        Player::Second => 'b',
    }
}

fn fail<T>(at: usize, what: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError::new(at, what))
}

/// Moves are `r,q`, by the numbers of the referee's protocol, and `steal`, in capital or small letters. Positions are
/// `SIZE SIDE TURNS/LIMIT OCCURRENCES/LIMIT ROWS`, e.g. `4 r 2/343 1/7 ..../b.../..../....`; the text lacks only the counts of
/// earlier boards.
impl Textual for Position {
    fn write_move(&self, mv: Move, w: &mut dyn fmt::Write) -> fmt::Result {
        match mv {
            Move::Place(cell) => {
                let (r, q) = self.coordinates(cell);
                write!(w, "{r},{q}")
            }
            Move::Steal => w.write_str("steal"),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        if text.eq_ignore_ascii_case("steal") {
            return Ok(Move::Steal);
        }
        let Some((r, q)) = text.split_once(',') else {
            return fail(0, format!("`{}` is no move: `r,q` or `steal`", head(text)));
        };
        let last = self.size() - 1;
        let coordinate = |text: &str, at| match number(text) {
            Some(n) if n <= last => Ok(n),
            _ => fail(at, format!("`{}` is no row or column: 0 to {last}", head(text))),
        };
        let (r, q) = (coordinate(r, 0)?, coordinate(q, r.len() + 1)?);
        self.cell(r, q).map_or_else(|| fail(0, "no such cell"), |cell| Ok(Move::Place(cell)))
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        let (size, side) = (self.size(), letter(self.to_move()));
        let Options { repetition, turns } = self.options();
        write!(w, "{size} {side} {}/{turns} {}/{repetition} ", self.turns(), self.occurrences())?;
        self.write_rows(w)
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let [size, side, turns, occurrences, rows] = fields(text);
        let Some(size) = number(size.0).filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size)) else {
            return fail(size.1, format!("`{}` is no size: {MIN_SIZE} to {MAX_SIZE}", head(size.0)));
        };
        let of = |(text, at): (&str, usize), what: &str| {
            let (count, limit) = text.split_once('/').unwrap_or_default();
            match (number(count), number(limit)) {
                (Some(count), Some(limit)) => Ok((count, limit)),
                _ => fail(at, format!("`{}` is no number of {what}: `NUMBER/LIMIT`", head(text))),
            }
        };
        let ((turns, turn_limit), (occurrences, repetition)) =
            (of(turns, "turns")?, of(occurrences, "occurrences")?);
        let mover = letter(Player::BOTH[usize::from(turns % 2)]);
        if !side.0.chars().eq([mover]) {
            return fail(side.1, format!("`{}` does not move after {turns} turns: `{mover}`", head(side.0)));
        }
        let stones = read_rows(size, rows.0, rows.1)?;
        let options = Options { repetition, turns: turn_limit };
        let setup = Setup { size, stones, turns, occurrences, options };
        setup.position().or_else(|e| fail(side.1, e.to_string()))
    }
}

impl Setup {
    /// The setup of a board after `turns` turns. The board is given as rows from r = 0, each from q = 0, of `.`, `r` and `b`,
    /// joined by `/`. The length of the first row is the size; the board occurs for the first time.
    ///
    /// # Errors
    /// An error for a text that is no board, with the byte and the reason.
    ///
    /// ```
    /// use stonework_cachex::Setup;
    /// assert_eq!(Setup::from_rows("..r/.../...", 1)?.position()?.may_steal(), true);
    /// let error = Setup::from_rows("../...", 2).unwrap_err();
    /// assert_eq!(error.to_string(), "a row of 2 cells: sizes are 3 to 15 (at byte 0)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_rows(rows: &str, turns: u16) -> Result<Self, ParseError> {
        let length = rows.split('/').next().map_or(0, |row| row.chars().count());
        match u8::try_from(length) {
            Ok(size @ MIN_SIZE..=MAX_SIZE) => {
                Ok(Self { stones: read_rows(size, rows, 0)?, turns, ..Self::new(size) })
            }
            _ => fail(0, format!("a row of {length} cells: sizes are {MIN_SIZE} to {MAX_SIZE}")),
        }
    }
}

impl Position {
    /// The board alone as text, in the form that [`Setup::from_rows`] reads.
    #[must_use]
    pub fn rows(&self) -> String {
        let mut text = String::new();
        self.write_rows(&mut text).unwrap_or_else(|e| unreachable!("writing to a string does not fail: {e}"));
        text
    }

    fn write_rows(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        self.board().write_rows(w, |cell| self.stone(cell).map_or('.', letter))
    }
}

/// The stones of each side on a board of a valid size; `offset` is the first byte of the rows in the whole text.
fn read_rows(size: u8, rows: &str, offset: usize) -> Result<ByPlayer<CellSet>, ParseError> {
    let tables = Tables::of(size).or_else(|e| fail(offset, e.to_string()))?;
    let read = tables.board.read_rows(rows, Player::BOTH.map(letter));
    let [red, blue] = read.or_else(|e| fail(offset + e.at, e.to_string()))?;
    Ok(ByPlayer::new(red, blue))
}

/// The serde form is the one-line text; reading checks it like [`Textual::parse_position`].
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
