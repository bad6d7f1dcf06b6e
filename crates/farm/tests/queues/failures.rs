//! Jobs that fail: at some workers, and at all.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use stonework_farm::laws::{Squares, SquaresCheck};
use stonework_farm::{
    Blob, CoordinateError, Coordinator, Embedded, Ended, JobOffer, JobOutcome, MAX_FAILURES, Queue as _,
    Spent, WorkReport,
};
use stonework_files::Simulated;

use crate::Folder;

/// A worker by its name, which fails or does its job.
struct Hand<'a>(&'a Embedded);

impl Hand<'_> {
    /// Takes the next job and reports. Returns `false` if no job comes.
    fn work(&self, worker: &str, can: bool) -> bool {
        let JobOffer::Job(lease) = self.0.lease(worker, Duration::from_millis(300)).unwrap() else {
            return false;
        };
        let number: u64 = std::str::from_utf8(lease.job.body()).unwrap().parse().unwrap();
        let square = (number * number).to_string().into_bytes();
        let (outcome, blobs) = if can {
            (JobOutcome::Done { body: square.clone(), blobs: vec![Blob::of(&square)] }, vec![square])
        } else {
            (JobOutcome::Failed { why: "no memory".to_owned() }, Vec::new())
        };
        let (worker, build) = (worker.to_owned(), "test 1".to_owned());
        let report = WorkReport { job: lease.job.id(), worker, build, spent: Spent::default(), outcome };
        self.0.report(Some(&lease), &report, &blobs).unwrap();
        true
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
