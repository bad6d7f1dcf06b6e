//! A game that is chosen at run time: positions, players, records and pictures behind one type.
//!
//! **Choose a game by name and play it.** Moves, cells and sides are texts:
//!
//! ```
//! use stonework_session::{Registry, Session, Start};
//! let mut session = Session::new(Registry::standard(), "havannah", &Start::of_size(4), None)?;
//! for mv in "a1 b1 a2 b2 a3 b3 a4".split(' ') {
//!     session.play(mv)?;
//! }
//! assert_eq!(session.position().standing(), "white wins by bridge");
//! assert_eq!(session.state().cells.unwrap()[0], ["a1", "a2", "a3", "a4"]);
//! assert_eq!(session.play("c3").unwrap_err().kind, "over");
//! # Ok::<(), stonework_session::Fault>(())
//! ```
//!
//! **Let any program speak to a session.** A [`Request`] and its [`Response`] are JSON objects, for any means of
//! transport:
//!
//! ```
//! use stonework_session::{Registry, Request, Session};
//! let new = r#"{"op":"new","game":"cachex","size":3}"#;
//! let mut session = Session::open(Registry::standard(), &serde_json::from_str(new)?)?;
//! let response = session.handle(&Request::Play { moves: vec!["0,0".to_owned()] });
//! assert_eq!(serde_json::to_value(&response)?["state"]["to_move"], "blue");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Add a game of your own.** The author of a game implements one trait, [`Described`], beside the traits of its rules
//! ([`Game`](stonework_game::Game), [`Keyed`](stonework_game::Keyed), [`Indexed`](stonework_game::Indexed),
//! [`Textual`](stonework_game::Textual)). This is all that Nim needs:
//!
//! ```ignore
#![doc = include_str!("games/nim.rs")]
//! ```
//!
//! ```
//! use stonework_game::example::Nim;
//! use stonework_session::{GameType, Registry, Session, Start};
//! let registry = Registry::standard().with(GameType::new::<Nim>());
//! let mut session = Session::new(registry, "nim", &Start::of_size(3), None)?;
//! assert_eq!(session.legal(), ["1", "2"]);
//! session.play("1")?;
//! assert_eq!(session.threats("second")?, Some(vec!["2".to_owned()]));
//! # Ok::<(), stonework_session::Fault>(())
//! ```
//!
//! # Design
//!
//! The author of a game describes the game once, with its type. Code that chooses a game at run time has the
//! game without its type.
//!
//! | type | what it is | who has it in hand |
//! |---|---|---|
//! | [`Described`] | a trait: names, sizes, starts, notations, pictures and records of a game | the author of a game |
//! | [`Description`] | the constants of a game | everybody |
//! | [`GameType`] | a game without its type: starts, replays and records | a command line, a server |
//! | [`Registry`] | games by name | the program that decides which games there are |
//! | [`AnyPosition`] | a position without its type, and a [`Game`](stonework_game::Game) itself | generic code: matches, GTP |
//! | [`DynPosition`] | the object-safe questions that an [`AnyPosition`] answers | the same |
//! | [`Session`] | one game from its first position to the present one, moves as text | a page, a server, a script |
//! | [`Request`], [`Response`] | a session by messages | a client in any language |
//! | [`Search`], [`Analysis`] | an engine by name on the present position, with live findings | the same |
//! | [`ReviewOptions`], [`ReviewedMove`] | every move of a game judged, also in its SGF record ([`annotate`]) | the same |
//! | [`Layer`], [`Finding`] | findings about a position by name: sentences, and marks for a picture | the same |
//! | [`Picture`], [`PictureOptions`], [`MoveTable`] | pictures of positions and games; the findings of a search as heat | a command line, a page |
//! | [`rogers_text`] | a game as text, in the form of 2004 | a server |
//! | [`PlayoutCounter`], [`PlayoutCounts`] | random games from a position, and how they end | a command line, a benchmark |
//! | [`HavannahStatistics`], [`StatisticsReport`] | statistics of finished games of Havannah | a command line |
//! | [`Fault`] | the reason of a refusal, as a value | everybody |
//!
//! * A move is read in one place for each game: [`Described::read_move`]. [`play_text`] and
//!   [`Session::play`] play a text, and no other function parses the text again.
//! * A move of an [`AnyPosition`] is the move's number by [`Indexed`](stonework_game::Indexed). So the move is `Copy`
//!   and needs no memory, and code that is generic over games takes an [`AnyPosition`] without a change.
//! * [`Session`] is a type and not a trait. The type is the same for every game, because [`DynPosition`] has all
//!   differences between games. So a program needs no `dyn`, and a session can be moved to a thread.
//! * The game's own type does the work that plays many moves, in one call: [`DynPosition::perft`],
//!   [`DynPosition::playouts`], [`DynPosition::game_tree`], [`GameType::replay`].
//! * A notation is a number: its index in [`Description::notations`].
//!
//! What this crate does not do: it reads no arguments and no files, starts no threads, and prints nothing. The
//! feature `players` gives the three games of [`Registry::standard`] their players.

mod analysis;
mod any;
mod described;
mod description;
mod film;
mod games;
mod heat;
mod layers;
mod picture;
mod players;
mod playouts;
mod protocol;
mod record;
mod registry;
mod review;
mod rogers_text;
mod session;
mod state;

pub use analysis::{Analysis, AnalysisLine, Search};
pub use any::{AnyMove, AnyPosition, AnyUndo, DynPosition};
pub use described::{Described, Places, outcome_name, play_text, replay, state};
pub use description::{Description, Start};
pub use film::PictureOptions;
pub use games::{
    ComplexityReport, HavannahStatistics, RingReport, StatisticsReport, StoneCounts, havannah_start,
};
pub use heat::{MoveEntry, MoveTable};
pub use layers::{Finding, Layer, LayerBudget, LayerInfo, Mark};
pub use picture::Picture;
pub use players::{any_agent, any_engine, any_roster};
pub use playouts::{PlayoutCounter, PlayoutCounts, PlayoutRunner, RandomGame};
pub use protocol::{GameInfo, PlayerInfo, Request, Response};
pub use record::{GameRecord, RecordedGame, refused_as_havannah};
pub use registry::{GameType, Registry};
pub use review::{Candidate, ReviewOptions, ReviewedMove, annotate};
pub use rogers_text::rogers_text;
pub use session::Session;
pub use state::{BySide, Fault, State};
