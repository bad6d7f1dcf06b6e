//! Requests and responses as JSON, in both directions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};
use stonework_game::example::Nim;
use stonework_roster::{Roster, RosterEntry};
use stonework_search::{Engine, Limits, Minimax, Report, SearchContext};
use stonework_session::{GameType, Registry, Request, Response, ReviewOptions, Session};

fn request(value: Value) -> Request {
    serde_json::from_value(value).unwrap()
}

/// Sends a request as JSON and reads the response from JSON.
fn ask(session: &mut Session, value: Value) -> Value {
    let asked = request(value);
    let again: Request = serde_json::from_str(&serde_json::to_string(&asked).unwrap()).unwrap();
    assert_eq!(again, asked);
    let response = session.handle(&asked);
    let value = serde_json::to_value(&response).unwrap();
    assert_eq!(serde_json::from_value::<Response>(value.clone()).unwrap(), response);
    value
}

fn open(value: Value) -> Session {
    Session::open(Registry::standard(), &request(value)).unwrap()
}

#[test]
fn a_game_by_messages() {
    let mut session = open(json!({"op": "new", "game": "havannah", "size": 4, "notation": "grid"}));
    let bridge = ["a1", "b1", "a2", "b2", "a3", "b3", "a4"];
    let state = ask(&mut session, json!({"op": "play", "moves": bridge}));
    assert_eq!(state["kind"], "state");
    assert_eq!(state["moves"], json!(bridge));
    assert_eq!((&state["state"]["outcome"], &state["state"]["how"]), (&json!("white"), &json!(["bridge"])));
    let refused = ask(&mut session, json!({"op": "play", "moves": ["c3"]}));
    assert_eq!((&refused["kind"], &refused["error"]["kind"]), (&json!("error"), &json!("over")));
    let state = ask(&mut session, json!({"op": "undo"}));
    assert_eq!(state["state"]["winning_cells"]["white"], json!(["a4"]));
    assert_eq!(ask(&mut session, json!({"op": "threats", "side": "w"}))["moves"], json!(["a4"]));
    let legal = ask(&mut session, json!({"op": "legal"}));
    assert_eq!(legal["moves"].as_array().unwrap().len(), 37 - 6);
    let record = ask(&mut session, json!({"op": "record", "players": ["Ann", "Bob"]}));
    assert!(record["record"].as_str().unwrap().contains("PW[Ann]PB[Bob]"), "{record}");
    let loaded = ask(&mut session, json!({"op": "load", "game": "havannah", "record": record["record"]}));
    assert_eq!(loaded["state"]["board"], state["state"]["board"]);
    let text = ask(&mut session, json!({"op": "draw"}));
    assert!(text["picture"].as_str().unwrap().lines().count() >= 7);
    let svg = ask(&mut session, json!({"op": "draw", "svg": true}));
    assert!(svg["picture"].as_str().unwrap().starts_with("<svg"));
}

#[test]
fn all_or_nothing_is_played() {
    let mut session = open(json!({"op": "new", "game": "cachex", "size": 3}));
    let refused = ask(&mut session, json!({"op": "play", "moves": ["0,0", "2,2", "0,0"]}));
    assert_eq!((&refused["error"]["kind"], &refused["error"]["at"]), (&json!("occupied"), &json!(2)));
    assert_eq!(ask(&mut session, json!({"op": "state"}))["moves"], json!([]));
    let refused = ask(&mut session, json!({"op": "new", "game": "cachex", "size": 99}));
    assert_eq!(refused["error"]["message"], "no board of size 99: sizes are 3 to 15");
    assert_eq!(ask(&mut session, json!({"op": "state"}))["game"], "cachex");
    assert_eq!(ask(&mut session, json!({"op": "new", "game": "cover", "size": 2}))["game"], "cover");
    assert_eq!(ask(&mut session, json!({"op": "threats", "side": "green"}))["error"]["kind"], "to_move");
    assert_eq!(ask(&mut session, json!({"op": "threats", "side": "red"}))["moves"], Value::Null);
}

#[test]
fn the_games_are_listed() {
    let mut session = open(json!({"op": "new", "game": "cover", "size": 1}));
    let games = ask(&mut session, json!({"op": "games"}));
    assert_eq!(games["games"][0]["notations"], json!(["hgui", "grid", "rogers", "web"]));
    assert_eq!(games["games"][2]["sides"], json!(["blue", "red"]));
    assert!(Session::open(Registry::standard(), &Request::State).is_err());
}

/// Nim with the complete game tree as its only engine.
fn nim() -> Registry {
    let minimax = RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(())));
    Registry::new().with(GameType::with_players(&Roster::<Nim>::new().with(minimax)))
}

