//! Games of Cover for tests of rules.

use rand_core::RngCore;
use stonework_board::{Cell, DiagonalSymmetry, Heading, Home};
use stonework_cover::{IllegalMove, Move, Position};
use stonework_game::{Game, Player, Textual, below};
use stonework_session::Described;

use super::{GameText, of_kinds};

/// The purpose of a generated game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Uniformly random moves.
    Random,
    /// Shots whenever there are any.
    Shooting,
    /// Steps straight to the homebase, more often than not.
    Running,
    /// Moves that are taken back if the rules allow it; the last move repeats a board.
    Returning,
    /// Random moves, and then a step to a location with another stone, or onto the own homebase.
    Blocked,
    /// Random moves until two moves of each side can make the mirror image of the board, which is no repetition.
    Mirrored,
}

/// The most plies of a game, for each stone of a side: random games can be endless.
const PLIES: usize = 40;

/// `random` uniformly random games on boards of a size, and a tenth as many of each other kind.
pub(crate) fn games(size: u8, random: u32, mut rng: impl RngCore) -> impl Iterator<Item = GameText> {
    let kinds = [Kind::Random, Kind::Shooting, Kind::Running, Kind::Returning, Kind::Blocked, Kind::Mirrored];
    of_kinds(kinds, random, move |kind| game(kind, size, &mut rng))
}

fn game(kind: Kind, size: u8, rng: &mut dyn RngCore) -> Option<GameText> {
    let mut position = Position::new(size).ok()?;
    let (mut moves, mut legal) = (Vec::new(), Vec::new());
    let most = PLIES * usize::from(size);
    // An illegal step comes after one of the first moves, so that the board still has many stones.
    let most = if kind == Kind::Blocked { below(rng, most) } else { most };
    while position.outcome().is_none() && moves.len() < most {
        if kind == Kind::Returning
            && let Some(mv) = refused(&position, |why| matches!(why, IllegalMove::Repetition { .. })).first()
        {
            moves.push(position.move_text(*mv));
            break;
        }
        if kind == Kind::Mirrored
            && let Some(four) = mirroring(&position)
        {
            for mv in four {
                moves.push(position.move_text(mv));
                position.play_unchecked(mv);
            }
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
        Kind::Mirrored => "mirrored",
    };
    Some(GameText {
        name: name.to_owned(),
        game: Position::DESCRIPTION.name,
        size,
        start: None,
        swap: false,
        notation: None,
        moves,
    })
}

/// A move with its hit; in random games without the hit, as both forms are legal.
fn text(kind: Kind, position: &Position, mv: Move) -> String {
    let mut text = position.move_text(mv);
    if kind == Kind::Random {
        text.truncate(text.find('x').unwrap_or(text.len()));
    }
    text
}

/// The steps of the side to move on the board that the rules refuse for the given reason.
fn refused(position: &Position, why: impl Fn(&IllegalMove) -> bool) -> Vec<Move> {
    let steps = position.stones(position.to_move());
    let steps = steps.flat_map(|from| Heading::ALL.map(|heading| Move::new(from, heading)));
    steps.filter(|&mv| position.check(mv).is_err_and(|illegal| why(&illegal))).collect()
}

/// Two legal moves of each side, in turn, after which the board is its own mirror image and differs from the board
/// before.
fn mirroring(position: &Position) -> Option<[Move; 4]> {
    let mover = position.to_move();
    let (own, others) = (halves(position, mover), halves(position, mover.other()));
    let turns =
        own.iter().flat_map(|own| others.iter().map(move |other| [own[0], other[0], own[1], other[1]]));
    turns.into_iter().find(|four| {
        let mut game = position.clone();
        let stones = |game: &Position| Player::BOTH.map(|side| game.stones(side).count());
        let legal = four.iter().all(|&mv| game.outcome().is_none() && game.play(mv).is_ok());
        legal && game.outcome().is_none() && stones(&game) == stones(position)
    })
}

/// Two moves of one stone after which the stones of a side are their own mirror image, in other locations than before.
fn halves(position: &Position, side: Player) -> Vec<[Move; 2]> {
    let mirror = |cell| position.lattice().map(DiagonalSymmetry::ALL[1], cell);
    let stones: Vec<Cell> = position.stones(side).collect();
    let mut found = Vec::new();
    for &from in stones.iter().filter(|&&from| mirror(from) != from) {
        // The mirror image of each other stone must be a stone too.
        if stones.iter().any(|&stone| stone != from && !stones.contains(&mirror(stone))) {
            continue;
        }
        let steps = |from| Heading::ALL.map(|heading| Move::new(from, heading));
        for first in steps(from) {
            let Some(between) = position.target(first) else { continue };
            let last = steps(between).into_iter().find(|&mv| position.target(mv) == Some(mirror(from)));
            found.extend(last.map(|last| [first, last]));
        }
    }
    found
}

fn choose(kind: Kind, position: &Position, legal: &[Move], rng: &mut dyn RngCore) -> Move {
    let last = position.recent().mine;
    let goal = if position.to_move() == Player::First { Home::Top } else { Home::Bottom };
    let far = |cell| position.lattice().distance(cell, goal);
    let to = |mv: Move| position.target(mv).unwrap_or(mv.from);
    let wanted = |mv: Move| match kind {
        Kind::Random | Kind::Blocked | Kind::Mirrored => true,
        Kind::Shooting => position.hit(mv).is_some(),
        Kind::Running => far(to(mv)) < far(mv.from),
        Kind::Returning => last.is_some_and(|last| to(last) == mv.from && last.from == to(mv)),
    };
    let from: Vec<Move> = legal.iter().copied().filter(|&mv| wanted(mv)).collect();
    let from = if from.is_empty() || below(rng, 4) == 0 { legal } else { &from };
    from[below(rng, from.len())]
}
