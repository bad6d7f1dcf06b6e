//! The engines on Havannah: known values, and the laws of playouts.

use std::sync::Arc;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use stonework_board::Cell;
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::{Move, Position};
use stonework_havannah_players::{Near, PatternGames, RandomGames, mcts_patterns, roster};
use stonework_havannah_solver::Threats;
use stonework_pattern::{Code, Patterns, Reach, State};
use stonework_roster::PlayerConfig;
use stonework_search::{
    AlphaBeta, Dfpn, Engine, Hybrid, HybridOptions, Limits, Mcts, MctsOptions, Minimax, PlayoutPolicy, Pn,
    Report, SearchContext, Tactics, Verdict,
};

fn after(size: u8, moves: &str) -> Position {
    let mut position = Position::new(size).unwrap();
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    position
}

fn engines() -> Vec<(&'static str, Box<dyn Engine<Position>>)> {
    let mcts = Mcts::new(RandomGames::new(), MctsOptions::with_rave()).unwrap();
    let patterns = Mcts::new(PatternGames::shipped(), MctsOptions::with_rave()).unwrap();
    vec![
        ("dfpn", Box::new(Dfpn::default().tactics(Threats))),
        ("dfpn without tactics", Box::new(Dfpn::default())),
        ("pns", Box::new(Pn::default().tactics(Threats))),
        ("alphabeta", Box::new(AlphaBeta::default().order(Near))),
        ("hybrid", Box::new(Hybrid::new(mcts.clone().tactics(Threats), HybridOptions::new()).unwrap())),
        ("mcts", Box::new(mcts.tactics(Threats))),
        ("mcts with patterns", Box::new(patterns.tactics(Threats))),
    ]
}

fn solve(engine: &mut dyn Engine<Position>, position: &Position) -> Report<Move> {
    engine.search(position, &Limits::none(), SearchContext::seed(1))
}

#[test]
fn size_2_is_won_from_the_corners_and_lost_from_the_centre() {
    let mut all = engines();
    all.push(("minimax", Box::new(Minimax::new(()))));
    for (name, engine) in &mut all {
        for cell in Position::new(2).unwrap().board().cells() {
            let mut position = Position::new(2).unwrap();
            position.play(Move::Place(cell)).unwrap();
            let winner = if position.board().is_rim(cell) { Player::First } else { Player::Second };
            assert_eq!(solve(&mut **engine, &position).proven, Some(Outcome::Win(winner)), "{name} {cell:?}");
        }
    }
}

#[test]
fn size_3_is_won_by_opening_in_a_corner_and_not_otherwise() {
    let mut solver = Dfpn::default().tactics(Threats);
    assert_eq!(solve(&mut solver, &after(3, "")).proven, Some(Outcome::Win(Player::First)));
    let board = after(3, "").board();
    for cell in board.cells() {
        let corner = board.corner_mask(cell) != 0;
        let winner = if corner { Player::First } else { Player::Second };
        let position = after(3, &board.name(cell));
        assert_eq!(solve(&mut solver, &position).proven, Some(Outcome::Win(winner)), "{}", board.name(cell));
    }
}

/// The 362 positions after at most two plies.
#[test]
fn the_map_of_size_3_agrees() {
    let text = stonework_reference_data::text("havannah/size3-map.jsonl");
    let mut solver = Dfpn::default().tactics(Threats);
    for line in text.lines() {
        let field = |name: &str| line.split(&format!("\"{name}\":")).nth(1).unwrap();
        let moves: String =
            field("moves").trim_start_matches('[').split(']').next().unwrap().replace(['"', ','], " ");
        let white = field("winner").starts_with("\"white\"");
        let winner = if white { Player::First } else { Player::Second };
        assert_eq!(solve(&mut solver, &after(3, &moves)).proven, Some(Outcome::Win(winner)), "{line}");
    }
    assert_eq!(text.lines().count(), 362);
}

/// Positions of size 4 with known values, hgui notation: the lightest of the solver table.
#[test]
fn positions_of_size_4_have_their_known_values() {
    let white = Some(Outcome::Win(Player::First));
    let table = [
        ("a4 g4 a1 b3 g7 d1 d7 f3 e2 d2", white),
        ("g4 a4 g7 f5 a1 d2 c3 d7 b5 c4 b4 b3 g6", white),
        ("g5 d1 g4 g7 e3 c2 a1 a4 f5 f3 d7 d6 c3", Some(Outcome::Win(Player::Second))),
    ];
    for (moves, outcome) in table {
        let report = solve(&mut Dfpn::default().tactics(Threats), &after(4, moves));
        assert_eq!(report.proven, outcome, "{moves}");
    }
}

