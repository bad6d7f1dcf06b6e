//! Games by a farm on one machine: commands that go on, and commands that are refused.

use std::path::Path;

use serde_json::Value;

use crate::common::{Ran, run_words};

/// A directory for a farm, which does not exist.
fn place(name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-farm-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
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
