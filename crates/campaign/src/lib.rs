//! Proving a position as a list of jobs that several processes share.
//!
//! **Prove** a position. The campaign saves the search from time to time, and the same call in another process
//! continues the search:
//!
//! ```
//! use stonework_campaign::Campaign;
//! use stonework_game::{Outcome, Player, example::Nim};
//! use stonework_search::{Dfpn, DfpnProver};
//! # let folder = std::env::temp_dir().join(format!("stonework-campaign-one-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let campaign = Campaign::new(Nim::new(30), folder.join("nim.proof"));
//! let mut solver = DfpnProver::new("nim", (), Dfpn::default());
//! let results = campaign.run(&mut solver, &mut |_| {})?;
//! assert_eq!(results.outcome, Some(Outcome::Win(Player::Second)));
//! let proof = results.proof.unwrap();
//! assert_eq!(std::fs::metadata(proof.path)?.len(), proof.written.bytes);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Share** the work. Each move is a job, each worker takes the jobs that are free, and all workers get the
//! result. Here the workers are threads; processes with the same file work in the same way:
//!
//! ```
//! use stonework_campaign::{Campaign, Plan};
//! use stonework_game::{Outcome, Player, example::Nim};
//! use stonework_search::{Dfpn, DfpnProver};
//! # let folder = std::env::temp_dir().join(format!("stonework-campaign-share-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let campaign = Campaign::new(Nim::new(60), folder.join("nim.proof")).plan(Plan::Replies);
//! let work = || {
//!     let mut solver = DfpnProver::new("nim", (), Dfpn::default());
//!     campaign.run(&mut solver, &mut |_| {}).map(|results| results.outcome)
//! };
//! std::thread::scope(|scope| {
//!     let workers = [scope.spawn(work), scope.spawn(work)];
//!     for worker in workers {
//!         assert_eq!(worker.join().unwrap().unwrap(), Some(Outcome::Win(Player::Second)));
//!     }
//! });
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! **Watch** a campaign. A campaign prints nothing, but reports events:
//!
//! ```
//! use stonework_campaign::{Campaign, CampaignEvent, Plan};
//! use stonework_game::example::Nim;
//! use stonework_search::{Dfpn, DfpnProver};
//! # let folder = std::env::temp_dir().join(format!("stonework-campaign-watch-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let plan = Plan::Openings { split: false };
//! let campaign = Campaign::new(Nim::new(5), folder.join("nim.proof")).plan(plan);
//! let mut lines = Vec::new();
//! campaign.run(&mut DfpnProver::new("nim", (), Dfpn::default()), &mut |event| {
//!     if let CampaignEvent::Proved { job, outcome, .. } = event {
//!         lines.push(format!("{job}: {outcome:?}"));
//!     }
//! })?;
//! assert_eq!(lines, ["1: Win(Second)", "2: Win(First)"]);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you want | take |
//! |---|---|
//! | a proof, by one process or several | [`Campaign`], with a [`Plan`] and a [`Prover`](stonework_search::Prover) |
//! | the value, the proof file and the cost | [`Results`] |
//! | progress, checkpoints, jobs that others have done | [`CampaignEvent`] |
//! | another way to share jobs, such as a server | [`Leases`], and [`laws`] for its tests |
//! | a proof by many machines | [`proving`], on the queue of `stonework-farm` |
//! | the value of a position by the proofs of its moves | [`value_by_moves`] |
//!
//! # Words
//! - *Campaign*: the proof of a position as work. The name of a campaign is its file.
//! - *Job*: a part of a campaign that one worker does at a time: the proof of the value of a position, or the
//!   joining of proofs.
//! - *Lease*: the right of a worker to do a job.
//! - *Checkpoint*: a file with the table of an unfinished search.
//!
//! # Files
//! `FILE` is the proof, and `a1` and `b2` are moves. All files but `FILE` are removed when the proof is written.
//!
//! | file | contents |
//! |---|---|
//! | `FILE` | the proof, once it is complete |
//! | `FILE.checkpoint`, `FILE.lock` | checkpoint and lease of a campaign of one job |
//! | `FILE.parts/a1.proof`, `a1.checkpoint`, `a1.lock` | proof, checkpoint and lease of the job of a move |
//! | `FILE.parts/all.lock` | the lease of the job that puts the proofs together |
//! | `FILE.parts/a1.proof.parts/b2.proof`, … | the same for a job that is divided by its own moves |
//! | `FILE.parts.done` | the directory `FILE.parts` while it is removed |
//!
//! Each file is written under a temporary name and then renamed, so that a process can be killed at any time. A
//! worker verifies each part before its use.
//!
//! # What this crate does not do
//! The crate has no arguments and prints nothing. The crate starts no threads and no processes, and moves no files
//! between machines: all workers share one directory. The crate has no game and no search. The trust in a proof
//! comes from its verification, not from the campaign that has written it.

mod campaign;
mod clear;
mod error;
mod event;
mod file_leases;
mod job;
pub mod laws;
mod lease;
mod list;
mod moves;
pub mod proving;
mod results;
mod worker;

pub use campaign::Campaign;
pub use error::CampaignError;
pub use event::CampaignEvent;
pub use file_leases::FileLeases;
pub use job::{Job, JobId, Plan};
pub use lease::{Holder, Lease, LeaseError, Leases, Taken};
pub use moves::value_by_moves;
pub use results::{JobResult, ProofFile, Results, Unfinished, Work};
