//! Commands on a disk that fails: each operation on files has an error, a short write or a kill, and then the same
//! command runs again. The second run has the expected result, and no earlier file is lost.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use stonework_cli::run_on;
use stonework_files::{DiskFault, Kept, Simulated};
use stonework_havannah::Position;
use stonework_havannah_solver::HavannahRules;
use stonework_proof::{VerifyLimits, verify};
use stonework_session::Registry;

/// Runs a command on a disk without output; `true` if the command succeeds.
fn run(words: &str, disk: &Simulated) -> bool {
    let words = ["stonework", "--json"].into_iter().chain(words.split(' '));
    let code = run_on(&Registry::standard(), words, Box::new(io::sink()), Arc::new(disk.clone()));
    code == ExitCode::SUCCESS
}

/// A command with its files.
struct Case<'a> {
    words: &'a str,
    /// The files before the command, with their contents.
    before: &'a [(&'a str, &'a [u8])],
    /// The files that the command makes, each with a check of its content.
    holds: &'a [Check<'a>],
}

type Check<'a> = (&'a str, &'a dyn Fn(&[u8]) -> bool);

impl Case<'_> {
    fn disk(&self) -> Simulated {
        let disk = Simulated::new();
        for (path, bytes) in self.before {
            disk.put(Path::new(path), bytes);
        }
        disk
    }

    /// Checks that the files are right and that there are no other files.
    fn check(&self, disk: &Simulated, told: &str) {
        for (path, holds) in self.holds {
            let content = disk.content(Path::new(path)).unwrap_or_else(|| panic!("{told}: no {path}"));
            assert!(holds(&content), "{told}: {path} has {} bytes", content.len());
        }
        let names: Vec<String> = disk.paths().iter().map(|path| path.display().to_string()).collect();
        assert_eq!(names.len(), self.holds.len(), "{told}: {names:?}");
    }

    /// Checks that each earlier file still exists, with its old content or a right content.
    fn check_nothing_is_lost(&self, disk: &Simulated, told: &str) {
        for (path, before) in self.before {
            let content = disk.content(Path::new(path)).unwrap_or_else(|| panic!("{told}: {path} is gone"));
            let new =
                self.holds.iter().find(|(name, _)| name == path).is_some_and(|(_, holds)| holds(&content));
            assert!(content == *before || new, "{told}: {path} has neither the old nor the new content");
        }
    }

    /// Fails at each operation in each way; returns the number of operations.
    fn survives(&self) -> usize {
        let disk = self.disk();
        assert!(run(self.words, &disk), "{}", self.words);
        self.check(&disk, "undisturbed");
        let all = disk.operations();
        // In a long run, the operations in the middle repeat those of a checkpoint. The test tries only a part of
        // them.
        for at in (0..all).filter(|at| *at < 25 || at + 12 >= all || at % 13 == 0) {
            for fault in [DiskFault::Error, DiskFault::Short, DiskFault::Kill] {
                let disk = self.disk();
                disk.fail_at(at, fault);
                let ran = run(self.words, &disk);
                for kept in [Kept::Written, Kept::Names, Kept::Synced] {
                    let told = format!("{}: {fault:?} at operation {at} of {all}, {kept:?}", self.words);
                    let after = disk.restarted(kept);
                    self.check_nothing_is_lost(&after, &told);
                    if ran && fault != DiskFault::Kill {
                        // A result that the command has reported stays on the disk after a kill.
                        for (path, holds) in self.holds {
                            assert!(
                                after.content(Path::new(path)).is_some_and(|there| holds(&there)),
                                "{told}"
                            );
                        }
                    }
                    assert!(run(self.words, &after), "{told}");
                    self.check(&after, &told);
                }
            }
        }
        all
    }
}

/// The file of a run without faults.
fn made(words: &str, path: &str) -> Vec<u8> {
    let disk = Simulated::new();
    assert!(run(words, &disk), "{words}");
    disk.content(Path::new(path)).unwrap()
}

