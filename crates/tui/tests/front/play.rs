//! Players, clocks, records and layers of the front end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::common::Table;
use ratatui::crossterm::event::MouseEventKind;
use stonework_game::{Game, Indexed, Outcome, Player};
use stonework_session::{Registry, Search, Start};
use stonework_tui::{App, Effect, Input, MoveValue, TuiOptions};

fn options(game: &str, size: u64) -> TuiOptions {
    let mut options = TuiOptions::new(Registry::standard(), game);
    options.start = Start::of_size(size);
    options.search = Search { nodes: Some(400), bytes: Some(1 << 20), ..Search::default() };
    options.plain = true;
    options
}

fn against(game: &str, size: u64, player: &str) -> TuiOptions {
    let mut options = options(game, size);
    options.players[1] = Some(player.to_owned());
    options
}

#[test]
fn each_kind_of_player_answers_and_takes_back() {
    for (game, size, player) in [
        ("havannah", 4, "mcts"),
        ("havannah", 4, "mcts:simulations=60"),
        ("cachex", 4, "cachex"),
        ("cachex", 4, "distance"),
        ("cover", 2, "cover"),
    ] {
        let mut table = Table::new(against(game, size, player));
        for plies in [2, 4] {
            let first = table.app.game().legal()[0].clone();
            table.keys(&format!(":{first}<Enter>"));
            assert_eq!(table.app.game().moves().len(), plies, "{player}: {}", table.screen());
        }
        // A take-back goes on to the last turn of the person, and the player does not move again by itself.
        table.keys("u");
        assert_eq!(table.app.game().moves().len(), 2, "{player}");
        table.keys("uu");
        assert_eq!(table.app.game().moves().len(), 0, "{player}");
    }
}

#[test]
fn a_player_thinks_in_the_other_sides_time_if_it_may() {
    for ponders in [false, true] {
        let mut options = against("havannah", 5, "champion");
        options.ponders = ponders;
        let mut table = Table::new(options);
        table.keys(":e5<Enter>");
        assert_eq!(table.app.game().moves().len(), 2, "{}", table.screen());
        assert_eq!(table.app.is_pondering(), ponders);
        // The thought ends with the next move of the person, and the player decides.
        table.keys(&format!(":{}<Enter>", table.app.game().legal()[0].clone()));
        assert_eq!(table.app.game().moves().len(), 4, "{}", table.screen());
        assert_eq!(table.app.is_pondering(), ponders);
        table.keys("u");
        assert!(!table.app.is_pondering());
    }
}

#[test]
fn two_players_play_a_whole_game() {
    let mut options = against("havannah", 3, "mcts");
    options.players[0] = Some("mcts".to_owned());
    let table = Table::new(options);
    assert!(table.app.game().state().outcome.is_some(), "{}", table.screen());
}

#[test]
fn an_unknown_player_is_refused_by_name() {
    let fault = App::new(against("havannah", 4, "deep")).unwrap_err();
    assert!(fault.to_string().starts_with("no player `deep`: there is dfpn"), "{fault}");
    let mut table = Table::new(options("havannah", 4));
    table.keys("pnobody<Enter>");
    assert!(table.screen().contains("no player `nobody`"), "{}", table.screen());
    table.keys("pmcts<Enter>");
    assert_eq!(table.app.game().moves().len(), 1, "{}", table.screen());
}

