//! Law: proofs that are accepted are true, and anything else is refused with its place.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| stonework_fuzz::proofs(data));

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    stonework_fuzz::without_libfuzzer("proofs")
}
