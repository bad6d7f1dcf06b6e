//! [`BookWalk`]: a game played beside a [`ProofBook`], move by move.

use std::fmt;

use stonework_game::{Finite, Game, Indexed, Keyed, Player, Textual};

use crate::threats::{Immediate, immediate, line_wins};
use crate::{BookEntry, Claim, Goal, ImmediateRules, ProofBook, Why};

/// A game beside a [`ProofBook`]: the walk begins at any position, takes any legal moves, and has the entries of
/// the book about each position. [`ProofBook`] has an example.
///
/// The walk remembers the line of threats that is being played: after the first move of the line and its answer,
/// the rest of the line still wins.
pub struct BookWalk<'a, G: Game, R> {
    book: &'a ProofBook<G, R>,
    game: G,
    path: Vec<Played<G>>,
    line: Option<Threats<G::Move>>,
}

/// A move, and the entries about the position after it.
pub type BookReply<M> = (M, Vec<BookEntry<M>>);

/// The line of threats with which a side wins unless the side leaves the line.
#[derive(Clone, Debug)]
struct Threats<M> {
    side: Player,
    moves: Vec<M>,
}

/// A played move.
struct Played<G: Game> {
    mv: G::Move,
    undo: G::Undo,
    /// The line of threats before the move.
    line: Option<Threats<G::Move>>,
}

impl<G: Game + fmt::Debug, R> fmt::Debug for BookWalk<'_, G, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<_> = self.path.iter().map(|played| played.mv).collect();
        f.debug_struct("BookWalk").field("game", &self.game).field("moves", &moves).finish_non_exhaustive()
    }
}

impl<G: Finite + Keyed + Textual + Indexed, R: ImmediateRules<G>> ProofBook<G, R> {
    /// A walk that begins at any position, in the book or not.
    pub const fn walk(&self, from: G) -> BookWalk<'_, G, R> {
        BookWalk { book: self, game: from, path: Vec::new(), line: None }
    }
}

