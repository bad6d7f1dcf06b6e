//! [`Store`]: the database in a thread of its own.
//!
//! Requests that change the database wait in one queue. The thread takes all waiting requests at once, and commits them in one
//! transaction. A request has its answer after the commit, so that an answer is on the disk before anybody hears it. Requests that only
//! read have a thread and a connection of their own.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::oneshot;

/// What makes the tables of each version from those of the version before.
const CHANGES: [&str; 3] = [
    include_str!("store.sql"),
    // The time of the last event of a game; null for a game that has had none since this version.
    // Names are compared without their cases, and the games of a player are found by either seat.
    "ALTER TABLE game ADD COLUMN last_at INTEGER;
     CREATE INDEX player_lower ON player (lower(name));
     CREATE INDEX game_first ON game (first);
     CREATE INDEX game_second ON game (second);",
    // The version of what statistics and ratings are counted from.
    "CREATE TABLE results (version INTEGER NOT NULL);
     INSERT INTO results VALUES (1);
     CREATE TRIGGER result_added AFTER INSERT ON game WHEN NEW.winner IS NOT NULL
     BEGIN UPDATE results SET version = version + 1; END;
     CREATE TRIGGER result_changed AFTER UPDATE OF winner, first, second ON game
     WHEN NEW.winner IS NOT NULL OR OLD.winner IS NOT NULL
     BEGIN UPDATE results SET version = version + 1; END;
     -- What the list of studies shows, beside bodies that may have hundreds of claims.
     ALTER TABLE study ADD COLUMN title TEXT NOT NULL DEFAULT '';
     ALTER TABLE study ADD COLUMN game TEXT NOT NULL DEFAULT '';
     ALTER TABLE study ADD COLUMN claims INTEGER NOT NULL DEFAULT 0;
     UPDATE study SET title = coalesce(json_extract(body, '$.title'), ''),
     game = coalesce(json_extract(body, '$.game'), ''), claims = coalesce(json_array_length(body, '$.claims'), 0)
     WHERE json_valid(body);",
];

/// The version of the tables.
const VERSION: i64 = CHANGES.len() as i64;

/// The greatest number of requests in one transaction.
const BATCH: usize = 256;

/// The time that a connection waits for another process that writes to the database.
const BUSY: Duration = Duration::from_secs(5);

/// The reason why the database refuses a request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database itself refuses: a full disk, a damaged file, a lock.
    #[error("the database refuses: {0}")]
    Database(#[from] rusqlite::Error),
    /// The transaction of the request was not committed.
    #[error("the database has not committed: {0}")]
    Commit(String),
    /// The file was written by a later version of the program.
    #[error("the database has version {found}, this program knows versions up to {VERSION}")]
    Version {
        /// The version of the file.
        found: i64,
    },
    /// The thread of the database has ended.
    #[error("the database is closed")]
    Closed,
}

/// The function that the thread calls after the transaction, with `None` after a commit and otherwise with the error.
type Done = Box<dyn FnOnce(Option<&str>) + Send>;

/// A request, which runs within a transaction. Without a transaction, it gets no connection and is refused.
type Job = Box<dyn FnOnce(Option<&Connection>) -> Done + Send>;

/// The database of a server. A clone is another handle to the same database.
#[derive(Clone, Debug)]
pub struct Store {
    writes: mpsc::Sender<Job>,
    reads: mpsc::Sender<Job>,
}

impl Store {
    /// Opens the database in a file, and makes it if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened, or is of a later version.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let (path, (told, opened)) = (path.to_owned(), oneshot::channel());
        let (writes, write_jobs) = mpsc::channel();
        let (reads, read_jobs) = mpsc::channel();
        let work = move || {
            let connections = open(&path);
            match connections {
                Err(error) => drop(told.send(Err(error))),
                Ok((writer, reader)) => {
                    let reading = thread::Builder::new().name("database reads".to_owned());
                    let started = reading.spawn(move || run(&reader, &read_jobs));
                    let failed = started.err().map(|error| StoreError::Commit(error.to_string()));
                    let stop = failed.is_some();
                    if told.send(failed.map_or(Ok(()), Err)).is_ok() && !stop {
                        run(&writer, &write_jobs);
                    }
                }
            }
        };
        let writing = thread::Builder::new().name("database".to_owned());
        writing.spawn(work).map_err(|error| StoreError::Commit(error.to_string()))?;
        opened.await.map_err(|_| StoreError::Closed)??;
        Ok(Self { writes, reads })
    }

    /// Runs a request that may change the database. The future has the answer after the commit.
    ///
    /// # Errors
    /// [`StoreError`]; then the database is as it was before the request.
    pub async fn write<T: Send + 'static>(
        &self,
        request: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        call(&self.writes, request).await
    }

    /// Runs a request that only reads.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn read<T: Send + 'static>(
        &self,
        request: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        call(&self.reads, request).await
    }
}

