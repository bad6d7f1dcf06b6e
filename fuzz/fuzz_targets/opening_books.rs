//! Law: opening books are legal openings or a short error.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| stonework_fuzz::opening_books(data));

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    stonework_fuzz::without_libfuzzer("opening_books")
}
