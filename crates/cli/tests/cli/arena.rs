//! `match`, `tournament` and `tune`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{fields, run, run_words};

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arena").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The lines without the fields that differ from run to run.
fn timeless(mut lines: Vec<Value>) -> Vec<Value> {
    for line in &mut lines {
        for time in ["seconds", "cpu_seconds"] {
            line.as_object_mut().unwrap().remove(time);
        }
    }
    lines
}

#[test]
fn a_match_has_a_line_for_each_game_and_a_summary() {
    let lines = run_words("match mcts leipzig --size 4 --games 4 --seconds 0.01 --json").good();
    assert_eq!(lines.len(), 5);
    let names = ["black", "cpu_seconds", "game", "moves", "opening", "outcome", "plies", "reason", "round"];
    let all: Vec<&str> = names.into_iter().chain(["seconds", "seeds", "white"]).collect();
    assert_eq!(fields(&lines[0]), all);
    assert_eq!((&lines[0]["white"], &lines[1]["white"]), (&json!("mcts"), &json!("leipzig")));
    assert_eq!(lines[0]["opening"], lines[1]["opening"]);
    assert_ne!(lines[0]["opening"], lines[2]["opening"]);
    assert_eq!(lines[0]["opening"].as_array().unwrap().len(), 2);
    let summary = &lines[4];
    for name in
        ["players", "games", "wins", "draws", "losses", "score", "pairs", "elo", "error", "los", "sprt"]
    {
        assert!(fields(summary).contains(&name), "{name}");
    }
    assert_eq!((&summary["games"], &summary["complete"]), (&json!(4), &json!(true)));
    assert!(summary["seconds"][0].as_f64().is_some_and(|mean| mean > 0.0), "{summary}");
    let text = run_words("match mcts leipzig --size 4 --games 2 --seconds 0.01");
    assert_eq!((text.code, text.err.as_str()), (Some(0), ""));
    assert!(text.out.contains("\nmcts against leipzig: ") && text.out.contains("\n  Elo "), "{}", text.out);
}

#[test]
fn equal_seeds_play_equal_games_however_many_at_once() {
    let games = |more: &str| {
        timeless(
            run_words(&format!("match mcts rave --size 4 --games 6 --simulations 60 --json {more}")).good(),
        )
    };
    let sorted = |mut lines: Vec<Value>| {
        lines.sort_by_key(|line| line["game"].as_u64());
        lines
    };
    assert_eq!(sorted(games("--concurrency 1")), sorted(games("--concurrency 3")));
    assert_ne!(sorted(games("--concurrency 1")), sorted(games("--seed 2")));
}

#[test]
fn a_match_that_was_killed_goes_on_and_ends_the_same() {
    let folder = folder("killed");
    let (log, records) = (folder.join("match.jsonl"), folder.join("sgf"));
    let arguments = |games: &str| {
        let words = "match mcts:rave=100 rave --size 4 --simulations 50 --seed 9 --json --games";
        let mut all: Vec<String> = words.split(' ').map(String::from).collect();
        all.extend([games, "--out", text(&log), "--sgf", text(&records)].map(String::from));
        all
    };
    let play = |games: &str| {
        let arguments = arguments(games);
        timeless(run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).good())
    };
    let whole = play("8");
    let bytes = std::fs::read(&log).unwrap();
    for cut in [bytes.len() / 3, bytes.len() / 2, bytes.len() - 5, 20] {
        std::fs::write(&log, &bytes[..cut]).unwrap();
        std::fs::remove_dir_all(&records).unwrap();
        let resumed = play("8");
        assert!(resumed.len() >= 2, "cut at {cut}");
        assert_eq!(resumed.last(), whole.last(), "cut at {cut}");
        assert_eq!(std::fs::read_dir(&records).unwrap().count(), 8);
    }
    // More games of the same match, and a file with a record of another match.
    assert_eq!(play("10").len(), 3);
    let record = run(&["replay", "--json", text(&records.join("game-00010.sgf"))]).good();
    assert_eq!(record[0]["claim_agrees"], true);
    let mut other = arguments("10");
    other[1] = "mcts:rave=200".to_owned();
    let ran = run(&other.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("it is the log of something else: players is"), "{}", ran.err);
}

