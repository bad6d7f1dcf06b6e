//! Games of a registry, served over the protocol.

use stonework_game::example::Nim;
use stonework_gtp::{Host, Server, SessionHost, SessionHostOptions};
use stonework_roster::{PlayerConfig, Roster, RosterEntry};
use stonework_search::{Limits, Minimax};
use stonework_session::{GameType, Registry, Session};

fn server(game: &str, options: SessionHostOptions) -> Server<SessionHost> {
    let registry = Registry::standard();
    let game = registry.game(game).unwrap();
    Server::new(SessionHost::new(game, options).unwrap(), game.usual_player(), 1).unwrap()
}

/// The reply to a line, without the empty line at its end.
fn say(server: &mut Server<SessionHost>, line: &str) -> String {
    server.line(line).unwrap().to_string().trim_end().to_owned()
}

#[test]
fn each_game_of_the_registry_is_played_to_its_end() {
    for (name, size) in [("havannah", 2), ("cachex", 3), ("cover", 1)] {
        let config = PlayerConfig { limits: Limits::none().nodes(50), ..PlayerConfig::default() };
        let options = SessionHostOptions { size: Some(size), config, ..SessionHostOptions::default() };
        let mut server = server(name, options);
        // A game of Cover may have no end.
        for _ in 0..40 {
            let to_move = server.host().colours()[stonework_game::Game::to_move(server.game())].to_owned();
            let reply = say(&mut server, &format!("genmove {to_move}"));
            assert!(reply.starts_with("= "), "{name}: {reply}");
            if reply == "= pass" {
                break;
            }
        }
        let sides = Registry::standard().game(name).unwrap().description().sides;
        let winner = say(&mut server, &format!("{name}_winner"));
        assert!(["none", "draw", sides[0], sides[1]].contains(&&winner[2..]), "{name}: {winner}");
        assert!(say(&mut server, "printsgf").contains("FF[4]"), "{name}");
    }
}

#[test]
fn a_game_of_ones_own_has_the_commands() {
    let minimax = RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(())));
    let nim = GameType::with_players(&Roster::<Nim>::new().with(minimax));
    let host = SessionHost::new(&nim, SessionHostOptions::default()).unwrap();
    let mut server = Server::new(host, nim.usual_player(), 1).unwrap();
    for (line, reply) in [
        ("list_engines", "= minimax: the complete game tree"),
        ("showboard", "=\n7 first\nnot over, first to move"),
        ("genmove first", "= 1"),
        ("nim_winner", "= none"),
        ("boardsize 2", "="),
        ("boardsize 300", "? unacceptable size: no board of size 300: sizes are 1 to 255"),
        ("swap", "? unknown command: swap"),
    ] {
        assert_eq!(say(&mut server, line), reply, "{line}");
    }
    assert!(say(&mut server, "solve_minimax").starts_with("= first\nline 2\n"));
}

#[test]
fn a_notation_and_the_right_to_swap_are_options() {
    let options = || SessionHostOptions { size: Some(4), ..SessionHostOptions::default() };
    let mut swapping = server("havannah", options());
    assert_eq!(say(&mut swapping, "play white a1"), "=");
    assert_eq!(say(&mut swapping, "play black swap"), "=");
    let mut plain = server("havannah", SessionHostOptions { swap: Some(false), ..options() });
    assert_eq!(say(&mut plain, "play white a1"), "=");
    assert!(say(&mut plain, "play black swap").starts_with("? illegal move: "));

    let notations = Registry::standard().game("havannah").unwrap().description().notations;
    let grid = notations.iter().position(|&name| name == "grid").unwrap();
    let mut gridded = server("havannah", SessionHostOptions { notation: grid, ..options() });
    assert_eq!(gridded.host().styles()[0], "grid");
    assert_eq!(say(&mut gridded, "play white a1"), "=");
    assert_eq!(say(&mut gridded, "hguicoords"), "=");
    let hgui = say(&mut gridded, "all_legal");
    assert_eq!(say(&mut gridded, "gridcoords"), "=");
    assert_ne!(say(&mut gridded, "all_legal"), hgui);
}

#[test]
fn gogui_is_shown_places_of_a_square() {
    let mut gogui = server(
        "havannah",
        SessionHostOptions { size: Some(2), gogui: true, ..SessionHostOptions::default() },
    );
    for (line, reply) in [
        ("gogui-rules_board_size", "= 3"),
        ("play black A3", "="),
        ("play white I1", "? illegal move: `I1` is no place: a letter other than i, and a number"),
        ("play white D1", "? illegal move: `D1` is not on the board"),
        ("boardsize 5", "="),
        ("boardsize 4", "? unacceptable size: no board has 4 rows: odd numbers only"),
        ("boardsize 27", "? unacceptable size: a board of 27 rows: GoGui shows at most 25"),
        ("gridcoords", "? unknown command: gridcoords"),
    ] {
        assert_eq!(say(&mut gogui, line), reply, "{line}");
    }
}

