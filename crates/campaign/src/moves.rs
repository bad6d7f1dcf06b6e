//! The value of a position by the values of its moves.

use stonework_game::{Keyed, Outcome, move_orbits};
use stonework_proof::Claim;

/// The position after a legal move.
pub(crate) fn after<G: Keyed>(root: &G, mv: G::Move) -> G {
    let mut position = root.clone();
    position.play_unchecked(mv);
    position
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

/// The value that a claim states; `None` for a claim that leaves the value open.
pub(crate) const fn value_of_claim(claim: Claim) -> Option<Outcome> {
    match claim {
        Claim::Wins(player) => Some(Outcome::Win(player)),
        Claim::Draw => Some(Outcome::Draw),
        Claim::DoesNotWin(_) => None,
    }
}
