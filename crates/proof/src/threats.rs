//! Forced moves and lines of threats, for programs that make proofs. The verifier has its own code for both.

use stonework_game::{Indexed, Keyed, Outcome, Player, Sym};

use crate::ImmediateRules;

/// The key of a position in strategies and books, and the symmetry that maps the position to its representative.
#[must_use]
pub fn position_key<G: Keyed + Indexed, R: ImmediateRules<G>>(game: &G) -> (u64, Sym) {
    if R::SYMMETRIC { game.canonical() } else { (game.key(), Sym(0)) }
}

/// The consequence of immediate wins at a position that is not over, for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Immediate<M> {
    /// The side wins: the side is to move and has an immediate win, or the opponent is to move and cannot stop all
    /// immediate wins of the side.
    Won,
    /// The opponent wins in the same way.
    Lost,
    /// The side to move must make this move: after any other move its opponent wins at once.
    Forced(M),
    /// Neither side has an immediate win.
    Open,
}

/// The consequence of the immediate wins at a position for `side`. The position is not over.
///
/// The function clears `room` and leaves the immediate wins there: the wins of the side to move if it has any,
/// otherwise the wins of its opponent.
pub fn immediate<G: Indexed, R: ImmediateRules<G>>(
    rules: &R,
    game: &G,
    side: Player,
    room: &mut Vec<G::Move>,
) -> Immediate<G::Move> {
    let mover = game.to_move();
    let decided = |winner: Player| if winner == side { Immediate::Won } else { Immediate::Lost };
    room.clear();
    rules.winning_moves(game, mover, room);
    if !room.is_empty() {
        return decided(mover);
    }
    rules.winning_moves(game, mover.other(), room);
    match room.len() {
        0 => Immediate::Open,
        1 => room.first().map_or(Immediate::Open, |&mv| Immediate::Forced(mv)),
        _ => decided(mover.other()),
    }
}

/// The plies within which `side`, to move, wins with a line of threats in which each answer is forced; `None` if
/// the line does not win. The position is the same afterwards. `room` is working memory for immediate wins.
pub fn line_wins<G: Indexed, R: ImmediateRules<G>>(
    rules: &R,
    game: &mut G,
    side: Player,
    line: &[G::Move],
    room: &mut Vec<G::Move>,
) -> Option<u32> {
    let mut undos = Vec::new();
    let mut more = None;
    for &mv in line {
        if game.outcome().is_some() || game.to_move() != side {
            break;
        }
        let stands = match immediate(rules, game, side, room) {
            Immediate::Won => {
                more = Some(1);
                break;
            }
            Immediate::Lost => false,
            Immediate::Forced(block) => block == mv,
            Immediate::Open => true,
        };
        if !stands || game.check(mv).is_err() {
            break;
        }
        undos.push(game.play_unchecked(mv));
        if let Some(outcome) = game.outcome() {
            more = (outcome == Outcome::Win(side)).then_some(0);
            break;
        }
        if game.to_move() == side {
            break;
        }
        match immediate(rules, game, side, room) {
            Immediate::Won => {
                more = Some(2);
                break;
            }
            Immediate::Forced(answer) if game.check(answer).is_ok() => {
                undos.push(game.play_unchecked(answer));
            }
            _ => break,
        }
    }
    let plies = more.map(|more| undos.len() as u32 + more);
    while let Some(undo) = undos.pop() {
        game.undo(undo);
    }
    plies
}

/// Removes the moves of the opponent, from index `first` on, after which `side` wins with a line of threats.
pub fn drop_answered<G: Indexed, R: ImmediateRules<G>>(
    rules: &R,
    game: &mut G,
    side: Player,
    line: &[G::Move],
    moves: &mut Vec<G::Move>,
    first: usize,
) {
    let mut room = Vec::new();
    let mut kept = first;
    for i in first..moves.len() {
        let Some(&mv) = moves.get(i) else { break };
        let undo = game.play_unchecked(mv);
        let wins = game.outcome().is_none() && line_wins(rules, game, side, line, &mut room).is_some();
        game.undo(undo);
        if !wins && let Some(place) = moves.get_mut(kept) {
            *place = mv;
            kept += 1;
        }
    }
    moves.truncate(kept);
}
