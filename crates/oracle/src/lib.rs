//! Slow, obviously right judges, and the kit for tests of *other* rules against them.
//!
//! **Ask** for the facts after some moves – the same question that the `oracle` command reads:
//!
//! ```
//! use stonework_oracle::{Query, replay};
//! let moves = "a1 b1 a2 b2 a3 b3 a4".split(' ').map(str::to_owned).collect();
//! let state = replay(&Query::new("havannah", 4, false, moves))?;
//! assert_eq!(state.outcome.as_deref(), Some("white"));
//! assert_eq!(state.how.unwrap(), ["bridge"]);
//! assert_eq!(state.cells.unwrap()[0], ["a1", "a2", "a3", "a4"]);
//! # Ok::<(), stonework_oracle::Fault>(())
//! ```
//!
//! **Compare** your rules, move by move, over printed, random and constructed games. Rust code
//! implements [`Subject`] (a closure will do), programs in any language are an [`External`]:
//!
//! ```
//! use stonework_oracle::{Conformance, Query};
//! let mut mine = |query: &Query| Ok(stonework_oracle::replay(query));
//! let report = Conformance::havannah(1).sizes([2, 3]).random_games(10).run(&mut mine);
//! assert_eq!(report.counterexample, None);
//! assert!(report.plies > 200);
//! ```
//!
//! **Judge** by the definitions alone:
//!
//! ```
//! use stonework_board::{Board, CellSet};
//! use stonework_havannah::WinKinds;
//! let board = Board::hexagon(3)?;
//! let hexagon: CellSet = board.ring(board.parse("c3")?, 1).collect();
//! assert_eq!(stonework_oracle::formations(board, &hexagon), WinKinds::RING);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | you want to know | take |
//! |---|---|---|
//! | a question as JSON | what is true | [`answer`]: a line in, a line out |
//! | the same in Rust | | [`replay`] of a [`Query`]: a [`State`] or a [`Fault`] |
//! | records of Havannah in files | whether they keep to the rules | [`RecordFile`], [`ListedGame::replay`] |
//! | records of any game of a registry in files | | [`RecordFile::games_of`], [`FiledGame::replay`] |
//! | rules in Rust, in another language | where they are wrong | [`Conformance`] of a [`Subject`]: a closure; [`External`] |
//! | fast rules in Rust | whether they keep to the definitions | [`Judge`], [`CachexJudge`], [`CoverJudge`], which are [`Game`](stonework_game::Game)s |
//! | links, frames, must-play cells or wins of Havannah | whether they hold | [`judge_claim`] of a [`Query`] with a [`PositionClaim`] |
//! | links or frames in Rust | | [`link_holds`], [`formation_is_forced`] |
//! | a game of your own | whether it keeps to its definition | [`check_against`] a slow judge of your own |
//!
//! What this crate does not do: it is not fast. It searches only to judge whether a side wins,
//! with df-pn on the rules alone. It has no features.

mod analysis;
mod cachex;
mod claim;
mod conform;
mod corpus;
mod cover;
mod external;
mod judge;
mod lines;
mod query;
mod records;
mod twin;

pub use analysis::{CarrierTooLarge, MAX_CARRIER, formation_is_forced, link_holds};
pub use cachex::{CachexBoard, CachexJudge, CachexRefused, cachex_captures, cachex_connects};
pub use claim::{Judgement, MAX_CLAIM_CARRIER, MAX_CLAIM_NODES, PositionClaim};
pub use conform::{Conformance, Counterexample, Report, Step, Subject, Tried, difference};
pub use corpus::{
    GameText, Generator, Kind, Printed, PrintedPosition, agrees_with_judge, judged, printed,
    printed_positions,
};
pub use cover::{CoverBoard, CoverJudge, CoverPlace, CoverRefused, cover_start};
pub use external::External;
pub use judge::{Judge, Refused, chains, formations, has_ring, has_ring_by_definition};
pub use lines::{InputLine, Lines};
pub use query::{Query, QueryResult, answer, answer_line, judge_claim, read_answer, replay};
pub use records::{
    FiledGame, GameEnd, ListedEnd, ListedGame, RecordFile, RecordOptions, ReplayCounts, ReplayError,
    ReplayedGame, record_files, recorded_games,
};
pub use stonework_session::{BySide, Fault, State};
pub use twin::{Mismatch, Reference, check_against};

/// The longest line that is read as a question or an answer, in bytes: 1 MiB. A game of size 20 with
/// its moves takes under 10 kB.
pub const MAX_LINE: usize = 1 << 20;
