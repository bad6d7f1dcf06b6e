//! The server with a host that implements every method.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_game::example::Nim;
use stonework_game::{Game, Pie, PieMove, Player};
use stonework_gtp::{Controller, ControllerError, GtpReply, Host, MAX_LINE, Named, Server, Square};
use stonework_roster::{Agent, Clock, Decision, EngineAgent};
use stonework_search::{Dfpn, Engine, Limits, Minimax, Report};
use stonework_session::{Registry, Start};

/// Nim with the pie rule, and with the names of Havannah on the command line.
#[derive(Default)]
struct Everything {
    cancel: Arc<AtomicBool>,
}

/// An agent that waits for the cancel flag, then plays the first move. With `tired`, the agent resigns.
struct Sleeper {
    cancel: Arc<AtomicBool>,
    tired: bool,
}

#[test]
fn servers_and_controllers_go_to_other_threads() {
    fn sent<T: Send>() {}
    fn shared<T: Send + Sync>() {}
    sent::<Server<Everything>>();
    sent::<Controller>();
    shared::<ControllerError>();
    shared::<GtpReply>();
}

type Heap = Pie<Nim>;
type Move = PieMove<u8>;

impl Agent<Heap> for Sleeper {
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Heap, _: &Clock) -> Option<Decision<Move>> {
        if self.tired {
            return Some(Decision::Resign);
        }
        while !self.cancel.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let moves = game.moves();
        moves.first().copied().map(Decision::Play)
    }
}

impl Host for Everything {
    type Game = Heap;

    fn name(&self) -> &'static str {
        "Everything"
    }

    fn version(&self) -> &'static str {
        "0.1"
    }

    fn start(&self, size: Option<u32>) -> Result<Heap, String> {
        let size = size.unwrap_or(7);
        let left = u8::try_from(size).ok().filter(|n| *n > 0);
        left.map(|left| Pie::new(Nim::new(left))).ok_or_else(|| format!("no heap of {size}: 1 to 255"))
    }

    fn agents(&self) -> Vec<Named> {
        ["minimax", "sleeper", "tired"].map(|name| (name.to_owned(), "one of three".to_owned())).to_vec()
    }

    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<Heap>>, String> {
        let cancel = Arc::clone(&self.cancel);
        match name {
            "minimax" => Ok(Box::new(EngineAgent::new(Minimax::new(()), Limits::none(), seed))),
            "sleeper" | "tired" => Ok(Box::new(Sleeper { cancel, tired: name == "tired" })),
            _ => Err(format!("no player `{name}`")),
        }
    }

    fn styles(&self) -> Vec<String> {
        vec!["hgui".to_owned(), "grid".to_owned()]
    }

    fn write_move(&self, _: &Heap, mv: Move, style: usize) -> String {
        match (mv, style) {
            (PieMove::Swap, _) => "swap".to_owned(),
            (PieMove::Play(take), 0) => take.to_string(),
            (PieMove::Play(take), _) => "i".repeat(take.into()),
        }
    }

    fn layers(&self) -> Vec<Named> {
        let start = Registry::standard().game("havannah").unwrap().start(&Start::of_size(4)).unwrap();
        start.layers().iter().map(|layer| (layer.name.to_owned(), layer.about.to_owned())).collect()
    }

    fn layer(&self, name: &str, game: &Heap, style: usize) -> Result<String, String> {
        let left = if game.outcome().is_some() { "over" } else { "open" };
        Ok(format!("{name} in style {style}: {left}"))
    }

    fn parse_move(&self, _: &Heap, text: &str, style: usize) -> Result<Move, String> {
        match (text, style) {
            ("swap", _) => Ok(PieMove::Swap),
            ("1", 0) | ("i", 1) => Ok(PieMove::Play(1)),
            ("2", 0) | ("ii", 1) => Ok(PieMove::Play(2)),
            _ => Err("no such move".to_owned()),
        }
    }

    fn svg(&self, _: &Heap, marks: &[(Move, String)], style: usize) -> Option<String> {
        let mark = |(mv, text): &(Move, String)| format!("<text>{mv:?} {style}: {text}</text>");
        Some(format!("<svg>\n\n{}\n</svg>", marks.iter().map(mark).collect::<String>()))
    }

    /// A square with two stones. The upper stone is of the side to move.
    fn square(&self, game: &Heap) -> Option<Square> {
        let first = Some(game.to_move());
        let rows = vec![vec![first, None], vec![None, first.map(Player::other)]];
        Some(Square { game: "Nim".to_owned(), rows })
    }

    fn winner_command(&self) -> &'static str {
        "havannah_winner"
    }

    fn swap(&self) -> Option<Move> {
        Some(PieMove::Swap)
    }

    fn record(&self, _: &Heap) -> Vec<(&'static str, String)> {
        vec![("GM", "Nim]".to_owned())]
    }

    fn solvers(&self) -> Vec<Named> {
        vec![("dfpn".to_owned(), "depth-first proof numbers".to_owned())]
    }

    fn solve(&self, _: &str, game: &Heap, time: Option<Duration>) -> Result<Report<Move>, String> {
        let limits = Limits { time, ..Limits::none() };
        Ok(Dfpn::default().think(game, &limits))
    }

    fn cancel(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::clone(&self.cancel))
    }
}

