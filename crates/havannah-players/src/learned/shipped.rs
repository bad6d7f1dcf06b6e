//! The networks and the weights of the player `champion`, which are a part of this crate.

use std::sync::OnceLock;

use stonework_learn::{LatticeNet, MoveWeights, ValueNet};

use super::judge::of_size;
use super::{HavannahNet, HavannahPriors};

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

/// The network by which `champion` searches on boards of a size with few stones: to size 5 that of `data/lattice-5.safetensors`, at size 6
/// that of `data/lattice-6.safetensors`, from size 7 on that of `data/lattice-7-10.safetensors`. The names say the sizes at which a network
/// plays; `data/README.md` says those at which it has learned. For matches of other learned files against it.
#[must_use]
pub fn shipped_lattice(size: u8) -> LatticeNet {
    let bytes: &[u8] = match of_size(size) {
        0 => include_bytes!("../../data/lattice-5.safetensors"),
        1 => include_bytes!("../../data/lattice-6.safetensors"),
        _ => include_bytes!("../../data/lattice-7-10.safetensors"),
    };
    LatticeNet::from_bytes(bytes).unwrap_or_else(|error| unreachable!("a part of this crate: {error}"))
}
