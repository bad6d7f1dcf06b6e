//! Tables that are built into files.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use stonework_endgame::example::Heaps;
use stonework_endgame::{
    AnyTable, BuildError, MAX_THREADS, Options, SolveError, Stored, TableBuild, VerifyError, solve, verify,
};
use stonework_files::{Disk, DiskFault, Kept, Simulated};

use crate::graph::go_on;

#[test]
fn threads_are_one_or_more_and_not_too_many() {
    let table = solve(&Heaps(9), &Options { threads: MAX_THREADS, bytes: None }, &mut go_on).unwrap().table;
    for threads in [0, MAX_THREADS + 1] {
        let options = Options { threads, ..Options::default() };
        assert_eq!(solve(&Heaps(9), &options, &mut go_on), Err(SolveError::Threads(threads)));
        let refused = verify(&Heaps(9), &table, &options, &mut go_on);
        assert_eq!(refused, Err(VerifyError::Threads(threads)));
    }
    assert_eq!(SolveError::Threads(0).to_string(), "threads must be 1 to 256, not 0");
    assert!((1..=MAX_THREADS).contains(&Options::default().threads));
}

#[test]
fn a_file_is_built_by_one_process_at_a_time_and_goes_on() {
    let (disk, space, options) = (Simulated::new(), Heaps(200), Options::default());
    let shared = || -> Arc<dyn Disk> { Arc::new(disk.clone()) };
    let build = TableBuild::open("t.table", shared()).unwrap().every(Duration::ZERO);
    let refused = TableBuild::open("t.table", shared()).unwrap_err();
    assert!(matches!(refused, BuildError::Held { .. }), "{refused}");
    assert!(refused.to_string().starts_with("t.table: "), "{refused}");
    let stopped = build.solve(&space, "nim", &"heap 200", &options, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped.unwrap_err(), SolveError::Stopped);
    assert_eq!(build.checkpoint(), Path::new("t.table.part"));
    assert!(disk.content(Path::new("t.table")).is_none());
    drop(build);

    // The checkpoint is an error for another space.
    let build = TableBuild::open("t.table", shared()).unwrap();
    let other = build.solve(&Heaps(100), "nim", &"heap 100", &options, &mut go_on).unwrap_err();
    assert!(matches!(other, SolveError::Checkpoint { .. }), "{other}");
    let solved = build.solve(&space, "nim", &"heap 200", &options, &mut go_on).unwrap();
    assert_eq!(solved.table, solve(&space, &options, &mut go_on).unwrap().table);
    build.store("nim", &"heap 200", &solved.table).unwrap();
    assert!(disk.content(Path::new("t.table.part")).is_none());
    let stored = Stored::open(disk.content(Path::new("t.table")).unwrap()).unwrap();
    stored.expect("nim", "heap 200").unwrap();
    assert_eq!(AnyTable::Stored(stored).into_table().unwrap(), solved.table);
    drop(build);
    assert!(disk.content(Path::new("t.table.lock")).is_none());
}

#[test]
fn a_path_that_no_table_can_have_is_refused_before_the_work() {
    let disk = Simulated::new();
    disk.make_directory(Path::new("tables")).unwrap();
    let refused = TableBuild::open("tables", Arc::new(disk.clone())).unwrap_err();
    assert_eq!(refused.to_string(), "tables: it is a directory");
    assert!(disk.paths().iter().all(|path| path != Path::new("tables.lock")), "{:?}", disk.paths());
    // A table that is there is kept until the new one replaces it.
    disk.put(Path::new("t.table"), b"a table");
    drop(TableBuild::open("t.table", Arc::new(disk.clone())).unwrap());
    assert_eq!(disk.content(Path::new("t.table")).unwrap(), b"a table");
}

/// A kill in the middle of a write leaves a new file beside the checkpoint. It stayed for ever if the rest of the build took so
/// little time that no further checkpoint was written.
#[test]
fn a_stored_table_stands_alone_however_its_build_was_killed() {
    let (space, options) = (Heaps(40), Options { threads: 1, bytes: None });
    let build = |disk: &Simulated, interval: Duration| -> Option<()> {
        let build = TableBuild::open("t.table", Arc::new(disk.clone())).ok()?.every(interval);
        let solved = build.solve(&space, "nim", &"heap 40", &options, &mut go_on).ok()?;
        build.store("nim", &"heap 40", &solved.table).ok().map(drop)
    };
    let mut at = 0;
    loop {
        let disk = Simulated::new();
        disk.fail_at(at, DiskFault::Kill);
        let whole = build(&disk, Duration::ZERO).is_some();
        let after = disk.restarted(Kept::Written);
        build(&after, Duration::from_secs(3600)).unwrap();
        assert_eq!(after.paths(), [Path::new("t.table")], "killed at operation {at}");
        if whole {
            break;
        }
        at += 1;
    }
    assert!(at > 100, "{at}");
}
