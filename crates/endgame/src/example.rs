//! A space small enough to show in an example.

use stonework_game::example::Nim;
use stonework_game::{Game, Textual};

use crate::StateSpace;

/// The heaps of [`Nim`] with at most this number of stones, by size. A state and the same state with the other side to
/// move have one number: both have the same value for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Heaps(pub u8);

impl StateSpace for Heaps {
    type State = Nim;

    fn len(&self) -> u64 {
        u64::from(self.0) + 1
    }

    fn rank(&self, nim: &Nim) -> Option<u64> {
        // The heap is the first word of the position's text.
        let left = nim.position_text().split(' ').next()?.parse().ok()?;
        (left <= u64::from(self.0) && nim.outcome().is_none()).then_some(left)
    }

    fn unrank(&self, rank: u64) -> Option<Nim> {
        // The game with an empty heap is over: a hole.
        (1..self.len()).contains(&rank).then(|| Nim::new(rank as u8))
    }
}
