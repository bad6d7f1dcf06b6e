//! `perfect` never loses a game that is won or drawn for it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::{Move, Position};
use stonework_havannah_players::roster;
use stonework_havannah_solver::{HavannahBook, HavannahRules, Solver, read_book};
use stonework_proof::{Claim, ProofBook, ProofReader, VerifyLimits, join, value_of};
use stonework_roster::PlayerConfig;
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{Engine, Limits, Minimax, Stop};

fn perfect(config: &PlayerConfig, proof: Option<Arc<HavannahBook>>) -> Box<dyn Agent<Position>> {
    roster(proof).agent("perfect", config).unwrap()
}

/// The move of a player; asserts that it is legal.
fn move_of(player: &mut dyn Agent<Position>, game: &Position) -> Move {
    match player.decide(game, &Clock::NONE) {
        Some(Decision::Play(mv)) => {
            game.check(mv).unwrap();
            mv
        }
        other => panic!("{other:?} in {}", game.position_text()),
    }
}

/// The value of a position for a side, from −1 for a loss to 1 for a win.
fn value(game: &Position, side: Player, judge: &mut dyn Engine<Position>) -> i32 {
    let outcome = game.outcome().or_else(|| judge.think(game, &Limits::none()).proven);
    outcome.unwrap().value_for(side)
}

fn random_move(game: &Position, rng: &mut Xoshiro256PlusPlus) -> Move {
    let moves = game.moves();
    moves[rng.next_u64() as usize % moves.len()]
}

#[test]
fn on_size_2_no_line_lets_a_value_go() {
    let mut judge = Minimax::new(());
    let mut ends = 0;
    for swap in [false, true] {
        for side in Player::BOTH {
            let mut player = perfect(&PlayerConfig::default(), None);
            let start = if swap { Position::with_swap(2).unwrap() } else { Position::new(2).unwrap() };
            let mut open = vec![start];
            while let Some(mut game) = open.pop() {
                if game.outcome().is_some() {
                    ends += 1;
                } else if game.to_move() == side {
                    let before = value(&game, side, &mut judge);
                    game.play_unchecked(move_of(&mut *player, &game));
                    assert_eq!(value(&game, side, &mut judge), before, "{}", game.position_text());
                    open.push(game);
                } else {
                    let moves = game.moves();
                    for mv in moves {
                        let mut next = game.clone();
                        next.play_unchecked(mv);
                        open.push(next);
                    }
                }
            }
        }
    }
    assert!(ends > 100, "{ends}");
}

/// A game against random moves, in which the player must never worsen its value. The result is the number of its moves
/// that were compared.
fn game(
    player: &mut dyn Agent<Position>,
    mut game: Position,
    side: Player,
    rng: &mut Xoshiro256PlusPlus,
    judge: &mut Solver,
) -> u32 {
    player.new_game();
    let mut looked_up = 0;
    while game.outcome().is_none() {
        if game.to_move() == side {
            let before = if game.swap_enabled() { -1 } else { value(&game, side, judge) };
            let mv = move_of(player, &game);
            looked_up +=
                u32::from(player.report().unwrap().nodes == 0 && player.report().unwrap().proven.is_some());
            game.play_unchecked(mv);
            if !game.swap_enabled() {
                assert!(value(&game, side, judge) >= before, "{mv:?} to {}", game.position_text());
            }
        } else {
            game.play_unchecked(random_move(&game, rng));
        }
    }
    looked_up
}

/// With the right to swap, an opening does not win by itself, and a report about a swap says that the swap wins.
#[test]
fn the_opening_and_the_swap_are_those_of_the_swap() {
    let mut game = Position::with_swap(2).unwrap();
    let opening = move_of(&mut *perfect(&PlayerConfig::default(), None), &game);
    assert_eq!(game.move_text(opening), "b2");
    game.play(game.parse_move("a1").unwrap()).unwrap();
    let mut player = perfect(&PlayerConfig::default(), None);
    assert_eq!(move_of(&mut *player, &game), Move::Swap);
    let report = player.report().unwrap();
    assert_eq!(report.proven, Some(Outcome::Win(Player::Second)));
    assert_eq!(report.bounds.outcome(Player::Second), report.proven);
    assert!(report.value.score() > 0 && report.lines[0].value == report.value, "{report:?}");
}

