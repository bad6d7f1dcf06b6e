//! Counts of finished games, and how large the game is.

mod complexity;
mod games;
mod lengths;

pub use complexity::{Complexity, Magnitude};
pub use games::{GameStatistics, RingCounts, StatisticsError};
pub use lengths::Lengths;
