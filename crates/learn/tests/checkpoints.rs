//! Laws of checkpoints: a training that is killed at any time and started again gives the bytes of an undisturbed one, and a
//! checkpoint that is damaged or of another training is refused and left as it is.

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_files::{ByteReader, ByteWriter, Disk, DiskFault, Kept, Simulated};
use stonework_learn::{
    MoveSamples, Options, TrainingError, TrainingEvent, TrainingFile, TrainingWatch, ValueSamples,
    train_moves, train_value,
};

const FILE: &str = "nim";
const CHECKPOINT: &str = "nim.checkpoint";
const ROWS: usize = 8;

#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    Values,
    Priors,
}

/// Samples without a sense, which no epoch learns alike.
fn values(seed: u64) -> ValueSamples {
    let (mut rng, mut samples) = (Xoshiro256PlusPlus::seed_from_u64(seed), ValueSamples::new());
    for _ in 0..600 {
        let feature = rng.next_u32() % 8;
        samples.push(&[feature, rng.next_u32() % 8], &[rng.next_u32() % 8], (feature % 3) as f32 / 2.0);
    }
    samples
}

fn moves(seed: u64) -> MoveSamples {
    let (mut rng, mut samples) = (Xoshiro256PlusPlus::seed_from_u64(seed), MoveSamples::new());
    for _ in 0..600 {
        for _ in 0..3 {
            samples.push_move(&[rng.next_u32() % 8, rng.next_u32() % 8]);
        }
        samples.close(&[((rng.next_u32() % 3) as usize, 2.0), (0, 1.0)]);
    }
    samples
}

fn options() -> Options {
    Options { epochs: 3, seed: 7, ..Options::default() }
}

/// The bytes of an undisturbed training.
fn whole(what: What) -> Vec<u8> {
    match what {
        What::Values => train_value(ROWS, &values(1), &options(), &mut |_, _| ()).to_bytes(&[]),
        What::Priors => train_moves(ROWS, &moves(1), &options(), &mut |_, _| ()).to_bytes(&[]),
    }
}

/// Learns with a checkpoint at each moment, and stores the result. `leave` stops the training at an event.
fn learn_until(
    what: What,
    disk: &Simulated,
    options: &Options,
    seed: u64,
    leave: &mut dyn FnMut() -> bool,
) -> Result<(), TrainingError> {
    fn watch<T>(leave: &mut dyn FnMut() -> bool) -> impl FnMut(&TrainingEvent<T>) -> ControlFlow<()> {
        move |_| if leave() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    let disk: Arc<dyn Disk> = Arc::new(disk.clone());
    let file = TrainingFile::open(FILE, &disk)?.every(Duration::ZERO);
    let bytes = match what {
        What::Values => file.train_value(ROWS, &values(seed), options, &mut watch(leave))?.to_bytes(&[]),
        What::Priors => file.train_moves(ROWS, &moves(seed), options, &mut watch(leave))?.to_bytes(&[]),
    };
    file.store(&bytes)
}

fn learn(what: What, disk: &Simulated) -> Result<(), TrainingError> {
    learn_until(what, disk, &options(), 1, &mut || false)
}

/// Checks that the file of the result is the only file, and right.
fn check(disk: &Simulated, whole: &[u8], told: &str) {
    assert_eq!(disk.paths(), [Path::new(FILE)], "{told}");
    assert!(disk.content(Path::new(FILE)).unwrap() == whole, "{told}: other bytes");
}

#[test]
fn a_training_that_fails_or_is_killed_at_any_operation_goes_on_to_the_same_bytes() {
    for what in [What::Values, What::Priors] {
        let whole = whole(what);
        let disk = Simulated::new();
        learn(what, &disk).unwrap();
        check(&disk, &whole, "undisturbed");
        let all = disk.operations();
        assert!(all > 60, "{all} operations");
        for at in 0..all {
            for fault in [DiskFault::Error, DiskFault::Short, DiskFault::Kill] {
                let disk = Simulated::new();
                disk.put(Path::new(FILE), b"an older file");
                disk.fail_at(at, fault);
                let ran = learn(what, &disk);
                for kept in [Kept::Written, Kept::Names, Kept::Synced] {
                    let told = format!("{what:?}, {fault:?} at operation {at} of {all}, {kept:?}: {ran:?}");
                    let after = disk.restarted(kept);
                    let there = after.content(Path::new(FILE)).unwrap();
                    assert!(there == whole || ran.is_err() && there == b"an older file", "{told}");
                    learn(what, &after).unwrap_or_else(|error| panic!("{told}: {error}"));
                    check(&after, &whole, &told);
                }
            }
        }
    }
}

#[test]
fn a_training_that_is_killed_again_and_again_goes_on_to_the_same_bytes() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for what in [What::Values, What::Priors] {
        let whole = whole(what);
        for trial in 0..20 {
            let (mut disk, mut kills) = (Simulated::new(), 0);
            loop {
                disk.fail_at(disk.operations() + (rng.next_u32() % 40) as usize, DiskFault::Kill);
                if learn(what, &disk).is_ok() {
                    break;
                }
                let kept = [Kept::Written, Kept::Names, Kept::Synced][(rng.next_u32() % 3) as usize];
                disk = disk.restarted(kept);
                kills += 1;
                assert!(kills < 500, "{what:?} {trial}: never done");
            }
            let told = format!("{what:?} {trial} after {kills} kills");
            assert!(disk.content(Path::new(FILE)).unwrap() == whole, "{told}");
            // The kill may have come before the lock file was removed.
            let disk = disk.restarted(Kept::Written);
            learn(what, &disk).unwrap();
            check(&disk, &whole, &told);
        }
    }
}

