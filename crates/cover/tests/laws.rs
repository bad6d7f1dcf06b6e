//! Cover keeps the laws of games; its errors name the fault; its keys cover what they promise.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proptest::prelude::*;
use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{RngCore, SeedableRng},
};
use stonework_board::{Cell, CellSet, DiagonalNotation, DiagonalSymmetry, Heading};
use stonework_cover::{Move, Options, Position, Repetition, Setup, Undo};
use stonework_game::{ByPlayer, Game, Indexed, Keyed, Outcome, Player, Sym, Textual, laws, perft};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn all_options() -> impl Iterator<Item = Options> {
    let each = |repetition| [false, true].map(|voluntary_shots| Options { repetition, voluntary_shots });
    Repetition::ALL.into_iter().flat_map(each)
}

fn read(text: &str) -> Position {
    Position::parse_position(text).unwrap()
}

/// A board of the thesis on Cover-4, blue to move.
fn board(text: &str) -> Position {
    Setup::from_board(4, text).unwrap().position().unwrap()
}

fn red(position: &Position) -> Position {
    Setup { to_move: Player::Second, ..position.setup() }.position().unwrap()
}

fn play(position: &mut Position, text: &str) {
    for mv in text.split_whitespace() {
        let mv = position.parse_move(mv).unwrap();
        position.play(mv).unwrap_or_else(|e| panic!("{e}"));
    }
}

fn after(position: &Position, moves: &str) -> Position {
    let mut position = position.clone();
    play(&mut position, moves);
    position
}

fn refused(position: &Position, text: &str) -> String {
    let mut copy = position.clone();
    let message = copy.play(position.parse_move(text).unwrap()).unwrap_err().to_string();
    assert_eq!(&copy, position);
    message
}

fn moves(position: &Position) -> Vec<Move> {
    position.moves()
}

#[test]
fn cover_keeps_every_law_under_every_rule() {
    for options in all_options() {
        for (size, games) in [(1, 20), (2, 4), (4, 1)] {
            let start = Position::with_options(size, options).unwrap();
            laws::game(&start, 1, games).unwrap();
            laws::keyed(&start, 2, games).unwrap();
            laws::indexed(&start, 3, 1).unwrap();
            laws::notation(&start, 4, games).unwrap();
        }
    }
    laws::game(&Position::new(10).unwrap(), 5, 1).unwrap();
}

#[test]
fn perft_counts_what_is_published() {
    let nodes = |size, depth: u32| {
        let start = Position::new(size).unwrap();
        (1..=depth).map(|depth| perft(&start, depth).nodes).collect::<Vec<_>>()
    };
    assert_eq!(nodes(2, 5), [10, 100, 876, 7508, 73_314]);
    assert_eq!(nodes(4, 4), [26, 676, 16_104, 382_714]);
}

#[test]
fn stones_begin_with_a_line_between_them() {
    let starts = ["[A01]x[E05]", "[A03,C01]x[E07,G05]", "[A05,C03,E01]x[E09,G07,I05]"];
    for (size, expected) in (1..).zip(starts) {
        assert_eq!(Position::new(size).unwrap().board_in(DiagonalNotation::Diagram), expected);
    }
    assert_eq!(Position::new(4).unwrap(), board("[G01,E03,C05,A07]x[K05,I07,G09,E11]"));
    for size in [0, 11, 255] {
        let message = Position::new(size).unwrap_err().to_string();
        assert_eq!(message, format!("no Cover-{size}: sizes are 1 to 10"));
    }
}

