//! `replay`: records of one game, of several, and lists of games.

use crate::common::{feed, fields, file, run};
use serde_json::json;

const RING: &[u8] =
    b"(;FF[4]SZ[4]PW[Ann]PB[Bob]RE[W];W[b2];B[f3];W[b3];B[f4];W[c2];B[f5];W[c4];B[f6];W[d3];B[f7];W[d4])";

#[test]
fn a_game_is_shown_in_full() {
    let path = file("ring.sgf", RING);
    let ran = run(&["replay", &path]);
    let text = format!(
        "{path}: size 4, 11 moves (hgui notation)
  white   Ann
  black   Bob

            1   2   3   4
      a   .   .   .   .   5
    b   .   O*  O*  .   .   6
  c   .   O*  .   O*  .   .   7
d   .   .   O* (O)* .   .   .
  e   .   .   .   .   .   .
    f   @   @   @   @   @
      g   .   .   .   .

white wins by ring with move 11, d4
  ring: b2 b3 c2 c4 d3 d4
the record claims W, as the moves say
"
    );
    let plain = |text: &str| text.lines().map(|l| l.trim().to_owned()).collect::<Vec<_>>();
    assert_eq!((plain(&ran.out), ran.code), (plain(&text), Some(0)));
}

#[test]
fn objects_have_the_fields_of_the_contract() {
    let from_file = run(&["replay", "--json", &file("ring2.sgf", RING)]).good().remove(0);
    let mut object = feed(&["replay", "--json", "-"], RING).good().remove(0);
    assert_eq!(object["file"], "standard input");
    object["file"] = from_file["file"].clone();
    assert_eq!(object, from_file);
    for name in ["file", "size", "plies", "outcome", "how", "cells", "end", "quirks"] {
        assert!(fields(&object).contains(&name), "{name}");
    }
    assert_eq!((&object["size"], &object["plies"]), (&json!(4), &json!(11)));
    assert_eq!((&object["outcome"], &object["end"]), (&json!("white"), &json!("formation")));
    assert_eq!(object["how"], json!(["ring"]));
    assert_eq!(object["cells"], json!([["b2", "b3", "c2", "c4", "d3", "d4"]]));
    assert_eq!((&object["claimed"], &object["claim_agrees"]), (&json!("W"), &json!(true)));
}

#[test]
fn other_ends_are_told_apart() {
    let end = |bytes: &[u8]| {
        let object = feed(&["replay", "--json", "-"], bytes).good().remove(0);
        (object["end"].clone(), object["outcome"].clone(), object["plies"].clone())
    };
    assert_eq!(end(b"(;SZ[4];W[a1];B[resign])"), (json!("resign"), json!("white"), json!(1)));
    assert_eq!(end(b"(;SZ[4];W[a1];B[swap];W[resign])"), (json!("resign"), json!("black"), json!(2)));
    assert_eq!(end(b"(;SZ[4];W[a1])"), (json!("unfinished"), json!(null), json!(1)));
    let drawn = "g7 a1 f5 g4 e3 d2 e2 d1 c2 d3 c3 f7 d6 b4 a4 b5 a3 e5 c4 b3 a2 c1 b1 f6 e4 d4 g6 e7 d7 b2 c5 f3 f4 g5 d5 e6 c6";
    let sides = ["W", "B"].into_iter().cycle();
    let nodes = drawn.split(' ').zip(sides).map(|(cell, side)| format!(";{side}[{cell}]"));
    let nodes = nodes.collect::<Vec<_>>().concat();
    assert_eq!(end(format!("(;SZ[4]{nodes})").as_bytes()), (json!("draw"), json!("draw"), json!(37)));
}