/// All openings of size 3, proved and read back.
fn size_3() -> HavannahBook {
    let mut files: Vec<Vec<u8>> = Vec::new();
    for opening in ["a1", "a2", "b2", "c3"] {
        let mut root = Position::new(3).unwrap();
        root.play(root.parse_move(opening).unwrap()).unwrap();
        let (mut solver, limits, mut file) = (Solver::default(), Limits::none(), Vec::new());
        let outcome = solver.think(&root, &limits).proven.unwrap();
        solver.prove(&root, Claim::of(outcome), &limits, &mut file).unwrap();
        files.push(file);
    }
    let mut file = Vec::new();
    join(files.iter().map(|file| ProofReader::new(&file[..]).unwrap()).collect(), &mut file).unwrap();
    read_book(&file[..], 1 << 20).unwrap()
}

#[test]
fn on_size_3_random_games_are_kept() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut judge = Solver::default();
    let book = Arc::new(size_3());
    let mut looked_up = 0;
    for round in 0..40 {
        let side = Player::BOTH[round % 2];
        let proof = (round % 4 < 2).then(|| Arc::clone(&book));
        let mut player = perfect(&PlayerConfig::default(), proof);
        let start = if round % 8 < 6 { Position::new(3) } else { Position::with_swap(3) };
        looked_up += game(&mut *player, start.unwrap(), side, &mut rng, &mut judge);
    }
    assert!(looked_up > 10, "{looked_up}");
}

/// The first line begins with the move that is played, a proven outcome has its value, and without an outcome nothing is solved.
#[test]
fn a_report_is_about_the_move_that_is_played() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let book = Arc::new(size_3());
    let (mut lost, mut looked_up) = (0, 0);
    for round in 0..60 {
        let proof = (round % 2 == 0).then(|| Arc::clone(&book));
        let mut player = perfect(&PlayerConfig::default(), proof);
        let start = if round % 3 == 0 { Position::with_swap(3) } else { Position::new(3) };
        let mut game = start.unwrap();
        for _ in 0..rng.next_u64() % 6 {
            if game.outcome().is_none() {
                game.play_unchecked(random_move(&game, &mut rng));
            }
        }
        if game.outcome().is_some() {
            continue;
        }
        let mv = move_of(&mut *player, &game);
        let report = player.report().unwrap();
        assert_eq!((report.best, report.line().first()), (Some(mv), Some(&mv)), "{report:?}");
        assert_eq!(report.value.is_proven(), report.proven.is_some(), "{report:?}");
        assert_eq!(report.stopped == Some(Stop::Solved), report.proven.is_some(), "{report:?}");
        if let Some(outcome) = report.proven {
            assert_eq!(report.value.score().signum(), outcome.value_for(game.to_move()), "{report:?}");
            assert_eq!(report.lines[0].value, report.value);
            lost += u32::from(report.value.is_loss());
            looked_up += u32::from(report.nodes == 0);
        }
    }
    assert!(lost > 5 && looked_up > 5, "{lost} lost, {looked_up} looked up");
}

#[test]
fn a_book_of_size_3_knows_the_board_and_its_images() {
    let book = size_3();
    let mut walk = book.walk(&Position::new(3).unwrap()).unwrap();
    assert_eq!(value_of(&walk.entries()), Some(Outcome::Win(Player::First)));
    for (cell, said) in walk.replies() {
        let corner = walk.board().corner_mask(cell) != 0;
        let winner = if corner { Player::First } else { Player::Second };
        assert_eq!(value_of(&said), Some(Outcome::Win(winner)), "{cell:?}");
    }
    // After a corner and any move of Black, the book has at least the next move, in every image.
    for corner in ["a1", "a3", "c1", "c5", "e3", "e5"] {
        let cell = walk.board().parse(corner).unwrap();
        walk.play(cell).unwrap();
        for (reply, said) in walk.replies() {
            assert_eq!(value_of(&said), Some(Outcome::Win(Player::First)), "{corner} {reply:?}");
            walk.play(reply).unwrap();
            let best = walk.choice().unwrap();
            walk.play(best).unwrap();
            assert_eq!(
                value_of(&walk.entries()),
                Some(Outcome::Win(Player::First)),
                "{corner} {reply:?} {best:?}"
            );
            walk.back();
            walk.back();
        }
        walk.back();
    }
    let longest = book.verified().by_claim[0].longest as usize;
    walk.play(walk.board().parse("a1").unwrap()).unwrap();
    assert!(walk.longest().len() <= longest && longest < 19, "{longest}");
}

#[test]
fn what_it_cannot_solve_it_plays_all_the_same() {
    let limits = Limits::none().nodes(50).simulations(50).bytes(1 << 22);
    let config = PlayerConfig { limits, ..PlayerConfig::default() };
    for start in [Position::new(4), Position::with_swap(4), Position::new(7)] {
        let mut player = perfect(&config, None);
        let mut game = start.unwrap();
        for _ in 0..4 {
            let mv = move_of(&mut *player, &game);
            assert_eq!(player.report().unwrap().proven, None);
            game.play_unchecked(mv);
        }
    }
    let full = PlayerConfig { limits: Limits::none().nodes(10), ..PlayerConfig::default() };
    assert!(roster(None).engine("perfect", &full).is_err(), "it plays and is no engine");
}

