//! Laws of self-play: games follow from their numbers, a folder survives a kill at any byte, and its files are games.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};
use stonework_arena::Won;
use stonework_arena::self_play::{
    MAX_UNPACKED, SelfPlay, SelfPlayError, SelfPlayFolder, SelfPlayFolderError, SelfPlayGame, packed,
    unpacked, unpacked_text,
};
use stonework_engine::{Engine, Limits};
use stonework_files::{Disk, DiskFault, Simulated};
use stonework_game::{Game, Player, Textual, example::Nim};
use stonework_search::{Mcts, MctsOptions, RandomPlayout};

const GAMES: usize = 25;
const CHUNK: usize = 10;

fn plan() -> SelfPlay<Nim> {
    SelfPlay { opening: 3, stray: 0.2, ..SelfPlay::new(Nim::new(40), 7) }
}

fn engine() -> Result<Box<dyn Engine<Nim>>, String> {
    let options = MctsOptions::uct().lines(9);
    Ok(Box::new(Mcts::new(RandomPlayout::new(100), options).map_err(|error| error.to_string())?))
}

fn limits() -> Limits {
    Limits::none().simulations(12)
}

fn games(threads: usize) -> Vec<SelfPlayGame> {
    let mut games = Vec::new();
    let mut each = |game| {
        games.push(game);
        Ok(())
    };
    plan().run(0..GAMES, &engine, &limits(), threads, &AtomicBool::new(false), &mut each).unwrap();
    games
}

fn settings() -> Value {
    json!({"game": "nim", "size": 40})
}

/// Opens the folder and plays the missing games.
fn go_on(disk: &Simulated) -> Result<(), SelfPlayFolderError> {
    static GAMES_ONCE: OnceLock<Vec<SelfPlayGame>> = OnceLock::new();
    let mut folder = SelfPlayFolder::open(disk, Path::new("d"), &settings(), CHUNK)?;
    for game in GAMES_ONCE.get_or_init(|| games(1)).iter().skip(folder.games()) {
        folder.add(game)?;
    }
    assert_eq!(folder.games(), GAMES);
    Ok(())
}

fn content(disk: &Simulated) -> Vec<Option<Vec<u8>>> {
    let names = ["games-00000.jsonl.gz", "games-00001.jsonl.gz", "games-00002.jsonl", "games-00000.jsonl"];
    names.map(|name| disk.content(&Path::new("d").join(name))).into()
}

#[test]
fn a_game_follows_from_its_number_whatever_the_threads() {
    let all = games(1);
    assert_eq!(all.len(), GAMES);
    assert_eq!(all, games(3));
    assert!(all.iter().enumerate().all(|(at, game)| game.game == at));
    assert_ne!(all[0].moves, all[1].moves);
    let alone = plan().play(17, &mut *engine().unwrap(), &limits()).unwrap();
    assert_eq!(alone, all[17]);
}

#[test]
fn games_are_legal_and_their_searches_are_of_their_positions() {
    let (mut proven, mut strayed) = (0, 0);
    for line in games(1) {
        let mut game = Nim::new(40);
        assert!((1..=3).contains(&line.opening));
        assert_eq!(line.searches.len(), line.moves.len() - line.opening);
        for (ply, name) in line.moves.iter().enumerate() {
            if let Some(search) = ply.checked_sub(line.opening).map(|at| &line.searches[at]) {
                let legal: Vec<String> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
                assert!(search.visits.iter().all(|(mv, visits)| legal.contains(mv) && *visits > 0));
                assert!(search.visits.is_sorted_by(|a, b| a.1 >= b.1) && !search.visits.is_empty());
                assert!(search.value.is_some_and(|value| (0.0..=1.0).contains(&value)));
                strayed += usize::from(search.visits[0].0 != *name);
            }
            game.play(game.parse_move(name).unwrap()).unwrap();
        }
        proven += usize::from(line.proven);
        // A proven result is that of the rules: whoever faces a multiple of three loses.
        let loser = if game.left().is_multiple_of(3) { game.to_move() } else { game.to_move().other() };
        if line.proven {
            assert_eq!(line.result, if loser == Player::First { Won::Second } else { Won::First });
        }
    }
    assert!(proven > 0 && strayed > 0, "{proven} proven, {strayed} random moves");
}

#[test]
fn a_folder_cut_at_any_byte_goes_on_and_ends_with_the_same_files() {
    let disk = Simulated::new();
    go_on(&disk).unwrap();
    let whole = content(&disk);
    assert_eq!(whole.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, true, false]);
    let growing = Path::new("d/games-00002.jsonl");
    let bytes = disk.content(growing).unwrap();
    for cut in (0..=bytes.len()).step_by(61) {
        disk.put(growing, &bytes[..cut]);
        go_on(&disk).unwrap();
        assert_eq!(content(&disk), whole, "cut at {cut}");
    }
    // A kill before the compression, and one between the compression and the removal.
    let text = unpacked_text(whole[1].as_deref().unwrap(), MAX_UNPACKED).unwrap();
    for finished in [false, true] {
        disk.put(Path::new("d/games-00001.jsonl"), text.as_bytes());
        if !finished {
            disk.remove(Path::new("d/games-00001.jsonl.gz")).unwrap();
        }
        go_on(&disk).unwrap();
        assert_eq!(content(&disk), whole);
        assert!(disk.content(Path::new("d/games-00001.jsonl")).is_none());
    }
}

