//! The laws of a whole farm: coordinators and workers that fail, over a carrier that fails.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use stonework_files::{Disk, Simulated};

use super::{BrokenFarm, Carrier, Squares, SquaresCheck, SquaresWork, Temper, require};
use crate::{
    Blob, Control, Coordinator, CoordinatorEvent, Ended, FarmJobId, JobDecision, JobLease, JobOffer,
    JobOutcome, Journal, Leading, MAX_REASON, Progress, Queue, QueueError, Spent, WorkReport, Worker,
    decode_decision,
};

/// The sum of the squares of 1 to `n`.
const fn sum(n: u64) -> u64 {
    n * (n + 1) * (2 * n + 1) / 6
}

/// The time of a job.
const JOB: Duration = Duration::from_millis(4);

/// Checks that a campaign comes to its result, with each job counted once, whatever fails.
///
/// # Arguments
/// `make`: a function that makes a new, empty campaign, which is called once for each law; the laws are tried at the same time.
/// A term of half a second makes it quick.
///
/// # Errors
/// The first law that does not hold.
pub fn farm<C: Carrier + Sync>(make: impl Fn() -> C) -> Result<(), BrokenFarm> {
    let laws = [
        tempers::<C>,
        restarts,
        elsewhere,
        stands_by,
        needless,
        together,
        duplicates,
        rude,
        interrupted,
        cancelled,
    ];
    let carriers: Vec<C> = laws.iter().map(|_| make()).collect();
    // Most of a law is waiting: for a term to end, or for a worker that is away.
    thread::scope(|scope| {
        let tries: Vec<_> =
            laws.iter().zip(&carriers).map(|(law, carrier)| scope.spawn(move || law(carrier))).collect();
        tries.into_iter().try_for_each(|law| law.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

fn disk() -> Arc<dyn Disk> {
    Arc::new(Simulated::new())
}

fn coordinator(disk: &Arc<dyn Disk>, name: &str) -> Coordinator {
    Coordinator::new(Arc::clone(disk), PathBuf::from("farm"), name).patience(Duration::from_secs(1))
}

/// Runs workers beside a function, until the function returns.
fn with_workers<C: Carrier + Sync, T>(
    carrier: &C,
    tempers: &[Temper],
    time: Duration,
    run: impl FnOnce() -> T,
) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for (number, &temper) in tempers.iter().enumerate() {
            let (queue, stop) = (carrier.connect(), &stop);
            scope.spawn(move || {
                let mut work = SquaresWork::new(temper, time);
                Worker::new(format!("{temper:?}-{number}"), "law 1").run(
                    &*queue,
                    &mut work,
                    stop,
                    &mut |_| {},
                )
            });
        }
        let value = run();
        stop.store(true, Ordering::Relaxed);
        value
    })
}

/// The number of decisions in a journal, each of another job.
fn once_each(disk: &Arc<dyn Disk>, coordinator: &Coordinator) -> Result<usize, BrokenFarm> {
    let mut jobs = Vec::new();
    let mut number = 0;
    Journal::read(&**disk, &coordinator.journal(), &mut |record| {
        if number > 0 {
            jobs.extend(decode_decision(record).map(|decision| decision.job.id()));
        }
        number += 1;
    })
    .map_err(crate::CoordinateError::from)?;
    let all = jobs.len();
    jobs.sort();
    jobs.dedup();
    require(jobs.len() == all, "no job counts twice", (jobs.len(), all))?;
    require(all + 1 == number, "every decision can be read", (all, number))?;
    Ok(all)
}

fn tempers<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let (disk, queue) = (disk(), carrier.connect());
    let one = coordinator(&disk, "one");
    let mut plan = Squares::new(60);
    let mut last = Progress::default();
    let (mut shut, mut longest) = (Vec::new(), 0);
    let all = [Temper::Honest, Temper::Liar, Temper::Clumsy, Temper::Outdated];
    let ended = with_workers(carrier, &all, JOB, || {
        one.run(&*queue, &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |event| match event {
            CoordinatorEvent::ShutOut { worker } => shut.push((*worker).to_owned()),
            CoordinatorEvent::Refused { why, .. } => longest = longest.max(why.len()),
            CoordinatorEvent::Progress(progress) => last = (*progress).clone(),
            _ => {}
        })
    })?;
    require(ended == Ended::Over, "a campaign ends", ended)?;
    require(
        plan.sum() == (sum(60), 1),
        "a lying, a clumsy and an outdated worker change no result",
        plan.sum(),
    )?;
    require(longest <= MAX_REASON, "the fault of a long answer is told shortly", longest)?;
    require(last.failed == 0 || last.refused <= 3, "a failure is no lie", &last)?;
    require(shut.is_empty() || shut == ["Liar-1"], "the liar alone is shut out", &shut)?;
    require(last.refused < 3 || shut == ["Liar-1"], "three bad answers shut a worker out", &last)?;
    let status = queue.status()?.unwrap_or_default();
    let told: Option<Progress> = serde_json::from_slice(&status).ok();
    let is_told = told.is_some_and(|told| told.decided == 60 && told.control == Control::Over);
    require(is_told, "the status tells the end", String::from_utf8_lossy(&status))?;
    once_each(&disk, &one).map(|_| ())
}

