//! `gtp`: transcripts, whole matches between two processes, and lines of any kind.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_gtp::{Controller, ControllerError};

use crate::common::{feed, file, run_words};

const LIMIT: Duration = Duration::from_secs(60);

/// Runs a session.
fn session(args: &str, input: &[u8]) -> String {
    let args: Vec<&str> = ["gtp"].into_iter().chain(args.split_whitespace()).collect();
    let ran = feed(&args, input);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

/// Plays a transcript. A line with `%` is a comment, a line with `$` has the arguments, and a line with `<` is a line
/// of input. The other lines are the expected output, where `…` stands for any end of a line.
fn transcript(text: &str, path: &Path) {
    let (mut args, mut input, mut expected) = ("", Vec::new(), Vec::new());
    for line in text.lines() {
        match line.split_at_checked(1) {
            Some(("%", _)) => {}
            Some(("$", rest)) => args = rest,
            Some(("<", rest)) => input.push(rest.strip_prefix(' ').unwrap_or(rest)),
            _ => expected.push(line),
        }
    }
    let output = session(args, input.join("\n").as_bytes());
    let got: Vec<&str> = output.trim_end_matches('\n').split('\n').collect();
    while expected.last().is_some_and(|line| line.is_empty()) {
        expected.pop();
    }
    for (number, (got, expected)) in got.iter().zip(&expected).enumerate() {
        let same = match expected.strip_suffix('…') {
            Some(beginning) => got.starts_with(beginning),
            None => got == expected,
        };
        let before = got_until(&output, number);
        assert!(same, "{}: expected `{expected}`, got `{got}` after\n{before}", path.display());
    }
    assert_eq!(got.len(), expected.len(), "{}:\n{output}", path.display());
}

fn got_until(output: &str, lines: usize) -> String {
    output.lines().take(lines).collect::<Vec<_>>().join("\n")
}

#[test]
fn transcripts_are_reproduced() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 9, "{files:?}");
    for path in files {
        transcript(&fs::read_to_string(&path).unwrap(), &path);
    }
}

/// A referee with the commands of `gogui-twogtp`.
struct Match {
    players: [Controller; 2],
}

impl Match {
    fn new(arguments: [&str; 2]) -> Self {
        let program = shlex::try_quote(env!("CARGO_BIN_EXE_stonework")).unwrap().into_owned();
        let start = |arguments| Controller::spawn(&format!("{program} gtp {arguments}")).unwrap();
        Self { players: arguments.map(start) }
    }

    fn both(&mut self, command: &str) -> [String; 2] {
        self.players.each_mut().map(|player| player.send(command, LIMIT).unwrap())
    }

    /// Plays a game from an opening. Returns the winner and the moves. `first` is the number of the player who has
    /// white.
    fn game(&mut self, first: usize, size: u32, opening: &[&str]) -> (String, Vec<String>) {
        for command in [&format!("boardsize {size}"), "clear_board", "komi 0", "time_settings 60 0 0"] {
            assert_eq!(self.both(command), ["", ""]);
        }
        let (mut moves, mut passes) = (Vec::new(), 0);
        for mv in opening {
            let colour = ["w", "b"][moves.len() % 2];
            assert_eq!(self.both(&format!("play {colour} {mv}")), ["", ""]);
            moves.push((*mv).to_owned());
        }
        while passes < 2 {
            let mover = (first + moves.len()) % 2;
            let colour = ["w", "b"][moves.len() % 2];
            self.players[mover].send(&format!("time_left {colour} 50 0"), LIMIT).unwrap();
            let mv = self.players[mover].send(&format!("genmove {colour}"), LIMIT).unwrap();
            passes = if mv == "pass" { passes + 1 } else { 0 };
            let told = self.players[1 - mover].send(&format!("play {colour} {mv}"), LIMIT).unwrap();
            assert_eq!(told, "");
            moves.push(mv);
        }
        let [one, other] = self.both("havannah_winner");
        assert_eq!(one, other, "{moves:?}");
        let score = if one == "draw" { "0".to_owned() } else { format!("{}+", one[..1].to_uppercase()) };
        assert_eq!(self.both("final_score"), [score.clone(), score]);
        let [one_board, other_board] = self.both("printsgf");
        assert_eq!(one_board, other_board);
        moves.truncate(moves.len() - 2);
        (one, moves)
    }
}

