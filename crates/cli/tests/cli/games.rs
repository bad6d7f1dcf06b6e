//! The commands that play, with the games other than Havannah.

use serde_json::json;

use crate::common::{feed, fields, run, run_words};

#[test]
fn matches_of_every_game_name_its_sides() {
    for (game, size, players, sides) in
        [("cachex", 4, "distance seed", ["red", "blue"]), ("cover", 2, "cover bos", ["blue", "red"])]
    {
        let command = format!("match {players} --game {game} --size {size} --games 4 --nodes 300 --json");
        let lines = run_words(&command).good();
        assert_eq!(lines.len(), 5, "{game}");
        let names: Vec<&str> = players.split(' ').collect();
        for (number, line) in lines[..4].iter().enumerate() {
            let [first, second] = sides.map(|side| line[side].as_str().unwrap());
            let expected = if number % 2 == 0 { [names[0], names[1]] } else { [names[1], names[0]] };
            assert_eq!([first, second], expected, "{game}");
            assert_eq!(line["reason"], json!("rules"));
            let outcome = line["outcome"].as_str().unwrap();
            assert!(sides.contains(&outcome) || outcome == "draw", "{outcome}");
        }
        let summary = &lines[4];
        for side in sides {
            assert_eq!(summary[format!("as_{side}")]["games"], json!(2), "{game}");
        }
        // The same seed and a limit of nodes give the same games.
        let again = run_words(&command).good();
        assert!(lines.iter().zip(&again).all(|(a, b)| a["moves"] == b["moves"]), "{game}");
    }
}

#[test]
fn records_of_every_game_are_trees_of_its_moves() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("games-sgf");
    let _ = std::fs::remove_dir_all(&folder);
    let sgf = folder.to_str().unwrap();
    let ran = run_words(&format!(
        "match cover alphabeta --game cover --size 1 --games 2 --nodes 50 --openings none --sgf {sgf}"
    ));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("as blue") && ran.out.contains("as red"), "{}", ran.out);
    let record = std::fs::read_to_string(folder.join("game-00001.sgf")).unwrap();
    assert!(record.contains("GM[Cover]") && record.contains("PB[cover]") && record.contains("PR[alphabeta]"));
    assert!(record.contains(";B[") && record.contains("RE["), "{record}");
    // The written record is read again, and has the same end.
    let file = folder.join("game-00001.sgf");
    let read = run(&["replay", "--game", "cover", "--json", file.to_str().unwrap()]).good().remove(0);
    assert_eq!((&read["claim_agrees"], &read["size"]), (&json!(true), &json!(1)), "{read}");
    assert_eq!(
        read["plies"].as_u64().unwrap() as usize,
        record.matches(";B[").count() + record.matches(";R[").count()
    );
    let shown = run(&["replay", "--game", "cover", file.to_str().unwrap()]).out;
    assert!(shown.contains("blue    cover") && shown.contains("as the moves say"), "{shown}");
    let other = run(&["replay", "--game", "cachex", file.to_str().unwrap()]);
    assert!(other.code == Some(2) && other.err.contains("GM says Cover"), "{}", other.err);
    let list = feed(
        &["replay", "--game", "cachex", "-"],
        b"{\"size\":3,\"moves\":[\"0,0\",\"1,2\"]}\n{\"size\":3,\"moves\":[\"0,0\",\"0,0\"]}\n",
    );
    assert_eq!(list.code, Some(2));
    assert!(list.out.contains("line 1: size 3, 2 moves: not over, red to move"), "{}", list.out);
    assert!(list.err.contains("line 2: move 2, 0,0:"), "{}", list.err);
    let named = b"{\"size\":3,\"id\":\"tenth\",\"moves\":[\"0,0\"]}\n";
    let told = feed(&["replay", "--game", "cachex", "--json", "-"], named).good().remove(0);
    assert_eq!((&told["file"], &told["id"]), (&json!("standard input"), &json!("tenth")), "{told}");
}

#[test]
fn search_and_solve_know_every_game() {
    let found = run_words("search --game cachex --size 5 --moves 1,1 --nodes 500 --json").good().remove(0);
    assert_eq!((&found["engine"], &found["stopped_by"]), (&json!("cachex"), &json!("nodes")));
    let again = run_words("search --game cachex --size 5 --moves 1,1 --nodes 500 --json").good().remove(0);
    assert_eq!((&found["best"], &found["value"]), (&again["best"], &again["value"]));
    // Red has two stones on a column of three and moves.
    let won = run_words("solve --game cachex --position rb./rb./... --json").good().remove(0);
    assert_eq!((&won["outcome"], &won["best"]), (&json!("red"), &json!("2,0")));
    let found = run_words("search --game cover --size 4 --depth 3 --json").good().remove(0);
    assert_eq!((&found["engine"], &found["stopped_by"]), (&json!("cover"), &json!("depth")));
    let won = run_words("solve --game cover --size 1 --json").good().remove(0);
    assert!(fields(&won).contains(&"stopped_by"));
    let tree = run_words("solve --game cover --size 2 --engine minimax --depth 2 --json").good().remove(0);
    assert_eq!((&tree["tree"]["nodes"], &tree["tree"]["cut"]), (&json!(111), &json!(100)));
    assert_eq!(tree["tree"]["wins"], json!({"blue": 0, "red": 0}));
    for (arguments, said) in [
        ("solve --game cachex --size 4 --engine dfpn", "no engine `dfpn`; there is cachex,"),
        ("solve --game cover --size 2 --proof x.proof", "--proof: proofs are written of havannah, not cover"),
        ("match seed seed --game cachex --size 2", "no board of size 2: sizes are 3 to 15"),
        ("match bos bos --game cover --size 4 --swap", "swap"),
        ("match bos gtp/grid:x --game cover --size 4", "no notation `grid`: cover has one"),
        ("gtp --game cachex --engine mcts --size 16", "sizes are 3 to 15"),
    ] {
        let ran = run_words(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments}");
        assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{arguments}: {}", ran.err);
    }
}