async fn call<T: Send + 'static>(
    jobs: &mpsc::Sender<Job>,
    request: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
) -> Result<T, StoreError> {
    let (told, answer) = oneshot::channel();
    let job: Job = Box::new(move |connection| {
        let found = connection.map(|connection| within_savepoint(connection, request));
        Box::new(move |failed| {
            let found = match (found, failed) {
                (Some(Err(error)), _) => Err(StoreError::Database(error)),
                (Some(Ok(found)), None) => Ok(found),
                (_, why) => Err(StoreError::Commit(why.unwrap_or("there is no transaction").to_owned())),
            };
            // A caller that has gone needs no answer.
            let _ = told.send(found);
        })
    });
    jobs.send(job).map_err(|_| StoreError::Closed)?;
    answer.await.map_err(|_| StoreError::Closed)?
}

/// Runs a request; an error takes its changes back, and leaves those of the requests before it.
fn within_savepoint<T>(
    connection: &Connection,
    request: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    connection.execute_batch("SAVEPOINT request")?;
    let found =
        request(connection).and_then(|found| connection.execute_batch("RELEASE request").map(|()| found));
    if found.is_err() {
        // A full database may have taken back the transaction itself, with this savepoint.
        let _ = connection.execute_batch("ROLLBACK TO request; RELEASE request");
    }
    found
}

/// Runs requests until all handles are gone.
///
/// No request runs outside a transaction: its changes would be committed at once, and its caller would be told that they were not. `BEGIN`
/// may be refused, and a full database may end the transaction in the middle of a batch.
fn run(connection: &Connection, jobs: &mpsc::Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let begun = connection.execute_batch("BEGIN");
        let mut done = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next {
            let open = !connection.is_autocommit();
            done.push(job(open.then_some(connection)));
            next = if open && done.len() < BATCH { jobs.try_recv().ok() } else { None };
        }
        let ended = begun.and_then(|()| connection.execute_batch("COMMIT"));
        let failed = ended.err().map(|error| error.to_string());
        if failed.is_some() {
            // There is no transaction if `BEGIN` was refused.
            let _ = connection.execute_batch("ROLLBACK");
        }
        for done in done {
            done(failed.as_deref());
        }
    }
}

fn open(path: &Path) -> Result<(Connection, Connection), StoreError> {
    let writer = Connection::open(path)?;
    writer.busy_timeout(BUSY)?;
    writer
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    let found: i64 = writer.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if found > VERSION {
        return Err(StoreError::Version { found });
    }
    if found < VERSION {
        let changes = CHANGES[usize::try_from(found).unwrap_or_default()..].concat();
        writer.execute_batch(&format!("BEGIN; {changes} PRAGMA user_version = {VERSION}; COMMIT;"))?;
    }
    let reader = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    reader.busy_timeout(BUSY)?;
    Ok((writer, reader))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database of the first version gets the tables of the present one.
    #[tokio::test]
    async fn an_earlier_version_is_read_and_changed() {
        let folder = std::env::temp_dir().join(format!("stonework-version-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("games.db");
        let first = Connection::open(&path).unwrap();
        let game = "INSERT INTO game (id, game, size, swap, first, second, settings, began_at) \
                    VALUES ('a', 'havannah', 4, 0, 'ann', 'bob', '{}', 1);";
        let study = r#"INSERT INTO study VALUES ('s', 1, 1, '{"title":"t","game":"cover","start":{},"claims":[1,2]}');"#;
        first.execute_batch(&format!("{} {game} {study} PRAGMA user_version = 1;", CHANGES[0])).unwrap();
        drop(first);
        for _ in 0..2 {
            let store = Store::open(&path).await.unwrap();
            let read = store.read(|connection| {
                connection
                    .query_row("SELECT first, last_at FROM game", [], |row| Ok((row.get(0)?, row.get(1)?)))
            });
            let found: (String, Option<i64>) = read.await.unwrap();
            assert_eq!(found, ("ann".to_owned(), None));
            let listed = store.read(|connection| {
                let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
                connection.query_row("SELECT title, game, claims FROM study", [], row)
            });
            let listed: (String, String, i64) = listed.await.unwrap();
            assert_eq!(listed, ("t".to_owned(), "cover".to_owned(), 2));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// A transaction that ends in the middle of a batch, as in a full database, refuses every request of the batch and keeps none of them.
    #[tokio::test]
    async fn a_batch_without_its_transaction_changes_nothing() {
        let folder = std::env::temp_dir().join(format!("stonework-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let store = Store::open(&folder.join("games.db")).await.unwrap();
        let add = |name: &'static str| {
            store.write(move |connection| {
                connection.execute("INSERT INTO player (name, made_at) VALUES (?1, 0)", [name])
            })
        };
        add("before").await.unwrap();
        let (go, wait) = mpsc::channel::<()>();
        // The first request holds the thread until the others wait, so that all are one batch.
        let first = store.write(move |_| {
            let _ = wait.recv();
            Ok(())
        });
        let end = store.write(|connection| connection.execute_batch("ROLLBACK"));
        let start = async {
            tokio::task::yield_now().await;
            go.send(()).unwrap();
        };
        let (first, one, end, two, ()) = tokio::join!(first, add("one"), end, add("two"), start);
        assert!(first.is_err() && one.is_err() && end.is_err() && two.is_err());
        add("after").await.unwrap();
        let names = store.read(|connection| {
            let mut query = connection.prepare("SELECT name FROM player ORDER BY name")?;
            query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()
        });
        assert_eq!(names.await.unwrap(), ["after", "before"]);
        drop(store);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
