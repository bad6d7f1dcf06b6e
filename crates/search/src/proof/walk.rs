//! [`Walk`]: through a [`Book`], move by move.

use std::fmt;

use stonework_game::{Finite, Game, Keyed, Notation, Player};

use super::book::{Book, Reason, Said};
use super::forced::{Seen, plies_of, seen};
use super::{Claim, Sight};

/// A place in the games that a [`Book`] knows, reached from anywhere and by any moves; see there for an example.
///
/// It remembers the line of threats on which it is: after its first move and the answer, the rest of it still wins.
pub struct Walk<'a, G: Game, S> {
    book: &'a Book<G, S>,
    game: G,
    path: Vec<Past<G>>,
    line: Option<Threats<G::Move>>,
}

/// A move, and what is said of the position after it.
pub type Reply<M> = (M, Vec<Said<M>>);

/// What wins for a side unless it leaves the line.
#[derive(Clone, Debug)]
struct Threats<M> {
    side: Player,
    moves: Vec<M>,
}

/// A move that was played.
struct Past<G: Game> {
    mv: G::Move,
    undo: G::Undo,
    line: Option<Threats<G::Move>>,
}

impl<G: Game + fmt::Debug, S> fmt::Debug for Walk<'_, G, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<_> = self.path.iter().map(|past| past.mv).collect();
        f.debug_struct("Walk").field("game", &self.game).field("moves", &moves).finish_non_exhaustive()
    }
}

impl<G: Finite + Keyed + Notation, S: Sight<G>> Book<G, S> {
    /// A walk from any position, one that the book does not know among them.
    pub const fn walk(&self, from: G) -> Walk<'_, G, S> {
        Walk { book: self, game: from, path: Vec::new(), line: None }
    }
}

