//! Games whose lines are long: what does not fit one report, or no line of a log.

use std::convert::Infallible;
use std::fmt;

use serde_json::{Value, json};
use stonework_arena::farm::{
    EventCheck, EventPlan, EventWork, Played, SelfPlayPlan, SelfPlayWork, SelfPlayed, TrialCheck, TrialPlan,
    Tuning,
};
use stonework_arena::self_play::SelfPlay;
use stonework_arena::tune::{Dimension, Spsa, Trial, TrialLine};
use stonework_arena::{AgentContestant, Contestant, Event, GameLine, Openings, Terms};
use stonework_engine::{Engine, Limits};
use stonework_farm::{Check as _, FarmJob, FarmPlan as _, FarmWork as _, MAX_ANSWER, WorkSeat, Worked};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_roster::{Agent, EngineAgent};
use stonework_search::Minimax;

/// A game of six plies, whose one move has a long name.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Long {
    left: u32,
    letters: usize,
    to_move: Player,
}

impl Long {
    fn new(letters: usize) -> Self {
        Self { left: 6, letters, to_move: Player::First }
    }
}

impl Game for Long {
    type Move = ();
    type Undo = ();
    type Illegal = Infallible;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(self.to_move.other()))
    }

    fn legal_moves(&self, out: &mut impl Extend<()>) {
        out.extend((self.left > 0).then_some(()));
    }

    fn check(&self, (): ()) -> Result<(), Infallible> {
        Ok(())
    }

    fn play_unchecked(&mut self, (): ()) {
        (self.left, self.to_move) = (self.left - 1, self.to_move.other());
    }

    fn undo(&mut self, (): ()) {
        (self.left, self.to_move) = (self.left + 1, self.to_move.other());
    }
}

impl Textual for Long {
    fn write_move(&self, (): (), w: &mut dyn fmt::Write) -> fmt::Result {
        w.write_str(&"x".repeat(self.letters))
    }
}

fn event(letters: usize) -> Event<Long> {
    let start = Long::new(letters);
    let openings = Openings::Random { plies: 0 }.list(&start, 10, 7);
    Event { start, players: 2, terms: Terms::default(), openings, seed: 7 }
}

fn work(letters: usize) -> EventWork<Long> {
    let make = |_| -> Box<dyn Contestant<Long>> {
        Box::new(AgentContestant::new(|seed| {
            let agent = EngineAgent::new(Minimax::new(()), Limits::none(), seed);
            Ok(Box::new(agent) as Box<dyn Agent<Long>>)
        }))
    };
    EventWork::new(Box::new(move |words: &Value| {
        let seed = words["seed"].as_u64().unwrap_or(7);
        let event = Event { openings: Vec::new(), seed, ..event(letters) };
        Ok(Played { event, make: Box::new(make) })
    }))
}

fn body(job: &FarmJob) -> (u64, u64) {
    let body: Value = serde_json::from_slice(job.body()).unwrap();
    (body["first"].as_u64().unwrap(), body["count"].as_u64().unwrap())
}

#[test]
fn games_that_do_not_fit_an_answer_go_into_another_job() {
    // A game has 12 kB: five games fit an answer.
    let (own, check) = (event(2000), EventCheck(event(2000)));
    let mut order = Vec::new();
    let mut watch = |line: &GameLine| {
        order.push(line.game);
        false
    };
    let mut plan = EventPlan::new(json!({}), &own, 16, None, &mut watch).unwrap();
    let mut jobs = Vec::new();
    while let Some(job) = plan.next() {
        let Worked::Done { answer, .. } = work(2000).work(&job, &WorkSeat::default()) else {
            panic!("no answer to {:?}", body(&job))
        };
        assert!(answer.len() <= MAX_ANSWER);
        let checked = check.check(&job, &answer, &[]).unwrap();
        assert_eq!(check.check(&job, &checked, &[]).unwrap(), checked);
        // An answer without games, or without the first one, is no answer.
        let mut other: Value = serde_json::from_slice(&answer).unwrap();
        let games = other["games"].as_array_mut().unwrap();
        drop(games.remove(0));
        assert!(check.check(&job, other.to_string().as_bytes(), &[]).is_err());
        other["games"] = json!([]);
        assert!(check.check(&job, other.to_string().as_bytes(), &[]).is_err());
        jobs.push(body(&job));
        plan.take(&job, &checked);
    }
    assert!(plan.is_over());
    assert_eq!(jobs, [(0, 16), (5, 11), (10, 6), (15, 1), (16, 4)]);
    assert_eq!(order, (0..20).collect::<Vec<_>>());
}

#[test]
fn a_game_that_fits_no_answer_is_a_failure_with_its_reason() {
    let failed = |worked: Worked, said: &[&str]| match worked {
        Worked::Failed(why) => assert!(said.iter().all(|said| why.contains(said)), "{why}"),
        other => panic!("{other:?}"),
    };
    let own = event(12_000);
    let mut watch = |_: &GameLine| false;
    let job = EventPlan::new(json!({}), &own, 4, None, &mut watch).unwrap().next().unwrap();
    failed(work(12_000).work(&job, &WorkSeat::default()), &["1 games from 0", "72", "65536"]);
    // A trial needs both games.
    let start = Long::new(6000);
    let space = vec![Dimension { name: "depth".into(), start: 2.0, least: 1.0, most: 9.0, whole: true }];
    let (mut tuner, mut watch) = (Spsa::new(space, 1, 1, 5), |_: &TrialLine| ());
    let (words, openings) = (|trial: &Trial| json!({"seed": trial.seed}), Openings::Random { plies: 0 });
    let (name, trials) = (json!("long"), 1);
    let tuning = Tuning { name, words: &words, start: &start, openings: &openings, speed: None, trials };
    let job = TrialPlan::new(tuning, &mut tuner, &mut watch).unwrap().next().unwrap();
    failed(work(6000).work(&job, &WorkSeat::default()), &["2 games from 0", "65536"]);
    let Worked::Done { answer, .. } = work(2000).work(&job, &WorkSeat::default()) else {
        panic!("no answer")
    };
    let check = TrialCheck { start: Long::new(2000), terms: Terms::default() };
    let mut one: Value = serde_json::from_slice(&check.check(&job, &answer, &[]).unwrap()).unwrap();
    drop(one["games"].as_array_mut().unwrap().pop());
    assert!(check.check(&job, one.to_string().as_bytes(), &[]).is_err());
}

#[test]
fn self_play_whose_games_no_file_holds_is_a_failure_with_its_reason() {
    // One move is longer than a line of a log.
    let mut work = SelfPlayWork::new(Box::new(|_: &Value| {
        let play = SelfPlay::new(Long::new(1 << 20), 7);
        let make = || Ok(Box::new(Minimax::new(())) as Box<dyn Engine<Long>>);
        Ok(SelfPlayed { play, limits: Limits::none(), make: Box::new(make), prover: None })
    }));
    let job = SelfPlayPlan::new(json!({}), 3..4, 1).unwrap().next().unwrap();
    match work.work(&job, &WorkSeat::default()) {
        Worked::Failed(why) => assert!(why.contains("game 3: ") && why.contains("1048512"), "{why}"),
        other => panic!("{:?}", std::mem::discriminant(&other)),
    }
}
