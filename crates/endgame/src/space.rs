//! [`StateSpace`]: states by number, and the laws of such a numbering.

use rand_core::RngCore;
use stonework_game::Game;

use crate::Value;

/// The states of a game by number. A space is an object and not a property of a position, because a numbering has a
/// size, tables and tiers of its own.
///
/// States with the same number must have the same value for the side to move; so a space may merge states that differ
/// in counters, in symmetry, or in the assignment of players to sides. The space must hold every state that a move from
/// one of its states leads to, except the states that [`outcome`](Game::outcome) or [`outside`](StateSpace::outside)
/// decides.
///
/// The laws, which [`laws`] checks: `rank(unrank(i)) == i`, and ranks are below the length.
pub trait StateSpace: Sync {
    /// The game.
    type State: Game;

    /// One more than the largest number.
    fn len(&self) -> u64;

    /// `true` if the space has no numbers.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a state; `None` if it is not in the space.
    fn rank(&self, state: &Self::State) -> Option<u64>;

    /// The state with a number. The state may differ from the ranked one in the properties that the space merges.
    /// `None` for a hole: a number that no state has.
    fn unrank(&self, rank: u64) -> Option<Self::State>;

    /// The value of a state that is not in the space and not over, such as a state of a smaller space with a table. The
    /// default knows no value: then no move may lead out of the space.
    fn outside(&self, _state: &Self::State) -> Option<Value> {
        None
    }
}

/// A law that a numbering breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("number {rank} of {len} became a state that has {found:?}")]
#[non_exhaustive]
pub struct BrokenSpace {
    /// The number.
    pub rank: u64,
    /// The number that its state was ranked as.
    pub found: Option<u64>,
    /// The length of the space.
    pub len: u64,
}

/// Checks the laws of [`StateSpace`]: each number that is no hole comes back from its state, and the number after the
/// last is a hole. The check takes all numbers if the space has at most `samples`, and `samples` random numbers
/// otherwise.
///
/// # Errors
/// The first number that breaks a law.
///
/// ```
/// use stonework_endgame::example::Heaps;
/// use stonework_game::rng;
/// stonework_endgame::laws(&Heaps(100), &mut rng(1), 1000)?;
/// # Ok::<(), stonework_endgame::BrokenSpace>(())
/// ```
pub fn laws<S: StateSpace>(space: &S, rng: &mut impl RngCore, samples: u64) -> Result<(), BrokenSpace> {
    let len = space.len();
    let mut check = |rank| {
        let found = space.unrank(rank).map(|state| space.rank(&state));
        let kept = found.is_none_or(|found| found == Some(rank) && rank < len);
        if kept { Ok(()) } else { Err(BrokenSpace { rank, found: found.flatten(), len }) }
    };
    if len <= samples {
        (0..len).try_for_each(&mut check)?;
    } else {
        let mut pick = || ((u128::from(rng.next_u64()) * u128::from(len)) >> 64) as u64;
        (0..samples).try_for_each(|_| check(pick()))?;
    }
    check(len)
}
