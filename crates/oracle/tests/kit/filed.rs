//! Records of any game of a registry, read from trees and from lists.

use stonework_oracle::{FiledGame, RecordFile, RecordOptions, ReplayError, recorded_games};
use stonework_record::ParseOptions;
use stonework_session::{GameRecord, GameType, Registry, Start};

fn rules(name: &str) -> GameType {
    Registry::standard().game(name).unwrap().clone()
}

fn list(text: &'static str) -> RecordFile {
    RecordFile::Lines { label: "list".to_owned(), reader: Box::new(text.as_bytes()) }
}

fn trees(text: &str) -> RecordFile {
    let trees = ParseOptions::default().parse_collection(text.as_bytes()).unwrap().games;
    RecordFile::Trees { label: "file".to_owned(), trees }
}

#[test]
fn a_written_record_is_read_and_replayed() {
    let cachex = rules("cachex");
    let moves = ["0,0", "2,2", "1,0", "1,2", "2,0"].map(str::to_owned);
    let record = GameRecord {
        moves: &moves,
        players: ["one", "other"],
        result: Some(stonework_game::Outcome::Win(stonework_game::Player::First)),
        ..GameRecord::default()
    };
    let text = cachex.start(&Start::of_size(3)).unwrap().record(&record).unwrap();
    let games: Vec<FiledGame> = trees(&text).games_of(&cachex, None).collect::<Result<_, _>>().unwrap();
    let [game] = &games[..] else { panic!("{games:?}") };
    assert_eq!((game.id.as_ref(), game.label.as_str(), game.record.size), (None, "file", 3));
    assert_eq!(
        (&game.record.moves[..], game.record.players.each_ref()),
        (&moves[..], [&"one".to_owned(), &"other".to_owned()])
    );
    let state = game.replay(&cachex).unwrap();
    let (position, played) = game.position(&cachex).unwrap();
    assert_eq!(played.len(), 5);
    assert_eq!(
        state.outcome.as_deref(),
        stonework_game::Game::outcome(&position).map(|end| position.description().outcome(end))
    );
    assert_eq!(game.claim_agrees(&state), state.outcome.as_deref().map(|winner| winner == "red"));
    // In a file of two trees, each has a number.
    let two = trees(&format!("{text}{text}"));
    let ids: Vec<_> = two.games_of(&cachex, Some(4)).map(|game| game.unwrap()).collect();
    assert_eq!(
        ids.iter().map(|game| game.label.as_str()).collect::<Vec<_>>(),
        ["file, game 1", "file, game 2"]
    );
    assert!(ids.iter().all(|game| game.record.size == 4));
}

#[test]
fn a_list_is_read_to_its_end_whatever_its_lines_are() {
    let cover = rules("cover");
    let text = "{\"players\": [\"a\", \"b\"], \"log\": 2}\n\n{\"id\": \"x\", \"size\": 1, \"moves\": []}\n{\"moves\": []}\n\
        {\"size\": 1}\n{\"size\": 1, \"moves\": [3]}\nno object\n{\"size\": 1, \"moves\": [\"nowhere\"]}\n";
    let games: Vec<Result<FiledGame, ReplayError>> = list(text).games_of(&cover, None).collect();
    let said: Vec<String> = games
        .iter()
        .map(|game| game.as_ref().map_or_else(ToString::to_string, |game| game.label.clone()))
        .collect();
    assert_eq!(said.len(), 6, "{said:?}");
    assert_eq!(
        said[..4],
        [
            "list, line 3",
            "list, line 4: no `size`: give --size",
            "list, line 5: no list `moves`",
            "list, line 6: `moves` has something that is no text"
        ]
    );
    assert!(said[4].starts_with("list, line 7: "), "{}", said[4]);
    let last = games[5].as_ref().unwrap();
    let refused = last.replay(&cover).unwrap_err();
    assert!(refused.to_string().starts_with("list, line 8: move 1, nowhere: "), "{refused}");
    assert_eq!(last.position(&cover).unwrap_err(), refused);
}

/// The moves were read on a board of one size and played on a board of the other: on other cells, in silence.
#[test]
fn a_record_whose_position_is_of_another_size_is_refused() {
    let record = |size: u8| format!("(;SZ[{size}]SWP[3 b - ..w/..../...../..../...];B[b2];W[c3])");
    let only = |file: RecordFile, size| {
        let how = RecordOptions { size, ..RecordOptions::default() };
        let mut games =
            file.games(how).map(|game| game.map(|game| game.start.size()).map_err(|e| e.to_string()));
        games.next().unwrap()
    };
    assert_eq!(only(trees(&record(3)), None), Ok(3));
    let refused = Err("file: SWP is a position of size 3, the record is of size 4".to_owned());
    assert_eq!(only(trees(&record(4)), None), refused);
    assert_eq!(only(trees(&record(3)), Some(4)), refused);
}

/// A record of Cachex was read as a game of Havannah without moves, or as one with other cells.
#[test]
fn a_record_of_another_game_is_no_record_of_havannah() {
    let read = |text: &str| {
        let mut games = trees(text).games(RecordOptions::default());
        games.next().unwrap().map(|game| game.steps.len()).map_err(|error| error.to_string())
    };
    for game in ["Cachex", "COVER"] {
        let refused = Err(format!("file: GM says {game}, which is not havannah"));
        assert_eq!(read(&format!("(;GM[{game}]SZ[3];R[0,0];B[1,1])")), refused);
    }
    // Other programs for Havannah write other words and numbers.
    for game in ["Havannah", "havannah", "1", ""] {
        assert_eq!(read(&format!("(;GM[{game}]SZ[3];W[a1])")), Ok(1), "{game}");
    }
}

