//! Tests of `Position` and `Setup`: the laws of games, the swap, keys and symmetries, texts, errors with their reasons, `serde`, and
//! the sizes of types.

use std::collections::HashSet;

use proptest::prelude::*;
use stonework_board::{Cell, Symmetry};
use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, Pie, Player, Sym, Textual, laws, perft};
use stonework_havannah::{
    MAX_SIZE, MIN_SIZE, Move, PlayoutBoard, PlayoutResult, Position, Setup, WinKind, WinKinds,
};

fn all_laws<G: Finite + Keyed + Indexed + Textual>(start: &G, games: u32) {
    laws::game(start, 1, games).unwrap();
    laws::keyed(start, 2, games).unwrap();
    laws::finite(start, 3, games).unwrap();
    laws::indexed(start, 4, games).unwrap();
    laws::notation(start, 5, games).unwrap();
}

#[test]
fn havannah_keeps_every_law() {
    for (size, games) in [(2, 40), (3, 20), (4, 6), (5, 3)] {
        all_laws(&Position::new(size).unwrap(), games);
        all_laws(&Position::with_swap(size).unwrap(), games);
    }
    laws::game(&Position::new(20).unwrap(), 6, 1).unwrap();
}

#[test]
fn havannah_under_the_pie_adapter_keeps_every_law() {
    all_laws(&Pie::new(Position::new(3).unwrap()), 10);
}

fn after(position: &Position, moves: &str) -> Position {
    let mut position = position.clone();
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    position
}

#[test]
fn perft_counts_wins() {
    let counts = |size, depth| perft(&Position::new(size).unwrap(), depth);
    // On size 2, stones on two adjacent corners are a bridge. White has 6 · 2 ordered pairs of such corners, and black
    // plays on one of 5 other cells in between.
    let third = counts(2, 3);
    assert_eq!((counts(2, 2).nodes, third.nodes, third.wins.first, third.wins.second), (42, 210, 60, 0));
    assert_eq!((counts(4, 3).nodes, counts(4, 3).wins.first), (37 * 36 * 35, 0));
}

#[test]
fn after_a_swap_the_stone_is_black_and_white_moves() {
    let swapped = after(&Position::with_swap(4).unwrap(), "b2 swap");
    let b2 = swapped.board().parse("b2").unwrap();
    assert_eq!((swapped.stone(b2), swapped.to_move()), (Some(Player::Second), Player::First));
    assert!(!swapped.swap_enabled());
    let setup = Setup { to_move: Player::First, ..swapped.setup() };
    assert_eq!(setup.position().unwrap(), swapped, "a set-up position is equal without the history");
}

#[test]
fn the_right_to_swap_is_in_key_and_equality() {
    let (with, without) = (Position::with_swap(4).unwrap(), Position::new(4).unwrap());
    assert_ne!((with.key(), &with), (without.key(), &without));
    assert_ne!(after(&with, "a1").key(), after(&without, "a1").key());
    assert_eq!(after(&with, "a1 b1"), after(&without, "a1 b1"), "the right to swap has passed");
    assert_eq!(after(&with, "a1 b1").key(), after(&without, "a1 b1").key());
    assert_ne!(after(&without, "a1 b1").key(), Position::new(5).unwrap().key());
}

#[test]
fn a_swap_does_not_win_and_gives_black_the_winning_cells() {
    let start = Position::with_swap(2).unwrap();
    let swapped = after(&start, "a1 swap");
    assert_eq!(swapped.outcome(), None);
    assert_eq!((swapped.winning_count(Player::First), swapped.winning_count(Player::Second)), (0, 2));
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let start = Position::new(5).unwrap();
    let (a, b) = (after(&start, "a1 e5 b2 c3"), after(&start, "b2 c3 a1 e5"));
    assert_eq!((a.key(), a.canonical(), &a), (b.key(), b.canonical(), &b));
    assert_ne!(a.key(), after(&start, "e5 a1 b2 c3").key());
}