impl<G: Finite + Keyed + Textual + Indexed, R: ImmediateRules<G>> BookWalk<'_, G, R> {
    /// The current position.
    pub const fn position(&self) -> &G {
        &self.game
    }

    /// The moves that have led to the current position from the beginning of the walk.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = G::Move> {
        self.path.iter().map(|played| played.mv)
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// An error if the move is not legal; the walk is then unchanged.
    pub fn play(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.game.check(mv)?;
        self.go(mv);
        Ok(())
    }

    /// Plays a legal move.
    fn go(&mut self, mv: G::Move) {
        let mover = self.game.to_move();
        let rest = |side: Player, moves: &[G::Move]| match moves.split_first() {
            Some((first, rest)) if side == mover => {
                (*first == mv).then(|| Threats { side, moves: rest.to_vec() })
            }
            _ => Some(Threats { side, moves: moves.to_vec() }),
        };
        let mut line = self.line.as_ref().and_then(|line| rest(line.side, &line.moves));
        let entries = if line.is_some() { Vec::new() } else { self.book.look_up(&self.game) };
        let undo = self.game.play_unchecked(mv);
        for BookEntry { claim, why, .. } in &entries {
            let side = side_of(*claim);
            line = match why {
                Why::Line(moves) => rest(side, moves),
                Why::Answers(moves) => {
                    let open = self.game.outcome().is_none();
                    let wins = open
                        && line_wins(&self.book.rules, &mut self.game, side, moves, &mut Vec::new())
                            .is_some();
                    wins.then(|| Threats { side, moves: moves.clone() })
                }
                _ => None,
            };
            if line.is_some() {
                break;
            }
        }
        self.path.push(Played { mv, undo, line: std::mem::replace(&mut self.line, line) });
    }

    /// Takes the last move back; `None` at the beginning of the walk.
    pub fn back(&mut self) -> Option<G::Move> {
        let Played { mv, undo, line } = self.path.pop()?;
        self.game.undo(undo);
        self.line = line;
        Some(mv)
    }

    /// The entries about the current position: the entries by the rules or from the book or, without such entries,
    /// the entries that follow from the positions after its moves. Without entries the position is not in the
    /// book.
    pub fn entries(&mut self) -> Vec<BookEntry<G::Move>> {
        let here = self.here();
        if here.is_empty() { self.by_replies() } else { here }
    }

    /// All legal moves in the game's order, with the entries by the rules or from the book about the position
    /// after each move.
    pub fn replies(&mut self) -> Vec<BookReply<G::Move>> {
        let moves = self.game.moves();
        let mut replies = Vec::with_capacity(moves.len());
        for mv in moves {
            self.go(mv);
            let entries = self.here();
            self.back();
            replies.push((mv, entries));
        }
        replies
    }

    /// The move that the book advises, which keeps the goal of the side to move. A side without such a goal gets
    /// the first of the moves after which its opponent needs the most plies. `None` if the game is over, if the
    /// position has no entries, and if every move keeps the goal, as the player of it can no longer win ([`Why::Never`]).
    pub fn choice(&mut self) -> Option<G::Move> {
        let mover = self.game.to_move();
        let entries = self.entries();
        let entry = entries.iter().find(|entry| side_of(entry.claim) == mover).or_else(|| entries.first())?;
        match &entry.why {
            Why::AtOnce(moves) | Why::Line(moves) => moves.first().copied(),
            Why::Forced(mv) | Why::Move(mv) => Some(*mv),
            Why::Defenceless(_) | Why::All | Why::Answers(_) => {
                let plies =
                    |entries: &[BookEntry<_>]| entries.iter().map(|entry| entry.plies).max().unwrap_or(0);
                let replies = self.replies();
                replies.iter().rev().max_by_key(|(_, entries)| plies(entries)).map(|(mv, _)| *mv)
            }
            Why::Over | Why::Never => None,
        }
    }

    /// The game that follows if both sides play their [choice](BookWalk::choice): the longest game that the book
    /// allows, apart from positions that several lines lead to. The walk is the same afterwards.
    pub fn longest(&mut self) -> Vec<G::Move> {
        let begun = self.path.len();
        while let Some(mv) = self.choice() {
            self.go(mv);
        }
        let line = self.path.iter().skip(begun).map(|played| played.mv).collect();
        while self.path.len() > begun {
            self.back();
        }
        line
    }

    /// The entries about the current position that follow from the position alone, or from the position after
    /// forced moves.
    fn here(&mut self) -> Vec<BookEntry<G::Move>> {
        let (mut undos, mut forced, mut room) = (Vec::new(), None, Vec::new());
        // The mover of each forced move, with `true` if that side has another legal move.
        let mut makers: Vec<(Player, bool)> = Vec::new();
        let mut line = self.line.clone();
        let by_rules = |claim, why, plies| vec![BookEntry { claim, why, plies, by_rules: true }];
        let mut found = loop {
            if let Some(outcome) = self.game.outcome() {
                break by_rules(Claim::of(outcome), Why::Over, 0);
            }
            let mover = self.game.to_move();
            match immediate(&self.book.rules, &self.game, mover, &mut room) {
                Immediate::Won => break by_rules(Claim::Wins(mover), Why::AtOnce(room), 1),
                Immediate::Lost => break by_rules(Claim::Wins(mover.other()), Why::Defenceless(room), 2),
                Immediate::Forced(mv) if self.game.check(mv).is_ok() => {
                    forced.get_or_insert(mv);
                    if let Some(threats) = line.as_mut().filter(|threats| threats.side == mover) {
                        if threats.moves.first() == Some(&mv) {
                            threats.moves.remove(0);
                        } else {
                            line = None;
                        }
                    }
                    room.clear();
                    self.game.legal_moves(&mut room);
                    makers.push((mover, room.len() > 1));
                    undos.push(self.game.play_unchecked(mv));
                }
                _ => break self.by_line_or_book(line.as_ref()),
            }
        };
        if let Some(mv) = forced {
            for entry in &mut found {
                // After any other move than the forced move, the claim's side wins at once.
                let side = side_of(entry.claim);
                entry.plies = makers.iter().rev().fold(entry.plies, |plies, &(maker, choice)| {
                    (plies + 1).max(if choice && maker != side { 2 } else { 0 })
                });
                entry.why = Why::Forced(mv);
            }
        }
        while let Some(undo) = undos.pop() {
            self.game.undo(undo);
        }
        found
    }

    /// The entries by the line of threats or by the book, about a position without immediate wins.
    fn by_line_or_book(&mut self, line: Option<&Threats<G::Move>>) -> Vec<BookEntry<G::Move>> {
        if let Some(Threats { side, moves }) = line
            && *side == self.game.to_move()
            && let Some(plies) = line_wins(&self.book.rules, &mut self.game, *side, moves, &mut Vec::new())
        {
            let why = Why::Line(moves.clone());
            return vec![BookEntry { claim: Claim::Wins(*side), why, plies, by_rules: false }];
        }
        self.book.look_up(&self.game)
    }

    /// The entries that follow from the entries about the positions after all moves.
    fn by_replies(&mut self) -> Vec<BookEntry<G::Move>> {
        let mover = self.game.to_move();
        let replies = self.replies();
        let mut found: Vec<BookEntry<G::Move>> = Vec::new();
        for goal in
            [true, false].into_iter().flat_map(|wins| Player::BOTH.map(|player| Goal { player, wins }))
        {
            let claim = goal.claim();
            // The plies within which a reply shows the claim, with `true` if the rules show the claim.
            let shown = |entries: &Vec<BookEntry<G::Move>>| {
                entries
                    .iter()
                    .filter(|entry| entry.claim.shows(claim))
                    .map(|entry| (entry.plies, entry.by_rules))
                    .min_by_key(|(plies, _)| *plies)
            };
            let entry = if goal.side() == mover {
                let known = replies.iter().filter_map(|(mv, entries)| Some((shown(entries)?, *mv)));
                let best = known.min_by_key(|((plies, _), _)| *plies);
                best.map(|((plies, by_rules), mv)| (Why::Move(mv), plies, by_rules))
            } else {
                let all: Option<Vec<_>> = replies.iter().map(|(_, entries)| shown(entries)).collect();
                let all = all.filter(|all| !all.is_empty()).unwrap_or_default();
                let by_rules = all.iter().all(|(_, by_rules)| *by_rules);
                all.iter().map(|(plies, _)| *plies).max().map(|plies| (Why::All, plies, by_rules))
            };
            let new = !found.iter().any(|entry| entry.claim.shows(claim));
            if let Some((why, plies, by_rules)) = entry.filter(|_| new) {
                found.push(BookEntry { claim, why, plies: plies + 1, by_rules });
            }
        }
        found
    }
}

/// The side that follows the strategy of a claim; for a draw, the side of the first goal (the second player).
fn side_of(claim: Claim) -> Player {
    claim.goals().next().map_or(Player::Second, Goal::side)
}
