//! `farm` on one machine.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stonework_farm::{Control, Embedded, EmbeddedOptions, Queue as _};

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
    // Another campaign that begins with these proofs takes a fifth of the search at most, and its proof verifies. One thread
    // takes the same nodes each time; the last of two may find the work of the other done.
    let alone = "farm coordinate --dir HERE/alone --size 3 --job-nodes 1000 --json";
    let known =
        "farm coordinate --dir HERE/known --size 3 --job-nodes 1000 --known HERE/out --proof HERE/q --json";
    let (alone, ran) = (last(&farm(&folder, alone)), farm(&folder, known));
    let second = last(&ran);
    assert_eq!(second["outcome"], "white");
    let nodes = |of: &Value| of["nodes"].as_u64().unwrap();
    assert!(nodes(&second) * 5 < nodes(&alone), "{} and {}", nodes(&second), nodes(&alone));
    assert!(ran.err.contains("proofs with"), "{}", ran.err);
    assert_eq!(last(&farm(&folder, "verify HERE/q --json"))["ok"], true);
    // The same command again finds its result, and another question is another campaign.
    let again = last(&farm(&folder, campaign));
    assert_eq!((&again["decided"], &again["outcome"]), (&first["decided"], &first["outcome"]));
    let other = farm(&folder, "farm coordinate --dir DIR --size 3 --moves a1 --threads 1");
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("another campaign"), "{}", other.err);
}

#[test]
fn proofs_of_many_jobs_share_a_file_of_the_set() {
    let folder = folder("shared");
    let campaign =
        "farm coordinate --dir DIR --size 4 --moves b2,d4,c3,e4 --job-nodes 30 --lone 0 --glance 10 --json";
    let first = last(&farm(&folder, campaign));
    assert!(first["decided"].as_u64().unwrap() > 10, "{first}");
    assert_eq!(first["set"]["files"], 2);
    let verified = last(&farm(&folder, "verify DIR/set --json"));
    assert_eq!(
        (&verified["ok"], &verified["proofs"], &verified["tops"]),
        (&json!(true), &json!(1), &json!(1))
    );
    // The set follows from the journal alone.
    let list = || std::fs::read_to_string(folder.join("c/set/proof.set")).unwrap();
    let before = list();
    let proofs = before.lines().filter(|line| line.starts_with("root ")).count() - 2;
    assert!(proofs > 10, "{proofs} proofs");
    std::fs::remove_dir_all(folder.join("c/set")).unwrap();
    assert_eq!(last(&farm(&folder, campaign)), first);
    assert_eq!(list(), before);
}

/// The set of a draw has one answer of two, and the output says which.
#[test]
fn the_proof_of_a_draw_is_told_as_the_half_that_it_is() {
    let folder = folder("draw");
    let campaign = "farm coordinate --dir DIR --size 4 --notation grid --moves \
                    d1,a1,g1,e2,g4,f3,a4,d7,c4,f4,f5,e5,e6,d6,c2,e1,c3 --proof HERE/p";
    let ran = farm(&folder, campaign);
    assert_eq!((ran.code, ran.out.lines().next()), (Some(0), Some("a draw")), "{}", ran.err);
    let verified = last(&farm(&folder, "verify HERE/p --json"));
    let shown = match verified["claim"].as_str().unwrap() {
        "first does not win" => ["white", "black"],
        "second does not win" => ["black", "white"],
        claim => panic!("{claim}"),
    };
    let said =
        format!("the proof shows that {} does not win, and not that {} does not win", shown[0], shown[1]);
    assert!(ran.out.contains(&said), "{}", ran.out);
}

#[test]
fn positions_of_large_boards_are_proven() {
    let eight = "j7,l12,f12,k13,h13,m14,g14,n13,h14,n14,i15,k12,l14,f13,j14,l13,m12,n12,g13,l11,m11,n11,e11,j15,i14,h15,d10,a8,b8,\
                 c9,b9,c10,d9,c8,f10,e9,d8,j11,c7,m10,l10,k10,j10,k11,j12,a6,b7,a7,c6,l9,k9,b5,c5,b4";
    let ten = "g7,c10,h9,b11,i8,b8,g8,d12,h6,a9,f8,b10,e6,i9,h8,f7,f5,f6,g6,i7,i10,e7,g10,d9,a8,c7,j9,j10,i6,e8,f9,h10,g4,b9,d8";
    for (size, moves, winner) in [(8, eight, "white"), (10, ten, "black")] {
        let folder = folder(&format!("large-{size}"));
        let campaign = format!(
            "farm coordinate --dir DIR --size {size} --moves {moves} --job-nodes 30 --proof HERE/p --json"
        );
        assert_eq!(last(&farm(&folder, &campaign))["outcome"], winner);
        let verified = last(&farm(&folder, "verify HERE/p --json"));
        assert_eq!(verified["ok"], true, "{verified}");
    }
}

