//! A coordinator does not depose itself: decisions that the queue has kept, but whose acknowledgement was lost, are its own.
//! A coordinator does not give up while it resumes a campaign: it waits for a queue that is away.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use stonework_farm::laws::{Squares, SquaresCheck, SquaresWork, Temper};
use stonework_farm::{
    Control, Coordinator, CoordinatorEvent, Delivery, Depth, Digest, Embedded, Ended, FarmJob, FarmJobId,
    FarmPlan, Hint, JobLease, JobOffer, Lead, Leading, Queue, QueueError, Receipt, WorkReport, Worker,
    WorkerEvent,
};
use stonework_files::System;

use crate::Folder;

/// The decision that the queue keeps in place of the coordinator's, so that another coordinator seems to have decided.
const FOREIGN: &[u8] = b"a decision of somebody else";

/// The fate of a group of decisions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lost {
    /// All are kept, and the acknowledgement is lost.
    Answer,
    /// The first is kept; the rest and the acknowledgement are lost.
    Rest,
    /// Another decision is kept.
    Foreign,
    /// No decision is lost, but the first two calls of each method that resumes a campaign fail.
    Calls,
    /// No decision is lost, but the first attempts to tell the end fail, so many.
    End(usize),
    /// Nothing is lost, but a report takes four terms to be sent, as a large proof over a slow line does.
    Time,
    /// There is no space for a status.
    Status,
    /// There is no space at the first four attempts to publish a job once more.
    Again,
    /// The first attempt to shut a worker out fails.
    ShutOut,
}

/// A queue that loses the acknowledgement of one group of decisions.
#[derive(Debug)]
pub(crate) struct Lossy {
    inner: Embedded,
    lost: Lost,
    /// The number of decided groups.
    groups: AtomicUsize,
    /// The number of calls of each method that resumes a campaign.
    calls: [AtomicUsize; 4],
    /// The number of attempts to tell the end.
    ends: AtomicUsize,
    /// The number of calls that had no space.
    pub(crate) full: AtomicUsize,
    published: Mutex<HashSet<FarmJobId>>,
}

impl Lossy {
    pub(crate) fn new(inner: Embedded, lost: Lost) -> Self {
        let [groups, ends, full] = [0; 3].map(AtomicUsize::new);
        Self { inner, lost, groups, calls: Default::default(), ends, full, published: Mutex::default() }
    }

    /// Has no space.
    fn full(&self) -> QueueError {
        self.full.fetch_add(1, Ordering::Relaxed);
        QueueError::Full("insufficient resources".to_owned())
    }

    /// Fails at the first two calls of a method, if calls are lost.
    fn call(&self, method: usize) -> Result<(), QueueError> {
        let count = self.calls[method].fetch_add(1, Ordering::Relaxed);
        let is_lost = matches!(self.lost, Lost::Calls) && count < 2;
        if is_lost { Err(QueueError::Away("the server is away".to_owned())) } else { Ok(()) }
    }
}

impl Queue for Lossy {
    fn decide(&self, lead: &Lead, at: u64, decisions: &[Vec<u8>]) -> Result<(), QueueError> {
        self.call(0)?;
        // The first group is the identity of the campaign; the second one has decisions.
        if self.groups.fetch_add(1, Ordering::Relaxed) != 1 {
            return self.inner.decide(lead, at, decisions);
        }
        match self.lost {
            Lost::Answer => self.inner.decide(lead, at, decisions)?,
            Lost::Rest => self.inner.decide(lead, at, &decisions[..1])?,
            Lost::Foreign => self.inner.decide(lead, at, &[FOREIGN.to_vec()])?,
            _ => return self.inner.decide(lead, at, decisions),
        }
        Err(QueueError::Away("the answer is lost".to_owned()))
    }

