//! [`PlayoutCounter`] and [`PlayoutRunner`] play random games of a game that is chosen at run time; [`PlayoutCounts`] are the results.

use std::fmt;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_game::{ByPlayer, Indexed, Player};
use stonework_search::{PlayoutPolicy, RandomPlayout};

use crate::{AnyPosition, Description};

/// The result of a random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomGame {
    /// The winner; `None` for a draw, and for a game that was stopped at a limit of plies.
    pub winner: Option<Player>,
    /// The number of moves.
    pub plies: u32,
    /// The kinds of win that the last move made: bit n is set for kind n of [`Description::kinds`](crate::Description::kinds).
    pub kinds: u32,
}

/// Plays random games from one position, one after the other.
pub trait PlayoutRunner: Send {
    /// Plays one game to its end, or to a limit of plies.
    fn play(&mut self, rng: &mut Xoshiro256PlusPlus) -> RandomGame;
}

/// The number of plies after which an unfinished random game counts as a draw.
const MAX_PLIES: u32 = 10_000;

/// Plays uniformly random games by the rules of any game, without counting kinds of win.
pub(crate) struct RandomRunner<G: Indexed> {
    root: G,
    playout: RandomPlayout<G>,
}

impl<G: Indexed> From<&G> for RandomRunner<G> {
    fn from(root: &G) -> Self {
        Self { root: root.clone(), playout: RandomPlayout::new(MAX_PLIES) }
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

/// The results of random games of one position.
///
/// Counts of several [`PlayoutCounter`]s are added up by [`PlayoutCounts::add`], in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayoutCounts {
    /// The number of games.
    pub games: u64,
    /// The number of moves of all games together.
    pub plies: u64,
    /// The number of games that each side has won.
    pub wins: ByPlayer<u64>,
    /// The number of games without a winner.
    pub draws: u64,
    /// The name of each [kind of win](Description::kinds), with the number of games whose last move made a win of that kind. One
    /// game may count under several kinds. The list is empty for a game type with one kind of win.
    pub kinds: Vec<(&'static str, u64)>,
}

impl PlayoutCounts {
    /// Counts of no games.
    #[must_use]
    pub fn new(game: &Description) -> Self {
        Self { kinds: game.kinds.iter().map(|&kind| (kind, 0)).collect(), ..Self::default() }
    }

    /// Counts one game.
    pub fn count(&mut self, game: RandomGame) {
        self.games += 1;
        self.plies += u64::from(game.plies);
        match game.winner {
            Some(player) => self.wins[player] += 1,
            None => self.draws += 1,
        }
        for (number, (_, count)) in self.kinds.iter_mut().enumerate() {
            *count += u64::from(game.kinds >> number & 1);
        }
    }

    /// Adds other counts, which must be those of the same game type.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        for player in Player::BOTH {
            self.wins[player] += other.wins[player];
        }
        self.draws += other.draws;
        for ((_, count), (_, more)) in self.kinds.iter_mut().zip(&other.kinds) {
            *count += more;
        }
    }

    /// The share of `games` in all games, from 0 to 1; 0 before the first game.
    #[must_use]
    pub fn share(&self, games: u64) -> f64 {
        games as f64 / self.games.max(1) as f64
    }
}

/// Plays random games from one position and counts their results.
///
/// Several threads can share the work: each thread has a counter with another `part` of the same seed, and so has random numbers
/// of its own. [`PlayoutCounts::add`] adds up their counts.
///
/// ```
/// use stonework_session::{PlayoutCounter, Registry, Start};
/// let root = Registry::standard().game("havannah")?.start(&Start::of_size(4))?;
/// let mut counter = PlayoutCounter::new(&root, 1, 0);
/// counter.play(100);
/// let counts = counter.counts();
/// assert_eq!(counts.games, counts.wins.first + counts.wins.second + counts.draws);
/// assert_eq!(counts.kinds.iter().map(|&(kind, _)| kind).collect::<Vec<_>>(), ["ring", "bridge", "fork"]);
///
/// // The same seed and the same part give the same games.
/// let mut again = PlayoutCounter::new(&root, 1, 0);
/// (0..10).for_each(|_| again.play(10));
/// assert_eq!(again.counts(), counts);
/// # Ok::<(), stonework_session::Fault>(())
/// ```
pub struct PlayoutCounter {
    runner: Box<dyn PlayoutRunner>,
    rng: Xoshiro256PlusPlus,
    counts: PlayoutCounts,
}

impl PlayoutCounter {
    /// A counter of games from `root`, which must not be over. Its random numbers are those of `seed` from number `part` · 2¹²⁸ on.
    /// O(part).
    #[must_use]
    pub fn new(root: &AnyPosition, seed: u64, part: u16) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..part).for_each(|_| rng.jump());
        Self { runner: root.playouts(), rng, counts: PlayoutCounts::new(&root.description()) }
    }

    /// Plays and counts `games` more games.
    pub fn play(&mut self, games: u64) {
        (0..games).for_each(|_| self.counts.count(self.runner.play(&mut self.rng)));
    }

    /// The counts so far.
    #[must_use]
    pub const fn counts(&self) -> &PlayoutCounts {
        &self.counts
    }

    /// The final counts.
    #[must_use]
    pub fn into_counts(self) -> PlayoutCounts {
        self.counts
    }
}

impl fmt::Debug for PlayoutCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayoutCounter").field("counts", &self.counts).finish_non_exhaustive()
    }
}
