//! [`Embedded`]: a queue in one `SQLite` file, for the threads and processes of one machine.

mod store;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::job::{check_length, check_name};
use crate::queue::{
    Control, Delivery, Depth, Hint, JobLease, JobOffer, Lead, Leading, Queue, QueueError, Receipt, check_term,
};
use crate::wire::{decode_job, decode_report, encode_job, encode_report};
use crate::{Digest, FarmJob, FarmJobId, JobOutcome, KEPT_HINTS, MAX_BLOB, MAX_HINT, MAX_INLINE, WorkReport};
use store::{now, open};

/// The time between two looks at the file while a call waits: first, and at most.
const LOOK: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));
/// The largest number of bytes of a decision and of a status.
pub(crate) const MAX_DECISION: u64 = 512 << 10;
pub(crate) const MAX_STATUS: u64 = 64 << 10;

/// The settings of an [`Embedded`] queue.
#[derive(Clone, Debug)]
pub struct EmbeddedOptions {
    /// The term of leases, from 0.1 s to a year, which a coordinator sets for all when it takes the lead. A worker has the term of the
    /// file, and gives a new file its own.
    pub term: Duration,
    /// The largest size of the file in bytes; `None` for the limit of the disk. A full file answers
    /// [`QueueError::Full`], and goes on once jobs and reports are taken out.
    pub most_bytes: Option<u64>,
}

/// A term of ten seconds, no limit of bytes.
impl Default for EmbeddedOptions {
    fn default() -> Self {
        Self { term: Duration::from_secs(10), most_bytes: None }
    }
}

/// A queue in the file `farm.db` of a directory, for the threads and processes of one machine.
///
/// Each value is one connection; a thread that waits for jobs should have its own. The file is one of `SQLite`, in its mode
/// with a write-ahead log: a killed process loses nothing; a power failure may lose the last jobs and reports, but no
/// decision of the coordinator, whose journal is synced by itself.
///
/// ```
/// use std::time::Duration;
/// use stonework_farm::{Embedded, EmbeddedOptions, FarmJob, JobOffer, Queue};
/// # let folder = std::env::temp_dir().join(format!("stonework-farm-embedded-{}", std::process::id()));
/// let queue = Embedded::open(&folder, &EmbeddedOptions::default())?;
/// let job = FarmJob::new("square", 1, *b"12")?;
/// queue.publish(&[job.clone(), job.clone()])?;
/// let JobOffer::Job(lease) = queue.lease("worker-1", Duration::ZERO)? else { panic!("no job") };
/// assert_eq!(lease.job, job);
/// assert_eq!(queue.lease("worker-2", Duration::ZERO)?, JobOffer::Nothing);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Embedded {
    file: PathBuf,
    /// The term that this value sets when it takes the lead.
    own: Duration,
    /// The term of the file in milliseconds, as of the last look.
    term: AtomicU64,
    connection: Mutex<Connection>,
}

impl Embedded {
    /// Opens the queue of a directory; makes directory and file if there are none.
    ///
    /// # Errors
    /// An error if the file cannot be used, is no queue, or is one of another version, and for a term that is out of its range.
    pub fn open(directory: &Path, options: &EmbeddedOptions) -> Result<Self, QueueError> {
        check_term(options.term)?;
        let file = directory.join("farm.db");
        std::fs::create_dir_all(directory)
            .map_err(|error| QueueError::Away(format!("{}: {error}", directory.display())))?;
        let (connection, term) = open(&file, options)?;
        Ok(Self { file, own: options.term, term: term.into(), connection: Mutex::new(connection) })
    }

