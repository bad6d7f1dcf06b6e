//! A game behind a session gives the same answers as the game itself. No text makes a session panic.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_game::{Game, Indexed, Keyed, Outcome, Player, Textual, below};
use stonework_session::{
    AnyMove, AnyPosition, Described, GameRecord, MoveTable, Registry, ReviewedMove, Session, Start,
    play_text, replay, state,
};

/// Plays a random game on both and compares them at every ply, then takes all moves back.
fn follow<G: Described>(size: u8, rng: &mut Xoshiro256PlusPlus) {
    let start = Start { swap: G::DESCRIPTION.swaps, ..Start::of_size(size.into()) };
    let first = G::start(&start).unwrap();
    let mut typed = first.clone();
    let mut session = Session::new(Registry::standard(), G::DESCRIPTION.name, &start, None).unwrap();
    let (mut undos, mut texts, mut captured) = (Vec::new(), Vec::new(), Vec::new());
    while typed.outcome().is_none() && undos.len() < 120 {
        let any = session.position();
        assert_eq!(any, &AnyPosition::new(typed.clone()));
        assert_eq!(
            (any.to_move(), any.outcome(), any.key()),
            (typed.to_move(), typed.outcome(), typed.key())
        );
        assert_eq!((any.horizon(), any.canonical()), (typed.horizon(), typed.canonical()));
        assert_eq!(any.expected_plies(), typed.expected_plies());
        assert!(any.expected_plies() != Some(0), "a game that is not over has a ply to come: {typed:?}");
        assert_eq!(any.position_text(), typed.position_text());
        assert_eq!(
            (any.size(), any.standing(), any.kinds()),
            (typed.size(), typed.standing(), typed.kinds())
        );
        let mut moves = Vec::new();
        typed.legal_moves(&mut moves);
        let names: Vec<String> = moves.iter().map(|&mv| typed.move_text(mv)).collect();
        assert_eq!(session.legal(), names);
        let mut numbers = Vec::new();
        any.legal_moves(&mut numbers);
        let (_, to) = any.canonical();
        for (&mv, &number) in moves.iter().zip(&numbers) {
            assert_eq!(any.move_index(number), typed.move_index(mv));
            assert_eq!(any.move_at(typed.move_index(mv)), Some(number));
            assert_eq!(any.read_move(&typed.move_text(mv), 0).unwrap(), number);
            assert_eq!(any.parse_move(&typed.move_text(mv)).unwrap(), number);
            assert_eq!(any.unmap_move(to, any.map_move(to, number)), number);
        }
        for player in Player::BOTH {
            let named = typed
                .winning_moves(player)
                .map(|moves| moves.into_iter().map(|mv| typed.move_text(mv)).collect::<Vec<_>>());
            assert_eq!(session.threats(G::DESCRIPTION.side(player)).unwrap(), named);
        }
        let name = &names[below(rng, names.len())];
        let (_, undo) = play_text(&mut typed, 0, name).unwrap();
        captured.push(typed.captured(&undo));
        undos.push(undo);
        session.play(name).unwrap();
        texts.push(name.clone());
        let mut expected = state(&typed, 0, texts.len());
        expected.captured = expected.captured.map(|_| captured.clone());
        assert_eq!(session.state(), expected);
    }
    assert_eq!(session.moves(), texts);
    assert_eq!(replay::<G>(&start, None, &texts).unwrap(), session.state());
    assert_eq!(session.game().replay(&start, None, &texts).unwrap(), session.state());
    assert_eq!(session.position().downcast_ref::<G>(), Some(&typed));
    let record = session.record(["one", "other"]).unwrap();
    let again = Session::from_record(Registry::standard(), G::DESCRIPTION.name, &record).unwrap();
    assert_eq!(again.state().board, session.state().board, "{record}");
    assert_eq!(again.record(["one", "other"]).unwrap(), record);
    session.undo(texts.len()).unwrap();
    assert_eq!(session.position(), session.start());
    assert!(session.undo(1).is_err_and(|fault| fault.kind == "undo"));
    undos.into_iter().rev().for_each(|undo| typed.undo(undo));
    assert_eq!(typed, first);
}

