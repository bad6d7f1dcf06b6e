//! Unusable input gives exit code 2 and exactly one line that names the input.

use crate::common::{feed, file, run};

fn refused(args: &[&str], line: &str) {
    for json in [false, true] {
        let mut args = args.to_vec();
        if json {
            args.push("--json");
        }
        let ran = run(&args);
        assert_eq!(ran.err, format!("error: {line}\n"), "{args:?}");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
    }
}

#[test]
fn sizes_that_no_board_has() {
    for size in ["0", "1", "21"] {
        let line = format!("no board of size {size}: sizes are 2 to 20");
        refused(&["perft", "--depth", "1", "--size", size], &line);
        refused(&["draw", "--size", size], &line);
        refused(&["playouts", "--games", "1", "--size", size], &line);
        refused(&["conform", "--cmd", "cat", "--size", size], &format!("--size {size}: sizes are 2 to 20"));
        let line = format!("--size: no hexagon of size {size}: sizes are 2 to 20");
        refused(&["replay", "-", "--size", size], &line);
    }
    refused(
        &["perft", "--depth", "1", "--game", "cachex", "--size", "16"],
        "no board of size 16: sizes are 3 to 15",
    );
    refused(&["draw", "--size", "300"], "no board of size 300: sizes are 2 to 20");
    for size in ["-1", "x", "99999999999999999999"] {
        let line = format!("invalid value '{size}' for '--size <N>': a number of cells on a side, such as 4");
        refused(&["draw", "--size", size], &line);
    }
    refused(&["draw", "--moves", "a1"], "no board: give --size N (2 to 20) or --position TEXT");
}

#[test]
fn moves_that_are_not_legal() {
    let moves = |swap: bool, moves: &str, line: &str| {
        let mut args = vec!["draw", "--size", "4", "--moves", moves];
        if swap {
            args.push("--swap");
        }
        refused(&args, line);
    };
    moves(false, "z99", "move 1: `z99` is not on a hexagon of size 4 (hgui notation)");
    moves(
        false,
        "e1",
        "move 1: `e1` is not on a hexagon of size 4 (hgui notation): that row runs from e2 to e7",
    );
    moves(false, "a1 b1 a1", "move 3: a1 already has a stone of white");
    moves(false, "a1 b1 a2 b2 a3 b3 a4 c1", "move 8 (c1): the game is over: white has won");
    let past = "no swap here: this game is played without, or the time for it is past";
    moves(false, "a1 swap", &format!("move 2: {past}"));
    moves(true, "a1 swap swap", &format!("move 3: {past}"));
    moves(true, "swap", "move 1: no swap here: it is the second player's first action or none");
    moves(false, "a1,?", "move 2: `?` is no hgui cell: expected a letter at byte 0");
}

#[test]
fn other_arguments() {
    refused(
        &["draw", "--size", "4", "--game", "go"],
        "invalid value 'go' for '--game <GAME>': there is havannah, cachex, cover",
    );
    refused(
        &["draw", "--size", "4", "--notation", "x"],
        "invalid value 'x' for '--notation <NOTATION>': no notation `x`: there are hgui, grid, rogers and web",
    );
    refused(
        &["draw", "--size", "13", "--notation", "web"],
        "web notation does not name the cells of a hexagon of size 13",
    );
    refused(
        &["draw", "--size", "4", "--highlight", "a9"],
        "--highlight a9: `a9` is not on a hexagon of size 4 (hgui notation): that row runs from a1 to a4",
    );
    refused(
        &["draw", "--position", "3 w - ww./..../...../..../.bbx"],
        "--position: expected the end after 5 rows, found `x` (at byte 29)",
    );
    refused(
        &["draw", "--position", "2 b - w./.../..", "--size", "3"],
        "--size 3, but the position 2 b - w./.../.. has another size",
    );
    refused(
        &["playouts", "--size", "2", "--moves", "a1 b2 a2", "--games", "1"],
        "the game is over: white has won",
    );
    refused(
        &["playouts", "--size", "2"],
        "the following required arguments were not provided: <--seconds <T>|--games <N>>",
    );
    refused(
        &["playouts", "--size", "2", "--seconds", "-0"],
        "invalid value '-0' for '--seconds <T>': a number of seconds above 0, up to 31557600",
    );
    for words in [
        "match mcts uct --size 3 --concurrency 257",
        "selfplay --size 3 --simulations 9 --out no --concurrency 257",
    ] {
        let words: Vec<_> = words.split(' ').collect();
        refused(&words, "invalid value '257' for '--concurrency <K>': 257 is not in 1..=256");
    }
    refused(&["prft"], "unrecognized subcommand 'prft'; tip: a similar subcommand exists: 'perft'");
}

