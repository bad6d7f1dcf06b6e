//! Law: the fast rules, the playout board and the slow judge agree on any game.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| stonework_fuzz::fast_rules_are_the_slow_judge(data));

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    stonework_fuzz::without_libfuzzer("fast_rules_are_the_slow_judge")
}