/// The test kills a match after a few games.
#[test]
fn a_match_survives_a_real_kill() {
    let log = folder("kill").join("match.jsonl");
    let words = format!("match mcts rave --size 4 --games 60 --simulations 300 --json --out {}", text(&log));
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(words.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let known = || std::fs::read_to_string(&log).map_or(0, |log| log.lines().count());
    while known() < 4 {
        assert!(child.try_wait().unwrap().is_none_or(|status| status.success()));
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = known();
    let resumed = timeless(run_words(&words).good());
    let whole = timeless(run_words("match mcts rave --size 4 --games 60 --simulations 300 --json").good());
    assert!(resumed.len() <= 62 - (before - 2), "{} lines after {before}", resumed.len());
    assert_eq!(resumed.last(), whole.last());
}

#[test]
fn a_test_ends_a_match_early() {
    let lines = run_words(
        "match mcts leipzig --size 4 --games 400 --seconds 0.01 --openings none --concurrency 2 \
         --sprt elo0=0,elo1=200,alpha=0.05,beta=0.05 --json",
    )
    .good();
    let summary = lines.last().unwrap();
    assert_eq!((&summary["sprt"]["verdict"], &summary["complete"]), (&json!("upper"), &json!(true)));
    assert!(summary["games"].as_u64().unwrap() < 100, "{summary}");
    assert!(summary["sprt"]["llr"].as_f64() >= summary["sprt"]["upper"].as_f64());
}

#[test]
fn a_limit_of_plies_makes_draws() {
    let lines = run_words(
        "match cover bos --game cover --size 4 --nodes 9 --games 2 --plies 10 --openings none --json",
    );
    for line in &lines.good()[..2] {
        assert_eq!((&line["outcome"], &line["plies"]), (&json!("draw"), &json!(10)), "{line}");
        assert_eq!(line["reason"], "stopped after 10 plies");
    }
}

/// A match of this program over GTP against a player of the roster, and a match of a program that dies.
#[cfg(unix)]
#[test]
fn programs_take_part_over_gtp() {
    let engine = format!("{} gtp --no-swap --simulations 50 --engine rave", env!("CARGO_BIN_EXE_stonework"));
    for (prefix, notation, clock) in [("gtp", "", "30+1"), ("gtp/grid", " --notation grid", "30+0")] {
        let program = format!("{prefix}:{engine}{notation}");
        let lines = run(&[
            "match",
            "mcts:simulations=50",
            &program,
            "--size",
            "4",
            "--games",
            "2",
            "--clock",
            clock,
            "--json",
        ])
        .good();
        assert!(lines[..2].iter().all(|line| line["reason"] == "rules"), "{lines:?}");
        assert_eq!(lines[0]["black"], "gtp:stonework");
        assert_eq!(lines[2]["faults"], json!([0, 0]));
    }
    let dies = r#"gtp:sh -c 'for i in 1 2 3 4; do read line; printf "=\n\n"; done'"#;
    let ran = run(&["match", "mcts:simulations=50", dies, "--size", "4", "--games", "2", "--json"]);
    let note = format!(
        "note: player `{dies}` does not repeat the ids of commands; an answer too many may be taken for the next one\n"
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), note.as_str()));
    let lines = ran.json();
    assert_eq!((&lines[2]["wins"], &lines[2]["faults"]), (&json!(2), &json!([0, 2])));
    assert!(
        lines[..2].iter().all(|line| line["reason"].as_str().unwrap().starts_with("died: ")),
        "{lines:?}"
    );
}

#[test]
fn a_round_robin_has_a_table() {
    let folder = folder("round-robin");
    let (svg, log) = (folder.join("table.svg"), folder.join("t.jsonl"));
    let words = "tournament rogers-straight leipzig rogers-straight --size 4 --games 4 --seed 3";
    let play = |json: bool| {
        let mut arguments: Vec<&str> = words.split(' ').collect();
        arguments.extend(["--out", text(&log), "--svg", text(&svg)]);
        arguments.extend(json.then_some("--json"));
        run(&arguments)
    };
    let lines = play(true).good();
    assert_eq!(lines.len(), 13);
    let table = &lines[12];
    let players = table["players"].as_array().unwrap();
    let names: Vec<&str> = players.iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"rogers-straight#1") && names.contains(&"rogers-straight#2"), "{names:?}");
    let points: f64 = players.iter().map(|player| player["points"].as_f64().unwrap()).sum();
    assert!((points - 12.0).abs() < 1e-9 && table["complete"] == true, "{table}");
    assert!(std::fs::read_to_string(&svg).unwrap().contains("rogers-straight#2"));
    // The log has all results, so the run prints only the table.
    let again = play(false);
    assert_eq!((again.code, again.err.as_str()), (Some(0), ""));
    assert_eq!(again.out.lines().count(), 5, "{}", again.out);
    assert!(again.out.contains("player") && again.out.contains("±"), "{}", again.out);
}

#[test]
fn both_tuners_run_and_go_on() {
    let folder = folder("tune");
    for (method, rounds, trials) in [("spsa", 4, 8), ("generations", 2, 6)] {
        let (log, plot) = (folder.join(format!("{method}.jsonl")), folder.join(format!("{method}.svg")));
        let words = format!(
            "tune mcts --dials rave=0..2000,exploration=0..1 --method {method} --rounds {rounds} --batch 2 \
             --pool 3 --size 3 --simulations 30 --openings random:3 --seed 4 --json --out {} --plot {}",
            text(&log),
            text(&plot)
        );
        let lines = run_words(&words).good();
        assert_eq!(lines.len(), trials + 1, "{method}");
        let end = lines.last().unwrap();
        assert_eq!((&end["trials"], &end["complete"]), (&json!(trials), &json!(true)), "{method}");
        let best = end["best"]["rave"].as_f64().unwrap();
        assert!((0.0..=2000.0).contains(&best));
        assert!(std::fs::read_to_string(&plot).unwrap().contains("<polyline"));
        let bytes = std::fs::read(&log).unwrap();
        std::fs::write(&log, &bytes[..bytes.len() * 2 / 3]).unwrap();
        let resumed = run_words(&words).good();
        assert!(resumed.len() < lines.len() && resumed.len() > 1, "{method}");
        assert_eq!(resumed.last(), lines.last(), "{method}");
    }
}

