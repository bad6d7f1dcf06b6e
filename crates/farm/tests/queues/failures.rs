//! Jobs that fail: at some workers, and at all; and a queue that has no space for what follows.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use stonework_farm::laws::{Squares, SquaresCheck};
use stonework_farm::{
    Blob, CoordinateError, Coordinator, CoordinatorEvent, Embedded, Ended, JobOffer, JobOutcome, MAX_BAD,
    MAX_FAILURES, Progress, Queue as _, Spent, WorkReport,
};
use stonework_files::Simulated;

use crate::Folder;
use crate::deposed::{Lossy, Lost};
use crate::odd::Ends;

/// A worker by its name, which fails or does its job.
struct Hand<'a>(&'a Embedded);

impl Hand<'_> {
    /// Takes the next job and reports. Returns `false` if no job comes.
    fn work(&self, worker: &str, can: bool) -> bool {
        self.offered(worker, can, 0) == Some(true)
    }

    /// Takes the next job and reports its square, to which a liar adds a number. `Some(false)` if the worker is shut out, `None`
    /// if no job comes.
    fn offered(&self, worker: &str, can: bool, lie: u64) -> Option<bool> {
        let lease = match self.0.lease(worker, Duration::from_millis(300)).unwrap() {
            JobOffer::Job(lease) => lease,
            JobOffer::ShutOut => return Some(false),
            _ => return None,
        };
        let number: u64 = std::str::from_utf8(lease.job.body()).unwrap().parse().unwrap();
        let square = (number * number + lie).to_string().into_bytes();
        let (outcome, blobs) = if can {
            (JobOutcome::Done { body: square.clone(), blobs: vec![Blob::of(&square)] }, vec![square])
        } else {
            (JobOutcome::Failed { why: "no memory".to_owned() }, Vec::new())
        };
        let (worker, build) = (worker.to_owned(), "test 1".to_owned());
        let report = WorkReport { job: lease.job.id(), worker, build, spent: Spent::default(), outcome };
        self.0.report(Some(&lease), &report, &blobs).unwrap();
        Some(true)
    }

    /// Works until a time without a job.
    fn to_the_end(&self, worker: &str) {
        while self.work(worker, true) {}
    }
}

/// The squares of 1 and 2, one after the other, beside a function that plays the workers.
fn campaign(workers: impl FnOnce(&Hand<'_>) + Send) -> Result<Ended, CoordinateError> {
    let folder = Folder::new();
    let (queue, stop) = (folder.open(), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| workers(&Hand(&folder.open())));
        let coordinator = Coordinator::new(Arc::new(Simulated::new()), "farm", "one");
        coordinator.run(&queue, &mut Squares::new(2), &SquaresCheck, &stop, &mut |_| {})
    })
}

#[test]
fn two_workers_that_fail_at_everything_end_no_campaign_of_others() {
    let ended = campaign(|hand| {
        assert!(hand.work("able", true));
        // The able worker is at a long job elsewhere, and the two that fail are idle again and again.
        for _ in 0..=2 * MAX_FAILURES {
            assert!(hand.work("a", false) && hand.work("b", false), "the campaign goes on");
        }
        assert!(hand.work("able", true));
    });
    assert_eq!(ended.unwrap(), Ended::Over);
}

#[test]
fn a_job_that_fails_at_eight_workers_ends_the_campaign() {
    let ended = campaign(|hand| {
        assert!(hand.work("able", true));
        for worker in 1..=MAX_FAILURES {
            assert!(hand.work(&format!("worker-{worker}"), false));
        }
    });
    assert!(matches!(ended, Err(CoordinateError::Job { times: MAX_FAILURES, .. })), "{ended:?}");
}

#[test]
fn a_job_that_fails_at_all_workers_again_and_again_ends_the_campaign() {
    for others in [&[][..], &["b"]] {
        let ended = campaign(|hand| {
            assert!(hand.work("a", true));
            let names = ["a"].iter().chain(others).cycle();
            let failures = names.take_while(|name| hand.work(name, false)).count();
            assert_eq!(failures, 4 * MAX_FAILURES as usize);
        });
        assert!(matches!(&ended, Err(CoordinateError::Job { why, .. }) if why == "no memory"), "{ended:?}");
    }
}

/// The squares of 1 and 2 over a queue without space. Returns the last state.
fn without_space(lost: Lost, workers: impl FnOnce(&Hand<'_>) + Send) -> Progress {
    let folder = Folder::new();
    let (queue, stop) = (Lossy::new(folder.open(), lost), AtomicBool::new(false));
    let mut last = Progress::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            // A campaign that has not ended when the workers have never does.
            let _ends = Ends(&stop);
            workers(&Hand(&folder.open()));
        });
        let coordinator = Coordinator::new(Arc::new(Simulated::new()), "farm", "one");
        let mut plan = Squares::new(2);
        let ended = coordinator.run(&queue, &mut plan, &SquaresCheck, &stop, &mut |event| {
            if let CoordinatorEvent::Progress(progress) = event {
                last = (*progress).clone();
            }
        });
        assert_eq!((ended.unwrap(), plan.sum()), (Ended::Over, (5, 1)), "{lost:?}");
    });
    assert!(queue.full.load(Ordering::Relaxed) > 0, "{lost:?}: the queue had space");
    last
}

/// Its jobs and reports have space, or come to have it: a status that cannot be stored ended the intake of reports.
#[test]
fn a_queue_without_space_for_a_status_takes_reports() {
    let last = without_space(Lost::Status, |hand| hand.to_the_end("able"));
    assert_eq!(last.decided, 2);
}

/// A report that was judged came again while its job could not be published: one failure counted as many, and one lie shut its
/// worker out.
#[test]
fn a_report_counts_once_while_its_job_waits_for_space() {
    let last = without_space(Lost::Again, |hand| {
        assert!(hand.work("a", false));
        thread::sleep(Duration::from_secs(2));
        hand.to_the_end("a");
    });
    assert_eq!((last.decided, last.failed), (2, 1));
    let last = without_space(Lost::Again, |hand| {
        assert_eq!(hand.offered("a", true, 1), Some(true));
        thread::sleep(Duration::from_secs(2));
        hand.to_the_end("a");
    });
    assert_eq!((last.decided, last.refused, last.shut_out), (2, 1, Vec::<String>::new()));
}

#[test]
fn a_liar_is_shut_out_once_the_queue_answers() {
    let last = without_space(Lost::ShutOut, |hand| {
        let lies = (0..20).map(|_| hand.offered("liar", true, 1)).take_while(|end| *end != Some(false));
        let lies = lies.count();
        assert!((MAX_BAD as usize..20).contains(&lies), "{lies}");
        hand.to_the_end("able");
    });
    assert_eq!(last.shut_out, ["liar"]);
}
