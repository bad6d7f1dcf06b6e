//! [`FarmJob`], [`WorkReport`]: the messages of a farm, and their limits.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Digest;

/// The largest number of bytes of the body of a job: 64 KiB.
pub const MAX_JOB: usize = 64 << 10;
/// The largest number of bytes of the body of a report: 64 KiB. Longer answers are blobs.
pub const MAX_ANSWER: usize = 64 << 10;
/// The largest number of bytes of all blobs that travel within one report: 256 KiB. Larger blobs travel alone.
pub const MAX_INLINE: usize = 256 << 10;
/// The largest number of bytes of one blob, and of all blobs of one report: 64 MiB.
pub const MAX_BLOB: u64 = 64 << 20;
/// The largest number of blobs of one report.
pub const MAX_BLOBS: usize = 256;
/// The largest number of bytes of a hint: 256 KiB.
pub const MAX_HINT: usize = 256 << 10;
/// The number of hints that a queue keeps at least for workers that have not heard them yet: 256, so that late workers hear
/// the last ones, and 64 MiB are the most.
pub const KEPT_HINTS: usize = 256;
/// The largest number of bytes of a name: of a kind of jobs, a worker, a build or a campaign.
pub const MAX_NAME: usize = 64;
/// The largest number of bytes of the reason in a report.
pub const MAX_REASON: usize = 1000;

/// The name of a job: the digest of its kind, version and body. Two jobs with one name are one job.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FarmJobId(pub Digest);

impl fmt::Display for FarmJobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A part of a campaign that one worker does at a time. The job tells the worker all that it needs.
///
/// ```
/// use stonework_farm::FarmJob;
/// let job = FarmJob::new("square", 1, *b"12")?;
/// assert_eq!(job.id(), FarmJob::new("square", 1, *b"12")?.id());
/// assert_ne!(job.id(), FarmJob::new("square", 2, *b"12")?.id());
/// # Ok::<(), stonework_farm::Unfit>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FarmJob {
    kind: String,
    version: u32,
    body: Vec<u8>,
    id: FarmJobId,
}

impl FarmJob {
    /// A job.
    ///
    /// # Arguments
    /// * `kind` – the name of the work, as [`check_name`] has it.
    /// * `version` – the version of the body's format and meaning. A worker that does not know it leaves the job.
    /// * `body` – all that the worker needs, at most [`MAX_JOB`] bytes.
    ///
    /// # Errors
    /// An error if the name is unfit or the body too long.
    pub fn new(kind: impl Into<String>, version: u32, body: impl Into<Vec<u8>>) -> Result<Self, Unfit> {
        let (kind, body) = (kind.into(), body.into());
        check_name("the kind of a job", &kind)?;
        check_length("the body of a job", body.len() as u64, MAX_JOB as u64)?;
        let id =
            FarmJobId(Digest::of_parts(&[b"stonework job", kind.as_bytes(), &version.to_le_bytes(), &body]));
        Ok(Self { kind, version, body, id })
    }

    /// The name of the job, by its content.
    #[must_use]
    pub const fn id(&self) -> FarmJobId {
        self.id
    }

    /// The name of the work.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The version of the body's format and meaning.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// All that the worker needs.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The body, in JSON, of a job of the kind and the version that a worker knows. O(bytes).
    ///
    /// # Errors
    /// The reason for which the worker leaves the job, as [`JobOutcome::Unable`] has it: another kind or version, or a body that
    /// is no `T`.
    pub fn read<T: DeserializeOwned>(&self, kind: &str, version: u32) -> Result<T, String> {
        if (self.kind(), self.version) != (kind, version) {
            return Err(format!("this program knows {kind} {version}, not {} {}", self.kind, self.version));
        }
        serde_json::from_slice(&self.body).map_err(|error| error.to_string())
    }
}

/// The cost of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Spent {
    /// The nodes of the search, or the units of whatever work it is.
    pub nodes: u64,
    /// The time by the wall clock, in milliseconds.
    pub millis: u64,
}