#[test]
fn threats_name_wins_blocks_and_lost_races() {
    let probe = |moves: &str| {
        let (mut position, mut only) = (after(4, moves), Vec::new());
        let before = position.clone();
        let verdict = Threats.probe(&mut position, &mut only);
        assert_eq!(position, before);
        (verdict, only)
    };
    let place = |name: &str| Move::Place(after(4, "").board().parse(name).unwrap());
    assert_eq!(probe("a1 b1 a2 b2 a3 b3"), (Verdict::Win(place("a4")), vec![]));
    assert_eq!(probe("a1 b1 a2 b2 a3"), (Verdict::Only, vec![place("a4")]));
    assert_eq!(probe("a1 g7").0, Verdict::Open);
    // White joins a corner on either side.
    assert_eq!(probe("a2 g7 a3 g5 b1 f3 c1 e6 a1 f7 c4 e2 b2").0, Verdict::Loss);
    let drawn =
        "g7 a1 f5 g4 e3 d2 e2 d1 c2 d3 c3 f7 d6 b4 a4 b5 a3 e5 c4 b3 a2 c1 b1 f6 e4 d4 g6 e7 d7 b2 c5";
    assert!(matches!(probe(drawn).0, Verdict::Never(_)));
}

/// Walks through playouts and calls `look` for each move: with the position before it, the move before it, and the
/// move.
fn playouts(playout: &mut impl PlayoutPolicy<Position>, mut look: impl FnMut(&Position, Option<Move>, Move)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for (size, moves) in [(4, "a1 d4 b2"), (5, ""), (4, "a1 b1 a2 b2 a3")] {
        for _ in 0..50 {
            let mut position = after(size, moves);
            let value = playout.run(&position, &mut rng);
            let mut last = None;
            for (player, mv) in playout.trace() {
                assert_eq!(position.to_move(), player);
                look(&position, last, mv);
                position.play(mv).unwrap();
                last = Some(mv);
            }
            let expected = position.outcome().unwrap().value_for(Player::First);
            assert!((value - expected as f32).abs() < f32::EPSILON);
        }
    }
}

#[test]
fn playouts_start_from_the_position_and_tell_their_moves() {
    playouts(&mut RandomGames::new(), |_, _, _| {});
}

/// The code of the cells around the last move, from the position's stones cell by cell.
fn code(game: &Position, last: Cell) -> Code {
    Code::at(game.board(), last, Reach::Eighteen, |cell| match game.stone(cell) {
        None => State::Empty,
        Some(player) if player == game.to_move() => State::Other,
        Some(_) => State::Mover,
    })
}

#[test]
fn pattern_playouts_answer_where_a_pattern_says_so() {
    let (mut answers, mut others) = (0, 0);
    playouts(&mut PatternGames::shipped(), |game, last, mv| {
        let (Some(Move::Place(last)), Move::Place(cell)) = (last, mv) else { return };
        match stonework_pattern::havannah().find(code(game, last)) {
            Some(answer) => {
                assert_eq!(answer.chance, 8, "the shipped patterns always answer");
                assert!(answer.cells_on(game.board(), last).any(|place| place == cell));
                answers += 1;
            }
            None => others += 1,
        }
    });
    assert!(answers > 200 && others > 200, "{answers} answers, {others} random moves");
}

#[test]
fn the_roster_plays_by_patterns_of_ones_own() {
    // The side to move takes the cell between two of its own stones; with chance 0 the pattern never answers.
    let pattern = |chance| format!(r#"bridge: {{"o.o???", ".o....", {chance}}}"#);
    let play = |patterns: Option<&str>| {
        let own = patterns.map(|text| mcts_patterns(Arc::new(Patterns::compile(text).unwrap())));
        let roster = match own {
            Some(entry) => roster(None).with(entry),
            None => roster(None),
        };
        assert_eq!(roster.entries().iter().filter(|entry| entry.name() == "mcts-patterns").count(), 1);
        let config = PlayerConfig { limits: Limits::none().bytes(4 << 20), ..PlayerConfig::default() };
        let mut engine = roster.engine("mcts-patterns", &config).unwrap();
        let report = engine.think(&after(5, "d4 a1 e6 d5"), &Limits::none().simulations(300));
        assert_eq!(report.simulations, 300);
        (report.best, report.value)
    };
    // Equal seeds, equal answers; other patterns, other playouts.
    assert_eq!(play(None), play(None));
    assert_ne!(play(Some(&pattern(8))), play(Some(&pattern(0))));
}

#[test]
fn patterns_from_a_size_on_leave_smaller_boards_to_random_playouts() {
    /// The moves of a playout.
    fn moves(mut playout: impl PlayoutPolicy<Position>, size: u8) -> Vec<(Player, Move)> {
        playout.run(&after(size, "b2 c3"), &mut Xoshiro256PlusPlus::seed_from_u64(8));
        playout.trace().collect()
    }
    let from_five = || PatternGames::shipped().from_size(5);
    assert_eq!(moves(from_five(), 4), moves(RandomGames::new(), 4));
    assert_eq!(moves(from_five(), 5), moves(PatternGames::shipped(), 5));
    assert_ne!(moves(from_five(), 5), moves(RandomGames::new(), 5));
}
