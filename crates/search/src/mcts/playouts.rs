//! [`RandomPlayout`] and [`ReplyPlayout`]: playouts for any game.

use rand_core::RngCore;
use stonework_game::{ByPlayer, Game, Indexed, Outcome, Player, below};

use crate::PlayoutPolicy;

/// Uniformly random moves to the end, for any game whose moves have numbers.
///
/// A game that has not ended after the given number of plies counts as a draw, which matters for games that may
/// never end. While most move numbers belong to legal moves, the cost of a ply is one or two random numbers with
/// their checks, and a list of the legal moves if the checks fail; with fewer legal moves, the cost of each ply is
/// a list. A game's own playout board is many times faster.
#[derive(Clone, Debug)]
pub struct RandomPlayout<G: Game> {
    plies: u32,
    game: Option<G>,
    moves: Vec<G::Move>,
    trace: Vec<(Player, G::Move)>,
}

/// The count of move numbers that are drawn before the moves are listed.
const GUESSES: usize = 2;

impl<G: Game> RandomPlayout<G> {
    /// Playouts of at most `plies` plies.
    #[must_use]
    pub const fn new(plies: u32) -> Self {
        Self { plies, game: None, moves: Vec::new(), trace: Vec::new() }
    }
}

impl<G: Indexed> RandomPlayout<G> {
    /// Plays a game to the end. `policy` may choose a move from the last move and the position.
    fn play(
        &mut self,
        from: &G,
        rng: &mut impl RngCore,
        policy: impl Fn(Option<(Player, G::Move)>, &G) -> Option<G::Move>,
    ) -> f32 {
        self.trace.clear();
        let game = match &mut self.game {
            Some(game) => {
                game.clone_from(from);
                game
            }
            none => none.insert(from.clone()),
        };
        let numbers = game.index_len();
        let mut guesses = GUESSES;
        for _ in 0..self.plies {
            let mv = policy(self.trace.last().copied(), game).or_else(|| {
                let mut guess = || game.move_at(below(rng, numbers)).filter(|&mv| game.check(mv).is_ok());
                (0..guesses).find_map(|_| guess()).or_else(|| {
                    self.moves.clear();
                    game.legal_moves(&mut Inside(&mut self.moves));
                    guesses = if 2 * self.moves.len() < numbers { 0 } else { GUESSES };
                    self.moves.get(below(rng, self.moves.len())).copied()
                })
            });
            let Some(mv) = mv else { break };
            self.trace.push((game.to_move(), mv));
            game.play_unchecked(mv);
        }
        result(game.outcome())
    }
}

/// A list that is extended by the iterator's own loop, which is often faster than the loop of the list.
struct Inside<'a, M>(&'a mut Vec<M>);

impl<M> Extend<M> for Inside<'_, M> {
    #[inline]
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        moves.into_iter().for_each(|mv| self.0.push(mv));
    }
}

/// The result for the first player; a game that is not over counts as a draw.
fn result(outcome: Option<Outcome>) -> f32 {
    outcome.map_or(0.0, |outcome| outcome.value_for(Player::First) as f32)
}

impl<G: Indexed> PlayoutPolicy<G> for RandomPlayout<G> {
    fn run(&mut self, from: &G, rng: &mut impl RngCore) -> f32 {
        self.play(from, rng, |_, _| None)
    }

    fn trace(&self) -> impl Iterator<Item = (Player, G::Move)> + '_ {
        self.trace.iter().copied()
    }
}

/// Last good reply, with forgetting (Baier and Drake 2010), for any game whose moves have numbers.
///
/// Moves are random, but the winner's replies of earlier playouts are repeated after the same moves if they are
/// legal. The loser's replies are forgotten; a draw changes nothing. The first move of a playout is always random,
/// since a playout does not get the move before its first move.
#[derive(Clone, Debug)]
pub struct ReplyPlayout<G: Game> {
    inner: RandomPlayout<G>,
    /// The last good replies, by the side that replies and the number of the move before the reply.
    replies: ByPlayer<Vec<Option<G::Move>>>,
}

impl<G: Indexed> ReplyPlayout<G> {
    /// Playouts of at most `plies` plies.
    #[must_use]
    pub const fn new(plies: u32) -> Self {
        Self { inner: RandomPlayout::new(plies), replies: ByPlayer::new(Vec::new(), Vec::new()) }
    }
}

impl<G: Indexed> PlayoutPolicy<G> for ReplyPlayout<G> {
    fn run(&mut self, from: &G, rng: &mut impl RngCore) -> f32 {
        let Self { inner, replies } = self;
        for player in Player::BOTH {
            if replies[player].len() < from.index_len() {
                replies[player].resize(from.index_len(), None);
            }
        }
        let result = inner.play(from, rng, |before, game| {
            let known = replies[game.to_move()].get(game.move_index(before?.1))?;
            known.filter(|&mv| game.check(mv).is_ok())
        });
        for pair in inner.trace.windows(2) {
            let [(_, before), (player, reply)] = *pair else { continue };
            let Some(known) = replies[player].get_mut(from.move_index(before)) else { continue };
            let won = if player == Player::First { result } else { -result };
            if won > 0.0 {
                *known = Some(reply);
            } else if won < 0.0 && *known == Some(reply) {
                *known = None;
            }
        }
        result
    }

    fn trace(&self) -> impl Iterator<Item = (Player, G::Move)> + '_ {
        self.inner.trace()
    }
}
