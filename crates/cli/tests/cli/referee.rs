//! `referee`: the protocol of the referee of another program.

use crate::common::{feed, run};

fn session(args: &[&str], input: &str) -> Vec<String> {
    let args: Vec<&str> = ["referee"].into_iter().chain(args.iter().copied()).collect();
    let ran = feed(&args, input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out.lines().map(str::to_owned).collect()
}

#[test]
fn a_game_is_answered_line_by_line() {
    let input =
        "init blue 4\nturn red PLACE 0 3\naction\nturn blue STEAL\nturn red PLACE 1 1\nquit\naction\n";
    assert_eq!(session(&["--seconds", "0.1"], input), ["ok", "ok", "STEAL", "ok", "ok", "ok"]);
}

#[test]
fn a_game_can_begin_with_the_arguments() {
    let output =
        session(&["--game", "cachex", "--player", "red", "--size", "5", "--engine", "seed"], "action\n");
    assert_eq!(output, ["PLACE 0 0"]);
}

#[test]
fn the_old_name_of_memory_still_works_and_help_has_the_new_one() {
    let input = "init red 4\naction\n";
    let answers = |memory: &[&str]| session(&[&["--engine", "seed"], memory].concat(), input);
    assert_eq!(answers(&["--mebibytes", "8"]), answers(&["--memory", "8MiB"]));
    let help = run(&["referee", "--help"]).out;
    assert!(help.contains("--memory <BYTES>") && !help.contains("mebibytes"), "{help}");
}

#[test]
fn what_cannot_be_is_named_and_changes_nothing() {
    let long = "x".repeat(500);
    let cases = [
        ("action", "no game: `init red|blue N` begins one"),
        ("init green 5", "`green` is no side: red or blue"),
        ("init red 2", "no board of size `2`: 3 to 15"),
        ("turn red PLACE 0 0", "no game: `init red|blue N` begins one"),
        (long.as_str(), "a line of 500 bytes: at most 200 are read"),
        ("hello", "`hello` is no command"),
    ];
    let input = cases.map(|(line, _)| line).join("\n");
    for (answer, (line, error)) in session(&[], &input).iter().zip(cases) {
        assert!(answer.starts_with(&format!("error: {error}")), "{line}: {answer}");
    }
    let input = "init red 5\nturn blue PLACE 0 0\nturn red PLACE 2 2\nturn red PLACE 9 0\nturn red STEAL\nturn red 1\n\
                 turn red PLACE 0 4\naction\nquit\n";
    let output = session(&["--engine", "seed"], input);
    let kinds: Vec<bool> = output.iter().map(|line| line.starts_with("error: ")).collect();
    assert_eq!(kinds, [false, true, true, true, true, true, false, true, false], "{output:?}");
}

#[test]
fn two_programs_play_a_game_to_its_end() {
    let mut moves: Vec<String> = Vec::new();
    loop {
        let side = ["red", "blue"][moves.len() % 2];
        let turns = moves.iter().enumerate().map(|(i, mv)| format!("turn {} {mv}\n", ["red", "blue"][i % 2]));
        let input = format!("init {side} 3\n{}action\n", turns.collect::<String>());
        let answer = session(&["--seconds", "0.02"], &input).pop().unwrap_or_default();
        if answer.starts_with("error: the game is over: ") {
            break;
        }
        assert!(answer.starts_with("PLACE ") || answer == "STEAL", "{answer}");
        moves.push(answer);
    }
    assert!((5..100).contains(&moves.len()), "{moves:?}");
}
