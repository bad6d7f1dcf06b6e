//! [`Proof`] and [`Strategy`]: a proof in memory, for programs that make one.

use std::collections::HashMap;

use stonework_game::Game;

use crate::{Claim, ProofAction};

/// A proof of one claim in memory: a strategy for each of its [goals](Claim::goals).
///
/// A proof in memory is not checked. The [verifier](crate::verify()) checks the file of the proof.
#[derive(Clone, Debug)]
pub struct Proof<G: Game> {
    pub(crate) root: G,
    pub(crate) claim: Claim,
    pub(crate) strategies: Vec<Strategy<G::Move>>,
}

impl<G: Game> Proof<G> {
    /// A proof of a claim about `root`, with a strategy for each goal of the claim, in the order of the goals.
    #[must_use]
    pub const fn new(root: G, claim: Claim, strategies: Vec<Strategy<G::Move>>) -> Self {
        Self { root, claim, strategies }
    }

    /// The position at which the strategies begin.
    #[must_use]
    pub const fn root(&self) -> &G {
        &self.root
    }

    /// The claim that the proof proves.
    #[must_use]
    pub const fn claim(&self) -> Claim {
        self.claim
    }

    /// The number of positions with an action, summed over the strategies. A position at which the game is over, or which
    /// immediate wins decide, has no action.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.strategies.iter().map(Strategy::len).sum()
    }
}

/// The actions of one side at the positions that it may meet, by the positions' [keys](crate::position_key). A
/// strategy takes about 50 bytes of memory for each position.
#[derive(Clone, Debug)]
pub struct Strategy<M> {
    pub(crate) positions: HashMap<u64, PlannedAction<M>>,
}

/// The action at a position, with a flag for shared positions.
#[derive(Clone, Debug)]
pub(crate) struct PlannedAction<M> {
    pub(crate) action: ProofAction<M>,
    /// `true` if the strategy meets the position more than once.
    pub(crate) shared: bool,
}

impl<M> Default for Strategy<M> {
    fn default() -> Self {
        Self { positions: HashMap::new() }
    }
}

impl<M> Strategy<M> {
    /// A strategy without positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of positions with an action.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// `true` if the strategy has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// `true` if the strategy has an action at the position with this key.
    #[must_use]
    pub fn contains(&self, key: u64) -> bool {
        self.positions.contains_key(&key)
    }

    /// Marks the position with this key as shared: the strategy meets the position more than once. Returns `false`
    /// if the position has no action yet.
    pub fn meet_again(&mut self, key: u64) -> bool {
        let position = self.positions.get_mut(&key);
        position.map(|planned| planned.shared = true).is_some()
    }

    /// Sets the action at the position with this key, which the strategy meets for the first time.
    pub fn insert(&mut self, key: u64, action: ProofAction<M>) {
        self.positions.insert(key, PlannedAction { action, shared: false });
    }
}
