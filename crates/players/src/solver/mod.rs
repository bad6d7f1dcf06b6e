//! Solving Havannah on small boards, sizes 2 to 6.

mod compact;
mod foresight;
mod lattice;
mod sequence;
mod side;
mod sight;
mod word;

pub use compact::{Compact, Undo, Unfit};
pub use foresight::Foresight;
pub use sight::ByRules;
pub use word::Word;
