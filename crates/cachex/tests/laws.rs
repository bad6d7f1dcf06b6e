//! Cachex keeps the laws of games; its errors name the fault; its keys cover what they promise.

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use stonework_board::{Cell, CellSet};
use stonework_cachex::{Ending, Move, Options, Position, Setup};
use stonework_game::{ByPlayer, Game, Indexed, Keyed, Outcome, Player, Sym, Textual, laws, perft};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn all_laws<G: Keyed + Indexed + Textual>(start: &G, games: u32) {
    laws::game(start, 1, games).unwrap();
    laws::keyed(start, 2, games).unwrap();
    laws::indexed(start, 3, games).unwrap();
    laws::notation(start, 4, games).unwrap();
}

fn short(size: u8, repetition: u16, turns: u16) -> Position {
    Position::with_options(size, Options { repetition, turns }).unwrap()
}

#[test]
fn cachex_keeps_every_law() {
    for (size, games) in [(3, 60), (4, 15), (5, 6)] {
        all_laws(&Position::new(size).unwrap(), games);
    }
    laws::game(&Position::new(15).unwrap(), 6, 1).unwrap();
}

#[test]
fn cachex_with_draws_near_keeps_every_law() {
    for (repetition, turns) in [(2, 343), (3, 25), (7, 1), (7, 2), (2, 9)] {
        all_laws(&short(3, repetition, turns), 60);
        laws::horizon(&short(3, repetition, turns), 5, 20, 3).unwrap();
    }
}