impl Spent {
    /// The sum of two costs. Reports may lie: a sum beyond the greatest number is that number.
    pub(crate) const fn plus(self, other: Self) -> Self {
        let (nodes, millis) =
            (self.nodes.saturating_add(other.nodes), self.millis.saturating_add(other.millis));
        Self { nodes, millis }
    }
}

/// A blob that belongs to a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Blob {
    /// The name of the blob.
    pub digest: Digest,
    /// The number of its bytes.
    pub bytes: u64,
}

impl Blob {
    /// The name and the length of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { digest: Digest::of(bytes), bytes: bytes.len() as u64 }
    }
}

/// The end of a job at a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobOutcome {
    /// The answer, which the coordinator checks.
    Done {
        /// The answer in the workload's format, at most [`MAX_ANSWER`] bytes.
        body: Vec<u8>,
        /// The blobs of the answer, such as proofs; at most [`MAX_BLOBS`].
        blobs: Vec<Blob>,
    },
    /// The worker tried and failed. A failure is no lie; the job goes to another worker.
    Failed {
        /// The reason.
        why: String,
    },
    /// The worker does not know the kind or the version of the job, and leaves it to others.
    Unable {
        /// The reason.
        why: String,
    },
}

/// The message of a worker about a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkReport {
    /// The job.
    pub job: FarmJobId,
    /// The key of the worker, as [`check_name`] has it.
    pub worker: String,
    /// The name and the version of the worker's program.
    pub build: String,
    /// The cost.
    pub spent: Spent,
    /// The answer, or the reason for its lack.
    pub outcome: JobOutcome,
}

impl WorkReport {
    /// Checks the limits of a report.
    ///
    /// # Errors
    /// An error with the first value beyond its limit.
    pub fn check(&self) -> Result<(), Unfit> {
        check_name("the key of a worker", &self.worker)?;
        check_length("the build of a worker", self.build.len() as u64, MAX_NAME as u64)?;
        match &self.outcome {
            JobOutcome::Done { body, blobs } => {
                check_length("the body of a report", body.len() as u64, MAX_ANSWER as u64)?;
                check_length("the list of blobs of a report", blobs.len() as u64, MAX_BLOBS as u64)?;
                let all = blobs.iter().fold(0_u64, |sum, blob| sum.saturating_add(blob.bytes));
                check_length("all blobs of a report", all, MAX_BLOB)
            }
            JobOutcome::Failed { why } | JobOutcome::Unable { why } => {
                check_length("the reason of a report", why.len() as u64, MAX_REASON as u64)
            }
        }
    }
}

/// A value that a farm does not carry.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// A value that is longer than its limit.
    #[error("{what} is {length} long, and at most {limit} is allowed")]
    Long {
        /// The value, in words.
        what: &'static str,
        /// Its length.
        length: u64,
        /// The limit.
        limit: u64,
    },
    /// A name with other letters than allowed.
    #[error("{what} is made of 1 to {MAX_NAME} letters a-z A-Z, digits, - and _, not `{name}`")]
    Name {
        /// The name's purpose, in words.
        what: &'static str,
        /// The head of the name.
        name: String,
    },
}

/// Checks a length.
///
/// # Errors
/// [`Unfit::Long`].
pub fn check_length(what: &'static str, length: u64, limit: u64) -> Result<(), Unfit> {
    if length > limit { Err(Unfit::Long { what, length, limit }) } else { Ok(()) }
}

/// Checks a name: 1 to [`MAX_NAME`] ASCII letters, digits, `-` and `_`. Such a name can be part of a file's name and of
/// a subject of NATS.
///
/// # Errors
/// [`Unfit::Name`].
pub fn check_name(what: &'static str, name: &str) -> Result<(), Unfit> {
    let fits = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-' || letter == b'_';
    if (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(fits) {
        return Ok(());
    }
    Err(Unfit::Name { what, name: name.chars().take(MAX_NAME + 6).collect() })
}

/// A text as the reason of a report: a [`line`] of at most [`MAX_REASON`] bytes.
pub(crate) fn reason(text: &str) -> String {
    line(text, MAX_REASON)
}

/// The head of a text on one line of at most `most` bytes. Control characters, which may move the cursor of a terminal or end a
/// line of a log, become spaces.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].replace(char::is_control, " ")
}
