//! Tools of several tests: a folder for a database, a server in this process, requests without a connection.

#![allow(clippy::allow_attributes, dead_code, reason = "each test uses a part")]

pub(crate) mod process;
pub(crate) mod served;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode, header};
use serde_json::Value;
use stonework_server::{Config, LimitConfig, ServerApp, router};
use tower::ServiceExt;

/// A folder that goes with the test.
#[derive(Debug)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("stonework-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.0.join("games.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Limits that no test reaches by accident.
pub(crate) const WIDE: LimitConfig = LimitConfig {
    requests_per_second: 100_000,
    burst: 100_000,
    connections_per_address: 10_000,
    players_per_hour: 100_000,
};

pub(crate) fn config(folder: &Folder) -> Config {
    Config { data: folder.data(), limits: WIDE, searches: 2, ..Config::default() }
}

/// A server whose requests need no connection.
#[derive(Debug)]
pub(crate) struct Tested {
    pub(crate) app: ServerApp,
    pub(crate) router: Router,
    _folder: Option<Folder>,
}

pub(crate) async fn server() -> Tested {
    let folder = Folder::new();
    let app = ServerApp::open(config(&folder)).await.unwrap();
    Tested { router: router(app.clone()), app, _folder: Some(folder) }
}

pub(crate) async fn server_of(config: Config) -> Tested {
    let app = ServerApp::open(config).await.unwrap();
    Tested { router: router(app.clone()), app, _folder: None }
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Tested {
    /// The same for a server that has real connections, too.
    pub(crate) fn over(app: ServerApp, router: Router) -> Self {
        Self { app, router, _folder: None }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response: Response<Body> = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, 64 << 20).await.unwrap().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, address: &str) -> Answer {
        self.send(request("GET", address).body(Body::empty()).unwrap()).await
    }

    /// A request with the key of a player.
    pub(crate) async fn with_key(&self, method: &str, address: &str, key: &str, body: &Value) -> Answer {
        let request = request(method, address)
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Registers a player, and returns the key.
    pub(crate) async fn player(&self, name: &str) -> String {
        let request = request("POST", "/api/players")
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/json");
        let body = serde_json::json!({ "name": name }).to_string();
        let answer = self.send(request.body(Body::from(body)).unwrap()).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        answer.json()["key"].as_str().unwrap().to_owned()
    }

    /// Begins a game of two players on a small board. The first player is the first key.
    pub(crate) async fn game(&self, keys: [&str; 2], more: Value) -> String {
        let mut body = serde_json::json!({ "game": "havannah", "size": 4, "side": "white", "friend": true });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let opened = self.with_key("POST", "/api/games", keys[0], &body).await;
        assert_eq!(opened.status, StatusCode::CREATED, "{}", opened.text());
        let id = opened.json()["id"].as_str().unwrap().to_owned();
        let accepted = self.with_key("POST", &format!("/api/games/{id}/accept"), keys[1], &Value::Null).await;
        assert_eq!(accepted.status, StatusCode::OK, "{}", accepted.text());
        id
    }

    pub(crate) async fn play(&self, key: &str, id: &str, mv: &str) -> Answer {
        let order = serde_json::json!({ "op": "play", "move": mv });
        self.with_key("POST", &format!("/api/games/{id}"), key, &order).await
    }
}

pub(crate) fn request(method: &str, address: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(address).header(header::HOST, "127.0.0.1:7171")
}

/// A game that white wins by a bridge.
pub(crate) const BRIDGE: &str = "a1 b1 a2 b2 a3 b3 a4";
