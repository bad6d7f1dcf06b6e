//! Every command line in the examples of a page of `--help` can run.
//!
//! The shell runs the examples as they stand, two at a time, in a folder with the files that they name. Only slow examples
//! are shortened, by [`SHORTER`].

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::ran;

/// The slow parts of examples and the names of a user's files, each with a replacement. Each part must occur.
const SHORTER: [(&str, &str); 34] = [
    // Large boards take most of the time of a comparison.
    ("conform --cmd \"stonework oracle\"", "conform --cmd \"stonework oracle\" --size 2..5 --games 10"),
    (
        "conform --cmd \"python3 my_rules.py\"\n",
        "conform --cmd \"python3 my_rules.py\" --size 2..5 --games 10\n",
    ),
    ("--size 8..10 --games 1000", "--size 7 --games 10"),
    ("--corpus games/", "--size 2..5 --games 10 --corpus games/"),
    ("--size 1..6\n", "--size 1..4 --games 10\n"),
    ("perft --size 3 --depth 5", "perft --size 3 --depth 3"),
    ("perft --size 2 --depth 7", "perft --size 2 --depth 5"),
    ("--games 1000000", "--games 1000"),
    ("--games 100000", "--games 1000"),
    ("cover --size 4 --games 1000\n", "cover --size 4 --games 10\n"),
    ("--seconds 2 ", "--seconds 0.05 "),
    ("--seconds 2\n", "--seconds 0.05\n"),
    ("--seconds 60", "--seconds 0.05"),
    // Programs of other authors are replaced by the program of this test.
    ("castro:./castro", "gtp:./castro"),
    ("lajkonik:./lajkonik-8 --size 8", "gtp:./lajkonik-8 --size 3 --games 2"),
    // Size 4 takes hours.
    ("solve --size 4 --memory 8GiB", "solve --size 3 --memory 1GiB"),
    ("solve --size 4 --moves d4 --memory 4GiB", "solve --size 3 --moves d4 --memory 1GiB"),
    ("--memory 2GiB", "--memory 16MiB"),
    // Two stones for each side take minutes.
    ("--size 2 --stones 2v2 --memory 3GiB", "--size 2 --stones 1v1"),
    ("cover-2.table --moves \"C01-D02\"", "cover-2.table --position \"[C01]x[E07]\" --moves \"C01-D02\""),
    ("cover --size 2 --endings", "cover --size 2 --nodes 1000 --endings"),
    ("--size 4 --stones 1v1 --position \"[A08]x[A11]\"", "--size 2 --stones 1v1 --position \"[C01]x[E07]\""),
    ("stats --game cover --size 4 --stones 1v1", "stats --game cover --size 3 --stones 1v1"),
    ("review game.sgf --simulations 300", "review game.sgf --simulations 10 --proof-nodes 50"),
    ("--size 5 --games 2000 --simulations 1000", "--size 3 --games 2 --simulations 10"),
    ("--games 40 --simulations 1000", "--games 2 --simulations 20"),
    (
        "mcts:simulations=2000 mcts:simulations=500 --size 4 --games 400",
        "mcts:simulations=20 mcts:simulations=5 --size 4 --games 2",
    ),
    ("--size 6 --seconds 0.5", "--size 3 --seconds 0.02 --games 2"),
    ("--size 8 --clock 60+1", "--size 4 --clock 2+0.1 --games 2"),
    ("--size 5 --games 20 --seconds 0.1", "--size 3 --games 2 --seconds 0.01"),
    ("--simulations 500 --rounds 200", "--simulations 5 --rounds 1"),
    // A test that equal players pass: the exit code of the example is its verdict.
    (
        "--simulations 800 --sprt elo0=0,elo1=30",
        "--simulations 5 --sprt elo0=-1000,elo1=-990,alpha=0.5,beta=0.5",
    ),
    ("--pool 10 --size 5 --simulations 300", "--pool 3 --size 3 --simulations 3 --rounds 1"),
    // The coordinator has ended; a worker would wait for it to go on.
    ("farm work --dir farm-a1 --threads 2", "farm work --dir farm-a1 --threads 2 --wait 0"),
];