#[test]
fn all_twelve_images_have_one_canonical_key() {
    let position = after(&Position::new(5).unwrap(), "a1 e5 b3 c3 d6");
    let board = position.board();
    let mut keys = HashSet::new();
    for symmetry in Symmetry::ALL {
        let map = |player| board.map_set(symmetry, &position.stones(player));
        let mut setup = position.setup();
        setup.stones.first = map(Player::First);
        setup.stones.second = map(Player::Second);
        let image = setup.position().unwrap();
        assert_eq!(image.canonical().0, position.canonical().0);
        keys.insert(image.key());
    }
    assert_eq!(keys.len(), 12);
    let (_, symmetry) = position.canonical();
    let place = Move::Place(board.parse("a2").unwrap());
    assert_eq!(position.unmap_move(symmetry, position.map_move(symmetry, place)), place);
    assert_eq!(position.map_move(Sym(99), place), place, "an unknown symmetry maps a move to itself");
}

/// Files of tables contain keys: other keys would need a new major version.
#[test]
fn keys_of_a_position_never_change() {
    let position = after(&Position::with_swap(10).unwrap(), "k19");
    assert_eq!(format!("{:016x} {:016x}", position.key(), position.canonical().0), KEYS);
}
const KEYS: &str = "017b4fcb29f01030 d42b77497168a3f5";

#[test]
fn errors_of_illegal_moves_state_the_cell_and_the_reason() {
    let mut game = after(&Position::with_swap(4).unwrap(), "d4");
    let illegal = |game: &mut Position, text: &str| {
        let mv = game.parse_move(text).unwrap();
        let before = game.clone();
        let message = game.play(mv).unwrap_err().to_string();
        assert_eq!(*game, before);
        message
    };
    assert_eq!(illegal(&mut game, "d4"), "d4 already has a stone of white");
    game.play(Move::Swap).unwrap();
    let past = "no swap here: this game is played without, or the time for it is past";
    assert_eq!(illegal(&mut game, "swap"), past);
    let mut fresh = Position::with_swap(4).unwrap();
    let early = "no swap here: it is the second player's first action or none";
    assert_eq!(illegal(&mut fresh, "swap"), early);
    let outside = Move::Place(Cell::new(37).unwrap());
    let message = fresh.play(outside).unwrap_err().to_string();
    assert_eq!(message, "cell 37 is not on a board of size 4, which has cells 0 to 36");
    let mut over = after(&Position::new(4).unwrap(), "a1 b1 a2 b2 a3 b3 a4");
    assert_eq!(illegal(&mut over, "g7"), "the game is over: white has won");
    assert_eq!(illegal(&mut over, "a1"), "the game is over: white has won");
}

#[test]
fn sizes_are_two_to_twenty() {
    for size in [0, MIN_SIZE - 1, MAX_SIZE + 1, 255] {
        let message = Position::new(size).unwrap_err().to_string();
        assert_eq!(message, format!("no hexagon of size {size}: sizes are 2 to 20"));
    }
}

#[test]
fn errors_of_invalid_setups_state_the_reason() {
    let board = Position::new(4).unwrap().board();
    let cells = |names: &str| names.split(' ').map(|n| board.parse(n).unwrap()).collect();
    let mut setup = Setup::new(4);
    setup.stones.first = cells("a1 a2 a3 a4");
    setup.stones.second = cells("g4 g5 g6 g7 e4 e5 d3 d5 c3 c4");
    let both = "both sides have won: white has bridge, black has ring and bridge";
    assert_eq!(setup.position().unwrap_err().to_string(), both);
    setup.stones.second = cells("a1 b1");
    assert_eq!(setup.position().unwrap_err().to_string(), "a1 has a stone of both sides");
    setup.stones.second = [Cell::new(37).unwrap()].into_iter().collect();
    assert_eq!(setup.position().unwrap_err().to_string(), "cell 37 is not on a board of size 4");
    let swap = Setup { swap: true, to_move: Player::Second, ..Setup::new(4) };
    let message = "no right to swap with 0 stones of white, 0 of black and black to move";
    assert_eq!(swap.position().unwrap_err().to_string(), message);
    assert_eq!(
        Setup::new(21).position().unwrap_err().to_string(),
        "no hexagon of size 21: sizes are 2 to 20"
    );
}