#[test]
fn a_session_follows_the_game_itself() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..12 {
        for size in [2, 3, 5] {
            follow::<stonework_havannah::Position>(size, &mut rng);
        }
        for size in [3, 4] {
            follow::<stonework_cachex::Position>(size, &mut rng);
        }
        for size in [1, 3] {
            follow::<stonework_cover::Position>(size, &mut rng);
        }
    }
}

#[test]
fn notations_name_the_same_moves() {
    let registry = Registry::standard();
    let start = Start::of_size(4);
    let position = registry.game("havannah").unwrap().start(&start).unwrap();
    for (number, name) in position.description().notations.iter().enumerate() {
        assert_eq!(position.notation(Some(name)).unwrap(), number);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            assert_eq!(position.read_move(&position.move_text_in(mv, number), number).unwrap(), mv);
        }
    }
    assert!(position.notation(Some("braille")).is_err_and(|fault| fault.kind == "notation"));
}

#[test]
fn perft_and_random_games_are_those_of_the_game() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for game in Registry::standard().games() {
        let size = game.description().sizes.0.max(2);
        let position = game.start(&Start::of_size(size.into())).unwrap();
        let mut ends = 0_u64;
        position.perft(2, &mut |_, _| ends += 1);
        assert_eq!(ends, stonework_game::perft(&position, 2).nodes);
        let mut runner = position.playouts();
        for _ in 0..50 {
            let game = runner.play(&mut rng);
            assert!(game.plies > 0);
            assert!(game.kinds == 0 || game.winner.is_some());
        }
    }
}

#[test]
fn what_is_refused_is_a_fault_and_changes_nothing() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let texts =
        ["", " ", "a0", "z99", "1,1", "a1-b2", "swap", "steal", "pass", "é", "99999999999999999999", "A01-"];
    for game in Registry::standard().games() {
        let start = Start::of_size(game.description().usual_size.into());
        let mut session = Session::new(Registry::standard(), game.name(), &start, None).unwrap();
        for text in texts {
            let before = session.position().clone();
            if session.play(text).is_ok() {
                session.undo(1).unwrap();
            }
            assert_eq!(session.position(), &before, "{}: {text}", game.name());
        }
        let legal = session.legal();
        let fault = session.play_all(&[&legal[0], "nowhere"]).unwrap_err();
        assert_eq!((fault.at, session.moves().len()), (Some(1), 0));
        for _ in 0..1000 {
            let number = AnyMove(rng.next_u32() >> (rng.next_u32() % 32));
            let mut position = session.position().clone();
            let legal = position.check(number).is_ok();
            assert_eq!(position.play(number).is_ok(), legal);
            assert!(position.move_text_in(number, 77).len() < 40);
        }
        for (size, position, to_move) in [
            (Some(0), None, None),
            (Some(u64::MAX), None, None),
            (None, None, None),
            (None, Some("4"), None),
            (None, Some("4 w - x"), None),
            (Some(3), Some("[]x[]"), Some("nobody")),
            (Some(4), None, Some("é")),
        ] {
            let start = Start {
                size,
                position: position.map(str::to_owned),
                to_move: to_move.map(str::to_owned),
                swap: false,
            };
            assert!(game.start(&start).is_err_and(|fault| !fault.message.is_empty()), "{start:?}");
        }
        let letters = game.description().sides.map(|side| side[..1].to_uppercase());
        let wrong_side = format!("(;GM[{}]SZ[3];{}[a])", game.name(), letters[1]);
        for record in [
            &*wrong_side,
            "(;SZ[4]SWP[3 w - .../..../...../..../...];W[a1];R[0,0])",
            "",
            "(",
            "(;GM[Chess])",
            "(;SZ[x])",
            "(;GM[1])",
            "(;SZ[4];W[zz];R[zz])",
            "(;SZ[4]AB[a1])",
        ] {
            let read = Session::from_record(Registry::standard(), game.name(), record);
            assert!(read.is_err() || read.is_ok_and(|read| read.moves().is_empty()), "{record}");
        }
    }
}

