//! Programs that die, hang, flood their output, play illegal moves or break the protocol lose the games in which they do so, and
//! no others. This test has its own `main`: with the argument `engine=NAME` the same program is one of these engines.

use std::io::{BufRead, Write, stdin, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use stonework_arena::{
    Contestant, Event, Fault, GameLine, GtpContestant, GtpDialect, NotPlayed, Pace, Terms, Won, play,
};
use stonework_game::example::Nim;
use stonework_game::{ByPlayer, Player};
use stonework_roster::Clock;

/// The fault of an engine that moves second, as black: its name, and the beginning of the reason in the line of the lost game.
const MISDEEDS: [(&str, &str); 12] = [
    ("die", "died: "),
    ("hang", "timed out after 1."),
    ("flood", "flooded its output: "),
    ("illegal", "illegal move \"7\": "),
    ("nonsense", "illegal move \"xyzzy\": "),
    ("pass", "illegal move \"PASS\": the game is not over"),
    ("babble", "protocol: "),
    ("refuse", "protocol: the engine refuses `genmove black`: no"),
    ("rant", "protocol: the engine refuses `genmove black`: no no no"),
    ("resign", "resigned"),
    ("twice", "protocol: two answers to `genmove black`, the second of them `1`"),
    ("deaf", "died: the engine has "),
];

/// Engines without a fault. Some of them need time for `play`, the command with a move of the other side.
const HONEST: [&str; 5] = ["none", "foreign", "slow", "busy", "dawdle"];

/// The time that the engines `slow` and `busy` need for `play`.
const SLOW: Duration = Duration::from_millis(400);

/// The time that the engine `dawdle` needs for `play`.
const DAWDLE: Duration = Duration::from_secs(3);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).and_then(|argument| argument.strip_prefix("engine=")) {
        Some(misdeed) => engine(misdeed),
        // Programs that run tests one by one ask for a list of tests, or for the ignored tests. Here both are empty.
        None if arguments.iter().any(|argument| argument == "--list" || argument == "--ignored") => {}
        None => {
            every_misdeed_loses_its_game_and_no_other();
            a_program_that_does_not_start_loses_every_game();
            a_probe_says_what_is_wrong();
            a_program_with_other_words_is_understood();
            a_program_with_a_time_for_each_move_is_told_of_no_longer_one();
            a_flag_ends_a_game_whatever_an_engine_does();
            // These mostly wait.
            std::thread::scope(|scope| {
                scope.spawn(|| hearing_of_moves_is_on_the_clock("slow"));
                scope.spawn(|| hearing_of_moves_is_on_the_clock("busy"));
                scope.spawn(an_engine_that_needs_too_long_loses_on_time);
            });
            println!("misbehaving: ok");
        }
    }
}

/// An engine of the game of Nim in which a move takes one or two. The engine commits its fault at `genmove black`.
fn engine(misdeed: &str) {
    let (mut left, mut size, foreign) = (0_u8, 0_u8, misdeed == "foreign");
    let (timed, mut period) = (misdeed == "timed", String::new());
    let number = |word: &str| match word {
        "un" if foreign => 1,
        "deux" if foreign => 2,
        digits => digits.parse().unwrap_or(0),
    };
    for line in stdin().lock().lines() {
        let Ok(line) = line else { return };
        let words: Vec<&str> = line.split(' ').collect();
        // The engine `foreign` does not repeat ids, and accepts unknown commands.
        let has_id = !foreign && words[0].bytes().all(|byte| byte.is_ascii_digit());
        let (id, words) = if has_id { (words[0], &words[1..]) } else { ("", &words[..]) };
        let mut reply = "=".to_owned();
        match words[0] {
            "boardsize" => size = number(words[1]),
            "clear_board" => left = size,
            // The engine `timed` says how long it would think.
            "time_settings" if timed => words[2].clone_into(&mut period),
            "time_left" if timed => reply = String::from("?a game of one move"),
            "genmove" if timed => reply = format!("={period}"),
            "play" | "genmove" if foreign != ["rouge", "bleu"].contains(&words[1]) => {
                reply = String::from("?whose");
            }
            "play" => {
                take_time(misdeed);
                left -= number(words[2]);
            }
            "genmove" if words[1] == "black" && !HONEST.contains(&misdeed) => {
                reply = faulty_answer(misdeed, id);
            }
            "genmove" => {
                let take = if left.is_multiple_of(3) { 1 } else { left % 3 };
                left -= take;
                let words = if foreign { ["=un", "=deux"] } else { ["=1", "=2"] };
                words[usize::from(take) - 1].clone_into(&mut reply);
            }
            _ => {}
        }
        let text = reply.split_off(reply.len().min(1));
        print!("{reply}{id} {text}\n\n");
        let _ = stdout().flush();
    }
}

