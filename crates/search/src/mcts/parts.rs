//! [`Strategies`]: the playouts, priors, tactics and sub-search of one thread.

use stonework_game::Indexed;

use super::sub_search::{Knowledge, SubSearch};
use crate::{PlayoutPolicy, Priors, Tactics};

/// The strategies that one thread of a tree search has for itself.
pub(super) struct Strategies<Playout, Prior, Tactic, Sub> {
    pub(super) playout: Playout,
    pub(super) priors: Prior,
    /// Tactics and sub-search: the sources of proven bounds.
    pub(super) knowledge: Knowledge<Tactic, Sub>,
}

/// The strategies of one thread for a game `G`: a short name for the bounds on the four types of [`Strategies`].
pub(super) trait ThreadStrategies<G: Indexed>: Send {
    type Tactic: Tactics<G>;
    type Sub: SubSearch<G>;

    fn playout(&mut self) -> &mut impl PlayoutPolicy<G>;
    fn priors(&mut self) -> &mut impl Priors<G>;
    fn knowledge(&mut self) -> &mut Knowledge<Self::Tactic, Self::Sub>;
}

impl<G, Playout, Prior, Tactic, Sub> ThreadStrategies<G> for Strategies<Playout, Prior, Tactic, Sub>
where
    G: Indexed,
    Playout: PlayoutPolicy<G>,
    Prior: Priors<G>,
    Tactic: Tactics<G>,
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
    fn knowledge(&mut self) -> &mut Knowledge<Tactic, Sub> {
        &mut self.knowledge
    }
}