/// Such a record was read as another game: with the moves of one side as those of both, or without a move.
#[test]
fn a_record_with_moves_that_no_game_has_is_refused() {
    for (game, record, said) in [
        ("havannah", "(;SZ[4];W[a1];W[b1])", "move 2, b1: black is to move, not white"),
        ("havannah", "(;SZ[4];B[a1];B[b1])", "move 2, b1: white is to move, not black"),
        ("havannah", "(;SZ[4];W[a1];B[swap];B[b1])", "move 3, b1: white is to move, not black"),
        ("cachex", "(;GM[Cachex]SZ[3];R[0,0];R[2,2])", "move 2, 2,2: blue is to move, not red"),
        ("cachex", "(;SZ[3];W[a1];W[b1])", "node 1: W has a move of another game"),
        ("cover", "(;SZ[3];B[a1];W[b1])", "node 2: W has a move of another game"),
        ("cachex", "(;GM[Cachex]SZ[3];R[0,0][2,2])", "node 1: a second move, and a node has one"),
        ("cachex", "(;GM[Cachex]SZ[3];R[0,0]B[2,2])", "node 1: a second move, and a node has one"),
        (
            "cachex",
            "(;GM[Cachex]SZ[3]AB[0,0];R[2,2])",
            "node 0: AB sets up stones, and a game has moves alone",
        ),
    ] {
        let read = Session::from_record(Registry::standard(), game, record);
        assert_eq!(read.map(|read| read.moves()).unwrap_err().to_string(), said, "{record}");
    }
    // Old records of Havannah have nodes with a move of each side.
    let two = Session::from_record(Registry::standard(), "havannah", "(;SZ[4];W[a1]B[b1];W[a2])").unwrap();
    assert_eq!(two.moves(), ["a1", "b1", "a2"]);
}

/// The reader of every game refused such a record, and `replay` reads it.
#[test]
fn a_record_of_havannah_in_which_black_begins_is_read_and_written() {
    let registry = Registry::standard();
    for (record, moves, board) in [
        ("(;SZ[3];B[a1];W[b1];B[c1])", "a1 b1 c1", "3 w - b../w.../b..../..../..."),
        ("(;SZ[3]PL[B])", "", "3 b - .../..../...../..../..."),
        ("(;SZ[3]PL[W];W[a1])", "a1", "3 b s w../..../...../..../..."),
    ] {
        let read = Session::from_record(registry.clone(), "havannah", record).unwrap();
        assert_eq!((read.moves().join(" ").as_str(), read.state().board.as_deref()), (moves, Some(board)));
        let again = read.record(["", ""]).unwrap();
        let again = Session::from_record(registry.clone(), "havannah", &again).unwrap();
        assert_eq!((again.position(), again.moves()), (read.position(), read.moves()), "{record}");
    }
    // A swap needs a first stone of white, and the sides take turns.
    for (record, said) in [
        ("(;SZ[3];B[a1];W[swap])", "no swap here"),
        ("(;SZ[3]PL[B];W[a1])", "move 1, a1: black is to move, not white"),
    ] {
        let refused = Session::from_record(registry.clone(), "havannah", record).unwrap_err();
        assert!(refused.message.contains(said), "{record}: {refused}");
    }
}

/// The right to swap was left out without a word.
#[test]
fn a_right_to_swap_that_the_position_denies_is_refused() {
    let havannah = Registry::standard().game("havannah").unwrap().clone();
    let started = |position: &str, to_move: Option<&str>| {
        let (position, to_move) = (Some(position.to_owned()), to_move.map(str::to_owned));
        havannah
            .start(&Start { position, to_move, swap: true, ..Start::default() })
            .map_err(|fault| fault.kind)
    };
    for denied in ["3 w - .../..../...../..../...", "3 b - w../..../...../..../..."] {
        assert_eq!(started(denied, None).unwrap_err(), "swap", "{denied}");
    }
    assert!(started("3 b s w../..../...../..../...", None).is_ok());
    // The time for a swap is past, or has not come.
    assert!(started("3 w - w../..../..b../..../...", None).is_ok());
    assert!(started("3 w - .../..../...../..../...", Some("black")).is_ok());
}

