//! End-game tables from the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use stonework_files::{Disk, Lock, System};

use crate::common::{run, run_words};

/// A directory for a test; the drop removes it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("stonework-table-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_statistics_of_the_thesis() {
    let parts = run_words("table stats --game cover --size 4 --stones 1v1 --json").good();
    let positions = parts.iter().find(|part| part["part"] == "positions").unwrap();
    for (field, expected) in [
        ("legal", 27_294),
        ("variants", 6_860),
        ("won_by_blue", 9_075),
        ("won_by_red", 9_075),
        ("drawn", 9_144),
    ] {
        assert_eq!(positions[field], expected, "{field}");
    }
    assert_eq!(positions["longest"]["plies"], 38);
    // With one stone each, a shot wins, so no player would omit a shot.
    let held = run_words("table stats --game cover --size 4 --stones 1v1 --voluntary-shots --json").good();
    let held = held.iter().find(|part| part["part"] == "positions").unwrap();
    assert_eq!((&held["drawn"], &held["won_by_red"]), (&positions["drawn"], &positions["won_by_red"]));
}

#[test]
fn a_table_is_built_verified_asked_and_refused_when_damaged() {
    let place = Place::new("whole");
    let file = place.file("cover.table");
    let built = run(&["table", "build", "--size", "2", "--stones", "1v1", "-o", &file, "--json"]).good();
    assert_eq!((&built[0]["game"], &built[0]["parameters"]), (&json!("cover"), &json!("size 2, 1v1, four")));
    assert_eq!(built[0]["file_bytes"], fs::metadata(&file).unwrap().len());
    assert!(!Path::new(&format!("{file}.part")).exists());
    let verified = run(&["table", "verify", &file, "--json"]).good();
    assert_eq!((&verified[0]["ok"], &verified[0]["numbers"]), (&json!(true), &built[0]["numbers"]));

    let asked = run(&["table", "query", &file, "--position", "[A02]x[E07]", "--json"]).good();
    assert_eq!(
        (&asked[0]["value"], &asked[0]["plies"], &asked[0]["winner"]),
        (&json!("win"), &json!(23), &json!("blue"))
    );
    assert_eq!(asked[0]["line"].as_array().unwrap().len(), 23);
    let first = asked[0]["line"][0].as_str().unwrap();
    let next =
        run(&["table", "query", &file, "--position", "[A02]x[E07]", "--moves", first, "--json"]).good();
    assert_eq!(
        (&next[0]["to_move"], &next[0]["value"], &next[0]["plies"]),
        (&json!("red"), &json!("loss"), &json!(22))
    );
    // The same answer from a table in memory.
    let solved = run(&["table", "query", "--size", "2", "--position", "[A02]x[E07]", "--json"]).good();
    assert_eq!(solved, asked);

    // Engines use the table.
    let with = |engine: &str| {
        let position = "2 b four [A02]x[E07] -";
        let words = ["solve", "--game", "cover", "--position", position, "--nodes", "100", "--json"];
        run(&[&words[..], &["--engine", engine, "--endings", &file]].concat())
    };
    for engine in ["alphabeta", "dfpn", "threats"] {
        let found = with(engine).good();
        assert_eq!(found[0]["outcome"], "blue", "{engine}");
        assert_eq!(found[0]["line"].as_array().unwrap().len(), 23, "{engine}");
    }
    let refused = with("uct");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("(size 2, 1v1, four): uct asks none"), "{}", refused.err);

    for (words, message) in [
        (vec!["--position", "[E04]x[E04]"], "error: --position `[E04]x[E04]`: stones on E04 and E04 overlap"),
        (
            vec!["--moves", "A03-A04"],
            "error: 2 r four [A04,C01]x[E07,G05] A03-A04 is not in the table size 2, 1v1, four",
        ),
        (
            vec!["--position", "[A02]x[E07]", "--to-move", "white"],
            "error: --position `[A02]x[E07]`: `white` is no side: blue or red",
        ),
        (vec!["--position", "[A02]x[E07]", "--moves", "A02-G07"], "error: move 1 (A02-G07): "),
    ] {
        let refused = run(&[vec!["table", "query", &file], words].concat());
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
        assert!(refused.err.starts_with(message), "{}", refused.err);
    }

    let good = fs::read(&file).unwrap();
    let mut bad = good.clone();
    let last = bad.len() - 3;
    bad[last] ^= 1;
    fs::write(&file, &bad).unwrap();
    let refused = run(&["table", "verify", &file, "--json"]);
    assert_eq!(refused.code, Some(1));
    let error = refused.json()[0]["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("block 35 (numbers from 71680) is damaged"), "{error}");
    let refused = with("alphabeta");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains(&format!("{file}: block 35 ")), "{}", refused.err);
    let refused = run(&["table", "stats", &file]);
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1));
    fs::write(&file, b"something else").unwrap();
    assert_eq!(run(&["table", "verify", &file]).code, Some(1));
    assert_eq!(run(&["table", "query", &file]).code, Some(2));
}

