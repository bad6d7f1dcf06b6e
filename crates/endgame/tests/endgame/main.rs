//! Solving, verifying and storing, on games whose values are known otherwise.

mod build;
mod games;
mod graph;
mod graphs;
mod resume;
mod store;
