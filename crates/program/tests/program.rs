//! Programs with all processes that they start.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use stonework_program::Program;

const LONG: Duration = Duration::from_secs(30);

/// A script of the shell with pipes to it.
fn shell(script: &str) -> (Program, BufReader<ChildStdout>) {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = Program::spawn(command).unwrap();
    let output = program.take_stdout().unwrap();
    (program, BufReader::new(output))
}

/// The number of a process in a script's output.
fn told(output: &mut impl BufRead) -> u32 {
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    line.trim().parse().unwrap_or_else(|_| panic!("no process: {line:?}"))
}

/// `true` if a process runs; `false` for a process that has ended and that its parent has not waited for.
fn runs(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

#[test]
fn nothing_that_a_program_has_started_outlives_it() {
    let cases = [
        ("in the background", "sleep 1000 & echo $!; read x"),
        ("left behind at the start", "sleep 1000 & echo $!"),
        ("of a shell that waits for it", "sh -c 'echo $$; sleep 1000; true'; true"),
        ("a group of its own", "set -m; sleep 1000 & echo $!; read x"),
        ("a session of its own", "setsid sh -c 'echo $$; sleep 1000; true' & read x"),
        ("a daemon", "setsid sh -c 'sleep 1000 & echo $!; sleep 1000' & exit 0"),
        (
            "a daemon's child without the mark",
            "setsid sh -c 'env -i sleep 1000 & echo $!; sleep 1000' & exit 0",
        ),
        ("what forks on the way out", "trap '' TERM HUP; (while :; do sleep 0.01; done) & echo $!; read x"),
    ];
    for (what, script) in cases {
        let (mut program, mut output) = shell(script);
        let pid = told(&mut output);
        assert!(runs(pid), "{what}");
        program.end(Duration::ZERO);
        assert!(!runs(pid), "{what}: {pid} is still there");
        let mut rest = String::new();
        // A process with the other end of the pipe would make this read wait.
        output.read_line(&mut rest).unwrap();
        assert_eq!(rest, "", "{what}");
    }
}

/// A process that holds much memory runs on for some milliseconds after it has been killed; its parent is gone by then.
#[test]
fn a_process_that_takes_long_to_die_is_waited_for() {
    let held = "x=$(head -c 150000000 /dev/zero | tr \"\\0\" x); echo $$; sleep 1000; true";
    let (mut program, mut output) =
        shell(&format!("setsid sh -c 'env -i sh -c '\\''{held}'\\'' & sleep 1000' & exit 0"));
    let pid = told(&mut output);
    program.end(Duration::ZERO);
    assert!(!runs(pid));
}

#[test]
fn other_programs_live_on() {
    let (mut one, mut output) = shell("setsid sh -c 'sleep 1000 & echo $!; sleep 1000' & exit 0");
    let theirs = told(&mut output);
    let (mut other, mut output) = shell("setsid sh -c 'sleep 1000 & echo $!; sleep 1000' & exit 0");
    let pid = told(&mut output);
    one.end(Duration::ZERO);
    assert!(!runs(theirs) && runs(pid));
    drop(other.take_stdin());
    drop(other);
    assert!(!runs(pid));
}

#[test]
fn a_program_that_ends_in_time_is_not_killed_and_says_how_it_ended() {
    let (mut program, _output) = shell("read x; exit 7");
    program.take_stdin().unwrap().write_all(b"x\n").unwrap();
    let status = program.end(LONG).unwrap();
    assert_eq!(status.code(), Some(7));
    assert_eq!(program.end(Duration::ZERO), Some(status), "asked again, it says the same");
    let (mut program, _output) = shell("read x; exit 7");
    assert_eq!(program.end(Duration::ZERO).unwrap().code(), None, "killed by a signal");
    assert!(Program::spawn(Command::new("no-such-program-anywhere")).is_err());
}

#[test]
fn the_time_of_children_is_the_time_of_the_program() {
    let work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    let worked = Duration::from_millis(50);
    for (what, script) in [
        ("its own", format!("{work}; echo 1; read x")),
        ("a child's that was waited for", format!("sh -c '{work}'; echo 1; read x")),
        ("a child's that runs", format!("sh -c '{work}; echo 1; read x; true'; true")),
        ("a daemon's that runs", format!("setsid sh -c '{work}; echo 1; sleep 1000; true' & exit 0")),
    ] {
        let (mut program, mut output) = shell(&script);
        assert_eq!(told(&mut output), 1);
        let taken = program.cpu_time().unwrap();
        assert!(taken >= worked && taken < LONG, "{what}: {taken:?}");
        program.end(Duration::ZERO);
        assert!(program.cpu_time() >= Some(taken), "{what}: it is known after the end");
    }
}

#[test]
fn a_crowd_is_killed_in_bounded_time() {
    let since = Instant::now();
    let (mut program, mut output) =
        shell("for i in 1 2 3 4 5 6 7 8 9; do setsid sleep 1000 & done; echo $!; read x");
    let pid = told(&mut output);
    program.end(Duration::ZERO);
    assert!(!runs(pid) && since.elapsed() < LONG);
}
