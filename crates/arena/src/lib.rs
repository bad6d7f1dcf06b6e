//! Matches and tournaments between players of any two-player game, the evidence of their results, and tuning by
//! games.
//!
//! **Play** a match between two players of a roster, or programs, by their names: pairs of games with colours swapped, several
//! at a time. The game's rules are the referee:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use stonework_arena::{Entrant, Event, Openings, Score, Terms};
//! use stonework_roster::PlayerConfig;
//! use stonework_session::{Registry, Start};
//! let registry = Registry::standard();               // with the feature `players` of `stonework-session`
//! let (game, start) = (registry.game("havannah")?, Start::of_size(3));
//! let players = [Entrant::parse("links:depth=1", game, &start)?, Entrant::parse("mcts:simulations=20", game, &start)?];
//! let position = game.start(&start)?;
//! let openings = Openings::Random { plies: 1 }.list(&position, 2, 7);
//! let event = Event { start: position, players: 2, terms: Terms::default(), openings, seed: 7 };
//! let make = |player: usize| players[player].contestant(game.roster(), &PlayerConfig::default());
//! let mut score = Score::new(None);
//! event.run(&make, &|_| false, 2, &AtomicBool::new(false), &mut |line| score.add(&line))?;
//! assert_eq!(score.tally().games(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Bring your own** game and players: any [`Game`](stonework_game::Game) with text for its moves, any agent:
//!
//! ```
//! use stonework_game::example::Nim;
//! use stonework_roster::{Agent, EngineAgent};
//! use stonework_search::{Limits, Minimax};
//! use std::sync::atomic::AtomicBool;
//! use stonework_arena::{AgentContestant, Contestant, Event, Games, Openings, Terms};
//! let start = Nim::new(11);
//! let openings = Openings::Random { plies: 1 }.list(&start, 10, 7);
//! let event = Event { start, players: 2, terms: Terms::default(), openings, seed: 7 };
//! // Player 0 looks to the end of the game, player 1 two plies ahead.
//! let make = |player: usize| -> Box<dyn Contestant<Nim>> {
//!     let limits = if player == 0 { Limits::none() } else { Limits::none().depth(2) };
//!     Box::new(AgentContestant::new(move |seed| {
//!         Ok(Box::new(EngineAgent::new(Minimax::new(()), limits.clone(), seed)) as Box<dyn Agent<Nim>>)
//!     }))
//! };
//! let mut games = Games::default();
//! event.run(&make, &|_| false, 2, &AtomicBool::new(false), &mut |game| games.add(game))?;
//! assert_eq!(games.len(), 20);
//! # Ok::<(), stonework_arena::NotPlayed>(())
//! ```
//!
//! **Judge** by Elo with its error, and end a match as soon as a test has its verdict:
//!
//! ```
//! use stonework_arena::{Pairs, Sprt, SprtVerdict};
//! let pairs = Pairs([2, 11, 40, 33, 14]);                       // by points of a pair: 0, ½, 1, 1½, 2
//! assert_eq!(pairs.elo().unwrap().to_string(), "+81.4 ± 33.6");
//! assert_eq!("elo0=0,elo1=50".parse::<Sprt>()?.verdict(&pairs), SprtVerdict::Upper);
//! # Ok::<(), stonework_arena::SprtError>(())
//! ```
//!
//! **Tune** a player's numbers by games against itself ([`tune`](tune::tune)):
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use stonework_arena::tune::{Generations, Dimension, Tuner, score_by, tune};
//! let space = vec![Dimension { name: "x".into(), start: 9.0, least: 1.0, most: 9.0, whole: false }];
//! let mut pool = Generations::new(space, 10, 100, 1);
//! let play = score_by(|x: &[f64]| -50.0 * (x[0] - 4.0).abs());  // a real caller plays a pair of games
//! tune(&mut pool, &play, None, Vec::new(), 1, &AtomicBool::new(false), &mut |_| {})?;
//! assert!((pool.best()[0] - 4.0).abs() < 2.0);
//! # Ok::<(), stonework_arena::tune::TuneError>(())
//! ```
//!
//! | you want | take |
//! |---|---|
//! | one game | [`play`] |
//! | a match or a round robin | [`Event`], with [`Openings`] |
//! | a match or a round robin of a roster's players, in one call | [`round_robin`] |
//! | players by name | [`Entrant`], [`AgentContestant::of_roster`] |
//! | an agent of this process, a program that speaks GTP | [`AgentContestant`]; [`GtpContestant`] and its [`GtpDialect`] |
//! | results that survive a kill | [`Log`]: lines of JSON, which a later run continues, and [`Event::resume`] |
//! | an SGF record of each game | [`RecordFolder`] |
//! | a match between two, perhaps with a test | [`Score`], [`Sprt`], [`Elo`]; [`MatchSummary`] in words |
//! | a table of several | [`CrossTable`], [`ratings`] |
//! | a match on many machines | module `farm` (feature `farm`), with a queue of `stonework-farm` |
//! | games of an engine against itself, with its visits and values, to learn from | [`self_play`](mod@self_play) |
//! | better numbers | [`tune`](mod@tune): [`Spsa`](tune::Spsa), [`Generations`](tune::Generations) |
//!
//! A side that plays an illegal move, panics, dies, hangs, floods its output or takes too long loses that game, and
//! no other; the line of the game has the reason ([`Fault`]). The time of a side runs while the side decides and
//! while it receives moves. All processes that a program has started end with the program.
//!
//! What this crate does not do: the only games are the games of the caller's registry and the caller's own. The crate
//! does not make a program keep to a number of positions or a seed. It cannot stop an agent of its own process that
//! hangs; it can stop a program.
//!
//! Feature `farm`: matches as jobs of `stonework-farm`, which brings `SQLite`.

mod confirm;
mod contestant;
mod dialect;
mod entrant;
mod event;
#[cfg(feature = "farm")]
pub mod farm;
mod folder;
mod log;
mod opening;
mod peer;
mod rating;
mod referee;
mod round_robin;
mod score;
mod seeds;
pub mod self_play;
mod sprt;
mod stats;
mod summary;
mod table;
pub mod tune;
pub use confirm::{NotConfirmed, ResumeError};
pub use contestant::{AgentContestant, Contestant, Fault, Pace, Terms};
pub use dialect::GtpDialect;
pub use entrant::{Entrant, EntrantError, check_ends};
pub use event::{Event, Fixture, GameLine, Games, MOST_GAMES, Won};
pub use folder::{FolderError, RecordFolder};
pub use log::{FileDigest, Log, LogError, MAX_LINE, MAX_LOG, unsealed};
pub use opening::{BookError, Openings, PliesError};
pub use peer::GtpContestant;
pub use rating::{Rating, ratings};
pub use referee::{End, NotPlayed, Played, play};
pub use round_robin::{RoundRobinError, round_robin};
pub use score::Score;
pub use sprt::{Sprt, SprtError, SprtVerdict};
pub use stats::{Elo, Pairs, Tally, elo_of, score_of};
pub use summary::MatchSummary;
pub use table::CrossTable;
