//! Values and priors learned from games of Havannah.

mod codes;
mod entry;
mod evaluator;
mod judge;
mod move_features;
mod planes;
mod position_features;
mod shipped;
#[cfg(test)]
mod tests;
mod wide_features;

pub use entry::learned_entry;
pub use evaluator::HavannahNet;
pub(crate) use judge::HavannahJudge;
pub use move_features::{HavannahMoves, HavannahPriors};
pub use planes::HavannahPlanes;
pub use position_features::HavannahFeatures;
pub use shipped::{shipped_lattice, shipped_net, shipped_weights};
