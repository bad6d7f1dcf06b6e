//! Values and priors learned from games, for any game whose positions and moves have features.
//!
//! **Learn** the value of positions from their results. Here a game of Nim is a win unless three divides the stones:
//!
//! ```
//! use stonework_learn::{Options, ValueSamples, train_value};
//! let mut samples = ValueSamples::new();
//! for stones in (0..3000_u32).map(|n| n % 21) {
//!     // A feature of the side to move, and the same for its opponent, in a row of its own.
//!     let won = if stones % 3 == 0 { 0.0 } else { 1.0 };
//!     samples.push(&[stones], &[21 + stones], won);
//! }
//! let net = train_value(42, &samples, &Options::default(), &mut |_, _| ());
//! let fit = net.fit(&samples, 2000..3000);
//! assert!(fit.right > 0.99, "{fit:?}");
//! ```
//!
//! **Keep** a network as a file of tensors, which other programs read too:
//!
//! ```
//! # use stonework_learn::{Options, ValueSamples, train_value};
//! use stonework_learn::ValueNet;
//! # let mut samples = ValueSamples::new();
//! # samples.push(&[0], &[1], 1.0);
//! # let net = train_value(2, &samples, &Options::default(), &mut |_, _| ());
//! let bytes = net.to_bytes(&[("command", "learn value --games games.jsonl")]);
//! assert_eq!(ValueNet::from_bytes(&bytes)?, net);
//! # Ok::<(), stonework_learn::FileError>(())
//! ```
//!
//! **Search** with a game's features: [`NetEvaluator`] and [`LearnedPriors`] are strategies of engines.
//!
//! ```
//! use std::sync::Arc;
//! use stonework_game::{Player, example::Nim};
//! use stonework_learn::{NetEvaluator, Options, PositionFeatures, ValueSamples, train_value};
//! use stonework_search::{Engine, Limits, Mcts, MctsOptions, RandomPlayout};
//!
//! /// The number of stones, as the side to move and as the other side see it.
//! #[derive(Clone)]
//! struct Stones;
//! impl PositionFeatures<Nim> for Stones {
//!     fn rows(&self) -> usize {
//!         42
//!     }
//!     fn features(&mut self, game: &Nim, side: Player, out: &mut Vec<u32>) {
//!         use stonework_game::Game;
//!         out.push(u32::from(game.left().min(20)) + if side == game.to_move() { 0 } else { 21 });
//!     }
//! }
//! # let mut samples = ValueSamples::new();
//! # for stones in (0..3000_u32).map(|n| n % 21) {
//! #     samples.push(&[stones], &[21 + stones], if stones % 3 == 0 { 0.0 } else { 1.0 });
//! # }
//! # let net = train_value(42, &samples, &Options::default(), &mut |_, _| ());
//! let evaluator = NetEvaluator::new(Stones, Arc::new(net))?;
//! let mut engine = Mcts::new(RandomPlayout::new(100), MctsOptions::uct().share(0.5))?.evaluator(evaluator);
//! let report = engine.think(&Nim::new(20), &Limits::none().simulations(300));
//! assert_eq!(report.best, Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | item | use |
//! |---|---|
//! | [`PositionFeatures`], [`MoveFeatures`] | what a game's author writes |
//! | [`GameMoves`] | games that were played, as samples |
//! | [`ValueSamples`], [`train_value`], [`ValueNet`], [`Fit`] | values of positions |
//! | [`MoveSamples`], [`train_moves`], [`MoveWeights`], [`Prediction`] | chances of moves |
//! | [`NetEvaluator`], [`LearnedPriors`] | both as strategies of engines |
//! | [`LatticePlanes`], [`Lattice`] | what a game's author writes for a network on the lattice |
//! | [`LatticeSamples`], [`train_lattice`], [`LatticeNet`], [`LatticeFit`] | values and chances together, by such a network |
//! | [`LatticeJudge`] | the network as evaluator and priors of a search |
//! | [`TrainingFile`], [`TrainingEvent`] | a training with checkpoints, which goes on after its process was killed |
//! | [`Options`] | epochs, steps, seed |
//!
//! # What this crate does not do
//! The crate has no game, plays no games and reads no records: the command `stonework learn` does. The training uses one
//! thread and no graphics processor.

mod evaluator;
mod features;
mod file;
mod games;
mod lattice;
mod moves;
mod net;
mod run;
mod samples;
mod state;
mod train;
mod training_file;

pub use evaluator::{
    LearnedPriors, NetEvaluator, WrongCount, evaluator_value, prior_of_chance, priors_of_scores,
};
pub use features::{MoveFeatures, PositionFeatures};
pub use file::{FileError, MAX_ROWS};
pub use games::{GameMoves, IllegalAt, MoveTargets, SearchedMoves, ValueTargets};
pub use lattice::{
    CHANNELS, Lattice, LatticeFit, LatticeJudge, LatticeJudgement, LatticeNet, LatticePlanes, LatticeSamples,
    LatticeScratch, MAX_BLOCKS, MAX_PLANES, NotALattice, PlaneImage, PlaneMark, train_lattice,
};
pub use moves::{MoveWeights, Prediction, train_moves};
pub use net::{HIDDEN, Row, RowPair, Sum, SumPair, ValueNet, WIDTH};
pub use samples::{MoveSamples, ValueSamples};
pub use train::{Fit, Options, train_value};
pub use training_file::{TrainingError, TrainingEvent, TrainingFile, TrainingWatch};
