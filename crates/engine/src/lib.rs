//! The parts that all search engines share: one trait, limits and the meter that keeps them, reports, and parameters.
//!
//! **Read** a report: the best move, its value, and the reason for which the search ended:
//!
//! ```
//! use stonework_engine::{Line, Report, Stop, Value};
//! let line = Line::new(vec!["c3", "d4"], Value::Win(3));
//! let report = Report { best: Some("c3"), value: line.value, lines: vec![line], ..Report::empty() };
//! assert_eq!((report.line(), report.value.to_string()), (&["c3", "d4"][..], "win in 3".to_owned()));
//! assert_eq!((report.proven, report.stopped), (None, None));         // an empty report claims nothing
//! ```
//!
//! **Limit** a search by nodes, simulations, depth, time, memory and a cancel flag:
//!
//! ```
//! use stonework_engine::{Allowance, Limits, Meter, Stop};
//! let limits = Limits::none().nodes(1000);
//! let (meter, mut allowance) = (Meter::new(&limits), Allowance::default());
//! let mut visited = 0;
//! while meter.node(&mut allowance) {
//!     visited += 1;
//! }
//! assert_eq!((visited, meter.stopped()), (1000, Some(Stop::Nodes)));
//! ```
//!
//! **Write** an engine. This engine plays the first move, and knows only that a game is over:
//!
//! ```
//! use stonework_engine::{Engine, Limits, Line, Report, SearchContext, Stop, Value};
//! use stonework_game::example::Nim;
//! use stonework_game::{Game, Outcome, Player};
//! struct First;
//! impl<G: Game> Engine<G> for First {
//!     fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
//!         context.unless_over(root, limits, |meter, _| {
//!             let best = root.moves().first().copied();
//!             let lines = best.map(|mv| Line::new(vec![mv], Value::Unknown)).into_iter().collect();
//!             Report { best, lines, time: meter.elapsed(), stopped: Some(Stop::Depth), ..Report::empty() }
//!         })
//!     }
//! }
//! assert_eq!(First.think(&Nim::new(7), &Limits::none()).best, Some(1));
//! assert_eq!(First.think(&Nim::new(0), &Limits::none()).proven, Some(Outcome::Win(Player::Second)));
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Engine`], [`SearchContext`] | the trait; the seed and the watcher of one search |
//! | [`Limits`], [`Stop`] | the cost that a search may have; the limit that ended it |
//! | [`Meter`], [`Allowance`] | the account of a search's cost; one thread's part of it |
//! | [`Report`], [`Line`], [`Value`], [`Bounds`], [`ProofNumbers`], [`HashUse`] | the findings and the cost |
//! | [`Parameter`], [`ParameterError`] | a number of an engine that tuning may set |
//!
//! The crate has no engine: engines are in `stonework-search`, which gives all these types a name of its own, too. The
//! crate has no features.

mod bounds;
mod engine;
mod limits;
mod meter;
mod parameter;
mod proof_numbers;
mod report;

pub use bounds::Bounds;
pub use engine::{Engine, SearchContext, Watch};
pub use limits::{Limits, MAX_THREADS, Stop};
pub use meter::{Allowance, Meter};
pub use parameter::{Parameter, ParameterError};
pub use proof_numbers::ProofNumbers;
pub use report::{HashUse, Line, Report, UNKNOWN_PLIES, Value, WIN, WIN_BOUND};