    fn term(&self) -> Duration {
        self.inner.term()
    }
    fn control(&self) -> Result<Control, QueueError> {
        self.inner.control()
    }
    fn set_control(&self, control: Control) -> Result<(), QueueError> {
        if let (Lost::End(times), Control::Over) = (self.lost, control)
            && self.ends.fetch_add(1, Ordering::Relaxed) < times
        {
            return Err(QueueError::Away("the server is away".to_owned()));
        }
        self.inner.set_control(control)
    }
    fn status(&self) -> Result<Option<Vec<u8>>, QueueError> {
        self.inner.status()
    }
    fn put(&self, bytes: &[u8]) -> Result<Digest, QueueError> {
        self.inner.put(bytes)
    }
    fn get(&self, digest: &Digest, at_most: u64) -> Result<Option<Vec<u8>>, QueueError> {
        self.inner.get(digest, at_most)
    }
    fn lead(&self, name: &str) -> Result<Leading, QueueError> {
        self.inner.lead(name)
    }
    fn keep_lead(&self, lead: &Lead) -> Result<bool, QueueError> {
        self.inner.keep_lead(lead)
    }
    fn resign(&self, lead: &Lead) -> Result<(), QueueError> {
        self.inner.resign(lead)
    }
    fn clear(&self) -> Result<(), QueueError> {
        self.call(1)?;
        self.inner.clear()
    }
    fn publish(&self, jobs: &[FarmJob]) -> Result<(), QueueError> {
        let mut published = self.published.lock().unwrap();
        let is_again = jobs.iter().any(|job| published.contains(&job.id()));
        if matches!(self.lost, Lost::Again) && is_again && self.full.load(Ordering::Relaxed) < 4 {
            return Err(self.full());
        }
        published.extend(jobs.iter().map(FarmJob::id));
        self.inner.publish(jobs)
    }
    fn withdraw(&self, jobs: &[FarmJobId]) -> Result<(), QueueError> {
        self.inner.withdraw(jobs)
    }
    fn depth(&self) -> Result<Depth, QueueError> {
        self.inner.depth()
    }
    fn missing(&self, jobs: &[FarmJobId]) -> Result<Vec<FarmJobId>, QueueError> {
        self.inner.missing(jobs)
    }
    fn epoch(&self) -> u64 {
        self.inner.epoch()
    }
    fn reports(&self, wait: Duration, at_most: usize) -> Result<Vec<Delivery>, QueueError> {
        self.inner.reports(wait, at_most)
    }
    fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        self.inner.acknowledge(receipts)
    }
    fn decided(&self) -> Result<u64, QueueError> {
        self.call(2)?;
        self.inner.decided()
    }
    fn decisions(&self, from: u64, at_most: usize) -> Result<Vec<Vec<u8>>, QueueError> {
        self.call(3)?;
        self.inner.decisions(from, at_most)
    }
    fn shut_out(&self, worker: &str) -> Result<(), QueueError> {
        if matches!(self.lost, Lost::ShutOut) && self.full.load(Ordering::Relaxed) == 0 {
            return Err(self.full());
        }
        self.inner.shut_out(worker)
    }
    fn set_status(&self, status: &[u8]) -> Result<(), QueueError> {
        if matches!(self.lost, Lost::Status) {
            return Err(self.full());
        }
        self.inner.set_status(status)
    }
    fn lease(&self, worker: &str, wait: Duration) -> Result<JobOffer, QueueError> {
        self.inner.lease(worker, wait)
    }
    fn extend(&self, lease: &JobLease) -> Result<bool, QueueError> {
        self.inner.extend(lease)
    }
    fn is_withdrawn(&self, lease: &JobLease) -> bool {
        self.inner.is_withdrawn(lease)
    }
    fn release(&self, lease: &JobLease) -> Result<(), QueueError> {
        self.inner.release(lease)
    }
    fn report(
        &self,
        lease: Option<&JobLease>,
        report: &WorkReport,
        blobs: &[Vec<u8>],
    ) -> Result<(), QueueError> {
        if matches!(self.lost, Lost::Time) {
            thread::sleep(4 * self.term());
        }
        self.inner.report(lease, report, blobs)
    }
    fn hint(&self, from: &str, bytes: &[u8]) -> Result<(), QueueError> {
        self.inner.hint(from, bytes)
    }
    fn hints(&self, after: u64) -> Result<Vec<Hint>, QueueError> {
        self.inner.hints(after)
    }
}

