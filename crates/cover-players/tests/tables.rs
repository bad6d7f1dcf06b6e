//! Whole tables of Cover with few stones: the values that the thesis prints of one against one, and laws of the
//! numbering.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::OnceLock;

use cpu_time::ProcessTime;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use serde_json::Value as Json;
use stonework_board::{Cell, DiagonalSymmetry};
use stonework_cover::{Move, Options, Position, Recent, Repetition, Setup};
use stonework_cover_players::{Space, SpaceError};
use stonework_endgame::{Options as Means, StateSpace, Stored, Table, Value, laws, solve, verify};
use stonework_game::{ByPlayer, Game, Outcome, Player, Textual};
use stonework_oracle::CoverJudge;

const WITHOUT: Options = Options { repetition: Repetition::None, voluntary_shots: false };

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn space(size: u8, stones: (usize, usize), options: Options) -> Space {
    Space::new(size, stones, options).unwrap()
}

/// The table of a space, solved and verified.
fn table(space: &Space) -> Table {
    let mut go_on = |_| ControlFlow::Continue(());
    let table = solve(space, &Means::default(), &mut go_on).unwrap().table;
    verify(space, &table, &Means::default(), &mut go_on).unwrap();
    table
}

/// One against one of Cover-4, by the usual rules and without a rule of repetition, for all tests.
fn cover_4(options: Options) -> &'static (Space, Table) {
    static BOTH: [OnceLock<(Space, Table)>; 2] = [const { OnceLock::new() }; 2];
    BOTH[usize::from(options == WITHOUT)].get_or_init(|| {
        let space = space(4, (1, 1), options);
        let table = table(&space);
        (space, table)
    })
}

fn position(size: u8, board: &str, to_move: Player) -> Position {
    Setup { to_move, ..Setup::from_board(size, board).unwrap() }.position().unwrap()
}

fn moves(position: &Position) -> Vec<Move> {
    position.moves()
}

#[test]
fn one_against_one_of_cover_4_is_as_published() {
    for ((space, table), decided, drawn, longest) in
        [(cover_4(Options::default()), 9_075, 9_144, 38), (cover_4(WITHOUT), 8_617, 10_060, 20)]
    {
        let census = space.census(table, 1, 1);
        assert_eq!((census.legal, census.blue_to_move, census.variants), (27_294, 13_647, 6_860));
        assert_eq!((census.won.first, census.won.second, census.drawn), (decided, decided, drawn));
        let (plies, position) = census.longest.unwrap();
        assert_eq!(plies, longest);
        assert_eq!(table.probe(space, &position).unwrap().distance(), Some(longest));
    }
}

#[test]
fn named_positions_are_as_published() {
    let (space, table) = cover_4(Options::default());
    let value = |board, to_move| table.probe(space, &position(4, board, to_move)).unwrap();
    assert_eq!(value("[A08]x[A11]", Player::Second), Value::Loss(38));
    assert!(matches!(value("[H09]x[I10]", Player::First), Value::Win(_)));
    assert!(matches!(value("[I09]x[J08]", Player::Second), Value::Loss(_)));
    // The thesis gives a line of 13 plies; there is a shorter win.
    assert_eq!(value("[H10]x[J10]", Player::First), Value::Win(11));
    for drawn in ["[H08]x[J10]", "[H11]x[J09]", "[G10]x[I10]", "[F06]x[H08]"] {
        assert_eq!(value(drawn, Player::First), Value::Draw, "{drawn}");
    }
    let mut game = position(4, "[C02]x[B05]", Player::First);
    for mv in ["C02-D03", "B05-A04", "D03-C02"] {
        game.play(game.parse_move(mv).unwrap()).unwrap();
    }
    assert!(matches!(table.probe(space, &game), Some(Value::Loss(_))));
    // Without the past the position is no loss: the win depends on the rule of repetition.
    assert_eq!(value("[C02]x[A04]", Player::Second), Value::Draw);
    // These wins depend on the rule, too.
    let (space, table) = cover_4(WITHOUT);
    let plain = |board| {
        let setup = Setup { options: WITHOUT, ..Setup::from_board(4, board).unwrap() };
        table.probe(space, &setup.position().unwrap()).unwrap()
    };
    assert_eq!((plain("[H09]x[I10]"), plain("[H10]x[J10]")), (Value::Draw, Value::Draw));
}