#[test]
fn a_won_position_can_be_set_up_and_has_its_winning_chain() {
    let board = Position::new(5).unwrap().board();
    let mut setup = Setup::new(5);
    setup.stones.second = board.ring(board.parse("e5").unwrap(), 2).collect();
    let position = setup.position().unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Player::Second)));
    assert_eq!(position.kinds(), WinKinds::RING);
    assert_eq!(position.winning_chain(WinKind::Ring), Some(setup.stones.second));
    let mut moves: Vec<Move> = Vec::new();
    position.legal_moves(&mut moves);
    assert!(moves.is_empty() && position.winning_cells(Player::Second).is_empty());
}

#[test]
fn errors_of_invalid_texts_state_the_place() {
    let read =
        |text: &str| Position::parse_position(text).map(|p| p.position_text()).map_err(|e| e.to_string());
    let good = "2 b - w./.../..";
    assert_eq!(read(good), Ok(good.to_owned()));
    for (text, message) in [
        ("", "`` is no size: 2 to 20 (at byte 0)"),
        ("21 w - .", "`21` is no size: 2 to 20 (at byte 0)"),
        ("02 w - ../.../..", "`02` is no size: 2 to 20 (at byte 0)"),
        ("+2 w - ../.../..", "`+2` is no size: 2 to 20 (at byte 0)"),
        ("2 w -", "expected `.`, `w` or `b` in the 1st row, found the end (at byte 5)"),
        ("2", "`` is no side to move: `w` or `b` (at byte 1)"),
        ("2 x - ../.../..", "`x` is no side to move: `w` or `b` (at byte 2)"),
        ("2 w q ../.../..", "`q` is no right to swap: `s` or `-` (at byte 4)"),
        ("2 w - ../....", "expected `/` before the 3rd row, found `.` (at byte 12)"),
        ("2 w - ../...", "expected `/` before the 3rd row, found the end (at byte 12)"),
        ("2 w - ../...é../", "expected `/` before the 3rd row, found `é` (at byte 12)"),
        ("2 w - ../.x./..", "expected `.`, `w` or `b` in the 2nd row, found `x` (at byte 10)"),
        ("2 w - ../.../.. ", "expected the end after 3 rows, found ` ` (at byte 15)"),
        (
            "2 w s wb/.../..",
            "no right to swap with 1 stones of white, 1 of black and white to move (at byte 6)",
        ),
        ("2 w - ww/.../bb", "both sides have won: white has bridge, black has bridge (at byte 6)"),
    ] {
        assert_eq!(read(text), Err(message.to_owned()), "{text}");
    }
}

#[test]
fn the_winning_chain_of_two_rings_is_the_shorter_ring() {
    // The last stone, d4, makes two rings: six stones around c3, and eight stones around d5 and e6.
    let start = Position::new(5).unwrap();
    let game = after(&start, "b2 a1 b3 a2 c2 a4 c4 a5 d3 i5 c5 i6 d6 i8 e5 i9 e7 g3 f6 g9 f7 e9 d4");
    assert_eq!(game.kinds(), WinKinds::RING);
    let ring = game.winning_chain(WinKind::Ring).unwrap();
    assert_eq!(
        ring.iter().map(|c| game.board().name(c)).collect::<Vec<_>>(),
        ["b2", "b3", "c2", "c4", "d3", "d4"]
    );
}