/// A log of `match`: its header has the size, its games have none. Lists of the other games were read so already.
#[test]
fn a_list_of_havannah_takes_its_size_from_the_caller_and_leaves_a_header_out() {
    let log = "{\"log\":2,\"players\":[\"a\",\"b\"],\"size\":4}\n{\"players\":[\"a\",\"b\"],\"moves\":[\"a1\",\"b1\"]}\n";
    let read = |size| {
        let how = RecordOptions { size, ..RecordOptions::default() };
        let games = list(log).games(how);
        games.map(|game| game.map(|game| game.steps.len()).map_err(|e| e.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(read(Some(4)), [Ok(2)]);
    assert_eq!(read(None), [Err("list, line 2: no `size`: give --size".to_owned())]);
}

/// Fields of any length stood in the label of a game and in what it disagrees about.
#[test]
fn what_is_said_of_a_list_with_long_fields_is_short() {
    let long = "x".repeat(5000);
    for (id, field) in [
        (format!("\"{long}\""), format!("\"win_types\":[\"{long}\"]")),
        (format!("[\"{long}\"]"), format!("\"win_by\":\"{long}\"")),
    ] {
        let line = format!("{{\"id\":{id},\"size\":2,\"moves\":[\"a1\",\"b2\",\"a2\"],{field}}}\n");
        let reader = Box::new(std::io::Cursor::new(line));
        let file = RecordFile::Lines { label: "list".to_owned(), reader };
        let game = file.games(RecordOptions::default()).next().unwrap().unwrap();
        let differs = game.disagreements(&game.replay(None).unwrap());
        assert_eq!(differs.len(), 1, "{differs:?}");
        assert!(game.label.len() < 100 && differs[0].len() < 100, "{} {differs:?}", game.label);
    }
}

/// A disk or a terminal that is gone: each read fails.
struct Gone;

impl std::io::Read for Gone {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("gone"))
    }
}

/// The list gave the error of its reader again and again, and `replay` never ended.
#[test]
fn a_list_whose_reader_fails_ends_with_its_error() {
    let failing = || {
        let read = &b"{\"size\": 4, \"moves\": []}\n{\"size\""[..];
        let reader = std::io::BufReader::new(std::io::Read::chain(read, Gone));
        RecordFile::Lines { label: "list".to_owned(), reader: Box::new(reader) }
    };
    let games: Vec<_> = failing().games(RecordOptions::default()).take(9).collect();
    let said: Vec<_> = games
        .iter()
        .map(|game| game.as_ref().map_or_else(ToString::to_string, |_| "a game".into()))
        .collect();
    assert_eq!(said, ["a game", "list, line 2: gone"]);
    let cover = rules("cover");
    assert_eq!(failing().games_of(&cover, None).take(9).filter(Result::is_err).count(), 1);
}

/// Some editors begin a file in UTF-8 with a mark, for which a list was refused, or read as a file of trees.
#[test]
fn a_file_may_begin_with_the_mark_of_utf_8() {
    let folder = std::env::temp_dir().join(format!("stonework-marked-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        ("list.jsonl", "{\"size\": 4, \"moves\": [\"a1\"]}\r\n"),
        ("list", "{\"size\": 4, \"moves\": [\"a1\"]}"),
        ("game.sgf", "(;SZ[4];W[a1])"),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
        let games = RecordFile::open(&path).unwrap().games(RecordOptions::default());
        let steps: Vec<_> = games.map(|game| game.map(|game| game.steps.len())).collect();
        assert_eq!(steps, [Ok(1)], "{name}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_games_of_a_folder_are_read_past_those_that_cannot() {
    let folder = std::env::temp_dir().join(format!("stonework-recorded-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.sgf"), "(;SZ[4];W[a1];B[swap])").unwrap();
    std::fs::write(folder.join("aa.sgf"), "(;SZ[3]SWP[3 b - ..w/..../...../..../...];B[a1])").unwrap();
    std::fs::write(folder.join("b.sgf"), "no tree").unwrap();
    std::fs::write(
        folder.join("c.jsonl"),
        "{\"size\": 3, \"moves\": [\"a1\"]}\n{\"size\": 99, \"moves\": []}\n",
    )
    .unwrap();
    let how = RecordOptions { swap: true, ..RecordOptions::default() };
    let games: Vec<_> = recorded_games(&folder, how).unwrap().collect();
    let sizes: Vec<Option<u8>> = games.iter().map(|game| game.as_ref().ok().map(|game| game.size)).collect();
    // A game from a position that was set up is no game for tests of rules.
    assert_eq!(sizes, [Some(4), None, None, Some(3), None], "{games:?}");
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(recorded_games(&folder, how).is_err());
}

/// A size that is no number was called missing, and the whole of a long move was in the message.
#[test]
fn the_faults_of_a_list_name_the_wrong_value_and_are_short() {
    let cachex = rules("cachex");
    let long = "x".repeat(5000);
    let text = format!(
        "{{\"size\": \"4\", \"moves\": []}}\n{{\"size\": -4, \"moves\": []}}\n5\n{{\"size\": 4, \"moves\": [\"{long}\"]}}\n"
    );
    let said: Vec<String> = list(text.leak())
        .games_of(&cachex, None)
        .map(|game| game.and_then(|game| game.replay(&cachex)).unwrap_err().to_string())
        .collect();
    assert_eq!(
        said[..3],
        [
            "list, line 1: `size` is \"4\": expected a whole number",
            "list, line 2: `size` is -4: expected a whole number",
            "list, line 3: not a game: `5` is no object"
        ]
    );
    assert!(said[3].starts_with("list, line 4: move 1, xxx") && said[3].len() < 200, "{}", said[3].len());
}