/// The thoughts of a player are shown while it thinks; `x` makes it move.
#[test]
fn a_player_is_seen_thinking() {
    let mut app = App::new(against("havannah", 4, "mcts")).unwrap();
    let task = |effects: Vec<Effect>| {
        effects.into_iter().find_map(|effect| match effect {
            Effect::Start(task) => Some(task),
            _ => None,
        })
    };
    let key = |app: &mut App, c: char| {
        let code = if c == '\n' {
            ratatui::crossterm::event::KeyCode::Enter
        } else {
            ratatui::crossterm::event::KeyCode::Char(c)
        };
        app.handle(Duration::ZERO, Input::Terminal(ratatui::crossterm::event::Event::Key(code.into())))
    };
    let mut last = None;
    for c in ":d4\n2".chars() {
        last = task(key(&mut app, c)).or(last);
    }
    let running = last.expect("the player's task");
    let (id, stop) = (running.id(), running.canceller());
    let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(80, 24)).unwrap();
    let mut seen = false;
    running.run(&mut |news| {
        app.handle(Duration::ZERO, Input::News(id, news));
        terminal.draw(|frame| app.draw(frame)).unwrap();
        let screen = terminal.backend().to_string();
        seen |= screen.contains("mcts decides") && screen.contains("visits");
        // The user has seen enough.
        key(&mut app, 'x');
        assert!(app.game().moves().len() == 2 || stop.load(std::sync::atomic::Ordering::Relaxed));
    });
    assert_eq!(app.game().moves().len(), 2);
    assert!(seen, "{}", terminal.backend());
}

#[test]
fn a_clock_falls_and_gets_its_increment() {
    let mut options = options("havannah", 4);
    options.clock = Some("60+5".parse().unwrap());
    let mut table = Table::new(options);
    table.wait(Duration::from_secs(1000));
    assert!(table.screen().contains("1:00"), "the clocks begin with the first move\n{}", table.screen());
    table.keys(":a1<Enter>");
    table.wait(Duration::from_secs(20));
    assert!(table.screen().contains("0:40"), "{}", table.screen());
    table.keys(":a2<Enter>");
    assert!(table.screen().contains("0:45"), "{}", table.screen());
    table.wait(Duration::from_secs(60));
    assert!(table.screen().contains("white has lost on time"), "{}", table.screen());
    table.keys(":a3<Enter>");
    assert!(table.screen().contains("the game is over"), "{}", table.screen());
    // The last move taken back, the time is as it was.
    table.keys("u");
    assert_eq!(table.app.game().moves(), ["a1"]);
    table.wait(Duration::from_secs(30));
    assert!(table.screen().contains("0:30"), "{}", table.screen());
}

/// The moves of the start cost no time and earn none; a move while the players wait leaves the clocks as they are, also when it is
/// taken back.
#[test]
fn clocks_do_not_count_moves_for_which_nobody_waits() {
    let mut options = options("havannah", 4);
    (options.clock, options.moves) =
        (Some("60+5".parse().unwrap()), ["a1", "a2", "a3"].map(str::to_owned).into());
    let mut table = Table::new(options);
    assert_eq!(table.screen().matches("1:00").count(), 2, "{}", table.screen());
    table.wait(Duration::from_secs(20));
    table.keys(":b1<Enter>");
    assert!(table.screen().contains("0:45") && table.screen().contains("1:00"), "{}", table.screen());
    // Walked back and on again, the players wait.
    table.keys("<Left><Right>:b2<Enter>:b3<Enter>u");
    assert_eq!(table.app.game().moves(), ["a1", "a2", "a3", "b1", "b2"]);
    assert!(table.screen().contains("0:45") && table.screen().contains("1:00"), "{}", table.screen());
}

/// A question that is open when the game ends does not end it once more.
#[test]
fn a_game_that_is_lost_on_time_is_not_resigned() {
    let mut options = options("havannah", 4);
    options.clock = Some("60".parse().unwrap());
    let mut table = Table::new(options);
    table.keys(":a1<Enter>R");
    table.wait(Duration::from_secs(61));
    table.keys("y");
    assert!(table.screen().contains("the game is over"), "{}", table.screen());
    table.keys("w<Enter>");
    let (_, text) = &table.files[0];
    assert!(text.contains("RE[W+Time]") && !text.contains("resign"), "{text}");
}

