//! Tests of players by name (`Entrant`), of an event that goes on with the games of a log, and of the records of games.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use stonework_arena::{
    Entrant, EntrantError, Event, FolderError, GameLine, Games, MatchSummary, Openings, RecordFolder,
    ResumeError, Score, Terms,
};
use stonework_files::{Disk, Simulated};
use stonework_roster::PlayerConfig;
use stonework_search::Limits;
use stonework_session::{AnyPosition, GameType, Registry, Start};

fn game(name: &str) -> GameType {
    Registry::standard().game(name).unwrap().clone()
}

fn refusal(text: &str) -> String {
    Entrant::parse(text, &game("havannah"), &Start::of_size(4)).unwrap_err().to_string()
}

#[test]
fn the_refusal_of_a_text_that_is_no_player_quotes_the_text() {
    assert_eq!(refusal("mcts:fast"), "player `mcts:fast`: `fast` is no OPTION=VALUE");
    assert!(refusal("nobody").starts_with("player `nobody`: no player `nobody`; there is "));
    assert!(refusal("mcts:nosuch=1").starts_with("player `mcts:nosuch=1`: mcts: no option `nosuch`"));
    assert!(refusal("gtp/nosuch:program").starts_with("player `gtp/nosuch:program`: no notation `nosuch`"));
    let bad_size = Entrant::parse("gtp:program", &game("havannah"), &Start::of_size(99)).unwrap_err();
    assert_eq!(bad_size.to_string(), "player `gtp:program`: no board of size 99: sizes are 2 to 20");
    let bad_notation = Entrant::parse("gtp/grid:program", &game("cover"), &Start::of_size(2)).unwrap_err();
    assert_eq!(bad_notation.to_string(), "player `gtp/grid:program`: no notation `grid`: cover has one");
}

#[test]
fn distinguish_gives_entrants_different_names() {
    let (game, start) = (game("havannah"), Start::of_size(4));
    let texts = ["mcts", "gtp/grid:/bin/program --level 3", "mcts", "castro:program", "links:depth=1"];
    let mut entrants: Vec<Entrant> =
        texts.iter().map(|text| Entrant::parse(text, &game, &start).unwrap()).collect();
    Entrant::distinguish(&mut entrants);
    let names: Vec<&str> = entrants.iter().map(Entrant::name).collect();
    assert_eq!(names, ["mcts#1", "gtp:program", "mcts#2", "castro:program", "links:depth=1"]);
    assert_eq!(entrants.iter().map(Entrant::spec).collect::<Vec<_>>(), texts);
    let programs: Vec<bool> = entrants.iter().map(Entrant::is_program).collect();
    assert_eq!(programs, [false, true, false, true, false]);
    let limited: Vec<bool> = entrants.iter().map(Entrant::is_limited).collect();
    assert_eq!(limited, [false, true, false, true, true]);
    // A file may have the name that a number would make.
    let texts = ["gtp:x", "gtp:x#2", "gtp:x --level 2", "gtp:x#2 --level 2"];
    let mut entrants: Vec<Entrant> =
        texts.iter().map(|text| Entrant::parse(text, &game, &start).unwrap()).collect();
    Entrant::distinguish(&mut entrants);
    let names: Vec<&str> = entrants.iter().map(Entrant::name).collect();
    assert_eq!(names, ["gtp:x#1", "gtp:x#2#1", "gtp:x#3", "gtp:x#2#2"]);
}

#[test]
fn probe_refuses_a_player_that_cannot_play() {
    let (game, start) = (game("havannah"), Start::of_size(4));
    let probe = |text: &str, limits: Limits| {
        let config = PlayerConfig { limits, ..PlayerConfig::default() };
        let entrant = Entrant::parse(text, &game, &start).unwrap();
        entrant.probe(game.roster(), &config, &Terms::default())
    };
    assert_eq!(probe("links", Limits::none().depth(2)), Ok(true));
    let endless = EntrantError::Endless { spec: "uct".to_owned(), name: "uct".to_owned(), depth: 2 };
    assert_eq!(probe("uct", Limits::none().depth(2)), Err(endless));
    let unused = probe("links", Limits::none().simulations(9)).unwrap_err();
    assert_eq!(unused.to_string(), "player `links`: a limit of 9 simulations: links makes none");
    let missing = probe("gtp:/no/such/program", Limits::none()).unwrap_err();
    assert!(missing.to_string().starts_with("player `gtp:/no/such/program`: "), "{missing}");
}

