//! The evaluation by needs: its laws, and its worth for alpha-beta.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_board::Symmetry;
use stonework_game::{ByPlayer, Game, Player, Textual};
use stonework_havannah::{Move, Position};
use stonework_havannah_players::{Links, Near};
use stonework_search::{AlphaBeta, AlphaBetaOptions, Engine, Evaluator, Limits, SearchContext, WIN};

/// A random position that is not over.
fn random(size: u8, plies: u32, rng: &mut impl RngCore) -> Position {
    let mut game = Position::new(size).unwrap();
    for _ in 0..plies {
        let moves = game.moves();
        let undo = game.play(moves[rng.next_u32() as usize % moves.len()]).unwrap();
        if game.outcome().is_some() {
            game.undo(undo);
            break;
        }
    }
    game
}

#[test]
fn the_value_is_the_movers_whatever_its_colour_and_wherever_the_board_lies() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut links = Links::new();
    for round in 0..600_u32 {
        let size = 2 + (round % 9) as u8;
        let game = random(size, rng.next_u32() % (3 * u32::from(size) * u32::from(size - 1)), &mut rng);
        let value = links.evaluate(&game);
        assert!(value.abs() <= WIN / 2);
        let mut setup = game.setup();
        setup.stones = ByPlayer::new(setup.stones.second, setup.stones.first);
        setup.to_move = setup.to_move.other();
        assert_eq!(links.evaluate(&setup.position().unwrap()), value, "{}", game.position_text());
        for &symmetry in Symmetry::of(game.board().shape()) {
            let mut setup = game.setup();
            setup.stones.first = game.board().map_set(symmetry, &setup.stones.first);
            setup.stones.second = game.board().map_set(symmetry, &setup.stones.second);
            assert_eq!(links.evaluate(&setup.position().unwrap()), value, "{}", game.position_text());
        }
    }
}

fn play(mut game: Position, moves: &str) -> Position {
    for name in moves.split_whitespace() {
        game.play(game.parse_move(name).unwrap()).unwrap();
    }
    game
}

#[test]
fn needs_are_counted_in_stones_with_two_bridges_for_nothing() {
    let value = |moves| Links::new().evaluate(&play(Position::new(5).unwrap(), moves));
    // Black's stones are the same in all three positions. White's third stone brings the bridge nearer by a
    // two-bridge, by a neighbour, or not at all.
    let [bridged, beside, away] = ["a1 f4 b3 g9", "a1 f4 a2 g9", "a1 f4 i7 g9"].map(value);
    assert!(bridged > beside && beside > away, "{bridged} {beside} {away}");
    // The value falls when a black stone blocks White, and the turn has a value.
    assert!(value("a1 f4 b3 a2 i7 b4") < value("a1 f4 b3 g9 i7 h5"));
}

#[test]
fn wins_in_one_decide() {
    let value = |moves| Links::new().evaluate(&play(Position::new(5).unwrap(), moves));
    // White lacks a5 for a bridge, and White is to move; then Black is to move against two such cells.
    assert_eq!(value("a1 f4 a2 g9 a3 g7 a4 h5"), WIN / 4);
    assert_eq!(value("a1 f4 a2 g9 a3 g7 b1 h5 c1 i6 d1 i8 a4"), -WIN / 4);
    // With one such cell nothing is decided yet.
    assert!(value("a1 f4 a2 g9 a3 g7 b1 h5 c1 i6 d1").abs() < WIN / 4);
}

#[test]
fn the_right_to_swap_is_worth_the_better_side() {
    for name in ["a1", "e5", "b3", "a2"] {
        let kept = Links::new().evaluate(&play(Position::new(5).unwrap(), name));
        let swap = Links::new().evaluate(&play(Position::with_swap(5).unwrap(), name));
        assert_eq!(swap, kept.abs());
    }
}

/// The games of `games` that the evaluation wins and draws, from paired random openings of two plies.
fn matched(size: u8, games: u32, nodes: u64) -> (u32, u32) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(size.into());
    let mut links: Box<dyn Engine<Position>> =
        Box::new(AlphaBeta::new(Links::new(), AlphaBetaOptions::new()).unwrap().order(Near));
    let mut flat: Box<dyn Engine<Position>> = Box::new(AlphaBeta::default().order(Near));
    let (mut won, mut drawn) = (0, 0);
    for pair in 0..games / 2 {
        let opening = random(size, 2, &mut rng);
        for side in Player::BOTH {
            let mut game = opening.clone();
            while game.outcome().is_none() {
                let engine = if game.to_move() == side { &mut links } else { &mut flat };
                let report =
                    engine.search(&game, &Limits::none().nodes(nodes), SearchContext::seed(pair.into()));
                let mut moves: Vec<Move> = Vec::new();
                game.legal_moves(&mut moves);
                game.play(report.best.unwrap_or(moves[0])).unwrap();
            }
            match game.outcome().unwrap().value_for(side) {
                1 => won += 1,
                0 => drawn += 1,
                _ => {}
            }
        }
    }
    (won, drawn)
}

#[test]
fn alpha_beta_plays_better_with_it() {
    let (won, drawn) = matched(4, 10, 300);
    assert!(won >= 8, "{won} won and {drawn} drawn of 10");
}

#[test]
#[ignore = "minutes: cargo test --release -p stonework-havannah-players --test links -- --ignored --nocapture (docs/lab/rogers.md)"]
fn a_hundred_games_against_no_evaluation() {
    for (size, nodes) in [(4, 1000), (5, 1000), (6, 1000)] {
        let begin = std::time::Instant::now();
        let (won, drawn) = matched(size, 100, nodes);
        println!(
            "size {size}, {nodes} nodes: {won} won, {drawn} drawn of 100 ({:.0} s)",
            begin.elapsed().as_secs_f64()
        );
    }
}
