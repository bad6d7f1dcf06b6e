//! Proving by many machines: the plan, the check and the work of a farm whose jobs are bounded searches.
//!
//! The plan is a [`JobTree`](stonework_search::JobTree). A worker searches the position of its job, within the job's
//! budget. A decided position, and each decided move of an open one, comes with a proof file; the coordinator verifies
//! the file by the rules, and compares position and claim, before the position counts. The numbers of open moves only
//! steer the tree.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//! use stonework_campaign::proving::{ProofCheck, ProofPlan, ProofWork, ProofQuestion};
//! use stonework_farm::{Coordinator, Embedded, EmbeddedOptions, Ended, Worker};
//! use stonework_files::System;
//! use stonework_game::{Game, Outcome, Player, example::Nim};
//! use stonework_search::{Dfpn, DfpnOptions, DfpnProver, JobTreeOptions, Limits};
//! # let folder = std::env::temp_dir().join(format!("stonework-proving-doc-{}", std::process::id()));
//! let solver = || Dfpn::new(DfpnOptions::new().keep(true)).map(|dfpn| DfpnProver::new("nim", (), dfpn));
//! let options = JobTreeOptions::new().nodes(10);
//! let mut plan = ProofPlan::new("nim", Nim::new(60), ProofQuestion::Value, (), options)?;
//! let check = ProofCheck::<Nim, _>::new("nim", solver()?);
//! std::thread::scope(|scope| {
//!     for worker in ["one", "two"] {
//!         let queue = Embedded::open(&folder, &EmbeddedOptions::default()).unwrap();
//!         let mut work = ProofWork::<Nim, _>::new("nim", solver().unwrap(), &Limits::none().bytes(1 << 20));
//!         scope.spawn(move || Worker::new(worker, "doc 1").run(&queue, &mut work, &AtomicBool::new(false), &mut |_| {}));
//!     }
//!     let queue = Embedded::open(&folder, &EmbeddedOptions::default()).unwrap();
//!     let coordinator = Coordinator::new(Arc::new(System), &folder, "here");
//!     let ended = coordinator.run(&queue, &mut plan, &check, &AtomicBool::new(false), &mut |_| {});
//!     assert_eq!(ended.unwrap(), Ended::Over);
//! });
//! assert_eq!(plan.outcome(), Some(Outcome::Win(Player::Second)));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod check;
mod each_move;
mod entries;
mod known;
mod plan;
mod set;
mod work;

pub use check::ProofCheck;
pub use each_move::{EachMovePlan, MovePlan};
pub use known::{KnownProofs, Learned};
pub use plan::{Answered, ProofPlan, ProofQuestion};
pub use set::SetWriteError;
pub use work::ProofWork;

/// The kind of the jobs.
pub const KIND: &str = "prove";
/// The version of the jobs' bodies and answers.
pub const VERSION: u32 = 3;
