//! Questions about Cover: the conformance kit and the printed lines.

use stonework_cover::{Options, Position, Repetition, Setup, colour};
use stonework_game::{Game, Player, Textual};
use stonework_oracle::{Conformance, CoverJudge, Fault, Query, QueryResult, State, replay};
use stonework_session::outcome_name;

/// Rules of Cover by the slow judge, under some options.
fn judge(query: &Query, options: Options) -> Result<QueryResult, String> {
    let size = query.size.and_then(|s| u8::try_from(s).ok()).ok_or("no size")?;
    // A position only for the names of locations.
    let reader = Position::new(size).map_err(|e| e.to_string())?;
    let mut judge = match &query.position {
        None => CoverJudge::new(size, options),
        Some(board) => {
            let setup = Setup::from_board(size, board).map_err(|e| e.to_string())?;
            let place = |cell| {
                let (a, b) = reader.lattice().coordinates(cell);
                (i32::from(a), i32::from(b))
            };
            let stones = |player| setup.stones[player].iter().map(move |cell| (player, place(cell)));
            let board = Player::BOTH.into_iter().flat_map(stones).collect();
            let blue = query.to_move.as_deref() == Some("blue");
            CoverJudge::from_board(size, options, board, if blue { Player::First } else { Player::Second })
        }
    }
    .map_err(|e| e.to_string())?;
    for (at, text) in query.moves.iter().enumerate() {
        let (step, said) =
            text.split_once('x').map_or((text.as_str(), None), |(step, hit)| (step, Some(hit)));
        let (mover, before) = (judge.to_move(), judge.board().clone());
        let played = reader.parse_move(step).is_ok_and(|mv| judge.play(mv).is_ok());
        // The hit in a move is the stone that is no longer on the board.
        let gone = before.iter().find(|stone| stone.0 != mover && !judge.board().contains(stone));
        let gone = gone.map(|&(_, (a, b))| format!("{}{b:02}", char::from(b'A' + (a - 1) as u8)));
        if !played || said.is_some_and(|said| gone.as_deref() != Some(said)) {
            return Ok(Err(Fault { at: Some(at), ..Fault::new("illegal", text) }));
        }
    }
    let mut legal = Vec::new();
    judge.legal_moves(&mut legal);
    Ok(Ok(State {
        to_move: colour(judge.to_move()).to_owned(),
        outcome: judge.outcome().map(|o| outcome_name::<Position>(o).to_owned()),
        legal: Some(legal.len() as u64),
        ..State::default()
    }))
}

#[test]
fn right_rules_of_cover_agree() {
    let kit = Conformance::cover(5).sizes(1..=4).random_games(5);
    let report = kit.run(&mut |query: &Query| judge(query, Options::default()));
    assert_eq!(report.counterexample, None, "{}", report.counterexample.clone().unwrap());
    assert_eq!(report.games, 4 * 10);
    let games: Vec<_> = Conformance::cover(5).corpus().collect();
    let ends: Vec<QueryResult> = games.iter().map(|game| replay(&game.query(game.moves.clone()))).collect();
    for how in ["homebase", "last stone"] {
        let told = |end: &QueryResult| {
            end.as_ref().is_ok_and(|state| state.how.as_deref() == Some(&[how.to_owned()]))
        };
        assert!(ends.iter().any(told), "no game ends by {how}");
    }
    for kind in ["repetition", "occupied", "home"] {
        assert!(ends.iter().any(|end| end.as_ref().is_err_and(|fault| fault.kind == kind)), "{kind}");
    }
}

#[test]
fn rules_without_repetition_are_shown_by_four_moves() {
    let options = Options { repetition: Repetition::None, ..Options::default() };
    let report = Conformance::cover(5).random_games(10).run(&mut |query: &Query| judge(query, options));
    let found = report.counterexample.expect("a disagreement");
    assert!(found.what.starts_with("legal is") || found.what.starts_with("accepted"), "{found}");
    assert!((3..=4).contains(&found.game.moves.len()) && found.game.start.is_some(), "{found}");
}

#[test]
fn a_shot_that_is_not_told_is_shown_by_one_move() {
    let mut wrong = |query: &Query| {
        let mut verdict = replay(query);
        if let Ok(State { captured: Some(captured), .. }) = &mut verdict {
            captured.iter_mut().for_each(Vec::clear);
        }
        Ok(verdict)
    };
    let report = Conformance::cover(5).random_games(20).run(&mut wrong);
    let found = report.counterexample.expect("a disagreement");
    assert!(found.what.starts_with("captured is"), "{found}");
    assert!(found.game.moves.len() == 1 && found.game.start.is_some(), "{found}");
}

#[test]
fn the_oracle_plays_the_printed_lines_as_stated() {
    let lines = stonework_reference_data::json("cover/lines.json");
    for line in lines.as_array().unwrap() {
        let moves = line["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().to_owned());
        let size = line["size"].as_str().unwrap().strip_prefix("Cover-").unwrap().parse().unwrap();
        let query = Query {
            position: line["position"].as_str().map(str::to_owned),
            to_move: line["to_move"].as_str().map(str::to_lowercase),
            ..Query::new("cover", size, false, moves.collect())
        };
        let verdict = replay(&query);
        let illegal = line["first_illegal"]["ply"].as_u64();
        match (&verdict, illegal) {
            (Ok(state), None) => assert_eq!(state.plies, Some(query.moves.len() as u64)),
            (Err(fault), Some(ply)) => assert_eq!(fault.at, Some(ply as usize - 1), "{fault}"),
            _ => panic!("{}: {verdict:?}", line["name"]),
        }
    }
}

#[test]
fn a_subject_that_knows_no_boards_keeps_its_whole_game() {
    // The answers about games that begin on a board are all wrong, so shrinking must keep the beginning of the game.
    let mut wrong = |query: &Query| {
        let mut verdict = replay(query);
        match &mut verdict {
            Ok(_) if query.position.is_some() => verdict = Err(Fault::new("json", "unknown field")),
            Ok(state) => state.outcome = None,
            Err(_) => {}
        }
        Ok(verdict)
    };
    let found = Conformance::cover(5).sizes([2]).run(&mut wrong).counterexample.expect("a disagreement");
    assert!(found.game.start.is_none() && found.what.starts_with("outcome is null"), "{found}");
}