#[test]
fn all_openings_are_one_campaign_whose_proof_is_that_of_one_process() {
    let folder = folder("openings");
    let campaign =
        "farm coordinate --dir DIR --size 3 --each-move --threads 0 --job-nodes 50 --proof HERE/p --json";
    let found = last(&with_worker(&folder, campaign));
    assert_eq!((&found["event"], &found["outcome"]), (&json!("over"), &json!("white")));
    let values = |openings: &Value| -> Vec<(Value, Value, Value)> {
        let of = |opening: &Value| {
            (opening["move"].clone(), opening["images"].clone(), opening["outcome"].clone())
        };
        openings.as_array().unwrap().iter().map(of).collect()
    };
    let solved = last(&farm(&folder, "solve --size 3 --proof HERE/q --json"));
    assert_eq!(values(&found["openings"]), values(&solved["openings"]));
    let verified = last(&farm(&folder, "verify HERE/p --json"));
    assert_eq!((&verified["ok"], verified["claims"].as_array().unwrap().len()), (&json!(true), 4));
    for (mv, ..) in values(&found["openings"]) {
        let set = format!("verify DIR/set/{} --json", mv.as_str().unwrap());
        assert_eq!(last(&farm(&folder, &set))["ok"], true, "{mv}");
    }
    let status = last(&farm(&folder, "farm status --dir DIR --json"));
    assert_eq!(status["plan"], json!({"move": null, "moves": 4, "over": ["a1", "a2", "b2", "c3"]}));
    assert!(farm(&folder, "farm status --dir DIR").out.contains("4 of 4 moves proved: a1 a2 b2 c3"));
    // The same command finds the result in the journal; the other question is another campaign.
    assert_eq!(last(&farm(&folder, campaign))["decided"], found["decided"]);
    let other = farm(&folder, "farm coordinate --dir DIR --size 3 --job-nodes 50");
    assert!(other.code == Some(2) && other.err.contains("another campaign"), "{}", other.err);
    // White has a bridge by a3: after that move the game is over, and the move needs no job.
    let near =
        "farm coordinate --dir HERE/near --size 3 --moves a1,c3,a2,b2 --each-move --proof HERE/r --json";
    let near = last(&farm(&folder, near));
    assert_eq!(near["event"], "over");
    assert_eq!(last(&farm(&folder, "verify HERE/r --json"))["ok"], true);
}