#[test]
fn quirks_are_reported_and_not_mended() {
    let little_golem =
        b"(;FF[4]SZ[4]RE[B]SO[http://www.littlegolem.com];W[F3];B[swap];W[A1];B[resign];W[B1])";
    let object = feed(&["replay", "--json", "-"], little_golem).good().remove(0);
    assert_eq!((&object["outcome"], &object["claimed"]), (&json!("white"), &json!("B")));
    assert_eq!(object["claim_agrees"], false);
    let quirks = object["quirks"].to_string();
    for part in ["RE says B", "the moves say white", "moves after the resignation, passed over: 1"] {
        assert!(quirks.contains(part), "{part}: {quirks}");
    }
    // F3 counts from the left end of its row: the cell is f5 in hgui notation. After the swap, the stone is black's.
    assert_eq!(object["board"], "4 b - w.../...../....../......./....../..b../....");
}

#[test]
fn the_caller_may_know_size_and_notation_better() {
    let bare = b"(;FF[4];W[f3])";
    let object = feed(&["replay", "--json", "-", "--size", "4", "--notation", "grid"], bare).good().remove(0);
    assert_eq!((&object["size"], &object["last"]), (&json!(4), &json!("f3")));
    let refused = feed(&["replay", "-", "--size", "4"], b"(;SZ[5];W[a5])");
    assert_eq!(refused.code, Some(2));
    let no_swap = feed(&["replay", "--no-swap", "-"], b"(;SZ[4];W[a1];B[swap])");
    assert_eq!((no_swap.code, no_swap.out.as_str()), (Some(2), ""));
}

#[test]
fn files_of_several_games_take_a_line_each() {
    let two = file("two.sgf", b"(;SZ[2];W[a1];B[b2];W[a2]) (;SZ[3];W[c3])");
    let ran = run(&["replay", &two, &two, "--json"]);
    let objects = ran.good();
    let which: Vec<_> =
        objects.iter().map(|o| (o["id"].as_u64().unwrap(), o["size"].as_u64().unwrap())).collect();
    assert_eq!(which, [(1, 2), (2, 3), (1, 2), (2, 3)]);
    let ran = run(&["replay", &two]);
    assert_eq!(ran.out.lines().count(), 2);
}

