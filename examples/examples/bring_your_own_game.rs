//! Connect Four, defined here in a page, gets every engine by implementing the traits.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example bring_your_own_game
//! laws      kept in 20 random games
//! perft     7 49 343 2401 16807 117649 823536
//! alphabeta first move 3, value 1 to depth 8
//! mcts      first move 3 after 20000 simulations
//! on 4x4 everybody finds a draw: alphabeta mcts pn dfpn
//! ```

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, Player, laws, perft};
use stonework_search::{AlphaBeta, Dfpn, Engine, Flat, Limits, Mcts, Pn, RandomPlayout, Settings};

/// A bit a cell, in columns of `height + 1` bits from the bottom; who moves follows from the count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ConnectFour {
    width: u8,
    height: u8,
    /// The stones of both sides, and those of the first one.
    stones: [u64; 2],
    won: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("column {0} is full or not there, or the game is over")]
struct NoRoom(u8);

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

/// No position comes back, and every game ends: what proof numbers ask for.
impl Finite for ConnectFour {}

impl Keyed for ConnectFour {
    fn key(&self) -> u64 {
        let size = u64::from(self.width) << 8 | u64::from(self.height);
        let word = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        word(word(word(size) ^ self.stones[0]) ^ self.stones[1])
    }
}

impl Indexed for ConnectFour {
    fn index_len(&self) -> usize {
        self.width.into()
    }

    fn move_index(&self, column: u8) -> usize {
        column.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        u8::try_from(index).ok().filter(|&column| column < self.width)
    }
}

/// Cells near the middle column are worth more.
fn evaluate(game: &ConnectFour) -> i32 {
    let worth = |set: u64| -> i32 {
        let stones = |c: u8| (set >> (c * (game.height + 1)) & ((1 << game.height) - 1)).count_ones() as i32;
        (0..game.width).map(|c| stones(c) * i32::from(c.min(game.width - 1 - c))).sum()
    };
    let lead = worth(game.stones[1]) - worth(game.stones[0] ^ game.stones[1]);
    if game.to_move() == Player::First { lead } else { -lead }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = ConnectFour { width: 7, height: 6, stones: [0; 2], won: false };
    laws::keyed(&game, &mut Xoshiro256PlusPlus::seed_from_u64(1), 20)?;
    println!("laws      kept in 20 random games");
    let counts: Vec<u64> = (1..=7).map(|depth| perft(&game, depth).nodes).collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16807, 117_649, 823_536]);
    println!("perft     {}", counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
    let report = AlphaBeta::new(evaluate).search(&game, &Limits::none().depth(8), 0, &mut |_| {});
    println!("alphabeta first move {:?}, value {} to depth 8", report.best.ok_or("no move")?, report.value);
    let mut mcts = Mcts::new(Settings::uct(), RandomPlayout::new(100))?;
    let report = mcts.search(&game, &Limits::none().simulations(20_000), 1, &mut |_| {});
    assert_eq!(report.best, Some(3), "the middle column");
    println!("mcts      first move 3 after {} simulations", report.simulations);
    let small = ConnectFour { width: 4, height: 4, ..game };
    let engines: [(&str, Box<dyn Engine<ConnectFour>>); 4] = [
        ("alphabeta", Box::new(AlphaBeta::new(Flat))),
        ("mcts", Box::new(mcts)),
        ("pn", Box::new(Pn::new())),
        ("dfpn", Box::new(Dfpn::new())),
    ];
    print!("on 4x4 everybody finds a draw:");
    for (name, mut engine) in engines {
        let report = engine.search(&small, &Limits::none(), 1, &mut |_| {});
        assert_eq!(report.proof, Some(Outcome::Draw), "{name}");
        print!(" {name}");
    }
    println!();
    Ok(())
}
