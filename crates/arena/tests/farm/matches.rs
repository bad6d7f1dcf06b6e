//! Games by several workers of a farm: the same games as in one process, checked by the rules, until a test has its verdict.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use stonework_arena::farm::{
    EventCheck, EventPlan, EventWork, Played, RepeatCheck, begun_speed, machine_speed,
};
use stonework_arena::{
    AgentContestant, Contestant, Event, GameLine, Games, Openings, Pace, Score, Sprt, SprtVerdict, Terms,
};
use stonework_farm::{
    Check as _, Coordinator, CoordinatorEvent, Embedded, EmbeddedOptions, Ended, FarmJob, FarmPlan as _,
    FarmWork, WorkSeat, Worked, Worker,
};
use stonework_files::{Disk, Simulated};
use stonework_game::example::Nim;
use stonework_game::{Game, Outcome, Player};
use stonework_roster::{Agent, EngineAgent};
use stonework_search::{Limits, Minimax};

fn event(seed: u64) -> Event<Nim> {
    let start = Nim::new(21);
    let openings = Openings::Random { plies: 3 }.list(&start, 40, seed);
    Event { start, players: 2, terms: Terms::default(), openings, seed }
}

/// Player 0 looks to the end of the game, player 1 one ply ahead.
fn make(player: usize) -> Box<dyn Contestant<Nim>> {
    let limits = if player == 0 { Limits::none() } else { Limits::none().depth(1) };
    Box::new(AgentContestant::new(move |seed| {
        Ok(Box::new(EngineAgent::new(Minimax::new(()), limits.clone(), seed)) as Box<dyn Agent<Nim>>)
    }))
}

fn worker() -> EventWork<Nim> {
    EventWork::new(Box::new(|words: &Value| match words["seed"].as_u64() {
        Some(seed) => {
            Ok(Played { event: Event { openings: Vec::new(), ..event(seed) }, make: Box::new(make) })
        }
        None => Err("another event".to_owned()),
    }))
}

/// A worker that turns the results round.
struct Liar(EventWork<Nim>);

impl FarmWork for Liar {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        let Worked::Done { answer, blobs, nodes } = self.0.work(job, seat) else { return Worked::Left };
        let text = String::from_utf8(answer)
            .unwrap()
            .replace("\"first\"", "\"draw\"")
            .replace("\"second\"", "\"first\"");
        Worked::Done { answer: text.into_bytes(), blobs, nodes }
    }
}

/// Plays an event by workers until the end, or until a test has its verdict. Returns the games, the score and the number
/// of refused reports.
fn play(
    name: &str,
    workers: Vec<Box<dyn FarmWork + Send>>,
    test: Option<Sprt>,
) -> (Vec<GameLine>, Score, u64) {
    let folder = std::env::temp_dir().join(format!("stonework-arena-farm-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let open = || Embedded::open(&folder, &EmbeddedOptions::default()).unwrap();
    let mut score = Score::new(test);
    let (mut games, mut refused) = (Games::default(), 0);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for (number, mut work) in workers.into_iter().enumerate() {
            let (queue, over) = (open(), &over);
            scope.spawn(move || {
                Worker::new(format!("w{number}"), "test 1").run(&queue, &mut *work, over, &mut |_| {})
            });
        }
        let mut watch = |line: &GameLine| {
            score.add(line);
            games.add(line.clone());
            score.verdict() != SprtVerdict::Open
        };
        let own = event(7);
        let mut plan = EventPlan::new(json!({"seed": 7}), &own, 6, None, &mut watch).unwrap();
        let disk: Arc<dyn Disk> = Arc::new(Simulated::new());
        let coordinator = Coordinator::new(disk, PathBuf::from("farm"), "one");
        let check = EventCheck(event(7));
        let ended = coordinator.run(&open(), &mut plan, &check, &AtomicBool::new(false), &mut |event| {
            refused += u64::from(matches!(event, CoordinatorEvent::Refused { .. }));
        });
        over.store(true, Ordering::Relaxed);
        assert_eq!(ended.unwrap(), Ended::Over);
    });
    std::fs::remove_dir_all(&folder).unwrap();
    (games.iter().cloned().collect(), score, refused)
}