/// Squares the numbers to 20 with a lost acknowledgement. Returns the end, the sum, the most times that a job has counted, the
/// number of groups, and the number of decisions in the last state. Without a word of the end the first trouble stops the coordinator.
fn campaign(folder: &Folder, lost: Lost) -> (Ended, (u64, u32), usize, u64) {
    let open = || folder.open();
    let queue = Lossy::new(open(), lost);
    let mut plan = Squares::new(20);
    let mut told = 0;
    let [over, stop] = [(); 2].map(|()| AtomicBool::new(false));
    let ended = thread::scope(|scope| {
        for name in ["one", "two"] {
            let (queue, over) = (open(), &over);
            scope.spawn(move || {
                let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
                Worker::new(name, "test 1").run(&queue, &mut work, over, &mut |_| {}).unwrap()
            });
        }
        let coordinator = Coordinator::new(Arc::new(System), &folder.0, "here");
        let watch = &mut |event: &CoordinatorEvent<'_>| match event {
            CoordinatorEvent::Progress(progress) => told = progress.decided,
            CoordinatorEvent::Trouble(..) if matches!(lost, Lost::End(usize::MAX)) => {
                stop.store(true, Ordering::Relaxed);
            }
            _ => {}
        };
        let ended = coordinator.run(&queue, &mut plan, &SquaresCheck, &stop, watch).unwrap();
        over.store(true, Ordering::Relaxed);
        ended
    });
    (ended, plan.sum(), queue.groups.into_inner(), told)
}

#[test]
fn a_coordinator_whose_decisions_have_no_answer_does_not_depose_itself() {
    for lost in [Lost::Answer, Lost::Rest] {
        let (ended, sum, groups, _) = campaign(&Folder::new(), lost);
        assert_eq!((ended, sum), (Ended::Over, (2870, 1)), "{lost:?}");
        // The identity, the lost group, its second attempt, and more.
        assert!(groups > 3, "{lost:?}: {groups} groups");
    }
}

#[test]
fn a_coordinator_beside_a_decision_of_another_one_is_deposed() {
    let (ended, _, groups, _) = campaign(&Folder::new(), Lost::Foreign);
    assert!(ended == Ended::Deposed && groups >= 3, "{ended:?} after {groups} groups");
}

#[test]
fn the_last_state_has_all_decisions_when_the_queue_is_away_at_the_end() {
    let (ended, sum, _, told) = campaign(&Folder::new(), Lost::End(usize::MAX));
    assert_eq!((ended, sum, told), (Ended::Over, (2870, 1), 20));
}

/// The end was told once: workers whose queue was away at that moment waited for ever.
#[test]
fn the_end_is_told_to_workers_until_a_queue_that_was_away_has_it() {
    let folder = Folder::new();
    let (ended, sum, _, told) = campaign(&folder, Lost::End(3));
    assert_eq!((ended, sum, told), (Ended::Over, (2870, 1), 20));
    assert_eq!(folder.open().lease("late", Duration::ZERO).unwrap(), JobOffer::Over);
}

/// Resumes a campaign in a directory, over a queue whose first calls fail. Returns the end, the fetched decisions and the
/// troubles.
fn resumed(queue_folder: &Folder, directory: &Folder, stop: &AtomicBool) -> (Ended, u64, usize) {
    let queue = Lossy::new(queue_folder.open(), Lost::Calls);
    let (mut fetched, mut troubles) = (0, 0);
    let coordinator = Coordinator::new(Arc::new(System), &directory.0, "there");
    let mut plan = Squares::new(1 << 12);
    let watch = &mut |event: &CoordinatorEvent<'_>| match event {
        CoordinatorEvent::Leads { fetched: count, .. } => {
            fetched = *count;
            stop.store(true, Ordering::Relaxed);
        }
        CoordinatorEvent::Trouble(..) => troubles += 1,
        _ => {}
    };
    let ended = coordinator.run(&queue, &mut plan, &SquaresCheck, stop, watch).unwrap();
    (ended, fetched, troubles)
}

