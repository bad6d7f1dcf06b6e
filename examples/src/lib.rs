//! Small programs that show what Stonework is for, each in `examples/` with what it prints:
//! `cargo run -p stonework-examples --example NAME`. There is nothing else in this library.
