//! The conversation over a WebSocket, as the page has it, over real connections.

use std::time::Duration;

use crate::common::served::{Served, served, served_with};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// One end of a WebSocket.
struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Connects with the key of a player, or without one from a page of the server.
    async fn connect(served: &Served, key: Option<&str>) -> Self {
        let mut request = format!("ws://{}/ws", served.page).into_client_request().unwrap();
        let (name, value) = match key {
            Some(key) => ("authorization", format!("Bearer {key}")),
            None => ("origin", format!("http://{}", served.page)),
        };
        request.headers_mut().insert(name, value.parse().unwrap());
        let stream = TcpStream::connect(served.page).await.unwrap();
        Self(client_async(request, stream).await.unwrap().0)
    }

    async fn say(&mut self, value: &Value) {
        self.0.send(Message::text(value.to_string())).await.unwrap();
    }

    /// The next message that is text; `None` after the end.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let message = timeout(Duration::from_secs(20), self.0.next()).await;
            match message.expect("no message within 20 seconds")? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(_) | Err(Error::ConnectionClosed | Error::Protocol(_) | Error::Io(_)) => return None,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The next `count` events of games.
    async fn events(&mut self, count: usize) -> Vec<Value> {
        let mut events = Vec::new();
        while events.len() < count {
            let message = self.next().await.expect("the connection has ended");
            if message.get("event").is_some() {
                events.push(message);
            }
        }
        events
    }
}

fn numbers(events: &[Value]) -> Vec<u64> {
    events.iter().map(|event| event["number"].as_u64().unwrap()).collect()
}

/// Two players with their keys, and their game on size 4, white first.
async fn begun(served: &Served) -> ([String; 2], String) {
    let tested = served.requests();
    let keys = [tested.player("ann").await, tested.player("bob").await];
    let id = tested.game([&keys[0], &keys[1]], json!({})).await;
    (keys, id)
}

#[tokio::test]
async fn a_game_is_played_over_two_sockets_and_both_hear_every_event_once() {
    let served = served().await;
    let (keys, id) = begun(&served).await;
    let mut sockets =
        [Socket::connect(&served, Some(&keys[0])).await, Socket::connect(&served, Some(&keys[1])).await];
    for socket in &mut sockets {
        socket.say(&json!({ "watch": id })).await;
    }
    let moves: Vec<&str> = crate::common::BRIDGE.split(' ').collect();
    let mut heard: [Vec<Value>; 2] = [Vec::new(), Vec::new()];
    for (at, mv) in moves.iter().enumerate() {
        let order = json!({ "game": id, "order": { "op": "play", "move": mv }, "tag": at });
        sockets[at % 2].say(&order).await;
        // The answer repeats the tag; the event comes to both, before the answer or after it.
        let (mut answer, mut event) = (None, None);
        while answer.is_none() || event.is_none() {
            let message = sockets[at % 2].next().await.unwrap();
            if message.get("tag").is_some() {
                answer = Some(message);
            } else if message["event"] == "moved" {
                event = Some(message.clone());
                heard[at % 2].push(message);
            } else {
                heard[at % 2].push(message);
            }
        }
        assert_eq!(answer.unwrap()["tag"], json!(at));
        let other = &mut sockets[1 - at % 2];
        loop {
            let message = other.next().await.unwrap();
            let moved = message["event"] == "moved";
            heard[1 - at % 2].push(message);
            if moved {
                break;
            }
        }
    }
    for (socket, heard) in sockets.iter_mut().zip(&mut heard) {
        while heard.len() < 9 {
            heard.extend(socket.events(1).await);
        }
        assert_eq!(numbers(heard), (1..=9).collect::<Vec<u64>>());
        assert!(heard.iter().all(|event| event["game"] == json!(id)));
        assert_eq!((&heard[8]["event"], &heard[8]["how"][0]), (&json!("over"), &json!("bridge")));
    }
    assert_eq!(heard[0], heard[1]);
}