/// A player with a value that it refuses beside another one was not made, and lost all its games.
#[test]
fn a_value_that_the_player_refuses_beside_another_one_is_told_and_left_out() {
    let folder = folder("tune-refused");
    for (at, dials) in ["late_by=0..2,late_after=1..6", "late_after=1..6,late_by=0..2"].iter().enumerate() {
        let log = folder.join(format!("{at}.jsonl"));
        let words = format!(
            "tune alphabeta:depth=1 --dials {dials} --size 3 --rounds 4 --batch 3 --openings random:4 --json --out {}",
            text(&log)
        );
        let ran = run_words(&words);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.starts_with("--dials: late_after cannot be "), "{}", ran.err);
        let told = "late_by is 0: no move is reduced; a player with such values plays without late_after\n";
        assert!(ran.err.ends_with(told), "{}", ran.err);
        // At a depth of one ply no move is reduced: both players play alike, and each pair of games has equal points.
        let lines = ran.json();
        let (trials, zeros) = lines.split_at(lines.len() - 1).0.iter().fold((0, 0), |(all, zeros), line| {
            assert_eq!(line["score"], json!(0.5), "{line}");
            (all + 1, zeros + usize::from(line["a"]["late_by"] == 0.0 || line["b"]["late_by"] == 0.0))
        });
        assert!(trials == 12 && zeros > 0, "{zeros} of {trials}");
    }
    let ran = run_words("tune alphabeta:depth=1 --dials late_after=1..6 --size 3");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    let told = "error: --dials `late_after=1..6`: late_after cannot be 4: late_by is 0: no move is reduced\n";
    assert_eq!(ran.err, told);
}

#[test]
fn a_tuning_with_a_book_has_a_log_of_another_version() {
    let folder = folder("tune-book");
    let book = folder.join("book.txt");
    std::fs::write(&book, "a1 b2\nb1 c2\n").unwrap();
    for (openings, version) in [("none", "\"log\":2,"), (text(&book), "\"log\":3,")] {
        let log = folder.join(&version[6..7]);
        let words = format!(
            "tune mcts --dials rave=0..2000 --size 3 --simulations 5 --rounds 1 --batch 1 --openings {openings} --json --out {}",
            text(&log)
        );
        run_words(&words).good();
        let header = std::fs::read_to_string(&log).unwrap();
        assert!(header.lines().next().unwrap().contains(version), "{header}");
    }
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    let book = folder("book").join("book.txt");
    std::fs::write(&book, "a1 b2\na1 a1\n").unwrap();
    let book = format!("match mcts uct --size 4 --openings {}", text(&book));
    for (arguments, said) in [
        ("match mcts castor --size 4", "no player `castor`; there is dfpn"),
        ("match mcts mcts:raev=3 --size 4", "no option `raev`; there is"),
        ("match mcts mcts:rave --size 4", "`rave` is no OPTION=VALUE"),
        ("match mcts uct --size 4 --games 7", "an even number"),
        ("match mcts uct --size 4 --sprt elo0=50,elo1=0", "elo0 has to be below elo1"),
        ("match mcts uct --size 4 --openings random:many", "a number of plies up to 100"),
        ("match mcts uct --size 4 --openings no-such-book", "--openings no-such-book: "),
        (&book, "line 2 of the book: `a1`"),
        ("match mcts uct --size 4 --clock 5+x", "a number of seconds"),
        ("match mcts uct --size 4 --clock 5+1 --seconds 1", "cannot be used with"),
        ("match mcts uct --size 1", "size"),
        ("match cover bos --game cover --size 4 --plies 0", "invalid value '0' for '--plies <N>'"),
        ("match mcts gtp:no-such-program --size 4", "`no-such-program` does not start"),
        ("match mcts lajkonik:x --size 4 --nodes 5", "can be told a time, not --nodes"),
        ("match mcts gtp/esperanto:x --size 4", "esperanto"),
        ("match mcts rogers-straight --size 4 --simulations 9", "rogers-straight makes none"),
        ("tournament mcts --size 4", "2 values"),
        (
            "tournament mcts uct links champion --size 4 --games 700000",
            "--games 700000: 4 players have 4200000 games then, and at most 4000000 are played",
        ),
        ("tune mcts --dials rave --size 3", "NAME=LEAST..MOST"),
        ("tune mcts --dials rave=5..5 --size 3", "5 is not below 5"),
        ("tune mcts --dials wave=1..5 --size 3", "mcts has no such option; there is"),
        ("tune mcts --dials rave=-1..5 --size 3", "rave is -1, but has to be between"),
        ("tune mcts:nodes=9 --dials nodes=0..5 --size 3", "nodes=0 is no limit, and a move would not end"),
    ] {
        let ran = run_words(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{arguments}: {}", ran.err);
    }
}