/// The commands of `gogui-twogtp` in their order: Black moves first, colours and places are in capitals, and two
/// passes end the game.
#[test]
fn gogui_twogtp_plays_whole_games() {
    let mut players =
        Match::new(["--gogui --simulations 30 --seed 1", "--gogui --engine uct --simulations 10 --seed 2"])
            .players;
    for (game, rows) in [7, 5, 9, 7].into_iter().enumerate() {
        for player in &mut players {
            assert_eq!(player.send("protocol_version", LIMIT).unwrap(), "2");
            let commands = player.send("list_commands", LIMIT).unwrap();
            assert!(commands.lines().any(|line| line == "gogui-rules_legal_moves"), "{commands}");
            for command in [format!("boardsize {rows}"), "clear_board".into(), "komi 0".into()] {
                assert_eq!(player.send(&command, LIMIT).unwrap(), "");
            }
        }
        let (mut moves, mut passes) = (Vec::new(), 0);
        while passes < 2 {
            let (mover, colour) = ((game + moves.len()) % 2, ["B", "W"][moves.len() % 2]);
            let side = ["black", "white"][moves.len() % 2];
            if passes == 0 {
                let to_move = players[1 - mover].send("gogui-rules_side_to_move", LIMIT).unwrap();
                let over = !players[mover].send("gogui-rules_final_result", LIMIT).unwrap().is_empty();
                assert!(over || to_move == side, "{moves:?}");
            }
            let legal = players[1 - mover].send("gogui-rules_legal_moves", LIMIT).unwrap();
            let mv = players[mover].send(&format!("genmove {colour}"), LIMIT).unwrap();
            passes = if mv == "pass" { passes + 1 } else { 0 };
            assert_eq!(legal.is_empty(), mv == "pass");
            assert!(legal.is_empty() || legal.split(' ').any(|place| place == mv), "{mv} of {legal}");
            assert_eq!(players[1 - mover].send(&format!("play {colour} {mv}"), LIMIT).unwrap(), "");
            moves.push(mv);
        }
        let said = players.each_mut().map(|player| {
            ["final_score", "gogui-rules_final_result", "gogui-rules_board"]
                .map(|command| player.send(command, LIMIT).unwrap())
        });
        assert_eq!(said[0], said[1], "{moves:?}");
        let board = said[0][2].split_whitespace();
        assert_eq!(board.filter(|letter| *letter != ".").count(), moves.len() - 2);
    }
    for (game, why) in [("cachex", "a move of cachex is more"), ("cover", "a move of cover is more")] {
        let ran = run_words(&format!("gtp --gogui --game {game}"));
        assert!(ran.code == Some(2) && ran.err.contains(why), "{}", ran.err);
    }
}

