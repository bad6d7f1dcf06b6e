//! Printed games end as printed, generated games match their names, and fast rules and slow judge agree on real games.

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use serde_json::Value;
use stonework_game::{Game, Outcome, Player};
use stonework_havannah::{Position, WinKind, WinKinds};
use stonework_oracle::{
    GameText, Generator, Judge, Kind, Query, QueryResult, formations, judged, printed, printed_positions,
    replay,
};
use stonework_reference_data as reference_data;
use stonework_session::{play_text, state};

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

fn answer(size: u8, swap: bool, moves: &[String]) -> QueryResult {
    replay(&Query::new("havannah", size, swap, moves.to_vec()))
}

#[test]
fn printed_games_end_as_printed() {
    for printed in printed() {
        let game = &printed.game;
        let state = answer(game.size, game.swap, &game.moves).unwrap();
        assert_eq!(state.outcome.as_deref(), printed.outcome, "{}", game.name);
        assert_eq!(state.how.unwrap(), printed.how, "{}", game.name);
        let judges = judged(game).unwrap();
        assert_eq!(judges.last().unwrap().kinds().len(), printed.how.len());
    }
}

#[test]
fn rogers_game_is_won_by_its_last_stone() {
    let game = &printed()[0].game;
    assert_eq!((game.moves.len(), game.moves[84].as_str()), (85, "l3"));
    let state = answer(10, false, &game.moves).unwrap();
    assert!(state.cells.unwrap()[0].contains(&"l3".to_owned()));
    assert_eq!(answer(10, false, &game.moves[..84]).unwrap().outcome, None);
}

#[test]
fn a_game_that_the_judge_refuses_is_refused_with_its_move() {
    let game = |size, moves: &str| GameText {
        size,
        moves: moves.split(' ').map(str::to_owned).collect(),
        ..printed()[0].game.clone()
    };
    let fault = |size, moves| judged(&game(size, moves)).map(|_| ()).unwrap_err();
    assert_eq!((fault(4, "a1 b1 a1").at, fault(4, "a1 x9").at, fault(21, "a1").at), (Some(2), Some(1), None));
    assert_eq!(fault(21, "a1").to_string(), "no hexagon of size 21: sizes are 2 to 20");
}

#[test]
fn the_printed_draw_is_dead_after_31_plies_and_not_before() {
    let judges = judged(&printed()[1].game).unwrap();
    let alive = |judge: &Judge| Player::BOTH.into_iter().any(|p| judge.can_win(p));
    let mut position = Position::new(4).unwrap();
    for (ply, judge) in judges.iter().enumerate() {
        if ply > 0 {
            play_text(&mut position, 0, &printed()[1].game.moves[ply - 1]).unwrap();
        }
        assert_eq!(Player::BOTH.into_iter().any(|p| position.can_win(p)), alive(judge), "ply {ply}");
        assert_eq!(alive(judge), ply < 31, "ply {ply}");
    }
}

#[test]
fn printed_positions_end_as_printed() {
    for printed in printed_positions() {
        let mut position = printed.setup.position().unwrap();
        for mv in &printed.moves {
            play_text(&mut position, 0, mv).unwrap();
        }
        let state = state(&position, 0, printed.moves.len());
        assert_eq!(state.outcome.as_deref(), printed.outcome, "{}", printed.name);
        assert_eq!(state.how.unwrap(), printed.how, "{}", printed.name);
        for player in Player::BOTH {
            let kinds = formations(position.board(), &position.stones(player));
            let won = position.outcome() == Some(Outcome::Win(player));
            assert_eq!(kinds, if won { position.kinds() } else { WinKinds::NONE }, "{}", printed.name);
        }
    }
}

#[test]
fn fixtures_of_each_kind_are_won_by_the_last_move() {
    let fixtures = [
        ("a1 b1 a2 b2 a3 b3 a4", WinKind::Bridge),
        ("b1 c1 b2 c2 b3 c3 b4 c4 b5 c5 a2", WinKind::Fork),
        ("b2 f3 b3 f4 c2 f5 c4 f6 d3 f7 d4", WinKind::Ring),
        ("b2 f3 b3 f4 c2 f5 c4 f6 d3 f7 c3 e6 d4", WinKind::Ring),
    ];
    for (text, kind) in fixtures {
        let moves: Vec<String> = text.split(' ').map(str::to_owned).collect();
        for n in 0..moves.len() {
            assert_eq!(answer(4, false, &moves[..n]).unwrap().outcome, None, "{text}");
        }
        let state = answer(4, false, &moves).unwrap();
        assert_eq!(state.outcome.as_deref(), Some("white"));
        assert_eq!(state.how.unwrap(), [kind.name()]);
    }
}

