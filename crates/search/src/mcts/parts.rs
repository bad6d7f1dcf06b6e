//! [`Strategies`]: playouts, priors, tactics and sub-search of one thread of a Monte-Carlo search.

use stonework_game::Indexed;

use super::sub_search::{Insight, SubSearch};
use crate::{PlayoutPolicy, Priors, Tactics};

/// The strategies of one thread.
pub(super) struct Strategies<Playout, Prior, Tactic, Sub> {
    pub(super) playout: Playout,
    pub(super) priors: Prior,
    /// Tactics and sub-search: the sources of proven bounds.
    pub(super) insight: Insight<Tactic, Sub>,
}

/// [`Strategies`] for a game. The trait is one bound in place of the bounds on the four type parameters.
pub(super) trait TreeParts<G: Indexed>: Send {
    type Tactic: Tactics<G>;
    type Sub: SubSearch<G>;

    fn playout(&mut self) -> &mut impl PlayoutPolicy<G>;
    fn priors(&mut self) -> &mut impl Priors<G>;
    fn insight(&mut self) -> &mut Insight<Self::Tactic, Self::Sub>;
}

impl<G, Playout, Prior, Tactic, Sub> TreeParts<G> for Strategies<Playout, Prior, Tactic, Sub>
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
    fn insight(&mut self) -> &mut Insight<Tactic, Sub> {
        &mut self.insight
    }
}