#[test]
fn a_coordinator_waits_for_a_queue_that_is_away_while_it_resumes() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let open = || folder.open();
    let (over, enough) = (AtomicBool::new(false), AtomicBool::new(false));
    let mut decided = 0;
    thread::scope(|scope| {
        let (queue, over) = (open(), &over);
        scope.spawn(move || {
            let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
            Worker::new("one", "test 1").run(&queue, &mut work, over, &mut |_| {}).unwrap()
        });
        let coordinator = Coordinator::new(Arc::new(System), &folder.0, "here");
        let watch = &mut |event: &CoordinatorEvent<'_>| {
            decided += u64::from(matches!(event, CoordinatorEvent::Decided(_)));
            enough.store(decided >= 20, Ordering::Relaxed);
        };
        let mut plan = Squares::new(1 << 12);
        let ended = coordinator.run(&open(), &mut plan, &SquaresCheck, &enough, watch).unwrap();
        over.store(true, Ordering::Relaxed);
        assert_eq!(ended, Ended::Stopped);
    });
    // From an empty directory, which fetches; from the directory of the decisions; and from one of a new campaign, which sends.
    let (ended, fetched, troubles) = resumed(&folder, &elsewhere, &AtomicBool::new(false));
    assert_eq!((ended, fetched), (Ended::Stopped, decided));
    assert_eq!(troubles, 6, "two calls of decided, of decisions and of clear");
    let (ended, fetched, troubles) = resumed(&folder, &folder, &AtomicBool::new(false));
    assert_eq!((ended, fetched, troubles), (Ended::Stopped, 0, 6));
    let empty = Folder::new();
    let (ended, fetched, troubles) = resumed(&empty, &folder, &AtomicBool::new(false));
    assert_eq!((ended, fetched), (Ended::Stopped, 0));
    assert_eq!(troubles, 6, "two calls of decided, of decide and of clear");
    assert_eq!(empty.open().decided().unwrap(), decided + 1);
}

/// A short term of a queue.
const SHORT: Duration = Duration::from_millis(300);

#[test]
fn a_job_is_its_workers_until_its_report_is_sent() {
    let folder = Folder::new();
    let queue = Lossy::new(folder.open_with(SHORT), Lost::Time);
    queue.publish(&[FarmJob::new("square", 1, *b"7").unwrap()]).unwrap();
    let (stop, other) = (AtomicBool::new(false), folder.open_with(SHORT));
    let reported = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
            let worker = Worker::new("one", "test 1");
            worker.run(&queue, &mut work, &stop, &mut |event| {
                if let WorkerEvent::Reported(_) = event {
                    reported.store(true, Ordering::Relaxed);
                    stop.store(true, Ordering::Relaxed);
                }
            })
        });
        while other.depth().unwrap().leased == 0 {
            thread::sleep(Duration::from_millis(5));
        }
        let mut offers = 0;
        while !reported.load(Ordering::Relaxed) {
            let offer = other.lease("two", Duration::from_millis(20)).unwrap();
            offers += usize::from(offer != JobOffer::Nothing);
        }
        assert_eq!(offers, 0, "another worker gets the job meanwhile");
    });
}

