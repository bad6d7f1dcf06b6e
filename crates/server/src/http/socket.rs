//! `/ws`: orders and events of any number of games over one WebSocket.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use futures_util::SinkExt;
use futures_util::stream::{SplitSink, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{interval, timeout};

use super::accept::HeldConnection;
use super::api::give_order;
use super::events::here;
use super::identity::visitor;
use super::rate::Client;
use super::{ServerFault, Visitor};
use crate::table::Order;
use crate::{ServerApp, keys};

/// The greatest message of a client, in bytes.
const MOST_MESSAGE: usize = 16 << 10;

/// The number of games that one connection follows.
const MOST_WATCHED: usize = 32;

/// The number of messages that wait for a client. A client that lets more wait is disconnected.
const WAITING: usize = 64;

/// The time in which a client must take a message.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// The interval of pings. A client that sends nothing for two intervals is disconnected.
const PING: Duration = Duration::from_secs(30);

pub(super) fn routes() -> Router<ServerApp> {
    Router::new().route("/ws", get(upgrade))
}

/// A message of a client.
#[derive(Deserialize)]
#[serde(untagged)]
enum Asked {
    /// To follow a game from after an event.
    Watch {
        watch: String,
        #[serde(default)]
        after: u64,
    },
    /// An order in a game. The answer repeats `tag`.
    Order {
        game: String,
        order: Order,
        #[serde(default)]
        tag: Value,
    },
}

async fn upgrade(
    State(app): State<ServerApp>,
    _: Visitor,
    held: Option<Extension<HeldConnection>>,
    client: Option<Extension<Client>>,
    headers: HeaderMap,
    socket: WebSocketUpgrade,
) -> Response {
    let client = client.map(|Extension(client)| client);
    socket.max_message_size(MOST_MESSAGE).max_frame_size(MOST_MESSAGE).on_upgrade(async move |socket| {
        talk(app, headers, client, socket).await;
        drop(held);
    })
}

/// `headers` are those of the request that has become the socket. They have the key of the player.
async fn talk(app: ServerApp, headers: HeaderMap, client: Option<Client>, socket: WebSocket) {
    let (sink, mut source) = socket.split();
    let (out, outbox) = mpsc::channel::<Utf8Bytes>(WAITING);
    let mut tasks = JoinSet::new();
    tasks.spawn(write(sink, outbox));
    loop {
        let message = tokio::select! {
            message = timeout(2 * PING, source.next()) => message,
            // The writer has ended.
            () = out.closed() => break,
        };
        let Ok(Some(Ok(message))) = message else { break };
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => break,
            Message::Binary(_) => {
                refuse(&out, &Value::Null, "request", "a message is JSON text, not bytes").await;
                continue;
            }
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        let asked = serde_json::from_str::<Asked>(&text);
        let tag = if let Ok(Asked::Order { tag, .. }) = &asked { tag.clone() } else { Value::Null };
        // A message counts as a request of its address.
        if client.is_some_and(|Client(address)| !app.rates().request(address)) {
            let most = app.config().limits.requests_per_second;
            refuse(&out, &tag, "busy", &format!("more than {most} messages a second")).await;
            continue;
        }
        // The key may have ended since the last message, and its name may be another player's.
        let visitor = match visitor(&app, &headers).await {
            Ok(visitor) => visitor,
            Err(fault) => {
                let (kind, message) = fault.told();
                refuse(&out, &tag, kind, message).await;
                continue;
            }
        };
        match asked {
            Err(error) => refuse(&out, &Value::Null, "json", &error.to_string()).await,
            Ok(Asked::Watch { watch, after }) => {
                while tasks.try_join_next().is_some() {}
                // One of the tasks is the writer.
                if tasks.len() > MOST_WATCHED {
                    let why = format!("one connection follows at most {MOST_WATCHED} games");
                    refuse(&out, &Value::Null, "watch", &why).await;
                    continue;
                }
                tasks.spawn(follow(app.clone(), visitor, watch, after, out.clone()));
            }
            Ok(Asked::Order { game, order, .. }) => {
                let Some(name) = &visitor.name else {
                    refuse(&out, &tag, "key", "an order needs the key of a player").await;
                    continue;
                };
                match give_order(&app, name, &game, order).await {
                    Ok(last) => say(&out, &json!({ "game": game, "tag": tag, "last": last })).await,
                    Err(fault) => {
                        let (kind, message) = fault.told();
                        refuse(&out, &tag, kind, message).await;
                    }
                }
            }
        }
    }
    tasks.abort_all();
}

async fn say(out: &mpsc::Sender<Utf8Bytes>, value: &Value) {
    // The connection is closed if nobody takes the message.
    let _ = out.send(value.to_string().into()).await;
}

async fn refuse(out: &mpsc::Sender<Utf8Bytes>, tag: &Value, kind: &str, message: &str) {
    say(out, &json!({ "tag": tag, "error": { "kind": kind, "message": message } })).await;
}

/// Sends the messages that wait, and pings. Ends with a client that does not take them in time.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut outbox: mpsc::Receiver<Utf8Bytes>) {
    let mut pings = interval(PING);
    loop {
        let message = tokio::select! {
            text = outbox.recv() => match text {
                Some(text) => Message::Text(text),
                None => return,
            },
            _ = pings.tick() => Message::Ping(axum::body::Bytes::new()),
        };
        if !matches!(timeout(WRITE_TIME, sink.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
}

/// Sends the events of a game, each with the id of the game. An offer is awaited.
async fn follow(app: ServerApp, visitor: Visitor, id: String, mut after: u64, out: mpsc::Sender<Utf8Bytes>) {
    if keys::is_id(&id) {
        app.lobby().gone(&id).await;
    }
    let found = if keys::is_id(&id) { app.watch(&id, after).await } else { Ok(None) };
    let mut watch = match found {
        Ok(Some(watch)) => watch,
        Ok(None) => return refuse(&out, &Value::Null, "missing", "there is no such game").await,
        Err(error) => {
            let fault = ServerFault::from(error);
            let (kind, message) = fault.told();
            return refuse(&out, &Value::Null, kind, message).await;
        }
    };
    if let Some(name) = &visitor.name {
        here(&app, &id, name).await;
    }
    while let Some(told) = watch.next().await {
        debug_assert!(told.number() > after);
        after = told.number();
        // Every event is a JSON object.
        let text = format!("{{\"game\":\"{id}\",{}", &told.json[1..]);
        if out.send(text.into()).await.is_err() {
            return;
        }
    }
    say(&out, &json!({ "game": id, "end": after })).await;
}
