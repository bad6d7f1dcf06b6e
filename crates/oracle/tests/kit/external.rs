//! Programs as subjects: the processes that they leave behind, and the ways to stop them.
#![cfg(unix)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_oracle::{External, Fault, Query, Subject, difference, replay};

fn query() -> Query {
    Query::new("havannah", 4, false, vec!["a1".to_owned()])
}

/// `true` if a process runs; `false` for a process that has ended and that its parent has not waited for.
#[cfg(target_os = "linux")]
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_program_has_started_ends_with_it() {
    for script in
        ["sh -c 'echo $$; sleep 1000; true'; true", "setsid sh -c 'sleep 1000 & echo $!' & sleep 1000"]
    {
        let mut program = External::new(script, Duration::from_secs(10));
        let failure = program.replay(&query()).unwrap_err();
        // The line of the program is the number of a process, and no answer.
        let pid = failure.rsplit(' ').next().unwrap();
        assert!(pid.parse::<u32>().is_ok() && !runs(pid), "{failure}");
    }
}

#[test]
fn a_flag_ends_waiting_for_an_answer() {
    let flag = Arc::new(AtomicBool::new(false));
    let mut program = External::new("sleep 1000", Duration::MAX).cancel(Arc::clone(&flag));
    let set = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        flag.store(true, Ordering::Relaxed);
    });
    for _ in 0..2 {
        assert_eq!(program.replay(&query()).unwrap_err(), "stopped before the program answered");
    }
    set.join().unwrap();
}

/// A question that is longer than a pipe holds waited for the program for ever, whatever the time limit and the flag said.
#[test]
fn a_program_that_does_not_read_is_given_up() {
    let long = Query::new("havannah", 4, false, vec!["a1".to_owned(); 100_000]);
    let mut program = External::new("sleep 1000", Duration::from_millis(200));
    assert!(program.replay(&long).unwrap_err().starts_with("no answer within 200ms"));
    let flag = Arc::new(AtomicBool::new(false));
    let mut program = External::new("sleep 1000", Duration::MAX).cancel(Arc::clone(&flag));
    let set = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        flag.store(true, Ordering::Relaxed);
    });
    assert_eq!(program.replay(&long).unwrap_err(), "stopped before the program answered");
    set.join().unwrap();
}

#[test]
fn a_program_that_closes_its_input_is_noticed() {
    let answer = r#"{"id":1,"ok":true,"to_move":"black","outcome":null}"#;
    let script = format!("read l; exec <&-; echo '{answer}'; sleep 1000");
    let mut program = External::new(script, Duration::MAX);
    assert!(program.replay(&query()).unwrap().is_ok());
    assert_eq!(program.replay(&query()).unwrap_err(), "the program has closed its input");
}

/// A terminal obeyed what the program had written, and a message of any length was in the report.
#[test]
fn what_a_program_writes_is_cut_and_has_no_control_characters() {
    let mut program = External::new(r"printf '\033[2Jno\tanswer\n'", Duration::from_secs(10));
    let failure = program.replay(&query()).unwrap_err();
    assert!(failure.ends_with(":  [2Jno answer"), "{failure:?}");
    let refusal = Fault::new("move", format!("\u{1b}[2J{}", "x".repeat(5000)));
    let what = difference(&replay(&query()), &Ok(Err(refusal))).unwrap();
    assert!(what.len() < 300 && !what.contains(char::is_control), "{what:?}");
}