#[test]
fn worked_examples_of_shots() {
    let position = board("[A07,E07]x[E10,K02]");
    let undo: Undo = position.clone().play(position.parse_move("A07-B08").unwrap()).unwrap();
    assert_eq!(undo.hit(), position.lattice().parse("E10").ok());
    assert_eq!(after(&position, "A07-B08xE10").board_in(DiagonalNotation::Diagram), "[B08,E07]x[K02]");
    assert_eq!(after(&red(&position), "K02-J03xE07").stone_count(Player::First), 1);
    // The shot meets only the nearer of two stones on the line.
    let position = board("[A03,K01]x[C06,D07]");
    assert_eq!(after(&position, "A03-B04xC06").board_in(DiagonalNotation::Diagram), "[B04,K01]x[D07]");
    // A stone end-on and an own stone stop the shot.
    for stopped in ["[A03,K01]x[C05,D07]", "[A03,C06]x[D07,K05]"] {
        let position = board(stopped);
        assert_eq!(position.move_text(position.parse_move("A03-B04").unwrap()), "A03-B04");
    }
    // A stone shoots backwards too, and the shot stone does not stand in its way.
    let position = board("[B08,K01]x[A06,I10]");
    assert_eq!(after(&position, "B08-A07xA06").stone_count(Player::Second), 1);
    let position = board("[I09]x[J11]");
    let won = after(&position, "I09-J10xJ11");
    assert_eq!(won.outcome(), Some(Outcome::Win(Player::First)));
    // Rotations and sideways steps never shoot.
    let position = board("[A07,E07]x[E10,K02]");
    let turning =
        moves(&position).into_iter().filter(|mv| !matches!(mv.heading, Heading::Up | Heading::Down));
    assert!(turning.into_iter().all(|mv| position.hit(mv).is_none()));
}

#[test]
fn destinations_are_free_on_the_board_and_not_the_own_homebase() {
    let position = red(&board("[H10]x[I09]"));
    assert_eq!(refused(&position, "I09-I10"), "I10 is blocked by the stone on H10");
    assert_eq!(refused(&board("[B02]x[K01]"), "B02-A01"), "A01 is the mover's own homebase");
    assert_eq!(refused(&board("[B02]x[K01]"), "K01-J01"), "K01 has a stone of red, and blue is to move");
    assert_eq!(refused(&board("[B02]x[K01]"), "C03-C04"), "C03 has no stone, and blue is to move");
    let game = board("[A03]x[K01]");
    let edge = Move::new(game.lattice().parse("A03").unwrap(), Heading::Right);
    assert_eq!(game.check(edge).unwrap_err().to_string(), "Right from A03 is off the board of size 4");
    let outside = Move::new(Cell::new(121).unwrap(), Heading::Up);
    let message = game.check(outside).unwrap_err().to_string();
    assert_eq!(message, "location 121 is not on a board of size 4, which has 0 to 120");
    assert_eq!((game.hit(outside), game.target(outside), game.hit(edge)), (None, None, None));
    let won = after(&board("[J10]x[A03]"), "J10-K11");
    assert_eq!(won.outcome(), Some(Outcome::Win(Player::First)));
    assert_eq!(refused(&won, "A03-A02"), "the game is over: blue has won");
    assert_eq!(moves(&won), []);
}

#[test]
fn who_cannot_move_has_lost() {
    for shut_in in ["[A11]x[B10]", "[K01]x[J02]"] {
        assert_eq!(board(shut_in).outcome(), Some(Outcome::Win(Player::Second)));
    }
    let mut one_ply_before = red(&board("[A11]x[B09]"));
    play(&mut one_ply_before, "B09-B10");
    assert_eq!(one_ply_before.outcome(), Some(Outcome::Win(Player::Second)));
}

#[test]
fn both_on_the_enemy_homebase_counts_for_who_has_moved() {
    let position = board("[K11]x[A01]");
    assert_eq!(position.outcome(), Some(Outcome::Win(Player::Second)));
    assert_eq!(red(&position).outcome(), Some(Outcome::Win(Player::First)));
    for to_move in Player::BOTH {
        let setup =
            |text| Setup { to_move, ..Setup::from_board(4, text).unwrap() }.position().unwrap().outcome();
        assert_eq!(setup("[K11]x[B02]"), Some(Outcome::Win(Player::First)));
        assert_eq!(setup("[]x[B02]"), Some(Outcome::Win(Player::Second)));
    }
}

#[test]
fn a_board_of_four_plies_ago_may_not_come_back() {
    let start = board("[H09]x[I10]");
    let game = after(&start, "H09-I08 I10-J09 I08-H09");
    assert_eq!(refused(&game, "J09-I10"), "J09-I10 would repeat a board (four plies)");
    assert!(game.recent().returned);
    // With another move in between, the board may come back.
    let waited = after(&start, "H09-I08 I10-J09 I08-H09 J09-J10 H09-H08 J10-I10 H08-H09");
    assert_eq!(waited.board_in(DiagonalNotation::Diagram), start.board_in(DiagonalNotation::Diagram));
    let game = after(&board("[C02]x[B05]"), "C02-D03 B05-A04 D03-C02");
    assert_eq!(refused(&game, "A04-B05"), "A04-B05 would repeat a board (four plies)");
    assert_eq!(game.position_text(), "4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02");
    // Set up without the history, the move is free.
    assert!(
        read("4 r four [C02]x[A04] -")
            .parse_move("A04-B05")
            .is_ok_and(|mv| { read("4 r four [C02]x[A04] -").check(mv).is_ok() })
    );
}