/// The values of the positions of a printed line with a stone each, from the first to the last, and the plies at which
/// a move worsens its side's value.
fn values(space: &Space, table: &Table, line: &Json) -> (Vec<Value>, Vec<usize>) {
    let to_move = if line["to_move"] == "BLUE" { Player::First } else { Player::Second };
    let mut game = position(4, line["position"].as_str().unwrap(), to_move);
    let (mut values, mut worse) = (vec![table.probe(space, &game).unwrap()], Vec::new());
    for (ply, mv) in (1..).zip(line["moves"].as_array().unwrap()) {
        let Ok(mv) = game.parse_move(mv.as_str().unwrap()) else { break };
        let Ok(_) = game.play(mv) else { break };
        let value = table.probe(space, &game).unwrap();
        if value.before(false) != values.last().copied() {
            worse.push(ply);
        }
        values.push(value);
    }
    (values, worse)
}

#[test]
fn printed_lines_are_what_the_table_says() {
    let lines = stonework_reference_data::json("cover/lines.json");
    let (space, table) = cover_4(Options::default());
    let one_stone = |line: &&Json| !line["position"].as_str().unwrap().contains(',');
    let lines: HashMap<&str, _> = (lines.as_array().unwrap().iter().filter(one_stone))
        .map(|line| (line["name"].as_str().unwrap(), values(space, table, line)))
        .collect();
    assert_eq!(lines.len(), 8);
    // The line is won in 38, and every move of either side keeps to 38.
    let (values, worse) = &lines["fig28"];
    assert_eq!(
        (values[0], values.last().copied(), values.len()),
        (Value::Loss(38), Some(Value::Loss(0)), 39)
    );
    assert!(worse.is_empty(), "{worse:?}");
    let (values, worse) = &lines["fig25"];
    // The line is won, but ply 9 is not the shortest way, which takes 11.
    assert_eq!((values[0], values.last().copied(), values.len()), (Value::Win(11), Some(Value::Loss(0)), 14));
    assert_eq!((&worse[..], values[8], values[9]), (&[9][..], Value::Win(3), Value::Loss(4)));
    let (values, worse) = &lines["fig23"];
    // Two plies are printed, and J11 and K11 follow.
    assert_eq!((values[0], values[2], worse.len()), (Value::Loss(6), Value::Loss(4), 0));
    let (values, _) = &lines["fig24"];
    assert!(values.iter().step_by(2).all(|value| matches!(value, Value::Win(_))));
    let (values, worse) = &lines["pos1_sound"];
    assert!(worse.is_empty() && values.iter().all(|&value| value == Value::Draw) && values.len() == 17);
    // The printed line breaks off at an illegal move. The mended line has a blunder that the other side overlooks.
    assert_eq!(lines["pos1"].0, [Value::Draw; 4]);
    let (values, worse) = &lines["pos1_emended"];
    assert_eq!((values[9], values[10], worse[0]), (Value::Draw, Value::Win(1), 10));
    let (values, _) = &lines["pos4"];
    assert!(matches!(values[3], Value::Loss(_)));
}

/// The number of a position; the smaller number of two mirror images on a board that is its own mirror image.
fn number(space: &Space, position: &Position) -> Option<u64> {
    let (lattice, mirror) = (position.lattice(), DiagonalSymmetry::MIRROR);
    let stones = |player| position.stones(player).map(|cell| lattice.map(mirror, cell)).collect::<Vec<_>>();
    let (first, second) = (stones(Player::First), stones(Player::Second));
    let mirrored =
        |mv: Move| Move { from: lattice.map(mirror, mv.from), heading: mirror.heading(mv.heading), ..mv };
    let Recent { mine, theirs, returned } = position.recent();
    let recent = Recent { mine: mine.map(mirrored), theirs: theirs.map(mirrored), returned };
    let image = Position::with_recent(
        position.size(),
        position.options(),
        ByPlayer::new(&first, &second),
        position.to_move(),
        recent,
    );
    let (number, image) = (space.rank(position), space.rank(&image.unwrap()));
    assert_eq!(number.is_some(), image.is_some());
    let board = |cells: &[Cell], player| {
        cells.iter().copied().collect::<BTreeSet<_>>() == position.stones(player).collect()
    };
    let own = board(&first, Player::First) && board(&second, Player::Second);
    assert!(own || number == image, "{position:?}");
    number.min(image)
}