impl<G: Finite + Keyed + Notation, S: Sight<G>> Walk<'_, G, S> {
    /// Where it is.
    pub const fn position(&self) -> &G {
        &self.game
    }

    /// The moves that have led there from where it began.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = G::Move> {
        self.path.iter().map(|past| past.mv)
    }

    /// Plays a move, whoever's it is.
    ///
    /// # Errors
    /// If it is not legal; nothing is changed then.
    pub fn play(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        self.game.check(mv)?;
        self.go(mv);
        Ok(())
    }

    /// Plays a move that is legal.
    fn go(&mut self, mv: G::Move) {
        let mover = self.game.to_move();
        let rest = |side: Player, moves: &[G::Move]| match moves.split_first() {
            Some((first, rest)) if side == mover => {
                (*first == mv).then(|| Threats { side, moves: rest.to_vec() })
            }
            _ => Some(Threats { side, moves: moves.to_vec() }),
        };
        let mut line = self.line.as_ref().and_then(|line| rest(line.side, &line.moves));
        let begun: Vec<_> = if line.is_some() { Vec::new() } else { self.book.records(&self.game) };
        let undo = self.game.play_unchecked(mv);
        for Said { claim, reason, .. } in &begun {
            let side = claim.side();
            line = match reason {
                Reason::Line(moves) => rest(side, moves),
                Reason::Answers(moves) => {
                    let open = self.game.outcome().is_none();
                    let wins = open
                        && plies_of(&self.book.sight, &mut self.game, side, moves, &mut Vec::new()).is_some();
                    wins.then(|| Threats { side, moves: moves.clone() })
                }
                _ => None,
            };
            if line.is_some() {
                break;
            }
        }
        self.path.push(Past { mv, undo, line: std::mem::replace(&mut self.line, line) });
    }

    /// Takes the last move back; `None` where the walk began.
    pub fn back(&mut self) -> Option<G::Move> {
        let Past { mv, undo, line } = self.path.pop()?;
        self.game.undo(undo);
        self.line = line;
        Some(mv)
    }

    /// What the rules show at sight and the book says of the position; if nothing, what follows from the positions after its
    /// moves; if that is nothing too, it is not in the book.
    pub fn said(&mut self) -> Vec<Said<G::Move>> {
        let here = self.here();
        if here.is_empty() { self.followed() } else { here }
    }

    /// All legal moves in the game's order, and what is said of the position after each, as by [`Walk::said`] but without
    /// looking further ahead.
    pub fn replies(&mut self) -> Vec<Reply<G::Move>> {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        let mut replies = Vec::with_capacity(moves.len());
        for mv in moves {
            self.go(mv);
            let said = self.here();
            self.back();
            replies.push((mv, said));
        }
        replies
    }

    /// The move that the book advises: one that keeps what it shows for the side to move; for a side that it shows nothing good
    /// for, the one after which the other needs most plies, the first of several. `None` if the game is over or the
    /// book says nothing.
    pub fn choice(&mut self) -> Option<G::Move> {
        let mover = self.game.to_move();
        let all = self.said();
        let said = all.iter().find(|said| said.claim.side() == mover).or_else(|| all.first())?;
        match &said.reason {
            Reason::AtOnce(moves) | Reason::Line(moves) => moves.first().copied(),
            Reason::Forced(mv) | Reason::Move(mv) => Some(*mv),
            Reason::Defenceless(_) | Reason::All | Reason::Answers(_) => {
                let plies = |said: &[Said<_>]| said.iter().map(|said| said.plies).max().unwrap_or(0);
                let replies = self.replies();
                replies.iter().rev().max_by_key(|(_, said)| plies(said)).map(|(mv, _)| *mv)
            }
            Reason::Over | Reason::Never => None,
        }
    }

    /// The game that follows if both keep to their [choice](Walk::choice): the longest that the book allows, but for
    /// positions that it reaches on more than one way. Leaves the walk where it is.
    pub fn longest(&mut self) -> Vec<G::Move> {
        let begun = self.path.len();
        while let Some(mv) = self.choice() {
            self.go(mv);
        }
        let line = self.path.iter().skip(begun).map(|past| past.mv).collect();
        while self.path.len() > begun {
            self.back();
        }
        line
    }

    /// What is seen and said of the position alone, and of those that follow by force.
    fn here(&mut self) -> Vec<Said<G::Move>> {
        let (mut undos, mut forced, mut room) = (Vec::new(), None, Vec::new());
        // Who makes each forced move, and whether that side has another one.
        let mut makers: Vec<(Player, bool)> = Vec::new();
        let mut line = self.line.clone();
        let said = |claim, reason, plies| vec![Said { claim, reason, plies, sight: true }];
        let mut found = loop {
            if let Some(outcome) = self.game.outcome() {
                break said(Claim::of(outcome), Reason::Over, 0);
            }
            let mover = self.game.to_move();
            match seen(&self.book.sight, &self.game, mover, &mut room) {
                Seen::Won => break said(Claim::Wins(mover), Reason::AtOnce(room), 1),
                Seen::Lost => break said(Claim::Wins(mover.other()), Reason::Defenceless(room), 2),
                Seen::Only(mv) if self.game.check(mv).is_ok() => {
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
                _ => break self.settled(line.as_ref()),
            }
        };
        if let Some(mv) = forced {
            for said in &mut found {
                // After another move than the forced one the claim's side wins at once.
                let side = said.claim.side();
                said.plies = makers.iter().rev().fold(said.plies, |plies, &(maker, choice)| {
                    (plies + 1).max(if choice && maker != side { 2 } else { 0 })
                });
                said.reason = Reason::Forced(mv);
            }
        }
        while let Some(undo) = undos.pop() {
            self.game.undo(undo);
        }
        found
    }

    /// What the line of threats and the book say of a position at which nothing is seen.
    fn settled(&mut self, line: Option<&Threats<G::Move>>) -> Vec<Said<G::Move>> {
        if let Some(Threats { side, moves }) = line
            && *side == self.game.to_move()
            && let Some(plies) = plies_of(&self.book.sight, &mut self.game, *side, moves, &mut Vec::new())
        {
            let reason = Reason::Line(moves.clone());
            return vec![Said { claim: Claim::Wins(*side), reason, plies, sight: false }];
        }
        self.book.records(&self.game)
    }

    /// What is said of the positions after all moves comes to this.
    fn followed(&mut self) -> Vec<Said<G::Move>> {
        let mover = self.game.to_move();
        let replies = self.replies();
        let mut found: Vec<Said<G::Move>> = Vec::new();
        for claim in
            [true, false].into_iter().flat_map(|wins| Player::BOTH.map(|who| Claim::about(who, wins)))
        {
            // Within how many plies a reply shows it, and whether at sight.
            let shown = |said: &Vec<Said<G::Move>>| {
                said.iter()
                    .filter(|said| said.claim.shows(claim))
                    .map(|said| (said.plies, said.sight))
                    .min_by_key(|(plies, _)| *plies)
            };
            let said = if claim.side() == mover {
                let known = replies.iter().filter_map(|(mv, said)| Some((shown(said)?, *mv)));
                let best = known.min_by_key(|((plies, _), _)| *plies);
                best.map(|((plies, sight), mv)| (Reason::Move(mv), plies, sight))
            } else {
                let all: Option<Vec<_>> = replies.iter().map(|(_, said)| shown(said)).collect();
                let all = all.filter(|all| !all.is_empty()).unwrap_or_default();
                let sight = all.iter().all(|(_, sight)| *sight);
                all.iter().map(|(plies, _)| *plies).max().map(|plies| (Reason::All, plies, sight))
            };
            let new = !found.iter().any(|said| said.claim.shows(claim));
            if let Some((reason, plies, sight)) = said.filter(|_| new) {
                found.push(Said { claim, reason, plies: plies + 1, sight });
            }
        }
        found
    }
}

impl Claim {
    /// Whom a strategy for this is for: the winner, or the opponent of who does not win; of a draw, the second one.
    const fn side(self) -> Player {
        match self {
            Self::Wins(side) => side,
            Self::DoesNotWin(who) => who.other(),
            Self::Draw => Player::Second,
        }
    }
}
