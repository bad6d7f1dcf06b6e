//! A game small enough to show in an example.

use crate::{Game, Outcome, Player};

/// Nim with one heap: take one or two; who takes the last one wins. For the examples of this crate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nim {
    left: u8,
    to_move: Player,
}

/// Not one or two, or more than are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot take {take} of {left}: one or two at a time")]
pub struct CannotTake {
    take: u8,
    left: u8,
}

impl Nim {
    /// A heap of `left`.
    #[must_use]
    pub const fn new(left: u8) -> Self {
        Self { left, to_move: Player::First }
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
