//! Proof-number search.

mod arena;
mod best_first;
mod dfpn;
mod drive;
mod jobs;
mod kept;
mod leaf;
mod learn;
mod numbers;
mod pace;
mod probe;
mod prove;
mod prover;
mod share;
mod store;
mod transfer;
mod walk;

pub use best_first::{Pn, PnOptions};
pub use dfpn::{Dfpn, DfpnOptions};
pub use drive::Question;
pub use jobs::{
    ChildFinding, JobChild, JobCounts, JobFinding, JobReport, JobTree, JobTreeOptions, ShownLeaf, TopError,
    TopProof, TreeJob, TreeJobId,
};
pub use kept::{LoadError, SavedTable};
pub use leaf::Initial;
pub(crate) use probe::Probe;
pub use prove::ProveError;
pub use prover::{DfpnProver, Prover, ProverError};
pub use share::{ChildNumbers, TableEntry};
pub(crate) use store::Store;