fn moves(games: &[GameLine]) -> Vec<(usize, Vec<String>, [u64; 2])> {
    games.iter().map(|line| (line.game, line.moves.clone(), line.seeds)).collect()
}

#[test]
fn games_by_several_workers_are_the_games_of_one_process() {
    let mut here = Games::default();
    event(7).run(&make, &|_| false, 1, &AtomicBool::new(false), &mut |line| here.add(line)).unwrap();
    let here: Vec<GameLine> = here.iter().cloned().collect();
    let (there, ..) = play("same", vec![Box::new(worker()), Box::new(worker())], None);
    assert_eq!(moves(&there), moves(&here));
}

#[test]
fn a_test_with_its_verdict_stops_the_farm() {
    let test: Sprt = "elo0=0,elo1=100".parse().unwrap();
    let (games, score, _) = play("sprt", vec![Box::new(worker()), Box::new(worker())], Some(test));
    assert_eq!(score.verdict(), SprtVerdict::Upper);
    assert!(games.len() < event(7).games(), "{} games", games.len());
}

#[test]
fn another_test_goes_on_from_the_same_decisions() {
    let own = event(7);
    // A sequential test decides after the first game, or after the third job, or never.
    for most in [1, 18, usize::MAX] {
        let (mut first, mut games) = (|_: &GameLine| false, 0);
        let mut watch = |_: &GameLine| {
            games += 1;
            games >= most
        };
        let mut decided = EventPlan::new(json!({"seed": 7}), &own, 6, None, &mut first).unwrap();
        let mut plan = EventPlan::new(json!({"seed": 7}), &own, 6, None, &mut watch).unwrap();
        assert_eq!(plan.identity(), decided.identity());
        for _ in 0..4 {
            let job = decided.next().unwrap();
            assert_eq!(plan.next().map(|job| job.id()), Some(job.id()));
            let Worked::Done { answer, .. } = worker().work(&job, &WorkSeat::default()) else {
                panic!("no answer")
            };
            plan.take(&job, &answer);
        }
        assert_eq!((plan.is_over(), plan.games().len()), (most <= 24, most.min(24)));
    }
}

/// A worker that is gone with its first job: it never reports.
struct Lost;

impl FarmWork for Lost {
    fn work(&mut self, _: &FarmJob, _: &WorkSeat) -> Worked {
        Worked::Left
    }
}

/// A worker that takes its time for each chunk, longer than the term of a lease.
struct Slow(EventWork<Nim>);

impl FarmWork for Slow {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        std::thread::sleep(Duration::from_millis(150));
        self.0.work(job, seat)
    }
}

#[test]
fn lost_and_slow_workers_change_no_game() {
    let workers: Vec<Box<dyn FarmWork + Send>> =
        vec![Box::new(Lost), Box::new(Slow(worker())), Box::new(worker())];
    let (there, score, refused) = play("slow", workers, None);
    let (here, ..) = play("fast", vec![Box::new(worker())], None);
    assert_eq!(moves(&there), moves(&here));
    assert_eq!((score.tally().games(), refused), (event(7).games() as u64, 0));
}

#[test]
fn an_event_with_long_words_is_refused() {
    let mut watch = |_: &GameLine| false;
    let own = event(7);
    let words = json!({"seed": 7, "players": "x".repeat(40_000)});
    assert!(EventPlan::new(words, &own, 2, None, &mut watch).is_err());
}

#[test]
fn a_worker_that_turns_results_round_is_refused() {
    let (there, score, refused) = play("liar", vec![Box::new(Liar(worker())), Box::new(worker())], None);
    assert_eq!((there.len(), score.tally().games()), (event(7).games(), event(7).games() as u64));
    assert!(refused <= 3);
    // The check alone, so that the test does not depend on the order of the workers.
    let mut watch = |_: &GameLine| false;
    let own = event(7);
    let job = EventPlan::new(json!({"seed": 7}), &own, 6, None, &mut watch).unwrap().next().unwrap();
    let Worked::Done { answer, .. } = Liar(worker()).work(&job, &WorkSeat::default()) else {
        panic!("no answer")
    };
    assert!(EventCheck(event(7)).check(&job, &answer, &[]).is_err());
    let Worked::Done { answer, .. } = worker().work(&job, &WorkSeat::default()) else { panic!("no answer") };
    let checked = EventCheck(event(7)).check(&job, &answer, &[]).unwrap();
    assert_eq!(EventCheck(event(7)).check(&job, &checked, &[]).unwrap(), checked);
}