/// Runs a coordinator until it has made some decisions.
fn some_decisions(
    queue: &dyn Queue,
    coordinator: &Coordinator,
    plan: &mut Squares,
    count: usize,
) -> Result<Ended, BrokenFarm> {
    let (stop, mut made) = (AtomicBool::new(false), 0);
    Ok(coordinator.run(queue, plan, &SquaresCheck, &stop, &mut |event| {
        if matches!(event, CoordinatorEvent::Decided(_)) {
            made += 1;
            stop.store(made >= count, Ordering::Relaxed);
        }
    })?)
}

fn restarts<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let disk = disk();
    let one = coordinator(&disk, "one");
    let (mut ended, mut runs, mut found) = (Ended::Stopped, 0, (0, 0));
    with_workers(carrier, &[Temper::Honest; 2], JOB, || {
        while ended == Ended::Stopped && runs < 100 {
            let mut plan = Squares::new(60);
            ended = some_decisions(&*carrier.connect(), &one, &mut plan, 7)?;
            (runs, found) = (runs + 1, plan.sum());
        }
        Ok::<(), BrokenFarm>(())
    })?;
    require(ended == Ended::Over && runs > 3, "a coordinator goes on from its journal", (ended, runs))?;
    require(found == (sum(60), 1), "a coordinator that ends at any time loses nothing", found)?;
    let all = once_each(&disk, &one)?;
    require(all == 60, "each job counts once", all)
}

fn elsewhere<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    with_workers(carrier, &[Temper::Honest; 2], JOB, || {
        let queue = carrier.connect();
        let there = disk();
        some_decisions(&*queue, &coordinator(&there, "there"), &mut Squares::new(40), 20)?;
        // Another machine, with an empty disk.
        let here = disk();
        let mut plan = Squares::new(40);
        let (mut fetched, one) = (0, coordinator(&here, "here"));
        let ended = one.run(&*queue, &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |event| {
            if let CoordinatorEvent::Leads { fetched: count, .. } = event {
                fetched = *count;
            }
        })?;
        require(fetched >= 20, "a coordinator elsewhere fetches what was decided", fetched)?;
        require(
            (ended, plan.sum()) == (Ended::Over, (sum(40), 1)),
            "a campaign goes on elsewhere",
            plan.sum(),
        )?;
        let all = once_each(&here, &one)?;
        require(all == 40, "each job counts once", all)?;
        // The old directory is brought up to date, too.
        let mut plan = Squares::new(40);
        coordinator(&there, "there").run(
            &*queue,
            &mut plan,
            &SquaresCheck,
            &AtomicBool::new(false),
            &mut |_| {},
        )?;
        require(plan.sum() == (sum(40), 1), "an old directory is brought up to date", plan.sum())?;
        let mut other = Squares::new(41);
        let refused = one.run(&*queue, &mut other, &SquaresCheck, &AtomicBool::new(false), &mut |_| {});
        require(refused.is_err(), "the journal of another campaign is refused", &refused)?;
        let lead = queue.lead("next")?;
        require(matches!(lead, Leading::Taken(_)), "a coordinator that is refused gives its lead back", lead)
    })
}