#[cfg(feature = "serde")]
#[test]
fn stored_positions_are_checked_when_they_are_read() {
    let game = after(&Position::with_swap(4).unwrap(), "d4");
    let text = serde_json::to_string(&game).unwrap();
    assert_eq!(text, "\"4 b s ..../...../....../...w.../....../...../....\"");
    assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), game);
    let both = "\"2 w - ww/.../bb\"";
    let error = serde_json::from_str::<Position>(both).unwrap_err().to_string();
    assert!(error.contains("both sides have won"), "{error}");
    let setup = serde_json::to_string(&game.setup()).unwrap();
    assert_eq!(serde_json::from_str::<Setup>(&setup).unwrap(), game.setup());
    assert!(serde_json::from_str::<Setup>(&setup.replace("18", "1141")).is_err());
    assert_eq!(serde_json::to_string(&Move::Swap).unwrap(), "\"Swap\"");
    let kinds = WinKinds::RING.with(WinKinds::FORK);
    assert_eq!(serde_json::to_string(&kinds).unwrap(), r#"["ring","fork"]"#);
    assert_eq!(serde_json::from_str::<WinKinds>(r#"["ring","fork"]"#).unwrap(), kinds);
    assert!(serde_json::from_str::<WinKinds>(r#"["loop"]"#).is_err());
}

#[test]
fn positions_can_be_shared_between_threads_and_are_small() {
    fn shared<T: Send + Sync>() {}
    shared::<Position>();
    shared::<PlayoutBoard>();
    shared::<Setup>();
    assert_eq!((size_of::<Move>(), size_of::<Option<Move>>(), size_of::<WinKinds>()), (4, 4, 1));
    assert!(size_of::<stonework_havannah::Undo>() <= 24);
    assert!(size_of::<Position>() <= 320, "{}", size_of::<Position>());
    assert!(size_of::<PlayoutBoard>() <= 64, "{}", size_of::<PlayoutBoard>());
    assert!(size_of::<PlayoutResult>() <= 8, "{}", size_of::<PlayoutResult>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_is_a_position_or_an_error(text in "\\PC{0,60}") {
        let _ = Position::parse_position(&text);
        let _ = Position::new(4).unwrap().parse_move(&text);
    }

    #[test]
    fn almost_valid_texts_are_positions_or_errors(size in 2u8..=4, noise in proptest::collection::vec((0usize..80, "[./wb s\\-0-9]"), 0..4)) {
        let mut text = Position::new(size).unwrap().position_text();
        for (at, c) in noise {
            let at = at.min(text.len());
            text.insert_str(at, &c);
        }
        if let Ok(position) = Position::parse_position(&text) {
            prop_assert_eq!(position.position_text(), text);
        }
    }

    /// Before each move of a random game, another move and a reply are played and taken back: the position is as before. After the
    /// move, the position is equal to its own setup.
    #[test]
    fn undo_leaves_no_trace(size in 2u8..=6, picks in proptest::collection::vec((0usize..1000, 0usize..1000), 1..60)) {
        let mut position = Position::new(size).unwrap();
        for (played, tried) in picks {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let before = position.clone();
            let undo = position.play_unchecked(moves[tried % moves.len()]);
            let mut replies = Vec::new();
            position.legal_moves(&mut replies);
            if let Some(&reply) = replies.get(played % replies.len().max(1)) {
                let undo = position.play_unchecked(reply);
                position.undo(undo);
            }
            position.undo(undo);
            prop_assert_eq!(&position, &before);
            for player in Player::BOTH {
                prop_assert_eq!(position.winning_cells(player), before.winning_cells(player));
            }
            position.play_unchecked(moves[played % moves.len()]);
            prop_assert_eq!(&position, &position.setup().position().unwrap());
        }
    }
}

/// Stones of one side, many of them with several rings: the winning chain has the win alone, and no stone too many.
#[test]
fn a_winning_chain_of_a_setup_is_a_win_that_needs_all_its_stones() {
    use rand_xoshiro::rand_core::{RngCore, SeedableRng};
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(9);
    let mut rings = 0;
    for game in 0..600 {
        let size = 3 + (game % 5) as u8;
        let mut setup = Setup::new(size);
        let cells = Position::new(size).unwrap().board().cells();
        let share = 35 + rng.next_u32() % 40;
        setup.stones.second = cells.filter(|_| rng.next_u32() % 100 < share).collect();
        let position = setup.position().unwrap();
        for kind in position.kinds().iter() {
            let chain = position.winning_chain(kind).unwrap();
            let of = |stones| {
                let mut alone = Setup::new(size);
                alone.stones.second = stones;
                alone.position().unwrap().kinds()
            };
            assert!(of(chain).contains(kind), "{position:?}: {kind}");
            for stone in &chain {
                let rest = chain.iter().filter(|&other| other != stone).collect();
                assert!(!of(rest).contains(kind), "{}: {kind} {chain:?}", position.position_text());
            }
            rings += usize::from(kind == WinKind::Ring);
        }
    }
    assert!(rings > 100, "{rings} rings");
}
