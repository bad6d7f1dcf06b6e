//! Programs that die, hang, flood their output, play illegal moves or break the protocol lose those games and
//! no others. This test is a program of its own that is also each of these engines.

use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use stonework_arena::{Contestant, Dialect, Event, GameLine, GtpContestant, Pace, Terms, Won};
use stonework_game::example::Nim;

/// What an engine does wrong when it moves second, and how the reason begins.
const MISDEEDS: [(&str, &str); 9] = [
    ("die", "died: "),
    ("hang", "timed out after 1."),
    ("flood", "flooded its output: "),
    ("illegal", "illegal move \"7\": "),
    ("nonsense", "illegal move \"xyzzy\": "),
    ("pass", "illegal move \"PASS\": the game is not over"),
    ("babble", "protocol: "),
    ("refuse", "protocol: the engine refuses `genmove black`: no"),
    ("resign", "resigned"),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).and_then(|argument| argument.strip_prefix("engine=")) {
        Some(misdeed) => engine(misdeed),
        // Nothing to list for programs that run tests one by one.
        None if arguments.iter().any(|argument| argument == "--list") => {}
        None => {
            every_misdeed_loses_its_game_and_no_other();
            a_program_that_does_not_start_loses_every_game();
            a_probe_says_what_is_wrong();
            a_program_with_other_words_is_understood();
            println!("misbehaving: ok");
        }
    }
}

/// Takes one or two in turn, as a program would, and does wrong when it is asked for a move as black.
fn engine(misdeed: &str) {
    let (mut left, mut size, foreign) = (0_u8, 0_u8, misdeed == "foreign");
    let number = |word: &str| match word {
        "un" if foreign => 1,
        "deux" if foreign => 2,
        digits => digits.parse().unwrap_or(0),
    };
    for line in stdin().lock().lines() {
        let Ok(line) = line else { return };
        let words: Vec<&str> = line.split(' ').collect();
        let mut reply = "= ".to_owned();
        match words[0] {
            "boardsize" => size = number(words[1]),
            "clear_board" => left = size,
            "play" | "genmove" if foreign != ["rouge", "bleu"].contains(&words[1]) => {
                reply = String::from("? whose");
            }
            "play" => left -= number(words[2]),
            "genmove" if words[1] == "black" && misdeed != "none" => reply = wrong(misdeed),
            "genmove" => {
                let take = if left.is_multiple_of(3) { 1 } else { left % 3 };
                left -= take;
                reply = format!(
                    "= {}",
                    if foreign {
                        ["un", "deux"][usize::from(take) - 1]
                    } else {
                        ["1", "2"][usize::from(take) - 1]
                    }
                );
            }
            _ => {}
        }
        print!("{reply}\n\n");
        let _ = stdout().flush();
    }
}

fn wrong(misdeed: &str) -> String {
    match misdeed {
        "die" => std::process::exit(3),
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(3600));
        },
        "flood" => {
            print!("= ");
            // Until the pipe breaks.
            while writeln!(stdout(), "{}", "na ".repeat(1000)).is_ok() {}
            std::process::exit(4)
        }
        "illegal" => "= 7".to_owned(),
        "nonsense" => "= xyzzy".to_owned(),
        "pass" => "= PASS".to_owned(),
        "babble" => "I had rather not".to_owned(),
        "resign" => "= resign".to_owned(),
        _ => "? no".to_owned(),
    }
}

const HEAP: u8 = 13;

fn program(misdeed: &str) -> GtpContestant {
    let me = std::env::current_exe().unwrap();
    GtpContestant::new(format!("'{}' engine={misdeed}", me.display()), Dialect::PLAIN, HEAP.into())
}

fn terms() -> Terms {
    let (grace, patience) = (Duration::from_secs(1), Duration::from_secs(30));
    Terms { pace: Pace::Move(Duration::from_millis(500)), grace, patience, max_plies: None }
}

/// Plays a match of the engine without fault against another.
fn games(against: &GtpContestant, rounds: usize) -> Vec<GameLine> {
    let event = Event {
        start: Nim::new(HEAP),
        players: 2,
        terms: terms(),
        openings: vec![Vec::new(), vec![1], vec![2], vec![1, 1]].into_iter().cycle().take(rounds).collect(),
        seed: 1,
    };
    let good = program("none");
    let make = |player: usize| -> Box<dyn Contestant<Nim>> {
        if player == 0 { good.contestant() } else { against.contestant() }
    };
    let lines = Mutex::new(Vec::new());
    event.run(&make, &|_| false, 2, &AtomicBool::new(false), &mut |l| lines.lock().unwrap().push(l)).unwrap();
    let mut lines = lines.into_inner().unwrap();
    lines.sort_by_key(|line| line.game);
    assert_eq!(lines.len(), 2 * rounds);
    lines
}

fn every_misdeed_loses_its_game_and_no_other() {
    for (misdeed, reason) in MISDEEDS {
        let since = Instant::now();
        for line in games(&program(misdeed), 2) {
            if line.players == [0, 1] {
                assert_eq!(line.result, Won::First, "{misdeed}: {line:?}");
                assert!(line.reason.starts_with(reason), "{misdeed}: {line:?}");
            } else {
                assert_eq!(line.reason, "rules", "{misdeed}: {line:?}");
                assert!(line.moves.len() > 6, "{misdeed}: {line:?}");
            }
        }
        println!("{misdeed}: {:.1} s", since.elapsed().as_secs_f64());
    }
    // Nobody does wrong: 13 leaves the first player 12 to hand over, who wins every game from there.
    let fair = games(&program("none"), 4);
    assert!(fair.iter().all(|line| line.reason == "rules"), "{fair:?}");
    assert_eq!((fair[0].result, fair[1].result), (Won::First, Won::First));
}

fn a_program_that_does_not_start_loses_every_game() {
    let missing = GtpContestant::new("./no-such-program-here --gtp", Dialect::PLAIN, HEAP.into());
    for line in games(&missing, 1) {
        let winner = if line.players[0] == 0 { Won::First } else { Won::Second };
        assert_eq!((line.result, line.moves.len()), (winner, 0));
        assert!(
            line.reason.starts_with("does not start: `./no-such-program-here --gtp` does not start"),
            "{line:?}"
        );
    }
}

fn a_program_with_other_words_is_understood() {
    let words = [("1", "un"), ("2", "deux")];
    let to = move |text: &str| words.iter().find(|pair| pair.0 == text).map(|pair| pair.1.to_owned());
    let from = move |text: &str| words.iter().find(|pair| pair.1 == text).map(|pair| pair.0.to_owned());
    let foreign = program("foreign");
    let lines = games(&foreign.clone().colours("rouge", "bleu").translating(to, from), 4);
    assert!(lines.iter().all(|line| line.reason == "rules"), "{lines:?}");
    let lines = games(&foreign, 1);
    assert!(lines.iter().all(|line| line.reason.ends_with(": whose")), "{lines:?}");
}

fn a_probe_says_what_is_wrong() {
    program("none").probe(&terms()).unwrap();
    let probe = |command: &str, dialect, terms: &Terms| {
        GtpContestant::new(command, dialect, 5).probe(terms).unwrap_err().to_string()
    };
    let half = probe(&program_command(), Dialect::LAJKONIK, &terms());
    assert_eq!(half, "does not start: lajkonik thinks in whole seconds, at least 1, not 0.5");
    let quote = probe("engine 'with", Dialect::PLAIN, &terms());
    assert!(quote.contains("a quote is not closed"), "{quote}");
}

fn program_command() -> String {
    format!("'{}' engine=none", std::env::current_exe().unwrap().display())
}
