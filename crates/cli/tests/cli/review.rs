//! `review`: games judged, and judgements in records.

use crate::common::{Ran, feed, fields, file, run, run_words};

/// A game of size 3 that White wins by a fork.
const GAME: &str = "(;FF[4]GM[Havannah]SZ[3]PW[Ann]PB[Bob]C[a friendly game];W[b1]C[a quiet start]BL[59];B[d4];W[b2];B[c4];W[e5];B[d3];W[b3];B[c3];W[b4];B[c2];W[a2])";

#[test]
fn every_move_is_judged_by_proof_where_the_solver_can() {
    let path = file("review.sgf", GAME.as_bytes());
    let moves = run_words(&format!("review {path} --json --simulations 200")).good();
    assert_eq!(moves.len(), 11);
    for (at, judged) in moves.iter().enumerate() {
        let keys = [
            "after",
            "before",
            "better",
            "candidates",
            "lost",
            "move",
            "number",
            "proven_after",
            "proven_before",
            "reply",
            "side",
            "threats",
            "verdict",
        ];
        assert_eq!(fields(judged), keys);
        assert_eq!(judged["number"], at + 1);
        assert_eq!(judged["side"], if at % 2 == 0 { "white" } else { "black" });
        // Size 3 is small enough for a proof of each position.
        assert!(judged["proven_before"].is_string() && judged["proven_after"].is_string(), "{judged}");
        assert_eq!(
            judged["proven_before"] != judged["proven_after"],
            !judged["verdict"].is_null(),
            "{judged}"
        );
        assert_eq!(judged["verdict"].is_null(), judged["better"].is_null(), "{judged}");
    }
    // The outcome after a move is the outcome before the next one, and the winner's last move wins.
    for pair in moves.windows(2) {
        assert_eq!(pair[0]["proven_after"], pair[1]["proven_before"]);
    }
    assert_eq!((&moves[10]["proven_after"], &moves[10]["reply"]), (&"white".into(), &serde_json::json!([])));
}

#[test]
fn a_better_move_keeps_the_outcome_that_the_mistake_gives_away() {
    let path = file("blunder.sgf", GAME.as_bytes());
    let moves = run_words(&format!("review {path} --json --simulations 200")).good();
    let played: Vec<&str> = moves.iter().map(|judged| judged["move"].as_str().unwrap()).collect();
    let mistakes = moves.iter().filter(|judged| judged["verdict"] == "proven mistake");
    let mut count = 0;
    for judged in mistakes {
        count += 1;
        let before = judged["number"].as_u64().unwrap() as usize - 1;
        let better = judged["better"].as_str().unwrap();
        let moves = [&played[..before], &[better]].concat().join(" ");
        let solved = run(&["solve", "--json", "--size", "3", "--swap", "--moves", &moves]).good();
        assert_eq!(solved[0]["outcome"], judged["proven_before"], "{better} in place of {}", judged["move"]);
    }
    assert!(count > 0, "a game of random stones has mistakes");
}

#[test]
fn the_record_gets_comments_and_properties_and_keeps_the_rest() {
    let (path, reviewed) = (file("annotate.sgf", GAME.as_bytes()), file("reviewed.sgf", b""));
    let told = run_words(&format!("review {path} --simulations 200 -o {reviewed}"));
    assert_eq!((told.err.as_str(), told.code), ("", Some(0)));
    assert_eq!(told.out.lines().count(), 11);
    let text = std::fs::read_to_string(&reviewed).unwrap();
    let tree = stonework_record::Tree::parse_str(&text).unwrap();
    let nodes: Vec<_> = tree.main_line().collect();
    assert_eq!(tree.comment(nodes[0]).as_deref(), Some("a friendly game"));
    let first = tree.comment(nodes[1]).unwrap().into_owned();
    assert!(
        first.starts_with("a quiet start\n") && text.contains("BL[59]") && text.contains("PW[Ann]"),
        "{text}"
    );
    for (node, line) in nodes[1..].iter().zip(told.out.lines()) {
        let comment = tree.comment(*node).unwrap();
        assert!(line.ends_with(comment.lines().last().unwrap()), "{line} / {comment}");
        let bad = tree.simple_text(*node, "BM");
        assert_eq!(bad.as_deref() == Some("2"), comment.contains("Proven mistake"), "{comment}");
    }
    // A reviewed record is a record: it can be replayed, and reviewed once more.
    assert_eq!(run_words(&format!("replay --json {reviewed}")).good()[0]["outcome"], "white");
    assert_eq!(run_words(&format!("review {reviewed} --json --simulations 50")).good().len(), 11);
}

