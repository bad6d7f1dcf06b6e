//! Search for any two-player game: minimax, alpha-beta, Monte-Carlo trees and proof numbers behind one interface.
//!
//! **Solve** a game that ends, or a position of it, exactly:
//!
//! ```
//! use stonework_game::example::Nim;
//! use stonework_game::{Outcome, Player};
//! use stonework_search::{Engine, Limits, Minimax};
//! let report = Minimax::new(()).think(&Nim::new(7), &Limits::none());
//! assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
//! assert_eq!(report.line()[0], 1);                              // leaves 6, which is lost
//! ```
//!
//! **Search within limits** – nodes, simulations, depth, time, memory, a cancel flag – and read the findings, the cost and
//! the reason of the end:
//!
//! ```
//! use stonework_game::example::Nim;
//! use std::time::Duration;
//! use stonework_search::{Engine, Limits, Minimax, Stop};
//! let limits = Limits::none().depth(4).nodes(1000).time(Duration::from_secs(1));
//! let mut engine = Minimax::new(|nim: &Nim| 0);               // an evaluator is a function
//! let report = engine.think(&Nim::new(40), &limits);
//! assert_eq!((report.depth, report.stopped), (4, Some(Stop::Depth)));
//! ```
//!
//! | engine | asks of the game | finds |
//! |---|---|---|
//! | [`Minimax`] | [`Game`](stonework_game::Game) | exact values from the complete tree: the judge of the others |
//! | [`AlphaBeta`] | [`Keyed`](stonework_game::Keyed) | values to a depth, proven values beyond |
//! | [`Mcts`] | [`Indexed`](stonework_game::Indexed), a [`PlayoutPolicy`] | good moves; wins, losses and draws once proven |
//! | [`Hybrid`] | [`Indexed`](stonework_game::Indexed), [`Finite`](stonework_game::Finite), `Keyed` | the same as [`Mcts`], sooner proven by df-pn below its nodes |
//! | [`Pn`], [`Dfpn`] | [`Finite`](stonework_game::Finite), for [`Dfpn`] also `Keyed` | the winner; [proofs](stonework_proof) |
//!
//! A game's author can add strategies: [`Evaluator`], [`MoveOrder`], [`NoisyMoves`], [`NullMove`],
//! [`PlayoutPolicy`], [`Tactics`], [`Priors`]; `()` is a strategy without an opinion for each trait but
//! [`PlayoutPolicy`], for which [`RandomPlayout`] serves. In signatures, `G` is the game and `M` its move; the
//! type of a strategy has one of these names: `Eval`, `Order`, `Noisy`, `Null`; `Playout`, `Prior`, `Tactic`.
//!
//! | trait | implemented by, here and in the crates of the players and solvers |
//! |---|---|
//! | [`Engine`] | [`Minimax`], [`AlphaBeta`], [`Mcts`], [`Hybrid`], [`Pn`], [`Dfpn`]; `Solver`, `WeightedSearch` |
//! | [`Prover`] | [`DfpnProver`]; `Solver` |
//! | [`Evaluator`] | `()`, closures; `Links`, `Blend`, `SawChongSum`, `Bos`, `WeightedTerms`, `Tabled` |
//! | [`MoveOrder`] | `()`; `Near`, `Currents`, `StepOrder` |
//! | [`NoisyMoves`], [`NullMove`] | `()`; `Noisy`, `Shots`; `Turn` |
//! | [`PlayoutPolicy`] | [`RandomPlayout`], [`ReplyPlayout`]; `RandomGames` |
//! | [`Tactics`] | `()`; `Threats`, `Decisive`, `ThreatSearch` |
//! | [`Priors`] | `()`; `Near` |
//!
//! # Targets
//! The sources are written for every target that has the standard library and atomic numbers of 64 bits; targets
//! with pointers of 32 bits and WebAssembly are among them. The tests run on one target; one test checks that the
//! size of the largest table needs more than 32 bits. On `wasm32-unknown-unknown` time comes from the browser's
//! clock, and there are no threads: an engine with an option of more than one thread panics when it starts them.
//!
//! The crate has no board and no game of its own, and plays no games: players of whole games are in
//! `stonework-roster`. What the engines share – [`Engine`], [`Limits`], [`Report`] and the types that belong to them – is the
//! crate `stonework-engine`, on which an engine of another crate can be built without this one; all of it has its name here,
//! too. The crate has no features.

mod alphabeta;
mod hybrid;
mod mcts;
mod minimax;
mod options;
mod outcomes;
mod parameters;
mod pn;
mod slot;
mod strategy;
mod sync;
mod table;

pub use alphabeta::{AlphaBeta, AlphaBetaOptions};
pub use hybrid::{Hybrid, HybridOptions};
pub use mcts::{Choice, Mates, Mcts, MctsOptions, RandomPlayout, Rave, ReplyPlayout, Widening};
pub use minimax::{Census, GameTree, Minimax, Reply};
pub use options::OptionsError;
pub use pn::{
    ChildFinding, ChildNumbers, Dfpn, DfpnOptions, DfpnProver, Initial, JobChild, JobCounts, JobFinding,
    JobReport, JobTree, JobTreeOptions, LoadError, Pn, PnOptions, ProveError, Prover, ProverError, Question,
    SavedTable, ShownLeaf, TableEntry, TopError, TopProof, TreeJob, TreeJobId,
};
pub use stonework_engine::{
    Allowance, Bounds, Engine, HashUse, Limits, Line, MAX_THREADS, Meter, Parameter, ParameterError,
    ProofNumbers, Report, SearchContext, Stop, UNKNOWN_PLIES, Value, WIN, WIN_BOUND, Watch,
};
pub use strategy::{
    Effort, Evaluator, MoveOrder, NoisyMoves, NullMove, PlayoutPolicy, Priors, ProofTactics, Tactics, Verdict,
};
