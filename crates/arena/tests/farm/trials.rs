//! Tuning by several workers of a farm: the trials and the values of one process.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use stonework_arena::farm::{EventWork, Played, TrialCheck, TrialPlan, Tuning};
use stonework_arena::tune::{Dimension, Generations, Spsa, Trial, TrialLine, Tuner, score_by_games, tune};
use stonework_arena::{AgentContestant, Contestant, Event, Openings, Terms};
use stonework_farm::{
    Check as _, Coordinator, CoordinatorEvent, Embedded, EmbeddedOptions, FarmJob, FarmPlan as _, FarmWork,
    WorkSeat, Worked, Worker,
};
use stonework_files::{Disk, Simulated};
use stonework_game::example::Nim;
use stonework_roster::{Agent, EngineAgent};
use stonework_search::{Limits, Minimax};

const START: u8 = 17;

fn space() -> Vec<Dimension> {
    vec![Dimension { name: "depth".into(), start: 2.0, least: 1.0, most: 9.0, whole: true }]
}

fn spsa() -> Spsa {
    Spsa::new(space(), 6, 3, 5)
}

fn openings() -> Openings<u8> {
    Openings::Random { plies: 2 }
}

/// A player that looks ahead so many plies.
fn make(values: &[f64]) -> Box<dyn Contestant<Nim>> {
    let limits = Limits::none().depth(values[0] as u32);
    Box::new(AgentContestant::new(move |seed| {
        Ok(Box::new(EngineAgent::new(Minimax::new(()), limits.clone(), seed)) as Box<dyn Agent<Nim>>)
    }))
}

fn words(trial: &Trial) -> Value {
    json!({"players": [trial.a, trial.b], "seed": trial.seed})
}

fn work() -> EventWork<Nim> {
    EventWork::new(Box::new(|words: &Value| {
        let players: Vec<Vec<f64>> =
            serde_json::from_value(words["players"].clone()).map_err(|error| error.to_string())?;
        let seed = words["seed"].as_u64().ok_or("no seed")?;
        let (terms, openings) = (Terms::default(), Vec::new());
        let event = Event { start: Nim::new(START), players: 2, terms, openings, seed };
        Ok(Played { event, make: Box::new(move |player| make(&players[player])) })
    }))
}

fn check() -> TrialCheck<Nim> {
    TrialCheck { start: Nim::new(START), terms: Terms::default() }
}

/// The trials and the best values of one process.
fn alone(openings: &Openings<u8>, mut tuner: impl Tuner) -> (Vec<TrialLine>, Vec<f64>) {
    let (stop, start) = (AtomicBool::new(false), Nim::new(START));
    let play = score_by_games(&start, Terms::default(), openings, make, &stop);
    let mut lines = Vec::new();
    tune(&mut tuner, &play, None, Vec::new(), 1, &stop, &mut |line| lines.push(line.clone())).unwrap();
    (lines, tuner.best())
}

