//! Jobs for many machines.

mod backoff;
mod coordinator;
mod digest;
mod embedded;
mod job;
mod journal;
pub mod laws;
#[cfg(feature = "nats")]
mod nats;
mod plan;
mod queue;
mod wire;
mod worker;

pub use coordinator::{
    CoordinateError, Coordinator, CoordinatorEvent, Ended, MAX_BAD, MAX_FAILURES, Progress,
};
pub use digest::{Digest, NoDigest};
pub use embedded::{Embedded, EmbeddedOptions};
pub use job::{
    Blob, Job, JobId, MAX_ANSWER, MAX_BLOB, MAX_BLOBS, MAX_INLINE, MAX_JOB, MAX_NAME, MAX_REASON, Outcome,
    Report, Spent, Unfit, check_length, check_name,
};
pub use journal::{Journal, JournalError};
#[cfg(feature = "nats")]
pub use nats::{JetStream, JetStreamOptions, Login};
pub use plan::{Check, Plan, Seat, Work, Worked};
pub use queue::{Control, Delivery, Depth, Lead, Leading, Lease, Offer, Queue, QueueError, Receipt};
pub use wire::{
    Decision, InlineBlobs, WIRE_VERSION, WireError, decode_decision, decode_job, decode_report,
    encode_decision, encode_job, encode_report,
};
pub use worker::{Worker, WorkerEnd, WorkerEvent};