#[test]
fn a_campaign_is_paused_cancelled_and_goes_on() {
    let folder = folder("control");
    let begin = "farm coordinate --dir DIR --size 3 --threads 0 --job-nodes 5 --json";
    // Without workers nothing is decided; the coordinator waits for the cancellation.
    let cancelled = std::thread::scope(|scope| {
        let coordinator = scope.spawn(|| farm(&folder, begin));
        while !folder.join("c/journal").exists() {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(last(&farm(&folder, "farm pause --dir DIR --json")), json!({"control": "paused"}));
        assert_eq!(last(&farm(&folder, "farm cancel --dir DIR --json")), json!({"control": "cancelled"}));
        coordinator.join().unwrap()
    });
    assert_eq!(last(&cancelled)["event"], "cancelled");
    // The same command alone does not go on.
    let again = farm(&folder, &begin.replace(" --json", ""));
    let told = "unknown (cancelled); `farm resume` lets the same command go on";
    assert!(again.out.starts_with(told), "{}", again.out);
    let worker = farm(&folder, "farm work --dir DIR --name w --wait 0 --json");
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
    // A campaign that is over has no coordinator: set running again, it kept its workers waiting for ever.
    for words in ["farm resume --dir DIR", "farm pause --dir DIR", "farm cancel --dir DIR"] {
        let ran = farm(&folder, words);
        assert!(ran.code == Some(2) && ran.err.contains("the campaign is over"), "{words}: {}", ran.err);
    }
    assert_eq!(last(&farm(&folder, "farm status --dir DIR --json"))["control"], "over");
}

#[test]
fn a_command_whose_campaign_was_over_does_its_jobs() {
    let folder = folder("over");
    Embedded::open(&folder.join("c"), &EmbeddedOptions::default())
        .and_then(|queue| queue.set_control(Control::Over))
        .unwrap();
    let ended = farm(&folder, "farm coordinate --dir DIR --size 3 --threads 1 --json");
    assert_eq!(last(&ended)["outcome"], "white");
}

#[test]
fn a_worker_without_threads_is_refused() {
    let folder = folder("none");
    let ran = farm(&folder, "farm work --dir DIR --threads 0");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--threads 0: a worker has 1 to 1024 threads"), "{}", ran.err);
}

/// Without a word for a moment; with `--wait`, for as long as it says.
#[test]
fn a_worker_may_be_started_before_its_coordinator() {
    for (name, options, before) in [("first", "", 500), ("long", " --wait 60", 5500)] {
        let folder = folder(name);
        let work = format!("farm work --dir DIR --name w --json{options}");
        let (ended, worker) = std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let ran = farm(&folder, &work);
                if ran.code != Some(0) {
                    // A coordinator without a worker would wait for ever.
                    let queue = Embedded::open(&folder.join("c"), &EmbeddedOptions::default()).unwrap();
                    queue.set_control(Control::Cancelled).unwrap();
                }
                ran
            });
            std::thread::sleep(Duration::from_millis(before));
            let coordinator =
                farm(&folder, "farm coordinate --dir DIR --size 3 --threads 0 --job-nodes 5 --json");
            (coordinator, worker.join().unwrap())
        });
        assert_eq!(last(&ended)["outcome"], "white");
        assert!(worker.good()[0]["jobs"].as_u64().unwrap() > 0);
    }
}

