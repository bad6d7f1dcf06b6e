//! Options that several commands share: they mean the same in each.

use crate::common::{feed, run, run_words};

/// The commands that take the right to swap, with a command line that is complete but for it.
const SWAPPING: [(&str, &str, bool); 14] = [
    ("gtp", "gtp", true),
    ("tui", "tui", true),
    ("replay", "replay -", true),
    ("match", "match mcts mcts --size 3", false),
    ("tournament", "tournament mcts rave --size 3", false),
    ("tune", "tune mcts --dials rave=10..5000 --size 3", false),
    ("solve", "solve --size 3", false),
    ("search", "search --size 3", false),
    ("perft", "perft --size 3 --depth 2", false),
    ("playouts", "playouts --size 3 --games 5", false),
    ("analyse", "analyse --size 3", false),
    ("draw", "draw --size 3", false),
    ("patterns explain", "patterns explain --size 3", false),
    ("farm coordinate", "farm coordinate --dir x --size 3", false),
];

/// The text of a page of help about an option, on one line.
fn about(help: &str, option: &str) -> Option<String> {
    let mut lines = help.lines().skip_while(|line| line.split_whitespace().next() != Some(option));
    let first = lines.next()?;
    let more = lines.take_while(|line| line.starts_with("          "));
    Some([first].into_iter().chain(more).flat_map(str::split_whitespace).collect::<Vec<_>>().join(" "))
}

#[test]
fn the_right_to_swap_is_asked_for_and_refused_everywhere_and_help_names_the_default() {
    for (command, line, is_on) in SWAPPING {
        let help = run_words(&format!("{command} -h")).out;
        for (option, is_default) in [("--swap", is_on), ("--no-swap", !is_on)] {
            let said = about(&help, option).unwrap_or_else(|| panic!("{command}: no {option}"));
            assert!(said.contains("the right to swap"), "{command}: {said}");
            assert_eq!(said.contains("(the default in Havannah)"), is_default, "{command}: {said}");
        }
        let both = run_words(&format!("{line} --swap --no-swap"));
        assert_eq!(both.code, Some(2), "{line}");
        assert!(both.err.contains("'--swap' cannot be used with '--no-swap'"), "{line}: {}", both.err);
    }
}

