//! The networks and the weights of the player `champion`, which are a part of this crate.

use std::sync::{Arc, OnceLock};

use stonework_learn::{LatticeJudge, LatticeNet, MoveWeights, ValueNet};

use super::{HavannahNet, HavannahPlanes, HavannahPriors};

impl HavannahNet {
    /// The evaluator of the player `champion`, with the network in `data/value.safetensors`. `data/README.md` has the commands
    /// that made the file. The first call takes some milliseconds.
    #[must_use]
    pub fn shipped() -> Self {
        static SHIPPED: OnceLock<HavannahNet> = OnceLock::new();
        let made =
            || Self::new(shipped_net()).unwrap_or_else(|error| unreachable!("a part of this crate: {error}"));
        SHIPPED.get_or_init(made).clone()
    }
}

impl HavannahPriors {
    /// The priors of the player `champion`, with the weights in `data/priors.safetensors`. `data/README.md` has the commands that
    /// made the file. The first call takes some milliseconds.
    #[must_use]
    pub fn shipped() -> Self {
        static SHIPPED: OnceLock<HavannahPriors> = OnceLock::new();
        let made = || {
            Self::new(shipped_weights()).unwrap_or_else(|error| unreachable!("a part of this crate: {error}"))
        };
        SHIPPED.get_or_init(made).clone()
    }
}

/// The network in `data/value.safetensors`, which [`HavannahNet::shipped`] uses; for matches of other learned files against it.
#[must_use]
pub fn shipped_net() -> ValueNet {
    let net = ValueNet::from_bytes(include_bytes!("../../data/value.safetensors"));
    net.unwrap_or_else(|error| unreachable!("a part of this crate: {error}"))
}

/// The weights in `data/priors.safetensors`, which [`HavannahPriors::shipped`] uses; for reports on how well they predict games.
#[must_use]
pub fn shipped_weights() -> MoveWeights {
    let weights = MoveWeights::from_bytes(include_bytes!("../../data/priors.safetensors"));
    weights.unwrap_or_else(|error| unreachable!("a part of this crate: {error}"))
}

/// The network in `data/lattice.safetensors`, by which `champion` searches at sizes 5 and 6 with few stones on the board; for matches of
/// other learned files against it.
#[must_use]
pub fn shipped_lattice() -> LatticeNet {
    let net = LatticeNet::from_bytes(include_bytes!("../../data/lattice.safetensors"));
    net.unwrap_or_else(|error| unreachable!("a part of this crate: {error}"))
}

/// A judge by [`shipped_lattice`]. Each has judgements of its own.
pub(crate) fn judge_shipped() -> LatticeJudge<HavannahPlanes> {
    static SHIPPED: OnceLock<Arc<LatticeNet>> = OnceLock::new();
    let net = SHIPPED.get_or_init(|| Arc::new(shipped_lattice()));
    LatticeJudge::new(HavannahPlanes, Arc::clone(net))
        .unwrap_or_else(|error| unreachable!("a part of this crate: {error}"))
}
