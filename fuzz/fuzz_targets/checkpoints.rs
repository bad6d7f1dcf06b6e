//! Law: saved searches are refused with their place or go on.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| stonework_fuzz::checkpoints(data));

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    stonework_fuzz::without_libfuzzer("checkpoints")
}
