//! Matches, self-play and trials by a farm, against the same work in one process.

mod long;
mod matches;
mod self_play;
mod trials;
