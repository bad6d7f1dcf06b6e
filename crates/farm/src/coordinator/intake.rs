//! Reports: checked, written, counted.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use stonework_files::replace;

use super::{CoordinateError, CoordinatorEvent, LATELY, MAX_BAD, MAX_FAILURES, Run, is_passing};
use crate::job::{check_length, reason};
use crate::queue::{Delivery, QueueError};
use crate::wire::InlineBlobs;
use crate::{
    Blob, FarmJobId, JobDecision, JobOutcome, JournalError, MAX_ANSWER, MAX_BLOB, MAX_INLINE, WorkReport,
    encode_decision,
};

/// The end of an attempt to take reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intake {
    /// There were none.
    Idle,
    /// They are taken.
    Taken,
    /// The run was stopped while the journal could not be written: the plan is ahead of it.
    Stopped,
}

impl Run<'_, '_> {
    /// Takes reports.
    pub(super) fn intake(&mut self, wait: Duration, at_most: usize) -> Result<Intake, CoordinateError> {
        let deliveries = self.queue.reports(wait, at_most)?;
        if deliveries.is_empty() {
            return Ok(Intake::Idle);
        }
        let mut decisions = Vec::new();
        for delivery in deliveries {
            // A report that cannot be judged now is not acknowledged, and comes again.
            match self.judge(delivery, &mut decisions) {
                Err(error) if is_passing(&error) => {
                    (self.watch)(&CoordinatorEvent::Trouble(&error.to_string(), Duration::ZERO));
                }
                judged => judged?,
            }
        }
        if !self.write(decisions)? {
            return Ok(Intake::Stopped);
        }
        self.shut_out()?;
        self.settle()?;
        Ok(Intake::Taken)
    }

    /// Tells the queue what follows from the reports that were judged. What cannot be told now is told by a later call. The reports are
    /// acknowledged first: one that comes again would count twice.
    pub(super) fn settle(&mut self) -> Result<(), CoordinateError> {
        self.queue.acknowledge(&self.receipts)?;
        self.receipts.clear();
        let again: Vec<FarmJobId> = self.again.iter().copied().collect();
        self.republish(&again)?;
        self.again.clear();
        Ok(())
    }

