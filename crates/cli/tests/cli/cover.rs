//! The commands with Cover.

use crate::common::{feed, run_words};
use serde_json::{Value, json};

fn ask(line: &str) -> Value {
    feed(&["oracle"], line.as_bytes()).good().remove(0)
}

#[test]
fn the_oracle_tells_shots_and_endings() {
    let answer = ask(
        r#"{"id":1,"game":"cover","size":4,"position":"[A07]x[E10,K02]","moves":["A07-B08xE10","k02-j03"]}"#,
    );
    assert_eq!((&answer["board"], &answer["captured"]), (&json!("[B08]x[J03]"), &json!([["E10"], []])));
    assert_eq!(
        (&answer["to_move"], &answer["outcome"], &answer["how"]),
        (&json!("blue"), &Value::Null, &json!([]))
    );
    let won = ask(r#"{"game":"cover","size":4,"position":"[J10]x[K02]","moves":["J10-K11"]}"#);
    assert_eq!(
        (&won["outcome"], &won["how"], &won["cells"]),
        (&json!("blue"), &json!(["homebase"]), &json!([["K11"]]))
    );
    let shot = ask(r#"{"game":"cover","size":4,"position":"[I09]x[J11]","moves":["I09-J10"]}"#);
    assert_eq!((&shot["outcome"], &shot["how"]), (&json!("blue"), &json!(["last stone"])));
    let shut_in = ask(r#"{"game":"cover","size":4,"position":"[A11]x[B10]","moves":[]}"#);
    assert_eq!((&shut_in["outcome"], &shut_in["how"]), (&json!("red"), &json!(["no move"])));
}

#[test]
fn what_the_oracle_tells_can_be_asked_again() {
    let moves = r#"["C02-D03","B05-A04","D03-C02"]"#;
    let line = format!(r#"{{"game":"cover","size":4,"position":"[C02]x[B05]","moves":{moves}}}"#);
    let first = ask(&line);
    let again = |with: Value| ask(&with.to_string());
    let whole = again(json!({"game": "cover", "position": first["position"], "moves": []}));
    assert_eq!((&whole["legal"], &whole["key"]), (&first["legal"], &first["key"]));
    // The board alone has no history, so red may move back.
    let board =
        json!({"game": "cover", "size": 4, "position": first["board"], "to_move": "red", "moves": []});
    let board = again(board);
    assert_eq!(board["legal"].as_u64(), first["legal"].as_u64().map(|n| n + 1));
    let back = again(json!({"game": "cover", "position": first["position"], "moves": ["A04-B05"]}));
    assert_eq!((&back["error"]["kind"], &back["error"]["at"]), (&json!("repetition"), &json!(0)));
}

#[test]
fn faults_are_named() {
    for (line, kind, at) in [
        (r#"{"game":"cover","size":11,"moves":[]}"#, "size", Value::Null),
        (r#"{"game":"cover","size":0,"moves":[]}"#, "size", Value::Null),
        (r#"{"game":"cover","position":"[C01]x[G05]","moves":[]}"#, "size", Value::Null),
        (r#"{"game":"cover","size":3,"position":"4 b four [C02]x[B05] -","moves":[]}"#, "size", Value::Null),
        (r#"{"game":"cover","size":2,"position":"[C01]x[C02]","moves":[]}"#, "position", Value::Null),
        (r#"{"game":"cover","size":2,"position":"[C01","moves":[]}"#, "position", Value::Null),
        (r#"{"game":"cover","size":2,"to_move":"white","moves":[]}"#, "to_move", Value::Null),
        (
            r#"{"game":"cover","position":"4 r four [C02]x[B05] C01-C02","to_move":"blue","moves":[]}"#,
            "to_move",
            Value::Null,
        ),
        (r#"{"game":"cover","size":2,"swap":true,"moves":[]}"#, "swap", Value::Null),
        (r#"{"game":"cover","size":2,"notation":"hgui","moves":[]}"#, "notation", Value::Null),
        (r#"{"game":"cover","size":2,"moves":["C01-D02","C01-D02"]}"#, "move", json!(1)),
        (r#"{"game":"cover","size":2,"moves":["C01-D02xE07"]}"#, "move", json!(0)),
        (r#"{"game":"cover","size":2,"position":"[B02]x[G05]","moves":["B02-A01"]}"#, "home", json!(0)),
        (
            r#"{"game":"cover","size":4,"position":"[H10]x[I09]","to_move":"r","moves":["I09-I10"]}"#,
            "occupied",
            json!(0),
        ),
        (
            r#"{"game":"cover","size":2,"position":"[F06]x[E03]","moves":["F06-G07","E03-D02"]}"#,
            "over",
            json!(1),
        ),
    ] {
        let answer = ask(line);
        assert_eq!(
            (&answer["ok"], &answer["error"]["kind"]),
            (&json!(false), &json!(kind)),
            "{line} {answer}"
        );
        assert_eq!(answer["error"]["at"], at, "{answer}");
    }
}

#[test]
fn perft_has_the_counts_of_the_facts() {
    let nodes = |words: &str| -> Vec<Value> {
        run_words(words).good().iter().map(|line| line["nodes"].clone()).collect()
    };
    assert_eq!(nodes("perft --game cover --size 2 --depth 5 --json"), [10, 100, 876, 7508, 73314]);
    assert_eq!(nodes("perft --game cover --size 4 --depth 4 --json"), [26, 676, 16104, 382_714]);
    let wins = run_words("perft --game cover --size 1 --depth 4 --json").good();
    assert!(
        wins[3]["wins"]["red"]["total"].is_u64() && wins[3]["wins"]["blue"]["total"].is_u64(),
        "{wins:?}"
    );
}

#[cfg(unix)]
#[test]
fn rules_of_cover_can_be_compared() {
    use crate::common::run;
    let oracle = format!("'{}' oracle", env!("CARGO_BIN_EXE_stonework"));
    let conform = |cmd: &str, more: &[&str]| {
        run(&[&["conform", "--game", "cover", "--size", "1..3", "--games", "5", "--cmd", cmd], more].concat())
    };
    let same = conform(&oracle, &["--json"]).good();
    assert_eq!(same[0]["ok"], true);
    assert!(same[0]["games"].as_u64().unwrap() == 3 * 10, "{}", same[0]);
    // Rules by which blue never wins.
    let wrong = conform(&format!("{oracle} | sed -u 's/\"outcome\":\"blue\"/\"outcome\":null/'"), &[]);
    assert_eq!(wrong.code, Some(1), "{}", wrong.err);
    assert!(wrong.out.contains("after it:") && wrong.out.contains("outcome is null"), "{}", wrong.out);
    let other = run_words("conform --game cover --size 11 --cmd cat");
    assert_eq!(other.err, "error: --size 11: sizes are 1 to 10\n");
}