/// A worker whose player 0 looks one ply ahead, too: its games are legal, and their results are right.
fn weak_worker() -> EventWork<Nim> {
    EventWork::new(Box::new(|words: &Value| {
        let seed = words["seed"].as_u64().ok_or("another event")?;
        let event = Event { openings: Vec::new(), ..event(seed) };
        Ok(Played { event, make: Box::new(|_| make(1)) })
    }))
}

#[test]
fn games_of_other_players_are_found_by_playing_a_sample_again() {
    let mut watch = |_: &GameLine| false;
    let own = event(7);
    let mut plan = EventPlan::new(json!({"seed": 7}), &own, 6, None, &mut watch).unwrap();
    let jobs: Vec<FarmJob> = std::iter::from_fn(|| plan.next()).collect();
    let answers = |mut work: EventWork<Nim>| -> Vec<Vec<u8>> {
        let done = |job: &FarmJob| match work.work(job, &WorkSeat::default()) {
            Worked::Done { answer, .. } => answer,
            other => panic!("{other:?}"),
        };
        jobs.iter().map(done).collect()
    };
    let (honest, weak) = (answers(worker()), answers(weak_worker()));
    let refused = |answers: &[Vec<u8>], share: f64, work: EventWork<Nim>| -> Vec<bool> {
        let check = RepeatCheck::new(EventCheck(event(7)), work, share, 0x5ec);
        let refused = |(job, answer): (&FarmJob, &Vec<u8>)| check.check(job, answer, &[]).is_err();
        jobs.iter().zip(answers).map(refused).collect()
    };
    let all = |refused: Vec<bool>| refused.iter().all(|&refused| refused);
    // Rules alone accept the games, and so does a sample of none.
    assert!(!refused(&weak, 0.0, worker()).contains(&true));
    assert!(all(refused(&weak, 1.0, worker())));
    assert!(!refused(&honest, 1.0, worker()).contains(&true));
    // A sample finds some of the jobs, and the secret chooses them.
    let some = refused(&weak, 0.4, worker());
    assert!(some.contains(&true) && some.contains(&false), "{some:?}");
    let check = RepeatCheck::new(EventCheck(event(7)), worker(), 0.4, 0x5ec);
    assert_eq!(jobs.iter().map(|job| check.is_due(job)).collect::<Vec<_>>(), some);
    let other = RepeatCheck::new(EventCheck(event(7)), worker(), 0.4, 0x5ed);
    assert_ne!(jobs.iter().map(|job| other.is_due(job)).collect::<Vec<_>>(), some);
    // A coordinator that cannot play the games refuses nobody.
    let unable = EventWork::new(Box::new(|_: &Value| Err("another event".to_owned())));
    assert!(!refused(&weak, 1.0, unable).contains(&true));
}

#[test]
fn times_follow_the_speed_of_the_machine_or_the_job_is_left() {
    let timed_by = |pace: Pace, speed: Option<f64>| {
        let mut work = EventWork::new(Box::new(move |_: &Value| {
            let terms = Terms { pace, ..Terms::default() };
            Ok(Played { event: Event { terms, ..event(7) }, make: Box::new(make) })
        }));
        let mut watch = |_: &GameLine| false;
        let own = event(7);
        let job = EventPlan::new(json!({}), &own, 2, speed, &mut watch).unwrap().next().unwrap();
        work.work(&job, &WorkSeat::default())
    };
    let timed = |speed: Option<f64>| timed_by(Pace::Move(Duration::from_millis(50)), speed);
    let own = machine_speed(&Nim::new(21));
    assert!(own > 0.0);
    // Four times the longest time is the longest time.
    let endless = Pace::Game { base: Duration::MAX, increment: Duration::MAX };
    assert!(matches!(timed_by(endless, Some(own * 4.0)), Worked::Done { .. }));
    assert!(matches!(timed(Some(own)), Worked::Done { .. }));
    // Times that are meant for another machine by far, and times for no machine.
    assert!(matches!(timed(Some(own * 1000.0)), Worked::Unable(_)));
    assert!(matches!(timed(None), Worked::Unable(_)));
}

