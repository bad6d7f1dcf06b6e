//! `stonework`: the command line for Havannah, Cachex and Cover.

use std::process::ExitCode;

use stonework_session::Registry;

fn main() -> ExitCode {
    stonework_cli::run(&Registry::standard(), std::env::args_os())
}
