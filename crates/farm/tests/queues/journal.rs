//! The journal on disks that fail, and files that are cut or damaged.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use stonework_farm::laws::{Squares, SquaresCheck, SquaresWork, Temper};
use stonework_farm::{
    Coordinator, CoordinatorEvent, Embedded, EmbeddedOptions, Ended, Journal, JournalError, Worker,
};
use stonework_files::{Disk, DiskFault, Kept, Simulated};

use crate::Folder;

/// The term of the queues.
const TERM: Duration = Duration::from_millis(300);

const PATH: &str = "journal";

fn records() -> Vec<Vec<u8>> {
    (0..100_u32).map(|number| vec![number as u8; (number as usize * 7) % 40]).collect()
}

fn written() -> (Simulated, Vec<u8>) {
    let disk = Simulated::new();
    let mut journal = Journal::open(Arc::new(disk.clone()), Path::new(PATH), &mut |_| {}).unwrap();
    for group in records().chunks(9) {
        journal.append(group).unwrap();
    }
    let bytes = disk.content(Path::new(PATH)).unwrap();
    (disk, bytes)
}

fn open(disk: &Simulated) -> Result<(Journal, Vec<Vec<u8>>), JournalError> {
    let mut found = Vec::new();
    let disk: Arc<dyn Disk> = Arc::new(disk.clone());
    let journal = Journal::open(disk, Path::new(PATH), &mut |record| found.push(record.to_vec()))?;
    Ok((journal, found))
}

#[test]
fn a_journal_cut_at_any_byte_has_its_whole_records_and_grows_on() {
    let (_, bytes) = written();
    let mut whole = 0;
    for cut in 0..=bytes.len() {
        let disk = Simulated::new();
        disk.put(Path::new(PATH), &bytes[..cut]);
        let (mut journal, found) = open(&disk).unwrap();
        assert_eq!(found, records()[..found.len()], "cut at {cut}");
        assert!(found.len() == whole || found.len() == whole + 1, "cut at {cut}");
        whole = found.len();
        journal.append(&[b"more".to_vec()]).unwrap();
        drop(journal);
        let (_, again) = open(&disk).unwrap();
        assert_eq!(
            (again.len(), again.last().unwrap().as_slice()),
            (whole + 1, &b"more"[..]),
            "cut at {cut}"
        );
    }
    assert_eq!(whole, 100);
}

#[test]
fn a_damaged_byte_is_refused_with_its_place_and_never_read() {
    let (_, bytes) = written();
    for at in 0..bytes.len() {
        let disk = Simulated::new();
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x11;
        disk.put(Path::new(PATH), &damaged);
        match open(&disk) {
            Err(JournalError::Damaged { at: place, .. }) => assert!(place <= at as u64),
            Err(error) => panic!("{error}"),
            // The last record: it cannot be told from an unfinished one.
            Ok((_, found)) => assert_eq!(found, records()[..99], "byte {at}"),
        }
    }
}

#[test]
fn blanks_at_the_end_are_an_unfinished_record() {
    let (_, mut bytes) = written();
    bytes.extend([0; 5000]);
    let disk = Simulated::new();
    disk.put(Path::new(PATH), &bytes);
    assert_eq!(open(&disk).unwrap().1.len(), 100);
}

#[test]
fn a_last_record_whose_end_is_blank_from_any_byte_on_is_unfinished() {
    let (_, bytes) = written();
    let last = 12 + records()[99].len();
    for kept in 0..last {
        let mut torn = bytes.clone();
        torn[bytes.len() - last + kept..].fill(0);
        // The blank block may be longer than the record.
        for more in [0, 3000] {
            torn.resize(bytes.len() + more, 0);
            let disk = Simulated::new();
            disk.put(Path::new(PATH), &torn);
            let (_, found) = open(&disk).unwrap_or_else(|error| panic!("{kept} bytes: {error}"));
            assert_eq!(found, records()[..99], "{kept} bytes");
        }
        // A block of zeros in a record that was written whole is damage.
        if kept < 12 {
            let mut damaged = bytes.clone();
            let head = bytes.len() - last;
            damaged[head + kept..head + 12].fill(0);
            is_damaged(&damaged, kept);
        }
    }
}

