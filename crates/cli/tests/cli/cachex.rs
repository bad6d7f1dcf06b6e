//! The commands with Cachex.

use crate::common::{feed, run_words};
use serde_json::{Value, json};

fn ask(line: &str) -> Value {
    feed(&["oracle"], line.as_bytes()).good().remove(0)
}

#[test]
fn the_oracle_tells_captures_and_endings() {
    let answer = ask(r#"{"id":1,"game":"cachex","size":5,"moves":["1,1","2,1","4,4","2,0","3,0"]}"#);
    assert_eq!(answer["captured"], json!([[], [], [], [], ["2,0", "2,1"]]));
    assert_eq!(answer["board"], "...../.r.../...../r..../....r");
    assert_eq!((&answer["outcome"], &answer["to_move"]), (&json!(null), &json!("blue")));
    let won = ask(r#"{"game":"cachex","size":3,"moves":["0,0","0,1","1,0","2,1","2,0"]}"#);
    assert_eq!((&won["outcome"], &won["how"]), (&json!("red"), &json!(["connection"])));
    assert_eq!(won["cells"], json!([["0,0", "1,0", "2,0"]]));
}

#[test]
fn what_the_oracle_tells_can_be_asked_again() {
    let first = ask(r#"{"game":"cachex","size":4,"moves":["0,3","steal","1,1"]}"#);
    for field in ["board", "position"] {
        let line = json!({"game": "cachex", "position": first[field], "to_move": "blue", "moves": []});
        let again = ask(&line.to_string());
        assert_eq!((&again["board"], &again["legal"]), (&first["board"], &first["legal"]), "{field}");
    }
}

#[test]
fn faults_are_named() {
    for (line, kind, at) in [
        (r#"{"game":"cachex","size":2,"moves":[]}"#, "size", Value::Null),
        (r#"{"game":"cachex","size":5,"moves":["2,2"]}"#, "centre", json!(0)),
        (r#"{"game":"cachex","size":5,"moves":["steal"]}"#, "swap", json!(0)),
        (r#"{"game":"cachex","size":5,"moves":["1,1","1,1"]}"#, "occupied", json!(1)),
        (r#"{"game":"cachex","size":5,"moves":["5,0"]}"#, "move", json!(0)),
        (r#"{"game":"cachex","size":5,"swap":true,"moves":[]}"#, "swap", Value::Null),
        (r#"{"game":"cachex","size":5,"notation":"hgui","moves":[]}"#, "notation", Value::Null),
        (r#"{"game":"cachex","size":5,"position":"r../.../...","moves":[]}"#, "size", Value::Null),
        (r#"{"game":"cachex","position":"r../.x./...","moves":[]}"#, "position", Value::Null),
        (r#"{"game":"cachex","size":3,"to_move":"blue","moves":[]}"#, "to_move", Value::Null),
        (r#"{"game":"cachex","size":3,"to_move":"white","moves":[]}"#, "to_move", Value::Null),
        (r#"{"game":"cachex","size":3,"moves":["0,0","0,1","1,0","2,1","2,0","2,2"]}"#, "over", json!(5)),
    ] {
        let answer = ask(line);
        assert_eq!((&answer["ok"], &answer["error"]["kind"]), (&json!(false), &json!(kind)), "{answer}");
        assert_eq!(answer["error"]["at"], at, "{answer}");
    }
}

#[test]
fn perft_has_the_counts_of_the_referee() {
    let counts = run_words("perft --game cachex --size 3 --depth 6 --json").good();
    let nodes: Vec<&Value> = counts.iter().map(|line| &line["nodes"]).collect();
    assert_eq!(nodes, [8, 72, 512, 3136, 16224, 64640]);
    assert_eq!(counts[0]["wins"], json!({"red": {"total": 0}, "blue": {"total": 0}}));
    assert!(counts[4]["wins"]["red"]["total"].as_u64().unwrap() > 0);
    let after = run_words("perft --game cachex --size 3 --moves 0,1;steal --depth 1");
    assert_eq!(after.code, Some(2), "moves are separated by spaces alone: {}", after.err);
}

#[cfg(unix)]
#[test]
fn rules_of_cachex_can_be_compared() {
    let oracle = format!("'{}' oracle", env!("CARGO_BIN_EXE_stonework"));
    let run = |cmd: &str| {
        crate::common::run(&[
            "conform", "--game", "cachex", "--size", "3..5", "--games", "10", "--cmd", cmd, "--json",
        ])
    };
    let same = run(&oracle).good();
    assert_eq!(same[0]["ok"], true);
    assert!(same[0]["games"].as_u64().unwrap() >= 3 * 13, "{}", same[0]);
    // Rules that report no captured cells.
    let wrong =
        run(&format!("{oracle} | sed -u 's/\"captured\":[^a-z]*,\"board\"/\"captured\":[],\"board\"/'"));
    assert_eq!((wrong.code, &wrong.json()[0]["ok"]), (Some(1), &json!(false)), "{}", wrong.err);
    let other = run_words("conform --game cachex --size 2 --cmd cat");
    assert_eq!(other.err, "error: --size 2: sizes are 3 to 15\n");
}