fn stands_by<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let (first, second) = (disk(), disk());
    let [stop, end, started, waits] = [(); 4].map(|()| AtomicBool::new(false));
    let (stop, end, started, waits) = (&stop, &end, &started, &waits);
    with_workers(carrier, &[Temper::Honest; 2], JOB, || {
        thread::scope(|scope| {
            let leader = carrier.connect();
            let (first, second) = (&first, &second);
            let one = scope.spawn(move || {
                let mut plan = Squares::new(1 << 16);
                coordinator(first, "one").run(&*leader, &mut plan, &SquaresCheck, stop, &mut |event| {
                    if matches!(event, CoordinatorEvent::Decided(_)) {
                        started.store(true, Ordering::Relaxed);
                    }
                })
            });
            wait_for(started, "the first coordinator decides")?;
            let queue = carrier.connect();
            let two = scope.spawn(move || {
                let mut plan = Squares::new(1 << 16);
                let mut decided = (0, 0);
                let ended =
                    coordinator(second, "two").run(&*queue, &mut plan, &SquaresCheck, end, &mut |event| {
                        match event {
                            CoordinatorEvent::StandsBy { leader } => {
                                waits.store(*leader == "one", Ordering::Relaxed);
                            }
                            CoordinatorEvent::Leads { fetched, .. } => decided.0 = *fetched,
                            CoordinatorEvent::Decided(_) => {
                                decided.1 += 1;
                                end.store(true, Ordering::Relaxed);
                            }
                            _ => {}
                        }
                    });
                ended.map(|ended| (ended, decided))
            });
            let waited = wait_for(waits, "the second coordinator stands by");
            stop.store(true, Ordering::Relaxed);
            let joined = one.join().map_err(|_| QueueError::Away("a panic".to_owned()))?;
            require(matches!(joined, Ok(Ended::Stopped)), "the first coordinator stops", &joined)?;
            waited?;
            let (_, decided) = two.join().map_err(|_| QueueError::Away("a panic".to_owned()))??;
            require(
                decided.0 > 0 && decided.1 > 0,
                "the second coordinator goes on from the first one's decisions",
                decided,
            )
        })
    })
}

fn wait_for(flag: &AtomicBool, law: &'static str) -> Result<(), BrokenFarm> {
    let since = Instant::now();
    while !flag.load(Ordering::Relaxed) && since.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(5));
    }
    require(flag.load(Ordering::Relaxed), law, since.elapsed())
}

fn needless<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let (disk, queue) = (disk(), carrier.connect());
    let mut plan = Squares::new(20).with_needless();
    let one = coordinator(&disk, "one");
    let ended = with_workers(carrier, &[Temper::Honest; 2], JOB, || {
        one.run(&*queue, &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |_| {})
    })?;
    require((ended, plan.sum()) == (Ended::Over, (sum(20), 1)), "a withdrawn job stops nothing", plan.sum())?;
    once_each(&disk, &one).map(|_| ())
}

/// Reports that come together, of which the first makes the second needless. Its job is given out again later.
fn together<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let (disk, queue, other) = (disk(), carrier.connect(), carrier.connect());
    let mut plan = Squares::new(7).with_needless();
    let (one, mut dropped) = (coordinator(&disk, "one"), 0_u64);
    let (pair, told) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let mut answered = Ok(());
    let ended = thread::scope(|scope| {
        // Two workers, as one alone gets one job at a time.
        let holds = scope.spawn(|| hold_two(&*carrier.connect(), &pair, &told));
        let ended =
            one.run(&*queue, &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |event| match event {
                CoordinatorEvent::Needless { .. } => dropped += 1,
                // The coordinator waits here, and finds all reports at once.
                CoordinatorEvent::Progress(_) if answered.is_ok() => {
                    let mut leases = pair.lock().unwrap_or_else(PoisonError::into_inner);
                    if leases.len() == 2 {
                        answered = answer_each(&*other, std::mem::take(&mut *leases));
                        told.store(true, Ordering::Relaxed);
                    } else if told.load(Ordering::Relaxed) {
                        answered = answer_all(&*other);
                    }
                }
                _ => {}
            });
        told.store(true, Ordering::Relaxed);
        holds.join().map_err(|_| QueueError::Away("a panic".to_owned()))??;
        Ok::<_, BrokenFarm>(ended?)
    })?;
    answered?;
    require((ended, plan.sum()) == (Ended::Over, (sum(7), 1)), "each square is taken once", plan.sum())?;
    require(dropped == 1, "a report that another of its group makes needless is dropped", dropped)?;
    let all = once_each(&disk, &one)?;
    require(all == 7, "a job that was needless counts when it is given out again", all)
}

