//! Tests of Monte-Carlo trees, graphs and hybrids against minimax, and of their limits, memory and threads.

mod common;
mod ends;
mod graph;
mod hybrid;
mod limits;
mod plain;