/// §5.1, position 2: two stones are shot between the moves that are taken back.
#[test]
fn captures_forget_unless_repetition_is_told_by_moves() {
    let line = "G07-F06xD03 F08-E07xB05 F06-G07";
    let with = |repetition| {
        let options = Options { repetition, ..Options::default() };
        let setup = Setup::from_board(4, "[B05,G07,H04]x[D03,F08,I02,D10]").unwrap();
        after(&Setup { options, ..setup }.position().unwrap(), line)
    };
    for repetition in Repetition::ALL {
        let game = with(repetition);
        let back = game.check(game.parse_move("E07-F08").unwrap());
        assert_eq!(back.is_err(), repetition == Repetition::FourPliesByMoves, "{repetition}");
        assert_eq!(read(&game.position_text()), game);
    }
    let text = with(Repetition::FourPlies).position_text();
    assert_eq!(text, "4 r four [G07,H04]x[D10,E07,I02] F06-G07");
    let text = with(Repetition::FourPliesByMoves).position_text();
    assert_eq!(text, "4 r four-moves [G07,H04]x[D10,E07,I02] G07-F06,F08-E07,F06-G07");
}

/// Both sides walk in a triangle, so that the board comes back after six plies; after five if one side only goes there
/// and back.
#[test]
fn eight_plies_and_any_see_more_than_four() {
    for options in all_options().filter(|options| !options.voluntary_shots) {
        let start = Setup { options, ..Setup::from_board(4, "[E05]x[G09]").unwrap() }.position().unwrap();
        let strict = matches!(options.repetition, Repetition::EightPlies | Repetition::Any);
        let last = |moves, mv| {
            let game = after(&start, moves);
            game.check(game.parse_move(mv).unwrap()).map_err(|e| e.to_string())
        };
        let six = last("E05-F05 G09-F09 F05-F06 F09-F08 F06-E05", "F08-G09");
        let five = last("E05-F05 G09-F09 F05-F06 F09-G09", "F06-E05");
        assert_eq!((six.is_err(), five.is_err()), (strict, strict), "{}", options.repetition);
        if let Err(message) = six {
            assert!(message.starts_with("F08-G09 would repeat a board ("), "{message}");
        }
    }
}

#[test]
fn eight_plies_forget_what_any_remembers() {
    // Both sides turn in circles of six steps.
    let moves = "E05-F05 K03-J03 F05-G05 J03-I03 G05-G06 I03-I04 G06-F06 I04-J04 F06-E06 J04-K04 E06-E05";
    for (repetition, free) in
        [(Repetition::FourPlies, true), (Repetition::EightPlies, true), (Repetition::Any, false)]
    {
        let options = Options { repetition, ..Options::default() };
        let start = Setup { options, ..Setup::from_board(4, "[E05]x[K03]").unwrap() }.position().unwrap();
        let game = after(&start, moves);
        assert_eq!(game.check(game.parse_move("K04-K03").unwrap()).is_ok(), free, "{repetition}");
    }
}

#[test]
fn voluntary_shots_can_be_held() {
    let options = Options { voluntary_shots: true, ..Options::default() };
    let setup = Setup { options, ..Setup::from_board(4, "[A07,I09]x[E10,J11]").unwrap() };
    let game = setup.position().unwrap();
    let [held, shot] = ["A07-B08", "A07-B08xE10"].map(|text| game.parse_move(text).unwrap());
    assert_eq!((held, held.holds_fire, shot.holds_fire), (shot.holding(), true, false));
    assert_eq!(after(&game, "A07-B08").stone_count(Player::Second), 2);
    assert_eq!(after(&game, "A07-B08xE10").stone_count(Player::Second), 1);
    // J11 blocks J10 unless it is shot.
    assert_eq!(refused(&game, "I09-J10"), "J10 is blocked by the stone on J11");
    assert!(game.check(game.parse_move("I09-J10xJ11").unwrap()).is_ok());
    let free = game.parse_move("A07-A06").unwrap();
    assert_eq!(
        game.check(free.holding()).unwrap_err().to_string(),
        "A07-A06 hits nothing, so there is no shot to hold"
    );
    let usual = board("[A07,I09]x[E10,J11]");
    let message = usual.check(held).unwrap_err().to_string();
    assert_eq!(message, "the stone on A07 cannot hold its fire: shots are not voluntary in this game");
    assert_eq!(game.move_index(held), game.move_index(shot) + 8 * 121);
}