#[test]
fn a_build_that_is_killed_goes_on_to_the_same_bytes() {
    let place = Place::new("killed");
    let (whole, file) = (place.file("whole.table"), place.file("killed.table"));
    let build = |file: &str| {
        let words = "table build --game cover --size 3 --checkpoint-every 0.01 --threads 1 --json -o";
        words.split(' ').chain([file]).map(str::to_owned).collect::<Vec<_>>()
    };
    let words = |words: &[String]| run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    words(&build(&whole)).good();
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(build(&file))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let part = format!("{file}.part");
    while !Path::new(&part).exists() && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The process was killed between its first checkpoint and its end.
    assert!(Path::new(&part).exists() && !Path::new(&file).exists());
    let other = words(&[&build(&file)[..], &["--stones".to_owned(), "2v1".to_owned()]].concat());
    assert_eq!(other.code, Some(2), "a checkpoint of another table");
    words(&build(&file)).good();
    assert_eq!(fs::read(&file).unwrap(), fs::read(&whole).unwrap());
    assert!(!Path::new(&part).exists());
}

#[test]
fn a_second_build_of_one_table_is_refused_while_the_first_goes_on() {
    let place = Place::new("second");
    let file = place.file("one.table");
    let disk: Arc<dyn Disk> = Arc::new(System);
    let lock = Lock::take(&disk, Path::new(&format!("{file}.lock"))).unwrap();
    let build = ["table", "build", "--game", "cover", "--size", "1", "-o", &file];
    let refused = run(&build);
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{}", refused.err);
    assert!(refused.err.contains("is at work on it and holds"), "{}", refused.err);
    drop(lock);
    assert_eq!(run(&build).code, Some(0));
    assert!(!Path::new(&format!("{file}.lock")).exists());
}

#[test]
fn cachex_tells_which_openings_to_steal() {
    let parts = run_words("table stats --game cachex --size 3 --json").good();
    let steals: Vec<&Value> =
        parts.iter().filter(|part| part["best"] == "steal").map(|part| &part["move"]).collect();
    assert_eq!(steals, ["0,1", "0,2", "2,0", "2,1"]);
    let asked = run_words("table query --game cachex --size 3 --moves 0,1 --json").good();
    assert_eq!((&asked[0]["moves"][0]["move"], &asked[0]["winner"]), (&json!("steal"), &json!("blue")));
}

#[test]
fn arguments_that_make_no_table_are_named() {
    for (words, message) in [
        ("table stats", "error: no table: give a FILE that `table build` has written, or --size N (1 to 10)"),
        ("table stats --size 11", "error: no Cover-11: sizes are 1 to 10"),
        ("table stats --size 2 --stones 3v1", "error: 3 against 1 stones on Cover-2: 1 to 2 of either side"),
        (
            "table stats --size 2 --stones 2",
            "error: invalid value '2' for '--stones <AvB>': two numbers of stones with a `v` between them, such as 2v1",
        ),
        ("table stats --game cachex --size 5", "error: no table of Cachex of size 5: sizes are 3 and 4"),
        (
            "table stats --size 2 --repetition any",
            "error: repetition `any`: states are numbered for `four` and `none`",
        ),
        // The numbers of a table need memory too: the lists of the boards took as much as they wanted.
        (
            "table stats --size 4 --memory 1KiB",
            "error: 1 against 1 stones on Cover-4: the lists of boards take more than 1024 bytes",
        ),
        (
            "table build --size 10 --stones 2v1 --memory 100MiB -o no.table",
            "error: 2 against 1 stones on Cover-10: the lists of boards take more than 104857600 bytes",
        ),
        ("table stats --size 4 --memory 1MiB", "error: the table needs 1590232 bytes, the limit is 1048576"),
        (
            "table stats --game cachex --size 3 --memory 1KiB",
            "error: the table needs 78772 bytes, the limit is 1024",
        ),
        ("table verify /nowhere/at.all", "error: /nowhere/at.all: "),
        ("table stats --game cachex --size 3 --stones 2v1", "error: --stones: cachex has none, cover alone"),
        (
            "table build --game cachex --size 3 --repetition four -o no.table",
            "error: --repetition: cachex has none",
        ),
        ("table query --game cachex --size 3 --voluntary-shots", "error: --voluntary-shots: cachex has none"),
        ("table query --size 2 --to-move red", "error: --to-move red: give --position"),
    ] {
        let refused = run_words(words);
        assert_eq!(
            (refused.code, refused.out.as_str(), refused.err.lines().count()),
            (Some(2), "", 1),
            "{words}"
        );
        assert!(refused.err.starts_with(message), "{}", refused.err);
    }
}

