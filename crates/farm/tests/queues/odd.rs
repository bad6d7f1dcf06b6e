//! Workers whose reports are at the limits, or beyond them: none of them ends its worker, or the coordinator.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use stonework_farm::laws::{Squares, SquaresCheck, SquaresWork, Temper};
use stonework_farm::{
    Blob, Coordinator, CoordinatorEvent, Embedded, Ended, FarmJob, FarmJobId, FarmPlan as _, FarmWork,
    JobOffer, JobOutcome, MAX_BAD, MAX_BLOB, Progress, Queue as _, Spent, WorkReport, WorkSeat, Worked,
    Worker,
};
use stonework_files::{Disk, Simulated};

use crate::Folder;

/// A report about the square of a number, with the right answer or another one.
fn report(job: FarmJobId, worker: &str, square: u64, spent: Spent) -> (WorkReport, Vec<Vec<u8>>) {
    let square = square.to_string().into_bytes();
    let outcome = JobOutcome::Done { body: square.clone(), blobs: vec![Blob::of(&square)] };
    let (worker, build) = (worker.to_owned(), "test 1".to_owned());
    (WorkReport { job, worker, build, spent, outcome }, vec![square])
}

/// Sets a flag when it is dropped, so that no thread outlives a test that fails.
pub(crate) struct Ends<'a>(pub(crate) &'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does the jobs that come until the campaign or the test is over, each with the same cost.
fn squares(queue: &Embedded, spent: Spent, over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        match queue.lease("w", Duration::from_secs(1)).unwrap() {
            JobOffer::Job(lease) => {
                let number: u64 = std::str::from_utf8(lease.job.body()).unwrap().parse().unwrap();
                let (report, blobs) = report(lease.job.id(), "w", number * number, spent);
                queue.report(Some(&lease), &report, &blobs).unwrap();
            }
            JobOffer::Nothing => {}
            JobOffer::Over | JobOffer::ShutOut => return,
        }
    }
}

/// A worker whose first answer has a blob beyond the limit, as the proof of a large search may be.
struct Vast(SquaresWork);

impl FarmWork for Vast {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        let blobs = vec![vec![0; MAX_BLOB as usize + 1]];
        match self.0.work(job, seat) {
            Worked::Done { answer, nodes, .. } if self.0.jobs == 1 => Worked::Done { answer, blobs, nodes },
            other => other,
        }
    }
}

#[test]
fn an_answer_with_a_blob_beyond_the_limit_is_a_failure_and_no_end_of_its_worker() {
    let (folder, over) = (Folder::new(), AtomicBool::new(false));
    let (mut plan, mut failures) = (Squares::new(3), Vec::new());
    let disk: Arc<dyn Disk> = Arc::new(Simulated::new());
    let ended = thread::scope(|scope| {
        let hand = scope.spawn(|| {
            let mut work = Vast(SquaresWork::new(Temper::Honest, Duration::ZERO));
            let ended = Worker::new("vast", "test 1").run(&folder.open(), &mut work, &over, &mut |_| {});
            // Without its worker the campaign would wait for ever.
            over.store(ended.is_err(), Ordering::Relaxed);
            ended
        });
        let coordinator = Coordinator::new(disk, "farm", "one");
        let ended = coordinator.run(&folder.open(), &mut plan, &SquaresCheck, &over, &mut |event| {
            if let CoordinatorEvent::Failed { why, .. } = event {
                failures.push((*why).to_owned());
            }
        });
        hand.join().unwrap().unwrap();
        ended.unwrap()
    });
    assert_eq!((ended, plan.sum()), (Ended::Over, (14, 1)));
    assert_eq!(failures, ["all blobs of a report is 67108865 long, and at most 67108864 is allowed"]);
}

