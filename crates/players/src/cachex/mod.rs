//! Cachex: its states by number, for end-game tables.

mod space;

pub use space::{Space, SpaceError};
