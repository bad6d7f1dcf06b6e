//! The limits of numbers, times and memory, each with what a client hears beyond it.

use std::time::Duration;

use crate::common::served::{Program, paired, served};
use crate::common::{Folder, Tested, config, server, server_of};
use axum::http::StatusCode;
use serde_json::{Value, json};
use stonework_game::Player;
use stonework_server::{Config, EngineConfig, GameEvent, LimitConfig, Order, ServerLine};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

/// §9, 6: a body that does not come is answered after 10 seconds.
#[tokio::test]
async fn half_a_body_is_answered_within_its_time() {
    let served = served().await;
    let mut stream = TcpStream::connect(served.page).await.unwrap();
    let head = format!(
        "POST /api/players HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\n\r\n{{\"name\"",
        served.page
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    while served.number("requests_total").await < 2 {
        sleep(Duration::from_millis(5)).await;
    }
    tokio::time::pause();
    let since = Instant::now();
    let mut answer = vec![0; 4096];
    let read = stream.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("more than 10 seconds"), "{answer}");
    let took = since.elapsed();
    assert!(took > Duration::from_secs(8) && took < Duration::from_secs(12), "{took:?}");
}

/// §9, 6: a client that takes nothing of what is written is dropped after 10 seconds, and others go on.
#[tokio::test]
async fn a_client_that_reads_nothing_is_dropped() {
    let served = served().await;
    let mut stream = TcpStream::connect(served.page).await.unwrap();
    // Requests whose answers together are more than all buffers between server and client hold.
    let request = format!("GET /pic/havannah/10.svg HTTP/1.1\r\nHost: {}\r\n\r\n", served.page);
    let (_reader, mut writer) = stream.split();
    let flood = async {
        loop {
            // The server stops to read when it cannot write.
            if timeout(Duration::from_secs(2), writer.write_all(request.repeat(20).as_bytes())).await.is_err()
            {
                break;
            }
        }
    };
    timeout(Duration::from_secs(60), flood).await.expect("the server reads on without end");
    assert_eq!(served.connections().await, 1);
    tokio::time::pause();
    let since = Instant::now();
    while served.connections().await == 1 {
        assert!(since.elapsed() < Duration::from_secs(60), "it stays open");
        sleep(Duration::from_millis(500)).await;
    }
    assert!(since.elapsed() < Duration::from_secs(15), "{:?}", since.elapsed());
    tokio::time::resume();
    assert_eq!(served.requests().get("/").await.status, StatusCode::OK);
}

/// §9, 6: a program has 60 seconds for its first line, and 10 minutes for a line when it is to move; then the connection is dropped. 60
/// seconds after both have gone their game is void.
#[tokio::test]
async fn programs_without_a_line_are_dropped_and_their_game_is_void() {
    let served = served().await;
    let mut silent = Program::connect(served.port).await;
    silent.line().await;
    let [mut white, mut black] = paired(served.port).await;
    assert!(matches!(white.next().await, ServerLine::Turn { ply: 1, .. }));
    let table = served.app.tables().remove(0);
    let mut watch = table.watch(0).await.unwrap();
    watch.next().await.unwrap();
    // A line of the side that is not to move.
    black.say("Put A1").await;
    assert!(!matches!(black.next().await, ServerLine::Ok { .. }));
    tokio::time::pause();
    let since = Instant::now();
    let mut rest = Vec::new();
    silent.reader.read_to_end(&mut rest).await.unwrap();
    let took = since.elapsed();
    assert!(rest.is_empty());
    assert!(took > Duration::from_secs(55) && took < Duration::from_secs(65), "{took:?}");
    white.reader.read_to_end(&mut rest).await.unwrap();
    let took = since.elapsed();
    assert!(took > Duration::from_secs(590) && took < Duration::from_secs(660), "{took:?}");
    // Black waits for White's move, and may be silent. Its own farewell comes before White has lost.
    sleep(Duration::from_secs(30)).await;
    drop(black);
    let told = watch.next().await.unwrap();
    let GameEvent::Over { winner: None, how, .. } = &told.numbered.event else {
        panic!("{}", told.json);
    };
    assert_eq!(how, &["void"]);
    let took = since.elapsed();
    assert!(took > Duration::from_secs(645) && took < Duration::from_secs(725), "{took:?}");
}