/// The help of a command, as it is printed.
fn help(of: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_stonework")).args(of).arg("--help").output().unwrap();
    assert!(output.status.success(), "{of:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The examples of a page: the lines after `Examples:` that begin with two spaces, with continued lines joined.
fn examples(page: &str) -> Vec<String> {
    let Some((_, shown)) = page.split_once("\nExample") else { return Vec::new() };
    let shown = shown.replace("\\\n", "");
    let lines = shown.lines().skip(1).take_while(|line| line.is_empty() || line.starts_with("  "));
    let commands =
        lines.filter_map(|line| line.strip_prefix("  ")).map(|line| line.strip_prefix("$ ").unwrap_or(line));
    commands.filter(|line| line.starts_with(char::is_alphabetic)).map(str::to_owned).collect()
}

/// A folder with the files of the examples. Its subfolder `bin` has the programs; `python3` and `curl` are replaced
/// by scripts.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help");
    let _ = fs::remove_dir_all(&folder);
    for name in ["bin", "games"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    // The stones have no neighbours of their own colour.
    let white = [1, 3, 5, 7, 9, 11].map(|column| format!("d{column}"));
    let white = white.into_iter().chain([1, 3, 5, 7, 9].map(|column| format!("f{column}")));
    let moves = white.enumerate().map(|(i, cell)| format!(";W[{cell}];B[h{}]", 1 + i % 8 * 2 + i / 8));
    let game = format!("(;FF[4]GM[Havannah]AP[x]SZ[10]{})", moves.collect::<String>());
    for name in ["game.sgf", "game.hgf", "games/1.hgf"] {
        fs::write(folder.join(name), &game).unwrap();
    }
    fs::write(folder.join("littlegolem.jsonl"), "{\"size\":4,\"moves\":[\"a1\",\"b1\"]}\n").unwrap();
    fs::write(folder.join("games/1.jsonl"), "{\"size\":4,\"moves\":[\"a1\",\"b1\"]}\n").unwrap();
    let patterns = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pattern/patterns/havannah.pat");
    fs::copy(patterns, folder.join("my.pat")).unwrap();
    fs::write(folder.join("book.txt"), "a1 b2\n").unwrap();
    for (name, command) in [
        ("bin/stonework", concat!(env!("CARGO_BIN_EXE_stonework"), " \"$@\"")),
        ("bin/python3", "stonework oracle"),
        ("bin/curl", "cat game.sgf"),
        ("my_rules", "stonework oracle"),
        ("my_cover", "stonework oracle"),
        ("castro", "stonework gtp --no-swap --simulations 5"),
        ("lajkonik-8", "stonework gtp --no-swap --simulations 5"),
    ] {
        program(&folder.join(name), command);
    }
    let records = "match --game cover cover bos --size 2 --nodes 9 --games 2 --plies 10 --sgf cover";
    let words: Vec<&str> = [env!("CARGO_BIN_EXE_stonework")].into_iter().chain(records.split(' ')).collect();
    assert!(ran(&words, &folder, "", &[]).status.success());
    folder
}

/// A program that runs a command.
fn program(path: &Path, command: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::write(path, format!("#!/bin/sh\nexec {command}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn every_example_of_every_help_runs() {
    let folder = folder();
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let mut pages = vec![help(&[])];
    let top = pages[0].clone();
    let (_, commands) = top.split_once("Commands:\n").unwrap();
    for line in commands.lines().take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().unwrap();
        if name != "help" {
            pages.push(help(&[name]));
        }
    }
    let mut shown: Vec<String> = pages.iter().flat_map(|page| examples(page)).collect();
    // The examples of `tui` need a terminal, and those of `dial` a server: `cli/terminal.rs` and `cli/dial.rs` have one.
    // `cli/commands.rs` runs the tour.
    let elsewhere = ["stonework tui", "stonework dial", "stonework demo"];
    shown.retain(|line| !elsewhere.iter().any(|command| line.starts_with(command)));
    assert!(shown.len() > 60, "{} examples: where have they gone?", shown.len());
    let all = shown.join("\n") + "\n";
    for (long, _) in SHORTER {
        assert!(all.contains(long), "no example has `{long}` any more");
    }
    let run = |line: &str| {
        let mut command = format!("{line}\n");
        for (long, short) in SHORTER {
            command = command.replace(long, short);
        }
        let output = ran(&["/bin/sh", "-c", &command], &folder, "", &[("PATH", &path)]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "`{}`, shown as `{line}`: {}: {said}",
            command.trim(),
            output.status
        );
    };
    // The commands that make files run before the commands that use the files.
    let makes = |line: &String| {
        let words =
            ["--proof", "table build", "--map", "--sgf", " > ", "selfplay", "learn value", "learn priors"];
        words.iter().any(|word| line.contains(word))
    };
    let (makers, users): (Vec<_>, Vec<_>) = shown.into_iter().partition(makes);
    for line in &makers {
        run(line);
    }
    let (next, run, users) = (AtomicUsize::new(0), &run, &users);
    let work = || {
        while let Some(line) = users.get(next.fetch_add(1, Ordering::Relaxed)) {
            run(line);
        }
    };
    thread::scope(|scope| {
        let other = scope.spawn(work);
        work();
        other.join().unwrap();
    });
}

#[test]
fn an_example_that_cannot_be_run_is_found() {
    let page = "Text.\n\nExamples:\n  stonework draw --size 3 \\\n            --moves a1\n      a board\n  stonework no\n\nMore.\n  not this\n";
    assert_eq!(examples(page), ["stonework draw --size 3             --moves a1", "stonework no"]);
    let output = ran(&[env!("CARGO_BIN_EXE_stonework"), "no"], Path::new("."), "", &[]);
    assert_eq!(output.status.code(), Some(2));
}
