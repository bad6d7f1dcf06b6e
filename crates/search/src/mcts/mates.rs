//! [`Mates`]: wins in one and forced replies, for any game.

use stonework_game::{Game, Outcome, Player};

use crate::{ProofTactics, Tactics, Verdict};

/// Finds wins in one by trying every move, and forced replies by trying every answer.
///
/// With the answers, the cost of each probe is the square of the number of moves: the answers are for games with
/// few moves. A game that knows its winning moves has better tactics of its own.
#[derive(Clone, Debug)]
pub struct Mates<G: Game> {
    answers: bool,
    moves: Vec<G::Move>,
    replies: Vec<G::Move>,
}

impl<G: Game> Mates<G> {
    /// Tactics that find only wins in one.
    #[must_use]
    pub const fn in_one() -> Self {
        Self { answers: false, moves: Vec::new(), replies: Vec::new() }
    }

    /// Tactics that find wins in one, and the moves after which the opponent has no win in one.
    #[must_use]
    pub const fn and_answers() -> Self {
        Self { answers: true, moves: Vec::new(), replies: Vec::new() }
    }

    /// `true` if the opponent of `side` has won, or can win with the next move.
    fn lost(&mut self, game: &mut G, side: Player) -> bool {
        let loss = Some(Outcome::Win(side.other()));
        if game.outcome().is_some() || game.to_move() == side {
            return game.outcome() == loss;
        }
        self.replies.clear();
        game.legal_moves(&mut self.replies);
        self.replies.iter().any(|&reply| {
            let undo = game.play_unchecked(reply);
            let outcome = game.outcome();
            game.undo(undo);
            outcome == loss
        })
    }
}

impl<G: Game> Tactics<G> for Mates<G> {
    fn probe(&mut self, game: &mut G, only: &mut Vec<G::Move>) -> Verdict<G::Move> {
        let side = game.to_move();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.legal_moves(&mut moves);
        let wins = |mv: &G::Move, game: &mut G| {
            let undo = game.play_unchecked(*mv);
            let outcome = game.outcome();
            game.undo(undo);
            outcome == Some(Outcome::Win(side))
        };
        let win = moves.iter().copied().find(|mv| wins(mv, game));
        if win.is_none() && self.answers {
            only.extend(moves.iter().filter(|&&mv| {
                let undo = game.play_unchecked(mv);
                let lost = self.lost(game, side);
                game.undo(undo);
                !lost
            }));
        }
        let verdict = match win {
            Some(mv) => Verdict::Win(mv),
            None if !self.answers || only.len() == moves.len() => Verdict::Open,
            None if only.is_empty() => Verdict::Loss,
            None => Verdict::Only,
        };
        self.moves = moves;
        verdict
    }
}

impl<G: Game> ProofTactics<G> for Mates<G> {}