#[test]
fn a_proof_survives_a_failing_disk() {
    for (words, least) in [
        ("solve --size 3 --moves c3 --memory 1MiB --checkpoint-every 0.004 --proof p", 16),
        ("solve --size 2 --memory 1MiB --proof p", 30),
        ("solve --size 3 --memory 1MiB --checkpoint-every 0.004 --proof p", 60),
    ] {
        // The claims must be equal. The proof may differ after a search that was resumed.
        let claims = |content: &[u8]| {
            verify::<Position, _>("havannah", &HavannahRules, content, &VerifyLimits::default())
                .map(|proof| proof.claims)
                .ok()
        };
        let whole = claims(&made(words, "p"));
        assert!(whole.is_some());
        let holds = |content: &[u8]| claims(content) == whole;
        let case = Case { words, before: &[("p", b"an older file")], holds: &[("p", &holds)] };
        assert!(case.survives() >= least, "{words}");
    }
}

#[test]
fn a_table_survives_a_failing_disk() {
    let words = "table build --game cover --size 1 --stones 1v1 --threads 1 --checkpoint-every 0.001 -o t";
    let whole = made(words, "t");
    let holds = |content: &[u8]| content == whole;
    assert!(Case { words, before: &[("t", b"an older file")], holds: &[("t", &holds)] }.survives() > 10);
}

#[test]
fn a_match_survives_a_failing_disk() {
    let words = "match leipzig rogers-straight --size 3 --games 4 --seed 3 --out m --sgf s";
    let disk = Simulated::new();
    assert!(run(words, &disk), "{words}");
    // The times differ from run to run; the games do not.
    let timeless = |content: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(content).into_owned();
        text.lines().map(|line| line.split("\"seconds\"").next().unwrap_or_default().to_owned()).collect()
    };
    let log = timeless(&disk.content(Path::new("m")).unwrap())[1..].to_vec();
    let log_holds = |content: &[u8]| timeless(content).get(1..).is_some_and(|lines| lines == log);
    let names: Vec<String> = (1..=4).map(|game| format!("s/game-0000{game}.sgf")).collect();
    let records: Vec<Vec<u8>> = names.iter().map(|name| disk.content(Path::new(name)).unwrap()).collect();
    let record_holds: Vec<_> =
        records.iter().map(|record| move |content: &[u8]| content == *record).collect();
    let mut holds: Vec<Check<'_>> = vec![("m", &log_holds)];
    for (name, check) in names.iter().zip(&record_holds) {
        holds.push((name, check));
    }
    assert!(Case { words, before: &[], holds: &holds }.survives() > 40);
}

#[test]
fn learning_survives_a_failing_disk() {
    let games = made(
        "selfplay --player mcts --size 3 --games 12 --chunk 50 --simulations 9 --out g",
        "g/games-00000.jsonl",
    );
    for what in ["value", "priors"] {
        let words = format!("learn {what} g --epochs 3 --checkpoint-every 0.000001 -o l");
        let disk = Simulated::new();
        disk.put(Path::new("g"), &games);
        assert!(run(&words, &disk));
        let whole = disk.content(Path::new("l")).unwrap();
        let (same, kept) = (|content: &[u8]| content == whole, |content: &[u8]| content == games);
        let before: &[(&str, &[u8])] = &[("g", &games), ("l", b"an older file")];
        assert!(
            Case { words: &words, before, holds: &[("g", &kept), ("l", &same)] }.survives() > 30,
            "{words}"
        );
    }
}

#[test]
fn tuning_and_pictures_survive_a_failing_disk() {
    let any = |content: &[u8]| content.starts_with(b"<svg") && content.ends_with(b"</svg>\n");
    let log = |content: &[u8]| content.split(|&b| b == b'\n').count() == 6;
    let old: &[u8] = b"an older picture";
    for (words, holds, least) in [
        (
            "tune mcts --dials rave=0..2000 --size 3 --rounds 2 --batch 2 --simulations 9 --out l --plot p.svg",
            &[("l", &log as &dyn Fn(&[u8]) -> bool), ("p.svg", &any)][..],
            20,
        ),
        ("draw --size 3 -o p.svg", &[("p.svg", &any as &dyn Fn(&[u8]) -> bool)][..], 5),
        (
            "tournament leipzig rogers-straight --size 3 --games 2 --svg p.svg",
            &[("p.svg", &any as &dyn Fn(&[u8]) -> bool)][..],
            5,
        ),
    ] {
        assert!(Case { words, before: &[("p.svg", old)], holds }.survives() >= least, "{words}");
    }
}
