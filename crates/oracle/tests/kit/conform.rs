//! The conformance kit agrees with right rules and finds a small counterexample for wrong ones.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use stonework_cachex::{self as cachex, Options};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::{Move, Position, WinKind};
use stonework_oracle::{
    BySide, CachexJudge, Conformance, Counterexample, External, Fault, GameText, Judge, Query, QueryResult,
    State, Step, Subject, replay,
};
use stonework_session::outcome_name;

fn by_side<T>(of: impl Fn(Player) -> T) -> BySide<T> {
    BySide { white: of(Player::First), black: of(Player::Second) }
}

/// The slow judge as a subject: right rules in another way.
fn judge(query: &Query) -> Result<QueryResult, String> {
    let size = query.size.and_then(|s| u8::try_from(s).ok()).ok_or("no size")?;
    let mut judge = Judge::new(size, query.swap).map_err(|e| e.to_string())?;
    for (at, text) in query.moves.iter().enumerate() {
        let bad = |kind: &str| Ok(Err(Fault { at: Some(at), ..Fault::new(kind, text) }));
        let mv = match (text.as_str(), judge.board().parse(text)) {
            ("swap", _) => Move::Swap,
            (_, Ok(cell)) => Move::Place(cell),
            (_, Err(_)) => return bad("move"),
        };
        if judge.play(mv).is_err() {
            return bad("illegal");
        }
    }
    let mut legal = Vec::new();
    judge.legal_moves(&mut legal);
    let mut kinds: Vec<String> = judge.kinds().iter().map(|k| k.name().to_owned()).collect();
    kinds.reverse(); // the order does not matter
    Ok(Ok(State {
        to_move: stonework_havannah::colour(judge.to_move()).to_owned(),
        outcome: judge.outcome().map(|o| outcome_name::<Position>(o).to_owned()),
        how: Some(kinds),
        legal: Some(legal.len() as u64),
        winning_cells: Some(by_side(|p| {
            let cells = judge.winning_cells(p);
            cells.iter().map(|c| judge.board().name(c)).collect()
        })),
        can_win: Some(by_side(|p| judge.can_win(p))),
        ..State::default()
    }))
}

fn quick() -> Conformance {
    Conformance::havannah(3).sizes(2..=5).random_games(20)
}

#[test]
fn questions_and_answers_go_to_other_threads() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Conformance>();
    shared::<Counterexample>();
    shared::<(Query, State, Fault)>();
    shared::<Judge>();
    sent::<External>();
}

#[test]
fn right_rules_agree() {
    let report = quick().run(&mut judge);
    assert_eq!(report.counterexample, None, "{}", report.counterexample.clone().unwrap());
    assert!(report.games > 100 && report.plies > 3000);
}

#[test]
fn the_corpus_is_the_same_for_the_same_seed() {
    let games = |seed| Conformance::havannah(seed).sizes(2..=4).random_games(5).corpus().collect::<Vec<_>>();
    assert_eq!(games(1), games(1));
    assert_ne!(games(1), games(2));
}

/// The counterexample for rules with a change of our answer.
fn wrong(change: impl Fn(&Query, &mut QueryResult)) -> Counterexample {
    let mut subject = |query: &Query| {
        let mut verdict = replay(query);
        change(query, &mut verdict);
        Ok(verdict)
    };
    quick().run(&mut subject).counterexample.expect("these rules are wrong")
}

fn going_on(state: &State) -> State {
    State { to_move: state.to_move.clone(), ..State::default() }
}

/// Games are made one at a time: a thousand million of them for each size fit into no memory.
#[test]
fn a_corpus_of_any_length_begins_at_once() {
    for conformance in [Conformance::havannah(7), Conformance::cachex(7), Conformance::cover(7)] {
        let [few, many] = [10, u32::MAX].map(|games| conformance.clone().sizes([3]).random_games(games));
        assert!(many.corpus().take(10).eq(few.corpus().take(10)));
    }
}

#[test]
fn a_missing_bridge_is_shown_with_two_stones_on_size_2() {
    let found = wrong(|_, verdict| {
        if let Ok(state) = verdict
            && state.how.as_deref() == Some(&[WinKind::Bridge.name().to_owned()])
        {
            *state = going_on(state);
        }
    });
    assert!(found.what.starts_with("outcome is null, we say \"white\""), "{found}");
    assert_eq!((found.game.size, found.game.moves.len()), (2, 3), "{found}");
}