#[test]
fn a_list_that_contradicts_its_moves_is_a_disagreement() {
    let game = |said: &str| format!("{{\"size\":2,\"moves\":[\"a1\",\"b2\",\"a2\"],{said}}}\n");
    let right = r#""id":"right","win_by":"W","win_types":["bridge"],"win_ply":2"#;
    let ran = feed(&["replay", "--json", "-"], game(right).as_bytes());
    assert_eq!((ran.code, ran.json()[0]["id"].clone()), (Some(0), json!("right")));
    // Moves alone claim nothing.
    let alone = b"{\"size\":2,\"moves\":[\"a1\",\"b2\",\"a2\"]}\n";
    let ran = feed(&["replay", "--json", "-"], alone);
    assert_eq!(
        (ran.code, &ran.json()[0]["end"], ran.json()[0].get("differs")),
        (Some(0), &json!("formation"), None)
    );
    let wrong = [
        (r#""win_types":["fork"]"#, "kinds fork, the moves say bridge"),
        (r#""win_by":"B","win_types":["bridge"],"win_ply":2"#, "winner black, the moves say white"),
        (r#""win_by":"W","win_types":["fork"],"win_ply":2"#, "kinds fork, the moves say bridge"),
        (r#""win_by":"W","win_types":["bridge"],"win_ply":1"#, "winning move 2, the moves say 3"),
        (r#""end":"resign""#, "the list has no formation at the end, the moves have a formation"),
        (r#""win_by":"W","moves_hgui":["a1","b2","b1"]"#, "`moves` and `moves_hgui` are different moves"),
    ];
    for (said, what) in wrong {
        let ran = feed(&["replay", "--json", "-"], game(said).as_bytes());
        assert_eq!((ran.code, &ran.json()[0]["differs"]), (Some(1), &json!([what])));
        assert!(feed(&["replay", "-"], game(said).as_bytes()).out.contains(&format!("disagrees: {what}")));
    }
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn all_little_golem_games_agree_in_the_reference_data() {
    let path = stonework_reference_data::path("havannah/littlegolem.jsonl");
    let path = path.to_str().unwrap();
    let ran = run(&["replay", "--json", path]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let objects = ran.json();
    let formations: Vec<_> = objects.iter().filter(|o| o["end"] == "formation").collect();
    assert_eq!((objects.len(), formations.len()), (2146, 1056));
    assert!(objects.iter().all(|o| o.get("differs").is_none()));
    let kinds = |kind: &str| formations.iter().filter(|o| o["how"] == json!([kind])).count();
    assert_eq!((kinds("fork"), kinds("bridge"), kinds("ring")), (627, 236, 188));
    assert_eq!(objects.iter().filter(|o| o["claim_agrees"] == false).count(), 1916);
    let text = run(&["replay", path]).out;
    assert!(
        text.contains(
            "1056 games name their winner, kinds and winning move: 0 games disagree with their moves"
        )
    );
}

/// A terminal obeys control characters: a record could clear the screen, or set the title of the window.
#[test]
fn control_characters_of_a_record_do_not_reach_the_terminal() {
    let evil = "\u{1b}[2J\u{7}\u{9b}31m";
    let havannah = format!("(;SZ[4]PW[Ann{evil}]RE[{evil}];W[a1])");
    let cachex = format!("(;GM[Cachex]SZ[3]PR[Ann{evil}]RE[{evil}];R[0,0])");
    let wrong = format!("(;SZ[4];W[{evil}])");
    let list = r#"{"id":"\u001b[2J","size":2,"moves":["a1","b2","a2"],"win_types":["\u001b[2J"]}"#;
    for (words, input) in [
        (&["replay", "-"][..], havannah.as_str()),
        (&["replay", "--game", "cachex", "-"], &cachex),
        (&["replay", "-"], &wrong),
        (&["replay", "-"], list),
    ] {
        let ran = feed(words, input.as_bytes());
        let told = format!("{}{}", ran.out, ran.err);
        assert!(!told.is_empty() && told.chars().all(|c| c == '\n' || !c.is_control()), "{told:?}");
    }
}

#[test]
fn a_notation_that_a_game_does_not_have_is_refused_as_in_draw() {
    let path = file("cachex-web.sgf", b"(;GM[Cachex]SZ[3];R[0,0];B[2,2])");
    let replayed = run(&["replay", "--game", "cachex", "--notation", "web", &path]);
    let drawn = run(&["draw", "--game", "cachex", "--notation", "web", "--size", "3", "--moves", "0,0"]);
    assert_eq!((replayed.code, replayed.out.as_str()), (Some(2), ""));
    assert!(replayed.err.contains("no notation `web`"), "{}", replayed.err);
    assert_eq!(replayed.err, drawn.err);
}

#[test]
fn variations_that_are_left_out_are_counted_on_standard_error() {
    let havannah = file("branched.sgf", b"(;FF[4]SZ[4];W[a1](;B[b2](;W[c3])(;W[d4]))(;B[a2]))");
    let cachex = file("branched2.sgf", b"(;GM[Cachex]SZ[3];R[0,0](;B[2,2])(;B[1,1]))");
    for (words, path, count) in [
        (vec!["replay", "--json"], &havannah, 2),
        (vec!["replay", "--json", "--statistics"], &havannah, 2),
        (vec!["replay", "--json", "--game", "cachex"], &cachex, 1),
    ] {
        let ran = run(&[&words[..], &[path.as_str()]].concat());
        assert_eq!((ran.code, ran.json().len()), (Some(0), 1), "{words:?}: {}", ran.err);
        let told = format!("{path}: variations that are left out: {count}; the main line is replayed\n");
        assert_eq!(ran.err, told, "{words:?}");
    }
}