/// Takes two jobs as two workers, and extends their leases until `told` is set.
fn hold_two(queue: &dyn Queue, pair: &Mutex<Vec<JobLease>>, told: &AtomicBool) -> Result<(), QueueError> {
    let mut leases = Vec::new();
    for worker in ["a", "b"] {
        if let JobOffer::Job(lease) = queue.lease(worker, Duration::from_secs(5))? {
            leases.push(lease);
        }
    }
    pair.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&leases);
    while !told.load(Ordering::Relaxed) {
        for lease in &leases {
            queue.extend(lease)?;
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Does all jobs that wait.
fn answer_all(queue: &dyn Queue) -> Result<(), QueueError> {
    let mut leases = Vec::new();
    while let JobOffer::Job(lease) = queue.lease("all", Duration::from_millis(20))? {
        leases.push(lease);
    }
    answer_each(queue, leases)
}

/// Reports about jobs in the order of their numbers.
fn answer_each(queue: &dyn Queue, leases: Vec<JobLease>) -> Result<(), QueueError> {
    let number = |lease: &JobLease| String::from_utf8_lossy(lease.job.body()).parse().unwrap_or(0);
    let mut leases: Vec<(u64, JobLease)> = leases.into_iter().map(|lease| (number(&lease), lease)).collect();
    leases.sort_by_key(|lease| lease.0);
    for (number, lease) in leases {
        answer(queue, Some(&lease), lease.job.id(), "all", number, Spent::default())?;
    }
    Ok(())
}

/// Reports the square of a number.
fn answer(
    queue: &dyn Queue,
    lease: Option<&JobLease>,
    job: FarmJobId,
    worker: &str,
    number: u64,
    spent: Spent,
) -> Result<(), QueueError> {
    let square = (number * number).to_string().into_bytes();
    let outcome = JobOutcome::Done { body: square.clone(), blobs: vec![Blob::of(&square)] };
    let (worker, build) = (worker.to_owned(), "law 1".to_owned());
    queue.report(lease, &WorkReport { job, worker, build, spent, outcome }, &[square])
}

/// A worker that reports twice, and one that reports after its lease has ended.
fn duplicates<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let (disk, queue) = (disk(), carrier.connect());
    let one = coordinator(&disk, "one");
    let mut plan = Squares::new(24);
    let (mut needless, over) = (0_u64, AtomicBool::new(false));
    let ended = thread::scope(|scope| {
        for late in [false, true] {
            let (queue, over) = (carrier.connect(), &over);
            scope.spawn(move || twice(&*queue, late, over));
        }
        with_workers(carrier, &[Temper::Honest], JOB, || {
            let ended = one.run(&*queue, &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |event| {
                if let CoordinatorEvent::Progress(Progress { needless: count, .. }) = event {
                    needless = *count;
                }
            });
            over.store(true, Ordering::Relaxed);
            ended
        })
    })?;
    require(
        (ended, plan.sum()) == (Ended::Over, (sum(24), 1)),
        "a job that is done twice counts once",
        plan.sum(),
    )?;
    require(needless > 0, "a second report is dropped", needless)?;
    once_each(&disk, &one).map(|_| ())
}

/// Works without extensions, and reports twice; perhaps after the lease has ended.
fn twice(queue: &dyn Queue, late: bool, over: &AtomicBool) -> Result<(), QueueError> {
    while !over.load(Ordering::Relaxed) {
        let JobOffer::Job(lease) = queue.lease("twice", Duration::from_millis(500))? else { continue };
        if late {
            thread::sleep(queue.term() + queue.term() / 2);
        }
        let number: u64 = String::from_utf8_lossy(lease.job.body()).parse().unwrap_or(0);
        let job = lease.job.id();
        answer(queue, Some(&lease), job, "twice", number, Spent::default())?;
        answer(queue, None, job, "twice", number, Spent { nodes: 1, millis: 1 })?;
    }
    Ok(())
}

/// A worker whose reasons would clear a terminal and write lines of others.
fn rude<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let (disk, queue) = (disk(), carrier.connect());
    let one = coordinator(&disk, "one");
    let mut plan = Squares::new(6);
    let (mut reasons, told, stop) = (Vec::new(), AtomicBool::new(false), AtomicBool::new(false));
    let ended = thread::scope(|scope| {
        let (rude, honest) = (carrier.connect(), carrier.connect());
        let (told, stop) = (&told, &stop);
        scope.spawn(move || {
            let ranted = rant(&*rude);
            told.store(true, Ordering::Relaxed);
            ranted
        });
        scope.spawn(move || {
            while !told.load(Ordering::Relaxed) {
                thread::sleep(JOB);
            }
            let mut work = SquaresWork::new(Temper::Honest, JOB);
            Worker::new("honest", "law 1").run(&*honest, &mut work, stop, &mut |_| {})
        });
        let ended =
            one.run(&*queue, &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |event| match event {
                CoordinatorEvent::Failed { why, .. }
                | CoordinatorEvent::Unable { why, .. }
                | CoordinatorEvent::Refused { why, .. } => reasons.push((*why).to_owned()),
                _ => {}
            });
        stop.store(true, Ordering::Relaxed);
        ended
    })?;
    require(
        (ended, plan.sum()) == (Ended::Over, (sum(6), 1)),
        "a rude worker changes no result",
        plan.sum(),
    )?;
    require(reasons.len() >= 3, "each reason is told", &reasons)?;
    let is_plain = reasons.iter().all(|why| !why.contains(char::is_control));
    require(is_plain, "a reason is one line without control characters", &reasons)
}