    /// The time at which a lease that begins now ends.
    fn until(&self) -> i64 {
        now().saturating_add(self.term().as_millis() as i64)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error of the database in our words.
    fn failed(&self, error: &rusqlite::Error) -> QueueError {
        let text = format!("{}: {error}", self.file.display());
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => QueueError::Full(text),
            Some(rusqlite::ErrorCode::ReadOnly | rusqlite::ErrorCode::PermissionDenied) => {
                QueueError::Forbidden(text)
            }
            Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
                QueueError::Foreign(text)
            }
            _ => QueueError::Away(text),
        }
    }

    /// Runs a function in a transaction that writes.
    fn change<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, QueueError> {
        let mut connection = self.connection();
        let run = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = change(&transaction)?;
            transaction.commit().map(|()| value)
        };
        run().map_err(|error| self.failed(&error))
    }

    /// Runs a function that only reads.
    fn look<T>(&self, look: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, QueueError> {
        look(&self.connection()).map_err(|error| self.failed(&error))
    }

    /// Looks again and again, until there is something or the time is over.
    fn wait<T>(
        wait: Duration,
        mut look: impl FnMut() -> Result<Option<T>, QueueError>,
    ) -> Result<Option<T>, QueueError> {
        let (since, mut pause) = (Instant::now(), LOOK.0);
        loop {
            let found = look()?;
            let left = wait.saturating_sub(since.elapsed());
            if found.is_some() || left.is_zero() {
                return Ok(found);
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(LOOK.1);
        }
    }

    /// One attempt to lease a job; `None` if there is none.
    fn try_lease(&self, worker: &str) -> Result<Option<JobOffer>, QueueError> {
        let (control, term, is_shut, has_job, is_set_back) = self.look(|db| {
            let (control, term) = (store::control(db)?, store::term(db)?);
            let is_shut = db.prepare_cached("SELECT 1 FROM shut WHERE worker = ?1")?.exists([worker])?;
            let has_job =
                db.prepare_cached("SELECT 1 FROM jobs WHERE expires <= ?1 LIMIT 1")?.exists([now()])?;
            let until = now().saturating_add(term.unwrap_or(u64::MAX).try_into().unwrap_or(i64::MAX));
            let is_set_back =
                db.prepare_cached("SELECT 1 FROM jobs WHERE expires > ?1 LIMIT 1")?.exists([until])?;
            Ok((control, term, is_shut, has_job, is_set_back))
        })?;
        if let Some(term) = term {
            self.term.store(term, Ordering::Relaxed);
        }
        if is_set_back {
            let until = self.until();
            self.change(|db| store::shorten(db, until))?;
        }
        match control {
            Control::Cancelled | Control::Over => return Ok(Some(JobOffer::Over)),
            Control::Running if is_shut => return Ok(Some(JobOffer::ShutOut)),
            Control::Running if has_job => {}
            Control::Running | Control::Paused => return Ok(None),
        }
        let until = self.until();
        let found = self.change(|db| {
            store::wait_no_more(db, worker)?;
            db.prepare_cached(
                "UPDATE jobs SET expires = ?1, token = random(), worker = ?2 WHERE id = (SELECT id FROM jobs \
                 WHERE expires <= ?3 ORDER BY expires, seq LIMIT 1) RETURNING message, token",
            )?
            .query_row(params![until, worker, now()], |row| {
                Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, i64>(1)?))
            })
            .optional()
        })?;
        let Some((message, token)) = found else { return Ok(None) };
        let job = decode_job(&message).map_err(|error| QueueError::Foreign(error.to_string()))?;
        Ok(Some(JobOffer::Job(JobLease { job, token: token.to_string() })))
    }
}

impl Queue for Embedded {
    fn term(&self) -> Duration {
        Duration::from_millis(self.term.load(Ordering::Relaxed))
    }

    fn control(&self) -> Result<Control, QueueError> {
        self.look(store::control)
    }

    fn set_control(&self, control: Control) -> Result<(), QueueError> {
        let text = serde_json::to_vec(&control).expect("a name");
        self.change(|db| store::set_meta(db, "control", &text))
    }

    fn status(&self) -> Result<Option<Vec<u8>>, QueueError> {
        self.look(|db| store::meta(db, "status"))
    }

