//! `selfplay`, `learn` and `--learned`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{run, run_words};

/// An empty folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli-learn").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// The names and contents of the files of a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn games_of_self_play_are_learned_and_played_with_in_all_three_games() {
    for (game, player, size) in
        [("havannah", "champion:share=0", 3), ("cachex", "mcts", 4), ("cover", "uct", 2)]
    {
        let folder = folder(game);
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let (out, value, priors) = (at("games"), at("value.safetensors"), at("priors.safetensors"));
        let play = format!(
            "selfplay --json --game {game} --player {player} --size {size} --games 12 --chunk 8 --simulations 20 --out {out}"
        );
        let said = run_words(&play).good();
        assert_eq!((&said[0]["games"], &said[0]["new"]), (&12.into(), &12.into()));
        let [packed, plain] =
            ["games-00000.jsonl.gz", "games-00001.jsonl"].map(|name| format!("{out}/{name}"));
        for what in ["value", "priors"] {
            let file = if what == "value" { &value } else { &priors };
            run_words(&format!("--json learn {what} {packed} {plain} --epochs 1 -o {file}")).good();
        }
        let report = format!("--json learn report {packed} {plain} --value {value} --priors {priors}");
        let told = run_words(&report).good();
        assert_eq!((&told[0]["size"], &told[0]["games"]), (&size.into(), &12.into()));
        for part in ["value", "priors"] {
            assert!(told[0][part]["loss"].as_f64().unwrap() > 0.0, "{game}: {told:?}");
        }
        let learned = format!("new={value},{priors}");
        let games = words(&format!(
            "--json match new {player} --game {game} --size {size} --games 2 --simulations 10 --plies 60 --learned {learned}"
        ));
        let played = run(&games.iter().map(String::as_str).collect::<Vec<_>>()).good();
        assert_eq!(played.len(), 3, "{game}: {played:?}");
        let other = if game == "cover" { "havannah" } else { "cover" };
        let refused = run_words(&format!("match new uct --game {other} --size 3 --learned {learned}"));
        assert_eq!(refused.code, Some(2));
        assert!(refused.err.contains("learned rows or weights"), "{}", refused.err);
    }
}

#[test]
fn proven_positions_are_kept_and_learned_in_all_three_games() {
    for (game, player, size) in [("havannah", "mcts", 4), ("cachex", "mcts", 4), ("cover", "uct", 2)] {
        let folder = folder(&format!("proven-{game}"));
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let play = |out: &str, more: &str| {
            run_words(&format!(
                "selfplay --json --game {game} --player {player} --size {size} --games 12 --chunk 8 --simulations 20 \
                 --memory 16MiB --plies 60 --prove 60 --prove-from 2 --out {out}{more}"
            ))
            .good()
        };
        let said = play(&at("a"), "");
        assert_eq!(said[0]["games"], 12);
        play(&at("b"), " --concurrency 2");
        assert_eq!(files(Path::new(&at("a"))), files(Path::new(&at("b"))));
        let games = format!("{0}/games-00000.jsonl.gz {0}/games-00001.jsonl", at("a"));
        run_words(&format!("--json learn value {games} --epochs 1 -o {}", at("value"))).good();
        let told = run_words(&format!("--json learn report {games} --value {}", at("value"))).good();
        // Each branch counts as a game.
        assert!(told[0]["games"].as_u64().unwrap() > 12, "{game}: {told:?}");
        let other = play_refused(&at("a"), game, player, size);
        assert!(other.contains("games-00000.jsonl.gz"), "{other}");
    }
}

/// The error of games of another plan in the same folder.
fn play_refused(out: &str, game: &str, player: &str, size: u8) -> String {
    let words = format!(
        "selfplay --game {game} --player {player} --size {size} --games 12 --chunk 8 --simulations 20 --memory 16MiB --plies 60 --out {out}"
    );
    let ran = run_words(&words);
    assert_eq!(ran.code, Some(2));
    ran.err
}