#[test]
fn a_folder_whose_disk_fails_once_anywhere_gets_the_same_files_by_further_calls() {
    let disk = Simulated::new();
    go_on(&disk).unwrap();
    let (whole, operations, all) = (content(&disk), disk.operations(), games(1));
    for at in 0..operations {
        for fault in [DiskFault::Error, DiskFault::Short] {
            let disk = Simulated::new();
            disk.fail_at(at, fault);
            let open = || SelfPlayFolder::open(&disk, Path::new("d"), &settings(), CHUNK);
            let mut folder = open().or_else(|_| open()).unwrap();
            let mut errors = 0;
            while let Some(game) = all.get(folder.games()) {
                errors += usize::from(folder.add(game).is_err());
                assert!(errors <= 1, "{fault:?} at {at}: game {}", folder.games());
            }
            drop(folder);
            // A full file that could not be compressed is compressed now.
            go_on(&disk).unwrap();
            assert_eq!(content(&disk), whole, "{fault:?} at {at}");
        }
    }
}

#[test]
fn packed_games_one_after_the_other_are_all_unpacked() {
    let all = games(1);
    let (one, other) = (packed(&all[..9]).unwrap(), packed(&all[9..]).unwrap());
    let both = [one.clone(), other].concat();
    assert_eq!(unpacked(&both, MAX_UNPACKED).unwrap(), all);
    // A part of the second, and bytes that are nothing.
    assert!(unpacked(&both[..both.len() - 1], MAX_UNPACKED).is_err());
    assert!(unpacked(&[&one[..], b"more"].concat(), MAX_UNPACKED).is_err());
    // A reason is short whatever the line says.
    let odd = format!("{{\"{}\":1}}\n", "é".repeat(5000));
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, odd.as_bytes()).unwrap();
    let error = unpacked(&packer.finish().unwrap(), MAX_UNPACKED).unwrap_err().to_string();
    assert!(error.starts_with("line 1: unknown field `é") && error.len() < 400, "{error}");
    // The limit is one for all.
    let text = unpacked_text(&both, MAX_UNPACKED).unwrap().len() as u64;
    assert!(unpacked_text(&both, text).is_ok());
    let error = unpacked_text(&both, text - 1).unwrap_err();
    assert_eq!(error.to_string(), format!("longer than {} bytes", text - 1));
}

#[test]
fn other_settings_games_out_of_order_and_damaged_files_are_refused() {
    let disk = Simulated::new();
    go_on(&disk).unwrap();
    let open = |settings: Value| SelfPlayFolder::open(&disk, Path::new("d"), &settings, CHUNK).map(|_| ());
    let error = open(json!({"game": "nim", "size": 41})).unwrap_err().to_string();
    assert!(error.contains("games-00001") && error.contains("41"), "{error}");
    let mut folder = SelfPlayFolder::open(&disk, Path::new("d"), &settings(), CHUNK).unwrap();
    let error = folder.add(&games(1)[3]).unwrap_err();
    assert_eq!(error.to_string(), format!("game 3 in the place of game {GAMES}"));
    drop(folder);
    disk.put(Path::new("d/games-00001.jsonl.gz"), b"not gzip");
    assert!(matches!(open(settings()), Err(SelfPlayFolderError::Other { .. })));
}

#[test]
fn packed_games_are_unpacked_within_their_limit() {
    let games = games(1);
    let bytes = packed(&games).unwrap();
    assert_eq!(bytes, packed(&games).unwrap());
    assert_eq!(unpacked(&bytes, MAX_UNPACKED).unwrap(), games);
    assert!(unpacked(&bytes, 100).unwrap_err().to_string().contains("100 bytes"));
    assert!(unpacked(b"lines", MAX_UNPACKED).is_err());
    for cut in (0..bytes.len()).step_by(5) {
        assert!(unpacked(&bytes[..cut], MAX_UNPACKED).is_err());
    }
}

#[test]
fn a_stop_an_engine_that_cannot_be_made_and_a_folder_that_fails_end_the_run() {
    let never = |_| panic!("a game after the stop");
    let stopped = plan().run(0..5, &engine, &limits(), 2, &AtomicBool::new(true), &mut { never });
    assert_eq!(stopped, Err(SelfPlayError::Stopped));
    let made = || Err("no engine".to_owned());
    let failed = plan().run(0..5, &made, &limits(), 2, &AtomicBool::new(false), &mut |_| Ok(()));
    assert_eq!(failed, Err(SelfPlayError::Failed("no engine".to_owned())));
    let mut kept = 0;
    let full = &mut |_| {
        kept += 1;
        if kept == 3 { Err("the disk is full".to_owned()) } else { Ok(()) }
    };
    let failed = plan().run(0..9, &engine, &limits(), 2, &AtomicBool::new(false), full);
    assert_eq!(failed, Err(SelfPlayError::Failed("the disk is full".to_owned())));
    assert_eq!(kept, 3);
    let none = plan().play(0, &mut *engine().unwrap(), &Limits::none().nodes(0));
    assert!(matches!(none, Err(SelfPlayError::NoMove { game: 0, .. })), "{none:?}");
}