#[test]
fn an_option_that_states_the_default_changes_nothing() {
    let record = b"(;SZ[4];W[a1];B[swap])";
    for words in ["replay -", "replay - --swap"] {
        let ran = feed(&words.split(' ').collect::<Vec<_>>(), record);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words}");
    }
    let perft = |option: &str| run_words(&format!("perft --json --size 2 --depth 3{option}")).good();
    assert_eq!(perft(" --no-swap"), perft(""));
    assert_ne!(perft(" --swap"), perft(""));
    let game = |option: &str| {
        let played = run_words(&format!("match mcts mcts --size 3 --games 2 --simulations 5 --json{option}"));
        played.good().into_iter().map(|line| line["moves"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(game(" --no-swap"), game(""));
    for option in ["", " --swap"] {
        let words = format!("gtp --size 4{option}");
        let ran = feed(&words.split(' ').collect::<Vec<_>>(), b"play white d4\nplay black swap\nquit\n");
        assert_eq!(ran.out, "=\n\n=\n\n=\n\n", "gtp{option}");
    }
}

#[test]
fn a_right_to_swap_that_cannot_be_is_refused() {
    let text = run(&["draw", "--position", "2 b - w./.../..", "--no-swap"]);
    assert_eq!(text.code, Some(2));
    assert!(text.err.contains("cannot be used with"), "{}", text.err);
    for words in ["replay --game cachex - --swap", "match cachex cachex --game cachex --size 3 --swap"] {
        let ran = run_words(words);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{words}");
        assert!(ran.err.contains("swap") && ran.err.lines().count() == 1, "{words}: {}", ran.err);
    }
}

#[test]
fn commands_without_json_do_not_list_it_and_refuse_it() {
    let all = run(&["--help"]).out;
    let commands = commands(&all);
    assert!(commands.len() > 20, "{commands:?}");
    let mut without = Vec::new();
    for command in commands {
        let pages = ["-h", "--help"].map(|page| run(&[command, page]).out.contains("\n      --json"));
        assert_eq!(pages[0], pages[1], "{command}");
        if !pages[0] {
            without.push(command);
        }
    }
    assert_eq!(without, ["gtp", "tui", "dial", "referee"]);
    for words in ["gtp", "tui", "dial localhost:1 --engine mcts", "referee"] {
        for line in [format!("{words} --json"), format!("--json {words}")] {
            let ran = run_words(&line);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{line}");
            assert!(ran.err.starts_with("error: --json: "), "{line}: {}", ran.err);
        }
    }
}

/// The commands of a page of help.
fn commands(page: &str) -> Vec<&str> {
    let Some((_, rest)) = page.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = rest.lines().take_while(|line| !line.is_empty());
    // The text about a command may go on in lines that begin farther right.
    let names =
        lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

/// Short pages have the usual options, long pages all options. On a page 100 characters wide, each option has a line or two.
#[test]
fn every_help_fits_a_screen_and_has_an_example() {
    let mut open = vec![String::new()];
    let mut pages = 0;
    while let Some(path) = open.pop() {
        let page = |option: &str| run_words(format!("{path} {option}").trim_start()).out;
        let (short, long) = (page("-h"), page("--help"));
        let [lines, more] = [&short, &long].map(|page| page.lines().count());
        assert!(lines <= 50 && lines <= more && more <= 60, "{path}: {lines} lines of -h, {more} of --help");
        let (_, example) = short.split_once("\nExample").unwrap_or_else(|| panic!("{path}: {short}"));
        assert!(example.contains(&format!("stonework {path}")), "{path}: {example}");
        assert!(long.contains("\nExample"), "{path}: {long}");
        let help = run_words(format!("help {path}").trim_end()).out;
        assert!(path.is_empty() || help == long, "help {path}: {help}");
        pages += 1;
        open.extend(
            commands(&short).into_iter().map(|below| format!("{path} {below}").trim_start().to_owned()),
        );
    }
    assert!(pages > 40, "{pages} pages: where have they gone?");
}

/// A value that an option refuses, with the commands that have the option and the reason that all of them give.
#[test]
fn a_limit_is_the_same_in_every_command() {
    let number = "a seed is a whole number from 0 to 18446744073709551615";
    for (option, value, commands, why) in [
        (
            "--seed",
            "-1",
            "gtp,match mcts uct,selfplay,search,playouts,conform,referee,learn value,tune mcts",
            number,
        ),
        (
            "--seconds",
            "-1",
            "gtp,tui,match mcts uct,search,solve,playouts,dial x:1,referee",
            "a number of seconds above 0, up to 31557600",
        ),
        (
            "--threads",
            "257",
            "gtp,match mcts uct,search,playouts,verify,table build",
            "257 is not in 1..=256",
        ),
        (
            "--memory",
            "3MB",
            "gtp,match mcts uct,search,table build,referee,farm work,farm coordinate",
            "no unit `MB`: KiB, MiB or GiB",
        ),
        (
            "--size",
            "many",
            "gtp,match mcts uct,selfplay,search,draw,kit,replay -,table build",
            "a number of cells on a side, such as 4",
        ),
    ] {
        for command in commands.split(',') {
            let ran = run_words(&format!("{command} {option} {value}"));
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{command} {option}");
            let said = format!("error: invalid value '{value}' for '{option} ");
            assert!(ran.err.starts_with(&said) && ran.err.contains(why), "{command}: {}", ran.err);
        }
    }
}

/// With --proof, --map and --explore the prover searches: it makes no simulations, and asks no table of endings. (Both options,
/// and threads where there are none, had no effect.)
#[test]
fn solve_refuses_options_without_effect() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-options");
    std::fs::create_dir_all(&folder).unwrap();
    let proof = folder.join("solved.proof");
    let _ = std::fs::remove_file(&proof);
    let proof = proof.display();
    let ends = |words: &str, why: &str| {
        let ran = run_words(words);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.trim_end()), (Some(2), "", why), "{words}");
    };
    let none = "error: a limit of 5 simulations: dfpn makes none";
    ends(&format!("solve --size 2 --moves a1 --proof {proof} --simulations 5"), none);
    assert_eq!(run_words(&format!("solve --size 2 --moves a1 --proof {proof} --threads 2")).code, Some(0));
    for (words, mode) in [
        ("solve --size 2 --map".to_owned(), "--map"),
        (format!("solve --explore {proof}"), "--explore"),
        (format!("solve --size 2 --map --explore {proof}"), "--explore"),
    ] {
        ends(&format!("{words} --simulations 5"), none);
        let one = format!("error: --threads 2: the searches of {mode} have one thread");
        ends(&format!("{words} --threads 2"), &one);
        assert_eq!(run_words(&format!("{words} --nodes 1000 --seed 3")).code, Some(0), "{words}");
    }
}

/// The limits of a search had no effect on a tree, which no search makes, and on a map without a proof.
#[test]
fn limits_of_a_tree_are_refused_and_those_of_a_map_hold() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-limited");
    std::fs::create_dir_all(&folder).unwrap();
    let (proof, tree) = (folder.join("size2.proof"), folder.join("tree.jsonl"));
    let _ = (std::fs::remove_file(&proof), std::fs::remove_file(&tree));
    run_words(&format!("solve --size 2 --proof {}", proof.display()));
    for limit in ["--nodes 5", "--seconds 1"] {
        let ran =
            run_words(&format!("solve --explore {} --export {} {limit}", proof.display(), tree.display()));
        let why = "error: --export: the tree comes from the proof; only --memory limits it\n";
        assert_eq!((ran.code, ran.err.as_str(), tree.exists()), (Some(2), why, false), "{limit}");
    }
    let ran = run_words("solve --map --size 3 --nodes 1");
    let why = "error: size 3 is not solved within the limits of a search\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(2), "", why));
}
