//! Small programs that show what Stonework is for, each in `examples/` with what it prints:
//! `cargo run -p stonework-examples --example NAME`. This library holds what two of them share, [`complexity`], and
//! the test that the code on the pages of `docs/` runs.

pub mod complexity;

#[cfg(doctest)]
#[doc = include_str!("../../docs/concepts.md")]
struct Concepts;

#[cfg(doctest)]
#[doc = include_str!("../../docs/implement.md")]
struct Implement;

#[cfg(doctest)]
#[doc = include_str!("../../docs/write-an-engine.md")]
struct WriteAnEngine;
