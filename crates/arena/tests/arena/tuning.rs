//! Tuners on landscapes with a known maximum, with results as noisy as games.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;
use stonework_arena::Log;
use stonework_arena::tune::{Dimension, Generations, Spsa, Trial, TrialLine, Tuner, plot, score_by, tune};

fn parameter(name: &str, start: f64, least: f64, most: f64, whole: bool) -> Dimension {
    Dimension { name: name.to_owned(), start, least, most, whole }
}

/// A hill with its maximum at (3, 40), 200 Elo above the corners of the ranges.
fn strength(values: &[f64]) -> f64 {
    let (x, y) = ((values[0] - 3.0) / 5.0, (values[1] - 40.0) / 50.0);
    -200.0 * (x * x + y * y)
}

fn space() -> Vec<Dimension> {
    vec![parameter("x", 8.0, 1.0, 10.0, false), parameter("y", 90.0, 10.0, 100.0, true)]
}

fn run(tuner: &mut dyn Tuner, threads: usize) {
    tune(tuner, &score_by(strength), None, Vec::new(), threads, &AtomicBool::new(false), &mut |_| {})
        .unwrap();
}

/// The mean distance in Elo between the maximum and the results of a tuner, over some seeds.
fn missing(make: impl Fn(u64) -> Box<dyn Tuner>) -> f64 {
    let seeds = 8;
    let lost = |seed| {
        let mut tuner = make(seed);
        run(&mut *tuner, 1);
        -strength(&tuner.best())
    };
    (0..seeds).map(lost).sum::<f64>() / seeds as f64
}

#[test]
fn spsa_climbs_a_noisy_hill() {
    let start = -strength(&[8.0, 90.0]);
    let end = missing(|seed| Box::new(Spsa::new(space(), 1000, 4, seed)));
    assert!(start > 300.0 && end < 25.0, "{start} Elo were missing, {end} are");
}

#[test]
fn generations_climb_a_noisy_hill() {
    let start = -strength(&[8.0, 90.0]);
    let end = missing(|seed| Box::new(Generations::new(space(), 10, 150, seed)));
    assert!(start > 300.0 && end < 60.0, "{start} Elo were missing, {end} are");
}

#[test]
fn values_stay_in_range_and_whole_numbers_whole() {
    let mut tuners: [Box<dyn Tuner>; 2] =
        [Box::new(Spsa::new(space(), 60, 3, 5)), Box::new(Generations::new(space(), 6, 30, 5))];
    for tuner in &mut tuners {
        for _ in 0..60 {
            let trials = tuner.trials();
            for Trial { a, b, .. } in &trials {
                for values in [a, b] {
                    assert!((1.0..=10.0).contains(&values[0]) && (10.0..=100.0).contains(&values[1]));
                    assert!(values[1].fract().abs() < f64::EPSILON);
                }
            }
            if trials.is_empty() {
                break;
            }
            // The larger values always win, so the tuner goes to the edge of the range.
            let scores: Vec<f64> = trials.iter().map(|t| if t.a > t.b { 1.0 } else { 0.0 }).collect();
            tuner.learn(&scores);
        }
        assert!(tuner.best()[0] > 7.0, "{:?}", tuner.best());
    }
}

/// A whole number with few values is tried on both sides of its present value.
#[test]
fn spsa_tries_different_whole_numbers() {
    let spsa = Spsa::new(vec![parameter("n", 2.0, 1.0, 3.0, true)], 5, 4, 1);
    assert!(spsa.trials().iter().all(|trial| trial.a != trial.b), "{:?}", spsa.trials());
}

#[test]
fn a_pool_that_agrees_is_finished() {
    let mut pool = Generations::new(space(), 4, 10_000, 3);
    run(&mut pool, 1);
    for i in 0..2 {
        let values: Vec<f64> = pool.pool().iter().map(|set| set[i]).collect();
        let (least, most) =
            (values.iter().copied().fold(f64::MAX, f64::min), values.iter().copied().fold(0.0, f64::max));
        assert!(most - least <= 0.1 * most, "{values:?}");
    }
    let curves = pool.trace();
    assert_eq!(curves[1].0, "spread");
    assert!(curves[0].1.len() < 10_000 && curves[0].1.iter().all(|share| (0.5..=1.0).contains(share)));
    assert_eq!(plot("generations", &curves).matches("<polyline").count(), 4);
}

/// The test stops a tuner after some trials, cuts the log in the middle of a line, and resumes. The result is that of
/// a tuner without interruption.
#[test]
fn killed_tuning_ends_where_it_would_have() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let header = json!({"what": "tuning"});
    let make: [fn() -> Box<dyn Tuner>; 2] =
        [|| Box::new(Spsa::new(space(), 30, 3, 9)), || Box::new(Generations::new(space(), 5, 12, 9))];
    for (index, make) in make.into_iter().enumerate() {
        let mut whole = make();
        run(&mut *whole, 2);
        let path = folder.join(format!("tuning-{index}.jsonl"));
        let _ = std::fs::remove_file(&path);
        let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
        let landscape = score_by(strength);
        let (mut log, none) = Log::open::<TrialLine>(&path, &header).unwrap();
        assert!(none.is_empty());
        tune(&mut *make(), &landscape, Some(&mut log), none, 2, &stop, &mut |_| {
            if count.fetch_add(1, Ordering::Relaxed) == 40 {
                stop.store(true, Ordering::Relaxed);
            }
        })
        .unwrap();
        drop(log);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
        let (mut log, done) = Log::open(&path, &header).unwrap();
        let (known, played) = (done.len(), AtomicUsize::new(0));
        assert!(known >= 39, "{known}");
        let counted = |trial: &Trial| {
            played.fetch_add(1, Ordering::Relaxed);
            landscape(trial)
        };
        let mut resumed = make();
        tune(&mut *resumed, &counted, Some(&mut log), done, 1, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!((resumed.best(), resumed.trace()), (whole.best(), whole.trace()));
        drop(log);
        let (_, all) = Log::open::<TrialLine>(&path, &header).unwrap();
        assert_eq!(all.len(), known + played.into_inner());
        // `tune` refuses a score that no pair of games has, and a log with other values.
        for score in [-0.5, 1.5, f64::NAN] {
            let mut odd = all.clone();
            odd[3].score = score;
            let error = tune(&mut *make(), &landscape, None, odd, 1, &AtomicBool::new(false), &mut |_| {});
            assert!(error.unwrap_err().to_string().contains("a score from 0 to 1"));
        }
        let other = Box::new(Spsa::new(space(), 30, 3, 10));
        let mut other: Box<dyn Tuner> = other;
        let error = tune(&mut *other, &landscape, None, all, 1, &AtomicBool::new(false), &mut |_| {});
        assert!(error.unwrap_err().to_string().contains("round 0, trial 0 of the log has other values"));
    }
}
