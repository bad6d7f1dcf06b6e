//! Cachex: the fast rules compared with the slow judge, and both with the test data of the referee program.

use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{RngCore, SeedableRng},
};
use serde_json::Value;
use stonework_board::Cell;
use stonework_cachex::{Ending, IllegalMove, Move, Options, Position, Setup, Undo, colour};
use stonework_game::{Game, Outcome, Perft, Player, Textual, laws, perft};
use stonework_oracle::{CachexBoard, CachexJudge, cachex_captures, cachex_connects};
use stonework_reference_data as reference_data;

/// The size of the board of a case.
fn size(value: &Value) -> u8 {
    value["n"].as_u64().unwrap() as u8
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// `["PLACE", r, q]` or `["STEAL"]` as the text of an action.
fn action(value: &Value) -> String {
    match list(value) {
        [name] if name == "STEAL" => "steal".to_owned(),
        [name, r, q] if name == "PLACE" => format!("{r},{q}"),
        _ => panic!("no action: {value}"),
    }
}

/// A list of `[r, q]` as coordinates, sorted.
fn places(value: &Value) -> Vec<(u8, u8)> {
    let number = |value: &Value| value.as_u64().unwrap() as u8;
    let mut all: Vec<_> = list(value).iter().map(|at| (number(&at[0]), number(&at[1]))).collect();
    all.sort_unstable();
    all
}

/// The coordinates of the stones that a move has captured.
fn captured(position: &Position, undo: &Undo) -> Vec<(u8, u8)> {
    undo.captured().iter().map(|cell| position.coordinates(cell)).collect()
}

/// The result in the referee's words: `red`, `blue`, `draw_repeat` or `draw_turns`.
fn result(ending: Option<Ending>) -> Option<&'static str> {
    ending.map(|ending| match ending {
        Ending::Connection(player) => colour(player),
        Ending::Repetition => "draw_repeat",
        Ending::TurnLimit => "draw_turns",
    })
}

