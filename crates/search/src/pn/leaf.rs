//! [`LeafEvaluator`]: the proof and disproof numbers of a position that was not searched yet, and the position's
//! moves.

use std::marker::PhantomData;

use stonework_game::{Game, Outcome};

use super::numbers::{MOST, Query};
use super::walk::Answer;
use crate::{ProofNumbers, ProofTactics, Verdict};

/// The proof and disproof numbers of a position that was not searched yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Initial {
    /// Proof number 1 and disproof number 1.
    One,
    /// φ is 1, and δ is the number of moves that must be refuted: few moves are soon refuted. If
    /// [`Tactics`](crate::Tactics) leave only some moves, only these moves count. [`ProofTactics::estimate`] may
    /// return better numbers.
    #[default]
    Moves,
}

/// The evaluation of a position that was not searched yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Evaluation<M> {
    /// The answer, with the deciding move if the side to move has such a move.
    Decided(bool, Option<M>),
    /// The numbers of an open position.
    Open(ProofNumbers),
}

impl<M> Evaluation<M> {
    pub(crate) const fn numbers(&self) -> ProofNumbers {
        match *self {
            Self::Decided(answer, _) => ProofNumbers::answer(answer),
            Self::Open(numbers) => numbers,
        }
    }
}

/// The moves that an expansion lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expansion {
    /// All legal moves.
    All,
    /// Some legal moves; every other move loses for the side that makes it.
    Some,
    /// No moves although the game is not over. Such a game breaks the contract of `Game`; no side has won.
    NoMoves,
}

/// One thread's tactics, and the initial numbers of positions.
#[derive(Debug)]
pub(crate) struct LeafEvaluator<G: Game, Tactic> {
    pub(crate) tactics: Tactic,
    initial: Initial,
    only: Vec<G::Move>,
    game: PhantomData<G>,
}

impl<G: Game, Tactic: ProofTactics<G>> LeafEvaluator<G, Tactic> {
    pub(crate) const fn new(tactics: Tactic, initial: Initial) -> Self {
        Self { tactics, initial, only: Vec::new(), game: PhantomData }
    }

    /// Evaluates a position `ply` plies from the root.
    #[inline]
    pub(crate) fn evaluate(&mut self, game: &mut G, question: &Query, ply: u32) -> Evaluation<G::Move> {
        let decided = self.decide(game, question, ply);
        decided.map_or_else(
            || Evaluation::Open(self.estimate(game, question)),
            |(answer, mv)| Evaluation::Decided(answer, mv),
        )
    }

    /// The answer of a root that is decided without a search, with a legal move if the root has one; otherwise the
    /// root's numbers as `Err`.
    pub(super) fn root(&mut self, game: &mut G, question: &Query) -> Result<Answer<G::Move>, ProofNumbers> {
        match self.evaluate(game, question, 0) {
            Evaluation::Open(numbers) => Err(numbers),
            Evaluation::Decided(answer, mv) => {
                let any = || {
                    let moves = game.moves();
                    moves.first().copied()
                };
                let best = mv.filter(|&mv| game.check(mv).is_ok()).or_else(any);
                Ok(Answer { numbers: ProofNumbers::answer(answer), best })
            }
        }
    }

    /// The answer of a position that outcome, tactics or depth limit decide, with the deciding move if the side to
    /// move has such a move.
    #[inline]
    pub(crate) fn decide(
        &mut self,
        game: &mut G,
        question: &Query,
        ply: u32,
    ) -> Option<(bool, Option<G::Move>)> {
        if let Some(outcome) = game.outcome() {
            return Some((outcome == Outcome::Win(question.who), None));
        }
        let or_node = game.to_move() == question.who;
        match self.probe(game) {
            Verdict::Win(mv) => return Some((or_node, Some(mv))),
            Verdict::Loss => return Some((!or_node, None)),
            Verdict::Never(who) if who == question.who => return Some((false, None)),
            Verdict::Draw => return Some((false, None)),
            Verdict::Only if self.only.is_empty() => return Some((!or_node, None)),
            Verdict::Only | Verdict::Never(_) | Verdict::Open => {}
        }
        question.frontier.filter(|frontier| ply >= frontier.plies).map(|frontier| (frontier.answer, None))
    }

    /// The initial numbers of a position that was just evaluated and is open.
    #[inline]
    fn estimate(&mut self, game: &G, question: &Query) -> ProofNumbers {
        let numbers = match self.initial {
            Initial::One => (1, 1),
            Initial::Moves => {
                let mut moves = Count(self.only.len());
                if self.only.is_empty() {
                    game.legal_moves(&mut moves);
                }
                self.tactics.estimate(game, moves.0.clamp(1, MOST as usize) as u32)
            }
        };
        let (phi, delta) = (numbers.0.clamp(1, MOST), numbers.1.clamp(1, MOST));
        ProofNumbers::from_phi_delta((phi, delta), game.to_move() == question.who)
    }

    /// Appends the moves to try in a position that was just [evaluated](LeafEvaluator::evaluate) and is open.
    pub(crate) fn candidates(&self, game: &G, moves: &mut Vec<G::Move>) {
        if self.only.is_empty() {
            game.legal_moves(moves);
        } else {
            moves.extend(self.only.iter().filter(|&&mv| game.check(mv).is_ok()));
        }
    }

    /// Appends the moves to try in a position that is not over.
    pub(crate) fn expand(&mut self, game: &mut G, moves: &mut Vec<G::Move>) -> Expansion {
        let before = moves.len();
        match self.probe(game) {
            Verdict::Win(mv) if game.check(mv).is_ok() => {
                moves.push(mv);
                return Expansion::Some;
            }
            Verdict::Only => {
                moves.extend(self.only.iter().filter(|&&mv| game.check(mv).is_ok()));
                return Expansion::Some;
            }
            _ => {}
        }
        game.legal_moves(moves);
        if moves.len() > before {
            return Expansion::All;
        }
        debug_assert!(game.outcome().is_some(), "no outcome and no moves: {game:?}");
        Expansion::NoMoves
    }

    fn probe(&mut self, game: &mut G) -> Verdict<G::Move> {
        self.only.clear();
        self.tactics.probe(game, &mut self.only)
    }
}

/// A collection of moves that only counts the moves.
struct Count(usize);

impl<M> Extend<M> for Count {
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        self.0 += moves.into_iter().count();
    }
}
