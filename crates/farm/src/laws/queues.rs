//! The laws of a queue alone.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::{BrokenFarm, Carrier, patiently, require};
use crate::{
    Blob, Control, Digest, FarmJob, JobLease, JobOffer, JobOutcome, Lead, Leading, MAX_BLOB, MAX_HINT,
    MAX_INLINE, MAX_JOB, Queue, QueueError, Spent, Unfit, WorkReport,
};

/// The time for which a law waits for something that must come.
const SOON: Duration = Duration::from_secs(5);
/// The time after an interruption in which a report comes: the servers of a cluster have to agree on a leader first.
const AFTER_INTERRUPTION: Duration = Duration::from_secs(40);

/// Checks the laws of [`Queue`].
///
/// # Arguments
/// `make`: a function that makes a new, empty campaign, which is called several times. A short term makes it quick.
///
/// # Errors
/// The first law that does not hold.
pub fn queue<C: Carrier>(make: impl Fn() -> C) -> Result<(), BrokenFarm> {
    leases(&make())?;
    waiting(&make())?;
    reports(&make())?;
    withdrawals(&make())?;
    leaders(&make())?;
    decisions(&make())?;
    blobs(&make())?;
    hints(&make())?;
    control(&make())?;
    interruption(&make())
}

fn job(number: u32) -> FarmJob {
    FarmJob::new("law", 1, number.to_string()).expect("a short job")
}

fn lease(queue: &dyn Queue, worker: &str, law: &'static str) -> Result<JobLease, BrokenFarm> {
    match queue.lease(worker, SOON)? {
        JobOffer::Job(lease) => Ok(lease),
        offer => Err(BrokenFarm::Law { law, found: format!("{offer:?}") }),
    }
}

fn done(job: &FarmJob, worker: &str, blobs: &[Vec<u8>]) -> WorkReport {
    let outcome =
        JobOutcome::Done { body: b"answer".to_vec(), blobs: blobs.iter().map(|b| Blob::of(b)).collect() };
    let spent = Spent { nodes: 7, millis: 3 };
    WorkReport { job: job.id(), worker: worker.to_owned(), build: "test 1".to_owned(), spent, outcome }
}

fn nothing(queue: &dyn Queue, law: &'static str) -> Result<(), BrokenFarm> {
    let offer = queue.lease("other", Duration::from_millis(100))?;
    require(offer == JobOffer::Nothing, law, offer)
}

fn leases<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    nothing(&*one, "an empty queue has no job")?;
    let jobs = [job(1), job(2)];
    one.publish(&jobs)?;
    one.publish(&jobs[..1])?;
    let first = lease(&*other, "a", "a published job is given out")?;
    let second = lease(&*one, "b", "a published job is given out to another worker")?;
    require(first.job == jobs[0] && second.job == jobs[1], "jobs come in their order, once each", &first)?;
    nothing(&*one, "a job with a lease is not given out")?;
    let depth = one.depth()?;
    require((depth.waiting, depth.leased) == (0, 2), "the depth counts leases", depth)?;
    other.release(&first)?;
    let again = lease(&*one, "b", "a job that is given back is free")?;
    require(again.job == jobs[0], "a job that is given back is the same", &again)?;
    // The first lease is extended, the second one ends.
    let since = Instant::now();
    while since.elapsed() < one.term() * 2 {
        require(one.extend(&again)?, "a lease can be extended in time", since.elapsed())?;
        thread::sleep(one.term() / 5);
    }
    let late = lease(&*other, "c", "the job of a worker that vanished is free after a term")?;
    require(late.job == jobs[1], "the job with the lease that was extended is held", &late)?;
    one.clear()?;
    require(one.depth()?.waiting == 0, "a cleared queue is empty", one.depth()?)?;
    nothing(&*other, "a cleared queue is empty")
}

