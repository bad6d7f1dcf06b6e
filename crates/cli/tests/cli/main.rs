//! The program is run as a user runs it: its arguments, what it reads and prints, its exit codes.

mod bad_input;
mod commands;
mod common;
#[cfg(unix)]
mod conform;
mod oracle;
mod replay;
mod search;
