//! Positional knowledge of Havannah that is proven sound: connections, frames that win, cells on which a side must play.
//!
//! All examples are about these stones, White `O` and Black `@`:
//!
//! ```text
//!       1 2 3 4
//!    a . . . O 5       White, to have moved last on c2, has four stones from the corner d1 to the corner a4. Each is a
//!   b @ . O . . 6      two-bridge away from the next: {c1, d2}, {b2, c3} and {a3, b4} are their carriers.
//!  c . O . . . . 7
//! d O . . @ . . .
//!  e . . . @ . .
//!   f . . . . .
//!    g . . . .
//! ```
//!
//! **Links**: the chains, cells, edges and corners that one side keeps connected although the other side moves first:
//!
//! ```
//! use stonework_game::{Player, Textual};
//! use stonework_havannah::Position;
//! use stonework_havannah_analysis::{LinkBudget, LinkSet};
//! let position = Position::parse_position("4 b - ...w/b.w../.w..../w..b.../...b../...../....")?;
//! let board = position.board();
//! let links = LinkSet::of(&position, Player::First, &LinkBudget::default())?;
//! let [b3, c2] = [links.end(board.parse("b3")?)?, links.end(board.parse("c2")?)?];
//! let link = links.full_between(b3, c2)?.next().unwrap();
//! assert_eq!(link.carrier.iter().map(|c| board.name(c)).collect::<Vec<_>>(), ["b2", "c3"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Frames**: links that together complete a bridge, a fork or a ring, and the frames that win for sure:
//!
//! ```
//! use stonework_game::{Player, Textual};
//! use stonework_havannah::{Position, WinKind};
//! use stonework_havannah_analysis::{FrameBudget, Frames};
//! let position = Position::parse_position("4 b - ...w/b.w../.w..../w..b.../...b../...../....")?;
//! let frames = Frames::of(&position, Player::First, &FrameBudget::default())?;
//! let won = frames.proven().next().unwrap();
//! assert_eq!((won.kind, won.carrier.len(), won.moves), (WinKind::Bridge, 6, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Must-play**: one move of each side earlier, without the stones on b1 and c2, Black must play on one of three cells. A stone
//! elsewhere loses, and the reason is a half-frame of White: the key is the move that makes it a frame.
//!
//! ```
//! use stonework_game::Textual;
//! use stonework_havannah::Position;
//! use stonework_havannah_analysis::{FrameBudget, MustPlay};
//! let position = Position::parse_position("4 b - ...w/..w../....../w..b.../...b../...../....")?;
//! let board = position.board();
//! let must = MustPlay::of(&position, &FrameBudget::default())?;
//! assert_eq!(must.cells().iter().map(|c| board.name(c)).collect::<Vec<_>>(), ["a3", "b2", "b4"]);
//! let reason = must.reason(board.parse("b1")?).unwrap();
//! assert_eq!((reason.key.map(|c| board.name(c)).as_deref(), reason.moves), (Some("a1"), 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Measure** how many stones a side still needs:
//!
//! ```
//! use stonework_game::{Player, Textual};
//! use stonework_havannah::{Position, WinKind};
//! use stonework_havannah_analysis::Distances;
//! let game = Position::parse_position("4 w - ..../...../..ww../..w..../....../...../....")?;
//! let mut white = Distances::of(&game, Player::First);
//! let ring = white.ring().expect("nothing is in the way");
//! assert_eq!((ring.kind, ring.stones), (WinKind::Ring, 3));
//! assert_eq!(white.bridge().map(|bridge| bridge.stones), Some(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Leave out** the cells that neither side needs:
//!
//! ```
//! use stonework_game::Textual;
//! use stonework_havannah::Position;
//! use stonework_havannah_analysis::InferiorCells;
//! let game = Position::parse_position("4 w - ..b./..wwb/bbw.../w..www./..w.bw/.bw.b/..w.")?;
//! let inferior = InferiorCells::of(&game)?;
//! assert_eq!(inferior.dead().first(), Some(game.board().parse("f6")?));
//! assert_eq!(inferior.dominated().first(), Some(game.board().parse("d3")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Count** finished games:
//!
//! ```
//! use stonework_game::{Game, below, rng};
//! use stonework_havannah::{Position, WinKind};
//! use stonework_havannah_analysis::GameStatistics;
//! let (mut statistics, mut rng) = (GameStatistics::new(4)?, rng(1));
//! for _ in 0..200 {
//!     let mut game = Position::new(4)?;
//!     while game.outcome().is_none() {
//!         let moves = game.moves();
//!         game.play(moves[below(&mut rng, moves.len())])?;
//!     }
//!     statistics.add(&game)?;
//! }
//! assert_eq!(statistics.games(), 200);
//! assert!((0.50..0.68).contains(&statistics.share(WinKind::Bridge)));      // 0.589 in the long run
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | question | type | answer is |
//! |---|---|---|
//! | which ends stay connected? | [`LinkSet`] of [`Link`]s | full and half links with minimal carriers, sure as to connection |
//! | the same from move to move, and back? | [`LinkTracker`] | the links of a fresh search, within the same budget |
//! | which links complete a formation, and does it win? | [`Frames`] of [`Frame`]s | frames and half-frames, sure as to the formation, and as to the win if [`proven`](Frames::proven) |
//! | how is a frame completed? | [`FramePlan`] | the answer to each move of the opponent |
//! | which side is first? | [`Race`] | *won* and *lost* are sure, by threats and frames; otherwise open, with an estimate |
//! | where must the side to move play? | [`MustPlay`] | the other cells lose for sure; the named ones may lose too |
//! | which empty cells are useless? | [`InferiorCells`] | dead, captured and dominated cells: sure, but not all of them |
//! | how far is a side from a win? | [`StonesToWin`] | exact, if the opponent passes |
//! | how far is each kind of win, and which cells help? | [`Distances`] | exact, if the opponent passes |
//! | how far, if the opponent answers? | [`TwoDistances`] | an estimate |
//! | how do games end? | [`GameStatistics`] | exact |
//! | how many positions and games are there? | [`Complexity`] | counts of stones, which leave out wins |
//!
//! A slow judge without links and frames checks every claim: `crates/oracle/tests/analysis`, with the record in
//! `docs/lab/analysis.md`.
//!
//! What this crate does not do: it does not play, and it searches moves ahead only for races, on few moves. It finds links
//! by two rules within a budget, and so misses some. Many races stay open. It finds no ring
//! that encloses own stones alone, unless one stone closes the ring. It has no features.

mod distance;
mod error;
mod frames;
mod inferior;
#[doc = include_str!("inferior/rules.md")]
pub mod inferior_rules {}
mod links;
mod mask;
mod must_play;
mod plan;
mod race;
mod statistics;
mod stones;
mod tracker;

pub use distance::{Distances, Need, Origin, OriginError, Potential, StoneMap, TwoDistances};
pub use error::AnalysisError;
pub use frames::{Frame, FrameBudget, Frames};
pub use inferior::InferiorCells;
pub use links::{Link, LinkBudget, LinkEnd, LinkSet};
pub use must_play::MustPlay;
pub use plan::FramePlan;
pub use race::{Race, RaceAnswer, RaceBudget};
pub use statistics::{Complexity, GameStatistics, Lengths, Magnitude, RingCounts, StatisticsError};
pub use stones::StonesToWin;
pub use tracker::LinkTracker;