/// Takes the time that an engine needs for `play`.
fn take_time(misdeed: &str) {
    match misdeed {
        "dawdle" => std::thread::sleep(DAWDLE),
        "slow" => std::thread::sleep(SLOW),
        "busy" => {
            let since = cpu_time::ThreadTime::now();
            while since.elapsed() < SLOW {
                for i in 0..10_000 {
                    std::hint::black_box(i);
                }
            }
        }
        _ => {}
    }
}

/// The sign and the text of the answer of an engine with a fault to `genmove`. Some engines print a part of the answer
/// themselves, and some do not return.
fn faulty_answer(misdeed: &str, id: &str) -> String {
    match misdeed {
        "die" => std::process::exit(3),
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(3600));
        },
        "flood" => {
            print!("={id} ");
            // The loop ends when the pipe breaks.
            while writeln!(stdout(), "{}", "na ".repeat(1000)).is_ok() {}
            std::process::exit(4)
        }
        "illegal" => "=7".to_owned(),
        "nonsense" => "=xyzzy".to_owned(),
        "pass" => "=PASS".to_owned(),
        "babble" => {
            println!("I had rather not\n");
            String::new()
        }
        // Two megabytes: more than a line of a log, and less than a reply may have.
        "rant" => format!("?{}", "no ".repeat(700_000)),
        "resign" => "=resign".to_owned(),
        "twice" => {
            print!("={id} 1\n\n");
            "=1".to_owned()
        }
        "deaf" => {
            // The engine becomes a program that answers this command and reads nothing more: its input is closed.
            #[cfg(unix)]
            {
                use std::os::unix::process::CommandExt;
                let mut sleeper = std::process::Command::new("sh");
                let script = format!("printf '={id} 1\\n\\n'; exec sleep 1000");
                let _ = sleeper.arg("-c").arg(script).stdin(std::process::Stdio::null()).exec();
            }
            std::process::exit(5)
        }
        _ => "?no".to_owned(),
    }
}

/// The size of the heap at the start.
const HEAP: u8 = 13;

/// The engine with this fault.
fn program(misdeed: &str) -> GtpContestant {
    GtpContestant::new(program_line(misdeed), GtpDialect::PLAIN, HEAP.into())
}

fn terms() -> Terms {
    let (grace, patience) = (Duration::from_secs(1), Duration::from_secs(30));
    Terms { pace: Pace::Move(Duration::from_millis(500)), grace, patience, max_plies: None }
}

/// Plays a match of the engine `none` against another engine, `rounds` pairs of games.
fn games(against: &GtpContestant, rounds: usize) -> Vec<GameLine> {
    games_on(terms(), against, rounds)
}

fn games_on(terms: Terms, against: &GtpContestant, rounds: usize) -> Vec<GameLine> {
    let event = Event {
        start: Nim::new(HEAP),
        players: 2,
        terms,
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
                assert!(line.reason.len() < 1000, "{misdeed}: {} bytes", line.reason.len());
            } else {
                assert_eq!(line.reason, "rules", "{misdeed}: {line:?}");
                assert!(line.moves.len() > 6, "{misdeed}: {line:?}");
            }
        }
        println!("{misdeed}: {:.1} s", since.elapsed().as_secs_f64());
    }
    // Without a fault, the first player takes one of 13 and hands over 12. From there the first player wins every game.
    let fair = games(&program("none"), 4);
    assert!(fair.iter().all(|line| line.reason == "rules"), "{fair:?}");
    assert_eq!((fair[0].result, fair[1].result), (Won::First, Won::First));
}

