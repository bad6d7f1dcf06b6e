//! Cover: the fast rules compared with the slow judge, and both with the printed lines and diagrams of the thesis.

use std::collections::BTreeSet;

use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{RngCore, SeedableRng},
};
use serde_json::Value;
use stonework_board::{Diagonal, Heading};
use stonework_cover::{Move, Options, Position, Repetition, Setup};
use stonework_game::{Game, Keyed, Outcome, Player, Textual, below};
use stonework_oracle::{CoverBoard, CoverJudge};
use stonework_reference_data as reference_data;

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn moves(game: &impl Game<Move = Move>) -> Vec<Move> {
    game.moves()
}

fn board(position: &Position) -> CoverBoard {
    let place = |cell| {
        let (a, b) = position.lattice().coordinates(cell);
        (i32::from(a), i32::from(b))
    };
    let stones = |player| position.stones(player).map(move |cell| (player, place(cell)));
    let mut board: CoverBoard = Player::BOTH.into_iter().flat_map(stones).collect();
    board.sort_unstable();
    board
}

/// The judge at a position without history.
fn judge(position: &Position) -> CoverJudge {
    CoverJudge::from_board(position.size(), position.options(), board(position), position.to_move()).unwrap()
}

/// Panics if the two differ; returns the legal moves.
fn same(fast: &Position, slow: &CoverJudge) -> Vec<Move> {
    let (ours, theirs) = (moves(fast), moves(slow));
    let sets = [&ours, &theirs].map(|moves| moves.iter().copied().collect::<BTreeSet<_>>());
    assert_eq!(sets[0], sets[1], "{fast:?}");
    assert_eq!(sets[0].len(), ours.len());
    assert_eq!((fast.to_move(), fast.outcome()), (slow.to_move(), slow.outcome()), "{fast:?}");
    assert_eq!(&board(fast), slow.board());
    ours
}

/// Plays a random game of at most `most` plies on both rules. Returns the number of plies and of hits.
fn random_game(start: &Position, rng: &mut impl RngCore, most: usize) -> (usize, usize) {
    let (mut fast, mut slow, mut undos) = (start.clone(), judge(start), Vec::new());
    let mut hits = 0;
    loop {
        let legal = same(&fast, &slow);
        if legal.is_empty() || undos.len() == most {
            break;
        }
        // Both rules refuse a random step, or neither does.
        let from = fast.lattice().cells().nth(below(rng, fast.lattice().len())).unwrap();
        let any = Move { from, heading: Heading::ALL[below(rng, 8)], holds_fire: below(rng, 8) == 0 };
        assert_eq!(fast.check(any).is_ok(), legal.contains(&any), "{any:?}");
        let mv = legal[below(rng, legal.len())];
        let undo = fast.play(mv).unwrap();
        slow.play_unchecked(mv);
        hits += usize::from(undo.hit().is_some());
        undos.push(undo);
    }
    let plies = undos.len();
    while let Some(undo) = undos.pop() {
        fast.undo(undo);
    }
    assert_eq!(&fast, start);
    (plies, hits)
}

fn random_games(size: u8, options: Options, games: u32, most: usize) {
    let (mut rng, start) = (rng(size.into()), Position::with_options(size, options).unwrap());
    let (mut plies, mut hits) = (0, 0);
    for _ in 0..games {
        let (more_plies, more_hits) = random_game(&start, &mut rng, most);
        plies += more_plies;
        hits += more_hits;
    }
    println!("Cover-{size} {options:?}: {games} games, {plies} plies, {hits} hits");
    assert!(hits > 0);
}

#[test]
fn random_games_are_the_judges() {
    for (size, games) in [(1, 300), (2, 200), (3, 80), (4, 40), (5, 20), (6, 10), (10, 2)] {
        random_games(size, Options::default(), games, 2000);
    }
}

#[test]
fn random_games_are_the_judges_under_every_rule() {
    for repetition in Repetition::ALL {
        for voluntary_shots in [false, true] {
            for (size, games) in [(1, 60), (2, 30), (3, 8), (4, 4)] {
                random_games(size, Options { repetition, voluntary_shots }, games, 300);
            }
        }
    }
}

/// 100 000 games of each of Cover-2 to Cover-6.
#[test]
#[ignore = "an hour: cargo test --release -p stonework-oracle --test cover -- --ignored --nocapture (docs/lab/rules.md)"]
fn a_hundred_thousand_random_games_of_each_size_are_the_judges() {
    for size in 2..=6 {
        random_games(size, Options::default(), 100_000, 10_000);
    }
}

/// Stones on random locations, few enough to have few refusals.
fn random_setup(size: u8, rng: &mut impl RngCore) -> Setup {
    let lattice = Diagonal::of(size).unwrap();
    let mut setup = Setup::new(size);
    for player in Player::BOTH {
        for _ in 0..=below(rng, size.into()) {
            setup.stones[player].extend(lattice.cells().nth(below(rng, lattice.len())));
        }
        if below(rng, 2) == 0 {
            setup.to_move = player;
        }
    }
    setup
}

#[test]
fn positions_that_are_set_up_are_the_judges() {
    let mut rng = rng(7);
    let (mut taken, mut over) = (0, 0);
    for size in [1, 2, 3, 4, 6, 10] {
        for _ in 0..600 {
            let Ok(position) = random_setup(size, &mut rng).position() else { continue };
            taken += 1;
            let (plies, _) = random_game(&position, &mut rng, 12);
            over += usize::from(plies == 0);
        }
    }
    assert!(taken > 500 && over > 0, "{taken} {over}");
}