/// A match of two quick players, with its four games.
fn event() -> (Event<AnyPosition>, Vec<GameLine>) {
    let (game, start) = (game("havannah"), Start::of_size(2));
    let players =
        ["links:depth=1", "mcts:simulations=5"].map(|text| Entrant::parse(text, &game, &start).unwrap());
    let position = game.start(&start).unwrap();
    let openings = Openings::Random { plies: 1 }.list(&position, 2, 3);
    let event = Event { start: position, players: 2, terms: Terms::default(), openings, seed: 3 };
    let make = |player: usize| players[player].contestant(game.roster(), &PlayerConfig::default());
    let mut lines = Vec::new();
    event.run(&make, &|_| false, 1, &AtomicBool::new(false), &mut |line| lines.push(line)).unwrap();
    (event, lines)
}

#[test]
fn an_event_resumes_with_the_games_of_its_log() {
    let (event, lines) = event();
    assert_eq!(lines.len(), 4);
    let mut longer = lines.clone();
    // The event has games 0 to 3. Game 9 stands for a game of a longer run of the same match.
    longer.push(GameLine { game: 9, ..lines[0].clone() });
    let games = event.resume(longer).unwrap();
    assert_eq!(games, lines.iter().cloned().collect::<Games>());
    let twice = event.resume([lines[1].clone(), lines[1].clone()]).unwrap_err();
    assert_eq!(twice, ResumeError::Twice { game: 1 });
    let wrong = event.resume([GameLine { seeds: [0, 0], ..lines[2].clone() }]).unwrap_err();
    assert_eq!(wrong.to_string(), "game 2: the round, the players or the seeds are not those of game 2");

    let mut score = Score::new(None);
    for line in &lines {
        score.add(line);
    }
    let summary = MatchSummary::new(["a", "b"], ["white", "black"], &score, &games);
    assert_eq!((&summary.json()["games"], &summary.json()["faults"]), (&4.into(), &vec![0, 0].into()));
    assert!(summary.text().starts_with("a against b: "), "{}", summary.text());
    assert!(summary.text().contains("\n  a game took "), "{}", summary.text());
    let sum = |side: usize| {
        lines.iter().map(|line| line.seconds[usize::from(line.players[0] != side)]).sum::<f64>()
    };
    let mean = summary.json()["seconds"][1].as_f64().unwrap();
    assert!((4.0 * mean - sum(1)).abs() < 1e-6, "{mean}: {lines:?}");
}

#[test]
fn an_incomplete_record_is_completed_and_another_record_is_never_replaced() {
    let (event, lines) = event();
    let disk = Simulated::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let folder = RecordFolder::open(shared, "games", Some("test:1")).unwrap();
    let games: Games = lines.iter().cloned().collect();
    let write = |line: &GameLine| folder.write(&event.start, line, ["one", "other"]);
    folder.check(4, &Games::default()).unwrap();
    for line in &lines {
        write(line).unwrap();
    }
    let path = folder.path(0);
    assert_eq!(path, Path::new("games/game-00001.sgf"));
    let text = disk.content(&path).unwrap();
    assert!(String::from_utf8_lossy(&text).contains("AP[test:1]"));
    // The same record again, and then a file with only a part of the record.
    write(&lines[0]).unwrap();
    disk.create(&path, None).unwrap().write_all(&text[..20]).unwrap();
    write(&lines[0]).unwrap();
    assert_eq!(disk.content(&path).unwrap(), text);
    // A file with another record.
    disk.create(&path, None).unwrap().write_all(b"(;FF[4])").unwrap();
    assert!(matches!(write(&lines[0]), Err(FolderError::Taken { path: taken }) if taken == path));
    assert_eq!(disk.content(&path).unwrap(), b"(;FF[4])");
    folder.check(4, &games).unwrap();
    let unplayed = folder.check(4, &Games::default()).unwrap_err().to_string();
    assert_eq!(unplayed, "games/game-00001.sgf: the record of another game is there");
}