/// Such games were refused by the readers and writers of sessions, and read by `replay`.
#[test]
fn a_record_of_a_game_from_a_set_up_position_is_read_again() {
    let registry = Registry::standard();
    for (game, position, mv) in [
        ("havannah", "4 b - ..../...../..w.../......./....../...../....", "a1"),
        ("havannah", "3 b s w../..../...../..../...", "swap"),
        ("cachex", ".r./.b./...", "0,0"),
        ("cover", "4 b four [C02]x[A04] -", ""),
    ] {
        let start = Start { position: Some(position.to_owned()), ..Start::default() };
        let mut session = Session::new(registry.clone(), game, &start, None)
            .unwrap_or_else(|fault| panic!("{game}: {fault}"));
        let mv = if mv.is_empty() { session.legal().swap_remove(0) } else { mv.to_owned() };
        session.play(&mv).unwrap();
        let record = session.record(["", ""]).unwrap();
        let again = Session::from_record(registry.clone(), game, &record).unwrap();
        assert_eq!((again.position(), again.moves()), (session.position(), session.moves()), "{record}");
        assert_eq!(again.record(["", ""]).unwrap(), record);
    }
    // Stones that were set up by another program.
    let record = "(;SZ[3]AW[a1][b1]AB[c1]AE[b1];B[a2];W[a3])";
    let read = Session::from_record(registry.clone(), "havannah", record).unwrap();
    assert_eq!((read.moves().join(" ").as_str(), read.state().plies), ("a2 a3", Some(2)));
    let again = Session::from_record(registry.clone(), "havannah", &read.record(["", ""]).unwrap()).unwrap();
    assert_eq!(again.position(), read.position());
    for (game, record, said) in [
        (
            "havannah",
            "(;SZ[4]SWP[3 b - ..w/..../...../..../...];B[a1])",
            "SWP is a position of size 3, the record is of size 4",
        ),
        ("havannah", "(;SZ[3]SWP[3 b - ..];B[a1])", "SWP: "),
        (
            "cachex",
            "(;GM[Cachex]SZ[4]SWP[.r./.b./...];R[0,0])",
            "SWP is a position of size 3, the record is of size 4",
        ),
    ] {
        let refused = Session::from_record(registry.clone(), game, record).unwrap_err();
        assert!(refused.kind == "record" && refused.message.contains(said), "{record}: {refused}");
    }
}

/// A reader would not know which boards have been there, and repetitions would count anew.
#[test]
fn a_game_from_a_position_with_a_history_has_no_record() {
    let game = Registry::standard().game("cachex").unwrap().clone();
    let mut position = game.start(&Start::of_size(3)).unwrap();
    for mv in ["0,0", "2,2"] {
        position.play_text(mv, 0).unwrap();
    }
    let refused = position.record(&stonework_session::GameRecord::default()).unwrap_err();
    assert!(refused.message.contains("has a history"), "{refused}");
}

/// A judged move may come from any program, as JSON.
#[test]
fn a_judged_move_has_a_comment_whatever_its_verdict_is() {
    for (verdict, said) in [("", ", 40 % lost"), ("\u{e9}tourderie", "\u{c9}tourderie, 40 % lost")] {
        let judged = serde_json::json!({
            "number": 1, "side": "white", "move": "a1", "before": 0.5, "after": 0.1, "proven_before": null,
            "proven_after": null, "verdict": verdict, "lost": 0.4, "better": "b2", "threats": null, "reply": [],
            "candidates": [{"move": "b2", "share": 0.5, "visits": 9, "line": ["b2", "c3"]}],
        });
        let judged: ReviewedMove = serde_json::from_value(judged).unwrap();
        assert_eq!(judged.comment(), format!("50 % → 10 %. {said}: b2 was better (b2 c3)."));
    }
}

/// A mistake beside a good move, or a blunder beside a mistake, is no valid node. A second review of a record left such nodes.
#[test]
fn a_judged_move_has_one_judgement() {
    let game = Registry::standard().game("havannah").unwrap().clone();
    let text = "(;SZ[3];W[a1]DO[]C[old];B[b1]TE[1];W[b2]BM[1])";
    let mut tree = stonework_record::Tree::parse_str(text).unwrap();
    let judged = |number: usize, verdict: Option<&str>| ReviewedMove {
        number,
        side: String::new(),
        mv: String::new(),
        before: 0.5,
        after: 0.5,
        proven_before: None,
        proven_after: None,
        verdict: verdict.map(str::to_owned),
        lost: 0.0,
        better: None,
        candidates: Vec::new(),
        threats: None,
        reply: Vec::new(),
    };
    let moves = [judged(1, Some("blunder")), judged(2, Some("mistake")), judged(3, None)];
    stonework_session::annotate(&mut tree, &game, &moves).unwrap();
    // A move without a verdict keeps the judgement that it has.
    assert_eq!(tree.to_string(), "(;SZ[3];W[a1]C[old\n50 %.]BM[1];B[b1]C[50 %.]DO[];W[b2]BM[1]C[50 %.])");
}

