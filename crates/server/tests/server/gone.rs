//! Clients who go away without a word: their searches end, and the system asks for their machines.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::common::served::{Served, served};
use crate::common::{Folder, config, request};
use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::json;
use stonework_game::Game as _;
use stonework_havannah::{Move, Position};
use stonework_roster::{Roster, RosterEntry};
use stonework_search::{Engine, Limits, Report, SearchContext};
use stonework_server::{Config, ServerApp, router};
use stonework_session::{GameType, Registry};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tower::ServiceExt;

/// An engine that reports nothing, and ends by its flag alone; after a minute, so that a failed test ends.
struct Silent;

impl Engine<Position> for Silent {
    fn search(&mut self, root: &Position, limits: &Limits, _: SearchContext<'_, Move>) -> Report<Move> {
        let (cancel, since) = (limits.cancel.clone().unwrap(), Instant::now());
        while !cancel.load(Ordering::SeqCst) && since.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Report { best: root.moves().first().copied(), ..Report::empty() }
    }
}

/// Waits until something is so, at most twenty seconds.
async fn until(what: &str, is: impl AsyncFn() -> bool) {
    let since = Instant::now();
    while !is().await {
        assert!(since.elapsed() < Duration::from_secs(20), "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The search of a review ends with its reader, also one that reports nothing.
#[tokio::test]
async fn the_search_of_a_review_ends_with_its_reader() {
    let folder = Folder::new();
    let silent = RosterEntry::engine("mcts-silent", "waits for its flag", |_| Ok(Silent));
    let registry = Registry::new().with(GameType::with_players(&Roster::<Position>::new().with(silent)));
    let app = ServerApp::with_games(config(&folder), registry).await.unwrap();
    let server = crate::common::Tested::over(app.clone(), router(app));
    let searches = async || {
        let text = server.get("/metrics").await.text();
        text.lines().find_map(|line| line.strip_prefix("stonework_searches ")).unwrap().to_owned()
    };
    let body = json!({ "game": "havannah", "size": 4, "moves": ["a1", "b2"], "engine": "mcts-silent" });
    let asked = request("POST", "/api/review")
        .header("sec-fetch-site", "same-origin")
        .header(header::CONTENT_TYPE, "application/json");
    let answer = server.router.clone().oneshot(asked.body(Body::from(body.to_string())).unwrap()).await;
    let answer = answer.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(searches().await, "1");
    drop(answer);
    until("the search goes on", async || searches().await == "0").await;
}

/// A line of `/exec` whose visitor hangs up when its search runs.
async fn hang_up(served: &Served, key: &str, line: &str) {
    let mut stream = TcpStream::connect(served.page).await.unwrap();
    let head = format!(
        "POST /exec?cmd={} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {key}\r\nContent-Length: 0\r\n\r\n",
        line.replace(' ', "+"),
        served.page
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    until("no search", async || served.number("searches").await == 1).await;
}

/// The engine plays no move for a visitor who has gone.
#[tokio::test]
async fn nothing_is_played_for_a_visitor_who_has_gone() {
    let served = served().await;
    let server = served.requests();
    let key = server.player("ann").await;
    hang_up(&served, &key, "genmove white").await;
    until("the search goes on", async || served.number("searches").await == 0).await;
    let back = server.with_key("POST", "/exec?cmd=undo", &key, &json!(null)).await;
    assert!(back.text().starts_with('?'), "a move was played: {}", back.text());
}

/// The state and the timer of the server's end of a connection, as the system has it: `1` is an open connection, `2` the timer of the
/// questions to a client that is silent.
#[cfg(target_os = "linux")]
fn timer(server: std::net::SocketAddr, client: std::net::SocketAddr) -> Option<String> {
    let end = |port: u16| format!(":{port:04X}");
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let row = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut rows = row.filter(|row| row.len() > 5);
    let found =
        rows.find(|row| row[1].ends_with(&end(server.port())) && row[2].ends_with(&end(client.port())));
    found.map(|row| format!("{} {}", row[3], &row[5][..2]))
}

/// The system asks the machine of a program that is silent whether it is there: else a program whose network is cut would keep its name
/// and its place.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_machine_of_a_silent_program_is_asked_for() {
    let served = served().await;
    let mut stream = TcpStream::connect(served.port).await.unwrap();
    let client = stream.local_addr().unwrap();
    stream.write_all(b"gtp silent\n").await.unwrap();
    until("no offer", async || served.number("offers").await == 1).await;
    until("nobody asks", async || timer(served.port, client).as_deref() == Some("01 02")).await;
}

/// The check of a large certificate takes minutes. It ends with its reader, too.
#[cfg(unix)]
#[tokio::test]
async fn the_check_of_a_certificate_ends_with_its_reader() {
    use std::io::Write;
    let folder = Folder::new();
    let known =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/solutions/size5/c3-b3-b2-c4-d4-d5-a2-e5.proof");
    let (path, content) = (folder.0.join("a.proof"), std::fs::read(known).unwrap());
    std::fs::write(&path, &content).unwrap();
    let app = ServerApp::open(Config { proofs: vec![path.clone()], ..config(&folder) }).await.unwrap();
    let server = crate::common::Tested::over(app.clone(), router(app));
    until("the certificate is not read", async || {
        server.get("/api/proofs").await.json()[0]["state"] == "holds"
    })
    .await;
    // A pipe is a file without an end: the check reads on as long as something may come.
    std::fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    let asked = request("POST", "/api/verify")
        .header("sec-fetch-site", "same-origin")
        .header(header::CONTENT_TYPE, "application/json");
    let body = json!({ "name": "a.proof" }).to_string();
    let answer = server.router.clone().oneshot(asked.body(Body::from(body)).unwrap()).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let mut pipe = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    pipe.write_all(&content[..100]).unwrap();
    drop(answer);
    pipe.write_all(&content[100..200]).unwrap();
    let searches = async || {
        let text = server.get("/metrics").await.text();
        text.lines().find_map(|line| line.strip_prefix("stonework_searches ")).unwrap().to_owned()
    };
    until("the check goes on", async || searches().await == "0").await;
    drop(pipe);
}
