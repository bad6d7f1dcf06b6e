//! Messages as bytes: a line of JSON with the version of the format, then the bytes that the line counts.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::job::{check_length, check_name, line};
use crate::{Blob, Digest, FarmJob, FarmJobId, JobOutcome, MAX_BLOBS, MAX_INLINE, Spent, Unfit, WorkReport};

/// The version of the messages. A message of another version is refused with both versions.
pub const WIRE_VERSION: u32 = 1;

/// The largest number of bytes of the line of JSON.
const MAX_HEAD: usize = 64 << 10;

/// The reason why bytes are no message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The message is of another version.
    #[error(
        "the message has version {found}, and this program reads version {WIRE_VERSION}: run one version of Stonework in the whole farm"
    )]
    Version {
        /// The version of the message.
        found: u64,
    },
    /// The message is damaged or was never one.
    #[error("no message of a farm: {why}")]
    Damaged {
        /// The place and the reason, at most 400 bytes on one line.
        why: String,
    },
    /// The message is beyond a limit.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

/// The largest number of bytes of the reason of [`WireError::Damaged`], which may quote the message.
const MAX_WHY: usize = 400;

fn damaged(why: impl std::fmt::Display) -> WireError {
    WireError::Damaged { why: line(&why.to_string(), MAX_WHY) }
}

/// The first field of every head.
#[derive(Deserialize)]
struct Version {
    farm: u64,
}

#[derive(Serialize, Deserialize)]
struct JobHead {
    farm: u32,
    kind: String,
    version: u32,
    body: usize,
}

#[derive(Serialize, Deserialize)]
struct ReportHead {
    farm: u32,
    job: FarmJobId,
    worker: String,
    build: String,
    #[serde(flatten)]
    spent: Spent,
    #[serde(flatten)]
    outcome: OutcomeHead,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OutcomeHead {
    Done { body: usize, blobs: Vec<BlobHead> },
    Failed(String),
    Unable(String),
}

#[derive(Serialize, Deserialize)]
struct BlobHead {
    #[serde(flatten)]
    blob: Blob,
    /// `true` if the bytes follow in this message.
    here: bool,
}

fn join(head: &impl Serialize, parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(head).expect("heads are maps of plain values");
    bytes.push(b'\n');
    for part in parts {
        bytes.extend_from_slice(part);
    }
    bytes
}

fn split<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), WireError> {
    let end = bytes.iter().take(MAX_HEAD).position(|&byte| byte == b'\n');
    let (head, rest) = bytes.split_at(end.ok_or_else(|| damaged("its first line has no end"))?);
    let Version { farm } = serde_json::from_slice(head).map_err(damaged)?;
    if farm != u64::from(WIRE_VERSION) {
        return Err(WireError::Version { found: farm });
    }
    Ok((serde_json::from_slice(head).map_err(damaged)?, &rest[1..]))
}

/// Takes the next `count` bytes.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], WireError> {
    let (part, after) = rest
        .split_at_checked(count)
        .ok_or_else(|| damaged(format_args!("{count} bytes are announced, and {} are left", rest.len())))?;
    *rest = after;
    Ok(part)
}

fn at_end(rest: &[u8]) -> Result<(), WireError> {
    if rest.is_empty() { Ok(()) } else { Err(damaged(format_args!("{} bytes too many", rest.len()))) }
}

/// A job as bytes.
#[must_use]
pub fn encode_job(job: &FarmJob) -> Vec<u8> {
    let (kind, version, body) = (job.kind().to_owned(), job.version(), job.body());
    join(&JobHead { farm: WIRE_VERSION, kind, version, body: body.len() }, &[body])
}

/// Reads a job.
///
/// # Errors
/// A [`WireError`] for anything but the whole bytes of one job.
pub fn decode_job(bytes: &[u8]) -> Result<FarmJob, WireError> {
    let (head, mut rest) = split::<JobHead>(bytes)?;
    let body = take(&mut rest, head.body)?;
    at_end(rest)?;
    Ok(FarmJob::new(head.kind, head.version, body)?)
}

/// A report as bytes, with those of its blobs inside that `inline` has; at most [`MAX_INLINE`] bytes of them.
///
/// # Errors
/// An error if the report or the inline blobs are beyond a limit.
pub fn encode_report(report: &WorkReport, inline: &[&[u8]]) -> Result<Vec<u8>, Unfit> {
    report.check()?;
    let all: usize = inline.iter().map(|bytes| bytes.len()).sum();
    check_length("the blobs within a report", all as u64, MAX_INLINE as u64)?;
    let mut parts: Vec<&[u8]> = Vec::new();
    let outcome = match &report.outcome {
        JobOutcome::Done { body, blobs } => {
            parts.push(body);
            let (mut heads, mut named) = (Vec::new(), Vec::new());
            named.extend(inline.iter().map(|bytes| (Blob::of(bytes), *bytes)));
            for &blob in blobs {
                // Each of the blobs within the report is there once, also if two of them are equal.
                let at = named.iter().position(|(name, _)| *name == blob);
                parts.extend(at.map(|at| named.swap_remove(at).1));
                heads.push(BlobHead { blob, here: at.is_some() });
            }
            OutcomeHead::Done { body: body.len(), blobs: heads }
        }
        JobOutcome::Failed { why } => OutcomeHead::Failed(why.clone()),
        JobOutcome::Unable { why } => OutcomeHead::Unable(why.clone()),
    };
    let WorkReport { job, worker, build, spent, .. } = report.clone();
    Ok(join(&ReportHead { farm: WIRE_VERSION, job, worker, build, spent, outcome }, &parts))
}