fn server() -> Server<Everything> {
    Server::new(Everything::default(), "minimax", 1).unwrap()
}

fn say(server: &mut Server<Everything>, line: &str) -> String {
    let reply = server.line(line).unwrap_or_else(|| panic!("no reply to {line:?}"));
    reply.to_string().strip_suffix("\n\n").unwrap().to_owned()
}

/// Sends each line and compares the reply.
fn script(server: &mut Server<Everything>, lines: &[(&str, &str)]) {
    for (line, reply) in lines {
        assert_eq!(say(server, line), *reply, "{line}");
    }
}

#[test]
fn the_table_in_the_documentation_is_what_help_says() {
    let help = say(&mut server(), "help");
    let row = |line: &str| {
        let (usage, about) = line.split_once(": ").unwrap();
        format!("| `{usage}` | {about} |")
    };
    let rows: Vec<String> = help.trim_start_matches("= ").lines().map(row).collect();
    let document = include_str!("../../src/commands.md");
    let documented: Vec<&str> = document.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(documented, rows, "\n{}\n", rows.join("\n"));
}

#[test]
fn gogui_is_shown_any_game_on_a_square() {
    let mut server = server();
    for (line, reply) in [
        ("gogui-rules_game_id", "= Nim"),
        ("gogui-rules_board_size", "= 2"),
        ("gogui-rules_board", "=\nO .\n. X"),
        ("gogui-rules_side_to_move", "= white"),
        ("gogui-rules_legal_moves", "= 1 2"),
        ("gogui-rules_final_result", "="),
        ("boardsize 1", "="),
        ("play w 1", "="),
        ("gogui-rules_board", "=\nX .\n. O"),
        ("gogui-rules_legal_moves", "="),
        ("gogui-rules_final_result", "= white wins"),
    ] {
        assert_eq!(say(&mut server, line), reply, "{line}");
    }
}