/// The result was in no file, and the program ended without a question.
#[test]
fn a_game_that_is_lost_on_time_is_not_saved() {
    let mut options = options("havannah", 4);
    options.clock = Some("60".parse().unwrap());
    let mut table = Table::new(options);
    table.keys(":a1<Enter>w<Enter>");
    table.wait(Duration::from_secs(61));
    table.keys("q");
    assert!(!table.quit && table.screen().contains("quit without saving"), "{}", table.screen());
    // The reason is there again when the file is opened.
    table.keys("nw<Enter>");
    let (name, text) = table.files.last().unwrap().clone();
    assert!(text.contains("RE[W+Time]"), "{text}");
    table.keys(&format!("Nyo{}<Enter>y<End>", name.display()));
    assert!(table.screen().contains("black has lost on time"), "{}", table.screen());
}

/// A comment is on the position for which it was begun, and a walk through the game keeps its resignation.
#[test]
fn a_comment_and_a_resignation_keep_their_places() {
    let mut table = Table::new(options("havannah", 4));
    table.keys(":a1 b2 c3<Enter>cthe third");
    table.mouse(MouseEventKind::ScrollUp, 10, 10);
    table.keys(" move<Enter><End>Ry<Left>:c3<Enter>w<Enter>");
    let (_, text) = &table.files[0];
    assert!(text.contains("W[c3]C[the third move]") && text.contains("B[resign]"), "{text}");
}

/// Each of the two lines has its own end: a variation is played on, and the line that was resigned stays resigned.
#[test]
fn the_other_line_keeps_its_resignation() {
    let mut table = Table::new(options("havannah", 4));
    table.keys(":a1 b2<Enter>Ry<Left>:c3<Enter>");
    assert!(!table.screen().contains("white has resigned"), "{}", table.screen());
    table.keys("v<End>");
    assert_eq!(table.app.game().moves(), ["a1", "b2"]);
    assert!(table.screen().contains("white has resigned"), "{}", table.screen());
    table.keys("w<Enter>");
    assert!(
        table.files[0].1.contains("RE[B") && table.files[0].1.contains("W[resign]"),
        "{}",
        table.files[0].1
    );
    table.keys("v<End>:d4<Enter>");
    assert_eq!(table.app.game().moves(), ["a1", "c3", "d4"]);
    // Back again, by an earlier variation, which drops the later one.
    table.keys("v<End>");
    assert!(table.screen().contains("white has resigned"), "{}", table.screen());
}

#[test]
fn a_game_is_resigned_saved_and_opened() {
    let mut table = Table::new(options("havannah", 4));
    table.keys(":d4 d5<Enter>cin the middle<Enter>Rn");
    assert!(!table.screen().contains("has resigned"));
    table.keys("Ry");
    assert!(table.screen().contains("white has resigned"), "{}", table.screen());
    table.keys("w<Enter>");
    let (path, text) = table.files[0].clone();
    assert_eq!(path, PathBuf::from("havannah.sgf"));
    assert!(text.contains("in the middle") && text.contains("resign") && text.contains("RE["), "{text}");
    // A file of another name that is there is replaced only after a question.
    table.files.push(("other.sgf".into(), "old".to_owned()));
    table.keys("w");
    table.control('u');
    table.keys("other.sgf<Enter>");
    assert!(table.screen().contains("replace it?"), "{}", table.screen());
    table.keys("n");
    assert_eq!(table.files.len(), 2);
    table.keys("u:c3<Enter>q");
    assert!(!table.quit && table.screen().contains("quit without saving"), "{}", table.screen());
    table.keys("nohavannah.sgf<Enter>y<End>5");
    assert_eq!(table.app.game().moves(), ["d4", "d5"]);
    assert!(table.screen().contains("in the middle"), "{}", table.screen());
    table.keys("ono such<Enter>");
    assert!(table.screen().contains("no such: no such file"), "{}", table.screen());
    table.keys("q");
    assert!(table.quit);
}

/// At the first position the key removed the whole game.
#[test]
fn nothing_is_taken_back_at_the_first_position() {
    let mut table = Table::new(options("havannah", 4));
    table.keys(":a1 b2<Enter>Ry<Home>u");
    assert!(table.screen().contains("no move to take back"), "{}", table.screen());
    table.keys("<End>");
    assert_eq!(table.app.game().moves(), ["a1", "b2"]);
    assert!(table.screen().contains("white has resigned"), "{}", table.screen());
}