/// A person may think for an hour. The program, which has nothing to say meanwhile, keeps its place and its game.
#[tokio::test]
async fn a_program_waits_for_the_move_of_a_person_without_a_line() {
    let served = served().await;
    let mut program = Program::waiting(served.port, "waiting").await;
    let id = served.app.meet("ann", served.port.port()).await.unwrap();
    let ServerLine::Game { side, .. } = program.next().await else { panic!("no game") };
    if side == "white" {
        assert!(matches!(program.next().await, ServerLine::Turn { ply: 1, .. }));
        program.say("Put A1").await;
        assert!(matches!(program.next().await, ServerLine::Ok { ply: 1, .. }));
    }
    tokio::time::pause();
    sleep(Duration::from_secs(3600)).await;
    tokio::time::resume();
    let table = served.app.table(&id).unwrap();
    let person = if side == "white" { Player::Second } else { Player::First };
    table.order(person, Order::Play { mv: "d4".to_owned(), ply: None }).await.unwrap();
    let told = program.next().await;
    assert!(matches!(told, ServerLine::Move { .. }), "{told:?}");
    assert!(matches!(program.next().await, ServerLine::Turn { .. }));
}

/// The moves of a game as its log has them.
async fn moves(server: &Tested, id: &str) -> Vec<String> {
    server.app.view(id).await.unwrap().unwrap().session.moves()
}

/// §9, 10: in a full database a move is refused and not told; with room again the same move is played.
#[tokio::test]
async fn a_move_that_cannot_be_stored_is_refused_and_not_told() {
    let folder = Folder::new();
    let server = server_of(config(&folder)).await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let id = server.game([&keys[0], &keys[1]], json!({ "size": 10 })).await;
    let pages = |most: i64| {
        server.app.store().write(move |connection| {
            connection.query_row(&format!("PRAGMA max_page_count = {most}"), [], |row| row.get::<_, i64>(0))
        })
    };
    // A limit below the present number is that number: the database takes no further page.
    pages(1).await.unwrap();
    let mut watch = server.app.watch(&id, 0).await.unwrap().unwrap();
    let (legal, mut told) = (server.app.view(&id).await.unwrap().unwrap().session.legal(), 0);
    let refused = loop {
        let played = server.play(&keys[told % 2], &id, &legal[told]).await;
        if played.status != StatusCode::OK {
            break played;
        }
        told += 1;
        assert!(told < legal.len() - 60, "the database is never full");
    };
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{}", refused.text());
    assert!(refused.text().contains("full"), "{}", refused.text());
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(moves(&server, &id).await, legal[..told]);
    // A few moves may still fit into the last page; none of them is told and lost.
    for _ in 0..30 {
        let played = server.play(&keys[told % 2], &id, &legal[told]).await;
        told += usize::from(played.status == StatusCode::OK);
    }
    assert_eq!(moves(&server, &id).await, legal[..told]);
    let heard = async {
        let mut heard = Vec::new();
        while heard.len() < told {
            let event = watch.next().await.unwrap();
            if let GameEvent::Moved { mv, .. } = &event.numbered.event {
                heard.push(mv.clone());
            }
        }
        heard
    };
    assert_eq!(timeout(Duration::from_secs(20), heard).await.unwrap(), legal[..told]);
    let more = timeout(Duration::from_millis(300), watch.next()).await;
    assert!(more.is_err(), "an event that is not stored was told: {more:?}");
    pages(1_000_000).await.unwrap();
    assert_eq!(server.play(&keys[told % 2], &id, &legal[told]).await.status, StatusCode::OK);
    drop((server, watch));
    let server = server_of(config(&folder)).await;
    assert_eq!(moves(&server, &id).await, legal[..=told]);
}

/// §9, 9: an engine that fails three times in a row plays no more. Who plays against it wins each of the games.
#[tokio::test]
async fn an_engine_is_out_after_three_crashes() {
    let folder = Folder::new();
    let broken = EngineConfig {
        name: "broken".to_owned(),
        player: "gtp:/nonexistent/program --gtp".to_owned(),
        games: vec!["havannah".to_owned()],
        seconds: Some(0.1),
        at_once: None,
        ports: Vec::new(),
    };
    let server = server_of(Config { engine: vec![broken], ..config(&folder) }).await;
    let key = server.player("ann").await;
    let body = json!({ "game": "havannah", "size": 4, "side": "black", "engine": "broken" });
    let engine = async || {
        let list = server.get("/api/engines").await.json();
        list.as_array().unwrap().iter().find(|engine| engine["name"] == "broken").unwrap().clone()
    };
    for _ in 0..3 {
        assert_eq!(engine().await["out"], json!(false));
        let opened = server.with_key("POST", "/api/games", &key, &body).await;
        assert_eq!(opened.status, StatusCode::CREATED, "{}", opened.text());
        let id = opened.json()["id"].as_str().unwrap().to_owned();
        let mut watch = server.app.watch(&id, 0).await.unwrap().unwrap();
        let over = async {
            loop {
                if let GameEvent::Over { winner, how, .. } = &watch.next().await.unwrap().numbered.event {
                    break (winner.clone(), how.clone());
                }
            }
        };
        let (winner, how) = timeout(Duration::from_secs(20), over).await.unwrap();
        assert_eq!((winner.as_deref(), how), (Some("black"), vec!["gone".to_owned()]));
    }
    assert_eq!(engine().await["out"], json!(true));
    let refused = server.with_key("POST", "/api/games", &key, &body).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.text().contains("broken has failed 3 times in a row"), "{}", refused.text());
    // The other engines play.
    let body = json!({ "game": "havannah", "size": 4, "side": "white", "engine": "leipzig" });
    assert_eq!(server.with_key("POST", "/api/games", &key, &body).await.status, StatusCode::CREATED);
}