#[test]
fn a_side_to_move_beside_a_position_that_has_one_is_refused() {
    let asked = ["table", "query", "--size", "2", "--position", "[A02]x[E07]", "--json"];
    let red = run(&[&asked[..], &["--to-move", "red"]].concat()).good();
    assert_eq!(red[0]["to_move"], "red");
    let line = red[0]["position"].as_str().unwrap();
    let ran = run(&["table", "query", "--size", "2", "--position", line, "--to-move", "blue"]);
    let said = format!("error: --to-move blue: --position `{line}` has the side to move\n");
    assert_eq!((ran.code, ran.out.as_str(), ran.err), (Some(2), "", said));
}

#[test]
fn a_position_of_any_length_is_refused() {
    let stones = "r".repeat(usize::from(u16::MAX));
    let ran = run(&[
        "table",
        "query",
        "--game",
        "cachex",
        "--size",
        "3",
        "--to-move",
        "red",
        "--position",
        &stones,
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("a row of 65535 cells: sizes are 3 to 15"), "{}", ran.err);
}

/// The options were taken and had no effect.
#[test]
fn options_of_solving_are_refused_beside_the_file_of_a_table() {
    let place = Place::new("means");
    let file = place.file("cover.table");
    run(&["table", "build", "--size", "1", "-o", &file, "--json"]).good();
    for (words, message) in [
        ("verify FILE --memory 1GiB", "error: --memory: "),
        ("query FILE --memory 1GiB", "error: --memory: "),
        ("stats FILE --threads 2", "error: --threads: "),
        ("query FILE --threads 2", "error: --threads: "),
    ] {
        let refused = run_words(&format!("table {}", words.replace("FILE", &file)));
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{words}");
        assert!(refused.err.starts_with(message) && refused.err.lines().count() == 1, "{}", refused.err);
    }
    run(&["table", "verify", &file, "--threads", "2", "--json"]).good();
}

/// `selfplay` and `review` took the table for engines that cannot use one, and learned players ignored it.
#[test]
fn a_table_is_for_engines_that_use_one() {
    let place = Place::new("endings");
    let (file, out) = (place.file("cover.table"), place.file("games"));
    run(&["table", "build", "--size", "2", "-o", &file, "--json"]).good();
    let play = format!(
        "selfplay --json --game cover --player uct --size 2 --games 4 --simulations 20 --memory 16MiB --plies 40 --out {out}"
    );
    let refused = run_words(&format!("{play} --endings {file}"));
    assert!(refused.code == Some(2) && refused.err.contains("only the engine of --prove"), "{}", refused.err);
    let proven = format!("{play} --prove 60 --prove-from 2");
    assert_eq!(run_words(&format!("{proven} --endings {file}")).good()[0]["games"], 4);
    let other = run_words(&proven);
    assert!(other.code == Some(2) && other.err.contains("endings"), "{}", other.err);

    let priors = place.file("priors.safetensors");
    run_words(&format!("learn priors {out}/games-00000.jsonl --epochs 1 --json -o {priors}")).good();
    let search =
        format!("search --game cover --size 2 --simulations 9 --engine new --learned new={priors} --json");
    run_words(&search).good();
    let refused = run_words(&format!("{search} --endings {file}"));
    assert!(refused.code == Some(2) && refused.err.contains("new asks none"), "{}", refused.err);

    let record = place.file("game.sgf");
    fs::write(&record, "(;FF[4]GM[Havannah]SZ[3];W[a1];B[b1])").unwrap();
    let refused = run_words(&format!("review {record} --simulations 9 --endings {file}"));
    assert!(refused.code == Some(2) && refused.err.contains("dfpn asks none"), "{}", refused.err);
}
