//! Law: end-game tables are refused with their place or can be read.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| stonework_fuzz::tables(data));

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    stonework_fuzz::without_libfuzzer("tables")
}