#[test]
fn a_directory_without_a_campaign_and_unusable_arguments_are_refused() {
    let folder = folder("refused");
    for (words, said) in [
        ("farm status --dir DIR", "no campaign is here"),
        ("farm work --dir DIR", "no campaign is here"),
        ("farm work", "--dir"),
        ("farm export --dir DIR -o HERE/out", "journal"),
        ("farm coordinate --dir DIR --size 11", "to size 10"),
        ("farm coordinate --dir DIR --size 3 --known HERE/lacking", "lacking"),
        ("farm coordinate --dir DIR --size 3 --known HERE", "no files that end in .proof"),
        ("farm status --dir DIR --campaign x", "--campaign is for a queue on a server"),
        ("farm coordinate --dir HERE/l --size 3 --replicas 3", "--replicas is for a queue on a server"),
        ("match mcts rave --size 3 --games 2 --farm HERE/l --login x", "--login is for a queue on a server"),
        ("match mcts rave --size 3 --games 2 --term 5", "--term needs --farm"),
        ("tournament mcts rave --size 3 --games 2 --credentials x", "--credentials needs --farm"),
        ("selfplay --size 3 --games 1 --simulations 9 --out HERE/p --campaign x", "--campaign needs --farm"),
        ("tune mcts --dials exploration=0..2 --size 3 --roots x", "--roots needs --farm"),
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

#[test]
fn games_by_a_farm_are_the_games_of_one_process() {
    let folder = folder("games");
    let words = "match mcts rave --size 4 --games 12 --simulations 400 --seed 7 --openings random:2 --json";
    let timeless = |ran: &Ran| -> Vec<Value> {
        let mut lines = ran.json();
        for line in &mut lines {
            for time in ["seconds", "cpu_seconds"] {
                line.as_object_mut().unwrap().remove(time);
            }
        }
        lines.sort_by_key(|line| line["game"].as_u64());
        lines
    };
    let here = farm(&folder, words);
    // One worker of another process, which ends with the farm.
    let there = with_worker(&folder, &format!("{words} --farm DIR --out HERE/log"));
    assert_eq!(timeless(&there), timeless(&here));
    let status = last(&farm(&folder, "farm status --dir DIR --json"));
    assert_eq!(status["plan"], json!({"games": 12, "of": 12}));
    // The same command again finds all games in its log.
    let again = farm(&folder, &format!("{words} --farm DIR --out HERE/log"));
    assert_eq!(again.json().last().unwrap()["games"], json!(12));
    // Without the log, the games come from the journal.
    let journal = farm(&folder, &format!("{words} --farm DIR"));
    assert_eq!(timeless(&journal), timeless(&here));
}

#[test]
fn games_that_are_played_again_come_out_the_same_and_times_are_refused() {
    let folder = folder("again");
    let words = "match mcts rave --size 4 --games 6 --simulations 300 --seed 7 --recheck 1 --farm DIR --json";
    let ran = farm(&folder, words);
    assert_eq!((last(&ran)["games"].as_u64(), ran.err.as_str()), (Some(6), ""));
    let played = "selfplay --player mcts --size 4 --games 3 --simulations 50 --recheck 1 --farm HERE/s --out HERE/o --json";
    let ran = farm(&folder, played);
    assert_eq!((last(&ran)["games"].as_u64(), ran.err.as_str()), (Some(3), ""));
    let tuned = "tune mcts --dials exploration=0..2 --size 4 --simulations 50 --rounds 2 --batch 1 --recheck 1 --farm HERE/t --json";
    assert_eq!(farm(&folder, tuned).code, Some(0));
    for (words, said) in [
        ("match mcts rave --size 4 --games 2 --seconds 0.1 --recheck 1 --farm HERE/u", "a limit of time"),
        ("match mcts:seconds=1 rave --size 4 --games 2 --recheck 0.5 --farm HERE/u", "a limit of time"),
        (
            "match mcts rave --size 4 --games 2 --simulations 9 --threads 2 --recheck 1 --farm HERE/u",
            "threads",
        ),
        ("match mcts rave --size 4 --games 2 --simulations 9 --recheck 1.5 --farm HERE/u", "1.5"),
        ("match mcts rave --size 4 --games 2 --simulations 9 --recheck 1", "--farm"),
    ] {
        let ran = farm(&folder, words);
        assert!(ran.code == Some(2) && ran.err.contains(said), "{words}: {}", ran.err);
        assert!(!folder.join("u").exists(), "{words}");
    }
}

#[test]
fn a_sequential_test_stops_the_farm() {
    let folder = folder("sprt");
    let words = "match mcts:simulations=300 mcts:simulations=3 --size 4 --games 400 --sprt elo0=0,elo1=200 --concurrency 2 --farm DIR --json";
    let summary = last(&farm(&folder, words));
    assert!(summary["games"].as_u64().unwrap() < 200, "{summary}");
    assert_eq!(summary["complete"], true);
}

#[test]
fn a_tournament_is_played_by_a_farm_and_what_workers_lack_is_refused() {
    let folder = folder("table");
    let table = last(&farm(
        &folder,
        "tournament mcts rave uct --size 3 --games 2 --simulations 20 --farm DIR --json",
    ));
    assert_eq!((&table["games"], &table["complete"]), (&json!(6), &json!(true)));
    for (words, said) in [
        ("match gtp:nothing mcts --size 3 --games 2 --farm DIR", "nothing"),
        ("match mcts uct --size 3 --games 2 --farm nats://127.0.0.1:1", "--farm-dir"),
        ("match mcts uct --size 3 --games 2 --chunk 4", "--farm"),
        ("selfplay --player mcts --size 3 --simulations 9 --out HERE/s --job-games 4", "--farm"),
        (
            "selfplay --player mcts --size 3 --simulations 9 --out HERE/s --farm nats://127.0.0.1:1",
            "--farm-dir",
        ),
    ] {
        let ran = farm(&folder, words);
        assert_eq!(ran.code, Some(2), "{words}: {}", ran.err);
        assert!(ran.err.contains(said), "{words}: {}", ran.err);
    }
}

/// The files of a folder, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

/// The names of the entries of a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Runs a command that coordinates, with one worker of another process, which has begun before and plays a part.
///
/// The command plays, too, so on a loaded machine it may have played all games before the worker has its first job. Then all that
/// the run has written goes, and another run begins, in which the worker is given more time to begin.
fn with_worker(folder: &Path, words: &str) -> Ran {
    let (before, since) = (entries(folder), Instant::now());
    let mut lead = Duration::from_millis(100);
    loop {
        drop(Embedded::open(&folder.join("c"), &EmbeddedOptions::default()).unwrap());
        let (ran, worker) = std::thread::scope(|scope| {
            let worker = scope.spawn(|| farm(folder, "farm work --dir DIR --name w --memory 1MiB --json"));
            std::thread::sleep(lead);
            let ran = farm(folder, words);
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
            (ran, last(&worker.join().unwrap()))
        });
        assert_eq!(worker["end"], "over");
        if worker["jobs"].as_u64().unwrap() > 0 {
            return ran;
        }
        assert!(since.elapsed().as_secs() < 60, "the worker has done nothing, begun {lead:?} before");
        lead *= 2;
        for path in entries(folder).into_iter().filter(|path| !before.contains(path)) {
            if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }.unwrap();
        }
    }
}

#[test]
fn self_play_by_a_farm_writes_the_files_of_one_process() {
    let folder = folder("selfplay");
    let first = "selfplay --player mcts --size 4 --games 20 --simulations 20 --out HERE/first --json";
    last(&farm(&folder, first));
    // The limit may be an option of the player, as in a match.
    let other = first
        .replace("mcts", "mcts:simulations=20")
        .replace("--simulations 20 --out HERE/first", "--out HERE/same");
    last(&farm(&folder, &other));
    let games = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name).join("games-00000.jsonl")).unwrap();
        let game = |line: &str| line.split(",\"check\":").next().unwrap().to_owned();
        text.lines().skip(1).map(game).collect::<Vec<_>>()
    };
    assert!(games("first").len() == 20 && games("first") == games("same"));
    let learned = "learn priors HERE/first/games-00000.jsonl --epochs 1 -o HERE/priors.safetensors --json";
    last(&farm(&folder, learned));
    let words = "selfplay --player new --learned new=HERE/priors.safetensors --size 4 --games 40 --chunk 15 --simulations 300 \
                 --seed 5 --json --out"
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let here = last(&farm(&folder, &format!("{words} HERE/one")));
    let there = last(&with_worker(&folder, &format!("{words} HERE/two --farm DIR --job-games 3")));
    assert_eq!(there, here);
    assert_eq!((&there["games"], &there["new"], &there["complete"]), (&json!(40), &json!(40), &json!(true)));
    assert_eq!(files(&folder.join("two")), files(&folder.join("one")));
    let status = last(&farm(&folder, "farm status --dir DIR --json"));
    assert_eq!(status["plan"], json!({"games": 40, "of": 40}));
    // They are no proofs.
    let export = farm(&folder, "farm export --dir DIR -o HERE/decided");
    assert_eq!((export.code, folder.join("decided").exists()), (Some(2), false));
    assert!(export.err.contains("`self-play`") && export.err.contains("--out"), "{}", export.err);
    // The same command again finds its games, and without its folder takes them from the journal.
    let again = last(&farm(&folder, &format!("{words} HERE/two --farm DIR --job-games 3")));
    assert_eq!((&again["games"], &again["new"]), (&json!(40), &json!(0)));
    last(&farm(&folder, &format!("{words} HERE/three --farm DIR --job-games 3")));
    assert_eq!(files(&folder.join("three")), files(&folder.join("one")));
    let more = words.replace("--games 40", "--games 41");
    let other = farm(&folder, &format!("{more} HERE/two --farm DIR --job-games 3"));
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("another campaign"), "{}", other.err);
}