/// Blobs with their names.
pub type InlineBlobs = Vec<(Digest, Vec<u8>)>;

/// Reads a report and the blobs within it.
///
/// # Errors
/// A [`WireError`] for anything but the whole bytes of one report, and for a blob whose bytes do not have its digest.
pub fn decode_report(bytes: &[u8]) -> Result<(WorkReport, InlineBlobs), WireError> {
    let (head, mut rest) = split::<ReportHead>(bytes)?;
    let mut inline = Vec::new();
    let outcome = match head.outcome {
        OutcomeHead::Done { body, blobs: heads } => {
            let body = take(&mut rest, body)?.to_owned();
            let (blobs, here) = take_blobs(heads, &mut rest)?;
            inline = here;
            JobOutcome::Done { body, blobs }
        }
        OutcomeHead::Failed(why) => JobOutcome::Failed { why },
        OutcomeHead::Unable(why) => JobOutcome::Unable { why },
    };
    at_end(rest)?;
    let ReportHead { job, worker, build, spent, .. } = head;
    let report = WorkReport { job, worker, build, spent, outcome };
    report.check()?;
    check_name("the key of a worker", &report.worker)?;
    Ok((report, inline))
}

/// An accepted report, as the journal has it. All that a plan needs to go on is in the row of decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobDecision {
    /// The times that the plan was asked for a job since the decision before, as the state of a plan depends on the questions.
    /// The last question may have had no job for an answer.
    pub offers: u32,
    /// The job.
    pub job: FarmJob,
    /// The key of the worker.
    pub worker: String,
    /// The name and the version of the worker's program.
    pub build: String,
    /// The cost.
    pub spent: Spent,
    /// The answer after its check.
    pub answer: Vec<u8>,
    /// The blobs of the answer.
    pub blobs: Vec<Blob>,
    /// The blobs that are within the decision: all, or none if they are beyond [`MAX_INLINE`] together.
    pub inline: InlineBlobs,
}

#[derive(Serialize, Deserialize)]
struct DecisionHead {
    farm: u32,
    offers: u32,
    kind: String,
    version: u32,
    body: usize,
    worker: String,
    build: String,
    #[serde(flatten)]
    spent: Spent,
    answer: usize,
    blobs: Vec<BlobHead>,
}

/// A decision as bytes.
#[must_use]
pub fn encode_decision(decision: &JobDecision) -> Vec<u8> {
    let JobDecision { offers, job, worker, build, spent, answer, blobs, inline } = decision;
    let mut parts: Vec<&[u8]> = vec![job.body(), answer];
    let find = |blob: &Blob| inline.iter().find(|(digest, _)| *digest == blob.digest);
    let mut heads = Vec::new();
    for blob in blobs {
        let here = find(blob);
        parts.extend(here.map(|(_, bytes)| &bytes[..]));
        heads.push(BlobHead { blob: *blob, here: here.is_some() });
    }
    let head = DecisionHead {
        farm: WIRE_VERSION,
        offers: *offers,
        kind: job.kind().to_owned(),
        version: job.version(),
        body: job.body().len(),
        worker: worker.clone(),
        build: build.clone(),
        spent: *spent,
        answer: answer.len(),
        blobs: heads,
    };
    join(&head, &parts)
}

/// Reads a decision.
///
/// # Errors
/// A [`WireError`] for anything but the whole bytes of one decision.
pub fn decode_decision(bytes: &[u8]) -> Result<JobDecision, WireError> {
    let (head, mut rest) = split::<DecisionHead>(bytes)?;
    let job = FarmJob::new(head.kind, head.version, take(&mut rest, head.body)?)?;
    let answer = take(&mut rest, head.answer)?.to_owned();
    check_length("the list of blobs of a decision", head.blobs.len() as u64, MAX_BLOBS as u64)?;
    let (blobs, inline) = take_blobs(head.blobs, &mut rest)?;
    at_end(rest)?;
    let DecisionHead { offers, worker, build, spent, .. } = head;
    Ok(JobDecision { offers, job, worker, build, spent, answer, blobs, inline })
}

/// Takes the blobs that follow in a message.
fn take_blobs(heads: Vec<BlobHead>, rest: &mut &[u8]) -> Result<(Vec<Blob>, InlineBlobs), WireError> {
    let (mut blobs, mut inline) = (Vec::new(), Vec::new());
    for BlobHead { blob, here } in heads {
        if here {
            let length = usize::try_from(blob.bytes).map_err(damaged)?;
            let bytes = take(rest, length)?;
            if Digest::of(bytes) != blob.digest {
                return Err(damaged(format_args!("the bytes of blob {} have another digest", blob.digest)));
            }
            inline.push((blob.digest, bytes.to_owned()));
        }
        blobs.push(blob);
    }
    Ok((blobs, inline))
}