#[test]
fn equal_seeds_give_equal_judgements_by_value_and_other_games_are_judged() {
    let path = file("values.sgf", b"(;FF[4]GM[Havannah]SZ[6];W[f6];B[a1];W[g7];B[a2];W[e6])");
    let judge = |more: &str| {
        run_words(&format!("review {path} --json --proof-nodes 0 --simulations 400 {more}")).good()
    };
    let judged = judge("--seed 3 --lines 4");
    assert_eq!(judged, judge("--seed 3 --lines 4"));
    let most = |judged: &[serde_json::Value]| {
        judged.iter().map(|judged| judged["candidates"].as_array().unwrap().len()).max()
    };
    assert_eq!(most(&judged), Some(4));
    assert_eq!(most(&judge("--seed 3")), Some(5));
    assert_eq!(most(&judge("--engine mcts:lines=2")), Some(2));
    assert_eq!(most(&judge("--engine mcts:lines=2 --lines 3")), Some(3));
    assert!(judged[1]["candidates"][0]["visits"].as_u64() > Some(0), "{}", judged[1]);
    for (game, record) in
        [("cachex", "(;GM[Cachex]SZ[3];R[0,0];B[2,2];R[1,1])"), ("cover", "(;GM[Cover]SZ[1];L[A00];D[A00])")]
    {
        let path = file(&format!("{game}-review.sgf"), record.as_bytes());
        let told = run_words(&format!("review {path} --game {game} --simulations 50 --json"));
        assert!(told.code == Some(0) || game == "cover", "{game}: {}", told.err);
    }
}

#[test]
fn what_cannot_be_reviewed_is_named() {
    let path = file("refused.sgf", GAME.as_bytes());
    let (two, list) = (file("two.sgf", b"(;SZ[3];W[a1])(;SZ[3];W[b1])"), file("list.jsonl", b"{}"));
    for (words, error) in [
        (
            format!("review {path} --engine dfpn"),
            "dfpn has values that are no shares of wins: a review needs champion, mcts",
        ),
        (format!("review {path} --engine nobody --simulations 9"), "nobody"),
        (format!("review {path}.missing"), "missing"),
        (format!("review {path} --game cachex"), "which is not cachex"),
        (format!("review {path} --size 21"), "no board of size 21: sizes are 2 to 20"),
        (format!("review {path} --notation web --game cover"), "no notation `web`"),
        (format!("review {path} --swap --game cachex"), "no swap in Cachex"),
        (format!("review {two}"), "two.sgf: 2 games, and a review takes one"),
        (format!("review {list}"), "list.jsonl: a list of games, and a review takes one record"),
    ] {
        let ran = run_words(&words);
        assert!(ran.code == Some(2) && ran.err.contains(error), "{words}: {}", ran.err);
    }
    let illegal = file("illegal.sgf", b"(;FF[4]GM[Havannah]SZ[3];W[a1];B[b1];W[a1])");
    let ran = run_words(&format!("review {illegal}"));
    let said = "illegal.sgf: move 3 (a1): there is a stone of white already\n";
    assert!(ran.code == Some(2) && ran.err.ends_with(said), "{}", ran.err);
}

