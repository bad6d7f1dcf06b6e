//! Signals to commands that wait for programs.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use stonework_game::Textual as _;
use stonework_havannah::Position;
use stonework_proof::ProofReader;
use stonework_proof::set::{ProofSet, SetFile};

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

/// Makes a pipe with a name, at which the program that reads it waits.
fn pipe(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&path);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path.to_str().unwrap().to_owned()
}

/// Runs a command that opens a pipe, and sends SIGTERM once the pipe is open. Then the pipe gets some bytes. Returns the
/// exit code and the message.
fn stopped_while_reading(args: &[&str], pipe: &str, content: &[u8]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The pipe opens when the program has opened it, too.
    let (send, opened) = std::sync::mpsc::channel();
    let path = pipe.to_owned();
    std::thread::spawn(move || send.send(std::fs::OpenOptions::new().write(true).open(path)));
    let mut input = opened.recv_timeout(LONG).expect("the program opens the pipe").unwrap();
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    std::thread::sleep(Duration::from_millis(300));
    // A program that has ended does not read.
    let _ = input.write_all(content);
    let since = Instant::now();
    // The pipe stays open: a program that waits for the rest does not end.
    while content.is_empty() && child.try_wait().unwrap().is_none() {
        if since.elapsed() > LONG {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(input);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

/// The signal was kept for a search that had not begun: a large proof was read to its end.
#[test]
fn the_reading_of_a_proof_is_stopped() {
    let path = pipe("signals.pipe");
    for mode in [&["solve", "--explore", &path][..], &["solve", "--size", "2", "--map", "--explore", &path]] {
        let (code, said) = stopped_while_reading(mode, &path, b"");
        assert_eq!((code, said.as_str()), (None, ""), "{mode:?}");
    }
}

/// A signal ended the program without a word about the file of progress.
#[test]
fn the_check_of_a_proof_set_is_stopped() {
    let (proof, list) = (file("signals-set.proof", b""), file("signals-set/proof.set", b""));
    run_words(&format!("solve --size 3 --moves a1 --proof {proof}"));
    let content = std::fs::read(&proof).unwrap();
    let reader = ProofReader::new(&content[..]).unwrap();
    let (root, claim) = reader.claims().next().unwrap();
    let mut set = ProofSet::new("havannah", &Position::parse_position(root).unwrap(), claim);
    set.files.push(SetFile::of_bytes("a1.proof", &content).unwrap());
    set.write(std::fs::File::create(&list).unwrap()).unwrap();
    let folder = list.strip_suffix("/proof.set").unwrap();
    let (path, progress) = (pipe("signals-set/a1.proof"), format!("{folder}/progress"));
    let _ = std::fs::remove_file(&progress);
    let call = ["verify", folder, "--progress", &progress];
    for (args, go_on) in [
        (&call[..2], "without --progress the next check begins anew".to_owned()),
        (&call[..], format!("the same command goes on from {progress}")),
    ] {
        let (code, said) = stopped_while_reading(args, &path, &content);
        let why = format!("error: stopped after 0 files of the set; {go_on}\n");
        assert_eq!((code, said), (Some(2), why));
    }
}
