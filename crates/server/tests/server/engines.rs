//! Engines in games: takebacks while they think, a database that refuses, places and memory that are taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::common::{Folder, Tested, config, server_of};
use axum::http::StatusCode;
use serde_json::{Value, json};
use stonework_game::{Game as _, Player, Textual as _};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, Decision, Roster, RosterEntry};
use stonework_server::{
    ClockSettings, Config, EngineConfig, GameEvent, GameSettings, GameTable, Opponent, Order, Proposal,
    ServerApp,
};
use stonework_session::{GameType, Registry};

/// What a test and its agents tell each other.
#[derive(Debug, Default)]
struct Desk {
    /// The number of decisions that have begun.
    begun: AtomicU32,
    /// `true` while decisions wait.
    hold: AtomicBool,
}

/// A player that takes `d4`, or else the first legal move, when the test lets it.
struct Held {
    desk: Arc<Desk>,
    /// `true` for a player that fails if `d4` is not free.
    fails: bool,
}

impl Agent<Position> for Held {
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Position, _: &Clock) -> Option<Decision<Move>> {
        self.desk.begun.fetch_add(1, Ordering::SeqCst);
        while self.desk.hold.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let moves = game.moves();
        let wanted = moves.iter().find(|mv| game.move_text(**mv) == "d4");
        assert!(!self.fails || wanted.is_some(), "the decision fails");
        wanted.or(moves.first()).copied().map(Decision::Play)
    }
}

/// A server with the players `held` and `failing`.
async fn server(folder: &Folder, change: impl FnOnce(&mut Config)) -> (ServerApp, Arc<Desk>) {
    let desk = Arc::new(Desk::default());
    let entry = |name, fails| {
        let desk = Arc::clone(&desk);
        RosterEntry::agent(name, "waits for the test", move |_| Ok(Held { desk: Arc::clone(&desk), fails }))
    };
    let roster = Roster::<Position>::new().with(entry("held", false)).with(entry("failing", true));
    let registry = Registry::new().with(GameType::with_players(&roster));
    let mut config = config(folder);
    change(&mut config);
    (ServerApp::with_games(config, registry).await.unwrap(), desk)
}

/// A game of a person, who moves first, against an engine.
async fn game(app: &ServerApp, engine: &str, clock: ClockSettings) -> GameTable {
    let settings = GameSettings { game: "havannah".to_owned(), size: 4, swap: false, clock };
    let against = Opponent::Engine(engine.to_owned());
    let id = app.open_game("ann", settings, Some(Player::First), against).await.unwrap();
    app.table(&id).unwrap()
}

async fn play(table: &GameTable, mv: &str) {
    table.order(Player::First, Order::Play { mv: mv.to_owned(), ply: None }).await.unwrap();
}

async fn moves(table: &GameTable) -> Vec<String> {
    table.view().await.unwrap().session.moves()
}