/// The position of a printed line.
fn position(line: &Value) -> Position {
    let size = text(&line["size"]).strip_prefix("Cover-").unwrap().parse().unwrap();
    let mut setup = Setup::from_board(size, text(&line["position"])).unwrap();
    setup.to_move = if text(&line["to_move"]) == "BLUE" { Player::First } else { Player::Second };
    setup.position().unwrap()
}

/// The board of a text, in one order of its stones.
fn sorted(text: &str) -> CoverBoard {
    board(&Setup::from_board(4, text).unwrap().position().unwrap())
}

#[test]
fn printed_lines_behave_as_stated() {
    let lines = reference_data::json("cover/lines.json");
    let (mut plies, mut illegal, mut won) = (0, 0, 0);
    for line in list(&lines) {
        let mut fast = position(line);
        let mut slow = judge(&fast);
        let first_illegal = line["first_illegal"]["ply"].as_u64();
        for (i, mv) in list(&line["moves"]).iter().map(text).enumerate() {
            same(&fast, &slow);
            let mv = fast.parse_move(mv).unwrap();
            if first_illegal == Some(i as u64 + 1) {
                assert!(fast.check(mv).is_err() && slow.check(mv).is_err(), "{} ply {}", line["name"], i + 1);
                illegal += 1;
                break;
            }
            // The printed text has the hit exactly where there is one.
            assert_eq!(fast.move_text(mv), text(&line["moves"][i]));
            fast.play(mv).unwrap_or_else(|e| panic!("{} ply {}: {e}", line["name"], i + 1));
            slow.play(mv).unwrap();
            plies += 1;
        }
        assert_eq!(board(&fast), sorted(text(&line["final"])), "{}", line["name"]);
        same(&fast, &slow);
        won += usize::from(fast.outcome() == Some(Outcome::Win(Player::First)));
    }
    let expected = if lines.is_null() { (0, 0, 0, 0) } else { (14, 138, 2, 2) };
    assert_eq!((list(&lines).len(), plies, illegal, won), expected);
}

#[test]
fn impossible_cells_of_the_printed_diagrams_are_those_of_the_rules() {
    let diagrams = reference_data::json("cover/diagrams.json");
    let lattice = Diagonal::of(4).unwrap();
    let mut compared = 0;
    // Only fragments of the one-vs-one tables are readable, so the test leaves them out.
    let whole = |diagram: &&Value| diagram["kind"] == "breakthrough";
    for diagram in list(&diagrams["thesis_diagrams"]).iter().filter(whole) {
        let rows: Vec<&str> = list(&diagram["rows"]).iter().map(text).collect();
        let blue = lattice.parse(text(&diagram["name"])).unwrap();
        let ours = lattice.table(|red| {
            let mut setup = Setup::new(4);
            setup.stones.first.insert(blue);
            setup.stones.second.insert(red);
            match setup.position() {
                _ if red == blue => 'X',
                Ok(_) => '.',
                Err(_) => '#',
            }
        });
        let shown = |c: char| if matches!(c, 'X' | '#' | '?') { c } else { '.' };
        let printed: String = rows.join("\n").chars().map(|c| if c == '\n' { c } else { shown(c) }).collect();
        for (at, (ours, theirs)) in ours.chars().zip(printed.chars()).enumerate() {
            assert!(theirs == '?' || ours == theirs, "{} at {at}: {ours} and {theirs}", diagram["name"]);
            compared += usize::from(theirs != '?');
        }
    }
    assert!(diagrams.is_null() || compared == 2461, "{compared}");
}

#[test]
fn positions_of_one_against_one_are_27294_in_6860_orbits() {
    let lattice = Diagonal::of(4).unwrap();
    let (mut legal, mut orbits, mut keys) = (0, BTreeSet::new(), BTreeSet::new());
    let mut slow_legal = 0;
    for (blue, red, to_move) in lattice.cells().flat_map(|blue| {
        lattice.cells().flat_map(move |red| Player::BOTH.map(|to_move| (blue, red, to_move)))
    }) {
        let mut setup = Setup::new(4);
        setup.stones.first.insert(blue);
        setup.stones.second.insert(red);
        setup.to_move = to_move;
        // L1 and L2 by the neighbours of rule G4.
        let (a, b) = (lattice.coordinates(blue), lattice.coordinates(red));
        let delta = (b.0 as i8 - a.0 as i8, b.1 as i8 - a.1 as i8);
        let slanted = if (a.0 + a.1) % 2 == 0 { delta.0 == -delta.1 } else { delta.0 == delta.1 };
        let near = delta.0.abs() <= 1 && delta.1.abs() <= 1;
        let overlap = near && (delta == (0, 0) || !slanted);
        let possible = !overlap && a != (1, 1) && b != (11, 11);
        slow_legal += usize::from(possible);
        let position = setup.position();
        assert_eq!(position.is_ok(), possible, "{setup:?}");
        let Ok(position) = position else { continue };
        legal += 1;
        orbits.insert(position.canonical().0);
        keys.insert(position.key());
        same(&position, &judge(&position));
    }
    assert_eq!((legal, slow_legal, orbits.len(), keys.len()), (27_294, 27_294, 6_860, 27_294));
}