#[test]
fn a_process_reports_its_analysis_until_the_next_line() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    for game in ["havannah", "cachex", "cover"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stonework"));
        command.args(["gtp", "--game", game]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let (mut input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let mut lines = BufReader::new(output).lines().map(Result::unwrap);
        input.write_all(b"3 kata-analyze 5 rootInfo true\n").unwrap();
        assert_eq!(lines.next().as_deref(), Some("=3"), "{game}");
        for _ in 0..3 {
            let line = lines.next().unwrap();
            assert!(line.starts_with("info move ") && line.contains(" rootInfo visits "), "{game}: {line}");
        }
        input.write_all(b"4 version\nquit\n").unwrap();
        let rest: Vec<String> = lines.skip_while(|line| !line.is_empty()).collect();
        let version = format!("=4 {}", env!("CARGO_PKG_VERSION"));
        assert_eq!(rest, ["", &version, "", "=", ""], "{game}");
        assert!(process.wait().unwrap().success(), "{game}");
    }
}

#[test]
fn two_processes_play_a_match_of_200_games_without_an_error() {
    let mut players = Match::new(["--simulations 30 --seed 1", "--engine uct --simulations 10 --seed 2"]);
    let mut won = [0; 2];
    for game in 0..200 {
        let opening: &[&str] = [&[], &["b2"][..], &["c3", "swap"], &["a1", "d4", "c3"]][game % 4];
        let (winner, moves) = players.game(game / 4 % 2, 3 + game as u32 / 8 % 2, opening);
        // The winner of a game has made the last move.
        match winner.as_str() {
            "white" => won[game / 4 % 2] += 1,
            "black" => won[1 - game / 4 % 2] += 1,
            other => assert_eq!(other, "draw"),
        }
        assert_eq!(moves.len() % 2 == 1, winner == "white", "{winner} after {moves:?}");
    }
    assert!(won[0] > won[1], "threats and three times the simulations: {won:?}");
    for player in players.players {
        player.quit(LIMIT).unwrap();
    }
}

#[test]
fn every_player_of_the_roster_plays_a_game_by_the_clock() {
    let mut players = Match::new(["--nodes 300", "--simulations 10"]);
    let roster = players.players[0].send("list_engines", LIMIT).unwrap();
    let names: Vec<&str> = roster.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert!(names.contains(&"mcts") && names.contains(&"dfpn"), "{names:?}");
    for (game, name) in names.iter().enumerate() {
        players.players[0].send(&format!("engine {name}"), LIMIT).unwrap();
        let (_, moves) = players.game(game % 2, 3, &[]);
        assert!(moves.len() >= 5, "{name}: {moves:?}");
    }
}

#[test]
fn a_record_of_a_session_is_replayed_with_the_same_winner() {
    let mut players = Match::new(["--simulations 20 --seed 5", "--simulations 20 --seed 6"]);
    for number in 0..3 {
        let (winner, moves) = players.game(number % 2, 5, &["e5", "swap"]);
        let sgf = players.players[0].send("printsgf", LIMIT).unwrap();
        let path = file(&format!("gtp{number}.sgf"), sgf.as_bytes());
        let replayed = run_words(&format!("replay --json {path}")).good();
        assert_eq!((&replayed[0]["outcome"], &replayed[0]["claim_agrees"]), (&winner.into(), &true.into()));
        assert_eq!(replayed[0]["plies"], moves.len());
    }
}

#[test]
fn the_search_tree_is_a_record_an_object_and_a_picture() {
    let said = session(
        "--no-swap --size 4 --simulations 500",
        b"play w b3\nanalyze 5 4\ntree_sgf\ntree_json\nheatmap_svg\nmove_stats\n",
    );
    let replies: Vec<&str> = said.split("\n\n").map(|reply| reply.trim_start_matches("= ")).collect();
    assert_eq!(replies[1], replies[5]);
    assert_eq!(replies[1].lines().count(), 5);
    let tree = stonework_record::Tree::parse_str(replies[2]).unwrap();
    let first = tree.first_child(tree.root()).unwrap();
    assert_eq!(tree.children(first).count(), 4);
    let json: serde_json::Value = serde_json::from_str(replies[3]).unwrap();
    let lines = json["lines"].as_array().unwrap();
    assert_eq!((lines.len(), &json["simulations"], &lines[0]["line"][0]), (4, &500.into(), &json["best"]));
    assert!(replies[4].starts_with("<svg ") && replies[4].ends_with("</svg>"));
    assert!(replies[4].contains("%</text>"), "{}", replies[4]);
}

const WORDS: &[&str] = &[
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "boardsize",
    "clear_board",
    "showboard",
    "havannah_winner",
    "final_score",
    "known_command",
    "list_commands",
    "help",
    "komi",
    "time_settings",
    "time_left",
    "engine",
    "list_engines",
    "list_options",
    "seed",
    "set_option",
    "analyze",
    "lz-analyze",
    "kata-analyze",
    "stop",
    "move_stats",
    "pv",
    "tree_sgf",
    "tree_json",
    "heatmap_svg",
    "solve",
    "solve_dfpn",
    "solve_mcts",
    "solve_pn2",
    "printsgf",
    "all_legal",
    "swap",
    "playgame",
    "hguicoords",
    "gridcoords",
    "webcoords",
    "rogerscoords",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "quit",
    "w",
    "b",
    "white",
    "BLACK",
    "a1",
    "b2",
    "c3",
    "d4",
    "A3",
    "oo",
    "pass",
    "resign",
    "0",
    "1",
    "2",
    "3",
    "4",
    "-1",
    "0.5",
    "1e9",
    "nan",
    "99999999999999999999",
    "uct",
    "dfpn",
    "minimax",
    "exploration",
    "lines",
    "resign_at",
    "#",
    "# interrupt",
    "=",
    "?",
    "\t",
    "\r",
    "\0",
    "\u{7f}",
    "\u{e9}",
    "\u{2028}",
    "  ",
];

/// Lines of a game, mixed with lines of words and noise. No line has `quit`, and no line removes the limits of the
/// player.
fn lines(count: usize) -> Vec<Vec<u8>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut below = |n: usize| (rng.next_u64() % n as u64) as usize;
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut line = match below(8) {
            0 => b"genmove w".to_vec(),
            1 => b"genmove b".to_vec(),
            2 => format!("play {} {}{}", ["w", "b"][below(2)], ["a", "b", "c", "d"][below(4)], below(6))
                .into_bytes(),
            3 if below(20) == 0 => format!("boardsize {}", 2 + below(4)).into_bytes(),
            _ => {
                (0..=below(4)).flat_map(|_| [WORDS[below(WORDS.len())], " "].concat().into_bytes()).collect()
            }
        };
        if below(4) == 0 {
            line.splice(0..0, format!("{} ", below(1_000_000)).into_bytes());
        }
        if below(3) == 0 && !line.is_empty() {
            let at = below(line.len());
            match below(4) {
                0 => line[at] = below(256) as u8,
                1 => drop(line.drain(at..(at + below(5)).min(line.len()))),
                2 => line.insert(at, below(256) as u8),
                _ => line.truncate(at),
            }
        }
        line.retain(|&byte| byte != b'\n');
        let (text, lossy) = (String::from_utf8_lossy(&line).into_owned(), String::from_utf8_lossy(&line));
        let plain: String = lossy.chars().filter(|c| !c.is_control()).collect();
        let unlimited = ["quit", "nodes", "seconds", "simulations", "threads", "playouts", "boardsize"];
        if text.starts_with("boardsize") || !unlimited.iter().any(|word| plain.contains(word)) {
            lines.push(line);
        }
    }
    lines
}

