//! The laws on the queue in a file.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_farm::laws::{self, Carrier, Squares, SquaresCheck, SquaresWork, Temper};
use stonework_farm::{
    Control, Coordinator, Embedded, EmbeddedOptions, Ended, FarmJob, JobOffer, Leading, Queue, Worker,
    WorkerEnd,
};
use stonework_files::Simulated;

use crate::Folder;

impl Carrier for Folder {
    fn connect(&self) -> Arc<dyn Queue> {
        Arc::new(self.open_with(Duration::from_millis(400)))
    }

    fn interrupt(&self) {}
}

#[test]
fn the_file_keeps_the_laws_of_queues() {
    laws::queue(Folder::new).unwrap();
}

#[test]
fn a_farm_on_a_file_keeps_its_laws() {
    laws::farm(Folder::new).unwrap();
}

#[test]
fn each_coordinator_sets_the_term_of_all_workers() {
    let folder = Folder::new();
    let open = |term| folder.open_with(Duration::from_millis(term));
    let worker = open(10_000);
    for (number, term) in [300, 700].into_iter().enumerate() {
        let (coordinator, own) = (open(term), Duration::from_millis(term));
        let Leading::Taken(lead) = coordinator.lead("one").unwrap() else { panic!("held") };
        assert_eq!(coordinator.term(), own);
        coordinator.publish(&[FarmJob::new("law", 1, [number as u8]).unwrap()]).unwrap();
        let JobOffer::Job(_) = worker.lease("w", Duration::ZERO).unwrap() else { panic!("no job") };
        assert_eq!(worker.term(), own, "the worker extends its leases by the term of the coordinator");
        assert_eq!(open(10_000).term(), own, "another worker has the term of the file");
        // A coordinator that stands by changes nothing.
        let other = open(5000);
        assert!(matches!(other.lead("other").unwrap(), Leading::Held { .. }));
        assert_eq!((other.term(), open(100).term()), (own, own));
        coordinator.resign(&lead).unwrap();
    }
}

#[test]
fn a_worker_waits_for_the_coordinator_of_a_campaign_that_was_over() {
    let folder = Folder::new();
    let queue = folder.connect();
    queue.set_control(Control::Over).unwrap();
    let (mut plan, never) = (Squares::new(6), AtomicBool::new(false));
    let worker = Worker::new("early", "test 1").waits(Duration::from_secs(60));
    std::thread::scope(|scope| {
        let hand = scope.spawn(|| {
            let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
            worker.run(&*folder.connect(), &mut work, &never, &mut |_| {}).unwrap()
        });
        // The worker looks first.
        std::thread::sleep(Duration::from_millis(100));
        let coordinator = Coordinator::new(Arc::new(Simulated::new()), "farm", "one");
        let stop = AtomicBool::new(hand.is_finished());
        let ended = coordinator.run(&*queue, &mut plan, &SquaresCheck, &stop, &mut |_| {}).unwrap();
        // It has seen the campaign going on, so that it waits no more.
        assert_eq!((ended, hand.join().unwrap()), (Ended::Over, WorkerEnd::Over));
    });
    assert_eq!(plan.sum(), (91, 1));
}

#[test]
fn a_worker_beside_a_coordinator_stays_in_a_campaign_that_was_over() {
    let folder = Folder::new();
    let queue = folder.connect();
    queue.set_control(Control::Over).unwrap();
    let work = |worker: &Worker, stop: &AtomicBool| {
        let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
        worker.run(&*folder.connect(), &mut work, stop, &mut |_| {}).unwrap()
    };
    let (worker, never) = (Worker::new("own", "test 1"), AtomicBool::new(false));
    assert_eq!(work(&worker, &never), WorkerEnd::Over);
    let (mut plan, over) = (Squares::new(6), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let hand = scope.spawn(|| work(&worker.stays(), &over));
        // The worker looks first.
        std::thread::sleep(Duration::from_millis(100));
        let coordinator = Coordinator::new(Arc::new(Simulated::new()), "farm", "one");
        let stop = AtomicBool::new(hand.is_finished());
        let ended = coordinator.run(&*queue, &mut plan, &SquaresCheck, &stop, &mut |_| {}).unwrap();
        over.store(true, Ordering::Relaxed);
        assert_eq!((ended, hand.join().unwrap()), (Ended::Over, WorkerEnd::Stopped));
    });
    assert_eq!(plan.sum(), (91, 1));
}

/// A clock that is set back, as by a machine that began with a wrong time, leaves leases and a lead with an end far ahead.
#[test]
fn a_clock_that_is_set_back_holds_jobs_and_the_lead_for_a_term_at_most() {
    let folder = Folder::new();
    let queue = folder.connect();
    let Leading::Taken(_) = queue.lead("one").unwrap() else { panic!("held") };
    let jobs = [b"1", b"2"].map(|body| FarmJob::new("law", 1, *body).unwrap());
    queue.publish(&jobs[..1]).unwrap();
    let JobOffer::Job(lost) = queue.lease("lost", Duration::ZERO).unwrap() else { panic!("no job") };
    // The clock was an hour ahead when worker and coordinator vanished.
    let file = rusqlite::Connection::open(folder.0.join("farm.db")).unwrap();
    for table in ["jobs", "leader"] {
        let changed = file.execute(&format!("UPDATE {table} SET expires = expires + 3600000"), []).unwrap();
        assert_eq!(changed, 1);
    }
    // A job that waits is no reason to leave the other one.
    queue.publish(&jobs[1..]).unwrap();
    let JobOffer::Job(held) = queue.lease("held", Duration::ZERO).unwrap() else { panic!("no job") };
    let (mut offer, mut leading) = (JobOffer::Nothing, queue.lead("two").unwrap());
    assert_eq!((&held.job, &leading), (&jobs[1], &Leading::Held { by: "one".to_owned() }));
    for _ in 0..100 {
        assert!(queue.extend(&held).unwrap(), "a worker that is there keeps its job");
        if offer == JobOffer::Nothing {
            offer = queue.lease("next", Duration::from_millis(50)).unwrap();
        }
        if matches!(leading, Leading::Held { .. }) {
            leading = queue.lead("two").unwrap();
        }
    }
    let JobOffer::Job(next) = offer else { panic!("the job of a worker that has vanished is held") };
    assert_eq!(next.job, lost.job);
    assert!(matches!(leading, Leading::Taken(_)), "the lead of a coordinator that has vanished is held");
}

/// With a term of less than a millisecond every worker got every job.
#[test]
fn a_term_that_no_extension_can_keep_is_refused() {
    let folder = Folder::new();
    for (term, shown) in [(Duration::ZERO, "0 s"), (Duration::from_micros(200), "0.0002 s")] {
        let options = EmbeddedOptions { term, ..EmbeddedOptions::default() };
        let why = Embedded::open(&folder.0, &options).unwrap_err().to_string();
        assert_eq!(why, format!("not allowed: a term of {shown}; 0.1 to 31557600 s are possible"));
    }
    assert!(!folder.0.exists(), "a refused term makes no file");
}