/// A client that reconnects and asks for the events after event n gets exactly these, over the socket and as lines.
#[tokio::test]
async fn who_reconnects_gets_exactly_the_missed_events() {
    let served = served().await;
    let (keys, id) = begun(&served).await;
    let table = served.app.table(&id).unwrap();
    let play = async |at: usize, mv: &str| {
        let order = stonework_server::Order::Play { mv: mv.to_owned(), ply: None };
        table.order(stonework_game::Player::BOTH[at % 2], order).await.unwrap();
    };
    let mut first = Socket::connect(&served, Some(&keys[0])).await;
    first.say(&json!({ "watch": id })).await;
    play(0, "a1").await;
    play(1, "b1").await;
    let known = first.events(3).await;
    assert_eq!(numbers(&known), [1, 2, 3]);
    // The line breaks without a farewell, and the game goes on.
    drop(first);
    play(2, "a2").await;
    play(3, "b2").await;
    for after in 0..=5_u64 {
        let mut again = Socket::connect(&served, Some(&keys[0])).await;
        again.say(&json!({ "watch": id, "after": after })).await;
        let missed = again.events(5 - after as usize).await;
        assert_eq!(numbers(&missed), (after + 1..=5).collect::<Vec<u64>>());
        for known in known.iter().filter(|event| event["number"].as_u64().unwrap() > after) {
            assert!(missed.contains(known), "{known} has changed");
        }
        // Nothing else has come: the next is the answer to a question of our own.
        again.say(&json!({ "game": id, "order": { "op": "accept" }, "tag": "next" })).await;
        let next = again.next().await.unwrap();
        assert_eq!(next["tag"], json!("next"), "after {after}: {next}");
    }
    // The events to come follow those of the past without a gap.
    let mut again = Socket::connect(&served, Some(&keys[1])).await;
    again.say(&json!({ "watch": id, "after": 4 })).await;
    assert_eq!(numbers(&again.events(1).await), [5]);
    play(4, "a3").await;
    play(5, "b3").await;
    play(6, "a4").await;
    assert_eq!(numbers(&again.events(4).await), [6, 7, 8, 9]);
    // The same as lines of JSON for bots.
    let answer = {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut stream = TcpStream::connect(served.page).await.unwrap();
        let head = format!(
            "GET /api/games/{id}/events HTTP/1.1\r\nHost: {}\r\nLast-Event-ID: 7\r\nConnection: close\r\n\r\n",
            served.page
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let (mut answer, mut block) = (String::new(), [0; 4096]);
        while !answer.contains("\"over\"") {
            let read = timeout(Duration::from_secs(20), stream.read(&mut block)).await.unwrap().unwrap();
            assert_ne!(read, 0, "{answer}");
            answer.push_str(&String::from_utf8_lossy(&block[..read]));
        }
        answer
    };
    let lines: Vec<Value> = answer
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(numbers(&lines), [8, 9]);
}

#[tokio::test]
async fn what_a_socket_may_not_say_is_refused_with_a_sentence() {
    let served = served().await;
    let (_, id) = begun(&served).await;
    let mut socket = Socket::connect(&served, None).await;
    let refused = async |socket: &mut Socket, message: Value| -> String {
        socket.say(&message).await;
        loop {
            let answer = socket.next().await.unwrap();
            if let Some(error) = answer.get("error") {
                return format!(
                    "{}: {}",
                    error["kind"].as_str().unwrap(),
                    error["message"].as_str().unwrap()
                );
            }
        }
    };
    let order = json!({ "game": id, "order": { "op": "resign" } });
    assert_eq!(refused(&mut socket, order).await, "key: an order needs the key of a player");
    assert!(refused(&mut socket, json!({ "nonsense": 1 })).await.starts_with("json: "));
    // A game that is followed no longer does not count.
    for _ in 0..33 {
        let none = refused(&mut socket, json!({ "watch": "../games" })).await;
        assert_eq!(none, "missing: there is no such game");
    }
    for _ in 0..32 {
        socket.say(&json!({ "watch": id })).await;
    }
    let many = refused(&mut socket, json!({ "watch": id })).await;
    assert_eq!(many, "watch: one connection follows at most 32 games");
    socket.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert!(
        loop {
            let answer = socket.next().await.unwrap();
            if let Some(error) = answer.get("error") {
                break error.to_string();
            }
        }
        .contains("not bytes")
    );
    // A message of more than 16 KiB ends the connection, and the game goes on.
    let long = json!({ "watch": "x".repeat(20_000) });
    socket.0.send(Message::text(long.to_string())).await.unwrap();
    while socket.next().await.is_some() {}
    assert!(served.app.view(&id).await.unwrap().unwrap().end.is_none());
}

/// A socket counts among the connections of its address, as long as it is open.
#[tokio::test]
async fn a_socket_counts_as_a_connection() {
    let limits = stonework_server::LimitConfig { connections_per_address: 2, ..crate::common::WIDE };
    let served = served_with(|config, _| config.limits = limits).await;
    let one = Socket::connect(&served, None).await;
    let _two = Socket::connect(&served, None).await;
    let refused = async || {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut third = TcpStream::connect(served.page).await.unwrap();
        let head = format!("GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.page);
        // A connection that is refused may be closed before all is written.
        let _ = third.write_all(head.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = timeout(Duration::from_secs(5), third.read_to_end(&mut answer)).await.unwrap();
        answer.is_empty()
    };
    assert!(refused().await);
    drop(one);
    let free = async {
        while refused().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(5), free).await.expect("a place is free again");
}

/// A client that is silent for a minute, also to pings, is disconnected.
#[tokio::test]
async fn a_silent_socket_is_disconnected() {
    let served = served().await;
    let mut socket = Socket::connect(&served, None).await;
    socket.say(&json!({ "nonsense": 1 })).await;
    socket.next().await.unwrap();
    assert_eq!(served.connections().await, 1);
    tokio::time::pause();
    let since = tokio::time::Instant::now();
    // Nobody reads the pings, so nobody answers them.
    while served.connections().await == 1 {
        assert!(since.elapsed() < Duration::from_secs(100), "it stays open");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert!(since.elapsed() >= Duration::from_secs(59), "{:?}", since.elapsed());
}

/// A name that its player has given up may be another player's. A socket of the first player plays for nobody then.
#[tokio::test]
async fn a_socket_whose_player_has_gone_gives_no_orders_for_the_next_of_the_name() {
    let served = served().await;
    let tested = served.requests();
    let first = tested.player("ann").await;
    let mut sockets = [Socket::connect(&served, Some(&first)).await, Socket::connect(&served, None).await];
    let gone = tested.with_key("DELETE", "/api/players/me", &first, &Value::Null).await;
    assert_eq!(gone.status.as_u16(), 204, "{}", gone.text());
    let keys = [tested.player("ann").await, tested.player("bob").await];
    let id = tested.game([&keys[0], &keys[1]], json!({})).await;
    for socket in &mut sockets {
        socket.say(&json!({ "game": id, "order": { "op": "resign" }, "tag": 1 })).await;
        let answer = socket.next().await.unwrap();
        assert_eq!((&answer["error"]["kind"], &answer["tag"]), (&json!("key"), &json!(1)), "{answer}");
    }
    assert!(served.app.view(&id).await.unwrap().unwrap().end.is_none());
    // The present player of the name plays on.
    let mut socket = Socket::connect(&served, Some(&keys[0])).await;
    socket.say(&json!({ "game": id, "order": { "op": "resign" }, "tag": 2 })).await;
    assert_eq!(socket.next().await.unwrap()["tag"], json!(2));
}

/// Every message is a request of its address: one that asks for a game reads the game from the database.
#[tokio::test]
async fn the_messages_of_a_socket_are_limited_as_requests_are() {
    let limits = stonework_server::LimitConfig { requests_per_second: 1, burst: 5, ..crate::common::WIDE };
    let served = served_with(|config, _| config.limits = limits).await;
    let mut socket = Socket::connect(&served, None).await;
    for message in [json!({ "watch": "aaaaaaaa" }), json!("nonsense")] {
        let mut kinds = Vec::new();
        for _ in 0..20 {
            socket.say(&message).await;
            kinds.push(socket.next().await.unwrap()["error"]["kind"].as_str().unwrap().to_owned());
        }
        assert!(kinds.iter().filter(|kind| *kind == "busy").count() > 10, "{kinds:?}");
    }
}