/// Workers that wait are counted, so that a coordinator knows when a second worker comes.
fn waiting<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    let depth = patiently(&*one, |queue| queue.depth())?;
    require(depth.idle == 0, "without a worker nobody waits", depth)?;
    let until = |law, holds: &dyn Fn(usize) -> bool| {
        let since = Instant::now();
        loop {
            let depth = one.depth()?;
            if holds(depth.idle) {
                return Ok(());
            }
            require(since.elapsed() < SOON, law, depth)?;
            thread::sleep(Duration::from_millis(5));
        }
    };
    thread::scope(|scope| {
        let worker = scope.spawn(|| other.lease("a", SOON));
        let counted = until("a worker that waits is counted", &|idle| idle == 1);
        one.publish(&[job(1)])?;
        let offer = worker.join().expect("the thread does not panic")?;
        require(matches!(offer, JobOffer::Job(_)), "a worker that waits gets a job", &offer)?;
        counted
    })?;
    until("a worker with a job does not wait", &|idle| idle == 0)
}

fn hints<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    // A queue may tell only the hints that are sent after the first question.
    one.hints(0)?;
    let long = vec![0; MAX_HINT + 1];
    let refused = other.hint("a", &long);
    require(matches!(refused, Err(QueueError::Unfit(_))), "a hint that is too long is refused", refused)?;
    let (mut heard, since) = (Vec::new(), Instant::now());
    while heard.is_empty() && since.elapsed() < SOON {
        other.hint("a", b"one")?;
        heard = one.hints(0)?;
        thread::sleep(Duration::from_millis(20));
    }
    let Some(first) = heard.first().cloned() else {
        return Err(BrokenFarm::Law { law: "a hint comes", found: "none".to_owned() });
    };
    require(first.from == "a" && first.bytes == b"one", "a hint comes as it was sent", &first)?;
    let place = heard.last().map_or(0, |hint| hint.place);
    other.hint("b", b"two")?;
    let since = Instant::now();
    loop {
        let next = one.hints(place)?;
        if let Some(last) = next.iter().find(|hint| hint.bytes == b"two") {
            require(last.place > place, "the places of hints grow", last)?;
            return Ok(());
        }
        require(since.elapsed() < SOON, "the next hint comes", next)?;
        thread::sleep(Duration::from_millis(20));
    }
}

fn reports<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    one.publish(&[job(1), job(2), job(3)])?;
    let blobs = [b"small".to_vec(), vec![b'x'; MAX_INLINE]];
    let held = lease(&*other, "a", "a job is given out for its report")?;
    let sent = done(&held.job, "a", &blobs);
    other.report(Some(&held), &sent, &blobs)?;
    let missing = one.missing(&[held.job.id(), job(2).id(), job(99).id()])?;
    require(
        missing.contains(&job(99).id()) && !missing.contains(&job(2).id()),
        "missing jobs are told",
        missing,
    )?;
    let second = lease(&*other, "a", "the next job is given out after a report")?;
    require(second.job == job(2), "a job with a report is gone", &second)?;
    let unable =
        WorkReport { outcome: JobOutcome::Unable { why: "old".into() }, ..done(&second.job, "a", &[]) };
    other.report(Some(&second), &unable, &[])?;
    let got = one.reports(SOON, 1)?;
    let [delivery] = &got[..] else {
        return Err(BrokenFarm::Law { law: "a report comes", found: format!("{} reports", got.len()) });
    };
    let (report, inline) =
        delivery.report.as_ref().map_err(|error| QueueError::Foreign(error.to_string()))?;
    require(*report == sent && delivery.worker == "a", "a report comes as it was sent", report)?;
    for blob in &blobs {
        let digest = Digest::of(blob);
        let bytes = inline.iter().find(|(name, _)| *name == digest).map(|(_, bytes)| bytes.clone());
        let bytes = bytes.map_or_else(|| one.get(&digest, MAX_BLOB), |bytes| Ok(Some(bytes)))?;
        require(bytes.as_ref() == Some(blob), "the blobs of a report are there", blob.len())?;
    }
    one.acknowledge(std::slice::from_ref(&delivery.receipt))?;
    let got = one.reports(SOON, 10)?;
    require(got.len() == 1, "an acknowledged report does not come again, the next one comes", got.len())?;
    let missing = one.missing(&[job(2).id()])?;
    require(missing.is_empty(), "a job that a worker is unable to do is not missing", missing)?;
    let mut left: Vec<FarmJob> = Vec::new();
    for _ in 0..2 {
        left.push(lease(&*one, "b", "a job that a worker is unable to do is for others")?.job);
    }
    left.sort_by_key(|job| job.body().to_vec());
    require(left == [job(2), job(3)], "a job that a worker is unable to do is for others", &left)?;
    // A report that nobody acknowledged comes again, here to a new connection.
    drop(one);
    let third = carrier.connect();
    let since = Instant::now();
    let mut again = Vec::new();
    while again.is_empty() && since.elapsed() < third.term() * 3 + SOON {
        again = third.reports(third.term(), 10)?;
    }
    require(again.len() == 1, "a report that is not acknowledged comes again", again.len())?;
    third.acknowledge(&[again[0].receipt.clone()])?;
    // A report without a lease, from the file of an earlier process, and the same once more.
    let late = WorkReport { spent: Spent { nodes: 8, millis: 9 }, ..sent };
    third.report(None, &late, &blobs)?;
    third.report(None, &late, &blobs)?;
    let got = third.reports(SOON, 10)?;
    require(!got.is_empty(), "a late report comes", got.len())
}

