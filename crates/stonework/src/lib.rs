#![cfg_attr(all(feature = "havannah", feature = "search"), doc = include_str!("../README.md"))]
#![cfg_attr(
    not(all(feature = "havannah", feature = "search")),
    doc = "Board games played with stones on lattices."
)]
#![cfg_attr(
    all(feature = "havannah", feature = "search"),
    expect(clippy::doc_markdown, reason = "prose of the README")
)]
//!
//! # This crate
//!
//! `stonework` is one name for all of them: each library above is a module here, and a feature. `stonework-files` and
//! `stonework-program` know no games; `stonework-server` and `stonework-tui` are front ends, and stand apart.
//!
//! ```toml
//! [dependencies]
//! stonework = { path = "../stonework/crates/stonework", features = ["cachex"] }     # a clone of the repository beside yours
//! ```
//!
//! | feature | module | brings along |
//! |---|---|---|
//! | – | `board`, `game` | |
//! | `havannah` (default), `cachex`, `cover` | of the same name | |
//! | `search` (default) | `engine`, `search`, `roster`, `proof`: every engine, players by name, and proofs as files. They compile together in some seconds, so none has a feature of its own | |
//! | `endgame` | `endgame` | |
//! | `players` | `havannah_players`, `havannah_solver`, `cachex_players`, `cover_players` | the three games, `search`, `endgame` |
//! | `analysis` | `havannah_analysis` | `havannah` |
//! | `pattern`, `picture`, `record` | of the same name | |
//! | `gtp` | `gtp` | `search`, `record`, `session` |
//! | `arena` | `arena` | `search`, `gtp`, `session` |
//! | `farm` | `farm` | |
//! | `campaign` | `campaign` | `farm`, `search` |
//! | `learn` | `learn` | `search` |
//! | `session` | `session` | the three games, `record`, `search` |
//! | `oracle` | `oracle` | `session` |
//! | `serde` | what is public state can be stored, and is checked when read | |
//! | `full` | all of it | |
//!
//! What this crate does not do: anything of its own. A library that others depend on should take the crates
//! that it needs by their own names; the types are the same.

pub use stonework_board as board;
pub use stonework_game as game;

#[cfg(feature = "arena")]
pub use stonework_arena as arena;
#[cfg(feature = "cachex")]
pub use stonework_cachex as cachex;
#[cfg(feature = "players")]
pub use stonework_cachex_players as cachex_players;
#[cfg(feature = "campaign")]
pub use stonework_campaign as campaign;
#[cfg(feature = "cover")]
pub use stonework_cover as cover;
#[cfg(feature = "players")]
pub use stonework_cover_players as cover_players;
#[cfg(feature = "endgame")]
pub use stonework_endgame as endgame;
#[cfg(feature = "search")]
pub use stonework_engine as engine;
#[cfg(feature = "farm")]
pub use stonework_farm as farm;
#[cfg(feature = "gtp")]
pub use stonework_gtp as gtp;
#[cfg(feature = "havannah")]
pub use stonework_havannah as havannah;
#[cfg(feature = "analysis")]
pub use stonework_havannah_analysis as havannah_analysis;
#[cfg(feature = "players")]
pub use stonework_havannah_players as havannah_players;
#[cfg(feature = "players")]
pub use stonework_havannah_solver as havannah_solver;
#[cfg(feature = "learn")]
pub use stonework_learn as learn;
#[cfg(feature = "oracle")]
pub use stonework_oracle as oracle;
#[cfg(feature = "pattern")]
pub use stonework_pattern as pattern;
#[cfg(feature = "picture")]
pub use stonework_picture as picture;
#[cfg(feature = "search")]
pub use stonework_proof as proof;
#[cfg(feature = "record")]
pub use stonework_record as record;
#[cfg(feature = "search")]
pub use stonework_roster as roster;
#[cfg(feature = "search")]
pub use stonework_search as search;
#[cfg(feature = "session")]
pub use stonework_session as session;