#[test]
fn a_resignation_is_no_move_to_judge() {
    let resigned = format!(
        "{};W[Resign])",
        GAME.trim_end_matches(')').replace(";B[d3];W[b3];B[c3];W[b4];B[c2];W[a2]", ";B[d3]")
    );
    let (path, reviewed) = (file("resigned.sgf", resigned.as_bytes()), file("resigned-reviewed.sgf", b""));
    let judged = run_words(&format!("review {path} --json --simulations 50 -o {reviewed}")).good();
    assert_eq!(judged.len(), 6);
    let text = std::fs::read_to_string(&reviewed).unwrap();
    let tree = stonework_record::Tree::parse_str(&text).unwrap();
    let nodes: Vec<_> = tree.main_line().collect();
    assert!(nodes[1..7].iter().all(|&node| tree.comment(node).is_some()), "{text}");
    assert!(nodes.len() == 8 && tree.comment(nodes[7]).is_none(), "{text}");
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_review() {
    let path = file("unwritten.sgf", GAME.as_bytes());
    let folder = std::path::Path::new(&path).parent().unwrap().display().to_string();
    for (output, said) in
        [("/nowhere/at/all.sgf", "No such file or directory"), (folder.as_str(), "it is a directory")]
    {
        let ran = run_words(&format!("review {path} --simulations 50 -o {output}"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{output}");
        assert!(ran.err.starts_with(&format!("error: -o {output}: {said}")), "{}", ran.err);
    }
}

/// The check of the output removed a file of the user, and the output replaced one.
#[test]
fn a_file_beside_the_output_stays() {
    let (path, output) = (file("beside.sgf", GAME.as_bytes()), file("beside-reviewed.sgf", b""));
    let other = file("beside-reviewed.sgf.new", b"of the user");
    assert_eq!(run_words(&format!("review {path} --simulations 9 -o {output}")).code, Some(0));
    assert_eq!(std::fs::read(other).unwrap(), b"of the user");
    // A record may have the name that the output had until it was complete.
    let record = file("old.sgf.new", GAME.as_bytes());
    let output = record.trim_end_matches(".new");
    assert_eq!(run_words(&format!("review {record} --simulations 9 -o {output}")).code, Some(0));
    assert_eq!(std::fs::read(&record).unwrap(), GAME.as_bytes());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_review_and_keeps_what_was_judged() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let moves = "f6 a1 g7 a2 e6 b1 f7 b3 e5 c4 g6 d5".split(' ').enumerate();
    let moves: Vec<String> = moves.map(|(at, cell)| format!(";{}[{cell}]", ["W", "B"][at % 2])).collect();
    let moves = moves.concat();
    let path = file("stopped.sgf", format!("(;FF[4]GM[Havannah]SZ[6]{moves})").as_bytes());
    let output = file("stopped-reviewed.sgf", b"");
    // The review would take a day and a half.
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(["review", &path, "--proof-nodes", "0", "--seconds", "10000", "-o", &output])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    let interrupt = |id: u32| Command::new("kill").args(["-INT", &id.to_string()]).status().unwrap();
    assert!(interrupt(child.id()).success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(
        (child.wait().unwrap().code(), said.as_str()),
        (Some(2), "error: stopped after 0 of 12 moves\n")
    );
    assert!(std::fs::read_to_string(&output).unwrap().contains(";W[f6]"));

    // Once a move is judged, the record has its comment.
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(["review", &path, "--proof-nodes", "0", "--seconds", "1", "-o", &output])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    told.read_line(&mut first).unwrap();
    assert!(interrupt(child.id()).success());
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let judged = 1 + rest.lines().count();
    assert!(judged < 12, "{rest}");
    assert_eq!(
        (child.wait().unwrap().code(), said),
        (Some(2), format!("error: stopped after {judged} of 12 moves\n"))
    );
    let text = std::fs::read_to_string(&output).unwrap();
    assert_eq!(text.matches("C[").count(), judged, "{text}");
}

/// Other commands read such a record; a comment has signs that its encoding does not have.
#[test]
fn a_record_in_iso_8859_1_is_judged_and_written_in_utf_8() {
    let record = b"(;FF[4]SZ[3]CA[ISO-8859-1]PW[J\xf6rg];W[b1];B[d4];W[b2])";
    let (path, reviewed) = (file("latin.sgf", record), file("latin-reviewed.sgf", b""));
    let ran = run_words(&format!("review {path} --simulations 9 -o {reviewed}"));
    assert_eq!((ran.err.as_str(), ran.code, ran.out.lines().count()), ("", Some(0), 3));
    let tree = stonework_record::Tree::parse_str(&std::fs::read_to_string(&reviewed).unwrap()).unwrap();
    let text = |name| tree.simple_text(tree.root(), name).unwrap_or_default().into_owned();
    assert_eq!((text("PW").as_str(), text("CA").as_str()), ("J\u{f6}rg", "UTF-8"));
}

/// The record of a match without the right to swap was judged as if black might have swapped.
#[test]
fn a_game_without_the_right_to_swap_is_judged_without_it() {
    let path = file("no-swap.sgf", b"(;SZ[3];W[c3];B[a1])");
    let proven = |more: &str| {
        run_words(&format!("review {path} --simulations 200 --json{more}")).good()[0]["proven_before"].clone()
    };
    assert_eq!((proven(""), proven(" --no-swap")), ("black".into(), "white".into()));
    let swapped = file("swapped.sgf", b"(;SZ[3];W[c3];B[swap])");
    let ran = run_words(&format!("review {swapped} --no-swap"));
    assert!(ran.code == Some(2) && ran.err.contains("move 2 (swap): no swap here"), "{}", ran.err);
}

/// The comments were refused after all the work.
#[test]
fn a_node_with_a_move_of_each_side_gets_both_comments() {
    let (path, reviewed) = (file("both.sgf", b"(;SZ[3];W[b1]B[d4];W[b2])"), file("both-reviewed.sgf", b""));
    let ran = run_words(&format!("review {path} --simulations 9 -o {reviewed}"));
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(0)));
    let tree = stonework_record::Tree::parse_str(&std::fs::read_to_string(&reviewed).unwrap()).unwrap();
    let lines = |node| tree.comment(node).map_or(0, |comment| comment.lines().count());
    assert_eq!(tree.main_line().map(lines).collect::<Vec<_>>(), [0, 2, 1]);
}

/// Such records were refused, and `replay` reads them.
#[test]
fn records_are_read_as_replay_reads_them() {
    let moves = |ran: Ran| -> Vec<String> {
        let told = |judged: &serde_json::Value| {
            format!("{} {}", judged["side"].as_str().unwrap(), judged["move"].as_str().unwrap())
        };
        ran.good().iter().map(told).collect()
    };
    let review = |name: &str, record: &str, more: &str| {
        let path = file(name, record.as_bytes());
        moves(run_words(&format!("review {path} --json --proof-nodes 0 --simulations 9{more}")))
    };
    assert_eq!(review("black.sgf", "(;SZ[3];B[c3];W[a1])", ""), ["black c3", "white a1"]);
    assert_eq!(review("stones.sgf", "(;SZ[3]AW[c3]PL[B];B[a1])", ""), ["black a1"]);
    // The second cell of the fifth row: e2 by its place in the row, and e3 in the usual notation.
    let grid = "(;GM[Havannah];W[E2];B[a1])";
    let judged = review("grid.sgf", grid, " --size 4 --notation grid");
    assert_eq!(judged, ["white e2", "black a1"]);
    assert_eq!(review("usual.sgf", "(;SZ[4]NOTATION[grid];W[E2])", ""), ["white e3"]);
    let (path, reviewed) = (file("named.sgf", grid.as_bytes()), file("named-reviewed.sgf", b""));
    run_words(&format!("review {path} --size 4 --notation grid --simulations 9 -o {reviewed}"));
    let text = std::fs::read_to_string(&reviewed).unwrap();
    assert!(text.contains("W[E2]") && text.contains("C["), "{text}");
    let piped = feed(&["review", "-", "--json", "--simulations", "9"], b"(;SZ[3];W[c3])");
    assert_eq!(moves(piped), ["white c3"]);
}
