//! `solve --explore`, its trees, and the maps of small boards.

use std::path::Path;

use crate::common::{feed, file, run, run_words};
use serde_json::{Value, json};

/// The proof of all openings of size 3, written once for each name of a test.
fn size_3(name: &str) -> String {
    let path = file(&format!("{name}.proof"), b"");
    let ran = run_words(&format!("solve --size 3 --proof {path} --json"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    path
}

fn explore(path: &str, more: &str, commands: &str) -> Vec<Value> {
    let arguments = format!("solve --explore {path} --json{more}");
    let words: Vec<&str> = arguments.split(' ').collect();
    feed(&words, commands.as_bytes()).good()
}

/// The main line of a tree, which is replayed; the others are counted.
fn replayed(sgf: &str) -> Vec<Value> {
    let ran = run(&["replay", "--json", sgf]);
    assert!(ran.code == Some(0) && ran.err.ends_with("the main line is replayed\n"), "{}", ran.err);
    ran.json()
}

#[test]
fn a_proof_is_walked_through_line_by_line() {
    let path = size_3("walk");
    let answers = explore(&path, "", "why\na1\nmoves\nc3\nline\nback 2\nb2\nstats\nquit\nnever read\n");
    assert_eq!(answers.len(), 8);
    let [root, a1, moves, c3, line, back, b2, stats] = <[Value; 8]>::try_from(answers).unwrap();
    // The value of the empty board follows from the openings.
    assert_eq!((&root["outcome"], &root["said"][0]["reason"]), (&json!("white"), &json!("move")));
    assert_eq!((&a1["moves"], &a1["outcome"]), (&json!(["a1"]), &json!("white")));
    assert_eq!((&a1["to_move"], &a1["said"][0]["from"]), (&json!("black"), &json!("proof")));
    let replies = moves["replies"].as_array().unwrap();
    assert_eq!(replies.len(), 18);
    for reply in replies {
        let refuted = !reply["answer"].as_array().unwrap().is_empty();
        assert!(reply["outcome"] == "white" && refuted, "{reply}");
        assert!(reply["from"] == "proof" || reply["from"] == "rules", "{reply}");
    }
    assert_eq!((&c3["moves"], &c3["outcome"]), (&json!(["a1", "c3"]), &json!("white")));
    let longest = line["line"].as_array().unwrap().len() as u64;
    assert!(longest > 2 && longest <= c3["said"][0]["plies"].as_u64().unwrap(), "{line} {c3}");
    assert_eq!(back["moves"], json!([]));
    assert_eq!(b2["outcome"], "black");
    let claims = stats["claims"].as_array().unwrap();
    assert_eq!((claims.len(), &claims[0]["claim"]), (4, &json!("first wins")));
    assert!(claims[0]["longest"].as_u64() >= Some(9), "{stats}");
}

#[test]
fn the_longest_line_ends_with_the_win() {
    let path = size_3("line");
    let line = explore(&path, "", "a1\nline\n")[1]["line"].clone();
    let moves: Vec<&str> = line.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let end = explore(&path, "", &format!("a1 {}\n", moves.join(" ")));
    assert_eq!((&end[0]["outcome"], &end[0]["said"][0]["reason"]), (&json!("white"), &json!("over")));
    assert_eq!(end[0]["to_move"], Value::Null);
}

#[test]
fn where_the_proof_is_silent_the_solver_is_asked_and_named() {
    let path = size_3("silent");
    // White's moves differ from the moves of the proof.
    let answers = explore(&path, "", "a1 c3 b1\nmoves\nsolve\n");
    let moves = answers[1]["replies"].as_array().unwrap();
    assert!(moves.iter().any(|reply| reply["from"] == "solver"), "{moves:?}");
    assert!(moves.iter().all(|reply| reply["outcome"] != "unknown"), "{moves:?}");
    assert_eq!((&answers[2]["from"], &answers[2]["stopped_by"]), (&json!("solver"), &json!("solved")));
    // With a budget of one node, the solver finds no outcome.
    let poor = explore(&path, " --size 3 --nodes 1", "solve\n");
    assert_eq!((&poor[0]["outcome"], &poor[0]["from"]), (&json!("unknown"), &json!("unknown")));
}

#[test]
fn bad_lines_are_named_and_the_next_one_is_read() {
    let path = size_3("bad");
    let long = "a".repeat(70_000);
    let input = format!("\na1 a1\nz9\nback 3\nback many\nmoves now\nback 1 2\nswap\n{long}\nwhy\n");
    let arguments = format!("solve --explore {path} --json");
    let words: Vec<&str> = arguments.split(' ').collect();
    let mut input = input.into_bytes();
    input.splice(0..0, *b"\xff\xfe\n");
    let answers = feed(&words, &input).good();
    let (last, errors) = answers.split_last().unwrap();
    for (number, (answer, said)) in errors
        .iter()
        .zip([
            "not UTF-8 at byte 0",
            "an empty line",
            "`a1`: ",
            "`z9` is neither a cell of size 3 nor a command",
            "back 3: 0 moves were played",
            "back `many`: a number of moves",
            "moves: takes nothing, not `now`",
            "back: one number",
            "`swap` is neither",
            "70000 bytes: at most 65536 are read",
        ])
        .enumerate()
    {
        assert_eq!((&answer["ok"], &answer["error"]["line"]), (&json!(false), &json!(number + 1)));
        assert!(answer["error"]["message"].as_str().unwrap().contains(said), "{answer}");
    }
    assert_eq!((errors.len(), &last["moves"]), (10, &json!([])), "a bad line changes nothing");
    let text = feed(&["solve", "--explore", &path], b"z9\n").out;
    assert!(text.contains("error: line 1: `z9` is neither a cell"), "{text}");
}

#[test]
fn people_see_the_board_and_the_reason() {
    let path = size_3("text");
    let text = feed(&["solve", "--explore", &path], b"a1\nmoves\nhelp\nstats\nline\nsolve\n").out;
    for part in [
        "not over, white to move",
        "white wins within",
        "no move of the opponent helps",
        "(proof)",
        "take back all",
        "first wins within",
        "plies)",
        "(solver, ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn trees_are_records_that_replay_reads() {
    let path = size_3("tree");
    let sgf = file("tree.sgf", b"");
    let done =
        run_words(&format!("solve --explore {path} --moves a1 --size 3 --export {sgf} --plies 3 --json"))
            .good();
    assert_eq!((&done[0]["format"], &done[0]["plies"]), (&json!("sgf"), &json!(3)));
    let text = std::fs::read_to_string(&sgf).unwrap();
    assert!(text.starts_with("(;FF[4]GM[Havannah]") && text.contains("white wins within"), "{text}");
    let played = replayed(&sgf);
    assert_eq!((&played[0]["size"], &played[0]["plies"]), (&json!(3), &json!(4)));
    // The same positions as JSON lines, each position after its parent.
    let lines = file("tree.jsonl", b"");
    let other =
        run_words(&format!("solve --explore {path} --moves a1 --size 3 --export {lines} --plies 3 --json"))
            .good();
    assert_eq!(other[0]["positions"], done[0]["positions"]);
    let nodes: Vec<Value> = std::fs::read_to_string(&lines)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(json!(nodes.len()), done[0]["positions"]);
    assert_eq!(nodes[0]["root"], "3 b - w../..../...../..../...");
    for (id, node) in nodes.iter().enumerate() {
        assert_eq!((&node["id"], &node["outcome"]), (&json!(id), &json!("white")));
        assert_eq!(node["parent"].is_null(), id == 0);
        assert!(node["parent"].as_u64().is_none_or(|parent| parent < id as u64));
    }
    // The root has all of Black's answers as children. Each of them has one child: White's answer from the proof.
    let children = |of: usize| nodes.iter().filter(|node| node["parent"] == json!(of)).count();
    assert_eq!(children(0), 18);
    assert!((1..nodes.len()).all(|id| nodes[id]["parent"] != json!(0) || children(id) == 1));
}

#[test]
fn a_proof_from_a_position_begins_there() {
    let path = file("one.proof", b"");
    run_words(&format!("solve --size 4 --moves d4,a1,g7,b1,g4,c1 --proof {path}"));
    let root = explore(&path, "", "why\n").remove(0);
    assert!(root["board"].as_str().unwrap().starts_with("4 w - b"), "{root}");
    assert_eq!(root["outcome"], "white");
    let sgf = file("one.sgf", b"");
    run_words(&format!("solve --explore {path} --export {sgf}"));
    let played = replayed(&sgf);
    assert_eq!(played[0]["size"], 4);
}

#[test]
fn a_proof_of_a_large_board_is_explored() {
    let moves = "g7,c10,h9,b11,i8,b8,g8,d12,h6,a9,f8,b10,e6,i9,h8,f7,f5,f6,g6,i7,i10,e7,g10,d9,a8,c7,j9,j10,i6,e8,f9,h10,g4,b9,d8";
    let path = file("ten.proof", b"");
    let proven = run_words(&format!("solve --size 10 --moves {moves} --proof {path} --json")).good();
    assert_eq!(proven.last().unwrap()["outcome"], "black");
    let [root, line] = <[Value; 2]>::try_from(explore(&path, "", "why\nline\n")).unwrap();
    assert_eq!((&root["outcome"], &root["said"][0]["from"]), (&json!("black"), &json!("proof")), "{root}");
    let line = line["line"].as_array().unwrap();
    let moves: Vec<&str> = line.iter().filter_map(Value::as_str).collect();
    let end = explore(&path, "", &format!("{}\n", moves.join(" ")));
    assert_eq!((&end[0]["outcome"], &end[0]["said"][0]["reason"]), (&json!("black"), &json!("over")));
}

#[test]
fn what_cannot_be_explored_is_refused_in_one_line() {
    let path = size_3("refused");
    let table = file("no.proof", b"stonework proof 2\ngame havannah\n");
    for (arguments, said) in [
        (format!("solve --explore {table}"), "the file is cut off"),
        ("solve --explore no-such-file".to_owned(), "no-such-file: "),
        (format!("solve --explore {path} --memory 20B"), "more than 20 bytes for a book"),
        (format!("solve --explore {path} --size 8"), "size 8: small positions of 128 bits go to size 6"),
        (format!("solve --explore {path} --size 3 --swap"), "small positions are without swap"),
        (format!("solve --explore {path} --game cover"), "--explore: proofs are of havannah, not cover"),
        (format!("solve --explore {path} --proof p"), "cannot be used with"),
        ("solve --size 3 --export t.sgf".to_owned(), "--explore"),
        (
            "solve --size 4 --map".to_owned(),
            "--map of size 4: without a proof (--explore FILE) maps go to size 3",
        ),
        ("gtp --certificate no-such-file".to_owned(), "no-such-file: "),
    ] {
        let ran = run_words(&arguments);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(said), "{arguments}: {}", ran.err);
    }
}

fn page(size: u8) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/solutions/size{size}-map.md"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_pages_about_sizes_2_and_3_are_what_the_command_writes() {
    for size in [2, 3] {
        assert_eq!(run_words(&format!("solve --map --size {size}")).out, page(size));
    }
    let map = run_words("solve --map --size 3 --json").good();
    assert_eq!((&map[0]["outcome"], map[0]["after"].as_array().unwrap().len()), (&json!("white"), 4));
    let corners = ["a1", "a3", "c1", "c5", "e3", "e5"];
    for opening in map[0]["openings"].as_array().unwrap() {
        let white = corners.contains(&opening["move"].as_str().unwrap());
        assert_eq!(opening["outcome"], if white { "white" } else { "black" }, "{opening}");
    }
}

#[test]
#[ignore = "reads the proof file of size 4: cargo test --release -p stonework-cli --test cli -- --ignored size_4 (docs/lab/solving.md)"]
fn the_map_of_size_4_is_whites() {
    let proof = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/havannah-size4.proof");
    let map = run(&["solve", "--map", "--size", "4", "--explore", proof, "--json"]).good().remove(0);
    let mut replies = map["openings"].as_array().unwrap().clone();
    assert_eq!((&map["outcome"], replies.len()), (&json!("white"), 37));
    for after in map["after"].as_array().unwrap() {
        replies.extend(after["replies"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(replies.len(), 37 + 6 * 36);
    for reply in replies {
        // The proof has every reply, so the solver does not run.
        assert!(reply["outcome"] == "white" && reply["from"] != "solver", "{reply}");
    }
}

#[test]
fn a_perfect_player_opens_from_its_proof() {
    let path = size_3("gtp");
    let ran = feed(
        &["gtp", "--engine", "perfect", "--size", "3", "--no-swap", "--certificate", &path],
        b"genmove white\nplay black c3\ngenmove white\nquit\n",
    );
    let replies: Vec<&str> = ran.out.lines().filter(|line| line.len() > 1).collect();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ["a1", "a3", "c1", "c5", "e3", "e5"].iter().any(|cell| replies[0].ends_with(cell)),
        "{replies:?}"
    );
}

/// A proof has its own position, without a right to swap.
#[test]
fn a_right_to_swap_is_for_a_board_that_is_given() {
    let path = size_3("swaps");
    let ran = run(&["solve", "--explore", &path, "--swap"]);
    let said =
        "error: --swap: with --size or --position only; the position of a proof has no right to swap\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), said));
    let [plain, without] = ["", " --no-swap"].map(|swap| explore(&path, swap, "moves\n"));
    assert_eq!(plain, without);
}

/// The message had the plies that were asked for, however few the tree has.
#[test]
fn the_depth_of_a_tree_is_that_of_its_lines() {
    let (path, tree) = (size_3("deep"), file("deep.jsonl", b""));
    let told = run_words(&format!("solve --explore {path} --export {tree} --plies 1000 --json")).good();
    let text = std::fs::read_to_string(&tree).unwrap();
    let mut depths: Vec<u64> = Vec::new();
    for line in text.lines() {
        let node: Value = serde_json::from_str(line).unwrap();
        let parent = node["parent"].as_u64().map(|parent| usize::try_from(parent).unwrap());
        depths.push(parent.map_or(0, |parent| depths[parent] + 1));
    }
    let deepest = depths.iter().max().unwrap();
    assert!((10..37).contains(deepest), "{deepest}");
    assert_eq!((&told[0]["plies"], &told[0]["positions"]), (&json!(deepest), &json!(depths.len())));
}

#[test]
fn a_tree_is_not_written_over_its_proof() {
    let path = size_3("kept");
    let before = std::fs::read(&path).unwrap();
    let (folder, name) = path.rsplit_once('/').unwrap();
    let other_name = format!("{folder}/./{name}");
    for target in [&path, &other_name] {
        let ran = run(&["solve", "--explore", &path, "--export", target]);
        let said = format!("error: --export {target}: that is the proof itself\n");
        assert_eq!((ran.code, ran.err), (Some(2), said));
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_tree_is_not_written_over_a_file_of_a_proof_set() {
    let (part, list) = (size_3("part"), file("explored/proof.set", b"a list"));
    let folder = list.strip_suffix("/proof.set").unwrap().to_owned();
    let link = format!("{folder}/a1.proof");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&part, &link).unwrap();
    let before = std::fs::read(&part).unwrap();
    for target in [&list, &link, &part, &format!("{folder}/../explored/proof.set")] {
        let ran = run(&["solve", "--explore", &folder, "--export", target]);
        let said = format!("error: --export {target}: that is a file of the proof {folder}\n");
        assert_eq!((ran.code, ran.err), (Some(2), said));
    }
    assert_eq!((std::fs::read(&part).unwrap(), std::fs::read(&list).unwrap()), (before, b"a list".to_vec()));
}

/// Cells are named in the notation that is asked for: in proofs, trees and maps as in a dialogue.
#[test]
fn the_notation_holds_for_all_that_is_written() {
    let path = file("notation.proof", b"");
    // The corners; the last two are e3 and e5 in hgui.
    let names = ["a1", "a3", "c1", "c5", "e1", "e3"];
    let proved = run_words(&format!("solve --size 3 --proof {path} --notation grid --json")).json();
    let corners = &proved[0]["openings"][0];
    assert_eq!((&corners["move"], &corners["images"]), (&json!(names[0]), &json!(names[1..])));
    let again = file("notation.again.proof", b"");
    let text = run_words(&format!("solve --size 3 --proof {again} --notation grid")).out;
    assert!(text.contains("(and so a3 c1 c5 e1 e3)"), "{text}");

    for tree in ["notation.jsonl", "notation.sgf"] {
        let tree = file(tree, b"");
        run_words(&format!("solve --explore {path} --export {tree} --plies 1 --notation grid"));
        let text = std::fs::read_to_string(&tree).unwrap();
        let corners = explore(&path, " --notation grid", "moves\n")[0]["replies"].clone();
        for reply in corners.as_array().unwrap().iter().filter(|reply| reply["outcome"] == "white") {
            let answer: Vec<&str> =
                reply["answer"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            let answer = if tree.ends_with("sgf") { answer.join(" ") } else { answer.join("\",\"") };
            assert!(text.contains(&answer), "{tree}: {answer}");
        }
        // The moves of a record have the names that its comments have.
        if tree.ends_with("sgf") {
            assert!(text.contains("NOTATION[grid]"), "{text}");
            assert!(names.iter().all(|name| text.contains(&format!(";W[{name}]"))), "{text}");
            assert_eq!(replayed(&tree)[0]["plies"], 1);
        }
    }

    let map = &run_words("solve --map --size 3 --notation grid --json").good()[0];
    assert_eq!(
        (&map["after"][0]["move"], &map["after"][0]["images"]),
        (&json!(names[0]), &json!(names[1..]))
    );
    let page = run_words("solve --map --size 3 --notation grid").out;
    assert!(page.contains("under the symmetries of the board: a3, c1, c5, e1, e3."), "{page}");
    assert!(page.contains("`stonework solve --map --size 3 --notation grid`"), "{page}");
}
