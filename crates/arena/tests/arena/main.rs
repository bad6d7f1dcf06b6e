//! Matches, tournaments, tuning and self-play in one process.

mod confirm;
mod entrants;
mod matches;
mod proven_play;
mod self_play;
mod tuning;
