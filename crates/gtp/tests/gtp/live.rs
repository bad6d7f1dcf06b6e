//! Analyses that report while they search, through pipes as a front end has them.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{JoinHandle, spawn};

use stonework_gtp::{Server, SessionHost, SessionHostOptions};
use stonework_session::Registry;

const GAMES: [(&str, u64); 3] = [("havannah", 4), ("cachex", 4), ("cover", 2)];

fn server(game: &str, size: u64) -> Server<SessionHost> {
    let registry = Registry::standard();
    let game = registry.game(game).unwrap();
    let options = SessionHostOptions { size: Some(size), ..SessionHostOptions::default() };
    Server::new(SessionHost::new(game, options).unwrap(), game.usual_player(), 1).unwrap()
}

/// A server in a thread, behind two pipes.
struct FrontEnd {
    commands: PipeWriter,
    replies: BufReader<PipeReader>,
    server: JoinHandle<()>,
}

impl FrontEnd {
    fn new(game: &str, size: u64) -> Self {
        let ((input, commands), (replies, output)) = (pipe().unwrap(), pipe().unwrap());
        let mut server = server(game, size);
        let server = spawn(move || server.serve(BufReader::new(input), output).unwrap());
        Self { commands, replies: BufReader::new(replies), server }
    }

    fn send(&mut self, text: &str) {
        self.commands.write_all(text.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.replies.read_line(&mut line).unwrap() > 0, "the output has ended");
        line.trim_end_matches('\n').to_owned()
    }

    /// The lines up to the empty line that ends a reply.
    fn rest(&mut self) -> Vec<String> {
        std::iter::repeat_with(|| self.line()).take_while(|line| !line.is_empty()).collect()
    }

    fn quit(mut self) {
        self.send("quit\n");
        drop(self.commands);
        self.server.join().unwrap();
    }
}

/// A move of a line: its name, its numbers by name, and the line that begins with it.
type Info = (String, Vec<(String, f64)>, Vec<String>);

/// Reads `info move X NAME NUMBER … pv X …`, once for each move; a last part `rootInfo` is left out.
fn infos(line: &str) -> Vec<Info> {
    let line = line.split(" rootInfo ").next().unwrap();
    let parts = line.strip_prefix("info ").unwrap_or_else(|| panic!("no findings: {line}")).split(" info ");
    let info = |part: &str| {
        let (head, pv) = part.split_once(" pv ").unwrap_or_else(|| panic!("no line of play: {part}"));
        let words: Vec<&str> = head.split(' ').collect();
        let (mv, numbers) = words.split_at(2);
        assert_eq!(mv[0], "move", "{part}");
        let pair = |pair: &[&str]| (pair[0].to_owned(), pair[1].parse().unwrap());
        let pv: Vec<String> = pv.split(' ').map(str::to_owned).collect();
        assert_eq!(pv[0], mv[1], "the line begins with its move");
        (mv[1].to_owned(), numbers.chunks(2).map(pair).collect(), pv)
    };
    parts.map(info).collect()
}

fn names(info: &Info) -> Vec<&str> {
    info.1.iter().map(|(name, _)| name.as_str()).collect()
}

fn value(info: &Info, name: &str) -> f64 {
    info.1.iter().find(|(known, _)| known == name).unwrap().1
}

#[test]
fn an_analysis_reports_every_interval_until_the_next_line() {
    for (game, size) in GAMES {
        let mut front = FrontEnd::new(game, size);
        front.send("all_legal\n");
        let legal = front.rest().join(" ");
        for (end, answer) in [("\n", None), ("stop\n", Some("=")), ("7 name\n", Some("=7 Stonework"))] {
            front.send("lz-analyze 3\n");
            assert_eq!(front.line(), "=", "{game}");
            let mut reported = [front.line(), front.line(), front.line()].to_vec();
            front.send(end);
            reported.extend(front.rest());
            for line in &reported {
                let infos = infos(line);
                for (order, info) in infos.iter().enumerate() {
                    assert_eq!(names(info), ["visits", "winrate", "lcb", "order"], "{game}");
                    assert!(legal.split(' ').any(|mv| mv == info.0), "{game}: {}", info.0);
                    assert!((0.0..=10_000.0).contains(&value(info, "winrate")), "{line}");
                    assert!(value(info, "lcb") <= value(info, "winrate"), "{line}");
                    assert_eq!(value(info, "order") as usize, order, "{line}");
                }
            }
            if let Some(answer) = answer {
                assert_eq!(front.rest(), [answer], "{game} after {end:?}");
            }
        }
        // The analysis has played nothing, and its findings stay.
        front.send("printsgf\nmove_stats\n");
        assert!(!front.rest().join("").contains(";B"), "{game}");
        assert!(front.rest()[0].starts_with("= value "), "{game}");
        front.quit();
    }
}

