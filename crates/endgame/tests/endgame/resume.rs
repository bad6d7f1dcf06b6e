//! Builds that are broken off and go on, and checkpoints that are damaged.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use crate::graph::{Nodes, go_on, random_graph};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_endgame::doc::Heaps;
use stonework_endgame::{Checkpoint, Options, Progress, SolveError, Stage, Table, resume, solve};

/// A file of this test's own, gone afterwards.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("stonework-endgame-{}-{name}", std::process::id())))
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint::new(&self.0, "graph", "of this test").every(Duration::ZERO)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn stop_at(level: u16) -> impl FnMut(Progress) -> ControlFlow<()> {
    move |progress| match progress.stage {
        Stage::Level(at) if at >= level => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

fn bytes(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.write("graph", "of this test", &mut bytes).unwrap();
    bytes
}

/// Stopped early and late, with links and without, and gone on in another way: the same bytes.
#[test]
fn what_is_broken_off_goes_on_to_the_same_bytes() {
    let place = Place::new("goes-on");
    let checkpoint = place.checkpoint();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    for outside in [0, 25] {
        let graph = random_graph(4_200, 6, &mut rng);
        let judged = crate::graph::judge(&graph);
        let mut space = Nodes::new(graph);
        for (known, value) in space.known.iter_mut().zip(judged) {
            *known = (rng.next_u32() % 100 < outside).then_some(value);
        }
        let whole = solve(&space, &Options::default(), &mut go_on).unwrap();
        let sweeps = Some(2 * (4_200 + 2));
        let ways = [None, sweeps].map(|bytes| Options { threads: NonZeroUsize::new(2).unwrap(), bytes });
        let longest = whole.table.statistics().longest_win.unwrap().0;
        assert!(longest > 5, "{longest}");
        for (first, second) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for level in [2, longest / 2, longest] {
                let stopped = resume(&space, &ways[first], &checkpoint, &mut stop_at(level));
                assert_eq!(stopped, Err(SolveError::Stopped), "{level} of {longest}");
                assert!(place.0.exists());
                let solved = resume(&space, &ways[second], &checkpoint, &mut go_on).unwrap();
                assert!(bytes(&solved.table) == bytes(&whole.table), "{level}");
                checkpoint.remove().unwrap();
            }
        }
        // Many times, a few levels at a time.
        for level in (2..=longest).step_by(4) {
            assert!(resume(&space, &ways[0], &checkpoint, &mut stop_at(level)).is_err());
        }
        assert_eq!(resume(&space, &ways[1], &checkpoint, &mut go_on).unwrap().table, whole.table);
        checkpoint.remove().unwrap();
    }
    assert!(!place.0.exists());
    // Killed while it wrote a checkpoint, a build leaves the beginning of one beside the last.
    let beside = PathBuf::from(format!("{}.new", place.0.display()));
    fs::write(&beside, b"stonework").unwrap();
    checkpoint.remove().unwrap();
    assert!(!beside.exists());
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused_and_kept() {
    let place = Place::new("refused");
    let checkpoint = place.checkpoint();
    let options = Options::default();
    let go = |heaps: u8, checkpoint: &Checkpoint| {
        let refused = resume(&Heaps(heaps), &options, checkpoint, &mut go_on).unwrap_err();
        refused.to_string().split_once(&format!("{}: ", place.0.display())).unwrap().1.to_owned()
    };
    assert!(resume(&Heaps(90), &options, &checkpoint, &mut stop_at(20)).is_err());
    let good = fs::read(&place.0).unwrap();
    assert_eq!(go(91, &checkpoint), "a table of 91 numbers for a space of 92");
    let other = Checkpoint::new(&place.0, "graph", "of another test");
    assert_eq!(go(90, &other), "a table of `graph of this test`, not of `graph of another test`");
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 4;
        fs::write(&place.0, &bad).unwrap();
        go(90, &checkpoint);
        assert_eq!(fs::read(&place.0).unwrap(), bad);
    }
    let last = good.len() - 1;
    let mut bad = good.clone();
    bad[last] ^= 4;
    fs::write(&place.0, &bad).unwrap();
    assert_eq!(go(90, &checkpoint), "block 0 (numbers from 0) is damaged");
    fs::write(&place.0, &good[..last]).unwrap();
    assert!(go(90, &checkpoint).starts_with("the file has"));
    // A table is no checkpoint.
    let table = solve(&Heaps(90), &options, &mut go_on).unwrap().table;
    fs::write(&place.0, bytes(&table)).unwrap();
    assert_eq!(go(90, &checkpoint), "it does not begin with `stonework partial 2`");
    fs::write(&place.0, &good).unwrap();
    assert_eq!(resume(&Heaps(90), &options, &checkpoint, &mut go_on).unwrap().table, table);
    let nowhere = Checkpoint::new(place.0.join("below"), "graph", "of this test").every(Duration::ZERO);
    let error = resume(&Heaps(90), &options, &nowhere, &mut go_on).unwrap_err();
    assert!(matches!(error, SolveError::Checkpoint { .. }), "{error}");
}