#[test]
fn the_standard_commands() {
    let mut server = server();
    script(
        &mut server,
        &[
            ("protocol_version", "= 2"),
            ("12 name", "=12 Everything"),
            ("0012 version", "=0012 0.1"),
            ("known_command genmove", "= true"),
            ("known_command Genmove", "= false"),
            ("known_command", "? syntax error: known_command NAME"),
            ("known_command a b", "? syntax error: known_command NAME"),
            ("3", "?3 unknown command:"),
            ("3 3", "?3 unknown command: 3"),
            ("GENMOVE w", "? unknown command: GENMOVE"),
            ("komi 6.5", "="),
            ("komi x", "? syntax error: `x` is no number that fits here"),
            ("komi inf", "? syntax error: inf is no finite number"),
            ("boardsize 0", "? unacceptable size: no heap of 0: 1 to 255"),
            ("boardsize 4294967296", "? unacceptable size: `4294967296` is no size"),
            ("boardsize -1", "? unacceptable size: `-1` is no size"),
            ("boardsize 2.5", "? unacceptable size: `2.5` is no size"),
            ("boardsize 5", "="),
            ("showboard", "=\npie:f:5 first"),
            ("final_score", "? cannot score: the game goes on"),
            ("undo", "? cannot undo: 1 to take back of 0"),
            ("play\twhite\u{7} 2 # leaves 3", "="),
            ("play w 1", "? illegal move: black is to move, not white"),
            ("genmove WHITE", "? illegal move: black is to move, not white"),
            ("play b 3", "? illegal move: no such move"),
            ("play b pass", "? illegal move: no such move"),
            ("play red 1", "? syntax error: no colour `red`: white or black"),
            ("all_legal", "= 1 2 swap"),
            ("play b 2", "="),
            ("swap", "? illegal move: roles can be exchanged only right after the first move"),
            ("clear_board", "="),
            ("showboard", "=\npie:f:5 first"),
            ("quit", "="),
        ],
    );
    assert!(server.has_quit());
    for silent in ["", "   ", "#", "# 1 name", "\r", "\t\t"] {
        assert_eq!(server.line(silent), None, "{silent:?}");
    }
}

#[test]
fn a_finished_game_passes_and_is_taken_back() {
    script(
        &mut server(),
        &[
            ("boardsize 3", "="),
            ("havannah_winner", "= none"),
            ("play w 1", "="),
            ("play b 2", "="),
            ("havannah_winner", "= black"),
            ("final_score", "= B+"),
            ("genmove w", "= pass"),
            ("play b pass", "="),
            ("reg_genmove b", "= pass"),
            ("genmove b", "= pass"),
            ("play w 1", "? illegal move: cannot take 1 of 0: one or two at a time"),
            ("analyze", "? the game is over"),
            ("playgame", "=\nblack"),
            ("undo 3", "="),
            ("havannah_winner", "= black"),
            ("undo", "="),
            ("havannah_winner", "= none"),
            ("all_legal", "= 1 2 swap"),
            ("swap", "="),
            ("playgame", "= 2\nwhite"),
            ("undo 4", "? cannot undo: 4 to take back of 3"),
            (
                "undo 18446744073709551616",
                "? syntax error: `18446744073709551616` is no number that fits here",
            ),
            ("undo 3", "="),
            ("undo 0", "="),
            ("showboard", "=\npie:f:3 first"),
        ],
    );
}

#[test]
fn players_are_changed_and_tuned_at_run_time() {
    let mut server = server();
    script(
        &mut server,
        &[
            ("engine", "= minimax"),
            ("engine nobody", "? no player `nobody`"),
            ("engine", "= minimax"),
            ("list_engines", "= minimax: one of three\nsleeper: one of three\ntired: one of three"),
            (
                "set_option depth 1",
                "? no option `depth`; there is nodes, simulations, seconds, resign_at, resign_after, even_time",
            ),
            ("set_option nodes -1", "? nodes is -1, but has to be between 0 and 9007199254740992"),
            ("set_option nodes nan", "? syntax error: NaN is no finite number"),
            ("set_option nodes 5000", "="),
            ("set_option nodes 6000", "="),
            ("seed", "= 1"),
            ("seed -1", "? syntax error: `-1` is no number that fits here"),
            ("seed 9", "="),
            ("seed", "= 9"),
        ],
    );
    assert!(
        say(&mut server, "list_options")
            .starts_with("= nodes 6000 0..9007199254740992 most positions of a search")
    );
    script(
        &mut server,
        &[
            ("engine tired", "="),
            ("list_options", "="),
            ("genmove w", "= resign"),
            ("reg_genmove w", "= resign"),
            ("havannah_winner", "= none"),
            ("playgame", "= resign\nblack"),
            ("analyze", "? tired does not search"),
            ("pv", "? nothing was searched in this game: genmove, analyze or solve first"),
        ],
    );
}