/// The id of the command in a line; `None` if there is none.
fn command(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line).replace('\t', " ");
    let text: String = text.split('#').next().unwrap().chars().filter(|c| !c.is_control()).collect();
    let first = text.split_whitespace().next()?;
    Some(if first.bytes().all(|b| b.is_ascii_digit()) { first.to_owned() } else { String::new() })
}

#[test]
fn a_hundred_thousand_lines_of_any_kind_get_a_reply_each() {
    let lines = lines(100_000);
    let input = [lines.join(&b'\n'), b"\n1 name\n".to_vec()].concat();
    let output = session("--size 3 --nodes 10 --seconds 0.01 --memory 1MiB", &input);
    let mut replies = output.split_terminator("\n\n");
    let mut good = 0;
    for line in &lines {
        let Some(id) = command(line) else { continue };
        let reply = replies.next().unwrap();
        let line = line.escape_ascii();
        let rest = reply.strip_prefix(['=', '?']).and_then(|rest| rest.strip_prefix(id.as_str()));
        let rest = rest.unwrap_or_else(|| panic!("{line}: {reply:?}"));
        assert!(rest.is_empty() || rest.starts_with([' ', '\n']), "{line}: {reply:?}");
        assert!(reply.chars().all(|c| c == '\n' || !c.is_control()), "{line}: {reply:?}");
        assert!(reply.starts_with('=') || (rest.len() > 5 && rest.len() < 1700), "{line}: {reply:?}");
        good += usize::from(reply.starts_with('='));
    }
    assert_eq!((replies.next(), replies.next()), (Some("=1 Stonework"), None));
    assert!(good > 10_000, "only {good} lines were commands that could be carried out");
}

