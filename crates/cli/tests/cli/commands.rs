//! `perft`, `playouts`, `draw` and `demo`.

use crate::common::{fields, file, run, run_words};
use serde_json::{Value, json};
use stonework_game::{Game, Outcome, Player, perft_with};
use stonework_havannah::WinKind;
use stonework_oracle::Judge;

/// The expected output of `perft` for a depth, counted by the slow judge.
fn counted_by_the_judge(judge: &Judge, depth: u32) -> Value {
    let (mut nodes, mut draws) = (0, 0);
    // The numbers for each side: all wins, rings, bridges, forks.
    let mut wins = [[0_u64; 4]; 2];
    perft_with(judge, depth, |end| {
        nodes += 1;
        match end.outcome() {
            Some(Outcome::Win(player)) => {
                let kinds = end.kinds();
                let side = &mut wins[player.index()];
                side[0] += 1;
                for (count, kind) in side[1..].iter_mut().zip(WinKind::ALL) {
                    *count += u64::from(kinds.contains(kind));
                }
            }
            Some(Outcome::Draw) => draws += 1,
            None => {}
        }
    });
    let side = |player: Player| {
        let [total, ring, bridge, fork] = wins[player.index()];
        json!({ "total": total, "ring": ring, "bridge": bridge, "fork": fork })
    };
    let wins = json!({ "white": side(Player::First), "black": side(Player::Second) });
    json!({ "depth": depth, "nodes": nodes, "wins": wins, "draws": draws })
}

#[test]
fn perft_of_size_2_is_that_of_the_slow_judge() {
    for swap in [false, true] {
        let judge = Judge::new(2, swap).unwrap();
        let mut args = vec!["perft", "--json", "--size", "2", "--depth", "9"];
        if swap {
            args.push("--swap");
        }
        let lines = run(&args).good();
        assert_eq!(lines.len(), 9);
        for (line, depth) in lines.iter().zip(1..) {
            assert_eq!(*line, counted_by_the_judge(&judge, depth), "depth {depth}, swap {swap}");
        }
        assert_eq!(lines[0]["nodes"], 7);
        assert!(lines[2]["wins"]["white"]["bridge"].as_u64() > Some(0));
    }
}

#[test]
fn perft_counts_from_any_position() {
    let args = ["perft", "--json", "--size", "4", "--depth", "1", "--moves", "a1,b1 a2,b2 a3 b3"];
    let line = &run(&args).good()[0];
    assert_eq!(line["nodes"], 31);
    assert_eq!(line["wins"]["white"], json!({ "total": 1, "ring": 0, "bridge": 1, "fork": 0 }));
    let same = [
        "perft",
        "--json",
        "--depth",
        "1",
        "--position",
        "4 w - www./bbb../....../......./....../...../....",
    ];
    assert_eq!(run(&same).good()[0], *line);
    let table = run_words("perft --size 3 --depth 5").out;
    assert!(
        table.contains(
            "    5          1395360          0  white        8640          0       8640          0"
        )
    );
}

#[test]
fn playouts_with_the_same_seed_and_threads_are_the_same() {
    let counts = |args: &str| {
        let line = run_words(&format!("playouts --json --size 4 {args}")).good().remove(0);
        let names = ["playouts", "plies", "first_wins", "second_wins", "draws", "ring", "bridge", "fork"];
        names.map(|name| line[name].as_u64().unwrap())
    };
    let first = counts("--games 20001 --threads 3 --seed 5");
    assert_eq!(first, counts("--games 20001 --threads 3 --seed 5"));
    assert_ne!(first, counts("--games 20001 --threads 3 --seed 6"));
    let [playouts, plies, white, black, draws, ring, bridge, fork] = first;
    assert_eq!((playouts, white + black + draws), (20001, 20001));
    assert!((27.7..28.2).contains(&(plies as f64 / 20001.0)));
    let share = |n: u64| n as f64 / 20001.0;
    assert!((share(ring) - 0.064).abs() < 0.01 && (share(bridge) - 0.589).abs() < 0.02);
    assert!((share(fork) - 0.441).abs() < 0.02);
}