#[test]
fn notations_are_changed_at_run_time() {
    script(
        &mut server(),
        &[
            ("gridcoords", "="),
            ("play w 1", "? illegal move: no such move"),
            ("all_legal", "= i ii"),
            ("play w ii", "="),
            ("genmove b", "= ii"),
            ("hguicoords", "="),
            ("all_legal", "= 1 2"),
            ("webcoords", "? unknown command: webcoords"),
            // Records have one notation, whatever the notation of the session is.
            ("gridcoords", "="),
            ("printsgf", "= (;FF[4]GM[Nim\\]]\n;W[2];B[2])"),
        ],
    );
}

#[test]
fn a_search_is_told_as_text_sgf_json_and_picture() {
    let mut server = server();
    for before in ["pv", "move_stats", "tree_sgf", "tree_json", "heatmap_svg"] {
        let none = "? nothing was searched in this game: genmove, analyze or solve first";
        assert_eq!(say(&mut server, before), none);
    }
    script(
        &mut server,
        &[
            ("boardsize 4", "="),
            ("play w 1", "="),
            ("reg_genmove b", "= swap"),
            ("showboard", "=\npie:o:3 second"),
            ("solve 10 x", "? syntax error: solve [SECONDS]"),
            ("solve -1", "? syntax error: -1 seconds: 0 to 31557600"),
        ],
    );
    for search in ["analyze", "analyze 10", "analyze 10 3", "solve", "solve_dfpn 10"] {
        let told = say(&mut server, search);
        let outcome =
            if search.starts_with("solve") { "= black\nline swap 1" } else { "= value 999997 outcome black" };
        assert!(told.starts_with(outcome), "{search}: {told}");
        assert!(say(&mut server, "pv").starts_with("= swap 1 "), "{search}");
        assert!(say(&mut server, "move_stats").contains("\nswap value 999997 pv swap 1 "), "{search}");
        let sgf = say(&mut server, "tree_sgf");
        assert!(sgf.starts_with("= (;FF[4]GM[Nim\\]]\n;W[1];B[swap]C[value 999997];W[1];B["), "{sgf}");
        let json = say(&mut server, "tree_json");
        let json: serde_json::Value = serde_json::from_str(json.trim_start_matches("= ")).unwrap();
        assert_eq!(
            (&json["best"], &json["moves"][0], &json["outcome"]),
            (&"swap".into(), &"1".into(), &"black".into())
        );
        assert_eq!(
            (&json["position"], &json["lines"][0]["line"][0]),
            (&"pie:o:3 second".into(), &"swap".into())
        );
        assert_eq!(
            say(&mut server, "heatmap_svg"),
            "= <svg>\n<text>Swap 0: 999997</text>\n</svg>",
            "{search}"
        );
    }
    // The tree belongs to the searched position, whatever moves were played since.
    let before = say(&mut server, "tree_sgf");
    script(&mut server, &[("play b 2", "="), ("play w 1", "=")]);
    assert_eq!(say(&mut server, "tree_sgf"), before);
    assert_eq!(say(&mut server, "printsgf"), "= (;FF[4]GM[Nim\\]]RE[W+]\n;W[1];B[2];W[1])");
}

