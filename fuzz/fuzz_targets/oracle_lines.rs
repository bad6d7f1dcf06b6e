//! Law: any line gets one answer line.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| stonework_fuzz::oracle_lines(data));

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    stonework_fuzz::without_libfuzzer("oracle_lines")
}
