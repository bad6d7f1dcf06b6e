//! Games by a farm on one machine: commands that go on, and commands that are refused.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use stonework_farm::{Control, Embedded, EmbeddedOptions, Queue as _};

use crate::common::{Ran, run_words};

/// An empty directory.
fn place(name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-farm-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.display().to_string()
}

/// The lines of a run that succeeded, without the times of games, in the order of the games.
fn lines(ran: &Ran) -> Vec<Value> {
    let mut lines = ran.good();
    for line in lines.iter_mut().filter_map(Value::as_object_mut) {
        line.retain(|name, _| !["seconds", "cpu_seconds"].contains(&name.as_str()));
    }
    lines.sort_by_key(|line| {
        (line["round"].as_u64().is_none(), line["game"].as_u64(), line["round"].as_u64())
    });
    lines
}

#[test]
fn games_with_a_limit_of_time_go_on_from_the_journal() {
    for (name, command) in [
        ("match", "match mcts uct --size 3 --games 2 --seconds 0.01"),
        ("tune", "tune mcts --dials exploration=0..2 --size 3 --seconds 0.01 --rounds 1 --batch 1"),
    ] {
        let words = format!("{command} --seed 1 --json --farm {}", place(name));
        let first = lines(&run_words(&words));
        // Without a log, all games come from the journal, which has the speed of the machine at the first run.
        assert_eq!(lines(&run_words(&words)), first, "{command}");
    }
}

#[test]
fn a_match_that_a_test_has_ended_goes_on_without_the_test() {
    let words = format!(
        "match mcts:simulations=100 mcts:simulations=1 --size 3 --games 24 --seed 1 --json --farm {}",
        place("tested")
    );
    let tested = lines(&run_words(&format!("{words} --sprt elo0=0,elo1=400,alpha=0.2,beta=0.2")));
    let summary = tested.last().unwrap();
    assert!(summary["games"].as_u64() < Some(24) && summary["complete"] == true, "{summary}");
    // The queue says that the games are over until this command leads.
    let all = lines(&run_words(&words));
    assert_eq!(all.last().unwrap()["games"], 24);
    assert!(tested[..tested.len() - 1].iter().all(|game| all.contains(game)));
}

#[test]
fn a_closed_pipe_does_not_end_the_farm() {
    let place = place("pipe");
    let words =
        format!("match mcts rave --size 3 --games 40 --simulations 20 --seed 1 --json --farm {place}/c");
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(words.split(' '))
        .args(["--out", &format!("{place}/log")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(2) && said.contains("the same command continues"), "{said}");
    // The workers of other processes wait for that command.
    let status = run_words(&format!("farm status --dir {place}/c --json")).good();
    assert_eq!(status[0]["control"], json!("running"));
    let rest = lines(&run_words(&format!("{words} --out {place}/log")));
    assert_eq!(rest.last().unwrap()["games"], 40);
}

#[test]
fn games_by_several_threads_are_not_played_again() {
    let place = place("threads");
    for (command, said) in [
        ("match mcts:threads=2 uct --size 4 --games 2 --simulations 9", "`mcts:threads=2`"),
        ("match uct mcts:rave=10,threads=3 --size 4 --games 2 --simulations 9", "`mcts:rave=10,threads=3`"),
        ("selfplay --player mcts:threads=2 --size 4 --games 2 --simulations 9 --out P/o", "`mcts:threads=2`"),
        ("tune mcts --dials threads=1..2 --size 4 --simulations 9", "`threads=1..2`"),
        ("tune mcts:threads=2 --dials rave=10..50 --size 4 --simulations 9", "`mcts:threads=2`"),
        ("tournament mcts uct mcts:seconds=1 --size 4 --games 2 --simulations 9", "time in `mcts:seconds=1`"),
    ] {
        let ran = run_words(&format!("{command} --recheck 1 --farm P/c").replace("P/", &format!("{place}/")));
        assert!(ran.code == Some(2) && ran.err.contains(said), "{command}: {}", ran.err);
        assert!(!Path::new(&place).join("c").exists(), "{command}");
    }
    let one = format!(
        "match mcts:threads=1 uct --size 3 --games 2 --simulations 9 --recheck 1 --farm {place}/c --json"
    );
    assert_eq!(lines(&run_words(&one)).last().unwrap()["games"], 2);
}

/// A farm begins with the first trial: with times its trials are others than those of the log, which was told after these games.
#[test]
fn a_tuning_by_time_does_not_go_on_with_a_farm() {
    let place = place("log");
    let tune = |limit: &str, log: &str, more: &str| {
        let dials = "tune mcts --dials exploration=0..2 --size 3 --batch 1 --seed 1 --json";
        run_words(&format!("{dials} {limit} --rounds 1 --out {place}/{log}{more}"))
    };
    for (limit, log, said) in [
        ("--seconds 0.01", "time", "has trials that this farm has not played, and with a limit of time they"),
        ("--simulations 9 --threads 2", "threads", "and with several threads they"),
    ] {
        assert_eq!(tune(limit, log, "").good().last().unwrap()["trials"], 1);
        let ran = tune(limit, log, &format!(" --farm {place}/{log}-farm"));
        assert!(ran.code == Some(2) && ran.err.contains(said), "{limit}: {}", ran.err);
    }
    assert_eq!(tune("--simulations 9", "count", "").good().last().unwrap()["trials"], 1);
    let farm = format!(" --farm {place}/count-farm");
    assert_eq!(tune("--simulations 9", "count", &farm).good().last().unwrap()["complete"], true);
}

#[test]
fn a_game_that_is_too_long_for_a_farm_is_refused_before_the_first() {
    let place = place("long");
    for command in [
        "match uct bos --game cover --size 2 --games 2 --plies 4001",
        "tune uct --dials exploration=0..2 --game cover --size 2 --simulations 9 --plies 4001",
    ] {
        let ran = run_words(&format!("{command} --farm {place}/c"));
        let told = "--plies 4001: a game of a farm has at most 4000 moves";
        assert!(ran.code == Some(2) && ran.err.contains(told), "{command}: {}", ran.err);
        assert!(!Path::new(&place).join("c").exists(), "{command}");
    }
}

#[test]
fn a_command_whose_workers_are_all_shut_out_says_so() {
    let place = place("shut");
    let words = format!("match mcts uct --size 4 --games 10000 --simulations 50 --seed 1 --farm {place}/c");
    let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(words.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !Path::new(&place).join("c/journal").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let queue = Embedded::open(&Path::new(&place).join("c"), &EmbeddedOptions::default()).unwrap();
    queue.shut_out(&format!("own-{}-1", child.id())).unwrap();
    let said = BufReader::new(child.stderr.take().unwrap()).lines();
    let told = said.map_while(Result::ok).any(|line| line.contains("no worker of this process is left"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(told);
}

/// A pause that was forgotten kept the next command waiting without a word.
#[test]
fn a_command_whose_campaign_is_paused_says_so_and_goes_on() {
    let place = place("paused");
    for words in [
        format!("match mcts uct --size 4 --games 2 --simulations 9 --farm {place}/c"),
        format!("farm coordinate --size 3 --dir {place}/d"),
    ] {
        let dir = Path::new(words.rsplit(' ').next().unwrap());
        let queue = Embedded::open(dir, &EmbeddedOptions::default()).unwrap();
        queue.set_control(Control::Paused).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
            .args(words.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let told = lines.next().unwrap().unwrap();
        assert!(told.contains("the campaign is paused: `farm resume` lets it go on"), "{told}");
        queue.set_control(Control::Running).unwrap();
        assert!(child.wait().unwrap().success(), "{words}");
    }
}
