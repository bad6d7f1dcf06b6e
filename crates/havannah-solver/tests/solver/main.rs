//! The solver against the rules and published positions; its proofs, jobs, frames and tactics.

mod certificates;
mod frames;
mod jobs;
mod openings;
mod positions;
mod questions;
mod scattered;
mod search;
mod sequences;
mod tactics;