fn withdrawals<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    one.publish(&[job(1), job(2)])?;
    let held = lease(&*other, "a", "a job is given out before it is withdrawn")?;
    require(!other.is_withdrawn(&held), "a job that is needed is not withdrawn", &held)?;
    one.withdraw(&[job(1).id(), job(2).id(), job(3).id()])?;
    let since = Instant::now();
    while !other.is_withdrawn(&held) && since.elapsed() < SOON {
        thread::sleep(Duration::from_millis(10));
    }
    require(other.is_withdrawn(&held), "the worker of a withdrawn job is told", since.elapsed())?;
    nothing(&*other, "a withdrawn job is not given out")?;
    thread::sleep(one.term() + one.term() / 2);
    nothing(&*other, "a withdrawn job does not come back when its lease ends")?;
    one.publish(&[job(1)])?;
    let again = lease(&*one, "b", "a withdrawn job can be published again")?;
    require(again.job == job(1), "a withdrawn job can be published again", &again)?;
    require(!one.is_withdrawn(&again), "a job that is published again is needed", &again)
}

fn take_lead(queue: &dyn Queue, name: &str) -> Result<Lead, BrokenFarm> {
    match queue.lead(name)? {
        Leading::Taken(lead) => Ok(lead),
        Leading::Held { by } => {
            Err(BrokenFarm::Law { law: "a free lead can be taken", found: format!("held by {by}") })
        }
    }
}

fn leaders<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    let lead = take_lead(&*one, "one")?;
    let held = other.lead("other")?;
    require(held == Leading::Held { by: "one".into() }, "there is one leader", held)?;
    let since = Instant::now();
    while since.elapsed() < one.term() * 2 {
        require(one.keep_lead(&lead)?, "a lead can be extended in time", since.elapsed())?;
        thread::sleep(one.term() / 5);
    }
    let held = other.lead("other")?;
    require(matches!(held, Leading::Held { .. }), "a lead that is extended is held", held)?;
    one.decide(&lead, 0, &[b"first".to_vec()])?;
    // The leader vanishes.
    let since = Instant::now();
    let next = loop {
        if let Leading::Taken(next) = other.lead("other")? {
            break next;
        }
        require(
            since.elapsed() < one.term() * 3 + SOON,
            "the lead of a coordinator that vanished is free after a term",
            since.elapsed(),
        )?;
        thread::sleep(one.term() / 5);
    };
    require(!one.keep_lead(&lead)?, "a lead that has ended is not extended", &lead)?;
    other.decide(&next, 1, &[b"second".to_vec()])?;
    let refused = one.decide(&lead, 1, &[b"other".to_vec()]);
    require(
        matches!(refused, Err(QueueError::Deposed)),
        "a decision of an earlier leader is refused",
        refused,
    )?;
    other.resign(&next)?;
    take_lead(&*one, "one").map(|_| ())
}

fn decisions<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    let lead = take_lead(&*one, "one")?;
    require(one.decided()? == 0, "a new campaign has no decisions", one.decided()?)?;
    let all: Vec<Vec<u8>> = (0..10).map(|number| format!("decision {number}").into_bytes()).collect();
    one.decide(&lead, 0, &all[..4])?;
    one.decide(&lead, 4, &all[4..])?;
    let refused = one.decide(&lead, 4, &all[4..]);
    require(matches!(refused, Err(QueueError::Deposed)), "a decision at another place is refused", refused)?;
    require(other.decided()? == 10, "decisions are counted", other.decided()?)?;
    require(other.decisions(0, 100)? == all, "decisions are in a row", other.decisions(0, 100)?)?;
    require(
        other.decisions(7, 2)? == all[7..9],
        "decisions are read from a number on",
        other.decisions(7, 2)?,
    )?;
    let long = one.decide(&lead, 10, &[vec![0; 600 << 10]]);
    require(matches!(long, Err(QueueError::Unfit(_))), "a decision that is too long is refused", long)
}

