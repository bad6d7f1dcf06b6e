//! `oracle`: every line has an answer, whatever the line is.

use crate::common::{feed, fields};
use serde_json::{Value, json};

fn ask(lines: &[u8]) -> Vec<Value> {
    feed(&["oracle"], lines).good()
}

#[test]
fn answers_have_the_fields_of_the_contract() {
    let lines = b"{\"id\":[1,\"x\"],\"game\":\"havannah\",\"size\":4,\"moves\":[\"a1\",\"b1\",\"a2\",\"b2\",\"a3\",\"b3\",\"a4\"]}\n";
    let answer = &ask(lines)[0];
    let names = [
        "board",
        "can_win",
        "cells",
        "how",
        "id",
        "key",
        "legal",
        "ok",
        "outcome",
        "plies",
        "to_move",
        "winning_cells",
    ];
    assert_eq!(fields(answer), names);
    assert_eq!(answer["id"], json!([1, "x"]));
    assert_eq!((&answer["ok"], &answer["plies"], &answer["legal"]), (&json!(true), &json!(7), &json!(0)));
    assert_eq!((&answer["outcome"], &answer["to_move"]), (&json!("white"), &json!("black")));
    assert_eq!(answer["how"], json!(["bridge"]));
    assert_eq!(answer["cells"], json!([["a1", "a2", "a3", "a4"]]));
    assert_eq!(answer["key"].as_str().unwrap().len(), 16);
    assert_eq!(answer["board"], "4 b - wwww/bbb../....../......./....../...../....");
}

#[test]
fn the_example_of_the_help_is_the_answer() {
    let page = feed(&["oracle", "--help"], b"").out;
    let (_, example) = page.split_once("\n  $ echo '").unwrap();
    let (question, rest) = example.split_once('\'').unwrap();
    let (_, shown) = rest.split_once("stonework oracle\n").unwrap();
    let shown: String = shown.replace("(one line)", "").lines().map(str::trim).collect();
    let mut answer = ask(format!("{question}\n").as_bytes()).remove(0);
    answer["key"] = json!("…");
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), answer);
}

#[test]
fn bad_lines_get_errors_and_the_next_line_is_read() {
    let lines: [(&[u8], Value); 14] = [
        (br#"{"id":1,"game":"havannah","size":4,"moves":["a1"]}"#, json!([1, true])),
        (b"not json", json!([null, "json", null])),
        (b"", json!([null, "line", null])),
        (b"  \t", json!([null, "line", null])),
        (b"{\"id\":2,\"game\":\"havannah\",\"\xff\":0}", json!([null, "line", null])),
        (br#"{"id":3,"game":"chess","size":4,"moves":[]}"#, json!([3, "game", null])),
        (br#"{"id":4,"game":"havannah","size":21,"moves":[]}"#, json!([4, "size", null])),
        (br#"{"id":5,"game":"havannah","size":4,"moves":["a1","z99"]}"#, json!([5, "move", 1])),
        (br#"{"id":6,"game":"havannah","size":4,"moves":["a1","b1","a1"]}"#, json!([6, "occupied", 2])),
        (br#"{"id":7,"game":"havannah","size":4,"moves":["e5","swap"]}"#, json!([7, "swap", 1])),
        (
            br#"{"id":8,"game":"havannah","size":4,"swap":true,"moves":["e5","swap","swap"]}"#,
            json!([8, "swap", 2]),
        ),
        (br#"{"id":9,"game":"havannah","size":2,"moves":["a1","b2","a2","b1"]}"#, json!([9, "over", 3])),
        (br#"{"id":10,"game":"havannah","size":4,"notation":"x","moves":[]}"#, json!([10, "notation", null])),
        (br#"{"id":"last","game":"havannah","size":4,"moves":["a1"]}"#, json!(["last", true])),
    ];
    let input: Vec<u8> = lines.iter().flat_map(|(line, _)| [line, b"\n".as_slice()].concat()).collect();
    let answers = ask(&input);
    assert_eq!(answers.len(), lines.len());
    for (answer, (line, expected)) in answers.iter().zip(&lines) {
        let line = String::from_utf8_lossy(line);
        assert_eq!(answer["id"], expected[0], "{line}");
        if expected[1] == json!(true) {
            assert_eq!(answer["ok"], true, "{line}");
            continue;
        }
        assert_eq!(fields(answer), ["error", "id", "ok"]);
        assert_eq!(fields(&answer["error"]), ["at", "kind", "message"]);
        assert_eq!((&answer["ok"], &answer["error"]["kind"]), (&json!(false), &expected[1]), "{line}");
        assert_eq!(answer["error"]["at"], expected[2], "{line}");
    }
}

#[test]
fn a_line_of_5_megabytes_is_refused_and_the_next_is_answered() {
    let mut input = vec![b'a'; 5_000_000];
    input.extend_from_slice(b"\n{\"id\":1,\"game\":\"havannah\",\"size\":2,\"moves\":[]}");
    let answers = ask(&input);
    assert_eq!(answers[0]["error"]["kind"], "line");
    let message = "a line of 5000000 bytes: at most 1048576 are read";
    assert_eq!(answers[0]["error"]["message"], message);
    assert_eq!((&answers[1]["id"], &answers[1]["legal"]), (&json!(1), &json!(7)));
}

/// A driver that waits for each answer before its next question receives every answer at once. A line of any length
/// takes little memory.
#[cfg(target_os = "linux")]
#[test]
fn answers_come_at_once_and_memory_is_bounded() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .arg("oracle")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    let mut answer = || {
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()
    };
    for id in 0..3 {
        writeln!(input, "{{\"id\":{id},\"game\":\"havannah\",\"size\":5,\"moves\":[\"a1\"]}}").unwrap();
        // The answer must come although the next line has already begun.
        input.write_all(b"  ").unwrap();
        assert_eq!(answer()["id"], id);
    }
    let block = vec![b'['; 1 << 20];
    for _ in 0..200 {
        input.write_all(&block).unwrap();
    }
    input.write_all(b"\n").unwrap();
    assert_eq!(answer()["error"]["kind"], "line");
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < 30_000, "{kilobytes} kB after a line of 200 MiB");
    drop(input);
    assert!(child.wait().unwrap().success());
}
