//! [`move_orbits`]: the moves of a position in groups of moves that are the same but for a symmetry.

use crate::Keyed;

/// A move and the moves that are the same but for a symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveOrbit<M> {
    /// The first move of the orbit, in the order of [`Game::legal_moves`](crate::Game::legal_moves).
    pub mv: M,
    /// The other moves, in the same order.
    pub images: Vec<M>,
}

/// The legal moves of a position in orbits. The moves of an orbit lead to the same position but for a symmetry of the
/// game ([`Keyed::canonical`]).
///
/// # Complexity
/// The function plays each move once; O(moves · orbits).
///
/// ```
/// use stonework_game::{MoveOrbit, example::Nim, move_orbits};
/// // No two moves of Nim are the same.
/// assert_eq!(move_orbits(&Nim::new(9)), [1, 2].map(|mv| MoveOrbit { mv, images: Vec::new() }));
/// ```
#[must_use]
pub fn move_orbits<G: Keyed>(root: &G) -> Vec<MoveOrbit<G::Move>> {
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    let mut orbits: Vec<(u64, MoveOrbit<G::Move>)> = Vec::new();
    for mv in moves {
        let mut position = root.clone();
        position.play_unchecked(mv);
        let key = position.canonical().0;
        match orbits.iter_mut().find(|(known, _)| *known == key) {
            Some((_, orbit)) => orbit.images.push(mv),
            None => orbits.push((key, MoveOrbit { mv, images: Vec::new() })),
        }
    }
    orbits.into_iter().map(|(_, orbit)| orbit).collect()
}