#[test]
fn an_engine_by_name_searches_and_is_cancelled() {
    let new = request(json!({"op": "new", "game": "nim", "size": 20}));
    let mut session = Session::open(nim(), &new).unwrap();
    let players = ask(&mut session, json!({"op": "players"}));
    assert_eq!((&players["usual"], &players["players"][0]["engine"]), (&json!("minimax"), &json!(true)));
    let mut live = 0;
    let search = request(json!({"op": "search", "depth": 30}));
    let found = session.handle_live(&search, &mut |response| {
        assert!(matches!(response, Response::Analysis { .. }));
        live += 1;
    });
    assert!(live > 0);
    let Response::Analysis { analysis } = found else { panic!("{found:?}") };
    assert_eq!((analysis.best.as_deref(), analysis.outcome.as_deref()), (Some("2"), Some("first")));
    session.canceller().store(true, Ordering::Relaxed);
    let found = ask(&mut session, json!({"op": "search", "depth": 40}));
    assert_eq!(found["analysis"]["stopped"], "cancel", "{found}");
    assert!(!session.canceller().load(Ordering::Relaxed));
    for (search, why) in [
        (json!({"op": "search"}), "would never end"),
        (json!({"op": "search", "engine": "nobody", "depth": 1}), "no engine `nobody`"),
        (json!({"op": "search", "engine": "minimax:x", "depth": 1}), "no OPTION=VALUE"),
        (json!({"op": "search", "seconds": -1.0}), "-1 seconds"),
        (json!({"op": "search", "depth": 1, "threads": 0}), "0 threads: 1 to 256"),
        (json!({"op": "search", "depth": 1, "threads": 2}), "minimax has one"),
        (json!({"op": "search", "depth": 1, "simulations": 5}), "makes none"),
    ] {
        let refused = ask(&mut session, search);
        assert!(refused["error"]["message"].as_str().unwrap().contains(why), "{refused}");
    }
}

/// The complete game tree. The end of each search sets the flag, as a person does who stops a review too late for its search.
struct Late(Arc<OnceLock<Arc<AtomicBool>>>);

impl Engine<Nim> for Late {
    fn search(&mut self, root: &Nim, limits: &Limits, context: SearchContext<'_, u8>) -> Report<u8> {
        let report = Minimax::new(()).search(root, limits, context);
        if let Some(flag) = self.0.get() {
            flag.store(true, Ordering::Relaxed);
        }
        report
    }
}

#[test]
fn a_flag_ends_a_review_also_where_a_search_has_proven_an_outcome() {
    let late: Arc<OnceLock<Arc<AtomicBool>>> = Arc::default();
    let flag = Arc::clone(&late);
    let engine = RosterEntry::engine("mcts", "the game tree", move |_| Ok(Late(Arc::clone(&flag))));
    let nim = Registry::new().with(GameType::with_players(&Roster::<Nim>::new().with(engine)));
    let new = request(json!({"op": "new", "game": "nim", "size": 7}));
    let mut session = Session::open(nim, &new).unwrap();
    session.play_all(&["1", "2", "1"]).unwrap();
    let review = |session: &Session| {
        let mut told = 0;
        let ended = session.review(&ReviewOptions::default(), &mut |_| {
            told += 1;
            session.canceller().store(true, Ordering::Relaxed);
        });
        (told, ended.unwrap_err())
    };
    // The flag is set between two searches: the review ends, and the next search has its time.
    let (told, fault) = review(&session);
    assert_eq!((told, fault.kind.as_str()), (1, "cancelled"));
    assert_eq!(fault.message, "stopped after 1 of 3 moves");
    assert!(!session.canceller().load(Ordering::Relaxed));
    // The flag is set within a search.
    late.set(session.canceller()).unwrap();
    let (told, fault) = review(&session);
    assert_eq!((told, fault.kind.as_str()), (0, "cancelled"));
    assert!(!session.canceller().load(Ordering::Relaxed));
}

#[test]
fn random_games_in_parts_are_counted_once() {
    use stonework_session::{PlayoutCounter, PlayoutCounts, Registry, Start};
    for game in Registry::standard().games() {
        let size = game.description().sizes.0;
        let root = game.start(&Start::of_size(size.into())).unwrap();
        let mut all = PlayoutCounts::new(&game.description());
        let mut parts = Vec::new();
        for part in 0..3 {
            let mut counter = PlayoutCounter::new(&root, 7, part);
            counter.play(50);
            all.add(counter.counts());
            parts.push(counter.into_counts());
        }
        assert_eq!(all.games, 150, "{}", game.name());
        assert_eq!(all.wins.first + all.wins.second + all.draws, 150);
        assert_eq!(all.plies, parts.iter().map(|part| part.plies).sum::<u64>());
        assert!((all.share(all.games) - 1.0).abs() < 1e-9);
        let kinds: Vec<&str> = all.kinds.iter().map(|&(kind, _)| kind).collect();
        assert_eq!(kinds, game.description().kinds);
    }
}
