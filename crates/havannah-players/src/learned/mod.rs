//! Values and priors learned from games of Havannah.

mod codes;
mod entry;
mod evaluator;
mod move_features;
mod position_features;
mod shipped;
#[cfg(test)]
mod tests;
mod wide_features;

pub use entry::learned_entry;
pub use evaluator::HavannahNet;
pub use move_features::{HavannahMoves, HavannahPriors};
pub use position_features::HavannahFeatures;
pub use shipped::{shipped_net, shipped_weights};
