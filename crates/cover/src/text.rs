//! Text forms of moves and positions.
//!
//! A position is one line of five fields, `SIZE SIDE RULES BOARD HISTORY`: the size; the side to move, `b` or `r`; the rule of
//! repetition, with `+voluntary` for voluntary shots; the locations of blue's and of red's stones; the last moves that the rule
//! may depend on, joined by commas, or `-`:
//!
//! ```text
//! 4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02
//! ```

use std::fmt;

use stonework_board::{Cell, CellSet, Diagonal, DiagonalNotation};
use stonework_game::text::{fields, head, number};
use stonework_game::{ByPlayer, Game, ParseError, Player, Textual};

use crate::tables::Tables;
use crate::{MAX_SIZE, MIN_SIZE, Move, Options, Position, Setup};

/// The text after the rule of repetition if shots are voluntary.
const VOLUNTARY: &str = "+voluntary";

fn fail<T>(at: usize, what: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError::new(at, what))
}

/// Moves are `A07-B08`, with `xE10` if the stone on E10 is shot. A text to be read may lack the hit, but a hit in it must be
/// right. With [voluntary](Options::voluntary_shots) shots, a move without a hit is a move that does not shoot. Capital and small
/// letters are read alike.
///
/// Positions are `SIZE SIDE RULES BOARD HISTORY`, e.g. `4 b four [A07,C05,E03,G01]x[E11,G09,I07,K05] -`; the thesis' `[…]x[…]`
/// alone is for [`Setup::from_board`].
impl Textual for Position {
    fn write_move(&self, mv: Move, w: &mut dyn fmt::Write) -> fmt::Result {
        write_step(self.lattice(), mv, w)?;
        match self.hit(mv) {
            Some(hit) => write!(w, "x{}", self.lattice().name(hit)),
            None => Ok(()),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let (mv, hit) = read_move(self.lattice(), text, 0)?;
        let would = self.hit(mv);
        match hit {
            Some(_) if hit == would => Ok(mv),
            Some(_) => {
                let would = would.map_or("nothing".to_owned(), |cell| self.lattice().name(cell));
                fail(7, format!("`{}`: this move hits {would} here", head(text)))
            }
            None if would.is_some() && self.options().voluntary_shots => Ok(mv.holding()),
            None => Ok(mv),
        }
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        let side = if self.to_move() == Player::First { 'b' } else { 'r' };
        let Options { repetition, voluntary_shots } = self.options();
        let shots = if voluntary_shots { VOLUNTARY } else { "" };
        write!(
            w,
            "{} {side} {repetition}{shots} {} ",
            self.size(),
            self.board_in(DiagonalNotation::Diagram)
        )?;
        let history = self.history();
        if history.is_empty() {
            w.write_char('-')?;
        }
        for (i, &mv) in history.iter().enumerate() {
            if i > 0 {
                w.write_char(',')?;
            }
            write_step(self.lattice(), mv, w)?;
        }
        Ok(())
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let [size, side, rules, board, history] = fields(text);
        let Some(lattice) = number(size.0).and_then(|size| Diagonal::of(size).ok()) else {
            return fail(size.1, format!("`{}` is no size: {MIN_SIZE} to {MAX_SIZE}", head(size.0)));
        };
        let to_move = match side.0 {
            "b" => Player::First,
            "r" => Player::Second,
            other => return fail(side.1, format!("`{}` is no side to move: `b` or `r`", head(other))),
        };
        let (name, voluntary_shots) = match rules.0.strip_suffix(VOLUNTARY) {
            Some(name) => (name, true),
            None => (rules.0, false),
        };
        let repetition = name.parse().or_else(|e: crate::RepetitionError| fail(rules.1, e.to_string()))?;
        let options = Options { repetition, voluntary_shots };
        let stones = read_board(lattice, board.0, DiagonalNotation::Diagram, board.1)?;
        let history = read_history(lattice, history.0, history.1)?;
        let setup = Setup { size: lattice.size(), stones, to_move, options, history };
        setup.position().or_else(|e| fail(board.1, e.to_string()))
    }
}

impl Position {
    /// The board alone in the form of the thesis, `[…]x[…]`: blue's stones and red's stones, in the order of their
    /// locations, in any of the thesis' notations.
    ///
    /// ```
    /// use stonework_board::DiagonalNotation;
    /// use stonework_cover::Position;
    /// let start = Position::new(2)?;
    /// assert_eq!(start.board_in(DiagonalNotation::Diagram), "[A03,C01]x[E07,G05]");
    /// assert_eq!(start.board_in(DiagonalNotation::Delta), "[2/-4,-2/-4]x[2/4,-2/4]");
    /// # Ok::<(), stonework_cover::SetupError>(())
    /// ```
    #[must_use]
    pub fn board_in(&self, notation: DiagonalNotation) -> String {
        let list = |player| {
            let names: Vec<_> =
                self.stones(player).map(|cell| notation.name_of(self.lattice(), cell)).collect();
            names.join(",")
        };
        format!("[{}]x[{}]", list(Player::First), list(Player::Second))
    }
}

impl Setup {
    /// The setup of a board in the form of the thesis, `[C01,A03]x[G05,E07]`: blue's stones, then red's, each in any order, with
    /// or without spaces after commas. Blue is to move, with the default rules.
    ///
    /// # Errors
    /// An error for a text that is no board, with the byte and the reason.
    ///
    /// ```
    /// use stonework_cover::{Position, Setup};
    /// assert_eq!(Setup::from_board(2, "[C01, A03]x[G05, E07]")?.position()?, Position::new(2)?);
    /// let error = Setup::from_board(2, "[C01]").unwrap_err();
    /// assert_eq!(error.to_string(), "expected `x[` after blue's stones (at byte 5)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_board(size: u8, text: &str) -> Result<Self, ParseError> {
        Self::from_board_in(size, text, DiagonalNotation::Diagram)
    }