#[test]
fn a_network_on_the_lattice_is_learned_judged_and_played_with() {
    let folder = folder("lattice");
    let games = games(&folder, 3, 12);
    let at = folder.to_str().unwrap();
    let epochs = run_words(&format!("--json learn lattice {games} --epochs 2 --blocks 1 -o {at}/new")).good();
    assert!(epochs[1]["chance_loss"].as_f64().unwrap() > 0.0 && epochs[1]["epoch"] == 2, "{epochs:?}");
    let told = run_words(&format!("--json learn report {games} --lattice {at}/new")).good();
    assert!(told[0]["lattice"]["value_loss"].as_f64().unwrap() > 0.0, "{told:?}");
    let played = run_words(&format!(
        "--json match new champion --size 3 --games 2 --simulations 30 --learned new={at}/new"
    ));
    assert_eq!(played.good().len(), 3);
    // A training goes on from a network.
    let more = run_words(&format!("--json learn lattice {games} --epochs 1 --from {at}/new -o {at}/more"));
    let more = more.good();
    let differs = |epoch: &serde_json::Value| epoch["value_loss"] != more[0]["value_loss"];
    assert!(epochs.iter().all(differs), "{more:?} {epochs:?}");
    // The file names the one before, and has its blocks: unless it went on, it would have three.
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let header = |file: &[u8]| {
        let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
        serde_json::from_slice::<serde_json::Value>(&file[8..8 + length]).unwrap()
    };
    let (old, new) = (header(&bytes("new")), header(&bytes("more")));
    let about = |header: &serde_json::Value| header["__metadata__"]["about"].as_str().unwrap().to_owned();
    let from = format!("goes on from: the file with SHA-256 {}", stonework_farm::Digest::of(&bytes("new")));
    assert!(about(&new).contains(&from) && !about(&old).contains("goes on"), "{new}");
    let shapes = |header: &serde_json::Value| {
        let tensors = header.as_object().unwrap().iter().filter(|(name, _)| *name != "__metadata__");
        tensors.map(|(name, tensor)| (name.clone(), tensor["shape"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(shapes(&new), shapes(&old));
    // More blocks deepen a network, and fewer are refused.
    let deep =
        run_words(&format!("learn lattice {games} --epochs 1 --blocks 2 --from {at}/new -o {at}/deep"));
    assert_eq!(deep.code, Some(0), "{}", deep.err);
    let blocks = |name: &str| header(&bytes(name))["pool_bias"]["shape"][0].as_u64().unwrap();
    assert_eq!(["new", "deep"].map(blocks), [1, 2]);
    let fewer = run_words(&format!("learn lattice {games} --blocks 1 --from {at}/deep -o {at}/none"));
    assert!(
        fewer.code == Some(2) && fewer.err.contains("--blocks 1: the network of --from has 2"),
        "{}",
        fewer.err
    );
    // The wide planes widen a network, which stays wide; its games and reports see them.
    let wide = run_words(&format!("learn lattice {games} --epochs 1 --wide --from {at}/new -o {at}/wide"));
    assert_eq!(wide.code, Some(0), "{}", wide.err);
    let on = run_words(&format!("learn lattice {games} --epochs 1 --from {at}/wide -o {at}/wider"));
    assert_eq!(on.code, Some(0), "{}", on.err);
    let planes = |name: &str| header(&bytes(name))["planes"]["shape"][1].as_u64().unwrap();
    assert_eq!(["new", "wide", "wider"].map(planes), [44, 78, 78]);
    assert_eq!(run_words(&format!("learn report {games} --lattice {at}/wider")).code, Some(0));
    let play = format!("match new champion --size 3 --games 2 --simulations 30 --learned new={at}/wider");
    assert_eq!(run_words(&play).code, Some(0));
    // A match decides between two networks, or between one and that of the program.
    let old = format!("learn lattice {games} --epochs 2 --blocks 1 -o {at}/old --against");
    let equal = run_words(&format!("{old} {at}/new --simulations 10 --games 2"));
    assert_eq!(equal.code, Some(1), "{}{}", equal.out, equal.err);
    let shipped = run_words(&format!("{old} shipped --simulations 10 --games 2"));
    assert_eq!(shipped.code, Some(1), "{}{}", shipped.out, shipped.err);
    assert_eq!(std::fs::read(folder.join("old")).unwrap(), std::fs::read(folder.join("new")).unwrap());
    // Other games have no planes.
    let cachex = folder.join("cachex");
    let play = "selfplay --game cachex --player mcts --size 4 --games 4 --simulations 9 --out";
    assert_eq!(run_words(&format!("{play} {}", cachex.to_str().unwrap())).code, Some(0));
    // No new games have no mean length.
    assert_eq!(run_words(&format!("{play} {}", cachex.to_str().unwrap())).out, "4 games, 0 of them new\n");
    for words in [
        format!("learn lattice {}/games-00000.jsonl -o {at}/none", cachex.to_str().unwrap()),
        format!("match new uct --game cachex --size 4 --learned new={at}/new"),
    ] {
        let refused = run_words(&words);
        assert_eq!(refused.code, Some(2), "{words}");
        assert!(refused.err.contains("no planes"), "{}", refused.err);
    }
}

#[test]
fn a_report_refuses_files_of_another_game() {
    let folder = folder("report");
    let at = folder.to_str().unwrap();
    let games = games(&folder, 3, 4);
    let play = "selfplay --game cachex --player mcts --size 4 --games 4 --simulations 9 --out";
    assert_eq!(run_words(&format!("{play} {at}/cachex")).code, Some(0));
    for kind in ["value", "priors"] {
        assert_eq!(run_words(&format!("learn {kind} {games} --epochs 1 -o {at}/{kind}")).code, Some(0));
        assert_eq!(run_words(&format!("learn report {games} --{kind} {at}/{kind}")).code, Some(0));
        let refused = run_words(&format!("learn report {at}/cachex/games-00000.jsonl --{kind} {at}/{kind}"));
        assert_eq!(refused.code, Some(2), "{}", refused.out);
        let named = refused.err.contains(&format!("{at}/{kind}: "));
        assert!(named && refused.err.contains(" learned rows or weights for "), "{}", refused.err);
    }
    assert_eq!(run_words(&format!("learn priors {games} --wide --epochs 1 -o {at}/wide")).code, Some(0));
    assert_eq!(run_words(&format!("learn report {games} --priors {at}/wide")).code, Some(0));
}

#[test]
fn games_without_a_position_to_learn_from_leave_the_file_as_it_is() {
    let folder = folder("no-positions");
    let at = folder.to_str().unwrap();
    let play = format!("selfplay --player mcts --size 3 --games 3 --simulations 20 --out {at}/games");
    assert_eq!(run_words(&play).code, Some(0));
    let text = std::fs::read_to_string(folder.join("games/games-00000.jsonl")).unwrap();
    let (header, lines) = text.split_once('\n').unwrap();
    // Games whose moves are all of the opening.
    let openings = lines.lines().map(|line| {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        game["opening"] = game["moves"].as_array().unwrap().len().into();
        game["searches"] = serde_json::json!([]);
        format!("{game}\n")
    });
    let openings: String = [format!("{header}\n")].into_iter().chain(openings).collect();
    std::fs::write(folder.join("openings.jsonl"), openings).unwrap();
    std::fs::write(folder.join("kept"), "an older file").unwrap();
    for what in ["value", "priors", "lattice"] {
        let refused = run_words(&format!("learn {what} {at}/openings.jsonl -o {at}/kept"));
        assert_eq!(refused.code, Some(2), "{what}: {}", refused.out);
        assert!(refused.err.contains("no positions to learn from in 3 games"), "{what}: {}", refused.err);
        assert_eq!(std::fs::read(folder.join("kept")).unwrap(), b"an older file");
    }
}

#[test]
fn a_network_learned_into_its_own_file_ends_after_a_kill_between_its_last_two_steps() {
    let folder = folder("in-place");
    let games = games(&folder, 3, 12);
    let at = folder.to_str().unwrap();
    let place = |name: &str| folder.join(name);
    let learn = |words: &str| run_words(&format!("learn lattice {games} --epochs 1 --seed 3 {words}"));
    assert_eq!(learn(&format!("--blocks 1 -o {at}/net")).code, Some(0));
    let on = |output: &str| learn(&format!("--from {at}/net -o {at}/{output}"));
    assert_eq!(on("result").code, Some(0));
    // The result cannot be written beside its file, so the checkpoint at the end of the training stays.
    std::fs::create_dir(place("other.stonework-new")).unwrap();
    assert_eq!(on("other").code, Some(2));
    std::fs::rename(place("other.checkpoint"), place("net.checkpoint")).unwrap();
    std::fs::copy(place("result"), place("net")).unwrap();
    let bytes = |name: &str| std::fs::read(place(name)).unwrap();
    let last = on("net");
    assert_eq!(last.code, Some(0), "{}", last.err);
    assert!(bytes("net") == bytes("result") && !place("net.checkpoint").exists(), "{}", last.err);
    // The next run learns anew.
    assert_eq!(on("net").code, Some(0));
    assert!(bytes("net") != bytes("result"));
}

#[test]
fn self_play_that_is_killed_goes_on_and_ends_with_the_same_files() {
    let whole = folder("whole");
    let command = |out: &Path| {
        let text = "selfplay --player mcts --size 4 --games 60 --chunk 25 --simulations 40 --seed 5 --out";
        let mut command = words(text);
        command.push(out.to_str().unwrap().to_owned());
        command
    };
    let play = |out: &Path| run(&command(out).iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(play(&whole).code, Some(0));
    let killed = folder("killed");
    let (mut kills, since) = (0, Instant::now());
    loop {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
            .args(command(&killed))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60 + 40 * kills));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(since.elapsed() < Duration::from_secs(120), "{kills} kills");
    }
    assert_eq!(play(&killed).code, Some(0));
    assert_eq!(files(&killed), files(&whole), "after {kills} kills");
    let other = run_words(&format!(
        "selfplay --player mcts --size 4 --games 60 --chunk 25 --simulations 41 --seed 5 --out {}",
        killed.to_str().unwrap()
    ));
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("\"simulations\":40"), "{}", other.err);
}

/// A file with games of self-play of a size of Havannah.
fn games(folder: &Path, size: u8, count: usize) -> String {
    let out = folder.join("games");
    let out = out.to_str().unwrap();
    let play = format!(
        "selfplay --player mcts --size {size} --games {count} --chunk {count} --simulations 20 --out {out}"
    );
    assert_eq!(run_words(&play).code, Some(0));
    let plain = format!("{out}/games-00000.jsonl");
    if Path::new(&plain).exists() { plain } else { format!("{plain}.gz") }
}

#[test]
fn learning_that_is_killed_goes_on_and_ends_with_the_same_file() {
    let folder = folder("killed-learning");
    let games = games(&folder, 5, 60);
    for (what, epochs) in [("value", 60), ("priors", 60)] {
        let command = |out: &Path| {
            let mut command =
                words(&format!("learn {what} {games} --epochs {epochs} --checkpoint-every 0.02 --seed 4 -o"));
            command.push(out.to_str().unwrap().to_owned());
            command
        };
        let learn = |out: &Path| run(&command(out).iter().map(String::as_str).collect::<Vec<_>>());
        let (whole, killed) = (folder.join(format!("{what}-whole")), folder.join(format!("{what}-killed")));
        let since = Instant::now();
        assert_eq!(learn(&whole).code, Some(0));
        let took = since.elapsed();
        let beside = |ending: &str| folder.join(format!("{what}-killed.{ending}"));
        // The first kill comes after the first checkpoint, the others at moments from a seed, as parts of the time that an
        // undisturbed run takes.
        let (mut random, mut kills) = (0x9e37_79b9_7f4a_7c15_u64, 0);
        for _ in 0..6 {
            let mut child = Command::new(env!("CARGO_BIN_EXE_stonework"))
                .args(command(&killed))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            if kills == 0 {
                while !beside("checkpoint").exists() {
                    assert!(since.elapsed() < Duration::from_secs(120), "{what}: no checkpoint");
                    std::thread::sleep(Duration::from_millis(1));
                }
            } else {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                std::thread::sleep(took.mul_f64(0.3 * ((random >> 40) as f64 / f64::from(1 << 24))));
            }
            if child.try_wait().unwrap().is_some() {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
        }
        assert!(kills > 0, "{what}: no kill");
        let there = beside("checkpoint").exists();
        let last = learn(&killed);
        assert_eq!(last.code, Some(0), "{}", last.err);
        assert_eq!(last.err.contains("goes on after"), there, "{}", last.err);
        assert!(
            std::fs::read(&killed).unwrap() == std::fs::read(&whole).unwrap(),
            "{what} after {kills} kills"
        );
        for ending in ["checkpoint", "checkpoint.stonework-new", "lock", "stonework-new"] {
            assert!(!beside(ending).exists(), "{what}: {ending}");
        }
    }
}

#[test]
fn a_checkpoint_of_other_options_is_refused_and_ctrl_c_leaves_one() {
    let folder = folder("stopped-learning");
    let games = games(&folder, 4, 40);
    let at = folder.to_str().unwrap();
    let learn = |step: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stonework"));
        command.args(words(&format!("learn value {games} --epochs 1000 --step {step} -o {at}/v")));
        command
    };
    let child = learn("0.03").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (checkpoint, since) = (folder.join("v.checkpoint"), Instant::now());
    while !checkpoint.exists() {
        assert!(since.elapsed() < Duration::from_secs(60), "no checkpoint after an epoch");
        std::thread::sleep(Duration::from_millis(5));
    }
    let other = run_words(&format!("learn value {games} --epochs 1000 -o {at}/v"));
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("is at work on it"), "{}", other.err);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let stopped = child.wait_with_output().unwrap();
    let said = String::from_utf8(stopped.stderr).unwrap();
    assert_eq!(stopped.status.code(), Some(2), "{said}");
    assert!(said.contains(&format!("stopped; the same command goes on from {at}/v.checkpoint")), "{said}");
    let before = std::fs::read(&checkpoint).unwrap();
    let refused = learn("0.02").output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said.contains("v.checkpoint: it is of a training with other options: `epochs 1000, step 0.03"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(std::fs::read(&checkpoint).unwrap(), before);
    assert!(!folder.join("v").exists());
}

#[test]
fn a_match_against_earlier_files_decides_by_the_exit_code() {
    let folder = folder("deciding");
    let games = games(&folder, 3, 30);
    let at = folder.to_str().unwrap();
    let learn = |what: &str, out: &str, more: &str| {
        run_words(&format!("--json learn {what} {games} --epochs 2 -o {at}/{out} {more}"))
    };
    assert_eq!(run_words(&format!("learn priors {games} --epochs 2 -o {at}/old")).code, Some(0));
    let log = format!("{at}/match.jsonl");
    // Equal players: no verdict for the new one.
    let against = format!(
        "--against {at}/old --simulations 20 --games 40 --sprt elo0=0,elo1=300 --openings random:2 --log {log}"
    );
    let equal = learn("priors", "new", &against);
    assert_eq!((equal.code, equal.err.as_str()), (Some(1), ""), "{}", equal.out);
    let lines = equal.json();
    assert_eq!((&lines[0]["epoch"], &lines[1]["epoch"]), (&1.into(), &2.into()));
    let summary = lines.last().unwrap();
    assert_eq!((&summary["players"][0], &summary["complete"]), (&"new".into(), &true.into()));
    assert_ne!(summary["sprt"]["verdict"], "upper", "{summary}");
    // Games that end before the verdict stops the match are shown, too, and do not count.
    let counted = summary["games"].as_u64().unwrap() as usize;
    assert!(counted >= 2 && lines.len() > 2 + counted, "{}", equal.out);
    // The colours change, and the openings are the same in a pair.
    assert_eq!((&lines[2]["white"], &lines[3]["black"]), (&"new".into(), &"new".into()));
    assert_eq!(lines[2]["opening"], lines[3]["opening"]);
    // Equal games and options give equal files, with and without a match.
    assert_eq!(std::fs::read(format!("{at}/new")).unwrap(), std::fs::read(format!("{at}/old")).unwrap());
    // The same command learns the same file and has all games in the log.
    let again = learn("priors", "new", &against);
    assert_eq!(again.code, Some(1));
    assert_eq!(again.json().len(), 3, "{}", again.out);
    assert_eq!(again.json().last(), lines.last());
    // `match` has the same games in the same log.
    let same = run_words(&format!(
        "--json match new old --learned new={at}/new --learned old={at}/old --size 3 --simulations 20 --games 40 \
         --sprt elo0=0,elo1=300 --out {log}"
    ));
    assert_eq!((same.code, same.json().last()), (Some(0), lines.last()), "{}", same.err);
    // Text, and a test that equal players decide.
    let told = run_words(&format!(
        "learn priors {games} --epochs 2 -o {at}/new --against {at}/old --simulations 20 --games 4 \
         --sprt elo0=-1000,elo1=-990,alpha=0.5,beta=0.5"
    ));
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.err);
    assert!(told.out.ends_with(&format!("{at}/new is stronger than {at}/old\n")), "{}", told.out);
    assert!(told.out.contains("new against old: ") && told.out.contains("SPRT"), "{}", told.out);
    // The files of the program, with which the new player shares the kind that is not learned.
    let shipped = learn("value", "values", "--against shipped --simulations 20 --games 2");
    assert_eq!(shipped.code, Some(1), "{}", shipped.err);
    assert_eq!(shipped.json().last().unwrap()["sprt"]["verdict"], "open");
}

#[test]
fn a_match_that_cannot_be_played_is_refused_before_learning() {
    let folder = folder("undecided");
    let games = games(&folder, 3, 8);
    let at = folder.to_str().unwrap();
    std::fs::write(folder.join("bad"), "no tensors").unwrap();
    let cachex = folder.join("cachex");
    let play = "selfplay --game cachex --player mcts --size 4 --games 4 --simulations 9 --out";
    assert_eq!(run_words(&format!("{play} {}", cachex.to_str().unwrap())).code, Some(0));
    let cachex = format!("{}/games-00000.jsonl", cachex.to_str().unwrap());
    assert_eq!(run_words(&format!("learn value {cachex} -o {at}/cachex.safetensors")).code, Some(0));
    for (games, more, part) in [
        (&games, format!("--against {at}/none"), "--against"),
        (&games, format!("--against {at}/bad"), "bad: not a file of tensors: "),
        (&games, format!("--against {at}/cachex.safetensors"), "learned rows or weights"),
        (&games, "--against shipped --size 99".to_owned(), "99"),
        (&games, "--against shipped --games 3".to_owned(), "even"),
        (&games, "--against shipped --sprt elo0=9,elo1=1".to_owned(), "elo0"),
        (&games, "--against shipped --openings nowhere".to_owned(), "nowhere"),
        (&games, "--simulations 9".to_owned(), "--against"),
        (&cachex, "--against shipped".to_owned(), "cachex"),
    ] {
        let refused = run_words(&format!("learn value {games} -o {at}/new {more}"));
        assert_eq!(refused.code, Some(2), "{more}");
        assert!(refused.err.contains(part) && refused.err.lines().count() == 1, "{more}: {}", refused.err);
        assert!(!folder.join("new").exists() && !folder.join("new.checkpoint").exists(), "{more}");
    }
}

/// The learned file took the place of the games.
#[test]
fn an_output_that_is_a_file_of_games_is_refused() {
    let folder = folder("onto");
    let file = games(&folder, 3, 20);
    let before = std::fs::read(&file).unwrap();
    let (first, name) = file.rsplit_once('/').unwrap();
    let mut names = vec![file.clone(), format!("{first}/../games/./{name}")];
    #[cfg(unix)]
    {
        let link = folder.join("link").to_str().unwrap().to_owned();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        names.push(link);
    }
    for output in names {
        let ran = run_words(&format!("learn value {file} --epochs 1 -o {output}"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
        assert_eq!(ran.err, format!("error: --output {output}: it is the file of games {file}\n"));
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}

#[test]
fn unusable_arguments_of_self_play_and_learned_files_are_named() {
    let folder = folder("unusable");
    let at = folder.to_str().unwrap();
    let cases = [
        (format!("selfplay --player mcts --size 4 --out {at}/a"), "--simulations"),
        (format!("selfplay --player mcts --size 4 --seconds 1 --simulations 9 --out {at}/a"), "--seconds"),
        (format!("selfplay --player links --size 4 --nodes 9 --out {at}/a"), "--simulations"),
        (format!("selfplay --player links --size 4 --simulations 9 --out {at}/a"), "makes none"),
        (format!("selfplay --player nobody --size 4 --simulations 9 --out {at}/a"), "nobody"),
        (format!("selfplay --player mcts --size 4 --stray 2 --simulations 9 --out {at}/a"), "0 to 1"),
        (format!("selfplay --size 4 --simulations 9 --prove 0 --out {at}/a"), "--prove"),
        (format!("selfplay --size 4 --simulations 9 --prover pns --out {at}/a"), "--prove <NODES>"),
        (format!("selfplay --size 4 --simulations 9 --prove 9 --stray 0 --out {at}/a"), "--stray"),
        (format!("selfplay --size 4 --simulations 9 --prove 9 --prover nobody --out {at}/a"), "nobody"),
        (format!("match a b --size 4 --learned a={at}/none.safetensors"), "none.safetensors"),
        ("match a b --size 4 --learned a".to_owned(), "NAME=FILE"),
        (format!("learn priors {at}/none.jsonl -o {at}/p.safetensors"), "none.jsonl"),
    ];
    for (words, part) in cases {
        let ran = run_words(&words);
        assert_eq!(ran.code, Some(2), "{words}");
        assert!(ran.err.contains(part) && ran.err.lines().count() == 1, "{words}: {}", ran.err);
    }
}

/// The number of moves before the first search of a game was added to without a check.
#[test]
fn a_game_with_an_opening_longer_than_itself_is_refused() {
    let folder = folder("opening");
    let (games, out) = (folder.join("games.jsonl"), folder.join("values"));
    let search = r#"{"value":0.5,"visits":[["a1",1],["a2",1]]}"#;
    let lines = format!(
        concat!(
            r#"{{"what":"self-play","game":"havannah","size":3}}"#,
            "\n",
            r#"{{"game":0,"opening":{},"moves":["a1","b2"],"result":"first","proven":false,"searches":[{},{}]}}"#
        ),
        u64::MAX,
        search,
        search
    );
    std::fs::write(&games, lines).unwrap();
    let ran = run_words(&format!("learn value {} -o {}", games.display(), out.display()));
    let said = format!("games.jsonl: line 2: an opening of {} moves in a game of 2\n", u64::MAX);
    assert!(ran.code == Some(2) && ran.err.ends_with(&said), "{}", ran.err);
}

/// The option was taken and had no effect.
#[test]
fn a_review_judges_by_a_learned_player() {
    let folder = folder("review");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (file, priors, record) = (games(&folder, 3, 8), at("priors.safetensors"), at("game.sgf"));
    run_words(&format!("learn priors {file} --epochs 1 --json -o {priors}")).good();
    std::fs::write(&record, "(;FF[4]GM[Havannah]SZ[3];W[a1];B[b1])").unwrap();
    let review = format!("review {record} --engine new --simulations 20 --proof-nodes 0 --json");
    let told = run_words(&format!("{review} --learned new={priors}")).good();
    assert_eq!(told.len(), 2);
    let refused = run_words(&review);
    assert!(refused.code == Some(2) && refused.err.contains("no player `new`"), "{}", refused.err);
}
