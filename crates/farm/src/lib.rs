//! Jobs for many machines.

mod digest;
mod embedded;
mod job;
mod queue;
mod wire;

pub use digest::{Digest, NoDigest};
pub use embedded::{Embedded, EmbeddedOptions};
pub use job::{
    Blob, Job, JobId, MAX_ANSWER, MAX_BLOB, MAX_BLOBS, MAX_INLINE, MAX_JOB, MAX_NAME, MAX_REASON, Outcome,
    Report, Spent, Unfit, check_length, check_name,
};
pub use queue::{Control, Delivery, Depth, Lead, Leading, Lease, Offer, Queue, QueueError, Receipt};
pub use wire::{InlineBlobs, WIRE_VERSION, WireError, decode_job, decode_report, encode_job, encode_report};
