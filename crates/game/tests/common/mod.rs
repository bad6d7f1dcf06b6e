//! Tic-tac-toe in a short form: the game of these tests.

use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, ParseError, Player, Sym, Textual};

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// A position: one bit a square for each side; squares 0–8 row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct TicTacToe {
    stones: [u16; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is taken, off the board, or the game is over")]
pub(crate) struct Taken(pub(crate) u8);

impl TicTacToe {
    fn full(self) -> u16 {
        self.stones[0] | self.stones[1]
    }

    fn image(set: u16, sym: u8) -> u16 {
        (0..9).filter(|&i| set >> i & 1 == 1).map(|i| 1 << turn(i, sym)).sum()
    }
}

/// The image of a square under a symmetry: bit 2 transposes, the low bits then turn by quarters.
pub(crate) fn turn(square: u8, sym: u8) -> u8 {
    let (mut row, mut column) = (square / 3, square % 3);
    if sym & 4 != 0 {
        (row, column) = (column, row);
    }
    for _ in 0..sym & 3 {
        (row, column) = (column, 2 - row);
    }
    3 * row + column
}

impl Game for TicTacToe {
    type Move = u8;
    type Undo = u8;
    type Illegal = Taken;

    fn to_move(&self) -> Player {
        Player::BOTH[(self.full().count_ones() % 2) as usize]
    }

    fn outcome(&self) -> Option<Outcome> {
        let has = |p: Player| LINES.iter().any(|l| self.stones[p.index()] & l == *l);
        Player::BOTH
            .into_iter()
            .find(|&p| has(p))
            .map(Outcome::Win)
            .or_else(|| (self.full() == 0o777).then_some(Outcome::Draw))
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        if self.outcome().is_none() {
            out.extend((0..9).filter(|i| self.full() >> i & 1 == 0));
        }
    }

    fn check(&self, mv: u8) -> Result<(), Taken> {
        let free = mv < 9 && self.full() >> mv & 1 == 0;
        if free && self.outcome().is_none() { Ok(()) } else { Err(Taken(mv)) }
    }

    fn play_unchecked(&mut self, mv: u8) -> u8 {
        self.stones[self.to_move().index()] |= 1 << mv;
        mv
    }

    fn undo(&mut self, mv: u8) {
        self.stones.iter_mut().for_each(|s| *s &= !(1 << mv));
    }
}

impl Finite for TicTacToe {}

fn key([a, b]: [u16; 2]) -> u64 {
    (u64::from(a) << 16 | u64::from(b)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Keyed for TicTacToe {
    fn key(&self) -> u64 {
        key(self.stones)
    }

    fn canonical(&self) -> (u64, Sym) {
        let images = (0..8).map(|s| (key(self.stones.map(|set| Self::image(set, s))), Sym(s)));
        images.min().expect("eight of them")
    }

    fn map_move(&self, to: Sym, mv: u8) -> u8 {
        turn(mv, to.0)
    }

    fn unmap_move(&self, to: Sym, mv: u8) -> u8 {
        (0..9).find(|&i| turn(i, to.0) == mv).expect("a permutation")
    }
}

impl Indexed for TicTacToe {
    fn index_len(&self) -> usize {
        9
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        u8::try_from(index).ok().filter(|&i| i < 9)
    }
}

impl Textual for TicTacToe {
    fn write_move(&self, mv: u8, w: &mut dyn std::fmt::Write) -> std::fmt::Result {
        write!(w, "{mv}")
    }

    fn parse_move(&self, text: &str) -> Result<u8, ParseError> {
        text.parse().map_err(|e| ParseError { at: 0, what: format!("`{text}`: {e}") })
    }

    fn write_position(&self, w: &mut dyn std::fmt::Write) -> std::fmt::Result {
        write!(w, "{:o}/{:o}", self.stones[0], self.stones[1])
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let wrong = |what: &str| ParseError { at: 0, what: format!("`{text}`: {what}") };
        let (a, b) = text.split_once('/').ok_or_else(|| wrong("no `/`"))?;
        let set =
            |s| u16::from_str_radix(s, 8).ok().filter(|s| *s <= 0o777).ok_or_else(|| wrong("no octal set"));
        Ok(Self { stones: [set(a)?, set(b)?] })
    }
}
