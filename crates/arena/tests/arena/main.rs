//! Matches, tournaments, tuning and self-play in one process.

mod confirm;
mod entrants;
mod matches;
mod self_play;
mod tuning;
