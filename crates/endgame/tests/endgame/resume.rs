//! Interrupted builds that go on, and damaged checkpoints.

use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::graph::{Nodes, go_on, random_graph};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_endgame::example::Heaps;
use stonework_endgame::{Checkpoint, Options, Progress, SolveError, Stage, Table, resume, solve};
use stonework_files::{ByteWriter, Disk, DiskFault, Kept, Simulated};

/// A file of one test, removed at the end.
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

/// Builds interrupted early and late, with links and without, that go on in another way, give the same bytes.
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
        let ways = [None, sweeps].map(|bytes| Options { threads: 2, bytes });
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
        // Many interruptions, with a few levels between two of them.
        for level in (2..=longest).step_by(4) {
            assert!(resume(&space, &ways[0], &checkpoint, &mut stop_at(level)).is_err());
        }
        assert_eq!(resume(&space, &ways[1], &checkpoint, &mut go_on).unwrap().table, whole.table);
        checkpoint.remove().unwrap();
    }
    assert!(!place.0.exists());
}

/// A build that is interrupted again and again, in each stage, does a little more each time.
#[test]
fn a_build_that_is_stopped_in_every_stage_loses_nothing() {
    let place = Place::new("stages");
    // Written when the build stops, and at no other time.
    let checkpoint = place.checkpoint().every(Duration::from_secs(3600));
    // More chunks than one slice has.
    let space = Heaps(250);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let graph = Nodes::new(random_graph(140_000, 3, &mut rng));
    let tight = Some(2 * (140_000 + 140));
    for bytes_allowed in [None, tight] {
        let options = Options { threads: 1, bytes: bytes_allowed };
        let whole = solve(&graph, &options, &mut go_on).unwrap();
        let mut seen = Vec::new();
        // Stops at the first report that is further than all before.
        let mut furthest = (0, 0);
        loop {
            let mut stop_further = |progress: Progress| {
                let stage = match progress.stage {
                    Stage::Survey | Stage::Verify => 0,
                    Stage::Link => 1,
                    Stage::Level(level) => 2 + u64::from(level),
                };
                let is_new = (stage, progress.done) > furthest && stage < 5;
                if is_new && progress.done < progress.of {
                    furthest = (stage, progress.done);
                    seen.push(progress.stage);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            match resume(&graph, &options, &checkpoint, &mut stop_further) {
                Err(SolveError::Stopped) => {}
                solved => {
                    let solved = solved.unwrap();
                    assert!(bytes(&solved.table) == bytes(&whole.table));
                    assert_eq!((solved.bytes, solved.linked), (whole.bytes, whole.linked));
                    break;
                }
            }
        }
        assert!(seen.contains(&Stage::Survey), "{seen:?}");
        assert_eq!(seen.contains(&Stage::Link), whole.linked, "{seen:?}");
        assert!(seen.iter().any(|stage| matches!(stage, Stage::Level(_))), "{seen:?}");
        checkpoint.remove().unwrap();
    }
    let table = resume(&space, &Options::default(), &checkpoint, &mut go_on).unwrap().table;
    assert_eq!(table, solve(&space, &Options::default(), &mut go_on).unwrap().table);
    checkpoint.remove().unwrap();
}

/// A stopped build writes a checkpoint, whatever the interval.
#[test]
fn a_build_that_is_stopped_writes_a_checkpoint_first() {
    let place = Place::new("stopped");
    let checkpoint = Checkpoint::new(&place.0, "graph", "of this test").every(Duration::from_secs(3600));
    let options = Options::default();
    for level in [0, 20] {
        assert_eq!(resume(&Heaps(90), &options, &checkpoint, &mut stop_at(level)), Err(SolveError::Stopped));
        assert!(place.0.exists(), "level {level}");
    }
    let mut levels = Vec::new();
    let solved = resume(&Heaps(90), &options, &checkpoint, &mut |progress| {
        levels.push(progress.stage);
        ControlFlow::Continue(())
    });
    assert_eq!(solved.unwrap().table, solve(&Heaps(90), &options, &mut go_on).unwrap().table);
    assert!(levels.iter().all(|stage| matches!(stage, Stage::Level(20..))), "{levels:?}");
}

/// A disk that fails at each of its operations in turn: the build may end with an error, and the next build gives the
/// same table.
#[test]
fn a_disk_that_fails_anywhere_costs_time_and_nothing_else() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let graph = Nodes::new(random_graph(1_000, 3, &mut rng));
    let options = Options { threads: 1, bytes: None };
    let whole = bytes(&solve(&graph, &options, &mut go_on).unwrap().table);
    let kept = |disk: &Simulated| {
        let disk: Arc<dyn Disk> = Arc::new(disk.clone());
        Checkpoint::new("table.part", "graph", "of this test").every(Duration::ZERO).on(disk)
    };
    for fault in [DiskFault::Error, DiskFault::Short, DiskFault::Kill] {
        let mut at = 0;
        loop {
            let disk = Simulated::new();
            disk.fail_at(at, fault);
            let built = resume(&graph, &options, &kept(&disk), &mut go_on);
            let failed = disk.operations() > at;
            if let Ok(solved) = built {
                assert!(bytes(&solved.table) == whole);
            }
            for left in [Kept::Written, Kept::Names, Kept::Synced] {
                let disk = disk.restarted(left);
                let solved = resume(&graph, &options, &kept(&disk), &mut go_on);
                let solved = solved.unwrap_or_else(|error| panic!("{fault:?} at {at}, {left:?}: {error}"));
                assert!(bytes(&solved.table) == whole, "{fault:?} at {at}, {left:?}");
            }
            if !failed {
                break;
            }
            // All of the first operations, then a part of the others: there are hundreds of writes.
            at += 1 + at / 10;
        }
        assert!(at > 100, "{at}");
    }
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
    for cut in 0..good.len() {
        fs::write(&place.0, &good[..cut]).unwrap();
        assert!(go(90, &checkpoint).starts_with("the file is cut off (byte "), "cut at {cut}");
    }
    fs::write(&place.0, [&good[..], b"x"].concat()).unwrap();
    let end = good.len();
    assert_eq!(go(90, &checkpoint), format!("bytes follow the end of the file (byte {end})"));
    // A table is no checkpoint.
    let table = solve(&Heaps(90), &options, &mut go_on).unwrap().table;
    fs::write(&place.0, bytes(&table)).unwrap();
    assert_eq!(go(90, &checkpoint), "the first line is not `stonework partial 3` (byte 0)");
    fs::write(&place.0, &good).unwrap();
    assert_eq!(resume(&Heaps(90), &options, &checkpoint, &mut go_on).unwrap().table, table);
    let nowhere = Checkpoint::new(place.0.join("below"), "graph", "of this test").every(Duration::ZERO);
    let error = resume(&Heaps(90), &options, &nowhere, &mut go_on).unwrap_err();
    assert!(matches!(error, SolveError::Checkpoint { .. }), "{error}");
}

/// The memory for links is taken before they are read, so a file that is too short for its links is refused before.
#[test]
fn a_checkpoint_of_more_links_than_its_bytes_is_refused_before_it_takes_their_memory() {
    let (space, options) = (Heaps(250), Options::default());
    let disk = Simulated::new();
    let checkpoint = Checkpoint::new("part", "nim", "heap 250").on(Arc::new(disk.clone()));
    assert_eq!(resume(&space, &options, &checkpoint, &mut stop_at(3)), Err(SolveError::Stopped));
    let good = disk.content(Path::new("part")).unwrap();
    let text = String::from_utf8_lossy(&good);
    let header: Vec<(&str, &str)> =
        text.lines().skip(1).take(7).map(|line| line.split_once(' ').unwrap()).collect();
    for links in [65_535 * 251, 1_u64 << 40, u64::MAX] {
        let shown = links.to_string();
        let fields: Vec<(&str, &str)> = header
            .iter()
            .map(|&(name, value)| (name, if name == "links" { &*shown } else { value }))
            .collect();
        let file = ByteWriter::new(Vec::new(), "stonework partial 3", &fields).unwrap().finish().unwrap();
        let len = file.len();
        disk.put(Path::new("part"), &file);
        let error = resume(&space, &options, &checkpoint, &mut go_on).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("checkpoint part: its line `links {links}` tells more than its {len} bytes can hold")
        );
    }
}