/// Checks that a journal is refused whose last head ends in zeros after some bytes, and whose last record is whole.
fn is_damaged(bytes: &[u8], kept: usize) {
    let disk = Simulated::new();
    disk.put(Path::new(PATH), bytes);
    match open(&disk) {
        Err(JournalError::Damaged { record, .. }) => assert_eq!(record, 99, "{kept} bytes"),
        // The length is right: the record cannot be told from an unfinished one.
        Ok((_, found)) => assert!(kept >= 8 && found == records()[..99], "{kept} bytes"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn an_append_on_a_disk_that_fails_counts_whole_or_not_at_all() {
    for fault in [DiskFault::Error, DiskFault::Short, DiskFault::Kill] {
        for operation in 0.. {
            let (disk, _) = written();
            let (mut journal, _) = open(&disk).unwrap();
            disk.fail_at(disk.operations() + operation, fault);
            let more = [b"one".to_vec(), b"two".to_vec()];
            let first = journal.append(&more).is_ok();
            // A disk that has failed once works again, unless the process is gone.
            let second = first || journal.append(&more).is_ok();
            assert!(second || fault == DiskFault::Kill, "{fault:?} at {operation}");
            let count = open(&disk.restarted(Kept::Synced)).unwrap().1.len();
            if second {
                assert_eq!(count, 102, "{fault:?} at {operation}");
            } else {
                assert!((100..=102).contains(&count), "{fault:?} at {operation}");
            }
            if first {
                break;
            }
        }
    }
}

/// Runs a campaign on a disk with a worker beside it, until it ends or the disk has failed twice in a row.
fn run(folder: &Folder, disk: &Simulated) -> (Option<Ended>, (u64, u32)) {
    let (stop, over) = (AtomicBool::new(false), AtomicBool::new(false));
    let mut plan = Squares::new(4);
    let coordinator = Coordinator::new(Arc::new(disk.clone()), "farm", "one");
    std::thread::scope(|scope| {
        let queue = folder.open_with(TERM);
        let over = &over;
        scope.spawn(move || {
            let mut work = SquaresWork::new(Temper::Honest, Duration::from_millis(1));
            Worker::new("worker", "test").run(&queue, &mut work, over, &mut |_| {})
        });
        let mut troubles = 0;
        let ended =
            coordinator.run(
                &folder.open_with(TERM),
                &mut plan,
                &SquaresCheck,
                &stop,
                &mut |event| match event {
                    CoordinatorEvent::Trouble(..) => {
                        troubles += 1;
                        stop.store(troubles >= 2, Ordering::Relaxed);
                    }
                    CoordinatorEvent::Decided(_) => troubles = 0,
                    _ => {}
                },
            );
        over.store(true, Ordering::Relaxed);
        (ended.ok(), plan.sum())
    })
}

#[test]
fn a_coordinator_on_a_disk_that_fails_or_dies_at_any_operation_loses_nothing() {
    let all = {
        let (folder, disk) = (Folder::new(), Simulated::new());
        assert_eq!(run(&folder, &disk), (Some(Ended::Over), (30, 1)));
        disk.operations()
    };
    // The campaigns mostly wait, so many of them run at the same time.
    let next = AtomicUsize::new(0);
    let faults = [DiskFault::Error, DiskFault::Short, DiskFault::Kill];
    std::thread::scope(|scope| {
        for _ in 0..24 {
            let next = &next;
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let (operation, fault) = (number / 3, faults[number % 3]);
                    if operation >= all {
                        break;
                    }
                    let (folder, disk) = (Folder::new(), Simulated::new());
                    disk.fail_at(operation, fault);
                    let first = run(&folder, &disk);
                    if first.0 == Some(Ended::Over) {
                        assert_eq!(first.1, (30, 1), "{fault:?} at {operation}");
                    }
                    let after = disk.restarted(Kept::Synced);
                    let second = run(&folder, &after);
                    assert_eq!(second, (Some(Ended::Over), (30, 1)), "{fault:?} at {operation}");
                }
            });
        }
    });
}

#[test]
fn a_queue_that_is_full_goes_on_when_there_is_space() {
    let folder = Folder::new();
    let options = EmbeddedOptions { term: TERM, most_bytes: Some(140 << 10) };
    let disk = Simulated::new();
    let (stop, over) = (AtomicBool::new(false), AtomicBool::new(false));
    let mut plan = Squares::new(60);
    let coordinator = Coordinator::new(Arc::new(disk), "farm", "one");
    let mut troubles = 0;
    let full = std::thread::scope(|scope| {
        let queue = Embedded::open(&folder.0, &options).unwrap();
        let over = &over;
        scope.spawn(move || {
            // Proofs of 8 KB: the row of decisions soon fills the file.
            let mut work = SquaresWork { bytes: 8 << 10, ..SquaresWork::new(Temper::Honest, Duration::ZERO) };
            Worker::new("worker", "test").run(&queue, &mut work, over, &mut |_| {})
        });
        let queue = Embedded::open(&folder.0, &options).unwrap();
        let ended = coordinator.run(&queue, &mut plan, &SquaresCheck, &stop, &mut |event| {
            if let CoordinatorEvent::Trouble(why, _) = event {
                troubles += 1;
                assert!(why.contains("full") || why.contains("no space"), "{why}");
                stop.store(troubles >= 3, Ordering::Relaxed);
            }
        });
        over.store(true, Ordering::Relaxed);
        ended
    });
    assert!(troubles >= 3, "{full:?}");
    // The owner makes space.
    let mut plan = Squares::new(60);
    let (stop, over) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let queue = folder.open_with(TERM);
        let over = &over;
        scope.spawn(move || {
            let mut work = SquaresWork { bytes: 8 << 10, ..SquaresWork::new(Temper::Honest, Duration::ZERO) };
            Worker::new("worker", "test").run(&queue, &mut work, over, &mut |_| {})
        });
        let ended = coordinator.run(&folder.open_with(TERM), &mut plan, &SquaresCheck, &stop, &mut |_| {});
        over.store(true, Ordering::Relaxed);
        assert_eq!(ended.unwrap(), Ended::Over);
    });
    assert_eq!(plan.sum(), (73810, 1));
}