/// Plays a game of the referee on the fast rules and on the slow judge, and checks captures and boards against the game. Takes all
/// moves back on the fast rules. Returns both at the end of the game.
fn replay(game: &Value) -> (Position, CachexJudge) {
    let mut fast = Position::new(size(game)).unwrap();
    let mut slow = CachexJudge::new(size(game), Options::default()).unwrap();
    let mut stack = Vec::new();
    for (i, text) in list(&game["actions"]).iter().map(action).enumerate() {
        assert_eq!((fast.ending(), slow.ending()), (None, None), "{} action {i}", game["seed"]);
        let mv = fast.parse_move(&text).unwrap();
        assert_eq!(fast.move_text(mv), text);
        let before = fast.clone();
        let undo = fast.play(mv).unwrap();
        slow.play(mv).unwrap();
        assert_eq!(captured(&fast, &undo), places(&game["captures"][i]));
        assert_eq!(Some(fast.rows().as_str()), game["boards"][i].as_str());
        assert_eq!(slow.rows(), fast.rows());
        stack.push((before, undo));
    }
    let end = fast.clone();
    while let Some((before, undo)) = stack.pop() {
        fast.undo(undo);
        assert_eq!(fast, before);
    }
    assert_eq!(fast, Position::new(size(game)).unwrap());
    (end, slow)
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn the_referees_games_are_replayed_move_by_move_in_the_reference_data() {
    let games = reference_data::lines("cachex/games.jsonl");
    let mut chains = 0;
    for game in &games {
        let (fast, slow) = replay(game);
        assert_eq!(result(fast.ending()), game["result"].as_str());
        assert_eq!(fast.ending(), slow.ending());
        assert_eq!(u64::from(fast.turns()), game["turns"].as_u64().unwrap());
        if let (Some(chain), Some(_)) = (fast.winning_chain(), game["cluster"].as_array()) {
            let cluster = places(&game["cluster"]);
            assert!(chain.iter().all(|cell| cluster.contains(&fast.coordinates(cell))));
            chains += 1;
        }
    }
    assert_eq!((games.len(), chains), (210, 190));
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn the_referees_repetition_draws_count_boards_without_the_side_to_move_in_the_reference_data() {
    let games = reference_data::lines("cachex/games_draws.jsonl");
    for game in &games {
        let (fast, slow) = replay(game);
        assert_eq!((fast.ending(), slow.ending()), (Some(Ending::Repetition), Some(Ending::Repetition)));
        assert_eq!((fast.occurrences(), slow.occurrences()), (7, 7));
    }
    let mixed = games.iter().filter(|game| game["side_aware_count"] == 4).count();
    assert_eq!((games.len(), mixed), (15, 5));
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn the_referees_captures_are_found_on_any_board_in_the_reference_data() {
    let cases = reference_data::lines("cachex/captures.jsonl");
    let mut played = 0;
    for case in &cases {
        let player = if case["player"] == "red" { Player::First } else { Player::Second };
        let turns = 300 + player.index() as u16;
        let mut position =
            Setup::from_rows(case["before"].as_str().unwrap(), turns).unwrap().position().unwrap();
        assert_eq!((position.size(), position.to_move()), (size(case), player));
        let [r, q] = [0, 1].map(|i| case["place"][i].as_u64().unwrap() as u8);
        let cell = position.cell(r, q).unwrap();
        let expected = places(&case["captured"]);
        let found: Vec<_> =
            position.captures(player, cell).iter().map(|cell| position.coordinates(cell)).collect();
        assert_eq!(found, expected, "{case}");
        let mut board = grid(&position);
        board[usize::from(r)][usize::from(q)] = Some(player);
        let judged = cachex_captures(&board, player, (r.into(), q.into()));
        assert_eq!(judged, expected.iter().map(|&(r, q)| (r.into(), q.into())).collect::<Vec<_>>());
        if position.ending().is_none() {
            let before = position.clone();
            let undo = position.play(Move::Place(cell)).unwrap();
            assert_eq!(Some(position.rows().as_str()), case["after"].as_str());
            position.undo(undo);
            assert_eq!(position, before);
            played += 1;
        }
    }
    // In the other cases the game was over before the move.
    assert_eq!((cases.len(), played), (1500, 950));
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn the_referees_illegal_actions_are_refused_by_their_rule_in_the_reference_data() {
    let cases = reference_data::lines("cachex/illegal.jsonl");
    for case in &cases {
        let mut fast = Position::new(size(case)).unwrap();
        let mut slow = CachexJudge::new(size(case), Options::default()).unwrap();
        let mut refused = None;
        for (i, text) in list(&case["actions"]).iter().map(action).enumerate() {
            let rule = match fast.parse_move(&text) {
                Err(_) => "outside the bounds",
                Ok(mv) => {
                    let legal = slow.play(mv).is_ok();
                    match fast.play(mv) {
                        Ok(_) if legal => continue,
                        Err(IllegalMove::Centre { .. }) if !legal => "center cell",
                        Err(IllegalMove::Steal { .. }) if !legal => "STEAL action is not currently permitted",
                        Err(IllegalMove::Occupied { .. }) if !legal => "already occupied",
                        other => panic!("{case}: {other:?}, legal to the judge: {legal}"),
                    }
                }
            };
            assert!(case["reason"].as_str().unwrap().contains(rule), "{case}: {rule}");
            refused = Some(i as u64);
            break;
        }
        assert_eq!(refused, case["illegal_at"].as_u64(), "{case}");
    }
    assert_eq!(cases.len(), 96);
}

#[test]
fn perft_is_the_referees_and_the_judges() {
    for case in reference_data::json("cachex/perft.json").as_array().unwrap() {
        let numbers = |name: &str| list(&case[name]).iter().map(|v| v.as_u64().unwrap()).collect::<Vec<_>>();
        let (nodes, ended) = (numbers("nodes"), numbers("ended"));
        for (depth, (&nodes, &ended)) in (1..).zip(nodes.iter().zip(&ended)) {
            let count = perft(&Position::new(size(case)).unwrap(), depth);
            let ends = |count: Perft| count.wins.first + count.wins.second + count.draws;
            assert_eq!((count.nodes, ends(count)), (nodes, ended), "depth {depth}");
            if nodes < 20_000 {
                let judge = CachexJudge::new(size(case), Options::default()).unwrap();
                assert_eq!(perft(&judge, depth), count, "depth {depth}");
            }
        }
    }
}

/// The stones of a position as the board of the slow judge.
fn grid(position: &Position) -> CachexBoard {
    let stone = |r, q| position.cell(r, q).and_then(|cell| position.stone(cell));
    (0..position.size()).map(|r| (0..position.size()).map(|q| stone(r, q)).collect()).collect()
}

/// The fast rules and the slow judge agree on a position: its stones, side to move, turns, end and occurrences.
fn agree(fast: &Position, slow: &CachexJudge) {
    assert_eq!(&grid(fast), slow.board());
    assert_eq!((fast.to_move(), usize::from(fast.turns())), (slow.to_move(), slow.turns()));
    assert_eq!(fast.ending(), slow.ending(), "{fast:?}");
    assert_eq!(usize::from(fast.occurrences()), slow.occurrences(), "{fast:?}");
}

/// The fast rules and the slow judge agree on legal moves, and on captures and wins of every cell for both players.
fn agree_on_moves(fast: &Position, slow: &CachexJudge) {
    let (mut fast_moves, mut slow_moves) = (Vec::new(), Vec::new());
    fast.legal_moves(&mut fast_moves);
    slow.legal_moves(&mut slow_moves);
    assert_eq!(fast_moves, slow_moves);
    let size = i32::from(fast.size());
    for player in Player::BOTH {
        let winning = fast.winning_cells(player);
        let capturing: Vec<_> = fast.capturing(player).map(|(cell, _)| cell).collect();
        for cell in fast.board().cells() {
            let (r, q) = (cell.index() as i32 / size, cell.index() as i32 % size);
            let mut board = slow.board().clone();
            let empty = board[r as usize][q as usize].replace(player).is_none();
            let taken = if empty { cachex_captures(&board, player, (r, q)) } else { Vec::new() };
            let found: Vec<_> = fast.captures(player, cell).iter().map(Cell::index).collect();
            assert_eq!(found, taken.iter().map(|(r, q)| (r * size + q) as usize).collect::<Vec<_>>());
            assert_eq!(capturing.contains(&cell), !taken.is_empty());
            let wins = empty && slow.ending().is_none() && cachex_connects(&board, (r, q));
            assert_eq!((fast.wins(player, cell), winning.contains(cell)), (wins, wins), "{fast:?} {cell:?}");
        }
    }
}

/// The winning chain connects both sides, and without any one of its stones it does not.
fn agree_on_chain(fast: &Position) {
    let winner = fast.outcome().and_then(Outcome::winner);
    let (Some(chain), Some(winner)) = (fast.winning_chain(), winner) else {
        assert!(winner.is_none() && fast.winning_chain().is_none());
        return;
    };
    let size = usize::from(fast.size());
    let at = |cell: Cell| (cell.index() / size, cell.index() % size);
    let mut board = vec![vec![None; size]; size];
    chain.iter().for_each(|cell| board[at(cell).0][at(cell).1] = Some(winner));
    let connects = |board: &CachexBoard| {
        chain.iter().any(|cell| cachex_connects(board, (at(cell).0 as i32, at(cell).1 as i32)))
    };
    assert!(connects(&board));
    for cell in chain {
        let mut less = board.clone();
        less[at(cell).0][at(cell).1] = None;
        assert!(!connects(&less), "{cell:?} is not needed: {fast:?}");
    }
}

/// The policy by which a side chooses its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// Plays a random legal move.
    Uniform,
    /// Captures if possible.
    Greedy,
    /// Avoids wins and takes captures, so that games are long.
    Long,
    /// Returns to an earlier board if possible, else plays as `Long`.
    Repeating,
}

/// A move for the side to move by a style.
fn choose(fast: &Position, moves: &[Move], style: Style, rng: &mut impl RngCore) -> Move {
    let any = |moves: &[Move], rng: &mut dyn RngCore| moves[(rng.next_u64() % moves.len() as u64) as usize];
    let player = fast.to_move();
    if style == Style::Uniform {
        return any(moves, rng);
    }
    if style == Style::Repeating {
        let mut copy = fast.clone();
        let mut recurs = |mv: &Move| {
            let undo = copy.play_unchecked(*mv);
            let recurs = copy.occurrences() > 1 && copy.ending() != Some(Ending::Connection(player));
            copy.undo(undo);
            recurs
        };
        if let Some(mv) = moves.iter().find(|mv| recurs(mv)) {
            return *mv;
        }
    }
    let cell = |mv: &Move| match mv {
        Move::Place(cell) => Some(*cell),
        Move::Steal => None,
    };
    let captures = |mv: &Move| cell(mv).is_some_and(|cell| !fast.captures(player, cell).is_empty());
    let wins = |mv: &Move| cell(mv).is_some_and(|cell| fast.wins(player, cell));
    let taking: Vec<Move> = moves.iter().copied().filter(|mv| captures(mv)).collect();
    let calm: Vec<Move> = moves.iter().copied().filter(|mv| !wins(mv)).collect();
    match (style, &taking[..], &calm[..]) {
        (Style::Greedy, taking, _) if !taking.is_empty() => any(taking, rng),
        (Style::Long | Style::Repeating, taking, calm) if !calm.is_empty() => {
            let both: Vec<Move> = taking.iter().copied().filter(|mv| !wins(mv)).collect();
            any(if both.is_empty() { calm } else { &both }, rng)
        }
        _ => any(moves, rng),
    }
}

/// The counts of random games by their ends.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    games: u64,
    plies: u64,
    captures: u64,
    wins: u64,
    repetitions: u64,
    turn_limits: u64,
}

/// Plays `games` random games on the fast rules and on the slow judge, and takes them back. In every `thorough`-th game, compares
/// all moves at each position, and each position with the same position after taking back.
fn random_games(games: u64, thorough: u64, seed: u64) -> Tally {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut tally = Tally::default();
    let mut pick = |n: u64| rng.next_u64() % n;
    for number in 0..games {
        let size = [3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8, 9][pick(12) as usize];
        let style = [Style::Uniform, Style::Greedy, Style::Long, Style::Repeating][pick(4) as usize];
        // Half of the games have the limits of the rules.
        let options = match pick(2) {
            0 => Options::default(),
            _ => Options { repetition: 2 + pick(3) as u16, turns: 1 + pick(300) as u16 },
        };
        let mut move_rng = Xoshiro256PlusPlus::seed_from_u64(pick(u64::MAX));
        let mut fast = Position::with_options(size, options).unwrap();
        let mut slow = CachexJudge::new(size, options).unwrap();
        let mut stack = Vec::new();
        while fast.ending().is_none() {
            if number.is_multiple_of(thorough) {
                agree_on_moves(&fast, &slow);
            }
            let moves = fast.moves();
            let mv = choose(&fast, &moves, style, &mut move_rng);
            let before = (number.is_multiple_of(thorough)).then(|| fast.clone());
            let undo = fast.play(mv).unwrap();
            slow.play(mv).unwrap();
            agree(&fast, &slow);
            tally.plies += 1;
            tally.captures += u64::from(!undo.captured().is_empty());
            stack.push((before, undo));
        }
        match fast.ending() {
            Some(Ending::Connection(_)) => tally.wins += 1,
            Some(Ending::Repetition) => tally.repetitions += 1,
            _ => tally.turn_limits += 1,
        }
        if number.is_multiple_of(thorough) {
            agree_on_moves(&fast, &slow);
            agree_on_chain(&fast);
        }
        for (before, undo) in stack.into_iter().rev() {
            fast.undo(undo);
            assert!(before.is_none_or(|before| before == fast));
        }
        assert_eq!(fast, Position::with_options(size, options).unwrap());
        tally.games += 1;
    }
    tally
}

#[test]
fn fast_rules_are_the_slow_judge_on_random_games() {
    let tally = random_games(1500, 10, 1);
    let enough = tally.captures > 10_000 && tally.wins > 500 && tally.turn_limits > 100;
    assert!(enough && tally.repetitions > 20, "some ending was hardly tried: {tally:?}");
}

#[test]
#[ignore = "minutes: cargo test --release -p stonework-oracle --test cachex -- --ignored --nocapture (docs/lab/rules.md)"]
fn fast_rules_are_the_slow_judge_on_a_hundred_thousand_random_games() {
    let tally = random_games(100_000, 50, 2);
    println!("{tally:?}");
    assert_eq!(tally.games, 100_000);
}

#[test]
fn the_judge_keeps_the_laws_of_games() {
    for (size, options) in [(3, Options::default()), (4, Options { repetition: 2, turns: 40 })] {
        laws::game(&CachexJudge::new(size, options).unwrap(), 5, 8).unwrap();
    }
    let size = CachexJudge::new(16, Options::default()).unwrap_err();
    assert_eq!(size.to_string(), "no Cachex board of size 16: sizes are 3 to 15");
}
