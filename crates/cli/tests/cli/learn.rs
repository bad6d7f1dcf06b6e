//! `selfplay`, `learn` and `--learned`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{run, run_words};

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli-learn").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// The names and contents of the files of a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn games_of_self_play_are_learned_and_played_with_in_all_three_games() {
    for (game, player, size) in
        [("havannah", "champion:share=0", 3), ("cachex", "mcts", 4), ("cover", "uct", 2)]
    {
        let folder = folder(game);
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let (out, value, priors) = (at("games"), at("value.safetensors"), at("priors.safetensors"));
        let play = format!(
            "selfplay --json --game {game} --player {player} --size {size} --games 12 --chunk 8 --simulations 20 --out {out}"
        );
        let said = run_words(&play).good();
        assert_eq!((&said[0]["games"], &said[0]["new"]), (&12.into(), &12.into()));
        let [packed, plain] =
            ["games-00000.jsonl.gz", "games-00001.jsonl"].map(|name| format!("{out}/{name}"));
        for what in ["value", "priors"] {
            let file = if what == "value" { &value } else { &priors };
            run_words(&format!("--json learn {what} {packed} {plain} --epochs 1 -o {file}")).good();
        }
        let report = format!("--json learn report {packed} {plain} --value {value} --priors {priors}");
        let told = run_words(&report).good();
        assert_eq!((&told[0]["size"], &told[0]["games"]), (&size.into(), &12.into()));
        for part in ["value", "priors"] {
            assert!(told[0][part]["loss"].as_f64().unwrap() > 0.0, "{game}: {told:?}");
        }
        let learned = format!("new={value},{priors}");
        let games = words(&format!(
            "--json match new {player} --game {game} --size {size} --games 2 --simulations 10 --plies 60 --learned {learned}"
        ));
        let played = run(&games.iter().map(String::as_str).collect::<Vec<_>>()).good();
        assert_eq!(played.len(), 3, "{game}: {played:?}");
        let other = if game == "cover" { "havannah" } else { "cover" };
        let refused = run_words(&format!("match new uct --game {other} --size 3 --learned {learned}"));
        assert_eq!(refused.code, Some(2));
        assert!(refused.err.contains("learned rows or weights"), "{}", refused.err);
    }
}

#[test]
fn self_play_that_is_killed_goes_on_and_ends_with_the_same_files() {
    let whole = folder("whole");
    let command = |out: &Path| {
        let text = "selfplay --player mcts --size 4 --games 60 --chunk 25 --simulations 40 --seed 5 --out";
        let mut command = words(text);
        command.push(out.to_str().unwrap().to_owned());
        command
    };
    let play = |out: &Path| run(&command(out).iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(play(&whole).code, Some(0));
    let killed = folder("killed");
    let (mut kills, since) = (0, Instant::now());
    loop {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
            .args(command(&killed))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60 + 40 * kills));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(since.elapsed() < Duration::from_secs(120), "{kills} kills");
    }
    assert_eq!(play(&killed).code, Some(0));
    assert_eq!(files(&killed), files(&whole), "after {kills} kills");
    let other = run_words(&format!(
        "selfplay --player mcts --size 4 --games 60 --chunk 25 --simulations 41 --seed 5 --out {}",
        killed.to_str().unwrap()
    ));
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("\"simulations\":40"), "{}", other.err);
}

#[test]
fn unusable_arguments_of_self_play_and_learned_files_are_named() {
    let folder = folder("unusable");
    let at = folder.to_str().unwrap();
    let cases = [
        (format!("selfplay --player mcts --size 4 --out {at}/a"), "--simulations"),
        (format!("selfplay --player mcts --size 4 --seconds 1 --simulations 9 --out {at}/a"), "--seconds"),
        (format!("selfplay --player links --size 4 --nodes 9 --out {at}/a"), "--simulations"),
        (format!("selfplay --player links --size 4 --simulations 9 --out {at}/a"), "makes none"),
        (format!("selfplay --player nobody --size 4 --simulations 9 --out {at}/a"), "nobody"),
        (format!("selfplay --player mcts --size 4 --stray 2 --simulations 9 --out {at}/a"), "0 to 1"),
        (format!("match a b --size 4 --learned a={at}/none.safetensors"), "none.safetensors"),
        ("match a b --size 4 --learned a".to_owned(), "NAME=FILE"),
        (format!("learn priors {at}/none.jsonl -o {at}/p.safetensors"), "none.jsonl"),
    ];
    for (words, part) in cases {
        let ran = run_words(&words);
        assert_eq!(ran.code, Some(2), "{words}");
        assert!(ran.err.contains(part) && ran.err.lines().count() == 1, "{words}: {}", ran.err);
    }
}
