//! Small programs that show what Stonework is for, each in `examples/` with what it prints:
//! `cargo run -p stonework-examples --example NAME`. This library holds nothing but the test that the
//! README's code runs.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
