//! [`FullTree`]: a search of the whole game tree.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_game::{Game, below};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{Limits, Minimax};

/// "Full game tree searching" (§2.2, §3.2, §4.2): the first move with the best of the values 1, 0 and −1.
///
/// The report's program builds the tree once and keeps it; this player walks the tree again for each move, which gives
/// the same values. All wins have the same value, however long they take. The tree of a position with n empty cells
/// has at most n! + n!/1! + n!/2! + … positions. If that number exceeds the limit of nodes, or if another limit ends
/// the walk, the move is a random cell, while the player of the report would think for ever. The limit of nodes is a
/// million if none is set, which is enough for nine empty cells.
#[derive(Clone, Debug)]
pub struct FullTree {
    limits: Limits,
    rng: Xoshiro256PlusPlus,
}

impl FullTree {
    /// A player that walks trees within the limits; its random moves come from `seed`.
    #[must_use]
    pub fn new(limits: Limits, seed: u64) -> Self {
        let nodes = limits.nodes.unwrap_or(1_000_000);
        Self { limits: limits.nodes(nodes), rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The first best move by the whole tree, if the limits allow the walk.
    fn perfect(&self, game: &Position, clock: &Clock) -> Option<Move> {
        let moves = game.empty_cells().count() as u64 + u64::from(game.swap_enabled());
        // The sum over k of n!/k!, from the inside: 1 + n (1 + (n − 1) (1 + …)).
        let most = (1..=moves).try_fold(1_u64, |below, n| below.checked_mul(n)?.checked_add(1));
        if most.is_none_or(|most| self.limits.nodes.is_some_and(|limit| most > limit)) {
            return None;
        }
        let mut limits = self.limits.clone();
        limits.time = limits.time.into_iter().chain(clock.share(moves as u32 / 2)).min();
        let tree = Minimax::new(()).tree(game, &limits);
        let value = tree.bounds.value()?;
        tree.replies.iter().find(|reply| reply.bounds.value() == Some(value)).map(|reply| reply.mv)
    }
}

impl Agent<Position> for FullTree {
    /// A player without memory of a game: the next game goes on with the random numbers of the last.
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Position, clock: &Clock) -> Option<Decision<Move>> {
        if game.outcome().is_some() {
            return None;
        }
        let any = |rng: &mut Xoshiro256PlusPlus| {
            let open = game.empty_cells().count();
            game.empty_cells().nth(below(rng, open)).map(Move::Place)
        };
        self.perfect(game, clock).or_else(|| any(&mut self.rng)).map(Decision::Play)
    }
}
