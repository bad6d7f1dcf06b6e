//! The tables of the file, and the statements that several methods need.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Result, params};

use super::EmbeddedOptions;
use crate::queue::{Control, JobLease, QueueError};
use crate::{Digest, FarmJobId};

/// The version of the tables.
const VERSION: i64 = 1;
/// The time for which a statement waits for another process.
const BUSY: Duration = Duration::from_secs(10);
/// The bytes of a page of the file.
const PAGE: u64 = 4096;

const TABLES: &str = "
    CREATE TABLE jobs (id BLOB PRIMARY KEY, seq INTEGER, message BLOB, expires INTEGER, token INTEGER, worker TEXT) WITHOUT ROWID;
    CREATE INDEX free ON jobs (expires, seq);
    CREATE INDEX by_seq ON jobs (seq);
    CREATE TABLE reports (seq INTEGER PRIMARY KEY AUTOINCREMENT, worker TEXT, job BLOB, message BLOB);
    CREATE INDEX by_job ON reports (job);
    CREATE TABLE blobs (digest BLOB PRIMARY KEY, bytes BLOB);
    CREATE TABLE decisions (number INTEGER PRIMARY KEY, bytes BLOB);
    CREATE TABLE leader (name TEXT, key INTEGER, expires INTEGER);
    CREATE TABLE shut (worker TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
";

/// Tables that a file of the first programs lacks.
const MORE_TABLES: &str = "
    CREATE TABLE IF NOT EXISTS hints (place INTEGER PRIMARY KEY AUTOINCREMENT, sender TEXT, bytes BLOB);
    CREATE TABLE IF NOT EXISTS waits (worker TEXT PRIMARY KEY, until INTEGER) WITHOUT ROWID;
";

/// Milliseconds since 1970 by the clock of the machine. A clock that is set on ends leases early, which costs work twice and nothing
/// else. After a clock was set back, [`shorten`] ends them within a term.
pub(super) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// Opens the file, and makes the tables in a new one. Returns the term of leases in milliseconds, too.
pub(super) fn open(
    file: &Path,
    options: &EmbeddedOptions,
) -> std::result::Result<(Connection, u64), QueueError> {
    let name = file.display();
    let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
            QueueError::Foreign(format!("{name}: {error}"))
        }
        Some(rusqlite::ErrorCode::DiskFull) => QueueError::Full(format!("{name}: {error}")),
        _ => QueueError::Away(format!("{name}: {error}")),
    };
    let mut db = Connection::open(file).map_err(failed)?;
    let version = prepare(&mut db, options).map_err(failed)?;
    if version != VERSION {
        return Err(QueueError::Foreign(format!("{name}: a queue of version {version}, not {VERSION}")));
    }
    let term = term(&db).map_err(failed)?;
    let term = term.ok_or_else(|| QueueError::Foreign(format!("{name}: no queue of a farm")))?;
    Ok((db, term))
}

fn prepare(db: &mut Connection, options: &EmbeddedOptions) -> Result<i64> {
    db.busy_timeout(BUSY)?;
    // Without this setting SQLite plans a statement anew for each value of a limit.
    db.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The mode cannot change while another process has the file open in its first moment.
    db.pragma_update(None, "journal_mode", "wal")?;
    db.pragma_update(None, "synchronous", "normal")?;
    if let Some(bytes) = options.most_bytes {
        // This statement answers with a row.
        db.query_row(&format!("PRAGMA max_page_count = {}", (bytes / PAGE).max(1)), [], |_| Ok(()))?;
    }
    let transaction = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    if version == 0 && tables == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        set_term(&transaction, options.term.as_millis() as u64)?;
        version = VERSION;
    }
    if version == VERSION {
        transaction.execute_batch(MORE_TABLES)?;
    }
    transaction.commit()?;
    Ok(version)
}

pub(super) fn meta(db: &Connection, name: &str) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT value FROM meta WHERE name = ?1";
    db.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()
}

pub(super) fn set_meta(db: &Connection, name: &str, value: &[u8]) -> Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?.execute(params![name, value])?;
    Ok(())
}

/// The term of leases in milliseconds; `None` if the file has none that can be read.
pub(super) fn term(db: &Connection) -> Result<Option<u64>> {
    Ok(meta(db, "term")?.and_then(|text| String::from_utf8(text).ok()?.parse().ok()))
}

pub(super) fn set_term(db: &Connection, millis: u64) -> Result<()> {
    set_meta(db, "term", millis.to_string().as_bytes())
}

pub(super) fn control(db: &Connection) -> Result<Control> {
    Ok(meta(db, "control")?.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default())
}

/// The number that a key or a token stands for; one that no row has for another text.
pub(super) fn key(text: &str) -> i64 {
    text.parse().unwrap_or(0)
}

pub(super) fn decided(db: &Connection) -> Result<i64> {
    db.prepare_cached("SELECT coalesce(max(number) + 1, 0) FROM decisions")?.query_row([], |row| row.get(0))
}

pub(super) fn put_blob(db: &Connection, digest: &Digest, bytes: &[u8]) -> Result<()> {
    db.prepare_cached("INSERT OR IGNORE INTO blobs VALUES (?1, ?2)")?
        .execute(params![digest.bytes(), bytes])?;
    Ok(())
}

/// Notes that a worker waits for a job until a time.
pub(super) fn wait_until(db: &Connection, worker: &str, until: i64) -> Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO waits VALUES (?1, ?2)")?.execute(params![worker, until])?;
    Ok(())
}

/// Notes that a worker waits no more.
pub(super) fn wait_no_more(db: &Connection, worker: &str) -> Result<()> {
    db.prepare_cached("DELETE FROM waits WHERE worker = ?1")?.execute([worker])?;
    Ok(())
}

pub(super) fn remove_job(db: &Connection, job: &FarmJobId) -> Result<()> {
    db.prepare_cached("DELETE FROM jobs WHERE id = ?1")?.execute([job.0.bytes()])?;
    Ok(())
}

/// Ends the leases and the lead, which seem to last longer than a term since the clock was set back, in a term from now: that is
/// the time `until`. Their holders extend them before, as ever.
pub(super) fn shorten(db: &Connection, until: i64) -> Result<()> {
    db.prepare_cached("UPDATE jobs SET expires = ?1 WHERE expires > ?1")?.execute([until])?;
    db.prepare_cached("UPDATE leader SET expires = ?1 WHERE expires > ?1")?.execute([until])?;
    Ok(())
}

/// Makes a leased job free, behind all jobs that wait.
pub(super) fn release(db: &Connection, lease: &JobLease) -> Result<()> {
    let sql = "UPDATE jobs SET expires = 1, token = 0 WHERE id = ?1 AND token = ?2";
    db.prepare_cached(sql)?.execute(params![lease.job.id().0.bytes(), key(&lease.token)])?;
    Ok(())
}
