//! [`PlayoutRunner`]: random games of a game that is chosen at run time.

use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_game::{Indexed, Player};
use stonework_search::{PlayoutPolicy, RandomPlayout};

/// The result of one random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomGame {
    /// The winner; `None` for a draw, and for a game that was stopped.
    pub winner: Option<Player>,
    /// The number of moves.
    pub plies: u32,
    /// The kinds of win of the last move: bit n for kind n of [`Description::kinds`](crate::Description::kinds).
    pub kinds: u32,
}

/// Plays random games from one position, one after the other.
pub trait PlayoutRunner: Send {
    /// Plays one game to its end.
    fn play(&mut self, rng: &mut Xoshiro256PlusPlus) -> RandomGame;
}

/// The plies after which a random game that goes on counts as a draw. Cachex ends by itself after 343.
const PLIES: u32 = 10_000;

/// Random games of any game by its rules.
pub(crate) struct RandomRunner<G: Indexed> {
    root: G,
    playout: RandomPlayout<G>,
}

impl<G: Indexed> From<&G> for RandomRunner<G> {
    fn from(root: &G) -> Self {
        Self { root: root.clone(), playout: RandomPlayout::new(PLIES) }
    }
}

impl<G: Indexed> PlayoutRunner for RandomRunner<G> {
    fn play(&mut self, rng: &mut Xoshiro256PlusPlus) -> RandomGame {
        let value = self.playout.run(&self.root, rng);
        let winner = match value {
            value if value > 0.5 => Some(Player::First),
            value if value < -0.5 => Some(Player::Second),
            _ => None,
        };
        RandomGame { winner, plies: self.playout.trace().count() as u32, kinds: 0 }
    }
}