#[test]
fn costs_beyond_every_number_are_counted_as_the_greatest_number() {
    let folder = Folder::new();
    let disk: Arc<dyn Disk> = Arc::new(Simulated::new());
    let run = || {
        let (mut plan, mut last) = (Squares::new(6), Progress::default());
        let coordinator = Coordinator::new(Arc::clone(&disk), "farm", "one");
        let ended = coordinator.run(
            &folder.open(),
            &mut plan,
            &SquaresCheck,
            &AtomicBool::new(false),
            &mut |event| {
                if let CoordinatorEvent::Progress(progress) = event {
                    last = (*progress).clone();
                }
            },
        );
        assert_eq!((ended.unwrap(), plan.sum()), (Ended::Over, (91, 1)));
        assert_eq!((last.nodes, last.millis, last.decided), (u64::MAX, u64::MAX, 6));
    };
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _ends = Ends(&over);
        scope.spawn(|| squares(&folder.open(), Spent { nodes: u64::MAX, millis: u64::MAX }, &over));
        run();
    });
    // The journal has the costs, and is gone on with.
    run();
}

/// More names than a status has room for: a worker with a right to report under any name may make them up.
#[test]
fn a_thousand_workers_that_are_shut_out_end_no_campaign() {
    let (folder, told, over) = (Folder::new(), AtomicBool::new(false), AtomicBool::new(false));
    let first = Squares::new(1).next().unwrap().id();
    let (mut plan, mut shut) = (Squares::new(1), 0);
    thread::scope(|scope| {
        let queue = folder.open();
        let coordinator = Coordinator::new(Arc::new(Simulated::new()), "farm", "one");
        let (told, over) = (&told, &over);
        let _ends = [Ends(told), Ends(over)];
        scope.spawn(move || {
            while queue.depth().unwrap().waiting == 0 {
                thread::sleep(Duration::from_millis(5));
            }
            for number in 0..1000 {
                let name = format!("{number:0>64}");
                for _ in 0..MAX_BAD {
                    let (report, blobs) = report(first, &name, 2, Spent::default());
                    queue.report(None, &report, &blobs).unwrap();
                }
            }
            while !told.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(5));
            }
            squares(&queue, Spent::default(), over);
        });
        let mut since = None;
        let ended = coordinator.run(
            &folder.open(),
            &mut plan,
            &SquaresCheck,
            &AtomicBool::new(false),
            &mut |event| match event {
                CoordinatorEvent::ShutOut { .. } => shut += 1,
                // The last state is stored after this event: the next one comes from a coordinator that goes on.
                CoordinatorEvent::Progress(state) if state.shut_out.len() == 1000 => {
                    told.store(since.is_some(), Ordering::Relaxed);
                    since = Some(());
                }
                _ => {}
            },
        );
        assert_eq!(ended.unwrap(), Ended::Over);
    });
    assert_eq!((plan.sum(), shut), ((1, 1), 1000));
    let status: Progress = serde_json::from_slice(&folder.open().status().unwrap().unwrap()).unwrap();
    assert_eq!((status.shut_out.len(), status.decided), (500, 1));
}

/// A job that the queue has lost is published again also while reports wait for the coordinator.
#[test]
fn a_lost_job_is_found_in_a_busy_farm() {
    let (folder, over) = (Folder::new(), AtomicBool::new(false));
    let needless = FarmJob::new("square", 1, *b"99").unwrap().id();
    let queue = folder.open();
    for _ in 0..30_000 {
        let (report, blobs) = report(needless, "w", 0, Spent::default());
        queue.report(None, &report, &blobs).unwrap();
    }
    let mut plan = Squares::new(1);
    let waiting = thread::scope(|scope| {
        let over = &over;
        let _ends = Ends(over);
        let hand = scope.spawn(move || {
            while queue.depth().unwrap().waiting == 0 {
                thread::sleep(Duration::from_millis(1));
            }
            queue.clear().unwrap();
            while !over.load(Ordering::Relaxed) {
                if let JobOffer::Job(lease) = queue.lease("w", Duration::from_millis(20)).unwrap() {
                    queue.release(&lease).unwrap();
                    break;
                }
            }
            over.store(true, Ordering::Relaxed);
            queue.reports(Duration::ZERO, 1).unwrap().len()
        });
        let coordinator = Coordinator::new(Arc::new(Simulated::new()), "farm", "one");
        let coordinator = coordinator.patience(Duration::from_millis(20));
        let ended = coordinator.run(&folder.open(), &mut plan, &SquaresCheck, over, &mut |_| {});
        assert_eq!(ended.unwrap(), Ended::Stopped);
        hand.join().unwrap()
    });
    assert_eq!(waiting, 1, "the job comes before the last report is taken");
}
