//! What is forced at sight, and whether a line of threats wins: for those who make proofs. The verifier has its own.

use stonework_game::{Game, Keyed, Outcome, Player};

use super::Sight;

/// What a position of a strategy is known by.
pub(crate) fn name<G: Keyed, S: Sight<G>>(game: &G) -> u64 {
    if S::SYMMETRIC { game.canonical().0 } else { game.key() }
}

/// What is seen of a position that is not over, by the side that a strategy is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen<M> {
    /// The side wins.
    Won,
    /// The other side wins.
    Lost,
    /// Every other move loses at once for who makes it.
    Only(M),
    /// Nothing.
    Open,
}

/// Looks at a position for `side`; `moves` is room.
pub(crate) fn seen<G: Game, S: Sight<G>>(
    sight: &S,
    game: &G,
    side: Player,
    moves: &mut Vec<G::Move>,
) -> Seen<G::Move> {
    let mover = game.to_move();
    let decided = |winner: Player| if winner == side { Seen::Won } else { Seen::Lost };
    moves.clear();
    sight.wins(game, mover, moves);
    if !moves.is_empty() {
        return decided(mover);
    }
    sight.wins(game, mover.other(), moves);
    match moves.len() {
        0 => Seen::Open,
        1 => moves.first().map_or(Seen::Open, |&mv| Seen::Only(mv)),
        _ => decided(mover.other()),
    }
}

/// Whether `side`, to move, wins with these moves, every answer being forced. Leaves the position as it was.
pub(crate) fn wins_by<G: Game, S: Sight<G>>(
    sight: &S,
    game: &mut G,
    side: Player,
    line: &[G::Move],
    moves: &mut Vec<G::Move>,
) -> bool {
    plies_of(sight, game, side, line, moves).is_some()
}

/// The same, with the plies until the win.
pub(crate) fn plies_of<G: Game, S: Sight<G>>(
    sight: &S,
    game: &mut G,
    side: Player,
    line: &[G::Move],
    moves: &mut Vec<G::Move>,
) -> Option<u32> {
    let mut undos = Vec::new();
    let mut more = None;
    for &mv in line {
        if game.outcome().is_some() || game.to_move() != side {
            break;
        }
        let stands = match seen(sight, game, side, moves) {
            Seen::Won => {
                more = Some(1);
                break;
            }
            Seen::Lost => false,
            Seen::Only(block) => block == mv,
            Seen::Open => true,
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
        match seen(sight, game, side, moves) {
            Seen::Won => {
                more = Some(2);
                break;
            }
            Seen::Only(answer) if game.check(answer).is_ok() => undos.push(game.play_unchecked(answer)),
            _ => break,
        }
    }
    let plies = more.map(|more| undos.len() as u32 + more);
    while let Some(undo) = undos.pop() {
        game.undo(undo);
    }
    plies
}
