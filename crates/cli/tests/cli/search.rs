//! `solve`, `search` and `verify`.

use std::path::Path;
use std::sync::Arc;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use stonework_files::{Disk, Lock, System};

use crate::common::{fields, run_words};

const ENGINES: [&str; 7] = ["dfpn", "pns", "pn2", "alphabeta", "champion", "mcts", "hybrid"];

#[test]
fn every_engine_solves_size_2_and_names_the_contracts_fields() {
    for engine in ENGINES.into_iter().chain(["minimax"]) {
        let answers = run_words(&format!("solve --size 2 --engine {engine} --json")).good();
        assert_eq!(
            (&answers[0]["outcome"], &answers[0]["stopped_by"]),
            (&json!("white"), &json!("solved")),
            "{engine}"
        );
        let names = ["best", "cpu_seconds", "engine", "line", "memory_bytes", "nodes", "outcome", "seconds"];
        for name in names.into_iter().chain(["simulations", "stopped_by"]) {
            assert!(fields(&answers[0]).contains(&name), "{engine}: {name}");
        }
        let centre = run_words(&format!("solve --size 2 --moves b2 --engine {engine} --json")).good();
        assert_eq!(centre[0]["outcome"], "black", "{engine}");
    }
}

#[test]
fn a_win_in_one_and_a_finished_game_are_reported() {
    for engine in ENGINES {
        let one =
            run_words(&format!("solve --size 4 --moves a1,b1,a2,b2,a3,b3 --engine {engine} --json")).good();
        assert_eq!((&one[0]["outcome"], &one[0]["best"]), (&json!("white"), &json!("a4")), "{engine}");
        let over =
            run_words(&format!("solve --size 4 --moves a1,b1,a2,b2,a3,b3,a4 --engine {engine} --json"))
                .good();
        assert_eq!((&over[0]["outcome"], &over[0]["best"]), (&json!("white"), &Value::Null), "{engine}");
    }
}

#[test]
fn a_known_draw_is_solved_as_a_draw() {
    let moves = "d1,a1,g1,e2,g4,f3,a4,d7,c4,f4,f5,e5,e6,d6,c2,e1,c3";
    let answers = run_words(&format!("solve --size 4 --notation grid --moves {moves} --json")).good();
    assert_eq!(answers[0]["outcome"], "draw");
}

#[test]
fn limits_are_kept_and_equal_seeds_give_equal_answers() {
    let limited = run_words("solve --size 5 --nodes 1000 --json").good();
    assert_eq!((&limited[0]["nodes"], &limited[0]["stopped_by"]), (&json!(1000), &json!("nodes")));
    assert_eq!(limited[0]["outcome"], "unknown");
    let search = |seed: u32| {
        let mut answer =
            run_words(&format!("search --size 5 --simulations 3000 --seed {seed} --json")).good().remove(0);
        for time in ["seconds", "cpu_seconds"] {
            answer.as_object_mut().unwrap().remove(time);
        }
        answer
    };
    assert_eq!(search(7), search(7));
    assert_ne!(search(7), search(8));
    assert_eq!(search(7)["simulations"], 3000);
}

#[test]
fn engines_take_options() {
    let search = |engine: &str| {
        run_words(&format!("search --size 5 --engine {engine} --simulations 3000 --json")).good().remove(0)
    };
    let (plain, forced) = (search("mcts"), search("mcts:first_play=0.5,rave=0"));
    assert_ne!(plain["nodes"], forced["nodes"]);
    let apart = search("rave:threads=2,own_trees=1");
    assert_eq!((&apart["simulations"], &apart["stopped_by"]), (&json!(3000), &json!("simulations")));
    let solved = run_words("solve --size 3 --engine mcts:own_trees=1 --threads 2 --json").good();
    assert_eq!(solved[0]["outcome"], "white");
}

/// The limits of a player of a match were no options of its engine.
#[test]
fn limits_are_among_the_options_of_an_engine() {
    for (command, engine, more, field, count) in [
        ("search", "mcts:simulations=40,nodes=0", "", "simulations", 40),
        ("search", "mcts:simulations=40", " --simulations 30", "simulations", 30),
        ("search", "champion:simulations=20", " --simulations 30", "simulations", 20),
        ("solve", "uct:nodes=200", "", "nodes", 200),
    ] {
        let words = format!("{command} --size 5 --engine {engine}{more} --json");
        let answer = run_words(&words).good().remove(0);
        assert_eq!((&answer[field], &answer["stopped_by"]), (&json!(count), &json!(field)), "{words}");
        assert_eq!(answer["engine"], engine);
    }
}

