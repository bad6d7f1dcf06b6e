//! Engines that think in the time of the other side.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::common::{Folder, config};
use stonework_game::{Game as _, Player};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, Decision, Roster, RosterEntry};
use stonework_server::{ClockSettings, GameSettings, GameTable, Opponent, Order, ServerApp};
use stonework_session::{GameType, Registry};

/// The thoughts of all agents of a test: begun, ended, and the most stones of a position that one was about.
#[derive(Debug, Default)]
struct Thoughts {
    begun: AtomicU32,
    ended: AtomicU32,
    stones: AtomicU32,
}

/// A player that takes the first legal move, and whose thoughts end by their flag alone.
struct Thinker {
    thoughts: Arc<Thoughts>,
    /// `true` for a player whose thoughts panic.
    panics: bool,
}

impl Agent<Position> for Thinker {
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Position, _: &Clock) -> Option<Decision<Move>> {
        game.moves().first().copied().map(Decision::Play)
    }

    fn ponder(&mut self, game: &Position, until: &Arc<AtomicBool>) {
        self.thoughts.begun.fetch_add(1, Ordering::Relaxed);
        self.thoughts.stones.fetch_max(game.stone_count() as u32, Ordering::Relaxed);
        assert!(!self.panics, "the thought fails");
        while !until.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.thoughts.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// A server with `ponders` places and the players `thinker` and `faulty`.
async fn server(folder: &Folder, ponders: usize) -> (ServerApp, Arc<Thoughts>) {
    let thoughts = Arc::new(Thoughts::default());
    let entry = |name, panics| {
        let thoughts = Arc::clone(&thoughts);
        RosterEntry::agent(name, "thinks until it is told to stop", move |_| {
            Ok(Thinker { thoughts: Arc::clone(&thoughts), panics })
        })
    };
    let roster = Roster::<Position>::new().with(entry("thinker", false)).with(entry("faulty", true));
    let registry = Registry::new().with(GameType::with_players(&roster));
    let config = stonework_server::Config { ponders, ..config(folder) };
    (ServerApp::with_games(config, registry).await.unwrap(), thoughts)
}

/// A game of a person, who moves first, against an engine.
async fn game(app: &ServerApp, name: &str, engine: &str) -> GameTable {
    let settings =
        GameSettings { game: "havannah".to_owned(), size: 4, swap: false, clock: ClockSettings::default() };
    let against = Opponent::Engine(engine.to_owned());
    let id = app.open_game(name, settings, Some(Player::First), against).await.unwrap();
    app.table(&id).unwrap()
}

async fn play(table: &GameTable, mv: &str) {
    table.order(Player::First, Order::Play { mv: mv.to_owned(), ply: None }).await.unwrap();
}

/// Waits until something is so, at most ten seconds.
async fn until(what: &str, is: impl AsyncFn() -> bool) {
    let since = Instant::now();
    while !is().await {
        assert!(since.elapsed() < Duration::from_secs(10), "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn plies(table: &GameTable) -> usize {
    table.view().await.map_or(0, |view| view.session.moves().len())
}

/// An engine thinks after its own move, about the position in which the person is to move; the person's move ends the thought, and the
/// engine answers.
#[tokio::test]
async fn an_engine_thinks_while_a_person_does_and_answers_at_once() {
    let folder = Folder::new();
    let (app, thoughts) = server(&folder, 1).await;
    let table = game(&app, "ann", "thinker").await;
    for (turn, mv) in ["d4", "e5", "f6"].into_iter().enumerate() {
        play(&table, mv).await;
        let expected = 2 * (turn + 1);
        until("the engine moves", async || plies(&table).await == expected).await;
        let stones = expected as u32;
        until("the engine thinks", async || thoughts.stones.load(Ordering::Relaxed) == stones).await;
        assert_eq!(thoughts.ended.load(Ordering::Relaxed), turn as u32, "the thought goes on");
    }
    // The end of the game ends the last thought.
    table.order(Player::First, Order::Resign).await.unwrap();
    until("the last thought ends", async || thoughts.ended.load(Ordering::Relaxed) == 3).await;
    assert_eq!(thoughts.begun.load(Ordering::Relaxed), 3);
}

/// No more engines think at the same time than the configuration says, and none without it.
#[tokio::test]
async fn the_places_for_thoughts_are_limited() {
    for places in [0, 1] {
        let folder = Folder::new();
        let (app, thoughts) = server(&folder, places).await;
        let tables = [game(&app, "ann", "thinker").await, game(&app, "bob", "thinker").await];
        for table in &tables {
            play(table, "d4").await;
            until("the engine moves", async || plies(table).await == 2).await;
        }
        until("the thoughts begin", async || thoughts.begun.load(Ordering::Relaxed) == places as u32).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(thoughts.begun.load(Ordering::Relaxed), places as u32);
        for table in &tables {
            table.order(Player::First, Order::Resign).await.unwrap();
        }
        until("all end", async || thoughts.ended.load(Ordering::Relaxed) == places as u32).await;
    }
}

/// A thought that panics loses the engine's game, as a panic of its decision does.
#[tokio::test]
async fn a_thought_that_panics_ends_the_game_and_not_the_server() {
    let folder = Folder::new();
    let (app, thoughts) = server(&folder, 4).await;
    let table = game(&app, "ann", "faulty").await;
    play(&table, "d4").await;
    until("the engine moves", async || plies(&table).await == 2).await;
    until("the thought begins", async || thoughts.begun.load(Ordering::Relaxed) == 1).await;
    play(&table, "e5").await;
    until("the game ends", async || {
        table.view().await.is_some_and(|view| view.end.is_some_and(|end| end.how == ["gone"]))
    })
    .await;
    let other = game(&app, "ann", "thinker").await;
    play(&other, "d4").await;
    until("another game goes on", async || plies(&other).await == 2).await;
    other.order(Player::First, Order::Resign).await.unwrap();
}