fn after(position: &Position, actions: &str) -> Position {
    let mut position = position.clone();
    for text in actions.split_whitespace() {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    position
}

fn read(text: &str) -> Position {
    Position::parse_position(text).unwrap()
}

#[test]
fn perft_is_the_referees() {
    let nodes = |size, depths: u32| {
        let start = Position::new(size).unwrap();
        (1..=depths).map(|depth| perft(&start, depth).nodes).collect::<Vec<_>>()
    };
    assert_eq!(nodes(3, 6), [8, 72, 512, 3136, 16224, 64640]);
    assert_eq!(nodes(4, 4), [16, 256, 3600, 47040]);
    assert_eq!(nodes(5, 3), [24, 600, 13824]);
    let fifth = perft(&Position::new(3).unwrap(), 5);
    assert_eq!((fifth.wins.first + fifth.wins.second + fifth.draws, fifth.draws), (1176, 0));
}

#[test]
fn a_steal_takes_the_stone_across_the_diagonal() {
    let stolen = after(&Position::new(4).unwrap(), "0,3 steal");
    assert_eq!(stolen.rows(), "..../..../..../b...");
    assert_eq!((stolen.to_move(), stolen.turns(), stolen.may_steal()), (Player::First, 2, false));
    assert_eq!(after(&Position::new(4).unwrap(), "2,2 steal").rows(), "..../..../..b./....");
}

#[test]
fn the_twelve_patterns_are_tested_before_anything_is_removed() {
    // Six enemy stones around the cell; the own stones beyond two gaps both need the enemy stone between them.
    let read = |rows| Setup::from_rows(rows, 8).unwrap().position().unwrap();
    let none = read("...../..bb./.b.b./.bb../.....");
    let centre = none.cell(2, 2).unwrap();
    assert!(none.captures(Player::First, centre).is_empty());
    let three = read("...../..bb./.b.b./rbb../.r...");
    let mut game = three.clone();
    let undo = game.play(Move::Place(centre)).unwrap();
    assert_eq!(undo.captured().len(), 3);
    assert_eq!(game.rows(), "...../..bb./..rb./r..../.r...");
    let sideways = read("...../..br./.r.b./.br../.....");
    assert_eq!(sideways.captures(Player::First, centre).len(), 3);
    game.undo(undo);
    assert_eq!(game, three);
}

#[test]
fn a_capture_cuts_a_chain_and_undo_joins_it_again() {
    // Blue is one stone from winning along r = 1; red takes two stones out of the middle.
    let before = read("5 r 12/343 1/7 ...../b.bb./r.rr./.r.../.....");
    let winning = |game: &Position| game.winning_cells(Player::Second).len();
    assert_eq!(winning(&before), 0);
    let near = read("5 r 12/343 1/7 ..r../bbbb./...r./...../.....");
    assert_eq!(winning(&near), 2);
    let mut game = near.clone();
    let cell = game.cell(2, 1).unwrap();
    let captures = game.captures(Player::First, cell);
    let taken: Vec<_> = captures.iter().map(|c| game.coordinates(c)).collect();
    assert_eq!(taken, [(1, 1), (1, 2)]);
    let undo = game.play(Move::Place(cell)).unwrap();
    assert_eq!((game.rows().as_str(), winning(&game)), ("..r../b..b./.r.r./...../.....", 0));
    game.undo(undo);
    assert_eq!((winning(&game), &game), (2, &near));
}

#[test]
fn endangered_stones_are_those_that_some_move_takes() {
    let game = read("5 r 12/343 1/7 ..r../bbbb./...r./...../.....");
    let capturing: Vec<_> =
        game.capturing(Player::First).map(|(cell, taken)| (game.coordinates(cell), taken.len())).collect();
    assert!(capturing.contains(&((2, 1), 2)));
    for (cell, taken) in game.capturing(Player::First) {
        assert_eq!(game.captures(Player::First, cell), taken);
    }
    let endangered = game.endangered(Player::Second);
    let all: CellSet = game.capturing(Player::First).flat_map(|(_, taken)| taken.iter()).collect();
    assert_eq!(endangered, all);
    assert!(endangered.contains(game.cell(1, 1).unwrap()) && game.endangered(Player::First).is_empty());
}

#[test]
fn wins_are_seen_beforehand_and_the_shortest_chain_is_shown() {
    let mut game = read("4 r 10/343 1/7 .rr./.rrb/.r.b/b..b");
    let cells = game.winning_cells(Player::First);
    let names: Vec<_> = cells.iter().map(|c| game.move_text(Move::Place(c))).collect();
    assert_eq!(names, ["3,1"]);
    assert!(cells.iter().all(|c| game.wins(Player::First, c)));
    game.play(Move::Place(cells.first().unwrap())).unwrap();
    assert_eq!(game.ending(), Some(Ending::Connection(Player::First)));
    let chain: Vec<_> = game.winning_chain().unwrap().iter().map(|c| game.coordinates(c)).collect();
    assert_eq!((chain.len(), &chain[2..]), (4, &[(2, 1), (3, 1)][..]));
    assert!(
        game.winning_cells(Player::First).is_empty() && !game.wins(Player::Second, cells.first().unwrap())
    );
}

/// Two positions of one game differ in their history alone: not in key, not in moves, but in `==`.
#[test]
fn how_often_boards_have_occurred_is_in_equality_and_not_in_the_key() {
    let once = read("3 r 8/343 1/7 r../.b./...");
    let thrice = read("3 r 8/343 3/7 r../.b./...");
    let later = read("3 r 10/343 1/7 r../.b./...");
    assert_ne!(once, thrice);
    assert_ne!(once, later);
    assert_eq!((once.key(), once.key()), (thrice.key(), later.key()));
    assert_eq!((once.horizon(), thrice.horizon()), (10, 6));
    let drawn = read("3 r 12/343 7/7 r../.b./...");
    assert_eq!((drawn.ending(), drawn.horizon()), (Some(Ending::Repetition), 0));
    assert_ne!(drawn.key(), once.key());
}

#[test]
fn the_order_of_moves_is_forgotten_unless_a_board_was_another() {
    let start = Position::new(5).unwrap();
    let (a, b) = (after(&start, "0,0 4,4 1,1"), after(&start, "1,1 4,4 0,0"));
    assert_eq!((a.key(), a.rows()), (b.key(), b.rows()));
    assert_ne!(a, b, "after the first turn the boards were not the same");
}

#[test]
fn win_comes_before_repetition_and_repetition_before_the_turn_limit() {
    let ending = |text: &str| read(text).ending();
    assert_eq!(ending("3 b 5/5 1/7 rb./rb./r.."), Some(Ending::Connection(Player::First)));
    assert_eq!(ending("3 r 6/6 3/3 rb./.../..."), Some(Ending::Repetition));
    assert_eq!(ending("3 r 6/6 2/3 rb./.../..."), Some(Ending::TurnLimit));
    let mut game = read("3 r 4/5 1/7 rb./rb./...");
    game.play(game.parse_move("2,0").unwrap()).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
    let mut game = read("3 r 4/5 1/7 rb./rb./...");
    game.play(game.parse_move("2,2").unwrap()).unwrap();
    assert_eq!(game.ending(), Some(Ending::TurnLimit));
}

/// `true` if a line of `depth` plies ends in a draw.
fn draws_within(game: &mut Position, depth: u32) -> bool {
    if game.outcome() == Some(Outcome::Draw) {
        return true;
    }
    if depth == 0 {
        return false;
    }
    let moves = game.moves();
    moves.into_iter().any(|mv| {
        let undo = game.play_unchecked(mv);
        let draw = draws_within(game, depth - 1);
        game.undo(undo);
        draw
    })
}

#[test]
fn no_draw_comes_within_the_horizon() {
    let mut rng = rng(9);
    let mut zero = 0;
    for (repetition, turns) in [(2, 30), (3, 30), (4, 9)] {
        for _ in 0..40 {
            let mut game = short(3, repetition, turns);
            while game.outcome().is_none() {
                let horizon = game.horizon();
                zero += u32::from(horizon == 0);
                assert!(!draws_within(&mut game, horizon.min(3)), "{game:?} {horizon}");
                let moves = game.moves();
                let pick = rand_xoshiro::rand_core::RngCore::next_u64(&mut rng) % moves.len() as u64;
                game.play_unchecked(moves[pick as usize]);
            }
        }
    }
    assert!(zero > 100, "the law was hardly tried: {zero}");
}

/// The position with r and q exchanged, colours exchanged, and the other side to move.
fn transposed(position: &Position) -> Position {
    let across = |player: Player| -> CellSet {
        let at = |cell| position.coordinates(cell);
        position.stones(player).iter().filter_map(|c| position.cell(at(c).1, at(c).0)).collect()
    };
    let stones = ByPlayer::new(across(Player::Second), across(Player::First));
    Setup { stones, turns: position.turns() + 1, ..position.setup() }.position().unwrap()
}

#[test]
fn exchanging_the_players_and_their_sides_keeps_the_canonical_key() {
    let mut games = rng(3);
    for size in [3, 4, 6] {
        let mut game = after(&Position::new(size).unwrap(), "0,1 1,0");
        while game.outcome().is_none() {
            let image = transposed(&game);
            assert_eq!(image.canonical().0, game.canonical().0);
            assert_ne!(image.key(), game.key());
            assert_ne!(image.to_move(), game.to_move());
            let moves = game.moves();
            let pick = rand_xoshiro::rand_core::RngCore::next_u64(&mut games) % moves.len() as u64;
            game.play_unchecked(moves[pick as usize]);
        }
    }
}

#[test]
fn the_right_to_steal_is_in_the_key() {
    let now = read("4 b 1/343 1/7 .r../..../..../....");
    let past = read("4 b 3/343 1/7 .r../..../..../....");
    assert_ne!((now.key(), now.canonical().0), (past.key(), past.canonical().0));
    assert_eq!((now.may_steal(), past.may_steal()), (true, false));
    let limits = Setup { options: Options { repetition: 3, turns: 343 }, ..past.setup() }.position().unwrap();
    assert_ne!(limits.key(), past.key());
    assert_eq!(
        past.map_move(Sym(99), Move::Steal),
        Move::Steal,
        "a number that is no symmetry moves nothing"
    );
}

/// Keys are stored in tables on disk: a change of them is a new major version.
#[test]
fn keys_are_what_they_were() {
    let position = after(&Position::new(9).unwrap(), "0,8 steal 3,4");
    assert_eq!(format!("{:016x} {:016x}", position.key(), position.canonical().0), KEYS);
}
const KEYS: &str = "fafcc6845721173d 34292c9700427e52";

#[test]
fn illegal_actions_name_cell_and_rule() {
    let illegal = |game: &Position, text: &str| {
        let mut copy = game.clone();
        let message = copy.play(game.parse_move(text).unwrap()).unwrap_err().to_string();
        assert_eq!(&copy, game);
        message
    };
    let start = Position::new(5).unwrap();
    let centre = "the first stone may not go to the centre, which is 2,2 on a board of size 5";
    assert_eq!(illegal(&start, "2,2"), centre);
    let steal = "no steal after 0 turns: it is blue's first action, after one turn, or none";
    assert_eq!(illegal(&start, "steal"), steal);
    let one = after(&start, "1,4");
    assert_eq!(illegal(&one, "1,4"), "1,4 already has a stone of red");
    let stolen = after(&one, "Steal");
    assert_eq!(illegal(&stolen, "4,1"), "4,1 already has a stone of blue");
    assert!(illegal(&after(&stolen, "0,0"), "steal").starts_with("no steal after 3 turns"));
    let over = read("3 b 5/343 1/7 rb./rb./r..");
    assert_eq!(illegal(&over, "2,2"), "the game is over: red has connected both sides");
    let outside = Move::Place(Cell::new(25).unwrap());
    let message = start.check(outside).unwrap_err().to_string();
    assert_eq!(message, "cell 25 is not on a board of size 5, which has cells 0 to 24");
    let drawn = |text: &str| illegal(&read(text), "2,2");
    assert_eq!(drawn("3 r 6/6 2/3 rb./.../..."), "the game is over: a draw by the number of turns");
    assert_eq!(drawn("3 r 6/9 3/3 rb./.../..."), "the game is over: a draw by repetition");
}

#[test]
fn actions_that_are_none_say_where() {
    let game = Position::new(5).unwrap();
    let error = |text: &str| game.parse_move(text).unwrap_err().to_string();
    assert_eq!(error("a1"), "`a1` is no move: `r,q` or `steal` (at byte 0)");
    assert_eq!(error("5,0"), "`5` is no row or column: 0 to 4 (at byte 0)");
    assert_eq!(error("0,-1"), "`-1` is no row or column: 0 to 4 (at byte 2)");
    assert_eq!(error("0,01"), "`01` is no row or column: 0 to 4 (at byte 2)");
    assert_eq!(error("0, 1"), "` 1` is no row or column: 0 to 4 (at byte 2)");
    assert_eq!(game.parse_move("STEAL"), Ok(Move::Steal));
}

#[test]
fn sizes_are_three_to_fifteen() {
    for size in [0, 1, 2, 16, 255] {
        let message = Position::new(size).unwrap_err().to_string();
        assert_eq!(message, format!("no Cachex board of size {size}: sizes are 3 to 15"));
    }
}

#[test]
fn setups_that_are_no_position_say_why() {
    let error = |setup: Setup| setup.position().unwrap_err().to_string();
    let cell = |index| Cell::new(index).unwrap();
    let with = |red: &[usize], blue: &[usize], turns| {
        let set = |cells: &[usize]| cells.iter().map(|&i| cell(i)).collect();
        Setup { stones: ByPlayer::new(set(red), set(blue)), turns, ..Setup::new(5) }
    };
    assert_eq!(error(with(&[25], &[], 4)), "cell 25 is not on a board of size 5");
    assert_eq!(error(with(&[7], &[7], 4)), "1,2 has a stone of both sides");
    for (red, blue, turns) in
        [(&[1][..], &[][..], 0), (&[], &[1], 1), (&[1, 2], &[], 1), (&[], &[], 1), (&[12], &[], 1)]
    {
        let message = error(with(red, blue, turns));
        let (red, blue) = (red.len(), blue.len());
        assert!(message.starts_with(&format!(
            "after {turns} turns there cannot be {red} red stones and {blue} blue ones"
        )));
    }
    let long = Setup { turns: 344, ..Setup::new(5) };
    assert_eq!(error(long), "344 turns of at most 343");
    let often = |occurrences, turns| Setup { occurrences, turns, ..Setup::new(5) };
    assert_eq!(error(often(0, 8)), "0 occurrences of the board: 1 to 5");
    assert_eq!(error(often(8, 40)), "8 occurrences of the board: 1 to 7");
    assert_eq!(error(often(2, 0)), "2 occurrences of the board: 1 to 1");
    for options in [(1, 343), (7, 0), (10_000, 343), (7, 10_000)] {
        let (repetition, turns) = options;
        let message = error(Setup { options: Options { repetition, turns }, ..Setup::new(5) });
        let said = format!("no draw at repetition {repetition} or after {turns} turns: ");
        assert!(message.starts_with(&said), "{message}");
    }
}

#[test]
fn text_that_is_no_position_says_where() {
    let reads =
        |text: &str| Position::parse_position(text).map(|p| p.position_text()).map_err(|e| e.to_string());
    let good = "3 b 7/343 2/7 r../.b./...";
    assert_eq!(reads(good), Ok(good.to_owned()));
    for (text, message) in [
        ("", "`` is no size: 3 to 15 (at byte 0)"),
        ("16 r 0/343 1/7 .", "`16` is no size: 3 to 15 (at byte 0)"),
        ("03 r 0/343 1/7 .../.../...", "`03` is no size: 3 to 15 (at byte 0)"),
        ("3", "`` is no number of turns: `NUMBER/LIMIT` (at byte 1)"),
        ("3 x 0/343 1/7 .../.../...", "`x` does not move after 0 turns: `r` (at byte 2)"),
        ("3 r 1/343 1/7 .r./.../...", "`r` does not move after 1 turns: `b` (at byte 2)"),
        ("3 r 0 1/7 .../.../...", "`0` is no number of turns: `NUMBER/LIMIT` (at byte 4)"),
        ("3 r 0/343 /7 .../.../...", "`/7` is no number of occurrences: `NUMBER/LIMIT` (at byte 10)"),
        ("3 r 0/343 1/7 .../....", "expected `/` before the 3rd row, found `.` (at byte 21)"),
        ("3 r 0/343 1/7 .../.x./...", "expected `.`, `r` or `b` in the 2nd row, found `x` (at byte 19)"),
        ("3 r 0/343 1/7 .../...", "expected `/` before the 3rd row, found the end (at byte 21)"),
        ("3 r 0/343 1/7 .../...é...", "expected `/` before the 3rd row, found `é` (at byte 21)"),
        ("3 r 0/343 1/7 .../.../... ", "expected the end after 3 rows, found ` ` (at byte 25)"),
        ("3 r 8/4 1/7 .../.../...", "8 turns of at most 4 (at byte 2)"),
    ] {
        assert_eq!(reads(text), Err(message.to_owned()), "{text}");
    }
    assert!(Setup::from_rows("..../..../....", 2).is_err());
    assert_eq!(
        Setup::from_rows("", 2).unwrap_err().to_string(),
        "a row of 0 cells: sizes are 3 to 15 (at byte 0)"
    );
}

#[cfg(feature = "serde")]
#[test]
fn stored_positions_are_checked_when_they_are_read() {
    let game = after(&Position::new(4).unwrap(), "0,3 steal 1,1");
    let text = serde_json::to_string(&game).unwrap();
    assert_eq!(text, "\"4 b 3/343 1/7 ..../.r../..../b...\"");
    let back: Position = serde_json::from_str(&text).unwrap();
    assert_eq!((back.key(), back.setup()), (game.key(), game.setup()));
    let error = serde_json::from_str::<Position>("\"3 r 1/9 1/7 .../.../...\"").unwrap_err().to_string();
    assert!(error.contains("does not move"), "{error}");
    let setup = serde_json::to_string(&game.setup()).unwrap();
    assert_eq!(serde_json::from_str::<Setup>(&setup).unwrap(), game.setup());
    assert_eq!(serde_json::to_string(&Move::Steal).unwrap(), "\"Steal\"");
}

#[test]
fn positions_can_be_shared_between_threads_and_are_small() {
    fn shared<T: Send + Sync>() {}
    shared::<Position>();
    assert_eq!((size_of::<Move>(), size_of::<Option<Move>>()), (4, 4));
    assert_eq!(size_of::<stonework_cachex::Captures>(), 4);
    assert!(size_of::<stonework_cachex::Undo>() <= 288, "{}", size_of::<stonework_cachex::Undo>());
    assert!(size_of::<Position>() <= 384, "{}", size_of::<Position>());
}

fn shape() -> impl Strategy<Value = (u8, u16, u16)> {
    (3u8..=6, 2u16..=7, 3u16..=60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_is_a_position_or_an_error(text in "\\PC{0,60}") {
        let _ = Position::parse_position(&text);
        let _ = Setup::from_rows(&text, 2);
        let _ = Position::new(4).unwrap().parse_move(&text);
    }

    #[test]
    fn texts_near_a_position_are_one_or_an_error(size in 3u8..=5, noise in proptest::collection::vec((0usize..60, "[./rb 0-9]"), 0..4)) {
        let mut text = Position::new(size).unwrap().position_text();
        for (at, c) in noise {
            let at = at.min(text.len());
            text.insert_str(at, &c);
        }
        if let Ok(position) = Position::parse_position(&text) {
            prop_assert_eq!(position.position_text(), text);
        }
    }

    /// Moves tried and taken back leave nothing behind: not in equality, keys, draws to come or wins.
    #[test]
    fn undo_leaves_no_trace((size, repetition, turns) in shape(), picks in proptest::collection::vec((0usize..1000, 0usize..1000), 1..60)) {
        let mut position = short(size, repetition, turns);
        for (mv, tried) in picks {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let before = position.clone();
            let undo = position.play_unchecked(moves[tried % moves.len()]);
            let mut replies = Vec::new();
            position.legal_moves(&mut replies);
            if let Some(&reply) = replies.get(mv % replies.len().max(1)) {
                let undo = position.play_unchecked(reply);
                position.undo(undo);
            }
            position.undo(undo);
            prop_assert_eq!(&position, &before);
            prop_assert_eq!((position.horizon(), position.occurrences()), (before.horizon(), before.occurrences()));
            position.play_unchecked(moves[mv % moves.len()]);
            let fresh = position.setup().position().unwrap();
            prop_assert_eq!((fresh.key(), fresh.ending()), (position.key(), position.ending()));
            for player in Player::BOTH {
                prop_assert_eq!(fresh.winning_cells(player), position.winning_cells(player));
            }
        }
    }
}