fn size_4() -> HavannahBook {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/havannah-size4.proof");
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    read_book(file, 256 << 20).unwrap()
}

/// With the committed book, as White from the empty board: no search takes long, and no game is lost.
#[test]
#[ignore = "minutes: cargo test --release -p stonework-havannah-players --test perfect -- --ignored size_4 --nocapture (docs/lab/solving.md)"]
fn on_size_4_white_wins_every_game() {
    let cpu = Instant::now();
    let book = Arc::new(size_4());
    println!("{:?} to read, {} positions, {} bytes", cpu.elapsed(), book.positions(), book.bytes());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut player = perfect(&PlayerConfig::default(), Some(Arc::clone(&book)));
    let (mut moves, mut looked_up, mut longest) = (0, 0, Duration::ZERO);
    for round in 0..600 {
        let mut game = Position::new(4).unwrap();
        player.new_game();
        // Every opening has its share of the games.
        if round % 2 == 1 {
            game.play_unchecked(random_move(&game, &mut rng));
        }
        // Black plays at random, or the book's longest defence.
        let mut walk = book.walk(&game).unwrap();
        while game.outcome().is_none() {
            let mv = if game.to_move() == Player::First {
                let since = Instant::now();
                let mv = move_of(&mut *player, &game);
                longest = longest.max(since.elapsed());
                moves += 1;
                let report = player.report().unwrap();
                assert_eq!(report.proven, Some(Outcome::Win(Player::First)), "{}", game.position_text());
                looked_up += u32::from(report.nodes == 0);
                mv
            } else if round % 4 < 2 {
                random_move(&game, &mut rng)
            } else if let Some(cell) = walk.choice().filter(|_| rng.next_u64() % 4 > 0) {
                Move::Place(cell)
            } else {
                random_move(&game, &mut rng)
            };
            game.play_unchecked(mv);
            if let Move::Place(cell) = mv {
                walk.play(cell).unwrap();
            }
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)), "round {round}");
    }
    println!("{moves} moves, {looked_up} of them looked up, the longest took {longest:?}");
}

/// As Black the player has lost after every opening, and wins any position that White gives away once it can be solved.
#[test]
#[ignore = "minutes: cargo test --release -p stonework-havannah-players --test perfect -- --ignored size_4 --nocapture (docs/lab/solving.md)"]
fn on_size_4_black_takes_what_is_given() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let book = Some(Arc::new(size_4()));
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for _ in 0..60 {
        let mut player = perfect(&PlayerConfig::default(), book.clone());
        let mut game = Position::new(4).unwrap();
        let mut known: Option<Outcome> = None;
        while game.outcome().is_none() {
            let mv = if game.to_move() == Player::Second {
                let mv = move_of(&mut *player, &game);
                let proof = player.report().unwrap().proven;
                if known == Some(Outcome::Win(Player::Second)) {
                    assert_eq!(proof, known, "let go in {}", game.position_text());
                }
                known = proof.or(known);
                mv
            } else {
                random_move(&game, &mut rng)
            };
            game.play_unchecked(mv);
        }
        match game.outcome() {
            Some(Outcome::Win(Player::Second)) => won += 1,
            Some(Outcome::Draw) => drawn += 1,
            _ => lost += 1,
        }
    }
    println!("Black against random White: {won} won, {drawn} drawn, {lost} lost");
    assert!(won > 50);
}

#[test]
fn books_of_other_boards_are_refused_with_the_reason() {
    let (mut solver, limits, mut file) = (Solver::default(), Limits::none(), Vec::new());
    // A bridge that lacks one cell.
    let mut root = Position::new(11).unwrap();
    let names = (1..=9).flat_map(|at| [format!("a{at}"), format!("u{}", at + 11)]);
    for name in names.chain(["a10", "t11"].map(str::to_owned)) {
        root.play(root.parse_move(&name).unwrap()).unwrap();
    }
    solver.prove(&root, Claim::Wins(Player::First), &limits, &mut file).unwrap();
    let refused = read_book(&file[..], 1 << 20).unwrap_err();
    assert!(refused.to_string().contains("size 11"), "{refused}");
    // Without the compact board the same proof is a valid book.
    let book: ProofBook<Position, HavannahRules> =
        ProofBook::read("havannah", HavannahRules, &file[..], &VerifyLimits::default(), 1 << 20).unwrap();
    assert_eq!(value_of(&book.walk(root).entries()), Some(Outcome::Win(Player::First)));
}