/// All games of seven plies in which both sides turn in small circles, distinguished by the boards of each game.
#[test]
fn any_remembers_boards_and_not_their_order() {
    let options = Options { repetition: Repetition::Any, ..Options::default() };
    let start = Setup { options, ..Setup::from_board(4, "[E05]x[G09]").unwrap() }.position().unwrap();
    let corners =
        ["E05", "F05", "F06", "E06", "G09", "F09", "F08"].map(|name| start.lattice().parse(name).unwrap());
    let text = |game: &Position| game.board_in(DiagonalNotation::Diagram);
    let mut games = vec![(start.clone(), BTreeSet::from([text(&start)]))];
    let mut pasts: BTreeMap<_, Vec<Position>> = BTreeMap::new();
    while let Some((game, seen)) = games.pop() {
        for mv in
            moves(&game).into_iter().filter(|&mv| game.target(mv).is_some_and(|to| corners.contains(&to)))
        {
            let (mut next, mut seen) = (game.clone(), seen.clone());
            next.play_unchecked(mv);
            assert!(seen.insert(text(&next)));
            games.push((next, seen));
        }
        pasts.entry((text(&game), game.to_move(), seen)).or_default().push(game);
    }
    // A capture forgets the past.
    let whole = |game: &Position| Player::BOTH.map(|player| game.stone_count(player)) == [1, 1];
    let same: Vec<_> = pasts.values().filter(|games| games.len() > 1 && whole(&games[0])).collect();
    assert!(!same.is_empty());
    for games in same {
        assert!(
            games.windows(2).all(|pair| pair[0] == pair[1] && pair[0].canonical() == pair[1].canonical())
        );
        assert_ne!(games[0].position_text(), games[1].position_text());
    }
    let different: Vec<_> =
        pasts.values().filter(|games| whole(&games[0])).map(|games| games[0].key()).collect();
    assert_eq!(different.iter().collect::<HashSet<_>>().len(), different.len());
}

#[test]
fn equality_and_keys_cover_the_past_that_counts() {
    let start = board("[C02]x[H09]");
    let (one, other) = (after(&start, "C02-D03 H09-G08"), after(&start, "C02-D02 H09-G09"));
    assert_ne!(one.position_text(), other.position_text());
    // The same board by other ways: the last moves differ.
    let (one, other) = (after(&start, "C02-D02 H09-G08 D02-D03"), after(&start, "C02-C03 H09-G08 C03-D03"));
    assert_eq!(one.board_in(DiagonalNotation::Diagram), other.board_in(DiagonalNotation::Diagram));
    assert_ne!((one.key(), &one), (other.key(), &other));
    // Without a rule of repetition both positions are the same.
    let options = Options { repetition: Repetition::None, ..Options::default() };
    let plain = Setup { options, ..start.setup() }.position().unwrap();
    assert_eq!(after(&plain, "C02-D02 H09-G08 D02-D03"), after(&plain, "C02-C03 H09-G08 C03-D03"));
    assert_ne!(plain.key(), start.key());
    assert_ne!(Position::new(3).unwrap().key(), Position::new(4).unwrap().key());
    assert_ne!(red(&start).key(), start.key());
}

/// The image of a position under a symmetry, made by a setup.
fn image(position: &Position, symmetry: DiagonalSymmetry) -> Position {
    let lattice = position.lattice();
    let swaps = symmetry.swaps_homes();
    let stones = |player: Player| -> CellSet {
        let from = if swaps { player.other() } else { player };
        position.stones(from).map(|cell| lattice.map(symmetry, cell)).collect()
    };
    let setup = position.setup();
    let to_move = if swaps { position.to_move().other() } else { position.to_move() };
    let sym = Sym(symmetry.number());
    let history = setup.history.iter().map(|&mv| position.map_move(sym, mv)).collect();
    let stones = ByPlayer::new(stones(Player::First), stones(Player::Second));
    Setup { stones, to_move, history, ..setup }.position().unwrap()
}

