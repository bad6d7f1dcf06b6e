//! Runs of the program with arguments and standard input.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The exit code and the output of a run.
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    /// The lines of standard output as JSON.
    pub(crate) fn json(&self) -> Vec<Value> {
        let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        self.out.lines().map(read).collect()
    }

    /// Checks that the run succeeded without a message, and returns the lines of standard output as JSON.
    pub(crate) fn good(&self) -> Vec<Value> {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.json()
    }
}

/// Runs the program with arguments and an empty standard input.
pub(crate) fn run(args: &[&str]) -> Ran {
    feed(args, b"")
}

/// Runs the program with arguments that are separated by spaces.
pub(crate) fn run_words(args: &str) -> Ran {
    run(&args.split(' ').collect::<Vec<_>>())
}

/// Runs the program with arguments and standard input.
pub(crate) fn feed(args: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that refuses its arguments does not read its input: the error of this write is no failure.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The names of an object's fields, sorted.
pub(crate) fn fields(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Writes a file in the folder of these tests, and returns its path.
pub(crate) fn file(name: &str, bytes: &[u8]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli");
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}