#[test]
fn a_training_that_is_stopped_at_any_event_goes_on_from_there() {
    for what in [What::Values, What::Priors] {
        let whole = whole(what);
        for stop in 0.. {
            let (disk, mut events) = (Simulated::new(), 0);
            let mut leave = || {
                events += 1;
                events > stop
            };
            match learn_until(what, &disk, &options(), 1, &mut leave) {
                // 570 positions in chunks of 256, and the end of the epoch, three times.
                Ok(()) => {
                    assert_eq!(stop, 3 * 4);
                    break;
                }
                Err(error) => assert!(matches!(error, TrainingError::Stopped), "{error}"),
            }
            let (mut events, mut after) = (0, Vec::new());
            let file = TrainingFile::open(FILE, &(Arc::new(disk.clone()) as Arc<dyn Disk>)).unwrap();
            if what == What::Values {
                let mut tell: TrainingWatch<'_, _> = &mut |event| {
                    after.push(*event);
                    ControlFlow::Break(())
                };
                assert!(file.train_value(ROWS, &values(1), &options(), &mut tell).is_err());
                let (epoch, place) = (stop as u32 / 4 + 1, stop % 4);
                let (epoch, done) = if place == 3 { (epoch + 1, 0) } else { (epoch, [256, 512, 570][place]) };
                assert_eq!(after, [TrainingEvent::Resumed { epoch, done, of: 570 }]);
            }
            drop(file);
            learn_until(what, &disk, &options(), 1, &mut || {
                events += 1;
                false
            })
            .unwrap();
            // The event of going on, and those that are left.
            assert_eq!(events, 1 + 11 - stop, "{what:?} after {stop}");
            check(&disk, &whole, &format!("{what:?} after {stop}"));
        }
    }
}

/// A disk with the checkpoint of a training that was stopped in its second epoch.
fn stopped(what: What) -> Simulated {
    let (disk, mut events) = (Simulated::new(), 0);
    let mut leave = || {
        events += 1;
        events == 6
    };
    assert!(learn_until(what, &disk, &options(), 1, &mut leave).is_err());
    disk
}