#[test]
fn a_line_of_a_million_bytes_is_refused_and_the_next_one_answered() {
    let input = [vec![b'a'; 1_000_000], b"\n5 name\n".to_vec()].concat();
    assert_eq!(session("", &input), "? a line of 1000000 bytes: at most 65536\n\n=5 Stonework\n\n");
    assert_eq!(session("", &input[..1_000_000]), "? a line of 1000000 bytes: at most 65536\n\n");
    assert_eq!(session("", b""), "");
}

/// Runs a session whose first move would take a quarter of an hour. The test repeats `stop` until the session ends,
/// because the beginning of the search is not observable.
fn stopped(stop: impl Fn(&Child) + Sync) {
    let since = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(["gtp", "--seconds", "1000", "--memory", "64MiB"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    child.stdin.as_ref().unwrap().write_all(b"genmove w\n").unwrap();
    let mut lines = output.lines().map(Result::unwrap);
    let ended = AtomicBool::new(false);
    let chosen = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(100));
                stop(&child);
            }
        });
        let chosen = lines.next();
        ended.store(true, Ordering::SeqCst);
        chosen.unwrap()
    });
    child.stdin.as_ref().unwrap().write_all(b"7 showboard\nquit\n").unwrap();
    let lines: Vec<String> = lines.collect();
    assert!(chosen.starts_with("= ") && lines[1] == "=7", "{chosen} {lines:?}");
    assert!(lines.iter().any(|line| line.contains("(O)")), "the move was not played: {lines:?}");
    assert!(child.wait().unwrap().success());
    assert!(since.elapsed() < LIMIT);
}

#[test]
fn an_interrupt_ends_a_search_and_its_move_counts() {
    stopped(|child| child.stdin.as_ref().unwrap().write_all(b"# interrupt\n").unwrap());
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_search_and_not_the_session() {
    stopped(|child| {
        let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(told.unwrap().success());
    });
}

#[test]
fn what_makes_no_session_is_refused_in_one_line() {
    for (args, said) in [
        ("gtp --json", "--json: the replies of GTP have a form of their own"),
        ("gtp --engine nobody", "no player `nobody`; there is "),
        ("gtp --engine dfpn --simulations 5", "5 simulations: dfpn makes none"),
        ("gtp --game cachex --notation grid", "no notation `grid`: cells of Cachex are `r,q`"),
        ("gtp --game cover --notation web --size 2", "no notation `web`: locations of Cover are `A07`"),
        ("gtp --size 13 --notation web", "web notation does not name the cells of a hexagon of size 13"),
        ("gtp --size 1", "sizes are 2 to 20"),
        ("gtp --swap --no-swap", "cannot be used with"),
    ] {
        let ran = run_words(args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args}");
        assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{args}: {}", ran.err);
    }
}

#[test]
fn a_controller_gives_up_on_a_search_that_takes_too_long() {
    let mut players = Match::new(["--no-swap --seconds 1000 --memory 64MiB", "--nodes 1"]);
    let [slow, _] = &mut players.players;
    let error = slow.send("genmove w", Duration::from_millis(200)).unwrap_err();
    assert!(matches!(error, ControllerError::Timeout { .. }), "{error}");
    assert!(!slow.is_open());
}