#[test]
fn generated_games_are_what_they_are_called() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    for size in [2, 3, 4, 5, 8, 10] {
        let generator = Generator::new(size).unwrap();
        for kind in Kind::ALL {
            let games: Vec<_> = (0..6).filter_map(|_| generator.game(kind, &mut rng)).collect();
            let small = [Kind::Random, Kind::Swapped, Kind::Unswapped, Kind::Clustered, Kind::LongBridge];
            let possible = small.contains(&kind) || size > 3;
            assert!(!games.is_empty() || !possible, "{} on size {size}", kind.name());
            for game in games {
                let positions = judged(&game).unwrap();
                let (last, before) = (&positions[positions.len() - 1], &positions[positions.len() - 2]);
                assert!(last.outcome().is_some() && before.outcome().is_none());
                let ours = answer(size, game.swap, &game.moves).unwrap();
                assert_eq!(ours.how.unwrap().len(), last.kinds().len());
                match kind {
                    Kind::Drawn => assert_eq!(last.outcome(), Some(Outcome::Draw)),
                    Kind::FilledRing => {
                        assert!(last.kinds().contains(WinKind::Ring));
                        let stones = last.stones(last.outcome().and_then(Outcome::winner).unwrap());
                        let board = last.board();
                        let full = |c| !board.is_rim(c) && board.neighbours(c).all(|n| stones.contains(n));
                        assert!(stones.iter().any(full), "a centre with six own neighbours");
                    }
                    Kind::RimRing => {
                        assert!(last.kinds().contains(WinKind::Ring));
                        let closing = last.board().parse(game.moves.last().unwrap()).unwrap();
                        assert!(last.board().is_rim(closing));
                    }
                    Kind::Swapped => assert_eq!(game.moves[1], "swap"),
                    Kind::Unswapped => assert!(game.swap && !game.moves.contains(&"swap".to_owned())),
                    Kind::LongRing => assert!(last.kinds().contains(WinKind::Ring)),
                    Kind::LongBridge => assert!(last.kinds().contains(WinKind::Bridge)),
                    Kind::LongFork => assert!(last.kinds().contains(WinKind::Fork)),
                    Kind::LastRing | Kind::LastBridge | Kind::LastFork => {
                        let wanted = match kind {
                            Kind::LastRing => WinKind::Ring,
                            Kind::LastBridge => WinKind::Bridge,
                            _ => WinKind::Fork,
                        };
                        assert!(last.kinds().contains(wanted), "{} on size {size}", kind.name());
                        assert_eq!(game.moves.len(), last.board().len(), "the last empty cell");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn every_little_golem_game_replays_and_its_formations_agree_in_the_reference_data() {
    let games = reference_data::lines("havannah/littlegolem.jsonl");
    let mut formations = 0;
    for game in &games {
        let size = game["size"].as_u64().unwrap() as u8;
        let swap = game["swap"].as_bool().unwrap();
        let played = |key: &str| -> Vec<String> {
            strings(&game[key]).into_iter().filter(|m| m != "resign").collect()
        };
        let (hgui, grid) = (played("moves_hgui"), played("moves"));
        let state = answer(size, swap, &hgui).unwrap();
        let in_grid = Query { notation: Some("grid".to_owned()), ..Query::new("havannah", size, swap, grid) };
        assert_eq!(replay(&in_grid).unwrap().key, state.key, "game {}", game["id"]);
        let Some(winner) = game["win_by"].as_str() else {
            assert!(state.outcome.is_none() || game["end"] != "formation", "game {}", game["id"]);
            continue;
        };
        formations += 1;
        assert_eq!(
            state.outcome.as_deref(),
            Some(if winner == "W" { "white" } else { "black" }),
            "{}",
            game["id"]
        );
        let (mut how, mut expected) = (state.how.unwrap(), strings(&game["win_types"]));
        how.sort();
        expected.sort();
        assert_eq!(how, expected, "game {}", game["id"]);
        assert_eq!(hgui.len() as u64, game["win_ply"].as_u64().unwrap() + 1, "game {}", game["id"]);
        assert_eq!(answer(size, swap, &hgui[..hgui.len() - 1]).unwrap().outcome, None);
    }
    assert_eq!((games.len(), formations), (2146, 1056));
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn random_games_of_a_peers_rules_agree_in_the_reference_data() {
    for file in ["random-games-s5.txt", "random-games-s8.txt"] {
        for line in reference_data::text(&format!("havannah/{file}")).lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let moves: Vec<String> = fields[4..].iter().map(|&m| m.to_owned()).collect();
            assert_eq!(moves.len().to_string(), fields[3]);
            let state = answer(fields[0].parse().unwrap(), false, &moves).unwrap();
            assert_eq!(state.outcome.as_deref(), Some(fields[1]), "{line}");
            let mut how = state.how.unwrap();
            let mut kinds: Vec<String> =
                fields[2].split(['+', ',']).filter(|&k| k != "draw" && k != "-").map(str::to_owned).collect();
            how.sort();
            kinds.sort();
            assert_eq!(how, kinds, "{line}");
        }
    }
}

/// A case from fuzzing: the message contained the whole text of a line.
#[test]
fn an_error_about_a_long_text_is_short() {
    let line = format!(r#"{{"id":1,"game":"havannah","size":"{}","moves":[]}}"#, "é".repeat(5000));
    let answer = stonework_oracle::answer(&line);
    assert!(answer.len() < 400 && answer.contains("not a question: invalid type: string"), "{answer}");
    assert!(answer.contains(", expected "), "{answer}");
    let answer = stonework_oracle::answer(&format!("\"{}\"", "x".repeat(5000)));
    assert!(answer.len() < 400 && answer.contains("not a question: a string, not an object"), "{answer}");
}

/// The reader of a structure would take an array for its fields in their order.
#[test]
fn a_question_is_an_object() {
    let fields = r#"[1,"havannah",4,null,null,null,null,["a1"],null]"#;
    for (line, kind) in
        [(fields, "an array"), ("[]", "an array"), ("null", "null"), ("7", "a number"), ("true", "a truth")]
    {
        let answer = stonework_oracle::answer(line);
        assert!(
            answer.contains(r#""kind":"json""#) && answer.contains(&format!("question: {kind}")),
            "{answer}"
        );
    }
}