#[test]
fn all_four_images_have_one_canonical_key() {
    for options in all_options() {
        let mut game = Position::with_options(3, options).unwrap();
        let mut rng = rng(11);
        for _ in 0..60 {
            let legal = moves(&game);
            if legal.is_empty() {
                break;
            }
            let images = DiagonalSymmetry::ALL.map(|symmetry| image(&game, symmetry));
            let keys: HashSet<u64> = images.iter().map(Keyed::key).collect();
            for (other, symmetry) in images.iter().zip(DiagonalSymmetry::ALL) {
                assert_eq!(other.canonical().0, game.canonical().0);
                let mapped: HashSet<_> =
                    legal.iter().map(|&mv| game.map_move(Sym(symmetry.number()), mv)).collect();
                assert_eq!(moves(other).into_iter().collect::<HashSet<_>>(), mapped);
            }
            let (canonical, to) = game.canonical();
            assert_eq!(images[usize::from(to.0)].key(), canonical);
            assert!(matches!(keys.len(), 2 | 4), "{}", keys.len());
            let next = legal[(rng.next_u64() % legal.len() as u64) as usize];
            game.play_unchecked(next);
        }
    }
}

/// Keys are stored in tables on disk: a change of them is a new major version.
#[test]
fn keys_are_what_they_were() {
    let keys = |position: &Position| format!("{:016x} {:016x}", position.key(), position.canonical().0);
    let four = after(&Position::new(4).unwrap(), "C05-D06 G09-F08 E03-F04");
    let options = Options { repetition: Repetition::Any, voluntary_shots: true };
    let any = after(&Position::with_options(2, options).unwrap(), "C01-D02 G05-F04 D02-C02");
    assert_eq!([keys(&four), keys(&any)], KEYS);
}
const KEYS: [&str; 2] = ["5cd97ca75c664e1e 17e138ecbf5d8c91", "b72941f16159b920 2232c2d97ce8f2dc"];

#[test]
fn moves_that_are_none_say_where() {
    let game = board("[A07,E07]x[E10,K02]");
    let error = |text: &str| game.parse_move(text).unwrap_err().to_string();
    for text in ["", "A07", "A07 B08", "A07-B08-", "A07-B08é", "é7-B08"] {
        assert_eq!(error(text), format!("`{text}` is no move: `A07-B08` or `A07-B08xE10` (at byte 0)"));
    }
    assert_eq!(error("A07-C09"), "`A07-C09`: those are no neighbours (at byte 0)");
    assert_eq!(error("A07-A07"), "`A07-A07`: those are no neighbours (at byte 0)");
    assert!(error("A07-L08").ends_with("which runs from A01 to K11 (at byte 4)"));
    assert!(error("A07-B0").ends_with("expected a digit at byte 2 (at byte 6)"));
    assert!(error("A07-B08x").ends_with("expected a letter at byte 0 (at byte 8)"));
    assert_eq!(error("A07-B08xE07"), "`A07-B08xE07`: this move hits E10 here (at byte 7)");
    assert_eq!(error("A07-A06xE10"), "`A07-A06xE10`: this move hits nothing here (at byte 7)");
    assert_eq!(game.parse_move("a07-b08Xe10"), game.parse_move("A07-B08"));
    let [from, to] = ["A07", "B08"].map(|name| game.lattice().parse(name).unwrap());
    assert_eq!(game.move_to(from, to), game.parse_move("A07-B08").ok());
    assert_eq!((game.move_to(from, from), game.move_to(Cell::new(500).unwrap(), to)), (None, None));
}