/// A leader that is suspended for longer than a term has lost the lead, and still has its directory.
#[test]
fn a_second_coordinator_of_one_directory_stands_by_whoever_has_the_lead() {
    let folder = Folder::new();
    let open = || folder.open_with(SHORT);
    let [over, waits] = [(); 2].map(|()| AtomicBool::new(false));
    let coordinate = |name: &str, watch: &mut dyn FnMut(&CoordinatorEvent<'_>)| {
        let coordinator = Coordinator::new(Arc::new(System), &folder.0, name);
        let mut plan = Squares::new(20);
        let ended = coordinator.run(&open(), &mut plan, &SquaresCheck, &AtomicBool::new(false), watch);
        (ended.map_err(|error| error.to_string()), plan.sum())
    };
    let (first, second) = thread::scope(|scope| {
        scope.spawn(|| {
            let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
            Worker::new("one", "test 1").stays().run(&open(), &mut work, &over, &mut |_| {})
        });
        let second = scope.spawn(|| {
            while !waits.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(5));
            }
            let ended = coordinate("second", &mut |event| {
                if let CoordinatorEvent::StandsBy { .. } = event {
                    waits.store(false, Ordering::Relaxed);
                }
            });
            waits.store(false, Ordering::Relaxed);
            ended
        });
        let mut is_first = true;
        let first = coordinate("first", &mut |event| {
            if matches!(event, CoordinatorEvent::Decided(_)) && std::mem::replace(&mut is_first, false) {
                thread::sleep(4 * SHORT);
                waits.store(true, Ordering::Relaxed);
                while waits.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(5));
                }
            }
        });
        let second = second.join().unwrap();
        over.store(true, Ordering::Relaxed);
        (first, second)
    });
    assert_eq!((first, second), ((Ok(Ended::Over), (2870, 1)), (Ok(Ended::Over), (2870, 1))));
}

/// A plan that takes its time for each answer.
struct Slow(Squares);

impl FarmPlan for Slow {
    fn identity(&self) -> String {
        self.0.identity()
    }
    fn next(&mut self) -> Option<FarmJob> {
        self.0.next()
    }
    fn take(&mut self, job: &FarmJob, answer: &[u8]) -> Vec<FarmJobId> {
        thread::sleep(Duration::from_millis(50));
        self.0.take(job, answer)
    }
    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

#[test]
fn a_coordinator_keeps_the_lead_while_it_resumes_a_long_journal() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let open = || folder.open_with(SHORT);
    let (over, coordinator) = (AtomicBool::new(false), Coordinator::new(Arc::new(System), &folder.0, "here"));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
            Worker::new("one", "test 1").run(&open(), &mut work, &over, &mut |_| {})
        });
        let mut plan = Squares::new(40);
        let ended =
            coordinator.run(&open(), &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |_| {}).unwrap();
        over.store(true, Ordering::Relaxed);
        assert_eq!(ended, Ended::Over);
    });
    // From the journal, and from the row of decisions: two seconds each.
    for directory in [&folder, &elsewhere] {
        let (begun, leads) = (AtomicBool::new(false), AtomicBool::new(false));
        let taken = thread::scope(|scope| {
            let other = scope.spawn(|| {
                let (queue, mut taken) = (open(), 0);
                while !leads.load(Ordering::Relaxed) {
                    match queue.lead("other").unwrap() {
                        // The first coordinator has not begun yet.
                        Leading::Taken(lead) => {
                            let is_meanwhile =
                                begun.load(Ordering::Relaxed) && !leads.load(Ordering::Relaxed);
                            taken += usize::from(is_meanwhile);
                            queue.resign(&lead).unwrap();
                        }
                        Leading::Held { by } => begun.store(by == "here", Ordering::Relaxed),
                    }
                    thread::sleep(Duration::from_millis(20));
                }
                taken
            });
            let coordinator = Coordinator::new(Arc::new(System), &directory.0, "here");
            let watch = &mut |event: &CoordinatorEvent<'_>| {
                leads.fetch_or(matches!(event, CoordinatorEvent::Leads { .. }), Ordering::Relaxed);
            };
            let mut plan = Slow(Squares::new(40));
            let ended = coordinator.run(&open(), &mut plan, &SquaresCheck, &AtomicBool::new(false), watch);
            leads.store(true, Ordering::Relaxed);
            assert_eq!(ended.unwrap(), Ended::Over);
            other.join().unwrap()
        });
        assert_eq!(taken, 0, "another coordinator takes the lead");
    }
}