    /// Lets the queue shut workers out. One that cannot be shut out now is so later, and keeps nobody from work: its reports are dropped.
    pub(super) fn shut_out(&mut self) -> Result<(), CoordinateError> {
        while let Some(worker) = self.to_shut_out.last() {
            match self.queue.shut_out(worker) {
                Ok(()) => drop(self.to_shut_out.pop()),
                Err(error) if error.is_passing() => {
                    (self.watch)(&CoordinatorEvent::Trouble(&error.to_string(), Duration::ZERO));
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn judge(&mut self, delivery: Delivery, decisions: &mut Vec<JobDecision>) -> Result<(), CoordinateError> {
        let Delivery { worker, report, receipt } = delivery;
        if self.bad.get(&worker).is_some_and(|&bad| bad >= MAX_BAD) {
            if let Ok((report, _)) = &report {
                self.again.insert(report.job);
            }
            self.receipts.push(receipt);
            return Ok(());
        }
        let (report, inline) = match report {
            Ok(report) => report,
            Err(error) => {
                self.refuse(&worker, &error.to_string());
                self.receipts.push(receipt);
                return Ok(());
            }
        };
        let is_taken = decisions.iter().any(|decision| decision.job.id() == report.job);
        let job = self.open.get(&report.job).filter(|_| !is_taken).map(|open| open.job.clone());
        let Some(job) = job else {
            self.drop_report(&worker);
            self.receipts.push(receipt);
            return Ok(());
        };
        match &report.outcome {
            JobOutcome::Unable { why } => {
                (self.watch)(&CoordinatorEvent::Unable { worker: &worker, why: &reason(why) });
            }
            JobOutcome::Failed { why } => {
                self.fail(report.job, &worker, why)?;
                self.again.insert(report.job);
            }
            JobOutcome::Done { body, blobs } => {
                let checked = match self.blobs(blobs, &inline)? {
                    Ok(bytes) => self.check.check(&job, body, &bytes).and_then(|answer| {
                        let length = answer.len() as u64;
                        check_length("a checked answer", length, MAX_ANSWER as u64)
                            .map_err(|error| error.to_string())?;
                        Ok((answer, bytes))
                    }),
                    Err(why) => Err(why),
                };
                match checked {
                    Ok((answer, bytes)) => {
                        self.able.insert(worker.clone(), Instant::now());
                        let decision = self.decision(worker, job, report, answer, bytes)?;
                        decisions.push(decision);
                    }
                    Err(why) => {
                        self.refuse(&worker, &why);
                        self.again.insert(report.job);
                    }
                }
            }
        }
        self.receipts.push(receipt);
        Ok(())
    }

    /// The bytes of all blobs of a report; the inner error is the worker's fault.
    fn blobs(
        &self,
        blobs: &[Blob],
        inline: &InlineBlobs,
    ) -> Result<Result<Vec<Vec<u8>>, String>, QueueError> {
        let mut all = Vec::new();
        for blob in blobs {
            let here =
                inline.iter().find(|(digest, _)| *digest == blob.digest).map(|(_, bytes)| bytes.clone());
            let bytes = match here {
                Some(bytes) => Some(bytes),
                None => match self.queue.get(&blob.digest, MAX_BLOB) {
                    Err(error) if !error.is_passing() => return Ok(Err(error.to_string())),
                    bytes => bytes?,
                },
            };
            match bytes {
                Some(bytes) if bytes.len() as u64 == blob.bytes => all.push(bytes),
                Some(bytes) => {
                    let (digest, found, told) = (blob.digest, bytes.len(), blob.bytes);
                    return Ok(Err(format!("blob {digest} has {found} bytes, and the report says {told}")));
                }
                None => return Ok(Err(format!("blob {} is not there", blob.digest))),
            }
        }
        Ok(Ok(all))
    }

    /// The decision about a report. Blobs that are too large for the journal are in files when the function returns.
    fn decision(
        &self,
        worker: String,
        job: crate::FarmJob,
        report: WorkReport,
        answer: Vec<u8>,
        bytes: Vec<Vec<u8>>,
    ) -> Result<JobDecision, CoordinateError> {
        let JobOutcome::Done { blobs, .. } = report.outcome else { unreachable!("only answers are decided") };
        let all: usize = bytes.iter().map(Vec::len).sum();
        let mut inline = InlineBlobs::new();
        for (blob, bytes) in blobs.iter().zip(bytes) {
            if all <= MAX_INLINE {
                inline.push((blob.digest, bytes));
            } else {
                self.settings.store(blob, &bytes)?;
            }
        }
        Ok(JobDecision {
            offers: 0,
            job,
            worker,
            build: report.build,
            spent: report.spent,
            answer,
            blobs,
            inline,
        })
    }

    fn fail(&mut self, job: FarmJobId, worker: &str, why: &str) -> Result<(), CoordinateError> {
        self.progress.failed += 1;
        let why = reason(why);
        (self.watch)(&CoordinatorEvent::Failed { worker, why: &why });
        if let Some(open) = self.open.get_mut(&job) {
            open.failures += 1;
            let times = open.failures;
            open.failed_by.insert(worker.to_owned());
            let failed_by = &open.failed_by;
            let (is_many, is_often) = (failed_by.len() >= MAX_FAILURES as usize, times >= 4 * MAX_FAILURES);
            self.able.retain(|_, at| at.elapsed() < LATELY);
            // A worker that fails is soon idle, and takes the job again while the others work.
            if is_many || is_often && self.able.keys().all(|worker| failed_by.contains(worker)) {
                return Err(CoordinateError::Job { job, times, why });
            }
        }
        Ok(())
    }

    fn refuse(&mut self, worker: &str, why: &str) {
        let bad = self.bad.entry(worker.to_owned()).or_default();
        *bad += 1;
        let bad = *bad;
        self.progress.refused += 1;
        // The fault may quote the answer.
        (self.watch)(&CoordinatorEvent::Refused { worker, why: &reason(why), bad });
        if bad == MAX_BAD {
            (self.watch)(&CoordinatorEvent::ShutOut { worker });
            self.progress.shut_out.push(worker.to_owned());
            self.to_shut_out.push(worker.to_owned());
        }
    }

    /// Counts a report about a job that nobody needs.
    fn drop_report(&mut self, worker: &str) {
        self.progress.needless += 1;
        (self.watch)(&CoordinatorEvent::Needless { worker });
    }

    /// Gives decisions to the plan, then writes them to the row of decisions and to the journal. A decision that an
    /// earlier one makes needless is dropped: the plan may give its job out again. The function tries until both have the
    /// decisions: nothing else is worth doing meanwhile. Returns `false` if the run was stopped before.
    fn write(&mut self, decisions: Vec<JobDecision>) -> Result<bool, CoordinateError> {
        let (mut counted, mut needless) = (Vec::new(), Vec::new());
        for mut decision in decisions {
            let id = decision.job.id();
            let Some(open) = self.open.remove(&id) else {
                self.drop_report(&decision.worker);
                continue;
            };
            self.unpublished.retain(|job| job.id() != id);
            if open.is_again {
                needless.push(id);
            }
            for id in self.plan.take(&decision.job, &decision.answer) {
                self.open.remove(&id);
                self.unpublished.retain(|job| job.id() != id);
                needless.push(id);
            }
            decision.offers = std::mem::take(&mut self.offers);
            counted.push(decision);
        }
        if counted.is_empty() {
            return Ok(true);
        }
        self.is_dry = false;
        if !self.record(&counted.iter().map(encode_decision).collect::<Vec<_>>())? {
            return Ok(false);
        }
        for decision in &counted {
            self.progress.decided += 1;
            self.progress.add(decision.spent);
            self.pace.add(decision);
            (self.watch)(&CoordinatorEvent::Decided(decision));
        }
        self.queue.withdraw(&needless)?;
        Ok(true)
    }

    /// Writes records to the row of decisions and to the journal. Returns `false` if the run was stopped before both had
    /// them.
    fn record(&mut self, records: &[Vec<u8>]) -> Result<bool, CoordinateError> {
        let at = self.journal.records();
        let mut is_told = false;
        loop {
            let written = if is_told { Ok(()) } else { self.tell_decisions(at, records) };
            let written = written.and_then(|()| {
                is_told = true;
                self.journal.append(records).map_err(CoordinateError::from)
            });
            match written {
                Ok(()) => break,
                Err(error) if is_passing(&error) && self.stop.load(Ordering::Relaxed) => return Ok(false),
                Err(error) if is_passing(&error) => self.trouble(&error.to_string()),
                Err(error) => return Err(error),
            }
        }
        self.backoff.reset();
        Ok(true)
    }

    /// Appends records to the queue's row. A row that a server has lost is made anew from the journal.
    fn tell_decisions(&mut self, at: u64, records: &[Vec<u8>]) -> Result<(), CoordinateError> {
        match self.queue.decide(&self.lead, at, records) {
            Err(QueueError::Deposed) => {}
            done => return Ok(done?),
        }
        if !self.regain()? {
            return Err(QueueError::Deposed.into());
        }
        let there = self.queue.decided()?;
        if there > at {
            // The answer to the first attempt was lost: the row has the group, or the first decisions of it.
            let stored = self.queue.decisions(at, records.len() + 1)?;
            if stored.len() as u64 != there - at || !records.starts_with(&stored) {
                return Err(QueueError::Deposed.into());
            }
            return match &records[stored.len()..] {
                [] => Ok(()),
                rest => Ok(self.queue.decide(&self.lead, there, rest)?),
            };
        }
        self.send_from(there)?;
        Ok(self.queue.decide(&self.lead, at, records)?)
    }
}

impl super::Coordinator {
    /// Puts a blob into its file.
    pub(super) fn store(&self, blob: &Blob, bytes: &[u8]) -> Result<(), JournalError> {
        let path = self.blob(&blob.digest);
        let there = self.disk.look(&path).is_ok_and(|look| look.is_some_and(|look| look.len == blob.bytes));
        if there {
            return Ok(());
        }
        replace(&*self.disk, &path, |out| out.write_all(bytes))
            .map_err(|error| JournalError::Io { path, error })
    }
}
