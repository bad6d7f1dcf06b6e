//! Games of Cover to try rules on.

use rand_core::RngCore;
use stonework_board::{Heading, Home};
use stonework_cover::{IllegalMove, Move, Position};
use stonework_game::{Game, Notation, Player, below};

use super::Asked;
use crate::corpus::{GameText, of_kinds};

/// What a generated game is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Uniformly random.
    Random,
    /// Shots are taken where there are any.
    Shooting,
    /// Straight on to the homebase, more often than not.
    Running,
    /// Moves are taken back where they may be; the last one repeats a board.
    Returning,
    /// Random, and then a step to where another stone is, or onto the own homebase.
    Blocked,
}

/// Random games go on for ever: they are cut after so many plies for each stone of a side.
const PLIES: usize = 40;

/// `random` uniformly random games on boards of a size, and a tenth as many of each other kind.
pub(crate) fn games(size: u8, random: u32, mut rng: impl RngCore) -> impl Iterator<Item = GameText> {
    let kinds = [Kind::Random, Kind::Shooting, Kind::Running, Kind::Returning, Kind::Blocked];
    of_kinds(kinds, random, move |kind| game(kind, size, &mut rng))
}

fn game(kind: Kind, size: u8, rng: &mut impl RngCore) -> Option<GameText> {
    let mut position = Position::new(size).ok()?;
    let (mut moves, mut legal) = (Vec::new(), Vec::new());
    let most = PLIES * usize::from(size);
    // A step that is not legal comes after one of the first moves, so that there is something to see.
    let most = if kind == Kind::Blocked { below(rng, most) } else { most };
    while position.outcome().is_none() && moves.len() < most {
        if kind == Kind::Returning
            && let Some(mv) = refused(&position, |why| matches!(why, IllegalMove::Repetition { .. })).first()
        {
            moves.push(position.move_text(*mv));
            break;
        }
        legal.clear();
        position.legal_moves(&mut legal);
        let mv = choose(kind, &position, &legal, rng);
        moves.push(text(kind, &position, mv));
        position.play_unchecked(mv);
    }
    if kind == Kind::Blocked && position.outcome().is_none() {
        let steps = refused(&position, |why| {
            matches!(why, IllegalMove::Blocked { .. } | IllegalMove::OwnHome { .. })
        });
        if !steps.is_empty() {
            moves.push(text(kind, &position, steps[below(rng, steps.len())]));
        }
    }
    let name = match kind {
        Kind::Random => "random",
        Kind::Shooting => "shooting",
        Kind::Running => "running",
        Kind::Returning => "returning",
        Kind::Blocked => "blocked",
    };
    Some(GameText {
        name: name.to_owned(),
        game: Position::NAME,
        size,
        start: None,
        swap: false,
        notation: None,
        moves,
    })
}

/// A move with what it hits, or in random games without: both can be asked about.
fn text(kind: Kind, position: &Position, mv: Move) -> String {
    let mut text = position.move_text(mv);
    if kind == Kind::Random {
        text.truncate(text.find('x').unwrap_or(text.len()));
    }
    text
}

/// The steps of the side to move on the board that the rules refuse for such a reason.
fn refused(position: &Position, why: impl Fn(&IllegalMove) -> bool) -> Vec<Move> {
    let steps = position.stones(position.to_move());
    let steps = steps.flat_map(|from| Heading::ALL.map(|heading| Move::new(from, heading)));
    steps.filter(|&mv| position.check(mv).is_err_and(|illegal| why(&illegal))).collect()
}

fn choose(kind: Kind, position: &Position, legal: &[Move], rng: &mut impl RngCore) -> Move {
    let last = position.recent().mine;
    let goal = if position.to_move() == Player::First { Home::Top } else { Home::Bottom };
    let far = |cell| position.lattice().distance(cell, goal);
    let to = |mv: Move| position.target(mv).unwrap_or(mv.from);
    let wanted = |mv: Move| match kind {
        Kind::Random | Kind::Blocked => true,
        Kind::Shooting => position.hit(mv).is_some(),
        Kind::Running => far(to(mv)) < far(mv.from),
        Kind::Returning => last.is_some_and(|last| to(last) == mv.from && last.from == to(mv)),
    };
    let from: Vec<Move> = legal.iter().copied().filter(|&mv| wanted(mv)).collect();
    let from = if from.is_empty() || below(rng, 4) == 0 { legal } else { &from };
    from[below(rng, from.len())]
}
