//! [`Nim`]: a small game for the examples of all crates whose code works with any game.
//!
//! ```
//! use stonework_game::{Game, Outcome, Player, example::Nim};
//! let mut nim = Nim::new(3);
//! nim.play(2)?;
//! nim.play(1)?;
//! assert_eq!(nim.outcome(), Some(Outcome::Win(Player::Second)));
//! # Ok::<(), stonework_game::example::CannotTake>(())
//! ```

use std::fmt;

use crate::{Finite, Game, Indexed, Keyed, Outcome, ParseError, Player, Textual, text};

/// Nim with one heap: a move takes one or two stones, and the side that takes the last stone wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nim {
    left: u8,
    to_move: Player,
}

/// The refusal of a move that takes neither one nor two stones, or more than are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot take {take} of {left}: one or two at a time")]
pub struct CannotTake {
    take: u8,
    left: u8,
}

impl Nim {
    /// A heap of `left` stones; the first player is to move.
    #[must_use]
    pub const fn new(left: u8) -> Self {
        Self { left, to_move: Player::First }
    }

    /// The size of the heap.
    #[must_use]
    pub const fn left(&self) -> u8 {
        self.left
    }
}

impl Game for Nim {
    type Move = u8;
    type Undo = u8;
    type Illegal = CannotTake;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(self.to_move.other()))
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        out.extend(1..=self.left.min(2));
    }

    fn check(&self, take: u8) -> Result<(), CannotTake> {
        let legal = (1..=self.left.min(2)).contains(&take);
        if legal { Ok(()) } else { Err(CannotTake { take, left: self.left }) }
    }

    fn play_unchecked(&mut self, take: u8) -> u8 {
        self.left -= take;
        self.to_move = self.to_move.other();
        take
    }

    fn undo(&mut self, take: u8) {
        self.left += take;
        self.to_move = self.to_move.other();
    }
}

impl Finite for Nim {}

impl Keyed for Nim {
    fn key(&self) -> u64 {
        (u64::from(self.left) * 2 + self.to_move.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Indexed for Nim {
    fn index_len(&self) -> usize {
        2
    }

    fn move_index(&self, take: u8) -> usize {
        usize::from(take) - 1
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        (index < 2).then_some(index as u8 + 1)
    }
}

/// Moves are `1` and `2`; positions are `LEFT SIDE`, such as `7 first`.
impl Textual for Nim {
    fn write_move(&self, take: u8, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{take}")
    }

    fn parse_move(&self, text: &str) -> Result<u8, ParseError> {
        match text {
            "1" => Ok(1),
            "2" => Ok(2),
            _ => Err(ParseError::new(0, "a move is 1 or 2")),
        }
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{} {}", self.left, if self.to_move == Player::First { "first" } else { "second" })
    }

    fn parse_position(line: &str) -> Result<Self, ParseError> {
        let [(left, _), (side, at)] = text::fields(line);
        let left = text::number(left).ok_or_else(|| ParseError::new(0, "expected a heap of 0 to 255"))?;
        let to_move = match side {
            "first" => Player::First,
            "second" => Player::Second,
            _ => return Err(ParseError::new(at, "expected `first` or `second` to move")),
        };
        Ok(Self { left, to_move })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    #[test]
    fn the_example_keeps_every_law() {
        for left in [1, 2, 7, 255] {
            let nim = Nim::new(left);
            laws::game(&nim, 1, 20).unwrap();
            laws::keyed(&nim, 1, 20).unwrap();
            laws::finite(&nim, 1, 20).unwrap();
            laws::indexed(&nim, 1, 20).unwrap();
            laws::notation(&nim, 1, 20).unwrap();
        }
        for text in ["", "7", "07 first", "+7 first", "256 first", "7  first", "7 third", "7 first "] {
            assert!(Nim::parse_position(text).is_err_and(|error| error.at <= text.len()), "{text}");
        }
        assert!(["", "0", "3", "01", " 1"].into_iter().all(|text| Nim::new(7).parse_move(text).is_err()));
    }
}