/// The sorted results of a position's moves: the number of the next position, or, if the move ends the game, `true` if
/// the mover wins.
fn successors(space: &Space, position: &Position) -> Vec<(Option<bool>, Option<u64>)> {
    let next = |mv| {
        let mut next = position.clone();
        next.play(mv).unwrap();
        let over = next.outcome().map(|outcome| outcome == Outcome::Win(position.to_move()));
        (over, number(space, &next))
    };
    let mut found: Vec<_> = moves(position).into_iter().map(next).collect();
    found.sort_unstable();
    found
}

/// A random position without a past on which the game goes on.
fn fresh(space: &Space, rng: &mut impl RngCore) -> Position {
    loop {
        let position = space.unrank(rng.next_u64() % space.len());
        if let Some(position) = position.filter(|position| position.recent() == Recent::default()) {
            return position;
        }
    }
}

/// In random games every position has a number, the same for its images, and the state with that number leads to the
/// same numbers: so no two positions that differ in their future share a number.
#[test]
fn what_a_number_stands_for_moves_alike() {
    for (size, stones, voluntary_shots) in
        [(1, (1, 1), false), (2, (2, 1), true), (2, (2, 2), false), (5, (1, 1), false)]
    {
        let options = Options { voluntary_shots, ..Options::default() };
        let space = space(size, stones, options);
        laws(&space, &mut rng(size.into()), 20_000).unwrap();
        let (mut rng, mut seen, mut past) = (rng(9), BTreeSet::new(), 0);
        for _ in 0..150 {
            let mut game = fresh(&space, &mut rng);
            for _ in 0..60 {
                let rank = space.rank(&game);
                if game.outcome().is_some() {
                    assert_eq!(rank, None);
                    break;
                }
                let rank = rank.unwrap();
                let twin = space.unrank(rank).unwrap();
                assert_eq!(successors(&space, &game), successors(&space, &twin), "{game:?} {twin:?}");
                past += usize::from(game.recent().returned && seen.insert(rank));
                // Moves are often there and back, so that the rule of repetition matters.
                let legal = moves(&game);
                let back = game.recent().mine.and_then(|mine| {
                    let from = game.target(mine)?;
                    legal.iter().copied().find(|mv| game.target(*mv) == Some(mine.from) && mv.from == from)
                });
                let any = legal[(rng.next_u64() % legal.len() as u64) as usize];
                let mv = back.filter(|_| rng.next_u64() % 3 > 0).unwrap_or(any);
                game.play(mv).unwrap();
            }
        }
        assert!(past > 50, "{past}");
    }
}

/// The value that the side to move can force within `plies` plies, by a judge that remembers every board.
fn forced(judge: &CoverJudge, plies: u16) -> i32 {
    if let Some(outcome) = judge.outcome() {
        return 1000 * outcome.value_for(judge.to_move());
    }
    let mut legal = Vec::new();
    judge.legal_moves(&mut legal);
    if plies == 0 {
        return 0;
    }
    let score = |mv| {
        let mut next = judge.clone();
        next.play(mv).unwrap();
        let score = -forced(&next, plies - 1);
        score - score.signum()
    };
    legal.into_iter().map(score).max().unwrap()
}