/// Takes three jobs, and reports a failure, an unknown kind and a wrong answer.
fn rant(queue: &dyn Queue) -> Result<(), QueueError> {
    let why = "\u{1b}[2Jgone\nhonest-0: done\r".to_owned();
    let wrong = JobOutcome::Done { body: why.clone().into_bytes(), blobs: Vec::new() };
    for outcome in [JobOutcome::Failed { why: why.clone() }, JobOutcome::Unable { why }, wrong] {
        let offers = (0..200).map(|_| queue.lease("rude", Duration::from_millis(50)));
        let lease = offers.filter_map(Result::ok).find_map(|offer| match offer {
            JobOffer::Job(lease) => Some(lease),
            _ => None,
        });
        let Some(lease) = lease else { return Ok(()) };
        let (worker, build, spent) = ("rude".to_owned(), "law 1".to_owned(), Spent::default());
        let report = WorkReport { job: lease.job.id(), worker, build, spent, outcome };
        queue.report(Some(&lease), &report, &[])?;
    }
    Ok(())
}

fn interrupted<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let (disk, queue) = (disk(), carrier.connect());
    let one = coordinator(&disk, "one");
    let mut plan = Squares::new(100);
    let over = AtomicBool::new(false);
    let ended = thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..2 {
                thread::sleep(Duration::from_millis(150));
                if !over.load(Ordering::Relaxed) {
                    carrier.interrupt();
                }
            }
        });
        with_workers(carrier, &[Temper::Honest; 2], JOB, || {
            let ended = one.run(&*queue, &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |_| {});
            over.store(true, Ordering::Relaxed);
            ended
        })
    })?;
    require(
        (ended, plan.sum()) == (Ended::Over, (sum(100), 1)),
        "an interruption loses nothing",
        plan.sum(),
    )?;
    let all = once_each(&disk, &one)?;
    require(all == 100, "each job counts once", all)
}

fn cancelled<C: Carrier + Sync>(carrier: &C) -> Result<(), BrokenFarm> {
    let (disk, queue) = (disk(), carrier.connect());
    let one = coordinator(&disk, "one");
    let other = carrier.connect();
    let stop = AtomicBool::new(false);
    let mut first: Option<JobDecision> = None;
    let ended = with_workers(carrier, &[Temper::Honest], JOB, || {
        let mut plan = Squares::new(1 << 16);
        one.run(&*queue, &mut plan, &SquaresCheck, &stop, &mut |event| {
            if let (CoordinatorEvent::Decided(decision), None) = (event, &first) {
                first = Some((*decision).clone());
                // An error here would only make the campaign run on.
                let _ = other.set_control(Control::Cancelled);
            }
        })
    })?;
    require(ended == Ended::Cancelled, "a cancelled campaign ends", ended)?;
    let all = once_each(&disk, &one)?;
    require(all > 0, "what was decided stays", all)?;
    queue.set_control(Control::Running)?;
    let ended = with_workers(carrier, &[Temper::Honest], JOB, || {
        some_decisions(&*queue, &one, &mut Squares::new(1 << 16), 3)
    })?;
    require(ended == Ended::Stopped, "a cancelled campaign can go on", ended)
}