/// §9, 7: at most ten games in progress a name, of the player who offers and of the player who accepts.
#[tokio::test]
async fn a_name_plays_at_most_ten_games() {
    let server = server().await;
    let keys = [server.player("ann").await, server.player("bob").await, server.player("cyd").await];
    let mut last = String::new();
    for _ in 0..10 {
        last = server.game([&keys[0], &keys[1]], json!({})).await;
    }
    let friend = json!({ "game": "cover", "size": 2, "friend": true });
    let refused = server.with_key("POST", "/api/games", &keys[0], &friend).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    let told = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(told.starts_with("ann plays 10 games: at most 10 at the same time"), "{told}");
    // An offer that the eleventh player would take stays open for others.
    let offered = server.with_key("POST", "/api/games", &keys[2], &friend).await.json();
    let offer = offered["id"].as_str().unwrap();
    let accept = format!("/api/games/{offer}/accept");
    let refused = server.with_key("POST", &accept, &keys[1], &Value::Null).await;
    assert!(refused.text().contains("bob plays 10 games"), "{}", refused.text());
    let dan = server.player("dan").await;
    assert_eq!(server.with_key("POST", &accept, &dan, &Value::Null).await.status, StatusCode::OK);
    // A game that has ended makes room.
    server.with_key("POST", &format!("/api/games/{last}"), &keys[0], &json!({ "op": "resign" })).await;
    assert_eq!(server.with_key("POST", "/api/games", &keys[0], &friend).await.status, StatusCode::CREATED);
    // The rule holds in the step that stores a game, too: twelve begin at once, and one of them may.
    let games = futures_util::future::join_all((0..12).map(|_| async {
        let settings = stonework_server::GameSettings {
            game: "cover".to_owned(),
            size: 2,
            swap: false,
            clock: stonework_server::ClockSettings::default(),
        };
        let opponent = stonework_server::Opponent::Engine("bos".to_owned());
        server.app.open_game("bob", settings, Some(Player::First), opponent).await
    }));
    assert_eq!(games.await.iter().filter(|game| game.is_ok()).count(), 1);
}

/// §9, 7: the memory of all searches is limited. Two engines have all of it, and the analysis waits for the end of a game.
#[tokio::test]
async fn the_memory_of_all_searches_is_limited() {
    let folder = Folder::new();
    let registry = stonework_session::Registry::standard();
    let small = Config { memory: 100, ..config(&folder) };
    assert!(small.check(&registry).unwrap_err().to_string().contains("memory = 100: at least 128 MiB"));
    let server = server_of(Config { memory: 128, ..config(&folder) }).await;
    let key = server.player("ann").await;
    let open = async |engine: &str| {
        let body = json!({ "game": "havannah", "size": 4, "side": "white", "engine": engine });
        server.with_key("POST", "/api/games", &key, &body).await
    };
    let first = open("mcts").await.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(open("mcts").await.status, StatusCode::CREATED);
    let refused = open("mcts").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.text().contains("a search needs 64 MiB, and 0 MiB"), "{}", refused.text());
    // A player without tables plays.
    assert_eq!(open("leipzig").await.status, StatusCode::CREATED);
    let search = json!({ "game": "havannah", "size": 4, "moves": [], "seconds": 0.1 });
    let refused = server.with_key("POST", "/api/live", &key, &search).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text());
    server.with_key("POST", &format!("/api/games/{first}"), &key, &json!({ "op": "resign" })).await;
    let free = async {
        while server.with_key("POST", "/api/live", &key, &search).await.status != StatusCode::OK {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), free).await.expect("the memory of a game that has ended is free");
}