/// The JSON lines of a run that succeeds. Every line of standard error must be about a finished or resumed opening or
/// a checkpoint.
fn proved(arguments: &str) -> Vec<Value> {
    let ran = run_words(arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let told =
        |line: &str| [" wins, ", "checkpoint: ", "goes on after "].iter().any(|said| line.contains(said));
    assert!(ran.err.lines().all(|line| line.contains(": ") && told(line)), "{}", ran.err);
    ran.json()
}

#[test]
fn a_proof_is_written_verified_and_refused_when_it_is_edited() {
    let file = std::env::temp_dir().join(format!("stonework-{}.proof", std::process::id()));
    let path = file.display().to_string();
    let solved = proved(&format!("solve --size 3 --proof {path} --json"));
    assert_eq!((&solved[0]["outcome"], &solved[0]["proof"]["file"]), (&json!("white"), &json!(path)));
    // The fields that `docs/solve.md` names for every answer.
    assert_eq!((&solved[0]["best"], &solved[0]["line"]), (&json!("a1"), &json!(["a1"])));
    assert_eq!((&solved[0]["simulations"], solved[0]["seconds"].is_number()), (&json!(0), true));
    // The empty board has a result for each opening. Size 3 has four openings up to symmetry.
    let openings = solved[0]["openings"].as_array().unwrap();
    let cells = |o: &Value| 1 + o["images"].as_array().unwrap().len();
    assert_eq!((openings.len(), openings.iter().map(cells).sum::<usize>()), (4, 19));
    let holds = run_words(&format!("verify {path} --json")).good();
    assert_eq!((&holds[0]["ok"], &holds[0]["claim"]), (&json!(true), &json!("4 claims")));
    assert_eq!(
        (&holds[0]["empty_board"], &holds[0]["claims"][0]["opening"]),
        (&json!("white"), &json!("a1"))
    );
    let said = run_words(&format!("verify {path}")).out;
    assert!(said.contains("these are all openings of size 3: from the empty board, white wins"), "{said}");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let edited = run_words(&format!("verify {path} --json"));
    assert_eq!((edited.code, &edited.json()[0]["ok"]), (Some(1), &json!(false)));
    bytes.truncate(middle);
    std::fs::write(&file, &bytes).unwrap();
    assert_eq!(run_words(&format!("verify {path}")).code, Some(1));
    std::fs::remove_file(&file).unwrap();
    let missing = run_words(&format!("verify {path}"));
    assert_eq!((missing.code, missing.err.lines().count()), (Some(2), 1));
}

#[test]
fn a_proof_of_one_position_has_one_claim() {
    let file = std::env::temp_dir().join(format!("stonework-one-{}.proof", std::process::id()));
    let path = file.display().to_string();
    run_words(&format!("solve --size 3 --moves a2 --proof {path}"));
    let holds = run_words(&format!("verify {path} --json")).good();
    assert_eq!((&holds[0]["claim"], &holds[0]["empty_board"]), (&json!("second wins"), &Value::Null));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn openings_go_on_where_they_were_stopped() {
    let file = std::env::temp_dir().join(format!("stonework-jobs-{}.proof", std::process::id()));
    let path = file.display().to_string();
    let parts = format!("{path}.parts");
    let stopped = proved(&format!("solve --size 3 --proof {path} --nodes 60 --json"));
    assert_eq!((&stopped[0]["outcome"], &stopped[0]["stopped_by"]), (&json!("unknown"), &json!("nodes")));
    assert_eq!(stopped[0]["openings"].as_array().unwrap().len(), 1);
    assert!(!file.exists());
    assert!(std::path::Path::new(&format!("{parts}/a2.checkpoint")).exists());
    // The remains of a killed process are overwritten.
    std::fs::write(format!("{parts}/a2.proof.stonework-new"), b"stonework").unwrap();
    let done = proved(&format!("solve --size 3 --proof {path} --json"));
    assert_eq!((&done[0]["outcome"], &done[0]["openings"][0]["nodes"]), (&json!("white"), &Value::Null));
    assert!(done[0]["openings"][1]["nodes_before"].as_u64() >= Some(60));
    assert_eq!(run_words(&format!("verify {path} --json")).good()[0]["empty_board"], json!("white"));
    assert!([&parts, &format!("{parts}.done")].iter().all(|left| !Path::new(left).exists()));
    // Replies that an earlier version has proved one by one are refused by name.
    std::fs::create_dir_all(format!("{parts}/a1.proof.parts")).unwrap();
    std::fs::write(format!("{parts}/a1.proof.parts/b2.proof"), b"stonework proof 2\n").unwrap();
    let refused = run_words(&format!("solve --size 3 --proof {path}"));
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{}", refused.err);
    assert!(refused.err.contains("a1.proof.parts") && refused.err.contains("remove"), "{}", refused.err);
    std::fs::remove_dir_all(&parts).unwrap();
    // A part that does not hold is named and stays as it is.
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&parts).unwrap();
    std::fs::write(format!("{parts}/a1.proof"), b"stonework proof 2\n").unwrap();
    let refused = run_words(&format!("solve --size 3 --proof {path}"));
    assert!(refused.code == Some(2) && refused.err.contains("a1.proof"), "{}", refused.err);
    std::fs::remove_dir_all(&parts).unwrap();
}

/// An empty directory for a test.
fn directory(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("stonework-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Starts a process that solves.
fn begin(arguments: &str) -> std::process::Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(arguments.split(' '))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a condition holds.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let since = std::time::Instant::now();
    while !is_so() {
        assert!(since.elapsed().as_secs() < 120, "waited in vain for {what}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// A position of size 4 whose solution takes some tens of thousands of nodes.
const HARD: &str = "b1,d2,a2,e4";

#[test]
fn a_killed_search_goes_on_with_the_same_claim() {
    let folder = directory("killed");
    let file = folder.join("hard.proof");
    let (path, checkpoint) = (file.display().to_string(), folder.join("hard.proof.checkpoint"));
    let command = format!("solve --size 4 --moves {HARD} --checkpoint-every 0.05 --proof {path} --json");
    // The process is killed at its first checkpoint, and again at the next. If it ends before a checkpoint, the test
    // begins anew.
    let mut kills = 0;
    while kills < 2 {
        let state = || std::fs::metadata(&checkpoint).ok().map(|data| (data.modified().unwrap(), data.len()));
        let before = state();
        let mut child = begin(&command);
        until("a checkpoint or a proof", || file.exists() || state().is_some_and(|now| Some(now) != before));
        child.kill().unwrap();
        child.wait().unwrap();
        kills = if checkpoint.exists() { kills + 1 } else { 0 };
        let _ = std::fs::remove_file(&file);
    }
    let done = run_words(&command);
    assert!(done.err.contains("goes on after "), "{}", done.err);
    assert!(!checkpoint.exists());
    let holds = run_words(&format!("verify {path} --json")).good();
    let fresh = run_words(&format!("solve --size 4 --moves {HARD} --json")).good();
    assert_eq!((&done.json()[0]["outcome"], &holds[0]["ok"]), (&fresh[0]["outcome"], &json!(true)));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn damaged_and_foreign_checkpoints_are_refused_and_left_alone() {
    let folder = directory("damaged");
    let path = folder.join("p").display().to_string();
    let checkpoint = folder.join("p.checkpoint");
    let command = |moves: &str| format!("solve --size 4 --moves {moves} --nodes 20000 --proof {path}");
    assert_eq!(run_words(&command(HARD)).code, Some(0));
    let whole = std::fs::read(&checkpoint).unwrap();
    let refused = |arguments: &str, said: &str| {
        let before = std::fs::read(&checkpoint).unwrap();
        let ran = run_words(arguments);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{}", ran.err);
        assert!(ran.err.contains(said) && ran.err.contains("p.checkpoint"), "{}", ran.err);
        assert_eq!(std::fs::read(&checkpoint).unwrap(), before);
    };
    refused(&command("a1"), "the search of another position");
    for (at, said) in
        [(3, "the first line is not"), (60, "check"), (whole.len() / 2, "check"), (whole.len() - 1, "check")]
    {
        let mut edited = whole.clone();
        edited[at] ^= 1;
        std::fs::write(&checkpoint, edited).unwrap();
        refused(&command(HARD), said);
    }
    std::fs::write(&checkpoint, &whole[..whole.len() - 20]).unwrap();
    refused(&command(HARD), "cut off");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A campaign that is killed at any time ends in the same proof.
#[test]
fn openings_that_are_killed_again_and_again_end_in_the_same_proof() {
    let folder = directory("chaos");
    let path = folder.join("size3.proof").display().to_string();
    let command = format!("solve --size 3 --proof {path} --checkpoint-every 0.01 --json");
    let claims = |path: &str| {
        let said = run_words(&format!("verify {path} --json")).good().remove(0);
        let claim = |claim: &Value| (claim["opening"].clone(), claim["claim"].clone());
        let all: Vec<_> = said["claims"].as_array().unwrap().iter().map(claim).collect();
        (said["empty_board"].clone(), all)
    };
    let since = std::time::Instant::now();
    assert_eq!(run_words(&command).code, Some(0));
    // A process that has a whole run's time may end before it is killed.
    let longest = u64::try_from(since.elapsed().as_micros()).unwrap();
    let whole = claims(&path);
    assert_eq!((&whole.0, whole.1.len()), (&json!("white"), 4));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(27);
    for round in 0..3 {
        std::fs::remove_file(&path).unwrap();
        for _ in 0..8 {
            let mut child = begin(&command);
            std::thread::sleep(std::time::Duration::from_micros(rng.next_u64() % longest));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let done = run_words(&command);
        assert_eq!((done.code, &done.json()[0]["outcome"]), (Some(0), &json!("white")), "{}", done.err);
        assert_eq!(claims(&path), whole, "round {round}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "round {round}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Two processes begin the same proof: one of them is refused and told of the farm, and the other one is unharmed.
#[test]
fn a_second_process_is_refused_and_the_first_is_unharmed() {
    let folder = directory("second");
    let path = folder.join("p").display().to_string();
    for (place, claim) in [("--size 3", "4 claims"), (&format!("--size 4 --moves {HARD}"), "first wins")] {
        let command = format!("solve {place} --proof {path} --checkpoint-every 0.05 --json");
        // On a busy machine the first process may end before the second one begins.
        let mut refusals = 0;
        for _ in 0..20 {
            let ended = [begin(&command), begin(&command)].map(|child| child.wait_with_output().unwrap());
            for output in &ended {
                let error = String::from_utf8_lossy(&output.stderr);
                if output.status.success() {
                    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
                    assert!(said["proof"]["bytes"].as_u64() > Some(0), "{said}");
                } else {
                    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
                    let locked = format!("is at work on it and holds {path}.lock");
                    for part in [&*locked, "`stonework farm coordinate`", "`stonework farm work`"] {
                        assert!(error.contains(part), "{error}");
                    }
                    refusals += 1;
                }
            }
            assert!(ended.iter().any(|output| output.status.success()));
            let holds = run_words(&format!("verify {path} --json")).good();
            assert_eq!((&holds[0]["ok"], &holds[0]["claim"]), (&json!(true), &json!(claim)));
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
            std::fs::remove_file(&path).unwrap();
            if refusals > 0 {
                break;
            }
        }
        assert!(refusals > 0, "{command}: no process was refused");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The system's lock on a file, as another process would hold it.
fn lock(path: &Path) -> Lock {
    let disk: Arc<dyn Disk> = Arc::new(System);
    Lock::take(&disk, path).unwrap()
}

#[test]
fn one_search_for_one_proof() {
    let folder = directory("locked");
    let path = folder.join("p").display().to_string();
    let lock = lock(&folder.join("p.lock"));
    std::fs::write(&path, "what was there").unwrap();
    for place in ["--size 3 --moves a2", "--size 3"] {
        let ran = run_words(&format!("solve {place} --proof {path}"));
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{}", ran.err);
        let said = format!("process {} is at work on it and holds {path}.lock", std::process::id());
        assert!(ran.err.contains(&said), "{}", ran.err);
    }
    drop(lock);
    // The file at the path stays until the proof is complete.
    run_words(&format!("solve --size 4 --moves {HARD} --nodes 100 --proof {path}"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "what was there");
    std::fs::remove_file(folder.join("p.checkpoint")).unwrap();
    assert_eq!(run_words(&format!("solve --size 3 --moves a2 --proof {path}")).code, Some(0));
    assert_eq!(run_words(&format!("verify {path}")).code, Some(0));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_lock_file_of_a_dead_process_does_not_lock_the_proof() {
    let folder = directory("dead");
    let path = folder.join("p").display().to_string();
    // Lock files of a killed process, of a process of another machine, and of a full disk; and the claim files of
    // earlier versions.
    let number = std::process::id();
    for left in [&*format!("process {number}\n"), "process 1 1 on the moon\nbeat 3\n", ""] {
        std::fs::write(folder.join("p.lock"), left).unwrap();
        std::fs::write(folder.join("p.claim"), left).unwrap();
        let ran = run_words(&format!("solve --size 3 --moves a2 --proof {path}"));
        assert_eq!(ran.code, Some(0), "{left}: {}", ran.err);
        assert!(!folder.join("p.lock").exists());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn parts_that_a_killed_process_has_not_cleared_are_cleared_by_the_next() {
    let folder = directory("cleared");
    let path = folder.join("size2.proof").display().to_string();
    let command = format!("solve --size 2 --proof {path} --json");
    run_words(&command);
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    let old = folder.join("size2.proof.parts.done");
    std::fs::create_dir(&old).unwrap();
    for left in ["a1.proof", "a1.proof.stonework-new", "b2.checkpoint", "all.lock"] {
        std::fs::write(old.join(left), "left").unwrap();
    }
    let said = &run_words(&command).json()[0];
    assert_eq!((&said["outcome"], said["openings"].as_array().unwrap().len()), (&json!("white"), 2));
    // The answer comes from the file.
    assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), before);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_proof_replaces_the_target_of_a_link_not_the_link() {
    let folder = directory("link");
    let (link, target) = (folder.join("link"), folder.join("target"));
    std::fs::write(&target, "what was there").unwrap();
    if !symlink(&target, &link) {
        eprintln!("this system has no symbolic links: not tried");
        return;
    }
    // The lock belongs to the file, whatever name the command line has.
    let held = lock(&folder.join("target.lock"));
    let ran = run_words(&format!("solve --size 3 --moves a2 --proof {}", link.display()));
    assert!(ran.code == Some(2) && ran.err.contains("is at work on it"), "{}", ran.err);
    drop(held);
    let ran = run_words(&format!("solve --size 3 --moves a2 --proof {}", link.display()));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(run_words(&format!("verify {}", target.display())).code, Some(0));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> bool {
    std::os::unix::fs::symlink(target, link).is_ok()
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> bool {
    false
}

#[test]
fn options_that_make_no_sense_are_refused_in_one_line() {
    for (args, said) in [
        ("solve --size 3 --engine oracle", "no engine `oracle`; there is dfpn, pns"),
        ("solve --size 3 --engine pns --threads 2", "2 threads: pns has one"),
        ("solve --size 3 --simulations 5", "5 simulations: dfpn makes none"),
        ("solve --size 3 --memory 5parsecs", "no unit `parsecs`"),
        ("solve --size 3 --engine mcts --proof p", "--proof: only dfpn writes proofs, not mcts"),
        ("solve --size 3 --proof /", "--proof /: there is something that is no file"),
        ("search --size 4 --moves a1,b1,a2,b2,a3,b3,a4", "the game is over: white has won"),
        ("search --size 4 --engine uct:nosuch=1", "uct: no option `nosuch`; there is exploration, rave"),
        ("search --size 4 --engine uct:rave", "engine `uct:rave`: `rave` is no OPTION=VALUE"),
        ("search --size 4 --engine uct:nodes=-1", "uct: nodes is -1, but has to be between 0 and"),
        ("search --size 4 --engine uct:depth=1", "uct: no option `depth`"),
        ("gtp --size 4 --engine uct:nosuch=1", "no option `nosuch`; there is nodes, simulations"),
    ] {
        let ran = run_words(args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args}");
        assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{args}: {}", ran.err);
    }
}

#[test]
fn a_depth_that_would_end_nothing_is_refused_by_name() {
    for (words, name) in [
        ("search --size 4 --depth 2", "champion"),
        ("search --size 4 --engine uct --depth 2", "uct"),
        ("search --game cachex --size 5 --engine mcts --depth 2", "mcts"),
        ("search --game cover --size 2 --engine uct --depth 2", "uct"),
        ("solve --size 5 --engine hybrid --depth 2", "hybrid"),
        ("match links rave --size 4 --games 2 --depth 2", "rave"),
        ("tournament links perfect --size 4 --games 2 --depth 2", "perfect"),
        ("tune mcts --dials rave=0..9 --size 4 --depth 2", "mcts"),
        ("gtp --size 4 --depth 2", "champion"),
    ] {
        let ran = run_words(words);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{words}");
        let why = format!(
            "--depth 2: {name} looks to no fixed depth and would never end; give it --seconds, --nodes or --simulations\n"
        );
        assert!(ran.err.ends_with(&why) && ran.err.lines().count() == 1, "{words}: {}", ran.err);
    }
    // The commands accept the depth if there is another limit, or if the depth belongs to the other player.
    for words in [
        "search --size 4 --engine links --depth 2",
        "search --size 4 --depth 2 --simulations 20",
        "match links mcts:simulations=20 --size 4 --games 2 --depth 1",
        "match links mcts --size 4 --games 2 --depth 1 --seconds 0.01",
        "match rogers-straight links --size 4 --games 2 --depth 1",
        "gtp --size 4 --depth 2 --engine mcts:simulations=20",
    ] {
        assert_eq!(run_words(words).code, Some(0), "{words}");
    }
}