/// The line breaks of a comment were lost when it was looked at, and the record had changes.
#[test]
fn a_comment_of_several_lines_stays() {
    let mut table = Table::new(options("havannah", 4));
    table.files.push(("old.sgf".into(), "(;SZ[4]C[one\ntwo];W[d4])".to_owned()));
    table.keys("oold.sgf<Enter>c<Enter>w");
    table.control('u');
    table.keys("same.sgf<Enter>");
    assert!(table.files.last().unwrap().1.contains("C[one\ntwo]"), "{:?}", table.files);
    table.keys("c, and more<Enter>w<Enter>");
    assert!(table.files.last().unwrap().1.contains("C[one\ntwo, and more]"), "{:?}", table.files);
    table.keys("c<Enter>q");
    assert!(table.quit);
}

/// The app keeps one line of a record. The variations of an opened file are lost only if a person says so.
#[test]
fn an_opened_file_with_variations_is_replaced_only_after_a_question() {
    let mut table = Table::new(options("havannah", 4));
    let old = "(;GM[24]FF[4]SZ[4];W[d4](;B[d5])(;B[a1]))";
    table.files.push(("old.sgf".into(), old.to_owned()));
    table.keys("oold.sgf<Enter>");
    assert!(table.screen().contains("the variations of the file are left out: 1"), "{}", table.screen());
    table.keys("w<Enter>");
    assert!(table.screen().contains("replace it?"), "{}", table.screen());
    table.keys("n");
    assert_eq!(table.files.len(), 1);
    table.keys("w<Enter>y");
    assert_eq!(table.files.len(), 2);
    // The file is the app's own now.
    table.keys("w<Enter>");
    assert!(!table.screen().contains("replace it?"), "{}", table.screen());
    assert_eq!(table.files.len(), 3);
}

#[test]
fn a_person_resigns_while_the_player_waits_and_begins_again() {
    let mut table = Table::new(against("havannah", 4, "mcts"));
    table.keys(":d4<Enter>u<Right>");
    assert_eq!(table.app.game().moves().len(), 0);
    // The first position of a walk: it is the person's turn; then the turn of the player, which waits.
    table.keys(":d4<Enter><Left>");
    assert_eq!(table.app.game().moves().len(), 1);
    table.keys("u:d4<Enter>Ry");
    assert!(table.screen().contains("white has resigned"), "{}", table.screen());
    table.keys("Ny");
    assert_eq!(table.app.game().moves().len(), 0);
    assert!(table.screen().contains("a new game"), "{}", table.screen());
    table.keys(":c3<Enter>");
    assert_eq!(table.app.game().moves().len(), 2);
}

#[test]
fn a_line_is_walked_and_left_and_found_again() {
    let mut table = Table::new(options("havannah", 4));
    table.keys(":a1 b2 c3 d4<Enter><Left><Left>:e5<Enter>");
    assert_eq!(table.app.game().moves(), ["a1", "b2", "e5"]);
    table.keys("v<End>");
    assert_eq!(table.app.game().moves(), ["a1", "b2", "c3", "d4"]);
    table.keys("<Home><Right>");
    assert_eq!(table.app.game().moves(), ["a1"]);
    table.mouse(MouseEventKind::ScrollDown, 10, 10);
    assert_eq!(table.app.game().moves(), ["a1", "b2"]);
    // A click on a move in the list shows the position after it; a click on a legal move plays it.
    let find = |table: &Table, text: &str| {
        let screen = table.screen();
        let mut lines = screen.lines().zip(0..);
        let (line, row) =
            lines.find(|(line, _)| line.contains(text)).unwrap_or_else(|| panic!("no {text}\n{screen}"));
        (line[..line.find(text).unwrap() + text.len()].chars().count() as u16 - 1, row)
    };
    let (x, y) = find(&table, "c3        d4");
    table.click_at(x, y);
    assert_eq!(table.app.game().moves().len(), 4, "{}", table.screen());
    let (x, y) = find(&table, " g7");
    table.click_at(x, y);
    assert_eq!(table.app.game().moves().last().unwrap(), "g7", "{}", table.screen());
}