/// A result names its winner by a letter or in full, in either case; other texts stay as they are.
#[test]
fn results_of_records_are_read_in_all_their_forms() {
    for (game, result, claimed) in [
        ("cachex", "0", "draw"),
        ("cachex", "Draw", "draw"),
        ("cachex", "R+Resign", "red"),
        ("cachex", "b+", "blue"),
        ("cachex", "Blue", "blue"),
        ("cachex", "Rain stopped play", "Rain stopped play"),
        ("cover", "?", "?"),
        ("cover", "draw", "draw"),
        ("havannah", "Draw", "draw"),
        ("havannah", "W+R", "white"),
        ("havannah", "Black+Resign", "black"),
        ("havannah", "?", "?"),
    ] {
        let tree = stonework_record::Tree::parse_str(&format!("(;GM[{game}]SZ[4]RE[{result}])")).unwrap();
        let read = Registry::standard().game(game).unwrap().read_record(&tree, None);
        let read = read.unwrap_or_else(|fault| panic!("{game} {result}: {fault}"));
        assert_eq!(read.claimed.as_deref(), Some(claimed), "{game} {result}");
    }
}

#[test]
fn a_record_has_legal_moves_and_a_resignation() {
    for (game, size, moves, illegal) in [
        ("havannah", 4, ["a1", "b1"], ["a1", "a1"]),
        ("havannah", 2, ["a1", "b1"], ["a1", "swap"]),
        ("cachex", 3, ["0,0", "steal"], ["0,0", "0,0"]),
        ("cover", 2, ["C01-D02", "G05-F04"], ["C01-D02", "C01-D02"]),
    ] {
        let start = Registry::standard().game(game).unwrap().start(&Start::of_size(size)).unwrap();
        let write = |moves: [&str; 2], resigned: bool| {
            let moves = moves.map(str::to_owned);
            let result = resigned.then_some(Outcome::Win(Player::Second));
            start.record(&GameRecord { moves: &moves, result, resigned, ..GameRecord::default() })
        };
        let fault = write(illegal, false).unwrap_err();
        assert_eq!(fault.kind, "record", "{game}: {fault}");
        let (plain, resigned) = (write(moves, false).unwrap(), write(moves, true).unwrap());
        let says = |text: &str| text.to_lowercase().contains("resign");
        assert!(!says(&plain) && says(&resigned), "{game}: {resigned}");
        let read = |text: &str| {
            let tree = stonework_record::Tree::parse_str(text).unwrap();
            Registry::standard().game(game).unwrap().read_record(&tree, None).unwrap()
        };
        let second = start.description().side(Player::Second).to_owned();
        assert_eq!((read(&plain).claimed, read(&resigned).claimed), (None, Some(second)), "{game}");
        assert_eq!(read(&resigned).moves, moves, "{game}");
    }
}

/// Of moves to one location the first with a finding marks it, and the marks of the others do not show below.
#[test]
fn of_moves_to_one_cell_the_first_counts() {
    let position = Registry::standard().game("cover").unwrap().start(&Start::of_size(2)).unwrap();
    let marks = |moves: serde_json::Value| {
        let table: MoveTable = serde_json::from_value(serde_json::json!({ "moves": moves })).unwrap();
        table.overlay(&position, 0).unwrap()
    };
    let proven = serde_json::json!({"move": "A03-B04", "outcome": "blue", "plies": 5});
    let visited = serde_json::json!({"move": "C03-B04", "visits": 9});
    let nothing = serde_json::json!({"move": "B03-B04", "outcome": "unknown"});
    assert_eq!(marks(serde_json::json!([proven, visited])), marks(serde_json::json!([proven])));
    assert_eq!(marks(serde_json::json!([nothing, visited, proven])), marks(serde_json::json!([visited])));
}
