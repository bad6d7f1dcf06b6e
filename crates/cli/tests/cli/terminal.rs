//! `tui` and progress bars in a real terminal: a pseudo-terminal with the screen that its output makes.
#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Pts, Pty};

use crate::common::file;

/// The longest wait on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A program in a terminal of 80 × 24 characters.
struct Terminal {
    pty: Arc<Pty>,
    /// The side of the program, which keeps the settings of the terminal.
    side: Pts,
    child: Child,
    screen: Arc<Mutex<vt100::Parser>>,
    output: Arc<Mutex<Vec<u8>>>,
    /// The settings of the terminal before the program.
    before: String,
}

fn settings(side: &Pts) -> String {
    format!("{:?}", rustix::termios::tcgetattr(side).unwrap())
}

impl Terminal {
    fn new(program: &str, args: &[&str]) -> Self {
        let (pty, side) = pty_process::blocking::open().unwrap();
        pty.resize(Size::new(24, 80)).unwrap();
        let (pty, before) = (Arc::new(pty), settings(&side));
        let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/cli");
        std::fs::create_dir_all(folder).unwrap();
        let mut command = pty_process::blocking::Command::new(program)
            .args(args)
            .env("TERM", "xterm-256color")
            .env("STONEWORK", env!("CARGO_BIN_EXE_stonework"))
            .env_remove("NO_COLOR")
            .current_dir(folder);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
        let output = Arc::new(Mutex::new(Vec::new()));
        let (reader, all, seen) = (Arc::clone(&pty), Arc::clone(&output), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = (&*reader).read(&mut part) {
                seen.lock().unwrap().process(&part[..count]);
                all.lock().unwrap().extend(&part[..count]);
            }
        });
        let child = command.spawn_borrowed(&side).unwrap();
        Self { pty, side, child, screen, output, before }
    }

    /// The program `stonework tui` with these arguments.
    fn tui(args: &[&str]) -> Self {
        Self::new(env!("CARGO_BIN_EXE_stonework"), &[&["tui"], args].concat())
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn keys(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen has a text.
    fn until(&self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    fn wait(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let since = Instant::now();
        while !holds(&self.text()) {
            assert!(since.elapsed() < LONG, "no `{what}` on the screen:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end of the program. The terminal has its settings and its screen again. Returns the exit code.
    fn end(mut self) -> Option<i32> {
        let since = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(since.elapsed() < LONG, "the program does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(settings(&self.side), self.before);
        let own = |terminal: &Self| {
            let parser = terminal.screen.lock().unwrap();
            let mouse = parser.screen().mouse_protocol_mode();
            parser.screen().alternate_screen()
                || parser.screen().hide_cursor()
                || mouse != vt100::MouseProtocolMode::None
        };
        while own(&self) {
            assert!(since.elapsed() < LONG, "the screen is not given back:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
        status.code()
    }
}

/// A program whose window is closed ends.
#[test]
fn the_end_of_the_terminal_is_the_end_of_the_program() {
    let (mut pty, side) = pty_process::blocking::open().unwrap();
    pty.resize(Size::new(24, 80)).unwrap();
    let command = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_stonework")).args(["tui"]);
    let mut child = command.env("TERM", "xterm-256color").spawn(side).unwrap();
    let (mut output, mut part) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&output).contains("havannah") {
        let count = pty.read(&mut part).unwrap();
        output.extend(&part[..count]);
    }
    drop(pty);
    let since = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if since.elapsed() > LONG {
            child.kill().unwrap();
            panic!("the program goes on without a terminal");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_game_is_played_in_a_real_terminal() {
    let terminal = Terminal::tui(&["--size", "3", "--no-swap", "--black", "mcts", "--simulations", "20"]);
    terminal.until("move 0, white to move");
    assert_ne!(settings(&terminal.side), terminal.before, "the terminal is not taken");
    terminal.keys(":c3\r");
    terminal.until("move 2, white to move");
    assert!(terminal.text().contains("black: mcts"), "{}", terminal.text());
    // A click on the first cell: column and row of the terminal count from 1.
    let text = terminal.text();
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.trim_start().starts_with("a ")).unwrap();
    let column = line.find("a ").unwrap() + 3;
    terminal.keys(&format!("\u{1b}[<0;{};{}M\u{1b}[<0;{};{}m", column, row + 1, column, row + 1));
    terminal.wait("another move", |screen| {
        screen.contains("move 4") || screen.contains("wins") || screen.contains("occupied")
    });
    terminal.keys("?");
    terminal.until("write a comment on the position");
    terminal.keys("?q");
    terminal.until("quit without saving");
    terminal.keys("y");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_new_size_is_drawn() {
    let terminal = Terminal::tui(&["--game", "cachex", "--size", "5"]);
    terminal.until("legal");
    terminal.screen.lock().unwrap().screen_mut().set_size(9, 30);
    terminal.pty.resize(Size::new(9, 30)).unwrap();
    terminal.wait("a small screen", |screen| screen.contains("cachex 5") && !screen.contains("legal"));
    terminal.keys("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_signal_ends_the_program_and_gives_the_terminal_back() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        let terminal = Terminal::tui(&["--size", "4", "--white", "mcts", "--seconds", "3600"]);
        // The player thinks for an hour: nobody waits for it.
        terminal.keys("2");
        terminal.until("mcts decides");
        terminal.until("simulations");
        let id = terminal.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert_eq!(terminal.end(), Some(0), "{signal}");
    }
}

/// A shell with job control, as a user has it.
#[test]
fn the_program_is_suspended_and_goes_on() {
    let script = "\"$STONEWORK\" tui --size 3; echo 'stopped'; read line; fg; echo over";
    let terminal = Terminal::new("bash", &["-m", "-c", script]);
    terminal.until("move 0");
    terminal.keys(":a1\r");
    terminal.until("move 1");
    terminal.keys("\u{1a}");
    terminal.until("stopped");
    assert!(!terminal.screen.lock().unwrap().screen().alternate_screen());
    assert_eq!(settings(&terminal.side), terminal.before);
    terminal.keys("\n");
    terminal.until("move 1");
    assert_ne!(settings(&terminal.side), terminal.before);
    terminal.keys("u");
    terminal.until("move 0");
    terminal.keys("qy");
    terminal.until("over");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_plain_screen_has_no_colours() {
    for (args, coloured) in [(&["--size", "3", "--plain"][..], false), (&["--size", "3"], true)] {
        let terminal = Terminal::tui(args);
        terminal.until("legal");
        let output = String::from_utf8_lossy(&terminal.output.lock().unwrap()).into_owned();
        assert_eq!(output.contains("8;5;"), coloured, "{args:?}: {output:?}");
        terminal.keys("q");
        assert_eq!(terminal.end(), Some(0));
    }
}

#[test]
fn a_record_is_opened_annotated_and_saved() {
    let path = file("tui.sgf", b"(;FF[4]GM[Havannah]SZ[4];W[d4];B[d5];W[e5])");
    let terminal = Terminal::tui(&[&path]);
    terminal.until("move 0 of 3");
    terminal.keys("\u{1b}[F");
    terminal.until("move 3");
    terminal.keys("cthree in a row\rw\r");
    // The file was opened and not yet written: it may hold more than is shown.
    terminal.until("replace it?");
    terminal.keys("y");
    terminal.until("saved: ");
    terminal.keys("q");
    assert_eq!(terminal.end(), Some(0));
    assert!(std::fs::read_to_string(&path).unwrap().contains("three in a row"));
}

#[test]
fn a_proof_gives_the_values_of_the_moves() {
    let proof = file("tui.proof", b"");
    std::fs::remove_file(&proof).unwrap();
    let solved = crate::common::run(&["solve", "--size", "3", "--moves", "a1", "--proof", &proof]);
    assert_eq!(solved.code, Some(0), "{}", solved.err);
    let terminal = Terminal::tui(&["--size", "3", "--no-swap", "--moves", "a1", "--certificate", &proof]);
    terminal.until("legal");
    terminal.keys("4");
    terminal.until("(proof)");
    assert!(terminal.text().contains("white wins within"), "{}", terminal.text());
    terminal.keys("q");
    assert_eq!(terminal.end(), Some(0));
}

/// A proof of 6 MB is read for seconds. Without a terminal, the same commands write nothing to standard error, which the tests of
/// their output check.
#[test]
fn the_reading_of_a_proof_shows_its_progress() {
    let proof = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/havannah-size4.proof");
    for args in [&["verify", proof][..], &["solve", "--explore", proof]] {
        let mut terminal = Terminal::new(env!("CARGO_BIN_EXE_stonework"), args);
        terminal.until(" of 6,054,217 bytes, ");
        terminal.child.kill().unwrap();
        terminal.child.wait().unwrap();
    }
}

/// Ctrl-C ends a search of a dialogue, and at the prompt the dialogue.
#[test]
fn a_dialogue_goes_on_after_a_search_that_is_stopped() {
    let proof = file("stopped.proof", b"");
    crate::common::run_words(&format!("solve --size 2 --proof {proof}"));
    let args = ["solve", "--explore", &proof, "--size", "5", "--nodes", "1000000000000"];
    let terminal = Terminal::new(env!("CARGO_BIN_EXE_stonework"), &args);
    terminal.until("asks the solver");
    for search in 1..=2 {
        terminal.keys("solve\n");
        std::thread::sleep(Duration::from_millis(200));
        terminal.keys("\x03");
        terminal.wait("an answer", |screen| screen.matches("ended by: cancel").count() == search);
        assert!(!terminal.text().contains("solver, 0 nodes"), "{}", terminal.text());
    }
    terminal.keys("\x03");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn the_examples_of_the_help_start() {
    file("game.sgf", b"(;FF[4]GM[Havannah]SZ[4];W[d4];B[d5])");
    let output = Command::new(env!("CARGO_BIN_EXE_stonework")).args(["tui", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let (_, examples) = help.split_once("Examples:\n").unwrap();
    let examples: Vec<&str> = examples.lines().filter_map(|line| line.strip_prefix("  stonework ")).collect();
    assert!(examples.len() >= 3, "{help}");
    for example in examples {
        let words: Vec<&str> = example.split(' ').collect();
        let terminal = Terminal::new(env!("CARGO_BIN_EXE_stonework"), &words);
        terminal.until("? shows the keys");
        terminal.keys("q");
        assert_eq!(terminal.end(), Some(0), "{example}");
    }
}

#[test]
fn without_a_terminal_there_is_one_line_of_error() {
    let ran = crate::common::run(&["tui", "--size", "3"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.contains("have to be a terminal"), "{}", ran.err);
}
