//! The beginning of a run: the plan as the journal and the row of decisions have it.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use stonework_files::read_bytes;

use super::{CoordinateError, Coordinator, CoordinatorEvent, Open, Pace, Progress, Run, is_passing};
use crate::backoff::Backoff;
use crate::plan::{Check, FarmPlan};
use crate::queue::{Lead, Queue, QueueError};
use crate::wire::decode_decision;
use crate::{Digest, FarmJob, FarmJobId, JobDecision, Journal, MAX_BLOB, MAX_INLINE, Spent};

/// The number of decisions that are fetched or sent at a time.
const AT_A_TIME: usize = 64;

/// The plan as it is made anew.
struct Replay<'a> {
    plan: &'a mut dyn FarmPlan,
    open: HashMap<FarmJobId, FarmJob>,
    decided: u64,
    spent: Spent,
}

impl Replay<'_> {
    /// Takes a decision. An error in words if the plan and the decision do not fit together.
    fn take(&mut self, decision: &JobDecision) -> Result<(), String> {
        for asked in 1..=decision.offers {
            match self.plan.next() {
                Some(job) => drop(self.open.insert(job.id(), job)),
                None if asked == decision.offers => {}
                None => return Err("the plan has fewer jobs than it had: it is another plan".to_owned()),
            }
        }
        let id = decision.job.id();
        if self.open.remove(&id).is_none() {
            return Err(format!(
                "it is about job {id}, which the plan has not given out: it is another plan"
            ));
        }
        for needless in self.plan.take(&decision.job, &decision.answer) {
            self.open.remove(&needless);
        }
        self.decided += 1;
        self.spent = self.spent.plus(decision.spent);
        Ok(())
    }
}