/// Waits until something is so, at most ten seconds.
async fn until(what: &str, is: impl AsyncFn() -> bool) {
    let since = Instant::now();
    while !is().await {
        assert!(since.elapsed() < Duration::from_secs(10), "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Proposes a takeback, and waits until the engine has accepted it.
async fn take_back(table: &GameTable) {
    let plies = moves(table).await.len();
    let proposal = Proposal::Takeback;
    table.order(Player::First, Order::Propose { proposal }).await.unwrap();
    until("the engine accepts", async || moves(table).await.len() < plies).await;
}

/// A game in which Ann takes d4 back while an engine thinks about it, plays e5 and has the engine's answer.
async fn taken_back(app: &ServerApp, desk: &Desk, engine: &str) -> GameTable {
    desk.hold.store(true, Ordering::SeqCst);
    let table = game(app, engine, ClockSettings::default()).await;
    play(&table, "d4").await;
    until("the engine thinks", async || desk.begun.load(Ordering::SeqCst) == 1).await;
    take_back(&table).await;
    play(&table, "e5").await;
    desk.hold.store(false, Ordering::SeqCst);
    until("the engine moves", async || moves(&table).await.len() == 2).await;
    table
}

/// The answer to a move that was taken back is not played against the move that replaces it.
#[tokio::test]
async fn an_answer_from_before_a_takeback_is_not_played() {
    let folder = Folder::new();
    let (app, desk) = server(&folder, |_| {}).await;
    let table = taken_back(&app, &desk, "held").await;
    // For the position after d4 it has another answer.
    assert_eq!(moves(&table).await, ["e5", "d4"]);
    assert_eq!(desk.begun.load(Ordering::SeqCst), 2);
}

/// A failure in a search for nobody loses no game.
#[tokio::test]
async fn a_failure_from_before_a_takeback_loses_no_game() {
    let folder = Folder::new();
    let (app, desk) = server(&folder, |_| {}).await;
    let table = taken_back(&app, &desk, "failing").await;
    assert!(table.view().await.unwrap().end.is_none());
}

/// Lets the database refuse every change, or no longer.
async fn refuse_changes(app: &ServerApp, refuse: bool) {
    let work = move |connection: &rusqlite::Connection| {
        connection.execute_batch(if refuse { "PRAGMA query_only = ON" } else { "PRAGMA query_only = OFF" })
    };
    app.store().write(work).await.unwrap();
}

/// An engine whose move the database has refused plays it later; the refusal is no failure of the engine.
#[tokio::test]
async fn an_engine_waits_for_a_database_that_refuses() {
    let folder = Folder::new();
    let (app, desk) = server(&folder, |_| {}).await;
    for (engine, ends) in [("held", false), ("failing", true)] {
        let table = game(&app, engine, ClockSettings::default()).await;
        let begun = desk.begun.load(Ordering::SeqCst);
        desk.hold.store(true, Ordering::SeqCst);
        play(&table, "d4").await;
        until("the engine thinks", async || desk.begun.load(Ordering::SeqCst) > begun).await;
        refuse_changes(&app, true).await;
        desk.hold.store(false, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(moves(&table).await, ["d4"]);
        refuse_changes(&app, false).await;
        until("the engine goes on", async || {
            let view = table.view().await.unwrap();
            if ends { view.end.is_some_and(|end| end.how == ["gone"]) } else { view.session.plies() == 2 }
        })
        .await;
    }
}

/// A rematch that cannot begin is refused before the game is told of it, and can begin later.
#[tokio::test]
async fn a_rematch_without_memory_is_refused_and_begins_later() {
    let folder = Folder::new();
    let server = server_of(Config { memory: 128, ..config(&folder) }).await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let body = json!({ "game": "havannah", "size": 4, "side": "white", "engine": "mcts" });
    let open = async |key: &str| {
        let mut opened = server.with_key("POST", "/api/games", key, &body).await;
        while opened.status == StatusCode::TOO_MANY_REQUESTS {
            // The game before has ended, and its memory is free in a moment.
            tokio::time::sleep(Duration::from_millis(5)).await;
            opened = server.with_key("POST", "/api/games", key, &body).await;
        }
        opened.json()["id"].as_str().unwrap().to_owned()
    };
    let order = async |key: &str, id: &str, order: Value| {
        server.with_key("POST", &format!("/api/games/{id}"), key, &order).await
    };
    let rematch = json!({ "op": "propose", "proposal": "rematch" });
    let first = open(&keys[0]).await;
    order(&keys[0], &first, json!({ "op": "resign" })).await;
    let others = [open(&keys[1]).await, open(&keys[1]).await];
    for _ in 0..2 {
        let refused = order(&keys[0], &first, rematch.clone()).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text());
    }
    order(&keys[1], &others[0], json!({ "op": "resign" })).await;
    until("the rematch begins", async || {
        order(&keys[0], &first, rematch.clone()).await.status == StatusCode::OK
    })
    .await;
    let again = order(&keys[0], &first, rematch).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.text());
    let mut watch = server.app.watch(&first, 2).await.unwrap().unwrap();
    let told = watch.next().await.unwrap();
    let GameEvent::Rematch { id } = &told.numbered.event else { panic!("{}", told.json) };
    assert_eq!(server.get(&format!("/api/games/{id}")).await.json()["seats"][0]["name"], "mcts");
}

/// An engine that waits for a place follows its game.
#[tokio::test]
async fn a_takeback_is_accepted_while_an_engine_waits_for_a_place() {
    let folder = Folder::new();
    let (app, desk) = server(&folder, |config| config.searches = 1).await;
    desk.hold.store(true, Ordering::SeqCst);
    let tables = [
        game(&app, "held", ClockSettings::default()).await,
        game(&app, "held", ClockSettings::default()).await,
    ];
    play(&tables[0], "e5").await;
    until("the first engine thinks", async || desk.begun.load(Ordering::SeqCst) == 1).await;
    play(&tables[1], "e5").await;
    take_back(&tables[1]).await;
    play(&tables[1], "e4").await;
    desk.hold.store(false, Ordering::SeqCst);
    until("both move", async || moves(&tables[0]).await.len() + moves(&tables[1]).await.len() == 4).await;
    assert_eq!(desk.begun.load(Ordering::SeqCst), 2);
}

/// A search of the analysis gives way to an engine, and goes on after its move; a review gives way between its positions.
#[tokio::test]
async fn the_analysis_gives_way_to_a_game() {
    let folder = Folder::new();
    let server = server_of(Config { searches: 1, ..config(&folder) }).await;
    let key = server.player("ann").await;
    let body = json!({ "game": "havannah", "size": 4, "side": "white", "engine": "leipzig" });
    let place = json!({ "game": "havannah", "size": 6, "moves": ["a1", "b2", "c3", "d4"] });
    for (address, seconds, lines) in [("/api/live", 0.9, 1), ("/api/review", 0.2, 6)] {
        let mut search = place.clone();
        search["seconds"] = json!(seconds);
        let analysis = server.with_key("POST", address, &key, &search);
        let play = async {
            until("the search begins", async || {
                server.get("/metrics").await.text().contains("stonework_searches 1\n")
            })
            .await;
            let opened = server.with_key("POST", "/api/games", &key, &body).await;
            let id = opened.json()["id"].as_str().unwrap().to_owned();
            let since = Instant::now();
            server.play(&key, &id, "d4").await;
            let table = server.app.table(&id).unwrap();
            until("the engine moves", async || moves(&table).await.len() == 2).await;
            since.elapsed()
        };
        let (told, took) = tokio::join!(analysis, play);
        assert!(took < Duration::from_millis(600), "{address}: {took:?}");
        let told = told.text();
        let last: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
        assert_eq!(last["ended"], json!(true), "{address}: {told}");
        assert!(told.lines().count() >= lines, "{address}: {told}");
    }
}

/// A game whose person has gone holds no memory after ten minutes, and none after a restart. The engine has it again when it has to move.
#[tokio::test]
async fn an_abandoned_game_holds_no_memory() {
    let folder = Folder::new();
    let quick = EngineConfig {
        name: "quick".to_owned(),
        player: "mcts".to_owned(),
        games: vec!["havannah".to_owned()],
        seconds: Some(0.05),
        at_once: None,
        ports: Vec::new(),
    };
    let config = || Config { memory: 128, engine: vec![quick.clone()], ..config(&folder) };
    let server = server_of(config()).await;
    let key = server.player("ann").await;
    let body = json!({ "game": "havannah", "size": 4, "side": "white", "engine": "quick" });
    let open = async |server: &Tested| {
        let opened = server.with_key("POST", "/api/games", &key, &body).await;
        opened.json()["id"].as_str().map(str::to_owned).ok_or(opened.status)
    };
    let plies = async |server: &Tested, id: &str| moves(&server.app.table(id).unwrap()).await.len();
    let ids = [open(&server).await.unwrap(), open(&server).await.unwrap()];
    assert_eq!(open(&server).await, Err(StatusCode::TOO_MANY_REQUESTS));
    server.play(&key, &ids[0], "d4").await;
    until("the engine moves", async || plies(&server, &ids[0]).await == 2).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(601)).await;
    tokio::time::resume();
    let mut more = Vec::new();
    until("the memory is free", async || open(&server).await.is_ok()).await;
    until("the memory is free", async || open(&server).await.is_ok()).await;
    for table in server.app.tables() {
        more.extend((!ids.contains(&table.id().to_owned())).then(|| table.id().to_owned()));
    }
    assert_eq!(more.len(), 2);
    // The engine waits until there is memory again.
    server.play(&key, &ids[0], "e5").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(plies(&server, &ids[0]).await, 3);
    server.with_key("POST", &format!("/api/games/{}", more[0]), &key, &json!({ "op": "resign" })).await;
    until("the engine moves", async || plies(&server, &ids[0]).await == 4).await;
    drop(server);
    let server = server_of(config()).await;
    assert_eq!(server.app.tables().len(), 3);
    let third = open(&server).await.unwrap();
    server.play(&key, &ids[1], "d4").await;
    until("the engine moves", async || plies(&server, &ids[1]).await == 2).await;
    assert_eq!(open(&server).await, Err(StatusCode::TOO_MANY_REQUESTS), "{third}");
}
