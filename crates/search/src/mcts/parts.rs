//! [`Strategies`]: the playouts, priors, evaluator, tactics and sub-search of one thread.

use stonework_game::Indexed;

use super::sub_search::{Knowledge, SubSearch};
use crate::{Evaluator, PlayoutPolicy, Priors, Tactics};

/// The strategies that one thread of a tree search has for itself.
pub(super) struct Strategies<Playout, Prior, Tactic, Value, Sub> {
    pub(super) playout: Playout,
    pub(super) priors: Prior,
    pub(super) evaluator: Value,
    /// Tactics and sub-search: the sources of proven bounds.
    pub(super) knowledge: Knowledge<Tactic, Sub>,
}

/// The strategies of one thread for a game `G`: a short name for the bounds on the five types of [`Strategies`].
pub(super) trait ThreadStrategies<G: Indexed>: Send {
    type Tactic: Tactics<G>;
    type Sub: SubSearch<G>;

    fn playout(&mut self) -> &mut impl PlayoutPolicy<G>;
    fn priors(&mut self) -> &mut impl Priors<G>;
    fn evaluator(&mut self) -> &mut impl Evaluator<G>;
    fn knowledge(&mut self) -> &mut Knowledge<Self::Tactic, Self::Sub>;
}

impl<G, Playout, Prior, Tactic, Value, Sub> ThreadStrategies<G>
    for Strategies<Playout, Prior, Tactic, Value, Sub>
where
    G: Indexed,
    Playout: PlayoutPolicy<G>,
    Prior: Priors<G>,
    Tactic: Tactics<G>,
    Value: Evaluator<G>,
    Sub: SubSearch<G>,
{
    type Tactic = Tactic;
    type Sub = Sub;

    #[inline]
    fn playout(&mut self) -> &mut impl PlayoutPolicy<G> {
        &mut self.playout
    }

    #[inline]
    fn priors(&mut self) -> &mut impl Priors<G> {
        &mut self.priors
    }

    #[inline]
    fn evaluator(&mut self) -> &mut impl Evaluator<G> {
        &mut self.evaluator
    }

    #[inline]
    fn knowledge(&mut self) -> &mut Knowledge<Tactic, Sub> {
        &mut self.knowledge
    }
}
