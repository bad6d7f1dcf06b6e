//! Signals to commands that wait for programs.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{file, run_words};

/// The longest time of a run on a busy machine; without a signal, every wait here would last at least a day.
const LONG: Duration = Duration::from_secs(60);

/// Runs a command, sends a signal to it once its program has written a process number into a file, and waits for the
/// end. Returns the output, the exit code, and `true` if the helper of the program still runs.
fn stopped(signal: &str, args: &[&str], started: &str) -> (String, Option<i32>, bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let since = Instant::now();
    let pid = loop {
        let text = std::fs::read_to_string(started).unwrap_or_default();
        if let Some(pid) = text.strip_suffix('\n') {
            break pid.to_owned();
        }
        assert!(since.elapsed() < LONG, "{args:?} starts no program");
        assert_eq!(child.try_wait().unwrap(), None, "{args:?}");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    while child.try_wait().unwrap().is_none() {
        assert!(since.elapsed() < LONG, "{args:?} does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (said, child.wait().unwrap().code(), runs(&pid))
}

/// `true` if a process runs; a process that has ended may still wait for its parent.
fn runs(pid: &str) -> bool {
    let state = Command::new("ps").args(["-o", "state=", "-p", pid]).output().unwrap().stdout;
    !state.is_empty() && !state.starts_with(b"Z")
}

/// A program that answers `after` commands, then starts a helper, writes the helper's number to a file, and hangs. A shell whose helper
/// is killed before the shell itself would say `Killed`.
fn hangs(name: &str, after: usize) -> (String, String) {
    let started = file(name, b"");
    let script = file(
        &format!("{name}.sh"),
        format!(
            "exec 2>/dev/null\ni=0\nwhile [ $i -lt {after} ]; do read id c; echo \"=$id\"; echo; i=$((i+1)); done\n\
             sleep 100000 &\necho $! >{started}\nwait\n"
        )
        .as_bytes(),
    );
    (format!("sh {script}"), started)
}

#[test]
fn a_match_is_stopped_whatever_its_program_does() {
    // The program hangs before its first answer, at the command for the size, or at the command with the opening.
    for (after, signal) in [(0, "-TERM"), (1, "-INT"), (3, "-TERM")] {
        let (command, started) = hangs(&format!("hangs-{after}"), after);
        let program = format!("gtp:{command}");
        let games = ["mcts:simulations=10", &program, "--size", "4", "--games", "2", "--patience", "86400"];
        for event in ["match", "tournament"] {
            std::fs::write(&started, "").unwrap();
            let args: Vec<&str> = [event].into_iter().chain(games).collect();
            let (said, _, runs) = stopped(signal, &args, &started);
            assert!(!runs, "{event}, {after}: the helper lives on: {said}");
            assert!(said.contains("stopped"), "{event}, {after}: {said}");
        }
    }
}

#[test]
fn a_comparison_is_stopped_whatever_its_program_does() {
    let (command, started) = hangs("conform", 0);
    let args = ["conform", "--cmd", &command, "--size", "3", "--timeout", "86400"];
    let (said, code, runs) = stopped("-TERM", &args, &started);
    assert!(!runs, "the helper lives on");
    assert_eq!((said.as_str(), code), ("error: stopped after 0 games and 1 questions\n", Some(2)));
}

#[test]
fn patience_is_for_commands_without_a_time() {
    let (command, _) = hangs("patience", 1);
    let program = format!("gtp:{command}");
    let args = ["match", "mcts:simulations=10", &program, "--size", "4", "--patience", "0.5"];
    let ran = crate::common::run(&args);
    let why = "timed out after 0.500 s, 0.500 s were allowed";
    assert_eq!((ran.code, ran.err), (Some(2), format!("error: player `{program}`: {why}\n")));
}

/// A dialogue that waits for a line ends; one that searches prints the answer first. Without the signals it would take hours.
#[test]
fn a_dialogue_about_a_proof_is_stopped() {
    let proof = file("signals.proof", b"");
    run_words(&format!("solve --size 2 --proof {proof}"));
    for (signal, commands) in [("-TERM", "a1\n"), ("-INT", "a1\n"), ("-INT", "start\nsolve\nsolve\n")] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
            .args(["solve", "--explore", &proof, "--size", "5", "--nodes", "1000000000000", "--json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let since = Instant::now();
        let mut input = child.stdin.take().unwrap();
        input.write_all(commands.as_bytes()).unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        // The first answer shows that the dialogue has begun.
        output.read_line(&mut String::new()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        while child.try_wait().unwrap().is_none() {
            assert!(since.elapsed() < LONG, "{commands:?} does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut said = String::new();
        output.read_to_string(&mut said).unwrap();
        let searched = commands.contains("solve");
        assert_eq!(said.lines().count(), usize::from(searched), "{said}");
        assert!(!searched || said.contains("\"stopped_by\":\"cancel\""), "{said}");
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}
