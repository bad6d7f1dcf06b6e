//! [`Judge`]: what a position answers at first sight.

use std::marker::PhantomData;

use stonework_game::{Game, Outcome};

use super::numbers::{MOST, Numbers, Question};
use crate::{Tactics, Verdict};

/// What a position that was not searched yet counts for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Initial {
    /// One for a proof and one for a disproof.
    One,
    /// As many as there are moves that must be refuted: few moves are soon refuted. Where
    /// [`Tactics`] leave only some moves, those count. [`Tactics::estimate`] may know better.
    #[default]
    Moves,
}

/// The first look at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look<M> {
    /// The answer, with the move that brings it about if the side to move has one.
    Decided(bool, Option<M>),
    /// Not decided.
    Open(Numbers),
}

impl<M> Look<M> {
    pub(crate) const fn numbers(&self) -> Numbers {
        match *self {
            Self::Decided(answer, _) => Numbers::answer(answer),
            Self::Open(numbers) => numbers,
        }
    }
}

/// How the moves of a position are to be tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Listed {
    /// All of them.
    All,
    /// Some; the others lose for who makes them.
    Some,
    /// There are none though the game is not over. A game that does this breaks its promises; nobody
    /// has won.
    Stuck,
}

/// Looks at positions for one thread.
#[derive(Debug)]
pub(crate) struct Judge<G: Game, T> {
    pub(crate) tactics: T,
    initial: Initial,
    only: Vec<G::Move>,
    game: PhantomData<G>,
}

impl<G: Game, T: Tactics<G>> Judge<G, T> {
    pub(crate) const fn new(tactics: T, initial: Initial) -> Self {
        Self { tactics, initial, only: Vec::new(), game: PhantomData }
    }

    /// Looks at a position so many plies from the root.
    #[inline]
    pub(crate) fn look(&mut self, game: &mut G, question: &Question, ply: u32) -> Look<G::Move> {
        if let Some(outcome) = game.outcome() {
            return Look::Decided(outcome == Outcome::Win(question.who), None);
        }
        let asker_moves = game.to_move() == question.who;
        let refutations = match self.probe(game) {
            Verdict::Win(mv) => return Look::Decided(asker_moves, Some(mv)),
            Verdict::Loss => return Look::Decided(!asker_moves, None),
            Verdict::Never(who) if who == question.who => return Look::Decided(false, None),
            Verdict::Draw => return Look::Decided(false, None),
            Verdict::Only if self.only.is_empty() => return Look::Decided(!asker_moves, None),
            Verdict::Only => Some(self.only.len()),
            Verdict::Never(_) | Verdict::Open => None,
        };
        if let Some(frontier) = question.frontier
            && ply >= frontier.plies
        {
            return Look::Decided(frontier.answer, None);
        }
        let numbers = match self.initial {
            Initial::One => (1, 1),
            Initial::Moves => {
                let moves = refutations.unwrap_or_else(|| {
                    let mut count = Count(0);
                    game.legal_moves(&mut count);
                    count.0
                });
                self.tactics.estimate(game, moves.clamp(1, MOST as usize) as u32)
            }
        };
        let (want, refute) = (numbers.0.clamp(1, MOST), numbers.1.clamp(1, MOST));
        Look::Open(Numbers::from_seen((want, refute), asker_moves))
    }

    /// Appends the moves that need to be tried in a position that was just [looked](Judge::look) at and is open.
    pub(crate) fn looked(&self, game: &G, moves: &mut Vec<G::Move>) {
        if self.only.is_empty() {
            game.legal_moves(moves);
        } else {
            moves.extend(self.only.iter().filter(|&&mv| game.check(mv).is_ok()));
        }
    }

    /// Appends the moves that need to be tried in a position that is not over.
    pub(crate) fn list(&mut self, game: &mut G, moves: &mut Vec<G::Move>) -> Listed {
        let before = moves.len();
        match self.probe(game) {
            Verdict::Win(mv) if game.check(mv).is_ok() => {
                moves.push(mv);
                return Listed::Some;
            }
            Verdict::Only => {
                moves.extend(self.only.iter().filter(|&&mv| game.check(mv).is_ok()));
                return Listed::Some;
            }
            _ => {}
        }
        game.legal_moves(moves);
        if moves.len() > before {
            return Listed::All;
        }
        debug_assert!(game.outcome().is_some(), "no outcome and no moves: {game:?}");
        Listed::Stuck
    }

    fn probe(&mut self, game: &mut G) -> Verdict<G::Move> {
        self.only.clear();
        self.tactics.probe(game, &mut self.only)
    }
}

/// Counts moves without keeping them.
struct Count(usize);

impl<M> Extend<M> for Count {
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        self.0 += moves.into_iter().count();
    }
}
