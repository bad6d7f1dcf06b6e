//! Tic-tac-toe for tests of proofs, with two spellings of an empty cell in its text form.

use std::fmt;

use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, ParseError, Player, Textual};

#[derive(Debug, thiserror::Error)]
#[error("no such move")]
pub(crate) struct Illegal;

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Tic-tac-toe with a text form: nine characters `.`, `x`, `o`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Noughts {
    pub(crate) stones: [u16; 2],
}

impl Noughts {
    pub(crate) fn has_line(stones: u16) -> bool {
        LINES.iter().any(|line| stones & line == *line)
    }
}

impl Game for Noughts {
    type Move = u8;
    type Undo = u8;
    type Illegal = Illegal;

    fn to_move(&self) -> Player {
        Player::BOTH[((self.stones[0] | self.stones[1]).count_ones() % 2) as usize]
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = |p: &Player| Self::has_line(self.stones[p.index()]);
        let winner = Player::BOTH.into_iter().find(won).map(Outcome::Win);
        winner.or_else(|| (self.stones[0] | self.stones[1] == 0o777).then_some(Outcome::Draw))
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        if self.outcome().is_none() {
            out.extend((0..9).filter(|i| (self.stones[0] | self.stones[1]) >> i & 1 == 0));
        }
    }

    fn check(&self, mv: u8) -> Result<(), Illegal> {
        let free = mv < 9 && (self.stones[0] | self.stones[1]) >> mv & 1 == 0;
        if free && self.outcome().is_none() { Ok(()) } else { Err(Illegal) }
    }

    fn play_unchecked(&mut self, mv: u8) -> u8 {
        self.stones[self.to_move().index()] |= 1 << mv;
        mv
    }

    fn undo(&mut self, mv: u8) {
        self.stones = self.stones.map(|set| set & !(1 << mv));
    }
}

impl Finite for Noughts {}

impl Keyed for Noughts {
    fn key(&self) -> u64 {
        u64::from(self.stones[0]) << 9 | u64::from(self.stones[1])
    }
}

impl Indexed for Noughts {
    fn index_len(&self) -> usize {
        9
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        (index < 9).then_some(index as u8)
    }
}

impl Textual for Noughts {
    fn write_move(&self, mv: u8, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{mv}")
    }

    fn parse_move(&self, text: &str) -> Result<u8, ParseError> {
        text.parse().map_err(|e| ParseError { at: 0, what: format!("{e}") })
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        (0..9).try_for_each(|i| {
            let at = |side: usize| self.stones[side] >> i & 1 != 0;
            w.write_char(if at(0) {
                'x'
            } else if at(1) {
                'o'
            } else {
                '.'
            })
        })
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let mut game = Self::default();
        if text.len() != 9 {
            return Err(ParseError { at: text.len(), what: "expected nine characters".into() });
        }
        for (at, c) in text.bytes().enumerate() {
            match c {
                b'x' => game.stones[0] |= 1 << at,
                b'o' => game.stones[1] |= 1 << at,
                b'.' | b'-' => {}
                _ => return Err(ParseError { at, what: "expected `.`, `x` or `o`".into() }),
            }
        }
        Ok(game)
    }
}