/// A layer is computed each time that it is named.
#[tokio::test]
async fn a_view_has_no_more_layers_than_the_game() {
    let server = server().await;
    let key = server.player("ann").await;
    let view = async |layers: Vec<&str>| {
        let body =
            json!({ "game": "havannah", "size": 10, "moves": ["e5", "j10"], "look": { "layers": layers } });
        server.with_key("POST", "/api/view", &key, &body).await
    };
    let shown = view(vec!["links"]).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.text());
    let known = shown.json()["layers"].as_array().unwrap().len();
    let refused = view(vec!["links"; 7000]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text());
    let told = format!("7000 layers: the game has {known}");
    assert_eq!(refused.json()["error"]["message"], json!(told), "{}", refused.text());
}

/// §7: a picture has limits of frames and of time beside its width.
#[tokio::test]
async fn pictures_have_limits_of_frames_and_time() {
    let server = server().await;
    // A board of size 14 has 547 cells, in rows that no side wins soon.
    let session = |size: u64, moves: usize| {
        let start = stonework_session::Start::of_size(size);
        let registry = stonework_session::Registry::standard();
        let mut session = stonework_session::Session::new(registry, "havannah", &start, None).unwrap();
        for mv in session.legal() {
            if session.plies() < moves {
                let mut next = session.fork();
                if next.play(&mv).is_ok() && next.state().outcome.is_none() {
                    session = next;
                }
            }
        }
        assert_eq!(session.plies(), moves);
        format!("/pic/havannah/{size}/{}.gif?film=true", session.moves().join("."))
    };
    let long = format!("{}&width=50", session(16, 500));
    let many = server.get(&long).await;
    assert_eq!(many.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", many.text());
    assert!(many.text().contains("501 frames: a file has 1 to 500"), "{}", many.text());
    let text = server.get(&long.replace(".gif", ".txt")).await;
    assert_eq!((text.status, text.text()), (many.status, many.text()));
    // More drawings than there are cores wait for each other, and no longer than two seconds.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let address = format!("{}&width=4000", session(16, 400));
    let since = Instant::now();
    let drawn = futures_util::future::join_all((0..16 * cores).map(|_| server.get(&address))).await;
    assert!(since.elapsed() < Duration::from_secs(6), "{:?}", since.elapsed());
    let busy: Vec<_> = drawn.iter().filter(|answer| answer.status != StatusCode::OK).collect();
    assert!(!busy.is_empty(), "{} drawings within two seconds", drawn.len());
    for answer in busy {
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(answer.text().contains("a smaller width or fewer moves are quicker"), "{}", answer.text());
    }
    // The last drawings may still be going on.
    let idle = async {
        loop {
            let answer = server.get("/pic/cachex/15/0,0.png?width=0").await;
            if answer.status != StatusCode::TOO_MANY_REQUESTS {
                break answer;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let none = timeout(Duration::from_secs(20), idle).await.expect("the drawings end");
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// §9, 10: orders of a game whose task waits for the database do not lose their turn.
#[tokio::test]
async fn an_order_beyond_the_queue_waits_and_is_answered() {
    let server = server().await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let id = server.game([&keys[0], &keys[1]], json!({})).await;
    let table = server.app.table(&id).unwrap();
    let orders =
        (0..100).map(|_| table.order(Player::First, Order::Play { mv: "a1".to_owned(), ply: Some(1) }));
    let answers = futures_util::future::join_all(orders).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert!(answers.iter().filter_map(|answer| answer.as_ref().err()).all(|fault| fault.kind == "ply"));
}

/// An address makes a number of new players an hour; those it has go on.
#[tokio::test]
async fn an_address_has_a_number_of_new_players() {
    let folder = Folder::new();
    let limits = LimitConfig { players_per_hour: 2, ..crate::common::WIDE };
    let server = server_of(Config { limits, ..config(&folder) }).await;
    let key = server.player("ann").await;
    let game = json!({ "game": "havannah", "size": 4 }).to_string();
    let guest = async |peer: &str| {
        let peer: std::net::SocketAddr = peer.parse().unwrap();
        let asked = crate::common::request("POST", "/api/games")
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/json")
            .extension(axum::extract::ConnectInfo(peer));
        server.send(asked.body(game.clone().into()).unwrap()).await
    };
    assert_eq!(guest("127.0.0.1:1").await.status, StatusCode::CREATED);
    let refused = guest("127.0.0.1:2").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text());
    assert!(refused.text().contains("2 new players an hour of 127.0.0.1 are the most"), "{}", refused.text());
    assert_eq!(guest("9.9.9.9:1").await.status, StatusCode::CREATED);
    let own = json!({ "game": "havannah", "size": 4 });
    assert_eq!(server.with_key("POST", "/api/games", &key, &own).await.status, StatusCode::CREATED);
}

/// The server has a number of games, and an address a number of boards of `/exec`.
#[tokio::test]
async fn games_and_boards_have_a_number() {
    let folder = Folder::new();
    let server = server_of(Config { games: 2, ..config(&folder) }).await;
    let [ann, bob] = [server.player("ann").await, server.player("bob").await];
    for _ in 0..2 {
        server.game([&ann, &bob], json!({})).await;
    }
    let against = json!({ "game": "havannah", "size": 4, "engine": "leipzig" });
    let refused = server.with_key("POST", "/api/games", &ann, &against).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text());
    assert!(refused.text().contains("the server has 2 games, the most"), "{}", refused.text());
    for number in 0..=8 {
        let key = server.player(&format!("p{number}")).await;
        let board = server.with_key("POST", "/exec?cmd=showboard", &key, &Value::Null).await;
        let free = if number < 8 { StatusCode::OK } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(board.status, free, "{}", board.text());
        assert_eq!(
            number == 8,
            board.text().contains("127.0.0.1 has 8 boards, the most"),
            "{}",
            board.text()
        );
    }
}

#[tokio::test]
async fn rates_are_limited_by_address_or_network() {
    let folder = Folder::new();
    let limits = LimitConfig { requests_per_second: 1, burst: 5, ..crate::common::WIDE };
    let proxy = "10.0.0.1".parse().unwrap();
    let server = server_of(Config { limits, trusted_proxy: Some(proxy), ..config(&folder) }).await;
    let from = |peer: &str, named: &str| {
        let peer: std::net::SocketAddr = peer.parse().unwrap();
        let request = crate::common::request("GET", "/api/engines").header("x-forwarded-for", named);
        request.extension(axum::extract::ConnectInfo(peer)).body(axum::body::Body::empty()).unwrap()
    };
    for _ in 0..5 {
        assert_eq!(server.send(from("9.9.9.9:1", "1.1.1.1")).await.status, StatusCode::OK);
    }
    let refused = server.send(from("9.9.9.9:2", "2.2.2.2")).await;
    assert_eq!((refused.status, refused.header("retry-after")), (StatusCode::TOO_MANY_REQUESTS, "1"));
    // The proxy alone is believed, and only the last address that it names.
    for number in 0..10 {
        let named = format!("9.9.9.9, 3.3.3.{number}");
        assert_eq!(server.send(from("10.0.0.1:1", &named)).await.status, StatusCode::OK);
    }
    // A socket of both versions names the proxy as an address of version 6.
    for number in 0..10 {
        let named = format!("3.3.4.{number}");
        assert_eq!(server.send(from("[::ffff:10.0.0.1]:1", &named)).await.status, StatusCode::OK);
    }
    // A network of 64 bits is one address.
    for number in 0..5 {
        assert_eq!(server.send(from(&format!("[2001:db8::{number}]:1"), "")).await.status, StatusCode::OK);
    }
    assert_eq!(server.send(from("[2001:db8::ffff]:1", "")).await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(server.send(from("[2001:db8:0:1::1]:1", "")).await.status, StatusCode::OK);
}

/// A game that has ended waits ten minutes for a rematch, and counted as one in progress.
#[tokio::test]
async fn games_that_have_ended_make_room_for_others() {
    let folder = Folder::new();
    let server = server_of(Config { games: 2, ..config(&folder) }).await;
    let [ann, bob] = [server.player("ann").await, server.player("bob").await];
    let body = json!({ "game": "havannah", "size": 4, "engine": "leipzig", "side": "white" });
    let begin = async || server.with_key("POST", "/api/games", &ann, &body).await;
    let one = server.game([&ann, &bob], json!({ "game": "havannah", "size": 4 })).await;
    let two = begin().await.json()["id"].as_str().unwrap().to_owned();
    let refused = begin().await;
    assert!(refused.text().contains("the server has 2 games, the most"), "{}", refused.text());
    for game in [&one, &two] {
        let (address, resign) = (format!("/api/games/{game}"), json!({ "op": "resign" }));
        assert_eq!(server.with_key("POST", &address, &ann, &resign).await.status, StatusCode::OK);
        assert_eq!(begin().await.status, StatusCode::CREATED);
    }
    assert!(begin().await.text().contains("the server has 2 games, the most"));
    // The games that have ended are there as before.
    assert_eq!(server.get(&format!("/api/games/{one}")).await.json()["end"]["how"][0], "resign");
    assert!(server.get("/metrics").await.text().contains("stonework_games 2\n"));
}
