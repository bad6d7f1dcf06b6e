//! Monte-Carlo trees, graphs and hybrids against plain minimax, and their promises about limits, memory and threads.

mod common;
#[path = "../games/mod.rs"]
mod games;
mod graph;
mod hybrid;
mod plain;
