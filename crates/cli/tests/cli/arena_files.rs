//! The files of `match`, `tournament` and `tune`: logs, records, pictures.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Ran, run, run_words};

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arena-files").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn refused(ran: &Ran, said: &str) {
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(2), "", 1), "{}", ran.err);
    assert!(ran.err.contains(said), "{}", ran.err);
}

#[test]
fn an_edited_log_is_refused_and_left_alone() {
    let log = folder("edited").join("match.jsonl");
    let words = format!("match leipzig rogers-straight --size 4 --games 4 --out {}", text(&log));
    assert_eq!(run_words(&words).code, Some(0));
    let whole = std::fs::read_to_string(&log).unwrap();
    for (from, to) in [
        ("\"players\":[0,1]", "\"players\":[7,9]"),
        ("\"reason\":\"rules\"", "\"reason\":\"ruLes\""),
        ("\"result\":\"first\"", "\"result\":\"second\""),
        ("\"result\":\"second\"", "\"result\":\"first\""),
    ] {
        let changed = whole.replacen(from, to, 1);
        if changed == whole {
            continue;
        }
        std::fs::write(&log, &changed).unwrap();
        refused(&run_words(&words), "edited or out of place");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), changed);
    }
}

#[test]
fn a_picture_is_not_drawn_over_the_log_nor_over_a_book() {
    let folder = folder("over");
    let (log, book) = (folder.join("log"), folder.join("book"));
    std::fs::write(&book, "a1 b2\n").unwrap();
    for (name, words) in [
        ("--svg", "tournament leipzig rogers-straight --size 3 --games 2"),
        ("--plot", "tune mcts --dials rave=0..9 --size 3 --simulations 5 --rounds 1"),
    ] {
        let words = format!("{words} --openings {} --out {}", text(&book), text(&log));
        // Before there is a log, by another way to its folder, and after it was written.
        let other = format!("{}/../over/log", folder.display());
        refused(
            &run_words(&format!("{words} {name} {other}")),
            &format!("{name} {other}: it is the file of --out"),
        );
        assert!(!log.exists());
        assert_eq!(run_words(&words).code, Some(0));
        let whole = std::fs::read(&log).unwrap();
        refused(&run_words(&format!("{words} {name} {}", text(&log))), "it is the file of --out");
        refused(&run_words(&format!("{words} {name} {}", text(&book))), "it is the file of --openings");
        assert_eq!(std::fs::read(&log).unwrap(), whole);
        assert_eq!(run_words(&format!("{words} {name} {}.svg", text(&log))).code, Some(0));
        std::fs::remove_file(&log).unwrap();
    }
    assert_eq!(std::fs::read(&book).unwrap(), b"a1 b2\n");
}