impl Coordinator {
    /// Brings the plan and the journal to their present state.
    pub(super) fn resume<'a, 'b>(
        &'b self,
        queue: &'a dyn Queue,
        plan: &'a mut dyn FarmPlan,
        check: &'a dyn Check,
        stop: &'a AtomicBool,
        watch: &'a mut dyn FnMut(&CoordinatorEvent<'_>),
        lead: Lead,
    ) -> Result<Run<'a, 'b>, CoordinateError> {
        let identity = plan.identity().into_bytes();
        let place = self.journal().display().to_string();
        let mut replay = Replay { plan, open: HashMap::new(), decided: 0, spent: Spent::default() };
        let (mut fault, mut number, mut last) = (None, 0_u64, Vec::new());
        let mut kept = Instant::now();
        // A long journal takes more than a term. A lead that is lost meanwhile is seen afterwards.
        let mut keep = || {
            if kept.elapsed() > queue.term() / 3 {
                let _ = queue.keep_lead(&lead);
                kept = Instant::now();
            }
        };
        let mut journal = Journal::open(std::sync::Arc::clone(&self.disk), &self.journal(), &mut |record| {
            keep();
            if fault.is_none() {
                fault = take(&place, number, record, &identity, &mut replay).err();
            }
            number += 1;
            last = record.to_vec();
        })?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        let there = self.patiently(stop, watch, || Ok(queue.decided()?))?;
        let mut fetched = 0;
        if there > 0 && journal.records() > 0 {
            // The last record that both have is the same.
            let at = there.min(journal.records()) - 1;
            let mine = if at + 1 == journal.records() { last } else { self.record(at)? };
            let stored = self.patiently(stop, watch, || Ok(queue.decisions(at, 1)?))?;
            if stored.first() != Some(&mine) {
                let why = "the journal has another decision: the directory and the queue have parted; use the directory of the last leader".to_owned();
                return Err(CoordinateError::Decision { place: "the queue".to_owned(), number: at, why });
            }
        }
        while journal.records() < there {
            let from = journal.records();
            let records = self.patiently(stop, watch, || Ok(queue.decisions(from, AT_A_TIME)?))?;
            if records.is_empty() {
                break;
            }
            for (number, record) in (from..).zip(&records) {
                keep();
                if number > 0 {
                    self.patiently(stop, watch, || self.check_again(queue, check, number, record))?;
                    fetched += 1;
                }
                take("the queue", number, record, &identity, &mut replay)?;
            }
            self.patiently(stop, watch, || Ok(journal.append(&records)?))?;
        }
        if journal.records() == 0 {
            self.patiently(stop, watch, || Ok(journal.append(std::slice::from_ref(&identity))?))?;
        }
        let Replay { plan, open, decided, spent: Spent { nodes, millis } } = replay;
        let unpublished: Vec<FarmJob> = open.values().cloned().collect();
        let open = open.into_iter().map(|(id, job)| (id, Open::new(job))).collect();
        let coordinator = self.name.clone();
        let progress = Progress { coordinator, decided, nodes, millis, ..Progress::default() };
        Ok(Run {
            queue,
            check,
            plan,
            stop,
            watch,
            settings: self,
            journal,
            lead,
            open,
            unpublished,
            offers: 0,
            is_dry: false,
            receipts: Vec::new(),
            again: BTreeSet::new(),
            to_shut_out: Vec::new(),
            bad: HashMap::new(),
            able: HashMap::new(),
            progress,
            pace: Pace::default(),
            epoch: queue.epoch(),
            backoff: Backoff::new(&self.name),
            fetched,
        })
    }

    /// Calls a function until it succeeds, or fails for a reason that does not pass, or `stop` is set.
    fn patiently<T>(
        &self,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&CoordinatorEvent<'_>),
        mut call: impl FnMut() -> Result<T, CoordinateError>,
    ) -> Result<T, CoordinateError> {
        let mut backoff = Backoff::new(&self.name);
        loop {
            match call() {
                Err(error) if is_passing(&error) && !stop.load(Ordering::Relaxed) => {
                    backoff.pause(stop, |time| watch(&CoordinatorEvent::Trouble(&error.to_string(), time)));
                }
                done => return done,
            }
        }
    }

    /// The [identity](FarmPlan::identity) of the campaign that has begun in the queue or in the directory; `None` if there is
    /// none. A plan whose beginning depends on files, such as games that were played before, takes its beginning from there
    /// when it goes on.
    ///
    /// # Errors
    /// An error if the queue or the journal cannot be read.
    pub fn begun(&self, queue: &dyn Queue) -> Result<Option<String>, CoordinateError> {
        let text = |record: &[u8]| String::from_utf8_lossy(record).into_owned();
        if queue.decided()? > 0 {
            return Ok(queue.decisions(0, 1)?.first().map(|record| text(record)));
        }
        let path = self.journal();
        let looked = self.disk.look(&path).map_err(|error| crate::JournalError::Io { path, error })?;
        let record = if looked.is_some() { self.record(0)? } else { Vec::new() };
        Ok(Some(text(&record)).filter(|identity| !identity.is_empty()))
    }

    /// One record of the journal.
    fn record(&self, at: u64) -> Result<Vec<u8>, CoordinateError> {
        let (mut number, mut found) = (0, Vec::new());
        Journal::read(&*self.disk, &self.journal(), &mut |record| {
            if number == at {
                found = record.to_vec();
            }
            number += 1;
        })?;
        Ok(found)
    }

    /// Checks a decision that comes from the queue, which is not trusted, and stores its blobs.
    fn check_again(
        &self,
        queue: &dyn Queue,
        check: &dyn Check,
        number: u64,
        record: &[u8],
    ) -> Result<(), CoordinateError> {
        let fault = |why: String| CoordinateError::Decision { place: "the queue".to_owned(), number, why };
        let decision = decode_decision(record).map_err(|error| fault(error.to_string()))?;
        let mut blobs = Vec::new();
        for blob in &decision.blobs {
            let inline = decision.inline.iter().find(|(digest, _)| *digest == blob.digest);
            let bytes = match inline {
                Some((_, bytes)) => bytes.clone(),
                None => self
                    .kept(&blob.digest)
                    .map_or_else(|| queue.get(&blob.digest, MAX_BLOB), |bytes| Ok(Some(bytes)))?
                    .ok_or_else(|| fault(format!("its blob {} is not there", blob.digest)))?,
            };
            blobs.push(bytes);
        }
        let answer = check.check(&decision.job, &decision.answer, &blobs).map_err(fault)?;
        if answer != decision.answer {
            return Err(fault("its answer is not the one that its check gives".to_owned()));
        }
        if blobs.iter().map(Vec::len).sum::<usize>() > MAX_INLINE {
            for (blob, bytes) in decision.blobs.iter().zip(&blobs) {
                self.store(blob, bytes)?;
            }
        }
        Ok(())
    }

    /// Passes the identity of the campaign and each decision of the journal to functions, in order, and changes nothing;
    /// another process may coordinate meanwhile. Blobs in files are put into the decision. Returns the number of
    /// decisions.
    ///
    /// # Errors
    /// An error if there is no journal, or if a record or a blob is damaged.
    pub fn read(
        &self,
        identity: &mut dyn FnMut(&str),
        each: &mut dyn FnMut(&JobDecision),
    ) -> Result<u64, CoordinateError> {
        let place = self.journal().display().to_string();
        let (mut number, mut fault) = (0, None);
        Journal::read(&*self.disk, &self.journal(), &mut |record| {
            if number == 0 {
                identity(&String::from_utf8_lossy(record));
            } else if fault.is_none() {
                match decode_decision(record)
                    .map_err(|error| error.to_string())
                    .and_then(|found| self.whole(found))
                {
                    Ok(decision) => each(&decision),
                    Err(why) => fault = Some(CoordinateError::Decision { place: place.clone(), number, why }),
                }
            }
            number += 1;
        })?;
        fault.map_or(Ok(number.saturating_sub(1)), Err)
    }

    /// A decision with the bytes of all its blobs.
    fn whole(&self, mut decision: JobDecision) -> Result<JobDecision, String> {
        if decision.inline.is_empty() {
            for blob in &decision.blobs {
                let bytes = self.kept(&blob.digest);
                let bytes = bytes
                    .ok_or_else(|| format!("{}: not there, or damaged", self.blob(&blob.digest).display()))?;
                decision.inline.push((blob.digest, bytes));
            }
        }
        Ok(decision)
    }

    /// A blob in its file, if it is there and whole.
    #[must_use]
    pub fn kept(&self, digest: &Digest) -> Option<Vec<u8>> {
        let bytes = read_bytes(&*self.disk, &self.blob(digest), MAX_BLOB).ok()?;
        (Digest::of(&bytes) == *digest).then_some(bytes)
    }
}

