//! Cachex's players: whole games by the rules, budgets of time, and moves that a player must find.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_cachex::{Move, Position, Setup};
use stonework_cachex_players::saw_chong::{SawChong, SawChongSum};
use stonework_cachex_players::{Decisive, Expert, Weights, roster};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_roster::{Agent, Clock, Decision};
use stonework_roster::{PlayerConfig, RosterError};
use stonework_search::{Limits, Tactics, Verdict, WIN_BOUND};

fn expert(limits: Limits) -> Expert {
    Expert::new(Weights::default(), limits, 1 << 20).unwrap()
}

/// Plays a game to its end; the moves and the outcome.
fn play(mut game: Position, sides: &mut [&mut dyn Agent<Position>; 2]) -> (Vec<Move>, Option<Outcome>) {
    let mut moves = Vec::new();
    while let Some(decision) = sides[game.to_move().index()].decide(&game, &Clock::NONE) {
        let Decision::Play(mv) = decision else { panic!("nobody gives up") };
        game.play(mv).unwrap();
        moves.push(mv);
    }
    (moves, game.outcome())
}

fn read(rows: &str, turns: u16) -> Position {
    Setup::from_rows(rows, turns).unwrap().position().unwrap()
}

#[test]
fn everybody_of_the_roster_plays_whole_games() {
    for entry in roster().entries() {
        let limits = match entry.name() {
            "minimax" => Limits::none().depth(2),
            "mcts" | "uct" => Limits::none().simulations(60),
            _ => Limits::none().nodes(150),
        };
        let config = PlayerConfig { limits: limits.bytes(1 << 20), ..PlayerConfig::default() };
        for size in [3, 6] {
            let mut one = roster().agent(entry.name(), &config).unwrap();
            let mut two = roster().agent("seed", &PlayerConfig::default()).unwrap();
            let (_, outcome) = play(Position::new(size).unwrap(), &mut [&mut one, &mut two]);
            assert!(outcome.is_some(), "{}", entry.name());
            let (_, outcome) = play(Position::new(size).unwrap(), &mut [&mut two, &mut one]);
            assert!(outcome.is_some(), "{}", entry.name());
        }
        assert_eq!(roster().engine(entry.name(), &config).is_ok(), entry.is_engine(), "{}", entry.name());
    }
    let unknown = roster().agent("nobody", &PlayerConfig::default()).map(|_| ()).unwrap_err();
    assert!(
        matches!(unknown, RosterError::Unknown { .. }) && unknown.to_string().contains("cachex, distance")
    );
    let config = PlayerConfig { threads: 2.try_into().unwrap(), ..PlayerConfig::default() };
    assert!(matches!(roster().engine("cachex", &config).map(|_| ()), Err(RosterError::OneThread { .. })));
}

#[test]
fn the_expert_repeats_itself_with_the_same_nodes() {
    let games = [(); 2].map(|()| {
        let limits = Limits::none().nodes(400);
        let (mut red, mut blue) = (expert(limits.clone()), expert(limits));
        play(Position::new(6).unwrap(), &mut [&mut red, &mut blue]).0
    });
    assert_eq!(games[0], games[1]);
}

#[test]
fn the_expert_beats_saw_chong_from_both_sides() {
    for (size, side) in [(5, 0), (5, 1), (7, 0), (7, 1)] {
        let (mut expert, mut opponent) = (expert(Limits::none().nodes(1500)), SawChong::new());
        let mut sides: [&mut dyn Agent<Position>; 2] =
            if side == 0 { [&mut expert, &mut opponent] } else { [&mut opponent, &mut expert] };
        let (_, outcome) = play(Position::new(size).unwrap(), &mut sides);
        assert_eq!(outcome, Some(Outcome::Win(Player::BOTH[side])), "size {size}");
    }
}

