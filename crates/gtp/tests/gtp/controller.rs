//! The controller with engines that keep to the protocol, and with engines that break it.

use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stonework_gtp::example::Heap;
use stonework_gtp::{Controller, ControllerError, MAX_COMMAND, MAX_REPLY, Server};

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(150);

/// A controller of a server, which runs on a thread of its own.
fn heap() -> Controller {
    let ((commands, to_engine), (replies, from_engine)) = (pipe().unwrap(), pipe().unwrap());
    let serve = || Server::new(Heap, "minimax", 1).unwrap().serve(BufReader::new(commands), from_engine);
    thread::spawn(serve);
    Controller::over(replies, to_engine).unwrap()
}

/// An engine that answers the first command with a text, and no other command. The output of the engine stays open
/// until the writer is dropped.
fn saying(text: &'static [u8]) -> (Controller, PipeWriter) {
    let ((commands, to_engine), (replies, mouth)) = (pipe().unwrap(), pipe().unwrap());
    let mut once = mouth.try_clone().unwrap();
    thread::spawn(move || {
        let mut commands = BufReader::new(commands);
        commands.read_line(&mut String::new()).unwrap();
        once.write_all(text).unwrap();
        drop(once);
        // The thread reads the later commands, so that the controller can send them.
        let _ = std::io::copy(&mut commands, &mut std::io::sink());
    });
    (Controller::over(replies, to_engine).unwrap(), mouth)
}

#[test]
fn a_game_is_played_through_two_controllers() {
    let mut players = [heap(), heap()];
    for player in &mut players {
        assert_eq!(
            (player.name(LONG).unwrap().as_str(), player.version(LONG).unwrap().as_str()),
            ("Heap", "1.0")
        );
        assert!(player.knows("genmove", LONG).unwrap() && !player.knows("loadsgf", LONG).unwrap());
        player.send("boardsize 20", LONG).unwrap();
    }
    let mut moves = 0;
    while players[0].send("winner", LONG).unwrap() == "none" {
        let colour = ["white", "black"][moves % 2];
        let mv = players[moves % 2].send(&format!("genmove {colour}"), LONG).unwrap();
        players[1 - moves % 2].send(&format!("play {colour} {mv}"), LONG).unwrap();
        moves += 1;
    }
    // The heap has twenty stones, two more than a multiple of three. White takes two, and leaves a multiple of three
    // each time.
    for player in players {
        let mut player = player;
        assert_eq!(player.send("winner", LONG).unwrap(), "white");
        assert!(player.is_open());
        player.quit(LONG).unwrap();
    }
}

#[test]
fn a_refusal_leaves_the_session_open() {
    let mut heap = heap();
    let error = heap.send("genmove black", LONG).unwrap_err();
    assert!(
        matches!(&error, ControllerError::Refused { text, .. } if text.starts_with("illegal move")),
        "{error}"
    );
    for (text, why) in [("a\nb", "several lines"), (" ", "empty"), ("# x", "empty"), ("a\r", "several lines")]
    {
        let error = heap.send(text, LONG).unwrap_err();
        assert!(
            matches!(error, ControllerError::NoCommand { .. }) && error.to_string().contains(why),
            "{error}"
        );
    }
    let error = heap.send(&"a".repeat(MAX_COMMAND + 1), LONG).unwrap_err();
    assert!(error.to_string().ends_with("it is longer than 64 KiB"));
    assert_eq!(heap.send("genmove white", LONG).unwrap(), "1");
    assert!(heap.is_open());
}

#[test]
fn replies_of_several_lines_are_read_with_any_line_ends() {
    let (mut engine, _mouth) = saying(b"\n\r\n=\r\n  a\r\n\tb\x07c\r\n\r\n");
    assert_eq!(engine.send("showboard", LONG).unwrap(), "\n  a\n\tbc");
    let (mut engine, _mouth) = saying(b"?1 not today\n\n");
    assert_eq!(engine.send("x", LONG).unwrap_err().to_string(), "the engine refuses `x`: not today");
    let (mut engine, mouth) = saying("= \u{e9}".as_bytes());
    drop(mouth);
    // A reply without the empty line at its end is incomplete.
    assert!(matches!(engine.send("x", LONG), Err(ControllerError::Died { .. })));
}

#[test]
fn silence_ends_in_time() {
    let since = Instant::now();
    for text in [&b""[..], b"= half a reply\n", b"\n\n\n"] {
        let (mut engine, _mouth) = saying(text);
        let error = engine.send("genmove w", SHORT).unwrap_err();
        assert_eq!(error.to_string(), "no reply to `genmove w` within 150ms");
        let error = engine.send("name", LONG).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the engine has gone ({error_before}) before it answered `name`",
                error_before = "no reply to `genmove w` within 150ms"
            )
        );
    }
    assert!(since.elapsed() < LONG);
}

