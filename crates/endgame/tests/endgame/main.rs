//! Solving, verifying and storing, on games with independently known values.

mod build;
mod games;
mod graph;
mod graphs;
mod resume;
mod store;