#[test]
fn positions_near_proofs_by_a_farm_are_those_of_one_process() {
    let folder = folder("selfplay-prove");
    let words = "selfplay --player mcts --size 4 --games 12 --chunk 5 --random 2 --simulations 20 --memory 16MiB --prove 60 \
                 --prover pns --prove-from 3 --seed 5 --json --out"
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let here = last(&farm(&folder, &format!("{words} HERE/one")));
    assert!(here["proven"].as_u64() > Some(0), "{here}");
    let there = last(&farm(&folder, &format!("{words} HERE/two --farm HERE/p --recheck 1")));
    assert_eq!(there, here);
    assert_eq!(files(&folder.join("two")), files(&folder.join("one")));
}

#[test]
fn a_killed_command_of_self_play_goes_on_with_its_farm() {
    let folder = folder("selfplay-killed");
    let words =
        "selfplay --player mcts --size 4 --games 60 --chunk 25 --simulations 40 --seed 5 --json --out";
    last(&farm(&folder, &format!("{words} HERE/one")));
    let here = folder.display().to_string();
    let mut command: Vec<String> = words.split(' ').map(str::to_owned).collect();
    command.extend([format!("{here}/two"), "--farm".to_owned(), format!("{here}/c")]);
    command.extend(["--term", "1"].map(str::to_owned));
    let (mut kills, since) = (0_u64, Instant::now());
    loop {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_stonework"))
            .args(&command)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(150 + 100 * kills));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(since.elapsed().as_secs() < 240, "{kills} kills");
    }
    let ended = last(&farm(&folder, &command.join(" ")));
    assert_eq!((&ended["games"], &ended["complete"]), (&json!(60), &json!(true)));
    assert_eq!(files(&folder.join("two")), files(&folder.join("one")), "after {kills} kills");
}

