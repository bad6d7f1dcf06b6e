//! `conform` with programs that agree, programs that disagree, and programs that do not run.

use crate::common::{fields, file, run};
use serde_json::json;

const ORACLE: &str = env!("CARGO_BIN_EXE_stonework");

#[test]
fn the_oracle_agrees_with_itself() {
    let cmd = format!("'{ORACLE}' oracle");
    let args = ["conform", "--cmd", &cmd, "--size", "2..5", "--size", "9", "--games", "10", "--json"];
    let answer = run(&args).good();
    assert_eq!(fields(&answer[0]), ["games", "ok", "plies", "tried"]);
    assert_eq!(answer[0]["ok"], true);
    assert!(answer[0]["games"].as_u64().unwrap() >= 5 * 10 && answer[0]["plies"].as_u64().unwrap() > 2000);
    // The tried games: the requested sizes, and wins of every kind on the last cell.
    let tried = &answer[0]["tried"];
    assert_eq!(fields(&tried["sizes"]), ["2", "3", "4", "5", "9"]);
    assert_eq!(fields(&tried["ends_on_the_last_cell"]), ["bridge", "draw", "fork", "ring"]);
    assert_eq!(fields(&tried["refusals"]), ["move", "occupied", "over", "swap"]);
    assert!(tried["asked_beyond_the_end"].as_u64().unwrap() >= 5 * 10);
}

#[test]
fn questions_in_other_notations_are_asked_and_wrong_names_of_notations_refused() {
    let cmd = format!("'{ORACLE}' oracle");
    let args =
        ["conform", "--cmd", &cmd, "--size", "3", "--games", "4", "--notation", "grid", "--notation", "web"];
    assert!(run(&args).out.contains("no disagreement"));
    let cachex = run(&["conform", "--game", "cachex", "--cmd", "cat", "--notation", "grid"]);
    assert_eq!((cachex.code, cachex.out.as_str()), (Some(2), ""));
    assert_eq!(cachex.err, "error: --notation: only cells of Havannah have several names\n");
}

#[test]
fn a_disagreement_is_told_before_it_is_made_smaller() {
    // The rules are right but for the index of a refused move, and the time limit leaves no time to shrink the game.
    let cmd = format!("'{ORACLE}' oracle | sed -u 's/\"at\":1,/\"at\":0,/'");
    let ran = run(&["conform", "--cmd", &cmd, "--size", "2", "--games", "1", "--shrink", "0.000001"]);
    if sed_is_unbuffered() {
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.starts_with("found: the error is at move 0, we say 1"), "{}", ran.err);
        assert!(
            ran.out.contains("time was over before all moves had been tried to be left out:"),
            "{}",
            ran.out
        );
    }
}

/// Rules that miss every ring: the oracle of this program, with changed answers.
fn blind_to_rings() -> String {
    let wrong = r#"s/"outcome":"[a-z]*","how":\["ring"\]/"outcome":null,"how":[]/"#;
    file("blind.sed", format!("{wrong}\n").as_bytes());
    format!("'{ORACLE}' oracle | sed -u -f '{}'", file("blind.sed", format!("{wrong}\n").as_bytes()))
}

#[test]
fn a_wrong_program_is_shown_its_smallest_game() {
    if !sed_is_unbuffered() {
        println!("sed has no -u here: nothing to test");
        return;
    }
    let cmd = blind_to_rings();
    let ran = run(&["conform", "--cmd", &cmd, "--size", "4", "--games", "30", "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let answer = &ran.json()[0];
    assert_eq!(answer["ok"], false);
    let found = &answer["counterexample"];
    for name in ["size", "swap", "moves", "expected", "got", "what"] {
        assert!(found.get(name).is_some(), "{name}");
    }
    // The game has six stones around a cell, and five stones of the other side.
    assert_eq!((found["moves"].as_array().unwrap().len(), &found["least"]), (11, &json!(true)), "{found}");
    assert_eq!((&found["expected"]["how"], &found["got"]["outcome"]), (&json!(["ring"]), &json!(null)));
    let ran = run(&["conform", "--cmd", &cmd, "--size", "4", "--games", "30"]);
    assert_eq!(ran.code, Some(1));
    for part in [
        "a game of 11 moves on size 4 shows it",
        "no move can be left out of it",
        "before ",
        "after it:",
        "to see it again:",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

fn sed_is_unbuffered() -> bool {
    let sed = std::process::Command::new("sh").args(["-c", "echo a | sed -u s/a/b/"]).output();
    sed.is_ok_and(|out| out.stdout == b"b\n")
}

#[test]
fn recorded_games_are_compared_and_bad_files_left_out() {
    let good = file("corpus/a.sgf", b"(;SZ[4];W[a1];B[swap];W[b2];B[resign])");
    file("corpus/deep/b.hgf", b"(;SZ[3];W[c3]");
    file("corpus/deep/notes.txt", b"not a record");
    let folder = std::path::Path::new(&good).parent().unwrap().to_str().unwrap().to_owned();
    let cmd = format!("'{ORACLE}' oracle");
    let ran = run(&["conform", "--cmd", &cmd, "--corpus", &folder, "--size", "2", "--games", "1", "--json"]);
    assert_eq!((ran.code, ran.json()[0]["ok"].clone()), (Some(0), json!(true)));
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("left out: ") && ran.err.contains("b.hgf: the input ends"), "{}", ran.err);
    let args = ["conform", "--cmd", &cmd, "--corpus", "no/such/place"];
    let missing = run(&args);
    assert_eq!((missing.code, missing.out.as_str()), (Some(2), ""));
    assert_eq!(missing.err, "error: --corpus no/such/place: there is no such file or folder\n");
}

/// A comparison of nothing said `"ok": true`.
#[test]
fn no_games_to_compare_is_an_error() {
    let rubbish = file("nothing/a.sgf", b"no game");
    let cmd = format!("'{ORACLE}' oracle");
    for more in [&[][..], &["--corpus", &rubbish]] {
        let args = ["conform", "--cmd", &cmd, "--size", "20", "--games", "0", "--json"];
        let ran = run(&[&args, more].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
        let told = "error: no games to compare: --games 0, and no printed or recorded game is of these sizes";
        assert_eq!(ran.err.lines().last(), Some(told));
    }
}

#[test]
fn a_program_that_never_answers_is_an_unusable_argument() {
    let ran = run(&["conform", "--cmd", "exit 3", "--json"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("error: --cmd exit 3: the program ended (exit status: 3)"), "{}", ran.err);
    let ran = run(&["conform", "--cmd", "sleep 20", "--timeout", "0.2"]);
    assert_eq!(ran.code, Some(2));
    let hint = "a program must read line by line, and flush its output after each answer";
    assert_eq!(ran.err, format!("error: --cmd sleep 20: no answer within 200ms: {hint}\n"));
}
