//! Proof-number search.

mod arena;
mod best_first;
mod dfpn;
mod drive;
mod judge;
mod kept;
mod learn;
mod numbers;
mod probe;
mod prove;
mod store;
mod transfer;
mod walk;

pub use best_first::Pn;
pub use dfpn::Dfpn;
pub use drive::Ask;
pub use judge::Initial;
pub use kept::{Kept, KeptError};
pub(crate) use probe::Probe;
pub use prove::ProveError;
pub(crate) use store::Store;