#[test]
fn what_is_no_reply_ends_the_session() {
    for text in [&b"hello\n\n"[..], b"a1\n", b"  = late\nx\n"] {
        let (mut engine, _mouth) = saying(text);
        let error = engine.send("name", LONG).unwrap_err();
        assert!(matches!(error, ControllerError::Malformed { .. }), "{error}");
        assert!(!engine.is_open());
    }
    // A surplus reply: the controller would take the next reply for the answer to another command.
    let (mut engine, _mouth) = saying(b"= one\n\n= two\n\n");
    assert_eq!(engine.send("name", LONG).unwrap(), "one");
    thread::sleep(SHORT);
    let error = engine.send("version", LONG).unwrap_err();
    assert_eq!(error.to_string(), "two answers to `name`, the second of them `two`");
}

/// An engine that answers every line by a function of the line's number and words.
fn answering(answer: impl Fn(usize, &[&str]) -> String + Send + 'static) -> Controller {
    let ((commands, to_engine), (replies, mut mouth)) = (pipe().unwrap(), pipe().unwrap());
    thread::spawn(move || {
        for (number, line) in BufReader::new(commands).lines().map_while(Result::ok).enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if mouth.write_all(answer(number, &words).as_bytes()).is_err() {
                return;
            }
        }
    });
    Controller::over(replies, to_engine).unwrap()
}

#[test]
fn an_engine_that_does_not_know_ids_is_given_none() {
    for refuses in [true, false] {
        // The engine refuses a line that begins with a digit.
        let mut engine = answering(move |_, words| match words {
            [first, ..] if refuses && first.starts_with(|c: char| c.is_ascii_digit()) => {
                "? unknown command\n\n".to_owned()
            }
            _ => format!("= 5 {}\n\n", words.join(" ")),
        });
        assert_eq!(engine.echoes_ids(), None);
        let said = engine.send("name", LONG).unwrap();
        assert_eq!(said, if refuses { "5 name" } else { "5 1 name" });
        assert_eq!(engine.echoes_ids(), Some(false));
        assert_eq!(engine.send("version", LONG).unwrap(), "5 version");
    }
    // For an engine without ids, a number directly after the sign is part of the text.
    let mut engine = answering(|number, _| ["= \n\n", "=7\n\n", "=7 b\nc\n\n", "?7\n\n"][number].to_owned());
    assert_eq!(engine.send("name", LONG).unwrap(), "");
    assert_eq!(engine.send("genmove w", LONG).unwrap(), "7");
    assert_eq!(engine.send("showboard", LONG).unwrap(), "7 b\nc");
    assert_eq!(engine.send("x", LONG).unwrap_err().to_string(), "the engine refuses `x`: 7");
    let mut heap = heap();
    assert_eq!((heap.name(LONG).unwrap().as_str(), heap.echoes_ids()), ("Heap", Some(true)));
}

#[test]
fn a_second_answer_is_blamed_on_its_command_however_late_it_comes() {
    // The second answer to `genmove` comes after the next command.
    let mut engine = answering(|_, words| match words {
        [id, "genmove", ..] => format!("={id} a1\n\n"),
        [id, "play", ..] => {
            let before: u64 = id.parse().unwrap();
            format!("={} a2\n\n={id}\n\n", before - 1)
        }
        [id, ..] => format!("={id}\n\n"),
        [] => String::new(),
    });
    engine.send("boardsize 4", LONG).unwrap();
    assert_eq!(engine.send("genmove w", LONG).unwrap(), "a1");
    let error = engine.send("play b b1", LONG).unwrap_err();
    assert!(matches!(&error, ControllerError::Twice { .. }), "{error}");
    assert_eq!(error.to_string(), "two answers to `genmove w`, the second of them `a2`");
    assert!(!engine.is_open());
}

#[test]
fn a_reply_without_the_id_of_its_command_ends_the_session() {
    for (reply, found) in [("= a1\n\n", "no id"), ("=9 a1\n\n", "the id 9"), ("?12x\n\n", "no id")] {
        let mut engine =
            answering(move |number, _| if number == 0 { "=1\n\n".to_owned() } else { reply.to_owned() });
        engine.send("name", LONG).unwrap();
        let error = engine.send("genmove w", LONG).unwrap_err().to_string();
        assert_eq!(error, format!("the reply to `genmove w`, which has the id 2, has {found}"));
    }
}

#[test]
fn a_flag_ends_waiting_for_a_reply() {
    let flag = Arc::new(AtomicBool::new(false));
    let (engine, _mouth) = saying(b"");
    let mut engine = engine.cancel(Arc::clone(&flag));
    let set = thread::spawn(move || {
        thread::sleep(SHORT);
        flag.store(true, Ordering::Relaxed);
    });
    let error = engine.send("genmove w", Duration::MAX).unwrap_err();
    assert_eq!(error.to_string(), "stopped before the reply to `genmove w`");
    assert!(!engine.is_open());
    set.join().unwrap();
}