fn blobs<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    let large: Vec<u8> = (0..3 << 20).map(|i: u32| (i % 251) as u8).collect();
    for bytes in [Vec::new(), b"blob".to_vec(), large] {
        let digest = one.put(&bytes)?;
        require(one.put(&bytes)? == digest, "a blob is named by its content", digest)?;
        let got = other.get(&digest, MAX_BLOB)?;
        require(got.as_ref() == Some(&bytes), "a blob comes as it was put", bytes.len())?;
        if let Some(less) = (bytes.len() as u64).checked_sub(1) {
            let refused = other.get(&digest, less);
            require(refused.is_err(), "a blob beyond the limit of its reader is refused", bytes.len())?;
        }
    }
    let none = other.get(&Digest::of(b"nothing"), MAX_BLOB)?;
    require(none.is_none(), "a blob that was never put is not there", none)?;
    let long = one.put(&vec![0; MAX_BLOB as usize + 1]);
    require(matches!(long, Err(QueueError::Unfit(_))), "a blob that is too long is refused", long)?;
    let long = FarmJob::new("law", 1, vec![0; MAX_JOB + 1]);
    require(matches!(long, Err(Unfit::Long { .. })), "a job that is too long is refused", long)
}

fn control<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let (one, other) = (carrier.connect(), carrier.connect());
    require(one.control()? == Control::Running, "a new campaign runs", one.control()?)?;
    require(one.status()?.is_none(), "a new campaign has no status", one.status()?)?;
    one.set_status(b"{}")?;
    require(other.status()? == Some(b"{}".to_vec()), "a status is read by others", other.status()?)?;
    one.publish(&[job(1)])?;
    one.set_control(Control::Paused)?;
    nothing(&*other, "a paused campaign gives no jobs out")?;
    one.set_control(Control::Running)?;
    one.shut_out("liar")?;
    let offer = other.lease("liar", SOON)?;
    require(offer == JobOffer::ShutOut, "a worker that is shut out gets no job", offer)?;
    let held = lease(&*other, "honest", "a campaign that runs again gives jobs out")?;
    other.release(&held)?;
    for control in [Control::Cancelled, Control::Over] {
        one.set_control(control)?;
        let offer = other.lease("honest", SOON)?;
        require(offer == JobOffer::Over, "the workers of a campaign that is over go", offer)?;
    }
    for name in ["", "a.b", "a b", "*", "ä", &"x".repeat(65)] {
        let refused = other.lease(name, Duration::ZERO);
        require(matches!(refused, Err(QueueError::Unfit(_))), "a worker has a plain name", refused)?;
    }
    Ok(())
}

fn interruption<C: Carrier>(carrier: &C) -> Result<(), BrokenFarm> {
    let queue: Arc<dyn Queue> = carrier.connect();
    let lead = take_lead(&*queue, "one")?;
    queue.decide(&lead, 0, &[b"first".to_vec()])?;
    queue.publish(&[job(1), job(2)])?;
    let held = lease(&*queue, "a", "a job is given out before an interruption")?;
    let epoch = queue.epoch();
    carrier.interrupt();
    patiently(&*queue, |queue| queue.report(Some(&held), &done(&held.job, "a", &[]), &[]))?;
    require(patiently(&*queue, |queue| queue.decided())? == 1, "decisions outlive an interruption", 1)?;
    let since = Instant::now();
    while patiently(&*queue, |queue| queue.reports(SOON, 10))?.is_empty() {
        let waited = since.elapsed();
        require(waited < AFTER_INTERRUPTION, "a report after an interruption comes", waited)?;
    }
    let depth = patiently(&*queue, |queue| queue.depth())?;
    let is_lost = depth.waiting == 0;
    require(!is_lost || queue.epoch() != epoch, "jobs that are lost change the epoch", depth)
}