#[test]
fn a_games_time_is_kept() {
    let part = 0.02;
    let whole = Duration::from_secs(36).mul_f64(part);
    let (mut red, mut blue) = (expert(Limits::none()).budgeted(part), SawChong::new());
    let mut game = Position::new(6).unwrap();
    let mut spent = Duration::ZERO;
    while game.outcome().is_none() {
        let decision = if game.to_move() == Player::First {
            let start = ThreadTime::now();
            let decision = red.decide(&game, &Clock::NONE);
            spent += start.elapsed();
            decision
        } else {
            blue.decide(&game, &Clock::NONE)
        };
        let Some(Decision::Play(mv)) = decision else { panic!("a game that is not over") };
        game.play(mv).unwrap();
    }
    assert!(spent < whole, "{spent:?} of {whole:?}");
    // The player takes time, too, and has the rest of its budget.
    assert!(spent > whole / 10 && red.time_left().is_some_and(|left| left < whole), "{spent:?}");
}

/// The budget of a game has its own way to end a search; the caller's flag ends the same search.
#[test]
fn a_set_cancel_flag_ends_a_search_within_the_budget() {
    let flag = Arc::new(AtomicBool::new(true));
    let mut expert = expert(Limits::none().cancel(Arc::clone(&flag))).budgeted(0.02);
    let game = read("rb.../r..b./...../.b.r./..r.b", 9);
    let nodes = |expert: &mut Expert| {
        let Some(Decision::Play(mv)) = expert.decide(&game, &Clock::NONE) else { panic!("it is not over") };
        assert!(game.check(mv).is_ok());
        expert.report().unwrap().nodes
    };
    let cancelled = nodes(&mut expert);
    flag.store(false, Ordering::Relaxed);
    assert!(cancelled < 200 && nodes(&mut expert) > 2 * cancelled, "{cancelled}");
}

#[test]
fn nearly_nothing_left_of_the_time_still_gives_a_legal_move() {
    let mut expert = expert(Limits::none()).budgeted(0.0);
    let game = read("rb.../r..b./...../.b.r./..r.b", 9);
    let Some(Decision::Play(mv)) = expert.decide(&game, &Clock::NONE) else { panic!("it is not over") };
    assert!(game.check(mv).is_ok());
    assert_eq!(expert.decide(&read("rb./rb./r..", 5), &Clock::NONE), None);
}

#[test]
fn the_expert_wins_and_blocks() {
    let answer = |game: &Position| {
        let mut expert = expert(Limits::none().nodes(3000));
        match expert.decide(game, &Clock::NONE) {
            Some(Decision::Play(mv)) => game.move_text(mv),
            other => panic!("{other:?}"),
        }
    };
    // Red has one cell to fill.
    assert_eq!(answer(&read("r..b./r..b./..b../rb.../r....", 8)), "2,0");
    // Blue has to fill the same cell.
    assert_eq!(answer(&read("r..b./r..b./....b/rb.../r....", 9)), "2,0");
}

#[test]
fn the_narrowest_beam_drops_no_win_block_or_capture() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut expert = expert(Limits::none().depth(2));
    expert.set_parameter("beam", 1.0).unwrap();
    let (mut wins, mut forced) = (0, 0);
    for round in 0..300_u32 {
        let mut game = Position::new(4 + (round % 3) as u8).unwrap();
        while game.outcome().is_none() && game.stone_count() < 4 * usize::from(game.size()) - 6 {
            let moves = game.moves();
            game.play(moves[rng.next_u32() as usize % moves.len()]).unwrap();
        }
        if game.outcome().is_some() {
            continue;
        }
        let mut only = Vec::new();
        let verdict = Decisive.probe(&mut game, &mut only);
        let Some(Decision::Play(mv)) = expert.decide(&game, &Clock::NONE) else { panic!("it is not over") };
        match verdict {
            Verdict::Win(_) => {
                wins += 1;
                game.play(mv).unwrap();
                assert!(game.outcome().is_some(), "{}", game.position_text());
            }
            Verdict::Only => {
                forced += 1;
                // If all moves lose, the expert may choose any move.
                let lost = expert.report().is_some_and(|report| report.value.score() <= -WIN_BOUND);
                assert!(lost || only.contains(&mv), "{}", game.position_text());
            }
            _ => {}
        }
    }
    assert!(wins > 20 && forced > 20, "{wins} {forced}");
}