#[test]
fn a_filled_ring_that_is_missed_is_shown_with_seven_stones() {
    // Wrong rules: a ring counts only around a cell without an own stone.
    let found = wrong(|query, verdict| {
        let Ok(state) = verdict else { return };
        let Some(white) = state.board.as_ref().filter(|_| state.outcome.is_some()) else { return };
        let position =
            <stonework_havannah::Position as stonework_game::Textual>::parse_position(white).unwrap();
        let winner = position.outcome().and_then(Outcome::winner);
        let Some(stones) = winner.map(|w| position.stones(w)) else { return };
        let board = position.board();
        let filled = board.cells().any(|c| {
            !board.is_rim(c) && stones.contains(c) && board.neighbours(c).all(|n| stones.contains(n))
        });
        if filled && query.size != Some(2) && position.kinds() == WinKind::Ring.into() {
            *state = going_on(state);
        }
    });
    assert_eq!(found.game.moves.len(), 13, "{found}");
    assert!(found.found_with >= 13);
}

#[test]
fn moves_after_the_end_must_be_refused() {
    let found = wrong(|query, verdict| {
        if verdict.as_ref().is_err_and(|fault| fault.kind == "over") {
            let all_but_last =
                Query { moves: query.moves[..query.moves.len() - 1].to_vec(), ..query.clone() };
            *verdict = replay(&all_but_last);
        }
    });
    assert!(found.what.starts_with("accepted, we refuse it (the game is over"), "{found}");
    assert_eq!((found.game.size, found.game.moves.len()), (2, 4), "{found}");
}

#[test]
fn the_index_of_an_illegal_move_counts() {
    let found = wrong(|_, verdict| {
        if let Err(fault) = verdict {
            fault.at = fault.at.map(|at| at + 1);
        }
    });
    assert!(found.what.contains("the error is at move "), "{found}");
}

#[test]
fn the_side_to_move_and_the_count_of_moves_are_compared() {
    let to_move = wrong(|_, verdict| {
        if let Ok(state) = verdict {
            "white".clone_into(&mut state.to_move);
        }
    });
    assert_eq!(
        (to_move.what.as_str(), to_move.game.moves.len()),
        ("to_move is \"white\", we say \"black\"", 1)
    );
    let legal = wrong(|query, verdict| {
        if let Ok(state) = verdict
            && query.moves.iter().any(|m| m == "swap")
        {
            state.legal = state.legal.map(|n| n + 1);
        }
    });
    assert_eq!(legal.game.moves[1..], ["swap"], "{legal}");
}

#[test]
fn a_counterexample_shows_the_question() {
    let found = wrong(|_, verdict| *verdict = Err(Fault::new("move", "no")));
    assert_eq!(
        found.to_string(),
        "refused (no), we accept it (random, size 2, 0 moves, found with 0)\n\
         {\"id\":null,\"game\":\"havannah\",\"size\":2,\"moves\":[]}"
    );
}

/// A game of Cover begins later and later while it is shrunk. A subject that knows no positions was asked once for each of
/// its moves, also after the time was over.
#[test]
fn no_question_is_asked_once_the_time_of_shrinking_is_over() {
    let moves = ["C01-D02", "E07-D06", "D02-E03", "D06-C05"].map(str::to_owned).to_vec();
    let game = GameText {
        name: "four moves".to_owned(),
        game: "cover",
        size: 2,
        start: None,
        swap: false,
        notation: None,
        moves,
    };
    let (asked, found_at) = (Cell::new(0), Cell::new(None));
    let mut subject = |query: &Query| {
        asked.set(asked.get() + 1);
        match (&query.position, query.moves.len()) {
            (None, 0..=3) => Ok(replay(query)),
            _ => Err("no position, and no game of four moves".to_owned()),
        }
    };
    let watch = |step: Step<'_>| {
        if matches!(step, Step::Found(_)) {
            found_at.set(Some(asked.get()));
        }
        ControlFlow::Continue(())
    };
    let kit = Conformance::cover(1).sizes([]).games([game]).shrink_for(Duration::ZERO);
    let found = kit.run_watched(&mut subject, watch).counterexample.unwrap();
    assert_eq!((found.game.moves.len(), found.least), (4, false));
    assert_eq!(found_at.get(), Some(asked.get()));
}