#[test]
fn near_ends_are_the_judges() {
    const PLIES: u16 = 4;
    let (mut rng, mut decided, mut played) = (rng(5), 0, 0);
    for (size, stones) in [(1, (1, 1)), (2, (1, 1)), (3, (1, 1))] {
        let options = Options::default();
        let space = space(size, stones, options);
        let table = table(&space);
        for _ in 0..60 {
            let first = fresh(&space, &mut rng);
            let place = |cell| {
                let (a, b) = first.lattice().coordinates(cell);
                (i32::from(a), i32::from(b))
            };
            let stones = |player| first.stones(player).map(move |cell| (player, place(cell)));
            let board = Player::BOTH.into_iter().flat_map(stones).collect();
            let mut judge = CoverJudge::from_board(size, options, board, first.to_move()).unwrap();
            let mut game = first;
            for _ in 0..6 {
                let scored = forced(&judge, PLIES);
                let expected = match table.probe(&space, &game).unwrap() {
                    Value::Win(plies) if plies <= PLIES => 1000 - i32::from(plies),
                    Value::Loss(plies) if plies <= PLIES => i32::from(plies) - 1000,
                    _ => 0,
                };
                assert_eq!(scored, expected, "{game:?}");
                decided += u32::from(scored != 0);
                played += 1;
                let legal = moves(&game);
                if legal.is_empty() {
                    break;
                }
                let mv = legal[(rng.next_u64() % legal.len() as u64) as usize];
                game.play(mv).unwrap();
                judge.play(mv).unwrap();
            }
        }
    }
    assert!(decided > 50 && played > 300, "{decided} of {played}");
}

#[test]
fn spaces_have_names_and_limits() {
    for text in ["size 4, 1v1, four", "size 2, 2v1, none", "size 2, 2v1, four+voluntary"] {
        assert_eq!(text.parse::<Space>().unwrap().to_string(), text);
    }
    assert_eq!("size 2, 1v2, four".parse::<Space>().unwrap().to_string(), "size 2, 2v1, four");
    let refused = |size, stones, repetition| {
        let options = Options { repetition, ..Options::default() };
        Space::new(size, stones, options).unwrap_err().to_string()
    };
    assert_eq!(refused(11, (1, 1), Repetition::None), "no Cover-11: sizes are 1 to 10");
    assert_eq!(refused(2, (3, 1), Repetition::None), "3 against 1 stones on Cover-2: 1 to 2 of either side");
    assert_eq!(refused(9, (5, 1), Repetition::None), "5 against 1 stones on Cover-9: 1 to 4 of either side");
    assert_eq!(refused(2, (2, 0), Repetition::None), "2 against 0 stones on Cover-2: 1 to 2 of either side");
    let any = refused(2, (1, 1), Repetition::Any);
    assert_eq!(any, "repetition `any`: states are numbered for `four` and `none`");
    let many = refused(10, (4, 4), Repetition::None);
    assert!(many.ends_with("placings of 4 against 4 stones: at most 268435456"), "{many}");
    for text in ["", "size 4", "size 4, 1v1, ever", "size x, 1v1, four", "size 4, 1-1, four"] {
        assert!(matches!(text.parse::<Space>(), Err(SpaceError::Text { .. })), "{text}");
    }
    let space = space(2, (1, 1), Options::default());
    assert_eq!(space.rank(&Position::new(2).unwrap()), None, "two stones each");
    assert_eq!(space.rank(&position(3, "[A02]x[C05]", Player::First)), None, "another size");
}

/// The CPU time of a probe of a stored table.
#[test]
#[ignore = "a timing: cargo test --release -p stonework-cover-players --test tables -- --ignored probes --nocapture (docs/lab/tables.md)"]
fn probes_of_a_stored_table_are_timed() {
    let (space, table) = cover_4(Options::default());
    let path = std::env::temp_dir().join(format!("stonework-probes-{}", std::process::id()));
    let mut file = std::fs::File::create(&path).unwrap();
    table.write("cover", &space.to_string(), &mut file).unwrap();
    let mut rng = rng(3);
    let positions: Vec<Position> =
        (0..20_000).filter_map(|_| space.unrank(rng.next_u64() % space.len())).collect();
    for (name, cache, rounds) in [("kept", usize::MAX, 20), ("not kept", 0, 1)] {
        let stored = Stored::with_cache(std::fs::File::open(&path).unwrap(), cache).unwrap();
        let probe = || {
            for position in &positions {
                assert!(stored.probe(space, position).unwrap().is_some());
            }
        };
        // The first probe loads the blocks that stay in memory.
        probe();
        let clock = ProcessTime::now();
        (0..rounds).for_each(|_| probe());
        let each = clock.elapsed().as_nanos() / (rounds * positions.len()) as u128;
        println!("block {name}: {each} ns a probe");
        assert!(each < if cache == 0 { 50_000 } else { 1_000 }, "{each}");
    }
    std::fs::remove_file(&path).unwrap();
}