#[test]
fn clocks_are_set_and_told() {
    let year = "31557600";
    script(
        &mut server(),
        &[
            ("time_settings 0 0 0", "="),
            ("time_settings 60 10 5", "="),
            ("time_settings 1.5 0 0", "="),
            ("time_settings -1 0 0", &format!("? syntax error: -1 seconds: 0 to {year}")),
            (
                "time_settings 1e300 0 0",
                &format!("? syntax error: 1{} seconds: 0 to {year}", "0".repeat(300)),
            ),
            ("time_settings 60 10", "? syntax error: time_settings MAIN PERIOD MOVES"),
            ("time_settings 60 10 -5", "? syntax error: `-5` is no number that fits here"),
            ("time_left w 5 0", "="),
            ("time_left green 5 0", "? syntax error: no colour `green`: white or black"),
            ("time_left b 5 4294967296", "? syntax error: `4294967296` is no number that fits here"),
            ("genmove w", "= 1"),
        ],
    );
}

fn serve(input: impl Into<Vec<u8>>, player: &str) -> String {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(input.into());
    Server::new(Everything::default(), player, 1).unwrap().serve(input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn whatever_the_bytes_are_each_command_has_one_reply() {
    let long = format!("7 {}", "a".repeat(MAX_LINE));
    let million = "b".repeat(1_000_000);
    let input =
        [b"1 name\n\xff\xfe\n\r\n", long.as_bytes(), b"\n", million.as_bytes(), b"\n2 name\r\n3 name"]
            .concat();
    let output = serve(input, "minimax");
    let replies: Vec<&str> = output.split_terminator("\n\n").collect();
    let expected = [
        "=1 Everything".to_owned(),
        "? unknown command: \u{fffd}\u{fffd}".to_owned(),
        format!("?7 a line of {} bytes: at most {MAX_LINE}", long.len()),
        format!("? a line of 1000000 bytes: at most {MAX_LINE}"),
        "=2 Everything".to_owned(),
        "=3 Everything".to_owned(),
    ];
    assert_eq!(replies, expected);
    // A text that would give a long refusal gives a short refusal.
    let refusal = serve(format!("play w {}\n", "\u{e9}".repeat(20_000)), "minimax");
    assert!(refusal.starts_with("? illegal move") && refusal.chars().count() < 450, "{refusal}");
}

#[test]
fn a_comment_of_any_length_is_left_out_and_digits_that_were_cut_off_are_no_id() {
    let comment = format!("# {}\n", "c".repeat(2 * MAX_LINE));
    let after = format!("1 name {comment}2 name\n");
    assert_eq!(serve(comment + &after, "minimax"), "=1 Everything\n\n=2 Everything\n\n");
    let spaces = " ".repeat(MAX_LINE - 2);
    for (line, id) in [("1234 name", ""), ("12 name", ""), ("1 name", "1"), ("1 1a", "1")] {
        let bytes = spaces.len() + line.len();
        let refused = format!("?{id} a line of {bytes} bytes: at most {MAX_LINE}\n\n=5 Everything\n\n");
        assert_eq!(serve(format!("{spaces}{line}\n5 name\n"), "minimax"), refused, "{line}");
    }
}

#[test]
fn nothing_is_answered_after_quit() {
    assert_eq!(serve("name\n5 quit\nname\n", "minimax"), "= Everything\n\n=5\n\n");
    assert_eq!(serve("", "minimax"), "");
}

#[test]
fn an_interrupt_ends_the_command_before_it_and_no_other() {
    // With a lost interrupt, this loop would not end.
    let game = "boardsize 2\ngenmove w\n# interrupt\ngenmove b\n#interrupt\n1 havannah_winner\nquit\n";
    for _ in 0..20 {
        assert_eq!(serve(game, "sleeper"), "=\n\n= 1\n\n= 1\n\n=1 black\n\n=\n\n");
    }
    let comments =
        "boardsize 2\ngenmove w # interrupt\n# interrupt please\n# interrupt\nplaygame\n# interrupt\n";
    assert_eq!(serve(comments, "sleeper"), "=\n\n= 1\n\n= 1\nblack\n\n");
}