fn a_program_that_does_not_start_loses_every_game() {
    let missing = GtpContestant::new("./no-such-program-here --gtp", GtpDialect::PLAIN, HEAP.into());
    // The second pair has an opening, but a game that does not start has no moves.
    for line in games(&missing, 2) {
        let winner = if line.players[0] == 0 { Won::First } else { Won::Second };
        assert_eq!((line.result, line.moves.len(), line.opening), (winner, 0, 0));
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

/// The clock of a game may ask for less than the time for a move, and never for more; a short time is not 0, which is no limit.
fn a_program_with_a_time_for_each_move_is_told_of_no_longer_one() {
    let (game, patience) = (Nim::new(HEAP), Duration::from_secs(30));
    let mut engine = program("timed").contestant::<Nim>();
    let mut said = |time: f64, clocks: &[Option<f64>]| -> Vec<String> {
        let terms = Terms { pace: Pace::Move(Duration::from_secs_f64(time)), ..terms() };
        engine.prepare(&game, Player::First, 1, &terms).unwrap();
        let mut say = |left: &Option<f64>| {
            let clock = Clock { left: left.map(Duration::from_secs_f64), ..Clock::NONE };
            match engine.choose(&game, &clock, patience) {
                Err(Fault::Illegal { text, .. }) => text,
                other => panic!("{other:?}"),
            }
        };
        clocks.iter().map(&mut say).collect()
    };
    let clocks = [None, Some(300.0), Some(2.0), Some(300.0), Some(0.006)];
    assert_eq!(said(0.5, &clocks), ["0.5", "0.5", "0.1", "0.5", "0.0003"]);
    assert_eq!(said(0.000_2, &[None]), ["0.0002"]);
}

/// In a game, the time of every command, `play` as well as `genmove`, counts on the clock and in the game's line.
fn hearing_of_moves_is_on_the_clock(misdeed: &str) {
    let (long, slow) = (Duration::from_secs(60), SLOW.as_secs_f64());
    let since = Instant::now();
    let lines = games_on(Terms { pace: Pace::Move(long), ..terms() }, &program(misdeed), 2);
    let wall = since.elapsed().as_secs_f64();
    for line in &lines {
        assert_eq!(line.reason, "rules", "{misdeed}: {line:?}");
        let side = usize::from(line.players[1] == 1);
        // The engine gets `play` for each move of the opening, and for each move of the other side but a move that ends the game.
        let commands = line.moves[..line.moves.len() - 1].iter().enumerate();
        let commands = commands.filter(|(ply, _)| *ply < line.opening || ply % 2 != side).count();
        let least = slow * commands as f64;
        assert!(commands > 1 && line.seconds[side] >= least, "{misdeed}: {commands} in {line:?}");
        assert!(line.seconds[0] + line.seconds[1] <= wall, "{misdeed}: {line:?} within {wall}");
        // The system counts processor time in coarse steps, hence the tolerances.
        if let (Some(cpu), "busy") = (line.cpu_seconds[side], misdeed) {
            assert!(cpu >= 0.8 * least && cpu <= 2.0 * wall, "{line:?}");
        }
    }
}

/// `dawdle` needs 3 s for each move: more than a pace of 0.5 s and a grace of 1 s. Two moves need 6 s: more than a clock of 3 s
/// and a grace of 1.5 s.
fn an_engine_that_needs_too_long_loses_on_time() {
    let clock = Pace::Game { base: DAWDLE, increment: Duration::ZERO };
    let clock = Terms { pace: clock, grace: DAWDLE / 2, ..terms() };
    for (terms, reason) in [(terms(), "timed out after 1."), (clock, "timed out after ")] {
        for line in games_on(terms, &program("dawdle"), 1) {
            let winner = if line.players[0] == 0 { Won::First } else { Won::Second };
            assert!(line.result == winner && line.reason.starts_with(reason), "{line:?}");
        }
    }
}

fn a_flag_ends_a_game_whatever_an_engine_does() {
    // One program hangs at its first move, the other program at its start.
    for (command, opening) in [(program_line("hang"), 1), ("sleep 1000".to_owned(), 0)] {
        let stop = Arc::new(AtomicBool::new(false));
        let day = Duration::from_secs(86_400);
        let terms = Terms { pace: Pace::Own, patience: day, ..terms() };
        let hangs = GtpContestant::new(command, GtpDialect::PLAIN, HEAP.into()).cancel(Arc::clone(&stop));
        let good = program("none").cancel(Arc::clone(&stop));
        let (mut first, mut second) = (good.contestant::<Nim>(), hangs.contestant::<Nim>());
        let set = Arc::clone(&stop);
        let setter = std::thread::spawn(move || {
            std::thread::sleep(SLOW);
            set.store(true, Ordering::Relaxed);
        });
        let played = play(
            &Nim::new(HEAP),
            &vec![1; opening],
            ByPlayer::new(&mut *first, &mut *second),
            ByPlayer::new(1, 2),
            &terms,
            &stop,
        );
        assert_eq!(played, Err(NotPlayed::Stopped));
        setter.join().unwrap();
    }
}

fn a_probe_says_what_is_wrong() {
    assert!(program("none").probe(&terms()).unwrap());
    assert!(!program("foreign").probe(&terms()).unwrap(), "it does not repeat ids");
    let probe = |command: &str, dialect, terms: &Terms| {
        GtpContestant::new(command, dialect, 5).probe(terms).unwrap_err().to_string()
    };
    let half = probe(&program_line("none"), GtpDialect::LAJKONIK, &terms());
    assert_eq!(half, "does not start: lajkonik thinks in whole seconds, at least 1, not 0.5");
    let quote = probe("engine 'with", GtpDialect::PLAIN, &terms());
    assert!(quote.contains("a quote is not closed"), "{quote}");
}

fn program_line(misdeed: &str) -> String {
    format!("'{}' engine={misdeed}", std::env::current_exe().unwrap().display())
}