/// A checkpoint with right checks and any content is refused, or leads to some table; it ends no program.
#[test]
fn no_content_of_a_checkpoint_is_a_panic() {
    let (space, options) = (Heaps(9), Options { threads: 1, ..Options::default() });
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut refused, mut went_on) = (0, 0);
    for at in 0..3000 {
        let stage = ["survey", "link", "level 0", "level 3"][at % 4];
        let links = [None, Some(0), Some(1), Some(17)][at / 4 % 4];
        let shown = links.map_or("none".to_owned(), |links: usize| links.to_string());
        let fields = [
            ("game", "nim"),
            ("space", "heap 9"),
            ("numbers", "10"),
            ("stage", stage),
            ("chunk", "0"),
            ("late", "no"),
            ("links", &shown),
        ];
        let mut small =
            |most: u32| if rng.next_u32() % 8 == 0 { rng.next_u32() } else { rng.next_u32() % most };
        let mut content: Vec<u8> = (0..10).flat_map(|_| (small(20) as u16).to_le_bytes()).collect();
        if let Some(links) = links {
            content.extend((0..10).flat_map(|_| (small(4) as u16).to_le_bytes()));
            let mut begins: Vec<u32> = (0..10).map(|_| small(1 + links as u32)).collect();
            if small(2) == 0 {
                begins.sort_unstable();
            }
            content.extend(begins.into_iter().flat_map(u32::to_le_bytes));
            let bases = if small(4) == 0 { [small(20), small(20)] } else { [0, links as u32] };
            content.extend(bases.into_iter().flat_map(|base| u64::from(base).to_le_bytes()));
            content.extend((0..links).flat_map(|_| small(20).to_le_bytes()));
        }
        let mut writer = ByteWriter::new(Vec::new(), "stonework partial 3", &fields).unwrap();
        writer.write_all(&content).unwrap();
        let disk = Simulated::new();
        disk.put(Path::new("part"), &writer.finish().unwrap());
        let checkpoint = Checkpoint::new("part", "nim", "heap 9").on(Arc::new(disk));
        match resume(&space, &options, &checkpoint, &mut go_on) {
            Ok(_) => went_on += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && went_on > 100, "{refused} refused, {went_on} went on");
}