#[test]
fn playouts_have_the_fields_of_the_contract_and_keep_time() {
    let since = std::time::Instant::now();
    let line = run_words("playouts --json --size 8 --seconds 0.3 --threads 2").good().remove(0);
    assert!(since.elapsed().as_secs_f64() < 10.0);
    let contract = [
        "playouts",
        "plies",
        "cpu_seconds",
        "ns_per_ply",
        "first_wins",
        "second_wins",
        "draws",
        "ring",
        "bridge",
        "fork",
    ];
    for name in contract {
        assert!(line[name].is_number(), "{name}");
    }
    assert!(line["seconds"].as_f64() >= Some(0.3) && line["cpu_seconds"].as_f64() > Some(0.0));
}

#[test]
fn positions_are_drawn_as_text_and_svg() {
    let ran = run(&["draw", "--size", "3", "--moves", "a1 c3 a2 c4", "--title", "A title"]);
    let text = "\
A title
     1 2 3
  a O O . 4
 b . . . . 5
c . . @(@).
 d . . . .
  e . . .
";
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), text));
    let numbered = run(&["draw", "--size", "3", "--swap", "--moves", "a1 swap b2", "--numbers"]);
    assert!(numbered.out.contains("1:@") && numbered.out.contains("3:O"), "{}", numbered.out);
    let svg = run(&["draw", "--size", "3", "--moves", "a1 c3", "--svg"]).out;
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let path = file("board.svg", b"");
    let ran = run(&["draw", "--size", "3", "--moves", "a1 c3", "-o", &path, "--json"]);
    assert_eq!(ran.good()[0]["format"], "svg");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), svg);
}

#[test]
fn a_game_that_is_over_is_drawn_with_its_winning_cells() {
    let ran = run(&["draw", "--size", "4", "--moves", "a1 b1 a2 b2 a3 b3 a4"]);
    assert!(ran.out.contains('*') && ran.out.contains("(O)"), "{}", ran.out);
}

#[test]
fn records_are_drawn_to_any_ply() {
    let path = file("game.sgf", b"(;SZ[3];W[a1];B[c3];W[a2];B[c4])");
    let all = run(&["draw", &path]).out;
    assert_eq!(all, run(&["draw", "--size", "3", "--moves", "a1 c3 a2 c4"]).out);
    let two = run(&["draw", &path, "--ply", "2"]).out;
    assert_eq!(two, run(&["draw", "--size", "3", "--moves", "a1 c3"]).out);
    let beyond = run(&["draw", &path, "--ply", "5"]);
    assert_eq!((beyond.code, beyond.err), (Some(2), "error: --to 5: the game has 4 moves\n".to_owned()));
}

#[test]
fn layouts_and_notations_are_those_asked_for() {
    let rows = run_words("draw --size 3 --notation grid").out;
    let columns = run_words("draw --size 3 --notation rogers").out;
    assert_eq!(columns, run_words("draw --size 3 --notation rogers --layout columns").out);
    assert_ne!(rows, columns);
}

#[test]
fn the_tour_ends_well_and_checks_everything() {
    let since = std::time::Instant::now();
    let lines = run_words("demo --json").good();
    assert!(since.elapsed().as_secs() < 60, "{:?}", since.elapsed());
    let part = |name: &str| lines.iter().filter(|line| line["part"] == name).collect::<Vec<_>>();
    assert!(part("printed").len() > 10 && part("printed").iter().all(|line| line["as_printed"] == true));
    assert_eq!((part("oracle").len(), part("perft").len(), part("playouts").len()), (1, 5, 4));
    assert!(lines.iter().all(|line| line.get("as_expected").is_none_or(|good| good == true)));
    assert_eq!(fields(lines.last().unwrap()), ["ok", "part", "seconds", "wrong"]);
    let rogers = part("printed")[0];
    assert_eq!(
        (&rogers["plies"], &rogers["outcome"], &rogers["how"]),
        (&json!(85), &json!("white"), &json!(["fork"]))
    );
    assert!(rogers["cells"][0].as_array().unwrap().contains(&json!("l3")));
}

#[test]
fn every_command_has_help_with_an_example() {
    let all = run_words("--help").out;
    for command in ["replay", "draw", "kit", "oracle", "conform", "perft", "playouts", "demo"] {
        assert!(
            all.contains(&format!("stonework {command}")) || all.contains(&format!("| stonework {command}"))
        );
        let help = run(&[command, "--help"]);
        assert_eq!(help.code, Some(0));
        assert!(command == "demo" || help.out.contains("Example"), "{command}");
        assert!(help.out.contains("--json"), "{command}");
        assert!(help.out.lines().all(|line| line.chars().count() <= 110), "{command}");
    }
    let none = run(&[]);
    assert_eq!((none.code, none.out.as_str()), (Some(2), ""));
}
