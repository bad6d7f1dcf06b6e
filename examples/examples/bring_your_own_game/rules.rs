//! The rules of Connect Four.

use stonework_game::{Game, Outcome, Player};

/// A bit a cell, in columns of `height + 1` bits from the bottom; who moves follows from the count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ConnectFour {
    pub(crate) width: u8,
    pub(crate) height: u8,
    /// The stones of both sides, and those of the first one.
    pub(crate) stones: [u64; 2],
    pub(crate) won: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("column {0} is full or not there, or the game is over")]
pub(crate) struct NoRoom(u8);

impl ConnectFour {
    /// The lowest free cell of a column, as a bit.
    fn free(&self, column: u8) -> Option<u64> {
        let bottom = 1 << (column * (self.height + 1));
        let top = bottom << self.height;
        // Adding a bit at the bottom carries it above the stones.
        let cell = (self.stones[0] & (top - bottom)) + bottom;
        (cell != top).then_some(cell)
    }

    fn four(&self, set: u64) -> bool {
        let column = u32::from(self.height) + 1;
        [1, column - 1, column, column + 1].iter().any(|step| {
            let pairs = set & set >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

impl Game for ConnectFour {
    type Move = u8;
    type Undo = Self;
    type Illegal = NoRoom;

    fn to_move(&self) -> Player {
        Player::BOTH[(self.stones[0].count_ones() % 2) as usize]
    }

    fn outcome(&self) -> Option<Outcome> {
        let full = self.stones[0].count_ones() == u32::from(self.width * self.height);
        if self.won { Some(Outcome::Win(!self.to_move())) } else { full.then_some(Outcome::Draw) }
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        out.extend((0..self.width).filter(|&column| self.check(column).is_ok()));
    }

    fn check(&self, column: u8) -> Result<(), NoRoom> {
        let room = !self.won && column < self.width && self.free(column).is_some();
        room.then_some(()).ok_or(NoRoom(column))
    }

    fn play_unchecked(&mut self, column: u8) -> Self {
        let before = *self;
        self.stones[0] |= self.free(column).unwrap_or(0);
        let first = before.to_move() == Player::First;
        self.stones[1] |= if first { self.stones[0] ^ before.stones[0] } else { 0 };
        self.won = self.four(self.stones[1] ^ if first { 0 } else { self.stones[0] });
        before
    }

    fn undo(&mut self, before: Self) {
        *self = before;
    }
}