#[test]
fn tuning_by_a_farm_is_the_tuning_of_one_process() {
    let folder = folder("tune");
    let words = "tune mcts --dials rave=10..5000,exploration=0..2 --size 4 --simulations 300 --rounds 3 --batch 2 --seed 9 --json";
    let sorted = |ran: &Ran| -> Vec<Value> {
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let mut lines = ran.json();
        lines.sort_by_key(|line| (line["best"].is_object(), line["round"].as_u64(), line["trial"].as_u64()));
        lines
    };
    let here = farm(&folder, &format!("{words} --out HERE/alone"));
    let there = with_worker(&folder, &format!("{words} --farm DIR --out HERE/log"));
    assert_eq!(sorted(&there), sorted(&here));
    assert_eq!(sorted(&there).len(), 7);
    let status = last(&farm(&folder, "farm status --dir DIR --json"));
    assert_eq!(status["plan"], json!({"games": 12, "of": 12}));
    // With either log nothing is shown twice, and without one the trials come from the journal.
    for log in ["log", "alone"] {
        let again = farm(&folder, &format!("{words} --farm DIR --out HERE/{log}"));
        assert_eq!(sorted(&again), sorted(&here)[6..]);
    }
    assert_eq!(sorted(&farm(&folder, &format!("{words} --farm DIR"))), sorted(&here));
}

#[test]
fn learned_files_reach_the_workers_of_a_match() {
    let folder = folder("learned");
    let first = "selfplay --player mcts --size 4 --games 20 --simulations 20 --out HERE/first --json";
    last(&farm(&folder, first));
    last(&farm(
        &folder,
        "learn value HERE/first/games-00000.jsonl --epochs 1 -o HERE/value.safetensors --json",
    ));
    let words = "match new mcts --learned new=HERE/value.safetensors --size 4 --games 12 --simulations 300 --seed 2 --json";
    let moves = |ran: &Ran| -> Vec<String> {
        let mut lines = ran.json();
        lines.sort_by_key(|line| line["game"].as_u64());
        lines.iter().map(|line| line["moves"].to_string()).collect()
    };
    let here = farm(&folder, words);
    let there = with_worker(&folder, &format!("{words} --farm DIR"));
    assert_eq!(moves(&there), moves(&here));
    assert_eq!(moves(&there).len(), 13);
}

#[test]
fn workers_that_search_together_find_the_same_theorem() {
    let folder = folder("together");
    let campaign = "farm coordinate --dir DIR --size 3 --moves a1 --threads 0 --job-nodes 1000 --json";
    let (ended, worker) = std::thread::scope(|scope| {
        let coordinator = scope.spawn(|| farm(&folder, campaign));
        while !folder.join("c/farm.db").exists() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let worker =
            farm(&folder, "farm work --dir DIR --name w --threads 2 --together --memory 8MiB --json");
        (coordinator.join().unwrap(), worker)
    });
    let alone = last(&run(&["solve", "--size", "3", "--moves", "a1", "--json"]));
    assert_eq!(last(&ended)["outcome"], alone["outcome"]);
    // The threads are one worker.
    let worker = worker.good();
    assert_eq!((worker.len(), &worker[0]["worker"]), (1, &json!("w")));
    assert!(worker[0]["jobs"].as_u64().unwrap() > 0);
    assert_eq!(last(&farm(&folder, "verify DIR/set --threads 2 --json"))["ok"], true);
}

#[test]
fn a_status_that_follows_ends_with_the_campaign() {
    let folder = folder("follow");
    let campaign = "farm coordinate --dir DIR --size 3 --threads 1 --json";
    let followed = std::thread::scope(|scope| {
        let coordinator = scope.spawn(|| farm(&folder, campaign));
        while !farm(&folder, "farm status --dir DIR").out.contains("jobs decided") {
            std::thread::sleep(Duration::from_millis(20));
        }
        let followed = farm(&folder, "farm status --dir DIR --follow --json");
        assert_eq!(coordinator.join().unwrap().code, Some(0));
        followed
    });
    assert_eq!(last(&followed)["control"], "over");
}