/// Runs a function with the plan of a tuner. Returns the trials in their order.
fn planned(
    openings: &Openings<u8>,
    tuner: &mut dyn Tuner,
    run: impl FnOnce(&mut TrialPlan<'_, Nim>),
) -> Vec<TrialLine> {
    let (start, mut lines) = (Nim::new(START), Vec::new());
    let mut watch = |line: &TrialLine| lines.push(line.clone());
    let name = json!("spsa of depth");
    let tuning = Tuning { name, words: &words, start: &start, openings, speed: None, trials: 18 };
    run(&mut TrialPlan::new(tuning, tuner, &mut watch).unwrap());
    lines.sort_by_key(|line| (line.round, line.trial));
    lines
}

fn answer(job: &FarmJob) -> Vec<u8> {
    let Worked::Done { answer, .. } = work().work(job, &WorkSeat::default()) else { panic!("no games") };
    answer
}

#[test]
fn a_farm_tunes_to_the_values_of_one_process() {
    let folder = std::env::temp_dir().join(format!("stonework-arena-trials-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let open = || Embedded::open(&folder, &EmbeddedOptions::default()).unwrap();
    let disk = Simulated::new();
    let mut resumed = 0;
    // The first coordinator is stopped after 7 trials, in the third round.
    for most in [7, usize::MAX] {
        let (stop, over, mut decided) = (AtomicBool::new(false), AtomicBool::new(false), 0);
        let mut tuner = spsa();
        let lines = planned(&openings(), &mut tuner, |plan| {
            std::thread::scope(|scope| {
                for name in ["one", "two"] {
                    let (queue, over) = (open(), &over);
                    let run = move || Worker::new(name, "test 1").run(&queue, &mut work(), over, &mut |_| {});
                    scope.spawn(run);
                }
                let disk: Arc<dyn Disk> = Arc::new(disk.clone());
                let coordinator = Coordinator::new(disk, PathBuf::from("farm"), "one");
                let ended = coordinator.run(&open(), plan, &check(), &stop, &mut |event| {
                    if let CoordinatorEvent::Leads { decided, .. } = event {
                        resumed = *decided;
                    }
                    decided += usize::from(matches!(event, CoordinatorEvent::Decided(_)));
                    stop.store(decided >= most, Ordering::Relaxed);
                });
                over.store(true, Ordering::Relaxed);
                ended.unwrap();
            });
        });
        if most == usize::MAX {
            assert_eq!((lines, tuner.best()), alone(&openings(), spsa()));
            assert!(resumed >= 7, "{resumed} trials of the journal");
        } else {
            // In the round that was not finished the later trial may have come first.
            let all = alone(&openings(), spsa()).0;
            assert!(lines.iter().all(|line| all.contains(line)), "{lines:?}");
            assert!((7..18).contains(&lines.len()), "{} trials", lines.len());
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_order_of_reports_does_not_matter_and_a_round_waits_for_its_last_one() {
    for backwards in [false, true] {
        let mut pool = Generations::new(space(), 3, 4, 11);
        let lines = planned(&openings(), &mut pool, |plan| {
            while !plan.is_over() {
                let mut jobs: Vec<FarmJob> = std::iter::from_fn(|| plan.next()).collect();
                assert_eq!(jobs.len(), 3, "the pairings of one round");
                if backwards {
                    jobs.reverse();
                }
                for job in jobs {
                    let answer = check().check(&job, &answer(&job), &[]).unwrap();
                    plan.take(&job, &answer);
                    // Once more counts nothing.
                    plan.take(&job, &answer);
                }
            }
        });
        assert_eq!((lines, pool.best()), alone(&openings(), Generations::new(space(), 3, 4, 11)));
    }
}

#[test]
fn the_trials_of_a_book_play_all_its_lines() {
    let book = Openings::book("1\n2\n1 1\n", &Nim::new(START)).unwrap();
    let mut tuner = Spsa::new(space(), 1, 24, 5);
    let mut played = BTreeSet::new();
    let lines = planned(&book, &mut tuner, |plan| {
        let jobs: Vec<FarmJob> = std::iter::from_fn(|| plan.next()).collect();
        for job in jobs {
            let body: Value = serde_json::from_slice(job.body()).unwrap();
            played.insert(body["openings"].to_string());
            plan.take(&job, &check().check(&job, &answer(&job), &[]).unwrap());
        }
    });
    let all = [r#"[["1","1"]]"#, r#"[["1"]]"#, r#"[["2"]]"#];
    assert!(played.iter().map(String::as_str).eq(all), "{played:?}");
    // One process plays the same lines of the book.
    assert_eq!((lines, tuner.best()), alone(&book, Spsa::new(space(), 1, 24, 5)));
}

#[test]
fn a_trial_with_other_seeds_openings_or_results_is_refused() {
    let mut tuner = spsa();
    let mut jobs = Vec::new();
    planned(&openings(), &mut tuner, |plan| jobs.extend(std::iter::from_fn(|| plan.next())));
    let (first, second) = (answer(&jobs[0]), answer(&jobs[1]));
    let checked = check().check(&jobs[0], &first, &[]).unwrap();
    assert_eq!(check().check(&jobs[0], &checked, &[]).unwrap(), checked);
    // The games of another trial, which has another seed.
    assert!(check().check(&jobs[0], &second, &[]).is_err());
    let text = String::from_utf8(first).unwrap();
    let turned = text.replace("\"first\"", "\"draw\"").replace("\"second\"", "\"first\"");
    assert!(check().check(&jobs[0], turned.as_bytes(), &[]).is_err());
    // The job of a match has no seed of a trial.
    let mut body: Value = serde_json::from_slice(jobs[0].body()).unwrap();
    body.as_object_mut().unwrap().remove("seed");
    let job = FarmJob::new(jobs[0].kind(), jobs[0].version(), body.to_string()).unwrap();
    assert!(check().check(&job, text.as_bytes(), &[]).unwrap_err().contains("seed"));
}
