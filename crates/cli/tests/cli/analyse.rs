//! `analyse`, and `draw --layers`.

use crate::common::{fields, run, run_words};

const MOVES: &str = "a4 d4 b3 e4 d1";

#[test]
fn layers_are_told_in_sentences() {
    let told = run(&["analyse", "--size", "4", "--moves", MOVES, "--layers", "threats,must-play"]);
    let expected = "\
threats
  Black cannot win at once.
  White cannot win at once.
must-play
  Black must play on one of a3, b2 and b4: a stone on any other cell loses.
  After a stone on a1 or a2 White's c2 makes a bridge frame a4–b3–c2–d1 with the carrier {a3, b2, b4, c1, c2, c3, d2}; White wins in at most 4 moves.
  After a stone on any other cell White's a1 makes a bridge frame a1–b3–a4 with the carrier {a1, a2, a3, b2, b4}; White wins in at most 3 moves.
";
    assert_eq!((told.out.as_str(), told.err.as_str(), told.code), (expected, "", Some(0)));
}

#[test]
fn with_json_each_layer_is_an_object() {
    let lines = run(&["analyse", "--json", "--size", "4", "--moves", MOVES]).good();
    let names: Vec<&str> = lines.iter().map(|line| line["layer"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["links", "frames", "threats", "must-play", "race", "dead", "distance", "two-distance"]
    );
    for line in &lines {
        assert_eq!(fields(line), ["complete", "findings", "layer", "marks"]);
        assert_eq!(fields(&line["findings"][0]), ["cells", "side", "text"]);
    }
    assert_eq!(lines[3]["marks"].to_string(), r#"[{"cell":"a3"},{"cell":"b2"},{"cell":"b4"}]"#);
}

#[test]
fn layers_are_marked_in_pictures() {
    let drawn = run(&["draw", "--size", "4", "--moves", MOVES, "--layers", "must-play,links"]);
    let rows: Vec<&str> = drawn.out.lines().collect();
    assert_eq!(rows[1].trim(), "a . w w*O 5", "{}", drawn.out);
    let svg = run(&["draw", "--size", "4", "--moves", MOVES, "--layers", "distance", "--svg"]);
    assert!(svg.out.starts_with("<svg") && svg.out.contains(">6</text>"), "{}", svg.out);
}

#[test]
fn other_games_have_threats() {
    let cachex = run_words("analyse --game cachex --size 3 --moves 0,0");
    assert_eq!(cachex.out, "threats\n  Blue cannot win at once.\n");
    let cover = run_words("analyse --game cover --size 2 --layers links");
    assert_eq!(cover.err, "error: --layers: no layer `links` of cover: threats\n");
    let drawn = run_words("draw --game cover --size 2 --strokes");
    assert_eq!(drawn.err, "error: --strokes: pictures of cover have no such thing\n");
}

#[test]
fn what_cannot_be_analysed_is_named() {
    for (words, error) in [
        (
            "analyse --size 4 --layers links,dreams",
            "--layers: no layer `dreams` of havannah: links, frames, threats, must-play, race, dead, distance, two-distance",
        ),
        ("analyse --size 4 --carrier 0", "--carrier: a budget of 0 cells; the least is 1"),
        ("analyse --size 4 --combinations 0", "--combinations: a budget of 0 pairs of links; the least is 1"),
        ("analyse --size 4 --findings 0", "--findings: a budget of 0 sentences; the least is 1"),
        ("analyse --size 2 --moves a1,b2,a2", "the game is over: white has won"),
        ("draw --size 2 --moves a1,b2,a2 --layers links", "the game is over: white has won"),
        ("analyse --size 4 --moves a1,h9", "move 2: `h9` is not on a hexagon of size 4 (hgui notation)"),
        (
            "analyse --size 4 --swap",
            "the right to swap is still in the game, so that stones may change sides",
        ),
        ("analyse", "no board: give --size N (2 to 20) or --position TEXT"),
    ] {
        let ran = run_words(words);
        assert_eq!(
            (ran.err.as_str(), ran.out.as_str(), ran.code),
            (format!("error: {error}\n").as_str(), "", Some(2)),
            "{words}"
        );
    }
}