#[test]
fn a_checkpoint_of_another_training_is_refused_and_stays() {
    let disk = stopped(What::Values);
    let before = disk.content(Path::new(CHECKPOINT)).unwrap();
    let refused = |what: What, options: Options, seed: u64, expected: &str| {
        let error = learn_until(what, &disk, &options, seed, &mut || false).unwrap_err();
        assert!(matches!(error, TrainingError::Checkpoint { .. }), "{error}");
        assert!(error.to_string().starts_with("nim.checkpoint: "), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(disk.content(Path::new(CHECKPOINT)).unwrap(), before);
        assert_eq!(disk.paths(), [Path::new(CHECKPOINT)]);
    };
    refused(What::Values, options(), 2, "other games");
    refused(What::Values, Options { epochs: 4, ..options() }, 1, "other options: `epochs 3");
    refused(What::Values, Options { step: 0.02, ..options() }, 1, "this one has `epochs 3, step 0.02");
    refused(What::Values, Options { held_out: 0.1, ..options() }, 1, "held out 0.1");
    refused(What::Values, Options { seed: 8, ..options() }, 1, "seed 8");
    refused(What::Priors, options(), 1, "other features or another beginning: `values 8`");
    learn(What::Values, &disk).unwrap();
    check(&disk, &whole(What::Values), "after refusals");
}

#[test]
fn every_cut_and_every_changed_byte_of_a_checkpoint_is_refused() {
    for what in [What::Values, What::Priors] {
        let good = stopped(what).content(Path::new(CHECKPOINT)).unwrap();
        let refused = |bytes: &[u8], told: &str| {
            let disk = Simulated::new();
            disk.put(Path::new(CHECKPOINT), bytes);
            let error = learn(what, &disk).expect_err(told);
            assert!(matches!(error, TrainingError::Checkpoint { .. }), "{told}: {error}");
            assert_eq!(disk.content(Path::new(CHECKPOINT)).unwrap(), bytes, "{told}");
        };
        let step = good.len() / 500 + 1;
        for at in (0..good.len()).step_by(step) {
            refused(&good[..at], &format!("{what:?} cut at {at}"));
            let mut changed = good.clone();
            changed[at] ^= 1 << (at % 8);
            refused(&changed, &format!("{what:?} changed at {at}"));
        }
        refused(&[&good[..], b"x"].concat(), "more");
    }
}

/// A checkpoint with other header lines and content, and right checks.
fn forged(good: &[u8], edit: impl FnOnce(&mut Vec<String>, &mut Vec<u8>)) -> Vec<u8> {
    const FIELDS: [&str; 7] = ["program", "learns", "options", "samples", "epoch", "place", "next"];
    let (mut reader, mut values) = ByteReader::new(good, "stonework learning 1", &FIELDS).unwrap();
    let mut content = Vec::new();
    reader.read_to_end(&mut content).unwrap();
    edit(&mut values, &mut content);
    let fields: Vec<(&str, &str)> = FIELDS.into_iter().zip(values.iter().map(String::as_str)).collect();
    let mut writer = ByteWriter::new(Vec::new(), "stonework learning 1", &fields).unwrap();
    writer.write_all(&content).unwrap();
    writer.finish().unwrap()
}

#[test]
fn a_forged_checkpoint_is_refused_with_the_line_or_the_number() {
    let good = stopped(What::Priors).content(Path::new(CHECKPOINT)).unwrap();
    assert_eq!(forged(&good, |_, _| ()), good);
    let line = |at: usize, value: &str| forged(&good, |values, _| values[at] = value.to_owned());
    // Eight weights, eight squares, the loss of the best epoch, and its eight weights.
    let float = |at: usize, value: f32| {
        forged(&good, |_, content| content[4 * at..4 * at + 4].copy_from_slice(&value.to_le_bytes()))
    };
    let loss = |value: f64| forged(&good, |_, content| content[64..72].copy_from_slice(&value.to_le_bytes()));
    for (bytes, expected) in [
        (line(0, "0.0.0"), "another version of the program: `0.0.0`"),
        (line(4, "0"), "`epoch 0`"),
        (line(4, "5"), "`epoch 5`"),
        (line(4, "+2"), "`epoch +2`"),
        (line(4, "18446744073709551615"), "`epoch 18446744073709551615`"),
        (line(4, "4"), "`place 512`"),
        (line(4, "3"), "means nothing"),
        (line(5, "571"), "`place 571`"),
        (line(5, "0512"), "`place 0512`"),
        (line(6, "0123456789abcdef"), "`next 0123456789abcdef`"),
        (float(2, f32::NAN), "its number 3 is NaN"),
        (float(9, f32::INFINITY), "its number 10 is inf"),
        (float(9, 0.0), "its number 10 is 0"),
        (float(20, f32::NEG_INFINITY), "its number 20 is -inf"),
        (loss(f64::NAN), "its number 17 is NaN"),
        (loss(-1.0), "its number 17 is -1"),
        (forged(&good, |_, content| content.truncate(100)), "less content"),
        (forged(&good, |_, content| content.push(0)), "more content"),
    ] {
        let disk = Simulated::new();
        disk.put(Path::new(CHECKPOINT), &bytes);
        let error = learn(What::Priors, &disk).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
        assert_eq!(disk.content(Path::new(CHECKPOINT)).unwrap(), bytes);
    }
}

#[test]
fn a_second_training_of_a_file_is_refused() {
    let disk: Arc<dyn Disk> = Arc::new(Simulated::new());
    let first = TrainingFile::open(FILE, &disk).unwrap();
    assert!(matches!(TrainingFile::open(FILE, &disk), Err(TrainingError::Held { .. })));
    drop(first);
    assert!(TrainingFile::open(FILE, &disk).is_ok());
}

/// The refusal came at the end of the training.
#[test]
fn a_path_that_no_result_can_replace_is_refused_before_the_training() {
    let disk = Simulated::new();
    disk.make_directory(Path::new("values")).unwrap();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let refused = TrainingFile::open("values", &shared).unwrap_err();
    assert_eq!(refused.to_string(), "values: it is a directory");
    assert!(disk.paths().iter().all(|path| path != Path::new("values.lock")), "{:?}", disk.paths());
}
