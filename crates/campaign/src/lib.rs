//! Proving a position in one process that may be killed at any time, or by the many workers of a farm.
//!
//! **Prove** a position. The campaign saves the search from time to time. If the process ends early, the same
//! call in a new process continues the search:
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
//! **Prove each move** by a job of its own, in a file of its own until all moves are proved. A killed process loses the
//! search of one job since the last checkpoint of that search:
//!
//! ```
//! use stonework_campaign::{Campaign, Plan};
//! use stonework_game::{Outcome, Player, example::Nim};
//! use stonework_search::{Dfpn, DfpnProver};
//! # let folder = std::env::temp_dir().join(format!("stonework-campaign-moves-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let campaign = Campaign::new(Nim::new(60), folder.join("nim.proof")).plan(Plan::Openings);
//! let results = campaign.run(&mut DfpnProver::new("nim", (), Dfpn::default()), &mut |_| {})?;
//! let values: Vec<(u8, Outcome)> = results.jobs.iter().map(|job| (job.mv, job.outcome)).collect();
//! assert_eq!(values, [(1, Outcome::Win(Player::Second)), (2, Outcome::Win(Player::Second))]);
//! assert_eq!(results.outcome, Some(Outcome::Win(Player::Second)));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
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
//! let plan = Plan::Openings;
//! let campaign = Campaign::new(Nim::new(5), folder.join("nim.proof")).plan(plan);
//! let mut lines = Vec::new();
//! campaign.run(&mut DfpnProver::new("nim", (), Dfpn::default()), &mut |event| {
//!     if let CampaignEvent::Proved { job, outcome, .. } = event {
//!         lines.push(format!("{:?}: {outcome:?}", job.mv));
//!     }
//! })?;
//! assert_eq!(lines, ["Some(1): Win(Second)", "Some(2): Win(First)"]);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you want | take |
//! |---|---|
//! | a proof, by one process | [`Campaign`], with a [`Plan`] and a [`Prover`](stonework_search::Prover) |
//! | the value, the proof file and the cost | [`Results`] |
//! | progress, checkpoints, finished jobs | [`CampaignEvent`] |
//! | a proof by several processes or machines | [`proving`], on the queue of `stonework-farm` |
//! | the value of a position by the proofs of its moves | [`value_by_moves`] |
//!
//! # Words
//! - *Campaign*: the proof of a position as work. The name of a campaign is its file.
//! - *Job*: a part of a campaign: the proof of the value of one position.
//! - *Checkpoint*: a file with the table of an unfinished search.
//!
//! # Files
//! `FILE` is the proof, and `a1` is a move. All files but `FILE` are removed when the proof is written.
//!
//! | file | contents |
//! |---|---|
//! | `FILE` | the proof, once it is complete |
//! | `FILE.lock` | a file that the process locks while it works; without a process it has no effect |
//! | `FILE.checkpoint` | the checkpoint of a campaign of one job |
//! | `FILE.parts/a1.proof`, `a1.checkpoint` | proof and checkpoint of the job of a move |
//! | `FILE.parts.done` | the directory `FILE.parts` while it is removed |
//!
//! Each file is written under a temporary name and then renamed, so that a process can be killed at any time. The proof
//! of a finished job is verified before its use.
//!
//! Earlier versions had locks in `FILE.parts`. A campaign refuses to start while a process of such a version holds one of
//! these locks, and removes the lock files. A campaign also refuses directories with proofs of single replies, which earlier
//! versions made, with [`CampaignError::UnusedParts`].
//!
//! # What this crate does not do
//! The crate has no arguments and prints nothing. The crate starts no threads and no processes, and moves no files
//! between machines: `stonework-farm` does. The crate has no game and no search. The trust in a proof comes from its
//! verification, not from the campaign that has written it.

mod campaign;
mod earlier;
mod error;
mod event;
mod job;
mod moves;
mod openings;
pub mod proving;
mod results;
mod worker;

pub use campaign::Campaign;
pub use error::CampaignError;
pub use event::CampaignEvent;
pub use job::{Job, Plan};
pub use moves::value_by_moves;
pub use results::{JobResult, ProofFile, Results, Unfinished, Work};
