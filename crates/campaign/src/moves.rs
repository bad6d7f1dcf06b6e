//! Moves of a position that differ, and the value of a position by the values of its moves.

use stonework_game::{Keyed, Outcome};
use stonework_proof::Claim;

/// A move and the moves that are the same but for a symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveOrbit<M> {
    /// The first of them, in the order of [`Game::legal_moves`](stonework_game::Game::legal_moves).
    pub mv: M,
    /// The others, in the same order.
    pub images: Vec<M>,
}

/// The position after a legal move.
pub(crate) fn after<G: Keyed>(root: &G, mv: G::Move) -> G {
    let mut position = root.clone();
    position.play_unchecked(mv);
    position
}

/// The legal moves of a position, those together that lead to the same position but for a symmetry of the game ([`Keyed::canonical`]).
///
/// # Complexity
/// Each move is played once; O(moves · orbits).
#[must_use]
pub fn move_orbits<G: Keyed>(root: &G) -> Vec<MoveOrbit<G::Move>> {
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    let mut orbits: Vec<(u64, MoveOrbit<G::Move>)> = Vec::new();
    for mv in moves {
        let key = after(root, mv).canonical().0;
        match orbits.iter_mut().find(|(known, _)| *known == key) {
            Some((_, orbit)) => orbit.images.push(mv),
            None => orbits.push((key, MoveOrbit { mv, images: Vec::new() })),
        }
    }
    orbits.into_iter().map(|(_, orbit)| orbit).collect()
}

/// The value of a position by claims about the positions after its moves.
///
/// # Returns
/// The best value for the side to move. `None` if an orbit of moves has no claim, or only claims that leave the value open
/// ([`Claim::DoesNotWin`]), and for a position that has no moves.
///
/// ```
/// use stonework_campaign::value_by_moves;
/// use stonework_game::{Game, Outcome, Player, example::Nim};
/// use stonework_proof::Claim;
/// let root = Nim::new(4);                     // take one or two; the last one wins
/// let after = |take| {
///     let mut position = root;
///     position.play_unchecked(take);
///     position
/// };
/// let claims = [(after(1), Claim::Wins(Player::First)), (after(2), Claim::Wins(Player::Second))];
/// assert_eq!(value_by_moves(&root, &claims), Some(Outcome::Win(Player::First)));
/// assert_eq!(value_by_moves(&root, &claims[..1]), None);
/// ```
#[must_use]
pub fn value_by_moves<G: Keyed>(root: &G, claims: &[(G, Claim)]) -> Option<Outcome> {
    let mut best: Option<Outcome> = None;
    for orbit in move_orbits(root) {
        let positions: Vec<G> =
            std::iter::once(orbit.mv).chain(orbit.images).map(|mv| after(root, mv)).collect();
        let exact = |(position, claim): &(G, Claim)| {
            value_of_claim(*claim).filter(|_| positions.iter().any(|other| other == position))
        };
        let value = claims.iter().find_map(exact)?;
        let rank = |outcome: Outcome| outcome.value_for(root.to_move());
        if best.is_none_or(|other| rank(value) > rank(other)) {
            best = Some(value);
        }
    }
    best
}

/// The value that a claim says; `None` for a claim that leaves it open.
pub(crate) const fn value_of_claim(claim: Claim) -> Option<Outcome> {
    match claim {
        Claim::Wins(player) => Some(Outcome::Win(player)),
        Claim::Draw => Some(Outcome::Draw),
        Claim::DoesNotWin(_) => None,
    }
}