#[test]
fn every_engine_of_every_game_reports_its_moves() {
    for (game, size) in GAMES {
        let mut front = FrontEnd::new(game, size);
        front.send("list_commands\n");
        let commands = front.rest();
        let engines = commands.iter().filter_map(|name| name.strip_prefix("solve_"));
        let engines: Vec<&str> = engines.collect();
        assert!(engines.len() > 2, "{game}: {engines:?}");
        for engine in engines {
            front.send(&format!("engine {engine}\n"));
            assert_eq!(front.rest(), ["="], "{game}, {engine}");
            front.send("kata-analyze 2 rootInfo true\n");
            std::thread::sleep(std::time::Duration::from_millis(50));
            front.send("stop\n");
            let reply = front.rest();
            assert_eq!(front.rest(), ["="], "{game}, {engine}");
            assert_eq!(reply[0], "=", "{game}, {engine}: {reply:?}");
            // A solver may have no move before it has its answer.
            for line in &reply[1..] {
                let (moves, root) = line.split_once(" rootInfo ").expect("a part about the position");
                assert!(
                    root.starts_with("visits ")
                        && root.contains(" winrate 0.") | root.contains(" winrate 1.")
                );
                for info in infos(moves) {
                    assert_eq!(names(&info), ["visits", "utility", "winrate", "lcb", "order"], "{engine}");
                    let (rate, utility) = (value(&info, "winrate"), value(&info, "utility"));
                    assert!(
                        (0.0..=1.0).contains(&rate) && (2.0 * rate - 1.0 - utility).abs() < 1e-5,
                        "{line}"
                    );
                }
            }
        }
        front.quit();
    }
}

/// The reply to a line without its end; a live analysis ends after its first interval.
fn say(server: &mut Server<SessionHost>, line: &str) -> String {
    server.line(line).unwrap().to_string().trim_end().to_owned()
}

#[test]
fn colours_intervals_and_keys_are_read() {
    // A search on a busy machine has a report within 0.3 s.
    let mut server = server("havannah", 4);
    for line in [
        "lz-analyze",
        "lz-analyze 30",
        "lz-analyze white 30",
        "9 lz-analyze W interval 30 minmoves 3",
        "analyze w 30 maxmoves 2",
        "kata-analyze 30 ownership false rootInfo false pvVisits false",
    ] {
        let reply = say(&mut server, line);
        let (status, found) = reply.split_once('\n').unwrap_or_else(|| panic!("{line}: {reply}"));
        assert_eq!(status, if line.starts_with('9') { "=9" } else { "=" }, "{line}");
        let moves = infos(found).len();
        assert!(if line.contains("maxmoves") { moves <= 2 } else { moves > 2 }, "{line}: {moves} moves");
    }
    // Without a colour the command is the older one, with seconds.
    assert!(say(&mut server, "analyze 0.01 2").starts_with("= value "));
}

#[test]
fn refused_analyses_say_why() {
    let mut server = server("havannah", 4);
    for (line, refusal) in [
        ("lz-analyze black 5", "? illegal move: white is to move, not black"),
        ("lz-analyze red", "? syntax error: red without a value"),
        ("lz-analyze 0", "? syntax error: an interval of 0 centiseconds: 1 to 360000"),
        ("lz-analyze -5", "? syntax error: `-5` is no number that fits here"),
        (
            "lz-analyze 5 colour blue",
            "? syntax error: no key `colour`: interval, minmoves, maxmoves or rootInfo",
        ),
        ("lz-analyze 5 rootInfo maybe", "? syntax error: `maybe` is neither true nor false"),
        ("kata-analyze 5 ownership true", "? ownership: no player here says which side will own a cell"),
        ("kata-analyze 5 avoid w a1 3", "? avoid: every search looks at all legal moves"),
    ] {
        assert_eq!(say(&mut server, line), refusal, "{line}");
    }
    for mv in ["white a1", "black d4", "white a2", "black c4", "white a3", "black b3", "white a4"] {
        assert_eq!(say(&mut server, &format!("play {mv}")), "=", "{mv}");
    }
    assert_eq!(say(&mut server, "lz-analyze 5"), "? the game is over");
    let mut heap = Server::new(stonework_gtp::example::Heap, "minimax", 1).unwrap();
    let reply = heap.line("lz-analyze 5").unwrap();
    assert_eq!(reply.result(), Err("minimax does not report while it searches"));
}

#[test]
fn options_hold_in_an_analysis_and_the_player_is_as_before() {
    let mut server = server("havannah", 4);
    let first = say(&mut server, "reg_genmove white");
    say(&mut server, "set_option lines 3");
    say(&mut server, "set_option simulations 50");
    // The limits of moves do not end an analysis.
    let reply = say(&mut server, "lz-analyze 20 maxmoves 1");
    let visits = value(&infos(reply.split_once('\n').unwrap().1)[0], "visits");
    assert!(visits > 50.0, "{reply}");
    assert!(say(&mut server, "list_options").contains("lines 3 "));
    assert!(first.starts_with("= "));
}