    fn put(&self, bytes: &[u8]) -> Result<Digest, QueueError> {
        check_length("a blob", bytes.len() as u64, MAX_BLOB)?;
        let digest = Digest::of(bytes);
        self.change(|db| store::put_blob(db, &digest, bytes))?;
        Ok(digest)
    }

    fn get(&self, digest: &Digest, at_most: u64) -> Result<Option<Vec<u8>>, QueueError> {
        let length = self.look(|db| {
            db.prepare_cached("SELECT length(bytes) FROM blobs WHERE digest = ?1")?
                .query_row([digest.bytes()], |row| row.get::<_, i64>(0))
                .optional()
        })?;
        let Some(length) = length else { return Ok(None) };
        check_length("a blob", length as u64, at_most)?;
        let bytes: Option<Vec<u8>> = self.look(|db| {
            db.prepare_cached("SELECT bytes FROM blobs WHERE digest = ?1")?
                .query_row([digest.bytes()], |row| row.get(0))
                .optional()
        })?;
        match bytes {
            Some(bytes) if Digest::of(&bytes) != *digest => {
                Err(QueueError::Foreign(format!("blob {digest}: its bytes have another digest")))
            }
            bytes => Ok(bytes),
        }
    }

    fn lead(&self, name: &str) -> Result<Leading, QueueError> {
        check_name("the name of a coordinator", name)?;
        let own = self.own.as_millis() as u64;
        let until = now().saturating_add(own as i64);
        let leading = self.change(|db| {
            let held: Option<(String, i64)> = db
                .query_row("SELECT name, expires FROM leader", [], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            if let Some((by, _)) = held.filter(|(_, expires)| *expires > now()) {
                let term = store::term(db)?.unwrap_or(own) as i64;
                store::shorten(db, now().saturating_add(term))?;
                return Ok(Leading::Held { by });
            }
            db.execute("DELETE FROM leader", [])?;
            db.execute("INSERT INTO leader VALUES (?1, random(), ?2)", params![name, until])?;
            let key: i64 = db.query_row("SELECT key FROM leader", [], |row| row.get(0))?;
            store::set_term(db, own)?;
            Ok(Leading::Taken(Lead { name: name.to_owned(), key: key.to_string() }))
        })?;
        if let Leading::Taken(_) = leading {
            self.term.store(own, Ordering::Relaxed);
        }
        Ok(leading)
    }

    fn keep_lead(&self, lead: &Lead) -> Result<bool, QueueError> {
        let until = self.until();
        self.change(|db| {
            let sql = "UPDATE leader SET expires = ?1 WHERE key = ?2";
            Ok(db.prepare_cached(sql)?.execute(params![until, store::key(&lead.key)])? == 1)
        })
    }

    fn resign(&self, lead: &Lead) -> Result<(), QueueError> {
        self.change(|db| db.execute("DELETE FROM leader WHERE key = ?1", [store::key(&lead.key)]))?;
        Ok(())
    }

    fn clear(&self) -> Result<(), QueueError> {
        self.change(|db| db.execute("DELETE FROM jobs", []))?;
        Ok(())
    }

    fn publish(&self, jobs: &[FarmJob]) -> Result<(), QueueError> {
        if jobs.is_empty() {
            return Ok(());
        }
        self.change(|db| {
            let sql = "INSERT OR IGNORE INTO jobs (id, seq, message, expires, token, worker) VALUES (?1, \
                       (SELECT coalesce(max(seq), 0) + 1 FROM jobs), ?2, 0, 0, '')";
            let mut insert = db.prepare_cached(sql)?;
            for job in jobs {
                insert.execute(params![job.id().0.bytes(), encode_job(job)])?;
            }
            Ok(())
        })
    }

    fn withdraw(&self, jobs: &[FarmJobId]) -> Result<(), QueueError> {
        if jobs.is_empty() {
            return Ok(());
        }
        self.change(|db| jobs.iter().try_for_each(|job| store::remove_job(db, job)))
    }

    fn depth(&self) -> Result<Depth, QueueError> {
        self.look(|db| {
            let sql = "SELECT count(*), coalesce(sum(expires > ?1), 0), (SELECT count(*) FROM waits WHERE until > ?1) \
                       FROM jobs";
            let (all, leased, idle): (i64, i64, i64) = db
                .prepare_cached(sql)?
                .query_row([now()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            Ok(Depth { waiting: (all - leased) as usize, leased: leased as usize, idle: idle as usize })
        })
    }

    fn missing(&self, jobs: &[FarmJobId]) -> Result<Vec<FarmJobId>, QueueError> {
        self.look(|db| {
            let mut there = db.prepare_cached(
                "SELECT 1 FROM jobs WHERE id = ?1 UNION SELECT 1 FROM reports WHERE job = ?1",
            )?;
            let mut missing = Vec::new();
            for job in jobs {
                if !there.exists([job.0.bytes()])? {
                    missing.push(*job);
                }
            }
            Ok(missing)
        })
    }

    fn epoch(&self) -> u64 {
        0
    }

    fn reports(&self, wait: Duration, at_most: usize) -> Result<Vec<Delivery>, QueueError> {
        let found = Self::wait(wait, || {
            let rows: Vec<(i64, String, Vec<u8>)> = self.look(|db| {
                db.prepare_cached("SELECT seq, worker, message FROM reports ORDER BY seq LIMIT ?1")?
                    .query_map([at_most as i64], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                    .collect()
            })?;
            Ok(if rows.is_empty() { None } else { Some(rows) })
        })?;
        let deliver = |(seq, worker, message): (i64, String, Vec<u8>)| Delivery {
            worker,
            report: decode_report(&message),
            receipt: Receipt(seq.to_string()),
        };
        Ok(found.unwrap_or_default().into_iter().map(deliver).collect())
    }

    fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        if receipts.is_empty() {
            return Ok(());
        }
        self.change(|db| {
            let mut remove = db.prepare_cached("DELETE FROM reports WHERE seq = ?1")?;
            receipts.iter().try_for_each(|receipt| remove.execute([store::key(&receipt.0)]).map(|_| ()))
        })
    }

    fn decide(&self, lead: &Lead, at: u64, decisions: &[Vec<u8>]) -> Result<(), QueueError> {
        for decision in decisions {
            check_length("a decision", decision.len() as u64, MAX_DECISION)?;
        }
        let is_allowed = self.change(|db| {
            let leads =
                db.prepare_cached("SELECT 1 FROM leader WHERE key = ?1")?.exists([store::key(&lead.key)])?;
            if !leads || store::decided(db)? != at as i64 {
                return Ok(false);
            }
            let mut insert = db.prepare_cached("INSERT INTO decisions VALUES (?1, ?2)")?;
            for (number, decision) in (at as i64..).zip(decisions) {
                insert.execute(params![number, decision])?;
            }
            Ok(true)
        })?;
        if is_allowed { Ok(()) } else { Err(QueueError::Deposed) }
    }

    fn decided(&self) -> Result<u64, QueueError> {
        self.look(|db| store::decided(db).map(|count| count as u64))
    }

    fn decisions(&self, from: u64, at_most: usize) -> Result<Vec<Vec<u8>>, QueueError> {
        self.look(|db| {
            db.prepare_cached("SELECT bytes FROM decisions WHERE number >= ?1 ORDER BY number LIMIT ?2")?
                .query_map([from as i64, at_most as i64], |row| row.get(0))?
                .collect()
        })
    }

    fn shut_out(&self, worker: &str) -> Result<(), QueueError> {
        self.change(|db| db.execute("INSERT OR IGNORE INTO shut VALUES (?1)", [worker]))?;
        Ok(())
    }

    fn set_status(&self, status: &[u8]) -> Result<(), QueueError> {
        check_length("a status", status.len() as u64, MAX_STATUS)?;
        self.change(|db| store::set_meta(db, "status", status))
    }

    fn lease(&self, worker: &str, wait: Duration) -> Result<JobOffer, QueueError> {
        check_name("the key of a worker", worker)?;
        if let Some(offer) = self.try_lease(worker)? {
            return Ok(offer);
        }
        let until = now().saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
        self.change(|db| store::wait_until(db, worker, until))?;
        let offer = Self::wait(wait, || self.try_lease(worker))?;
        Ok(offer.unwrap_or(JobOffer::Nothing))
    }

    fn extend(&self, lease: &JobLease) -> Result<bool, QueueError> {
        self.change(|db| {
            // A coordinator may have set another term since the lease began.
            if let Some(term) = store::term(db)? {
                self.term.store(term, Ordering::Relaxed);
            }
            let until = self.until();
            let sql = "UPDATE jobs SET expires = ?1 WHERE id = ?2 AND token = ?3";
            let id = lease.job.id();
            Ok(db.prepare_cached(sql)?.execute(params![until, id.0.bytes(), store::key(&lease.token)])? == 1)
        })
    }

    fn is_withdrawn(&self, lease: &JobLease) -> bool {
        let id = lease.job.id();
        let there =
            self.look(|db| db.prepare_cached("SELECT 1 FROM jobs WHERE id = ?1")?.exists([id.0.bytes()]));
        matches!(there, Ok(false))
    }

    fn release(&self, lease: &JobLease) -> Result<(), QueueError> {
        self.change(|db| store::release(db, lease))
    }

    fn report(
        &self,
        lease: Option<&JobLease>,
        report: &WorkReport,
        blobs: &[Vec<u8>],
    ) -> Result<(), QueueError> {
        let mut inline = Vec::new();
        let mut room = MAX_INLINE;
        for bytes in blobs {
            if bytes.len() <= room {
                room -= bytes.len();
                inline.push(&bytes[..]);
            } else {
                self.put(bytes)?;
            }
        }
        let message = encode_report(report, &inline)?;
        self.change(|db| {
            let sql = "INSERT INTO reports (worker, job, message) VALUES (?1, ?2, ?3)";
            db.prepare_cached(sql)?.execute(params![report.worker, report.job.0.bytes(), message])?;
            match (&report.outcome, lease) {
                (JobOutcome::Unable { .. }, Some(lease)) => store::release(db, lease),
                (JobOutcome::Unable { .. }, None) => Ok(()),
                _ => store::remove_job(db, &report.job),
            }
        })
    }

    fn hint(&self, from: &str, bytes: &[u8]) -> Result<(), QueueError> {
        check_name("the sender of a hint", from)?;
        check_length("a hint", bytes.len() as u64, MAX_HINT as u64)?;
        self.change(|db| {
            let sql = "INSERT INTO hints (sender, bytes) VALUES (?1, ?2)";
            db.prepare_cached(sql)?.execute(params![from, bytes])?;
            let sql = "DELETE FROM hints WHERE place <= ?1";
            db.prepare_cached(sql)?.execute([db.last_insert_rowid() - KEPT_HINTS as i64])?;
            Ok(())
        })
    }

    fn hints(&self, after: u64) -> Result<Vec<Hint>, QueueError> {
        let hint = |row: &Row<'_>| {
            Ok(Hint { place: row.get::<_, i64>(0)? as u64, from: row.get(1)?, bytes: row.get(2)? })
        };
        self.look(|db| {
            let sql = "SELECT place, sender, bytes FROM hints WHERE place > ?1 ORDER BY place LIMIT ?2";
            db.prepare_cached(sql)?.query_map([after as i64, KEPT_HINTS as i64], hint)?.collect()
        })
    }
}