#[test]
fn every_game_is_played_over_gtp_by_its_own_names() {
    let session = "boardsize 4\nplay red 0,3\nplay blue steal\nshowboard\ncachex_winner\ngenmove red\nquit\n";
    let ran = feed(&["gtp", "--game", "cachex", "--nodes", "200"], session.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("   3 b . . .\n  2 . . . .\n"), "{}", ran.out);
    assert!(!ran.out.contains("? "), "{}", ran.out);
    let session = "boardsize 2\nplay blue A03-A04\nplay b C01-D02\ngenmove red\nprintsgf\nquit\n";
    let ran = feed(&["gtp", "--game", "cover", "--nodes", "200"], session.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("? illegal move: red is to move"), "{}", ran.out);
    assert!(ran.out.contains("GM[Cover]") && ran.out.contains(";B[A03-A04];R["), "{}", ran.out);
}

#[test]
fn a_game_of_cover_that_goes_in_circles_ends() {
    // Both players find in the table of endings that the position is a draw, and both hold the draw.
    let lines =
        run_words("match cover bos --game cover --size 4 --games 2 --nodes 200 --openings random:2 --json")
            .good();
    let plies = |line: &serde_json::Value| line["moves"].as_array().unwrap().len();
    let circles: Vec<_> = lines[..2].iter().filter(|line| plies(line) == 1000).collect();
    assert_eq!(circles.len(), 1, "another game has to be found that goes in circles: {lines:?}");
    assert_eq!(circles[0]["outcome"], json!("draw"));
}

#[test]
fn a_player_of_cover_is_tuned() {
    let dial = run_words("tune bos --game cover --size 2 --dials nosuch=0..1 --nodes 50");
    assert_eq!(dial.code, Some(2));
    let name = dial.err.split("there is ").nth(1).unwrap().split(", ").last().unwrap().trim().to_owned();
    let command = format!(
        "tune bos --game cover --size 2 --dials {name}=1..200 --rounds 1 --batch 1 --nodes 30 --json"
    );
    let lines = run_words(&command).good();
    assert_eq!(lines.last().unwrap()["complete"], json!(true));
}

#[test]
fn every_game_can_be_drawn() {
    let drawn = |words: &str| {
        let ran = run(&shlex::split(words).unwrap().iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words}");
        ran.out
    };
    // A steal changes the colour of a stone and mirrors its cell; the third stone takes the old cell.
    let cachex = drawn("draw --game cachex --size 3 --numbers --moves '0,1 steal 0,1'");
    let lines =
        ["      2     .     .     .", "   1   2:b     .     .", "0     .  (3:r)    .", "   0     1     2"];
    assert_eq!(cachex.lines().collect::<Vec<_>>(), lines);
    assert!(drawn("draw --game cachex --size 8 --moves 1,2 --highlight 3,3 --svg").starts_with("<svg "));
    let cover = drawn("draw --game cover --size 4 --moves A07-B08 --title here");
    assert!(cover.starts_with("here\n") && cover.contains("*   |"), "{cover}");
    let refused = run_words("draw --game cover --size 4 --layout rows");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--layout: pictures of cover"), "{}", refused.err);
    let refused = run_words("draw --game cachex --size 4 --highlight 7,7");
    assert!(refused.code == Some(2) && refused.err.contains("7,7"), "{}", refused.err);
}

#[test]
fn random_games_of_every_game_are_the_same_for_a_seed() {
    for (game, size) in [("havannah", 4), ("cachex", 5), ("cover", 2)] {
        let words = format!("playouts --game {game} --size {size} --games 40 --threads 2 --seed 3 --json");
        let [counts, again] = [(); 2].map(|()| run_words(&words).good().remove(0));
        let sum: u64 =
            ["first_wins", "second_wins", "draws"].iter().map(|k| counts[k].as_u64().unwrap()).sum();
        assert_eq!((&counts["playouts"], sum), (&json!(40), 40), "{game}");
        assert_eq!(
            (&counts["plies"], &counts["first_wins"]),
            (&again["plies"], &again["first_wins"]),
            "{game}"
        );
        assert_eq!(counts.get("ring").is_some(), game == "havannah");
    }
}