#[test]
fn floods_are_dammed() {
    for unit in [&b"x"[..], b"x\n", b"\n"] {
        let ((commands, to_engine), (replies, mut mouth)) = (pipe().unwrap(), pipe().unwrap());
        let piece = unit.repeat(4096);
        thread::spawn(move || {
            let mut commands = BufReader::new(commands);
            commands.read_line(&mut String::new()).unwrap();
            let _ = mouth.write_all(b"= ");
            while mouth.write_all(&piece).is_ok() {}
        });
        let mut engine = Controller::over(replies, to_engine).unwrap();
        let answer = engine.send("name", LONG);
        match unit {
            // An empty line after `= ` completes a reply; a second empty line begins no new reply.
            b"\n" => assert!(matches!(
                (answer, engine.send("name", LONG)),
                (Ok(_), Err(ControllerError::Flood { .. }))
            )),
            _ => assert_eq!(
                answer.unwrap_err().to_string(),
                format!("the reply to `name` is longer than {MAX_REPLY} bytes")
            ),
        }
    }
}

#[test]
fn command_lines_that_start_nothing_are_refused() {
    for (line, said) in [
        ("", "it is empty"),
        ("  ", "it is empty"),
        ("sh -c 'x", "a quote is not closed"),
        ("no-such-program-anywhere --gtp", "does not start"),
    ] {
        let error = Controller::spawn(line).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[cfg(unix)]
mod programs {
    use super::*;

    fn shell(script: &str) -> Controller {
        Controller::spawn(&format!("sh -c {}", shlex::try_quote(script).unwrap())).unwrap()
    }

    #[test]
    fn a_program_that_ends_says_how() {
        let error = shell("exit 3").send("name", LONG).unwrap_err();
        assert!(matches!(&error, ControllerError::Died { how, .. } if how.contains('3')), "{error}");
        let mut engine = shell("read x; printf '= a\\n\\n'; read x; exit 4");
        assert_eq!(engine.send("name", LONG).unwrap(), "a");
        assert!(engine.send("version", LONG).unwrap_err().to_string().contains("exit status: 4"));
        assert!(engine.send("version", LONG).unwrap_err().to_string().contains("exit status: 4"));
    }

    #[test]
    fn a_program_that_neither_reads_nor_answers_is_killed() {
        let since = Instant::now();
        let mut engine = Controller::spawn("sleep 1000").unwrap();
        let command = "x".repeat(MAX_COMMAND);
        for _ in 0..3 {
            assert!(engine.send(&command, SHORT).is_err());
        }
        drop(engine);
        drop(Controller::spawn("sleep 1000").unwrap());
        assert!(matches!(
            Controller::spawn("sleep 1000").unwrap().quit(SHORT),
            Err(ControllerError::Timeout { .. })
        ));
        assert!(since.elapsed() < LONG);
    }

    #[test]
    fn an_engine_that_closes_its_input_is_noticed_at_once() {
        let mut engine = shell("read x; exec <&-; printf '=1\\n\\n'; sleep 1000");
        engine.send("name", LONG).unwrap();
        // With this limit, a controller that waits for the reply would never return.
        let error = engine.send("version", Duration::MAX).unwrap_err();
        assert_eq!(error.to_string(), "the engine has closed its input before it has read `version`");
        assert!(!engine.is_open());
    }

    #[test]
    fn what_an_engine_has_started_ends_with_it() {
        let mut engine =
            shell("setsid sh -c 'sleep 1000 & echo =1 $!; echo; sleep 1000' & read x; read x; exit");
        let pid = engine.send("name", LONG).unwrap();
        if !std::path::Path::new("/proc/self/stat").exists() {
            return;
        }
        let runs = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
        };
        assert!(runs(), "{pid}");
        engine.quit(SHORT).unwrap_err();
        // The system takes a moment to end a killed process when it is busy; unkilled, this one sleeps for 1000 seconds.
        let since = std::time::Instant::now();
        while runs() {
            assert!(since.elapsed() < LONG, "{pid}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn the_time_of_a_program_is_read_while_it_runs() {
        let mut engine = shell(
            "read c; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; printf '= done\\n\\n'; read c; printf '= idle\\n\\n'; read c",
        );
        let Some(before) = engine.cpu_time() else { return }; // not on Linux
        assert_eq!(engine.send("work", LONG).unwrap(), "done");
        let worked = engine.cpu_time().unwrap();
        assert!(worked >= before + Duration::from_millis(50), "{before:?}, {worked:?}");
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(engine.send("idle", LONG).unwrap(), "idle");
        assert!(engine.cpu_time().unwrap() <= worked + Duration::from_millis(50));
        assert!(matches!(engine.send("quit", LONG), Err(ControllerError::Died { .. })));
        assert!(engine.cpu_time() >= Some(worked), "what it took is known after its end");
    }

    #[test]
    fn whatever_is_said_on_standard_error_does_not_block() {
        let script =
            "head -c 1000000 /dev/zero >&2; while read id x; do printf '=%s %s\\n\\n' \"$id\" \"$x\"; done";
        let mut engine = shell(script);
        assert_eq!(engine.send("name", LONG).unwrap(), "name");
        assert_eq!(engine.send("quit", LONG).unwrap(), "quit");
        engine.quit(LONG).unwrap();
    }
}