#[test]
fn setups_that_are_no_position_say_why() {
    let error = |setup: &Setup| setup.position().unwrap_err().to_string();
    let text = |board: &str| error(&Setup::from_board(4, board).unwrap());
    assert_eq!(text("[H10]x[H10]"), "stones on H10 and H10 overlap");
    assert_eq!(text("[]x[]"), "there is no stone on the board");
    assert_eq!(text("[A01]x[K01]"), "A01 is the homebase of blue, whose stones cannot go there");
    assert_eq!(text("[A03]x[K11]"), "K11 is the homebase of red, whose stones cannot go there");
    assert_eq!(text("[A01,A03,A05,A07,A09]x[K01]"), "5 stones of blue: Cover-4 has at most 4");
    let outside = Setup {
        stones: ByPlayer::new([Cell::new(121).unwrap()].into_iter().collect(), CellSet::new()),
        ..Setup::new(4)
    };
    assert_eq!(error(&outside), "location 121 is not on a board of size 4");
    assert_eq!(error(&Setup::new(11)), "no Cover-11: sizes are 1 to 10");
    let history = |board: &str, repetition, moves: &[&str]| {
        let setup = Setup::from_board(4, board).unwrap();
        let game = setup.position().unwrap();
        let history = moves.iter().map(|mv| game.parse_move(mv).unwrap()).collect();
        error(&Setup { options: Options { repetition, ..Options::default() }, history, ..setup })
    };
    let four = Repetition::FourPlies;
    assert_eq!(
        history("[C02]x[B05]", Repetition::None, &["B06-B05"]),
        "a history of 1 moves: with repetition `none` at most 0 count"
    );
    assert_eq!(
        history("[C02]x[B05]", Repetition::EightPlies, &["B06-B05"; 8]),
        "a history of 8 moves: with repetition `eight` at most 7 count"
    );
    assert_eq!(
        history("[C02]x[B05]", four, &["C01-C02"]),
        "move 1 of the history does not lead to a stone of red"
    );
    assert_eq!(
        history("[C02]x[B05]", four, &["C01-C02", "B06-B04"][..1]),
        "move 1 of the history does not lead to a stone of red"
    );
    let before = "before the history: stones on B03 and B04 overlap";
    assert_eq!(history("[B03]x[B05]", four, &["B04-B05"]), before);
    let shoots = "move 1 of the history shoots E10: only moves after a capture count";
    let setup = Setup { to_move: Player::Second, ..Setup::from_board(4, "[B08,E07]x[E10,K02]").unwrap() };
    let mv = setup.position().unwrap().parse_move("A07-B08").unwrap();
    assert_eq!(error(&Setup { history: vec![mv], ..setup.clone() }), shoots);
    let homeward = Setup { to_move: Player::Second, ..Setup::from_board(4, "[K11]x[K02]").unwrap() };
    let mv = Move::new(homeward.position().unwrap().lattice().parse("J10").unwrap(), Heading::Up);
    assert_eq!(
        Setup { history: vec![mv], ..homeward }.position().unwrap().outcome(),
        Some(Outcome::Win(Player::First))
    );
    let held = Setup { history: vec![mv.holding()], ..setup };
    assert!(error(&held).starts_with("move 1 of the history does not lead"), "{held:?}");
}

#[test]
fn text_that_is_no_position_says_where() {
    let reads =
        |text: &str| Position::parse_position(text).map(|p| p.position_text()).map_err(|e| e.to_string());
    for good in [
        "4 b four [A07,C05,E03,G01]x[E11,G09,I07,K05] -",
        "4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02",
        "2 r any+voluntary [C01]x[] -",
        "10 b eight [A20]x[W23] -",
    ] {
        let read = reads(good);
        if good.contains("W23") {
            assert!(read.unwrap_err().contains("W23 is the homebase of red"));
        } else {
            assert_eq!(read, Ok(good.to_owned()));
        }
    }
    let form = "`C2-D03` is no move: `A07-B08` or `A07-B08xE10` (at byte 22)";
    for (text, message) in [
        ("", "`` is no size: 1 to 10 (at byte 0)"),
        ("11 b four []x[] -", "`11` is no size: 1 to 10 (at byte 0)"),
        ("04 b four []x[] -", "`04` is no size: 1 to 10 (at byte 0)"),
        ("4 x four []x[] -", "`x` is no side to move: `b` or `r` (at byte 2)"),
        (
            "4 b five []x[] -",
            "`five` is no rule of repetition: none, four, four-moves, eight or any (at byte 4)",
        ),
        ("4 b four", "expected `[` before blue's stones (at byte 8)"),
        ("4 b four [A07]", "expected `x[` after blue's stones (at byte 14)"),
        ("4 b four [A07]x[K01", "expected `]` at the end of a list (at byte 19)"),
        ("4 b four [A07]x[K01]x -", "expected the end, found `x` (at byte 20)"),
        ("4 b four [A07,A07]x[K01] -", "A07 is there twice (at byte 14)"),
        ("4 b four [A07]x[] ", "`` is no move: `A07-B08` or `A07-B08xE10` (at byte 18)"),
        ("4 b four [C02]x[A04] C2-D03", form),
        ("4 b four [H10]x[I10] -", "stones on H10 and I10 overlap (at byte 9)"),
        ("4 b four [C02]x[A04] B05-A04xC02", "a move of the history hits nothing (at byte 28)"),
    ] {
        assert_eq!(reads(text), Err(message.replace("(at byte 22)", "(at byte 21)")), "{text}");
    }
    assert_eq!(
        reads("4 b four [C05,A07]x[K01] -"),
        Ok("4 b four [A07,C05]x[K01] -".to_owned()),
        "in any order"
    );
    let delta = Setup::from_board_in(4, "[-7/-1, 0/2]x[-3/-1]", DiagonalNotation::Delta).unwrap();
    assert_eq!(delta.position().unwrap(), board("[I02,G07]x[G04]"));
    let original = Setup::from_board_in(4, "[BD.0, A.68]x[A.24]", DiagonalNotation::Original).unwrap();
    assert_eq!(original, delta);
    assert_eq!(
        Setup::from_board(0, "[]x[]").unwrap_err().to_string(),
        "no Cover-0: sizes are 1 to 10 (at byte 0)"
    );
}