impl Run<'_, '_> {
    /// Brings the row of decisions to the length of the journal, and tells the watcher that the coordinator leads.
    pub(super) fn begin(&mut self) -> Result<(), CoordinateError> {
        while let Err(error) = self.catch_up() {
            if !is_passing(&error) || self.stop.load(Ordering::Relaxed) {
                return Err(error);
            }
            self.trouble(&error.to_string());
        }
        self.backoff.reset();
        (self.watch)(&CoordinatorEvent::Leads { decided: self.progress.decided, fetched: self.fetched });
        Ok(())
    }

    /// Brings the row of decisions to the length of the journal, and takes the jobs of the coordinator before out of the
    /// queue: some of them may be needed no more.
    fn catch_up(&mut self) -> Result<(), CoordinateError> {
        let there = self.queue.decided()?;
        match self.send_from(there) {
            // The lead may have ended while the queue was away.
            Err(CoordinateError::Queue(QueueError::Deposed)) if self.regain()? => {
                let there = self.queue.decided()?;
                self.send_from(there)?;
            }
            done => done?,
        }
        Ok(self.queue.clear()?)
    }

    /// Sends the records of the journal from a number on to the queue.
    pub(super) fn send_from(&mut self, from: u64) -> Result<(), CoordinateError> {
        if from >= self.journal.records() {
            return Ok(());
        }
        let (mut number, mut at, mut sent) = (0, from, Ok(()));
        let mut group = Vec::new();
        let (queue, lead) = (self.queue, &self.lead);
        let mut send = |group: &mut Vec<Vec<u8>>, most: usize| {
            if group.len() > most && sent.is_ok() {
                sent = queue.decide(lead, at, group);
                at += group.len() as u64;
            }
            if group.len() > most {
                group.clear();
            }
        };
        Journal::read(&**self.journal.disk(), self.journal.path(), &mut |record| {
            if number >= from {
                group.push(record.to_vec());
                send(&mut group, AT_A_TIME);
            }
            number += 1;
        })?;
        send(&mut group, 0);
        Ok(sent?)
    }
}

/// Takes a record: the identity, or a decision.
fn take(
    place: &str,
    number: u64,
    record: &[u8],
    identity: &[u8],
    replay: &mut Replay<'_>,
) -> Result<(), CoordinateError> {
    if number == 0 {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        return if record == identity {
            Ok(())
        } else {
            let (found, expected) = (text(record), text(identity));
            Err(CoordinateError::Other { place: place.to_owned(), found, expected })
        };
    }
    let fault = |why: String| CoordinateError::Decision { place: place.to_owned(), number, why };
    let decision = decode_decision(record).map_err(|error| fault(error.to_string()))?;
    replay.take(&decision).map_err(fault)
}