#[test]
fn records_that_are_broken_or_break_the_rules() {
    let bad = |name: &str, bytes: &[u8], line: &str| {
        let path = file(name, bytes);
        refused(&["replay", &path], &format!("{path}: {line}"));
        refused(&["draw", &path], &format!("{path}: {line}"));
    };
    bad(
        "truncated.sgf",
        b"(;SZ[4];W[a1];B[b",
        "the input ends after 17 bytes, but the '[' at line 1, column 16 (byte 15) is still open",
    );
    bad("size.sgf", b"(;SZ[21];W[a1])", "no hexagon of size 21: sizes are 2 to 20");
    bad("occupied.sgf", b"(;SZ[4];W[a1];B[a1])", "move 2 (a1): there is a stone of white already");
    bad("after.sgf", b"(;SZ[2];W[a1];B[b2];W[a2];B[b1])", "move 4 (b1): the game is over: white has won");
    bad(
        "swaps.sgf",
        b"(;SZ[4];W[a1];B[swap];W[swap])",
        "move 3 (swap): no swap here: this game is played without, or the time for it is past",
    );
    bad("pass.sgf", b"(;SZ[4];W[a1];B[])", "move 2 (pass): Havannah has no pass");
    bad(
        "turn.sgf",
        b"(;SZ[4];W[a1];W[a2])",
        "move 2 (a2): the record has it for the other side, but black is to move",
    );
    bad("nothing.sgf", b"", "no game in 0 bytes: nowhere a `(` followed by `;`");
    refused(&["replay", "no-such-file.sgf"], "no-such-file.sgf: No such file or directory (os error 2)");
}

#[test]
fn lists_of_games_that_are_broken() {
    let list = b"{\"id\":1,\"size\":4,\"moves\":[\"a1\"]}\nnope\n{\"id\":2,\"size\":4,\"moves\":[\"a1\",\"a1\"]}\n\xff\n{\"size\":99,\"moves\":[]}\n";
    let path = file("broken.jsonl", list);
    let ran = run(&["replay", "--json", &path]);
    assert_eq!((ran.code, ran.json().len()), (Some(2), 1));
    let errors: Vec<&str> = ran.err.lines().filter(|l| l.starts_with("error: ")).collect();
    let expected = [
        format!("error: {path}, line 2: not a game: expected ident at line 1 column 2"),
        format!("error: {path}, game 2: move 2 (a1): there is a stone of white already"),
        format!("error: {path}, line 4: not UTF-8 at byte 0 of the line"),
        format!("error: {path}, line 5: no board of size 99: sizes are 2 to 20"),
    ];
    assert_eq!(errors, expected);
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let good = file("good.sgf", b"(;SZ[2];W[a1];B[b2];W[a2])");
    let bad = file("bad.sgf", b"(;SZ[2];W[a1];B[a1])");
    let ran = run(&["replay", &bad, &good]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.out, format!("{good}: size 2, 3 moves, white wins with a2 by bridge: a1 a2\n"));
    assert_eq!(ran.err, format!("error: {bad}: move 2 (a1): there is a stone of white already\n"));
}

/// The program ends without a message when the reader of its output goes away.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let binary = env!("CARGO_BIN_EXE_stonework");
    for command in ["perft --size 2 --depth 2000", "--help", "draw --size 20 --svg"] {
        let script = format!("'{binary}' {command} | true; exit ${{PIPESTATUS[0]}}");
        let Ok(ran) = std::process::Command::new("bash").args(["-c", &script]).output() else { return };
        assert_eq!((ran.status.code(), ran.stderr.as_slice()), (Some(0), b"".as_slice()), "{command}");
    }
    assert_eq!(feed(&["oracle"], b"").code, Some(0));
}