#[cfg(feature = "serde")]
#[test]
fn stored_positions_are_checked_when_they_are_read() {
    let game = after(&board("[C02]x[B05]"), "C02-D03 B05-A04");
    let text = serde_json::to_string(&game).unwrap();
    assert_eq!(text, "\"4 b four [D03]x[A04] C02-D03,B05-A04\"");
    assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), game);
    let error = serde_json::from_str::<Position>("\"4 b four [H10]x[I10] -\"").unwrap_err().to_string();
    assert!(error.contains("overlap"), "{error}");
    let setup = serde_json::to_string(&game.setup()).unwrap();
    assert_eq!(serde_json::from_str::<Setup>(&setup).unwrap(), game.setup());
    let mv = moves(&game)[0];
    assert_eq!(serde_json::from_str::<Move>(&serde_json::to_string(&mv).unwrap()).unwrap(), mv);
}

#[test]
fn positions_can_be_shared_between_threads_and_are_small() {
    fn shared<T: Send + Sync>() {}
    shared::<Position>();
    assert_eq!((size_of::<Move>(), size_of::<Option<Move>>()), (4, 4));
    assert!(size_of::<Undo>() <= 24, "{}", size_of::<Undo>());
    assert!(size_of::<Position>() <= 448, "{}", size_of::<Position>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_is_a_position_or_a_short_error(text in prop_oneof!["\\PC{0,60}", "[0-9]{1,2} [br] (four|any|eight|none)(\\+voluntary)? \\[[A-K0-9,]{0,9}\\]x\\[[A-K0-9,]{0,9}\\] [-A-K0-9,x]{0,16}"]) {
        if let Err(error) = Position::parse_position(&text) {
            prop_assert!(error.to_string().len() < 400 && error.at <= text.len(), "{error}");
        }
        let _ = Setup::from_board(4, &text);
        let _ = Position::new(4).unwrap().parse_move(&text);
    }

    /// A game is a list of numbers, each of which picks one of the legal moves.
    #[test]
    fn any_position_of_any_game_is_set_up_again(
        size in 1_u8..=5,
        rules in 0_usize..10,
        picks in proptest::collection::vec(any::<u16>(), 0..120),
    ) {
        let options = all_options().nth(rules).unwrap();
        let mut game = Position::with_options(size, options).unwrap();
        let mut undos = Vec::new();
        for pick in picks {
            let legal = moves(&game);
            if legal.is_empty() {
                break;
            }
            let mv = legal[usize::from(pick) % legal.len()];
            prop_assert_eq!(game.parse_move(&game.move_text(mv)), Ok(mv));
            undos.push((game.clone(), game.play(mv).unwrap()));
            let again = game.setup().position().unwrap();
            prop_assert_eq!((&again, again.key(), again.canonical()), (&game, game.key(), game.canonical()));
            prop_assert_eq!(again.outcome(), game.outcome());
        }
        while let Some((before, undo)) = undos.pop() {
            game.undo(undo);
            prop_assert_eq!(&game, &before);
        }
    }
}