#[test]
fn dials_turn_weights_and_engine() {
    let mut expert = expert(Limits::none().nodes(100));
    expert.set_parameter("beam", 9.0).unwrap();
    expert.set_parameter("resistance", 123.0).unwrap();
    let value = |name: &str| {
        expert.parameters().iter().find(|parameter| parameter.name == name).map(|parameter| parameter.value)
    };
    assert_eq!((value("beam"), value("resistance")), (Some(9.0), Some(123.0)));
    assert!(expert.set_parameter("nothing", 1.0).is_err() && expert.set_parameter("tempo", 1e9).is_err());
}

/// Each setting of a parameter of the engine was kept, for an engine that a new weight would need.
#[test]
fn a_stream_of_settings_takes_no_memory() {
    let mut expert = expert(Limits::none().nodes(100));
    let mut size_after = |settings: u32| {
        for beam in 0..settings {
            expert.set_parameter("beam", f64::from(10 + beam % 90)).unwrap();
        }
        expert.set_parameter("beam", 10.0).unwrap();
        expert.set_parameter("tempo", 1.0).unwrap();
        format!("{expert:?}").len()
    };
    assert_eq!(size_after(1), size_after(1000));
}

#[test]
fn saw_chongs_sum_follows_its_table() {
    // Red has a chain over three rows that touches the low side, two rows from the other side. Blue has one of two
    // columns in the middle. With few stones captures do not count.
    let game = read("r..../r..../r.bb./...../.....", 5);
    assert_eq!(SawChongSum::of(&game, Player::First), 3 + (5 - 2));
    assert_eq!(SawChongSum::of(&game, Player::Second), 2 + (5 - 1));
    // With stones on more than half of the board, captures count 2ᶜ − 1.
    let game = read("r.r/bb./rrb", 7);
    let cells = game.capturing(Player::Second).count() as u32;
    assert!(cells > 0, "the example has to have one");
    let without = read("r.r/.../..b", 7);
    assert!(SawChongSum::of(&without, Player::Second) < SawChongSum::of(&game, Player::Second));
}

#[test]
fn saw_chong_steals_off_the_rim_and_begins_in_a_corner() {
    let decide = |game: &Position| SawChong::new().decide(game, &Clock::NONE);
    for size in [5, 6] {
        let start = Position::new(size).unwrap();
        assert_eq!(decide(&start), Some(Decision::Play(Move::Place(start.cell(0, 0).unwrap()))));
        let after = |text: &str| {
            let mut game = start.clone();
            game.play(game.parse_move(text).unwrap()).unwrap();
            game
        };
        assert_eq!(decide(&after("1,2")), Some(Decision::Play(Move::Steal)));
        assert_ne!(decide(&after("0,2")), Some(Decision::Play(Move::Steal)));
    }
}

/// Captures can leave a side without stones, and its opponent can have both corners.
#[test]
fn saw_chong_without_stones_and_corners_plays_beside_the_opponent() {
    let blue = read("r.../..../..../...r", 5);
    let Some(Decision::Play(Move::Place(cell))) = SawChong::new().decide(&blue, &Clock::NONE) else {
        panic!("blue has no move")
    };
    assert!(blue.board().neighbours(cell).any(|near| blue.stone(near).is_some()));
}

/// On n = 3 and 4 the tables know which openings blue must steal; no other opening is stolen, however short the search.
#[test]
fn the_steal_on_small_boards_is_that_of_the_tables() {
    for (size, stolen) in [(3, 4), (4, 6)] {
        let start = Position::new(size).unwrap();
        let mut steals = 0;
        for opening in start.moves() {
            let mut game = start.clone();
            game.play(opening).unwrap();
            let config = PlayerConfig { limits: Limits::none().nodes(300), ..PlayerConfig::default() };
            let mut player = roster().agent("cachex", &config).unwrap();
            let decision = player.decide(&game, &Clock::NONE).unwrap();
            steals += u32::from(decision == Decision::Play(Move::Steal));
        }
        assert_eq!(steals, stolen, "size {size}");
    }
}