#[test]
fn cells_are_named_in_every_notation() {
    let mut options = options("havannah", 4);
    options.notation = Some("grid".to_owned());
    options.moves = vec!["a1".to_owned()];
    let mut table = Table::new(options);
    let (mut names, mut keys) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        names.push(table.app.game().moves()[0].clone());
        keys.push(table.app.game().position().clone());
        table.keys("n");
    }
    assert_eq!(table.app.game().moves()[0], "a1");
    assert!(keys.windows(2).all(|pair| pair[0] == pair[1]));
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 1, "{names:?}");
}

#[test]
fn an_analysis_a_layer_and_exact_values_are_shown() {
    let mut options = options("havannah", 4);
    options.moves = "a1 b1 a2 b2 a3 b3".split(' ').map(str::to_owned).collect();
    options.values = Some(Arc::new(|position, _| {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let value = |mv| MoveValue {
            mv,
            outcome: Some(Outcome::Win(Player::First)),
            plies: Some(1),
            source: "proof",
        };
        assert!(position.move_at(moves[0].0 as usize).is_some());
        Ok(moves.into_iter().take(3).map(value).collect())
    }));
    let mut table = Table::new(options);
    table.keys("a");
    table.compare("engine");
    table.keys("3]]");
    table.compare("layer");
    table.keys("4");
    assert!(table.screen().contains("white wins within 1 (proof)"), "{}", table.screen());
    table.compare("proof");
}

#[test]
fn a_long_game_of_the_largest_boards_scrolls() {
    for (game, size, cell) in [("havannah", 20, "a1"), ("cachex", 15, "14,14"), ("cover", 10, "A01")] {
        let mut table = Table::of_size(options(game, size), 60, 20);
        let found = |table: &Table| table.app.place_of(cell).is_some();
        for key in ["k", "h", "j", "l"].repeat(2) {
            if !found(&table) {
                table.keys(&key.repeat(60));
            }
        }
        assert!(found(&table), "{game} {size}\n{}", table.screen());
    }
}

#[test]
fn control_keys_suspend_and_end() {
    let mut table = Table::new(options("havannah", 4));
    table.control('z');
    assert_eq!((table.suspended, table.quit), (1, false));
    table.keys(":a1<Enter>");
    table.control('c');
    assert!(table.quit);
}

/// A record takes the place of the game on the board: a game that is in no file is not lost without a question.
#[test]
fn a_record_replaces_an_unsaved_game_only_after_a_question() {
    let mut table = Table::new(options("havannah", 4));
    table.keys(":a1<Enter>w<Enter>:b2<Enter>ohavannah.sgf<Enter>");
    assert!(table.screen().contains("open the record without saving this game?"), "{}", table.screen());
    table.keys("n");
    assert_eq!(table.app.game().moves(), ["a1", "b2"]);
    table.keys("ohavannah.sgf<Enter>y<End>");
    assert_eq!(table.app.game().moves(), ["a1"]);
    // Nothing is lost now.
    table.keys("ohavannah.sgf<Enter><End>");
    assert_eq!(table.app.game().moves(), ["a1"]);
    assert!(!table.screen().contains("without saving"), "{}", table.screen());
}

/// The file of a game that was resigned is old when the resignation is taken back.
#[test]
fn a_resignation_that_is_taken_back_is_a_change_of_the_record() {
    let mut table = Table::new(options("havannah", 4));
    table.keys(":a1<Enter>Ryw<Enter>uq");
    assert!(table.screen().contains("quit without saving the game?"), "{}", table.screen());
    assert!(!table.quit);
}
