//! Jobs for many machines: a queue with leases, answers that are checked before they count, a journal of what was decided.
//!
//! **Describe** the work: a [`FarmPlan`] says which jobs are worth doing, a [`FarmWork`] does one, and a [`Check`] decides whether an
//! answer is true. Here all jobs are known from the beginning; a plan may as well choose each job from all answers so far:
//!
//! ```
//! use stonework_farm::{Check, FarmJob, FarmJobId, FarmPlan, WorkSeat, FarmWork, Worked};
//! struct Halves { next: u32, open: u32 }
//! impl FarmPlan for Halves {
//!     fn identity(&self) -> String { "halves".to_owned() }
//!     fn next(&mut self) -> Option<FarmJob> {
//!         self.next += 2;
//!         (self.next <= 20).then(|| FarmJob::new("halve", 1, self.next.to_string()).unwrap())
//!     }
//!     fn take(&mut self, _: &FarmJob, _: &[u8]) -> Vec<FarmJobId> { self.open -= 1; Vec::new() }
//!     fn is_over(&self) -> bool { self.open == 0 }
//! }
//! struct Halve;
//! fn half(job: &FarmJob) -> Vec<u8> {
//!     let number: u32 = std::str::from_utf8(job.body()).unwrap().parse().unwrap();
//!     (number / 2).to_string().into_bytes()
//! }
//! impl FarmWork for Halve {
//!     fn work(&mut self, job: &FarmJob, _: &WorkSeat) -> Worked {
//!         Worked::Done { answer: half(job), blobs: Vec::new(), nodes: 1 }
//!     }
//! }
//! impl Check for Halve {
//!     fn check(&self, job: &FarmJob, answer: &[u8], _: &[Vec<u8>]) -> Result<Vec<u8>, String> {
//!         if answer == half(job) { Ok(answer.to_vec()) } else { Err("no half".to_owned()) }
//!     }
//! }
//! let mut plan = Halves { next: 0, open: 10 };
//! assert_eq!(half(&plan.next().unwrap()), b"1");
//! ```
//!
//! **Run** a coordinator and workers. Here the workers are threads; processes with the same directory work in the same way,
//! and with the feature `nats` machines with the same server ([`laws::Squares`] is a plan, a check and work for tests):
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//! use std::time::Duration;
//! use stonework_farm::laws::{Squares, SquaresCheck, SquaresWork, Temper};
//! use stonework_farm::{Coordinator, Embedded, EmbeddedOptions, Ended, Worker};
//! use stonework_files::System;
//! # let folder = std::env::temp_dir().join(format!("stonework-farm-doc-{}", std::process::id()));
//! let open = || Embedded::open(&folder, &EmbeddedOptions::default()).unwrap();
//! let mut plan = Squares::new(20);
//! std::thread::scope(|scope| {
//!     for name in ["one", "two"] {
//!         let queue = open();
//!         scope.spawn(move || {
//!             let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
//!             Worker::new(name, "doc 1").run(&queue, &mut work, &AtomicBool::new(false), &mut |_| {})
//!         });
//!     }
//!     let coordinator = Coordinator::new(Arc::new(System), &folder, "here");
//!     let ended = coordinator.run(&open(), &mut plan, &SquaresCheck, &AtomicBool::new(false), &mut |_| {});
//!     assert_eq!(ended.unwrap(), Ended::Over);
//! });
//! assert_eq!(plan.sum(), (2870, 1));                 // the sum of the squares, and each job counted once
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! **Read** what was decided, whatever has become of the processes:
//!
//! ```
//! use std::sync::Arc;
//! use stonework_farm::Coordinator;
//! use stonework_files::Simulated;
//! let coordinator = Coordinator::new(Arc::new(Simulated::new()), "farm", "reader");
//! let mut nodes = 0;
//! let read = coordinator.read(&mut |_| {}, &mut |decision| nodes += decision.spent.nodes);
//! assert!(read.is_err());                            // no campaign has begun in this directory
//! ```
//!
//! | you want | take |
//! |---|---|
//! | a queue on one machine | [`Embedded`]: threads and processes, one `SQLite` file, nothing else |
//! | a queue for many machines | `JetStream`, with the feature `nats`: a NATS server with `JetStream`, from version 2.9.10 |
//! | another queue | the trait [`Queue`], and [`laws`] for its tests |
//! | the loop of a coordinator | [`Coordinator`], with a [`FarmPlan`] and a [`Check`] |
//! | the loop of a worker | [`Worker`], with a [`FarmWork`] |
//! | progress, troubles | [`CoordinatorEvent`], [`WorkerEvent`], [`Progress`] |
//! | the decisions in a file | [`Journal`] |
//!
//! # Nothing is trusted, and nothing is lost
//! - A job is named by its content. A job that is done twice counts once, unless the plan has given it out again after its
//!   decision.
//! - An answer counts when its check has passed and the journal has it on the disk. Three bad answers shut a worker out.
//! - The journal is in the coordinator's directory and, record by record, in the queue. The loss of the whole queue costs
//!   the work of minutes; the loss of the directory costs nothing as long as the queue is there.
//! - Messages name their version and have limits: [`MAX_JOB`], [`MAX_ANSWER`], [`MAX_INLINE`], [`MAX_BLOB`], [`MAX_HINT`].
//! - Workers may tell each other hints, past the coordinator. A hint steers, may be a lie, and may get lost.
//!
//! # What this crate does not do
//! The crate knows no game and no search. It prints nothing, starts no processes and listens nowhere. It does not start
//! workers: systemd, Slurm or a shell does. A worker that lies about numbers that are not checked wastes time. A worker
//! that reports under the name of another one is kept from it by the server's permissions alone.

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
    Blob, FarmJob, FarmJobId, JobOutcome, KEPT_HINTS, MAX_ANSWER, MAX_BLOB, MAX_BLOBS, MAX_HINT, MAX_INLINE,
    MAX_JOB, MAX_NAME, MAX_REASON, Spent, Unfit, WorkReport, check_length, check_name,
};
pub use journal::{Journal, JournalError};
#[cfg(feature = "nats")]
pub use nats::{JetStream, JetStreamOptions, Login};
pub use plan::{Check, FarmPlan, FarmWork, WorkSeat, Worked};
pub use queue::{
    Control, Delivery, Depth, Hint, JobLease, JobOffer, Lead, Leading, Queue, QueueError, Receipt,
};
pub use wire::{
    InlineBlobs, JobDecision, WIRE_VERSION, WireError, decode_decision, decode_job, decode_report,
    encode_decision, encode_job, encode_report,
};
pub use worker::{HintGroup, Worker, WorkerEnd, WorkerEvent};
