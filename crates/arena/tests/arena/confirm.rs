//! The check of the games of a log against the rules.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stonework_arena::{AgentContestant, Contestant, Event, GameLine, Openings, Terms, Won};
use stonework_game::example::Nim;
use stonework_roster::{Agent, Clock, Decision, EngineAgent};
use stonework_search::{Limits, Minimax};

struct Resigns;

impl Agent<Nim> for Resigns {
    fn new_game(&mut self) {}

    fn decide(&mut self, _: &Nim, _: &Clock) -> Option<Decision<u8>> {
        Some(Decision::Resign)
    }
}

fn thinker() -> Box<dyn Contestant<Nim>> {
    let make =
        |seed| Ok(Box::new(EngineAgent::new(Minimax::new(()), Limits::none(), seed)) as Box<dyn Agent<Nim>>);
    Box::new(AgentContestant::new(make))
}

fn resigning() -> Box<dyn Contestant<Nim>> {
    Box::new(AgentContestant::new(|_| Ok(Box::new(Resigns) as Box<dyn Agent<Nim>>)))
}

fn missing() -> Box<dyn Contestant<Nim>> {
    Box::new(AgentContestant::new(|_| Err("there is none".to_owned())))
}

fn event(max_plies: Option<u32>) -> Event<Nim> {
    let start = Nim::new(20);
    let openings = Openings::Random { plies: 2 }.list(&start, 3, 5);
    let terms = Terms { max_plies, grace: Duration::from_secs(60), ..Terms::default() };
    Event { start, players: 2, terms, openings, seed: 5 }
}

fn games(event: &Event<Nim>, second: fn() -> Box<dyn Contestant<Nim>>) -> Vec<GameLine> {
    let mut lines = Vec::new();
    let make = move |player: usize| if player == 0 { thinker() } else { second() };
    event.run(&make, &|_| false, 1, &AtomicBool::new(false), &mut |line| lines.push(line)).unwrap();
    lines
}

/// A change of a line.
type Edit = fn(&mut GameLine);

const EDITS: [(&str, Edit); 16] = [
    ("another winner", |line| line.result = if line.result == Won::First { Won::Second } else { Won::First }),
    ("a draw", |line| line.result = Won::Draw),
    ("another reason", |line| line.reason = "ruLes".into()),
    ("a fault after the end", |line| line.reason = "died: so it is said".into()),
    ("no such move", |line| line.moves[3] = "zz9".into()),
    ("an illegal move", |line| line.moves[3] = "17".into()),
    ("no moves", |line| line.moves.clear()),
    ("a move less", |line| _ = line.moves.pop()),
    ("a move after the end", |line| line.moves.push("1".to_owned())),
    ("another opening", |line| line.moves[0] = if line.moves[0] == "1" { "2" } else { "1" }.into()),
    ("a longer opening", |line| line.opening = 99),
    ("a time before the beginning", |line| line.seconds[1] = -1.0),
    ("a time that is no number", |line| line.cpu_seconds[0] = Some(f64::NAN)),
    ("other players", |line| line.players = [7, 9]),
    ("other seeds", |line| line.seeds[0] ^= 1),
    ("a game that there is not", |line| line.game = 1_000_000_000_000_000_000),
];

#[test]
fn every_game_that_was_played_is_confirmed_and_no_edited_one() {
    let event = event(None);
    for line in games(&event, thinker) {
        assert_eq!(event.confirm(&line), Ok(()));
        for (what, edit) in EDITS {
            let mut edited = line.clone();
            edit(&mut edited);
            assert!(event.confirm(&edited).is_err(), "{what}: {edited:?}");
        }
    }
}

#[test]
fn games_that_ended_otherwise_are_confirmed_with_their_loser() {
    let other = |line: &GameLine| GameLine {
        result: if line.result == Won::First { Won::Second } else { Won::First },
        ..line.clone()
    };
    let (plain, stopped) = (event(None), event(Some(4)));
    for line in games(&plain, resigning) {
        assert_eq!(line.reason, "resigned");
        assert_eq!(plain.confirm(&line), Ok(()));
        let error = plain.confirm(&other(&line)).unwrap_err().to_string();
        assert!(error.contains("the result is not"), "{error}");
    }
    for line in games(&plain, missing) {
        assert_eq!((line.reason.as_str(), line.moves.len()), ("does not start: there is none", 0));
        assert_eq!(plain.confirm(&line), Ok(()));
    }
    // The limit of plies is within the opening.
    let short = event(Some(1));
    for line in games(&short, thinker) {
        assert_eq!(
            (line.result, line.moves.len(), line.reason.as_str()),
            (Won::Draw, 2, "stopped after 1 plies")
        );
        assert_eq!(short.confirm(&line), Ok(()));
        let more = line.moves.iter().chain([&"1".to_owned()]).cloned().collect();
        assert!(short.confirm(&GameLine { moves: more, ..line }).is_err());
    }
    for line in games(&stopped, thinker) {
        assert_eq!((line.result, line.reason.as_str()), (Won::Draw, "stopped after 4 plies"));
        assert_eq!(stopped.confirm(&line), Ok(()));
        assert!(
            plain.confirm(&line).is_err()
                && stopped.confirm(&GameLine { result: Won::First, ..line }).is_err()
        );
    }
}