/// The name of a move of Cover has the stone that it shoots, which depends on the position before the move: names of games and of
/// lines can be played.
#[test]
fn moves_of_games_and_lines_are_named_where_they_are_played() {
    let config = PlayerConfig { limits: Limits::none().nodes(3000), ..PlayerConfig::default() };
    let options = SessionHostOptions { size: Some(2), config, ..SessionHostOptions::default() };
    let mut server = server("cover", options);
    say(&mut server, "engine alphabeta");
    for _ in 0..12 {
        let mover = server.host().colours()[stonework_game::Game::to_move(server.game())].to_owned();
        let reply = say(&mut server, &format!("genmove {mover}"));
        if reply == "= pass" {
            break;
        }
        let sgf = say(&mut server, "printsgf");
        let game = Session::from_record(Registry::standard(), "cover", &sgf[2..]).unwrap();
        assert!(game.moves().iter().all(|mv| sgf.contains(&format!("[{mv}]"))), "{sgf}");
        let line = say(&mut server, "pv");
        let mut before = game.fork();
        before.undo(1).unwrap();
        before
            .play_all(&line[2..].split_whitespace().collect::<Vec<_>>())
            .unwrap_or_else(|fault| panic!("{line}: {fault}"));
        let names = before.moves();
        assert!(
            names.ends_with(&line[2..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()),
            "{line}"
        );
    }
    assert!(say(&mut server, "tree_json").contains("\"moves\":[\""));
}

#[test]
fn a_player_is_named_with_its_options() {
    let config = PlayerConfig { limits: Limits::none().nodes(50), ..PlayerConfig::default() };
    let mut server =
        server("havannah", SessionHostOptions { size: Some(4), config, ..SessionHostOptions::default() });
    assert_eq!(say(&mut server, "engine mcts:simulations=7,rave=400"), "=");
    assert!(say(&mut server, "engine mcts:wings=2").starts_with("? no option `wings`"));
    assert!(say(&mut server, "engine mcts:fast").starts_with("? `mcts:fast`: `fast` is no OPTION=VALUE"));
    assert_eq!(say(&mut server, "engine"), "= mcts");
    for line in ["clear_board", "seed 9"] {
        say(&mut server, line);
        let options = say(&mut server, "list_options");
        assert!(options.contains("\nsimulations 7 ") && options.contains("\nrave 400 "), "{options}");
    }
}

/// An option may be allowed only after another one: a new player gets the options in the order in which they were set.
#[test]
fn options_are_set_again_in_their_order() {
    let config = PlayerConfig { limits: Limits::none().nodes(50), ..PlayerConfig::default() };
    let mut server =
        server("cover", SessionHostOptions { size: Some(1), config, ..SessionHostOptions::default() });
    for line in [
        "engine alphabeta",
        "set_option late_by 2",
        "set_option late_after 6",
        "set_option late_by 3",
        "seed 5",
    ] {
        assert_eq!(say(&mut server, line), "=", "{line}");
    }
    assert!(say(&mut server, "list_options").contains("late_after 6"));
    for line in ["set_option late_by 0", "seed 6"] {
        assert_eq!(say(&mut server, line), "=", "{line}");
    }
}

#[test]
fn options_that_cannot_be_kept_are_refused_by_name() {
    let registry = Registry::standard();
    let refused = |name: &str, options: SessionHostOptions| {
        let fault = SessionHost::new(registry.game(name).unwrap(), options).unwrap_err();
        (fault.kind, fault.message)
    };
    let standard = SessionHostOptions::default;
    for (game, options, kind, message) in [
        (
            "havannah",
            SessionHostOptions { size: Some(99), ..standard() },
            "size",
            "no board of size 99: sizes are 2 to 20",
        ),
        (
            "cover",
            SessionHostOptions { notation: 1, ..standard() },
            "notation",
            "no notation number 1: cover has 1",
        ),
        (
            "havannah",
            SessionHostOptions { gogui: true, swap: Some(true), ..standard() },
            "gogui",
            "GoGui knows no right to swap",
        ),
        (
            "havannah",
            SessionHostOptions { size: Some(14), gogui: true, ..standard() },
            "gogui",
            "a board of 27 rows: GoGui shows at most 25",
        ),
    ] {
        assert_eq!(refused(game, options), (kind.to_owned(), message.to_owned()));
    }
}

#[test]
fn a_depth_that_ends_no_search_of_the_player_is_refused() {
    let config = PlayerConfig { limits: Limits::none().depth(2), ..PlayerConfig::default() };
    let registry = Registry::standard();
    let game = registry.game("havannah").unwrap();
    let host = || {
        let options =
            SessionHostOptions { size: Some(4), config: config.clone(), ..SessionHostOptions::default() };
        SessionHost::new(game, options).unwrap()
    };
    assert_eq!(
        Server::new(host(), "mcts", 1).err().unwrap(),
        "depth 2: mcts looks to no fixed depth and would never end; give it seconds, nodes or simulations"
    );
    assert!(Server::new(host(), "links", 1).is_ok());
    // The options of the player may limit its searches, as long as they are set.
    let mut limited = Server::new(host(), "mcts:simulations=50", 1).unwrap();
    assert!(say(&mut limited, "genmove white").starts_with("= "));
    assert!(say(&mut limited, "set_option simulations 0").starts_with("? depth 2: mcts looks to no"));
    assert_eq!(say(&mut limited, "set_option simulations 60"), "=");
    assert!(say(&mut limited, "engine mcts").starts_with("? depth 2: mcts looks to no"));
    assert_eq!(say(&mut limited, "engine mcts:nodes=90"), "=");
    assert_eq!(Server::new(host(), "nobody", 1).err().unwrap().split(';').next(), Some("no player `nobody`"));
}

#[test]
fn each_layer_of_a_game_is_a_command() {
    let mut havannah =
        server("havannah", SessionHostOptions { size: Some(4), ..SessionHostOptions::default() });
    let names = ["links", "frames", "threats", "must-play", "race", "dead", "distance", "two-distance"];
    let commands = say(&mut havannah, "list_commands");
    assert!(names.iter().all(|name| commands.lines().any(|line| line == *name)), "{commands}");
    assert!(say(&mut havannah, "gogui-analyze_commands").contains("hstring/Layer: must-play/must-play"));
    let swap = "? the right to swap is still in the game, so that stones may change sides";
    assert_eq!(say(&mut havannah, "must-play"), swap);
    for (ply, cell) in ["b3", "d4", "a4", "e4", "d1"].into_iter().enumerate() {
        assert_eq!(say(&mut havannah, &format!("play {} {cell}", ["w", "b"][ply % 2])), "=", "{cell}");
    }
    let told = say(&mut havannah, "must-play");
    assert!(
        told.starts_with("= Black must play on one of a3, b2 and b4: a stone on any other cell loses.\n"),
        "{told}"
    );
    assert!(say(&mut havannah, "gridcoords").starts_with('='));
    assert!(say(&mut havannah, "links").contains("connected to "));
    assert!(say(&mut havannah, "links now").starts_with("? syntax error"));
    let mut cachex = server("cachex", SessionHostOptions { size: Some(3), ..SessionHostOptions::default() });
    assert_eq!(say(&mut cachex, "known_command threats"), "= true");
    assert_eq!(say(&mut cachex, "known_command links"), "= false");
    assert_eq!(say(&mut cachex, "threats"), "= Red cannot win at once.");
    // A layer names places in a notation that `GoGui` does not have.
    let gogui = SessionHostOptions { gogui: true, ..SessionHostOptions::default() };
    assert_eq!(say(&mut server("havannah", gogui), "known_command links"), "= false");
}

#[test]
fn a_pondering_server_answers_each_command_and_knows_more_than_one_that_waits() {
    let config = PlayerConfig { limits: Limits::none().simulations(50), ..PlayerConfig::default() };
    let options = SessionHostOptions { size: Some(5), swap: Some(false), config, ..Default::default() };
    let begin = |on| {
        let mut server = server("havannah", options.clone()).pondering(on);
        assert_eq!(say(&mut server, "engine mcts"), "=");
        assert_eq!(say(&mut server, "set_option lines 100"), "=");
        server
    };
    let visits = |server: &mut Server<SessionHost>| -> u64 {
        let first = say(server, "genmove white");
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert_eq!(say(server, "time_left black 100 0"), "=");
        let free = say(server, "all_legal")[2..].split(' ').next().unwrap().to_owned();
        assert_eq!(say(server, &format!("play black {free}")), "=");
        let second = say(server, "genmove white");
        assert!(second.starts_with("= ") && second != first, "{first}, {second}");
        let moves = say(server, "move_stats").replace('\n', " ");
        moves.split(" visits ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok()).sum()
    };
    let (waiting, pondering) = (visits(&mut begin(false)), visits(&mut begin(true)));
    assert!(pondering > waiting, "{pondering} and {waiting}");
}
