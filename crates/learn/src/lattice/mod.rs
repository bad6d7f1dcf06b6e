//! [`LatticeNet`]: a convolutional network for boards of cells with six neighbours, its training, and its use in a search.

mod file;
mod judge;
mod kernel;
mod net;
mod planes;
mod samples;
#[cfg(test)]
mod tests;
mod train;
mod vectors;
mod whole;

pub use judge::LatticeJudge;
pub use kernel::CHANNELS;
pub use net::{LatticeJudgement, LatticeNet, LatticeScratch, MAX_BLOCKS, MAX_PLANES};
pub use planes::{Lattice, LatticePlanes, NotALattice, PlaneImage, PlaneMark};
pub use samples::LatticeSamples;
pub(crate) use train::LatticeTrainer;
pub use train::{LatticeFit, train_lattice};