#[cfg(unix)]
#[test]
fn programs_that_fail_are_told_from_programs_that_are_wrong() {
    let query = Query::new("havannah", 4, false, vec!["a1".to_owned()]);
    let failure = |command: &str, timeout: u64| {
        External::new(command, Duration::from_millis(timeout)).replay(&query).unwrap_err()
    };
    assert!(failure("exit 3", 5000).starts_with("the program ended (exit status: 3)"));
    assert!(failure("read l; kill -9 $$", 5000).starts_with("the program ended (signal: 9"));
    assert!(failure("no-such-program-anywhere 2>/dev/null", 5000).starts_with("the program ended"));
    assert_eq!(
        failure("read l; echo hello; cat", 5000),
        "not JSON (expected value at line 1 column 1): hello"
    );
    assert!(failure("cat", 5000).starts_with("no `ok` that is true or false"));
    assert_eq!(
        failure("read l; echo '{\"id\":7,\"ok\":true,\"to_move\":\"black\",\"outcome\":null}'; cat", 5000),
        "the answer has the `id` 7, the question has 1"
    );
    let start = Instant::now();
    assert_eq!(
        failure("read l; sleep 30", 200),
        "no answer within 200ms: a program must read line by line, and flush its output after each answer"
    );
    assert!(start.elapsed() < Duration::from_secs(10), "a program that hangs is ended");
    let flood = "read l; head -c 3000000 /dev/zero | tr '\\0' 'x'; echo; cat";
    assert_eq!(failure(flood, 20_000), "an answer of 3000000 bytes: at most 1048576");
}

#[cfg(unix)]
#[test]
fn a_program_is_started_again_after_it_has_failed() {
    // A program that answers one question and ends.
    let command = "read l; echo '{\"id\":1,\"ok\":true,\"to_move\":\"black\",\"outcome\":null}'";
    let mut once = External::new(command, Duration::from_secs(5));
    let query = Query::new("havannah", 4, false, vec!["a1".to_owned()]);
    assert!(once.replay(&query).unwrap().is_ok());
    assert!(once.replay(&query).is_err());
    let again = once.replay(&query).unwrap_err();
    assert_eq!(again, "the answer has the `id` 1, the question has 3");
}

/// The slow judge of Cachex as a subject.
fn cachex_judge(query: &Query) -> Result<QueryResult, String> {
    let size = query.size.and_then(|s| u8::try_from(s).ok()).ok_or("no size")?;
    let mut judge = CachexJudge::new(size, Options::default()).map_err(|e| e.to_string())?;
    let reader = cachex::Position::new(size).map_err(|e| e.to_string())?;
    for (at, text) in query.moves.iter().enumerate() {
        let played = reader.parse_move(text).is_ok_and(|mv| judge.play(mv).is_ok());
        if !played {
            return Ok(Err(Fault { at: Some(at), ..Fault::new("illegal", text) }));
        }
    }
    let mut legal = Vec::new();
    judge.legal_moves(&mut legal);
    Ok(Ok(State {
        to_move: cachex::colour(judge.to_move()).to_owned(),
        outcome: judge.outcome().map(|o| outcome_name::<cachex::Position>(o).to_owned()),
        how: Some(judge.ending().iter().map(|ending| ending.name().to_owned()).collect()),
        legal: Some(legal.len() as u64),
        ..State::default()
    }))
}

#[test]
fn right_rules_of_cachex_agree() {
    let kit = Conformance::cachex(5).sizes(3..=6).random_games(10);
    let report = kit.run(&mut cachex_judge);
    assert_eq!(report.counterexample, None, "{}", report.counterexample.clone().unwrap());
    assert!(report.games >= 4 * 13, "{}", report.games);
    let ends: Vec<QueryResult> = kit.corpus().map(|game| replay(&game.query(game.moves.clone()))).collect();
    for how in ["connection", "repetition"] {
        let told = |end: &QueryResult| {
            end.as_ref().is_ok_and(|state| state.how.as_deref() == Some(&[how.to_owned()]))
        };
        assert!(ends.iter().any(told), "no game ends by {how}");
    }
}

#[test]
fn a_steal_that_forgets_to_transpose_is_found() {
    let mut wrong = |query: &Query| {
        let mut query = query.clone();
        if query.moves.get(1).is_some_and(|mv| mv == "steal") {
            // Wrong rules: red's first stone is mirrored on the diagonal before the steal.
            let first: Vec<&str> = query.moves[0].split(',').collect();
            query.moves[0] = format!("{},{}", first[first.len() - 1], first[0]);
        }
        Ok(replay(&query))
    };
    let report = Conformance::cachex(5).sizes([4]).random_games(20).run(&mut wrong);
    let found = report.counterexample.expect("a disagreement");
    assert!(found.game.moves.len() <= 5 && found.game.moves[1] == "steal", "{found}");
}