/// All games were played, and then neither the picture nor the result was there.
#[test]
fn a_picture_that_cannot_be_written_is_refused_before_the_games() {
    let folder = folder("unwritten");
    let there = folder.display();
    for (name, words) in [
        ("--svg", "tournament leipzig rogers-straight --size 3 --games 2"),
        ("--plot", "tune mcts --dials rave=0..9 --size 3 --simulations 5 --rounds 1"),
    ] {
        let nowhere = format!("{there}/no/picture.svg");
        for (output, said) in
            [(nowhere, "No such file or directory"), (there.to_string(), "it is a directory")]
        {
            let ran = run_words(&format!("{words} {name} {output}"));
            refused(&ran, &format!("{name} {output}: {said}"));
            assert_eq!(ran.out, "", "{words}");
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_no_log() {
    refused(
        &run_words("match leipzig leipzig --size 4 --out /dev/null"),
        "--out /dev/null: it is no regular file",
    );
}

#[test]
fn a_second_match_on_one_log_is_refused_while_the_first_goes_on() {
    for (name, words) in [
        ("match", "match mcts uct --size 4 --games 1000 --simulations 300"),
        ("tournament", "tournament mcts uct --size 4 --games 1000 --simulations 300"),
        ("tune", "tune mcts --dials rave=0..2000 --size 4 --rounds 1000 --simulations 300"),
    ] {
        let log = folder(&format!("second-{name}")).join("log.jsonl");
        let words = format!("{words} --out {}", text(&log));
        let mut first = Command::new(env!("CARGO_BIN_EXE_stonework"))
            .args(words.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = || std::fs::read_to_string(&log).map_or(0, |log| log.lines().count());
        while lines() < 2 {
            assert!(first.try_wait().unwrap().is_none(), "{name} has ended");
            std::thread::sleep(Duration::from_millis(2));
        }
        refused(&run_words(&words), "another process is at work on it");
        first.kill().unwrap();
        first.wait().unwrap();
        // The lock ended with its process. The only fault left is the other header.
        refused(
            &run_words(&format!("{words} --seed 99")),
            "it is the log of something else: seed is 1, not 99",
        );
    }
}

#[test]
fn everything_that_shapes_the_games_is_in_the_header() {
    let folder = folder("header");
    let file = |name: &str| text(&folder.join(name)).to_owned();
    let words = |line: &str| run(&line.split(' ').collect::<Vec<_>>());
    for (name, moves) in [("a1.proof", "a1"), ("b1.proof", "b1")] {
        let line = format!("solve --size 3 --moves {moves} --proof {}", file(name));
        assert_eq!(words(&line).code, Some(0));
    }
    let line = format!("table build --game cover --size 2 --stones 1v1 -o {}", file("1v1"));
    assert_eq!(words(&line).code, Some(0));
    let havannah = format!("match leipzig rogers-straight --size 3 --games 2 --out {}", file("h.jsonl"));
    let cover = format!(
        "match bos bos --game cover --size 2 --games 2 --nodes 20 --plies 30 --out {}",
        file("c.jsonl")
    );
    for (line, one, other, field) in [
        (&havannah, "--grace 1", "--grace 100", "grace"),
        (&havannah, "--plies 30", "--plies 31", "plies"),
        (
            &havannah,
            &*format!("--certificate {}", file("a1.proof")),
            &*format!("--certificate {}", file("b1.proof")),
            "certificate",
        ),
        // Another table takes half a minute to build.
        (&cover, &*format!("--endings {}", file("1v1")), "", "endings"),
    ] {
        let _ = std::fs::remove_file(folder.join("h.jsonl"));
        let _ = std::fs::remove_file(folder.join("c.jsonl"));
        let begun = words(&format!("{line} {one}"));
        assert_eq!(begun.code, Some(0), "{line} {one}: {}", begun.err);
        assert_eq!(words(&format!("{line} {one}")).code, Some(0));
        refused(
            &words(format!("{line} {other}").trim_end()),
            &format!("it is the log of something else: {field} is"),
        );
        refused(&words(line), &format!("it is the log of something else: {field} is"));
    }
}

#[test]
fn a_record_that_was_cut_is_completed_and_another_games_record_is_refused() {
    let folder = folder("records");
    let (log, records) = (folder.join("match.jsonl"), folder.join("sgf"));
    let words = |size: u32| {
        format!(
            "match leipzig rogers-straight --size {size} --games 4 --out {}-{size} --sgf {}",
            text(&log),
            text(&records)
        )
    };
    assert_eq!(run_words(&words(4)).code, Some(0));
    let path = |game: u32| records.join(format!("game-{game:05}.sgf"));
    let whole: Vec<String> = (1..=4).map(|game| std::fs::read_to_string(path(game)).unwrap()).collect();
    for cut in [0, 1, whole[1].len() / 2, whole[1].len() - 1] {
        std::fs::write(path(2), &whole[1][..cut]).unwrap();
        let ran = run_words(&words(4));
        assert_eq!(ran.code, Some(0), "cut at {cut}: {}", ran.err);
        assert_eq!(std::fs::read_to_string(path(2)).unwrap(), whole[1], "cut at {cut}");
    }
    // A folder with another match, and a folder with an edited record.
    refused(&run_words(&words(5)), "game-00001.sgf: the record of another game is there");
    let edited = whole[2].replacen("leipzig", "Leipzig", 1);
    std::fs::write(path(3), &edited).unwrap();
    refused(&run_words(&words(4)), "game-00003.sgf: the record of another game is there");
    assert_eq!(std::fs::read_to_string(path(3)).unwrap(), edited);
}

#[test]
fn a_closed_standard_output_is_told_when_games_are_kept() {
    let log = folder("pipe").join("log.jsonl");
    for (words, told) in [
        (format!("match leipzig rogers-straight --size 4 --games 200 --out {}", text(&log)), true),
        ("match leipzig rogers-straight --size 4 --games 200".to_owned(), false),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
            .args(words.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        drop(output);
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(if told { 2 } else { 0 }), "{said}");
        assert_eq!(said.contains("standard output was closed after"), told, "{said}");
    }
    // The same command continues the match.
    let whole =
        run_words(&format!("match leipzig rogers-straight --size 4 --games 200 --out {}", text(&log)));
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    assert!(whole.out.lines().count() < 203, "nothing was kept");
}

#[test]
fn files_without_an_end_are_refused_in_bounded_memory() {
    let folder = folder("endless");
    let sparse = folder.join("sparse");
    // The file is larger than all limits, and than the memory of a test machine.
    std::fs::File::create(&sparse).unwrap().set_len(3 << 30).unwrap();
    let path = text(&sparse);
    for (words, said) in [
        (format!("patterns check {path}"), "longer than 67108864 bytes"),
        (format!("match leipzig leipzig --size 4 --openings {path}"), "longer than 67108864 bytes"),
        (format!("match leipzig leipzig --size 4 --out {path}"), "line 1: longer than 1048576 bytes"),
    ] {
        refused(&run_words(&words), said);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