    /// The setup of [`from_board`](Setup::from_board), with locations in another notation.
    ///
    /// # Errors
    /// An error for a text that is no board, with the byte and the reason.
    pub fn from_board_in(size: u8, text: &str, notation: DiagonalNotation) -> Result<Self, ParseError> {
        let tables = Tables::of(size).or_else(|e| fail(0, e.to_string()))?;
        let stones = read_board(tables.lattice, text, notation, 0)?;
        Ok(Self { stones, ..Self::new(size) })
    }
}

/// Writes a move without its hit.
fn write_step(lattice: &Diagonal, mv: Move, w: &mut dyn fmt::Write) -> fmt::Result {
    let on = lattice.contains(mv.from);
    let to = if on { lattice.neighbour(mv.from, mv.heading) } else { None };
    let to = to.map_or_else(|| format!("{:?}", mv.heading), |to| lattice.name(to));
    write!(w, "{}-{to}", crate::rules::name(lattice.size(), mv.from))
}

/// Reads a move and its hit; `offset` is the first byte of the move in a longer text.
fn read_move(lattice: &Diagonal, text: &str, offset: usize) -> Result<(Move, Option<Cell>), ParseError> {
    let location = |at: usize, end: Option<usize>| {
        let name = text.get(at..end.unwrap_or(text.len()).max(at)).unwrap_or("");
        lattice.parse(name).or_else(|e| fail(offset + at + e.at(), e.to_string()))
    };
    let form = || format!("`{}` is no move: `A07-B08` or `A07-B08xE10`", head(text));
    let well_formed = text.is_ascii() && text.as_bytes().get(3) == Some(&b'-');
    if !well_formed || !matches!(text.as_bytes().get(7), None | Some(b'x' | b'X')) {
        return fail(offset, form());
    }
    let (from, to) = (location(0, Some(3))?, location(4, Some(7.min(text.len())))?);
    let hit = if text.len() > 7 { Some(location(8, None)?) } else { None };
    match lattice.heading(from, to) {
        Some(heading) => Ok((Move::new(from, heading), hit)),
        None => fail(offset, format!("`{}`: those are no neighbours", head(text))),
    }
}

/// Reads moves joined by commas, or `-` for no moves.
fn read_history(lattice: &Diagonal, text: &str, offset: usize) -> Result<Vec<Move>, ParseError> {
    let (mut moves, mut at) = (Vec::new(), 0);
    if text == "-" {
        return Ok(moves);
    }
    for part in text.split(',') {
        match read_move(lattice, part, offset + at)? {
            (mv, None) => moves.push(mv),
            (_, Some(_)) => return fail(offset + at + 7, "a move of the history hits nothing"),
        }
        at += part.len() + 1;
    }
    Ok(moves)
}

/// Reads the stones of both sides as `[…]x[…]`.
fn read_board(
    lattice: &Diagonal,
    text: &str,
    notation: DiagonalNotation,
    offset: usize,
) -> Result<ByPlayer<CellSet>, ParseError> {
    let mut stones = ByPlayer::new(CellSet::new(), CellSet::new());
    let mut at = 0;
    for (player, opening) in [(Player::First, "["), (Player::Second, "x[")] {
        let rest = text.get(at..).unwrap_or("");
        if !rest.starts_with(opening) {
            let whose = if player == Player::First { "before" } else { "after" };
            return fail(offset + at, format!("expected `{opening}` {whose} blue's stones"));
        }
        at += opening.len();
        let Some(length) = text[at..].find(']') else {
            return fail(offset + text.len(), "expected `]` at the end of a list");
        };
        let list = &text[at..at + length];
        let mut place = at;
        for part in list.split(',').filter(|_| !list.is_empty()) {
            let name = part.trim_matches(' ');
            let begin = offset + place + (part.len() - part.trim_start_matches(' ').len());
            let cell = notation.parse(lattice, name);
            let cell = cell.or_else(|e| fail(begin + e.at(), e.to_string()))?;
            if !stones[player].insert(cell) {
                return fail(begin, format!("{name} is there twice"));
            }
            place += part.len() + 1;
        }
        at += length + 1;
    }
    if at < text.len() {
        return fail(offset + at, format!("expected the end, found `{}`", head(&text[at..])));
    }
    Ok(stones)
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
