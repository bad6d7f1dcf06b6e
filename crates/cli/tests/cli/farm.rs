//! `farm` on one machine.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{Ran, run};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("farm-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs `farm` with words separated by spaces, where `DIR` stands for the campaign's directory and `HERE` for its folder.
fn farm(folder: &Path, words: &str) -> Ran {
    let here = folder.display().to_string();
    let words: Vec<String> = words
        .split(' ')
        .map(|word| word.replace("DIR", &format!("{here}/c")).replace("HERE", &here))
        .collect();
    run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn last(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.json().pop().unwrap()
}

#[test]
fn a_farm_proves_a_position_and_its_set_and_file_verify() {
    let folder = folder("proves");
    let campaign = "farm coordinate --dir DIR --size 3 --threads 2 --job-nodes 1000 --proof HERE/p --json";
    let first = last(&farm(&folder, campaign));
    assert_eq!((&first["event"], &first["outcome"]), (&json!("over"), &json!("white")));
    assert!(first["decided"].as_u64().unwrap() > 0);
    for file in ["HERE/p", "DIR/set"] {
        let verified = last(&farm(&folder, &format!("verify {file} --json")));
        assert_eq!(verified["ok"], true, "{file}");
    }
    let status = last(&farm(&folder, "farm status --dir DIR --json"));
    assert_eq!((&status["control"], &status["decided"]), (&json!("over"), &first["decided"]));
    let export = last(&farm(&folder, "farm export --dir DIR -o HERE/out --json"));
    assert!(export["proofs"].as_u64().unwrap() > 0);
    // The same command again finds its result, and another question is another campaign.
    let again = last(&farm(&folder, campaign));
    assert_eq!((&again["decided"], &again["outcome"]), (&first["decided"], &first["outcome"]));
    let other = farm(&folder, "farm coordinate --dir DIR --size 3 --moves a1 --threads 1");
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("another campaign"), "{}", other.err);
}

#[test]
fn a_campaign_is_paused_cancelled_and_goes_on() {
    let folder = folder("control");
    let begin = "farm coordinate --dir DIR --size 3 --threads 0 --job-nodes 5 --json";
    // Without workers nothing is decided; the coordinator waits for the cancellation.
    let cancelled = std::thread::scope(|scope| {
        let coordinator = scope.spawn(|| farm(&folder, begin));
        while !folder.join("c/journal").exists() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert_eq!(last(&farm(&folder, "farm pause --dir DIR --json")), json!({"control": "paused"}));
        assert_eq!(last(&farm(&folder, "farm cancel --dir DIR --json")), json!({"control": "cancelled"}));
        coordinator.join().unwrap()
    });
    assert_eq!(last(&cancelled)["event"], "cancelled");
    let worker = farm(&folder, "farm work --dir DIR --name w --json");
    assert_eq!(worker.good(), [json!({"worker": "w", "end": "over", "jobs": 0, "nodes": 0})]);
    assert_eq!(last(&farm(&folder, "farm resume --dir DIR --json")), json!({"control": "running"}));
    // A worker of its own process does the jobs.
    let (ended, worker) = std::thread::scope(|scope| {
        let coordinator = scope.spawn(|| farm(&folder, begin));
        let worker = farm(&folder, "farm work --dir DIR --name w --json");
        (coordinator.join().unwrap(), worker)
    });
    assert_eq!(last(&ended)["outcome"], "white");
    assert!(worker.good()[0]["jobs"].as_u64().unwrap() > 0);
}

#[test]
fn a_directory_without_a_campaign_and_unusable_arguments_are_refused() {
    let folder = folder("refused");
    for (words, said) in [
        ("farm status --dir DIR", "no campaign is here"),
        ("farm work --dir DIR", "no campaign is here"),
        ("farm work", "--dir"),
        ("farm export --dir DIR -o HERE/out", "journal"),
        ("farm coordinate --dir DIR --size 8", "to size 6"),
    ] {
        let ran = farm(&folder, words);
        assert_eq!(ran.code, Some(2), "{words}: {}", ran.err);
        assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{words}: {}", ran.err);
    }
    if !cfg!(feature = "nats") {
        let ran = farm(&folder, "farm status --server nats://127.0.0.1:1");
        assert!(ran.code == Some(2) && ran.err.contains("--features nats"), "{}", ran.err);
    }
}