#[test]
fn a_job_of_more_games_than_a_job_has_is_left() {
    let event = event(3);
    let mut never = |_: &GameLine| false;
    let mut plan = EventPlan::new(json!({"seed": 3}), &event, 2, None, &mut never).unwrap();
    let job = plan.next().unwrap();
    let body: Value = serde_json::from_slice(job.body()).unwrap();
    for (first, count, fits) in [(0, 2, true), (0, 17, false), (0, usize::MAX, false), (usize::MAX, 2, false)]
    {
        let mut body = body.clone();
        (body["first"], body["count"]) = (json!(first), json!(count));
        let job = FarmJob::new(job.kind(), job.version(), serde_json::to_vec(&body).unwrap()).unwrap();
        match worker().work(&job, &WorkSeat::default()) {
            Worked::Done { .. } => assert!(fits, "{count} from {first}"),
            Worked::Unable(why) => {
                assert!(!fits && why == format!("{count} games from {first}: a job has at most 16"), "{why}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A worker made a list of all rounds before: of up to 400 MB, for a job of 200 bytes.
#[test]
fn a_job_takes_no_memory_for_the_rounds_before_it() {
    let event = event(3);
    let mut never = |_: &GameLine| false;
    let mut plan = EventPlan::new(json!({"seed": 3}), &event, 2, None, &mut never).unwrap();
    let job = plan.next().unwrap();
    let body: Value = serde_json::from_slice(job.body()).unwrap();
    let work = |first: usize, round: usize| {
        let mut body = body.clone();
        (body["first"], body["round"]) = (json!(first), json!(round));
        let job = FarmJob::new(job.kind(), job.version(), serde_json::to_vec(&body).unwrap()).unwrap();
        worker().work(&job, &WorkSeat::default())
    };
    let far = usize::MAX / 2 - 1;
    assert!(matches!(work(2 * far, far), Worked::Done { nodes, .. } if nodes > 3));
    for (first, round) in [(0, 1), (2, 0), (1, 0), (2 * far, far - 1), (0, usize::MAX)] {
        let lacking = first + usize::from(first == 1);
        let said = format!("a job without the opening of its game {lacking}");
        assert_eq!(work(first, round), Worked::Unable(said), "{first} in {round}");
    }
}

#[test]
fn a_plan_goes_on_with_the_speed_of_its_identity() {
    let planned = |speed: Option<f64>| {
        let (mut watch, own) = (|_: &GameLine| false, event(7));
        let mut plan = EventPlan::new(json!({"seed": 7}), &own, 6, speed, &mut watch).unwrap();
        (plan.identity(), plan.next().unwrap().id())
    };
    let speed = machine_speed(&Nim::new(21)) / 3.0;
    let (identity, job) = planned(Some(speed));
    assert_eq!(begun_speed(&identity), Some(speed));
    assert_eq!(planned(begun_speed(&identity)), (identity.clone(), job));
    // Another speed is another campaign, as its jobs are others.
    assert_ne!(planned(Some(speed + 1.0)).0, identity);
    assert_eq!(begun_speed(&planned(None).0), None);
    assert_eq!(begun_speed("games 2: 80 games in chunks of 6, {}"), None);
}

/// A game that never ends: each move passes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Passes(Player);

impl Game for Passes {
    type Move = ();
    type Undo = ();
    type Illegal = Infallible;

    fn to_move(&self) -> Player {
        self.0
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn legal_moves(&self, out: &mut impl Extend<()>) {
        out.extend([()]);
    }

    fn check(&self, (): ()) -> Result<(), Infallible> {
        Ok(())
    }

    fn play_unchecked(&mut self, (): ()) {
        self.0 = self.0.other();
    }

    fn undo(&mut self, (): ()) {
        self.0 = self.0.other();
    }
}

#[test]
fn the_speed_is_measured_by_a_game_without_an_end_too() {
    assert!(machine_speed(&Passes(Player::First)) > 0.0);
}
